// How a session of `play` begins: its record, games that were left unfinished, and those that take the place
// of the one on the board.
#include "dsl/about.hpp"
#include "dsl/text.hpp"
#include "interpreter/notation/position_text.hpp"
#include "runtime/game/spelling.hpp"
#include "tools/console/text_file.hpp"
#include "tools/console/wrapped.hpp"
#include "tools/engines/opponents.hpp"
#include "tools/engines/weights_file.hpp"
#include "tools/english/example_moves.hpp"
#include "tools/games/about_text.hpp"
#include "tools/play/play_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace boardwright::tools {
namespace {

bool is_path(const std::string& reference) {
  return reference.find('/') != std::string::npos || reference.ends_with(".yaml");
}

// "auto" and "level:3" as people call them.
std::string in_plain_words(const std::string& sitter) {
  if (sitter == "random") return "random moves";
  if (sitter == "auto") return "the computer at full strength";
  constexpr std::string_view kLevel = "level:";
  return sitter.starts_with(kLevel) ? "the computer at level " + sitter.substr(kLevel.size()) : sitter;
}

} // namespace

// A file by its whole path, so that it is the same game from any folder.
std::string Session::own_reference() const {
  const std::string& reference = options_.game.reference;
  std::error_code error;
  if (!is_path(reference)) return reference;
  const auto path = std::filesystem::weakly_canonical(reference, error);
  return error ? reference : path.string();
}

std::string Session::head(const std::string& reference) const {
  std::string text;
  for (const auto& [name, value] : tags_)
    text += interpreter::tag_line(name, name == "Rules" ? reference : value);
  for (int player = 0; player < program().player_count(); ++player)
    text += interpreter::tag_line("Player", name_of(player) + ": " + seats_.at(player).description);
  if (clocks_.running()) text += interpreter::tag_line("Clock", clock_text(clocks_.setting()));
  return text + "\n";
}

bool Session::begin() {
  // Moves that the position was given by are part of the game.
  if (game().length() > 0) {
    if (auto past = past_of(game())) {
      begin_ = std::move(past->begin);
      for (std::size_t i = 0; i < past->moves.size(); ++i)
        played_.push_back({past->players[i], std::move(past->moves[i])});
    }
  }
  tags_ = tags_of(open_, options_.game.reference, begin_);
  const bool keeps = reader_.interactive() && seats_.any_person();
  std::optional<Unfinished> earlier;
  if ((keeps || options_.resume) && !options_.fresh) earlier = offer_unfinished();
  if (keeps && !earlier && !gone_) seat_usual_opponent();
  if (!options_.record.empty() && !log_.record_to(options_.record, head(options_.game.reference)))
    return false;
  if (keeps && !earlier) log_.keep_in(games_folder(), program().game, head(own_reference()));
  given_moves_ = earlier ? 0 : played_.size();
  if (!log_all()) return false;
  if (earlier)
    log_.go_on(std::move(*earlier), played_.size(), program().game); // its file has the moves already
  if (others_wanted()) keep_anew();
  if (keeps && !gone_) introduce();
  return true;
}

// "Red: you; Blue: level:3", or that all of them sit here.
std::string Session::who_plays() const {
  if (program().players.size() == 1) return "you play alone";
  std::string text;
  int persons = 0;
  for (int player = 0; player < program().player_count(); ++player)
    persons += seats_.is_person(player) ? 1 : 0;
  for (int player = 0; player < program().player_count(); ++player) {
    const bool person = seats_.is_person(player);
    text += fmt::format("{}{}: {}", player == 0 ? "" : "; ", name_of(player),
                        !person        ? in_plain_words(seats_.at(player).description)
                        : persons == 1 ? "you"
                                       : "somebody here");
  }
  return text;
}

// What somebody wants to know who sits down at a board: what it is, how one wins, who plays, what to type.
void Session::introduce() {
  const auto width = static_cast<std::size_t>(std::max(console_.width() - 1, 30));
  std::string text = "\n" + program().game + "\n";
  std::string aim = std::string(told(program().about, dsl::kAim));
  if (aim.empty()) aim = std::string(told(program().about, "summary"));
  if (!aim.empty()) text += wrapped(aim, width) + "\n";
  text += wrapped(who_plays() +
                      (usual_opponent_ ? "; `level 1` to `level 10` or `level people` changes that" : ""),
                  width) +
          "\n";
  std::string how = "`help` tells the commands, `rules` the rules";
  if (const auto legal = game().notations(); legal && !legal->empty())
    how += fmt::format("; a move is written like {}", first_with_cell(program().board, *legal));
  console_.out(printable(text + wrapped(how, width) + "\n"));
}

