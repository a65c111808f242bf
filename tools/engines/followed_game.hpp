// The moves of a game in the words of a protocol, kept up to date from move to move: other programs are told
// all of them each time.
#pragma once

#include "runtime/game/game.hpp"
#include "tools/engines/protocol_moves.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::tools {

class FollowedGame {
public:
  explicit FollowedGame(Protocol protocol) : protocol_(protocol) {}

  // Brings it up to date. Only what is new is looked for, since all moves of a position are tried to find the
  // one that was played. False: it is another game, or one that was taken back.
  [[nodiscard]] tl::expected<bool, runtime::Fault> follow(const runtime::Game& game);

  // "position startpos moves e2e4 e7e5": where the beginning isn't the set-up, `fen` and a position.
  [[nodiscard]] std::string command() const { return begin_ + moves_; }
  // The moves alone, and how the game begins: "" with the set-up, else its position.
  [[nodiscard]] std::vector<std::string> moves() const;
  [[nodiscard]] const std::string& position() const { return position_; }

  void forget();

private:
  void begin_with(const runtime::Game& begin);

  Protocol protocol_;
  std::optional<runtime::Position> first_; // the position that it begins with
  std::vector<std::uint64_t> keys_;        // of all positions, the first one too
  std::vector<std::size_t> ends_;          // of the moves in the text
  std::string begin_, moves_;              // the two parts of the command
  std::string position_;                   // in the first one
  bool told_ = false;                      // there was a game before
};

} // namespace boardwright::tools
