// The normal form: spellings of one rule become one tree, what differs in meaning stays apart, and the walker
// finds the same moves, written alike and with the same results, in a program and in its normal form.
#include "runtime/normalize/normalize.hpp"

#include "dsl/finder.hpp"
#include "runtime/normalize/print.hpp"
#include "tests/compare_engines.hpp"
#include "tests/paths.hpp"
#include "tests/rule_files.hpp"
#include "tests/runtime/random_program.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace normalize_test {

using namespace boardwright;
using runtime::normalize;
using runtime::Program;

namespace {

// ---------------------------------------------------------------- the same rule in other words

const std::string kPlain = R"(
game: Plain
players: { White: north, Black: south }
board: { squares: 5 by 5 }
pieces: { man: w b, king: W B, rock: neutral o }
state: { n: 0, marked: none, flag: false }
hands: { man: 5 }
setup: |
  . . b . B
  . o . b .
  . w w . .
  . . . . .
  W . . . .
)";

const std::string kRow = R"(
game: Row
players: [White, Black]
board: { squares: 13 by 13 }
pieces: { stone: w b }
)";

const std::string kAdvance = R"(
game: Advance
players: { White: north, Black: south }
board: { squares: 8 by 8 }
pieces: { man: w b }
setup: { w: rank(1) | rank(2), b: rank(7) | rank(8) }
)";

const std::string kChains = R"(
game: Chains
players: { White: north, Black: south }
board: { squares: 8 by 8 }
pieces: { man: w b }
setup: { w: c3 | e3, b: d4 | f6 | b6 }
)";

std::string file_of(const std::string& frame, const std::string& turn) {
  const std::string text = frame + "turn: |\n  ";
  return text + turn + "\n";
}

std::shared_ptr<const runtime::Rules> rules_of(const std::string& frame, const std::string& turn) {
  const auto loaded = interpreter::load_text("rule.yaml", file_of(frame, turn));
  INFO(turn << "\n" << loaded.errors());
  REQUIRE(loaded.rules != nullptr);
  return loaded.rules;
}

std::string normal_form(const std::string& frame, const std::string& turn) {
  const auto rules = rules_of(frame, turn);
  const Program normal = normalize(rules->program());
  std::string text;
  for (int player = 0; player < normal.player_count(); ++player) text += print(normal, player);
  return text;
}

struct Spellings {
  const char* what;
  const std::string& frame;
  std::vector<const char*> turns;
};

void check_equal(const std::vector<Spellings>& table) {
  for (const auto& [what, frame, turns] : table) {
    const std::string first = normal_form(frame, turns.front());
    for (std::size_t i = 1; i < turns.size(); ++i) {
      INFO(what << "\n" << turns.front() << "\n" << turns[i]);
      CHECK(normal_form(frame, turns[i]) == first);
    }
  }
}

void check_different(const std::vector<Spellings>& table) {
  for (const auto& [what, frame, turns] : table)
    for (std::size_t i = 1; i < turns.size(); ++i) {
      INFO(what << "\n" << turns.front() << "\n" << turns[i]);
      CHECK(normal_form(frame, turns[i]) != normal_form(frame, turns.front()));
    }
}

} // namespace

TEST_CASE("five in a row in other words") {
  check_equal(
      {{"a row through the new stone",
        kRow,
        {
            "to empty, drop stone on here, if some d in axes where count(row_of(here, d, own)) >= 5 then win",
            "to empty, drop stone on here, if some d in axes where count(run(here, d | opposite(d), own) | "
            "here) >= 5 then win",
            "to empty, drop stone on here, if some d in axes where not (count(row_of(here, d, own)) < 5) "
            "then win",
            "to empty, drop stone on here, if some d in axes where count(here | reach(here, (choose e in d | "
            "opposite(d), go e, at own, (go e, at own)*))) >= 5 then win",
            "to empty, let me2 = here, drop stone on me2, if some d in axes where count(row_of(here, d, "
            "own)) >= 5 then win",
            "choose c in empty, to c, drop stone on here, if some d in axes where 5 <= count(row_of(c, d, "
            "own)) then win",
            "to empty, drop stone on here, if not (no d in axes where count(row_of(here, d, own)) > 4) then "
            "win",
            "to board - occupied, drop stone on here, if some d in axes where count(row_of(here, d, own)) >= "
            "5 then win",
            "place(stone, ~(own | enemy)), if some d in axes where count(row_of(here, d, own)) >= 5 then win",
        }}});
}

