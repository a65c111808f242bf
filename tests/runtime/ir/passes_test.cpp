// The passes over code, as text to text.
#include "runtime/ir/verify.hpp"
#include "runtime/passes/edits.hpp"
#include "runtime/passes/passes.hpp"
#include "tests/runtime/ir/small_code.hpp"

namespace passes_test {

using namespace boardwright;
using tests::small_code;
using tests::text_of;

namespace {

using Pass = void (*)(runtime::ir::Code&);

std::string passed(Pass pass, const std::string& text) {
  runtime::ir::Code code = small_code(text);
  pass(code);
  CHECK(runtime::ir::verify(code).empty());
  return text_of(code);
}

} // namespace

TEST_CASE("a value that nobody reads isn't worked out, and neither is what only it reads") {
  CHECK(passed(runtime::passes::remove_dead_values, R"(
L0:
    set_unite s0 <- s0:White, s1:Black
    set_meet s1 <- s0, s2:empty
    count n0 <- s1
    count n1 <- s0
    if_less n1, =0, L0
    halt
)") == R"(L0:
    set_unite       s0 <- s0:White, s1:Black
    count           n1 <- s0
    if_less         n1, =0, L0
    halt
)");
}

TEST_CASE("a value that is read on one way alone is worked out") {
  const std::string text = R"(    set_unite       s0 <- s0:White, s1:Black
    if_none         s0:White, L0
    if_some         s0, L0
L0:
    halt
)";
  CHECK(passed(runtime::passes::remove_dead_values, text) == text);
}

TEST_CASE("a value may be written anew before anybody reads it") {
  CHECK(passed(runtime::passes::remove_dead_values, R"(
    count n0 <- s0:White
    count n0 <- s1:Black
    if_less n0, =0, L0
L0:
    halt
)") == R"(    count           n0 <- s1:Black
    if_less         n0, =0, L0
L0:
    halt
)");
}

TEST_CASE("what may fail, jump or change something stays, whoever reads it") {
  const std::string text = R"(    set_copy        s0 <- s0:White
L0:
    take            n0 <- s0, L1
    hand            n1 <- =0, White
    go              L0
L1:
    halt
)";
  CHECK(passed(runtime::passes::remove_dead_values, text) == text);
}

TEST_CASE("a set that is added to keeps what was there") {
  const std::string text = R"(    set_copy        s0 <- s0:White
    set_add         s0 <- =1
    if_some         s0, L0
L0:
    halt
)";
  CHECK(passed(runtime::passes::remove_dead_values, text) == text);
}

TEST_CASE("a call keeps what is read behind it, and nothing else") {
  CHECK(passed(runtime::passes::remove_dead_values, R"(
spill_area sets=[5] numbers=[12 13]
    count n0 <- s0:White
    count n1 <- s1:Black
    set_copy s0 <- s0:White
    keep spill_area 0
    call L0
    restore
    if_less n1, =0, L1
L1:
    halt
L0:
    count n0 <- s2:empty
    if_less n0, =1, L2
    count n1 <- s2:empty
    if_less n1, =1, L2
L2:
    ret
)") == R"(    count           n1 <- s1:Black
    keep            spill_area 0 (n1)
    call            L1
    restore
    if_less         n1, =0, L0
L0:
    halt
L1:
    count           n0 <- s2:empty
    if_less         n0, =1, L2
    count           n1 <- s2:empty
    if_less         n1, =1, L2
L2:
    ret
)");
}

TEST_CASE("the registers of a leaf, of a key and of choices are read") {
  const std::string text = R"(
leaf entry=L0 base=14 values=[12] choices=[1:12:-1 2:0:-1]
key sets=[5] numbers=[13] boxes=[]
choices is=[1:15:-1]
)",
                    code = R"(L0:
  ; plays a move of leaf 0
    count           n0 <- s0:White
    count           n1 <- s1:Black
    copy            n3 <- =1
    set_copy        s0 <- s0:White
    visit_begin     n4 <-
    visit           n4, key 0, L1
    choices         n2 <- =0, choices 0 (n3)
    leaf            s1:Black, leaf 0 (those written, n0, its cell)
L1:
    halt
)";
  CHECK(passed(runtime::passes::remove_dead_values, text + code) == code);
}

