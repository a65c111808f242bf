// What the program prints of a position can be given back to it: for all bundled games, in random positions.
#include "interpreter/notation/fen.hpp"
#include "interpreter/notation/position_text.hpp"
#include "runtime/game/random_player.hpp"
#include "tests/rule_files.hpp"
#include "tools/games/position_json.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <vector>

namespace position_round_trip_test {

using namespace boardwright;
using runtime::Position;

namespace {

// Random games are broken off after so many moves: openings, middles, ends.
const std::vector<std::uint32_t> kPlies{1, 7, 30};

Position read(const std::shared_ptr<const runtime::Rules>& rules, const std::string& text) {
  const auto read = interpreter::read_position(rules, "position", text);
  INFO(text);
  if (!read.game) FAIL(read.errors());
  CHECK(read.diagnostics.all().empty());
  return read.game->position();
}

void check_json(const std::shared_ptr<const runtime::Rules>& rules, const Position& position) {
  const auto again = read(rules, tools::write_position(rules->program(), position));
  CHECK(again.same_as(position));
  CHECK(again.ply == position.ply);
  CHECK(again.turns == position.turns);
}

// Counters that no rule asks for aren't written.
bool check_fen(const std::shared_ptr<const runtime::Rules>& rules, const Position& position) {
  const auto fen = interpreter::write_fen(rules->program(), position);
  if (!fen) return false;
  INFO(*fen);
  const auto again = read(rules, *fen);
  CHECK(again.same_as(position));
  CHECK(interpreter::write_fen(rules->program(), again) == fen); // counters too, where rules ask for them
  return true;
}

} // namespace

TEST_CASE("positions of all bundled games are printed so that they can be read") {
  std::size_t with_fen = 0;
  const auto games = tests::bundled_games();
  for (const auto& name : games) {
    INFO(name);
    const auto rules = tests::load_rules(name);
    runtime::RandomPlayer player(rules);
    runtime::Random random(7);
    bool fen = false;
    for (const auto plies : kPlies) {
      if (!player.play(random, plies)) continue; // a fault is for other tests
      const auto position = player.position();
      check_json(rules, position);
      fen = check_fen(rules, position);
    }
    with_fen += fen ? 1 : 0;
  }
  CHECK(with_fen > games.size() / 2);
}

} // namespace position_round_trip_test
