// Here the engine keeps the game, its clock and whose turn it has: commands change them one by one, and a
// move is answered by another one unless `force` was said. What is said while it thinks waits for its end,
// but for `?` and `.`, and for what makes the move useless.
#include "tools/commands/xboard.hpp"

#include "dsl/text.hpp"
#include "interpreter/notation/position_text.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/commands/protocol_lines.hpp"
#include "tools/engines/think_time.hpp"
#include "tools/games/algebraic.hpp"
#include "tools/games/game_index.hpp"
#include "tools/records/formats/titles.hpp"
#include "tools/records/game_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <utility>

namespace boardwright::tools {
namespace {

namespace search = runtime::search;
using Words = std::vector<std::string>;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kHintTime{300};
constexpr double kLongestSeconds = std::chrono::duration<double>(kLongestTime).count();
constexpr int kMateScore = 100'000;
constexpr int kMostMovesOfSession = 10'000;

// After these nobody wants the move any more that is thought about.
constexpr std::array<std::string_view, 9> kEndsThinking = {"new",  "force",  "result",  "setboard", "undo",
                                                           "exit", "remove", "analyze", "variant"};
// What needs no answer, and changes nothing here.
constexpr std::array<std::string_view, 20> kPassedOver = {
    "xboard", "accepted", "rejected", "random", "hard", "easy", "computer", "name", "rating", "ics",
    "draw",   "bk",       "pause",    "resume", "otim", "nps",  "lift",     "put",  "hover",  "egtpath"};

template <class Names>
bool is_among(const Names& names, std::string_view word) {
  return std::find(names.begin(), names.end(), word) != names.end();
}

// "300" or "2.5" as milliseconds; nothing where it is no such number.
std::optional<std::int64_t> ms_of_seconds(const std::string& text) {
  const auto seconds = dsl::number_in<double>(text);
  if (!seconds || !(*seconds >= 0)) return std::nullopt;
  return std::llround(std::min(*seconds, kLongestSeconds) * 1000);
}

// "5" or "0:30", of minutes and seconds.
std::optional<std::int64_t> ms_of_minutes(const std::string& text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const auto minutes = dsl::number_in<double>(text.substr(0, colon));
  const auto seconds =
      colon == text.size() ? std::optional(0.0) : dsl::number_in<double>(text.substr(colon + 1));
  if (!minutes || !seconds || !(*minutes >= 0) || !(*seconds >= 0)) return std::nullopt;
  return std::llround(std::min(*minutes * 60 + *seconds, kLongestSeconds) * 1000);
}

std::string in_quotes(std::string text) {
  std::replace(text.begin(), text.end(), '"', '\'');
  return "\"" + on_one_line(printable(text)) + "\"";
}

class XboardServer {
public:
  XboardServer(ProtocolEngine& engine, Console& console)
      : engine_(engine), lines_(console), game_(engine.rules()) {}

  Exit run() {
    return lines_.run([this](const std::string& line) { return take(line); },
                      [this](const LineToObey& line) { obey(line); });
  }

private:
  [[nodiscard]] const runtime::Program& program() const { return engine_.program(); }
  void say(const std::string& line) { lines_.say(line); }
  void complain(const std::string& about, const std::string& what) {
    say(fmt::format("Error ({}): {}", about, quotable(on_one_line(what))));
  }

  // ---- the thread that reads

  // False: it is over.
  bool take(const std::string& line) {
    const Words words = words_of(line);
    if (words.empty()) return true;
    const std::string& word = words.front();
    if (word == "quit") return false;
    if (word == "?") return lines_.stop(), true;
    if (word == ".") return tell_state(), true;
    if (word.front() == '#') return true;
    // Analysing goes on behind whatever was said meanwhile.
    if (is_among(kEndsThinking, word) || reads_analysis_) lines_.drop();
    if (word == "analyze" || word == "exit") reads_analysis_ = word == "analyze";
    if (!lines_.enqueue({line, std::make_shared<Going>()}))
      complain("too many lines wait for the end of the thinking", word);
    return true;
  }

  // How far the analysis has come: hundredths of a second, positions, depth; noughts for how many moves of
  // the position are left, as not all searches go through them one by one.
  void tell_state() {
    const std::lock_guard<std::mutex> lock(told_);
    if (reads_analysis_ && state_) say(*state_);
  }

  // ---- the thread that works