TEST_CASE("an undo of nothing goes, and jumps to it lead behind it") {
  CHECK(passed(runtime::passes::remove_idle_undos, R"(
    mark n0 <-
    if_none s0:White, L1
    count n2 <- s0:White
L1:
    undo n0
    if_some s1:Black, L2
L2:
    halt
)") == R"(    mark            n0 <-
    if_none         s0:White, L0
    count           n2 <- s0:White
L0:
    if_some         s1:Black, L1
L1:
    halt
)");
}

TEST_CASE("an undo stays where something may have been changed, and jumps that can pass by do") {
  CHECK(passed(runtime::passes::remove_idle_undos, R"(
    mark n0 <-
    if_none s0:White, L1
    put_in s0:White <- =0
L1:
    undo n0
    halt
)") == R"(    mark            n0 <-
    if_none         s0:White, L0
    put_in          s0:White <- =0
    undo            n0
L0:
    halt
)");
}

TEST_CASE("an undo in a loop that changes something behind it stays") {
  const std::string text = R"(    mark            n0 <-
L0:
    undo            n0
    put_in          s0:White <- =0
    if_some         s1:Black, L0
    halt
)";
  CHECK(passed(runtime::passes::remove_idle_undos, text) == text);
}

TEST_CASE("a call may change something, and so may whatever a mark's register is used for") {
  const std::string called = R"(    mark            n0 <-
    call            L0
    undo            n0
    halt
L0:
    put_in          s0:White <- =0
    ret
)";
  CHECK(passed(runtime::passes::remove_idle_undos, called) == called);
  const std::string again = R"(    mark            n0 <-
    put_in          s0:White <- =0
    mark            n2 <-
    undo            n0
    halt
)";
  CHECK(passed(runtime::passes::remove_idle_undos, again) == again);
}

TEST_CASE("a change that is taken back before anybody looks isn't done") {
  CHECK(passed(runtime::passes::remove_dead_stores, R"(
    mark n0 <-
    put_in s0:White <- =0
    take_out s2:empty <- =0
    if_some s2:empty, L1
    undo n0
    halt
L1:
    undo n0
    halt
)") == R"(    mark            n0 <-
    take_out        s2:empty <- =0
    if_some         s2:empty, L0
    undo            n0
    halt
L0:
    undo            n0
    halt
)");
}

TEST_CASE("a change stays that isn't taken back on every way, or by a mark that was made behind it") {
  const std::string stays = R"(    mark            n0 <-
    put_in          s0:White <- =0
    if_some         s2:empty, L0
    undo            n0
    halt
L0:
    halt
)";
  CHECK(passed(runtime::passes::remove_dead_stores, stays) == stays);
  const std::string behind = R"(    put_in          s0:White <- =0
    mark            n0 <-
    undo            n0
    halt
)";
  CHECK(passed(runtime::passes::remove_dead_stores, behind) == behind);
}

TEST_CASE("what is called may look at a change, and so may whoever looks at the whole state") {
  const std::string called = R"(    mark            n0 <-
    put_in          s0:White <- =0
    call            L0
    undo            n0
    halt
L0:
    if_some         s0:White, L1
L1:
    ret
)";
  CHECK(passed(runtime::passes::remove_dead_stores, called) == called);
  const std::string state = R"(    mark            n0 <-
    put_in          s0:White <- =0
    board_repeats   n2 <- +0
    undo            n0
    halt
)";
  CHECK(passed(runtime::passes::remove_dead_stores, state) == state);
}

