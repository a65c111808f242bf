// Entry point: unfold_fen.
#include "interpreter/notation/fen.hpp"

#include "dsl/shape.hpp"
#include "dsl/text.hpp"
#include "interpreter/notation/fen_fields.hpp"
#include "interpreter/notation/fen_players.hpp"
#include "interpreter/notation/fen_rights.hpp"
#include "interpreter/notation/fen_words.hpp"
#include "interpreter/notation/numbered_position.hpp"
#include "interpreter/notation/position_entry.hpp"
#include "runtime/model/piece_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>

namespace boardwright::interpreter {
namespace {

using dsl::Diagnostics;
using dsl::in_backticks;
using dsl::is_digit;
using dsl::Name;
using dsl::PositionEntry;
using dsl::Text;
using runtime::Program;

constexpr std::string_view kSfen = "sfen"; // may stand before a position of that notation
constexpr std::string_view kEmptyHand = "-";

// The number of digits at the beginning.
std::size_t digits(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
}

bool is_own_field(const Text& text) { return text.text.find('=') != std::string::npos; }

// How the fields behind the board are to be understood.
enum class Style : std::uint8_t {
  own,    // who is to move, then name=value
  common, // as other programs write them: `w KQkq - 0 1`
  sfen,   // `b RB2p 1`: hands behind who is to move, and `b` is who begins
};

class FenUnfolding {
public:
  FenUnfolding(const Program& program, Diagnostics& diagnostics)
      : program_(program), diagnostics_(diagnostics) {}

  std::optional<PositionEntry> read(const Text& fen) && {
    auto fields = dsl::words(fen);
    entry_.span = fen.span();
    entry_.has_board = true;
    if (const auto why = why_no_fen(program_); !why.empty()) return fail(fen, why, "write `cells` instead");
    const bool named = !fields.empty() && fields[0].text == kSfen;
    if (named) fields.erase(fields.begin());
    if (fields.empty()) return fail(fen, "this FEN is empty", "");
    board(fields[0]);
    std::vector<Text> common; // fields as other programs write them
    for (std::size_t i = 2; i < fields.size(); ++i)
      if (!is_own_field(fields[i])) common.push_back(fields[i]);
    style_ = named || is_sfen(common)                      ? Style::sfen
             : !common.empty() && !is_own_field(fields[2]) ? Style::common
                                                           : Style::own;
    if (fields.size() > 1) mover(fields[1]);
    if (!promoted_.empty() && !failed_) promote();
    style_ == Style::sfen ? sfen_fields(common) : common_fields(common);
    for (std::size_t i = 2; i < fields.size(); ++i)
      if (is_own_field(fields[i])) field(fields[i]);
    if (failed_) return std::nullopt;
    return std::move(entry_);
  }

private:
  std::nullopt_t fail(const Text& where, std::string what, std::string help) {
    failed_ = true;
    fen_error(where, std::move(what), std::move(help), diagnostics_);
    return std::nullopt;
  }

  // ---- the board

  void board(const Text& field) {
    const auto bracket = std::min(field.text.find('['), field.text.size());
    auto rows = dsl::split(field.part(0, bracket), '/');
    const auto ranks = static_cast<std::size_t>(program_.board.ranks);
    // `…/4K3/Qn`: the pieces in hand as one more rank
    if (rows.size() == ranks + 1 && bracket == field.text.size() && program_.hands > 0 &&
        is_hand(rows.back().text)) {
      in_hands(rows.back());
      rows.pop_back();
    }
    if (rows.size() != ranks)
      fail(field.part(0, bracket),
           fmt::format("this FEN has {} ranks, but the board has {}", rows.size(), ranks), "");
    for (const Text& text : rows) row(text);
    if (bracket < field.text.size()) in_brackets(field.part(bracket, field.text.size()));
  }

  void row(const Text& text) {
    dsl::PictureRow signs{{}, text.span()};
    for (std::size_t i = 0; i < text.text.size();) {
      const std::size_t count = digits(std::string_view(text.text).substr(i));
      if (count == 0) {
        i += piece(text, i, signs);
      } else {
        if (!empty_cells(text.part(i, i + count), signs)) return;
        i += count;
      }
    }
    entry_.picture.push_back(std::move(signs));
  }

  // A sign of a rule file is that, whatever it means elsewhere.
  [[nodiscard]] bool is_mark(const Text& text, std::size_t i, char mark) const {
    return i < text.text.size() && text.text[i] == mark && !program_.piece_of(mark);
  }

