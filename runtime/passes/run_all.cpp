#include "runtime/passes/passes.hpp"

#include "runtime/ir/verify.hpp"
#include "runtime/model/forms.hpp"

#include <cassert>
#include <optional>

namespace boardwright::runtime::passes {

namespace {

struct Pass {
  void (*run)(ir::Code&);
  std::optional<Form> form; // that it is switched off by
};
constexpr Pass kPasses[] = {{remove_dead_stores, Form::remove_unseen},
                            {remove_idle_undos, Form::idle_undos},
                            {remove_dead_values, Form::dead},
                            {replace_by_copies, Form::copies},
                            {sift_loops, Form::sifted},
                            {set_loop_costs, std::nullopt}};

} // namespace

void run_all(ir::Code& code) {
  assert(ir::verify(code).empty() && "the lowering has written what is no code");
  for (const Pass& pass : kPasses) {
    if (pass.form && !is_on(*pass.form)) continue;
    pass.run(code);
    assert(ir::verify(code).empty() && "a pass has made what is no code");
  }
}

} // namespace boardwright::runtime::passes
