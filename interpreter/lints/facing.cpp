// A lint about cells that are the same for both of two players who face one another, and that are not the
// same seen from the other side: `empty - rank(5)`, `a1 .. f1`, `y(here) = ranks`.
//
// It looks at rules that both players share: what the turn, where it has no bodies by player, and the lines
// of `end` come to by way of definitions. The set-up must be the same for both; else the players play
// different parts.
#include "interpreter/lints/lints.hpp"
#include "interpreter/lints/symmetry.hpp"
#include "interpreter/meaning/elaborator.hpp"

#include <fmt/format.h>

#include <algorithm>
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
using runtime::CellSet;

// Cells that are compared with one another. One of them is told.
constexpr std::size_t kMostFound = 100;

class Facing {
public:
  Facing(const Linted& in, dsl::Diagnostics& out) : in_(in), out_(out) {
    const auto& players = in.program.players;
    if (players.size() != 2) return;
    alike_ = players[0].dx == players[1].dx && players[0].dy == players[1].dy;
    if (!alike_ && (players[0].dx != -players[1].dx || players[0].dy != -players[1].dy)) return;
    upright_ = players[0].dy != 0;
    if (!upright_ && players[0].dx == 0) return;
    if (alike_) return; // they don't face one another
    if (in.program.board.endless())
      return; // a bare table has no sides, and names of cells mean nothing on it
    for (Image& image : images_of(in.program.board, upright_, false))
      if (lacking(image, in.program.initial).empty()) images_.push_back(std::move(image));
  }

  void report() {
    if (alike_)
      each_rule(in_.file, [&](const Ast& rule) { each_node(rule, [&](const Ast& n) { joins_sides(n); }); });
    if (images_.empty()) return;
    if (in_.file.turn && in_.file.turn->cases.empty()) rule(in_.file.turn->body);
    for (const dsl::EndRule& line : in_.file.end) {
      if (!line.player.empty()) continue;
      rule(line.condition);
      if (line.score) rule(*line.score);
    }
    for (const Found& one : found_)
      if (!has_counterpart(one)) return tell(one); // the others will be met when this one is mended
  }

private:
  struct Found {
    const Ast* place;
    CellSet cells; // none: `y(here) = 8`
  };

  // A rule of both players.
  void rule(const Ast& n) {
    if (!same_for_all(n)) return;
    looked_at_ = n.span.file == in_.file.file;
    visit(n, false);
    heights(n);
    each_node(n, [&](const Ast& part) {
      if (n.span.file == in_.file.file) joins_sides(part);
      const Definition* d = in_.definition(part);
      if (d == nullptr || !followed_.insert(d).second || is_by_player(*d)) return;
      each_body(*d, [&](const Ast& body) { rule(body); });
    });
  }
  [[nodiscard]] bool is_player(const std::string& name) const {
    return std::any_of(in_.program.players.begin(), in_.program.players.end(),
                       [&](const auto& player) { return player.name == name; });
  }
  [[nodiscard]] bool is_by_player(const Definition& d) const {
    return std::any_of(d.cases.begin(), d.cases.end(),
                       [&](const auto& c) { return is_player(c.first.text); });
  }
  // Doesn't ask who moves.
  [[nodiscard]] bool same_for_all(const Ast& rule) const {
    bool same = true;
    each_node(rule, [&](const Ast& n) {
      const bool names_player = n.form == Form::name && (is_player(n.word) || n.word == "me");
      same = same && !names_player;
    });
    return same;
  }

