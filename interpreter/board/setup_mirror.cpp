#include "interpreter/board/setup_mirror.hpp"

#include "interpreter/board/image.hpp"
#include "runtime/model/piece_values.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace boardwright::interpreter {
namespace {

using runtime::CellSet;
using runtime::Piece;
using runtime::PieceValue;
using runtime::Program;
using runtime::Stack;

// For the second player by so much, for the third by twice as much.
std::optional<std::int64_t> degrees_for(const dsl::MirrorEntry& mirror, int player) {
  return mirror.degrees ? std::optional(*mirror.degrees * player) : std::nullopt;
}

// Can the set-up be mirrored so at all? Else it is said why not.
bool can_mirror(const dsl::MirrorEntry& mirror, const Geometry& geometry, const Program& program,
                dsl::Diagnostics& diagnostics) {
  const bool faces = program.players.front().dx != 0 || program.players.front().dy != 0;
  if (!mirror.degrees && !faces) {
    diagnostics.error("forward", mirror.span, "`mirror: reflect` needs players with directions").help =
        "players: { Black: north, White: south }";
    return false;
  }
  if (SideImage(geometry, program, 1, mirror.degrees).fits()) return true;
  diagnostics
      .error("mirror", mirror.span,
             fmt::format("this board isn't the same when it is turned by {}", *mirror.degrees))
      .help = "squares turn by 90s, hexes by 60s; a half turn fits any board";
  return false;
}

// Of the first player, or of nobody: the others' pieces are no originals.
bool is_original(const Stack& stack) {
  const auto owned_by_first = [](const Piece& p) { return p.owner == 0; };
  const auto neutral = [](const Piece& p) { return p.owner < 0; };
  return !stack.empty() && (std::any_of(stack.begin(), stack.end(), owned_by_first) ||
                            std::all_of(stack.begin(), stack.end(), neutral));
}

// Each of the two players has the other's part.
int owner_of_image(int owner, int player) { return owner == 0 ? player : owner == player ? 0 : owner; }

// Cells of originals with those where they go to for a player; -1 for none.
using Pairs = std::vector<std::pair<int, int>>;

Pairs images(const CellSet& cells, const SideImage& image, const Program& program, dsl::Span span,
             dsl::Diagnostics& diagnostics) {
  Pairs pairs;
  bool told = false;
  cells.each([&](int c) {
    if (!is_original(program.initial.cells[static_cast<std::size_t>(c)])) return;
    const int there = image.cell(c);
    if (there >= 0) {
      pairs.emplace_back(c, there);
    } else if (!std::exchange(told, true)) {
      const std::string& name = program.board.name[static_cast<std::size_t>(c)];
      diagnostics.error("mirror", span, fmt::format("the mirror image of `{}` leaves the board", name));
    }
  });
  return pairs;
}

bool has_letters(const Stack& stack, const Program& program) {
  return std::all_of(stack.begin(), stack.end(), [&](const Piece& p) {
    const auto& letter = program.kinds[static_cast<std::size_t>(p.kind)].letter;
    return (p.owner < 0 ? letter.back() : letter[static_cast<std::size_t>(p.owner)]) != 0;
  });
}

void no_letter(const Stack& stack, int player, const Program& program, dsl::Span span,
               dsl::Diagnostics& diagnostics) {
  const std::string& kind = program.kinds[static_cast<std::size_t>(stack.back().kind)].name;
  diagnostics.error("letter", span,
                    fmt::format("`pieces` has no letter for a `{}` of {}, whose set-up is mirrored", kind,
                                program.players[static_cast<std::size_t>(player)].name));
}

std::uint32_t image_of_code(const PieceValue& value, std::uint32_t code, const SideImage& image, int player,
                            const Program& program) {
  if (value.type == runtime::Type::player) {
    const int owner = static_cast<int>(code) + value.low;
    return static_cast<std::uint32_t>(owner_of_image(owner, player) - value.low);
  }
  if (value.type != runtime::Type::directions) return code;
  const auto vector_of = [&](std::size_t i) {
    const auto& step = program.board.steps[static_cast<std::size_t>(value.steps[i])];
    return Vector{step.dx, step.dy};
  };
  std::uint32_t result = 0;
  for (std::size_t i = 0; i < value.steps.size(); ++i) {
    if ((code >> i & 1U) == 0) continue;
    for (std::size_t k = 0; k < value.steps.size(); ++k)
      if (vector_of(k) == image.vector(vector_of(i))) result |= 1U << k;
  }
  return result;
}

} // namespace

void mirror_pieces(const dsl::MirrorEntry& mirror, const Geometry& geometry, Program& program,
                   dsl::Diagnostics& diagnostics) {
  if (program.players.size() < 2 || !can_mirror(mirror, geometry, program, diagnostics)) return;
  auto& cells = program.initial.cells;
  const auto originals = cells;
  for (int player = 1; player < program.player_count(); ++player) {
    const SideImage image(geometry, program, player, degrees_for(mirror, player));
    for (const auto& [from, to] : images(program.board.all, image, program, mirror.span, diagnostics)) {
      if (!cells[static_cast<std::size_t>(to)].empty()) continue;
      Stack stack = originals[static_cast<std::size_t>(from)];
      for (Piece& piece : stack) piece.owner = static_cast<std::int8_t>(owner_of_image(piece.owner, player));
      if (!has_letters(stack, program)) return no_letter(stack, player, program, mirror.span, diagnostics);
      cells[static_cast<std::size_t>(to)] = std::move(stack);
    }
  }
}

void mirror_values(const dsl::MirrorEntry& mirror, const PieceValue& value, const CellSet& named,
                   const Geometry& geometry, Program& program, dsl::Diagnostics& diagnostics) {
  if (program.players.size() < 2 || !can_mirror(mirror, geometry, program, diagnostics)) return;
  for (int player = 1; player < program.player_count(); ++player) {
    const SideImage image(geometry, program, player, degrees_for(mirror, player));
    for (const auto& [from, to] : images(named, image, program, mirror.span, diagnostics)) {
      if (named.test(to)) continue;
      if (program.initial.cells[static_cast<std::size_t>(to)].empty()) {
        diagnostics
            .error("mirror", mirror.span,
                   fmt::format("the set-up has no piece on `{}`, the mirror image of `{}`",
                               program.board.name[static_cast<std::size_t>(to)],
                               program.board.name[static_cast<std::size_t>(from)]))
            .help = "its value would be that of a piece that isn't there";
        return;
      }
      const std::uint32_t code = runtime::code_on(value, program.initial, from);
      runtime::set_code(value, program.initial, CellSet::of(to),
                        image_of_code(value, code, image, player, program));
    }
  }
}

} // namespace boardwright::interpreter
