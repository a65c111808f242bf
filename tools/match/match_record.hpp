// The games of a match as records, one behind the other in a file that `replay` reads.
#pragma once

#include "tools/records/game_record.hpp"
#include "tools/records/recorder.hpp"

#include <tl/expected.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::tools {

// A game that was played to its end.
struct PlayedGame {
  std::string round;                              // "3.2": the second game of the third pair
  std::array<std::string, 2> players;             // by player of the rules
  std::vector<std::pair<int, std::string>> moves; // who made each
  std::size_t opening = 0;                        // moves of them that were drawn at random
  runtime::Outcome outcome;
  std::string reason; // where no rule gives it: "cut off after 500 moves"
};

class MatchRecord {
public:
  // Behind what is in the file. Fails with a sentence. `loaded` stays where it is.
  [[nodiscard]] static tl::expected<MatchRecord, std::string> at_end_of(const std::string& path, Tags tags,
                                                                        const interpreter::Loaded& loaded);
  // All of it or nothing; "" or why it can't be written.
  [[nodiscard]] std::string add(const PlayedGame& game);

private:
  MatchRecord(LockedFile file, Tags tags, const interpreter::Loaded& loaded)
      : file_(std::move(file)), tags_(std::move(tags)), loaded_(&loaded) {}
  [[nodiscard]] const std::string& name_of(int player) const {
    return loaded_->rules->program().players[static_cast<std::size_t>(player)].name;
  }

  LockedFile file_;
  Tags tags_; // that all games share
  const interpreter::Loaded* loaded_;
};

} // namespace boardwright::tools
