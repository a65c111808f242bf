#include "tools/import/rbg/walk.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

namespace boardwright::tools {
namespace {

// A part of the rules with as many words or more, there twice, becomes a definition.
constexpr int kPartWords = 5;
// Parts that are written before a file is given up; known files need 20,000.
constexpr std::size_t kMostWritten = 500'000;
// Alternatives that are compared with each other; of more, all are told apart.
constexpr std::size_t kMostCompared = 200;

} // namespace

RbgWalks::RbgWalks(const RbgGame& game, const RbgLayout& layout, const RbgWords& words, RbgNames& names)
    : game_(game), layout_(layout), words_(words), names_(names), alike_(rbg_alike(game)),
      shifts_(game, alike_), uses_(game.nodes.size(), 0) {
  for (std::size_t n = 0; n < game.nodes.size(); ++n) {
    const RbgNode& node = game.nodes[n];
    bool changes = node.what == RbgWhat::off || node.what == RbgWhat::assign || node.what == RbgWhat::turn_to;
    int weight = node.children.empty() ? 1 : 0;
    for (const int child : node.children) {
      changes = changes || changes_[static_cast<std::size_t>(child)];
      weight = std::min(weight + weight_[static_cast<std::size_t>(child)], 1'000'000);
    }
    changes_.push_back(changes && node.what != RbgWhat::check);
    weight_.push_back(weight);
    ++uses_[static_cast<std::size_t>(alike_[n])];
  }
}

void RbgWalks::need(RbgWalker& walker) {
  if (!walker.here) needs_here = true;
  walker.here = true;
}

RbgAction RbgWalks::tell(RbgWalker& walker) {
  if (!walker.tells || walker.said || !walker.here) return {};
  const bool first = walker.first;
  walker.said = true;
  walker.first = false;
  return rbg_word(first ? "say here" : "say (\"-\", here)");
}

std::string RbgWalks::set_of(const RbgCells& cells) {
  if (const auto known = sets_.find(cells); known != sets_.end()) return known->second;
  CellSet set;
  for (std::size_t v = 0; v < layout_.cells.size(); ++v)
    if (cells[v]) set.insert(layout_.cells[v]);
  return sets_.emplace(cells, layout_.cells_text(set)).first->second;
}

std::string RbgWalks::kinds(const std::vector<int>& pieces) const {
  std::vector<std::string> names;
  for (const int piece : pieces) names.push_back(words_.pieces[static_cast<std::size_t>(piece)]);
  return fmt::format("{}", fmt::join(names, " | "));
}

// As a definition, where it occurs more than once and is worth one.
RbgAction RbgWalks::of(int node, RbgWalker& walker) {
  if (++work_ > kMostWritten && !fault) fault = ImportFault{at(node).line, "", "its rules are too large"};
  if (fault) return rbg_never();
  const int first = alike_[static_cast<std::size_t>(node)];
  const RbgNode& what = at(node);
  const bool whole =
      what.what == RbgWhat::sum || what.what == RbgWhat::sequence || what.what == RbgWhat::star;
  if (!whole || uses_[static_cast<std::size_t>(first)] < 2 ||
      weight_[static_cast<std::size_t>(first)] < kPartWords)
    return written(node, walker);
  const auto key = std::pair(first, walker);
  if (const auto known = parts_.find(key); known == parts_.end()) {
    const bool needed = needs_here;
    needs_here = false;
    RbgWalker after = walker;
    const RbgAction action = written(node, after);
    Part part{"", action.join, after, needs_here};
    needs_here = needs_here || needed;
    if (action.text.size() < 30 || action.never() || action.nothing()) {
      walker = after;
      return action;
    }
    part.name = names_.take(fmt::format("part_{}", parts_.size() + 1));
    definitions.emplace_back(part.name, action.body());
    parts_.emplace(key, std::move(part));
  }
  const Part& part = parts_.at(key);
  walker = part.after;
  needs_here = needs_here || part.needs_here;
  return rbg_word(part.name);
}

RbgAction RbgWalks::written(int node, RbgWalker& walker) {
  const RbgNode& what = at(node);
  if (shifts_.only_shifts(node)) return shifts({node}, walker);
  switch (what.what) {
  case RbgWhat::on: return on(what, walker);
  case RbgWhat::off: {
    need(walker);
    const RbgAction told = tell(walker);
    lays_.insert(what.index);
    return rbg_chain({told, rbg_word(words_.lay[static_cast<std::size_t>(what.index)])});
  }
  case RbgWhat::assign: return assign(what, walker);
  case RbgWhat::compare: {
    const std::string sign = what.text == "==" ? "=" : what.text;
    return rbg_word(fmt::format("require {} {} {}", number(what.first), sign, number(what.second)));
  }
  case RbgWhat::check: return check(what, walker);
  case RbgWhat::sum: return sum(what, walker);
  case RbgWhat::sequence: return of_all(what.children, walker);
  case RbgWhat::star: return star(what, walker);
  default: return rbg_never();
  }
}

RbgAction RbgWalks::of_all(const std::vector<int>& nodes, RbgWalker& walker) {
  std::vector<RbgAction> parts;
  for (std::size_t i = 0; i < nodes.size();) {
    std::size_t end = i;
    while (end < nodes.size() && shifts_.only_shifts(nodes[end])) ++end;
    if (end > i) {
      parts.push_back(
          shifts({nodes.begin() + static_cast<long>(i), nodes.begin() + static_cast<long>(end)}, walker));
      i = end;
    } else {
      parts.push_back(of(nodes[i++], walker));
    }
    if (parts.back().never()) return rbg_never();
  }
  return rbg_chain(parts);
}

RbgAction RbgWalks::go(const std::vector<int>& labels, RbgWalker& walker) {
  need(walker);
  walker.said = false;
  std::vector<std::string> directions;
  for (const int label : labels) {
    const std::string& direction = layout_.directions[static_cast<std::size_t>(label)];
    if (std::find(directions.begin(), directions.end(), direction) == directions.end())
      directions.push_back(direction);
  }
  return rbg_word(fmt::format("go {}", fmt::join(directions, " | ")));
}

// A way that leads to the same cells from everywhere, such as along a file and then along a rank, is no walk:
// `to S`. Where it leads to none from some cells, these are left out first.
RbgAction RbgWalks::shifts(const std::vector<int>& nodes, RbgWalker& walker) {
  const auto relation = shifts_.of(nodes);
  if (relation) {
    RbgCells from, to;
    bool same = true, stays = true;
    for (std::size_t v = 0; v < relation->size(); ++v) {
      const RbgCells& row = (*relation)[v];
      if (row.none()) continue;
      from.set(v);
      same = same && (to.none() || to == row);
      stays = stays && row.count() == 1 && row[v];
      if (to.none()) to = row;
    }
    if (from.none()) return rbg_never();
    const bool everywhere = from.count() == relation->size();
    if (stays && everywhere) return {};
    if (stays) {
      need(walker);
      return rbg_word("at " + set_of(from));
    }
    // Of one step the walk says more.
    if (same && (from.count() > 1 || nodes.size() > 2)) {
      std::vector<RbgAction> parts;
      if (!everywhere) {
        need(walker);
        parts.push_back(rbg_word("at " + set_of(from)));
      }
      walker.here = true;
      walker.said = false;
      parts.push_back(rbg_word("to " + set_of(to)));
      // `at S, to T` mustn't become one walk.
      return rbg_chain(parts);
    }
  }
  std::vector<RbgAction> parts;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const RbgNode& node = at(nodes[i]);
    if (nodes.size() > 1) {
      parts.push_back(shifts({nodes[i]}, walker));
    } else {
      switch (node.what) {
      case RbgWhat::shift: parts.push_back(go({node.index}, walker)); break;
      case RbgWhat::sequence: parts.push_back(shifts(node.children, walker)); break;
      case RbgWhat::check: parts.push_back(check(node, walker)); break;
      case RbgWhat::star: parts.push_back(star(node, walker)); break;
      default: parts.push_back(sum(node, walker)); break;
      }
    }
  }
  return rbg_chain(parts);
}

