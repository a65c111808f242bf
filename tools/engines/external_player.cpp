#include "tools/engines/external_player.hpp"

#include "dsl/text.hpp"
#include "tools/console/console.hpp"
#include "tools/engines/gtp_player.hpp"
#include "tools/engines/xboard_player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

namespace boardwright::tools {

namespace search = runtime::search;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

// What a person is told while it thinks: not more often than he can read.
constexpr milliseconds kTelling{100};
// How late an answer may be before it is asked for by `stop`: on its way, on a busy machine.
constexpr milliseconds kLate{50};
// Of the moves that it expects: as many as are shown.
constexpr std::size_t kMostExpected = 12;

template <class Number>
Number number_at_start(const std::string& text) {
  Number value{};
  (void)std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string seconds_text(milliseconds time) {
  return fmt::format("{} s", static_cast<double>(time.count()) / 1000);
}

// `score cp 31`, `score mate -3`. What another program says is certain isn't proven here.
void read_score(const std::string& kind, const std::string& number, search::Thought& thought) {
  const int score = number_at_start<int>(number);
  if (kind == "cp") {
    thought.value = value_of_centipawns(score);
    thought.remark.clear();
  } else if (kind == "mate") {
    thought.value = score > 0 ? 1 : 0;
    thought.remark = fmt::format("mate in {}", score);
  }
}

} // namespace

std::unique_ptr<ExternalPlayer> ExternalPlayer::make(EngineChoice choice) {
  switch (choice.protocol) {
  case Protocol::xboard: return std::make_unique<XboardPlayer>(std::move(choice));
  case Protocol::gtp: return std::make_unique<GtpPlayer>(std::move(choice));
  default: return std::make_unique<ExternalPlayer>(std::move(choice));
  }
}

tl::expected<std::unique_ptr<ExternalPlayer>, std::string> ExternalPlayer::start(EngineChoice choice) {
  auto player = make(std::move(choice));
  if (const auto begun = player->begin(); !begun) return tl::unexpected(begun.error().message);
  return player;
}

void ExternalPlayer::leave() {
  if (child_) child_->say("quit");
  child_.reset();
}

// What it says from now on isn't to be trusted, so it ends.
tl::unexpected<runtime::Fault> ExternalPlayer::fail(const std::string& what) {
  leave();
  followed_.forget();
  failure_ = fmt::format("`{}` {}", quotable(choice_.command), what);
  if (!remark_.empty()) failure_ += fmt::format("; it said: {}", quotable(remark_));
  return tl::unexpected(Fault{failure_, 0});
}

tl::unexpected<runtime::Fault> ExternalPlayer::gone() { return fail(child_->ending()); }

// ---- getting ready

tl::expected<void, runtime::Fault> ExternalPlayer::begin() {
  remark_.clear();
  variants_.clear();
  auto started = ChildProcess::start(choice_.command);
  if (!started) return fail(started.error());
  child_ = std::move(*started);
  return greet();
}

tl::expected<void, runtime::Fault> ExternalPlayer::greet() {
  const std::string prefix = prefix_of(choice_.protocol);
  child_->say(prefix);
  if (auto greeted = wait_for(prefix + "ok"); !greeted) return greeted;
  return choose_game();
}

// A program that plays several games is told which one.
tl::expected<void, runtime::Fault> ExternalPlayer::choose_game() {
  if (variants_.empty() || choice_.game == variants_.front()) return {};
  if (std::find(variants_.begin(), variants_.end(), choice_.game) == variants_.end()) {
    std::string names = fmt::format("{}", fmt::join(variants_.begin() + 1, variants_.end(), " "));
    return fail(fmt::format("doesn't know the game `{}`; it knows {}", quotable(choice_.game),
                            quotable(names.empty() ? variants_.front() : names, 1000)));
  }
  child_->say("setoption name " + option_of_games_ + " value " + choice_.game);
  return {};
}

tl::expected<void, runtime::Fault> ExternalPlayer::wait_for(const std::string& word) {
  const auto line = wait_for_line(word, [&](const std::string& said) {
    const bool is_it = words_of(said) == std::vector<std::string>{word};
    if (!is_it) read_option(said);
    return is_it;
  });
  return line ? tl::expected<void, Fault>() : tl::unexpected(line.error());
}

tl::expected<std::string, runtime::Fault>
ExternalPlayer::wait_for_line(const std::string& what,
                              const std::function<bool(const std::string&)>& is_wanted) {
  const auto until = steady_clock::now() + choice_.limits.ready;
  std::string line;
  for (std::size_t said = 0; said <= choice_.limits.most_said; said += line.size() + 1) {
    switch (child_->hear(line, until)) {
    case ChildProcess::Heard::line: break;
    case ChildProcess::Heard::end: return gone();
    case ChildProcess::Heard::too_long: return fail("writes a line without end");
    default:
      return fail(fmt::format("doesn't answer `{}` within {}", what, seconds_text(choice_.limits.ready)));
    }
    if (is_wanted(line)) return line;
  }
  return fail(fmt::format("says too much instead of `{}`", what));
}

// option name UCI_Variant type combo default NAME var NAME..., or USI_Variant
void ExternalPlayer::read_option(const std::string& line) {
  if (line.starts_with("info string ")) remark_ = line.substr(12);
  const auto words = words_of(line);
  const bool names_games = words.size() > 2 && words[0] == "option" && words[1] == "name" &&
                           (words[2] == "UCI_Variant" || words[2] == "USI_Variant");
  if (!names_games) return;
  option_of_games_ = words[2];
  std::vector<std::string> names{""};
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "default") names.front() = words[i + 1];
    if (words[i] == "var") names.push_back(words[i + 1]);
  }
  variants_ = std::move(names);
}

