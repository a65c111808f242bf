// Lints about the ways of pieces: whose pieces set out, in which order alternatives are tried, and in which
// directions they go.
#include "interpreter/lints/lints.hpp"
#include "interpreter/lints/sets.hpp"
#include "interpreter/meaning/elaborator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::interpreter {
namespace {

using dsl::Ast;
using dsl::Definition;
using dsl::Form;

// Definitions within one another that are gone into.
constexpr int kMostNestedWalks = 8;
// Parts of rules that alternatives are asked for what they do. Games that people write have a few hundred.
constexpr int kMostParts = 200'000;

class Walks {
public:
  Walks(const Linted& in, dsl::Diagnostics& out) : in_(in), out_(out) {}

  void rule(const Ast& n) {
    if (n.form == Form::sequence) {
      anyones(n);
      turning(n);
    }
    if (n.form == Form::otherwise && left_ > 0) order(n);
    directions(n);
    for (const Ast& kid : n.kids) rule(kid);
  }

private:
  // ---- from KIND

  void anyones(const Ast& n) {
    const Ast& from = bare(n.kids[0]);
    if (from.form == Form::from && is_any_cell(from.kids[0]) && moves_on(n)) return tell_cells(from);
    if (from.form != Form::from || !is_everybodys(from.kids[0])) return;
    const Ast& what = bare(from.kids[0]);
    const std::string kinds = what.form == Form::name ? what.word : "(" + text_of(what) + ")";
    out_.warning("anyones-piece", from.span, "each player has such pieces: this moves the enemy's, too")
        .help = fmt::format("`from own {0}`; `from (own | enemy) & {0}` if this is meant", kinds);
  }
  void tell_cells(const Ast& from) {
    out_.warning("anyones-piece", from.span, "these are cells of the board, whoever's piece stands there")
        .help = fmt::format("`from own & {0}`; `from (own | enemy) & {0}` if this is meant",
                            bare(from.kids[0]).form == Form::binary ? "(" + text_of(from.kids[0]) + ")"
                                                                    : text_of(from.kids[0]));
  }
  // Several cells that are the same in every position, where both players have pieces.
  [[nodiscard]] bool is_any_cell(const Ast& set) const {
    const Reading* r = in_.reading(set);
    const auto& kinds = in_.program.kinds;
    const bool owned = std::any_of(kinds.begin(), kinds.end(), [](const auto& kind) {
      return std::count_if(kind.letter.begin(), kind.letter.end() - 1, [](char c) { return c != 0; }) > 1;
    });
    return owned && r != nullptr && r->type == Ty::cells && !r->varies && r->many && r->cells.count() > 1;
  }
  // Is the piece there moved or taken away at once?
  [[nodiscard]] bool moves_on(const Ast& sequence) const {
    for (std::size_t i = 1; i < sequence.kids.size(); ++i) {
      const Ast& next = bare(sequence.kids[i]);
      const Ast& what = next.form == Form::quietly || next.form == Form::secretly ? bare(next.kids[0]) : next;
      if (what.form == Form::say) continue;
      const bool walk = what.form == Form::call && in_.is_of_vocabulary(what.word) &&
                        (what.word == "step" || what.word == "ride" || what.word == "fly" ||
                         what.word == "capture" || what.word == "vault");
      const bool removes = what.form == Form::remove && is_name(bare(what.kids[0]), "here");
      return walk || removes || what.form == Form::lift;
    }
    return false;
  }
  // A kind, or several, that more than one player has.
  [[nodiscard]] bool is_everybodys(const Ast& set) const {
    const Ast& n = bare(set);
    if (is_sign(n, "|")) return is_everybodys(n.kids[0]) && is_everybodys(n.kids[1]);
    if (n.form != Form::name || in_.definition(n) != nullptr) return false;
    return std::any_of(in_.program.kinds.begin(), in_.program.kinds.end(), [&](const auto& kind) {
      return kind.name == n.word &&
             std::count_if(kind.letter.begin(), kind.letter.end() - 1, [](char c) { return c != 0; }) > 1 &&
             kind.letter.back() == 0;
    });
  }

  // ---- A otherwise B

