#include "tools/import/rbg/action.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

namespace boardwright::tools {
namespace {

// What stands in a chain, so that neighbours can be joined.
struct Links {
  std::vector<std::string> texts;
  std::string walk; // the set of a `to` that is last, "" if there is none

  void close() {
    if (!walk.empty()) texts.push_back("to " + walk);
    walk.clear();
  }
  void add(const std::string& text) {
    if (text.starts_with("to ") && !text.starts_with("to reach(")) {
      close();
      walk = text.substr(3);
    } else if (text.starts_with("at ") && !walk.empty()) {
      const std::string set = text.substr(3);
      walk = walk == "board" ? set : set_operand(walk) + " & " + set_operand(set);
    } else {
      close();
      texts.push_back(text);
    }
  }
};

// Does it need parentheses as an alternative? `require C or D` would ask for either condition.
bool encloses(const RbgAction& part) {
  return part.join == RbgAction::Join::chain || part.text.starts_with("require ");
}

} // namespace

std::vector<std::string> rbg_steps(const std::string& chain) {
  std::vector<std::string> steps(1);
  int open = 0;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    open += chain[i] == '(' ? 1 : chain[i] == ')' ? -1 : 0;
    if (open == 0 && chain[i] == ',') {
      steps.emplace_back();
      ++i; // the blank behind it
    } else {
      steps.back() += chain[i];
    }
  }
  return steps;
}

std::string set_operand(const std::string& set) {
  int open = 0;
  for (const char c : set) {
    open += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (open == 0 && c == '|') return "(" + set + ")";
  }
  return set;
}

std::string RbgAction::step() const {
  switch (join) {
  case Join::never: return "never";
  case Join::nothing: return "nothing";
  default: return "(" + text + ")";
  }
}

std::string RbgAction::body() const {
  return join == Join::never ? "never" : join == Join::nothing ? "nothing" : text;
}

RbgAction rbg_never() { return {RbgAction::Join::never, ""}; }
RbgAction rbg_word(std::string text) { return {RbgAction::Join::word, std::move(text)}; }

RbgAction rbg_chain(const std::vector<RbgAction>& parts) {
  Links links;
  for (const RbgAction& part : parts) {
    if (part.never()) return rbg_never();
    if (part.nothing()) continue;
    if (part.join == RbgAction::Join::either)
      links.add("(" + part.text + ")");
    else if (part.join == RbgAction::Join::word)
      links.add(part.text);
    else
      for (const std::string& step : rbg_steps(part.text)) links.add(step);
  }
  links.close();
  if (links.texts.empty()) return {};
  if (links.texts.size() == 1 && links.texts.front().front() != '(') return rbg_word(links.texts.front());
  return {RbgAction::Join::chain, fmt::format("{}", fmt::join(links.texts, ", "))};
}

RbgAction rbg_either(const std::vector<RbgAction>& parts) {
  std::vector<std::string> texts;
  std::set<std::string> known;
  const RbgAction* only = nullptr;
  for (const RbgAction& part : parts) {
    if (part.never()) continue;
    std::string text = encloses(part) ? "(" + part.text + ")" : part.body();
    if (!known.insert(text).second) continue;
    texts.push_back(std::move(text));
    only = &part;
  }
  if (texts.empty()) return rbg_never();
  if (texts.size() == 1) return *only;
  return {RbgAction::Join::either, fmt::format("{}", fmt::join(texts, " or "))};
}

} // namespace boardwright::tools
