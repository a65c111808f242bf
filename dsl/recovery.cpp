// Entry points: next_part, cut.
#include "dsl/recovery.hpp"

#include <vector>

namespace boardwright::dsl {
namespace {

bool opens(Tok tok) { return tok == Tok::open || tok == Tok::open_brace; }
bool closes(Tok tok) { return tok == Tok::close || tok == Tok::close_brace; }

// What stands between two parentheses or braces, or the whole rule.
struct Group {
  Part part;
  bool has_steps = true; // its commas join steps
};

bool joins_steps(const Tokens& tokens, std::size_t open) {
  static const Toks callers{Tok::name, Tok::reach, Tok::before, Tok::pieces, Tok::say};
  return tokens[open].kind == Tok::open && (open == 0 || !callers.has(tokens[open - 1].kind));
}

// The groups that hold the token `at`, the innermost first; none where parentheses don't match.
std::vector<Group> groups_around(const Tokens& tokens, std::size_t at) {
  std::vector<Group> around;
  std::vector<Group> open{{}};
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Tok tok = tokens[i].kind;
    if (opens(tok)) open.push_back({{i + 1, 0}, joins_steps(tokens, i)});
    if (tok == Tok::for_) open.back().has_steps = false;
    if (!closes(tok) && tok != Tok::end) continue;
    Group group = open.back();
    open.pop_back();
    group.part.end = i;
    if (open.empty() != (tok == Tok::end)) return {};
    if (group.part.begin <= at && at <= i) around.push_back(group);
  }
  return around;
}

// The next comma in [from, end) that stands in no further parentheses; `end` if there is none.
std::size_t next_comma(const Tokens& tokens, std::size_t from, std::size_t end) {
  int depth = 0;
  for (; from < end && (depth > 0 || tokens[from].kind != Tok::comma); ++from) {
    if (opens(tokens[from].kind)) ++depth;
    if (closes(tokens[from].kind)) --depth;
  }
  return from;
}

} // namespace

std::optional<Part> next_part(const Tokens& tokens, std::size_t at) {
  for (const auto& [part, has_steps] : groups_around(tokens, at)) {
    const std::size_t comma = has_steps ? next_comma(tokens, at, part.end) : part.end;
    if (comma < part.end) return Part{comma + 1, part.end};
    at = part.end + 1; // behind what closes the group: commas go on being counted outside of it
  }
  return std::nullopt;
}

Tokens cut(const Tokens& tokens, Part part) {
  const auto at = [&](std::size_t i) { return tokens.begin() + static_cast<std::ptrdiff_t>(i); };
  Tokens rule(at(part.begin), at(part.end));
  rule.push_back({Tok::end, tokens[part.end].begin, tokens[part.end].end, 0});
  return rule;
}

} // namespace boardwright::dsl
