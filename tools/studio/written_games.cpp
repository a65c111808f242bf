#include "tools/studio/written_games.hpp"

#include "interpreter/notation/position_text.hpp"
#include "interpreter/notation/record.hpp"
#include "runtime/game/spelling.hpp"
#include "tools/games/position_json.hpp"
#include "tools/records/formats/foreign_moves.hpp"
#include "tools/records/formats/pgn_reader.hpp"
#include "tools/records/pgn.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace boardwright::tools {
namespace {

using interpreter::Record;
using runtime::Game;
using runtime::Program;

// More positions than this nobody chooses among.
constexpr std::size_t kMostPositions = 200;

// What records need of rules: not their text.
interpreter::Loaded rules_alone(const interpreter::Loaded& loaded) {
  interpreter::Loaded alone;
  alone.rules = loaded.rules;
  return alone;
}

Game beginning_of(Game game, std::size_t moves) {
  for (std::size_t i = 0; i < moves && game.undo(); ++i) {
  }
  return game;
}

std::string result_of(const interpreter::Loaded& loaded, Game game) {
  const auto outcome = game.outcome();
  return outcome && *outcome ? result_text(loaded, **outcome) : "";
}

Record record_of(const interpreter::Loaded& loaded, const std::string& reference, const Game& game,
                 const MadeMoves& made) {
  const Game begin = beginning_of(game, made.moves.size());
  Record record;
  record.tags = tags_of(OpenGame{rules_alone(loaded), false, begin}, reference, begin);
  for (std::size_t i = 0; i < made.moves.size(); ++i) {
    const auto player = static_cast<std::size_t>(made.players[i]);
    interpreter::RecordMove move;
    move.text = loaded.rules->program().players[player].name + ": " + made.moves[i];
    record.moves.push_back(std::move(move));
  }
  record.result = result_of(loaded, game);
  return record;
}

// --- reading

// The options that a record was played with, where the rules in the page have others; else "".
std::string other_options(const Program& program, const std::vector<std::string>& told) {
  const std::set<std::string> wanted(told.begin(), told.end());
  std::set<std::string> here;
  for (const runtime::Option& option : program.options)
    if (option.value != option.initial) here.insert(option.name + "=" + option.value);
  if (wanted == here) return "";
  if (wanted.empty()) return "it was played without changed options; choose these first";
  return fmt::format("it was played with {}; choose this first", fmt::join(wanted, " "));
}

Json read_as_record(const interpreter::Loaded& loaded, const Record& record) {
  if (const std::string other = other_options(loaded.rules->program(), record.tags_named("Option"));
      !other.empty())
    return {{"error", other}};
  auto replayed = interpreter::replay_record(loaded.rules, record);
  if (!replayed) return {{"error", replayed.error()}};
  const Game begin = beginning_of(replayed->game, replayed->moves.size());
  const Program& program = loaded.rules->program();
  Json view = {{"begin", ""}, {"moves", replayed->moves}};
  if (!record.tag("Position").empty()) view["begin"] = write_position(program, begin.position());
  if (const auto misfit = misfit_of(loaded, record, *replayed)) view["stopped"] = misfit->message;
  return view;
}

Json read_as_pgn(const interpreter::Loaded& loaded, const std::string& text) {
  const auto games = read_pgn(text);
  if (!games) return {{"error", fmt::format("line {}: {}", games.error().line, games.error().message)}};
  if (games->empty()) return {{"error", "there is no game in it"}};
  const ForeignGame& written = games->front();
  Game game(loaded.rules);
  Json view = {{"begin", ""}, {"moves", Json::array()}};
  if (!written.position.empty()) {
    auto read = interpreter::read_position(loaded.rules, "position", written.position);
    if (!read.game) return {{"error", read.errors()}};
    game = std::move(*read.game);
    view["begin"] = write_position(loaded.rules->program(), game.position());
  }
  for (const ForeignMove& one : written.moves) {
    const std::string& word = one.text;
    const auto move = find_foreign_move(game, Format::pgn, word).value_or(std::nullopt);
    const auto spelled =
        move ? runtime::spelling(game, *move) : tl::expected<std::string, runtime::Fault>("");
    if (!move || !spelled || !game.play(*move)) {
      view["stopped"] = fmt::format("move {} `{}` can't be played", view["moves"].size() + 1, word);
      break;
    }
    view["moves"].push_back(*spelled);
  }
  if (view["moves"].empty() && view.contains("stopped")) view["error"] = view["stopped"];
  return view;
}

bool is_record(const std::string& text) { return text.find("[Rules") != std::string::npos; }

} // namespace

Json game_texts(const interpreter::Loaded& loaded, const std::string& reference, const Game& game,
                const MadeMoves& made) {
  const Record record = record_of(loaded, reference, game, made);
  OpenRecord open{record, rules_alone(loaded), {game, made.moves, made.players, false, {}, {}, {}, {}}};
  const auto pgn = pgn_text(open);
  Json view = {{"record", interpreter::write_record(record)}, {"pgn", nullptr}};
  if (pgn) view["pgn"] = *pgn;
  return view;
}

Json game_in_text(const interpreter::Loaded& loaded, const std::string& text) {
  if (!is_record(text)) return read_as_pgn(loaded, text);
  const auto records = interpreter::read_records(text);
  if (!records) return {{"error", fmt::format("line {}: {}", records.error().line, records.error().message)}};
  if (records->empty()) return {{"error", "there is no game in it"}};
  return read_as_record(loaded, records->front());
}

Json test_positions(const interpreter::Loaded& loaded) {
  Json positions = Json::array();
  const Program& program = loaded.rules->program();
  for (const dsl::TestEntry& test : loaded.file->tests) {
    if (!test.position || !test.settings.empty() || positions.size() == kMostPositions) continue;
    dsl::Diagnostics ignored;
    const auto game = interpreter::game_at(loaded.rules, test.position, "test", ignored);
    if (game)
      positions.push_back(
          {{"name", test.name.text}, {"position", write_position(program, game->position())}});
  }
  return {{"positions", positions}};
}

} // namespace boardwright::tools
