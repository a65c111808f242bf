// Lints about whose pieces and whose cells a set is of, and about kinds that have no hand.
#include "interpreter/lints/lints.hpp"
#include "interpreter/lints/sets.hpp"
#include "interpreter/meaning/elaborator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::interpreter {
namespace {

using dsl::Ast;
using dsl::Definition;
using dsl::Form;

// Definitions within one another that are gone into; what is nested deeper is not told of.
constexpr int kMaxChain = 8;

// In place of an owner: the pieces of one kind, whoever's they are.
constexpr std::string_view kAnyPiece = "a kind";

class Players {
public:
  Players(const Linted& in, dsl::Diagnostics& out) : in_(in), out_(out) {
    for (const auto& kind : in.program.kinds)
      for (std::size_t i = 0; i + 1 < kind.letter.size(); ++i) owned_ = owned_ || kind.letter[i] != 0;
  }

  void rule(const Ast& n) {
    owner(n);
    foreign(n);
    nowhere(n);
    hand_of(n);
    for (const Ast& kid : n.kids) rule(kid);
  }

private:
  // `own` and `enemy` where all pieces are neutral
  void owner(const Ast& n) {
    if (owned_ || (!is_name(n, "own") && !is_name(n, "enemy")) || in_.reading(n) == nullptr) return;
    if (!told_.insert(n.word).second) return;
    out_.warning("empty-set", n.span, fmt::format("no piece of this game is ever `{}`", n.word)).help =
        "all its pieces are neutral";
  }

  [[nodiscard]] bool is_kind(const Ast& n) const {
    return n.form == Form::name && in_.definition(n) == nullptr &&
           std::any_of(in_.file.pieces.begin(), in_.file.pieces.end(),
                       [&](const auto& kind) { return kind.name.text == n.word; });
  }

  // What the parameters of a definition stand for at a call.
  struct Arguments {
    const Definition* definition = nullptr;
    const Ast* call = nullptr;
    const Arguments* outer = nullptr;
  };

  // Is a set a part of `own`, or of `enemy`, in every position?
  [[nodiscard]] bool part_of(const Ast& set, std::string_view owner, const Arguments* at = nullptr,
                             int depth = 0) const {
    const Ast& n = bare(set);
    const auto part = [&](std::size_t kid) { return part_of(n.kids[kid], owner, at, depth + 1); };
    if (depth > kMaxChain) return false;
    if (at != nullptr && n.form == Form::name)
      for (std::size_t i = 0; i < at->definition->parameters.size(); ++i)
        if (at->definition->parameters[i].text == n.word)
          return part_of(at->call->kids[i], owner, at->outer, depth + 1);
    if (is_name(n, owner)) return true;
    if (n.form == Form::owned) return is_name(n.kids[0], owner);
    if (owner == kAnyPiece && is_kind(n)) return true;
    if (is_sign(n, "&")) return part(0) || part(1);
    if (is_sign(n, "-")) return part(0);
    if (is_sign(n, "|")) return part(0) && part(1);
    if (n.form == Form::part) return part(0);
    if (n.form == Form::conditional && n.kids.size() == 3) return part(1) && part(2);
    if (n.form == Form::reach) return part(0) && ends_in(n.kids[1], owner, at, depth + 1);
    const Definition* d = in_.definition(n);
    if (d == nullptr || d->others || (!d->body && d->cases.empty())) return false;
    const Arguments here{d, &n, at};
    bool all = true;
    each_body(*d, [&](const Ast& body) { all = all && part_of(body, owner, &here, depth + 1); });
    return all;
  }
  // Does a walk that begins in such a set end in it?
  [[nodiscard]] bool ends_in(const Ast& walk, std::string_view owner, const Arguments* at, int depth) const {
    const Ast& n = bare(walk);
    if (depth > kMaxChain || n.kids.empty()) return false;
    if (n.form == Form::at || n.form == Form::to) return part_of(n.kids[0], owner, at, depth + 1);
    if (n.form == Form::repeat) return ends_in(n.kids[0], owner, at, depth + 1);
    if (n.form == Form::sequence) return ends_in(n.kids.back(), owner, at, depth + 1);
    return n.form == Form::either && std::all_of(n.kids.begin(), n.kids.end(), [&](const Ast& kid) {
             return ends_in(kid, owner, at, depth + 1);
           });
  }

