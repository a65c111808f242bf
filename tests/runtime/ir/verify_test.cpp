// Each thing that the verifier refuses.
#include "runtime/ir/verify.hpp"
#include "tests/runtime/ir/small_code.hpp"

#include <vector>

namespace verify_test {

using namespace boardwright;
using runtime::ir::Code;
using tests::small_code;

namespace {

// Code of a player, whose position is judged at L0 and all else is done at L9.
Code player_code(const std::string& text, const std::string& tables = {}) {
  return small_code(tables + "player position=L0 moves_done=L9 play=L9 notate=L9\nL0:\n" + text +
                    "L9:\n    halt\n");
}

std::string flaws_of(const Code& code) {
  std::string all;
  for (const std::string& flaw : runtime::ir::verify(code, &tests::small_program())) all += flaw + "\n";
  return all;
}

} // namespace

TEST_CASE("code that is well-formed has no flaws") {
  CHECK(flaws_of(player_code(R"(
    begin_turn White
    mark n0 <-
    set_copy s0 <- s0:White
L1:
    take n2 <- s0, L2
    put_in s1:Black <- n2
    call L3
    undo n0
    go L1
L2:
    halt
L3:
    keep spill_area 0
    stack_mark n4 <-
    if_some s1:Black, L4
    cut n4, L4
L4:
    restore
    ret
)",
                             "spill_area sets=[5] numbers=[12 13]\n"))
            .empty());
}

TEST_CASE("nothing goes on behind the end, and nothing leads there") {
  CHECK(flaws_of(small_code("    moves_done\n")) == "instruction 0, moves_done: it goes on behind the end\n");
  CHECK(flaws_of(small_code("drop_table owner=0\n    drop {a1 b1}, =0, =1, drop table 0\n    halt\n")) ==
        "instruction 0, drop: it may go on behind the end\n");
  CHECK(flaws_of(small_code("    go L1\nL1:\n")) == "instruction 0, go: operand x is 1, of 1 entries\n");
  CHECK(flaws_of(small_code("player position=L1 moves_done=L0 play=L0 notate=L0\nL0:\n    halt\nL1:\n")) ==
        "code of player 0 is at 1, behind the end\n");
  CHECK(flaws_of(small_code("leaf entry=L1\n    halt\nL1:\n")) == "code of leaf 0 is at 1, behind the end\n");
  CHECK(flaws_of(small_code("jumps is=[L1]\n    halt\nL1:\n")) == "jumps 0 lead to 1, behind the end\n");
}

TEST_CASE("indices lie within their tables, registers within their files") {
  Code code = small_code("verdict by=1\nrow length=3\n    if_row =0, s0:White, row 0, L1\nL1:\n    decide "
                         "verdict 0\n    halt\n");
  REQUIRE(flaws_of(code).empty());
  code.instructions[0].c = 1;
  code.instructions[1].x = -1;
  CHECK(flaws_of(code) == "instruction 0, if_row: operand c is 1, of 1 entries\n"
                          "instruction 1, decide: operand x is -1, of 1 entries\n");
  code.instructions[0].c = 0, code.instructions[1].x = 0;
  code.instructions[0].b = 12;
  CHECK(flaws_of(code) == "instruction 0, if_row: there is no s12\n");
  // A mark is two registers.
  Code mark = small_code("    mark n0 <-\n    halt\n");
  mark.instructions[0].d = 23;
  CHECK(flaws_of(mark) == "instruction 0, mark: there is no n24\n");
  Code step = small_code("    set_step s0 <- s0:White, step 0\n    say_text text 0\n    halt\n");
  REQUIRE(flaws_of(step).empty());
  step.instructions[0].x = 1'000;
  step.instructions[1].x = -2;
  CHECK(runtime::ir::verify(step, &tests::small_program()).size() == 2);
  CHECK(runtime::ir::verify(step).empty()); // nobody knows steps and texts without the program
}

