#include "tools/records/game_record.hpp"

#include "dsl/text.hpp"
#include "runtime/game/spelling.hpp"
#include "runtime/model/fingerprint.hpp"
#include "runtime/model/shares.hpp"
#include "tools/console/text_file.hpp"
#include "tools/english/reasons.hpp"
#include "tools/games/illegal_move.hpp"
#include "tools/games/past_move.hpp"
#include "tools/games/position_json.hpp"
#include "tools/records/formats/format_of.hpp"
#include "tools/records/formats/titles.hpp"
#include "tools/records/formats/translate.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace boardwright::tools {
namespace {

using interpreter::Record;
using interpreter::Replayed;
using runtime::Game;
using runtime::Program;

std::string today() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(now));
}

// --- what stops a record

std::string illegal_text(const interpreter::Loaded& loaded, Replayed& replayed, std::string& details) {
  const Program& program = loaded.rules->program();
  const auto legal = replayed.game.notations();
  if (!legal) return "is not legal";
  std::string why = why_illegal(program, replayed.game.position(), *legal, replayed.asked);
  // The moves that there are stand in the sentence; behind them what stopped this one.
  if (const auto reasons = reasons_text(loaded, replayed.game, replayed.asked))
    if (const std::size_t stops = reasons->find("what stops it:"); stops != std::string::npos)
      details = reasons->substr(stops);
  const std::size_t behind = why.find("; ");
  if (const std::size_t longer = why.find(" can go on: "); longer != std::string::npos)
    return "is not legal; it " + why.substr(longer + 1);
  return "is not legal" + (behind == std::string::npos ? "" : why.substr(behind));
}

std::string stop_text(const interpreter::Loaded& loaded, Replayed& replayed, std::string& details) {
  const Program& program = loaded.rules->program();
  switch (replayed.stop) {
  case Replayed::Stop::over: {
    const auto outcome = replayed.game.outcome();
    const std::string how = outcome && *outcome ? outcome_text(loaded, **outcome) : "it is over";
    return fmt::format("can't be played: the game was over before it: {}", how);
  }
  case Replayed::Stop::wrong_player: {
    const auto mover = static_cast<std::size_t>(replayed.game.to_move());
    return fmt::format("is {}'s in the record, but {} is to move", replayed.named,
                       program.players[mover].name);
  }
  case Replayed::Stop::fault:
    return fmt::format("meets a fault: {}: {}", runtime::place_of(program, replayed.fault->origin),
                       replayed.fault->message);
  default: return illegal_text(loaded, replayed, details);
  }
}

std::optional<Misfit> wrong_result(const interpreter::Loaded& loaded, const Record& record,
                                   Replayed& replayed) {
  const auto outcome = replayed.game.outcome();
  if (record.result.empty() || !outcome || !*outcome) return std::nullopt;
  const std::string told = record.result.substr(0, record.result.find(" ("));
  const std::string found = winners_text(loaded.rules->program(), **outcome);
  if (told == found) return std::nullopt;
  const bool any = !record.moves.empty();
  return Misfit{any ? record.moves.back().line : record.line, 1,
                fmt::format("the record ends with `{}`, but by the rules {}", quotable(record.result),
                            outcome_text(loaded, **outcome)),
                ""};
}

// --- opening

// The rule file that a record names: as it is, or beside the record.
std::string reference_of(const std::string& rules, const std::string& file) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (rules.find('/') == std::string::npos && !rules.ends_with(".yaml")) return rules;
  if (file == "-" || fs::exists(rules, error)) return rules;
  const fs::path folder = fs::path(file).parent_path();
  for (const fs::path& tried : {folder / rules, folder / fs::path(rules).filename()})
    if (fs::exists(tried, error)) return tried.has_parent_path() ? tried.string() : "./" + tried.string();
  return rules;
}

tl::expected<GameChoice, std::string> choice_of_ours(const Record& record, const RecordChoice& choice) {
  GameChoice game;
  game.reference = choice.rules;
  if (game.reference.empty()) game.reference = reference_of(record.tag("Rules"), choice.file);
  if (game.reference.empty())
    return tl::unexpected(
        std::string("the record has no tag [Rules \"…\"]; say by --rules which game it is of"));
  for (const std::string& option : record.tags_named("Option")) {
    const std::size_t equals = option.find('=');
    if (equals == 0 || equals == std::string::npos)
      return tl::unexpected(
          fmt::format("the tag [Option \"{}\"] is not of the form name=value", quotable(option)));
    game.settings.emplace_back(option.substr(0, equals), option.substr(equals + 1));
  }
  return game;
}