  using Do = void (XboardServer::*)(const Words& words, Going& going);
  struct Row {
    std::string_view word;
    Do does;
  };
  static const std::vector<Row>& rows() {
    using X = XboardServer;
    static const std::vector<Row> kRows = {
        {"protover", &X::tell_features},
        {"new", &X::begin_anew},
        {"variant", &X::choose_variant},
        {"force", &X::force},
        {"result", &X::force},
        {"go", &X::go},
        {"playother", &X::play_other},
        {"level", &X::set_level},
        {"st", &X::set_time},
        {"sd", &X::set_depth},
        {"time", &X::set_clock},
        {"usermove", &X::user_move},
        {"undo", &X::take_back},
        {"remove", &X::take_back},
        {"setboard", &X::set_board},
        {"post", &X::post},
        {"nopost", &X::post},
        {"hint", &X::hint},
        {"analyze", &X::analyze},
        {"exit", &X::analyze},
        {"ping", &X::pong},
        {"memory", &X::set_by_command},
        {"cores", &X::set_by_command},
        {"option", &X::set_option},
    };
    return kRows;
  }

  void obey(const LineToObey& command) {
    if (command.left_out > 0) return complain("a line of more bytes isn't read", grouped(command.left_out));
    const Words words = words_of(command.line);
    const auto row = std::find_if(rows().begin(), rows().end(),
                                  [&](const Row& known) { return known.word == words.front(); });
    if (row != rows().end())
      (this->*row->does)(words, *command.going);
    else if (!is_among(kPassedOver, words.front()))
      other_word(words, *command.going);
    if (analyses_) think_on(*command.going);
    lines_.done(*command.going);
  }

  // A move without `usermove` before it, of who didn't hear that it is to be there.
  void other_word(const Words& words, Going& going) {
    const auto move = words.size() == 1 ? move_meant(words.front()) : std::nullopt;
    if (!move) return complain("unknown command", words.front());
    user_move({"usermove", words.front()}, going);
  }

  void tell_features(const Words&, Going&) {
    say("feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=0 sigint=0 sigterm=0 reuse=1 "
        "analyze=1 colors=0 name=0 ics=0 pause=0 nps=0 debug=1 memory=1 smp=1");
    say("feature myname=" + in_quotes("Boardwright " + program().game));
    say(fmt::format("feature variants=\"{}\"", fmt::join(variants(), ",")));
    for (const EngineOption& option : engine_.all_options(false)) {
      if (option.name == "Player") say("feature option=" + in_quotes("Player -string " + option.value));
      if (option.name == "Skill Level")
        say(fmt::format("feature option=\"{} -spin {} {} {}\"", option.name, option.value, option.low,
                        option.high));
    }
    say("feature done=1");
  }

  // ---- variants

  // The game that xboard calls so: one of that title, or of that name.
  [[nodiscard]] static std::string game_named(const std::string& variant) {
    return name_of_title(title_of("xboard", variant)).value_or(variant);
  }
  // What xboard has names for, the game that the command line named first.
  [[nodiscard]] std::vector<std::string> variants() const {
    std::vector<std::string> names = {engine_.variant()};
    for (const std::string& name : names_in_format("xboard"))
      (game_named(name) == engine_.variant() ? names.front() : names.emplace_back()) = name;
    return names;
  }

  void choose_variant(const Words& words, Going&) {
    if (words.size() != 2) return complain("which variant", "variant");
    const auto chosen = engine_.choose_game(game_named(words[1]), false);
    if (!chosen) return complain(chosen.error(), words[1]);
    set_up();
  }

  void begin_anew(const Words&, Going&) {
    engine_.first_game();
    set_up();
    side_ = 1;
    depth_.reset();
    if (const auto made = engine_.new_player(); !made) complain("player", made.error());
  }
  void set_up() {
    game_ = runtime::Game(engine_.rules());
    clock_.left = base_;
  }

  void set_board(const Words& words, Going&) {
    const std::string fen = fmt::format("{}", fmt::join(words.begin() + 1, words.end(), " "));
    auto read = interpreter::read_position(engine_.rules(), "setboard", fen);
    if (!read.game) {
      say("tellusererror Illegal position");
      for (const dsl::Diagnostic& told : read.diagnostics.all())
        say("# " + on_one_line(printable(told.message)));
      return;
    }
    game_ = std::move(*read.game);
  }

  // ---- whose turn

  void force(const Words&, Going&) { side_ = kNobody; }
  void go(const Words&, Going& going) {
    side_ = game_.to_move();
    answer(going);
  }
  void play_other(const Words&, Going&) { side_ = 1 - game_.to_move(); }

  std::optional<runtime::Move> move_meant(const std::string& word) {
    const auto found = find_protocol_move(game_, word, Protocol::xboard);
    if (found && *found) return *found;
    return find_algebraic(game_, word).value_or(std::nullopt);
  }

