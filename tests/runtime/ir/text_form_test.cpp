// Code as text and back, and the verifier on all code that there is.
#include "dsl/finder.hpp"
#include "runtime/ir/verify.hpp"
#include "tests/rule_files.hpp"
#include "tests/runtime/ir/small_code.hpp"
#include "tests/text_files.hpp"

#include <random>

namespace text_form_test {

using namespace boardwright;
using runtime::ir::Code;

namespace {

// Without what stands in operands that the operation doesn't ask for: that isn't written.
Code as_asked(Code code) {
  using runtime::ir::Operand;
  for (runtime::ir::Instruction& i : code.instructions) {
    const auto& o = runtime::ir::about(i.op);
    if (o.role(Operand::d) == '-') i.d = 0;
    if (o.role(Operand::a) == '-') i.a = 0;
    if (o.role(Operand::b) == '-' || (i.y != 0 && o.role(Operand::y) == 'a')) i.b = 0;
    if (o.role(Operand::c) == '-') i.c = 0;
    if (o.role(Operand::x) == '-') i.x = 0;
  }
  return code;
}

// The text reads as the same code; of places of the rules that are written alike it is the first.
void check_text(const runtime::Program& program, const Code& code) {
  const std::string text = runtime::ir::print(program, code);
  const auto again = runtime::ir::read(program, text);
  if (!again) FAIL(again.error().line << ": " << again.error().message);
  CHECK(runtime::ir::print(program, *again) == text);
  Code same = *again;
  REQUIRE(same.instructions.size() == code.instructions.size());
  for (std::size_t k = 0; k < code.instructions.size(); ++k) {
    CHECK(runtime::ir::place_in(program, same.instructions[k].origin) ==
          runtime::ir::place_in(program, code.instructions[k].origin));
    same.instructions[k].origin = code.instructions[k].origin;
  }
  CHECK((same == as_asked(code))); // never printed: it is long
}

void check_code(const std::string& name, const runtime::Rules& rules) {
  INFO(name);
  const auto& compiled = rules.compiled();
  const auto flaws = runtime::ir::verify(compiled.code, &compiled.lowered);
  if (!flaws.empty()) FAIL_CHECK(name << ": " << flaws.size() << " flaws, " << flaws.front());
  check_text(compiled.lowered, compiled.code);
}

void check_files(const std::string& folder) {
  for (const auto& path : tests::sampled(tests::files_in(tests::source_root() + folder, ".yaml"), 8))
    if (const auto loaded = interpreter::load(path.string()); loaded)
      check_code(path.filename().string(), *loaded.rules);
}

} // namespace

TEST_CASE("the code of every bundled game is well-formed, and reads back from its text") {
  for (const std::string& name : tests::bundled_games()) check_code(name, *tests::load_rules(name));
}

TEST_CASE("so is that of every file that tests play") {
  for (const char* const folder :
       {"/tests/unseen", "/tests/regressions", "/tests/spellings", "/tests/constructs", "/tests/rules"})
    check_files(folder);
}

TEST_CASE("a text that can't be read says where and why") {
  const auto error = [](const std::string& text) {
    const auto code = runtime::ir::read(tests::small_program(), tests::kSmallHeading + text);
    return code ? "fine" : std::to_string(code.error().line) + ": " + code.error().message;
  };
  CHECK(error("    halt\n") == "fine");
  CHECK(error("    hold\n") == "4: there is no operation `hold`");
  CHECK(error("    halt\n    go L3\n") == "5: there is no label L3");
  CHECK(error("    go 3\n") == "4: `3` is no label");
  CHECK(error("    halt =0\n") == "4: halt has no such operand: `=0`");
  CHECK(error("    copy n0 <- s0\n") == "4: `s0` can't be an operand of copy here");
  CHECK(error("    copy n12 <- =0\n") == "4: `n12` can't be an operand of copy here");
  CHECK(error("    copy n0 <- =7\n") == "4: `=7` can't be an operand of copy here");
  CHECK(error("    halt.a1\n") == "4: halt has no flag `a1`");
  CHECK(error("    decide verdict 0\n") == "4: `verdict 0` can't be an operand of decide here");
  CHECK(error("tables is=[0]\n") == "4: there are no lines of `tables`");
  CHECK(error("scale by=2 under=1\n") == "4: there is no field `under` here");
  CHECK(error("scale by=two\n") == "4: `by` can't be read");
  CHECK(error("scale 2\n") == "4: this is neither an instruction nor a line of fields");
  CHECK(error("    halt\nscale by=2\n") == "5: lines of the heading stand before all instructions");
  CHECK(error("set is={9}\n    halt\n") == "1: the heading's sets can't be");
  CHECK(error("set is={600}\n    halt\n") == "4: `is` can't be read");
  CHECK(error("steps is=[99]\n    halt\n") == "1: the heading's steps can't be");
  CHECK(error("set is={0}\ncode directions=[5]\n    halt\n") == "fine");
  CHECK(error("set is={99}\ncode directions=[5]\n    halt\n") == "1: the heading's steps can't be");
  CHECK(error("code directions=[6]\n    halt\n") == "1: the heading's directions can't be");
  CHECK(error("spill_area numbers=[24]\n    halt\n") ==
        "1: the heading's numbers of a key, spill area or leaf can't be");
  CHECK(error("code sets=70000\n    halt\n") == "1: the heading's numbers of registers can't be");
}

// Whatever is done to a text, it is read or refused, and what is read can be verified and printed.
TEST_CASE("texts with mistakes are read or refused") {
  std::mt19937 random(7);
  const auto rules = tests::load_rules(tests::source_root() + "/tests/constructs/turn_parts.yaml");
  const auto& compiled = rules->compiled();
  const std::string whole = runtime::ir::print(compiled.lowered, compiled.code);
  const std::string letters = "0123456789L:=-{}[]()<>\", snb\n.@;+";
  int read = 0;
  for (int round = 0; round < 3'000; ++round) {
    std::string text = whole;
    for (auto n = random() % 3; n < 3; ++n) {
      const std::size_t where = random() % text.size();
      switch (random() % 3) {
      case 0: text[where] = letters[random() % letters.size()]; break;
      case 1: text.erase(where, random() % 4); break;
      default: text.insert(where, text.substr(random() % text.size(), random() % 12)); break;
      }
    }
    const auto code = runtime::ir::read(compiled.lowered, text);
    if (!code) continue;
    ++read;
    if (!runtime::ir::verify(*code, &compiled.lowered).empty()) continue;
    const std::string printed = runtime::ir::print(compiled.lowered, *code);
    const auto again = runtime::ir::read(compiled.lowered, printed);
    REQUIRE(again);
    CHECK(runtime::ir::print(compiled.lowered, *again) == printed);
  }
  CHECK(read > 100);
}

} // namespace text_form_test
