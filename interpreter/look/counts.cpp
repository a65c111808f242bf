// Entry points: counts_of, values_of.
#include "interpreter/look/counts.hpp"

#include "interpreter/load.hpp"
#include "runtime/model/operations.hpp"
#include "runtime/reference/walker.hpp"

#include <algorithm>
#include <limits>

namespace boardwright::interpreter {
namespace {

using runtime::EndLine;
using runtime::Node;
using runtime::NodeId;
using runtime::Op;
using runtime::Origin;
using runtime::Program;
using runtime::Verdict;

class Finder {
public:
  explicit Finder(const Loaded& loaded) : loaded_(loaded), program_(loaded.rules->program()) {}

  std::vector<Count> find() {
    const std::size_t lines = program_.players.front().end.size();
    for (const bool scores : {true, false}) // what a game is won by comes first
      for (std::size_t line = 0; line < lines; ++line)
        if (has_line(line) && !never_applies(line)) scores ? add_score(line) : add_compared(line);
    if (counts_.size() > kMaxCounts) counts_.resize(kMaxCounts);
    return std::move(counts_);
  }

private:
  // The same lines stand with every player, each about himself.
  [[nodiscard]] const EndLine& line_of(std::size_t player, std::size_t line) const {
    return program_.players[player].end[line];
  }
  [[nodiscard]] bool has_line(std::size_t line) const {
    return std::all_of(program_.players.begin(), program_.players.end(),
                       [&](const auto& player) { return line < player.end.size(); });
  }
  [[nodiscard]] const Node& node(NodeId id) const { return program_.nodes[id]; }
  [[nodiscard]] bool never_applies(std::size_t line) const {
    const auto never = [&](const auto& player) {
      const Node& condition = node(player.end[line].condition);
      return condition.op == Op::truth && condition.a == 0;
    };
    return std::all_of(program_.players.begin(), program_.players.end(), never);
  }

  void add_score(std::size_t line) {
    const EndLine& first = line_of(0, line);
    if (first.verdict != Verdict::score || first.score.size() != program_.players.size()) return;
    // What players count is told with their state; what other lines add at the end would contradict it.
    if (scores_stored_ || all_stored(first.score)) {
      scores_stored_ = true;
      return;
    }
    if (const auto lost = negated(first.score); !lost.empty())
      return add({text_of(lost.front()), lost}); // the fewer the better: as they are counted
    add({counts_.empty() ? "score" : text_of(first.score.front()), first.score});
  }

  // What the score takes off, for each player; empty where it is no such score.
  [[nodiscard]] std::vector<NodeId> negated(const std::vector<NodeId>& scores) const {
    std::vector<NodeId> kids;
    for (const NodeId id : scores) {
      if (node(id).op != Op::negate) return {};
      kids.push_back(program_.kid(node(id), 0));
    }
    return kids;
  }

  // Both sides of comparisons that the condition is made of.
  void add_compared(std::size_t line) {
    std::vector<NodeId> conditions;
    for (std::size_t player = 0; player < program_.players.size(); ++player)
      conditions.push_back(line_of(player, line).condition);
    look_into(conditions);
  }

  // One node for each player; where they differ in form there is nothing to tell.
  void look_into(const std::vector<NodeId>& nodes) {
    const Node& first = node(nodes.front());
    for (const NodeId id : nodes)
      if (node(id).op != first.op || node(id).count != first.count) return;
    const bool joins = first.op == Op::all_of || first.op == Op::any_of || first.op == Op::negation;
    const bool compares = first.op == Op::equal || first.op == Op::less || first.op == Op::at_most;
    if (!joins && !compares) return;
    for (std::uint32_t i = 0; i < first.count; ++i) {
      std::vector<NodeId> kids;
      for (const NodeId id : nodes) kids.push_back(program_.kid(node(id), i));
      if (joins)
        look_into(kids);
      else if (const Node& kid = node(kids.front()); kid.type == runtime::Type::number)
        add({text_of(kids.front()), std::move(kids)});
    }
  }

  void add(Count count) {
    if (count.name.empty()) return;
    if (all_stored(count.nodes)) return;
    if (std::any_of(count.nodes.begin(), count.nodes.end(), [&](NodeId id) { return isnt_told(id); })) return;
    const bool known = std::any_of(counts_.begin(), counts_.end(), [&](const Count& other) {
      return other.name == count.name || is_other_side(count, other);
    });
    if (known) return;
    count.shared = std::all_of(count.nodes.begin(), count.nodes.end(),
                               [&](NodeId id) { return same(id, count.nodes.front()); });
    counts_.push_back(std::move(count));
  }