  // `P`, `+P`, `P~`; how many characters that are.
  std::size_t piece(const Text& text, std::size_t i, dsl::PictureRow& row) {
    const bool turned = is_mark(text, i, '+') && i + 1 < text.text.size();
    const std::size_t end = i + (turned ? 2 : 1);
    const Text sign = text.part(i, end);
    const char letter = letter_meant(program_, sign.text.back());
    const bool promoted = is_mark(text, end, '~');
    row.signs.push_back({std::string(1, turned ? turned_letter(sign, letter) : letter), sign.span()});
    if (promoted && promoted_value(program_) == nullptr)
      fail(text.part(i, end + 1), "`~` marks a promoted piece, and none of this game knows whether it is one",
           "leave `~` out");
    if (promoted || (turned && promoted_value(program_) != nullptr))
      promoted_.emplace_back(entry_.picture.size(), row.signs.size() - 1);
    return end - i + (promoted ? 1 : 0);
  }

  char turned_letter(const Text& sign, char letter) {
    const auto piece = program_.piece_of(letter);
    const int kind = piece ? program_.kinds[static_cast<std::size_t>(piece->kind)].turned : -1;
    const char other = kind < 0 ? '?' : program_.letter_of({piece->owner, static_cast<std::int8_t>(kind)});
    if (piece && other != '?') return other;
    if (!piece) return letter; // told as any letter that there isn't
    fail(sign,
         fmt::format("{} is a piece that has been turned over, and this one isn't", in_backticks(sign.text)),
         turning_help());
    return letter;
  }

  [[nodiscard]] std::string turning_help() const {
    std::vector<std::string> letters;
    for (std::size_t kind = 0; kind < program_.kinds.size(); ++kind)
      if (program_.kinds[kind].turned >= 0)
        letters.push_back(fmt::format("`+{}`", program_.letter_of_kind(static_cast<int>(kind))));
    return letters.empty() ? "no piece of this game is"
                           : fmt::format("there are {}", fmt::join(letters, ", "));
  }

  // The pieces with a mark, as a state of theirs.
  void promote() {
    PositionEntry marked;
    marked.has_board = true;
    marked.span = entry_.span;
    marked.picture = entry_.picture;
    for (dsl::PictureRow& row : marked.picture)
      for (Name& sign : row.signs) sign.text = ".";
    for (const auto& [row, sign] : promoted_)
      marked.picture[row].signs[sign].text = entry_.picture[row].signs[sign].text;
    Diagnostics told_later; // what is wrong with the board
    const auto board = resolve_board(program_, marked, told_later);
    std::vector<std::string> cells;
    for (std::size_t cell = 0; board && cell < board->size(); ++cell)
      if (!(*board)[cell].empty()) cells.push_back(program_.board.name[cell]);
    dsl::Yaml value;
    value.kind = dsl::Yaml::Kind::scalar;
    const Name& first = entry_.picture[promoted_.front().first].signs[promoted_.front().second];
    value.span = first.span;
    value.text = {fmt::format("true:{}", fmt::join(cells, ",")), {}, first.span.file};
    value.text.offsets.assign(value.text.text.size() + 1, first.span.begin);
    if (!cells.empty()) entry_.state.emplace_back(Name{std::string(kPromoted), first.span}, std::move(value));
  }

  bool empty_cells(const Text& number, dsl::PictureRow& row) {
    const auto files = static_cast<std::uint64_t>(program_.board.files);
    const auto count = dsl::whole_number(number.text);
    if (!count || *count > files) {
      fail(number, fmt::format("{} empty cells, and the board has {} files", number.text, files), "");
      return false;
    }
    row.signs.insert(row.signs.end(), *count, Name{".", number.span()});
    return true;
  }

  // ---- hands

  void in_brackets(const Text& text) {
    if (text.text.size() < 2 || text.text.back() != ']') {
      fail(text, "the pieces in hand aren't closed", "close them with `]`");
      return;
    }
    in_hands(text.part(1, text.text.size() - 1));
  }

  // Letters, numbers before some of them, or a sign for none.
  [[nodiscard]] bool is_hand(std::string_view text) const {
    if (text.empty() || text == kEmptyHand) return true;
    const bool letters = std::all_of(text.begin(), text.end(), [this](char c) {
      return is_digit(c) || program_.piece_of(letter_meant(program_, c)).has_value();
    });
    return letters && !is_digit(text.back());
  }

