// What was learnt of a game, as a file that people read, edit and ship beside the rule file:
//
//   weights: My Game          the game's title
//   rules: 0123456789abcdef        what it was learnt on: see runtime/model/fingerprint.hpp
//   options: { columns: 8 }        as they were set; for readers: the fingerprint counts
//   learnt: { games: 2000, seed: 1 }
//   features:                      in natural logarithms of the odds to win: see runtime/search/features.hpp
//     piece/man: 0.41
//   network: { … }                 on top of them, where one was learnt: see network_text.hpp
#pragma once

#include "runtime/search/network.hpp"
#include "tools/games/game_choice.hpp"

#include <tl/expected.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::tools {

// A file of all features of the largest board is about half of this.
inline constexpr std::size_t kMaxWeightsBytes = 1 << 20;

struct WeightsFile {
  std::string game, rules;
  std::vector<std::pair<std::string, std::string>> learnt; // how: for readers
  runtime::search::Learnt what;
};

// Fails with a sentence that says what is wrong, and where.
[[nodiscard]] tl::expected<WeightsFile, std::string> read_weights(const std::string& path);
[[nodiscard]] tl::expected<WeightsFile, std::string> parse_weights(const std::string& path,
                                                                   const std::string& text);
[[nodiscard]] std::string weights_text(const runtime::search::Features& features,
                                       const runtime::search::Judgement& judgement,
                                       const std::vector<std::pair<std::string, std::string>>& learnt);

// `mygame.weights.yaml`: beside the rule file; in the folder one works in for a bundled game.
[[nodiscard]] std::string weights_path(const GameChoice& game, const interpreter::Loaded& loaded);

// What comes with the program for these very rules and options, whatever file they are in; null: nothing.
[[nodiscard]] std::shared_ptr<const runtime::search::Learnt>
bundled_weights_of(const runtime::Program& program);

[[nodiscard]] bool fits(const WeightsFile& file, const runtime::Program& program);

// What a file says was learnt of these very rules and options; an error is a sentence.
[[nodiscard]] tl::expected<std::shared_ptr<const runtime::search::Learnt>, std::string>
weights_for(const runtime::Program& program, const std::string& path);

// What was learnt of a game, for those who play it: from the file that was asked for, else from the one of
// its name, else what comes with the program; null where there is none. A file of other rules is told, and
// only used if it was asked for. An error has been told.
[[nodiscard]] tl::expected<std::shared_ptr<const runtime::search::Learnt>, Exit>
find_weights(const std::string& asked_for, const GameChoice& game, const interpreter::Loaded& loaded,
             Console& console);

} // namespace boardwright::tools
