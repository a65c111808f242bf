// Lints about the cells that pieces come to stand on, or are taken from, where the words for these cells name
// others as well: `place(stone, board)`, `ride(orthogonal, occupied)`, `custodian(D, ~own, own)`.
//
// Only what the words say is known. A set that is worked out, as by `reach`, is not judged, nor is a rule
// that asks how far the game is: on an empty board any cell will do.
#include "interpreter/lints/effects.hpp"
#include "interpreter/lints/lints.hpp"
#include "interpreter/lints/sets.hpp"
#include "interpreter/meaning/elaborator.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace boardwright::interpreter {
namespace {

using dsl::Ast;
using dsl::Definition;
using dsl::Form;

// Definitions within one another that are gone into.
constexpr int kMostNestedLandings = 8;

class Landing {
public:
  Landing(const Linted& in, dsl::Diagnostics& out) : in_(in), out_(out) {}

  void rule(const Ast& n) {
    if (n.form == Form::sequence && asks_how_far(n)) return;
    if (n.form == Form::sequence) sequence(n);
    if (n.form == Form::call) call(n);
    for (const Ast& kid : n.kids)
      if (n.form != Form::conditional || &kid != &n.kids[1] || !asks_how_far(n)) rule(kid);
  }

private:
  // Of one sort: lands by `put`, or is dropped.
  enum class How : std::uint8_t { not_at_all, put, drop };

  // ---- what the words say

  // What a set may hold; nothing where that isn't known.
  [[nodiscard]] std::optional<unsigned> holds(const Ast& set, int depth = 0) const {
    const Ast& n = bare(set);
    if (depth > kMostNestedLandings) return std::nullopt;
    if (is_name(n, "own")) return kHoldsOwn;
    if (is_name(n, "enemy")) return kHoldsEnemy;
    if (is_name(n, "neutral")) return kHoldsNeutral;
    if (is_name(n, "empty")) return kHoldsNothing;
    if (n.form == Form::complement) {
      const auto what = plainly(n.kids[0], depth + 1);
      return what ? std::optional<unsigned>(kHoldsAnything & ~*what) : large(n);
    }
    if (is_sign(n, "|")) {
      const auto a = holds(n.kids[0], depth + 1), b = holds(n.kids[1], depth + 1);
      return a && b ? std::optional<unsigned>(*a | *b) : std::nullopt;
    }
    if (is_sign(n, "&")) {
      const auto a = holds(n.kids[0], depth + 1), b = holds(n.kids[1], depth + 1);
      if (a && b) return *a & *b;
      if (a && is_fixed(n.kids[1])) return a;
      return b && is_fixed(n.kids[0]) ? b : std::nullopt;
    }
    if (is_sign(n, "-")) {
      const auto a = holds(n.kids[0], depth + 1), b = plainly(n.kids[1], depth + 1);
      if (!a) return std::nullopt;
      if (b) return *a & ~*b;
      return is_fixed(n.kids[1]) ? a : std::nullopt;
    }
    const Definition* d = n.form == Form::name ? in_.definition(n) : nullptr;
    if (d != nullptr && d->body && d->cases.empty() && !is_fixed(n)) return holds(*d->body, depth + 1);
    return large(n);
  }
  // The same of sets that hold all such cells.
  [[nodiscard]] std::optional<unsigned> plainly(const Ast& set, int depth) const {
    const Ast& n = bare(set);
    const bool plain =
        is_name(n, "own") || is_name(n, "enemy") || is_name(n, "neutral") || is_name(n, "empty");
    if (plain || depth > kMostNestedLandings) return plain ? holds(n) : std::nullopt;
    if (is_sign(n, "|")) {
      const auto a = plainly(n.kids[0], depth + 1), b = plainly(n.kids[1], depth + 1);
      return a && b ? std::optional<unsigned>(*a | *b) : std::nullopt;
    }
    const Definition* d = n.form == Form::name ? in_.definition(n) : nullptr;
    return d != nullptr && d->body && d->cases.empty() ? plainly(*d->body, depth + 1) : std::nullopt;
  }
  [[nodiscard]] bool is_fixed(const Ast& n) const {
    const Reading* r = in_.reading(n);
    return r != nullptr && r->type == Ty::cells && !r->varies;
  }
  // Fixed cells, and most of the board: a few may be those where nothing ever stands.
  [[nodiscard]] std::optional<unsigned> large(const Ast& n) const {
    const Reading* r = in_.reading(n);
    const bool most = is_fixed(n) && !r->fails && 2 * r->cells.count() > in_.program.board.cells;
    return most ? std::optional<unsigned>(kHoldsAnything) : std::nullopt;
  }

  // ---- where pieces come to stand

