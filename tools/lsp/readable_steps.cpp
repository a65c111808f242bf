#include "tools/lsp/readable_steps.hpp"

#include "dsl/families.hpp"
#include "dsl/grammar.hpp"
#include "dsl/text.hpp"
#include "dsl/tokens.hpp"
#include "dsl/yaml.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace boardwright::tools {
namespace {

using RuleTokens = dsl::Tokens;
using dsl::Text;
using dsl::Tok;

struct Stretch { // tokens [begin, end)
  std::size_t begin = 0, end = 0;
};

bool opens(Tok tok) { return tok == Tok::open || tok == Tok::open_brace; }
bool closes(Tok tok) { return tok == Tok::close || tok == Tok::close_brace; }
bool separates(Tok tok) { return tok == Tok::comma || tok == Tok::or_ || tok == Tok::otherwise; }

// What a rule binds: `c in S`, `let x = E`, `for c in S`. That more is taken to be bound does no harm.
std::set<std::string, std::less<>> bound_in(const Text& rule, const RuleTokens& tokens) {
  std::set<std::string, std::less<>> names;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].kind != Tok::name) continue;
    const Tok next = tokens[i + 1].kind, before = i > 0 ? tokens[i - 1].kind : Tok::end;
    if (next == Tok::in || next == Tok::equal || next == Tok::of || before == Tok::let ||
        before == Tok::for_ || before == Tok::each)
      names.insert(rule.text.substr(tokens[i].begin, tokens[i].end - tokens[i].begin));
  }
  return names;
}

void add_words(const std::string& text, std::set<std::string, std::less<>>& words) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && dsl::continues_name(text[end])) ++end;
    if (end > at) words.insert(text.substr(at, end - at));
    at = end + 1;
  }
}

// The steps and alternatives of a stretch; what stands in its first parentheses where it has but one.
std::vector<Stretch> inner(const RuleTokens& tokens, Stretch whole) {
  std::vector<Stretch> parts{{whole.begin, whole.begin}};
  std::optional<Stretch> group;
  std::size_t depth = 0;
  for (std::size_t i = whole.begin; i < whole.end; ++i) {
    const Tok tok = tokens[i].kind;
    if (closes(tok) && depth > 0 && --depth == 0 && group && group->end == whole.end) group->end = i;
    if (depth == 0 && separates(tok))
      parts.push_back({i + 1, i + 1});
    else
      parts.back().end = i + 1;
    if (opens(tok) && depth++ == 0 && !group) group = Stretch{i + 1, whole.end};
  }
  if (parts.size() > 1) return parts;
  return group ? std::vector{*group} : std::vector<Stretch>{};
}

} // namespace

ReadableSteps::ReadableSteps(interpreter::Loaded& loaded)
    : loaded_(loaded), definitions_(loaded.file->define.size()), told_(loaded.diagnostics.all().size()) {
  const auto& all = loaded.diagnostics.all();
  const bool has_broken = std::any_of(all.begin(), all.end(), [&](const dsl::Diagnostic& d) {
    return d.code.name() == "syntax" && d.span.file == loaded.file->file;
  });
  if (!has_broken) return;
  dsl::Diagnostics ignored;
  const auto root = dsl::read_yaml(loaded.sources, loaded.file->file, ignored);
  if (!root || !root->is_map()) return;
  if (const dsl::Yaml* turn = root->find("turn")) look_at(*turn, Text());
  if (const dsl::Yaml* define = root->find("define"); define != nullptr && define->is_map())
    for (const dsl::YamlEntry& entry : define->entries) look_at(entry.value, entry.key);
}

void ReadableSteps::look_at(const dsl::Yaml& body, const Text& head) {
  for (const dsl::YamlEntry& entry : body.entries) look_at(entry.value, head);
  if (!body.is_scalar() || broken_.size() >= kMostBrokenRules) return;
  dsl::Diagnostics ignored;
  if (dsl::parse_body(body.text, ignored)) return;
  const auto tokens = dsl::tokenize(body.text, ignored);
  if (!tokens) return;
  broken_.push_back({body.text.span(), bound_in(body.text, *tokens)});
  add_words(head.text, broken_.back().bound);
  read(body.text);
}

// From the whole to its steps, theirs, and so on; what can be read isn't taken apart.
void ReadableSteps::read(const Text& rule) {
  dsl::Diagnostics ignored;
  const auto tokens = dsl::tokenize(rule, ignored);
  if (!tokens) return;
  std::vector<Stretch> waiting = inner(*tokens, {0, tokens->size() - 1});
  for (attempts_ = 0; !waiting.empty() && attempts_ < kMostAttempts; ++attempts_) {
    const Stretch next = waiting.back();
    waiting.pop_back();
    if (next.begin >= next.end) continue;
    const Text step = rule.part((*tokens)[next.begin].begin, (*tokens)[next.end - 1].end);
    if (auto body = dsl::parse_body(step, ignored)) {
      dsl::Definition definition; // whose name nobody can write
      definition.name = {"step " + std::to_string(loaded_.file->define.size()), step.span()};
      definition.span = step.span();
      dsl::resolve_families(*loaded_.file, *body, loaded_.diagnostics);
      definition.body = std::move(*body);
      loaded_.file->define.push_back(std::move(definition));
      continue;
    }
    for (const Stretch& part : inner(*tokens, next))
      if (part.end - part.begin < next.end - next.begin) waiting.push_back(part);
  }
}

bool ReadableSteps::is_told(const dsl::Diagnostic& diagnostic) const {
  const auto around = std::find_if(broken_.begin(), broken_.end(), [&](const Broken& rule) {
    return diagnostic.span.file == rule.span.file && diagnostic.span.begin >= rule.span.begin &&
           diagnostic.span.end <= rule.span.end;
  });
  if (around == broken_.end()) return true;
  const std::string& text = loaded_.sources.text(diagnostic.span.file);
  std::string name = text.substr(diagnostic.span.begin, diagnostic.span.end - diagnostic.span.begin);
  name.resize(std::min(name.size(), name.find('(')));
  return diagnostic.code.name() == "unknown-name" && !around->bound.contains(name);
}

void ReadableSteps::take_away() {
  if (broken_.empty()) return;
  loaded_.file->define.resize(definitions_);
  dsl::Diagnostics kept;
  for (std::size_t i = 0; i < loaded_.diagnostics.all().size(); ++i) {
    const dsl::Diagnostic& d = loaded_.diagnostics.all()[i];
    if (i >= told_ && !is_told(d)) continue;
    if (d.severity == dsl::Severity::error)
      kept.error(d.code, d.span, d.message);
    else
      kept.warning(d.code, d.span, d.message);
    kept.last() = d;
  }
  loaded_.diagnostics = std::move(kept);
}

} // namespace boardwright::tools
