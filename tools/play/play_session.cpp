#include "tools/play/play_session.hpp"

#include "dsl/text.hpp"
#include "interpreter/notation/fen.hpp"
#include "runtime/game/spelling.hpp"
#include "runtime/model/meter.hpp"
#include "tools/console/given_up.hpp"
#include "tools/console/json.hpp"
#include "tools/console/text_file.hpp"
#include "tools/console/wrapped.hpp"
#include "tools/drawing/board_rest.hpp"
#include "tools/drawing/board_text.hpp"
#include "tools/drawing/board_unicode.hpp"
#include "tools/engines/external_player.hpp"
#include "tools/english/example_moves.hpp"
#include "tools/english/plain_reasons.hpp"
#include "tools/english/player_rules.hpp"
#include "tools/english/reasons.hpp"
#include "tools/english/rules_text.hpp"
#include "tools/games/algebraic.hpp"
#include "tools/games/completion.hpp"
#include "tools/games/illegal_move.hpp"
#include "tools/games/notation_columns.hpp"
#include "tools/games/position_json.hpp"
#include "tools/play/pages.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <utility>

namespace boardwright::tools {
namespace {

using runtime::Fault;
using runtime::Game;
using runtime::Move;
using runtime::Program;

// Where nobody is left to stop it, a game is broken off after so many moves.
constexpr int kMaxRandomGame = 10'000;
// So many moves in a row that nobody chooses: rolls, and what has no alternative. They may go on for ever.
constexpr int kMostUnchosen = 10'000;
// Moves that a question or the Tab key shows at once; more would push the board off the screen.
constexpr std::size_t kMostAsked = 24, kMostListedMoves = 200;

std::string trimmed(const std::string& text) {
  constexpr const char* kBlanks = " \t\r\n\v\f";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// "a2 empty, b3 w": the cells that a move changes; of one that changes none, what else it does.
std::string changes_text(const Program& program, const runtime::Position& before,
                         const runtime::Position& after) {
  constexpr std::size_t kMost = 6;
  std::vector<std::string> changes;
  for (std::size_t i = 0; i < before.cells.size(); ++i)
    if (before.cells[i] != after.cells[i])
      changes.push_back(program.board.name[i] + " " +
                        (after.cells[i].empty() ? "empty" : letters_of(program, after.cells[i])));
  const bool more = changes.size() > kMost;
  if (more) changes.resize(kMost);
  const Json now = to_json(program, after), then = to_json(program, before);
  for (const char* part : {"hands", "state"})
    if (now.contains(part) && now[part] != then[part])
      changes.push_back(std::string(part) + " " + to_text(now[part]));
  if (changes.empty()) changes.emplace_back("nothing on the board");
  return fmt::format("{}{}", fmt::join(changes, ", "), more ? ", …" : "");
}

// The moves that begin on a cell with a piece of this letter.
std::vector<std::size_t> moves_of_letter(const Program& program, const runtime::Position& position,
                                         const std::vector<std::string>& legal, const std::string& letter) {
  std::vector<std::size_t> found;
  if (letter.size() != 1) return found;
  for (std::size_t i = 0; i < legal.size(); ++i)
    for (std::size_t cell = 0; cell < position.cells.size(); ++cell) {
      const auto& stack = position.cells[cell];
      const std::string& name = program.board.name[cell];
      if (stack.empty() || program.letter_of(stack.back()) != letter.front() || !legal[i].starts_with(name) ||
          ends_in_number(legal[i], name))
        continue;
      found.push_back(i);
      break;
    }
  return found;
}

// 1 for "", else a number from 1; nothing for anything else.
std::optional<std::size_t> count_of(const std::string& text) {
  if (text.empty()) return 1;
  const auto count = dsl::number_in<std::size_t>(text);
  return count == std::size_t{0} ? std::nullopt : count;
}

} // namespace

Session::Session(OpenGame& open, const PlayOptions& options, Seats seats, std::uint64_t seed,
                 Console& console)
    : open_(open), options_(options), seats_(std::move(seats)), seed_(seed), random_(seed), console_(console),
      look_(interpreter::look_of(open.loaded)), log_(console), begin_(open.game) {
  if (options.clock) clocks_ = Clocks(*options.clock, program().player_count());
}

const std::string& Session::name_of(int player) const {
  return program().players[static_cast<std::size_t>(player)].name;
}

// In lines that fit a person's terminal; whoever reads from a pipe gets them as they are.
std::string Session::in_lines(const std::string& text) const {
  const auto width = static_cast<std::size_t>(std::max(console_.width() - 1, 1));
  return reader_.interactive() ? wrapped_lines(text, width) : text;
}

void Session::say(const std::string& text) { console_.out(in_lines(text)); }

Session::Step Session::show_long(const std::string& text) {
  const std::string typed = trimmed(show_pages(text, reader_, console_));
  return typed.empty() ? Step(true) : obey(typed);
}

Exit Session::run() {
  reader_.complete_with([this](const std::string& typed) { return completed(typed); });
  if (!begin()) return Exit::files;
  Step goes_on = !interrupted() && !gone_;
  while (goes_on && *goes_on && !console_.failed()) {
    if (interrupted()) return leave(Exit::interrupted);
    goes_on = turn();
  }
  if (!goes_on && !interrupted()) {
    tell_that_it_is_kept();
    return report_fault(program(), goes_on.error(), console_);
  }
  if (record_failed_) return Exit::files;
  if (reader_.failure() != 0 && !interrupted()) return unread();
  if (interrupted()) return leave(Exit::interrupted);
  tell_that_it_is_kept();
  if (player_failed_) return Exit::at_fault;
  return reader_.interactive() ? Exit::good : refused_;
}

Exit Session::leave(Exit exit) {
  if (reader_.interactive()) console_.out("\n"); // the next prompt begins a line
  tell_that_it_is_kept();
  return exit;
}

void Session::tell_that_it_is_kept() {
  if (!log_.keeps()) return;
  if (ended_ || played_.size() <= given_moves_) return log_.drop();
  console_.out(fmt::format("this game is kept: the next `boardwright play {}` offers to go on with it\n",
                           printable(options_.game.reference)));
}

Exit Session::unread() {
  const int error = reader_.failure();
  console_.error(fmt::format("can't read standard input: {}",
                             error == EISDIR ? "it is a folder" : std::strerror(error)));
  return Exit::files;
}

// --- turns

Session::Step Session::turn() {
  if (ended_) return after_end();
  const auto outcome = game().outcome();
  if (!outcome) return tl::unexpected(outcome.error());
  if (*outcome) return over(**outcome);
  began_ = std::chrono::steady_clock::now();
  if (unchosen_ >= kMostUnchosen) {
    console_.out(fmt::format("stopped: for {} moves nobody has had anything to choose\n", kMostUnchosen));
    return false;
  }
  ++unchosen_;
  if (game().is_chance() && !options_.dice_by_hand) return roll();
  if (!seats_.is_person(game().to_move()) && !game().is_chance()) return unchosen_ = 0, other_turn();
  if (const auto only = only_wordless()) return make(*only);
  unchosen_ = 0;
  if (!hand_over()) return false;
  show_board();
  return command_turn();
}

// In games with rolls a ply may have a single move, of which nothing is written: nobody can type it, and
// nothing is to choose.
std::optional<Move> Session::only_wordless() {
  if (!program().chance) return std::nullopt;
  const auto moves = game().moves();
  if (!moves || moves->size() != 1) return std::nullopt;
  const auto text = game().notation((*moves)[0]);
  return text && text->empty() ? std::optional((*moves)[0]) : std::nullopt;
}

bool Session::spend(int player, bool moved) {
  if (!clocks_.running()) return true;
  const auto now = std::chrono::steady_clock::now();
  const Seconds taken = now - began_;
  began_ = now;
  return clocks_.spend(player, taken, moved);
}

Session::Step Session::other_turn() {
  if (!seats_.any_person() && game().length() >= kMaxRandomGame) {
    console_.out(fmt::format("stopped after {} moves\n", kMaxRandomGame));
    return false;
  }
  return seats_.at(game().to_move()).thinks ? thinker_turn() : play_random();
}

// Nature's move, by the program's dice.
Session::Step Session::roll() {
  if (!seats_.any_person() && game().length() >= kMaxRandomGame) return other_turn();
  const auto drawn = game().draw(random_);
  if (!drawn) return tl::unexpected(drawn.error());
  if (!*drawn) return false; // outcome() has said that there is one
  return make(**drawn);
}

Session::Step Session::play_random() {
  const auto moves = game().moves();
  if (!moves) return tl::unexpected(moves.error());
  if (moves->empty()) return false; // outcome() has said that there is one
  undone_.clear();
  return make((*moves)[static_cast<std::size_t>(random_.below(moves->size()))]);
}

Session::Step Session::make(Move move) {
  const auto notation = game().notation(move);
  if (!notation) return tl::unexpected(notation.error());
  const int player = game().to_move();
  std::string written = *notation;
  // Nobody reads what random players play against each other, unless it is recorded.
  if (seats_.any_person() || log_.wanted()) {
    auto spelled = runtime::spelling(game(), move);
    if (!spelled) return tl::unexpected(spelled.error());
    written = std::move(*spelled);
  }
  if (!spend(player, true)) return out_of_time(player);
  const int number = game().length() + 1;
  const char* const does = game().is_chance() ? " rolls" : ":";
  const std::string read = as_read(written, player);
  if (const auto played = game().play(move); !played) return tl::unexpected(played.error());
  console_.out(fmt::format("{}. {}{} {}\n", number, player_text(program(), player, console_.color_out()),
                           does, printable(read)));
  board_shown_ = part_chosen_ = false;
  played_.push_back({player, std::move(written)});
  if (log_.wanted()) record_failed_ = !log_.moved(name_of(player), played_.back().move, clock_comment());
  return !record_failed_;
}

bool Session::take_back() {
  if (!game().undo()) return false;
  board_shown_ = part_chosen_ = false;
  if (played_.empty()) return true;
  undone_.push_back(std::move(played_.back()));
  played_.pop_back();
  if (log_.wanted()) record_failed_ = !log_.taken_back();
  return true;
}

// Reads commands until one of them moves the game on.
Session::Step Session::command_turn() {
  Step again = true;
  for (answered_ = false; again && *again && !answered_;) {
    if (!console_.flush()) return false; // nobody sees the board any more
    const int player = game().to_move();
    if (!spend(player, false)) return out_of_time(player);
    const std::string left = clocks_.running() ? " " + clocks_.text(player) : "";
    const auto line = reader_.read(name_of(player) + left + "> ");
    if (!line) {
      if (!interrupted() && reader_.interactive()) console_.out("\n");
      return false;
    }
    again = reader_.too_long() ? refuse_long_line() : obey_on_account(trimmed(*line));
  }
  return again;
}

// --- what is typed

// What a line takes is bounded, but for the time that somebody thinks.
Session::Step Session::obey_on_account(const std::string& text) {
  runtime::Meter meter(runtime::kMaxCommandSteps, &interrupted());
  const runtime::Meter::Use use(&meter);
  Step step = obey(text);
  if (step && meter.is_spent()) console_.note(given_up());
  return step;
}

Session::Step Session::refuse_long_line() {
  refused_ = std::max(refused_, Exit::at_fault);
  console_.out(fmt::format("a line of more than {} bytes isn't read\n", grouped(reader_.longest())));
  return true;
}

// A legal move's notation comes first: a game may write `pass` or `resign` itself. Then the commands; then
// what may be meant by a part of a move.
Session::Step Session::obey(const std::string& text) {
  if (text.empty()) return play_offered();
  offered_.clear();
  if (ended_) return obey_command(text);
  const auto move = runtime::find_spelled(game(), text);
  if (!move) return tl::unexpected(move.error());
  if (*move) {
    const auto legal = game().notations();
    if (!legal) return tl::unexpected(legal.error());
    const std::string& notation = (*legal)[(*move)->index()];
    const bool one = std::count(legal->begin(), legal->end(), notation) == 1;
    if (!one && text.find('#') == std::string::npos) return tell_apart(*legal, notation);
    answered_ = true;
    undone_.clear();
    return make(**move);
  }
  return obey_command(text);
}

Session::Step Session::obey_command(const std::string& text) {
  const std::size_t blank = std::min(text.find_first_of(" \t"), text.size());
  const std::string word = dsl::to_lower(text.substr(0, blank)), argument = trimmed(text.substr(blank));
  for (const Command& command : commands())
    if (command.name == word && (argument.empty() || !command.argument.empty()) &&
        (command.after_end || !ended_))
      return (this->*command.action)(argument);
  if (!ended_) {
    const auto algebraic = play_algebraic(text);
    if (!algebraic) return tl::unexpected(algebraic.error());
    return *algebraic ? Step(!record_failed_) : play_meant(text);
  }
  if (const Command* command = command_meant(text)) return (this->*command->action)("");
  if (auto other = obey_other_word(text)) return std::move(*other);
  refused_ = std::max(refused_, Exit::at_fault);
  say("the game is over: `undo`, `why`, `save FILE`, `new`, `load FILE` or `quit`; `help` has more\n");
  return true;
}

// Only what is all of a move is played, signs apart: of a part it is said how it goes on, even where that is
// in one way only.
Session::Step Session::play_meant(const std::string& text) {
  const auto legal = game().notations();
  if (!legal) return tl::unexpected(legal.error());
  const auto found = meant(*legal, text);
  if (found.empty()) {
    if (const Command* command = command_meant(text)) return (this->*command->action)("");
    if (auto other = obey_other_word(text)) return std::move(*other);
    const Step refused = refuse(text, *legal);
    say(other_commands(text));
    return refused;
  }
  const std::string& notation = (*legal)[found.front()];
  const bool one =
      std::all_of(found.begin(), found.end(), [&](std::size_t other) { return (*legal)[other] == notation; });
  if (!one || !is_all_of(notation, text) || next_steps(*legal, text).size() > 1)
    return how_it_goes_on(text, *legal);
  if (found.size() > 1) return tell_apart(*legal, notation);
  const auto moves = game().moves();
  if (!moves) return tl::unexpected(moves.error());
  answered_ = true;
  undone_.clear();
  return make((*moves)[found.front()]);
}

// `Nf3`, `exd5`, `O-O` where the game has them, and where that is one move.
tl::expected<bool, Fault> Session::play_algebraic(const std::string& text) {
  if (!has_algebraic(program())) return false;
  const auto found = algebraic_meant(game(), text);
  if (!found) return tl::unexpected(found.error());
  if (found->empty()) return false;
  const auto legal = game().notations();
  if (!legal) return tl::unexpected(legal.error());
  for (const std::size_t other : meant(*legal, text)) // a part of another move, as the rules write it
    if (std::find(found->begin(), found->end(), other) == found->end()) return false;
  // Two cells are named: then a kind of that letter may be meant, but isn't moved unasked.
  const bool guessed = !(*legal)[found->front()].starts_with(first_of_two_cells(program(), text));
  if (found->size() > 1 || guessed) {
    const auto texts = algebraic_moves(game());
    if (!texts) return tl::unexpected(texts.error());
    std::vector<std::string> choices;
    for (const std::size_t i : *found) choices.push_back((*texts)[i].empty() ? (*legal)[i] : (*texts)[i]);
    refused_ = std::max(refused_, Exit::at_fault);
    console_.out(fmt::format("{} may be {}\n", quotable(text), fmt::join(choices, ", ")));
    return true;
  }
  const auto moves = game().moves();
  if (!moves) return tl::unexpected(moves.error());
  answered_ = true;
  undone_.clear();
  const Step made = make((*moves)[found->front()]);
  if (!made) return tl::unexpected(made.error());
  return true;
}

Session::Step Session::how_it_goes_on(const std::string& text, const std::vector<std::string>& legal) {
  const auto found = meant(legal, text);
  const auto steps = next_steps(legal, text);
  if (found.size() == 1 && steps.size() == 1 && reader_.interactive()) {
    offered_ = legal[found.front()];
    say(fmt::format("{} must go on, as {} alone; Enter plays it\n{}", quotable(text), printable(offered_),
                    other_commands(text)));
    return true;
  }
  const Step refused = refuse(text, legal);
  say(other_commands(text));
  return refused;
}

Session::Step Session::play_offered() {
  if (offered_.empty() || ended_) return true;
  const std::string text = std::exchange(offered_, "");
  return obey(text);
}

std::vector<const Session::Command*> Session::commands_beginning(const std::string& word) const {
  std::vector<const Command*> found;
  const std::string wanted = dsl::to_lower(word);
  for (const Command& command : commands())
    if (!command.help.empty() && command.name.starts_with(wanted) && (!ended_ || command.after_end))
      found.push_back(&command);
  return found;
}

// Of commands that do something the whole name is wanted.
const Session::Command* Session::command_meant(const std::string& word) const {
  const auto found = commands_beginning(word);
  return found.size() == 1 && found.front()->harmless ? found.front() : nullptr;
}

// "commands that begin so: `hint`, `help`", on a line; "" where none does.
std::string Session::other_commands(const std::string& word) const {
  std::string names;
  for (const Command* command : commands_beginning(word))
    names += fmt::format("{}`{}`", names.empty() ? "" : ", ", command->name);
  return names.empty() ? "" : "commands that begin so: " + names + "\n";
}

// Of moves that are written alike, what each does.
Session::Step Session::tell_apart(const std::vector<std::string>& texts, const std::string& notation) {
  refused_ = std::max(refused_, Exit::at_fault);
  const auto moves = game().moves();
  if (!moves) return tl::unexpected(moves.error());
  const auto spelled = runtime::spellings(texts);
  const runtime::Position before = game().position();
  const auto alike = std::count(texts.begin(), texts.end(), notation);
  console_.out(fmt::format("{} moves are written {}; say which one:\n", alike, printable(notation)));
  Game copy = game();
  std::size_t shown = 0;
  for (std::size_t i = 0; i < texts.size() && shown < kMostAsked; ++i) {
    if (texts[i] != notation) continue;
    ++shown;
    if (const auto played = copy.play((*moves)[i]); !played) return tl::unexpected(played.error());
    console_.out(looks_on() ? fmt::format("  {}\n", printable(as_read(spelled[i], game().to_move())))
                            : fmt::format("  {}: {}\n", printable(spelled[i]),
                                          printable(changes_text(program(), before, copy.position()))));
    copy.undo();
  }
  if (static_cast<std::size_t>(alike) > shown)
    console_.out(fmt::format("  and {} more\n", static_cast<std::size_t>(alike) - shown));
  return true;
}

Session::Step Session::refuse(const std::string& text, const std::vector<std::string>& legal) {
  refused_ = std::max(refused_, Exit::at_fault);
  const auto found = meant(legal, text);
  if (found.size() > kMostAsked) {
    // Not the whole moves, but how they go on.
    const auto steps = next_steps(legal, text);
    if (steps.size() > 1 && steps.size() <= kMostListedMoves) {
      console_.out(fmt::format("{} can go on, to {} moves:\n{}", quotable(text), grouped(found.size()),
                               in_columns(steps, console_.width())));
      return true;
    }
  }
  if (looks_on()) return refuse_unexplained(text);
  std::string told = why_illegal(program(), game().position(), legal, text, true);
  auto same = found.empty() ? with_the_same_cells(legal, text) : found;
  if (same.empty()) same = meant_in_words(legal, text);
  if (found.empty() && same.size() == 1 && reader_.interactive()) {
    offered_ = legal[same.front()];
    told += " Enter plays it";
  } else if (found.empty() && told.find("; ") != std::string::npos) {
    told += must_capture(legal);
  }
  say(told + "\n");
  return true;
}

// "; you must capture: g4xg6", where there is nothing else to do. Where there was something else in random
// games the rules don't ask for it: now there just is no other move.
std::string Session::must_capture(const std::vector<std::string>& legal) {
  const auto moves = game().moves();
  if (!moves || moves->empty() || moves->size() > kMostAsked) return "";
  for (const Move& move : *moves)
    if (const auto takes = game().captures(move); !takes || !*takes) return "";
  if (!need_not_take_) need_not_take_ = example_moves(begin_).need_not_take;
  return fmt::format("; {}: {}", *need_not_take_ ? "there are only captures" : "you must capture",
                     printable(fmt::format("{}", fmt::join(in_order(legal), ", "))));
}

Completed Session::completed(const std::string& typed) {
  const auto legal = game().notations();
  if (!legal) return {typed, ""};
  std::vector<std::string> texts;
  if (!ended_) texts = runtime::spellings(*legal);
  for (std::string& text : texts) text = as_read(text, game().to_move());
  std::string before, part = typed;
  // Behind a command stands a move, or a part of one.
  for (const std::string_view word : {"why ", "moves "})
    if (dsl::to_lower(typed).starts_with(word)) {
      before = typed.substr(0, word.size());
      part = typed.substr(word.size());
    }
  if (before.empty() && !part.empty())
    for (const Command& command : commands())
      if (command.after_end || !ended_) texts.emplace_back(command.name);
  const Completion completion = complete(texts, part);
  if (completion.choices.empty()) return {before + completion.text, ""};
  std::vector<std::string> shown = completion.choices;
  const std::size_t all = shown.size();
  if (all > kMostListedMoves) shown.resize(kMostListedMoves);
  std::string listing = in_columns(shown, console_.width());
  if (all > kMostListedMoves) listing += fmt::format("and {} more\n", grouped(all - kMostListedMoves));
  return {before + completion.text, listing};
}

const std::vector<Session::Command>& Session::commands() {
  constexpr bool kAlways = true, kInGame = false, kHarmless = true;
  static const std::vector<Command> kCommands = {
      {"moves", "[FROM]", "the legal moves, or those that begin so", &Session::list_moves, kInGame,
       kHarmless},
      {"rules", "[--source]", "how the game is played; or as the file writes it", &Session::rules, kAlways,
       kHarmless},
      {"why", "[MOVE]", "why a move may be made or not; a cell, a piece or `end` will do", &Session::why,
       kAlways, kHarmless},
      {"board", "", "the board again", &Session::board, kAlways, kHarmless},
      {"hint", "", "a move that the computer would play", &Session::hint, kInGame, kHarmless},
      {"undo", "[N]", "takes back to your last turn", &Session::undo},
      {"redo", "[N]", "plays what was taken back", &Session::redo},
      {"random", "", "plays one of the legal moves", &Session::random_move, kInGame},
      {"eval", "", "how you stand, as the computer sees it", &Session::eval, kInGame, kHarmless},
      {"analyse", "[SECONDS]", "the best moves, and how the game might go on", &Session::analyse, kInGame,
       kHarmless},
      {"thinking", "[on|off]", "shows what the computer thinks of its moves, or doesn't", &Session::thinking},
      {"level", "[N|people]", "against whom: 1 (a beginner) to 10, or people here", &Session::level},
      {"history", "", "the moves so far", &Session::history, kAlways, kHarmless},
      {"flip", "", "the board seen from the other side", &Session::flip, kAlways, kHarmless},
      {"view", "[WHERE]", "another part of a board that is too large: left, right, up, down, a cell, `all`",
       &Session::view, kAlways, kHarmless},
      {"save", "FILE", "writes the game into a file", &Session::save},
      {"load", "FILE", "goes on with a game, or from a position, in a file", &Session::load},
      {"new", "", "begins another game; one that is not over is kept", &Session::new_game},
      {"position", "", "the position as JSON, for other programs", &Session::position, kAlways, kHarmless},
      {"fen", "", "the position in one line, for other programs", &Session::fen, kAlways, kHarmless},
      {"swap", "", "everybody takes the next player's side", &Session::swap, kInGame},
      {"draw", "", "offers a draw", &Session::draw, kInGame},
      {"resign", "", "gives up the game", &Session::resign, kInGame},
      {"quit", "", "leaves; at a terminal the game is kept", &Session::quit},
      {"help", "", "this", &Session::help, kAlways, kHarmless},
      {"source", "", "", &Session::source},
      {"exit", "", "", &Session::quit},
      {"?", "", "", &Session::help}};
  return kCommands;
}

Session::Step Session::list_moves(const std::string& from) {
  const auto legal = game().notations();
  if (!legal) return tl::unexpected(legal.error());
  std::vector<std::string> shown = runtime::spellings(*legal);
  if (!from.empty()) {
    std::vector<std::string> some;
    for (const std::size_t i : meant(*legal, from)) some.push_back(shown[i]);
    if (some.empty())
      for (const std::size_t i : moves_of_letter(program(), game().position(), *legal, from))
        some.push_back(shown[i]);
    if (some.empty()) return refuse(from, *legal);
    shown = std::move(some);
  }
  for (std::string& text : shown) text = as_read(text, game().to_move());
  return show_long(in_columns(in_order(std::move(shown)), console_.width()));
}

Session::Step Session::history(const std::string&) {
  if (looks_on()) return history_as_seen();
  std::vector<std::string> moves;
  for (std::size_t i = 0; i < played_.size(); ++i)
    moves.push_back(printable(fmt::format("{}. {}: {}", i + 1, name_of(played_[i].player), played_[i].move)));
  return show_long(moves.empty() ? "no move has been played yet\n" : in_columns(moves, console_.width()));
}

Session::Step Session::why(const std::string& argument) {
  if (looks_on()) return not_told("why");
  constexpr std::string_view kSource = "--source";
  const bool source = argument.starts_with(kSource);
  const std::string asked = source ? trimmed(argument.substr(kSource.size())) : argument;
  if (ended_ && !by_rule_) {
    say(result_ + "\n");
    return true;
  }
  if (!ended_ && (asked.empty() || dsl::to_lower(asked) == "last")) return why_last();
  const auto text =
      source ? reasons_text(open_.loaded, game(), asked) : plain_reasons_text(open_.loaded, game(), asked);
  if (!text) return tl::unexpected(text.error());
  return show_long(in_lines(*text));
}

// What the last move did, and how its piece moves.
Session::Step Session::why_last() {
  Game earlier = game();
  if (played_.empty() || !earlier.undo()) {
    say("`why` takes a move, a cell, a piece's letter or name, or `end`: why e2-e4; alone it tells of "
        "the last move\n");
    return true;
  }
  const Played& last = played_.back();
  return show_long(
      in_lines(fmt::format("{} played {}: {}\n{}", name_of(last.player), printable(last.move),
                           printable(changes_text(program(), earlier.position(), game().position())),
                           how_it_moves(open_.loaded, earlier.position(), last.move))));
}

Session::Step Session::board(const std::string&) {
  board_shown_ = false;
  show_board();
  return true;
}

Session::Step Session::random_move(const std::string&) {
  answered_ = true;
  return play_random();
}

bool Session::is_persons_turn() {
  return game().is_chance() ? options_.dice_by_hand : seats_.is_person(game().to_move());
}

// Back to the last position in which a person was to move.
Session::Step Session::undo(const std::string& count) {
  const auto wanted = count_of(count);
  if (!wanted) {
    console_.out("`undo` takes a number of turns: undo 2\n");
    return true;
  }
  // Who gave up thinks better of it; no move has to be taken back for that. A program would give up again.
  const auto& thinks = seats_.at(game().to_move()).thinks;
  const bool program_gave_up = ended_ && !by_rule_ && thinks && has_resigned(*thinks);
  const bool moves = !ended_ || by_rule_ || program_gave_up;
  if (ended_) reopen();
  answered_ = !moves;
  for (std::size_t i = 0; moves && i < *wanted; ++i) {
    if (!take_back()) {
      if (i == 0) console_.out("there is no move to take back\n");
      break;
    }
    answered_ = true;
    while (!is_persons_turn() && take_back()) {
    }
  }
  return !record_failed_;
}

// Forward to the next position in which a person is to move.
Session::Step Session::redo(const std::string& count) {
  const auto wanted = count_of(count);
  if (!wanted || undone_.empty()) {
    console_.out(wanted ? "there is no move to play again\n" : "`redo` takes a number of turns: redo 2\n");
    return true;
  }
  Step good = true;
  for (std::size_t i = 0; good && *good && i < *wanted && !undone_.empty(); ++i) do {
      const auto move = runtime::find_spelled(game(), undone_.back().move);
      if (!move) return tl::unexpected(move.error());
      if (!*move) return true; // can't be: it was played here
      undone_.pop_back();
      answered_ = true;
      good = make(**move);
    } while (good && *good && !undone_.empty() && !is_persons_turn());
  return good;
}

Session::Step Session::position(const std::string&) {
  if (looks_on()) return not_told("position");
  console_.out(write_position(program(), game().position()) + "\n");
  return true;
}

Session::Step Session::fen(const std::string&) {
  if (looks_on()) return not_told("fen");
  const auto fen = interpreter::write_fen(program(), game().position());
  console_.out((fen ? *fen : "positions of this game can't be written as a FEN") + "\n");
  return true;
}

Session::Step Session::rules(const std::string& argument) {
  if (argument == "--source" || argument == "source") return source("");
  PlayerRules told = player_rules(open_.loaded, begin_);
  const DrawOptions drawing = draw_options(&look_, console_, options_.ascii);
  if (reader_.interactive() && drawing.unicode && drawing.color) { // as the board shows them
    const auto signs = signs_of_kinds(program(), &look_);
    for (std::size_t i = 0; i < told.kinds.size(); ++i) told.kinds[i].letters = signs[i];
  }
  return show_long(player_rules_text(told, console_.width()));
}

Session::Step Session::source(const std::string&) { return show_long(rules_text(open_.loaded)); }

Session::Step Session::thinking(const std::string& setting) {
  const std::string word = dsl::to_lower(setting);
  if (!word.empty() && word != "on" && word != "off") {
    console_.out("`thinking` takes `on` or `off`\n");
    return true;
  }
  thinking_shown_ = word.empty() ? !thinking_shown_ : word == "on";
  console_.out(thinking_shown_ ? "what players think is shown\n" : "what players think isn't shown\n");
  return true;
}

Session::Step Session::swap(const std::string&) {
  if (seats_.all_alike()) {
    console_.out("people play on all sides: change your chairs\n");
    return true;
  }
  seats_.move_on();
  for (int player = 0; player < program().player_count(); ++player)
    console_.out(fmt::format("{}: {}\n", name_of(player), seats_.at(player).description));
  keep_anew();
  answered_ = true;
  return true;
}

Session::Step Session::flip(const std::string&) {
  flipped_ = !flipped_;
  return board("");
}

Session::Step Session::quit(const std::string&) { return false; }

Session::Step Session::help(const std::string&) {
  std::string text = ended_ ? "the game is over\n"
                     : has_algebraic(program())
                         ? "a move in its notation, or as Nf3, O-O; signs and case may be left out; or\n"
                         : "a move in its notation; signs and case may be left out; or\n";
  for (const Command& command : commands())
    if (!command.help.empty() && (command.after_end || !ended_)) text += help_of(command);
  if (!reader_.interactive()) return show_long(text);
  text += "Tab completes a move step by step\n";
  const DrawOptions drawing = draw_options(&look_, console_, options_.ascii);
  if (drawing.unicode) // how the drawing marks the last move
    text += "on the board ‹ › is where the last move went, ∘ where it came from, × what it took\n";
  return show_long(in_lines(text));
}

// A row of the table: what it does stands beside the name, also where it takes two lines.
std::string Session::help_of(const Command& command) const {
  constexpr std::size_t kBeside = 21;
  const std::string name =
      fmt::format("{}{}{}", command.name, command.argument.empty() ? "" : " ", command.argument);
  const auto width = static_cast<std::size_t>(std::max(console_.width() - 1, 1));
  std::string does(command.help);
  if (reader_.interactive() && width > 2 * kBeside) does = wrapped(does, width - kBeside);
  std::string text;
  for (const std::string& line : lines_of(does))
    text += fmt::format("  {:<18} {}\n", text.empty() ? name : "", line);
  return text;
}

// What the last move put down; before the first one what the player to move has.
runtime::CellSet Session::to_be_seen(const BoardMarks& marks) const {
  if (marks.any()) return marks.reached.any() ? marks.reached : marks.left | marks.taken;
  runtime::CellSet own;
  const runtime::Position& now = open_.game.position();
  for (std::size_t cell = 0; cell < now.cells.size(); ++cell)
    if (!now.cells[cell].empty() && now.cells[cell].back().owner == now.to_move)
      own.set(static_cast<int>(cell));
  return own;
}

void Session::show_board(bool all, bool over) {
  if (board_shown_) return;
  board_shown_ = true;
  const runtime::Position now = game().position();
  DrawOptions drawing = draw_options(&look_, console_, options_.ascii);
  drawing.rest = true;
  drawing.over = over;
  drawing.flipped = flipped_;
  const std::optional<SeenBoard> seen = over ? std::nullopt : board_as_seen();
  if (seen)
    drawing.look = seen->look();
  else
    drawing.marks = marks_of_last_move(game());
  if (reader_.interactive() && console_.height() > 0 && !all) {
    part_.rows = rows_for_board(console_, DrawnSize::needed);
    if (!part_chosen_) part_.wanted = to_be_seen(drawing.marks);
    drawing.part = &part_;
  }
  console_.out("\n" + (seen ? draw_board(seen->program(), seen->position(), drawing)
                            : draw_board(program(), now, drawing)));
  if (drawing.part == nullptr || part_.is_all() || part_told_) return;
  part_told_ = true;
  console_.out("a part of the board: `view` shows others\n");
}

// Half of what is seen further in a direction; or what is around a cell; or all of it.
Session::Step Session::view(const std::string& argument) {
  const std::string word = dsl::to_lower(argument);
  const int across = word == "left" ? -1 : word == "right" ? 1 : 0;
  const int up = word == "down" ? -1 : word == "up" ? 1 : 0;
  const int cell = across == 0 && up == 0 ? program().board.cell_named(argument) : -1;
  board_shown_ = false;
  if (word == "all") return show_board(true), true;
  if (across == 0 && up == 0 && cell < 0 && !argument.empty()) {
    board_shown_ = true;
    console_.out("`view` takes left, right, up, down, a cell or `all`: view up\n");
    return true;
  }
  part_chosen_ = !argument.empty();
  const int sign = flipped_ ? -1 : 1;
  part_.file += sign * across * std::max(1, part_.files / 2);
  part_.rank += sign * up * std::max(1, part_.ranks / 2);
  part_.wanted = cell < 0 ? runtime::CellSet() : runtime::CellSet::of(cell);
  if (cell >= 0) part_.files = part_.ranks = 0; // so that it lies in the middle
  show_board();
  if (!reader_.interactive() || part_.is_all()) console_.out("this is all of the board\n");
  return true;
}

} // namespace boardwright::tools
