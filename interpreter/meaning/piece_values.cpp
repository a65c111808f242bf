#include "interpreter/meaning/piece_values.hpp"

#include "interpreter/board/setup_mirror.hpp"
#include "runtime/model/piece_values.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace boardwright::interpreter {

namespace {

using runtime::PieceValue;
using runtime::Program;

struct Adding {
  const dsl::StateEntry& entry;
  Program& program;
  Builder& builder;
  Elaborator& elaborator;
  dsl::Diagnostics& diagnostics;

  bool refuse(dsl::Span span, const std::string& message, const std::string& help) const {
    diagnostics.error("state", span, message).help = help;
    return false;
  }
};

int bits_for(std::int64_t span) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(span))); }

// The least and the greatest value, and with them the planes.
bool set_bounds(const Adding& a, std::int64_t low, std::int64_t high, dsl::Span span, PieceValue& value) {
  if (low >= high) return a.refuse(span, "a range goes from a lower number to a higher one", "range: 0..7");
  if (bits_for(high - low) > runtime::kMaxPlanes)
    return a.refuse(span, fmt::format("pieces carry numbers of at most {} bits", runtime::kMaxPlanes), "");
  value.low = static_cast<std::int32_t>(low);
  value.high = static_cast<std::int32_t>(high);
  value.planes = bits_for(high - low);
  return true;
}

bool number_bounds(const Adding& a, PieceValue& value) {
  const auto& range = *a.entry.each_piece;
  if (!range.low || !range.high)
    return a.refuse(a.entry.name.span, fmt::format("between which numbers is `{}`?", value.name),
                    fmt::format("{}: {{ each piece: 0, range: 0..7 }}", value.name));
  const auto low = a.elaborator.constant_number(*range.low), high = a.elaborator.constant_number(*range.high);
  return low && high && set_bounds(a, *low, *high, range.low->span, value);
}

bool direction_planes(const Adding& a, PieceValue& value) {
  const auto& some_of = a.entry.each_piece->some_of;
  if (!some_of)
    return a.refuse(a.entry.name.span, fmt::format("which directions may `{}` hold?", value.name),
                    fmt::format("{}: {{ each piece: none, some of: all }}", value.name));
  const Typed steps = a.elaborator.constant(*some_of, 0, "state");
  if (steps.type == Ty::error) return false;
  if (steps.type != Ty::directions) return a.refuse(some_of->span, needed(Ty::directions, steps.type), "");
  bool tracks = false;
  a.builder.steps_of(steps.node).each([&](int step) {
    value.steps.push_back(static_cast<std::int16_t>(step));
    tracks = tracks || a.program.board.steps[static_cast<std::size_t>(step)].track >= 0;
  });
  if (tracks) return a.refuse(some_of->span, "pieces carry directions, but no tracks", "");
  if (value.steps.empty() || std::ssize(value.steps) > runtime::kMaxPlanes)
    return a.refuse(
        some_of->span,
        fmt::format("there may be 1 to {} directions, here are {}", runtime::kMaxPlanes, value.steps.size()),
        "");
  value.planes = static_cast<int>(value.steps.size());
  return true;
}

bool make_planes(const Adding& a, const Typed& first, PieceValue& value) {
  const auto& entry = *a.entry.each_piece;
  value.type = runtime_type(first.type);
  if (first.type != Ty::number && entry.low)
    return a.refuse(entry.low->span, "only numbers have a `range`", "");
  if (first.type != Ty::directions && entry.some_of)
    return a.refuse(entry.some_of->span, "`some of` is for sets of directions", "");
  const dsl::Span span = a.entry.name.span;
  switch (first.type) {
  case Ty::number: return number_bounds(a, value);
  case Ty::truth: return set_bounds(a, 0, 1, span, value);
  case Ty::directions: return direction_planes(a, value);
  case Ty::kind: return set_bounds(a, -1, std::ssize(a.program.kinds) - 1, span, value);
  case Ty::player:
    if (a.program.players.size() > 1) return set_bounds(a, 0, std::ssize(a.program.players) - 1, span, value);
    return a.refuse(span, "there is one player only", "");
  default:
    return a.refuse(
        a.entry.value->span,
        fmt::format("a piece carries a number, `true` or `false`, directions, a kind or a player, "
                    "not {}",
                    describe(first.type)),
        "");
  }
}

