// The protocols are UGI (github.com/kz04px/ugi) and UCI (Huber, Meyer-Kahlen 2000), whose form UGI has. One
// thread reads, another one does what is read, in order, and thinks; what both say goes out a line at a time.
// Only `stop`, `ponderhit`, `quit` and `isready` are for a search that is going on; all else waits for its
// end.
#include "tools/commands/protocol.hpp"

#include "dsl/finder.hpp"
#include "dsl/text.hpp"
#include "interpreter/notation/position_text.hpp"
#include "runtime/game/perft.hpp"
#include "runtime/model/shares.hpp"
#include "runtime/search/levels.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/commands/protocol_seen.hpp"
#include "tools/console/line_reader.hpp"
#include "tools/engines/alarm.hpp"
#include "tools/engines/best_lines.hpp"
#include "tools/engines/go_command.hpp"
#include "tools/engines/opponents.hpp"
#include "tools/engines/weights_file.hpp"
#include "tools/games/game_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <deque>
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

// Bytes of lines that wait while it thinks; programs send a handful of lines.
constexpr std::size_t kMostWaiting = std::size_t{32} << 20;
constexpr std::size_t kLineOverhead = 64; // bytes of a line besides its text
constexpr int kMostMegabytes = 1 << 20;
constexpr int kUsualMegabytes = 64; // of alpha-beta; a tree grows to more where nothing is said

// A `go`, from when it is read on: it may be stopped before it has begun.
struct Going {
  std::shared_ptr<std::atomic<bool>> stop = std::make_shared<std::atomic<bool>>(false);
  std::atomic<bool> held = false; // the answer waits: for `stop`, or for `ponderhit`
  bool counts = false;            // moves, instead of thinking
  std::optional<milliseconds> time;
};

// What remarks of players begin with that whoever reads a log learns from no other line.
constexpr std::array<std::string_view, 3> kWorthTelling = {"alphabeta: ", "mcts: ", "a rule went wrong"};

// In place of a line that is too long to be read.
const std::string kTooLong = "\n"; // begins no line

struct Command {
  std::string line;
  std::shared_ptr<Going> going; // of a `go`
};

bool is_for_two(const interpreter::Loaded& loaded) { return loaded.rules->program().players.size() == 2; }

