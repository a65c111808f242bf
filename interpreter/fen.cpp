// Entry points: unfold_fen, write_fen.
#include "interpreter/fen.hpp"

#include "dsl/shape.hpp"
#include "dsl/text.hpp"
#include "interpreter/position_entry.hpp"
#include "runtime/model/piece_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
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
using runtime::Position;
using runtime::Program;

// Signs that a FEN is made of, or by which a position is told to be something else than a FEN.
bool has_meaning(char letter) {
  return is_digit(letter) || std::string_view("/[]-=:{\"").find(letter) != std::string_view::npos;
}

// Why positions of the game can't be written so; "" where they can.
std::string why_no_fen(const Program& program) {
  if (program.board.stacks) return "a FEN has one piece on a cell, and this board has stacks";
  if (program.board.endless()) return "a FEN goes from edge to edge, and this board has none";
  for (const auto& kind : program.kinds)
    for (const char letter : kind.letter)
      if (letter != 0 && has_meaning(letter))
        return fmt::format("the letter `{}` of {} has a meaning of its own in a FEN", letter,
                           in_backticks(kind.name));
  return "";
}

// The number of digits at the beginning.
std::size_t digits(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
}

// --- the player to move

// A letter that is the first of one player's name alone.
bool is_initial_of(const Program& program, std::size_t player, char letter) {
  const auto begins_so = [&](const runtime::Player& p) {
    return dsl::to_lower(p.name.front()) == dsl::to_lower(letter);
  };
  return begins_so(program.players[player]) &&
         std::count_if(program.players.begin(), program.players.end(), begins_so) == 1;
}

std::optional<std::size_t> player_meant(const Program& program, std::string_view word) {
  for (std::size_t i = 0; i < program.players.size(); ++i) {
    if (word == program.players[i].name || word == std::to_string(i + 1)) return i;
    if (word.size() == 1 && is_initial_of(program, i, word.front())) return i;
  }
  return std::nullopt;
}

std::string player_field(const Program& program, std::size_t player) {
  const char initial = dsl::to_lower(program.players[player].name.front());
  return is_initial_of(program, player, initial) ? std::string(1, initial) : std::to_string(player + 1);
}

// --- reading

class FenUnfolding {
public:
  FenUnfolding(const Program& program, Diagnostics& diagnostics)
      : program_(program), diagnostics_(diagnostics) {}

  std::optional<PositionEntry> read(const Text& fen) && {
    const auto fields = dsl::words(fen);
    entry_.span = fen.span();
    entry_.has_board = true;
    if (const auto why = why_no_fen(program_); !why.empty()) return fail(fen, why, "write `cells` instead");
    if (fields.empty()) return fail(fen, "this FEN is empty", "");
    board(fields[0]);
    if (fields.size() > 1) mover(fields[1]);
    for (std::size_t i = 2; i < fields.size(); ++i) field(fields[i]);
    if (unread_) tell_unread();
    if (failed_) return std::nullopt;
    return std::move(entry_);
  }

private:
  std::nullopt_t fail(const Text& where, std::string what, std::string help) {
    failed_ = true;
    diagnostics_.error("fen", where.span(), std::move(what)).help = std::move(help);
    return std::nullopt;
  }

  void board(const Text& field) {
    const auto bracket = std::min(field.text.find('['), field.text.size());
    const auto rows = dsl::split(field.part(0, bracket), '/');
    const auto ranks = static_cast<std::size_t>(program_.board.ranks);
    if (rows.size() != ranks)
      fail(field.part(0, bracket),
           fmt::format("this FEN has {} ranks, but the board has {}", rows.size(), ranks), "");
    for (const Text& text : rows) row(text);
    if (bracket < field.text.size()) in_hand(field.part(bracket, field.text.size()));
  }