  void order(const Ast& n) {
    for (std::size_t i = 0; i + 1 < n.kids.size(); ++i) {
      if (left_ < 0 || !moves(n.kids[i]) || takes(n.kids[i]) || !moves(n.kids[i + 1]) ||
          !takes(n.kids[i + 1]))
        continue;
      if (left_ < 0) return; // not all has been seen
      auto& warning = out_.warning("takes-last", n.kids[i + 1].span,
                                   "pieces are taken only where there is no other move");
      warning.help = "what is to come first stands first: `A otherwise B` is B only where A has no outcome";
      warning.related.push_back({n.kids[i].span, "while this is possible"});
    }
  }
  // Does an action move a piece that stands on the board, and bring no other?
  [[nodiscard]] bool moves(const Ast& action) const {
    bool from = false, drop = false;
    each_part(action, [&](const Ast& n) {
      from = from || n.form == Form::from;
      drop = drop || n.form == Form::drop;
    });
    return from && !drop;
  }
  // May it take something: does it remove pieces, or speak of the enemy's cells?
  [[nodiscard]] bool takes(const Ast& action) const {
    bool found = false;
    each_part(action, [&](const Ast& n) {
      const bool theirs = is_name(n, "enemy") ||
                          (n.form == Form::complement && is_name(bare(n.kids[0]), "own")) ||
                          is_name(n, "neutral") || is_name(n, "board");
      found = found || theirs || n.form == Form::remove || n.form == Form::set;
    });
    return found;
  }
  // Of a rule and of all definitions that it uses.
  template <class F>
  void each_part(const Ast& rule, F&& visit) const {
    std::set<const Definition*> seen;
    each_part(rule, visit, seen, 0);
  }
  template <class F>
  void each_part(const Ast& rule, F& visit, std::set<const Definition*>& seen, int depth) const {
    each_node(rule, [&](const Ast& n) {
      if (--left_ < 0) return;
      visit(n);
      const Definition* d = in_.definition(n);
      if (d == nullptr || depth > kMostNestedWalks || !seen.insert(d).second) return;
      each_body(*d, [&](const Ast& body) { each_part(body, visit, seen, depth + 1); });
    });
  }

  // ---- go all, at S, go all

  // A piece in the air that goes on in the same words.
  void turning(const Ast& n) {
    bool lifted = false;
    const Ast* last = nullptr; // the `go` before, if all since then says how it goes on
    for (const Ast& kid : n.kids) {
      const Ast& step = bare(kid);
      lifted = lifted || step.form == Form::lift;
      if (!lifted) continue;
      if (step.form == Form::repeat) {
        const Ast* go = go_of(step);
        const bool exactly = (step.flags & dsl::kRepeatExact) != 0;
        if (go != nullptr && exactly && straight(step)) return tell_turning(*go);
        last = go;
      } else if (step.form == Form::go) {
        if (last != nullptr && same_rule(last->kids[0], step.kids[0]) && has_several(step.kids[0]))
          return tell_turning(*last);
        last = &step;
      } else if (step.form == Form::put || step.form == Form::choose || step.form == Form::to) {
        last = nullptr;
      }
    }
  }
  // The `go` that a round begins with.
  [[nodiscard]] static const Ast* go_of(const Ast& repeat) {
    const Ast& round = bare(repeat.kids[0]);
    const Ast& first = round.form == Form::sequence ? bare(round.kids[0]) : round;
    return first.form == Form::go ? &first : nullptr;
  }
  // A fixed number of steps over cells of one sort, in a few directions: a run, not a ramble.
  [[nodiscard]] bool straight(const Ast& repeat) const {
    const Ast* go = go_of(repeat);
    const bool several =
        repeat.kids.size() > 1 && bare(repeat.kids[1]).form == Form::number && repeat.kids[1].number > 1;
    return several && has_several(go->kids[0]);
  }
  // Several directions of the same player, given by words and not chosen before.
  [[nodiscard]] bool has_several(const Ast& set) const {
    const Reading* r = in_.reading(set);
    if (r == nullptr || r->type != Ty::directions || r->varies || !is_in_words(set)) return false;
    const auto goes_by_player = [&](const Ast& n) {
      return is_name(n, "forward") || is_name(n, "backward") || is_name(n, "left") || is_name(n, "right");
    };
    return r->steps.count() > (goes_by_player(bare(set)) ? static_cast<int>(in_.program.players.size()) : 1);
  }
  // By names of directions alone, none of which is a parameter: that is another one at each call.
  [[nodiscard]] bool is_in_words(const Ast& set) const {
    static const std::set<std::string_view> kWords{"north",    "south",    "east",    "west",
                                                   "adjacent", "diagonal", "forward", "backward",
                                                   "left",     "right",    "axes"};
    bool all = true;
    each_node(set, [&](const Ast& n) {
      const bool word = n.form == Form::name && (kWords.contains(n.word) || in_.definition(n) != nullptr);
      const bool joins =
          n.form == Form::paren || is_sign(n, "+") || is_sign(n, "|") || is_sign(n, "&") || is_sign(n, "-");
      all = all && (word || joins);
    });
    return all;
  }
  void tell_turning(const Ast& go) {
    out_.warning("may-turn", go.span, "each step may go another way: the piece may turn").help =
        fmt::format("`choose d in {}` before, and `go d`, goes straight on", text_of(go.kids[0]));
  }

