// Loops over members that only sift them become sets; loops that leave anything else behind don't.
#include "runtime/ir/operations.hpp"
#include "runtime/passes/passes.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace sift_test {

namespace ir = boardwright::runtime::ir;
namespace passes = boardwright::runtime::passes;
using ir::Op;

namespace {

// State: sets 0 and 1. Constants: set 2 (the board). Values from 3 on; numbers from 1 on.
struct Written {
  ir::Code code;

  Written() {
    code.layout.draft_sets = 2;
    code.set_constants.emplace_back();
    code.layout.draft_numbers = 1;
    code.sets = code.numbers = 20;
    code.places.push_back({1, 2, 3, -1});
  }
  void add(Op op, int d = 0, int a = 0, int b = 0, int c = 0, int x = 0) {
    ir::Instruction i;
    i.op = op;
    i.d = static_cast<ir::Reg>(d), i.a = static_cast<ir::Reg>(a);
    i.b = static_cast<ir::Reg>(b), i.c = static_cast<ir::Reg>(c);
    i.x = x;
    code.instructions.push_back(i);
  }
  // A move from the place of number 2 to number 1, and the code that plays it.
  void leaf() {
    ir::Leaf l;
    l.choices = {{ir::Choice::From::number, 2, -1}, {ir::Choice::From::number, 1, -1}};
    l.values = {2, 1};
    l.entry = static_cast<std::uint32_t>(code.instructions.size());
    code.leaves.push_back(l);
    add(Op::choice, 5, 0, 0, 0, 0);
    add(Op::choice, 6, 0, 0, 0, 1);
    add(Op::put_in, 0, 6);
    add(Op::halt);
    code.players.emplace_back();
  }
  [[nodiscard]] std::string text() const {
    std::string all;
    for (const ir::Instruction& i : code.instructions)
      all += std::string(ir::about(i.op).name) + " " + std::to_string(i.d) + " " + std::to_string(i.a) + " " +
             std::to_string(i.b) + " " + std::to_string(i.x) + "; ";
    return all;
  }
};

// take 1 <- set 3; from <- place; who would be hit by set 1 without the cell, shifted, is left out.
Written loop() {
  Written w;
  w.add(Op::set_copy, 3, 0);
  w.add(Op::take, 1, 3, 0, 0, 10);
  w.add(Op::place, 2, 1, 0, 0, 0);
  w.add(Op::set_cell, 4, 1);
  w.add(Op::set_minus, 5, 1, 4);
  w.add(Op::set_shift, 6, 5, 2, 0, -7);
  w.add(Op::set_meet, 7, 6, 4);
  w.add(Op::if_some, 0, 7, 0, 0, 9);
  w.add(Op::leaf_one, 0, 0, 0, 0, 0);
  w.add(Op::go, 0, 0, 0, 0, 1);
  w.add(Op::halt);
  return w;
}

} // namespace

TEST_CASE("a loop that only sifts becomes a set, and the move's cell is left open") {
  Written w = loop();
  w.leaf();
  passes::sift_loops(w.code);
  // set 1 without the cell, shifted, has the cell where set 1, shifted, has it
  CHECK(w.text() ==
        "set_copy 3 0 0 0; set_shift 20 1 2 -7; set_minus 21 3 20 0; leaf 0 21 0 0; halt 0 0 0 0; "
        "choice 5 0 0 -1; place 5 5 0 0; choice 6 0 0 -1; put_in 0 6 0 0; halt 0 0 0 0; ");
  CHECK(w.code.leaves[0].values.empty());
  CHECK(w.code.leaves[0].entry == 5);
  CHECK(w.code.leaves[0].choices[0].from == ir::Choice::From::open);
  CHECK(w.code.leaves[0].choices[0].place == 0);
  CHECK(w.code.leaves[0].choices[1].place == -1);
}

TEST_CASE("a loop that leaves something behind stays") {
  Written w = loop();
  SECTION("a number that it sets, which is read later") {
    w.code.instructions[2].op = Op::constant;
    w.code.instructions.back() = w.code.instructions[7];
    w.code.instructions.back().op = Op::if_less;
    w.code.instructions.back().a = 2;
    w.code.instructions.back().x = 11;
  }
  SECTION("what is left of the set") {
    w.code.instructions.back().op = Op::if_none;
    w.code.instructions.back().a = 3;
    w.code.instructions.back().x = 11;
  }
  SECTION("a value of the round before") { w.code.instructions[4].b = 7; }
  SECTION("a test that leads out of it") { w.code.instructions[7].x = 10; }
  SECTION("a change") { w.code.instructions[6].op = Op::join_set; }
  SECTION("a shift by cells that are told by the cell") { w.code.instructions[5].b = 4; }
  w.add(Op::halt);
  w.leaf();
  const std::string before = w.text();
  passes::sift_loops(w.code);
  CHECK(w.text() == before);
}

TEST_CASE("what is written anew before it is read is no trace of the loop") {
  Written w = loop();
  w.code.instructions.back().op = Op::constant;
  w.code.instructions.back().d = 2;
  w.add(Op::if_less, 0, 2, 0, 0, 12);
  w.add(Op::halt);
  w.leaf();
  passes::sift_loops(w.code);
  CHECK(w.text().find("take") == std::string::npos);
}

} // namespace sift_test