// The game that another format calls so, by its name or its title, which may be longer here.
tl::expected<std::string, std::string> game_called(const std::string& title) {
  const std::vector<GameEntry> known = games_known();
  for (const std::string& tried : {title, title + " " + title_of("any", "behind")}) {
    const auto found = games_called(known, tried);
    if (!title.empty() && found.size() == 1) return found.front()->name;
  }
  return tl::unexpected(
      title.empty()
          ? std::string("the file doesn't say which game it is of; say it by --rules")
          : fmt::format("the file is of a game called `{}`, which is unknown; say by --rules by which "
                        "rules it is played",
                        quotable(title)));
}

tl::expected<GameChoice, std::string> choice_of(const GivenGame& given, const RecordChoice& choice) {
  if (given.format == Format::ours) return choice_of_ours(given.record, choice);
  GameChoice game;
  game.reference = choice.rules;
  if (game.reference.empty()) {
    auto called = game_called(given.foreign.game);
    if (!called) return tl::unexpected(std::move(called.error()));
    game.reference = std::move(*called);
  }
  if (given.format == Format::pgn) game.settings = given.foreign.options;
  return game;
}

// Rules by which several games of a file are played: each loaded once.
class LoadedRules {
public:
  explicit LoadedRules(Console& console) : console_(console) {}

  tl::expected<interpreter::Loaded, Exit> load(const GameChoice& choice) {
    for (const auto& [known, loaded] : known_)
      if (known.reference == choice.reference && known.settings == choice.settings) return loaded;
    auto loaded = load_game(choice, console_);
    if (loaded && known_.size() < kMostKept) known_.emplace_back(choice, *loaded);
    return loaded;
  }

private:
  static constexpr std::size_t kMostKept = 16; // games of one file are of one sort, or of some variants

  Console& console_;
  std::vector<std::pair<GameChoice, interpreter::Loaded>> known_;
};

// A komi that the rules haven't is left out: all it changes is the result.
bool can_be_set(const runtime::Option& option, const std::string& value) {
  if (option.value == value) return false;
  const auto number = dsl::number_in<std::int32_t>(value);
  const bool fits =
      !option.range || (number && *number >= option.range->first && *number <= option.range->second);
  return fits || option.name != "komi";
}

// The rules with what SGF says of them, the board's size or that sides were changed, where they have options
// for it.
tl::expected<interpreter::Loaded, Exit> with_options(interpreter::Loaded loaded, GameChoice& choice,
                                                     const GivenGame& given, LoadedRules& rules) {
  for (const auto& option : given.foreign.options)
    for (const runtime::Option& known : loaded.rules->program().options)
      if (known.name == option.first && can_be_set(known, option.second)) choice.settings.push_back(option);
  return choice.settings.empty() ? std::move(loaded) : rules.load(choice);
}

tl::expected<OpenRecord, Exit> open_given(GivenGame given, const RecordChoice& choice, LoadedRules& rules,
                                          Console& console) {
  auto game = choice_of(given, choice);
  if (!game) {
    console.error(game.error());
    return tl::unexpected(Exit::at_fault);
  }
  auto loaded = rules.load(*game);
  if (loaded && given.format == Format::sgf) loaded = with_options(std::move(*loaded), *game, given, rules);
  // The options are the record's, not the command line's.
  if (!loaded) return tl::unexpected(loaded.error() == Exit::usage ? Exit::at_fault : loaded.error());
  auto record = record_by(loaded->rules, std::move(given));
  if (!record) {
    console.note(record.error() + (record.error().ends_with('\n') ? "" : "\n"));
    return tl::unexpected(Exit::at_fault);
  }
  auto replayed = interpreter::replay_record(loaded->rules, *record);
  if (!replayed) {
    console.note(replayed.error());
    return tl::unexpected(Exit::at_fault);
  }
  return OpenRecord{std::move(*record), std::move(*loaded), std::move(*replayed), game->reference};
}

GivenGame given_game(Format format, Record record) { return {format, std::move(record), {}}; }
GivenGame given_game(Format format, ForeignGame game) { return {format, {}, std::move(game)}; }

} // namespace

Tags tags_of_game(const Program& program, const std::string& reference, const Game& begin) {
  Tags tags = {{"Game", program.game},
               {"Rules", reference},
               {"RulesHash", runtime::fingerprint_text(runtime::fingerprint(program))}};
  for (const runtime::Option& option : program.options)
    if (option.value != option.initial) tags.emplace_back("Option", option.name + "=" + option.value);
  const std::string position = position_line(program, begin.position());
  if (position != position_line(program, program.initial)) tags.emplace_back("Position", position);
  return tags;
}

Tags tags_of(const OpenGame& open, const std::string& reference, const Game& begin) {
  Tags tags = tags_of_game(open.program(), reference, begin);
  tags.emplace_back("Date", today());
  return tags;
}

std::string winners_text(const Program& program, const runtime::Outcome& outcome) {
  if (outcome.shares != 0) return runtime::shares_text(program, outcome.shares);
  const auto winners = winners_of(program, outcome);
  if (winners.empty()) return "a draw";
  return winners.size() == 1 ? runtime::with_verb(winners.front(), "win")
                             : fmt::format("{} share the win", fmt::join(winners, " and "));
}