RbgAction RbgWalks::on(const RbgNode& node, RbgWalker& walker) {
  if (node.pieces.empty()) return rbg_never();
  if (node.pieces.size() == game_.pieces.size()) return {};
  need(walker);
  std::vector<int> others;
  for (int piece = 0; piece < static_cast<int>(game_.pieces.size()); ++piece)
    if (!std::binary_search(node.pieces.begin(), node.pieces.end(), piece)) others.push_back(piece);
  if (others.size() < node.pieces.size()) {
    const std::string set = kinds(others);
    return rbg_word(others.size() == 1 ? "at ~" + set : "at ~(" + set + ")");
  }
  return rbg_word("at " + kinds(node.pieces));
}

std::string RbgWalks::number(int expression) const {
  const RbgExpression& e = game_.expressions[static_cast<std::size_t>(expression)];
  switch (e.sign) {
  case 'n': return fmt::format("{}", e.value);
  case 'p': return words_.scores[static_cast<std::size_t>(e.value)];
  case 'v': return words_.variables[static_cast<std::size_t>(e.value) - game_.players.size()];
  case 'c': return fmt::format("count({})", words_.pieces[static_cast<std::size_t>(e.value)]);
  default: break;
  }
  const auto operand = [&](int part) {
    const std::string text = number(part);
    return part >= 0 && game_.expressions[static_cast<std::size_t>(part)].left >= 0 ? "(" + text + ")" : text;
  };
  return fmt::format("{} {} {}", operand(e.left), e.sign, operand(e.right));
}

