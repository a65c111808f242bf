#include "tools/english/rule_sources.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <type_traits>

namespace boardwright::tools {
namespace {

using dsl::Ast;
using dsl::Definition;
using dsl::Form;
using dsl::RuleFile;

template <class Visit>
void each_node(const Ast& tree, const Visit& visit) {
  visit(tree);
  for (const Ast& kid : tree.kids) each_node(kid, visit);
}

// The bodies of a definition or a turn, with those that `inherited` calls.
template <class Rule, class Visit>
void each_body(const Rule& rule, const Visit& visit) {
  for (const auto& [name, body] : rule.cases) visit(body);
  if (rule.others) visit(*rule.others);
  if constexpr (std::is_same_v<Rule, Definition>) {
    if (rule.body) visit(*rule.body);
  } else {
    if (rule.cases.empty()) visit(rule.body);
  }
  if (rule.replaced != nullptr) each_body(*rule.replaced, visit);
}

class Uses {
public:
  explicit Uses(const RuleFile& file) : file_(file) {}

  void rule(const Ast& tree) {
    each_node(tree, [this](const Ast& n) {
      if (n.form != Form::name && n.form != Form::call) return;
      const Definition* d = meant(n);
      if (d != nullptr && used_.insert(d).second) each_body(*d, [this](const Ast& body) { rule(body); });
    });
  }

  [[nodiscard]] std::vector<const Definition*> in_order() const {
    std::vector<const Definition*> found;
    for (const Definition& d : file_.define)
      if (used_.contains(&d)) found.push_back(&d);
    return found;
  }

private:
  // The file's own before those of vocabularies, of these the last one.
  [[nodiscard]] const Definition* meant(const Ast& n) const {
    const auto is_meant = [&](const Definition& d) {
      return d.name.text == n.word && d.parameters.empty() == (n.form == Form::name);
    };
    const Definition* found = nullptr;
    for (const auto& vocabulary : file_.vocabularies)
      for (const Definition& d : vocabulary) found = is_meant(d) ? &d : found;
    for (const Definition& d : file_.define) found = is_meant(d) ? &d : found;
    return found;
  }

  const RuleFile& file_;
  std::set<const Definition*> used_;
};

// Where the quotes and the braces are closed that are opened in [begin, end) of a file's text: the places of
// bodies in a map don't reach so far.
std::uint32_t closed_end(std::string_view text, std::uint32_t begin, std::uint32_t end) {
  constexpr std::uint32_t kFurthest = 10'000; // comments may stand between
  const auto last = static_cast<std::uint32_t>(std::min<std::size_t>(text.size(), end + kFurthest));
  int open = 0;
  char quote = 0, before = 0; // the sign before, blanks apart
  for (std::uint32_t i = begin; i < last; ++i) {
    if (i >= end && open == 0 && quote == 0) return i;
    const char c = text[i];
    const bool blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (quote != 0)
      quote = c == quote && text[i - 1] != '\\' ? char{0} : quote;
    else if (c == '#' && i > begin && std::string_view(" \t\n").find(text[i - 1]) != std::string_view::npos)
      while (i + 1 < last && text[i + 1] != '\n') ++i;
    else if (c == '"' || (c == '\'' && std::string_view(":,{").find(before) != std::string_view::npos))
      quote = c; // rules have words in quotes, too
    else if (c == '{' || c == '}')
      open += c == '{' ? 1 : -1;
    if (!blank) before = c;
  }
  return open == 0 && quote == 0 ? std::max(last, end) : end;
}

} // namespace

std::vector<const Definition*> used_definitions(const RuleFile& file) {
  Uses uses(file);
  if (file.turn) each_body(*file.turn, [&](const Ast& body) { uses.rule(body); });
  for (const dsl::EndRule& line : file.end) {
    uses.rule(line.condition);
    if (line.score) uses.rule(*line.score);
  }
  return uses.in_order();
}

dsl::Span whole_span(const dsl::Sources& sources, const Definition& definition) {
  dsl::Span whole = definition.span;
  const auto add = [&](const Ast& body) {
    if (body.span.file == whole.file) whole.end = std::max(whole.end, body.span.end);
  };
  if (definition.body) add(*definition.body);
  for (const auto& [name, body] : definition.cases) add(body);
  if (definition.others) add(*definition.others);
  if (whole.file < sources.size()) whole.end = closed_end(sources.text(whole.file), whole.begin, whole.end);
  return whole;
}

std::vector<dsl::Span> decisions(const RuleFile& file) {
  std::vector<dsl::Span> found;
  const auto look = [&](const Ast& body) {
    each_node(body, [&](const Ast& n) {
      if (n.form == Form::win || n.form == Form::lose || n.form == Form::draw) found.push_back(n.span);
    });
  };
  Uses uses(file);
  if (file.turn)
    each_body(*file.turn, [&](const Ast& body) {
      look(body);
      uses.rule(body);
    });
  for (const Definition* d : uses.in_order()) each_body(*d, look);
  return found;
}

} // namespace boardwright::tools
