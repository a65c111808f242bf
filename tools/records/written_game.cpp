// Entry points: written_game, written_format.
#include "tools/records/written_game.hpp"

#include "dsl/text.hpp"
#include "interpreter/notation/fen.hpp"
#include "interpreter/notation/fen_players.hpp"
#include "runtime/game/spelling.hpp"
#include "tools/engines/protocol_moves.hpp"
#include "tools/games/position_json.hpp"
#include "tools/records/formats/foreign_moves.hpp"
#include "tools/records/formats/format_of.hpp"
#include "tools/records/formats/titles.hpp"
#include "tools/records/formats/translate.hpp"
#include "tools/records/pgn.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace boardwright::tools {
namespace {

using interpreter::Record;
using interpreter::RecordError;
using runtime::Game;
using runtime::Program;
using WrittenText = tl::expected<std::string, RecordError>;

struct FormatName {
  WrittenFormat format;
  std::string_view name;
  Format read_as;
};
constexpr std::array<FormatName, 6> kFormatNames = {{
    {WrittenFormat::record, "record", Format::ours},
    {WrittenFormat::pgn, "pgn", Format::pgn},
    {WrittenFormat::pdn, "pdn", Format::pgn},
    {WrittenFormat::sgf, "sgf", Format::sgf},
    {WrittenFormat::uci, "uci", Format::commands},
    {WrittenFormat::usi, "usi", Format::commands},
}};

const FormatName& row_of(WrittenFormat format) {
  return *std::find_if(kFormatNames.begin(), kFormatNames.end(),
                       [&](const FormatName& row) { return row.format == format; });
}

const Program& program_of(const OpenRecord& open) { return open.loaded.rules->program(); }

// Of the whole game, or of one of its moves.
tl::unexpected<RecordError> no_words(const OpenRecord& open, std::string why) {
  return tl::unexpected(RecordError{open.record.line, 1, std::move(why)});
}
tl::unexpected<RecordError> no_words(const OpenRecord& open, std::size_t move, std::string why) {
  const interpreter::RecordMove& at = open.record.moves[move];
  return tl::unexpected(RecordError{at.line, at.column, std::move(why)});
}

Game beginning_of(const OpenRecord& open) {
  Game game = open.replayed.game;
  while (game.undo()) {
  }
  return game;
}

// Calls `each` with the game before each move, and the move; its error is a sentence.
template <class Each>
tl::expected<void, RecordError> walk(const OpenRecord& open, const Each& each) {
  Game game = beginning_of(open);
  for (std::size_t i = 0; i < open.replayed.moves.size(); ++i) {
    if (interrupted()) return no_words(open, "interrupted");
    const auto move = runtime::find_spelled(game, open.replayed.moves[i]);
    if (!move || !*move) return no_words(open, i, "a move that was played isn't found again");
    const tl::expected<void, std::string> told = each(i, game, **move);
    if (!told) return no_words(open, i, told.error());
    if (const auto played = game.play(**move); !played) return no_words(open, i, played.error().message);
  }
  return {};
}

// The options that aren't as in the rules, but for those that a format has words for.
std::string other_options(const Program& program, const std::vector<std::string_view>& told) {
  std::vector<std::string> others;
  for (const runtime::Option& option : program.options)
    if (option.value != option.initial && std::find(told.begin(), told.end(), option.name) == told.end())
      others.push_back(option.name + "=" + option.value);
  return fmt::format("{}", fmt::join(others, ", "));
}

// ---- our own

// Of other formats, what ours says by Game, Option and Position.
constexpr std::array<std::string_view, 14> kToldByOurs = {
    "Variant", "GameType", "SetUp", "FEN", "FF", "CA", "AP", "GM", "SZ", "AB", "AW", "AE", "PL", "C"};

WrittenText record_text(const OpenRecord& open) {
  const Program& program = program_of(open);
  Record record;
  record.tags = tags_of_game(program, open.reference, beginning_of(open));
  for (const auto& tag : open.record.tags) {
    const auto same = [&](const auto& known) { return known.first == tag.first; };
    const bool told = tag.first == "Position" || tag.first == "Option" ||
                      std::find(kToldByOurs.begin(), kToldByOurs.end(), tag.first) != kToldByOurs.end() ||
                      std::any_of(record.tags.begin(), record.tags.begin() + 3, same);
    if (!told) record.tags.push_back(tag);
  }
  record.comments = open.record.comments;
  for (std::size_t i = 0; i < open.replayed.moves.size(); ++i) {
    const auto player = static_cast<std::size_t>(open.replayed.players[i]);
    record.moves.push_back(
        {fmt::format("{}: {}", program.players[player].name, interpreter::as_written(open.replayed.moves[i])),
         0, 0, open.record.moves[i].comments});
  }
  record.result = open.record.result;
  Game game = open.replayed.game;
  if (const auto outcome = game.outcome(); outcome && *outcome)
    record.result = result_text(open.loaded, **outcome);
  return interpreter::write_record(record);
}

// ---- SGF

std::string sgf_value(const std::string& text) {
  std::string value;
  for (const char c : text) {
    if (c == ']' || c == '\\') value += '\\';
    value += static_cast<unsigned char>(c) < 0x20 && c != '\n' ? ' ' : c;
  }
  return "[" + value + "]";
}

// The pieces of a position that isn't the set-up, and who is to move.
WrittenText sgf_position(const OpenRecord& open, const runtime::Position& position) {
  const Program& program = program_of(open);
  if (position.same_as(program.initial)) return "";
  std::array<std::string, 2> placed;
  std::string emptied;
  for (int cell = 0; cell < program.board.cells; ++cell) {
    const auto i = static_cast<std::size_t>(cell);
    const runtime::Stack &now = position.cells[i], &before = program.initial.cells[i];
    if (now == before) continue;
    if (now.empty())
      emptied += sgf_value(point_of_cell(program, cell));
    else if (now.back().owner < 0)
      return no_words(open, "SGF has no words for pieces that are nobody's");
    else
      placed[static_cast<std::size_t>(now.back().owner)] += sgf_value(point_of_cell(program, cell));
  }
  const std::size_t black = interpreter::player_of_stone(program, 'b').value_or(0);
  std::string text;
  if (!placed[black].empty()) text += "AB" + placed[black];
  if (!placed[1 - black].empty()) text += "AW" + placed[1 - black];
  if (!emptied.empty()) text += "AE" + emptied;
  return text + (position.to_move == static_cast<int>(black) ? "PL[B]" : "PL[W]");
}

// Does half a point come on top of a komi that isn't 0?
bool adds_half_a_point(const Program& program) { return program.game == title_of("komi", "half"); }

// The tags of the first node.
WrittenText sgf_root(OpenRecord& open) {
  const Program& program = program_of(open);
  const std::string number = name_in_format("sgf", program.game);
  if (number.empty())
    return no_words(open, "SGF has no number for this game; `record` and `pgn` have its name");
  if (const std::string others = other_options(program, {"size", "swap", "komi"}); !others.empty())
    return no_words(open, "SGF has no words for " + others);
  std::string text = "FF[4]CA[UTF-8]AP[Boardwright]GM" + sgf_value(number);
  if (program.board.files == program.board.ranks) text += fmt::format("SZ[{}]", program.board.files);
  for (const runtime::Option& option : program.options)
    if (option.name == "komi" && option.value != "0")
      text += "KM" + sgf_value(option.value + (adds_half_a_point(program) ? ".5" : ""));
  const std::size_t black = interpreter::player_of_stone(program, 'b').value_or(0);
  const std::string result = pgn_result(open);
  const bool first = result == "1-0"; // of whom PGN calls White
  if (result == "1/2-1/2") text += "RE[0]";
  if (first || result == "0-1") {
    const auto white = interpreter::player_of_colour(program, "w").value_or(0);
    text += (first ? white : 1 - white) == black ? "RE[B+]" : "RE[W+]";
  }
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) text += name + sgf_value(value);
  };
  add("PB", sitter_at(open, black));
  add("PW", sitter_at(open, 1 - black));
  add("DT", told_of(open, "Date").substr(0, 10));
  add("EV", told_of(open, "Event"));
  add("PC", told_of(open, "Site"));
  add("RO", told_of(open, "Round"));
  const auto position = sgf_position(open, beginning_of(open).position());
  return position ? WrittenText(text + *position) : position;
}

