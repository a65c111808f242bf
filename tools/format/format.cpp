// Entry points: format_rule_file, same_content, rules_of.
#include "tools/format/format.hpp"

#include "dsl/migrate.hpp"
#include "dsl/text.hpp"
#include "dsl/tokens.hpp"
#include "tools/console/wrapped.hpp"

#include <algorithm>
#include <set>

namespace boardwright::tools {
namespace {

using dsl::Edit;
using dsl::Tok;
using dsl::Yaml;

std::uint32_t offset(std::size_t at) { return static_cast<std::uint32_t>(at); }

bool is_all_blank(std::string_view text) { return std::all_of(text.begin(), text.end(), dsl::is_blank); }

void collect_scalars(const Yaml& node, std::vector<const Yaml*>& found) {
  if (node.is_scalar()) found.push_back(&node);
  for (const Yaml& item : node.items) collect_scalars(item, found);
  for (const auto& entry : node.entries) collect_scalars(entry.value, found);
}

// --- blanks between the words of rules, and in `{ … }` and `[ … ]`

class Spacing {
public:
  explicit Spacing(const std::string& text) : text_(text) {}

  std::vector<Edit> edits(const Yaml& root) {
    for (const Yaml* rule : rules_of(root)) words(rule->text);
    collection(root);
    std::sort(edits_.begin(), edits_.end(),
              [](const Edit& a, const Edit& b) { return a.span.begin < b.span.begin; });
    std::vector<Edit> apart;
    for (Edit& edit : edits_)
      if (apart.empty() || apart.back().span.end <= edit.span.begin) apart.push_back(std::move(edit));
    return apart;
  }

private:
  // What stands in the file between two places becomes `blanks`, if nothing but blanks is there.
  void gap(std::size_t begin, std::size_t end, std::string_view blanks) {
    if (begin > end || end > text_.size()) return;
    const std::string_view now = std::string_view(text_).substr(begin, end - begin);
    if (now != blanks && is_all_blank(now))
      edits_.push_back({{0, offset(begin), offset(end)}, std::string(blanks)});
  }

  void words(const dsl::Text& rule) {
    dsl::Diagnostics ignored;
    const auto tokens = dsl::tokenize(rule, ignored);
    if (!tokens) return;
    for (std::size_t i = 0; i + 2 < tokens->size(); ++i) { // the last is `end`
      const dsl::Token &left = (*tokens)[i], &right = (*tokens)[i + 1];
      const std::size_t begin = rule.offsets[left.end - 1] + 1, end = rule.offsets[right.begin];
      const bool any = end > begin;
      if (!any && !needs_blank(left.kind, right.kind)) continue;
      gap(begin, end, wants_none(left.kind, right.kind) ? "" : " ");
    }
  }

  // Signs that compare or join have blanks around them. Those that also are signs of numbers or repeat a step
  // stay as their author wrote them.
  static bool joins(Tok kind) {
    static const dsl::Toks kJoining = {Tok::equal,   Tok::not_equal, Tok::less_equal, Tok::greater_equal,
                                       Tok::greater, Tok::less,      Tok::bar,        Tok::ampersand};
    return kJoining.has(kind);
  }
  static bool needs_blank(Tok left, Tok right) { return left == Tok::comma || joins(left) || joins(right); }
  static bool wants_none(Tok left, Tok right) {
    return left == Tok::open || right == Tok::close || right == Tok::comma;
  }

  // A tree of YAML is bounded in height.
  void collection(const Yaml& node) {
    if (node.is_map() && node.span.begin < text_.size() && text_[node.span.begin] == '{') flow_map(node);
    for (const Yaml& item : node.items) collection(item);
    for (const auto& entry : node.entries) collection(entry.value);
  }

  void flow_map(const Yaml& map) {
    std::size_t at = map.span.begin + 1;
    for (std::size_t i = 0; i < map.entries.size(); ++i) {
      const auto& [key, value, replaced] = map.entries[i];
      const std::size_t begin = before_quote(key.span().begin);
      if (i == 0)
        gap(at, begin, " ");
      else
        after_comma(at, begin);
      at = value.kind == Yaml::Kind::empty ? begin : value.span.end;
    }
    if (!map.entries.empty() && map.entries.back().value.kind != Yaml::Kind::empty) closing(at);
  }

  [[nodiscard]] std::size_t before_quote(std::size_t begin) const {
    return begin > 0 && (text_[begin - 1] == '"' || text_[begin - 1] == '\'') ? begin - 1 : begin;
  }

  void after_comma(std::size_t begin, std::size_t end) {
    const std::size_t comma = text_.find(',', begin);
    if (comma >= end) return;
    gap(begin, comma, "");
    gap(comma + 1, end, " ");
  }

