// Pieces of actions as a rule file writes them.
#pragma once

#include <string>
#include <vector>

namespace boardwright::tools {

struct RbgAction {
  enum class Join { never, nothing, word, chain, either };
  Join join = Join::nothing;
  std::string text;

  [[nodiscard]] bool never() const { return join == Join::never; }
  [[nodiscard]] bool nothing() const { return join == Join::nothing; }
  // As one step: in parentheses where it needs them.
  [[nodiscard]] std::string step() const;
  // As the whole body of a definition.
  [[nodiscard]] std::string body() const;
};

[[nodiscard]] RbgAction rbg_never();
[[nodiscard]] RbgAction rbg_word(std::string text);
// One after the other. `to S` and `at T` become `to S & T`.
[[nodiscard]] RbgAction rbg_chain(const std::vector<RbgAction>& parts);
// One of them; what is there twice is there once.
[[nodiscard]] RbgAction rbg_either(const std::vector<RbgAction>& parts);

// The steps of a chain. Strings in it have no comma.
[[nodiscard]] std::vector<std::string> rbg_steps(const std::string& chain);
// A set, as an operand of `&`.
[[nodiscard]] std::string set_operand(const std::string& set);

} // namespace boardwright::tools
