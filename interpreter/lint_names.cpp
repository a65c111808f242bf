// Lints about names: what nothing uses, what replaces something else, what almost has another's name.
#include "interpreter/lints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::interpreter {
namespace {

using dsl::Ast;
using dsl::Definition;
using dsl::Form;
using dsl::RuleFile;

using Key = std::pair<std::string, bool>; // a name, and whether it has parameters

Key key_of(const Definition& d) { return {d.name.text, !d.parameters.empty()}; }

template <class F>
void each_node(const Ast& n, F&& visit) {
  visit(n);
  for (const Ast& kid : n.kids) each_node(kid, visit);
}

template <class F>
void each_body(const Definition& d, F&& visit) {
  if (d.body) visit(*d.body);
  for (const auto& [who, body] : d.cases) visit(body);
  if (d.others) visit(*d.others);
}

std::string shown(const Key& key) { return key.second ? key.first + "(…)" : key.first; }

// What the rules use, from what is asked in play and at load: followed through definitions.
class Uses {
public:
  explicit Uses(const RuleFile& file) : file_(file) {
    for (const auto& layer : file.vocabularies)
      for (const Definition& d : layer) known_[key_of(d)].push_back(&d);
    for (const Definition& d : file.define) known_[key_of(d)].push_back(&d);
    roots();
  }
  [[nodiscard]] bool has(const std::string& name) const { return words_.contains(name); }
  [[nodiscard]] bool calls(const Key& key) const { return called_.contains(key); }

private:
  void roots() {
    for (const dsl::TurnSection* turn = file_.turn ? &*file_.turn : nullptr; turn != nullptr;
         turn = turn->replaced.get())
      follow(turn->body);
    for (const dsl::EndRule& line : file_.end) {
      follow(line.condition);
      if (line.score) follow(*line.score);
    }
    for (const auto& entry : file_.setup.entries) follow(entry.cells);
    for (const auto& entry : file_.state)
      if (entry.value) follow(*entry.value);
    for (const auto& entry : file_.hands) {
      words_.insert(entry.kind.text);
      if (entry.count.all) follow(*entry.count.all);
      for (const auto& [player, count] : entry.count.each) follow(count);
    }
    const dsl::BoardSection& board = file_.board;
    for (const auto* size : {&board.files, &board.ranks, &board.side, &board.holes})
      if (*size) follow(**size);
    if (file_.first) words_.insert(file_.first->text);
  }

  void follow(const Ast& rule) {
    each_node(rule, [&](const Ast& n) {
      if (n.form == Form::name || n.form == Form::set) words_.insert(n.word);
      if (n.form == Form::name) call({n.word, false});
      if (n.form == Form::call) call({n.word, true});
    });
  }

  void call(const Key& key) {
    if (!called_.insert(key).second) return;
    const auto found = known_.find(key);
    if (found == known_.end()) return;
    for (const Definition* d : found->second)
      for (const Definition* older = d; older != nullptr; older = older->replaced.get())
        each_body(*older, [&](const Ast& body) { follow(body); });
  }

  const RuleFile& file_;
  std::map<Key, std::vector<const Definition*>> known_;
  std::set<Key> called_;
  std::set<std::string> words_;
};

class Names {
public:
  Names(const RuleFile& file, dsl::Diagnostics& out) : file_(file), out_(out), uses_(file) {}

  void report() {
    for (const Definition& d : file_.define)
      if (d.name.span.file == file_.file) definition(d);
    unused("option", file_.options);
    unused("state variable", file_.state);
    kinds();
  }

private:
  void definition(const Definition& d) {
    if (!uses_.calls(key_of(d))) return unused_definition(d);
    if (d.replaced != nullptr) return lost_bodies(d);
    for (const Definition& word : words())
      if (key_of(word) == key_of(d))
        out_.warning("replaces-word", d.name.span,
                     fmt::format("`{}` is a word of the vocabulary, which this replaces", shown(key_of(d))))
            .help = "take another name, unless all rules are to mean this one";
  }