TEST_CASE("one step forward in other words") {
  check_equal(
      {{"straight to an empty cell or askew to any but an own",
        kAdvance,
        {
            "from own, (step(forward, empty) or step(ahead & diagonal, ~own)), if here in last_row then win",
            "from own, (step(ahead & diagonal, ~own) or step(forward, empty)), if here in last_row then win",
            "from own, let f = here, lift, to (reach(f, go forward) & empty) | (reach(f, go ahead & "
            "diagonal) & ~own), put, if here in last_row then win",
            "from own, let f = here, lift, to (next(f, ahead & diagonal) - own) | (empty & next(f, "
            "forward)), put, if here in last_row then win",
            "from own, lift, ((go forward, require here in empty) or (go ahead & diagonal, at ~own)), put, "
            "if here in last_row then win",
            "from own, lift, ((go forward, require here in empty) or (go ahead & diagonal, require not (here "
            "in own))), put, if here in last_row then win",
            "choose c in own, from c, (step(forward, empty) or step(ahead & diagonal, ~own)), if here in "
            "last_row then win",
            "from own, lift, choose d in ahead, go d, (if d in forward then at empty else at ~own), put, if "
            "here in last_row then win",
            "from own, choose d in ahead, lift, go d, at (if d in forward then empty else ~own), put, if "
            "here in last_row then win",
            "from own, lift, choose d in ahead, go d, (if not (d in forward) then at ~own else at empty), "
            "put, if here in last_row then win",
            "from own, lift, choose d in ahead, go d, require (d in forward and here in empty) or (not (d in "
            "forward) and not (here in own)), put, if here in last_row then win",
        }}});
}

TEST_CASE("chains of captures in other words") {
  check_equal(
      {{"the round is written out, or once before the others",
        kChains,
        {
            "from own, (capture(diagonal, enemy))+!",
            "from own, (lift, choose d in diagonal, go d, at enemy, remove here, go d, at empty, put)+!",
            "from own, capture(diagonal, enemy), (capture(diagonal, enemy))*!",
        }}});
}