  // Variables, hands and numbers, which are told anyway.
  [[nodiscard]] bool all_stored(const std::vector<NodeId>& nodes) const {
    return std::all_of(nodes.begin(), nodes.end(), [&](NodeId id) {
      const Op op = node(id).op;
      return op == Op::variable || op == Op::hand || op == Op::hand_total || op == Op::number;
    });
  }

  // Of two players: what `enemy` counts is told with the other one.
  [[nodiscard]] bool is_other_side(const Count& count, const Count& other) const {
    return count.nodes.size() == 2 && same(count.nodes[0], other.nodes[1]) &&
           same(count.nodes[1], other.nodes[0]);
  }

  [[nodiscard]] bool same(NodeId a, NodeId b) const {
    const Node &one = node(a), &other = node(b);
    if (one.op != other.op || one.a != other.a || one.b != other.b || one.count != other.count) return false;
    for (std::uint32_t i = 0; i < one.count; ++i)
      if (!same(program_.kid(one, i), program_.kid(other, i))) return false;
    return true;
  }

  // Of earlier positions nothing is known here, moves are too many to be looked for, and their number tells
  // little.
  [[nodiscard]] bool isnt_told(NodeId id) const {
    const Node& n = node(id);
    if (runtime::asks_the_past(n.op) || n.op == Op::can) return true;
    const auto kids = program_.kids_of(n);
    return std::any_of(kids.begin(), kids.end(), [&](NodeId kid) { return isnt_told(kid); });
  }

  // The definition's name, or what stands in `end` if that is short.
  [[nodiscard]] std::string text_of(NodeId id) const {
    const Origin& origin = program_.origins[node(id).origin];
    const std::string& rule = program_.rules[origin.rule];
    if (rule != "end" && rule != "turn") {
      if (is_inside_vocabulary(rule)) return "";
      if (!names_condition(rule)) return rule;
    }
    const std::string& file = program_.files[origin.file];
    for (dsl::FileId i = 0; i < loaded_.sources.size(); ++i) {
      const std::string& text = loaded_.sources.text(i);
      if (loaded_.sources.name(i) != file || origin.end > text.size() || origin.begin >= origin.end) continue;
      const std::string written = text.substr(origin.begin, origin.end - origin.begin);
      return written.size() > kMaxCountName || written.find('\n') != std::string::npos ? "" : written;
    }
    return "";
  }

  // `few: count(own) <= 3` is the name of what is asked, and not of the number.
  [[nodiscard]] static bool has_condition(const std::vector<dsl::Definition>& define,
                                          const std::string& rule) {
    const auto asks = [](const auto& self, const dsl::Ast& n) -> bool {
      if (n.form == dsl::Form::paren) return self(self, n.kids[0]);
      return n.form == dsl::Form::compare || n.form == dsl::Form::all_of || n.form == dsl::Form::either ||
             n.form == dsl::Form::negation;
    };
    return std::any_of(define.begin(), define.end(), [&](const dsl::Definition& d) {
      return d.name.text == rule && d.body && asks(asks, *d.body);
    });
  }
  [[nodiscard]] bool names_condition(const std::string& rule) const {
    return loaded_.file && has_condition(loaded_.file->define, rule);
  }

  // What a condition of a vocabulary compares is its own affair: who plays knows it by the condition.
  [[nodiscard]] bool is_inside_vocabulary(const std::string& rule) const {
    if (!loaded_.file) return false;
    const auto& all = loaded_.file->vocabularies;
    return std::any_of(all.begin(), all.end(),
                       [&](const auto& vocabulary) { return has_condition(vocabulary, rule); });
  }

  const Loaded& loaded_;
  const Program& program_;
  std::vector<Count> counts_;
  bool scores_stored_ = false; // a line has scored what is told anyway
};

} // namespace

std::vector<Count> counts_of(const Loaded& loaded) {
  if (loaded.rules == nullptr || loaded.rules->program().players.empty()) return {};
  return Finder(loaded).find();
}

std::vector<std::optional<std::int64_t>> values_of(const Count& count, const Program& program,
                                                   const runtime::Position& position, std::uint64_t& steps) {
  const runtime::Walker walker(program);
  std::vector<std::optional<std::int64_t>> values;
  for (const NodeId node : count.nodes) {
    const auto value = walker.evaluate(node, position, steps);
    values.push_back(value ? std::optional(value->number) : std::nullopt);
  }
  return values;
}

} // namespace boardwright::interpreter
