// A lint about directions that one is missing from: `forward | left` beside `forward | sideways`; and, on
// hexes, about a sum beside neighbours that leads past them.
#include "interpreter/lints/lints.hpp"
#include "interpreter/meaning/elaborator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace boardwright::interpreter {
namespace {

using dsl::Ast;
using dsl::Form;

// Directions that are looked at, and names within one another that are gone into.
constexpr std::size_t kMostHeadings = 200;
constexpr int kMostNames = 8;

// As a player sees them who goes north: right and forward.
using Headings = std::set<std::pair<int, int>>;

class HeadingLint {
public:
  HeadingLint(const Linted& in, dsl::Diagnostics& out) : in_(in), out_(out) {}

  void rule(const Ast& n) {
    const Reading* r = in_.reading(n);
    const bool directions = r != nullptr && r->type == Ty::directions && !r->varies;
    if (directions && in_.program.board.hexes) past_neighbours(n);
    if (directions && !in_.program.board.hexes && n.form != Form::paren) note(n);
    if (n.form == Form::either && !in_.program.board.hexes) there_and_back(n);
    if (directions && n.form != Form::paren) return; // its parts are no directions that anything goes
    for (const Ast& kid : n.kids) rule(kid);
  }

  // Directions of which the mirror image is another set, and which are one that is even, but for one.
  void report() {
    for (const auto& [place, lopsided] : written_)
      for (const auto& [other, even] : written_)
        if (mirrored(even) == even && lacks_one(lopsided, even) && !names_compass(*place))
          return tell(*place, *other);
    for (const auto& [place, lopsided] : written_)
      if (const auto missing = one_missing(lopsided)) return tell_missing(*place, *missing);
  }

private:
  // ---- on squares

  void note(const Ast& n) {
    const auto set = headings(n, 0);
    if (set && !set->empty() && written_.size() < kMostHeadings) written_.emplace_back(&n, *set);
  }
  static Headings mirrored(const Headings& set) {
    Headings result;
    for (const auto& [right, forward] : set) result.insert({-right, forward});
    return result;
  }
  [[nodiscard]] static bool lacks_one(const Headings& less, const Headings& more) {
    return less.size() > 1 && less.size() + 1 == more.size() &&
           std::includes(more.begin(), more.end(), less.begin(), less.end()) && mirrored(less) != less;
  }

  // `north | east` may well be lines, one way each, where `forward | left` would be sides.
  [[nodiscard]] bool names_compass(const Ast& set, int depth = 0) const {
    bool found = depth > kMostNames;
    each_node(set, [&](const Ast& n) {
      found = found || is_name(n, "north") || is_name(n, "south") || is_name(n, "east") || is_name(n, "west");
      const dsl::Definition* d = found || n.form != Form::name ? nullptr : in_.definition(n);
      if (d != nullptr && d->body) found = names_compass(*d->body, depth + 1);
    });
    return found;
  }

  // Of three directions or more, two of them opposite ones, the only one that lacks for both sides to be the
  // same. Without opposite ones they are lines: `north | east | north + east | north + west` are all four.
  [[nodiscard]] static std::optional<std::pair<int, int>> one_missing(const Headings& set) {
    constexpr std::size_t kFewest = 3;
    const auto has_opposite = [&](const auto& one) { return set.contains({-one.first, -one.second}); };
    std::vector<std::pair<int, int>> missing;
    for (const auto& one : mirrored(set))
      if (!set.contains(one)) missing.push_back(one);
    if (set.size() < kFewest || missing.size() != 1 || std::none_of(set.begin(), set.end(), has_opposite))
      return std::nullopt;
    return missing.front();
  }
  void tell_missing(const Ast& set, const std::pair<int, int>& missing) {
    out_.warning("odd-directions", set.span, "these are the same to both sides but for one direction").help =
        fmt::format("the one {} to the {}, {} ahead, is missing", std::abs(missing.first),
                    missing.first > 0 ? "right" : "left", missing.second);
  }

