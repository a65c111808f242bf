#include "tests/written/judge_file.hpp"

#include "interpreter/load.hpp"
#include "interpreter/notation/fen.hpp"
#include "interpreter/notation/position_text.hpp"
#include "runtime/game/playout.hpp"
#include "runtime/reference/walker.hpp"
#include "tools/games/position_json.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <tuple>
#include <vector>

namespace boardwright::tests {
namespace {

using runtime::Game;
using runtime::Position;
using runtime::Rules;

// Positions that are written and read again, for each file.
constexpr int kPlies = 6;
// Of more moves not each is looked for by its notation.
constexpr std::size_t kFewMoves = 60;
// Steps of the walker that a position may take to be looked at.
constexpr std::uint64_t kWalkSteps = 20'000;

bool same(const Position& a, const Position& b) {
  return a.same_as(b) && a.ply == b.ply && a.turns == b.turns;
}

class FileJudge {
public:
  FileJudge(const interpreter::Loaded& loaded, std::uint64_t seed, const FileJudgeOptions& options)
      : loaded_(loaded), rules_(loaded.rules), seed_(seed), options_(options) {}

  FileJudgement run() {
    result_.loaded = true;
    if (good()) set_up();
    for (int i = 0; good() && i < options_.games; ++i) engine(seed_ + static_cast<std::uint64_t>(i) * 7919);
    if (good() && rules_->problem().empty() && is_light()) {
      positions();
      random_games();
    }
    return std::move(result_);
  }

private:
  [[nodiscard]] bool good() const { return result_.kind.empty(); }
  void fail(std::string kind, std::string detail) {
    if (!good()) return;
    result_.kind = std::move(kind);
    result_.detail = std::move(detail);
  }

  // Do the moves of the set-up take few steps?
  [[nodiscard]] bool is_light() const {
    const runtime::Walker walker(rules_->program(), kWalkSteps);
    return walker.derive(rules_->program().initial, {}).has_value();
  }

  // Native code and the interpreter play the same games, as far as sums can tell.
  void random_games() {
    runtime::PlayoutOptions options;
    options.count = 6;
    options.max_plies = 12;
    options.seed = seed_;
    const auto native = runtime::playouts(rules_, options);
    options.native = false;
    const auto interpreted = runtime::playouts(rules_, options);
    if (!native || !interpreted) return; // faults have been compared
    const auto sums = [](const auto& p) {
      return std::tuple(p.plies, p.moves, p.wins, p.draws, p.unfinished);
    };
    if (sums(*native) != sums(*interpreted))
      fail(name_of(Differs::streams), "native random games: " + std::to_string(native->plies) + " plies, " +
                                          std::to_string(native->moves) +
                                          " moves seen; interpreted: " + std::to_string(interpreted->plies) +
                                          ", " + std::to_string(interpreted->moves));
  }

  void engine(std::uint64_t seed) {
    const Judgement judged = judge({rules_, &rules_->program()}, seed, options_.engine);
    result_.judged.positions += judged.positions;
    result_.judged.without_move += judged.without_move;
    result_.judged.faults += judged.faults;
    result_.judged.too_long = result_.judged.too_long || judged.too_long;
    result_.judged.too_large = result_.judged.too_large || judged.too_large;
    if (judged.difference) fail(name_of(judged.difference->kind), judged.difference->detail);
  }

  // A picture shows as many pieces as there are then.
  void set_up() {
    const auto& picture = loaded_.file->setup.picture;
    if (picture.empty()) return;
    std::size_t shown = 0, there = 0;
    for (const auto& row : picture)
      for (const auto& sign : row.signs)
        if (sign.text != "." && sign.text != "#") shown += sign.text.size();
    for (const auto& stack : rules_->program().initial.cells) there += stack.size();
    if (shown != there)
      fail("set up",
           "the picture shows " + std::to_string(shown) + " pieces, there are " + std::to_string(there));
  }

  // A random game, position by position, as far as deriving moves is quick.
  void positions() {
    Game game(rules_);
    const runtime::Walker walker(rules_->program(), kWalkSteps);
    runtime::Random random(seed_);
    for (int ply = 0; ply < kPlies && good(); ++ply) {
      // A decision is no part of a position: who is put out beside it would be told anew.
      const auto outcome = game.outcome();
      if (!outcome || *outcome) return;
      read_back(game.position());
      if (!walker.derive(game.position(), {})) return;
      const auto moves = game.moves();
      if (!moves || moves->empty()) return;
      const std::vector<runtime::Move> all(moves->begin(), moves->end());
      if (all.size() <= kFewMoves) find_each(game);
      if (!game.play(all[random.below(all.size())])) return;
    }
  }

  void read_back(const Position& position) {
    const std::string json = tools::write_position(rules_->program(), position);
    const auto again = interpreter::read_position(rules_, "position", json);
    if (!again.game) return fail("read back", json + "\n" + again.errors());
    if (!same(again.game->position(), position)) return fail("read back", json + " is another position");
    const auto fen = interpreter::write_fen(rules_->program(), position);
    if (!fen) return;
    const auto by_fen = interpreter::read_position(rules_, "position", *fen);
    if (!by_fen.game) return fail("read back", *fen + "\n" + by_fen.errors());
    if (!by_fen.game->position().same_as(position)) fail("read back", *fen + " is another position");
  }

  void find_each(Game& game) {
    const auto notations = game.notations();
    if (!notations) return;
    for (const std::string& text : *notations) {
      const auto found = game.find(text);
      const bool is = found && *found && game.notation(**found) == text;
      if (!is) return fail("found", "`" + text + "` isn't found by its notation");
    }
  }

  const interpreter::Loaded& loaded_;
  std::shared_ptr<const Rules> rules_;
  std::uint64_t seed_;
  FileJudgeOptions options_;
  FileJudgement result_;
};

} // namespace

FileJudgement judge_file(const std::string& text, std::uint64_t seed, const FileJudgeOptions& options) {
  try {
    const auto loaded = interpreter::load_text("written.yaml", text);
    if (loaded) return FileJudge(loaded, seed, options).run();
    FileJudgement refused;
    refused.refused = loaded.errors();
    return refused;
  } catch (const std::exception& exception) {
    FileJudgement thrown;
    thrown.kind = "throws";
    thrown.detail = exception.what();
    return thrown;
  }
}

} // namespace boardwright::tests
