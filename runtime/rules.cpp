// Rules: what is worked out of a program once.
#include "runtime/machine.hpp"
#include "runtime/normalize/normalize.hpp"
#include "runtime/turn_parts.hpp"

namespace boardwright::runtime {

namespace {

std::unique_ptr<machine::AnyTables> tables_for(const Program& program, const machine::Code& code) {
  switch (machine::words_for(program.board)) {
  case 1: return machine::make_tables<1>(program, code);
  case 2: return machine::make_tables<2>(program, code);
  case 3: return machine::make_tables<3>(program, code);
  case 4: return machine::make_tables<4>(program, code);
  case 6: return machine::make_tables<6>(program, code);
  default: return machine::make_tables<8>(program, code);
  }
}

} // namespace

namespace {

machine::Code with_slots(const Program& program) {
  Program with_plans = program;
  std::vector<machine::TurnPlan> plans;
  for (int player = 0; player < program.player_count(); ++player) {
    auto whole = plan_slots(with_plans, player);
    if (auto parts = whole ? std::nullopt : plan_parts(with_plans, player))
      plans.push_back({std::move(parts->counted), parts->listed});
    else
      plans.push_back({std::move(whole), kNoNode});
  }
  machine::Code code = machine::compile(with_plans, plans);
  code.sprint = compile_sprint(program);
  return code;
}

} // namespace

Rules::Compiled::Compiled(const Program& program)
    : normal(normalize(program)), code(with_slots(normal)), tables(tables_for(normal, code)),
      state_bytes(tables->engine(nullptr, normal.initial)->state_bytes()) {}

Rules::Rules(std::shared_ptr<const Program> program)
    : program_(std::move(program)), compiled_(std::make_unique<Compiled>(*program_)) {}

Rules::~Rules() = default;

std::shared_ptr<const Rules> Rules::make(std::shared_ptr<const Program> program) {
  return std::shared_ptr<const Rules>(new Rules(std::move(program)));
}

std::size_t Rules::state_bytes() const { return compiled_->state_bytes; }

} // namespace boardwright::runtime