class Server {
public:
  Server(interpreter::Loaded loaded, const ProtocolOptions& options,
         std::shared_ptr<const search::Learnt> weights, Console& console)
      : loaded_(std::move(loaded)), options_(options), weights_(std::move(weights)), console_(console),
        game_(loaded_.rules), game_asked_(variant()) {}
  ~Server() { finish(); }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  Exit run() {
    if (const auto made = new_player(); !made) {
      console_.error("--player: " + made.error());
      return Exit::usage;
    }
    worker_ = std::thread([this] { work(); });
    LineReader reader(kMaxProtocolLineBytes);
    for (;;) {
      const auto line = reader.read("");
      if (line && reader.too_long())
        enqueue({kTooLong + grouped(reader.longest()), nullptr});
      else if (!line || !take(*line))
        break;
      if (gone_) break;
    }
    finish();
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
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

  // ---- the thread that reads

  // False: it is over.
  bool take(const std::string& line) {
    const Words words = words_of(line);
    if (words.empty()) return true;
    const std::string& word = words.front();
    if (word == "quit") return false;
    if (word == "stop") return stop(), true;
    if (word == "ponderhit") return hit(), true;
    if (word == "isready" && is_thinking()) return say("readyok"), true;
    if (word != "go") return enqueue({line, nullptr}), true;
    auto going = std::make_shared<Going>();
    const GoCommand command =
        read_go({words.begin() + 1, words.end()}, true); // whose turn it is doesn't matter
    going->counts = command.perft.has_value();
    going->held = (command.infinite || command.ponder) && !going->counts;
    return enqueue({line, std::move(going)}), true;
  }

  void enqueue(Command command) {
    {
      const std::lock_guard<std::mutex> lock(waiting_for_);
      const std::size_t bytes = command.line.size() + kLineOverhead;
      if (waiting_bytes_ + bytes <= kMostWaiting) {
        waiting_bytes_ += bytes;
        if (command.going) goings_.push_back(command.going);
        waiting_.push_back(std::move(command));
        arrived_.notify_one();
        return;
      }
    }
    complain(fmt::format("lines of more than {} bytes wait for the end of the thinking; this one isn't read",
                         grouped(kMostWaiting)));
  }

  [[nodiscard]] bool is_thinking() {
    const std::lock_guard<std::mutex> lock(waiting_for_);
    return !goings_.empty();
  }
  // Stops what thinks; is there still something that counts?
  bool is_counting() {
    const std::lock_guard<std::mutex> lock(waiting_for_);
    bool counts = false;
    for (const auto& going : goings_)
      if (going->counts)
        counts = true;
      else
        *going->stop = true;
    return counts;
  }
  void stop() {
    const std::lock_guard<std::mutex> lock(waiting_for_);
    for (const auto& going : goings_) *going->stop = true;
  }
  // The opponent plays what was expected: from now on the time counts.
  void hit() {
    const std::lock_guard<std::mutex> lock(waiting_for_);
    if (goings_.empty()) return;
    Going& going = *goings_.back();
    if (going.time) alarm_.set(steady_clock::now() + *going.time, going.stop);
    going.held = false;
  }
  // Thinking ends at once. Counts are finished: who pipes commands in sends the end right behind them.
  void finish() {
    if (!worker_.joinable()) return;
    while (is_counting() && !interrupted() && !gone_) std::this_thread::sleep_for(milliseconds(2));
    stop();
    {
      const std::lock_guard<std::mutex> lock(waiting_for_);
      closed_ = true;
    }
    arrived_.notify_one();
    worker_.join();
    alarm_.call_off();
  }

  // ---- the thread that works

  void work() {
    try {
      while (const auto command = next()) obey(*command);
    } catch (...) { // there is no memory
      thrown_ = std::current_exception();
      gone_ = true;
    }
  }

  // Nothing: there will be no more.
  std::optional<Command> next() {
    std::unique_lock<std::mutex> lock(waiting_for_);
    arrived_.wait(lock, [this] { return closed_ || !waiting_.empty(); });
    if (waiting_.empty()) return std::nullopt;
    Command command = std::move(waiting_.front());
    waiting_.pop_front();
    waiting_bytes_ -= command.line.size() + kLineOverhead;
    return command;
  }

  void obey(const Command& command) {
    if (command.line.rfind(kTooLong, 0) == 0) {
      complain(fmt::format("a line of more than {} bytes isn't read", command.line.substr(1)));
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
    say("option name Player type string default " + options_.player);
    say(fmt::format("option name Threads type spin default {} min 1 max {}", options_.threads, kMaxThreads));
    say(fmt::format("option name Hash type spin default {} min 1 max {}", kUsualMegabytes, kMostMegabytes));
    say(fmt::format("option name MultiPV type spin default 1 min 1 max {}", kMostLines));
    say("option name Ponder type check default false");
    say(fmt::format("option name Skill Level type spin default {0} min {1} max {0}", search::kLastLevel,
                    search::kFirstLevel));
    if (uci()) {
      say("option name UCI_Variant type combo default " + variant() + " var " + variants());
      say("option name UCI_Chess960 type check default false");
      say("option name UCI_LimitStrength type check default false");
      say(fmt::format("option name UCI_Elo type spin default {0} min {1} max {0}", search::kLastElo,
                      search::kFirstElo));
    }
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

  // What options say of who thinks.
  struct Thinker {
    std::string description;
    int threads;
    std::optional<int> megabytes;
    bool operator==(const Thinker&) const = default;
  };
  [[nodiscard]] Thinker thinker() const {
    const std::string held_back = fmt::format("level:{}", search::level_of_elo(elo_));
    return {limited_ ? held_back : options_.player, options_.threads, megabytes_};
  }

  tl::expected<void, std::string> new_player() {
    const Thinker who = thinker();
    auto player =
        make_opponent(who.description, loaded_.rules,
                      {options_.seed, who.threads, weights_, options_.game.reference, true, who.megabytes});
    if (!player) return tl::unexpected(player.error());
    player_ = std::move(*player);
    remarks_.clear();
    return {};
  }

  // setoption name NAME value VALUE
  void set_option(const Words& words) {
    const auto value = std::find(words.begin(), words.end(), "value");
    if (words.size() < 3 || words[1] != "name" || value == words.end())
      return complain("setoption name NAME value VALUE");
    const std::string name = joined(words.begin() + 2, value), text = joined(value + 1, words.end());
    if (name == "Ponder") return; // a program says that it will: nothing is done otherwise
    if (name == "UCI_Variant" && uci()) return choose_game(text, dealt_);
    if (name == "UCI_Chess960" && uci()) {
      if (text != "true" && text != "false") return complain(name + ": true or false");
      return choose_game(game_asked_, text == "true");
    }
    const Thinker same = thinker();
    const ProtocolOptions before = options_;
    const auto memory_before = megabytes_;
    const bool limited_before = limited_;
    const int elo_before = elo_;
    if (name == "MultiPV") return set_number(name, text, 1, kMostLines, lines_), void();
    if (name == "UCI_LimitStrength" && uci()) {
      if (text != "true" && text != "false") return complain(name + ": true or false");
      limited_ = text == "true";
    } else if (name == "UCI_Elo" && uci()) {
      if (!set_number(name, text, search::kFirstElo, search::kLastElo, elo_)) return;
    } else if (name == "Player") {
      options_.player = text;
    } else if (name == "Threads") {
      if (!set_number(name, text, 1, kMaxThreads, options_.threads)) return;
    } else if (name == "Hash") {
      int megabytes = 0;
      if (!set_number(name, text, 1, kMostMegabytes, megabytes)) return;
      megabytes_ = megabytes;
    } else if (name == "Skill Level") {
      int level = 0;
      if (!set_number(name, text, search::kFirstLevel, search::kLastLevel, level)) return;
      options_.player = level == search::kLastLevel ? "auto" : fmt::format("level:{}", level);
    } else {
      return complain("there is no option `" + quotable(name) + "`");
    }
    if (thinker() == same) return; // a new one would have forgotten what it knows of the game
    if (const auto made = new_player(); !made) {
      options_ = before;
      megabytes_ = memory_before;
      limited_ = limited_before;
      elo_ = elo_before;
      complain(made.error());
    }
  }

  bool set_number(const std::string& name, const std::string& text, int low, int high, int& target) {
    const auto number = dsl::number_in<std::int64_t>(text);
    if (!number || *number < low || *number > high)
      return complain(fmt::format("{}: a number from {} to {}", name, low, high)), false;
    target = static_cast<int>(*number);
    return true;
  }

  static bool is_known(const std::string& name) {
    const auto known = dsl::known_games();
    return std::find(known.begin(), known.end(), name) != known.end();
  }

  // UCI tells the game, and apart from that whether its first row is dealt by lot. Here this is another game,
  // which is called by the same name and 960, if there is one.
  void choose_game(const std::string& name, bool dealt) {
    const bool other = dealt && is_known(name + "960");
    if (load_game(other ? name + "960" : name)) game_asked_ = name, dealt_ = dealt;
  }

  // Another game by its name, with its options as they are. Only known games: no files are opened for whoever
  // speaks here.
  bool load_game(const std::string& name) {
    if (name == variant()) return true;
    if (!is_known(name))
      return complain("there is no game `" + quotable(name) + "`; the game is " + variant()), false;
    auto loaded = interpreter::load(name);
    if (!loaded)
      return complain("the game `" + quotable(name) + "` does not load: " + loaded.errors()), false;
    if (!is_for_two(loaded))
      return complain("the protocol is for games of two; " + quotable(name) + " isn't"), false;
    const GameChoice choice{name, {}, ""};
    auto weights = find_weights("", choice, loaded, console_);
    if (!weights) return complain("the weights of `" + quotable(name) + "` can't be read"), false;
    loaded_ = std::move(loaded);
    weights_ = std::move(*weights);
    options_.game = choice;
    new_game();
    return true;
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
    game_ = runtime::Game(loaded_.rules);
    if (kind == "startpos") return true;
    const std::string fen = joined(words.begin() + (kind == "fen" ? 2 : 1), words.end());
    auto read = interpreter::read_position(loaded_.rules, "fen", fen);
    if (!read.game) return complain("the position is wrong: " + read.errors()), false;
    for (const dsl::Diagnostic& told : read.diagnostics.all())
      say("info string warning: " + on_one_line(printable(told.message)));
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

  void go(const Words& words, Going& going) {
    if (!good_) {
      complain("there is no position to think about");
      return answer(going, "(none)");
    }
    Words said(words.begin() + 1, words.end());
    if (!is_for_who_moves(said)) return answer(going, "(none)");
    const GoCommand command = read_go(said, game_.to_move() == 0);
    for (const std::string& fault : command.faults) complain(fault);
    if (command.perft) return count_moves(*command.perft, going);
    search::ThinkLimits limits;
    begun_ = steady_clock::now();
    if (command.time && !command.infinite) {
      const std::lock_guard<std::mutex> lock(waiting_for_);
      if (going.held)
        going.time = milliseconds(*command.time);
      else
        limits.deadline = begun_ + milliseconds(*command.time);
      if (limits.deadline && command.latest && lines_ == 1)
        limits.latest = begun_ + milliseconds(*command.latest);
    }
    if (command.nodes) limits.most_nodes = *command.nodes;
    limits.stop = going.stop.get();
    limits.only = allowed(command.only);
    const auto best = lines_ > 1 ? think_of_several(limits, command, going) : think(limits, command, going);
    // An answer to `go infinite` waits for `stop`, one to `go ponder` for `ponderhit` as well.
    while (going.held && !*going.stop) std::this_thread::sleep_for(milliseconds(2));
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
    done(going);
    say("bestmove " + best);
  }
  void done(const Going& going) {
    const std::lock_guard<std::mutex> lock(waiting_for_);
    std::erase_if(goings_, [&](const auto& other) { return other.get() == &going; });
  }

  // `go perft N`: the counts below each move, and of all of them.
  void count_moves(int depth, const Going& going) {
    std::uint64_t all = 0;
    const auto fault = count_each(depth, going, all);
    done(going);
    if (fault) return complain(fault->message);
    if (*going.stop) return complain("go perft: stopped before all was counted");
    say("");
    say(fmt::format("Nodes searched: {}", all));
    say("");
  }

  std::optional<runtime::Fault> count_each(int depth, const Going& going, std::uint64_t& all) {
    runtime::Game game(game_);
    const auto words = protocol_moves(game, options_.protocol);
    if (!words) return words.error();
    for (std::size_t i = 0; i < words->size() && !*going.stop && !gone_; ++i) {
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
      const auto found = find_protocol_move(game_, word, options_.protocol);
      if (found && *found)
        moves.push_back((*found)->index());
      else
        complain("searchmoves: `" + quotable(word) + "` is not legal, and left out");
    }
    return moves;
  }

  // The move that is chosen, in one word.
  std::string think(const search::ThinkLimits& limits, const GoCommand& command, Going& going) {
    const auto thought = player_->think(game_, limits, [&](const search::Thought& t) {
      inform(t);
      if (is_enough(t, command)) *going.stop = true;
    });
    if (!thought) return complain(thought.error().message), "(none)";
    if (!thought->move) return tell_end(), "(none)";
    inform(*thought);
    return answer_of(*thought);
  }

  std::string think_of_several(const search::ThinkLimits& limits, const GoCommand& command, Going& going) {
    const auto lines = best_lines(*player_, game_, limits, lines_, [&](const auto& round) {
      for (std::size_t i = 0; i < round.size(); ++i) inform(round[i], i + 1);
      if (is_enough(round.front(), command)) *going.stop = true;
    });
    if (!lines) return complain(lines.error().message), "(none)";
    if (lines->empty()) return tell_end(), "(none)";
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
    const std::string best = protocol_move(game, *thought.move, options_.protocol).value_or("(none)");
    const Words line = line_of(thought);
    return line.size() > 1 && line.front() == best ? best + " ponder " + line[1] : best;
  }

  // There is no move: what the game has come to, for the player to move.
  void tell_end() {
    const auto outcome = game_.outcome();
    if (!outcome || !*outcome) return say("info depth 0 score cp 0");
    const std::uint32_t winners = (*outcome)->winners, mine = 1U << game_.to_move();
    if ((*outcome)->shares != 0) {
      const auto players = static_cast<int>(program().players.size());
      const auto chance = static_cast<double>(runtime::share(**outcome, game_.to_move(), players));
      return say(fmt::format("info depth 0 score cp {}", centipawns(chance)));
    }
    const bool lost = winners != 0 && (winners & mine) == 0, won = winners == mine;
    if (lost) return say("info depth 0 score mate 0");
    say(fmt::format("info depth 0 score cp {}", won ? centipawns(1) : 0));
  }

  void inform(const search::Thought& thought, std::size_t number = 0) {
    const auto spent = std::chrono::duration_cast<milliseconds>(steady_clock::now() - begun_).count();
    const auto ms = static_cast<std::uint64_t>(std::max<std::int64_t>(1, spent));
    std::string line = fmt::format("info depth {} ", thought.depth);
    if (number > 0) line += fmt::format("multipv {} ", number);
    line += fmt::format("nodes {} time {} nps {} score {}", thought.nodes, ms, thought.nodes * 1000 / ms,
                        score(thought));
    const Words moves = line_of(thought);
    if (!moves.empty()) line += " pv " + joined(moves.begin(), moves.end());
    say(line);
    tell_remarks(thought.remark);
  }

  // Which search thinks and why, and that a rule went wrong, once each: figures stand in the other lines.
  void tell_remarks(std::string_view remarks) {
    while (!remarks.empty()) {
      const auto end = std::min(remarks.find("; "), remarks.size());
      const std::string remark = on_one_line(printable(std::string(remarks.substr(0, end))));
      remarks.remove_prefix(std::min(end + 2, remarks.size()));
      const bool worth = std::any_of(kWorthTelling.begin(), kWorthTelling.end(),
                                     [&](std::string_view begin) { return remark.starts_with(begin); });
      if (worth && remarks_.insert(remark).second) say("info string " + remark);
    }
  }

  [[nodiscard]] std::string score(const search::Thought& thought) const {
    const auto plies = static_cast<int>(thought.line.size());
    const int distance = uci() ? (plies + 1) / 2 : plies; // UCI counts moves of both
    if (thought.proof == search::Proof::win && plies > 0) return fmt::format("mate {}", distance);
    if (thought.proof == search::Proof::loss && plies > 0) return fmt::format("mate -{}", distance);
    return fmt::format("cp {}", centipawns(thought.value));
  }

  // The expected moves, as far as they are legal one after the other.
  [[nodiscard]] Words line_of(const search::Thought& thought) const {
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
    return words;
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
    if (const auto line = chance_line(game_, options_.protocol))
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

  interpreter::Loaded loaded_;
  ProtocolOptions options_;
  std::shared_ptr<const search::Learnt> weights_; // what was learnt of the game
  Console& console_;
  runtime::Game game_;
  std::string game_asked_; // its name, as `UCI_Variant` has it
  bool dealt_ = false;     // `UCI_Chess960`
  bool good_ = true;       // the last `position` was understood
  Words begin_, moves_;    // what it said
  std::shared_ptr<search::Player> player_;
  std::set<std::string> remarks_; // of his that have been told
  std::optional<int> megabytes_;  // of what is remembered of positions
  int lines_ = 1;                 // that are told
  bool limited_ = false;          // plays as the level of `elo_`, whatever the player
  int elo_ = search::kLastElo;
  steady_clock::time_point begun_;

  std::thread worker_;
  std::exception_ptr thrown_;      // by it
  std::atomic<bool> gone_ = false; // nobody reads what is said, or it can't go on
  std::mutex speaking_;

  std::mutex waiting_for_; // for what follows
  std::condition_variable arrived_;
  std::deque<Command> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::vector<std::shared_ptr<Going>> goings_; // that have not been answered
  bool closed_ = false;                        // no more will come
  Alarm alarm_;
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

namespace {

void declare_protocol(CommandLine& line, Protocol protocol, const char* name, const char* about,
                      const char* examples) {
  auto& options = line.options<ProtocolOptions>();
  CLI::App& command = line.add(name, about, examples);
  add_game(command, options.game);
  command.add_option("--player", options.player, "Who thinks, as for `match` (auto)")->type_name("PLAYER");
  line.choices[std::string(name) + " --player"] = players_to_choose();
  add_number<std::uint64_t>(command, "--seed", options.seed, 0, kMaxCount, "Of its random numbers (1)");
  add_weights(command, options.weights);
  add_number<int>(command, "--threads", options.threads, 1, kMaxThreads, "How many think (1)");
  options.protocol = protocol;
  line.runs(command, [&options](Console& console) {
    if (options.protocol == Protocol::uci) options.variants = games_of_two();
    return serve(options, console);
  });
}

} // namespace

void declare_ugi(CommandLine& line) {
  declare_protocol(
      line, Protocol::ugi, "ugi",
      "Plays for another program over standard input and output, in the Universal Game Interface",
      "  boardwright ugi GAME\n  boardwright ugi GAME --player level:5");
}

void declare_uci(CommandLine& line) {
  declare_protocol(line, Protocol::uci, "uci",
                   "The same in UCI, for interfaces and tournament managers that drive engines",
                   "  boardwright uci GAME\n  boardwright uci GAME --threads 2");
}

} // namespace boardwright::tools
