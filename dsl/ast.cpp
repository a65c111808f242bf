// Entry points: dump, degrees_of.
#include "dsl/ast.hpp"

#include <string_view>

namespace boardwright::dsl {
namespace {

using std::string;

std::string_view form_name(Form form) {
  switch (form) {
  case Form::name: return "name";
  case Form::call: return "call";
  case Form::either: return "either";
  case Form::conditional: return "conditional";
  case Form::paren: return "paren";
  case Form::cases: return "cases";
  case Form::number: return "number";
  case Form::string: return "string";
  case Form::negate: return "negate";
  case Form::complement: return "complement";
  case Form::binary: return "binary";
  case Form::compare: return "compare";
  case Form::all_of: return "all_of";
  case Form::negation: return "negation";
  case Form::perspective: return "perspective";
  case Form::owned: return "owned";
  case Form::some: return "some";
  case Form::no: return "no";
  case Form::some_in: return "some_in";
  case Form::no_in: return "no_in";
  case Form::some_inside: return "some_inside";
  case Form::no_inside: return "no_inside";
  case Form::every_inside: return "every_inside";
  case Form::no_move: return "no_move";
  case Form::can: return "can";
  case Form::part: return "part";
  case Form::list_for: return "list_for";
  case Form::fold_for: return "fold_for";
  case Form::reach: return "reach";
  case Form::before: return "before";
  case Form::pieces: return "pieces";
  case Form::sequence: return "sequence";
  case Form::otherwise: return "otherwise";
  case Form::repeat: return "repeat";
#define X(word, behind)                                                                                      \
  case Form::word: return #word;
    BOARDWRIGHT_STEP_WORDS(X)
#undef X
  case Form::roll: return "roll";
  }
  return "?";
}

bool has(const Ast& tree, std::uint8_t flag) { return (tree.flags & flag) != 0; }

// The sign behind what is repeated; its bounds and condition are among the kids.
string repeat_sign(const Ast& tree) {
  string sign = "?";
  if (has(tree, kRepeatUnbounded)) sign = tree.number == 0 ? "*" : "+";
  if (has(tree, kRepeatExact)) sign = "{n}";
  if (has(tree, kRepeatHigh)) sign = "{a..b}";
  return sign + (has(tree, kRepeatMaximal) ? "!" : "") + (has(tree, kRepeatUntil) ? " until" : "");
}

string set_head(const Ast& tree) {
  return tree.word + (has(tree, kHasOwner) ? " owner" : "") + (has(tree, kHasKind) ? " kind" : "");
}

bool has_owner_word(Form form) { return form == Form::drop || form == Form::change || form == Form::pieces; }

// Between the parenthesis and the kids.
string head(const Ast& tree) {
  string head(form_name(tree.form));
  if (tree.form == Form::binary || tree.form == Form::compare) return tree.word;
  if (tree.form == Form::repeat) return head + " " + repeat_sign(tree);
  if (tree.form == Form::set) return head + " " + set_head(tree);
  if (!tree.word.empty()) head += (has_owner_word(tree.form) ? " :" : " ") + tree.word;
  for (const string& name : tree.names) head += " " + name;
  return head;
}

void dump(const Ast& tree, string& out) {
  if (tree.form == Form::name) return void(out += tree.word);
  if (tree.form == Form::number) return void(out += std::to_string(tree.number));
  if (tree.form == Form::string) return void(out += '"' + tree.word + '"');
  out += "(" + head(tree);
  for (const Ast& kid : tree.kids) out += " ", dump(kid, out);
  out += ")";
}

} // namespace

std::optional<std::int64_t> degrees_of(const Ast& n) {
  if (n.form != Form::call || n.word != "rotate" || n.kids.size() != 1) return std::nullopt;
  const Ast& angle = n.kids[0];
  if (angle.form == Form::number) return angle.number;
  const bool negative = angle.form == Form::negate && angle.kids[0].form == Form::number;
  return negative ? std::optional(-angle.kids[0].number) : std::nullopt;
}

string dump(const Ast& tree) {
  string out;
  dump(tree, out);
  return out;
}

} // namespace boardwright::dsl
