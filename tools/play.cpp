// play: a game between people at one terminal, or against chance.
#include "interpreter/fen.hpp"
#include "runtime/game/playout.hpp"
#include "tools/board_text.hpp"
#include "tools/commands.hpp"
#include "tools/illegal_move.hpp"
#include "tools/line_reader.hpp"
#include "tools/notation_columns.hpp"
#include "tools/position_json.hpp"
#include "tools/reasons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <random>

namespace boardwright::tools {
namespace {

using runtime::Fault;
using runtime::Move;
using runtime::Program;

// Where nobody is left to stop it, a game is broken off after so many moves.
constexpr int kMaxRandomGame = 10'000;

constexpr std::string_view kHelp =
    "a move in its notation, or\n"
    "  moves     lists the legal moves\n"
    "  why MOVE  says which rule allows a move, or what stops it; a cell or a\n"
    "            piece's letter will do\n"
    "  board     shows the board again\n"
    "  random    plays one of the legal moves\n"
    "  undo      takes the last move back\n"
    "  position  prints the position as JSON, for --position\n"
    "  fen       prints it in one line, for --position too\n"
    "  resign    gives up the game\n"
    "  quit      leaves\n";

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string trimmed(const std::string& text) {
  constexpr const char* kBlanks = " \t\r\n\v\f";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// Players by name, by number or ordinal in turn order, or all.
class RandomPlayers {
public:
  explicit RandomPlayers(const Program& program)
      : program_(program), is_random_(program.players.size(), false) {}

  // False if the word names nobody.
  bool add(const std::string& word) {
    const std::string wanted = lower(word);
    if (wanted == "all" || wanted == "both") {
      is_random_.assign(is_random_.size(), true);
      return true;
    }
    for (std::size_t i = 0; i < is_random_.size(); ++i)
      if (names(i, wanted)) return is_random_[i] = true;
    return false;
  }
  [[nodiscard]] bool has(int player) const { return is_random_[static_cast<std::size_t>(player)]; }
  [[nodiscard]] bool all() const {
    return std::find(is_random_.begin(), is_random_.end(), false) == is_random_.end();
  }

private:
  [[nodiscard]] bool names(std::size_t player, const std::string& wanted) const {
    static constexpr std::array<const char*, 8> kOrdinals = {"first", "second", "third",   "fourth",
                                                             "fifth", "sixth",  "seventh", "eighth"};
    return wanted == lower(program_.players[player].name) || wanted == std::to_string(player + 1) ||
           (player < kOrdinals.size() && wanted == kOrdinals[player]);
  }

  const Program& program_;
  std::vector<bool> is_random_;
};

class Session {
public:
  Session(OpenGame& open, RandomPlayers random, std::uint64_t seed, Console& console)
      : open_(open), random_players_(std::move(random)), random_(seed), console_(console) {}

  Exit run() {
    tl::expected<bool, Fault> goes_on = true;
    while (goes_on && *goes_on && !console_.failed()) {
      if (interrupted()) return leave(Exit::interrupted);
      goes_on = turn();
    }
    if (!goes_on) return report_fault(program(), goes_on.error(), console_);
    if (reader_.failure() != 0 && !interrupted()) return unread();
    return interrupted() ? leave(Exit::interrupted) : Exit::good;
  }

private:
  // What the game does next; false when it is over or left.
  using Step = tl::expected<bool, Fault>;

  [[nodiscard]] const Program& program() const { return open_.program(); }
  [[nodiscard]] runtime::Game& game() { return open_.game; }

  Exit leave(Exit exit) {
    if (reader_.interactive()) console_.out("\n"); // the next prompt begins a line
    return exit;
  }

  Exit unread() {
    const int error = reader_.failure();
    console_.error(fmt::format("can't read standard input: {}",
                               error == EISDIR ? "it is a folder" : std::strerror(error)));
    return Exit::files;
  }

  Step turn() {
    const auto outcome = game().outcome();
    if (!outcome) return tl::unexpected(outcome.error());
    if (*outcome) return over(**outcome);
    if (random_players_.has(game().to_move())) return random_turn();
    show_board();
    return command_turn();
  }

  Step over(const runtime::Outcome& outcome) {
    show_board();
    console_.out(outcome_text(open_.loaded, outcome) + "\n");
    return false;
  }

  Step random_turn() {
    if (random_players_.all() && game().length() >= kMaxRandomGame) {
      console_.out(fmt::format("stopped after {} moves\n", kMaxRandomGame));
      return false;
    }
    return play_random();
  }

  Step play_random() {
    const auto moves = game().moves();
    if (!moves) return tl::unexpected(moves.error());
    if (moves->empty()) return false; // outcome() has said that there is one
    return make((*moves)[static_cast<std::size_t>(random_.below(moves->size()))]);
  }

  Step make(Move move) {
    const auto notation = game().notation(move);
    if (!notation) return tl::unexpected(notation.error());
    const std::string mover = player_text(program(), game().to_move(), console_.color_out());
    console_.out(fmt::format("{}. {}: {}\n", game().length() + 1, mover, printable(*notation)));
    if (const auto played = game().play(move); !played) return tl::unexpected(played.error());
    board_shown_ = false;
    return true;
  }

  // Reads commands until one of them moves the game on.
  Step command_turn() {
    Step again = true;
    for (answered_ = false; again && *again && !answered_;) {
      if (!console_.flush()) return false; // nobody sees the board any more
      const auto line =
          reader_.read(program().players[static_cast<std::size_t>(game().to_move())].name + "> ");
      if (!line) {
        if (!interrupted()) leave(Exit::good);
        return false;
      }
      again = obey(trimmed(*line));
    }
    return again;
  }

  // A legal move's notation comes first: a game may write `pass` or `resign` itself.
  Step obey(const std::string& text) {
    if (text.empty()) return true;
    const auto move = game().find(text);
    if (!move) return tl::unexpected(move.error());
    if (*move) {
      answered_ = true;
      return make(**move);
    }
    return command(lower(text), text);
  }

  Step command(const std::string& word, const std::string& text) {
    static const std::vector<std::pair<std::string_view, Step (Session::*)()>> kCommands = {
        {"moves", &Session::list_all},
        {"board", &Session::board},
        {"random", &Session::random_move},
        {"undo", &Session::undo},
        {"position", &Session::position},
        {"resign", &Session::resign},
        {"fen", &Session::fen},
        {"quit", &Session::quit},
        {"exit", &Session::quit},
        {"help", &Session::help},
        {"?", &Session::help}};
    for (const auto& [name, action] : kCommands)
      if (name == word) return (this->*action)();
    if (word == "why" || word.starts_with("why ")) return why(trimmed(text.substr(3)));
    return refuse(text);
  }

  Step refuse(const std::string& text) {
    const auto legal = game().notations();
    if (!legal) return tl::unexpected(legal.error());
    console_.out(why_illegal(program(), game().position(), *legal, text) + "\n");
    return true;
  }

  Step why(const std::string& asked) {
    if (asked.empty()) {
      console_.out("`why` takes a move, a cell or a piece's letter: why e2-e4\n");
      return true;
    }
    const auto text = reasons_text(open_.loaded, game(), asked);
    if (!text) return tl::unexpected(text.error());
    console_.out(*text);
    return true;
  }
  Step list_all() {
    const auto legal = game().notations();
    if (!legal) return tl::unexpected(legal.error());
    console_.out(in_columns(in_order(*legal), console_.width()));
    return true;
  }
  Step board() {
    board_shown_ = false;
    show_board();
    return true;
  }
  Step random_move() {
    answered_ = true;
    return play_random();
  }
  // Back to the last position in which a person was to move.
  Step undo() {
    answered_ = game().undo();
    if (!answered_) console_.out("there is no move to take back\n");
    while (answered_ && random_players_.has(game().to_move()) && game().undo()) {
    }
    board_shown_ = false;
    return true;
  }
  Step position() {
    console_.out(write_position(program(), game().position()) + "\n");
    return true;
  }
  Step fen() {
    const auto fen = interpreter::write_fen(program(), game().position());
    console_.out((fen ? *fen : "positions of this game can't be written as a FEN") + "\n");
    return true;
  }
  Step resign() {
    const int mover = game().to_move();
    const auto name = [&](int p) { return program().players[static_cast<std::size_t>(p)].name; };
    console_.out(runtime::with_verb(name(mover), "resign"));
    const bool two = program().players.size() == 2;
    console_.out(two ? fmt::format("; {}\n", runtime::with_verb(name(1 - mover), "win")) : "\n");
    return false;
  }
  Step quit() { return false; }
  Step help() {
    console_.out(kHelp);
    return true;
  }

  void show_board() {
    if (board_shown_) return;
    board_shown_ = true;
    const runtime::Position now = game().position();
    console_.out("\n" + draw_board(program(), now, console_.color_out()) + describe_rest(program(), now));
  }

  OpenGame& open_;
  RandomPlayers random_players_;
  runtime::Random random_;
  Console& console_;
  LineReader reader_;
  bool answered_ = false;    // the command moved the game on
  bool board_shown_ = false; // as it is now
};

tl::expected<RandomPlayers, Exit> random_players(const PlayOptions& options, const Program& program,
                                                 Console& console) {
  RandomPlayers players(program);
  std::vector<std::string> names;
  for (const runtime::Player& player : program.players) names.push_back(player.name);
  for (const std::string& word : options.random) {
    if (players.add(word)) continue;
    console.error(fmt::format("--random: there is no player `{}`; give one of {}, or all", printable(word),
                              fmt::join(names, ", ")));
    return tl::unexpected(Exit::usage);
  }
  return players;
}

std::uint64_t seed_of(const PlayOptions& options) {
  if (options.seed) return *options.seed;
  std::random_device device;
  return std::uint64_t{device()} << 32U | device();
}

} // namespace

Exit play(const PlayOptions& options, Console& console) {
  if (options.game.position == "-") {
    console.error("--position: `play` reads moves from standard input; give the position as a file");
    return Exit::usage;
  }
  auto open = open_game(options.game, console);
  if (!open) return open.error();
  auto players = random_players(options, open->program(), console);
  if (!players) return players.error();
  return Session(*open, std::move(*players), seed_of(options), console).run();
}

} // namespace boardwright::tools