TEST_CASE("conditions in other words") {
  check_equal({
      {"nothing there",
       kPlain,
       {"require no own, pass", "require count(own) = 0, pass", "require own = none, pass",
        "require not (count(own) > 0), pass", "require count(own) < 1, pass", "require not some own, pass"}},
      {"De Morgan",
       kPlain,
       {"require not (n = 1 and flag), pass", "require not (n = 1) or not flag, pass",
        "require not flag or n != 1, pass"}},
      {"a join of joins",
       kPlain,
       {"require flag and (n > 1 and n < 4), pass", "require n < 4, require n >= 2, require flag, pass"}},
      {"twice the same",
       kPlain,
       {"require flag, pass", "require flag and flag, pass", "require not not flag, pass"}},
      {"of one cell",
       kPlain,
       {"from own, require kind(here) = man, step(forward, empty)", "from own, at man, step(forward, empty)",
        "from own, require some (here & man), step(forward, empty)",
        "from own, require here in man, step(forward, empty)"}},
      {"a walk that leads somewhere",
       kPlain,
       {"require can (from own, (go forward, at enemy)), pass",
        "require some reach(own, (go forward, at enemy)), pass"}},
      {"a walk from here",
       kPlain,
       {"from own, require can ((go east, at empty)*, go north), pass",
        "from own, require some reach(here, ((go east, at empty)*, go north)), pass"}},
      {"a member of a list that is made of another set",
       kPlain,
       {"require some s in (next(c, all) for c in own) where some s & enemy, pass",
        "require some c in own where some next(c, all) & enemy, pass"}},
      {"a list that isn't empty",
       kPlain,
       {"require some (next(c, all) for c in own where some next(c, all) & enemy), pass",
        "require some c in own where some next(c, all) & enemy, pass"}},
      {"a choice of truths",
       kPlain,
       {"require if flag then n = 2 else false, pass", "require flag and n = 2, pass"}},
      {"a branch that leads nowhere",
       kPlain,
       {"if n = 1 then pass else never", "require n = 1, pass", "if n != 1 then never else pass"}},
      {"some where",
       kPlain,
       {"require some c in own where c in man, pass", "require some (own & man), pass",
        "require some (c in man where c in own), pass", "require count(own & man) >= 1, pass"}},
      {"known arithmetic", kPlain, {"set n = n + 0", "set n = n * 1", "set n = 1 * n - 0"}},
  });
  check_different({
      {"an order that matters",
       kPlain,
       {"require n < 2, pass", "require n <= 2, pass", "require n > 2, pass"}},
      // Saturating: at the greatest number n + 1 is n.
      {"saturating sums", kPlain, {"require n < n + 1, pass", "pass"}},
      {"sums that saturate in between", kPlain, {"set n = (n + 1) - 1", "set n = n + (1 - 1)"}},
  });
}

TEST_CASE("sets in other words") {
  check_equal({
      {"a difference",
       kPlain,
       {"from ~own & occupied, pass", "from occupied - own, pass", "from occupied & ~own, pass",
        "from ~(empty | own), pass"}},
      {"a complement",
       kPlain,
       {"to ~own, pass", "to ~~~own, pass", "to board - own, pass", "to board & ~own, pass"}},
      {"a union",
       kPlain,
       {"to own | a1 | enemy, pass", "to enemy | (own | a1), pass", "to a1 | enemy | own | none, pass"}},
      {"nothing", kPlain, {"to own & enemy, pass", "never", "to none, pass", "from own & empty, pass"}},
      {"what was in it before",
       kPlain,
       {"to own, pass", "to own | (own & man), pass", "to own & own, pass", "to own - empty, pass"}},
      {"members with a property", kPlain, {"to (c in own where c in man), pass", "to own & man, pass"}},
      {"a union of a list", kPlain, {"to union(list(own, a1)), pass", "to own | a1, pass"}},
      {"a question about each of a list",
       kPlain,
       {"require some k in list(1, 2, 3, 4, 5, 6, 7, 8) where n = k, pass",
        "require n = 1 or n = 2 or n = 3 or n = 4 or n = 5 or n = 6 or n = 7 or n = 8, pass"}},
  });
  // Of a longer list it is asked in a loop.
  check_different({{"a question about each of a long list",
                    kPlain,
                    {"require some k in list(1, 2, 3, 4, 5, 6, 7, 8, 9) where n = k, pass",
                     "require n = 1 or n = 2 or n = 3 or n = 4 or n = 5 or n = 6 or n = 7 or n = 8 or n = 9, "
                     "pass"}}});
  check_different(
      {{"not the same", kPlain, {"to own - man, pass", "to man - own, pass", "to own & man, pass"}}});
}

