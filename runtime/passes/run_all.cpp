#include "runtime/passes/passes.hpp"

#include "runtime/ir/verify.hpp"
#include "runtime/model/idioms.hpp"

#include <cassert>
#include <optional>

namespace boardwright::runtime::passes {

namespace {

struct Pass {
  void (*run)(ir::Code&, const Board*);
  std::optional<Idiom> idiom; // that it is switched off by
};
template <void (*run)(ir::Code&)>
void of_code(ir::Code& code, const Board*) {
  run(code);
}

constexpr Pass kPasses[] = {{of_code<remove_dead_stores>, Idiom::unseen_changes},
                            {of_code<remove_idle_undos>, Idiom::idle_undos},
                            {of_code<remove_dead_values>, Idiom::dead_values},
                            {of_code<replace_by_copies>, Idiom::changed_copies},
                            {sift_loops, Idiom::sifted_loops},
                            {of_code<ask_last_moves>, Idiom::asked_moves},
                            {of_code<set_loop_costs>, std::nullopt}};

} // namespace

void run_all(ir::Code& code, const Board* board) {
  assert(ir::verify(code).empty() && "the lowering has written what is no code");
  for (const Pass& pass : kPasses) {
    if (pass.idiom && !is_on(*pass.idiom)) continue;
    pass.run(code, board);
    assert(ir::verify(code).empty() && "a pass has made what is no code");
  }
}

} // namespace boardwright::runtime::passes
