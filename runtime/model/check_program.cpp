#include "runtime/model/check_program.hpp"

#include "runtime/model/operations.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string_view>
#include <vector>

namespace boardwright::runtime {

namespace {

// The letters of types in the table.
char letter_of(Type type) {
  switch (type) {
  case Type::number: return 'n';
  case Type::truth: return 't';
  case Type::cells: return 'c';
  case Type::directions: return 'd';
  case Type::kind: return 'k';
  case Type::player: return 'p';
  case Type::map: return 'm';
  case Type::numbers: return 'N';
  case Type::sets: return 'S';
  case Type::kinds: return 'K';
  case Type::players: return 'P';
  case Type::action: return 'a';
  }
  return '?';
}

bool is_among(char letter, std::string_view letters) {
  return letters.find(letter) != std::string_view::npos;
}

// The type of a list's members.
char member_of(char list) {
  return list == 'N' ? 'n' : list == 'S' ? 'c' : list == 'K' ? 'k' : list == 'P' ? 'p' : '?';
}

class Checking {
public:
  Checking(const Program& program, const Node& node) : program_(program), n_(node), row_(about(node.op)) {}

  [[nodiscard]] std::optional<std::string> misfit() const {
    const bool plain_action = is_action(n_.op) && n_.type == Type::action;
    if (!plain_action && !is_among(letter_of(n_.type), row_.types)) return "no such type";
    if (!fits(row_.a, n_.a)) return fmt::format("operand a is {}", n_.a);
    if (!fits(row_.b, n_.b)) return fmt::format("operand b is {}", n_.b);
    if (!children_fit()) return "its children";
    return std::nullopt;
  }

private:
  template <class Pool>
  [[nodiscard]] static bool is_index(std::int32_t value, const Pool& pool) {
    return value >= 0 && static_cast<std::size_t>(value) < pool.size();
  }
  [[nodiscard]] bool is_player(std::int32_t value) const { return is_index(value, program_.players); }
  [[nodiscard]] bool is_slot(std::int32_t value) const {
    return value >= 0 && static_cast<std::uint32_t>(value) < program_.slots;
  }

  [[nodiscard]] bool fits(Operand operand, std::int32_t value) const {
    switch (operand) {
    case Operand::none: return value == 0;
    case Operand::slot: return is_slot(value);
    case Operand::slots: return value == 0 || (value > 0 && is_slot(n_.a + value - 1));
    case Operand::number: return true;
    case Operand::truth:
    case Operand::flag: return value == 0 || value == 1;
    case Operand::cell_set: return is_index(value, program_.cell_sets);
    case Operand::step_set: return is_index(value, program_.step_sets);
    case Operand::text: return is_index(value, program_.texts);
    case Operand::frame: return is_index(value, program_.frames);
    case Operand::kind: return value == -1 || is_index(value, program_.kinds);
    case Operand::player:
    case Operand::giver: return is_player(value) || row_.a == Operand::owners; // of `any` nobody is asked
    case Operand::owners: return value >= 0 && value <= static_cast<std::int32_t>(Owners::neutral);
    case Operand::owner: return value == kNeutral || value == kNatural || is_player(value);
    case Operand::new_owner: return value == kNeutral || value == kKeepOwner || is_player(value);
    case Operand::variable: return is_index(value, program_.variables);
    case Operand::flags: return value >= 0 && value <= (kUnbounded | kMaximal | kUntil);
    case Operand::corner: return value >= -1;
    case Operand::fallback: return value >= -1;
    }
    return false;
  }

  // Does a child of this type fit a letter of the row? `before`: the type of the child before.
  [[nodiscard]] bool fits(char wanted, const Node& child, char before) const {
    const char type = letter_of(child.type), own = letter_of(n_.type);
    const bool action = is_action(child.op), text = child.op == Op::text;
    if (wanted == 'a') return action;
    if (wanted == 'w') return text || (!action && is_among(type, "ntckp"));
    if (action || text) return false;
    switch (wanted) {
    case 'x': return true;
    case '=': return type == own || own == 'a';
    case 'e': return type == member_of(own);
    case 'E': return member_of(type) == own;
    case '~': return type == before;
    case 's': return is_among(type, "cd");
    case 'l': return is_among(type, "NSKP");
    case 'v': return is_among(type, "cdNSKP");
    default: return type == wanted;
    }
  }

  [[nodiscard]] bool children_fit() const {
    const std::string_view row = row_.children;
    std::size_t next = 0;
    char before = '?';
    for (std::size_t i = 0; i < row.size(); ++i) {
      const char wanted = row[i], how = i + 1 < row.size() ? row[i + 1] : ' ';
      const bool any_number = how == '*', may_miss = how == '?';
      i += any_number || may_miss ? 1 : 0;
      std::size_t found = 0;
      for (; next < n_.count && (found == 0 || any_number); ++found, ++next) {
        const Node& child = program_.nodes[program_.kid(n_, static_cast<std::uint32_t>(next))];
        if (!fits(wanted, child, before)) break;
        before = letter_of(child.type);
      }
      if (found == 0 && !any_number && !may_miss) return false;
    }
    return next == n_.count && as_many_as_asked();
  }

  // Where the number of children follows from something else.
  [[nodiscard]] bool as_many_as_asked() const {
    const std::size_t count = n_.count;
    if (row_.b == Operand::slots) return count == static_cast<std::size_t>(n_.b) + 2;
    if (row_.a == Operand::corner) // a corner that is written out may have a child, too
      return count >= static_cast<std::size_t>(n_.a < 0 ? 1 : 0) + static_cast<std::size_t>(n_.b < 0 ? 1 : 0);
    if (row_.a == Operand::flags)
      return count == 2 + static_cast<std::size_t>((n_.a & kUnbounded) == 0 ? 1 : 0) +
                          static_cast<std::size_t>((n_.a & kUntil) != 0 ? 1 : 0);
    if (one_of(n_.op, Op::by_kind, Op::by_kind_action)) return count == program_.kinds.size() + 2;
    if (one_of(n_.op, Op::by_player, Op::by_player_action)) return count == program_.players.size() + 1;
    return true;
  }

  const Program& program_;
  const Node& n_;
  const Operation& row_;
};

} // namespace

std::optional<std::string> misfit(const Program& program, NodeId id) {
  const Node& n = program.nodes[id];
  if (static_cast<std::size_t>(n.op) >= operations::kCount) return "no such operation";
  const auto wrong = Checking(program, n).misfit();
  if (!wrong) return std::nullopt;
  return fmt::format("{} of type {} at {}: {}", name_of(n.op), letter_of(n.type), place_of(program, n.origin),
                     *wrong);
}

std::optional<std::string> misfit(const Program& program) {
  std::vector<NodeId> open;
  for (const Player& player : program.players) {
    open.push_back(player.turn);
    for (const EndLine& line : player.end) {
      open.push_back(line.condition);
      open.insert(open.end(), line.score.begin(), line.score.end());
    }
  }
  std::vector<bool> seen(program.nodes.size(), false);
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    if (id == kNoNode || seen[id]) continue;
    seen[id] = true;
    if (auto wrong = misfit(program, id)) return wrong;
    for (const NodeId kid : program.kids_of(program.nodes[id])) open.push_back(kid);
  }
  return std::nullopt;
}

} // namespace boardwright::runtime