std::string result_text(const interpreter::Loaded& loaded, const runtime::Outcome& outcome) {
  return fmt::format("{} ({})", winners_text(loaded.rules->program(), outcome), reason_of(loaded, outcome));
}

tl::expected<Past, runtime::Fault> past_of(const Game& game) {
  Past past{game, {}, {}};
  std::vector<runtime::Position> after; // the last one first
  for (runtime::Position now = past.begin.position(); past.begin.undo(); now = past.begin.position())
    after.push_back(std::move(now));
  Game walking = past.begin;
  for (; !after.empty(); after.pop_back()) {
    const auto move = move_to(walking, after.back());
    if (!move) return tl::unexpected(move.error());
    if (!*move) break; // can't be: each was played
    auto text = runtime::spelling(walking, **move);
    if (!text) return tl::unexpected(text.error());
    past.moves.push_back(std::move(*text));
    past.players.push_back(walking.to_move());
    if (const auto played = walking.play(**move); !played) return tl::unexpected(played.error());
  }
  return past;
}

std::optional<Misfit> misfit_of(const interpreter::Loaded& loaded, const Record& record, Replayed& replayed) {
  if (replayed.stop == Replayed::Stop::none) return wrong_result(loaded, record, replayed);
  const interpreter::RecordMove& move = record.moves[replayed.moves.size()];
  Misfit misfit{move.line, move.column, "", ""};
  misfit.message = fmt::format("move {} `{}` {}", replayed.moves.size() + 1, quotable(replayed.asked),
                               stop_text(loaded, replayed, misfit.details));
  return misfit;
}

tl::expected<Record, std::string> record_by(const std::shared_ptr<const runtime::Rules>& rules,
                                            GivenGame given) {
  if (given.format == Format::ours) return std::move(given.record);
  return translate(rules, given.format, given.foreign);
}

namespace {

// The games of a file, or the chosen one.
tl::expected<std::vector<GivenGame>, Unread> given_games(const RecordChoice& choice, bool all) {
  const auto text = read_text_file(choice.file, interpreter::kMaxRecordBytes);
  if (!text) {
    if (interrupted()) return tl::unexpected(Unread{"", Exit::interrupted});
    return tl::unexpected(Unread{fmt::format("error: {}\n", text.error()), Exit::files});
  }
  const std::string name = printable(choice.file == "-" ? "standard input" : choice.file);
  const auto failed = [&](const interpreter::RecordError& error) {
    return tl::unexpected(Unread{
        fmt::format("{}:{}:{}: error: {}\n", name, error.line, error.column, printable(error.message))});
  };
  const auto format = format_of(*text);
  if (!format) return failed({1, 1, format.error()});
  const std::size_t wanted = std::max<std::size_t>(choice.game, 1);
  const auto chosen = [&](auto games) -> tl::expected<std::vector<GivenGame>, Unread> {
    if (!games) return failed(games.error());
    if (wanted > games->size())
      return tl::unexpected(Unread{fmt::format("error: {} has {} game{}, and no game {}\n", name,
                                               games->size(), games->size() == 1 ? "" : "s", wanted)});
    const std::size_t last = all && choice.game == 0 ? games->size() : wanted;
    std::vector<GivenGame> given;
    for (std::size_t i = wanted; i <= last; ++i)
      given.push_back(given_game(*format, std::move((*games)[i - 1])));
    return given;
  };
  return *format == Format::ours ? chosen(interpreter::read_records(*text))
                                 : chosen(read_foreign(*format, *text));
}

} // namespace

tl::expected<GivenGame, Unread> read_record(const RecordChoice& choice) {
  auto games = given_games(choice, false);
  if (!games) return tl::unexpected(std::move(games.error()));
  return std::move(games->front());
}

tl::expected<OpenRecord, Exit> open_record(const RecordChoice& choice, Console& console) {
  auto given = read_record(choice);
  if (!given) {
    console.note(given.error().text);
    return tl::unexpected(given.error().exit);
  }
  LoadedRules rules(console);
  return open_given(std::move(*given), choice, rules, console);
}

Exit open_each_record(const RecordChoice& choice, Console& console,
                      const std::function<bool(OpenRecord&)>& each) {
  auto given = given_games(choice, true);
  if (!given) {
    console.note(given.error().text);
    return given.error().exit;
  }
  LoadedRules rules(console);
  Exit worst = Exit::good;
  for (GivenGame& game : *given) {
    auto open = open_given(std::move(game), choice, rules, console);
    if (!open) worst = std::max(worst, open.error());
    if (interrupted()) return Exit::interrupted;
    if (open && !each(*open)) break;
  }
  return worst;
}

} // namespace boardwright::tools