TEST_CASE("a table of places leads somewhere") {
  CHECK(flaws_of(small_code("jumps is=[]\n    jump_table =0, jumps 0\n")) ==
        "instruction 0, jump_table: its table of places is empty\n");
}

TEST_CASE("a layout has room for state, draft and constants") {
  Code code = small_code("    halt\n");
  code.layout.state_sets = 5;
  CHECK(flaws_of(code) == "the layout's state is larger than its draft\n");
  code.layout.state_sets = 3;
  code.numbers = 11;
  CHECK(flaws_of(code) == "there are fewer registers than state, draft and constants need\n");
}

TEST_CASE("constants aren't written") {
  CHECK(flaws_of(small_code("    constant =0 <- +3\n    halt\n")) ==
        "instruction 0, constant: it writes n10, a constant\n");
  CHECK(flaws_of(small_code("    set_copy {a1 b1} <- s0:White\n    halt\n")) ==
        "instruction 0, set_copy: it writes s4, a constant\n");
  Code kept = small_code("    set_copy {a1 b1} <- s0:White\n    halt\n");
  kept.cached_sets = {4};
  CHECK(flaws_of(kept).empty());
}

TEST_CASE("state is changed with a note, and nothing else is") {
  CHECK(flaws_of(small_code("    set_copy s0:White <- s1:Black\n    halt\n")) ==
        "instruction 0, set_copy: it changes s0, state, without a note\n");
  CHECK(flaws_of(small_code("    write_set s0 <- s1:Black\n    halt\n")) ==
        "instruction 0, write_set: it notes a change of s5, which is no state\n");
  CHECK(flaws_of(small_code("    write n0 <- =1\n    halt\n")) ==
        "instruction 0, write: it notes a change of n12, which is no state\n");
}

TEST_CASE("what is read has been written on every way") {
  CHECK(flaws_of(player_code("    copy n1 <- n0\n")) ==
        "instruction 0, copy: it reads n12, which isn't written on every way there\n");
  CHECK(flaws_of(player_code(
            "    if_none s0:White, L1\n    set_copy s0 <- s0:White\nL1:\n    count n0 <- s0\n")) ==
        "instruction 2, count: it reads s5, which isn't written on every way there\n");
  CHECK(flaws_of(player_code("    box_add b0 <- =1\n")) ==
        "instruction 0, box_add: it reads b0, which isn't written on every way there\n");
  // In a loop the first round counts.
  CHECK(flaws_of(player_code("L1:\n    if_less n0, =1, L9\n    constant n0 <- +3\n    go L1\n")) ==
        "instruction 0, if_less: it reads n12, which isn't written on every way there\n");
}

TEST_CASE("some operations write on one of their ways alone") {
  const std::string take = "    set_copy s0 <- s0:White\n    take n0 <- s0, L1\n";
  CHECK(flaws_of(player_code(take + "    copy n1 <- n0\nL1:\n    halt\n")).empty());
  CHECK(flaws_of(player_code(take + "    halt\nL1:\n    copy n1 <- n0\n")) ==
        "instruction 3, copy: it reads n12, which isn't written on every way there\n");
  const std::string recall = "    recall s0 <- =0, =0, memo 0, L1\n",
                    memos = "code sets=12 numbers=24 memos=1 number_constants=[0 1]\n";
  CHECK(flaws_of(player_code(recall + "    halt\nL1:\n    count n1 <- s0\n", memos)).empty());
  CHECK(flaws_of(player_code(recall + "    count n1 <- s0\nL1:\n    halt\n", memos)) ==
        "instruction 1, count: it reads s5, which isn't written on every way there\n");
}

