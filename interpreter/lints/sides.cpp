// A lint about players who face one another and share a rule that goes one way: `step(north, empty)`. What
// cells they share is looked at in facing.cpp.
#include "interpreter/lints/lints.hpp"
#include "interpreter/meaning/elaborator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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
    if (facing_ && same_for_all(n)) direction(n);
  }

  // Values that pieces begin with: `north: shield`, where both players have shields.
  void values(const dsl::StateEntry& entry) {
    if (!facing_ || !entry.each_piece || entry.each_piece->mirror) return;
    const auto& given = entry.each_piece->setup;
    for (const auto& one_value : given) {
      const auto& value = one_value.first;
      const auto& cells = one_value.second;
      std::vector<const Ast*> found;
      winds(value, found);
      const auto is_forward = [&](const Ast* one) {
        return std::any_of(forwards_.begin(), forwards_.end(),
                           [&](Compass c) { return one->word == wind(c); });
      };
      if (found.size() != 1 || !is_forward(found.front()) || !are_of_both(cells)) continue;
      const bool other_way = std::any_of(given.begin(), given.end(), [&](const auto& other) {
        return &other.first != &value && has_wind(other.first);
      });
      if (other_way) continue;
      out_.warning("one-sided", value.span,
                   fmt::format("pieces of both players begin with {}, and one of them faces the other way",
                               found.front()->word))
          .help = "`forward` is each player's own";
    }
  }

private:
  // Kinds of which both players have pieces, wherever they stand.
  [[nodiscard]] bool are_of_both(const Ast& cells) const {
    const Ast& n = bare(cells);
    if (is_name(n, "own")) return true;
    if (n.form == Form::owned && is_name(bare(n.kids[0]), "own")) return are_of_both(n.kids[1]);
    if (n.form == Form::binary && n.word == "|") return are_of_both(n.kids[0]) && are_of_both(n.kids[1]);
    if (n.form != Form::name) return false;
    std::vector<bool> has(in_.program.players.size());
    for (const auto& stack : in_.program.initial.cells)
      for (const auto& piece : stack)
        if (piece.owner >= 0 && in_.program.kinds[static_cast<std::size_t>(piece.kind)].name == n.word)
          has[static_cast<std::size_t>(piece.owner)] = true;
    return std::all_of(has.begin(), has.end(), [](bool one) { return one; });
  }
  [[nodiscard]] bool has_wind(const Ast& value) const {
    std::vector<const Ast*> found;
    winds(value, found);
    return !found.empty();
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
    return n.form == Form::call && in_.is_of_vocabulary(n.word);
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
  for (const dsl::StateEntry& entry : in.file.state)
    if (entry.name.span.file == in.file.file) sides.values(entry);
}

} // namespace boardwright::interpreter
