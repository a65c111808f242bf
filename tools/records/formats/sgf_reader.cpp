// Entry point: read_sgf.
#include "tools/records/formats/sgf_reader.hpp"

#include "dsl/text.hpp"
#include "tools/games/game_choice.hpp"
#include "tools/records/formats/signs.hpp"
#include "tools/records/formats/titles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace boardwright::tools {
namespace {

using interpreter::RecordError;

// Trees within trees of one file; each takes a place of a list, and none is a mistake of a program.
constexpr std::size_t kMostTrees = 10'000;
// Points that a set-up names. The largest board of the format has 52 by 52.
constexpr std::size_t kMostPlaced = 10'000;

struct Value {
  std::string text;
  Place place;
};

class SgfReader {
public:
  explicit SgfReader(std::string_view text) : signs_(text) {}

  tl::expected<ForeignGames, RecordError> read() {
    while (!error_ && skip_blanks()) sign();
    if (!trees_.empty()) fail(signs_.place(), "a tree of moves isn't closed by `)`");
    if (games_.empty()) fail({1, 1}, "there is no game here");
    if (error_) return tl::unexpected(std::move(*error_));
    return std::move(games_);
  }

private:
  void fail(Place place, std::string message) {
    if (!error_) error_ = RecordError{place.line, place.column, std::move(message)};
  }

  bool skip_blanks() {
    while (!signs_.at_end() && (dsl::is_white(signs_.now()) || signs_.now() == '\f')) signs_.next();
    return !signs_.at_end();
  }

  void sign() {
    const Place place = signs_.place();
    const char c = signs_.now();
    if (c == '(') return open(place);
    if (trees_.empty()) return signs_.next(); // letters before and behind a game are allowed
    if (c == ')') {
      trees_.pop_back();
      return signs_.next();
    }
    if (c == ';') {
      ++nodes_;
      return signs_.next();
    }
    property(place);
  }

  // A tree whose brother was read, or that lies within such a one, is a variation.
  void open(Place place) {
    signs_.next();
    if (trees_.size() == kMostTrees)
      return fail(place, fmt::format("trees of moves lie {} deep in each other", kMostTrees));
    if (trees_.empty()) {
      games_.emplace_back().line = place.line;
      games_.back().game = title_of("sgf", "1"); // of which a file is that doesn't say it
      nodes_ = 0;
    }
    const bool variation = !trees_.empty() && (trees_.back().variation || trees_.back().has_branch);
    if (!trees_.empty()) trees_.back().has_branch = true;
    trees_.push_back({variation, false});
  }

  void property(Place place) {
    std::string name;
    for (; !signs_.at_end() && dsl::begins_name(signs_.now()); signs_.next())
      if (signs_.now() >= 'A' && signs_.now() <= 'Z') name += signs_.now(); // FF[1] had small letters, too
    std::vector<Value> values;
    while (skip_blanks() && signs_.now() == '[') {
      auto value = value_in_brackets();
      if (!value) return;
      values.push_back(std::move(*value));
    }
    if (name.empty() || values.empty())
      return fail(place, "a property is a name in capitals and values in brackets: B[cd]");
    if (!trees_.back().variation) keep(name, place, values);
  }

  std::optional<Value> value_in_brackets() {
    Value value;
    const Place opened = signs_.place();
    signs_.next();
    value.place = signs_.place();
    for (; !signs_.at_end(); signs_.next()) {
      if (signs_.now() == ']') return signs_.next(), value;
      if (signs_.now() == '\\') signs_.next();
      if (!signs_.at_end()) value.text += signs_.now();
    }
    fail(opened, "this value isn't closed by `]`");
    return std::nullopt;
  }

  void keep(const std::string& name, Place place, const std::vector<Value>& values) {
    ForeignGame& game = games_.back();
    const std::string& first = values.front().text;
    if (name == "B" || name == "W") return move(game, name == "B" ? 'b' : 'w', values.front());
    if (name == "AB" || name == "AW" || name == "AE")
      return set_up(game, name == "AB" ? 'b' : name == "AW" ? 'w' : '-', place, values);
    if (name == "PL") game.to_move = first.starts_with('W') || first.starts_with('w') ? 'w' : 'b';
    if (name == "C") return comment(game, first);
    if (nodes_ > 1) return;
    if (name == "GM") game.game = title_of("sgf", first);
    if (name == "SZ") game.options.emplace_back("size", first.substr(0, first.find(':')));
    // Whole points; whether there is half a point more is said by the rules.
    if (name == "KM") game.options.emplace_back("komi", first.substr(0, first.find('.')));
    if (name == "RE") game.winner = winner_of(first);
    if (game.tags.size() < interpreter::kMaxRecordTags) game.tags.emplace_back(name, first);
  }

  void move(ForeignGame& game, char colour, const Value& value) {
    if (value.text == "resign") { // no move, though some programs write it as one
      game.winner = colour == 'b' ? "w" : "b";
      return;
    }
    if (game.moves.size() == interpreter::kMaxRecordMoves)
      return fail(value.place, fmt::format("a game has more than {} moves", interpreter::kMaxRecordMoves));
    // Where the same colour goes on, only who plays it has changed.
    if (!game.moves.empty() && game.moves.back().text == "swap" && game.moves.back().colour == colour)
      game.moves.pop_back();
    std::string text = on_one_line(value.text);
    if (dsl::to_lower(text).starts_with("swap")) { // `swap-pieces`: by rules that allow it
      text = "swap";
      game.options.emplace_back("swap", "true");
    }
    game.moves.push_back({std::move(text), colour, value.place.line, value.place.column, {}});
  }

  void comment(ForeignGame& game, const std::string& text) {
    std::string said = on_one_line(text);
    if (said.empty()) return;
    (game.moves.empty() ? game.comments : game.moves.back().comments).push_back(std::move(said));
  }

  void set_up(ForeignGame& game, char colour, Place place, const std::vector<Value>& values) {
    if (!game.moves.empty()) return fail(place, "pieces are put on the board behind a move; that is no game");
    for (const Value& value : values) {
      if (game.placed.size() == kMostPlaced)
        return fail(value.place, fmt::format("a set-up names more than {} points", kMostPlaced));
      add_points(game, colour, value);
    }
  }

  // `cd`, or a rectangle of points, `aa:cd`.
  void add_points(ForeignGame& game, char colour, const Value& value) {
    const std::string& text = value.text;
    const auto add = [&](std::string cell) {
      game.placed.push_back({colour, std::move(cell), value.place.line, value.place.column});
    };
    if (text.size() != 5 || text[2] != ':') return add(text);
    for (char x = std::min(text[0], text[3]); x <= std::max(text[0], text[3]); ++x)
      for (char y = std::min(text[1], text[4]); y <= std::max(text[1], text[4]); ++y) add({x, y});
  }

  // `B+3.5`, `W+R`, `0`, `Draw`.
  static std::string winner_of(std::string_view result) {
    if (result.starts_with("B+")) return "b";
    if (result.starts_with("W+")) return "w";
    return result == "0" || result == "Draw" || result == "Jigo" ? "draw" : "";
  }

  struct Tree {
    bool variation = false;
    bool has_branch = false; // a tree within it was read
  };

  SignReader signs_;
  ForeignGames games_;
  std::vector<Tree> trees_;
  std::size_t nodes_ = 0;
  std::optional<RecordError> error_;
};

} // namespace

tl::expected<ForeignGames, RecordError> read_sgf(std::string_view text) { return SgfReader(text).read(); }

} // namespace boardwright::tools
