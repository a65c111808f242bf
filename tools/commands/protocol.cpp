// The protocols are UGI (github.com/kz04px/ugi) and UCI (Huber, Meyer-Kahlen 2000), whose form UGI has. One
// thread reads, another one thinks; what both say goes out a line at a time.
#include "tools/commands/protocol.hpp"

#include "dsl/finder.hpp"
#include "dsl/text.hpp"
#include "interpreter/position_text.hpp"
#include "tools/commands/commands.hpp"
#include "tools/console/line_reader.hpp"
#include "tools/drawing/board_text.hpp"
#include "tools/engines/go_command.hpp"
#include "tools/engines/opponents.hpp"
#include "tools/engines/weights_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>
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

bool is_for_two(const interpreter::Loaded& loaded) { return loaded.rules->program().players.size() == 2; }

class Server {
public:
  Server(interpreter::Loaded loaded, const ProtocolOptions& options,
         std::shared_ptr<const search::NamedWeights> weights, Console& console)
      : loaded_(std::move(loaded)), options_(options), weights_(std::move(weights)), console_(console),
        game_(loaded_.rules) {}
  ~Server() {
    if (!thinking_.joinable()) return;
    stop_ = true;
    thinking_.join();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  Exit run() {
    if (const auto made = new_player(); !made) {
      console_.error("--player: " + made.error());
      return Exit::usage;
    }
    LineReader reader(kMaxProtocolLineBytes);
    for (;;) {
      const auto line = reader.read("");
      if (line && reader.too_long()) {
        complain(fmt::format("a line of more than {} bytes isn't read", grouped(reader.longest())));
        good_ = false; // it may have been a position
        continue;
      }
      if (!line || !obey(*line) || gone_) break;
    }
    stop_thinking();
    return interrupted() ? Exit::interrupted : Exit::good;
  }

private:
  [[nodiscard]] const runtime::Program& program() const { return loaded_.rules->program(); }
  [[nodiscard]] bool uci() const { return options_.protocol == Protocol::uci; }
  [[nodiscard]] const char* prefix() const { return prefix_of(options_.protocol); }

  void say(const std::string& line) {
    const std::lock_guard<std::mutex> lock(speaking_);
    console_.out(line + "\n");
    if (!console_.flush()) gone_ = true;
  }
  void complain(const std::string& what) { say("info string error: " + on_one_line(printable(what))); }

  // False: it is over.
  bool obey(const std::string& line) {
    const Words words = words_of(line);
    if (words.empty()) return true;
    const std::string& word = words.front();
    if (word == "quit") return false;
    if (word == "isready") return say("readyok"), true;
    if (word == "stop") return stop_ = true, true;
    stop_thinking(); // nothing else is allowed meanwhile
    if (word == prefix())
      greet();
    else if (word == std::string(prefix()) + "newgame")
      new_game();
    else if (word == "setoption")
      set_option(words);
    else if (word == "position")
      set_position(words);
    else if (word == "go")
      go(words);
    else if (word == "query")
      answer(words);
    else if (word == "d")
      show();
    else if (word != "debug" && word != "register" && word != "ponderhit")
      complain("there is no command `" + quotable(word) + "`");
    return true;
  }

  void greet() {
    say("id name Boardwright " + on_one_line(printable(program().game)));
    say("id author the Boardwright founders");
    say("option name Player type string default " + options_.player);
    say(fmt::format("option name Threads type spin default {} min 1 max {}", options_.threads, kMaxThreads));
    if (uci()) say("option name UCI_Variant type combo default " + variant() + " var " + variants());
    say(std::string(prefix()) + "ok");
  }
  // The game as the command line names it.
  [[nodiscard]] std::string variant() const { return plain_name(options_.game.reference); }
  // That and the others that may be chosen.
  [[nodiscard]] std::string variants() const {
    std::set<std::string> names(options_.variants.begin(), options_.variants.end());
    names.insert(variant());
    return fmt::format("{}", fmt::join(names, " var "));
  }

  void new_game() {
    game_ = runtime::Game(loaded_.rules);
    begin_.clear(), moves_.clear();
    good_ = true;
    if (const auto made = new_player(); !made) complain(made.error());
  }

  tl::expected<void, std::string> new_player() {
    auto player = make_opponent(options_.player, loaded_.rules,
                                {options_.seed, options_.threads, weights_, options_.game.reference});
    if (!player) return tl::unexpected(player.error());
    player_ = std::move(*player);
    return {};
  }

  // setoption name NAME value VALUE
  void set_option(const Words& words) {
    const auto value = std::find(words.begin(), words.end(), "value");
    if (words.size() < 3 || words[1] != "name" || value == words.end())
      return complain("setoption name NAME value VALUE");
    const std::string name = joined(words.begin() + 2, value), text = joined(value + 1, words.end());
    const ProtocolOptions before = options_;
    if (name == "Player") {
      options_.player = text;
    } else if (name == "Threads") {
      const auto number = dsl::number_in<std::int64_t>(text);
      if (!number || *number < 1 || *number > kMaxThreads)
        return complain("Threads: a number from 1 to " + std::to_string(kMaxThreads));
      options_.threads = static_cast<int>(*number);
    } else if (name == "UCI_Variant" && uci()) {
      return choose_game(text);
    } else {
      return complain("there is no option `" + quotable(name) + "`");
    }
    if (const auto made = new_player(); !made) {
      options_ = before;
      complain(made.error());
    }
  }

  // Another game by its name, with its options as they are. Only known games: no files are opened for whoever
  // speaks here.
  void choose_game(const std::string& name) {
    if (name == variant()) return;
    const auto known = dsl::known_games();
    if (std::find(known.begin(), known.end(), name) == known.end())
      return complain("there is no game `" + quotable(name) + "`; the game is " + variant());
    auto loaded = interpreter::load(name);
    if (!loaded) return complain("the game `" + quotable(name) + "` does not load: " + loaded.errors());
    if (!is_for_two(loaded))
      return complain("the protocol is for games of two; " + quotable(name) + " isn't");
    const GameChoice choice{name, {}, ""};
    auto weights = find_weights("", choice, loaded, console_);
    if (!weights) return complain("the weights of `" + quotable(name) + "` can't be read");
    loaded_ = std::move(loaded);
    weights_ = std::move(*weights);
    options_.game = choice;
    new_game();
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
    if (kind != "startpos" && kind != "fen")
      return complain("position startpos|fen FEN [moves MOVE...]"), false;
    game_ = runtime::Game(loaded_.rules);
    if (kind == "startpos") return true;
    const std::string fen = joined(words.begin() + 2, words.end());
    auto read = interpreter::read_position(loaded_.rules, "fen", uci() ? fen_from_uci(program(), fen) : fen);
    if (!read.game) return complain("the position is wrong: " + read.errors()), false;
    game_ = std::move(*read.game);
    return true;
  }

  bool play(const std::string& word) {
    const auto found = find_protocol_move(game_, word, options_.protocol);
    if (!found) return complain(found.error().message), false;
    if (!*found) return complain("the move `" + quotable(word) + "` is not legal"), false;
    const auto played = game_.play(**found);
    if (!played) complain(played.error().message);
    return played.has_value();
  }

  // ---- thinking

  void go(const Words& words) {
    if (!good_) {
      complain("there is no position to think about");
      return say("bestmove (none)");
    }
    const GoCommand command = read_go({words.begin() + 1, words.end()}, game_.to_move() == 0);
    for (const std::string& fault : command.faults) complain(fault);
    search::ThinkLimits limits;
    begun_ = steady_clock::now();
    if (command.time) limits.deadline = begun_ + milliseconds(*command.time);
    if (command.nodes) limits.most_nodes = *command.nodes;
    stop_ = false;
    limits.stop = &stop_;
    thinking_ = std::thread([this, limits, command] {
      try {
        think(limits, command);
      } catch (...) { // there is no memory
        thrown_ = std::current_exception();
      }
    });
  }

  void think(const search::ThinkLimits& limits, const GoCommand& command) {
    const auto thought = player_->think(game_, limits, [&](const search::Thought& t) {
      inform(t);
      if (command.depth && !command.infinite && t.depth >= *command.depth) stop_ = true;
    });
    // An answer to `go infinite` waits for `stop`.
    while (command.infinite && !stop_) std::this_thread::sleep_for(milliseconds(2));
    if (!thought) {
      complain(thought.error().message);
      return say("bestmove (none)");
    }
    inform(*thought);
    if (!thought->move) return say("bestmove (none)");
    runtime::Game game(game_);
    const auto move = protocol_move(game, *thought->move, options_.protocol);
    say(move ? "bestmove " + *move : "bestmove (none)");
  }

  void inform(const search::Thought& thought) {
    const auto spent = std::chrono::duration_cast<milliseconds>(steady_clock::now() - begun_).count();
    const auto ms = static_cast<std::uint64_t>(std::max<std::int64_t>(1, spent));
    std::string line = fmt::format("info depth {} nodes {} time {} nps {} score {}", thought.depth,
                                   thought.nodes, ms, thought.nodes * 1000 / ms, score(thought));
    const std::string moves = line_of(thought);
    if (!moves.empty()) line += " pv " + moves;
    say(line);
    if (!thought.remark.empty()) say("info string " + on_one_line(printable(thought.remark)));
  }

  [[nodiscard]] std::string score(const search::Thought& thought) const {
    const auto plies = static_cast<int>(thought.line.size());
    const int distance = uci() ? (plies + 1) / 2 : plies; // UCI counts moves of both
    if (thought.proof == search::Proof::win && plies > 0) return fmt::format("mate {}", distance);
    if (thought.proof == search::Proof::loss && plies > 0) return fmt::format("mate -{}", distance);
    return fmt::format("cp {}", centipawns(thought.value));
  }

  // The expected moves, as far as they are legal one after the other.
  [[nodiscard]] std::string line_of(const search::Thought& thought) const {
    constexpr std::size_t kMostShown = 12;
    runtime::Game game(game_);
    Words words;
    for (std::size_t i = 0; i < thought.line.size() && i < kMostShown; ++i) {
      const auto move = game.find(thought.line[i]);
      if (!move || !*move) break;
      const auto word = protocol_move(game, **move, options_.protocol);
      if (!word || !game.play(**move)) break;
      words.push_back(*word);
    }
    return joined(words.begin(), words.end());
  }

  void stop_thinking() {
    if (!thinking_.joinable()) return;
    stop_ = true;
    thinking_.join();
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }

  // ---- questions

  void answer(const Words& words) {
    const std::string what = words.size() > 1 ? words[1] : "";
    if (what == "p1turn") return say(game_.to_move() == 0 ? "response true" : "response false");
    const auto outcome = game_.outcome();
    if (!outcome) return complain(outcome.error().message);
    if (what == "gameover") return say(*outcome ? "response true" : "response false");
    if (what != "result") return complain("query p1turn|gameover|result");
    if (!*outcome) return say("response none");
    const std::uint32_t winners = (*outcome)->winners;
    const bool first = (winners & 1U) != 0, second = (winners & 2U) != 0;
    say(first == second ? "response draw" : first ? "response p1win" : "response p2win");
  }

  void show() {
    std::istringstream board(draw_board(program(), game_.position(), {}) +
                             describe_rest(program(), game_.position()));
    for (std::string line; std::getline(board, line);) say("info string " + line);
  }

  interpreter::Loaded loaded_;
  ProtocolOptions options_;
  std::shared_ptr<const search::NamedWeights> weights_; // what was learnt of the game
  Console& console_;
  runtime::Game game_;
  bool good_ = true;    // the last `position` was understood
  Words begin_, moves_; // what it said
  std::shared_ptr<search::Player> player_;
  std::thread thinking_;
  std::exception_ptr thrown_; // by it
  std::atomic<bool> stop_ = false;
  std::atomic<bool> gone_ = false; // nobody reads what is said
  steady_clock::time_point begun_;
  std::mutex speaking_;
};

} // namespace

Exit serve(const ProtocolOptions& options, Console& console) {
  auto loaded = load_game(options.game, console);
  if (!loaded) return loaded.error();
  const std::size_t players = loaded->rules->program().players.size();
  if (!is_for_two(*loaded)) {
    console.error(fmt::format("the protocol is for games of two; {} has {} player{}", options.game.reference,
                              players, players == 1 ? "" : "s"));
    return Exit::at_fault;
  }
  auto weights = find_weights(options.weights, options.game, *loaded, console);
  if (!weights) return weights.error();
  return Server(std::move(*loaded), options, std::move(*weights), console).run();
}

} // namespace boardwright::tools
