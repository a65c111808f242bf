// Walks (runtime/paths/path.hpp): what is known of them whatever the position.
#include "runtime/lowering/facts/facts.hpp"

#include <algorithm>

namespace boardwright::runtime::lowering {

const Path* Facts::path(const Actions& actions) const {
  const auto [known, fresh] = paths_.try_emplace(actions);
  if (fresh) known->second = path_of(rules_, actions);
  return known->second ? &*known->second : nullptr;
}

bool Facts::is_walk(NodeId action) const {
  const Path* walk = path(action);
  return walk != nullptr && all_of_path(*walk, is_plain_part);
}

bool Facts::bends(NodeId action) const {
  const Path* walk = path(action);
  return walk != nullptr && all_of_path(*walk, [](const Path& p) { return p.curved || is_plain_part(p); });
}

bool Facts::reads_name(const Path& path, std::int32_t slot) const {
  return !all_of_path(path, [&](const Path& p) { return !contains_local(p.of, slot); });
}

// Each direction that is chosen goes on by itself.
CellSet Facts::possible_ends(const Path& path, const CellSet& from, const AbstractDraft& env,
                             const Contents& there) const {
  CellSet ends;
  switch (path.kind) {
  case Path::Kind::step:
    if (path.curved) return board().all;
    possible_steps(path.of, env).each([&](int s) {
      from.each([&](int c) {
        if (const int to = board().steps[at(s)].to[at(c)]; to != kNowhere) ends.set(to);
      });
    });
    return ends;
  case Path::Kind::test: {
    const Node& tested = node(path.of);
    return tested.op == Op::cells ? from & rules_.cell_sets[at(tested.a)] : from;
  }
  case Path::Kind::sequence: {
    AbstractDraft inside = env;
    if (path.named() && node(path.of).type == Type::directions)
      inside.locals[path.slot] = make_steps(possible_steps(path.of, env));
    ends = from;
    for (const Path& part : path.parts)
      ends = possible_ends(part, ends, inside, &part == path.parts.data() ? there : Contents().set());
    return ends;
  }
  case Path::Kind::alternatives: {
    if (!path.named()) {
      for (const Path& part : path.parts) ends |= possible_ends(part, from, env, there);
      return ends;
    }
    by_direction(possible_steps(path.of, env), path.slot, env, [&](const AbstractDraft& inside) {
      ends |= possible_ends(path.parts[0], from, inside, there);
      return true;
    });
    return ends;
  }
  case Path::Kind::star: return ends_of_rounds(path, from, env);
  case Path::Kind::by_kind:
    for (std::size_t k = 0; k < path.parts.size(); ++k) {
      const bool none = k + 1 == path.parts.size();
      const Contents of = none ? Contents(1) : contents_of_kind(static_cast<int>(k));
      if (node(path.of).op != Op::here || (of & there).any()) ends |= possible_ends(path.parts[k], from, env);
    }
    return ends;
  }
  return board().all;
}

CellSet Facts::ends_of_rounds(const Path& star, const CellSet& from, const AbstractDraft& env) const {
  // Where something ends them they may be over sooner.
  const int least = std::min(star.least.value_or(0), star.until ? 1 : kMaxCells);
  const int most = star.most.value_or(kMaxCells);
  CellSet front = from;
  int rounds = 0;
  for (; rounds < least && front.any(); ++rounds) front = possible_ends(star.parts[0], front, env);
  CellSet all = front;
  for (; rounds < most && front.any(); ++rounds) {
    front = possible_ends(star.parts[0], front, env) - all;
    all |= front;
  }
  return all;
}

// Rounds of one step in known directions, and of tests behind it that ask neither for the walker nor for its
// heading.
std::optional<Round> Facts::round(const Path& star, const AbstractDraft& d) const {
  const auto parts = parts_in_a_row(star.parts[0]);
  if (parts.empty()) return std::nullopt;
  const Path& step = star.backwards ? parts.back() : parts.front();
  const auto tests = star.backwards ? parts.first(parts.size() - 1) : parts.subspan(1);
  const auto steps = step.is_straight_step() ? constant_steps(step.of, d) : std::nullopt;
  if (!steps) return std::nullopt;
  Round r{step.of, *steps, {}};
  for (const Path& test : tests) {
    if (!test.is(Path::Kind::test) || test.condition || contains(test.of, Op::here) ||
        contains(test.of, Op::heading))
      return std::nullopt;
    r.tests.push_back(test.of);
  }
  return r;
}

std::optional<Round> Facts::line(const Path& star, const Path* choice, AbstractDraft& d) const {
  if (!star.is_any_rounds()) return std::nullopt;
  if (choice == nullptr) return round(star, d);
  const auto steps = constant_steps(choice->of, d);
  if (!steps) return std::nullopt;
  d.locals[choice->slot] = make_steps(*steps);
  auto r = round(star, d);
  // What is tested mustn't go by the way.
  const auto by_way = [&](NodeId tested) { return contains_local(tested, choice->slot); };
  const bool good = r && goes_by_name(r->way, *choice) &&
                    (steps->count() == 1 || std::none_of(r->tests.begin(), r->tests.end(), by_way));
  return good ? r : std::nullopt;
}

} // namespace boardwright::runtime::lowering
