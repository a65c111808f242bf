#include "tools/games/game_choice.hpp"

#include "dsl/finder.hpp"
#include "interpreter/notation/numbered_position.hpp"
#include "interpreter/notation/position_text.hpp"
#include "runtime/model/shares.hpp"
#include "tools/console/ending.hpp"
#include "tools/console/text_file.hpp"
#include "tools/games/game_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <system_error>

namespace boardwright::tools {
namespace {

KnownGames known_to_program = nullptr;

bool looks_like_path(const std::string& reference) {
  constexpr std::string_view kEnding = ".yaml";
  const bool ends = reference.size() >= kEnding.size() &&
                    reference.compare(reference.size() - kEnding.size(), kEnding.size(), kEnding) == 0;
  return ends || reference.find('/') != std::string::npos;
}

// What keeps a path, or the same with `.yaml`, from being read. Only regular files are opened: others may be
// endless, or wait for a writer.
std::string why_not_read(const std::string& path) {
  const std::string longer = path + ".yaml";
  for (const std::string& tried : {path, longer})
    if (const std::string what = what_stands_at(tried); !what.empty())
      return fmt::format("can't read `{}`: it is {}", printable(tried), what);
  const auto text = read_text_file(path, dsl::kMaxFileBytes);
  return text ? fmt::format("can't read `{}`: it is not a rule file", printable(path)) : text.error();
}

bool stands_at(const dsl::Sources& sources, dsl::Span span, const runtime::Program& program,
               const runtime::Origin& origin) {
  const dsl::Location place = sources.locate(span.file, span.begin);
  return place.line == origin.line && place.column == origin.column &&
         program.files[origin.file] == place.file;
}

std::size_t indentation(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

// The indentation that all lines but the first (whose begin is cut off) and blank ones share.
std::size_t shared_indentation(const std::vector<std::string>& lines) {
  std::size_t shared = std::string::npos;
  for (std::size_t i = 1; i < lines.size(); ++i)
    if (indentation(lines[i]) < lines[i].size()) shared = std::min(shared, indentation(lines[i]));
  return shared;
}

struct PositionSource {
  std::string name; // for messages
  tl::expected<std::string, std::string> text;
};

PositionSource position_source(const std::string& argument) {
  if (is_position_text(argument)) {
    if (argument.size() <= kMaxPositionBytes) return {"--position", argument};
    return {"--position", tl::unexpected(std::string("--position: it is too long"))};
  }
  const std::string path = argument.front() == '@' ? argument.substr(1) : argument;
  return {path == "-" ? "standard input" : path, read_text_file(path, kMaxPositionBytes)};
}

// Of a word that is no file, but a legal move: how to play it.
std::string move_for_file(const std::string& word, const std::shared_ptr<const runtime::Rules>& rules) {
  runtime::Game game(rules);
  const auto found = game.find(word);
  return found && *found ? fmt::format("; to play a move write --position 'play: {}'", printable(word)) : "";
}

// Each on a line of its own, with how it is played.
std::string how_to_play(const std::vector<GameEntry>& games) {
  std::size_t longest = 0;
  for (const GameEntry& game : games) longest = std::max(longest, game.name.size());
  std::string text;
  for (const GameEntry& game : games)
    text +=
        fmt::format("\n  boardwright play {:<{}}  {}", printable(game.name), longest, printable(game.title));
  return text;
}

std::string proposal(const std::vector<GameEntry>& games) {
  return games.size() == 1 ? fmt::format("did you mean `{}`?", printable(games.front().name))
                           : "did you mean one of these?" + how_to_play(games);
}

// The bundled games that name a vocabulary in their section `use`: those of a family of that name first.
std::vector<GameEntry> users_of(const std::string& vocabulary) {
  constexpr std::size_t kMostUsers = 5;
  std::vector<GameEntry> users;
  if (known_to_program == nullptr) return users;
  for (GameEntry& game : known_to_program())
    if (std::find(game.uses.begin(), game.uses.end(), vocabulary) != game.uses.end())
      users.push_back(std::move(game));
  std::stable_partition(users.begin(), users.end(),
                        [&](const GameEntry& game) { return game.family == vocabulary; });
  users.resize(std::min(users.size(), kMostUsers));
  return users;
}

bool is_vocabulary(const interpreter::Loaded& loaded) {
  const auto& all = loaded.diagnostics.all();
  return std::any_of(all.begin(), all.end(), [](const auto& told) { return told.message == dsl::kNoGame; });
}

std::string why_no_game(const std::string& reference) {
  const std::string begin =
      fmt::format("`{}` is a vocabulary for rule files, not a game; ", printable(reference));
  const auto users = dsl::bundled_vocabulary(reference) ? users_of(reference) : std::vector<GameEntry>();
  return begin + (users.empty() ? "a game names it in its section `use`"
                                : "games that use it are" + how_to_play(users));
}

} // namespace

void propose_games_of(KnownGames known) { known_to_program = known; }

std::vector<GameEntry> games_known() {
  return known_to_program == nullptr ? std::vector<GameEntry>() : known_to_program();
}

std::optional<std::string> name_of_title(std::string_view title) {
  const std::vector<GameEntry> known = games_known();
  const auto found = games_called(known, title);
  return found.empty() ? std::nullopt : std::optional(found.front()->name);
}

std::string why_not_found(const std::string& reference) {
  if (looks_like_path(reference) || reference == "." || reference == "..") return why_not_read(reference);
  const std::string sentence =
      fmt::format("there is no rule file or game named `{}`; ", printable(reference));
  const std::string here = what_stands_at(reference);
  if (!here.empty()) return fmt::format("{}`./{}` is {}", sentence, printable(reference), here);
  std::error_code error;
  if (std::filesystem::is_regular_file(reference, error))
    return fmt::format("{}the file of this name is `./{}`", sentence, printable(reference));
  if (known_to_program != nullptr)
    if (const auto likely = likely_games(known_to_program(), reference); !likely.empty())
      return sentence + proposal(likely);
  const std::string near = dsl::nearest(reference, dsl::known_games());
  return sentence + (near.empty() ? "`boardwright list` shows the games that are known"
                                  : fmt::format("did you mean `{}`?", near));
}

Exit report_failed_load(const std::string& reference, const interpreter::Loaded& loaded, Console& console) {
  if (loaded.not_found) {
    console.error(why_not_found(reference));
    return Exit::files;
  }
  if (is_vocabulary(loaded)) {
    console.error(why_no_game(reference));
    return Exit::at_fault;
  }
  console.note(loaded.errors(console.color_err()));
  return loaded.bad_setting ? Exit::usage : Exit::at_fault;
}

std::string explain_hint(const std::vector<dsl::Diagnostics>& told) {
  constexpr std::size_t kMostNames = 3; // of a file with very many mistakes the first ones are enough
  std::vector<std::string_view> names;
  for (const dsl::Diagnostics& diagnostics : told)
    for (const dsl::Diagnostic& d : diagnostics.all()) {
      const std::string_view name = d.code.name();
      const bool seen = std::find(names.begin(), names.end(), name) != names.end();
      if (name != "test" && !seen && names.size() < kMostNames) names.push_back(name);
    }
  if (names.empty()) return "";
  return fmt::format("`boardwright explain {}` says more\n", fmt::join(names, " "));
}

tl::expected<interpreter::Loaded, Exit> load_game(const GameChoice& choice, Console& console) {
  interpreter::Loaded loaded = interpreter::load(choice.reference, choice.settings);
  if (loaded) return loaded;
  if (interrupted()) return tl::unexpected(Exit::interrupted); // that may be why
  const Exit exit = report_failed_load(choice.reference, loaded, console);
  if (!loaded.not_found && !is_vocabulary(loaded)) console.note(explain_hint({loaded.diagnostics}));
  return tl::unexpected(exit);
}

bool is_position_text(const std::string& argument) {
  if (argument.empty() || argument == "-" || argument.front() == '@') return false;
  if (argument.find_first_of(" \n{") == std::string::npos && !interpreter::is_numbered_position(argument))
    return false;
  std::error_code error;
  return !std::filesystem::exists(argument, error);
}

tl::expected<runtime::Game, Exit>
game_of(const GameChoice& choice, const std::shared_ptr<const runtime::Rules>& rules, Console& console) {
  if (choice.position.empty()) return runtime::Game(rules);
  const auto source = position_source(choice.position);
  if (!source.text) {
    if (interrupted()) return tl::unexpected(Exit::interrupted);
    console.error(source.text.error() + move_for_file(choice.position, rules));
    return tl::unexpected(Exit::files);
  }
  auto read = interpreter::read_position(rules, source.name, *source.text);
  if (!read.diagnostics.all().empty()) console.note(read.errors(console.color_err())); // warnings too
  if (!read.game) return tl::unexpected(Exit::at_fault);
  return std::move(*read.game);
}

tl::expected<OpenGame, Exit> open_game(const GameChoice& choice, Console& console) {
  const EndingSoon while_loading;
  auto loaded = load_game(choice, console);
  if (!loaded) return tl::unexpected(loaded.error());
  auto game = game_of(choice, loaded->rules, console);
  if (!game) return tl::unexpected(game.error());
  return OpenGame{std::move(*loaded), !choice.position.empty(), std::move(*game)};
}

Exit report_fault(const runtime::Program& program, const runtime::Fault& fault, Console& console) {
  console.error(
      fmt::format("{}: {}", printable(runtime::place_of(program, fault.origin)), printable(fault.message)));
  return Exit::at_fault;
}

const dsl::EndRule* end_line_of(const interpreter::Loaded& loaded, std::uint32_t origin) {
  const runtime::Program& program = loaded.rules->program();
  if (!loaded.file || origin >= program.origins.size()) return nullptr;
  for (const dsl::EndRule& rule : loaded.file->end)
    for (const dsl::Span span : {rule.span, rule.condition.span})
      if (stands_at(loaded.sources, span, program, program.origins[origin])) return &rule;
  return nullptr;
}

std::string reason_of(const interpreter::Loaded& loaded, const runtime::Outcome& outcome) {
  using By = runtime::Outcome::By;
  switch (outcome.by) {
  case By::move: return "the move";
  case By::no_move: return "no move";
  case By::last_left: return "last left";
  case By::end_line: break;
  }
  const dsl::EndRule* line = end_line_of(loaded, outcome.origin);
  return line == nullptr ? "an end line"
                         : printable(on_one_line(source_text(loaded.sources, line->condition.span)));
}

std::string outcome_text(const interpreter::Loaded& loaded, const runtime::Outcome& outcome) {
  const auto winners = winners_of(loaded.rules->program(), outcome);
  const std::string result =
      outcome.shares != 0   ? runtime::shares_text(loaded.rules->program(), outcome.shares)
      : winners.empty()     ? "a draw"
      : winners.size() == 1 ? runtime::with_verb(winners.front(), "win")
                            : fmt::format("{} share the win", fmt::join(winners, " and "));
  const std::string text = fmt::format("{}: {}", result, reason_of(loaded, outcome));
  // No line of the file decides a game that ends for want of a move.
  if (outcome.by == runtime::Outcome::By::no_move && end_line_of(loaded, outcome.origin) == nullptr)
    return text;
  return fmt::format("{}; see {}", text,
                     printable(runtime::place_of(loaded.rules->program(), outcome.origin)));
}

std::vector<std::string> winners_of(const runtime::Program& program, const runtime::Outcome& outcome) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < program.players.size(); ++i)
    if ((outcome.winners >> i & 1U) != 0) names.push_back(program.players[i].name);
  return names;
}

std::string on_one_line(const std::string& text) {
  std::istringstream words(text);
  std::string result, word;
  while (words >> word) result += (result.empty() ? "" : " ") + word;
  return result;
}

std::string source_text(const dsl::Sources& sources, dsl::Span span) {
  if (span.file >= sources.size()) return "";
  const std::string& whole = sources.text(span.file);
  const std::size_t begin = std::min<std::size_t>(span.begin, whole.size());
  const std::size_t end = std::clamp<std::size_t>(span.end, begin, whole.size());
  std::vector<std::string> lines;
  std::istringstream text(whole.substr(begin, end - begin));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  const std::size_t shared = shared_indentation(lines);
  std::string result;
  for (std::size_t i = 0; i < lines.size(); ++i)
    result +=
        (i == 0 ? "" : "\n") + (i == 0 ? lines[i] : lines[i].substr(std::min(shared, indentation(lines[i]))));
  return result;
}

} // namespace boardwright::tools