  void user_move(const Words& words, Going& going) {
    if (words.size() != 2) return complain("which move", "usermove");
    const auto outcome = game_.outcome();
    const auto move = outcome && !*outcome ? move_meant(words[1]) : std::nullopt;
    if (!move) {
      const char* why = outcome && *outcome ? " (the game is over)" : "";
      return say(fmt::format("Illegal move{}: {}", why, quotable(words[1])));
    }
    if (const auto played = game_.play(*move); !played) return complain(played.error().message, words[1]);
    if (!tell_result() && side_ == game_.to_move()) answer(going);
  }

  // One move, by `remove` one of each.
  void take_back(const Words& words, Going&) {
    const int moves = words.front() == "remove" ? 2 : 1;
    if (game_.length() < moves) return complain("there is no such move", words.front());
    for (int i = 0; i < moves; ++i) game_.undo();
  }

  // Whether the game is over: then how it ended is told.
  bool tell_result() {
    const auto outcome = game_.outcome();
    if (!outcome) return complain("a rule went wrong", outcome.error().message), true;
    if (!*outcome) return false;
    const std::uint32_t winners = (*outcome)->winners;
    const char* result = (*outcome)->shares != 0 ? "*"
                         : winners == 1          ? "1-0"
                         : winners == 2          ? "0-1"
                                                 : "1/2-1/2";
    std::string why = on_one_line(printable(result_text(engine_.loaded(), **outcome)));
    std::replace(why.begin(), why.end(), '}', ')');
    say(fmt::format("{} {{{}}}", result, why));
    return true;
  }

  // ---- time

  // level MOVES MINUTES[:SECONDS] INCREMENT
  void set_level(const Words& words, Going&) {
    const auto moves = words.size() == 4 ? dsl::number_in<int>(words[1]) : std::nullopt;
    const auto base = moves ? ms_of_minutes(words[2]) : std::nullopt;
    const auto increment = base ? ms_of_seconds(words[3]) : std::nullopt;
    if (!increment || *moves < 0) return complain("level MOVES MINUTES INCREMENT", words.front());
    session_ = std::min(*moves, kMostMovesOfSession);
    base_ = *base;
    clock_ = {*base, *increment};
    exactly_.reset();
    timed_ = true;
  }
  void set_time(const Words& words, Going&) {
    const auto time = words.size() == 2 ? ms_of_seconds(words[1]) : std::nullopt;
    if (!time) return complain("st SECONDS", words.front());
    exactly_ = milliseconds(std::max<std::int64_t>(1, *time));
  }
  // Hundredths of a second; below 0 where the flag has fallen.
  void set_clock(const Words& words, Going&) {
    const auto time = words.size() == 2 ? dsl::number_in<std::int64_t>(words[1]) : std::nullopt;
    if (!time) return complain("time HUNDREDTHS", words.front());
    const auto longest = static_cast<std::int64_t>(kLongestSeconds) * 100;
    clock_.left = std::clamp<std::int64_t>(*time, 0, longest) * 10;
    timed_ = true;
  }
  void set_depth(const Words& words, Going&) {
    const auto depth = words.size() == 2 ? dsl::number_in<int>(words[1]) : std::nullopt;
    if (!depth || *depth < 1) return complain("sd DEPTH", words.front());
    depth_ = depth;
  }
  // From now on, of the player to move.
  void limit_time(search::ThinkLimits& limits, steady_clock::time_point begin) const {
    if (exactly_ || !timed_) return void(limits.deadline = begin + exactly_.value_or(kUsualTime));
    Clock clock = clock_;
    if (session_ > 0) clock.moves_to_go = moves_until_more(session_, moves_made(game_, game_.to_move()));
    limit_by(limits, begin, clock);
  }
  // After its move, of the player who made it.
  void charge(milliseconds spent, int player) {
    clock_.left = std::max<std::int64_t>(0, clock_.left - spent.count()) + clock_.increment;
    if (session_ > 0 && moves_until_more(session_, moves_made(game_, player)) == session_)
      clock_.left += base_;
  }

  // ---- thinking

  tl::expected<search::Thought, runtime::Fault> think(const search::ThinkLimits& limits, Going& going,
                                                      std::optional<int> depth) {
    begun_ = steady_clock::now();
    return engine_.player().think(game_, limits, [&](const search::Thought& thought) {
      inform(thought);
      if (depth && thought.depth >= *depth) *going.stop = true;
    });
  }

