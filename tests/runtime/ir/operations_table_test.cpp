// What operations read, write and lead to, as the table says.
#include "runtime/ir/flow_graph.hpp"
#include "runtime/ir/operations.hpp"
#include "tests/runtime/ir/small_code.hpp"

#include <vector>

namespace operations_table_test {

using namespace boardwright;
using runtime::ir::Code;
using runtime::ir::FlowGraph;
using tests::small_code;

namespace {

// Of the first instruction: registers that are read, then those that are written, as "n12 n13 -> s5".
std::string uses_of(const std::string& text) {
  const Code code = small_code(text);
  std::string read, written;
  runtime::ir::each_use(code, code.instructions.front(), [&](const runtime::ir::Use& use) {
    const std::string name = "snb"[static_cast<std::size_t>(use.file)] + std::to_string(use.reg);
    if (use.read) read += name + " ";
    if (use.written) written += " " + name;
  });
  return read + "->" + written;
}

using Places = std::vector<std::uint32_t>;

Places after(const FlowGraph& flow, std::size_t k) { return {flow.after(k).begin(), flow.after(k).end()}; }

} // namespace

TEST_CASE(
    "an operation uses the registers that it names, those in a row behind them, and those of its tables") {
  CHECK(uses_of("    set_meet s0 <- s0:White, s1:Black\n") == "s0 s1 -> s5");
  CHECK(uses_of("    mark n0 <-\n") == "-> n12 n13");
  CHECK(uses_of("    undo n0\n") == "n12 n13 ->");
  CHECK(uses_of("    stack_mark n0 <-\n") == "-> n12 n13 n14 n15");
  CHECK(uses_of("L0:\n    cut n0, L0\n") == "n12 n13 n14 n15 ->");
  CHECK(uses_of("L0:\n    bend n0 <- n3, s1:Black, n4, L0\n") == "n15 s1 n16 -> n12 n13 n16");
  CHECK(uses_of("L0:\n    best_test n0 <- n1, n2, L0\n") == "n12 n13 n14 n15 n16 -> n12");
  CHECK(uses_of("    best_moves n0 <-\n") == "-> n12 n13 n14");
  CHECK(uses_of("    set_add s0 <- n0\n") == "s5 n12 -> s5");
  CHECK(uses_of("    put_in s0:White <- n0\n") == "s0 n12 -> s0");
  CHECK(uses_of("L0:\n    take n0 <- s0, L0\n") == "s5 -> n12 s5");
  CHECK(uses_of("L0:\n    put_some n0, n1, L0\n") == "n12 n13 ->");
  CHECK(uses_of("L0:\n    put_some.a1 n0, L0\n") == "n12 ->"); // all there are: nobody asks how many
  CHECK(uses_of("key sets=[5] numbers=[12] boxes=[2]\nL0:\n    path_enter n3, key 0, L0\n") ==
        "n15 s5 n12 b2 ->");
  CHECK(
      uses_of(
          "leaf entry=L0 base=14 values=[12] choices=[0:12:-1 1:13:-1 2:0:-1]\nL0:\n    leaf s0, leaf 0\n") ==
      "s5 n12 n13 n14 ->");
  CHECK(uses_of("choices is=[1:13:-1]\n    choices n0 <- =0, choices 0\n") == "n10 n13 -> n12");
}

TEST_CASE("what comes next") {
  const FlowGraph flow(small_code(R"(
jumps is=[L1 L2]
drop_table owner=0
L0:
    if_none s0:White, L2
    drop s2:empty, =0, =1, drop table 0
    go L0
L1:
    jump_table =0, jumps 0
L2:
    halt
)"));
  CHECK(after(flow, 0) == Places{4, 1});
  CHECK(after(flow, 1) == Places{3, 2});
  CHECK(after(flow, 2) == Places{0});
  CHECK(after(flow, 3) == Places{3, 4});
  CHECK(after(flow, 4).empty());
}

TEST_CASE("a call goes on in what is called, and that behind whoever may have called") {
  const FlowGraph flow(small_code(R"(
    call L1
    call L2
    halt
L1:
    call L2
    if_none s0:White, L3
    ret
L2:
    ret
L3:
    ret
)"));
  CHECK(after(flow, 0) == Places{3});
  CHECK(after(flow, 5) == Places{1});
  CHECK(after(flow, 6) == Places{2, 4});
  CHECK(after(flow, 7) == Places{1});
  const auto body = flow.body(3);
  CHECK(std::vector(body.begin(), body.end()).size() == 4); // not what is called within
  CHECK(flow.body(4).empty());
}

TEST_CASE("from turn to turn a picked move's code comes next, then the next player's position") {
  const Code code = small_code(R"(
player position=L0 moves_done=L0 play=L1 notate=L1
leaf entry=L1
L0:
    pick
L1:
    end_turn White
    halt
)");
  CHECK(after(FlowGraph(code), 0).empty());
  CHECK(after(FlowGraph(code), 1).empty());
  const FlowGraph game(code, FlowGraph::Turns::many);
  CHECK(after(game, 0) == Places{1});
  CHECK(after(game, 1) == Places{0});
}

TEST_CASE("what an operation does is said with what it is likewise") {
  CHECK(runtime::ir::description_of(runtime::ir::Op::if_no_row) == "if it doesn't");
  CHECK(runtime::ir::description_of(runtime::ir::Op::set_slides).find("; likewise, and on each line") !=
        std::string::npos);
}

TEST_CASE("what goes by no more of the state than it names can be passed by a change of another set") {
  using runtime::ir::about;
  using runtime::ir::Op;
  CHECK(about(Op::set_meet).names_all);
  CHECK(about(Op::set_image).names_all);
  CHECK(about(Op::box_add_set).names_all);
  CHECK(about(Op::leaf).names_all);
  CHECK_FALSE(about(Op::set_of_kind).names_all);
  CHECK_FALSE(about(Op::height).names_all);
  CHECK_FALSE(about(Op::leaf_once).names_all);
  CHECK_FALSE(about(Op::path_enter).names_all);
  CHECK_FALSE(about(Op::halt).names_all);
}

} // namespace operations_table_test