TEST_CASE("names in other words") {
  check_equal({
      {"a name for what stays",
       kPlain,
       {"from own, let s = here, lift, go forward, at empty, put, say s",
        "from own, lift, go forward, at empty, put, say start"}},
      {"an unread name",
       kPlain,
       {"from own, let x = enemy, step(forward, empty)", "from own, step(forward, empty)"}},
      {"a cell under a name",
       kPlain,
       {"from own, let x = here, say kind(x), step(forward, empty)",
        "from own, say kind(here), step(forward, empty)"}},
      {"names of names", kPlain, {"let a = n, let b = a, set n = b + 1", "set n = n + 1"}},
      {"a choice that is made",
       kPlain,
       {"from own, choose d in forward, step(d, empty)", "from own, step(forward, empty)"}},
      {"a choice that nobody asks for",
       kPlain,
       {"from own man, choose d in all, step(forward, empty)", "from own man, step(forward, empty)"}},
  });
  check_different({
      {"what has changed since",
       kPlain,
       {"let s = empty, from own, lift, to s, put", "from own, lift, to empty, put"}},
      {"a place that was left",
       kPlain,
       {"from own, step(forward, empty), let x = here, go forward, say x",
        "from own, step(forward, empty), go forward, say here"}},
      {"a name that is set", kPlain, {"let a = n, (set a = a + 1){2}, say a, pass", "say n, pass"}},
      {"a start that is left",
       kPlain,
       {"choose c in own, from c, from enemy, say c", "from own, from enemy, say start"}},
      {"a loop that moves",
       kPlain,
       {"from own, let x = here, (go forward, at ~x){2}, say here",
        "from own, (go forward, at ~here){2}, say here"}},
      // Two pieces two steps apart: the first may come back where it lifted.
      {"two steps",
       kPlain,
       {"let s = empty, from own, lift, go all, go all, at s, put",
        "from own, lift, go all, go all, at empty, put"}},
  });
}

TEST_CASE("choices and walks in other words") {
  check_equal({
      {"a direction",
       kPlain,
       {"from own, lift, choose d in all, go d, at empty, put", "from own, step(all, empty)",
        "from own, lift, go all, at empty, put"}},
      {"a direction of some",
       kPlain,
       {"from own, lift, choose d in all, require d in orthogonal, go d, at empty, put",
        "from own, step(orthogonal, empty)"}},
      {"a cell to go to", kPlain, {"choose c in empty, to c, drop man on c", "to empty, drop man on here"}},
      {"common beginnings and ends",
       kPlain,
       {"(from own, lift, go north, put) or (from own, lift, go east, put)",
        "from own, lift, go north | east, put"}},
      {"alternatives of alternatives",
       kPlain,
       {"(pass or say \"a\") or say \"b\"", "say \"b\" or (say \"a\" or pass) or never"}},
      {"a step as a set",
       kPlain,
       {"from own, lift, to next(here, all) & empty, put", "from own, step(all, empty)"}},
      {"where a loop may end",
       kPlain,
       {"to empty, if some reach(own, (go all, at own)*) & last_row then win",
        "to empty, if can (from own, (go all, at own)*, at last_row) then win"}},
      {"on as one has come",
       kPlain,
       {"from own, lift, go all, at empty, (go heading, at empty)*, put",
        "from own, lift, (choose d in all, go d, at empty, (go d, at empty)*), put"}},
      {"what is asked of the cell that one has come to",
       kPlain,
       {"from own, lift, go all, at empty, require count(around(here) & own) > 1, put",
        "from own, lift, go all, at (c in empty where count(around(c) & own) > 1), put"}},
      {"a number says which way",
       kPlain,
       {"from own, (step(north, empty) or step(east, empty))",
        "choose d in list(1, 2), from own, lift, (if d = 1 then go north else go east), at empty, put"}},
  });
  check_different({
      // The heading is that of the step, and none after `to`.
      {"the heading is asked for",
       kPlain,
       {"from own, lift, to next(here, north), go heading, put",
        "from own, lift, go north, go heading, put"}},
      {"the direction is used twice",
       kPlain,
       {"from own, choose d in all, go d, go d, say here", "from own, go all, go all, say here"}},
      // Alternatives and members are outcomes: a number that is there twice gives two.
      {"a number that is there twice",
       kPlain,
       {"from own, (step(north, empty) or step(north, empty) or step(east, empty))",
        "choose d in list(1, 1, 2), from own, lift, (if d = 1 then go north else go east), at empty, put"}},
      {"only one may decide", kPlain, {"(pass otherwise win), say \"a\"", "(pass or win), say \"a\""}},
      {"behind a decision", kPlain, {"pass, (if flag then win), never", "never"}},
  });
}