// The moves so far.
bool Session::log_all() {
  if (!log_.wanted()) return true;
  return std::all_of(played_.begin(), played_.end(),
                     [&](const Played& played) { return log_.moved(name_of(played.player), played.move); });
}

Session::Answer Session::ask(const std::string& question, bool may_drop, bool others) {
  while (console_.flush()) {
    const auto line = reader_.read(question);
    if (!line) return Answer::none;
    const std::string word = dsl::to_lower(*line);
    if (word.empty() || word == "y" || word == "yes") return Answer::yes;
    if (word == "n" || word == "no") return Answer::no;
    if (may_drop && (word == "d" || word == "drop")) return Answer::drop;
    if (word == "quit" || word == "exit") return Answer::none;
    if (others && (word == "o" || word == "other")) return Answer::other;
    console_.out(!may_drop ? "yes or no\n"
                 : others
                     ? "yes, no (it stays, and a new game begins), drop (it is thrown away) or other (it "
                       "stays, and the one before it is offered)\n"
                     : "yes, no (it stays, and a new game begins) or drop (it is thrown away)\n");
  }
  return Answer::none;
}

// An earlier game that goes on; then it has taken the place of this one.
std::optional<Unfinished> Session::offer_unfinished() {
  if (!options_.game.position.empty()) return std::nullopt; // the position is what is wanted
  Tags tags = tags_;
  for (auto& [name, value] : tags)
    if (name == "Rules") value = own_reference();
  auto games = unfinished_games(games_folder(), tags);
  for (Unfinished& unfinished : games) {
    auto replayed = interpreter::replay_record(open_.loaded.rules, unfinished.record);
    if (!replayed) {
      set_aside(unfinished, replayed.error());
      continue;
    }
    if (auto misfit = misfit_of(open_.loaded, unfinished.record, *replayed)) {
      set_aside(unfinished, misfit->message);
      continue;
    }
    const std::size_t moves = replayed->moves.size();
    const auto mover = static_cast<std::size_t>(replayed->game.to_move());
    const bool others = &unfinished != &games.back();
    if (!options_.resume)
      say(fmt::format("a game of {} was left after {} move{}, {} to move\n",
                      quotable(unfinished.record.tag("Date")), moves, moves == 1 ? "" : "s",
                      printable(program().players[mover].name)));
    const std::string question = fmt::format("go on with it? [yes/no/drop{}] ", others ? "/other" : "");
    const Answer answer = options_.resume ? Answer::yes : ask(question, true, others);
    if (answer == Answer::yes) {
      if (replayed->rules_changed) console_.note("note: the rules have changed since\n");
      take_over(std::move(*replayed));
      seat_again(unfinished.record);
      return std::move(unfinished);
    }
    if (answer == Answer::other) continue;
    gone_ = answer == Answer::none; // who ends the input wants no new game
    if (gone_ || answer == Answer::no) return std::nullopt;
    unfinished.file.remove();
  }
  if (options_.resume) console_.note("note: there is no unfinished game of these rules; a new one begins\n");
  return std::nullopt;
}

// Who plays, or on what clocks, is said on the command line.
bool Session::others_wanted() const {
  return !options_.players.empty() || !options_.random.empty() || options_.clock;
}

void Session::seat_again(const interpreter::Record& record) {
  if (others_wanted()) return;
  constexpr std::string_view kLeft = "left: ";
  std::string told;
  auto weights = find_weights(options_.weights, options_.game, open_.loaded, console_);
  for (const std::string& tag : record.tags_named("Player")) {
    const std::size_t colon = tag.find(": ");
    const std::string who = colon == std::string::npos ? "person" : tag.substr(colon + 2);
    if (who == "person") continue;
    auto sitter = make_sitter(who, open_.loaded.rules,
                              {seed_++, 1, weights ? *weights : nullptr, options_.game.reference});
    const auto seated =
        sitter ? seats_.seat(tag.substr(0, colon), *sitter) : tl::unexpected(std::move(sitter.error()));
    if (seated)
      told += printable((told.empty() ? "" : ", ") + tag);
    else
      console_.note(fmt::format("note: {}; the moves of {} are yours\n", printable(seated.error()),
                                printable(tag.substr(0, colon))));
  }
  if (const auto clock = read_clock(record.tag("Clock"))) {
    clocks_ = Clocks(*clock, program().player_count());
    for (const std::string& comment : record.moves.back().comments)
      if (comment.starts_with(kLeft)) (void)clocks_.set_left(comment.substr(kLeft.size()));
    told += fmt::format("{}clocks {}", told.empty() ? "" : "; ", clocks_.left_text());
  }
  if (!told.empty()) console_.out(fmt::format("it goes on with {}\n", told));
}

