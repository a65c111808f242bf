// A recorded game as one page for browsers: it needs no network, and plays from a file.
#pragma once

#include "tools/drawing/board_svg.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace boardwright::tools {

// A page of more bytes isn't made: browsers open this much at once, and a game of ten thousand moves fits.
inline constexpr std::size_t kMaxPageBytes = std::size_t{16} << 20;

// One position of the game, under the move that led to it.
struct PageStep {
  std::string move;   // "" at the beginning
  std::string player; // who made it
  std::string colour; // his, as "#rrggbb"
  std::vector<std::string> comments;
};

// All texts may be anything: they are escaped here.
class ReplayPage {
public:
  explicit ReplayPage(std::string title, std::size_t limit = kMaxPageBytes)
      : title_(std::move(title)), limit_(limit) {}

  // Above the board.
  void add_tag(const std::string& name, const std::string& value);
  // False once the page would be larger than its limit.
  [[nodiscard]] bool add(const SvgDrawing& drawing, const PageStep& step);
  // The page, with how the game ended; nothing if that makes it larger than its limit.
  [[nodiscard]] std::string finish(const std::string& result) const;

private:
  using Frame = std::vector<std::uint32_t>; // places in parts_
  [[nodiscard]] std::string picture() const;
  [[nodiscard]] std::string data() const;
  void grow(const SvgDrawing& drawing);

  std::string title_;
  std::size_t limit_;
  std::size_t bytes_ = 0; // of all that follows, about
  std::string tags_, list_;
  // Elements are kept once, however many pictures have them, and of each picture what differs from the one
  // before.
  std::vector<std::string> parts_;
  std::unordered_map<std::string, std::uint32_t> known_;
  Frame first_, latest_;
  std::size_t frames_ = 0;
  std::size_t common_ = 0; // parts that all pictures begin with: the board without what stands on it
  std::string changes_;    // as JSON
  SvgDrawing size_;        // without elements: as large as the largest
};

} // namespace boardwright::tools
