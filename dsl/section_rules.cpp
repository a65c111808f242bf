// Entry points: read_define, read_turn, read_end.
#include "dsl/other_languages.hpp"
#include "dsl/sections.hpp"
#include "dsl/shape.hpp"

#include <set>

namespace boardwright::dsl {
namespace {

constexpr std::string_view kDefineExample = "define: { hop: capture(ahead, enemy) }";

// Bytes of rules that may still be copied to further kinds, in one `define`.
struct CopyBudget {
  std::size_t left = kMaxCopiedRules;
};

// --- `name` or `name(a, b)`

struct Head {
  Name name;
  std::vector<Name> parameters;
};

void read_parameters(const Text& list, Head& head, Diagnostics& diagnostics) {
  for (const Text& part : split(list, ',')) {
    auto name = declared_name(part, "a parameter", diagnostics);
    if (!name) continue;
    head.parameters.push_back(std::move(*name));
  }
}

void head_error(const Text& key, Diagnostics& diagnostics) {
  diagnostics.error("syntax", key.span(), in_backticks(key.text) + " can't be the name of a definition")
      .expected = "expected `name` or `name(a, b)`";
}

std::optional<Head> read_head(const Text& written, Diagnostics& diagnostics) {
  const Text key = written.trimmed();
  const std::size_t open = key.text.find('(');
  const bool closed = !key.text.empty() && key.text.back() == ')';
  if (open != std::string::npos && !closed) return head_error(key, diagnostics), std::nullopt;
  auto name =
      declared_name(key.part(0, std::min(open, key.text.size())).trimmed(), "a definition", diagnostics);
  if (!name) return std::nullopt;
  Head head{std::move(*name), {}};
  if (open != std::string::npos) read_parameters(key.part(open + 1, key.text.size() - 1), head, diagnostics);
  return head;
}

// --- bodies

bool may_copy(const Ast& body, std::size_t length, std::size_t copies, CopyBudget& budget,
              Diagnostics& diagnostics) {
  const std::size_t bytes = length * (copies - 1);
  if (bytes > budget.left) {
    diagnostics.error("limit", body.span, "this body is copied to too many kinds").help =
        "give it a name and use that for each of them";
    return false;
  }
  budget.left -= bytes;
  return true;
}

// Of a map all of it.
std::size_t bytes_of(const Yaml& body) { return body.span.end - body.span.begin; }

std::optional<Ast> read_inner_bodies(const Yaml& value, CopyBudget& budget, Diagnostics& diagnostics);

// A rule; or, where bodies go by kind and by player, the bodies inside of this one.
std::optional<Ast> read_body(const YamlEntry& entry, bool inner, CopyBudget& budget,
                             Diagnostics& diagnostics) {
  const std::string what = "the body for " + in_backticks(entry.key.text);
  if (entry.value.is_map() && !inner) return read_inner_bodies(entry.value, budget, diagnostics);
  if (entry.value.is_map()) {
    diagnostics.error("shape", entry.value.span, what + " has bodies of its own, and can't have them here")
        .help = "a turn goes by player, a definition by kind and by player; what goes on from there needs a "
                "name of its own in `define`";
    return std::nullopt;
  }
  if (!expect_text(entry.value, what, "hop: { man: go ahead, king: go all }", diagnostics))
    return std::nullopt;
  return parse_body(entry.value.text, diagnostics);
}

// `"bishop archer": BODY` is a case for each of the two.
void read_case(const YamlEntry& entry, bool inner, Definition& definition, CopyBudget& budget,
               Diagnostics& diagnostics) {
  const auto whom = names(entry.key);
  const auto body = read_body(entry, inner, budget, diagnostics);
  if (!body || whom.empty() || !may_copy(*body, bytes_of(entry.value), whom.size(), budget, diagnostics))
    return;
  for (const Name& name : whom) {
    if (name.text == "others") {
      if (definition.others) diagnostics.error("duplicate", name.span, "`others` has two bodies here");
      definition.others = *body;
      continue;
    }
    for (const auto& other : definition.cases)
      if (other.first.text == name.text)
        diagnostics.error("duplicate", name.span, in_backticks(name.text) + " has two bodies here");
    definition.cases.emplace_back(name, *body);
  }
}

void read_cases(const Yaml& value, bool inner, Definition& definition, CopyBudget& budget,
                Diagnostics& diagnostics) {
  const auto errors = diagnostics.error_count();
  for (const auto& entry : value.entries) read_case(entry, inner, definition, budget, diagnostics);
  const bool all_read = diagnostics.error_count() == errors; // else the others may be those that can't be
  if (definition.others && definition.cases.empty() && all_read)
    diagnostics.error("case", definition.name.span, "`others` needs other bodies beside it").help =
        "a body for all is written without `{ others: }`";
}

// `{ man: { White: …, Black: … } }`: the inner map as one tree.
std::optional<Ast> read_inner_bodies(const Yaml& value, CopyBudget& budget, Diagnostics& diagnostics) {
  Definition bodies;
  bodies.name.span = value.span;
  read_cases(value, true, bodies, budget, diagnostics);
  if (bodies.cases.empty()) return std::nullopt;
  Ast ast;
  ast.form = Form::cases;
  ast.span = value.span;
  for (auto& [who, body] : bodies.cases) {
    ast.names.push_back(std::move(who.text));
    ast.name_spans.push_back(who.span);
    ast.kids.push_back(std::move(body));
  }
  if (bodies.others) {
    ast.flags |= kHasOthers;
    ast.kids.push_back(std::move(*bodies.others));
  }
  return ast;
}

void read_bodies(const Yaml& value, Definition& definition, CopyBudget& budget, Diagnostics& diagnostics) {
  if (value.is_map()) return read_cases(value, false, definition, budget, diagnostics);
  const std::string what = "the definition " + in_backticks(definition.name.text);
  if (expect_text(value, what, kDefineExample, diagnostics))
    definition.body = parse_body(value.text, diagnostics);
}

std::optional<Definition> read_definition(const YamlEntry& entry, CopyBudget& budget,
                                          Diagnostics& diagnostics) {
  auto head = read_head(entry.key, diagnostics);
  if (!head) return std::nullopt;
  Definition definition;
  definition.name = std::move(head->name);
  definition.parameters = std::move(head->parameters);
  definition.span = entry.key.span();
  read_bodies(entry.value, definition, budget, diagnostics);
  if (entry.replaced)
    if (auto replaced = read_definition(*entry.replaced, budget, diagnostics))
      definition.replaced = std::make_shared<const Definition>(std::move(*replaced));
  return definition;
}

// One body for all, or one for each player.
bool read_turn_bodies(const YamlEntry& entry, TurnSection& turn, Diagnostics& diagnostics) {
  turn.span = entry.value.span;
  if (entry.value.is_map()) {
    Definition bodies;
    bodies.name = to_name(entry.key);
    CopyBudget budget;
    read_cases(entry.value, true, bodies, budget, diagnostics); // by player alone: no piece decides
    turn.cases = std::move(bodies.cases);
    turn.others = std::move(bodies.others);
    return !turn.cases.empty();
  }
  if (!expect_text(entry.value, "`turn`", "turn: from own, step(forward, empty)", diagnostics)) return false;
  auto body = parse_body(entry.value.text, diagnostics);
  if (!body) return false;
  turn.body = std::move(*body);
  turn.span = turn.body.span;
  return true;
}

std::optional<TurnSection> read_turn_section(const YamlEntry& entry, Diagnostics& diagnostics) {
  TurnSection turn;
  if (!read_turn_bodies(entry, turn, diagnostics)) return std::nullopt;
  if (entry.replaced)
    if (auto replaced = read_turn_section(*entry.replaced, diagnostics))
      turn.replaced = std::make_shared<const TurnSection>(std::move(*replaced));
  return turn;
}

// `- stalemate: draw`, `- win: some own in goal`: what happens and when, as an entry.
bool is_verdict_entry(const Yaml& line, Diagnostics& diagnostics) {
  if (!line.is_map() || line.entries.size() != 1 || !line.entries.front().value.is_scalar()) return false;
  const std::string key = line.entries.front().key.text, value = line.entries.front().value.text.text;
  const auto is_verdict = [](const std::string& word) {
    return word == "win" || word == "lose" || word == "draw";
  };
  if (!is_verdict(key) && !is_verdict(value)) return false;
  const std::string known = said_elsewhere(is_verdict(key) ? value : key);
  const std::string& verdict = is_verdict(key) ? key : value;
  std::string condition = is_verdict(key) ? value : key;
  if (condition.starts_with("if ")) condition = condition.substr(3); // `- if no move: lose`
  auto& error = diagnostics.error("shape", line.span, "a line of `end` is a map");
  error.expected = "expected text, as in `- lose when no move`";
  error.help = !known.empty() ? known : "write " + in_backticks(verdict + " when " + condition);
  return true;
}

void read_end_line(const Yaml& line, std::vector<EndRule>& lines, Diagnostics& diagnostics) {
  if (is_verdict_entry(line, diagnostics)) return;
  if (!expect_text(line, "a line of `end`", "- lose when no move", diagnostics)) return;
  const Text text = line.text.trimmed();
  if (text.text == "inherited") { // those of an extended file have been spliced in
    diagnostics.error("inherited", text.span(), "there is no `end` to inherit").help =
        "`inherited` stands for the lines of the file that `extends` names";
    return;
  }
  if (auto rule = parse_end(text, diagnostics)) lines.push_back(std::move(*rule));
}

void read_end_lines(const Yaml& end, std::vector<EndRule>& lines, Diagnostics& diagnostics) {
  if (end.is_scalar()) return read_end_line(end, lines, diagnostics);
  if (!expect_list(end, "`end`", "- lose when no move", diagnostics)) return;
  for (const Yaml& line : end.items) read_end_line(line, lines, diagnostics);
}

} // namespace

void read_define(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics) {
  if (!expect_map(entry.value, "`define`", kDefineExample, diagnostics)) return;
  CopyBudget budget;
  std::set<std::string> seen; // `next` and `next(S)` are different names, `next(S)` and `next(S, D)` are not
  for (const auto& inner : entry.value.entries) {
    auto definition = read_definition(inner, budget, diagnostics);
    if (!definition) continue;
    if (!definition->parameters.empty() && !seen.insert(definition->name.text).second)
      diagnostics.error("duplicate", definition->span,
                        in_backticks(definition->name.text) + " is defined twice");
    file.define.push_back(std::move(*definition));
  }
}

void read_turn(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics) {
  file.turn = read_turn_section(entry, diagnostics);
}

void read_end(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics) {
  read_end_lines(entry.value, file.end, diagnostics);
  if (entry.replaced) read_end_lines(entry.replaced->value, file.end_before, diagnostics);
}

} // namespace boardwright::dsl
