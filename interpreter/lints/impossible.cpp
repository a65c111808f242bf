// Lints about numbers that there can't be: rows that are longer than the board, or than the pieces a player
// has; more pieces than there are cells for them; fewer pieces than there always are, where no rule takes
// any; a player's pieces of kinds that are nobody's.
#include "interpreter/lints/effects.hpp"
#include "interpreter/lints/lints.hpp"
#include "interpreter/lints/numbers.hpp"
#include "interpreter/lints/sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace boardwright::interpreter {
namespace {

using dsl::Ast;
using dsl::Form;
using runtime::Op;

class Impossible {
public:
  Impossible(const Linted& in, dsl::Diagnostics& out) : in_(in), out_(out) {}

  // in_row(6) on a board of five files and ranks, or with five pieces.
  void rows(const Ast& rule) {
    each_node(rule, [&](const Ast& n) {
      const bool asks = n.form == Form::call && (n.word == "in_row" || n.word == "line") && !n.kids.empty();
      if (!asks || !in_.is_of_vocabulary(n.word) || bare(n.kids[0]).form != Form::number) return;
      const std::int64_t asked = bare(n.kids[0]).number;
      const auto& board = in_.program.board;
      const bool round = board.endless() || !in_.file.board.tracks.empty() || !in_.file.board.curves.empty();
      const std::int64_t longest = std::max(board.files, board.ranks);
      if (!round && asked > longest)
        return tell(n, fmt::format("no row of this board has {} cells", asked),
                    fmt::format("the longest has {}", longest));
      if (n.word == "in_row" || (n.kids.size() > 1 && is_of_own(n.kids[1]))) too_few(n, asked);
    });
  }

  // `own wall`, where walls are neutral: no player ever has one.
  void nobodys(const Ast& rule) {
    each_node(rule, [&](const Ast& n) {
      const bool joins = n.form == Form::owned || is_sign(n, "&");
      if (!joins) return;
      const Ast &a = bare(n.kids[0]), &b = bare(n.kids[1]);
      const bool first = is_name(a, "own") || is_name(a, "enemy");
      if (!first && !is_name(b, "own") && !is_name(b, "enemy")) return;
      const Ast &whose = first ? a : b, &what = first ? b : a;
      const auto kind = kind_of(what);
      if (!kind || !is_neutral_only(*kind)) return;
      out_.warning("empty-set", n.span,
                   fmt::format("no player ever has a `{0}`: every `{0}` is neutral", what.word))
          .help = fmt::format("`{}` alone are its cells; `{}` has those of a player", what.word, whose.word);
    });
  }

  // count(own last_row) > 5, where a row has five cells.
  void rooms(const Ast& rule) {
    each_node(rule, [&](const Ast& n) {
      const Bounded b = bounded(n);
      if (n.form != Form::compare || !b.counted || b.low < 2) return;
      const auto room = room_of(n);
      if (!room || *room >= b.low) return;
      tell(n, fmt::format("there are only {} cells where these could be", *room),
           fmt::format("this never holds: at least {} are asked for", b.low));
    });
  }

  // `lose when no own king` where nothing is ever taken.
  void lines() {
    if (changes_pieces() || !in_.file.options.empty()) return;
    for (const dsl::EndRule& line : in_.file.end)
      if (line.span.file == in_.file.file) fewer(line);
  }

private:
  [[nodiscard]] bool is_of_own(const Ast& set) const {
    static const Ast kOwn{Form::name, {}, 0, 0, "own", {}, {}, {}, {}};
    return is_part(in_, set, kOwn);
  }
  [[nodiscard]] bool is_neutral_only(int kind) const {
    const auto& letter = in_.program.kinds[static_cast<std::size_t>(kind)].letter;
    return letter.back() != 0 && std::all_of(letter.begin(), letter.end() - 1, [](char c) { return c == 0; });
  }

  // The most cells that the set can have which a comparison counts, of any of its nodes: one for each player.
  [[nodiscard]] std::optional<std::int64_t> room_of(const Ast& compared) const {
    std::optional<std::int64_t> most;
    for (const runtime::Node& n : in_.program.nodes) {
      const auto& origin = in_.program.origins[n.origin];
      if (origin.begin != compared.span.begin || origin.end != compared.span.end ||
          in_.program.files[origin.file] != in_.sources.name(compared.span.file))
        continue;
      if (n.op != Op::less && n.op != Op::at_most && n.op != Op::equal) continue;
      for (const runtime::NodeId kid : in_.program.kids_of(n))
        if (in_.program.nodes[kid].op == Op::count)
          most = std::max(most.value_or(0), room(in_.program.kid(in_.program.nodes[kid], 0), 0));
    }
    return most;
  }
  [[nodiscard]] std::int64_t room(runtime::NodeId id, int depth) const {
    constexpr int kMostNested = 12;
    const auto& program = in_.program;
    const runtime::Node& n = program.nodes[id];
    const auto kid = [&](std::uint32_t i) { return room(program.kid(n, i), depth + 1); };
    const std::int64_t all = n.type == runtime::Type::cells ? program.board.cells : INT32_MAX;
    if (depth > kMostNested || n.type != runtime::Type::cells) return all;
    switch (n.op) {
    case Op::cells: return program.cell_sets[static_cast<std::size_t>(n.a)].count();
    case Op::meet: return std::min(kid(0), kid(1));
    case Op::unite: return std::min(all, kid(0) + kid(1));
    case Op::minus:
    case Op::select: return kid(0);
    default: return all;
    }
  }

