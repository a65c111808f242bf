// Players that think, at the prompt of `play`: their turns, and what they say when they are asked.
#include "dsl/text.hpp"
#include "runtime/game/spelling.hpp"
#include "runtime/model/meter.hpp"
#include "tools/engines/external_player.hpp"
#include "tools/engines/opponents.hpp"
#include "tools/engines/other_moves.hpp"
#include "tools/engines/weights_file.hpp"
#include "tools/play/play_session.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace boardwright::tools {

namespace search = runtime::search;

// Ctrl-C ends the thinking, and nothing else, where somebody sits at the prompt; a second one leaves.
Session::Thinking Session::think(search::Player& player, std::optional<Seconds> time, Standing* standing,
                                 std::optional<Seconds> most) {
  const runtime::Meter::Use nobody(nullptr); // it has a time, or a number of positions
  search::ThinkLimits limits;
  limits.stop = &interrupted();
  const auto after = [now = std::chrono::steady_clock::now()](Seconds seconds) {
    return now + std::chrono::duration_cast<std::chrono::steady_clock::duration>(seconds);
  };
  if (time) limits.deadline = after(*time);
  if (most) limits.latest = after(*most);
  if (options_.nodes) limits.most_nodes = *options_.nodes;
  const int mover = game().to_move();
  if (!console_.flush()) return search::Thought{};
  Thinking thought = player.think(game(), limits, [&](search::Thought so_far) {
    if (standing != nullptr) standing->told(so_far);
    calibrate(so_far, calibration_.value_or(search::Calibration()), mover, program().player_count());
    const auto room = static_cast<std::size_t>(std::max(console_.width() - 2, 1));
    console_.progress(thinking_shown_ ? quotable(thought_text(program(), mover, so_far), room)
                                      : runtime::with_verb(name_of(mover), "think"));
  });
  console_.clear_progress();
  broken_off_ = interrupted();
  if (seats_.any_person() && interrupted()) forget_interrupt();
  return thought;
}

// A limit of positions alone makes games that are the same every time.
std::optional<Seconds> Session::own_time() const {
  constexpr double kUsual = 1;
  if (!options_.seconds && options_.nodes) return std::nullopt;
  return Seconds(options_.seconds.value_or(kUsual));
}

std::optional<Seconds> Session::time_for(int player) const {
  return clocks_.running() ? clocks_.share(player) : own_time();
}

Session::Step Session::thinker_turn() {
  const int player = game().to_move();
  const auto thought = think(*seats_.at(player).thinks, time_for(player), nullptr,
                             clocks_.running() ? std::optional(clocks_.most(player)) : std::nullopt);
  if (!thought) {
    const std::string why = failure_of(*seats_.at(player).thinks);
    return why.empty() ? tl::unexpected(thought.error()) : ask_no_more(player, why);
  }
  if (!seats_.any_person() && interrupted()) return true; // run() leaves
  if (has_resigned(*seats_.at(player).thinks)) return give_up();
  if (!thought->move) return play_random(); // it wasn't given the time to think of any
  undone_.clear();
  const Step made = make(*thought->move);
  if (thinking_shown_) {
    search::Thought shown = *thought;
    calibrate(shown, calibration(), player, program().player_count());
    console_.out(fmt::format("   {}\n", thought_text(program(), player, shown)));
  }
  return made;
}

// Another program has failed. Whoever sits at the prompt plays its side himself, or leaves; the game is kept.
Session::Step Session::ask_no_more(int player, const std::string& why) {
  console_.error(printable(why));
  if (!reader_.interactive() || !seats_.any_person()) {
    player_failed_ = true;
    return false;
  }
  seats_.give_up(seats_.at(player).thinks);
  console_.out(fmt::format("it isn't asked any more: the moves of {} are yours, or `quit`, and the game is "
                           "kept\n",
                           name_of(player)));
  return true;
}

search::Player* Session::adviser() {
  if (adviser_) return adviser_.get();
  auto weights = find_weights(options_.weights, options_.game, open_.loaded, console_);
  if (!weights) return nullptr;
  auto made = make_opponent("auto", open_.loaded.rules, {seed_, 1, std::move(*weights), ""});
  if (!made) {
    console_.out(printable(made.error()) + "\n");
    return nullptr;
  }
  adviser_ = std::move(*made);
  return adviser_.get();
}

// What the adviser's values are worth in this game: learnt once, when he is asked for the first time.
const search::Calibration& Session::calibration() {
  if (calibration_) return *calibration_;
  constexpr std::uint64_t kNodesToLearn = 200'000;
  constexpr auto kTimeToLearn = std::chrono::seconds(1);
  const runtime::Meter::Use nobody(nullptr); // likewise
  search::CalibrationLimits limits;
  limits.seed = seed_;
  limits.stop = &interrupted();
  limits.most_nodes = options_.nodes ? std::min(*options_.nodes, kNodesToLearn) : kNodesToLearn;
  if (own_time()) limits.deadline = std::chrono::steady_clock::now() + kTimeToLearn;
  const auto weights = find_weights(options_.weights, options_.game, open_.loaded, console_);
  calibration_ = weights ? calibration_for("auto", open_.loaded.rules, {seed_, 1, *weights, ""}, limits)
                         : search::Calibration();
  return *calibration_;
}