TEST_CASE("what tables name is read: leaves, choices, keys") {
  CHECK(flaws_of(player_code("    leaf s0:White, leaf 0\n",
                             "leaf entry=L9 base=14 values=[12] choices=[1:13:-1]\n")) ==
        "instruction 0, leaf: it reads n12, which isn't written on every way there\n"
        "instruction 0, leaf: it reads n13, which isn't written on every way there\n"
        "instruction 0, leaf: it reads n14, which isn't written on every way there\n");
  CHECK(
      flaws_of(player_code("    visit_begin n0 <-\n    visit n0, key 0, L9\n", "key sets=[5] boxes=[1]\n")) ==
      "instruction 1, visit: it reads s5, which isn't written on every way there\n"
      "instruction 1, visit: it reads b1, which isn't written on every way there\n");
}

TEST_CASE("a call writes what is written on every way through it, and forgets nothing") {
  const std::string called =
      "    halt\nL2:\n    if_none s0:White, L3\n    constant n1 <- +2\nL3:\n    constant n2 <- +2\n    ret\n";
  CHECK(flaws_of(player_code("    constant n0 <- +1\n    call L2\n    add n3 <- n0, n2\n" + called)).empty());
  CHECK(flaws_of(player_code("    constant n0 <- +1\n    call L2\n    add n3 <- n0, n1\n" + called)) ==
        "instruction 2, add: it reads n13, which isn't written on every way there\n");
}

TEST_CASE("where enough moves are known it goes on with what was known when they were found") {
  const std::string text =
      "player position=L0 moves_done=L1 play=L2 notate=L2\nleaf entry=L2\nL0:\n"
      "    leaf s0:White, leaf 0\n    constant n0 <- +1\nL1:\n    copy n1 <- n0\n    halt\nL2:\n    halt\n";
  CHECK(flaws_of(small_code(text)) ==
        "instruction 2, copy: it reads n12, which isn't written on every way there\n");
}

TEST_CASE("what is taken back, cut, left or ended has been marked or begun so") {
  CHECK(flaws_of(player_code("    constant n0 <- +1\n    constant n1 <- +1\n    undo n0\n")) ==
        "instruction 2, undo: n12 isn't a mark of the trail on every way there\n");
  CHECK(flaws_of(player_code(
            "    mark n0 <-\n    if_none s0:White, L1\n    constant n0 <- +1\nL1:\n    undo n0\n")) ==
        "instruction 3, undo: n12 isn't a mark of the trail on every way there\n");
  CHECK(flaws_of(player_code("    mark n0 <-\n    mark n2 <-\n    cut n0, L9\n")) ==
        "instruction 2, cut: n12 isn't a mark of the stack on every way there\n");
  CHECK(flaws_of(player_code("    visit_begin n0 <-\n    path_leave n0\n")) ==
        "instruction 1, path_leave: n12 isn't a mark of the path on every way there\n");
  CHECK(flaws_of(player_code("    path_mark n0 <-\n    visit_end n0\n")) ==
        "instruction 1, visit_end: n12 isn't a place for drafts on every way there\n");
  CHECK(flaws_of(player_code("    path_mark n0 <-\n    outcomes_end n0\n")) ==
        "instruction 1, outcomes_end: n12 isn't a place for outcomes on every way there\n");
  CHECK(flaws_of(player_code("    stack_mark n0 <-\n    best_end n0\n")) ==
        "instruction 1, best_end: n12 isn't a number of moves found on every way there\n");
}

TEST_CASE("who returns has been called, and what is kept is restored") {
  CHECK(flaws_of(player_code("    ret\n")) == "instruction 0, ret: it returns, but nobody has called\n");
  CHECK(flaws_of(player_code("    restore\n")) ==
        "instruction 0, restore: it restores what hasn't been kept\n");
  const std::string area = "spill_area sets=[] numbers=[]\n";
  CHECK(flaws_of(player_code("    call L1\n    halt\nL1:\n    keep spill_area 0\n    ret\n", area)) ==
        "instruction 3, ret: it returns with 1 spill areas kept\n");
  CHECK(flaws_of(player_code("    if_none s0:White, L1\n    keep spill_area 0\nL1:\n    halt\n", area)) ==
        "instruction 2, halt: it is come to with 0 spill areas kept and with 1 spill areas\n");
}

} // namespace verify_test
