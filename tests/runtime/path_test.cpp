// Walks as values: how actions are parsed, what their reverse is, and that they may end wherever the
// reference walker gets, and nowhere else, if no test goes by what lies on the board.
#include "runtime/lowering/facts/facts.hpp"
#include "runtime/model/random.hpp"
#include "runtime/paths/path.hpp"
#include "tests/runtime/program_builder.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace path_test {

using namespace boardwright::runtime;

namespace {

std::string text(const Path& path) {
  std::string parts;
  for (const Path& part : path.parts) parts += (parts.empty() ? "" : ", ") + text(part);
  const std::string name = path.named() ? std::to_string(path.slot) + ": " : "";
  switch (path.kind) {
  case Path::Kind::step: return std::string(path.backwards ? "back" : "go") + (path.curved ? " round" : "");
  case Path::Kind::test: return path.condition ? "if" : "at";
  case Path::Kind::sequence: return "[" + name + parts + "]";
  case Path::Kind::alternatives: return "any(" + name + parts + ")";
  case Path::Kind::star: return "star(" + parts + ")";
  case Path::Kind::by_kind: return "kind(" + parts + ")";
  }
  return "?";
}

std::string text_of(const ProgramBuilder& b, NodeId action) {
  const auto path = path_of(b.program, std::vector<NodeId>{action});
  return path ? text(*path) : "no walk";
}

std::string reverse_of(const ProgramBuilder& b, NodeId action) {
  return text(reversed(path_of(b.program, std::vector<NodeId>{action}).value()));
}

// A walk of steps and of tests of constant sets, as the generator says; `way` is a name of a direction, or
// kNoNode.
class RandomWalk {
public:
  RandomWalk(ProgramBuilder& b, std::uint64_t seed) : b_(b), random_(seed) {}

  // Rounds of which there must be one mustn't come back: what one step more allows they don't.
  bool has_plus = false;

  NodeId row(int deep, NodeId way = kNoNode) {
    std::vector<NodeId> parts;
    for (std::uint32_t k = below(3) + 1; k > 0; --k) {
      if (deep > 0 && below(5) == 0) {
        const auto slot = b_.slot();
        parts.push_back(b_.add(Op::choose, Type::directions, {some_directions()}, slot));
        way = b_.local(Type::directions, slot);
      }
      parts.push_back(part(deep, way));
    }
    return b_.seq(parts);
  }

private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_.below(n)); }
  NodeId some_directions() {
    static const std::vector<std::pair<int, int>> all{{0, 1}, {1, 0}, {-1, -1}, {2, 1}, {0, -1}};
    std::vector<std::pair<int, int>> some;
    for (const auto& step : all)
      if (below(3) == 0) some.push_back(step);
    return b_.directions(some);
  }
  NodeId some_cells() {
    std::vector<std::string> some;
    for (const std::string& name : b_.program.board.name)
      if (below(4) != 0) some.push_back(name);
    return b_.cells(some);
  }
  NodeId part(int deep, NodeId way) {
    switch (below(deep > 0 ? 6 : 2)) {
    case 0: return b_.at(some_cells());
    case 1: return b_.go(way != kNoNode && below(2) == 0 ? way : some_directions());
    case 2: return b_.alt({row(deep - 1, way), row(deep - 1, way)});
    case 3: return b_.star(row(deep - 1, way));
    case 4: {
      const int least = static_cast<int>(below(3));
      return b_.times(row(deep - 1, way), least, least + static_cast<int>(below(2)));
    }
    default: has_plus = true; return b_.plus(row(deep - 1, way));
    }
  }

  ProgramBuilder& b_;
  Random random_;
};

} // namespace

TEST_CASE("actions that only go from cell to cell are walks") {
  ProgramBuilder b(4, 4);
  const auto slot = b.slot();
  const NodeId choice = b.add(Op::choose, Type::directions, {b.adjacent()}, slot);
  const NodeId go = b.go(b.local(Type::directions, slot)), at = b.at(b.empty());
  const NodeId slide = b.seq({choice, b.star(b.seq({go, at})), go});
  const std::string name = std::to_string(slot) + ": ";
  CHECK(text_of(b, go) == "go");
  CHECK(text_of(b, b.seq({})) == "[]");
  CHECK(text_of(b, b.act(Op::never)) == "any()");
  CHECK(text_of(b, b.seq({b.seq({at}), b.seq({go, at})})) == "[at, go, at]");
  CHECK(text_of(b, slide) == "any(" + name + "[star([go, at]), go])");
  CHECK(text_of(b, b.seq({at, slide})) == "[at, any(" + name + "[star([go, at]), go])]");
  CHECK(text_of(b, b.seq({go, b.require(b.some(b.empty()))})) == "[go, if]");
  CHECK(text_of(b, b.seq({go, b.put()})) == "no walk");
  CHECK(text_of(b, b.alt({go, b.act(Op::by_kind_action, {b.here(), go, b.act(Op::never)})})) ==
        "any(go, kind(go, any()))");
  CHECK(reverse_of(b, slide) == "any(" + name + "[back, star([at, back])])");
  CHECK(reverse_of(b, b.seq({at, slide, b.alt({go, at})})) ==
        "[any(" + name + "[any(back, at), back, star([at, back])]), at]");
}

TEST_CASE("walks end where the reference walker ends") {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    ProgramBuilder b(3, 4);
    RandomWalk random(b, seed);
    const NodeId walk = random.row(2);
    std::vector<NodeId> reaches;
    for (const std::string& from : b.program.board.name)
      reaches.push_back(b.add(Op::reach, Type::cells, {b.cells({from}), walk}));
    normal::TermStore terms(b.program, normal::Origins::left_out);
    const lowering::Facts facts(b.program, terms);
    const Path* path = facts.path(walk);
    REQUIRE(path != nullptr);
    INFO("seed " << seed << ": " << text(*path));
    for (int cell = 0; cell < b.program.board.cells; ++cell) {
      const CellSet ends = facts.possible_ends(*path, CellSet::of(cell), lowering::AbstractDraft());
      const CellSet reached = b.value(reaches[static_cast<std::size_t>(cell)]).cells;
      INFO("from " << b.program.board.name[static_cast<std::size_t>(cell)]);
      CHECK(b.names(reached - ends).empty());
      if (!random.has_plus) CHECK(b.names(ends) == b.names(reached));
    }
  }
}

} // namespace path_test