bool Session::thinker_agrees() {
  constexpr double kClear = 0.55; // he who offers stands better, even if it isn't all true
  if (program().players.size() != 2) return false;
  search::Player* player = adviser();
  const auto thought = player != nullptr ? think(*player, time_for(game().to_move())) : Thinking();
  if (player == nullptr || !thought) return false;
  if (thought->proof != search::Proof::unknown) return thought->proof != search::Proof::loss;
  return thought->value >= kClear;
}

// What was thought of this position before counts, too: who is asked twice doesn't say two things.
tl::expected<std::optional<search::Thought>, runtime::Fault> Session::advice() {
  search::Player* player = adviser();
  if (player == nullptr) return std::nullopt;
  std::string moves;
  for (const Played& played : played_) moves += played.move + "\n";
  if (moves != standing_after_) standing_ = Standing();
  standing_after_ = std::move(moves);
  standing_.begin(calibration(), game().to_move(), program().player_count());
  auto thought = think(*player, own_time(), &standing_);
  if (!thought) return tl::unexpected(thought.error());
  standing_.ended(*thought);
  return std::optional(std::move(*thought));
}

// "Red: somewhat better"; alone one's chances are all that there is to tell.
std::string Session::standing_text() {
  const std::string& name = name_of(game().to_move());
  if (program().player_count() > 1)
    return fmt::format("{}: {}", name, standing_.words(program().player_count()));
  return fmt::format("{}: {}", name, value_text(standing_.value(), standing_.proof()));
}

Session::Step Session::hint(const std::string&) {
  const auto thought = advice();
  if (!thought) return tl::unexpected(thought.error());
  if (!*thought) return true;
  if (!(*thought)->move) return console_.out("no move comes to mind\n"), true;
  const auto text = runtime::spelling(game(), *(*thought)->move);
  if (!text) return tl::unexpected(text.error());
  console_.out(fmt::format("{} ({})\n", printable(as_read(*text, game().to_move())), standing_text()));
  return true;
}

Session::Step Session::eval(const std::string&) {
  constexpr std::size_t kMost = 6; // moves of the line
  const auto thought = advice();
  if (!thought) return tl::unexpected(thought.error());
  if (!*thought) return true;
  const auto& line = (*thought)->line;
  const auto end = line.begin() + static_cast<std::ptrdiff_t>(std::min(line.size(), kMost));
  std::string text = standing_text();
  if (!line.empty())
    text +=
        fmt::format("; it may go on {}{}", fmt::join(line.begin(), end, " "), end == line.end() ? "" : " …");
  say(printable(text) + "\n");
  return true;
}

Session::Step Session::analyse(const std::string& seconds) {
  constexpr std::size_t kMost = 5;
  constexpr double kLongest = 86'400;
  const auto time = dsl::number_in<double>(seconds);
  if (!seconds.empty() && !(time && *time > 0 && *time <= kLongest)) {
    console_.out("`analyse` takes a number of seconds: analyse 10\n");
    return true;
  }
  search::Player* player = adviser();
  if (player == nullptr) return true;
  const auto limit = seconds.empty() ? own_time() : Seconds(*time);
  auto thought = think(*player, limit);
  if (!thought) return tl::unexpected(thought.error());
  OtherMoves others{kMost, std::nullopt, options_.nodes, &interrupted()};
  if (limit) others.time = std::chrono::duration_cast<std::chrono::nanoseconds>(*limit);
  if (!broken_off_) {
    const runtime::Meter::Use nobody(nullptr);
    add_other_moves(*player, game(), others, *thought);
  }
  calibrate(*thought, calibration(), game().to_move(), program().player_count());
  if (seats_.any_person() && interrupted()) forget_interrupt();
  console_.out(thought_text(program(), game().to_move(), *thought) + "\n");
  const std::size_t shown = std::min(thought->candidates.size(), kMost);
  for (std::size_t i = 0; i < shown; ++i) {
    const search::Candidate& candidate = thought->candidates[i];
    const auto text = runtime::spelling(game(), candidate.move);
    if (!text) return tl::unexpected(text.error());
    const std::string visits =
        candidate.visits > 0 ? fmt::format(", {} visits", grouped(candidate.visits)) : "";
    console_.out(
        fmt::format("  {}: {}{}\n", printable(*text), value_text(candidate.value, candidate.proof), visits));
  }
  return true;
}

} // namespace boardwright::tools
