// Entry points: pgn_text, pdn_text, pgn_result, sitter_at, other_tags.
#include "tools/records/pgn.hpp"

#include "interpreter/notation/fen.hpp"
#include "interpreter/notation/fen_players.hpp"
#include "interpreter/notation/numbered_position.hpp"
#include "runtime/game/spelling.hpp"
#include "runtime/model/shares.hpp"
#include "tools/games/algebraic.hpp"
#include "tools/games/position_json.hpp"
#include "tools/records/formats/foreign_moves.hpp"
#include "tools/records/formats/pgn_reader.hpp"
#include "tools/records/formats/titles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace boardwright::tools {
namespace {

using interpreter::RecordError;
using runtime::Game;
using runtime::Program;

constexpr std::size_t kLineWidth = 80;

// Without what would end the tag, or the comment.
std::string without(std::string text, std::string_view signs) {
  for (char& c : text)
    if (signs.find(c) != std::string_view::npos || static_cast<unsigned char>(c) < 0x20) c = ' ';
  return text;
}

std::string tag(std::string_view name, const std::string& value) {
  return fmt::format("[{} \"{}\"]\n", name, without(value.empty() ? "?" : value, "\"\\"));
}

// PGN has no result for a point that is shared otherwise than in halves. "" where it isn't.
std::string shares_of(OpenRecord& open) {
  const auto outcome = open.replayed.game.outcome();
  return outcome && *outcome
             ? runtime::shares_text(open.loaded.rules->program(), runtime::result_of(**outcome))
             : "";
}

// Who is called White, or else who begins.
std::size_t white_of(const Program& program) {
  return interpreter::player_of_colour(program, "w").value_or(0);
}

class Pgn {
public:
  // Without words of its own it is PGN, else PDN.
  Pgn(OpenRecord& open, const WordOfMove& word) : open_(open), word_of_(word), pdn_(word != nullptr) {}

  tl::expected<std::string, RecordError> text() {
    Game& game = open_.replayed.game;
    while (game.undo()) {
    }
    const std::string begin = position_of(game);
    for (const std::string& comment : open_.record.comments) word("{" + without(comment, "{}") + "}");
    const bool algebraic = !pdn_ && has_algebraic(program());
    for (std::size_t i = 0; i < open_.replayed.moves.size(); ++i)
      if (auto added = add(i, algebraic); !added) return tl::unexpected(error_at(i, added.error()));
    const std::string result = pgn_result(open_);
    if (const std::string shares = shares_of(open_); !shares.empty()) word("{" + shares + "}");
    word(result);
    return tags(begin, result) + "\n" + lines_ + line_ + "\n";
  }

private:
  [[nodiscard]] const Program& program() const { return open_.loaded.rules->program(); }

  // "" where that is the set-up.
  [[nodiscard]] std::string position_of(const Game& game) const {
    const runtime::Position position = game.position();
    if (position.same_as(program().initial)) return "";
    const auto common = pdn_ ? interpreter::write_numbered(program(), position)
                             : interpreter::write_common_fen(program(), position);
    return common ? *common : position_line(program(), position);
  }

  [[nodiscard]] RecordError error_at(std::size_t i, const std::string& why) const {
    const interpreter::RecordMove& move = open_.record.moves[i];
    return {move.line, move.column, why};
  }

  // An error is a sentence.
  tl::expected<void, std::string> add(std::size_t i, bool algebraic) {
    Game& game = open_.replayed.game;
    const auto move = runtime::find_spelled(game, open_.replayed.moves[i]);
    if (!move) return tl::unexpected(move.error().message);
    if (!*move) return tl::unexpected(std::string("a move that was played isn't found again"));
    std::string written;
    if (algebraic) {
      const auto texts = algebraic_moves(game);
      if (!texts) return tl::unexpected(texts.error().message);
      written = (*texts)[(*move)->index()];
      // Where it would be read as another one, such as a piece's turning on the spot, the rules' own words.
      const auto meant = find_foreign_move(game, Format::pgn, written);
      if (!meant || !*meant || (*meant)->index() != (*move)->index()) written.clear();
    }
    if (pdn_) {
      const auto numbered = word_of_(game, **move);
      if (!numbered) return tl::unexpected(numbered.error().message);
      if (!*numbered)
        return tl::unexpected(
            fmt::format("PDN has no word for move {}, `{}`: a piece goes from one cell to another there",
                        i + 1, open_.replayed.moves[i]));
      written = **numbered;
    }
    const int player = game.to_move();
    if (const auto played = game.play(**move); !played) return tl::unexpected(played.error().message);
    if (algebraic && !written.empty())
      written += check_sign(game);
    else if (written.empty())
      written = open_.replayed.moves[i];
    std::replace(written.begin(), written.end(), ' ', '_');
    number(i, player);
    word(pgn_word(written));
    for (const std::string& comment : open_.record.moves[i].comments) {
      word("{" + without(comment, "{}") + "}");
      commented_ = true;
    }
    return {};
  }

