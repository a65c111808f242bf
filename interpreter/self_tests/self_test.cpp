// Entry point: run_tests.
#include "interpreter/self_tests/self_test.hpp"

#include "dsl/shape.hpp"
#include "interpreter/meaning/shares.hpp"
#include "interpreter/notation/position_entry.hpp"
#include "interpreter/notation/position_text.hpp"
#include "interpreter/self_tests/notation_parts.hpp"
#include "interpreter/self_tests/test_games.hpp"
#include "interpreter/self_tests/test_variants.hpp"
#include "runtime/game/game.hpp"
#include "runtime/game/perft.hpp"
#include "runtime/model/meter.hpp"
#include "runtime/model/piece_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

namespace boardwright::interpreter {
namespace {

using dsl::in_backticks;
using dsl::Name;
using dsl::Span;
using runtime::Game;
using runtime::Program;
using Notations = std::vector<std::string>;

// Moves or cells that one message lists; the rest is counted.
constexpr std::size_t kMaxListed = 12;

// One test on its way: the rules it asks, and whether anything has failed.
struct Session {
  const dsl::TestEntry& test;
  const Loaded& loaded;
  std::shared_ptr<const runtime::Rules> rules;
  dsl::Diagnostics& diagnostics;
  const TestRunOptions& options;
  const std::atomic<bool>* stop = options.stop;
  bool failed = false;
  bool stopped = false;
  int failures = 0;
  Notations missing = {}, extra = {}; // moves of the position that is asked just now
  int shown = 0;                      // positions that were described
  std::string details = {};

  [[nodiscard]] const Program& program() const { return rules->program(); }

  dsl::Diagnostic& fail(Span span, std::string message) {
    failed = true;
    ++failures;
    return diagnostics.error("test", span, std::move(message));
  }

  // A rule that went wrong is a failure of the test that asked it.
  void fault(Span span, const runtime::Fault& fault) {
    fail(span, fault.message).help = "at " + runtime::place_of(program(), fault.origin);
  }

  // Describes the position, if anything has failed in it.
  void show(Game& game, int failures_before, int depth = 0) {
    const bool wanted = failures > failures_before && options.describe && shown < kMaxFailedPositions;
    if (wanted) {
      ++shown;
      details += options.describe({loaded, test, game, std::move(missing), std::move(extra), depth});
    }
    missing.clear();
    extra.clear();
  }