  // `PPn`, `2Pn`, `-`, or nothing: nobody else has anything in hand.
  void in_hands(const Text& inside) {
    entry_.no_hands = true;
    hands_given_ = true;
    if (inside.text == kEmptyHand) return;
    std::vector<std::int64_t> counts(static_cast<std::size_t>(program_.hands), 0);
    for (std::size_t i = 0; i < inside.text.size();) {
      const std::size_t number = digits(std::string_view(inside.text).substr(i));
      const std::size_t end = std::min(i + number + 1, inside.text.size());
      if (!piece_in_hand(inside.part(i, end), number, counts)) return;
      i = end;
    }
  }

  bool piece_in_hand(const Text& piece, std::size_t number, std::vector<std::int64_t>& counts) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
    const auto count = number == 0 ? std::optional<std::uint64_t>(1)
                                   : dsl::whole_number(std::string_view(piece.text).substr(0, number));
    const char letter = letter_meant(program_, piece.text.back());
    const auto found = is_digit(letter) ? std::nullopt : program_.piece_of(letter);
    if (!found || !count || *count > kMost) {
      fail(piece, fmt::format("{} is not a piece in hand", in_backticks(piece.text)),
           program_.hands > 0 ? "letters are " + letters_text(program_) : no_hands());
      return false;
    }
    const int slot = found->owner < 0 ? -1
                                      : program_.hand_slot[static_cast<std::size_t>(found->owner)]
                                                          [static_cast<std::size_t>(found->kind)];
    const auto& kind = program_.kinds[static_cast<std::size_t>(found->kind)].name;
    if (slot < 0) {
      fail(piece, fmt::format("nobody has {} in hand by the letter `{}`", in_backticks(kind), letter),
           no_hands());
      return false;
    }
    auto& sum = counts[static_cast<std::size_t>(slot)];
    sum = std::min(sum + static_cast<std::int64_t>(*count), static_cast<std::int64_t>(kMost));
    set_hand(piece, static_cast<std::size_t>(found->owner), kind, sum);
    return true;
  }

  [[nodiscard]] std::string no_hands() const {
    return program_.hands > 0 ? "" : "nobody has a hand in this game";
  }

  // Of several counts of one hand the last one holds.
  void set_hand(const Text& where, std::size_t player, const std::string& kind, std::int64_t count) {
    dsl::Ast number;
    number.form = dsl::Form::number;
    number.span = where.span();
    number.number = count;
    dsl::HandsOfPlayer hand{{program_.players[player].name, where.span()}, false, {}};
    hand.counts.emplace_back(Name{kind, where.span()}, std::move(number));
    entry_.hands.push_back(std::move(hand));
  }

  // ---- who is to move

  [[nodiscard]] std::optional<std::size_t> player_of(std::string_view word) const {
    const auto common = player_of_colour(program_, word);
    if (style_ == Style::sfen && common) {
      const auto begins = static_cast<std::size_t>(program_.initial.to_move);
      return word == "b" ? begins : 1 - begins;
    }
    if (style_ == Style::common && common) return common;
    const auto own = player_meant(program_, word);
    return own ? own : common;
  }

  void mover(const Text& field) {
    if (const auto player = player_of(field.text)) {
      entry_.to_move = Name{program_.players[*player].name, field.span()};
      return;
    }
    std::vector<std::string> known;
    for (std::size_t i = 0; i < program_.players.size(); ++i)
      known.push_back(fmt::format("`{}` ({})", player_field(program_, i), program_.players[i].name));
    const bool coloured = program_.players.size() == 2 && !player_meant(program_, "w");
    fail(field, fmt::format("{} says of no player that he is to move", in_backticks(field.text)),
         fmt::format("write {}{}", fmt::join(known, " or "),
                     coloured ? ", or `w` and `b` as other programs do" : ""));
  }

  // ---- the fields behind

  // `b RB2p 1`: where hands are to be told and haven't been yet.
  [[nodiscard]] bool is_sfen(const std::vector<Text>& fields) const {
    if (hands_given_ || program_.hands == 0 || fields.empty() || fields.size() > 2) return false;
    if (shared_variable(program_, kRights, runtime::Type::cells)) return false; // there it is castling
    const bool counted = fields.size() < 2 || digits(fields[1].text) == fields[1].text.size();
    return counted && !fields[0].text.empty() && is_hand(fields[0].text);
  }