  void tell(const Ast& n, const std::string& message, const std::string& help) {
    out_.warning("out-of-reach", n.span, message).help = help;
  }
  [[nodiscard]] std::vector<runtime::Position> shown() const {
    return in_.shown ? in_.shown() : std::vector<runtime::Position>{};
  }

  // Do options say how many pieces are set up and in the hands?
  [[nodiscard]] bool set_up_by_options() const {
    if (in_.file.options.empty()) return false;
    bool found = false;
    const auto look = [&](const Ast& rule) {
      each_node(rule, [&](const Ast& n) {
        const auto is = [&](const auto& entry) { return entry.name.text == n.word; };
        found = found || std::any_of(in_.file.options.begin(), in_.file.options.end(), is) ||
                std::any_of(in_.file.define.begin(), in_.file.define.end(), is);
      });
    };
    for (const auto& entry : in_.file.setup.entries) look(entry.cells);
    for (const auto* size :
         {&in_.file.board.files, &in_.file.board.ranks, &in_.file.board.side, &in_.file.board.holes})
      if (*size) look(**size);
    for (const auto& entry : in_.file.hands) {
      if (entry.count.all) look(*entry.count.all);
      for (const auto& [player, count] : entry.count.each) look(count);
    }
    return found;
  }

  void too_few(const Ast& n, std::int64_t asked) {
    if (set_up_by_options()) return;
    if (const MostPieces most(in_.program, {});
        !most.is_bounded() || !most.keep_owner() || most.of_one() >= asked || most.of_one() == 0)
      return; // of none at all the hands are told
    if (const MostPieces most(in_.program, shown()); most.of_one() < asked)
      tell(n, fmt::format("no player ever has {} pieces", asked),
           "no more are set up, and no rule makes any");
  }

  // Does a turn take pieces from the board, or make others of them? True where that isn't known.
  [[nodiscard]] bool changes_pieces() const {
    const auto changes = [](const runtime::Node& n) {
      return n.op == Op::change || n.op == Op::move_by || n.op == Op::discard;
    };
    if (in_.program.board.stacks || std::any_of(in_.program.nodes.begin(), in_.program.nodes.end(), changes))
      return true;
    for (int player = 0; player < in_.program.player_count(); ++player) {
      const Effects effects = effects_of_turn(in_, player);
      if (!effects.known || (effects.taken & ~kHoldsNothing) != 0) return true;
    }
    return false;
  }

  void fewer(const dsl::EndRule& line) {
    const Bounded b = bounded(line.condition);
    if (!b.counted || b.low > 0 || b.high == INT64_MAX) return;
    const auto least = least_of(*b.what, in_.program.initial, line.player);
    if (!least || *least <= b.high) return;
    for (const runtime::Position& position : shown())
      if (least_of(*b.what, position, line.player).value_or(0) <= b.high) return;
    tell(line.condition, "this never holds: no rule takes a piece from the board",
         fmt::format("{} are set up, and stay", *least));
  }

  // The fewest that the set holds for any player, or for one with this name, of pieces by owner and kind;
  // none of other sets.
  [[nodiscard]] std::optional<std::int64_t> least_of(const Ast& set, const runtime::Position& position,
                                                     const std::string& name) const {
    const Ast& n = bare(set);
    const Ast& whose = n.form == Form::owned ? bare(n.kids[0]) : n;
    const bool owned = is_name(whose, "own") || is_name(whose, "enemy");
    const Ast& what = n.form == Form::owned ? bare(n.kids[1]) : n;
    const std::optional<int> kind = kind_of(what);
    if ((n.form == Form::owned && !kind) || (!owned && !kind)) return std::nullopt;
    std::optional<std::int64_t> least;
    for (int player = 0; player < in_.program.player_count(); ++player) {
      if (!name.empty() && in_.program.players[static_cast<std::size_t>(player)].name != name) continue;
      std::int64_t count = 0;
      for (const auto& stack : position.cells)
        for (const auto& piece : stack) {
          const bool of_owner = !owned || (is_name(whose, "own") ? piece.owner == player
                                                                 : piece.owner >= 0 && piece.owner != player);
          count += of_owner && (!kind || piece.kind == *kind) ? 1 : 0;
        }
      least = std::min(least.value_or(count), count);
    }
    return least;
  }
  [[nodiscard]] std::optional<int> kind_of(const Ast& n) const {
    for (std::size_t kind = 0; kind < in_.program.kinds.size(); ++kind)
      if (is_name(n, in_.program.kinds[kind].name)) return static_cast<int>(kind);
    return std::nullopt;
  }

  const Linted& in_;
  dsl::Diagnostics& out_;
};

} // namespace

void lint_rows(const Linted& in, dsl::Diagnostics& out) {
  Impossible lint(in, out);
  each_rule(in.file, [&](const Ast& rule) {
    lint.rows(rule);
    lint.nobodys(rule);
    lint.rooms(rule);
  });
}

// That nothing is taken may come of what has been told.
void lint_fewer(const Linted& in, dsl::Diagnostics& out) {
  if (out.all().empty()) Impossible(in, out).lines();
}

} // namespace boardwright::interpreter
