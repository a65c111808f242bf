// Rules that nobody has seen: put together at random from the words that authors use, and said again on
// boards of every size. The walker says how they are played.
#include "compare_engines.hpp"
#include "rule_files.hpp"

#include "interpreter/boardwright.hpp"
#include "runtime/codegen/native_code.hpp"
#include "runtime/game/random_player.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace random_rules_test {

using namespace boardwright;

namespace {

std::shared_ptr<const runtime::Rules> rules_of(const std::string& text) {
  const auto loaded = interpreter::load_text("test.yaml", text);
  INFO(text << loaded.errors());
  REQUIRE(loaded.rules != nullptr);
  return loaded.rules;
}

// With native code and without random games are the same, move by move as far as sums can tell.
void compare_native(const std::shared_ptr<const runtime::Rules>& rules, std::uint64_t games) {
  runtime::PlayoutOptions options;
  options.count = games;
  options.max_plies = 300;
  const auto native = tests::required(runtime::playouts(rules, options), *rules);
  options.native = false;
  const auto interpreted = tests::required(runtime::playouts(rules, options), *rules);
  CHECK(native.native == runtime::codegen::NativeCode::possible());
  CHECK_FALSE(interpreted.native);
  CHECK(native.plies == interpreted.plies);
  CHECK(native.moves == interpreted.moves);
  CHECK(native.wins == interpreted.wins);
  CHECK(native.draws == interpreted.draws);
  CHECK(native.unfinished == interpreted.unfinished);
}

std::string game(const std::string& board, const std::string& rest) {
  return "game: Test\nplayers: { White: north, Black: south }\nboard: " + board + "\n" + rest;
}

// Rules put together at random.
class RandomRules {
public:
  explicit RandomRules(std::uint64_t seed) : random_(seed) {}

