// Lints about tests: those that repeat others, and those that can't fail.
#include "interpreter/lints/lints.hpp"
#include "interpreter/load.hpp"
#include "interpreter/notation/position_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace boardwright::interpreter {
namespace {

// The text of a test without its name, comments, blanks and the signs of YAML. It ends where the next one
// begins.
std::string text_of(const Linted& in, const dsl::TestEntry& test, std::size_t end) {
  const std::string all(in.sources.text(test.span.file).substr(0, end));
  std::string text;
  for (std::size_t i = test.span.begin; i < all.size(); ++i) {
    if (i == test.name.span.begin) i = test.name.span.end;
    const bool comment = i < all.size() && all[i] == '#' && all[i - 1] == ' ';
    if (comment) i = std::min(all.find('\n', i), all.size());
    if (i + 1 >= all.size()) break;
    const bool ends = all[i] == '\n' && std::string_view(" #-\n").find(all[i + 1]) == std::string_view::npos;
    if (ends) break; // another section
    if (std::string_view(" \n-{},").find(all[i]) == std::string_view::npos) text += all[i];
  }
  return text;
}

// Moves are a set: their order doesn't matter.
std::string sorted(const std::optional<std::vector<dsl::Name>>& moves) {
  if (!moves) return "-";
  std::set<std::string> texts;
  for (const dsl::Name& move : *moves) texts.insert(move.text);
  return fmt::format("[{}]", fmt::join(texts, " "));
}

// Settings that say what the defaults say.
bool sets_defaults(const Linted& in, const dsl::TestEntry& test) {
  return std::all_of(test.settings.begin(), test.settings.end(), [&](const auto& setting) {
    return std::any_of(in.file.options.begin(), in.file.options.end(), [&](const dsl::OptionEntry& option) {
      return option.name.text == setting.first.text && option.initial &&
             option.initial->text == setting.second.text;
    });
  });
}

// What a test asks: two with the same question are the same test.
std::string question(const Linted& in, const dsl::TestEntry& test, std::size_t end) {
  const bool of_positions = test.position || test.games || !sets_defaults(in, test) ||
                            std::any_of(test.expect.begin(), test.expect.end(),
                                        [](const auto& e) { return e.position || e.count; });
  if (of_positions) return text_of(in, test, end);
  std::string text;
  for (const auto& perft : test.perft) text += fmt::format("{}:{} ", perft.depth, perft.leaves);
  for (const auto& e : test.expect)
    text += fmt::format("{} {} {} {} {} ", e.move.text, e.winner ? e.winner->text : "-", sorted(e.moves),
                        sorted(e.include), sorted(e.exclude));
  return text;
}

// What is expected of random games that all of them keep to.
void idle_test(const dsl::TestEntry& test, dsl::Diagnostics& out) {
  constexpr std::uint64_t kAll = 10'000; // hundredths of a percent
  if (!test.games) return;
  for (const dsl::GamesClaim& claim : test.games->claims) {
    const std::uint64_t most = claim.of == dsl::GamesClaim::Of::plies ? dsl::kNoBound : kAll;
    if (claim.low > 0 || claim.high < most || claim.some) continue;
    out.warning("empty-test", claim.written.span, "this always holds, so that the test can't fail").help =
        "give it a bound that wrong rules would not keep to";
  }
}

// `to_move` of a position in which the test itself says who is to move.
void said_by_position(const dsl::TestEntry& test, dsl::Diagnostics& out) {
  if (!test.position || !test.position->to_move || test.position->play) return;
  for (const dsl::ExpectEntry& expected : test.expect) {
    const bool said = expected.move.text.empty() && expected.position && expected.position->to_move &&
                      expected.position->to_move->text == test.position->to_move->text;
    if (!said) continue;
    auto& warning = out.warning("empty-test", expected.position->to_move->span,
                                "the position says so, so that the test can't fail");
    warning.help = "ask who is to move `after` a move";
    warning.related.push_back({test.position->to_move->span, "here"});
  }
}

// ---- excluded moves

// Positions of tests that are set up: each may take some milliseconds.
constexpr std::size_t kMostTests = 200;

// The cell whose name a text begins with: the longest one. kNowhere where there is none.
int cell_in_front(const runtime::Board& board, std::string_view text, std::size_t& length) {
  int best = runtime::kNowhere;
  length = 0;
  for (std::size_t cell = 0; cell < board.name.size(); ++cell) {
    const std::string& name = board.name[cell];
    if (name.size() <= length || text.substr(0, name.size()) != name) continue;
    best = static_cast<int>(cell);
    length = name.size();
  }
  return best;
}

// A move from one cell to another, written as one that takes nothing, or something. kNowhere: it is no such
// move; `to` is known only where the text ends with it.
struct Written {
  int from = runtime::kNowhere, to = runtime::kNowhere;
  bool takes = false;
};
Written written(const runtime::Board& board, std::string_view move) {
  std::size_t length = 0, rest = 0;
  const int from = cell_in_front(board, move, length);
  const bool leads_on = length + 1 < move.size() && (move[length] == '-' || move[length] == 'x');
  if (from == runtime::kNowhere || !leads_on) return {};
  const std::string_view goal = move.substr(length + 1);
  const int to = cell_in_front(board, goal, rest);
  return {from, rest == goal.size() ? to : runtime::kNowhere, move[length] == 'x'};
}

// Why no rule could allow a move in a position: what it begins on, or how it is written.
enum class Reason : std::uint8_t { none, nothing_there, would_take };

struct Pointless {
  const dsl::Name* move = nullptr;
  Reason reason = Reason::none;
};

// The first excluded move that can't be one, where no move of the position is like it.
Pointless pointless(const std::vector<dsl::Name>& excluded, runtime::Game& game) {
  const runtime::Board& board = game.rules().program().board;
  const runtime::Position position = game.position();
  const auto enemys = [&](int cell) {
    const auto& stack = position.cells[static_cast<std::size_t>(cell)];
    return !stack.empty() && stack.back().owner >= 0 && stack.back().owner != position.to_move;
  };
  // `d4-d5 d4xd5`: however it may be written.
  std::set<std::pair<int, int>> taking;
  std::set<std::string> texts;
  for (const dsl::Name& name : excluded) {
    const Written one = written(board, name.text);
    if (one.takes) taking.emplace(one.from, one.to);
    texts.insert(name.text);
  }
  const auto said_both_ways = [&](const dsl::Name& move) {
    const Written one = written(board, move.text);
    const auto longer = texts.lower_bound(move.text + "x");
    return taking.contains({one.from, one.to}) ||
           (longer != texts.end() && longer->rfind(move.text + "x", 0) == 0);
  };
  const auto reason = [&](std::string_view text) {
    const Written move = written(board, text);
    if (move.from == runtime::kNowhere) return Reason::none;
    if (position.cells[static_cast<std::size_t>(move.from)].empty()) return Reason::nothing_there;
    if (board.stacks) return Reason::none;
    return !move.takes && move.to != runtime::kNowhere && enemys(move.to) ? Reason::would_take : Reason::none;
  };
  for (const dsl::Name& move : excluded) {
    const Reason why = reason(move.text);
    if (why == Reason::none || said_both_ways(move)) continue;
    const auto legal = game.notations();
    const Written one = written(board, move.text);
    const auto is_like_it = [&](const std::string& text) {
      const Written other = written(board, text);
      return reason(text) == why || (other.takes && other.from == one.from && other.to == one.to);
    };
    const bool known = legal && !legal->empty() && std::none_of(legal->begin(), legal->end(), is_like_it);
    return known ? Pointless{&move, why} : Pointless{};
  }
  return {};
}

std::string told(const Pointless& found) {
  const std::string& move = found.move->text;
  switch (found.reason) {
  case Reason::would_take:
    return fmt::format(
        "an enemy's piece stands where `{}` ends: a move that takes it is written with an `x`, so "
        "that the test can't fail",
        move);
  default: return fmt::format("nothing stands where `{}` begins, so that the test can't fail", move);
  }
}

// A position that the test itself has set up: what is empty after moves the rules have emptied.
bool is_set_up(const dsl::TestEntry& test) {
  return test.settings.empty() && (!test.position || !test.position->play);
}

} // namespace