std::string Session::clock_comment() const { return clocks_.running() ? "left: " + clocks_.left_text() : ""; }

void Session::keep_anew() {
  std::vector<std::pair<std::string, std::string>> moves;
  moves.reserve(played_.size());
  for (const Played& played : played_) moves.emplace_back(name_of(played.player), played.move);
  log_.keep_anew(head(own_reference()), moves, clock_comment());
}

// It would be offered in vain each time.
void Session::set_aside(Unfinished& unfinished, const std::string& why) {
  const std::string aside = unfinished.file.path() + ".old";
  (void)std::rename(unfinished.file.path().c_str(), aside.c_str());
  console_.note(fmt::format("note: an unfinished game of {} can't go on: {}; it is kept as `{}`\n",
                            quotable(unfinished.record.tag("Date")), printable(why), printable(aside)));
}

// The game as a record, or in the words of other programs. An error is a sentence.
tl::expected<std::string, std::string> Session::text_to_save(WrittenFormat format) {
  std::string text = head(options_.game.reference);
  for (std::size_t i = 0; i < played_.size(); ++i)
    text += interpreter::move_line(i + 1, name_of(played_[i].player), played_[i].move);
  if (ended_) text += interpreter::result_line(result_);
  if (format == WrittenFormat::record) return text;
  auto records = interpreter::read_records(text);
  if (!records) return tl::unexpected(records.error().message);
  auto replayed = interpreter::replay_record(open_.loaded.rules, records->front());
  if (!replayed) return tl::unexpected(replayed.error());
  OpenRecord open{std::move(records->front()), open_.loaded, std::move(*replayed), options_.game.reference};
  auto written = written_game(open, format);
  if (!written) return tl::unexpected(std::move(written.error().message));
  return std::move(*written);
}

Session::Step Session::save(const std::string& file) {
  if (file.empty()) {
    console_.out("`save` takes the name of a file: save game.txt, or save game.pgn for other programs\n");
    return true;
  }
  const auto text = text_to_save(format_of_ending(file));
  if (!text) {
    refused_ = std::max(refused_, Exit::at_fault);
    console_.out(printable(text.error()) + "\n");
    return true;
  }
  auto out = LockedFile::fresh(file);
  if (!out) {
    refused_ = Exit::files;
    console_.out(out.error() + "\n");
  } else if (const int error = out->append(*text)) {
    out->remove();
    refused_ = Exit::files;
    console_.out(fmt::format("can't write `{}`: {}\n", printable(file), std::strerror(error)));
  } else {
    console_.out(
        fmt::format("{} move{} in `{}`\n", played_.size(), played_.size() == 1 ? "" : "s", printable(file)));
  }
  return true;
}

// Options that a record has and this game has not, or the other way round: "size=4 here". "": none.
std::string Session::other_options(const interpreter::Record& record) const {
  const auto theirs = record.tags_named("Option");
  std::vector<std::string> ours, differ;
  for (const auto& [name, value] : tags_)
    if (name == "Option") ours.push_back(value);
  for (const std::string& option : theirs)
    if (std::find(ours.begin(), ours.end(), option) == ours.end()) differ.push_back(option + " there");
  for (const std::string& option : ours)
    if (std::find(theirs.begin(), theirs.end(), option) == theirs.end()) differ.push_back(option + " here");
  return fmt::format("{}", fmt::join(differ, ", "));
}