  std::string text() {
    const std::string board = pick({"{ squares: 4 by 5 }", "{ squares: 6 by 6, holes: light }",
                                    "{ hexes: 5 by 4 }", "{ squares: 9 by 3 }"});
    std::string text =
        game(board, "pieces: { man: w b, king: W B }\n"
                    "setup: { w: rank(1) | rank(2) & file(2), b: row_of_black - dark_hole }\n");
    text += "state: { quiet: 0 }\n";
    text += "define: { row_of_black: rank(3) | rank(ranks) & file(1), dark_hole: none }\n";
    text += "turn: |\n  " + turn() + "\nend:\n";
    for (int i = 0; i < 2; ++i)
      text +=
          "  - " +
          pick({"draw when repeats >= 2", "lose when count(own) < 2", "win when some own king & last_row",
                "win when every own man in rank(1) | last_row", "lose when sum(advance(c) for c in own) > 14",
                "draw when max(count(group(c, own, all)) for c in own) > 4",
                "score count(own) when no empty & rank(1)", "draw when ply - quiet > 12",
                "lose when no own man and ply > 9"}) +
          "\n";
    return text + "  - lose when no move\n";
  }

private:
  std::string pick(const std::vector<std::string>& all) { return all[random_.below(all.size())]; }
  std::string cells() {
    return pick({"own", "own man", "own - rank(2)", "own & (next(empty, all) | rank(1))"});
  }
  std::string aim() { return pick({"empty", "~own", "empty & next(occupied, all)", "empty - rank(2)"}); }
  std::string ways() {
    return pick({"orthogonal", "all", "adjacent", "ahead", "forward", "north + north | east"});
  }
  std::string move() {
    const std::string d = ways(), t = aim();
    return pick({"step(" + d + ", " + t + ")", "ride(" + d + ", " + t + ")", "vault(" + d + ", occupied)",
                 "capture(" + d + ", enemy)", "capture(" + d + ", enemy)+", "capture(" + d + ", enemy)+!",
                 "(capture(" + d + ", enemy)+! until here in last_row)", "leaps(" + d + ", enemy)",
                 "flying_leaps(" + d + ", enemy)", "fly(" + t + ")", "fly(own)",
                 "lift, to reach(here, (choose d in " + d + ", go d, at " + t + ")+), put",
                 "lift, choose d in " + d + ", (go d, at " + t + "){1 .. 2}, put",
                 "lift, choose d in " + d + ", (go d, at empty){count(next(here, " + d +
                     ") & occupied)}, go d, at " + t + ", put"});
  }
  std::string tail() {
    return pick({"crown(king)", "custodian(all, enemy, own)", "(if here in last_row then win)",
                 "(if some line(3, own, all) then win)",
                 "(if some v in all where count(row_of(here, v, own)) >= 3 then win)",
                 "change trapped(here, all, enemy, own) to own", "remove next(here, adjacent) & enemy",
                 "(if enemy != before(enemy) then set quiet = ply)",
                 "(if count(own) > 4 then remove own & rank(1))",
                 "(if some group(here, own, adjacent) & last_row then draw)",
                 "(if start in before(man) then set quiet = ply)",
                 "(if every next(here, all) in occupied then set quiet = ply)",
                 "(go forward, at enemy, remove here)?!",
                 "say (if some own king in last_row then \"*\" else count(own), sum(x(c) for c in own))",
                 "(if sum(1 for u in own, w in all where some next(u, w) & enemy) > 3 then win)"});
  }
  std::string way() {
    return random_.below(4) == 0 ? "place(man, " + aim() + " & empty)" : "from " + cells() + ", " + move();
  }
  std::string group() {
    std::string g = way();
    for (auto n = random_.below(3); n > 0; --n) g += ", " + tail();
    return "(" + g + ")";
  }
  std::string turn() {
    switch (random_.below(7)) {
    case 0: return group();
    case 1: return group() + " otherwise " + group();
    case 4: return "(((" + way() + ") otherwise (" + way() + ")) or (" + way() + ")), " + tail();
    case 5: return "(" + group() + " otherwise " + group() + "), at " + aim();
    case 6: return group() + ", drop man on here"; // also where it is in the air
    case 2: return "((most -count(enemy) of " + group() + ") otherwise " + group() + "), " + tail();
    default: return "((" + way() + ") or (" + way() + ")), " + tail(); // equal moves must have equal ends
    }
  }

  runtime::Random random_;
};

} // namespace

TEST_CASE("random rules are played as the walker says") {
  constexpr int kRules = tests::kSanitized ? 40 : 400;
  for (int i = 0; i < kRules; ++i) {
    const std::string text = RandomRules(static_cast<std::uint64_t>(i) + 1).text();
    const auto rules = rules_of(text);
    INFO(text);
    tests::Comparison(rules, static_cast<std::uint64_t>(i)).run(6);
    compare_native(rules, 5);
  }
}

// Steps, rides, hops in chains and drops, on boards whose sets are of all widths.
TEST_CASE("rules are played alike on boards of every size") {
  for (const auto& [files, ranks] :
       {std::pair(8, 8), std::pair(9, 10), std::pair(10, 10), std::pair(11, 10), std::pair(13, 13),
        std::pair(15, 16), std::pair(19, 19), std::pair(22, 22), std::pair(32, 16)}) {
    const std::string size = std::to_string(files) + " by " + std::to_string(ranks);
    DYNAMIC_SECTION(size) {
      const auto rules = rules_of(game(
          "{ squares: " + size + " }",
          "pieces: { man: w b, king: W B }\n"
          "setup: { w: rank(1), W: rank(2) & file(2), b: rank(" +
              std::to_string(ranks) +
              "), B: rank(4) & file(3) }\n"
              "turn: |\n  ((from own man, capture(all, enemy)+!) or (from own king, ride(all, empty))\n"
              "  or (from own man, step(orthogonal, empty)) or place(man, empty & rank(2))), crown(king)\n"
              "end:\n  - win when count(enemy) < 2\n  - draw when ply > 60\n  - lose when no move\n"));
      tests::Comparison(rules, 3, 5).run(tests::kSanitized ? 2 : 12);
      compare_native(rules, 20);
    }
  }
}

