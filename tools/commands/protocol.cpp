// The protocols are UGI (github.com/kz04px/ugi), UCI (Huber, Meyer-Kahlen 2000), whose form UGI has, and USI
// (Romstad 2007), which has it, too. All are told the whole game with each position. Only `stop`,
// `ponderhit`, `quit` and `isready` are for a search that is going on; all else waits for its end.
#include "tools/commands/protocol.hpp"

#include "dsl/text.hpp"
#include "interpreter/notation/position_text.hpp"
#include "runtime/game/perft.hpp"
#include "runtime/model/shares.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/commands/gtp.hpp"
#include "tools/commands/protocol_engine.hpp"
#include "tools/commands/protocol_lines.hpp"
#include "tools/commands/protocol_seen.hpp"
#include "tools/commands/xboard.hpp"
#include "tools/engines/best_lines.hpp"
#include "tools/engines/go_command.hpp"
#include "tools/engines/opponents.hpp"
#include "tools/engines/weights_file.hpp"
#include "tools/games/game_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

namespace boardwright::tools {
namespace {

namespace search = runtime::search;
using Words = std::vector<std::string>;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

std::string joined(Words::const_iterator begin, Words::const_iterator end) {
  return fmt::format("{}", fmt::join(begin, end, " "));
}

// USI has no blanks in the names of options, and marks those that every program has.
std::string usi_name(std::string name) {
  if (name == "Hash" || name == "Ponder") return "USI_" + name;
  if (name.starts_with("UCI_")) name.replace(0, 3, "USI");
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

// A protocol's line about an option.
std::string option_line(const EngineOption& option, Protocol protocol) {
  using Type = EngineOption::Type;
  const std::string name = protocol == Protocol::usi ? usi_name(option.name) : option.name;
  const std::string begin = "option name " + name + " type ";
  switch (option.type) {
  case Type::check: return begin + "check default " + option.value;
  case Type::text: return begin + "string default " + option.value;
  case Type::combo:
    return fmt::format("{}combo default {} var {}", begin, option.value, fmt::join(option.of, " var "));
  case Type::spin:
    return fmt::format("{}spin default {} min {} max {}", begin, option.value, option.low, option.high);
  }
  return begin;
}

class PositionServer {
public:
  PositionServer(ProtocolEngine& engine, Console& console)
      : engine_(engine), lines_(console), game_(engine.rules()) {}

  Exit run() {
    return lines_.run([this](const std::string& line) { return take(line); },
                      [this](const LineToObey& line) { obey(line); });
  }

private:
  [[nodiscard]] const runtime::Program& program() const { return engine_.program(); }
  [[nodiscard]] Protocol protocol() const { return engine_.options().protocol; }
  [[nodiscard]] bool usi() const { return protocol() == Protocol::usi; }
  // What UCI has, and USI after it.
  [[nodiscard]] bool chooses_games() const { return protocol() != Protocol::ugi; }
  [[nodiscard]] const char* prefix() const { return prefix_of(protocol()); }

  void say(const std::string& line) { lines_.say(line); }
  void complain(const std::string& what) { say("info string error: " + on_one_line(printable(what))); }

  // ---- the thread that reads

  // False: it is over.
  bool take(const std::string& line) {
    const Words words = words_of(line);
    if (words.empty()) return true;
    const std::string& word = words.front();
    if (word == "quit") return false;
    if (word == "stop" || (word == "gameover" && usi())) return lines_.stop(), true;
    if (word == "ponderhit") return lines_.hit(), true;
    if (word == "isready" && lines_.is_thinking()) return say("readyok"), true;
    if (word != "go") return enqueue({line}), true;
    auto going = std::make_shared<Going>();
    const GoCommand command =
        read_go({words.begin() + 1, words.end()}, true, protocol()); // whose turn it is doesn't matter
    going->counts = command.perft.has_value();
    going->held = (command.infinite || command.ponder) && !going->counts;
    return enqueue({line, std::move(going)}), true;
  }

  void enqueue(LineToObey line) {
    if (lines_.enqueue(std::move(line))) return;
    complain(fmt::format("lines of more than {} bytes wait for the end of the thinking; this one isn't read",
                         grouped(kMostWaiting)));
  }

  // ---- the thread that works

  void obey(const LineToObey& command) {
    if (command.left_out > 0) {
      complain(fmt::format("a line of more than {} bytes isn't read", grouped(command.left_out)));
      good_ = false; // it may have been a position
      return;
    }
    const Words words = words_of(command.line);
    const std::string& word = words.front();
    if (word == "isready") {
      say("readyok");
    } else if (word == prefix()) {
      greet();
    } else if (word == std::string(prefix()) + "newgame") {
      new_game();
    } else if (word == "setoption") {
      set_option(words);
    } else if (word == "position") {
      set_position(words);
    } else if (word == "go") {
      go(words, *command.going);
    } else if (word == "query") {
      answer(words);
    } else if (word == "chance") {
      tell_chance();
    } else if (word == "seen") {
      tell_seen(words);
    } else if (word == "d") {
      show(words);
    } else if (word != "debug" && word != "register") {
      complain("there is no command `" + quotable(word) + "`");
    }
  }

  void greet() {
    say("id name Boardwright " + on_one_line(printable(program().game)));
    say("id author the Boardwright founders");
    for (const EngineOption& option : engine_.all_options(chooses_games()))
      say(option_line(option, protocol()));
    say(std::string(prefix()) + "ok");
  }

  void begin_anew() {
    game_ = runtime::Game(engine_.rules());
    begin_.clear(), moves_.clear();
    good_ = true;
  }
  void new_game() {
    begin_anew();
    if (const auto made = engine_.new_player(); !made) complain(made.error());
  }

  // setoption name NAME value VALUE
  void set_option(const Words& words) {
    const auto value = std::find(words.begin(), words.end(), "value");
    if (words.size() < 3 || words[1] != "name" || value == words.end())
      return complain("setoption name NAME value VALUE");
    std::string name = joined(words.begin() + 2, value);
    if (usi())
      for (const EngineOption& option : engine_.all_options(true))
        if (usi_name(option.name) == name) name = option.name;
    const auto set = engine_.set_option(name, joined(value + 1, words.end()), chooses_games());
    if (!set) return complain(set.error());
    if (*set) begin_anew();
  }

  // position startpos|fen FEN [moves MOVE...]
  void set_position(const Words& words) {
    const auto moves = std::find(words.begin(), words.end(), "moves");
    const Words begin(words.begin(), moves), then(moves == words.end() ? moves : moves + 1, words.end());
    // Most often it is the last position and a move or two: the game is longer, and all of it is sent each
    // time.
    const bool goes_on = good_ && begin == begin_ && then.size() >= moves_.size() &&
                         std::equal(moves_.begin(), moves_.end(), then.begin());
    good_ = false; // until all of it is understood
    if (!goes_on && !set_beginning(begin)) return;
    for (std::size_t i = goes_on ? moves_.size() : 0; i < then.size(); ++i)
      if (!play(then[i])) return;
    begin_ = begin;
    moves_ = then;
    good_ = true;
  }

  bool set_beginning(const Words& words) {
    const std::string kind = words.size() > 1 ? words[1] : "";
    if (kind != "startpos" && kind != "fen" && kind != "sfen")
      return complain("position startpos|fen FEN|sfen SFEN [moves MOVE...]"), false;
    game_ = runtime::Game(engine_.rules());
    if (kind == "startpos") return true;
    const std::string fen = joined(words.begin() + (kind == "fen" ? 2 : 1), words.end());
    auto read = interpreter::read_position(engine_.rules(), "fen", fen);
    if (!read.game) return complain("the position is wrong: " + read.errors()), false;
    for (const dsl::Diagnostic& told : read.diagnostics.all())
      say("info string warning: " + on_one_line(printable(told.message)));
    game_ = std::move(*read.game);
    return true;
  }

  bool play(const std::string& word) {
    const auto found = find_protocol_move(game_, word, protocol());
    if (!found) return complain(found.error().message), false;
    if (!*found) return complain("the move `" + quotable(word) + "` is not legal"), false;
    const auto played = game_.play(**found);
    if (!played) complain(played.error().message);
    return played.has_value();
  }

  // ---- thinking

  void go(const Words& words, Going& going) {
    if (!good_) {
      complain("there is no position to think about");
      return answer(going, "(none)");
    }
    Words said(words.begin() + 1, words.end());
    if (!is_for_who_moves(said)) return answer(going, "(none)");
    const GoCommand command = read_go(said, game_.to_move() == 0, protocol());
    for (const std::string& fault : command.faults) complain(fault);
    if (command.perft) return count_moves(*command.perft, going);
    search::ThinkLimits limits;
    begun_ = steady_clock::now();
    if (command.time && !command.infinite)
      limits.deadline = lines_.deadline(going, begun_, milliseconds(*command.time));
    if (limits.deadline && command.latest && engine_.lines() == 1)
      limits.latest = begun_ + milliseconds(*command.latest);
    if (command.nodes) limits.most_nodes = *command.nodes;
    if (command.depth && !command.infinite && !command.ponder) limits.most_depth = *command.depth;
    limits.stop = going.stop.get();
    limits.only = allowed(command.only);
    if (command.asks_for_mate) return answer_mate(limits, going);
    const auto best =
        engine_.lines() > 1 ? think_of_several(limits, command, going) : think(limits, command, going);
    // An answer to `go infinite` waits for `stop`, one to `go ponder` for `ponderhit` as well.
    ProtocolLines::wait_until_wanted(going);
    answer(going, best);
  }

  // `go seat p1` is for whoever asks for one seat alone: it is answered only where that seat is to move. The
  // words are taken away.
  bool is_for_who_moves(Words& said) {
    const auto at = std::find(said.begin(), said.end(), "seat");
    if (at == said.end()) return true;
    const auto seat = at + 1 == said.end() ? std::nullopt : seat_named(at[1]);
    if (!seat) return complain("go seat p1|p2"), false;
    said.erase(at, at + 2);
    const bool nature = game_.is_chance();
    if (!nature && *seat == game_.to_move()) return true;
    complain(nature ? "it is nature's move: `chance` tells what may come" : "it is the other player's turn");
    return false;
  }

  // Whoever reads the answer may ask `isready` at once: by then nothing is thought.
  void answer(const Going& going, const std::string& best) {
    lines_.done(going);
    say("bestmove " + best);
  }

  // `go mate` of USI: the moves of a win, or that there is none, or that nobody knows.
  void answer_mate(const search::ThinkLimits& limits, const Going& going) {
    const auto thought = engine_.player().think(game_, limits, [&](const search::Thought& t) {
      inform(t);
      if (t.proof == search::Proof::win) *going.stop = true;
    });
    lines_.done(going);
    if (!thought) complain(thought.error().message);
    if (!thought || thought->proof == search::Proof::unknown) return say("checkmate timeout");
    const Words moves = line_by(protocol(), game_, *thought);
    const bool won = thought->move && thought->proof == search::Proof::win;
    say("checkmate " + (won ? joined(moves.begin(), moves.end()) : "nomate"));
  }

  // `go perft N`: the counts below each move, and of all of them.
  void count_moves(int depth, const Going& going) {
    std::uint64_t all = 0;
    const auto fault = count_each(depth, going, all);
    lines_.done(going);
    if (fault) return complain(fault->message);
    if (*going.stop) return complain("go perft: stopped before all was counted");
    say("");
    say(fmt::format("Nodes searched: {}", all));
    say("");
  }

  std::optional<runtime::Fault> count_each(int depth, const Going& going, std::uint64_t& all) {
    runtime::Game game(game_);
    const auto words = protocol_moves(game, protocol());
    if (!words) return words.error();
    for (std::size_t i = 0; i < words->size() && !*going.stop && !lines_.gone(); ++i) {
      const auto list = game.moves(); // anew: it ends when the game moves on
      if (!list) return list.error();
      runtime::PerftCount below{1, false};
      if (depth > 1) {
        if (const auto played = game.play((*list)[i]); !played) return played.error();
        const auto counted = runtime::perft(game, {depth - 1, false, going.stop.get()});
        game.undo();
        if (!counted) return counted.error();
        below = *counted;
      }
      if (below.stopped) break;
      all += below.leaves;
      say(fmt::format("{}: {}", (*words)[i], below.leaves));
    }
    return std::nullopt;
  }

  // The moves that `searchmoves` names, by index.
  std::vector<std::uint32_t> allowed(const Words& words) {
    std::vector<std::uint32_t> moves;
    for (const std::string& word : words) {
      const auto found = find_protocol_move(game_, word, protocol());
      if (!found || !*found)
        complain("searchmoves: `" + quotable(word) + "` is not legal, and left out");
      else if (std::find(moves.begin(), moves.end(), (*found)->index()) == moves.end())
        moves.push_back((*found)->index());
    }
    return moves;
  }

  // The move that is chosen, in one word.
  std::string think(const search::ThinkLimits& limits, const GoCommand& command, Going& going) {
    const auto thought = engine_.player().think(game_, limits, [&](const search::Thought& t) {
      inform(t);
      if (is_enough(t, command)) *going.stop = true;
    });
    if (!thought) return complain(thought.error().message), "(none)";
    if (!thought->move) return tell_end();
    inform(*thought);
    return answer_of(*thought);
  }

  std::string think_of_several(const search::ThinkLimits& limits, const GoCommand& command, Going& going) {
    const auto lines = best_lines(engine_.player(), game_, limits, engine_.lines(), [&](const auto& round) {
      for (std::size_t i = 0; i < round.size(); ++i) inform(round[i], i + 1);
      if (is_enough(round.front(), command)) *going.stop = true;
    });
    if (!lines) return complain(lines.error().message), "(none)";
    if (lines->empty()) return tell_end();
    return answer_of(lines->front());
  }

  [[nodiscard]] static bool is_enough(const search::Thought& thought, const GoCommand& command) {
    if (command.infinite || command.ponder) return false;
    return (command.depth && thought.depth >= *command.depth) ||
           (command.mate && thought.proof == search::Proof::win);
  }

  // The move, and the answer to it that is expected, over which one may ponder.
  std::string answer_of(const search::Thought& thought) {
    runtime::Game game(game_);
    const std::string best = protocol_move(game, *thought.move, protocol()).value_or("(none)");
    const Words line = line_by(protocol(), game_, thought);
    return line.size() > 1 && line.front() == best ? best + " ponder " + line[1] : best;
  }

  // There is no move: what the game has come to, for the player to move. In USI he resigns who has lost, and
  // he claims a win who has won.
  std::string tell_end() {
    const auto outcome = game_.outcome();
    if (!outcome || !*outcome) return say("info depth 0 score cp 0"), "(none)";
    const std::uint32_t winners = (*outcome)->winners, mine = 1U << game_.to_move();
    if ((*outcome)->shares != 0) {
      const auto players = static_cast<int>(program().players.size());
      const auto chance = static_cast<double>(runtime::share(**outcome, game_.to_move(), players));
      return say(fmt::format("info depth 0 score cp {}", centipawns(chance))), "(none)";
    }
    const bool lost = winners != 0 && (winners & mine) == 0, won = winners == mine;
    say(lost ? "info depth 0 score mate 0"
             : fmt::format("info depth 0 score cp {}", won ? centipawns(1) : 0));
    return !usi() ? "(none)" : lost ? "resign" : won ? "win" : "(none)";
  }

  void inform(const search::Thought& thought, std::size_t number = 0) {
    const auto spent = std::chrono::duration_cast<milliseconds>(steady_clock::now() - begun_).count();
    const auto ms = static_cast<std::uint64_t>(std::max<std::int64_t>(1, spent));
    std::string line = fmt::format("info depth {} ", thought.depth);
    if (number > 0) line += fmt::format("multipv {} ", number);
    line += fmt::format("nodes {} time {} nps {} score {}", thought.nodes, ms, thought.nodes * 1000 / ms,
                        score(thought));
    const Words moves = line_by(protocol(), game_, thought);
    if (!moves.empty()) line += " pv " + joined(moves.begin(), moves.end());
    say(line);
    for (const std::string& remark : engine_.new_remarks(thought.remark)) say("info string " + remark);
  }

  [[nodiscard]] std::string score(const search::Thought& thought) const {
    const auto plies = static_cast<int>(thought.line.size());
    const int distance = protocol() == Protocol::uci ? (plies + 1) / 2 : plies; // UCI counts moves of both
    if (thought.proof == search::Proof::win && plies > 0) return fmt::format("mate {}", distance);
    if (thought.proof == search::Proof::loss && plies > 0) return fmt::format("mate -{}", distance);
    return fmt::format("cp {}", centipawns(thought.value));
  }

  // ---- questions

  void answer(const Words& words) {
    const std::string what = words.size() > 1 ? words[1] : "";
    if (what == "chance") return say(game_.is_chance() ? "response true" : "response false");
    if (what == "p1turn") return say(game_.to_move() == 0 ? "response true" : "response false");
    const auto outcome = game_.outcome();
    if (!outcome) return complain(outcome.error().message);
    if (what == "gameover") return say(*outcome ? "response true" : "response false");
    if (what != "result") return complain("query p1turn|gameover|result|chance");
    if (!*outcome) return say("response none");
    // The protocol has no word for shares: it is told who has more.
    if ((*outcome)->shares != 0)
      say("info string " + printable(runtime::shares_text(program(), (*outcome)->shares)));
    const std::uint32_t winners = (*outcome)->winners;
    const bool first = (winners & 1U) != 0, second = (winners & 2U) != 0;
    say(first == second ? "response draw" : first ? "response p1win" : "response p2win");
  }

  void tell_chance() {
    if (const auto line = chance_line(game_, protocol()))
      say(*line);
    else
      complain(line.error().message);
  }

  void tell_seen(const Words& words) {
    const auto seat = words.size() == 2 ? seat_named(words[1]) : std::nullopt;
    if (!seat) return complain("seen p1|p2");
    const auto lines = seen_lines(game_, *seat);
    if (!lines) return complain(lines.error().message);
    for (const std::string& line : *lines) say("seen " + words[1] + " " + on_one_line(printable(line)));
    say("seenok");
  }

  void show(const Words& words) {
    const auto seat = words.size() == 2 ? seat_named(words[1]) : std::nullopt;
    if (!seat && words.size() > 1) return complain("d [p1|p2]");
    const auto lines = board_lines(game_, seat);
    if (!lines) return complain(lines.error().message);
    for (const std::string& line : *lines) say("info string " + line);
  }

  ProtocolEngine& engine_;
  ProtocolLines lines_;
  runtime::Game game_;
  bool good_ = true;    // the last `position` was understood
  Words begin_, moves_; // what it said
  steady_clock::time_point begun_;
};

// Each protocol's server.
Exit serve_by(ProtocolEngine& engine, Console& console) {
  switch (engine.options().protocol) {
  case Protocol::xboard: return serve_xboard(engine, console);
  case Protocol::gtp: return serve_gtp(engine, console);
  default: return PositionServer(engine, console).run();
  }
}

} // namespace

Exit serve(const ProtocolOptions& options, Console& console) {
  auto loaded = load_game(options.game, console);
  if (!loaded) return loaded.error();
  runtime::Game begin(loaded->rules);
  if (const auto why = why_not_by(options.protocol, begin)) {
    console.error(printable(options.game.reference) + ": " + printable(*why));
    return Exit::at_fault;
  }
  auto weights = find_weights(options.weights, options.game, *loaded, console);
  if (!weights) return weights.error();
  ProtocolEngine engine(std::move(*loaded), options, std::move(*weights), console);
  if (const auto made = engine.new_player(); !made) {
    console.error("--player: " + made.error());
    return Exit::usage;
  }
  return serve_by(engine, console);
}

namespace {

struct ProtocolCommand {
  Protocol protocol;
  const char *about, *examples;
};

void declare_protocol(CommandLine& line, const ProtocolCommand& row) {
  const char* name = prefix_of(row.protocol);
  auto& options = line.options<ProtocolOptions>();
  CLI::App& command = line.add(name, row.about, row.examples);
  add_game(command, options.game);
  command.add_option("--player", options.player, "Who thinks, as for `match` (auto)")->type_name("PLAYER");
  line.choices[std::string(name) + " --player"] = players_to_choose();
  add_number<std::uint64_t>(command, "--seed", options.seed, 0, kMaxCount, "Of its random numbers (1)");
  add_weights(command, options.weights);
  add_number<int>(command, "--threads", options.threads, 1, kMaxThreads, "How many think (1)");
  options.protocol = row.protocol;
  line.runs(command, [&options](Console& console) {
    if (options.protocol == Protocol::uci || options.protocol == Protocol::usi)
      options.variants = games_of_two();
    return serve(options, console);
  });
}

} // namespace

void declare_ugi(CommandLine& line) {
  declare_protocol(
      line, {Protocol::ugi,
             "Plays for another program over standard input and output, in the Universal Game Interface",
             "  boardwright ugi GAME\n  boardwright ugi GAME --player level:5"});
}

void declare_uci(CommandLine& line) {
  declare_protocol(line, {Protocol::uci,
                          "The same in UCI, for interfaces and tournament managers that drive engines",
                          "  boardwright uci GAME\n  boardwright uci GAME --threads 2"});
}

void declare_usi(CommandLine& line) {
  declare_protocol(line, {Protocol::usi, "The same in USI, which Japanese interfaces speak",
                          "  boardwright usi GAME\n  boardwright usi GAME --threads 2"});
}

void declare_xboard(CommandLine& line) {
  declare_protocol(line, {Protocol::xboard, "The same in the protocol of xboard (CECP), version 2",
                          "  boardwright xboard GAME\n  xboard -fcp 'boardwright xboard GAME'"});
}

void declare_gtp(CommandLine& line) {
  declare_protocol(line, {Protocol::gtp,
                          "The same in the Go Text Protocol, for games where pieces are put on a board",
                          "  boardwright gtp GAME\n  boardwright gtp GAME --set size=9 --player level:7"});
}

} // namespace boardwright::tools
