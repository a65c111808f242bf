// From a program to what is carried out.
#include "runtime/game/compiled.hpp"
#include "runtime/game/large_stack.hpp"
#include "runtime/lowering/lower.hpp"
#include "runtime/model/drawn.hpp"
#include "runtime/model/looking.hpp"
#include "runtime/normalize/normalize.hpp"

#include <algorithm>
#include <new>

namespace boardwright::runtime {

namespace {

bool can_put_out(const Program& program) {
  const auto loses = [](const EndLine& line) { return line.verdict == Verdict::lose; };
  const auto any = [&](const Player& p) { return std::any_of(p.end.begin(), p.end.end(), loses); };
  return program.players.size() > 2 && std::any_of(program.players.begin(), program.players.end(), any);
}

} // namespace

Rules::Compiled::Compiled(const Program& program) : puts_out(can_put_out(program)) {
  on_large_stack([&] {
    lowered = normalize(program);
    code = lowering::lower(lowered);
  });
  if (!code.too_large) tables = executor::make_tables(lowered, code);
}

std::unique_ptr<executor::Engine> Rules::Compiled::borrow() const {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto engine = std::move(idle_.back());
      idle_.pop_back();
      return engine;
    }
  }
  return tables->engine();
}

// Called from destructors: where there is no memory to keep the engine it goes, and the next one is made
// anew.
void Rules::Compiled::give_back(std::unique_ptr<executor::Engine> engine) const {
  const std::lock_guard lock(mutex_);
  try {
    idle_.push_back(std::move(engine));
  } catch (const std::bad_alloc&) {
    return;
  }
}

Rules::Rules(std::shared_ptr<const Program> program, std::unique_ptr<const Compiled> compiled)
    : program_(std::move(program)), compiled_(std::move(compiled)) {}

Rules::~Rules() = default;

std::shared_ptr<const Rules> Rules::make(std::shared_ptr<const Program> program) {
  if (program == nullptr) return or_none(nullptr);
  auto compiled = std::make_unique<Compiled>(*program);
  return std::shared_ptr<const Rules>(new Rules(std::move(program), std::move(compiled)));
}

std::shared_ptr<const Rules> Rules::or_none(std::shared_ptr<const Rules> rules) {
  static const std::shared_ptr<const Rules> none(
      new Rules(std::make_shared<Program>(), std::make_unique<Compiled>()));
  return rules != nullptr ? std::move(rules) : none;
}

const Rules& Rules::for_random_games() const {
  made_drawing_.run([&] {
    std::shared_ptr<const Program> program;
    on_large_stack([&] { program = drawn(*program_); });
    if (program != nullptr) drawing_ = make(std::move(program));
  });
  return drawing_ != nullptr && drawing_->is_playable() ? *drawing_ : *this;
}

const Rules* Rules::for_looking() const {
  made_looking_.run([&] {
    if (auto program = looking(*program_)) looking_ = make(std::move(program));
  });
  return looking_ != nullptr && looking_->is_playable() ? looking_.get() : nullptr;
}

bool Rules::is_playable() const { return compiled_->tables != nullptr; }

std::string Rules::problem() const {
  if (is_playable()) return {};
  if (!compiled_->code.too_large) return "there are no rules";
  return "the rules are too large: written out, with every definition in the place of its name, they make "
         "more code than a game may have";
}

std::size_t Rules::state_bytes() const {
  return is_playable() ? compiled_->tables->engine()->state_bytes() : 0;
}

} // namespace boardwright::runtime