TEST_CASE("steps in other words") {
  check_equal({
      {"the direction first, or the cell that is stepped to",
       kAdvance,
       {"from own, step(ahead & diagonal, ~own)",
        "choose d in ahead & diagonal, from (c in own where some next(c, d) - own), lift, go d, put",
        "from own, choose d in ahead & diagonal, require no next(here, d) & own, lift, go d, put",
        "choose t in ~own, from (c in own where t in next(c, ahead & diagonal)), lift, to t, put",
        "choose c in own, choose t in ~own, require t in next(c, diagonal) and advance(t) > advance(c), "
        "from c, lift, to t, put",
        "from own, let T = next(here, ahead & diagonal) - own, lift, to T, put",
        "from own, lift, to (t in next(here, diagonal) - own where advance(t) > advance(here)), put"}},
      {"directions that go by the piece",
       kPlain,
       {"from own, (if here in king then (lift, go all) else (lift, go forward)), at empty, put",
        "from own, let D = if kind(here) = king then all else forward, lift, go D, at empty, put"}},
      {"where a cell lies",
       kPlain,
       {"from own, at rank(2), put", "from own, require y(here) = 2, put",
        "from own, require 2 * y(here) - 1 = 3, put"}},
      {"a cell that is chosen is the walker's",
       kPlain,
       {"to empty, drop man on here", "choose c in empty, drop man on c"}},
  });
  check_different({
      {"what is ahead differs by the cell", // from c1 north is 2, from c2 it is 3
       kPlain,
       {"from own, lift, to next(here, north | east), put",
        "from own, lift, to (t in next(here, north | east) where y(t) = 3), put"}},
      {"the start is another behind `from`",
       kPlain,
       {"from own, lift, go north, put, from own, lift, go east, at start, put",
        "from own, lift, go north, put, from (c in own where next(c, east) in start), lift, go east, put"}},
  });
}

TEST_CASE("lines in other words") {
  const std::string& frame = kAdvance;
  check_equal({
      {"runs up to a goal",
       frame,
       {"to empty, let t = union((run(here, d, enemy) for d in all where some own & next(run(here, d, "
        "enemy), "
        "d))), require some t, remove t",
        "to empty, let t = union((run(here, d, enemy) for d in all where can ((go d, at enemy)+, go d, at "
        "own))), "
        "require some t, remove t",
        "choose c in empty, let t = union((between(c, e) for e in own where between(c, e) in enemy)), "
        "require "
        "some t, remove t"}},
      {"the union of walks",
       frame,
       {"to empty, let t = reach(here, (choose d in all, require some next(here, d) & own, (go d, at "
        "enemy)+)), "
        "require some t, remove t",
        "to empty, let t = union((run(here, d, enemy) for d in all where some next(here, d) & own)), require "
        "some t, remove t",
        "to empty, let t = union((if some next(here, d) & own then run(here, d, enemy) else none for d in "
        "all)), require some t, remove t"}},
      {"the ends of files", // the rest of the rule goes south: only then the board has such steps
       frame,
       {"choose n in 1 .. 8, to first(file(n) & empty), drop man on here, go south",
        "to union((first(file(n) & empty) for n in 1 .. files)), drop man on here, go south",
        "choose n in 1 .. 8, let c = first(file(n) & empty), require some c, to c, drop man on here, go "
        "south",
        "to (c in empty where no ray(c, south) & empty), drop man on here, go south"}},
      {"as far as it goes",
       frame,
       {"to empty & rank(6), (go south, at empty)*!, drop man on here",
        "to (c in reach(empty & rank(6), (go south, at empty)*) where no reach(c, (go south, at empty))), "
        "drop "
        "man on here"}},
  });
  check_different(
      {{"where nothing is said of what is between",
        frame,
        {"to empty, let t = union((between(here, e) for e in own where between(here, e) in enemy)), "
         "require some t, remove t",
         "to empty, let t = union((between(here, e) for e in own)), require some t, remove t"}}});
}

