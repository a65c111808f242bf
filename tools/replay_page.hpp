// A recorded game as one page for browsers: it needs no network, and plays from a file.
#pragma once

#include "tools/board_svg.hpp"

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
  [[nodiscard]] std::size_t common_elements() const;
  [[nodiscard]] std::string picture(std::size_t common) const;
  [[nodiscard]] std::string data(std::size_t common) const;

  std::string title_;
  std::size_t limit_;
  std::size_t bytes_ = 0; // of all that follows, about
  std::string tags_, list_;
  // Elements are kept once, however many pictures have them.
  std::vector<std::string> parts_;
  std::unordered_map<std::string, std::uint32_t> known_;
  std::vector<std::vector<std::uint32_t>> frames_; // places in parts_
  SvgDrawing frame_;                               // without elements: as large as the largest
};

} // namespace boardwright::tools