  // Fixed cells that differ from player to player.
  [[nodiscard]] bool goes_by_player(const Ast& set) const {
    const Reading* r = in_.reading(set);
    return r != nullptr && r->type == Ty::cells && !r->varies && set.form == Form::name && differs(set);
  }
  // Is a rule read differently by different players, by way of definitions too?
  [[nodiscard]] bool differs(const Ast& rule, int depth = 0) const {
    bool found = false;
    if (depth > kMaxChain) return found;
    each_node(rule, [&](const Ast& n) {
      if (found || (n.form != Form::name && n.form != Form::call)) return;
      const Definition* d = in_.definition(n);
      found = d == nullptr && n.form == Form::call && n.word == "row";
      if (d == nullptr) return;
      found = std::any_of(d->cases.begin(), d->cases.end(), [&](const auto& c) {
        return std::any_of(in_.file.players.begin(), in_.file.players.end(),
                           [&](const auto& player) { return player.name.text == c.first.text; });
      });
      each_body(*d, [&](const Ast& body) { found = found || differs(body, depth + 1); });
    });
    return found;
  }

  // enemy alive, where `alive` is a part of `own`; enemy home, where each player has a home
  void foreign(const Ast& n) {
    const bool owned = n.form == Form::owned && n.kids.size() == 2;
    if (!owned && !is_sign(n, "&")) return;
    if (in_.reading(n) == nullptr) return;
    if (n.span.begin < told_to_ && told_from_ <= n.span.begin) return; // a & b & c is one mistake
    constexpr std::array<std::string_view, 5> kApart{"own", "enemy", "neutral", "empty", kAnyPiece};
    for (const auto one : kApart)
      for (const auto other : kApart) {
        const bool apart =
            one != other && (one == "empty" || other == "empty" || (one != kAnyPiece && other != kAnyPiece));
        if (!apart || !part_of(n.kids[0], one) || !part_of(n.kids[1], other)) continue;
        const bool owners = one != "empty" && other != "empty";
        auto& warning =
            out_.warning("empty-set", n.span,
                         !owners                                  ? "no cell is empty and has a piece on it"
                         : one == "neutral" || other == "neutral" ? "a neutral piece is nobody's"
                                                                  : "nothing is own and an enemy's at once");
        const Ast& what = bare(n.kids[1]);
        warning.help = owners && is_name(n.kids[0], "enemy") && what.form == Form::name
                           ? fmt::format("`enemy.{}` is what `{}` is for the enemy", what.word, what.word)
                           : "`S & T` has what is in both";
        told_from_ = n.span.begin;
        told_to_ = n.span.end;
        return;
      }
    if (!owned || !is_name(n.kids[0], "enemy") || !goes_by_player(bare(n.kids[1]))) return;
    const std::string& what = bare(n.kids[1]).word;
    out_.warning("whose-cells", n.span, fmt::format("these are the enemy's pieces on your own `{}`", what))
        .help = fmt::format("`enemy.{0}` is the enemy's `{0}`; write `enemy & {0}` if this is meant", what);
  }

  // some own king in empty
  void nowhere(const Ast& n) {
    if (n.form != Form::some_inside && n.form != Form::no_inside) return;
    if (in_.reading(n) == nullptr) return;
    if (!are_apart(in_, n.kids[0], n.kids[1]) && !are_apart(in_, n.kids[1], n.kids[0])) return;
    out_.warning("constant-condition", n.span,
                 n.form == Form::some_inside ? "this never holds" : "this always holds")
        .help = "the two sets have no cell in common, whatever stands on the board";
  }

  // hand(k) and drop … k where k goes through kinds of which some have an entry in `hands`, and others none
  void hand_of(const Ast& n) {
    if (in_.file.hands.empty()) return;
    if (n.form == Form::sequence)
      for (std::size_t i = 0; i < n.kids.size(); ++i)
        if (n.kids[i].form == Form::choose && n.kids[i].kids.size() == 1)
          for (std::size_t k = i + 1; k < n.kids.size(); ++k) used(n.kids[i], n.kids[k]);
    const bool asks = n.form == Form::some_in || n.form == Form::no_in || n.form == Form::part;
    if (asks && n.kids.size() == 2) used(n, n.kids[1]);
  }

