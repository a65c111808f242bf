#include "runtime/passes/passes.hpp"

#include "runtime/ir/verify.hpp"
#include "runtime/model/forms.hpp"

#include <cassert>
#include <optional>

namespace boardwright::runtime::passes {

namespace {

struct Pass {
  void (*run)(ir::Code&, const Board*);
  std::optional<Form> form; // that it is switched off by
};
template <void (*run)(ir::Code&)>
void of_code(ir::Code& code, const Board*) {
  run(code);
}

constexpr Pass kPasses[] = {{of_code<remove_dead_stores>, Form::remove_unseen},
                            {of_code<remove_idle_undos>, Form::idle_undos},
                            {of_code<remove_dead_values>, Form::dead},
                            {of_code<replace_by_copies>, Form::copies},
                            {sift_loops, Form::sifted},
                            {of_code<ask_last_moves>, Form::asked_moves},
                            {of_code<set_loop_costs>, std::nullopt}};

} // namespace

void run_all(ir::Code& code, const Board* board) {
  assert(ir::verify(code).empty() && "the lowering has written what is no code");
  for (const Pass& pass : kPasses) {
    if (pass.form && !is_on(*pass.form)) continue;
    pass.run(code, board);
    assert(ir::verify(code).empty() && "a pass has made what is no code");
  }
}

} // namespace boardwright::runtime::passes
