// Entry points: read_pgn, pgn_word.
#include "tools/records/formats/pgn_reader.hpp"

#include "dsl/text.hpp"
#include "interpreter/notation/numbered_position.hpp"
#include "tools/games/game_choice.hpp"
#include "tools/records/formats/signs.hpp"
#include "tools/records/formats/titles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace boardwright::tools {
namespace {

using interpreter::RecordError;

// What a game ends with; PDN counts two points for a win.
struct ResultWord {
  std::string_view word, winner;
};
constexpr std::array<ResultWord, 8> kResultWords = {{{"1-0", "w"},
                                                     {"0-1", "b"},
                                                     {"1/2-1/2", "draw"},
                                                     {"*", ""},
                                                     {"2-0", "w"},
                                                     {"0-2", "b"},
                                                     {"1-1", "draw"},
                                                     {"½-½", "draw"}}};

// A board of 8 by 8 has 32 dark cells; whoever begins there moves a piece from a cell up to 24.
constexpr int kCellsOfSmallBoard = 32;
constexpr int kLastFirstCell = 24;

class PgnReader {
public:
  explicit PgnReader(std::string_view text) : signs_(text) {}

  tl::expected<ForeignGames, RecordError> read() {
    while (!error_ && skip_blanks()) token();
    if (depth_ > 0) fail(opened_, "this variation isn't closed by `)`");
    if (games_.empty()) fail({1, 1}, "there is no game here");
    if (error_) return tl::unexpected(std::move(*error_));
    for (ForeignGame& game : games_) settle(game);
    return std::move(games_);
  }

private:
  void fail(Place place, std::string message) {
    if (!error_) error_ = RecordError{place.line, place.column, std::move(message)};
  }

  // To the next sign that isn't blank; lines that begin with `%` are for other programs.
  bool skip_blanks() {
    while (!signs_.at_end()) {
      if (signs_.now() == '%' && signs_.place().column == 1)
        signs_.until('\n');
      else if (dsl::is_white(signs_.now()) || signs_.now() == '\f' || signs_.now() == '\v')
        signs_.next();
      else
        return true;
    }
    return false;
  }

  void token() {
    const Place place = signs_.place();
    const char c = signs_.now();
    if (c == '{') return comment(place, '}');
    if (c == ';') return comment(place, '\n');
    if (c == '(') return open(place);
    if (c == ')') return close(place);
    if (depth_ > 0 && c == '[') return signs_.next(); // no tag, within a variation
    if (c == '[') return tag(place);
    if (c == '"') return quoted(place);
    word(place, std::string(signs_.word("{}();\"")));
  }

  ForeignGame& game(Place place) {
    if (games_.empty() || ended_) {
      games_.emplace_back().line = place.line;
      ended_ = false;
    }
    return games_.back();
  }

  void comment(Place place, char end) {
    signs_.next();
    const auto text = signs_.until(end);
    if (!text && end == '}') return fail(place, "this comment isn't closed by `}`");
    if (depth_ > 0) return;
    ForeignGame& now = game(place);
    std::string said = on_one_line(std::string(text.value_or(signs_.rest())));
    if (said.empty()) return;
    (now.moves.empty() ? now.comments : now.moves.back().comments).push_back(std::move(said));
  }

  void open(Place place) {
    if (depth_++ == 0) opened_ = place;
    signs_.next();
  }
  void close(Place place) {
    if (depth_ == 0) return fail(place, "this `)` closes no variation");
    --depth_;
    signs_.next();
  }

