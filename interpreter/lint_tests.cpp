// Lints about tests: those that repeat others, and those that can't fail.
#include "interpreter/lints.hpp"
#include "interpreter/load.hpp"
#include "interpreter/position_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
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

// What a test asks: two with the same question are the same test.
std::string question(const Linted& in, const dsl::TestEntry& test, std::size_t end) {
  const bool of_positions = test.position || test.games || !test.settings.empty() ||
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

// ---- excluded moves

// Positions of tests that are set up: each may take some milliseconds.
constexpr std::size_t kMostTests = 200;

// The cell that a move begins on, of those that lead to another one: the longest name that its text begins
// with. kNowhere where there is none.
int first_cell(const runtime::Board& board, std::string_view move) {
  int best = runtime::kNowhere;
  std::size_t length = 0;
  for (std::size_t cell = 0; cell < board.name.size(); ++cell) {
    const std::string& name = board.name[cell];
    if (name.size() > length && move.substr(0, name.size()) == name) {
      best = static_cast<int>(cell);
      length = name.size();
    }
  }
  const bool leads_on = length + 1 < move.size() && (move[length] == '-' || move[length] == 'x');
  return leads_on ? best : runtime::kNowhere;
}

// The first excluded move that begins on an empty cell, where no move of the position does.
const dsl::Name* begins_with_nothing(const std::vector<dsl::Name>& excluded, runtime::Game& game) {
  const runtime::Board& board = game.rules().program().board;
  const runtime::Position position = game.position();
  const auto from_nothing = [&](std::string_view move) {
    const int cell = first_cell(board, move);
    return cell != runtime::kNowhere && position.cells[static_cast<std::size_t>(cell)].empty();
  };
  const auto found = std::find_if(excluded.begin(), excluded.end(),
                                  [&](const dsl::Name& move) { return from_nothing(move.text); });
  if (found == excluded.end()) return nullptr;
  const auto legal = game.notations();
  const bool known = legal && !legal->empty() && std::none_of(legal->begin(), legal->end(), from_nothing);
  return known ? &*found : nullptr;
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
    const auto [earlier, is_new] = seen.try_emplace(question(in, test, end), &test);
    if (is_new) continue;
    auto& warning = out.warning("test-repeats", test.name.span, "this test asks what an earlier one asks");
    warning.help = "remove it, or ask something else";
    warning.related.push_back({earlier->second->name.span, "that is this one"});
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
      const dsl::Name* move = game ? begins_with_nothing(*expected.exclude, *game) : nullptr;
      if (move == nullptr) continue;
      out.warning("empty-test", move->span,
                  fmt::format("nothing stands where `{}` begins, so that the test can't fail", move->text))
          .help = "exclude a move that wrong rules could allow, or set up the piece that may not make it";
    }
  }
}

} // namespace boardwright::interpreter