  // What was resolved; if nothing, the reason has been told.
  template <class T>
  bool resolved(const std::optional<T>& value) {
    failed = failed || !value;
    return value.has_value();
  }
};

// --- lists of moves

std::string listed(const std::vector<std::string>& words, std::string_view separator = " ") {
  std::string text;
  for (std::size_t i = 0; i < words.size() && i < kMaxListed; ++i)
    text += i == 0 ? words[i] : fmt::format("{}{}", separator, words[i]);
  if (words.size() > kMaxListed) text += fmt::format(" and {} more", words.size() - kMaxListed);
  return text;
}

Notations sorted_texts(const std::vector<Name>& names) {
  Notations texts;
  for (const Name& name : names) texts.push_back(name.text);
  std::sort(texts.begin(), texts.end());
  return texts;
}

// A position without moves because the game is over there is seldom what an author meant: says so, instead
// of which moves are missing.
bool tell_that_it_is_over(Game& game, Span span, Session& session) {
  const auto ending = ending_of(game);
  if (ending) session.fail(span, ending->what).help = ending->where;
  return ending.has_value();
}

// Both sorted; each move counts as often as it is there.
Notations difference(const Notations& from, const Notations& taken) {
  Notations rest;
  std::set_difference(from.begin(), from.end(), taken.begin(), taken.end(), std::back_inserter(rest));
  return rest;
}

Notations intersection(const Notations& a, const Notations& b) {
  Notations both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

bool has_blank(const Notations& moves) {
  return std::any_of(moves.begin(), moves.end(),
                     [](const std::string& m) { return m.find(' ') != std::string::npos; });
}

// Those that are not among `others` at all, or those that are, less often.
Notations among(const Notations& moves, const Notations& others, bool at_all) {
  Notations found;
  std::copy_if(moves.begin(), moves.end(), std::back_inserter(found), [&](const std::string& move) {
    return std::binary_search(others.begin(), others.end(), move) == at_all;
  });
  return found;
}

// What is legal and named, but not as often.
std::string difference_text(const Notations& missing, const Notations& extra, const Notations& wanted,
                            const Notations& legal) {
  std::string text;
  const auto add = [&](const char* what, const Notations& moves) {
    if (!moves.empty()) text += (text.empty() ? "" : "; ") + std::string(what) + listed(moves);
  };
  add("not legal: ", among(missing, legal, false));
  add("named more often than there are such moves: ", among(missing, legal, true));
  add("also legal: ", among(extra, wanted, false));
  add("legal more often than named, for several moves are written so: ", among(extra, wanted, true));
  return text;
}

Span span_of(const std::vector<Name>& names, Span otherwise) {
  return names.empty() ? otherwise : dsl::join(names.front().span, names.back().span);
}

// The one entry that a message is about, or all of them.
Span span_of(const std::vector<Name>& names, const Notations& wrong, Span otherwise) {
  const auto first = std::find_if(names.begin(), names.end(), [&](const Name& name) {
    return wrong.size() == 1 && name.text == wrong.front();
  });
  return first == names.end() ? span_of(names, otherwise) : first->span;
}

// Of a legal move with spaces that was taken for several: `moves: a1-a2 b1-b2`.
std::string taken_apart(const std::vector<Name>& written, const Notations& legal) {
  for (std::size_t i = 0; i < written.size(); ++i) {
    std::string joined = written[i].text;
    for (std::size_t j = i + 1; j < written.size(); ++j) {
      joined += " " + written[j].text;
      if (std::binary_search(legal.begin(), legal.end(), joined)) return move_in_list(joined);
    }
  }
  return "";
}

void compare_moves(const std::vector<Name>& expected, const Notations& legal, Span otherwise, Game& game,
                   Session& session) {
  const Notations wanted = sorted_texts(expected);
  const Notations missing = difference(wanted, legal), extra = difference(legal, wanted);
  if (missing.empty() && extra.empty()) return;
  if (legal.empty() && tell_that_it_is_over(game, span_of(expected, otherwise), session)) return;
  session.missing = among(missing, legal, false); // of those that are explained
  session.extra = among(extra, wanted, false);
  auto& failure =
      session.fail(span_of(expected, missing, otherwise),
                   "the legal moves are different: " + difference_text(missing, extra, wanted, legal));
  if (missing.size() == 1) failure.help = move_meant(missing.front(), extra);
  if (has_blank(extra)) failure.help = "write moves that contain a space as a list, each in quotes";
  if (std::string help = taken_apart(expected, legal); !help.empty()) failure.help = std::move(help);
}

void compare_included(const std::vector<Name>& expected, const Notations& legal, Game& game,
                      Session& session) {
  const Notations missing = difference(sorted_texts(expected), legal);
  const Span span = span_of(expected, missing, session.test.span);
  if (missing.empty() || (legal.empty() && tell_that_it_is_over(game, span, session))) return;
  session.missing = missing;
  auto& failure = session.fail(span, "not legal: " + listed(missing));
  failure.help = taken_apart(expected, legal);
  if (failure.help.empty() && missing.size() == 1) failure.help = move_meant(missing.front(), legal);
}

// Where the game is over, nothing is legal: that excludes nothing, which the author may not know.
void warn_that_it_is_over(const std::vector<Name>& excluded, Game& game, Session& session) {
  if (const auto ending = ending_of(game))
    session.diagnostics.warning("test", span_of(excluded, session.test.span), ending->what).help =
        ending->where;
}

// What excludes nothing: a move that the game has nowhere.
bool is_vain(const std::vector<Name>& excluded, Session& session) {
  const NotationParts parts(session.program());
  bool vain = false;
  for (const Name& move : excluded) {
    const std::string part = parts.impossible_part(move.text);
    if (part.empty()) continue;
    vain = true;
    session.fail(move.span, fmt::format("no move of this game is written {}", in_backticks(move.text))).help =
        part == move.text
            ? ""
            : fmt::format("{} is neither a cell nor anything that it writes", in_backticks(part));
  }
  return vain;
}

void compare_excluded(const std::vector<Name>& expected, const Notations& legal, Game& game,
                      Session& session) {
  if (legal.empty()) warn_that_it_is_over(expected, game, session);
  if (is_vain(expected, session)) return;
  const Notations found = intersection(sorted_texts(expected), legal);
  if (found.empty()) return;
  session.extra = found;
  session.fail(span_of(expected, found, session.test.span), "legal, though excluded: " + listed(found));
}

std::optional<Notations> legal_moves(Game& game, Span span, Session& session) {
  auto notations = game.notations();
  if (!notations) return session.fault(span, notations.error()), std::nullopt;
  std::sort(notations->begin(), notations->end());
  return std::move(*notations);
}

void check_count(const dsl::Ast& count, const Notations& legal, Game& game, Session& session) {
  const std::size_t found = legal.size();
  const bool number = count.form == dsl::Form::number;
  if (!number)
    session.fail(count.span, "`count` is a whole number");
  else if (count.number != static_cast<std::int64_t>(found) &&
           (found > 0 || !tell_that_it_is_over(game, count.span, session)))
    session.fail(count.span, fmt::format("there are {} moves, but the file says {}", found, count.number))
        .help = found == 0 ? "" : "legal: " + listed(legal);
}

// Is an operation anywhere in a rule?
bool asks(const Program& program, runtime::NodeId rule, runtime::Op op) {
  std::vector<runtime::NodeId> open{rule};
  std::set<runtime::NodeId> seen;
  while (!open.empty()) {
    const runtime::NodeId id = open.back();
    open.pop_back();
    if (!seen.insert(id).second) continue;
    const runtime::Node& n = program.nodes[id];
    if (n.op == op) return true;
    for (const runtime::NodeId kid : program.kids_of(n)) open.push_back(kid);
  }
  return false;
}

// Where a line of `end` decides, there is no move whatever else the rules say: who expects none and not the
// winner may not know. A line that asks for `no move` is another matter.
void warn_of_no_move(const dsl::ExpectEntry& expected, Game& game, Session& session) {
  const auto outcome = game.outcome();
  if (!outcome || !*outcome || (**outcome).by != runtime::Outcome::By::end_line) return;
  const Program& program = session.program();
  for (const auto& player : program.players)
    for (const auto& line : player.end)
      if (line.origin == (**outcome).origin && asks(program, line.condition, runtime::Op::no_move)) return;
  const auto ending = ending_of(game);
  if (!ending) return;
  auto& warning = session.diagnostics.warning("test", expected.span, ending->what);
  warning.help = ending->where + "; `winner:` says that this is meant";
}

void check_moves(const dsl::ExpectEntry& expected, Game& game, Session& session) {
  if (!expected.moves && !expected.include && !expected.exclude && !expected.count) return;
  const auto legal = legal_moves(game, expected.span, session);
  if (!legal) return;
  if (expected.moves) compare_moves(*expected.moves, *legal, expected.span, game, session);
  if (expected.include) compare_included(*expected.include, *legal, game, session);
  if (expected.exclude) compare_excluded(*expected.exclude, *legal, game, session);
  if (expected.count) check_count(*expected.count, *legal, game, session);
  const bool none_expected =
      (expected.moves && expected.moves->empty()) ||
      (expected.count && expected.count->form == dsl::Form::number && expected.count->number == 0);
  if (none_expected && legal->empty() && !expected.winner) warn_of_no_move(expected, game, session);
}

// --- counts by depth

// Whether the next depth can be counted.
bool check_depth(Game& game, int depth, std::uint64_t expected, Span span, Session& session) {
  runtime::PerftOptions options;
  options.depth = depth;
  options.stop = session.stop;
  const auto count = runtime::perft(game, options);
  if (!count) return session.fault(span, count.error()), false;
  session.stopped = count->stopped;
  if (count->stopped || count->leaves == expected) return !count->stopped;
  if (count->leaves > 0 || !tell_that_it_is_over(game, span, session))
    session.fail(span, fmt::format("perft {} is {}, but the file says {}", depth, count->leaves, expected));
  return true;
}

void check_perft(Game& game, Session& session) {
  for (const auto& [depth, expected, span] : session.test.perft) {
    const int failures = session.failures;
    const bool next = check_depth(game, depth, expected, span, session);
    session.show(game, failures, depth);
    if (!next) return;
  }
}

// --- random games

void check_random_games(const Game& game, Session& session) {
  if (!session.test.games || session.stopped) return;
  auto checked = check_games(session.rules, game.position(), *session.test.games, session.stop);
  session.stopped = checked.stopped;
  for (GamesFailure& failure : checked.failures)
    session.fail(failure.span, std::move(failure.message)).help = std::move(failure.help);
}

// --- a position and what is expected of it

std::string letters_of(const Program& program, const runtime::Stack& stack) {
  std::string letters;
  for (const auto piece : stack) letters += program.letter_of(piece);
  return letters.empty() ? "nothing" : "`" + letters + "`";
}

void compare_board(const dsl::PositionEntry& expected, const runtime::Position& found, Span span,
                   Session& session) {
  if (!expected.has_board) return;
  const auto board = resolve_board(session.program(), expected, session.diagnostics);
  if (!session.resolved(board)) return;
  std::vector<std::string> differences;
  for (std::size_t cell = 0; cell < board->size(); ++cell)
    if ((*board)[cell] != found.cells[cell])
      differences.push_back(fmt::format("{} holds {}, not {}", session.program().board.name[cell],
                                        letters_of(session.program(), found.cells[cell]),
                                        letters_of(session.program(), (*board)[cell])));
  if (!differences.empty()) session.fail(span, "the board is different: " + listed(differences, ", "));
}

void compare_mover(const dsl::PositionEntry& expected, const runtime::Position& found, Session& session) {
  if (!expected.to_move) return;
  const auto player = resolve_player(session.program(), *expected.to_move, session.diagnostics);
  if (!session.resolved(player) || *player == found.to_move) return;
  const auto& mover = session.program().players[static_cast<std::size_t>(found.to_move)].name;
  session.fail(expected.to_move->span,
               fmt::format("{} is to move, but the file says {}", mover, expected.to_move->text));
}

// "Black has 1 `man`" of the kind and the player that the slot belongs to.
std::string hand_text(const Program& program, int slot, std::int64_t count) {
  for (std::size_t player = 0; player < program.hand_slot.size(); ++player)
    for (std::size_t kind = 0; kind < program.hand_slot[player].size(); ++kind)
      if (program.hand_slot[player][kind] == slot)
        return fmt::format("{} has {} `{}`", program.players[player].name, count, program.kinds[kind].name);
  return "";
}

void compare_hands(const dsl::PositionEntry& expected, const runtime::Position& found, Span span,
                   Session& session) {
  const auto hands = resolve_hands(session.program(), expected, session.diagnostics);
  if (!session.resolved(hands)) return;
  for (const auto& [slot, count] : *hands) {
    const auto there = found.hands[static_cast<std::size_t>(slot)];
    if (there != count)
      session.fail(span, fmt::format("{} in hand, but the file says {}",
                                     hand_text(session.program(), slot, there), count));
  }
}

std::string cells_text(const Program& program, const runtime::CellSet& cells) {
  std::string text;
  cells.each([&](int cell) {
    text += (text.empty() ? "" : " | ") + program.board.name[static_cast<std::size_t>(cell)];
  });
  return text.empty() ? "none" : text;
}

std::string value_text(const Program& program, int variable, const runtime::Position& position) {
  const auto& named = program.variables[static_cast<std::size_t>(variable)];
  if (named.plane >= 0)
    return runtime::text_of_values(program, program.piece_values[static_cast<std::size_t>(named.plane)],
                                   position);
  const runtime::Type type = named.type;
  const runtime::VariableValue& value = position.variables[static_cast<std::size_t>(variable)];
  const auto index = static_cast<std::size_t>(value.number);
  switch (type) {
  case runtime::Type::truth: return value.number != 0 ? "true" : "false";
  case runtime::Type::cells: return cells_text(program, value.cells);
  case runtime::Type::kind: return index < program.kinds.size() ? program.kinds[index].name : "none";
  case runtime::Type::player: return index < program.players.size() ? program.players[index].name : "none";
  default: return std::to_string(value.number);
  }
}

std::string variable_name(const Program& program, const runtime::Variable& variable) {
  if (variable.player < 0) return in_backticks(variable.name);
  return in_backticks(program.players[static_cast<std::size_t>(variable.player)].name + "." + variable.name);
}

void compare_state(const dsl::PositionEntry& expected, const runtime::Position& found, Session& session) {
  const auto values = resolve_state(session.program(), expected, session.diagnostics);
  if (!session.resolved(values)) return;
  runtime::Position said = found;
  for (const auto& [index, value] : *values) said.variables[static_cast<std::size_t>(index)] = value;
  std::set<int> told; // values that pieces carry: they have several variables
  for (const auto& [index, value] : *values) {
    const auto& variable = session.program().variables[static_cast<std::size_t>(index)];
    const auto& there = found.variables[static_cast<std::size_t>(index)];
    if (there == value) continue;
    if (variable.plane >= 0 && !told.insert(variable.plane).second) continue;
    const auto entry = std::find_if(expected.state.begin(), expected.state.end(),
                                    [&](const auto& named) { return named.first.text == variable.name; });
    session.fail(entry->second.span,
                 fmt::format("{} is {}, but the file says {}", variable_name(session.program(), variable),
                             value_text(session.program(), index, found),
                             value_text(session.program(), index, said)));
  }
}

// --- winners

constexpr std::string_view kNobody = "nobody"; // a draw
constexpr std::string_view kNone = "none";     // the game goes on

std::string winners_text(const Program& program, const std::optional<runtime::Outcome>& outcome) {
  if (!outcome) return std::string(kNone);
  if (outcome->shares != 0) return runtime::shares_text(program, outcome->shares);
  std::string text;
  for (std::size_t i = 0; i < program.players.size(); ++i)
    if ((outcome->winners >> i & 1U) != 0) text += (text.empty() ? "" : " ") + program.players[i].name;
  return text.empty() ? std::string(kNobody) : text;
}

// `winner: draw`, as lines of `end` say it.
bool is_word_for_draw(const Name& written, const Program& program) {
  const bool is_word = written.text == "draw" || written.text == "drawn" || written.text == "tie";
  return is_word && std::none_of(program.players.begin(), program.players.end(),
                                 [&](const runtime::Player& p) { return p.name == written.text; });
}

bool says_shares(const Name& written) { return written.text.find(" to ") != std::string::npos; }

// `winner: 3/4 to White, 1/4 to Black`, as a line of `end` says it, but by names.
std::optional<std::string> expected_shares(const Name& written, Session& session) {
  std::vector<std::string> players;
  for (const runtime::Player& player : session.program().players) players.push_back(player.name);
  auto line = shares_named(written.text, written.span);
  if (!line) {
    session.fail(written.span, "these are no shares").help = "write `winner: 3/4 to White, 1/4 to Black`";
    return std::nullopt;
  }
  for (const dsl::SharePart& part : line->shares)
    if (!session.resolved(
            resolve_player(session.program(), {part.player, part.player_span}, session.diagnostics)))
      return std::nullopt;
  const std::size_t before = session.diagnostics.error_count();
  check_shares(*line, players, session.diagnostics);
  const auto result = result_of_shares(*line, players, 0);
  if (session.diagnostics.error_count() > before || !result) return session.failed = true, std::nullopt;
  return runtime::shares_text(session.program(), *result);
}

// What the file says, in the order of the players.
std::optional<std::string> expected_winners(const Name& written, Session& session) {
  if (written.text == kNobody || written.text == kNone) return written.text;
  if (is_word_for_draw(written, session.program())) {
    session.fail(written.span, "there is no player " + in_backticks(written.text)).help =
        "a game that is drawn has `winner: nobody`, one that goes on has `winner: none`";
    return std::nullopt;
  }
  if (says_shares(written)) return expected_shares(written, session);
  runtime::Outcome outcome;
  std::string_view rest = written.text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (end > 0) {
      const auto player = resolve_player(session.program(), {std::string(rest.substr(0, end)), written.span},
                                         session.diagnostics);
      if (!session.resolved(player)) return std::nullopt;
      outcome.winners |= 1U << *player;
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return winners_text(session.program(), outcome);
}

std::string said_of_winner(const std::string& winner) {
  if (winner == kNobody) return "the game is drawn";
  if (winner == kNone) return "the game goes on";
  if (winner.find(" to ") != std::string::npos) return "the point is shared, " + winner;
  return "the winner is " + winner;
}

void check_winner(const Name& winner, Game& game, Session& session) {
  const auto expected = expected_winners(winner, session);
  if (!expected) return;
  const auto outcome = game.outcome();
  if (!outcome) return session.fault(winner.span, outcome.error());
  const std::string found = winners_text(session.program(), *outcome);
  if (found != *expected)
    session.fail(winner.span,
                 fmt::format("{}, but the file says {}", said_of_winner(found), in_backticks(winner.text)));
}

void check_expected(const dsl::ExpectEntry& expected, Game& game, Session& session) {
  if (expected.winner) check_winner(*expected.winner, game, session);
  check_moves(expected, game, session);
  if (!expected.position) return;
  const auto found = game.position();
  compare_board(*expected.position, found, expected.span, session);
  compare_mover(*expected.position, found, session);
  compare_hands(*expected.position, found, expected.span, session);
  compare_state(*expected.position, found, session);
}

// The code of what a test finds wrong.
constexpr const char* kFailure = "test";

void check_expectation(const dsl::ExpectEntry& expected, Game& game, Session& session) {
  const int failures = session.failures;
  const bool moves = !expected.move.text.empty();
  if (moves && !play_written(expected.move, game, kFailure, session.diagnostics)) {
    session.failed = true;
    ++session.failures;
    session.missing = {expected.move.text};
    return session.show(game, failures);
  }
  check_expected(expected, game, session);
  session.show(game, failures);
  if (moves) game.undo();
}

// --- tests

void run_test(Session& session) {
  auto game = game_at(session.rules, session.test.position, kFailure, session.diagnostics);
  if (!session.resolved(game)) return;
  for (const auto& expected : session.test.expect) check_expectation(expected, *game, session);
  check_perft(*game, session);
  check_random_games(*game, session);
}

// The tests before it have taken whatever a file may take.
TestResult not_run(const dsl::TestEntry& test) {
  dsl::Diagnostics diagnostics;
  diagnostics.error(kFailure, test.span,
                    "not run: the tests before it have taken all the steps that a file's may take");
  return TestResult{test.name.text, false, 0, std::move(diagnostics), {}};
}

// Nothing if it was stopped on the way.
std::optional<TestResult> result_of(const dsl::TestEntry& test, TestVariants& variants,
                                    const TestRunOptions& options) {
  if (runtime::Meter::gave_up()) return not_run(test);
  dsl::Diagnostics diagnostics;
  const auto begin = std::chrono::steady_clock::now();
  Session session{test, variants.loaded_for(test), variants.rules_for(test, diagnostics), diagnostics,
                  options};
  if (session.rules) run_test(session);
  if (session.stopped) return std::nullopt;
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  const bool passed = session.rules != nullptr && !session.failed;
  return TestResult{test.name.text, passed, seconds.count(), std::move(diagnostics),
                    std::move(session.details)};
}

} // namespace

TestRun run_tests(const Loaded& loaded, const std::string& reference, const Settings& settings,
                  const dsl::FileFinder& find, const TestRunOptions& options) {
  TestRun run;
  if (!loaded.file) return run;
  TestVariants variants(loaded, reference, settings, find);
  for (const auto& test : loaded.file->tests) {
    run.stopped = options.stop != nullptr && options.stop->load();
    auto result = run.stopped ? std::nullopt : result_of(test, variants, options);
    run.stopped = !result;
    if (run.stopped) break;
    run.diagnostics.append(result->diagnostics);
    run.results.push_back(std::move(*result));
    if (options.progress) options.progress(run.results.back());
  }
  return run;
}

} // namespace boardwright::interpreter