TEST_CASE("unions of groups in other words") {
  const std::string& frame = kAdvance;
  check_equal(
      {{"those beside no empty cell",
        frame,
        {"to empty, drop man on here, let t = enemy - reach((c in enemy where some next(c, orthogonal) & "
         "empty), (go orthogonal, at enemy)*), require some t, remove t",
         "to empty, drop man on here, let t = union((g for g in groups(enemy, orthogonal) where no next(g, "
         "orthogonal) & empty)), require some t, remove t"}},
       {"groups that are spelled out",
        frame,
        {"to empty, let t = union((g for g in groups(enemy, all) where some g & rank(1))), require some t, "
         "remove t",
         "to empty, let t = union((g for g in (reach(c, (go all, at enemy)*) for c in enemy) where some g & "
         "rank(1))), require some t, remove t"}},
       {"of several lists",
        frame,
        {"to empty, let t = union((g for g in groups(own, all) where some g & rank(1))) | union((g for g in "
         "groups(enemy, all) where some g & rank(1))), require some t, remove t",
         "to empty, let t = union((g for g in groups(own, all) | groups(enemy, all) where some g & "
         "rank(1))), "
         "require some t, remove t"}},
       {"what is made of each",
        frame,
        {"to empty, let t = next(union((g for g in groups(own, all) where some g & rank(1))), all), require "
         "some t, remove t",
         "to empty, let t = union((next(g, all) for g in groups(own, all) where some g & rank(1))), require "
         "some t, remove t"}},
       {"those within a set",
        frame,
        {"to empty, let t = union((g for g in groups(own, all) where no g - rank(1 .. 2))), require some t, "
         "remove t",
         "to empty, let t = union((g for g in groups(own, all) where g in rank(1 .. 2))), require some t, "
         "remove t"}}});
  check_different(
      {{"what isn't connected both ways has no groups",
        frame,
        {"to empty, let t = enemy - reach((c in enemy where some next(c, north) & empty), (go north, at "
         "enemy)*), require some t, remove t",
         "to empty, let t = union((g for g in groups(enemy, north) where no next(g, north) & empty)), "
         "require "
         "some t, remove t"}}});
}

TEST_CASE("what is connected is counted as far as is asked") {
  const std::string& frame = kAdvance;
  check_equal({{"a second one",
                frame,
                {"to empty, drop man on here, require some next(here, all) & own",
                 "to empty, drop man on here, require count(reach(here, (go all, at own)*)) >= 2",
                 "to empty, drop man on here, require not count(reach(here, (go all, at own)*)) <= 1"}},
               {"so many of several",
                frame,
                {"to empty, require count(reach(own, (go forward, at enemy){0 .. 2})) >= 3",
                 "to empty, require count(reach(own, (go forward, at enemy)*)) >= 3",
                 "to empty, require not count(reach(own, (go forward, at enemy)*)) < 3"}},
               {"just so many",
                frame,
                {"to empty, require count(reach(here, (go all, at enemy){0 .. 3})) = 3",
                 "to empty, require count(reach(here, (go all, at enemy)*)) = 3"}}});
  check_different(
      {{"rounds that go by where the walker looks",
        frame,
        {"to empty, go forward, require count(reach(here, (go aside(heading) | heading, at empty){0 .. 2})) "
         ">= 3",
         "to empty, go forward, require count(reach(here, (go aside(heading) | heading, at empty)*)) >= 3"}},
       {"one round of several cells",
        frame,
        {"to empty, require some reach(own, (go all, at enemy)) - own",
         "to empty, require count(reach(own, (go all, at enemy)*)) >= 2"}},
       {"many rounds",
        frame,
        {"to empty, require count(reach(here, (go all, at enemy){0 .. 4})) >= 5",
         "to empty, require count(reach(here, (go all, at enemy)*)) >= 5"}}});
}