tl::expected<void, runtime::Fault> ExternalPlayer::tell_game(const runtime::Game& game) {
  const auto goes_on = followed_.follow(game);
  if (!goes_on) return tl::unexpected(goes_on.error());
  if (!*goes_on) {
    const std::string new_game = std::string(prefix_of(choice_.protocol)) + "newgame";
    const bool is_ready_first = choice_.protocol == Protocol::usi;
    if (!is_ready_first) child_->say(new_game);
    child_->say("isready");
    if (auto ready = wait_for("readyok"); !ready) return ready;
    if (is_ready_first) child_->say(new_game);
  }
  child_->say(followed_.command());
  return {};
}

// ---- thinking

tl::expected<search::Thought, runtime::Fault> ExternalPlayer::think(const runtime::Game& game,
                                                                    const search::ThinkLimits& limits,
                                                                    const search::OnThought& on_thought) {
  failure_.clear();
  remark_.clear();
  resigned_ = false;
  thought_ = Thought();
  expected_.clear();
  Thinking thinking{game, limits, on_thought, std::nullopt};
  // Starting it and telling it the game isn't thinking.
  if (limits.deadline)
    thinking.time = std::chrono::round<milliseconds>(*limits.deadline - steady_clock::now());
  else if (limits.cpu_time)
    thinking.time = std::chrono::round<milliseconds>(*limits.cpu_time);
  if (thinking.time) thinking.time = std::max(*thinking.time, milliseconds(1));
  runtime::Game copy = game;
  const auto outcome = copy.outcome();
  if (!outcome) return tl::unexpected(outcome.error());
  if (*outcome) return Thought();
  if (!child_)
    if (const auto begun = begin(); !begun) return tl::unexpected(begun.error());
  if (const auto told = tell_game(game); !told) return tl::unexpected(told.error());
  const auto word = answer(thinking);
  if (!word) return tl::unexpected(word.error());
  return finished(game, *word);
}

// USI has no word for a time that is a move's own: it is byoyomi without anything before it.
std::string ExternalPlayer::go_command(const Thinking& thinking, bool& endless) const {
  std::string go = "go";
  if (thinking.time && choice_.protocol == Protocol::usi)
    go += fmt::format(" btime 0 wtime 0 byoyomi {}", thinking.time->count());
  else if (thinking.time)
    go += fmt::format(" movetime {}", thinking.time->count());
  const bool counts = thinking.limits.most_nodes != search::ThinkLimits().most_nodes;
  if (counts) go += fmt::format(" nodes {}", thinking.limits.most_nodes);
  endless = !thinking.time && !counts;
  return endless ? go + " infinite" : go;
}

// The word behind `bestmove`.
tl::expected<std::string, runtime::Fault> ExternalPlayer::answer(const Thinking& thinking) {
  bool endless = false;
  child_->say(go_command(thinking, endless));
  const bool patient = endless && thinking.limits.stop != nullptr;
  return listen(thinking, patient, "stop", [&](const std::vector<std::string>& words) {
    if (words[0] == "info") read_info(words);
    if (words[0] != "bestmove") return std::optional<std::string>();
    return std::optional(words.size() > 1 ? words[1] : std::string());
  });
}