// The least and the greatest value that it can have.
std::pair<long long, long long> RbgWalks::range(int expression) const {
  const RbgExpression& e = game_.expressions[static_cast<std::size_t>(expression)];
  if (e.sign == 'n') return {e.value, e.value};
  if (e.sign == 'p') return {0, game_.players[static_cast<std::size_t>(e.value)].most};
  if (e.sign == 'v')
    return {0, game_.variables[static_cast<std::size_t>(e.value) - game_.players.size()].most};
  if (e.sign == 'c') return {0, static_cast<long long>(game_.board.vertices.size())};
  // Far beyond what a rule file counts with; no sum or product of two such numbers is too large here.
  static constexpr long long kFar = 2'000'000'000;
  const auto [a, b] = range(e.left);
  const auto [c, d] = range(e.right);
  const auto within = [](long long n) { return std::clamp(n, -kFar, kFar); };
  if (e.sign == '+') return {within(a + c), within(b + d)};
  if (e.sign == '-') return {within(a - d), within(b - c)};
  if (e.sign == '*') {
    const auto [low, high] = std::minmax({a * c, a * d, b * c, b * d});
    return {within(low), within(high)};
  }
  return {std::min(a, -b), std::max(b, -a)};
}

RbgAction RbgWalks::assign(const RbgNode& node, RbgWalker& walker) {
  const bool player = node.index < static_cast<int>(game_.players.size());
  const std::size_t other = static_cast<std::size_t>(node.index) - game_.players.size();
  const std::string name =
      player ? words_.scores[static_cast<std::size_t>(node.index)] : words_.variables[other];
  const int most =
      player ? game_.players[static_cast<std::size_t>(node.index)].most : game_.variables[other].most;
  const auto [low, high] = range(node.first);
  if (low > most || high < 0) return rbg_never();
  const std::string value = number(node.first);
  std::vector<RbgAction> parts{tell(walker)};
  if (low < 0) parts.push_back(rbg_word(fmt::format("require {} >= 0", value)));
  if (high > most) parts.push_back(rbg_word(fmt::format("require {} <= {}", value, most)));
  parts.push_back(rbg_word(fmt::format("set {} = {}", name, value)));
  return rbg_chain(parts);
}

RbgAction RbgWalks::check(const RbgNode& node, RbgWalker& walker) {
  RbgWalker inner{walker.here, true, true, false};
  const RbgAction action = of(node.children.front(), inner);
  if (action.never()) return node.negated ? RbgAction{} : rbg_never();
  if (action.nothing()) return node.negated ? rbg_never() : RbgAction{};
  if (!walker.here && needs_here) walker.here = true;
  if (action.join == RbgAction::Join::word && action.text.starts_with("at ")) {
    const std::string set = action.text.substr(3);
    if (!node.negated) return action;
    return rbg_word(set.starts_with('~')
                        ? "at " + set.substr(1)
                        : "at ~" + (set.find(' ') == std::string::npos ? set : "(" + set + ")"));
  }
  return rbg_word(fmt::format("require {}can {}", node.negated ? "not " : "", action.step()));
}

RbgAction RbgWalks::sum(const RbgNode& node, RbgWalker& walker) {
  std::vector<int> labels;
  for (const int child : node.children)
    if (at(child).what == RbgWhat::shift) labels.push_back(at(child).index);
  if (labels.size() == node.children.size()) return go(labels, walker);
  const auto told = walker.tells ? marks(node) : std::vector<RbgAction>(node.children.size());
  std::vector<RbgAction> parts;
  std::optional<RbgWalker> after;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    RbgWalker inner = walker;
    if (!told[i].nothing()) inner.first = false;
    const RbgAction action = of(node.children[i], inner);
    if (action.never()) continue;
    parts.push_back(rbg_chain({told[i], action}));
    after = after ? after->joined(inner) : inner;
  }
  if (after) walker = *after;
  return rbg_either(parts);
}

// Does a walk through it divide?
bool RbgWalks::branches(int node) const {
  const RbgNode& what = at(node);
  if (what.what == RbgWhat::check) return false;
  if (what.what == RbgWhat::sum || what.what == RbgWhat::star) return true;
  return std::any_of(what.children.begin(), what.children.end(), [&](int child) { return branches(child); });
}