  // Its move, unless nobody wants it any more.
  void answer(Going& going) {
    if (tell_result()) return;
    search::ThinkLimits limits;
    const auto begin = steady_clock::now();
    const int player = game_.to_move();
    limit_time(limits, begin);
    limits.stop = going.stop.get();
    const auto thought = think(limits, going, depth_);
    if (going.dropped) return;
    if (!thought) return complain("a rule went wrong", thought.error().message);
    if (!thought->move) return void(tell_result());
    inform(*thought);
    const auto word = protocol_move(game_, *thought->move, Protocol::xboard);
    const auto played = word ? game_.play(*thought->move) : tl::unexpected(word.error());
    if (!played) return complain("a rule went wrong", played.error().message);
    charge(std::chrono::duration_cast<milliseconds>(steady_clock::now() - begin), player);
    say("move " + *word);
    tell_result();
  }

  void hint(const Words&, Going& going) {
    search::ThinkLimits limits;
    limits.deadline = steady_clock::now() + kHintTime;
    limits.stop = going.stop.get();
    const auto thought = engine_.player().think(game_, limits);
    if (!thought || !thought->move) return;
    if (const auto word = protocol_move(game_, *thought->move, Protocol::xboard)) say("Hint: " + *word);
  }

  // Until the next line comes.
  void think_on(Going& going) {
    const auto outcome = game_.outcome();
    if (!outcome || *outcome) return;
    search::ThinkLimits limits;
    limits.stop = going.stop.get();
    if (const auto thought = think(limits, going, std::nullopt); thought)
      inform(*thought);
    else
      complain("a rule went wrong", thought.error().message);
  }

  void analyze(const Words& words, Going&) {
    analyses_ = words.front() == "analyze";
    if (analyses_) side_ = kNobody;
  }

  // Depth, hundredths of a piece, hundredths of a second, positions, the line.
  void inform(const search::Thought& thought) {
    if (!posts_ && !analyses_) return;
    const auto spent = std::chrono::duration_cast<milliseconds>(steady_clock::now() - begun_).count();
    remember_state(thought, spent / 10);
    const int plies = (static_cast<int>(thought.line.size()) + 1) / 2;
    const int score = thought.proof == search::Proof::win    ? kMateScore + plies
                      : thought.proof == search::Proof::loss ? -kMateScore - plies
                                                             : centipawns(thought.value);
    const Words line = line_by(Protocol::xboard, game_, thought);
    say(fmt::format("{} {} {} {} {}", thought.depth, score, spent / 10, thought.nodes, fmt::join(line, " ")));
    for (const std::string& remark : engine_.new_remarks(thought.remark)) say("# " + remark);
  }

  void remember_state(const search::Thought& thought, std::int64_t hundredths) {
    const std::lock_guard<std::mutex> lock(told_);
    state_ = fmt::format("stat01: {} {} {} 0 0", hundredths, thought.nodes, thought.depth);
  }

  // ---- the rest

  void post(const Words& words, Going&) { posts_ = words.front() == "post"; }
  void pong(const Words& words, Going&) { say("pong" + (words.size() > 1 ? " " + quotable(words[1]) : "")); }
  // memory MEGABYTES, cores NUMBER
  void set_by_command(const Words& words, Going&) {
    set(words.front() == "memory" ? "Hash" : "Threads", words.size() > 1 ? words[1] : "");
  }
  // option NAME=VALUE
  void set_option(const Words& words, Going&) {
    const std::string text = fmt::format("{}", fmt::join(words.begin() + 1, words.end(), " "));
    const std::size_t equals = std::min(text.find('='), text.size());
    set(text.substr(0, equals), text.substr(std::min(equals + 1, text.size())));
  }
  void set(const std::string& name, const std::string& text) {
    if (const auto set = engine_.set_option(name, text, false); !set) complain(set.error(), name);
  }

  static constexpr int kNobody = -1;

  ProtocolEngine& engine_;
  ProtocolLines lines_;
  bool reads_analysis_ = false;      // of the thread that reads: as far as lines were read
  std::mutex told_;                  // for `state_`
  std::optional<std::string> state_; // of what was thought last
  runtime::Game game_;
  int side_ = 1; // for whom it moves; kNobody: moves are entered
  bool posts_ = false, analyses_ = false;
  Clock clock_;                         // its own
  bool timed_ = false;                  // it has been set
  std::int64_t base_ = 0;               // of `level`: what comes with each session
  int session_ = 0;                     // and its moves; 0: there is but one
  std::optional<milliseconds> exactly_; // of `st`
  std::optional<int> depth_;            // of `sd`
  steady_clock::time_point begun_;
};

} // namespace

Exit serve_xboard(ProtocolEngine& engine, Console& console) { return XboardServer(engine, console).run(); }

} // namespace boardwright::tools