TEST_CASE("loops in other words") {
  check_equal({
      {"once or more",
       kPlain,
       {"from own, (go forward, at empty)+, say here",
        "from own, go forward, at empty, (go forward, at empty)*, say here"}},
      {"bounds", kPlain, {"from own, (go forward){1}, say here", "from own, go forward, say here"}},
      {"counted rounds",
       kPlain,
       {"from own, (go forward){2 .. 3}, say here", "from own, go forward, (go forward){1 .. 2}, say here",
        "from own, go forward, go forward, (go forward){0 .. 1}, say here"}},
      {"perhaps", kPlain, {"from own, (go forward)?, say here", "from own, (go forward){0 .. 1}, say here"}},
      {"once if it can be done",
       kPlain,
       {"from own, (go forward)?!, say here", "from own, (go forward){0 .. 1}!, say here",
        "from own, (go forward otherwise nothing), say here"}},
      {"never until",
       kPlain,
       {"from own, (go forward)+ until 1 = 2, say here", "from own, (go forward)+, say here"}},
  });
  check_different({
      {"another body",
       kPlain,
       {"from own, (go forward)+, say here", "from own, go backward, (go forward)*, say here"}},
      {"asked in the first round too",
       kPlain,
       {"from own, (go forward)+ until here in rank(3), say here",
        "from own, go forward, (go forward)* until here in rank(3), say here"}},
      {"a name that is read afterwards",
       kPlain,
       {"from own, choose d in all, go d, (choose e in all, go e)*, go d, say here",
        "from own, (choose e in all, go e)+, say here"}},
  });
}

// ---------------------------------------------------------------- the same moves

namespace {

class SameMoves {
public:
  SameMoves(const Program& program, std::uint64_t seed)
      : given_(program), normal_(normalize(program)), random_(seed) {}

  // Follows random games in both for so many positions; a fault ends them.
  int run(int positions) {
    int compared = 0;
    while (compared < positions) {
      runtime::Position position = given_.initial;
      std::vector<runtime::Position> past;
      int ply = 0;
      for (bool goes_on = true; goes_on && compared < positions; ++compared, ++ply)
        goes_on = step(position, past) && ply < tests::kMaxPlies;
      if (ply == 1) break; // over before it has begun
    }
    return compared;
  }

  [[nodiscard]] const Program& normal() const { return normal_; }

private:
  using Moves = tl::expected<std::vector<runtime::WalkedMove>, runtime::Fault>;

  bool step(runtime::Position& position, std::vector<runtime::Position>& past) {
    INFO(tests::describe(given_, position));
    runtime::Position seen = position, other = position;
    const auto outcome = given_walker_.outcome(seen, past);
    const auto same = normal_walker_.outcome(other, past);
    if (!is_limit(outcome) && !is_limit(same)) {
      REQUIRE(outcome.has_value() == same.has_value());
      if (outcome) CHECK(text_of(*outcome) == text_of(*same));
      CHECK(tests::describe(given_, seen) == tests::describe(given_, other));
    }
    const Moves moves = given_walker_.derive(position, past), normal = normal_walker_.derive(position, past);
    if (is_limit(moves) || is_limit(normal)) return false;
    REQUIRE(moves.has_value() == normal.has_value());
    if (!moves) return false;
    REQUIRE(listed(*moves) == listed(*normal));
    if (!outcome || *outcome || moves->empty()) return false;
    const auto& move = (*moves)[static_cast<std::size_t>(random_.below(moves->size()))];
    if (move.outcome) return false;
    past.push_back(position);
    position = move.after;
    return given_walker_.outcome(position, past, false).has_value(); // puts players out
  }