TEST_CASE("what is changed, looked at and taken back in one line is done to a copy") {
  CHECK(passed(runtime::passes::replace_by_copies, R"(
    mark n0 <-
    put_in s0:White <- =0
    take_out s2:empty <- =0
    if_meet s0:White, s2:empty, L0
    count n2 <- s0:White
L0:
    undo n0
    halt
)") == R"(    mark            n0 <-
    set_cell        s7 <- =0
    set_unite       s8 <- s0:White, s7
    set_minus       s9 <- s2:empty, s7
    if_meet         s8, s9, L0
    count           n2 <- s8
L0:
    undo            n0
    halt
)");
}

TEST_CASE("changes stay changes where something leads away, or somebody looks at the whole state") {
  const std::string away = R"(    mark            n0 <-
    put_in          s0:White <- =0
    if_some         s0:White, L0
    undo            n0
L0:
    halt
)";
  CHECK(passed(runtime::passes::replace_by_copies, away) == away);
  const std::string state = R"(    mark            n0 <-
    put_in          s0:White <- =0
    board_repeats   n2 <- +0
    undo            n0
    halt
)";
  CHECK(passed(runtime::passes::replace_by_copies, state) == state);
}

TEST_CASE("nothing comes between a drop and the instruction that it may leave out") {
  const std::string text = R"(drop_table owner=0 player=0
)",
                    code = R"(    mark            n0 <-
    drop            s2:empty, =0, =1, drop table 0 (owner White, player White)
    put_in          s0:White <- =0
    if_some         s0:White, L0
L0:
    undo            n0
    halt
)";
  CHECK(passed(runtime::passes::replace_by_copies, text + code) == code);
}

TEST_CASE("stacks that are moved last, and moved back unseen, are only asked whether they can be") {
  const auto flag_behind = [](std::uint8_t notes, const std::string& then, const std::string& end) {
    runtime::ir::Code code = small_code("leaf entry=L2\n"
                                        "    mark n0 <-\n"
                                        "    box_clear b0 <-\n"
                                        "    move_by s0:White, b0, L1\n" +
                                        then + end +
                                        "L1:\n"
                                        "    undo n0\n"
                                        "L2:\n"
                                        "    halt\n");
    code.instructions[2].y = notes;
    runtime::passes::ask_last_moves(code);
    return static_cast<int>(code.instructions[2].y);
  };
  const std::string once = "    leaf_once leaf 0\n", one = "    leaf_one leaf 0\n";
  const std::string looks = "    count n2 <- s0:White\n", sets = "    constant n2 <- +1\n";
  CHECK(flag_behind(1, "", once) == 3);
  CHECK(flag_behind(0, "", one) == 2);
  CHECK(flag_behind(1, sets, once) == 3);
  CHECK(flag_behind(1, looks, once) == 1); // somebody looks
  CHECK(flag_behind(1, "", "") == 1);      // no move is noted
  CHECK(flag_behind(1, "", once + looks) == 1);
}

TEST_CASE("a round of a loop costs what its instructions do, and code without loops nothing") {
  runtime::ir::Code code = small_code(R"(
steps is=[0]
    set_copy s0 <- s0:White
L0:
    take n0 <- s0, L1
    set_flood s1 <- s2:empty, s1:Black, steps 0
    go L0
L1:
    halt
)");
  runtime::passes::set_loop_costs(code);
  CHECK(text_of(code, true) == R"(    set_copy        s0 <- s0:White
L0:
    take            n0 <- s0, L1
    set_flood       s1 <- s2:empty, s1:Black, <0,1>
    go@9            L0
L1:
    halt
)");
}

TEST_CASE("edits move what leads to instructions along with them") {
  runtime::ir::Code code = small_code(R"(
leaf entry=L1
jumps is=[L0 L2]
L0:
    moves_done
L1:
    snapshot
    go L1
L2:
    halt
)");
  runtime::passes::Edits edits(code.instructions.size());
  edits.remove(1);
  runtime::ir::Instruction pass;
  pass.op = runtime::ir::Op::again;
  edits.insert(2, pass);
  edits.apply(code);
  CHECK(text_of(code) == R"(L0:
    moves_done
L1:
  ; plays a move of leaf 0
    again
    go              L1
L2:
    halt
)");
  CHECK(code.labels == std::vector<std::vector<std::uint32_t>>{{0, 3}});
}

} // namespace passes_test