// A bare position, as `--position` takes it, or a file with one; false: it is none.
bool Session::load_position(const std::string& argument) {
  const bool given = is_position_text(argument);
  const auto text = given ? argument : read_text_file(argument, kMaxPositionBytes);
  if (!text) return false;
  // Records begin with tags, those of other programs with tags or a parenthesis.
  const std::size_t begin = text->find_first_not_of(" \t\r\n");
  if (begin == std::string::npos || (*text)[begin] == '[' || (*text)[begin] == '(') return false;
  const auto read = interpreter::read_position(open_.loaded.rules, given ? "load" : argument, *text);
  if (!read.game) {
    if (given) console_.out(printable(read.errors()));
    return false;
  }
  console_.out(printable(read.errors())); // warnings
  interpreter::Replayed replayed{*read.game, {}, {}, false, {}, {}, {}, {}};
  if (auto past = past_of(*read.game)) {
    replayed.moves = std::move(past->moves);
    replayed.players = std::move(past->players);
  }
  set_down();
  take_over(std::move(replayed));
  given_moves_ = played_.size();
  return true;
}

Session::Step Session::load(const std::string& file) {
  if (file.empty() || file == "-") {
    console_.out("`load` takes the name of a file: load game.txt\n");
    return true;
  }
  if (load_position(file)) return begin_another();
  if (is_position_text(file)) { // what is wrong with it has been told
    refused_ = std::max(refused_, Exit::at_fault);
    return true;
  }
  auto given = read_record({file, 0, ""});
  refused_ = std::max(refused_, given ? Exit::good : given.error().exit);
  if (!given) {
    console_.out(printable(given.error().text));
    return true;
  }
  const auto read = record_by(open_.loaded.rules, std::move(*given));
  if (!read) {
    refused_ = std::max(refused_, Exit::at_fault);
    console_.out(printable(read.error()) + "\n");
    return true;
  }
  auto replayed = interpreter::replay_record(open_.loaded.rules, *read);
  if (!replayed) {
    refused_ = std::max(refused_, Exit::at_fault);
    console_.out(printable(replayed.error()));
    return true;
  }
  if (const std::string of = read->tag("Game"); !of.empty() && of != program().game) {
    refused_ = std::max(refused_, Exit::at_fault);
    console_.out(fmt::format("`{}` is a record of {}, not of {}\n", printable(file), quotable(of),
                             printable(program().game)));
    return true;
  }
  if (const std::string other = other_options(*read); !other.empty()) {
    refused_ = std::max(refused_, Exit::at_fault);
    console_.out(fmt::format("`{}` was played with other options: {}; `boardwright replay` shows it\n",
                             printable(file), quotable(other)));
    return true;
  }
  if (replayed->rules_changed) console_.out("this record was made with other rules\n");
  if (auto misfit = misfit_of(open_.loaded, *read, *replayed)) {
    refused_ = std::max(refused_, Exit::at_fault);
    console_.out(fmt::format("{}:{}:{}: {}\n", printable(file), misfit->line, misfit->column,
                             printable(misfit->message)));
    return true;
  }
  const auto outcome = replayed->game.outcome();
  if (!read->result.empty() && !(outcome && *outcome)) // one that no rule gives: here it goes on
    console_.out(fmt::format("the record ends here: {}\n", printable(read->result)));
  set_down();
  take_over(std::move(*replayed));
  given_moves_ = 0;
  return begin_another();
}

Session::Step Session::new_game(const std::string&) {
  set_down();
  while (played_.size() > given_moves_ && game().undo()) played_.pop_back();
  undone_.clear();
  if (options_.clock) clocks_ = Clocks(*options_.clock, program().player_count());
  tags_ = tags_of(open_, options_.game.reference, begin_);
  board_shown_ = false;
  return begin_another();
}

// The game on the board is left for another time, unless it has ended.
void Session::set_down() {
  const bool wanted = !ended_ && played_.size() > given_moves_;
  if (log_.set_down(wanted))
    console_.out(fmt::format("the game on the board is kept: the next `boardwright play {}` offers it\n",
                             printable(options_.game.reference)));
}

bool Session::begin_another() {
  answered_ = true;
  ended_ = false;
  record_failed_ = !log_.begin_another(head(options_.game.reference), head(own_reference())) || !log_all();
  return !record_failed_;
}

// The game of a record instead of this one.
void Session::take_over(interpreter::Replayed replayed) {
  played_.clear();
  undone_.clear();
  for (std::size_t i = 0; i < replayed.moves.size(); ++i)
    played_.push_back({replayed.players[i], std::move(replayed.moves[i])});
  ended_ = false;
  begin_ = replayed.game;
  for (std::size_t i = 0; i < played_.size(); ++i) begin_.undo();
  open_.game = std::move(replayed.game);
  tags_ = tags_of(open_, options_.game.reference, begin_);
  board_shown_ = false;
}

} // namespace boardwright::tools