// `patient`: as long as nobody stops it.
tl::expected<std::string, runtime::Fault> ExternalPlayer::listen(const Thinking& thinking, bool patient,
                                                                 const std::string& stop_word,
                                                                 const Read& read) {
  const EngineLimits& limits = choice_.limits;
  const auto begun = steady_clock::now();
  auto told = begun;
  std::optional<steady_clock::time_point> until;
  bool stopped = false;
  const auto stop = [&] {
    if (!stop_word.empty()) child_->say(stop_word);
    stopped = true;
    until = steady_clock::now() + limits.grace;
  };
  if (thinking.time) until = begun + *thinking.time + kLate;
  std::size_t said = 0;
  for (std::string line; said <= limits.most_said;) {
    if (!thinking.time && !stopped && !patient) until = steady_clock::now() + limits.silence;
    const auto heard = child_->hear(line, until, stopped ? nullptr : thinking.limits.stop);
    if (heard == ChildProcess::Heard::end) return gone();
    if (heard == ChildProcess::Heard::too_long) return fail("writes a line without end");
    if (heard == ChildProcess::Heard::stop ||
        (heard == ChildProcess::Heard::nothing && thinking.time && !stopped)) {
      stop();
      continue;
    }
    if (heard == ChildProcess::Heard::nothing)
      return fail(stopped ? fmt::format("has no move {} after its time", seconds_text(limits.grace))
                          : fmt::format("says nothing for {}", seconds_text(limits.silence)));
    said += line.size() + 1;
    const auto words = words_of(line);
    if (words.empty()) continue;
    if (auto found = read(words)) return std::move(*found);
    const auto now = steady_clock::now();
    if (!thinking.tell || expected_.empty() || now - told < kTelling) continue;
    told = now;
    thought_.line = expected_line(thinking.game);
    thinking.tell(thought_);
  }
  return fail(fmt::format("says more than {} bytes about one move", grouped(limits.most_said)));
}

// info depth 9 nodes 812345 score cp 31 pv e2e4 e7e5; info string TEXT
void ExternalPlayer::read_info(const std::vector<std::string>& words) {
  const auto place = std::find(words.begin(), words.end(), "multipv");
  if (place != words.end() && place + 1 != words.end() && place[1] != "1") return; // not the best line
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    const std::string& next = words[i + 1];
    const auto rest = words.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    if (word == "string") {
      remark_ = fmt::format("{}", fmt::join(rest, words.end(), " "));
      return;
    }
    if (word == "depth") thought_.depth = number_at_start<int>(next);
    if (word == "nodes") thought_.nodes = number_at_start<std::uint64_t>(next);
    if (word == "score" && i + 2 < words.size()) read_score(next, words[i + 2], thought_);
    if (word != "pv") continue;
    expected_.assign(rest, words.end());
    return;
  }
}

// In the notation of the game, as far as it is legal.
std::vector<std::string> ExternalPlayer::expected_line(const runtime::Game& game) const {
  std::vector<std::string> line;
  runtime::Game walking = game;
  for (std::size_t i = 0; i < std::min(expected_.size(), kMostExpected); ++i) {
    const auto move = find_protocol_move(walking, expected_[i], choice_.protocol);
    if (!move || !*move) break;
    auto text = walking.notation(**move);
    if (!text || !walking.play(**move)) break;
    line.push_back(std::move(*text));
  }
  return line;
}

tl::expected<search::Thought, runtime::Fault> ExternalPlayer::finished(const runtime::Game& game,
                                                                       const std::string& answer) {
  if (dsl::to_lower(answer) == "resign") {
    resigned_ = true;
    return Thought();
  }
  runtime::Game copy = game;
  const auto move = find_protocol_move(copy, answer, choice_.protocol);
  if (!move) return tl::unexpected(move.error());
  if (!*move)
    return fail(answer.empty() || answer == "(none)"
                    ? "has no move, though there are some"
                    : fmt::format("plays `{}`, which is not legal", quotable(answer)));
  if (expected_.empty() || expected_.front() != answer) expected_ = {answer};
  thought_.line = expected_line(game);
  thought_.move = *move;
  thought_.candidates = {{**move, thought_.value, 0, search::Proof::unknown}};
  return thought_;
}

std::string failure_of(const search::Player& player) {
  const auto* external = dynamic_cast<const ExternalPlayer*>(&player);
  return external != nullptr ? external->failure() : "";
}

bool has_resigned(const search::Player& player) {
  const auto* external = dynamic_cast<const ExternalPlayer*>(&player);
  return external != nullptr && external->resigned();
}

} // namespace boardwright::tools
