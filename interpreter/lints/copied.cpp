// A lint about bodies by player of which one is another's, copied and not changed: the same cells twice, or
// cells that his own pieces stand on where everybody else has others.
#include "interpreter/lints/lints.hpp"
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

struct Body {
  const Ast* rule;
  int player;
  CellSet cells;
};

// The bodies of players that are fixed cells, and not all of the board.
std::vector<Body> bodies_of(const Linted& in, const Definition& d) {
  std::vector<Body> bodies;
  for (const auto& [who, rule] : d.cases) {
    const auto& players = in.program.players;
    const auto found = std::find_if(players.begin(), players.end(),
                                    [&, name = who.text](const auto& p) { return p.name == name; });
    const Reading* r = in.reading(rule);
    if (found == players.end() || r == nullptr) continue;
    if (r->type == Ty::cells && !r->varies && r->cells.any() && r->cells != in.program.board.all)
      bodies.push_back({&rule, static_cast<int>(found - players.begin()), r->cells});
  }
  return bodies;
}

bool same_twice(const Linted& in, const std::vector<Body>& bodies, dsl::Diagnostics& out) {
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t k = i + 1; k < bodies.size(); ++k) {
      if (bodies[i].cells != bodies[k].cells) continue;
      const auto name = [&](const Body& b) {
        return in.program.players[static_cast<std::size_t>(b.player)].name;
      };
      auto& warning = out.warning(
          "copied-body", bodies[k].rule->span,
          fmt::format("these are the same cells for {} as for {}", name(bodies[k]), name(bodies[i])));
      warning.help = in.program.players[0].dx != 0 || in.program.players[0].dy != 0
                         ? "`row(n)` is each player's own already; `rank(n)` is the same for all"
                         : "say which cells are his";
      warning.related.push_back({bodies[i].rule->span, "here"});
      return true;
    }
  return false;
}

// Two players' bodies in the same words: whoever goes by player means to say two things.
bool same_words(const Linted& in, const Definition& d, dsl::Diagnostics& out) {
  if (in.program.players.size() != 2 || d.cases.size() != 2) return false;
  const auto &one = d.cases[0], &other = d.cases[1];
  const auto is_a_player = [&](const std::string& name) {
    const auto& players = in.program.players;
    return std::any_of(players.begin(), players.end(), [&](const auto& p) { return p.name == name; });
  };
  if (!is_a_player(one.first.text) || !is_a_player(other.first.text) || !same_rule(one.second, other.second))
    return false;
  auto& warning =
      out.warning("copied-body", other.second.span,
                  fmt::format("this is the same for {} as for {}", other.first.text, one.first.text));
  warning.help = "say it once for both, or say what is another for him";
  warning.related.push_back({one.second.span, "here"});
  return true;
}

// Of three players or more, of whose cells some are another's as well, while all others have their own.
void overlap(const Linted& in, const std::vector<Body>& bodies, dsl::Diagnostics& out) {
  if (bodies.size() < 3 || bodies.size() < in.program.players.size()) return;
  const Body *one = nullptr, *other = nullptr;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t k = i + 1; k < bodies.size(); ++k) {
      if (!(bodies[i].cells & bodies[k].cells).any()) continue;
      if (one != nullptr) return;
      one = &bodies[i];
      other = &bodies[k];
    }
  if (one == nullptr) return;
  std::vector<std::string> shared;
  (one->cells & other->cells).each([&](int cell) {
    shared.push_back(in.program.board.name[static_cast<std::size_t>(cell)]);
  });
  auto& warning = out.warning("copied-body", other->rule->span,
                              fmt::format("{} {} in another player's cells, too", fmt::join(shared, ", "),
                                          shared.size() == 1 ? "is" : "are"));
  warning.help = "no other players share any";
  warning.related.push_back({one->rule->span, "these"});
}

// One stands on all of his to begin with, and nobody else on any of his.
void own_home(const Linted& in, const std::vector<Body>& bodies, dsl::Diagnostics& out) {
  const auto stands = [&](const Body& b) {
    int count = 0;
    b.cells.each([&](int cell) {
      const auto& stack = in.program.initial.cells[static_cast<std::size_t>(cell)];
      count += !stack.empty() && stack.back().owner == b.player ? 1 : 0;
    });
    return count;
  };
  const Body* home = nullptr;
  for (const Body& b : bodies) {
    const int there = stands(b);
    if (there == 0) continue;
    if (home != nullptr || there != b.cells.count()) return;
    home = &b;
  }
  if (home == nullptr || bodies.size() < 2 || bodies.size() < in.program.players.size()) return;
  out.warning("copied-body", home->rule->span,
              fmt::format("{} is set up on these cells, and nobody else on his",
                          in.program.players[static_cast<std::size_t>(home->player)].name))
      .help = "say which cells are meant";
}

// Are two trees the same, node by node?
bool same_tree(const runtime::Program& program, runtime::NodeId a, runtime::NodeId b) {
  const runtime::Node &one = program.nodes[a], &other = program.nodes[b];
  const bool cells = one.op == runtime::Op::cells && other.op == runtime::Op::cells;
  if (cells)
    return program.cell_sets[static_cast<std::size_t>(one.a)] ==
           program.cell_sets[static_cast<std::size_t>(other.a)];
  const bool binds = one.count > 0 && one.op != runtime::Op::pieces; // slots are told apart by place
  if (one.op != other.op || one.count != other.count || one.b != other.b || (!binds && one.a != other.a))
    return false;
  for (std::uint32_t i = 0; i < one.count; ++i)
    if (!same_tree(program, program.kid(one, i), program.kid(other, i))) return false;
  return true;
}

// A score that asks nothing of the player whose it is.
void same_scores(const Linted& in, dsl::Diagnostics& out) {
  const auto& players = in.program.players;
  if (players.size() < 2) return;
  for (std::size_t i = 0; i < players[0].end.size() && i < in.file.end.size(); ++i) {
    const auto& scores = players[0].end[i].score;
    const dsl::EndRule& line = in.file.end[i];
    if (!line.score || line.span.file != in.file.file || scores.size() < 2) continue;
    const bool same = std::all_of(scores.begin() + 1, scores.end(),
                                  [&](auto score) { return same_tree(in.program, scores[0], score); });
    if (same && in.program.nodes[scores[0]].op != runtime::Op::number) // nobody is better: meant for a draw
      out.warning("copied-body", line.score->span, "this score is the same for all players: always a draw")
          .help = "`own` and `enemy` are each player's, in a score too";
  }
}

} // namespace

void lint_copied(const Linted& in, dsl::Diagnostics& out) {
  same_scores(in, out);
  for (const Definition& d : in.file.define) {
    if (d.name.span.file != in.file.file) continue;
    const auto bodies = bodies_of(in, d);
    if (d.parameters.empty() && same_twice(in, bodies, out)) continue;
    if (same_words(in, d, out) || !d.parameters.empty()) continue;
    own_home(in, bodies, out);
    overlap(in, bodies, out);
  }
}

} // namespace boardwright::interpreter