std::string sgf_comments(const std::vector<std::string>& comments) {
  return comments.empty() ? "" : "C" + sgf_value(fmt::format("{}", fmt::join(comments, "\n")));
}

WrittenText sgf_text(OpenRecord& open) {
  const Program& program = program_of(open);
  if (program.player_count() != 2) return no_words(open, "only games of two players have an SGF");
  const auto root = sgf_root(open);
  if (!root) return root;
  std::string text = "(;" + *root + sgf_comments(open.record.comments) + "\n";
  const auto black = interpreter::player_of_stone(program, 'b');
  const auto walked = walk(
      open, [&](std::size_t i, Game& game, const runtime::Move& move) -> tl::expected<void, std::string> {
        const auto word = word_of_sgf(game, move);
        if (!word) return tl::unexpected(word.error().message);
        if (!*word)
          return tl::unexpected(
              fmt::format("SGF has no word for move {}, `{}`: a piece is put on a point there, or "
                          "one passes",
                          i + 1, open.replayed.moves[i]));
        const bool by_black = static_cast<std::size_t>(game.to_move()) == black;
        text += fmt::format(";{}{}{}\n", by_black ? 'B' : 'W', sgf_value(**word),
                            sgf_comments(open.record.moves[i].comments));
        return {};
      });
  if (!walked) return tl::unexpected(walked.error());
  return text + ")\n";
}

// ---- lines of UCI and USI