// A walk that divides and changes nothing is a flood: each cell once, not each way.
RbgAction RbgWalks::star(const RbgNode& node, RbgWalker& walker) {
  const int body = node.children.front();
  if (at(body).what == RbgWhat::star) return star(at(body), walker);
  const bool flood = !changes(body) && branches(body);
  const RbgWalker before = walker;
  if (flood) need(walker);
  RbgWalker inner = walker;
  RbgAction action = of(body, inner);
  if (const RbgWalker both = walker.joined(inner); both != walker) {
    RbgWalker again = both;
    action = of(body, again);
    inner = both.joined(again);
  }
  if (action.never() || action.nothing()) {
    walker = before;
    return {};
  }
  walker = walker.joined(inner);
  if (flood) {
    need(walker);
    walker.said = false;
    return rbg_word(fmt::format("to reach(here, {}*)", action.step()));
  }
  return rbg_word(fmt::format("{}*", action.step()));
}

// Can the first change of one alternative be that of the other? They can't where they begin with conditions
// that exclude each other.
bool RbgWalks::apart(int one, int other) const {
  const auto guards = [&](int node) {
    std::vector<int> found;
    std::vector<int> parts = at(node).what == RbgWhat::sequence ? at(node).children : std::vector<int>{node};
    for (const int part : parts) {
      const RbgWhat what = at(part).what;
      if (what != RbgWhat::on && what != RbgWhat::check && what != RbgWhat::compare) break;
      found.push_back(part);
    }
    return found;
  };
  const auto excluded = [&](const RbgNode& a, const RbgNode& b) {
    if (a.what != b.what) return false;
    if (a.what == RbgWhat::on) {
      return std::none_of(a.pieces.begin(), a.pieces.end(), [&](int piece) {
        return std::binary_search(b.pieces.begin(), b.pieces.end(), piece);
      });
    }
    if (a.what == RbgWhat::check)
      return a.negated != b.negated && alike_[static_cast<std::size_t>(a.children.front())] ==
                                           alike_[static_cast<std::size_t>(b.children.front())];
    if (number(a.first) != number(b.first)) return false;
    const std::string x = number(a.second), y = number(b.second);
    const std::string signs = a.text + " " + b.text;
    if (a.text == "==" && b.text == "==")
      return x != y && range(a.second).first == range(a.second).second &&
             range(b.second).first == range(b.second).second;
    static const std::set<std::string> kExclusive{"< ==", "== <", "> ==", "== >", "< >=",  ">= <",
                                                  "> <=", "<= >", "< >",  "> <",  "== !=", "!= =="};
    return x == y && kExclusive.contains(signs);
  };
  for (const int a : guards(one))
    for (const int b : guards(other))
      if (excluded(at(a), at(b))) return true;
  return false;
}

namespace {

// The labels of an alternative up to its first change, if there is one way only.
std::optional<std::vector<int>> way(const RbgGame& game, int node) {
  std::vector<int> labels;
  const RbgNode& what = game.nodes[static_cast<std::size_t>(node)];
  for (const int part : what.what == RbgWhat::sequence ? what.children : std::vector<int>{node}) {
    const RbgNode& step = game.nodes[static_cast<std::size_t>(part)];
    if (step.what == RbgWhat::shift)
      labels.push_back(step.index);
    else if (step.what == RbgWhat::off || step.what == RbgWhat::assign || step.what == RbgWhat::turn_to)
      return labels;
    else if (step.what != RbgWhat::on && step.what != RbgWhat::check && step.what != RbgWhat::compare)
      return std::nullopt;
  }
  return std::nullopt;
}

} // namespace

std::vector<RbgAction> RbgWalks::marks(const RbgNode& sum) const {
  std::vector<RbgAction> told(sum.children.size());
  for (std::size_t i = 1; i < sum.children.size(); ++i) {
    if (!changes(sum.children[i])) continue;
    const RbgAction mark = rbg_word(fmt::format("say \"/{}\"", i + 1));
    if (sum.children.size() > kMostCompared) {
      told[i] = mark;
      continue;
    }
    const auto here = way(game_, sum.children[i]);
    for (std::size_t j = 0; j < i; ++j) {
      if (!changes(sum.children[j]) || apart(sum.children[i], sum.children[j])) continue;
      const auto there = way(game_, sum.children[j]);
      // One step in different directions leads to different cells.
      if (here && there && here->size() == there->size() && here->size() == 1 && *here != *there) continue;
      told[i] = mark;
    }
  }
  return told;
}

} // namespace boardwright::tools