  void tag(Place place) {
    signs_.next();
    skip_blanks();
    const std::string name(signs_.word("\"]"));
    skip_blanks();
    if (name.empty() || signs_.at_end() || signs_.now() != '"')
      return fail(place, "a tag is a name and a text: [Name \"value\"]");
    auto value = text_in_quotes();
    skip_blanks();
    if (!value || signs_.at_end() || signs_.now() != ']')
      return fail(place, "the text of a tag ends in `\"]`; in it `\\\"` stands for `\"`, `\\\\` for `\\`");
    signs_.next();
    if (!games_.empty() && !games_.back().moves.empty()) ended_ = true;
    ForeignGame& now = game(place);
    if (now.tags.size() == interpreter::kMaxRecordTags)
      return fail(place, fmt::format("a game has more than {} tags", interpreter::kMaxRecordTags));
    now.tags.emplace_back(name, std::move(*value));
  }

  std::optional<std::string> text_in_quotes() {
    std::string text;
    for (signs_.next(); !signs_.at_end() && signs_.now() != '\n'; signs_.next()) {
      if (signs_.now() == '"') return signs_.next(), text;
      if (signs_.now() == '\\') signs_.next();
      if (!signs_.at_end()) text += signs_.now();
    }
    return std::nullopt;
  }

  void quoted(Place place) {
    auto text = text_in_quotes();
    if (!text) return fail(place, "this move in quotes isn't closed by `\"`");
    if (depth_ == 0) move(place, std::move(*text));
  }

  void word(Place place, std::string text) {
    if (depth_ > 0 || text.starts_with('$')) return;
    if (completes(text)) return void(games_.back().moves.back().text += text);
    const auto ends = std::find_if(kResultWords.begin(), kResultWords.end(),
                                   [&](const ResultWord& result) { return result.word == text; });
    if (ends != kResultWords.end()) {
      game(place).winner = ends->winner;
      ended_ = true;
      return;
    }
    const std::size_t number = digits_and_stops(text);
    place.column += static_cast<std::uint32_t>(number);
    text.erase(0, number);
    if (text.empty() || text == "e.p." || text.find_first_not_of("!?+-=~N/\\#") == std::string::npos) {
      if (text != "--") return;
    }
    move(place, std::move(text));
  }

  // How much of `12...Nf3` is the number; a number without a stop is none where something follows at once.
  static std::size_t digits_and_stops(std::string_view text) {
    std::size_t digits = 0;
    while (digits < text.size() && dsl::is_digit(text[digits])) ++digits;
    std::size_t end = digits;
    while (end < text.size() && text[end] == '.') ++end;
    return end > digits || end == text.size() ? end : 0;
  }

  void move(Place place, std::string text) {
    ForeignGame& now = game(place);
    if (now.moves.size() == interpreter::kMaxRecordMoves)
      return fail(place, fmt::format("a game has more than {} moves", interpreter::kMaxRecordMoves));
    if (text.size() > interpreter::kMaxRecordMove)
      return fail(place, fmt::format("a move is longer than {} bytes", interpreter::kMaxRecordMove));
    now.moves.push_back({std::move(text), 0, place.line, place.column, {}});
  }

  // Aligned columns have blanks within a move: `1- 6`.
  [[nodiscard]] bool completes(std::string_view text) const {
    if (games_.empty() || ended_ || games_.back().moves.empty()) return false;
    const std::string& last = games_.back().moves.back().text;
    const bool half =
        last.size() > 1 && dsl::is_digit(last.front()) && (last.ends_with('-') || last.ends_with('x'));
    return half && dsl::number_in<unsigned>(text.substr(0, text.find_first_of("x-!?")));
  }