WrittenText commands_text(const OpenRecord& open, WrittenFormat format) {
  const Program& program = program_of(open);
  const bool usi = format == WrittenFormat::usi;
  if (program.player_count() != 2) return no_words(open, "the protocol is for games of two");
  if (const std::string others = other_options(program, {}); !others.empty())
    return no_words(open, "a line of a protocol has no words for " + others);
  // The name by which programs know the game: one of ours, else its title.
  const std::string variant = name_of_title(program.game).value_or(program.game);
  const runtime::Position begin = beginning_of(open).position();
  std::string text =
      fmt::format("setoption name {}_Variant value {}\nposition ", usi ? "USI" : "UCI", variant);
  if (begin.same_as(program.initial)) {
    text += "startpos";
  } else if (usi) {
    const auto sfen = interpreter::write_sfen(program, begin);
    if (!sfen) return no_words(open, "there is no SFEN for the position that it begins with");
    text += "sfen " + *sfen;
  } else {
    const auto common = interpreter::write_common_fen(program, begin);
    text += "fen " + (common ? *common : position_line(program, begin));
  }
  std::string moves;
  const auto walked =
      walk(open, [&](std::size_t, Game& game, const runtime::Move& move) -> tl::expected<void, std::string> {
        const auto word = protocol_move(game, move, usi ? Protocol::usi : Protocol::uci);
        if (!word) return tl::unexpected(word.error().message);
        moves += " " + *word;
        return {};
      });
  if (!walked) return tl::unexpected(walked.error());
  return text + (moves.empty() ? "" : " moves" + moves) + "\n";
}

// ---- the same again?

// An error is a sentence: where it stands in the text is of no use.
tl::expected<Record, std::string> read_again(const OpenRecord& open, Format format, const std::string& text) {
  if (format == Format::ours) {
    auto records = interpreter::read_records(text);
    if (!records) return tl::unexpected(records.error().message);
    return std::move(records->front());
  }
  const auto games = read_foreign(format, text);
  if (!games) return tl::unexpected(games.error().message);
  return translate(open.loaded.rules, format, games->front());
}

// That what is read is the same game.
tl::expected<void, RecordError> same_again(const OpenRecord& open, const FormatName& row,
                                           const std::string& text) {
  const auto why = [&](const std::string& other) {
    return fmt::format("it can't be written as {}: {}", row.name, other);
  };
  const auto record = read_again(open, row.read_as, text);
  if (!record) return no_words(open, why(record.error()));
  auto replayed = interpreter::replay_record(open.loaded.rules, *record);
  if (!replayed) return no_words(open, why(replayed.error()));
  Game begin = replayed->game;
  while (begin.undo()) {
  }
  // Not by its ply, which no other format tells: where it matters moves would be others.
  if (!begin.position().same_as(beginning_of(open).position()))
    return no_words(open, why("it has no words for all of the position that the game begins with"));
  const auto& moves = open.replayed.moves;
  const auto other =
      std::mismatch(moves.begin(), moves.end(), replayed->moves.begin(), replayed->moves.end()).first;
  if (other != moves.end()) {
    const auto i = static_cast<std::size_t>(other - moves.begin());
    return no_words(open, i, why(fmt::format("move {}, `{}`, would be read as another one", i + 1, *other)));
  }
  if (const auto misfit = misfit_of(open.loaded, *record, *replayed))
    return no_words(open, why(misfit->message));
  return {};
}

WrittenText text_in(OpenRecord& open, WrittenFormat format) {
  // Cells have numbers in PDN, but in games that are known for their names.
  const bool names = program_of(open).game == title_of("pdn", "letters");
  const WordOfMove by_cells = [names](Game& game, const runtime::Move& move) {
    return word_of_pdn(game, move, names);
  };
  switch (format) {
  case WrittenFormat::record: return record_text(open);
  case WrittenFormat::pgn: return pgn_text(open);
  case WrittenFormat::pdn: return pdn_text(open, by_cells);
  case WrittenFormat::sgf: return sgf_text(open);
  case WrittenFormat::uci:
  case WrittenFormat::usi: return commands_text(open, format);
  }
  return no_words(open, "");
}

} // namespace

std::optional<WrittenFormat> written_format(std::string_view name) {
  for (const FormatName& row : kFormatNames)
    if (row.name == name) return row.format;
  return std::nullopt;
}

std::vector<std::string> written_formats() {
  std::vector<std::string> names;
  for (const FormatName& row : kFormatNames) names.emplace_back(row.name);
  return names;
}

WrittenFormat format_of_ending(std::string_view file) {
  const std::size_t dot = file.substr(std::min(file.find_last_of('/') + 1, file.size())).find_last_of('.');
  if (dot == std::string_view::npos) return WrittenFormat::record;
  return written_format(dsl::to_lower(std::string(file.substr(file.find_last_of('.') + 1))))
      .value_or(WrittenFormat::record);
}

WrittenText written_game(OpenRecord& open, WrittenFormat format) {
  const Game end = open.replayed.game;
  auto text = text_in(open, format);
  if (!text) { // it may have got as far as the move for which there is no word
    open.replayed.game = end;
    return text;
  }
  if (auto same = same_again(open, row_of(format), *text); !same)
    return tl::unexpected(std::move(same.error()));
  return text;
}

} // namespace boardwright::tools
