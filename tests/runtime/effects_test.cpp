// What rewriting and lowering ask of parts of rules is stored with their terms. Here it is found again by
// plain walks through the nodes, of every rule file at hand and of programs made at random, as they were
// written and in normal form; and the walker is asked whether what is said to go well does.
#include "interpreter/load.hpp"
#include "runtime/game/game.hpp"
#include "runtime/game/perft.hpp"
#include "runtime/lowering/facts/facts.hpp"
#include "runtime/normalize/normalize.hpp"
#include "runtime/normalize/term.hpp"
#include "runtime/reference/walker.hpp"
#include "tests/generated/generator.hpp"
#include "tests/rule_files.hpp"
#include "tests/runtime/program_builder.hpp"
#include "tests/text_files.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace effects_test {

using namespace boardwright;
using namespace boardwright::runtime;

namespace {

// The nodes below some node, by what is asked of them.
class Nodes {
public:
  explicit Nodes(const Program& program) : program_(program) {}

  [[nodiscard]] const Node& node(NodeId id) const { return program_.nodes[id]; }

  template <class Visit>
  void each(NodeId id, const Visit& visit) const {
    visit(node(id));
    for (const NodeId k : program_.kids_of(node(id))) each(k, visit);
  }
  // Actions that are carried out: none within values, nor, if `aloud`, those that write nothing.
  template <class Visit>
  void each_action(NodeId id, bool aloud, const Visit& visit) const {
    const Node& n = node(id);
    if (!is_action(n.op)) return;
    visit(n);
    if (aloud && n.op == Op::quietly) return;
    for (const NodeId k : program_.kids_of(n)) each_action(k, aloud, visit);
  }
  [[nodiscard]] std::uint16_t reads(NodeId id) const {
    const Node& n = node(id);
    std::uint16_t parts = n.count == 0 ? own_reads(n.op) : own_reads(n.op, node(program_.kid(n, 0)).type);
    for (std::uint32_t i = 0; i < n.count; ++i) parts |= read_through(n.op, i, reads(program_.kid(n, i)));
    return parts;
  }
  [[nodiscard]] std::string text(NodeId id) const {
    const Node& n = node(id);
    std::string all = std::string(about(n.op).name) + " " + std::to_string(n.a) + " " + std::to_string(n.b);
    for (const NodeId k : program_.kids_of(n)) all += " (" + text(k) + ")";
    return all;
  }
  // Those that are part of the rules.
  [[nodiscard]] std::vector<NodeId> all() const {
    std::set<NodeId> found;
    const std::function<void(NodeId)> add = [&](NodeId id) {
      if (id == kNoNode || !found.insert(id).second) return;
      for (const NodeId k : program_.kids_of(node(id))) add(k);
    };
    for (const Player& p : program_.players) {
      add(p.turn);
      for (const EndLine& line : p.end) {
        add(line.condition);
        for (const NodeId score : line.score) add(score);
      }
    }
    return {found.begin(), found.end()};
  }

private:
  const Program& program_;
};

void check_node(const Nodes& nodes, const lowering::Facts& facts, NodeId id) {
  OperationSet contains, does;
  std::set<std::uint32_t> names;
  nodes.each(id, [&](const Node& n) {
    contains.add(n.op);
    if (n.op == Op::local) names.insert(static_cast<std::uint32_t>(n.a));
  });
  bool writes = false, tells = false;
  nodes.each_action(id, false, [&](const Node& n) { does.add(n.op); });
  nodes.each_action(id, true, [&](const Node& n) {
    const bool by_itself = n.op != Op::quietly && (own_writes(n.op) & kNotation) != 0;
    const bool leaves = one_of(n.op, Op::remove, Op::move_by, Op::discard) ||
                        (n.op == Op::change && (n.b != 1 || n.count < 2));
    writes = writes || by_itself;
    tells = tells || (by_itself && !leaves);
  });
  const normal::Term& t = facts.term(id);
  const auto same = [](const OperationSet& a, const OperationSet& b) {
    return !a.has_others_than(b) && !b.has_others_than(a);
  };
  const bool good = same(t.contains, contains) && same(t.does, does) && t.reads == nodes.reads(id) &&
                    std::equal(names.begin(), names.end(), t.slots_read.begin(), t.slots_read.end()) &&
                    facts.writes_text(id, false) == writes && facts.tells(id) == tells;
  if (!good) FAIL_CHECK(nodes.text(id));
  if (!is_action(t.op) && facts.harmless(id)) // nothing that is found to fault is harmless
    if (t.faults || t.faults_carrying) FAIL_CHECK("harmless: " << nodes.text(id));
}

// Nothing that is said to go well goes wrong, wherever the walker stands.
void check_harmless(const Program& program, const Nodes& nodes, const lowering::Facts& facts, NodeId id) {
  constexpr std::uint64_t kSteps = 20'000;
  const normal::Term& t = facts.term(id);
  const bool whole =
      std::includes(t.slots_bound.begin(), t.slots_bound.end(), t.slots_read.begin(), t.slots_read.end());
  const bool number = t.type == Type::number || t.type == Type::truth || t.type == Type::kind;
  if (is_action(t.op) || !whole || t.faults_unplaced || !(number || t.type == Type::cells)) return;
  if (!facts.harmless(id)) return;
  std::uint64_t steps = kSteps;
  const auto values = Walker(program).evaluate_by_cell(id, std::nullopt, program.initial, steps);
  if (!values && steps > 0) FAIL_CHECK(values.error().message << ": " << nodes.text(id));
}

void check(const Program& given) {
  const Program program = given;
  normal::TermStore terms(program, normal::Origins::left_out);
  const lowering::Facts facts(program, terms);
  const Nodes nodes(program);
  for (const NodeId id : nodes.all()) {
    check_node(nodes, facts, id);
    check_harmless(program, nodes, facts, id);
  }
}

std::vector<std::string> files() {
  std::vector<std::string> all = tests::bundled_games();
  for (const char* folder : {"regressions", "unseen", "rules", "constructs"})
    for (const auto& path : tests::files_in(tests::source_root() + "/tests/" + folder, ".yaml"))
      all.push_back(path.string());
  return tests::sampled(std::move(all), 8);
}

} // namespace

