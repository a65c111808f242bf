#include "tools/engines/xboard_player.hpp"

#include "dsl/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace boardwright::tools {

namespace search = runtime::search;
using std::chrono::milliseconds;

namespace {

// Where nothing limits the thinking but who stops it: an hour for all moves.
constexpr const char* kEndless = "level 0 60 0";
// Scores from here on are mates.
constexpr int kMateFrom = 100'000;
// Depth, score, time, positions; the moves come behind them.
constexpr std::size_t kFiguresOfThought = 4;

// `name=1 other="a, b"`: names and values.
std::vector<std::pair<std::string, std::string>> features_in(std::string_view line) {
  std::vector<std::pair<std::string, std::string>> features;
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) return features;
    std::string name(line.substr(0, equals));
    line.remove_prefix(equals + 1);
    const bool quoted = line.starts_with('"');
    if (quoted) line.remove_prefix(1);
    const std::size_t end = std::min(line.find_first_of(quoted ? "\"" : " \t"), line.size());
    features.emplace_back(std::move(name), line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
}

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

} // namespace

void XboardPlayer::read_features(const std::string& line) {
  for (const auto& [name, value] : features_in(std::string_view(line).substr(sizeof("feature") - 1))) {
    const bool on = value == "1";
    if (name == "done") done_ = on;
    if (name == "usermove") usermove_ = on;
    if (name == "ping") pings_ = on;
    if (name == "setboard") setboard_ = on;
    if (name == "variants") variants_ = split_at_commas(value);
    // Moves are coordinates: in another notation they would be others.
    const bool refused = name == "san" && on;
    if (name != "done" || on) say((refused ? "rejected " : "accepted ") + name);
  }
}

tl::expected<void, runtime::Fault> XboardPlayer::greet() {
  done_ = usermove_ = pings_ = setboard_ = false;
  variants_.clear();
  told_ = 0;
  own_.clear();
  say("xboard");
  say("protover 2");
  const auto told = wait_for_line("protover 2", [this](const std::string& line) {
    if (line.starts_with("feature ")) read_features(line);
    return done_;
  });
  if (!told) return tl::unexpected(told.error());
  say("easy");
  say("post");
  return {};
}

// A program that plays several games is told which one, where it knows the name; else it plays what it plays
// unasked, and a move that isn't legal there ends it.
tl::expected<void, runtime::Fault> XboardPlayer::begin_game() {
  told_ = 0;
  own_.clear();
  say("new");
  const bool is_first = !variants_.empty() && variants_.front() == choice().game;
  if (!is_first && std::find(variants_.begin(), variants_.end(), choice().game) != variants_.end())
    say("variant " + choice().game);
  say("force");
  const std::string& position = followed().position();
  if (position.empty()) return {};
  if (!setboard_) return fail("takes no position to begin with");
  say("setboard " + position);
  return {};
}

tl::expected<void, runtime::Fault> XboardPlayer::tell_game(const runtime::Game& game) {
  const auto goes_on = followed().follow(game);
  if (!goes_on) return tl::unexpected(goes_on.error());
  if (!*goes_on)
    if (auto begun = begin_game(); !begun) return begun;
  const std::vector<std::string> moves = followed().moves();
  if (!own_.empty()) {
    if (told_ < moves.size() && moves[told_] == own_)
      ++told_;
    else
      say("undo"); // another one was played
    own_.clear();
  }
  for (; told_ < moves.size(); ++told_) say((usermove_ ? "usermove " : "") + moves[told_]);
  return wait_until_done();
}

// What it has been told so far may take it longer than to think.
tl::expected<void, runtime::Fault> XboardPlayer::wait_until_done() {
  if (!pings_) return {};
  const std::string number = std::to_string(++pings_sent_);
  say("ping " + number);
  const auto answer = wait_for_line("ping " + number, [&](const std::string& line) {
    if (line.starts_with("Illegal") || line.starts_with("Error") || line.starts_with("tellusererror"))
      remark(line);
    return line == "pong " + number;
  });
  return answer ? tl::expected<void, Fault>() : tl::unexpected(answer.error());
}

// Times of whole seconds are a move's own; others are what is left for the last move of a session.
void XboardPlayer::tell_time(const Thinking& thinking) {
  if (!thinking.time) return say(kEndless);
  const std::int64_t ms = thinking.time->count();
  if (ms >= 1000) return say(fmt::format("st {}", ms / 1000));
  say("level 1 0:01 0");
  const std::int64_t hundredths = std::max<std::int64_t>(1, ms / 10);
  say(fmt::format("time {}", hundredths));
  say(fmt::format("otim {}", hundredths));
}

// 5 31 120 40000 e2e4 e7e5
void XboardPlayer::read_thought(const std::vector<std::string>& words) {
  if (words.size() <= kFiguresOfThought) return;
  const auto depth = dsl::number_in<int>(words[0].substr(0, words[0].find_first_not_of("0123456789")));
  const auto score = dsl::number_in<int>(words[1]);
  const auto nodes = dsl::number_in<std::uint64_t>(words[3]);
  if (!depth || !score || !nodes) return;
  thought().depth = *depth;
  thought().nodes = *nodes;
  const bool is_mate = *score >= kMateFrom || *score <= -kMateFrom;
  thought().value = is_mate ? (*score > 0 ? 1 : 0) : value_of_centipawns(*score);
  expect({words.begin() + kFiguresOfThought, words.end()});
}

std::optional<std::string> XboardPlayer::read(const std::vector<std::string>& words) {
  if (words[0] == "move" && words.size() == 2) return words[1];
  if (words[0] == "resign") return words[0];
  // `0-1 {White resigns}` is said as well; other results are told behind a move.
  const bool is_result = words[0] == "1-0" || words[0] == "0-1";
  if (is_result &&
      dsl::to_lower(fmt::format("{}", fmt::join(words, " "))).find("resign") != std::string::npos)
    return "resign";
  if (words[0] == "Error" || words[0] == "Illegal" || words[0] == "tellusererror")
    remark(fmt::format("{}", fmt::join(words, " ")));
  read_thought(words);
  return std::nullopt;
}

tl::expected<std::string, runtime::Fault> XboardPlayer::answer(const Thinking& thinking) {
  const bool counts = thinking.limits.most_nodes != search::ThinkLimits().most_nodes;
  if (counts && !thinking.time)
    return fail("can't be told a number of positions: this protocol needs a time for a move");
  tell_time(thinking);
  say("go");
  const bool patient = !thinking.time && thinking.limits.stop != nullptr;
  auto move = listen(thinking, patient, "?", [this](const auto& words) { return read(words); });
  if (!move) return move;
  say("force");
  if (*move == "resign") return move; // there is nothing on its board that would have to be taken back
  own_ = *move;
  runtime::Game game = thinking.game; // it may write the move otherwise than we do
  if (const auto found = find_protocol_move(game, *move, Protocol::xboard); found && *found)
    if (const auto written = protocol_move(game, **found, Protocol::xboard)) own_ = *written;
  return move;
}

} // namespace boardwright::tools
