// What is written, and what it could be taken for.
#include "runtime/lowering/unambiguity/first_signs.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace boardwright::runtime::lowering::unambiguity {

// A text that can't be taken for anything else that may stand there.
bool FirstSigns::is_plain_sign(const std::string& text, bool anchored) const {
  if (std::string_view("-x /=,").find(text[0]) != std::string_view::npos) return false;
  return anchored || std::none_of(board().name.begin(), board().name.end(), [&](const std::string& cell) {
           return cell.compare(0, text.size(), text) == 0 || text.compare(0, cell.size(), cell) == 0;
         });
}

// Can a kind's letter and the name of a cell never be taken for another name, or for the beginning of one?
bool FirstSigns::is_plain_letter(char letter) const {
  if (std::string_view("-x /=,").find(letter) != std::string_view::npos) return false;
  const auto& names = board().name;
  return std::none_of(names.begin(), names.end(), [&](const std::string& name) {
    const std::string_view rest = name[0] == letter ? std::string_view(name).substr(1) : std::string_view();
    return !rest.empty() && std::any_of(names.begin(), names.end(), [&](const std::string& other) {
      return other.compare(0, rest.size(), rest) == 0 || rest.compare(0, other.size(), other) == 0;
    });
  });
}

// Names of cells are read in one way only: what may stand behind one never goes on where it ends, and what
// has left, which begins with `x`, is no name.
bool FirstSigns::names_stand_alone() const {
  std::vector<std::string_view> names(board().name.begin(), board().name.end());
  std::sort(names.begin(), names.end());
  const auto is_name = [&](std::string_view s) { return std::binary_search(names.begin(), names.end(), s); };
  return std::none_of(names.begin(), names.end(), [&](std::string_view name) {
    bool ambiguous = name == "x";
    for (std::size_t size = 1; size < name.size(); ++size) {
      const bool goes_on = std::isdigit(static_cast<unsigned char>(name[size])) == 0;
      ambiguous = ambiguous || (goes_on && is_name(name.substr(0, size))) ||
                  (name[0] == 'x' && is_name(name.substr(1, size)));
    }
    return ambiguous;
  });
}

// Is no cell's name the beginning of another's?
bool FirstSigns::names_end_by_themselves() const {
  std::vector<std::string_view> names(board().name.begin(), board().name.end());
  std::sort(names.begin(), names.end()); // what begins with a name stands right behind it
  return std::adjacent_find(names.begin(), names.end(), [](std::string_view a, std::string_view b) {
           return b.starts_with(a);
         }) == names.end();
}

// Can a text stand behind a cell's name, and never be taken for its end?
bool FirstSigns::ends_a_name(const std::string& text) const {
  return !text.empty() &&
         (names_end_by_themselves_ || std::isdigit(static_cast<unsigned char>(text[0])) == 0);
}

// A kind that is known: written there, or one of those that FirstSigns::of_kinds goes through.
std::optional<int> FirstSigns::kind_of(NodeId id, const AbstractDraft& env) const {
  const Node& n = node(id);
  if (n.op == Op::kind) return n.a;
  const auto known = n.op == Op::local ? env.locals.find(n.a) : env.locals.end();
  if (known == env.locals.end() || !known->second.is(AbstractValue::Kind::number)) return std::nullopt;
  return known->second.reg;
}

// What a value is, if it is a constant or stands for one that has been chosen.
std::optional<Known> FirstSigns::known(NodeId id, const Written& w) const {
  const Node& n = node(id);
  switch (n.op) {
  case Op::number: return Known{Type::number, n.a, CellSet()};
  case Op::kind: return Known{Type::kind, n.a, CellSet()};
  case Op::player: return Known{Type::player, n.a, CellSet()};
  case Op::cells: return Known{Type::cells, 0, rules_.cell_sets[at(n.a)]};
  case Op::local: {
    const auto chosen = w.chosen.find(n.a);
    return chosen == w.chosen.end() ? std::nullopt : std::optional(chosen->second);
  }
  case Op::first:
  case Op::last: {
    auto of = known(kid(id, 0), w);
    if (!of || of->type != Type::cells) return std::nullopt;
    const int cell = n.op == Op::first ? of->cells.first() : of->cells.last();
    of->cells = cell < 0 ? CellSet() : CellSet::of(cell);
    return of;
  }
  default: return std::nullopt;
  }
}

// What is said, if it is the same in every position.
std::optional<std::string> FirstSigns::known_text(NodeId id, const Written& w) const {
  if (node(id).op == Op::text) return rules_.texts[at(node(id).a)];
  const auto value = known(id, w);
  if (!value) return std::nullopt;
  switch (value->type) {
  case Type::number: return std::to_string(value->number);
  case Type::player: return rules_.players[at(value->number)].name;
  case Type::kind:
    return value->number < 0 ? std::string() : std::string(1, rules_.letter_of_kind(value->number));
  default: {
    std::string all;
    value->cells.each([&](int c) { all += (all.empty() ? "" : ",") + board().name[at(c)]; });
    return all;
  }
  }
}

} // namespace boardwright::runtime::lowering::unambiguity