// `none` is no direction where directions are carried.
Typed with_type(Typed v, bool directions, Builder& builder) {
  if (v.type != Ty::none || !directions) return v;
  v.type = Ty::directions;
  v.node = builder.steps({});
  return v;
}

} // namespace

bool add_piece_value(const dsl::StateEntry& entry, Program& program, Builder& builder, Elaborator& elaborator,
                     dsl::Diagnostics& diagnostics) {
  const Adding adding{entry, program, builder, elaborator, diagnostics};
  if (program.board.stacks)
    return adding.refuse(entry.name.span, "on a board with stacks pieces carry no values",
                         "what a whole stack has can be a set of cells");
  if (!entry.value) return false;
  const Typed first = with_type(elaborator.constant(*entry.value, 0, "state"),
                                entry.each_piece->some_of.has_value(), builder);
  PieceValue value;
  value.name = entry.name.text;
  if (first.type == Ty::error || !make_planes(adding, first, value)) return false;
  const auto code = elaborator.code_of(value, first);
  if (!code) {
    elaborator.not_of_range(value, entry.value->span);
    return false;
  }
  value.flipped = *code;
  value.first = static_cast<int>(program.variables.size());
  const auto place = static_cast<int>(program.piece_values.size());
  for (int bit = 0; bit < value.planes; ++bit) {
    program.variables.push_back({value.name, -1, runtime::Type::cells, false, place});
    program.initial.variables.emplace_back();
  }
  program.piece_values.push_back(std::move(value));
  return true;
}

namespace {

// The pieces of the set-up that one player answers for; those of nobody are seen by the first.
runtime::CellSet cells_seen_by(const Program& program, int player) {
  runtime::CellSet cells;
  for (std::size_t c = 0; c < program.initial.cells.size(); ++c) {
    const runtime::Stack& stack = program.initial.cells[c];
    if (!stack.empty() && std::max<int>(stack.back().owner, 0) == player) cells.set(static_cast<int>(c));
  }
  return cells;
}

// An entry of `setup`, read for each player's pieces: those that it is for, none where it says something
// wrong.
runtime::CellSet set_up_entry(const dsl::Ast& which, const dsl::Ast& where, const PieceValue& value,
                              Program& program, Elaborator& elaborator, dsl::Diagnostics& diagnostics) {
  runtime::CellSet named;
  for (int player = 0; player < program.player_count(); ++player) {
    const Typed given = elaborator.in_set_up(which, player, type_of_value(value));
    const Typed cells = elaborator.in_set_up(where, player, Ty::cells);
    if (given.type == Ty::error || cells.type == Ty::error) return {};
    if (cells.type != Ty::cells) {
      diagnostics.error("type", where.span, needed(Ty::cells, cells.type));
      return {};
    }
    const auto code = elaborator.code_of(value, given);
    if (!code) {
      elaborator.not_of_range(value, which.span);
      return {};
    }
    const runtime::CellSet set = elaborator.builder().cells_of(cells.node) & cells_seen_by(program, player);
    runtime::set_code(value, program.initial, set, *code);
    named |= set;
  }
  if (named.none()) diagnostics.error("state", where.span, "the set-up has no piece there");
  return named;
}

} // namespace

void set_up_piece_values(const dsl::RuleFile& file, const Geometry& geometry, Program& program,
                         Elaborator& elaborator, dsl::Diagnostics& diagnostics) {
  if (diagnostics.has_errors()) return; // a piece may be missing for a reason that was told
  for (const auto& entry : file.state) {
    const PieceValue* value =
        entry.each_piece ? runtime::piece_value_named(program, entry.name.text) : nullptr;
    if (value == nullptr) continue;
    runtime::CellSet named;
    for (const auto& [which, cells] : entry.each_piece->setup)
      named |= set_up_entry(which, cells, *value, program, elaborator, diagnostics);
    if (entry.each_piece->mirror)
      mirror_values(*entry.each_piece->mirror, *value, named, geometry, program, diagnostics);
  }
}

} // namespace boardwright::interpreter