  // `binder` has a name go through kinds; `rule` is where it holds.
  void used(const Ast& binder, const Ast& rule) {
    never_in_hand(binder, rule);
    const std::string without = without_hand(binder.kids[0]);
    if (without.empty() || compared(rule, binder.word)) return;
    each_node(rule, [&](const Ast& n) {
      const auto is_it = [&](const Ast& kid) { return is_name(bare(kid), binder.word); };
      const bool asked = n.form == Form::call && n.word == "hand" && n.kids.size() == 1 && is_it(n.kids[0]);
      const bool dropped = is_drop_of(n, binder.word) || (n.form == Form::call && drops(n, binder.word));
      if ((!asked && !dropped) || !hands_.insert(&n).second) return;
      auto& warning = out_.warning(
          "missing-hand", n.span,
          asked ? fmt::format("`{}` may be `{}` here, which has no entry in `hands`", binder.word, without)
                : fmt::format("`{}` may be `{}` here, which has no entry in `hands`: any number "
                              "can be dropped",
                              binder.word, without));
      warning.help = fmt::format("hands: {{ {}: 0 }}, or leave it out of the list", without);
      warning.related.push_back({binder.kids[0].span, "these kinds"});
    });
  }
  // A kind of the list of which no hand ever has any, beside others.
  void never_in_hand(const Ast& binder, const Ast& rule) {
    const Reading* r = in_.reading(binder.kids[0]);
    if (r == nullptr || r->type != Ty::kinds || r->varies || compared(rule, binder.word)) return;
    const Ast* drop = nullptr;
    each_node(rule, [&](const Ast& n) {
      if (drop == nullptr && (is_drop_of(n, binder.word) || drops(n, binder.word))) drop = &n;
    });
    if (drop == nullptr) return;
    for (const auto& entry : in_.file.hands) {
      const bool listed = std::any_of(r->kinds.begin(), r->kinds.end(), [&](int kind) {
        return in_.program.kinds[static_cast<std::size_t>(kind)].name == entry.kind.text;
      });
      if (!listed || entry.kind.span.file != in_.file.file || !is_never_in_hand(in_, entry)) continue;
      auto& warning = out_.warning("empty-hand", entry.kind.span,
                                   fmt::format("no hand ever has a `{}` to drop", entry.kind.text));
      warning.help = "give the players some, fill the hand by `set hand(K) = …`, or leave it out of the list";
      warning.related.push_back({drop->span, "it is dropped here, beside others"});
    }
  }
  static bool is_drop_of(const Ast& n, const std::string& name) {
    return n.form == Form::drop && n.kids.size() > 1 && is_name(bare(n.kids[1]), name);
  }
  // Does a definition drop the argument of this name?
  [[nodiscard]] bool drops(const Ast& call, const std::string& name, int depth = 0) const {
    const Definition* d = in_.definition(call);
    if (d == nullptr || depth > kMaxChain) return false;
    for (std::size_t i = 0; i < call.kids.size(); ++i) {
      if (!is_name(bare(call.kids[i]), name)) continue;
      const std::string& parameter = d->parameters[i].text;
      bool found = false;
      each_body(*d, [&](const Ast& body) {
        each_node(body, [&](const Ast& n) {
          const bool here = n.form == Form::drop && n.kids.size() > 1 && is_name(bare(n.kids[1]), parameter);
          found = found || here || (n.form == Form::call && drops(n, parameter, depth + 1));
        });
      });
      if (found) return true;
    }
    return false;
  }
  static bool compared(const Ast& rule, const std::string& name) {
    bool found = false;
    each_node(rule, [&](const Ast& n) {
      if (n.form == Form::compare)
        for (const Ast& kid : n.kids) found = found || is_name(bare(kid), name);
    });
    return found;
  }
  // A kind of a list that has no entry in `hands`, where others of it have one; "" if there is none.
  [[nodiscard]] std::string without_hand(const Ast& list) const {
    const Reading* r = in_.reading(list);
    if (r == nullptr || r->type != Ty::kinds || r->varies) return "";
    std::string without;
    bool any_with = false;
    for (const int kind : r->kinds) {
      const std::string& name = in_.program.kinds[static_cast<std::size_t>(kind)].name;
      const bool has = std::any_of(in_.file.hands.begin(), in_.file.hands.end(),
                                   [&](const auto& entry) { return entry.kind.text == name; });
      any_with = any_with || has;
      if (!has && without.empty()) without = name;
    }
    return any_with ? without : "";
  }

  const Linted& in_;
  dsl::Diagnostics& out_;
  bool owned_ = false; // has any player pieces?
  std::set<std::string> told_;
  std::size_t told_from_ = 0, told_to_ = 0; // of the last empty set
  std::set<const Ast*> hands_;              // told of
};

} // namespace

void lint_players(const Linted& in, dsl::Diagnostics& out) {
  Players players(in, out);
  each_rule(in.file, [&](const Ast& rule) { players.rule(rule); });
}

} // namespace boardwright::interpreter