  void closing(std::size_t begin) {
    const std::size_t brace = text_.find_first_not_of(" \t", begin);
    if (brace != std::string::npos && text_[brace] == '}') gap(begin, brace, " ");
  }

  const std::string& text_;
  std::vector<Edit> edits_;
};

// --- lines

// Which lines belong to scalars over several lines, where blanks and empty lines may mean something.
class Kept {
public:
  Kept(const dsl::Sources& sources, const Yaml& root) : sources_(sources) {
    const auto rules = rules_of(root);
    const std::set<const Yaml*> are_rules(rules.begin(), rules.end());
    std::vector<const Yaml*> scalars;
    collect_scalars(root, scalars);
    for (const Yaml* scalar : scalars) scalar_lines(*scalar, are_rules.contains(scalar));
  }

  [[nodiscard]] bool blanks(std::size_t line) const { return blanks_.contains(line); }
  [[nodiscard]] bool empty(std::size_t line) const { return empty_.contains(line); }

private:
  void scalar_lines(const Yaml& scalar, bool is_rule) {
    const std::size_t first = line(scalar.span.begin), last = line(scalar.span.end);
    for (std::size_t i = first; i <= last && first < last; ++i) {
      if (i > first) empty_.insert(i);
      if (!is_rule && scalar.style != Yaml::Style::plain) blanks_.insert(i);
    }
  }

  [[nodiscard]] std::size_t line(std::size_t at) const { return sources_.locate(0, offset(at)).line - 1; }

  const dsl::Sources& sources_;
  std::set<std::size_t> blanks_, empty_;
};

std::string without_trailing_blanks(const std::string& line) {
  const bool returned = !line.empty() && line.back() == '\r';
  const std::size_t end = line.find_last_not_of(" \t\r");
  return line.substr(0, end + 1) + (returned ? "\r" : ""); // npos + 1 is 0
}

// Nothing at the end of lines, one empty line where there were several, none at the beginning and the end.
std::string tidied(const std::string& text, const Kept& kept) {
  std::string result;
  bool wants_empty = false;
  const auto lines = lines_of(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string line = kept.blanks(i) ? lines[i] : without_trailing_blanks(lines[i]);
    if ((line.empty() || line == "\r") && !kept.empty(i)) {
      wants_empty = true;
      continue;
    }
    if (wants_empty && !result.empty()) result += result.ends_with("\r\n") ? "\r\n" : "\n";
    wants_empty = false;
    result += line + "\n";
  }
  return result;
}

// --- indentation

// Where each line goes: block entries stand two columns to the right of the entry that they belong to.
class Indentation {
public:
  Indentation(const dsl::Sources& sources, const std::string& text)
      : sources_(sources), lines_(lines_of(text)), shift_(lines_.size(), 0) {}

  std::string indented(const Yaml& root) {
    block(root, 0, lines_.size());
    std::string result;
    for (std::size_t i = 0; i < lines_.size(); ++i) result += moved(lines_[i], shift_[i]) + "\n";
    return result;
  }

private:
  // `wanted` is the column of the block's entries, `end` the first line behind it.
  void block(const Yaml& node, long wanted, std::size_t end) {
    if (node.is_map() && !is_flow(node)) {
      for (std::size_t i = 0; i < node.entries.size(); ++i) {
        const std::size_t first = line(node.entries[i].key.span().begin);
        const std::size_t next =
            i + 1 < node.entries.size() ? line(node.entries[i + 1].key.span().begin) : end;
        shift(first, next, wanted - key_column(node.entries[i]));
        inner(node.entries[i].value, first, wanted + 2, next);
      }
    }
    if (node.is_sequence() && !is_flow(node)) {
      for (std::size_t i = 0; i < node.items.size(); ++i) {
        const std::size_t first = line(node.items[i].span.begin);
        const std::size_t next = i + 1 < node.items.size() ? line(node.items[i + 1].span.begin) : end;
        const auto dash = static_cast<long>(lines_[first].find('-'));
        if (dash + 2 != column(node.items[i].span.begin) && node.items[i].is_map()) return; // `-   a: b`
        shift(first, next, wanted - dash);
        if (node.items[i].is_map()) block(node.items[i], wanted + 2, next);
      }
    }
  }

  void inner(const Yaml& value, std::size_t key_line, long wanted, std::size_t end) {
    const bool is_block = (value.is_map() || value.is_sequence()) && !is_flow(value);
    if (is_block && line(value.span.begin) > key_line) block(value, wanted, end);
  }

  void shift(std::size_t first, std::size_t end, long by) {
    for (std::size_t i = first; i < end && i < shift_.size(); ++i) shift_[i] = by;
  }

  static std::string moved(const std::string& text, long by) {
    if (by == 0 || without_trailing_blanks(text).find_first_not_of('\r') == std::string::npos) return text;
    if (by > 0) return std::string(static_cast<std::size_t>(by), ' ') + text;
    return text.substr(std::min(static_cast<std::size_t>(-by), text.find_first_not_of(' ')));
  }