TEST_CASE("what is stored with terms is what their nodes say: rule files") {
  int found = 0;
  for (const std::string& file : files()) {
    const auto loaded = interpreter::load(file);
    if (loaded.rules == nullptr) continue; // a vocabulary
    ++found;
    INFO(file);
    check(loaded.rules->program());
    check(normalize(loaded.rules->program()));
  }
  CHECK(found > 0);
}

TEST_CASE("what is stored with terms is what their nodes say: programs made at random") {
  const std::uint64_t count = tests::kSanitized ? 50 : 2'000;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const tests::Generator generator(seed);
    INFO("seed " << seed);
    check(generator.program());
    check(normalize(generator.program()));
  }
}

TEST_CASE("numbers between known bounds are harmless as long as a list holds them") {
  ProgramBuilder b(2, 2);
  const auto up_to = [&b](std::size_t most) {
    const NodeId last = b.number(static_cast<std::int32_t>(most));
    return b.add(Op::range, Type::numbers, {b.number(1), last});
  };
  const NodeId fits = up_to(kMaxList), is_too_long = up_to(kMaxList + 1);
  normal::TermStore terms(b.program, normal::Origins::left_out);
  const lowering::Facts facts(b.program, terms);
  CHECK(facts.harmless(fits));
  CHECK_FALSE(facts.harmless(is_too_long));
  const Walker walker(b.program);
  CHECK(walker.evaluate(fits, b.program.initial).has_value());
  CHECK_FALSE(walker.evaluate(is_too_long, b.program.initial).has_value());
}

TEST_CASE("what goes wrong within a walk goes wrong for whoever only counts moves") {
  for (const std::string written :
       {"say count(reach(here, (go all, at (c in ~empty where hand(kind(c)) > 0))))",
        "if can (go all, at (c in ~empty where hand(kind(c)) > 0)) then say \"x\""}) {
    const auto loaded =
        interpreter::load_text("test.yaml", "game: Test\nplayers: { White: north, Black: south }\n"
                                            "board: { squares: 4 by 4 }\n"
                                            "pieces: { man: w b, lord: W B }\n"
                                            "setup: { w: rank(1) - a1, W: a1, b: rank(4) - d4, B: d4 }\n"
                                            "hands: { man: 2 }\n"
                                            "turn: from own man, step(forward, ~own), " +
                                                written + "\n");
    INFO(written << "\n" << loaded.errors());
    REQUIRE(loaded.rules != nullptr);
    const Program& program = loaded.rules->program();
    CHECK_FALSE(Walker(program).derive(program.initial, {}).has_value());
    Game game(loaded.rules);
    PerftOptions options;
    options.depth = 1;
    const auto counted = perft(game, options);
    REQUIRE_FALSE(counted.has_value());
    CHECK(counted.error().message == "`hand` of `lord`: no such entry in `hands`");
  }
}

} // namespace effects_test