  // Those that words stand for; none where something else is among them.
  [[nodiscard]] std::optional<Headings> headings(const Ast& set, int depth) const {
    const Ast& n = bare(set);
    if (depth > kMostNames) return std::nullopt;
    if (n.form == Form::name) return named(n, depth);
    if (n.form != Form::binary) return std::nullopt;
    if (n.word == "*") return times(n, depth);
    const auto a = headings(n.kids[0], depth + 1), b = headings(n.kids[1], depth + 1);
    if (!a || !b) return std::nullopt;
    Headings result;
    if (n.word == "|") {
      result = *a;
      result.insert(b->begin(), b->end());
    } else if (n.word == "&" || n.word == "-") {
      for (const auto& one : *a)
        if (b->contains(one) == (n.word == "&")) result.insert(one);
    } else if (n.word == "+") {
      for (const auto& one : *a)
        for (const auto& other : *b) result.insert({one.first + other.first, one.second + other.second});
    } else {
      return std::nullopt;
    }
    return result;
  }
  // 2 * north
  [[nodiscard]] std::optional<Headings> times(const Ast& n, int depth) const {
    const bool first = bare(n.kids[0]).form == Form::number;
    const Ast &number = bare(n.kids[first ? 0 : 1]), &set = n.kids[first ? 1 : 0];
    constexpr std::int64_t kFarthest = 100;
    const auto once = headings(set, depth + 1);
    if (number.form != Form::number || number.number > kFarthest || !once) return std::nullopt;
    Headings result;
    const int by = static_cast<int>(number.number);
    for (const auto& [right, forward] : *once) result.insert({by * right, by * forward});
    return result;
  }
  [[nodiscard]] std::optional<Headings> named(const Ast& n, int depth) const {
    if (n.word == "north") return Headings{{0, 1}};
    if (n.word == "south") return Headings{{0, -1}};
    if (n.word == "west") return Headings{{-1, 0}};
    if (n.word == "east") return Headings{{1, 0}};
    if (n.word == "forward") return Headings{{0, 1}};
    if (n.word == "backward") return Headings{{0, -1}};
    if (n.word == "left") return Headings{{-1, 0}};
    if (n.word == "right") return Headings{{1, 0}};
    if (n.word == "adjacent") return Headings{{0, 1}, {0, -1}, {1, 0}, {-1, 0}};
    if (n.word == "diagonal") return Headings{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    const dsl::Definition* d = in_.definition(n);
    const bool plain = d != nullptr && d->body && d->cases.empty() && d->parameters.empty();
    return plain ? headings(*d->body, depth + 1) : std::nullopt;
  }

  void tell(const Ast& lopsided, const Ast& even) {
    const std::string other = text_of(even);
    auto& warning = out_.warning("odd-directions", lopsided.span,
                                 fmt::format("these are the directions of `{}` but for one aside", other));
    warning.help = "both sides are `sideways`, or `left | right`";
    warning.related.push_back({even.span, "here there are both"});
  }

  // `step(forward, empty) or step(behind & diagonal, enemy)`: ahead to one set of cells, and only back to
  // another.
  void there_and_back(const Ast& either) {
    const Ast *ahead = nullptr, *back = nullptr;
    bool others = false;
    for (const Ast& kid : either.kids) {
      const Ast& step = bare(kid);
      const bool is_step = step.form == Form::call && step.kids.size() == 2 &&
                           (step.word == "step" || step.word == "ride" || step.word == "capture") &&
                           in_.is_of_vocabulary(step.word);
      const auto set = is_step ? headings(step.kids[0], 0) : std::nullopt;
      const auto all = [&](bool forward) {
        return set && !set->empty() && std::all_of(set->begin(), set->end(), [&](const auto& one) {
                 return forward ? one.second > 0 : one.second < 0;
               });
      };
      if (all(true)) ahead = &step;
      if (all(false)) back = &step;
      others = others || (!all(true) && !all(false));
    }
    if (others || ahead == nullptr || back == nullptr || same_rule(ahead->kids[1], back->kids[1])) return;
    auto& warning = out_.warning("odd-directions", back->kids[0].span,
                                 "this piece goes ahead to some cells, and only back to others");
    warning.help = "`ahead` is forward, straight or diagonally; `behind` is backward";
    warning.related.push_back({ahead->kids[0].span, "here it goes ahead"});
  }

  // ---- on hexes

  void past_neighbours(const Ast& n) {
    std::vector<const Ast*> parts;
    split(n, parts);
    const auto some_near = std::any_of(
        parts.begin(), parts.end(), [&](const Ast* one) { return !is_sign(*one, "+") && leads(*one, true); });
    for (const Ast* one : parts)
      if (parts.size() > 1 && some_near && is_sign(*one, "+") && leads(*one, false)) {
        out_.warning("odd-directions", one->span,
                     "on hexes this leads past a neighbour, and the others to one")
            .help = "the six neighbours are `adjacent`: north, east, south, west, and one diagonal both ways";
        return;
      }
  }
  static void split(const Ast& set, std::vector<const Ast*>& parts) {
    const Ast& n = bare(set);
    if (!is_sign(n, "|")) return parts.push_back(&n);
    split(n.kids[0], parts);
    split(n.kids[1], parts);
  }
  // Do all of its directions lead to a neighbour, or all of them past one?
  [[nodiscard]] bool leads(const Ast& n, bool to_neighbour) const {
    const Reading* r = in_.reading(n);
    if (r == nullptr || r->type != Ty::directions || r->varies || r->steps.count() == 0) return false;
    bool all = true;
    r->steps.each([&](int step) {
      const auto& s = in_.program.board.steps[static_cast<std::size_t>(step)];
      const int along = in_.program.board.slant_right ? s.dx - s.dy : s.dx + s.dy;
      const bool near = s.track < 0 && std::abs(s.dx) <= 1 && std::abs(s.dy) <= 1 && std::abs(along) <= 1;
      all = all && near == to_neighbour;
    });
    return all;
  }

  [[nodiscard]] std::string text_of(const Ast& n) const {
    return std::string(in_.sources.text(n.span.file).substr(n.span.begin, n.span.end - n.span.begin));
  }

  const Linted& in_;
  dsl::Diagnostics& out_;
  std::vector<std::pair<const Ast*, Headings>> written_;
};

// Two players who go the same way, though one is set up where the other is going.
void same_forward(const Linted& in, dsl::Diagnostics& out) {
  const auto& players = in.program.players;
  if (players.size() != 2 || players[0].dx != players[1].dx || players[0].dy != players[1].dy) return;
  const runtime::Board& board = in.program.board;
  std::optional<int> highest, lowest; // of the first player's and of the second one's, along their way
  for (std::size_t cell = 0; cell < in.program.initial.cells.size(); ++cell) {
    const auto& stack = in.program.initial.cells[cell];
    if (stack.empty() || stack.back().owner < 0) continue;
    const int along = players[0].dx * board.x[cell] + players[0].dy * board.y[cell];
    if (stack.back().owner == 0)
      highest = std::max(highest.value_or(along), along);
    else
      lowest = std::min(lowest.value_or(along), along);
  }
  const bool goes = players[0].dx != 0 || players[0].dy != 0;
  if (!goes || !highest || !lowest || *lowest <= *highest || in.file.players.size() != 2) return;
  const dsl::Name& name = in.file.players[1].name;
  if (name.span.file != in.file.file) return;
  out.warning("odd-directions", name.span,
              fmt::format("{} goes the same way as {}, and stands before him", name.text, players[0].name))
      .help = "players who face one another go opposite ways: north and south";
}

} // namespace

void lint_headings(const Linted& in, dsl::Diagnostics& out) {
  same_forward(in, out);
  HeadingLint lint(in, out);
  each_rule(in.file, [&](const Ast& rule) { lint.rule(rule); });
  lint.report();
}

} // namespace boardwright::interpreter
