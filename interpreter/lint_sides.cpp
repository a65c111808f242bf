// A lint about players who face one another and share a rule that goes one way: `step(north, empty)`, or a
// goal on the last rank of one of them.
#include "interpreter/lints.hpp"
#include "interpreter/lowering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::interpreter {
namespace {

using dsl::Ast;
using dsl::Compass;
using dsl::Form;

constexpr std::array<std::string_view, 4> kWinds{"north", "east", "south", "west"}; // as in Compass

class Sides {
public:
  Sides(const Linted& in, dsl::Diagnostics& out) : in_(in), out_(out) {
    for (const auto& player : in.file.players) {
      if (!player.forward) return; // sides that nobody has named
      forwards_.push_back(*player.forward);
    }
    const auto faces = [&](Compass a) {
      return std::any_of(forwards_.begin(), forwards_.end(),
                         [&](Compass b) { return (static_cast<int>(a) + 2) % 4 == static_cast<int>(b); });
    };
    facing_ = forwards_.size() == 2 && faces(forwards_.front());
  }

  // A rule of all players.
  void rule(const Ast& n) {
    if (!facing_ || !same_for_all(n)) return;
    direction(n);
    if (facing_ && upright()) goal(n);
  }

private:
  [[nodiscard]] bool upright() const {
    return forwards_.front() == Compass::north || forwards_.front() == Compass::south;
  }
  [[nodiscard]] static std::string_view wind(Compass c) { return kWinds.at(static_cast<std::size_t>(c)); }

  // Doesn't ask who moves.
  [[nodiscard]] bool same_for_all(const Ast& rule) const {
    bool same = true;
    each_node(rule, [&](const Ast& n) {
      const bool names_player =
          n.form == Form::name && std::any_of(in_.file.players.begin(), in_.file.players.end(),
                                              [&](const auto& player) { return player.name.text == n.word; });
      same = same && !names_player && !is_name(n, "me") && n.form != Form::perspective;
    });
    return same;
  }

  // A call of a vocabulary's word; what directions are for in others isn't known.
  [[nodiscard]] bool is_word(const Ast& n) const {
    return n.form == Form::call &&
           std::none_of(in_.file.define.begin(), in_.file.define.end(),
                        [&](const dsl::Definition& d) { return d.name.text == n.word; });
  }

  // `step(north, …)` or `go north`, and nowhere the other way.
  void direction(const Ast& rule) {
    std::vector<const Ast*> goes;
    each_node(rule, [&](const Ast& n) {
      const Reading* r = in_.reading(n);
      const bool moves = r != nullptr && r->is_action && (n.form == Form::go || is_word(n));
      if (moves)
        for (const Ast& kid : n.kids) winds(kid, goes);
    });
    for (const Ast* one : goes) {
      const auto is = [&](Compass c) { return one->word == wind(c); };
      if (std::none_of(forwards_.begin(), forwards_.end(), is)) continue; // aside
      const bool both = std::any_of(goes.begin(), goes.end(), [&](const Ast* other) {
        return other->word != one->word && std::any_of(forwards_.begin(), forwards_.end(),
                                                       [&](Compass c) { return other->word == wind(c); });
      });
      if (both) return;
      out_.warning("one-sided", one->span,
                   fmt::format("both players go {}, and one of them faces the other way", one->word))
          .help = "`forward` is each player's own";
      return;
    }
  }
  void winds(const Ast& n, std::vector<const Ast*>& found) const {
    if (n.form == Form::name && in_.definition(n) == nullptr &&
        std::find(kWinds.begin(), kWinds.end(), n.word) != kWinds.end())
      found.push_back(&n);
    if (n.form == Form::paren || n.form == Form::binary)
      for (const Ast& kid : n.kids) winds(kid, found);
  }

  // `here in rank(8)`: the last rank of one, and the first one of the other.
  void goal(const Ast& rule) {
    std::vector<const Ast*> ranks;
    each_node(rule, [&](const Ast& n) {
      const bool asks = n.form == Form::compare && n.word == "in" && n.kids.size() == 2;
      if (asks && end_of_board(n.kids[1])) ranks.push_back(&bare(n.kids[1]));
    });
    if (ranks.empty()) return;
    const auto elsewhere = [&](const Ast* n) { return end_of_board(*n) != end_of_board(*ranks.front()); };
    if (std::any_of(ranks.begin(), ranks.end(), elsewhere)) return;
    out_.warning("one-sided", ranks.front()->span,
                 "this is the last rank of one player, and the first one of the other")
        .help = "`last_row` and `row(n)` are each player's own";
  }
  // The rank that a call of `rank` is, where it is one of the two at the ends.
  [[nodiscard]] std::optional<int> end_of_board(const Ast& set) const {
    const Ast& n = bare(set);
    const Reading* r = in_.reading(n);
    if (n.form != Form::call || n.word != "rank" || in_.definition(n) != nullptr) return std::nullopt;
    if (r == nullptr || r->type != Ty::cells || r->varies || !r->cells.any()) return std::nullopt;
    const runtime::Board& board = in_.program.board;
    std::optional<int> rank;
    bool one = true;
    r->cells.each([&](int cell) {
      const int y = board.y[static_cast<std::size_t>(cell)];
      one = one && (!rank || *rank == y);
      rank = y;
    });
    return one && rank && (*rank == 1 || *rank == board.ranks) ? rank : std::nullopt;
  }

  const Linted& in_;
  dsl::Diagnostics& out_;
  std::vector<Compass> forwards_;
  bool facing_ = false;
};

} // namespace

void lint_sides(const Linted& in, dsl::Diagnostics& out) {
  Sides sides(in, out);
  const auto own = [&](const Ast& rule) {
    if (rule.span.file == in.file.file) sides.rule(rule);
  };
  // What is defined may be one player's where there are bodies by player.
  const auto by_player = [&](const auto& cases) {
    return std::any_of(cases.begin(), cases.end(), [&](const auto& c) {
      return std::any_of(in.file.players.begin(), in.file.players.end(),
                         [&](const auto& player) { return player.name.text == c.first.text; });
    });
  };
  const bool apart = (in.file.turn && by_player(in.file.turn->cases)) ||
                     std::any_of(in.file.define.begin(), in.file.define.end(),
                                 [&](const dsl::Definition& d) { return by_player(d.cases); });
  for (const dsl::Definition& d : in.file.define)
    if (d.body && !apart) own(*d.body);
  if (in.file.turn && in.file.turn->cases.empty()) own(in.file.turn->body);
  for (const dsl::EndRule& line : in.file.end)
    if (line.player.empty()) own(line.condition);
}

} // namespace boardwright::interpreter