void lint_tests(const Linted& in, dsl::Diagnostics& out) {
  std::map<std::string, const dsl::TestEntry*> seen;
  const auto& tests = in.file.tests;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const dsl::TestEntry& test = tests[i];
    const std::size_t end = i + 1 < tests.size() ? tests[i + 1].span.begin : std::string::npos;
    idle_test(test, out);
    said_by_position(test, out);
    const auto [earlier, is_new] = seen.try_emplace(question(in, test, end), &test);
    if (is_new) continue;
    const bool sets = test.settings.empty() && !earlier->second->settings.empty();
    const dsl::TestEntry& one = sets ? *earlier->second : test;
    const dsl::TestEntry& other = sets ? test : *earlier->second;
    auto& warning = out.warning("test-repeats", one.name.span,
                                one.settings.empty()
                                    ? "this test asks what an earlier one asks"
                                    : "this test sets what is the default, and asks what another one asks");
    warning.help = "remove it, or ask something else";
    warning.related.push_back({other.name.span, "that is this one"});
  }
}

void lint_exclusions(const Loaded& loaded, dsl::Diagnostics& out) {
  std::size_t looked_at = 0;
  for (const dsl::TestEntry& test : loaded.file->tests) {
    if (!is_set_up(test) || looked_at > kMostTests) continue;
    for (const dsl::ExpectEntry& expected : test.expect) {
      if (!expected.exclude || !expected.move.text.empty()) continue;
      dsl::Diagnostics ignored; // told where tests are run
      ++looked_at;
      auto game = game_at(loaded.rules, test.position, "test", ignored);
      const Pointless found = game ? pointless(*expected.exclude, *game) : Pointless{};
      if (found.move == nullptr) continue;
      out.warning("empty-test", found.move->span, told(found)).help =
          "exclude a move that wrong rules could allow, or set up the piece that may not make it";
    }
  }
}

} // namespace boardwright::interpreter
