// A lint about what is not the same for two players whose set-up is: cells that a definition by player has
// for each of them, and sets of cells that the state begins with.
#include "interpreter/lints/lints.hpp"
#include "interpreter/lints/symmetry.hpp"
#include "interpreter/meaning/elaborator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::interpreter {
namespace {

using dsl::Ast;
using dsl::Definition;
using runtime::CellSet;

// Of a smaller set nobody knows whether it is meant to be even; of a larger one so many may have no
// counterpart: one of so many.
constexpr int kFewestCells = 3, kOneCellOf = 3;

class Paired {
public:
  Paired(const Linted& in, dsl::Diagnostics& out) : in_(in), out_(out) {
    if (in.program.players.size() != 2 || !is_set_up_for_both()) return;
    const bool upright = in.program.players[0].dy != 0;
    for (Image& image : images_of(in.program.board, upright, true))
      if (lacking(image, in.program.initial).empty()) images_.push_back(std::move(image));
  }

  void report() {
    if (images_.empty()) return;
    for (const Definition& d : in_.file.define)
      if (d.name.span.file == in_.file.file && d.parameters.empty() && d.cases.size() == 2) bodies(d);
    for (const auto& entry : in_.file.state)
      if (entry.name.span.file == in_.file.file && entry.value && !entry.each_piece) variable(entry);
  }

private:
  // Both have pieces, or all of them are nobody's.
  [[nodiscard]] bool is_set_up_for_both() const {
    bool first = false, second = false, any = false;
    for (const auto& stack : in_.program.initial.cells)
      for (const auto& piece : stack) {
        first = first || piece.owner == 0;
        second = second || piece.owner == 1;
        any = true;
      }
    return any && first == second;
  }

  [[nodiscard]] const CellSet* cells_of(const Ast& rule) const {
    const Reading* r = in_.reading(rule);
    const bool fixed = r != nullptr && r->type == Ty::cells && !r->varies && r->holds && !r->fails;
    return fixed ? &r->cells : nullptr;
  }

  // The images of one player's cells: those that lie nearest to the other's.
  void bodies(const Definition& d) {
    const auto &one = d.cases[0], &other = d.cases[1];
    const bool by_player = is_player(one.first.text) && is_player(other.first.text);
    const CellSet *a = cells_of(one.second), *b = cells_of(other.second);
    if (!by_player || a == nullptr || b == nullptr || *a == *b) return; // the same cells are told as that
    CellSet best;
    int least = in_.program.board.cells + 1;
    for (const Image& image : images_) {
      const CellSet there = image_of(image, *a);
      const int odd = (there - *b).count() + (*b - there).count();
      if (odd < least) least = odd, best = there;
    }
    if (least == 0 || is_another_thing(a->count(), b->count(), least)) return;
    auto& warning =
        out_.warning("not-mirrored", other.second.span,
                     fmt::format("the set-up is the same for both players, and `{}` is not", d.name.text));
    warning.help = fmt::format("the counterparts of {}'s cells are {}", one.first.text, named(best));
    warning.related.push_back({one.second.span, fmt::format("{}'s", one.first.text)});
  }
  // Bodies of one cell or two may be written down wrong as a whole; larger ones but for a few cells.
  static bool is_another_thing(int a, int b, int odd) {
    constexpr int kSmall = 2;
    const int large = std::max(a, b);
    return large > kSmall && odd * kOneCellOf > a + b;
  }
  [[nodiscard]] bool is_player(const std::string& name) const {
    const auto& players = in_.program.players;
    return std::any_of(players.begin(), players.end(), [&](const auto& p) { return p.name == name; });
  }

  // What is the same for both is its own image.
  void variable(const dsl::StateEntry& entry) {
    const CellSet* cells = entry.each_player ? nullptr : cells_of(*entry.value);
    if (cells == nullptr || cells->count() < kFewestCells) return;
    CellSet best;
    int least = in_.program.board.cells + 1;
    for (const Image& image : images_) {
      const CellSet odd = *cells - image_of(image, *cells);
      if (odd.count() < least) least = odd.count(), best = odd;
    }
    if (least == 0 || least * kOneCellOf > cells->count()) return;
    out_.warning("not-mirrored", entry.value->span,
                 fmt::format("the set-up is the same for both players, and what `{}` begins with is not",
                             entry.name.text))
        .help = fmt::format("{} {} no counterpart in it", named(best), least == 1 ? "has" : "have");
  }

  [[nodiscard]] std::string named(const CellSet& cells) const {
    constexpr std::size_t kMostCells = 8;
    std::vector<std::string> names;
    cells.each([&](int cell) {
      if (names.size() < kMostCells) names.push_back(in_.program.board.name[static_cast<std::size_t>(cell)]);
    });
    return fmt::format("{}", fmt::join(names, ", "));
  }

  const Linted& in_;
  dsl::Diagnostics& out_;
  std::vector<Image> images_; // that take the set-up of one player to the other's
};

} // namespace

void lint_paired(const Linted& in, dsl::Diagnostics& out) { Paired(in, out).report(); }

} // namespace boardwright::interpreter