  // Steps are fewer in a normal form, and rounds may be counted otherwise.
  template <class T>
  static bool is_limit(const tl::expected<T, runtime::Fault>& result) {
    return !result && (result.error().message.find("more than") != std::string::npos ||
                       result.error().message.find("too deeply") != std::string::npos);
  }

  static std::string text_of(const std::optional<runtime::Outcome>& outcome) {
    return tests::describe(outcome) + (outcome ? " by line " + std::to_string(outcome->origin) : "");
  }

  [[nodiscard]] std::vector<tests::Listed> listed(const std::vector<runtime::WalkedMove>& moves) const {
    std::vector<tests::Listed> list;
    for (const auto& move : moves)
      list.push_back({move.notation, tests::describe(given_, move.after), tests::describe(move.outcome)});
    return list;
  }

  const Program& given_;
  Program normal_;
  runtime::Walker given_walker_{given_}, normal_walker_{normal_};
  runtime::Random random_;
};

void check_stays(const Program& normal) { // a normal form is its own
  const Program again = normalize(normal);
  for (int player = 0; player < normal.player_count(); ++player)
    CHECK(print(again, player) == print(normal, player));
}

} // namespace

namespace {

bool is_game(const std::filesystem::path& file) { // or a vocabulary
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return ("\n" + text).find("\ngame:") != std::string::npos || text.find("extends:") != std::string::npos;
}

} // namespace

TEST_CASE("bundled games and constructs have the same moves in normal form") {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (const auto& name : tests::bundled_games()) files.push_back(name);
  for (const char* folder : {"constructs", "rules"})
    for (const auto& entry : fs::directory_iterator(fs::path(tests::source_root()) / "tests" / folder))
      if (entry.path().extension() == ".yaml" && is_game(entry.path()))
        files.push_back(entry.path().string());
  REQUIRE(files.size() > 60);
  for (const auto& file : tests::sampled(files, 4)) {
    INFO(file);
    const auto rules = tests::load_rules(file);
    SameMoves both(rules->program(), 20);
    CHECK(both.run(tests::kSanitized ? 2 : 12) > 0);
    check_stays(both.normal());
  }
}

TEST_CASE("programs made at random have the same moves in normal form") {
  int compared = 0;
  // Among the first fifty are some whose repetitions go on to every limit.
  const std::uint64_t last = tests::kSanitized ? 90 : 1'050;
  for (std::uint64_t seed = 51; seed <= last; ++seed) {
    INFO("seed " << seed);
    const runtime::RandomProgram random(seed, seed % 2 == 1, seed % 3 == 0);
    SameMoves both(random.b.program, seed);
    compared += both.run(3);
    check_stays(both.normal());
  }
  CHECK(compared > static_cast<int>(last - 50) / 2);
}

TEST_CASE("what is too large or too deep stays as it is") {
  const auto say = [](int depth, int times) {
    runtime::ProgramBuilder b(3, 3);
    runtime::NodeId value = b.number(1);
    for (int i = 0; i < depth; ++i) value = b.add(runtime::Op::negate, runtime::Type::number, {value});
    std::vector<runtime::NodeId> all;
    for (int i = 0; i < times; ++i) all.push_back(b.act(runtime::Op::say, {value}));
    b.turn(b.seq(all));
    const std::string given = print(b.program, b.program.players[0].turn);
    const Program normal = normalize(b.program);
    return print(normal, normal.players[0].turn) == given;
  };
  CHECK_FALSE(say(1'900, 2));
  CHECK(say(2'100, 2));
  CHECK_FALSE(say(900, 100)); // 180,000 nodes, as trees of two players
  CHECK(say(900, 125));
}

} // namespace normalize_test