  // Does a sequence or a branch begin with a question of the time, or of what is left of the board?
  [[nodiscard]] static bool asks_how_far(const Ast& n) {
    if (n.form == Form::sequence && bare(n.kids[0]).form != Form::require) return false;
    bool found = false;
    each_node(n.kids[0], [&](const Ast& kid) {
      found = found || is_name(kid, "ply") || is_name(kid, "turns") || is_name(kid, "empty") ||
              kid.form == Form::no;
    });
    return found;
  }

  void sequence(const Ast& n) {
    for (std::size_t i = 0; i < n.kids.size(); ++i) {
      const Ast& step = bare(n.kids[i]);
      const bool goes = step.form == Form::at || step.form == Form::to;
      if (goes && i + 1 < n.kids.size()) landing(step.kids[0], how(bare(n.kids[i + 1]), "here"), step);
      if (step.form == Form::choose && i + 1 < n.kids.size())
        landing(step.kids[0], how(bare(n.kids[i + 1]), step.word), step);
    }
  }
  // Does a step put or drop a piece on the cell of this name?
  static How how(const Ast& step, const std::string& name) {
    if (step.form == Form::put && step.kids.empty() && name == "here") return How::put;
    const bool dropped = step.form == Form::drop && is_name(bare(step.kids[0]), name);
    return dropped ? How::drop : How::not_at_all;
  }
  void call(const Ast& n) {
    const Definition* d = in_.definition(n);
    if (d == nullptr || !d->body || !d->cases.empty()) return;
    for (std::size_t i = 0; i < n.kids.size(); ++i) landing(n.kids[i], lands(*d, i), n.kids[i]);
    gaps(n);
  }
  // How does a definition have a piece land on the cells of its parameter?
  How lands(const Definition& d, std::size_t which) {
    const auto [known, is_new] = lands_.try_emplace({&d, which}, How::not_at_all);
    if (!is_new) return known->second;
    How found = How::not_at_all;
    each_node(*d.body, [&](const Ast& n) {
      for (std::size_t i = 0; n.form == Form::sequence && i + 1 < n.kids.size(); ++i) {
        const Ast& step = bare(n.kids[i]);
        const bool there = (step.form == Form::at || step.form == Form::to) &&
                           is_name(bare(step.kids[0]), d.parameters[which].text);
        if (there && found == How::not_at_all) found = how(bare(n.kids[i + 1]), "here");
      }
    });
    return known->second = found;
  }

  void landing(const Ast& set, How how, const Ast& where) {
    const auto what = how == How::not_at_all || in_.program.board.stacks ? std::nullopt : holds(set);
    if (!what || in_.reading(set) == nullptr || !told_.insert(&set).second) return;
    if (how == How::put && (*what & kHoldsOwn) != 0 && *what != kHoldsOwn)
      out_.warning("lands-on-own", where.span, "the player's own pieces are among these cells: one is lost")
          .help = "`empty` are the cells without a piece, `~own` those without one of the player's own";
    const bool mixed = (*what & kHoldsNothing) != 0 && *what != kHoldsNothing;
    if (how == How::drop && mixed)
      out_.warning("drops-on-pieces", where.span,
                   "there are pieces among these cells: a new one replaces them")
          .help = "`empty & …` are those without a piece";
  }
  // ---- enclosing

  // custodian(D, ~own, own)
  void gaps(const Ast& n) {
    const bool encloses = n.word == "custodian" || n.word == "sandwich" || n.word == "trapped";
    const std::size_t which = n.word == "trapped" ? 2 : 1;
    if (!encloses || n.kids.size() <= which + 1 || !in_.is_of_vocabulary(n.word)) return;
    if (is_part(in_, n.kids[which], n.kids[which + 1]) && told_.insert(&n).second) {
      out_.warning("said-twice", n.kids[which + 1].span,
                   "what is enclosed may enclose as well: so nothing else need stand at both ends")
          .help = "the last set is what stands at both ends: mostly `own`";
      return;
    }
    const auto what = holds(n.kids[which]);
    if (!what || (*what & kHoldsNothing) == 0) return;
    out_.warning("takes-empty", n.kids[which].span,
                 "these may be empty cells: what is enclosed then has gaps")
        .help = "`enemy` are the cells with an enemy's piece";
  }

  const Linted& in_;
  dsl::Diagnostics& out_;
  std::map<std::pair<const Definition*, std::size_t>, How> lands_; // by parameter
  std::set<const Ast*> told_;
};

} // namespace

void lint_landing(const Linted& in, dsl::Diagnostics& out) {
  Landing landing(in, out);
  each_rule(in.file, [&](const Ast& rule) { landing.rule(rule); });
}

} // namespace boardwright::interpreter