  void sfen_fields(const std::vector<Text>& fields) {
    if (!fields.empty()) in_hands(fields[0]);
    for (std::size_t i = 1; i < fields.size(); ++i)
      if (i > 1 || digits(fields[i].text) != fields[i].text.size())
        fail(fields[i], fmt::format("{} can't be read as a field of an SFEN", in_backticks(fields[i].text)),
             "behind the pieces in hand stands the number of the move");
  }

  void common_fields(const std::vector<Text>& fields) {
    if (!fields.empty() && !read_common_fields(program_, fields, entry_, diagnostics_)) failed_ = true;
  }

  // `passes=1`, `store.White=4`, `ply=12`
  void field(const Text& text) {
    const auto equals = text.text.find('=');
    const auto path = dsl::split(text.part(0, equals), '.');
    const Text value = text.part(equals + 1, text.text.size());
    if (is_variable(path[0].text)) return variable(path, value);
    const std::string& name = path[0].text;
    if (name == "ply" && path.size() == 1) {
      entry_.ply = number(value);
    } else if (name == "turns" && path.size() == 2) {
      if (auto count = number(value)) entry_.turns.emplace_back(dsl::to_name(path[1]), std::move(*count));
    } else if (name == "hands" && path.size() == 3) {
      hand_field(path, value);
    } else if (name == "out" && path.size() == 1) {
      entry_.out.emplace();
      for (const Text& player : dsl::split(value, ',')) entry_.out->push_back(dsl::to_name(player));
    } else {
      fail(text.part(0, equals),
           fmt::format("the game has no state {}", in_backticks(text.text.substr(0, equals))), state_help());
    }
  }

  std::optional<dsl::Ast> number(const Text& value) {
    auto tree = dsl::parse_value(value, diagnostics_);
    failed_ = failed_ || !tree;
    return tree;
  }

  void hand_field(const std::vector<Text>& path, const Text& value) {
    auto count = number(value);
    if (!count) return;
    dsl::HandsOfPlayer hand{dsl::to_name(path[1]), false, {}};
    hand.counts.emplace_back(dsl::to_name(path[2]), std::move(*count));
    entry_.hands.push_back(std::move(hand));
  }

  [[nodiscard]] bool is_variable(std::string_view name) const {
    return std::any_of(program_.variables.begin(), program_.variables.end(),
                       [&](const runtime::Variable& variable) { return variable.name == name; });
  }

  static dsl::Yaml scalar(const Text& text) {
    dsl::Yaml value;
    value.kind = dsl::Yaml::Kind::scalar;
    value.text = text;
    value.span = text.span();
    return value;
  }

  void variable(const std::vector<Text>& path, const Text& value) {
    dsl::Yaml given = scalar(value);
    if (path.size() > 1) {
      dsl::Yaml by_player;
      by_player.kind = dsl::Yaml::Kind::map;
      by_player.span = path[1].span();
      by_player.entries.push_back({path[1], std::move(given), nullptr});
      given = std::move(by_player);
    }
    entry_.state.emplace_back(dsl::to_name(path[0]), std::move(given));
  }

  [[nodiscard]] std::string state_help() const {
    std::vector<std::string> names;
    for (const auto& variable : program_.variables)
      if (std::find(names.begin(), names.end(), variable.name) == names.end()) names.push_back(variable.name);
    return names.empty() ? "the game has no state"
                         : fmt::format("its state is {}; write `{}=VALUE`", fmt::join(names, ", "), names[0]);
  }

  const Program& program_;
  Diagnostics& diagnostics_;
  PositionEntry entry_;
  Style style_ = Style::own;
  std::vector<std::pair<std::size_t, std::size_t>> promoted_; // row and sign of pieces with a mark
  bool hands_given_ = false;
  bool failed_ = false;
};

} // namespace

std::optional<PositionEntry> unfold_fen(const Program& program, const Text& fen, Diagnostics& diagnostics) {
  if (is_numbered_position(fen.text)) return unfold_numbered(program, fen, diagnostics);
  return FenUnfolding(program, diagnostics).read(fen);
}

bool names_passing_cell(const Program& program, const Text& fen) {
  const auto fields = dsl::words(fen);
  constexpr std::size_t kPassing = 3; // behind the board, who is to move and castling
  return fields.size() > kPassing && !is_own_field(fields[2]) &&
         program.board.cell_named(fields[kPassing].text) != runtime::kNowhere;
}

} // namespace boardwright::interpreter