  [[nodiscard]] bool is_flow(const Yaml& node) const {
    const std::string& text = sources_.text(0);
    return node.span.begin < text.size() && (text[node.span.begin] == '{' || text[node.span.begin] == '[');
  }
  [[nodiscard]] std::size_t line(std::size_t at) const { return sources_.locate(0, offset(at)).line - 1; }
  // Its quotes, if there are some, belong to a key.
  [[nodiscard]] long key_column(const dsl::YamlEntry& entry) const {
    const std::size_t begin = entry.key.span().begin;
    const char before = begin > 0 ? sources_.text(0)[begin - 1] : ' ';
    return column(before == '"' || before == '\'' ? begin - 1 : begin);
  }
  [[nodiscard]] long column(std::size_t at) const {
    return static_cast<long>(sources_.locate(0, offset(at)).column) - 1;
  }

  const dsl::Sources& sources_;
  std::vector<std::string> lines_;
  std::vector<long> shift_;
};

// --- is it still the same?

bool same_words(const dsl::Text& one, const dsl::Text& other) {
  if (one.text == other.text) return true;
  dsl::Diagnostics ignored;
  const auto left = dsl::tokenize(one, ignored), right = dsl::tokenize(other, ignored);
  if (!left || !right) return false;
  return std::equal(left->begin(), left->end(), right->begin(), right->end(),
                    [&](const dsl::Token& a, const dsl::Token& b) {
                      return a.kind == b.kind && one.text.substr(a.begin, a.end - a.begin) ==
                                                     other.text.substr(b.begin, b.end - b.begin);
                    });
}

bool same_tree(const Yaml& one, const Yaml& other, const std::set<const Yaml*>& rules) {
  if (one.kind != other.kind || one.items.size() != other.items.size() ||
      one.entries.size() != other.entries.size())
    return false;
  if (one.is_scalar()) {
    if (one.style != other.style) return false;
    return rules.contains(&one) ? same_words(one.text, other.text) : one.text.text == other.text.text;
  }
  for (std::size_t i = 0; i < one.items.size(); ++i)
    if (!same_tree(one.items[i], other.items[i], rules)) return false;
  for (std::size_t i = 0; i < one.entries.size(); ++i)
    if (one.entries[i].key.text != other.entries[i].key.text ||
        !same_tree(one.entries[i].value, other.entries[i].value, rules))
      return false;
  return true;
}

std::optional<Yaml> tree_of(const std::string& text, dsl::Sources& sources) {
  dsl::Diagnostics ignored;
  return dsl::read_yaml(sources, sources.add("", text), ignored);
}

using FormatStep = std::string (*)(const std::string& text, const dsl::Sources& sources, const Yaml& root);

// Each step reads the file anew. One that would change more than blanks isn't taken.
std::string stepped(const std::string& text, FormatStep step) {
  dsl::Sources sources;
  const auto root = tree_of(text, sources);
  if (!root) return text;
  const std::string result = step(text, sources, *root);
  return same_content(text, result) ? result : text;
}

std::string laid_out(std::string text) {
  text = stepped(text, [](const std::string& now, const dsl::Sources&, const Yaml& root) {
    return dsl::edited(now, Spacing(now).edits(root));
  });
  text = stepped(text, [](const std::string& now, const dsl::Sources& sources, const Yaml& root) {
    return Indentation(sources, now).indented(root);
  });
  return stepped(text, [](const std::string& now, const dsl::Sources& sources, const Yaml& root) {
    return tidied(now, Kept(sources, root));
  });
}

} // namespace

std::vector<const Yaml*> rules_of(const Yaml& root) {
  std::vector<const Yaml*> rules;
  for (const auto& entry : root.entries) {
    const std::string& name = entry.key.text;
    const bool is_map_of_rules = (name == "setup" && entry.value.is_map()) || name == "state";
    if (name == "turn" || name == "define" || name == "end" || is_map_of_rules)
      collect_scalars(entry.value, rules);
  }
  return rules;
}

bool same_content(const std::string& one, const std::string& other) {
  dsl::Sources sources, others;
  const auto left = tree_of(one, sources), right = tree_of(other, others);
  if (!left || !right) return false;
  const auto rules = rules_of(*left);
  return same_tree(*left, *right, {rules.begin(), rules.end()});
}

Formatted format_rule_file(const std::string& name, const std::string& text) {
  Formatted formatted;
  formatted.text = text;
  const dsl::FileId file = formatted.sources.add(name, text);
  if (dsl::read_yaml(formatted.sources, file, formatted.diagnostics)) formatted.text = laid_out(text);
  return formatted;
}

} // namespace boardwright::tools
