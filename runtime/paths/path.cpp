#include "runtime/paths/path.hpp"

#include <algorithm>

namespace boardwright::runtime {

namespace {

using Actions = std::vector<NodeId>;

Path make_path(Path::Kind kind, NodeId of = kNoNode, std::int32_t slot = -1) {
  Path path;
  path.kind = kind, path.of = of, path.slot = slot;
  return path;
}

void flatten(const Program& rules, NodeId action, Actions& into) {
  const Node& n = rules.nodes[action];
  if (n.op != Op::sequence) return into.push_back(action);
  for (const NodeId k : rules.kids_of(n)) flatten(rules, k, into);
}

std::optional<Path> part_of(const Program& rules, NodeId action);

// Actions in a row, none of them a sequence. A name is known in all that comes behind it.
std::optional<Path> row_of(const Program& rules, std::span<const NodeId> actions) {
  Path row;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const Node& n = rules.nodes[actions[i]];
    const bool chooses = n.op == Op::choose && rules.nodes[rules.kid(n, 0)].type == Type::directions;
    auto part =
        n.op == Op::let || chooses ? row_of(rules, actions.subspan(i + 1)) : part_of(rules, actions[i]);
    if (!part) return std::nullopt;
    if (n.op == Op::let || chooses) {
      Path named = make_path(chooses ? Path::Kind::alternatives : Path::Kind::sequence, rules.kid(n, 0), n.a);
      named.parts.push_back(std::move(*part));
      part = std::move(named);
      i = actions.size();
    }
    row.parts.push_back(std::move(*part));
  }
  return row.parts.size() == 1 ? std::move(row.parts[0]) : std::move(row);
}

std::optional<Path> rounds_of(const Program& rules, NodeId action) {
  const Node& n = rules.nodes[action];
  const auto number = [&](std::uint32_t k) {
    const Node& of = rules.nodes[rules.kid(n, k)];
    return of.op == Op::number ? std::optional(of.a) : std::nullopt;
  };
  Path star = make_path(Path::Kind::star, action);
  star.endless = (n.a & kUnbounded) != 0;
  star.maximal = (n.a & kMaximal) != 0;
  star.until = (n.a & kUntil) != 0;
  star.least = number(1);
  if (!star.endless) star.most = number(2);
  auto round = path_of(rules, std::span(&rules.kids[n.kids], 1));
  if (!round) return std::nullopt;
  star.parts.push_back(std::move(*round));
  return star;
}

// One action that isn't a sequence and binds no name.
std::optional<Path> part_of(const Program& rules, NodeId action) {
  const Node& n = rules.nodes[action];
  const auto with = [&](Path whole, std::uint32_t first) -> std::optional<Path> {
    for (const NodeId k : rules.kids_of(n).subspan(first)) {
      auto part = path_of(rules, std::span(&k, 1));
      if (!part) return std::nullopt;
      whole.parts.push_back(std::move(*part));
    }
    return whole;
  };
  switch (n.op) {
  case Op::never: return make_path(Path::Kind::alternatives);
  case Op::go:
  case Op::bend: {
    Path step = make_path(Path::Kind::step, rules.kid(n, 0));
    step.curved = n.op == Op::bend;
    return step;
  }
  case Op::at:
  case Op::require: {
    Path test = make_path(Path::Kind::test, rules.kid(n, 0));
    test.condition = n.op == Op::require;
    return test;
  }
  case Op::alternatives: return with(make_path(Path::Kind::alternatives), 0);
  case Op::by_kind_action: return with(make_path(Path::Kind::by_kind, rules.kid(n, 0)), 1);
  case Op::repeat: return rounds_of(rules, action);
  default: return std::nullopt;
  }
}

} // namespace

std::optional<Path> path_of(const Program& rules, std::span<const NodeId> actions) {
  Actions row;
  for (const NodeId action : actions) flatten(rules, action, row);
  return row_of(rules, row);
}

Path reversed(const Path& path) {
  Path result = path;
  result.backwards = !path.backwards;
  for (Path& part : result.parts) part = reversed(part);
  if (path.is(Path::Kind::sequence)) std::reverse(result.parts.begin(), result.parts.end());
  return result;
}

std::span<const Path> parts_in_a_row(const Path& path) {
  if (path.is(Path::Kind::sequence) && !path.named()) return path.parts;
  return {&path, 1};
}

const Path& last_of(const Path& path) {
  const bool encloses = path.is(Path::Kind::sequence) || path.named();
  return encloses && !path.parts.empty() ? last_of(path.parts.back()) : path;
}

bool all_of_path(const Path& path, const std::function<bool(const Path&)>& asked) {
  return asked(path) && std::all_of(path.parts.begin(), path.parts.end(),
                                    [&](const Path& p) { return all_of_path(p, asked); });
}

bool is_plain_part(const Path& path) {
  const bool names_value = path.is(Path::Kind::sequence) && path.named();
  return !path.curved && !path.condition && !path.maximal && !path.until && !names_value &&
         !path.is(Path::Kind::by_kind);
}

} // namespace boardwright::runtime
