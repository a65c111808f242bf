// Every oracle position (oracles/README.md): the same moves, and the same position after each; by the engine,
// the walker, and games written by hand.
#include "by_hand.hpp"
#include "rule_files.hpp"

#include "bench/antigrid.hpp"
#include "bench/intermedium.hpp"
#include "bench/tempo.hpp"

#include "runtime/reference/walker.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace oracle_test {

using namespace boardwright;
using nlohmann::json;
using runtime::Outcome;
using runtime::Position;
using runtime::Program;
using tests::load_rules;
using tests::required;

namespace {

struct Oracle {
  std::string file, game;
  interpreter::Settings settings;
  std::size_t walked; // every so many positions are compared with the walker, which is slow
};

const std::vector<Oracle> kOracles = {
    {"antigrid11", "antigrid", {}, 2}, {"antigrid15", "antigrid", {{"gems", "15"}}, 2},
    {"eximo", "eximo", {}, 1},         {"intermedium", "intermedium", {}, 2},
    {"scalus", "scalus", {}, 4},       {"tempo", "tempo", {}, 1},
};

// Notation of every move, with what follows from it: "White b3= c4=b" and, of a winning move, "Black wins".
using Listing = std::map<std::string, std::string>;

json read(const Oracle& oracle) {
  std::ifstream in(tests::source_root() + "/tests/oracles/" + oracle.file + ".json");
  REQUIRE(in);
  return json::parse(in);
}

int player_named(const Program& program, const std::string& name) {
  for (int p = 0; p < program.player_count(); ++p)
    if (program.players[static_cast<std::size_t>(p)].name == name) return p;
  FAIL("no player " << name);
  return -1;
}

Position position_of(const Program& program, const json& given) {
  Position position = runtime::blank_position(program);
  for (const auto& [cell, letters] : given.at("cells").items()) {
    const int at = program.board.cell_named(cell);
    REQUIRE(at != runtime::kNowhere);
    for (const char letter : letters.get<std::string>())
      position.cells[static_cast<std::size_t>(at)].push_back(program.piece_of(letter).value());
  }
  position.to_move = player_named(program, given.at("to_move"));
  position.ply = given.value("ply", 1000);
  for (auto& turns : position.turns) turns = position.ply / program.player_count();
  return position;
}

Listing expected_moves(const json& given) {
  Listing listing;
  for (const auto& [move, result] : given.at("moves").items()) {
    std::string text = result.at("to_move").get<std::string>();
    for (const auto& [cell, letters] : std::map<std::string, std::string>(result.at("changes")))
      text += " " + cell + "=" + letters;
    if (result.contains("winner")) text += ", " + result.at("winner").get<std::string>() + " wins";
    listing.emplace(move, text);
  }
  return listing;
}

std::string changes(const Program& program, const Position& before, const Position& after) {
  std::map<std::string, std::string> changed;
  for (std::size_t cell = 0; cell < before.cells.size(); ++cell)
    if (before.cells[cell] != after.cells[cell])
      changed[program.board.name[cell]] = tests::letters_of(program, after.cells[cell]);
  std::string text = program.players[static_cast<std::size_t>(after.to_move)].name;
  for (const auto& [cell, letters] : changed) text += " " + cell + "=" + letters;
  return text;
}

// Only the winner that the move itself decides: a player who is found stuck at his turn has not lost by the
// move.
std::string decision(const Program& program, const std::optional<Outcome>& outcome) {
  if (!outcome || outcome->by != Outcome::By::move) return "";
  for (int p = 0; p < program.player_count(); ++p)
    if (outcome->winners == std::uint32_t{1} << p)
      return ", " + program.players[static_cast<std::size_t>(p)].name + " wins";
  return ", nobody wins";
}

void add(Listing& listing, const std::string& move, const std::string& result) {
  INFO("listed twice: " << move);
  CHECK(listing.emplace(move, result).second);
}

Listing moves_of_engine(const std::shared_ptr<const runtime::Rules>& rules, const Position& position) {
  runtime::Game game(rules, position);
  const auto notations = required(game.notations(), *rules);
  Listing listing;
  for (std::size_t i = 0; i < notations.size(); ++i) {
    const auto moves = required(game.moves(), *rules);
    REQUIRE(moves.size() == notations.size());
    game.play(moves[i]);
    const auto outcome = required(game.outcome(), *rules);
    add(listing, notations[i],
        changes(rules->program(), position, game.position()) + decision(rules->program(), outcome));
    REQUIRE(game.undo());
  }
  return listing;
}

Listing moves_of_walker(const std::shared_ptr<const runtime::Rules>& rules, const Position& position) {
  const Program& program = rules->program();
  Listing listing;
  for (const auto& move : required(runtime::Walker(program).derive(position, {}), *rules))
    add(listing, move.notation, changes(program, position, move.after) + decision(program, move.outcome));
  return listing;
}

template <class G>
Listing moves_by_hand(const Program& program, const Position& position) {
  G game = tests::by_hand<G>(program.board, position);
  std::vector<typename G::Move> moves;
  game.list(moves);
  Listing listing;
  for (const auto& move : moves) {
    G next = game;
    next.play(move);
    std::string result = changes(program, position, tests::position_of(program, next));
    if (const auto winner = next.winner())
      result += ", " + program.players[static_cast<std::size_t>(*winner)].name + " wins";
    add(listing, game.notation(move), result);
  }
  return listing;
}

// Prints only what differs: a listing may have hundreds of moves.
void compare(const Listing& expected, const Listing& got) {
  std::string differences;
  for (const auto& [move, result] : expected)
    if (const auto found = got.find(move); found == got.end())
      differences += "\n- " + move + ": " + result;
    else if (found->second != result)
      differences += "\n! " + move + ": " + found->second + "; expected " + result;
  for (const auto& [move, result] : got)
    if (!expected.contains(move)) differences += "\n+ " + move + ": " + result;
  INFO("missing (-), wrong (!) and extra (+) moves:" << differences);
  CHECK(differences.empty());
}

template <class G>
void compare_by_hand(const std::string& file) {
  const auto found = std::find_if(kOracles.begin(), kOracles.end(),
                                  [&](const Oracle& oracle) { return oracle.file == file; });
  REQUIRE(found != kOracles.end());
  const Oracle& oracle = *found;
  const auto rules = load_rules(oracle.game, oracle.settings);
  const json positions = read(oracle).at("positions");
  REQUIRE_FALSE(positions.empty());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    INFO(oracle.file << ", position " << i << " from 0");
    const auto position = position_of(rules->program(), positions[i]);
    compare(expected_moves(positions[i]), moves_by_hand<G>(rules->program(), position));
  }
}

} // namespace

TEST_CASE("the engine and the walker agree with the oracles") {
  for (const auto& oracle : kOracles) DYNAMIC_SECTION(oracle.file) {
      const auto rules = load_rules(oracle.game, oracle.settings);
      const json positions = read(oracle).at("positions");
      REQUIRE_FALSE(positions.empty());
      for (std::size_t i = 0; i < positions.size(); ++i) {
        INFO(oracle.file << ", position " << i << " from 0");
        const auto position = position_of(rules->program(), positions[i]);
        REQUIRE(runtime::check_position(rules->program(), position).empty());
        const auto expected = expected_moves(positions[i]);
        compare(expected, moves_of_engine(rules, position));
        if (i % (tests::kSanitized ? 5 * oracle.walked : oracle.walked) == 0)
          compare(expected, moves_of_walker(rules, position));
      }
    }
}

TEST_CASE("games written by hand agree with the oracles") {
  SECTION("antigrid") { compare_by_hand<yardstick::AntiGrid>("antigrid11"); }
  SECTION("intermedium") { compare_by_hand<yardstick::Intermedium>("intermedium"); }
  SECTION("tempo") { compare_by_hand<yardstick::Tempo>("tempo"); }
}

} // namespace oracle_test