  // ---- directions

  void directions(const Ast& n) {
    if (in_.program.board.hexes) {
      if (is_name(n, "orthogonal") && in_.is_of_vocabulary("orthogonal") && in_.reading(n) != nullptr)
        out_.warning("odd-directions", n.span, "`orthogonal` leaves out two of the six neighbours of a hex")
            .help = "`adjacent` are all of them";
      connecting(n);
      return;
    }
    const Reading* r = in_.reading(n);
    if (!is_sign(n, "+") || r == nullptr || r->type != Ty::directions || r->varies) return;
    if (r->steps.count() < 2 || !is_in_words(n)) return;
    bool near = false, far = false;
    r->steps.each([&](int step) {
      const auto& s = in_.program.board.steps[static_cast<std::size_t>(step)];
      if (s.track >= 0) return;
      const bool beside = std::abs(s.dx) <= 1 && std::abs(s.dy) <= 1;
      near = near || beside;
      far = far || !beside;
    });
    if (near && far)
      out_.warning("odd-directions", n.span, "some of these sums lead to a neighbour, others past it").help =
          "`S & T` has the directions in both: `ahead & diagonal` are the two diagonals ahead";
  }
  // connected(all), connected(diagonal): cells that only touch at a corner of a third.
  void connecting(const Ast& n) {
    constexpr std::array<std::string_view, 4> kWords{"connected", "group", "groups", "united"};
    const bool joins = n.form == Form::call && !n.kids.empty() &&
                       std::find(kWords.begin(), kWords.end(), n.word) != kWords.end() &&
                       in_.is_of_vocabulary(n.word);
    if (!joins) return;
    if (is_name(bare(n.kids.back()), "diagonal") && in_.definition(bare(n.kids.back())) == nullptr) {
      out_.warning("odd-directions", n.kids.back().span,
                   "`diagonal` on hexes leads past the neighbours, and connects over gaps alone")
          .help = "`adjacent` are the six neighbours";
      return;
    }
    if (!is_name(bare(n.kids.back()), "all") || !in_.is_of_vocabulary("all")) return;
    out_.warning("odd-directions", n.kids.back().span,
                 "`all` are twelve on hexes: six of them lead past the neighbours, and connect over gaps")
        .help = "`adjacent` are the six neighbours";
  }

  [[nodiscard]] std::string text_of(const Ast& n) const {
    return in_.sources.text(n.span.file).substr(n.span.begin, n.span.end - n.span.begin);
  }

  const Linted& in_;
  dsl::Diagnostics& out_;
  mutable int left_ = kMostParts; // parts that may still be looked at
};

} // namespace

void lint_walks(const Linted& in, dsl::Diagnostics& out) {
  Walks walks(in, out);
  each_rule(in.file, [&](const Ast& rule) { walks.rule(rule); });
}

} // namespace boardwright::interpreter