  // "3." before a move of the first player, "3..." before one of the second that doesn't follow at once.
  void number(std::size_t i, int player) {
    if (player == 0 || i == 0) ++number_;
    if (player == 0)
      word(fmt::format("{}.", number_));
    else if (i == 0 || commented_)
      word(fmt::format("{}...", number_));
    commented_ = false;
  }

  void word(const std::string& text) {
    if (!line_.empty() && line_.size() + 1 + text.size() > kLineWidth)
      lines_ += std::exchange(line_, "") + "\n";
    line_ += (line_.empty() ? "" : " ") + text;
  }

  [[nodiscard]] std::string tags(const std::string& begin, const std::string& result) const {
    std::string date = told_of(open_, "Date").substr(0, 10);
    std::replace(date.begin(), date.end(), '-', '.');
    const std::string type = pdn_ ? name_in_format("pdn", program().game) : "";
    const std::string round = told_of(open_, "Round");
    const std::size_t white = white_of(program());
    std::string text = tag("Event", told_of(open_, "Event")) + tag("Site", told_of(open_, "Site")) +
                       tag("Date", date.empty() ? "????.??.??" : date) +
                       tag("Round", round.empty() ? "-" : round) + tag("White", sitter_at(open_, white)) +
                       tag("Black", sitter_at(open_, 1 - white)) + tag("Result", result) +
                       (type.empty() ? tag("Variant", program().game) : tag("GameType", type));
    for (const runtime::Option& option : program().options)
      if (option.value != option.initial) text += tag("Option", option.name + "=" + option.value);
    if (!begin.empty()) text += tag("SetUp", "1") + tag("FEN", begin);
    for (const auto& [name, value] : other_tags(open_)) text += tag(name, value);
    return text;
  }

  OpenRecord& open_;
  const WordOfMove& word_of_;
  bool pdn_;
  std::string lines_, line_;
  std::size_t number_ = 0;
  bool commented_ = false;
};

constexpr std::array<std::string_view, 36> kOwnWords = {
    "Event", "Site", "Date", "Round", "White", "Black", "Result", "Variant", "GameType", "SetUp", "FEN",
    "Game", "Rules", "Option", "RulesHash", "Position", "Player",
    // SGF's
    "FF", "CA", "AP", "GM", "SZ", "ST", "PB", "PW", "RE", "DT", "KM", "EV", "PC", "RO", "AB", "AW", "AE",
    "PL", "C"};

tl::expected<std::string, RecordError> for_two(OpenRecord& open, const WordOfMove& word) {
  if (open.loaded.rules->program().player_count() != 2)
    return tl::unexpected(RecordError{
        open.record.line, 1, fmt::format("only games of two players have a {}", word ? "PDN" : "PGN")});
  return Pgn(open, word).text();
}

} // namespace

tl::expected<std::string, RecordError> pgn_text(OpenRecord& open) { return for_two(open, nullptr); }
tl::expected<std::string, RecordError> pdn_text(OpenRecord& open, const WordOfMove& word) {
  return for_two(open, word);
}

std::string pgn_result(OpenRecord& open) {
  const auto outcome = open.replayed.game.outcome();
  const Program& program = open.loaded.rules->program();
  const std::size_t white = white_of(program);
  if (!shares_of(open).empty()) return "*";
  if (outcome && *outcome) {
    const std::uint32_t winners = (*outcome)->winners;
    return winners == 1U << white ? "1-0" : winners == 1U << (1 - white) ? "0-1" : "1/2-1/2";
  }
  const std::string& told = open.record.result;
  if (told.starts_with(runtime::with_verb(program.players[white].name, "win"))) return "1-0";
  if (told.starts_with(runtime::with_verb(program.players[1 - white].name, "win"))) return "0-1";
  return told.starts_with("a draw") || told.starts_with("draw") ? "1/2-1/2" : "*";
}

std::string told_of(const OpenRecord& open, std::string_view pgn_tag) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kInSgf{
      {{"Event", "EV"}, {"Site", "PC"}, {"Date", "DT"}, {"Round", "RO"}}};
  std::string told = open.record.tag(pgn_tag);
  for (const auto& [pgn, sgf] : kInSgf)
    if (told.empty() && pgn == pgn_tag) told = open.record.tag(sgf);
  return told;
}

std::string sitter_at(const OpenRecord& open, std::size_t player) {
  const Program& program = open.loaded.rules->program();
  const std::string begin = program.players[player].name + ": ";
  for (const std::string& value : open.record.tags_named("Player"))
    if (value.starts_with(begin)) return value.substr(begin.size());
  const char* by_stone = interpreter::player_of_stone(program, 'b') == player ? "PB" : "PW";
  const std::string stone = open.record.tag(by_stone);
  return stone.empty() ? open.record.tag(player == white_of(program) ? "White" : "Black") : stone;
}

Tags other_tags(const OpenRecord& open) {
  Tags tags;
  for (const auto& tag : open.record.tags)
    if (std::find(kOwnWords.begin(), kOwnWords.end(), tag.first) == kOwnWords.end()) tags.push_back(tag);
  return tags;
}

} // namespace boardwright::tools