// Lines shorter and longer than half a word, in one word and in several, where stones stay and where they go.
TEST_CASE("rows are found on boards of every shape") {
  for (const auto& [files, ranks] :
       {std::pair(8, 8), std::pair(13, 5), std::pair(13, 6), std::pair(32, 4), std::pair(33, 4)}) {
    for (const char* after : {"", ",\n  remove next(here, orthogonal) & enemy"}) {
      const auto rules =
          rules_of(game("{ squares: " + std::to_string(files) + " by " + std::to_string(ranks) + " }",
                        "pieces: { stone: w b }\nsetup: { w: a1 | b1, b: b2 }\n"
                        "turn: |\n  place(stone, empty), (if some d in all where count(row_of(here, d, own)) "
                        ">= 4 then win)" +
                            std::string(after) + "\nend:\n  - draw when no empty\n  - draw when ply > 90\n"));
      INFO(files << " by " << ranks << after);
      tests::Comparison(rules, 3, 5).run(tests::kSanitized ? 3 : 20);
      compare_native(rules, 50);
    }
  }
}

TEST_CASE("choices of several cells at once are drawn among all of them") {
  // So many ways to choose three of the cells: 3,654 and 4,960.
  for (const int files : {29, 32}) {
    const auto rules = rules_of(
        game("{ squares: " + std::to_string(files) + " by 1 }",
             "pieces: { stone: w b }\nturn: choose 3 z in empty, drop stone on z, (if no empty then draw)\n"
             "end: lose when no move\n"));
    const auto n = static_cast<std::uint64_t>(files);
    runtime::RandomPlayer player(rules);
    runtime::Random random(1);
    const auto played = player.play(random, 1);
    REQUIRE(played);
    CHECK(played->moves == n * (n - 1) * (n - 2) / 6);
    CHECK(played->plies == 1);
  }
}

TEST_CASE("walks told apart by where they went are all counted") {
  // Walks that never cross themselves, told apart by where they went: few of them on a small board, very many
  // on a larger one.
  for (const int side : {3, 5}) {
    const std::string size = std::to_string(side);
    const auto rules =
        rules_of(game("{ squares: " + size + " by " + size + " }",
                      "pieces: { stone: w b }\nsetup: { w: a1, b: " +
                          std::string("abcde").substr(static_cast<std::size_t>(side) - 1, 1) + size +
                          " }\n"
                          "turn: |\n  let been = none, from own, lift,\n"
                          "  (choose d in orthogonal, go d, at empty - been, set been = been | here)+!, put\n"
                          "end: lose when no move\n"));
    runtime::Game listing(rules);
    runtime::RandomPlayer playing(rules);
    runtime::Random random(1);
    const auto moves = listing.moves();
    const auto played = playing.play(random, 1);
    REQUIRE((moves && played));
    CHECK(played->moves == moves->size());
  }
}

TEST_CASE("a variable that nothing sets has the value that its position gives it") {
  const auto rules = rules_of(game("{ squares: 3 by 3 }",
                                   "pieces: { stone: w b }\nstate: { still: 1, moving: 0 }\n"
                                   "turn: |\n  if still = 2 then (to a1 & empty, drop stone on here)\n"
                                   "  else (place(stone, empty), set moving = moving + 1)\n"
                                   "end: draw when no empty\n"));
  runtime::Position position = rules->program().initial;
  runtime::Random random(1);
  runtime::RandomPlayer as_set_up(rules, position);
  CHECK(as_set_up.play(random, 1)->moves == 9);
  position.variables[0].number = 2;
  runtime::RandomPlayer changed(rules, position);
  CHECK(changed.play(random, 1)->moves == 1);
}

} // namespace random_rules_test