  // What the tags say about the game.
  static void settle(ForeignGame& game) {
    for (const auto& [name, value] : game.tags) {
      if (name == "FEN") game.position = value;
      if (name == "Result" && game.winner.empty()) game.winner = winner_of(value);
      if (name == "Variant") game.game = game_of_variant(value);
      if (name == "GameType") game.game = game_of_type(value);
      if (name == "Option") {
        const std::size_t equals = std::min(value.find('='), value.size());
        game.options.emplace_back(value.substr(0, equals), value.substr(std::min(equals + 1, value.size())));
      }
    }
    const bool named = std::any_of(game.tags.begin(), game.tags.end(), [](const auto& tag) {
      return tag.first == "Variant" || tag.first == "GameType";
    });
    if (!named) game.game = by_first_move(game);
  }
  // Of a position such as `W:W31,33:BK14`.
  static bool names_large_cell(std::string_view position) {
    for (std::size_t i = 0; i < position.size(); ++i) {
      const std::size_t end = std::min(position.find_first_not_of("0123456789", i), position.size());
      if (end > i && dsl::number_in<int>(position.substr(i, end - i)).value_or(0) > kCellsOfSmallBoard)
        return true;
      i = end;
    }
    return false;
  }
  // `c3-b4`, `c3:e5`, between dark cells, from the third row on.
  static bool names_two_cells(std::string_view text) {
    const auto cell = [&](std::size_t at) {
      return text[at] >= 'a' && text[at] <= 'h' && text[at + 1] >= '1' && text[at + 1] <= '8';
    };
    const bool long_enough = text.size() >= 5 && (text[2] == '-' || text[2] == 'x' || text[2] == ':');
    return long_enough && cell(0) && cell(3) && (text[0] + text[1]) % 2 == 0 &&
           (text[3] + text[4]) % 2 == 0 && text[1] == '3';
  }
  // PDN often leaves out which game it is of, and PGN where it is the usual one. Cells of large boards have
  // numbers above 32.
  static std::string by_first_move(const ForeignGame& game) {
    const auto numbered = [](const ForeignMove& move) {
      const std::size_t dash = move.text.find_first_of("-x:");
      return dash != std::string::npos && dsl::number_in<int>(move.text.substr(0, dash));
    };
    const auto first_cell = [](const ForeignMove& move) {
      return dsl::number_in<int>(move.text.substr(0, move.text.find_first_of("-x:"))).value_or(0);
    };
    const auto above = [&](const ForeignMove& move) { return first_cell(move) > kCellsOfSmallBoard; };
    if (game.moves.empty()) {
      if (!interpreter::is_numbered_position(game.position)) return title_of("pgn", "");
      return title_of("pdn", names_large_cell(game.position) ? "large" : "small");
    }
    if (names_two_cells(game.moves.front().text)) return title_of("pdn", "letters");
    if (!numbered(game.moves.front())) return title_of("pgn", "");
    const bool begins_far = game.position.empty() && first_cell(game.moves.front()) > kLastFirstCell;
    const bool large = begins_far || names_large_cell(game.position) ||
                       std::any_of(game.moves.begin(), game.moves.end(), above);
    return title_of("pdn", large ? "large" : "small");
  }
  static std::string winner_of(std::string_view result) {
    for (const auto& [word, winner] : kResultWords)
      if (word == result) return std::string(winner);
    return "";
  }
  static std::string game_of_variant(const std::string& variant) {
    std::string title = title_of("pgn", variant);
    return title.empty() ? variant : title;
  }
  // `20,W,10,10,N2,0`: the first one is the game's.
  static std::string game_of_type(std::string_view type) {
    return title_of("pdn", type.substr(0, type.find(',')));
  }

  SignReader signs_;
  ForeignGames games_;
  bool ended_ = false; // the last game has its result: what follows is another one
  std::size_t depth_ = 0;
  Place opened_;
  std::optional<RecordError> error_;
};

} // namespace

tl::expected<ForeignGames, RecordError> read_pgn(std::string_view text) { return PgnReader(text).read(); }

std::string pgn_word(const std::string& move) {
  const auto read = read_pgn(move);
  const bool plain = read && read->size() == 1 && read->front().moves.size() == 1 &&
                     read->front().moves.front().text == move &&
                     read->front().moves.front().comments.empty() && read->front().tags.empty();
  if (plain) return move;
  std::string quoted = "\"";
  for (const char c : move) quoted += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  return quoted + "\"";
}

} // namespace boardwright::tools