  // The largest parts that are fixed cells. `asked`: it is where pieces go, stand, or are counted.
  void visit(const Ast& n, bool asked) {
    if (const Definition* d = in_.definition(n); d != nullptr && is_by_player(*d)) return;
    if (n.form == Form::perspective) // the other player's
      if (const Definition* d = in_.definition(bare(n.kids[1])); d != nullptr && is_by_player(*d)) return;
    const Reading* r = in_.reading(n);
    if (r != nullptr && r->type == Ty::cells && !r->varies && n.form != Form::paren) {
      const bool meant = r->holds && !r->fails && !is_one_without_another(n); // else it is told as that
      if (asked && meant && looked_at_ && found_.size() < kMostFound && is_uneven(r->cells))
        found_.push_back({&written(n), r->cells});
      return;
    }
    for (std::size_t i = 0; i < n.kids.size(); ++i) visit(n.kids[i], is_asked(n, i, asked));
  }
  // a1-e1
  [[nodiscard]] static bool is_one_without_another(const Ast& n) {
    return is_sign(n, "-") && n.kids[0].form == Form::name && n.kids[1].form == Form::name;
  }
  [[nodiscard]] bool is_asked(const Ast& n, std::size_t kid, bool asked) const {
    switch (n.form) {
    case Form::compare: return n.word == "in" && kid == 1;
    case Form::some_inside:
    case Form::no_inside:
    case Form::every_inside: return kid == 1;
    case Form::from:
    case Form::to:
    case Form::at:
    case Form::owned: return true;
    case Form::paren: return asked;
    case Form::binary: return n.word == "&" || n.word == "-" || (n.word == "|" && asked);
    case Form::call: {
      const Reading* r = in_.reading(n);
      const bool counts = n.word == "height" || n.word == "count";
      // What is given to other actions may be meant for anything.
      return counts || (r != nullptr && r->is_action && in_.is_of_vocabulary(n.word));
    }
    default: return false;
    }
  }
  [[nodiscard]] bool is_uneven(const CellSet& cells) const {
    return std::none_of(images_.begin(), images_.end(),
                        [&](const Image& image) { return image_of(image, cells) == cells; });
  }
  // What the author has written, where a name of his own stands for it.
  [[nodiscard]] const Ast& written(const Ast& n) const {
    const Definition* d = n.form == Form::name ? in_.definition(n) : nullptr;
    const bool own = d != nullptr && d->body && d->body->span.file == in_.file.file;
    return own ? bare(*d->body) : bare(n);
  }

  // connected(D), by which either player leads from his first row to his last: the same two.
  void joins_sides(const Ast& n) {
    if (n.form != Form::call || n.word != "connected" || !in_.is_of_vocabulary(n.word) ||
        in_.definition(n) == nullptr)
      return;
    out_.warning("one-sided", n.span, "both players join the same two sides of the board").help =
        "players who join other sides go other ways, across: `players: { A: north, B: east }`";
  }

  // y(here) = ranks, once in a rule.
  void heights(const Ast& rule) {
    std::vector<const Ast*> compared;
    each_node(rule, [&](const Ast& n) {
      if (n.form != Form::compare || n.word == "in") return;
      const Ast &left = bare(n.kids[0]), &right = bare(n.kids[1]);
      if (is_height(left) && is_edge(right)) compared.push_back(&n);
    });
    if (looked_at_ && compared.size() == 1) found_.push_back({compared.front(), {}});
  }
  [[nodiscard]] bool is_height(const Ast& n) const {
    return n.form == Form::call && n.kids.size() == 1 && n.word == (upright_ ? "y" : "x");
  }
  // The first rank or the last one.
  [[nodiscard]] bool is_edge(const Ast& n) const {
    const int length = upright_ ? in_.program.board.ranks : in_.program.board.files;
    if (n.form == Form::name) return n.word == (upright_ ? "ranks" : "files");
    return n.form == Form::number && length > 1 && (n.number == 1 || n.number == length);
  }

  [[nodiscard]] bool has_counterpart(const Found& one) const {
    return std::any_of(found_.begin(), found_.end(), [&](const Found& other) {
      return one.cells.any() && std::any_of(images_.begin(), images_.end(), [&](const Image& image) {
               return image_of(image, one.cells) == other.cells;
             });
    });
  }

  void tell(const Found& one) {
    const auto ends = rank_at_end(one);
    auto& warning = out_.warning(
        "one-sided", one.place->span,
        ends ? fmt::format("this is the last {} of one player, and the first one of the other",
                           upright_ ? "rank" : "file")
             : "both players ask for these cells, which are not the same seen from the other side");
    warning.help = "`last_row` and `row(n)` are each player's own";
    if (!ends && is_name(*one.place, "middle"))
      warning.help = "no cell is in the middle of an even number of them";
  }
  [[nodiscard]] bool rank_at_end(const Found& one) const {
    const auto& board = in_.program.board;
    if (!one.cells.any()) return true;
    bool low = true, high = true;
    one.cells.each([&](int cell) {
      const auto c = static_cast<std::size_t>(cell);
      const int at = upright_ ? board.y[c] : board.x[c];
      low = low && at == 1;
      high = high && at == (upright_ ? board.ranks : board.files);
    });
    return low || high;
  }

  const Linted& in_;
  dsl::Diagnostics& out_;
  bool alike_ = false;        // they go the same way
  bool upright_ = true;       // they go north and south
  bool looked_at_ = false;    // the rule is the file's own
  std::vector<Image> images_; // that take the set-up of one player to the other's
  std::vector<Found> found_;
  std::set<const Definition*> followed_;
};

} // namespace

void lint_facing(const Linted& in, dsl::Diagnostics& out) { Facing(in, out).report(); }

} // namespace boardwright::interpreter
