// Single changes of a rule file, such as an author makes by a slip: own for enemy, forward for backward, one
// more, a condition left out. What a change would do tells what the place that is changed is for.
#pragma once

#include "dsl/rule_file.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace boardwright::interpreter {

struct Change {
  enum class Sort : std::uint8_t {
    verdict,  // a line of `end` that decides the other way
    word,     // another word that may stand here
    number,   // one more, one less
    sign,     // another sign of comparison, or between sets or numbers
    joined,   // `or` for `and`, or the other way round
    negated,  // a condition that asks for the opposite
    left_out, // a condition, a step, or a part of a condition that isn't there
  } sort = Sort::word;
  dsl::Span span;
  std::string what; // "`enemy` instead of `own`", "without `not`"
  // Where it is: the rule, in the order of each_own_rule, and the node, in that of each_node.
  std::size_t rule = 0, node = 0;
  std::size_t variant = 0; // of several that one place allows
  bool of_step = false;    // the whole condition of a `require`
};

// All of them, those that authors make most often first. A file of some hundred lines has a thousand.
[[nodiscard]] std::vector<Change> changes_of(const dsl::RuleFile& file, const dsl::Sources& sources);

// The file with one change. A change may make it one that doesn't load.
[[nodiscard]] dsl::RuleFile changed(const dsl::RuleFile& file, const Change& change);

} // namespace boardwright::interpreter