  // Definitions of the vocabularies, and of the files that this one extends.
  [[nodiscard]] std::vector<std::reference_wrapper<const Definition>> others() const {
    std::vector<std::reference_wrapper<const Definition>> all = words();
    for (const Definition& d : file_.define)
      if (d.name.span.file != file_.file) all.emplace_back(d);
    return all;
  }
  [[nodiscard]] std::vector<std::reference_wrapper<const Definition>> words() const {
    std::vector<std::reference_wrapper<const Definition>> all;
    for (const auto& layer : file_.vocabularies)
      for (const Definition& d : layer) all.emplace_back(d);
    return all;
  }

  void unused_definition(const Definition& d) {
    auto& warning =
        out_.warning("unused-definition", d.name.span, fmt::format("nothing uses `{}`", shown(key_of(d))));
    std::vector<std::string> names;
    for (const Definition& other : others()) names.push_back(other.name.text);
    const std::string near = dsl::nearest(d.name.text, names);
    if (near == d.name.text)
      warning.help =
          fmt::format("there is a `{}` with {} parameters", near, d.parameters.empty() ? "some" : "no");
    else if (!near.empty())
      warning.help = fmt::format("did you mean to replace `{}`?", near);
  }

  // A definition by kind or player that replaces another and has no body for some that the older one had.
  void lost_bodies(const Definition& d) {
    if (d.cases.empty() || d.others || d.replaced->cases.empty()) return;
    std::vector<std::string> lost;
    for (const auto& [who, body] : d.replaced->cases) {
      const auto has = [&name = who.text](const auto& c) { return c.first.text == name; };
      const auto is = [&name = who.text](const auto& kind) { return kind.name.text == name; };
      const bool there = std::any_of(file_.pieces.begin(), file_.pieces.end(), is) ||
                         std::any_of(file_.players.begin(), file_.players.end(), is);
      if (there && std::none_of(d.cases.begin(), d.cases.end(), has)) lost.push_back(who.text);
    }
    if (lost.empty()) return;
    out_.warning("lost-bodies", d.name.span,
                 fmt::format("`{}` has no body for {} any more", d.name.text, fmt::join(lost, ", ")))
        .help = "write `others: inherited` to keep what this doesn't change";
  }

  template <class Entries>
  void unused(const char* what, const Entries& entries) {
    for (const auto& entry : entries)
      if (entry.name.span.file == file_.file && !uses_.has(entry.name.text))
        out_.warning("unused-name", entry.name.span,
                     fmt::format("nothing uses the {} `{}`", what, entry.name.text));
  }

  // A kind that stands nowhere, that no rule names and that is in no hand.
  void kinds() {
    std::set<std::string> letters;
    const auto add = [&](const std::string& text) {
      for (const char c : text) letters.insert(std::string(1, c));
    };
    for (const auto& entry : file_.setup.entries) add(entry.letters.text);
    for (const auto& row : file_.setup.picture)
      for (const auto& sign : row.signs) add(sign.text);
    const bool any_kind = uses_.has("kinds") || uses_.calls({"kinds", false});
    for (const auto& kind : file_.pieces) {
      if (kind.name.span.file != file_.file || any_kind || uses_.has(kind.name.text)) continue;
      const bool placed =
          std::any_of(kind.letters.begin(), kind.letters.end(),
                      [&](const dsl::LetterEntry& l) { return letters.contains(l.letter.text); });
      if (!placed)
        out_.warning("unused-name", kind.name.span,
                     fmt::format("no rule and no set-up uses the kind `{}`", kind.name.text));
    }
  }

  const RuleFile& file_;
  dsl::Diagnostics& out_;
  Uses uses_;
};

} // namespace

void each_rule(const RuleFile& file, const std::function<void(const Ast&)>& visit) {
  const auto own = [&](const Ast& rule) {
    if (rule.span.file == file.file) visit(rule);
  };
  for (const Definition& d : file.define) each_body(d, own);
  if (file.turn) own(file.turn->body);
  for (const dsl::EndRule& line : file.end) {
    own(line.condition);
    if (line.score) own(*line.score);
  }
  for (const auto& entry : file.setup.entries) own(entry.cells);
  for (const auto& entry : file.state)
    if (entry.value) own(*entry.value);
  if (file.board.holes) own(*file.board.holes);
}

void lint_names(const RuleFile& file, dsl::Diagnostics& diagnostics) { Names(file, diagnostics).report(); }

void lint(const RuleFile& file, dsl::Diagnostics& diagnostics) {
  lint_names(file, diagnostics);
  lint_expressions(file, diagnostics);
}

} // namespace boardwright::interpreter