  void row(const Text& text) {
    dsl::PictureRow signs{{}, text.span()};
    for (std::size_t i = 0; i < text.text.size();) {
      const std::size_t count = digits(std::string_view(text.text).substr(i));
      if (count == 0) {
        signs.signs.push_back(dsl::to_name(text.part(i, i + 1)));
      } else if (!empty_cells(text.part(i, i + count), signs)) {
        return;
      }
      i += std::max<std::size_t>(count, 1);
    }
    entry_.picture.push_back(std::move(signs));
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

  // `[PPn]`, `[2Pn]`, `[]`, `[-]`: nobody else has anything in hand.
  void in_hand(const Text& text) {
    if (text.text.size() < 2 || text.text.back() != ']') {
      fail(text, "the pieces in hand aren't closed", "close them with `]`");
      return;
    }
    entry_.no_hands = true;
    const Text inside = text.part(1, text.text.size() - 1);
    if (inside.text == "-") return;
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
    const char letter = piece.text.back();
    const auto found = is_digit(letter) ? std::nullopt : program_.piece_of(letter);
    if (!found || !count || *count > kMost) {
      fail(piece, fmt::format("{} is not a piece in hand", in_backticks(piece.text)), "");
      return false;
    }
    const int slot = found->owner < 0 ? -1
                                      : program_.hand_slot[static_cast<std::size_t>(found->owner)]
                                                          [static_cast<std::size_t>(found->kind)];
    const auto& kind = program_.kinds[static_cast<std::size_t>(found->kind)].name;
    if (slot < 0) {
      fail(piece, fmt::format("nobody has {} in hand by the letter `{}`", in_backticks(kind), letter), "");
      return false;
    }
    auto& sum = counts[static_cast<std::size_t>(slot)];
    sum = std::min(sum + static_cast<std::int64_t>(*count), static_cast<std::int64_t>(kMost));
    set_hand(piece, static_cast<std::size_t>(found->owner), kind, sum);
    return true;
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

  void mover(const Text& field) {
    const auto player = player_meant(program_, field.text);
    if (player) {
      entry_.to_move = Name{program_.players[*player].name, field.span()};
      return;
    }
    std::vector<std::string> known;
    for (std::size_t i = 0; i < program_.players.size(); ++i)
      known.push_back(fmt::format("`{}` ({})", player_field(program_, i), program_.players[i].name));
    fail(field, fmt::format("{} says of no player that he is to move", in_backticks(field.text)),
         fmt::format("write {}", fmt::join(known, " or ")));
  }

  void field(const Text& text) {
    const auto equals = text.text.find('=');
    if (equals == std::string::npos) {
      unread_ = unread_ ? dsl::join(*unread_, text.span()) : text.span();
      unread_text_ += (unread_text_.empty() ? "" : " ") + text.text;
      return;
    }
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

  void tell_unread() {
    const bool one = unread_text_.find(' ') == std::string::npos;
    auto& warning = diagnostics_.warning(
        "fen", *unread_,
        fmt::format("the field{} {} mean{} nothing to this game, and {} left out", one ? "" : "s",
                    in_backticks(unread_text_), one ? "s" : "", one ? "is" : "are"));
    warning.help = "what isn't given is as in the set-up; " + state_help();
  }

  const Program& program_;
  Diagnostics& diagnostics_;
  PositionEntry entry_;
  std::optional<dsl::Span> unread_;
  std::string unread_text_;
  bool failed_ = false;
};

// --- writing

// The rank's cells from left to right; holes have no sign.
std::string rank_text(const Program& program, const Position& position, int y) {
  std::string text;
  int empty = 0;
  const auto end_of_empty = [&] {
    if (empty > 0) text += std::to_string(empty);
    empty = 0;
  };
  for (int x = 1; x <= program.board.files; ++x) {
    const int cell = program.board.cell_at(x, y);
    if (cell == runtime::kNowhere) continue;
    const auto& stack = position.cells[static_cast<std::size_t>(cell)];
    if (stack.empty()) {
      ++empty;
      continue;
    }
    end_of_empty();
    text += program.letter_of(stack.front());
  }
  end_of_empty();
  return text;
}

std::string board_text(const Program& program, const Position& position) {
  std::string text;
  for (int y = program.board.ranks; y >= 1; --y)
    text += (text.empty() && y == program.board.ranks ? "" : "/") + rank_text(program, position, y);
  return text;
}

bool has_letter(const Program& program, std::size_t player, std::size_t kind) {
  const auto& letters = program.kinds[kind].letter;
  return player < letters.size() && letters[player] != 0;
}

// Calls take(player, kind, slot) for every hand.
template <class Take>
void each_hand(const Program& program, Take&& take) {
  for (std::size_t player = 0; player < program.hand_slot.size(); ++player)
    for (std::size_t kind = 0; kind < program.hand_slot[player].size(); ++kind)
      if (const int slot = program.hand_slot[player][kind]; slot >= 0)
        take(player, kind, static_cast<std::size_t>(slot));
}

// Pieces in hand of one sort that are written one by one; more are counted.
constexpr std::size_t kMostRepeated = 9;

std::string hands_text(const Program& program, const Position& position) {
  if (program.hands == 0) return "";
  std::string text;
  each_hand(program, [&](std::size_t player, std::size_t kind, std::size_t slot) {
    if (!has_letter(program, player, kind)) return;
    const auto count = static_cast<std::size_t>(position.hands[slot]);
    if (count > kMostRepeated) text += std::to_string(count);
    text.append(count > kMostRepeated ? 1 : count, program.kinds[kind].letter[player]);
  });
  return "[" + text + "]";
}

// Neutral pieces in a player's hand have no letter that says whose they are. The brackets, which empty all
// hands, come before these fields.
std::string nameless_hands(const Program& program, const Position& position) {
  std::string text;
  each_hand(program, [&](std::size_t player, std::size_t kind, std::size_t slot) {
    if (!has_letter(program, player, kind) && position.hands[slot] != 0)
      text += fmt::format(" hands.{}.{}={}", program.players[player].name, program.kinds[kind].name,
                          position.hands[slot]);
  });
  return text;
}

std::string cells_field(const Program& program, const runtime::CellSet& cells) {
  std::string text;
  cells.each([&](int cell) {
    text += (text.empty() ? "" : ",") + program.board.name[static_cast<std::size_t>(cell)];
  });
  return text.empty() ? "none" : text;
}

std::string value_field(const Program& program, runtime::Type type, const runtime::VariableValue& value) {
  const auto index = static_cast<std::size_t>(value.number);
  switch (type) {
  case runtime::Type::truth: return value.number != 0 ? "true" : "false";
  case runtime::Type::cells: return cells_field(program, value.cells);
  case runtime::Type::kind: return index < program.kinds.size() ? program.kinds[index].name : "none";
  case runtime::Type::player: return index < program.players.size() ? program.players[index].name : "none";
  default: return std::to_string(value.number);
  }
}

// A board that is given begins with pieces that have the first value.
std::string carried_text(const Program& program, const runtime::PieceValue& value, const Position& position) {
  const std::string text = runtime::text_of_values(program, value, position);
  return text == "none" ? "" : fmt::format(" {}={}", value.name, text);
}

std::string state_text(const Program& program, const Position& position) {
  std::string text;
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    const auto& variable = program.variables[i];
    if (variable.plane >= 0) {
      if (const auto* value = runtime::piece_value_at(program, i))
        text += carried_text(program, *value, position);
      continue;
    }
    if (position.variables[i] == program.initial.variables[i]) continue;
    const std::string owner =
        variable.player < 0 ? "" : "." + program.players[static_cast<std::size_t>(variable.player)].name;
    text += fmt::format(" {}{}={}", variable.name, owner,
                        value_field(program, variable.type, position.variables[i]));
  }
  return text;
}

bool asks(const Program& program, runtime::Op op) {
  return std::any_of(program.nodes.begin(), program.nodes.end(),
                     [op](const runtime::Node& node) { return node.op == op; });
}

std::string counters_text(const Program& program, const Position& position) {
  std::string text;
  const bool asks_turns = asks(program, runtime::Op::turns);
  std::int32_t ply = kDefaultPly;
  if (position.ply != ply && (asks_turns || asks(program, runtime::Op::ply))) {
    ply = position.ply;
    text += fmt::format(" ply={}", ply);
  }
  const auto usual = turns_after(program, ply);
  for (std::size_t i = 0; i < usual.size() && asks_turns; ++i)
    if (position.turns[i] != usual[i])
      text += fmt::format(" turns.{}={}", program.players[i].name, position.turns[i]);
  return text;
}

std::string out_text(const Program& program, const Position& position) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < program.players.size(); ++i)
    if ((position.out >> i & 1U) != 0) names.push_back(program.players[i].name);
  return names.empty() ? "" : fmt::format(" out={}", fmt::join(names, ","));
}

} // namespace

std::optional<PositionEntry> unfold_fen(const Program& program, const Text& fen, Diagnostics& diagnostics) {
  return FenUnfolding(program, diagnostics).read(fen);
}

std::optional<std::string> write_fen(const Program& program, const Position& position) {
  if (!why_no_fen(program).empty()) return std::nullopt;
  return board_text(program, position) + hands_text(program, position) + " " +
         player_field(program, static_cast<std::size_t>(position.to_move)) +
         nameless_hands(program, position) + state_text(program, position) +
         counters_text(program, position) + out_text(program, position);
}

} // namespace boardwright::interpreter
