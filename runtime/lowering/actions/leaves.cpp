// Drafts that are moves.
#include "runtime/lowering/actions/keys.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/recursion.hpp"

namespace boardwright::runtime::lowering {

void leaf(Context& cx, const AbstractValue* open, const AbstractDraft& d) {
  ir::Leaf l;
  l.choices = d.choices;
  if (cx.code.weighs) // nobody takes it when the move is played: it is the last one
    l.choices.push_back({ir::Choice::From::number, cx.program.chance->odds});
  l.base = d.base;
  l.dynamic = d.base >= 0;
  for (const ir::Choice& c : l.choices)
    if (c.from == ir::Choice::From::number &&
        std::find(l.values.begin(), l.values.end(), static_cast<Reg>(c.value)) == l.values.end())
      l.values.push_back(static_cast<Reg>(c.value));
  const auto index = static_cast<std::int32_t>(cx.code.leaves.size());
  cx.code.leaves.push_back(std::move(l));
  if (cx.comparison.keyed && cx.compares(d) && cx.mode == Mode::search) {
    for (const std::string& shape : d.move_key.shapes)
      cx.comparison.shapes.insert(shape + (d.move_key.leaves ? "g" : ""));
    cx.e.emit(open != nullptr ? Ir::leaf_keys : Ir::leaf_key, 0, key_of(cx, d),
              open != nullptr ? open->reg : 0, 0, index);
  } else if (open != nullptr)
    cx.e.emit(Ir::leaf, 0, open->reg, 0, 0, index);
  else
    cx.e.emit(cx.compares(d) ? Ir::leaf_once : Ir::leaf_one, 0, 0, 0, 0, index);
}

} // namespace boardwright::runtime::lowering
