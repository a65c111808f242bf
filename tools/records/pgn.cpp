// Entry point: pgn_text.
#include "tools/records/pgn.hpp"

#include "interpreter/notation/fen.hpp"
#include "runtime/game/spelling.hpp"
#include "runtime/model/shares.hpp"
#include "tools/games/algebraic.hpp"
#include "tools/records/formats/pgn_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace boardwright::tools {
namespace {

using runtime::Fault;
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

class Pgn {
public:
  explicit Pgn(OpenRecord& open) : open_(open) {}

  tl::expected<std::string, Fault> text() {
    Game& game = open_.replayed.game;
    while (game.undo()) {
    }
    const std::string begin = position_of(game);
    for (const std::string& comment : open_.record.comments) word("{" + without(comment, "{}") + "}");
    const bool algebraic = has_algebraic(program());
    for (std::size_t i = 0; i < open_.replayed.moves.size(); ++i)
      if (const auto added = add(i, algebraic); !added) return tl::unexpected(added.error());
    const std::string result = result_now();
    if (const std::string shares = shares_now(); !shares.empty()) word("{" + shares + "}");
    word(result);
    return tags(begin, result) + "\n" + lines_ + line_ + "\n";
  }

private:
  [[nodiscard]] const Program& program() const { return open_.loaded.rules->program(); }

  // "" where that is the set-up.
  [[nodiscard]] std::string position_of(const Game& game) const {
    const runtime::Position position = game.position();
    if (position.same_as(program().initial)) return "";
    const auto common = interpreter::write_common_fen(program(), position);
    return common ? *common : position_line(program(), position);
  }

  tl::expected<void, Fault> add(std::size_t i, bool algebraic) {
    Game& game = open_.replayed.game;
    const auto move = runtime::find_spelled(game, open_.replayed.moves[i]);
    if (!move) return tl::unexpected(move.error());
    if (!*move) return tl::unexpected(Fault{"a move that was played isn't found again", 0});
    std::string written;
    if (algebraic) {
      const auto texts = algebraic_moves(game);
      if (!texts) return tl::unexpected(texts.error());
      written = (*texts)[(*move)->index()];
    }
    const int player = game.to_move();
    if (const auto played = game.play(**move); !played) return tl::unexpected(played.error());
    if (!written.empty())
      written += check_sign(game);
    else
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

  // PGN has no result for a point that is shared otherwise than in halves.
  [[nodiscard]] std::string shares_now() {
    const auto outcome = open_.replayed.game.outcome();
    return outcome && *outcome ? runtime::shares_text(program(), runtime::result_of(**outcome)) : "";
  }

  // By the rules; else as the record tells it.
  [[nodiscard]] std::string result_now() {
    const auto outcome = open_.replayed.game.outcome();
    if (!shares_now().empty()) return "*";
    if (outcome && *outcome)
      return (*outcome)->winners == 1 ? "1-0" : (*outcome)->winners == 2 ? "0-1" : "1/2-1/2";
    const std::string& told = open_.record.result;
    if (told.starts_with(program().players[0].name + " wins")) return "1-0";
    if (told.starts_with(program().players[1].name + " wins")) return "0-1";
    return told.starts_with("a draw") || told.starts_with("draw") ? "1/2-1/2" : "*";
  }

  // "White: person" of the tags of that name.
  [[nodiscard]] std::string sitter(std::size_t player) const {
    const std::string begin = program().players[player].name + ": ";
    for (const std::string& value : open_.record.tags_named("Player"))
      if (value.starts_with(begin)) return value.substr(begin.size());
    return "?";
  }

  [[nodiscard]] std::string tags(const std::string& begin, const std::string& result) const {
    std::string date = open_.record.tag("Date").substr(0, 10);
    std::replace(date.begin(), date.end(), '-', '.');
    std::string text = tag("Event", open_.record.tag("Event")) + tag("Site", open_.record.tag("Site")) +
                       tag("Date", date.empty() ? "????.??.??" : date) + tag("Round", "-") +
                       tag("White", sitter(0)) + tag("Black", sitter(1)) + tag("Result", result) +
                       tag("Variant", program().game);
    for (const std::string& option : open_.record.tags_named("Option")) text += tag("Option", option);
    if (!begin.empty()) text += tag("SetUp", "1") + tag("FEN", begin);
    return text;
  }

  OpenRecord& open_;
  std::string lines_, line_;
  std::size_t number_ = 0;
  bool commented_ = false;
};

} // namespace

tl::expected<std::string, Fault> pgn_text(OpenRecord& open) {
  if (open.loaded.rules->program().player_count() != 2)
    return tl::unexpected(Fault{"only games of two players have a PGN", 0});
  return Pgn(open).text();
}

} // namespace boardwright::tools
