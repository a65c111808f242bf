// Lints about names: what nothing uses, what replaces something else, what almost has another's name.
#include "interpreter/lints/lints.hpp"

#include "dsl/grammar.hpp"
#include "interpreter/lints/sets.hpp"
#include "interpreter/look/look_maker.hpp"
#include "interpreter/meaning/overtime.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
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

std::string shown(const Key& key) { return key.second ? key.first + "(…)" : key.first; }

// What the rules use, from what is asked in play and at load: followed through definitions.
class Uses {
public:
  explicit Uses(const RuleFile& file) : file_(file) {
    for (const auto& layer : file.vocabularies)
      for (const Definition& d : layer) {
        known_[key_of(d)].push_back(&d);
        vocabularies_.insert(d.name.span.file);
      }
    for (const Definition& d : file.of_families) known_[key_of(d)].push_back(&d);
    for (const Definition& d : file.define) known_[key_of(d)].push_back(&d);
    roots();
  }
  [[nodiscard]] bool reads(const std::string& name) const { return read_.contains(name); }
  [[nodiscard]] bool sets(const std::string& name) const { return set_.contains(name); }
  // In a rule, and not only in the section `hands`.
  [[nodiscard]] bool names(const std::string& kind) const { return named_.contains(kind); }
  [[nodiscard]] bool takes_from_hands() const { return hands_; }
  [[nodiscard]] bool calls(const Key& key) const { return called_.contains(key); }

private:
  void roots() {
    for (const dsl::TurnSection* turn = file_.turn ? &*file_.turn : nullptr; turn != nullptr;
         turn = turn->replaced.get()) {
      follow(turn->body);
      for (const auto& [who, body] : turn->cases) follow(body);
      if (turn->others) follow(*turn->others);
    }
    for (const dsl::EndRule& line : file_.end) {
      follow(line.condition);
      if (line.score) follow(*line.score);
    }
    for (const auto& entry : file_.setup.entries) follow(entry.cells);
    if (file_.setup.shuffle) {
      for (const Ast& among : file_.setup.shuffle->among) follow(among);
      if (file_.setup.shuffle->such_that) follow(*file_.setup.shuffle->such_that);
    }
    for (const auto* seen : {&file_.sees.cells, &file_.sees.kinds})
      if (*seen) follow(**seen);
    for (const auto& entry : file_.state) {
      if (entry.value) follow(*entry.value);
      if (!entry.each_piece) continue;
      for (const auto* part : {&entry.each_piece->low, &entry.each_piece->high, &entry.each_piece->some_of})
        if (*part) follow(**part);
      for (const auto& [value, cells] : entry.each_piece->setup) {
        follow(value);
        follow(cells);
      }
    }
    for (const auto& entry : file_.hands) {
      read_.insert(entry.kind.text);
      if (entry.count.all) follow(*entry.count.all);
      for (const auto& [player, count] : entry.count.each) follow(count);
    }
    const dsl::BoardSection& board = file_.board;
    for (const auto* size :
         {&board.files, &board.ranks, &board.side, &board.reach, &board.margin, &board.holes})
      if (*size) follow(**size);
    if (file_.first) read_.insert(file_.first->text);
    for (const auto& [key, value] : file_.look) drawn(key);
    if (const auto lines = std::find_if(file_.look.begin(), file_.look.end(),
                                        [](const auto& entry) { return entry.first.text == "lines"; });
        lines != file_.look.end())
      call({lines->second.text.text, true});
  }

  // Cells that `look` speaks of. That it speaks of a kind is no use of it.
  void drawn(const dsl::Name& key) {
    for (const dsl::KindEntry& kind : file_.pieces)
      if (kind.name.text == key.text) return;
    dsl::Diagnostics ignored;
    if (const auto tree = dsl::parse_value(look_key(key), ignored)) follow(*tree);
  }

  // `for_itself`: what the value goes to, where it is worked out to set a variable. That `v = v + 1` asks for
  // v is no use of it.
  void follow(const Ast& n, const std::string& for_itself = "") {
    if (n.form == Form::name) {
      // A vocabulary that goes through all kinds makes use of none of them.
      const bool goes_through = n.word == "kinds" && vocabularies_.contains(n.span.file);
      if (n.word != for_itself && !goes_through) read_.insert(n.word);
      named_.insert(n.word);
      call({n.word, false});
    }
    if (n.form == Form::call) {
      call({n.word, true});
      if (n.word != for_itself && is_piece_value(n.word)) read_.insert(n.word);
      // A parameter that a definition sets stands for the variable that is its argument.
      for (std::size_t i = 0; i < n.kids.size(); ++i)
        if (n.kids[i].form == Form::name && sets_parameter(n.word, i)) set_.insert(n.kids[i].word);
    }
    const bool sets = n.form == Form::set;
    hands_ = hands_ || n.form == Form::drop || n.word == "hand";
    if (sets) set_.insert(n.word);
    for (const Ast& kid : n.kids) follow(kid, sets ? n.word : for_itself);
  }

  // Does any definition of this name set its i-th parameter, or hand it on to one that may?
  [[nodiscard]] bool sets_parameter(const std::string& name, std::size_t i) const {
    const auto found = known_.find({name, true});
    bool sets = false;
    if (found == known_.end()) return sets;
    for (const Definition* d : found->second)
      for (const Definition* older = d; older != nullptr; older = older->replaced.get())
        if (i < older->parameters.size())
          each_body(*older,
                    [&](const Ast& body) { sets = sets || sets_name(body, older->parameters[i].text); });
    return sets;
  }
  // In an action that is called with it: values set nothing, so their arguments are only read.
  [[nodiscard]] bool sets_name(const Ast& n, const std::string& name) const {
    if (n.form == Form::set && n.word == name) return true;
    const bool is_call = n.form == Form::call && known_.contains({n.word, true});
    for (std::size_t i = 0; i < n.kids.size(); ++i) {
      const bool handed_on = is_call && n.kids[i].form == Form::name && n.kids[i].word == name;
      // No definition calls itself, so this ends.
      if (handed_on ? sets_parameter(n.word, i) : sets_name(n.kids[i], name)) return true;
    }
    return false;
  }

  [[nodiscard]] bool is_piece_value(const std::string& name) const {
    return std::any_of(file_.state.begin(), file_.state.end(), [&](const dsl::StateEntry& entry) {
      return entry.each_piece && entry.name.text == name;
    });
  }

  void call(const Key& key) {
    if (!called_.insert(key).second) return;
    const auto found = known_.find(key);
    if (found == known_.end()) return;
    for (const Definition* d : found->second)
      for (const Definition* older = d; older != nullptr; older = older->replaced.get()) {
        each_body(*older, [&](const Ast& body) { follow(body); });
      }
  }

  const RuleFile& file_;
  std::map<Key, std::vector<const Definition*>> known_;
  std::set<Key> called_;
  std::set<std::string> read_, set_, named_;
  std::set<dsl::FileId> vocabularies_;
  bool hands_ = false; // a rule drops something, or asks for what is in hand
};

class Names {
public:
  Names(const Linted& in, dsl::Diagnostics& out) : in_(in), file_(in.file), out_(out), uses_(in.file) {}

  void report() {
    for (const Definition& d : file_.define)
      if (d.name.span.file == file_.file) definition(d);
    options();
    state();
    kinds();
    hands();
  }

private:
  void definition(const Definition& d) {
    if (!uses_.calls(key_of(d))) return unused_definition(d);
    if (d.replaced == nullptr && !inherits(d)) replaces_word(d);
    each_body(d, [&](const Ast& body) { locals(body); });
    if (d.replaced == nullptr && !is_word(d)) parameters(d);
  }

  static bool inherits(const Definition& d) {
    bool found = false;
    each_body(d, [&](const Ast& body) {
      each_node(body, [&](const Ast& n) { found = found || n.word == "inherited"; });
    });
    return found;
  }

  // Of the standard vocabulary; entries of the others are there to be replaced.
  void replaces_word(const Definition& d) {
    if (file_.vocabularies.empty()) return;
    for (const Definition& word : file_.vocabularies.front())
      // With another number of parameters no rule of the vocabulary could call it unnoticed.
      if (key_of(word) == key_of(d) && word.parameters.size() == d.parameters.size())
        out_.warning("replaces-word", d.name.span,
                     fmt::format("`{}` is a word of the standard vocabulary, which this replaces",
                                 shown(key_of(d))))
            .help = "take another name, unless all rules are to mean this one";
  }
  [[nodiscard]] bool is_word(const Definition& d) const {
    for (const auto& layer : file_.vocabularies)
      for (const Definition& word : layer)
        if (key_of(word) == key_of(d)) return true;
    return false;
  }

  // Names of what this one could have been meant to replace.
  [[nodiscard]] std::vector<std::string> replaceable() const {
    std::vector<std::string> names;
    for (const auto& layer : file_.vocabularies)
      for (const Definition& d : layer) names.push_back(d.name.text);
    for (const Definition& d : file_.define)
      if (d.name.span.file != file_.file) names.push_back(d.name.text);
    return names;
  }

  void unused_definition(const Definition& d) {
    auto& warning =
        out_.warning("unused-definition", d.name.span, fmt::format("nothing uses `{}`", shown(key_of(d))));
    const std::string near = dsl::nearest(d.name.text, replaceable());
    if (near == d.name.text && is_word(d))
      warning.help = fmt::format("it replaces `{}`, which no rule of this game comes to", shown(key_of(d)));
    else if (near == d.name.text)
      warning.help =
          fmt::format("there is a `{}` with {} parameters", near, d.parameters.empty() ? "some" : "no");
    else if (!near.empty())
      warning.help = fmt::format("did you mean to replace `{}`?", near);
    else
      warning.help = "call it, or remove it";
  }

  void options() {
    std::vector<std::string> others;
    for (const auto& entry : file_.options)
      if (entry.name.span.file != file_.file) others.push_back(entry.name.text);
    for (const auto& entry : file_.options)
      if (entry.name.span.file == file_.file && !uses_.reads(entry.name.text) &&
          !(file_.setup.shuffle && entry.name.text == dsl::kLotOption)) // the set-up asks for it
        unused("unused-option", "option", entry.name, others);
  }

  void unused(dsl::Code code, const char* what, const dsl::Name& name,
              const std::vector<std::string>& others) {
    auto& warning =
        out_.warning(code, name.span, fmt::format("no rule asks for the {} `{}`", what, name.text));
    const std::string near = dsl::nearest(name.text, others);
    warning.help = near.empty() ? "use it, or remove it" : fmt::format("did you mean `{}`?", near);
  }

  void state() {
    std::vector<std::string> others;
    for (const auto& entry : file_.state)
      if (entry.name.span.file != file_.file) others.push_back(entry.name.text);
    for (const auto& entry : file_.state) {
      if (entry.name.span.file != file_.file) continue;
      if (!uses_.reads(entry.name.text))
        unused("unused-state", entry.each_piece ? "value" : "variable", entry.name, others);
      else if (entry.name.text == kOvertime)
        continue; // whoever keeps the clock sets it
      else if (!uses_.sets(entry.name.text) && !entry.each_piece)
        out_.warning("unset-state", entry.name.span,
                     fmt::format("no rule ever sets `{}`: it keeps its first value", entry.name.text))
            .help = "what never changes is a definition or an option";
      else if (!uses_.sets(entry.name.text) &&
               entry.each_piece->setup.empty()) // what pieces are worth may stay
        out_.warning(
                "unset-state", entry.name.span,
                fmt::format("no rule ever sets `{}`, and no piece begins with another value than the first",
                            entry.name.text))
            .help = fmt::format(
            "`setup: {{ V: CELLS }}` gives pieces other values, `set {} = E` changes them", entry.name.text);
    }
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
    if (uses_.reads("kinds")) return;
    for (const auto& kind : file_.pieces) {
      if (kind.name.span.file != file_.file || uses_.reads(kind.name.text)) continue;
      const bool placed =
          std::any_of(kind.letters.begin(), kind.letters.end(),
                      [&](const dsl::LetterEntry& l) { return letters.contains(l.letter.text); });
      if (!placed)
        out_.warning("unused-kind", kind.name.span,
                     fmt::format("no rule and no set-up uses the kind `{}`", kind.name.text))
            .help = "set it up, or remove it";
      else if (is_owned(kind) && only_others_move(kind.name.text))
        out_.warning("unused-kind", kind.name.span,
                     fmt::format("no rule moves a `{}`: every move is from other pieces", kind.name.text))
            .help = "give it a rule; what stays where it is may be `neutral`";
    }
  }
  // Does every move begin on a piece of another kind?
  bool only_others_move(const std::string& kind) {
    if (!begins_) begins_ = kinds_that_move();
    return !begins_->empty() && std::all_of(begins_->begin(), begins_->end(), [&](const auto& kinds) {
      return !kinds.empty() && !kinds.contains(kind);
    });
  }
  // Of each place where a move begins, the kinds that it is of; none where it may be of any.
  [[nodiscard]] std::vector<std::set<std::string>> kinds_that_move() const {
    std::vector<std::set<std::string>> begins;
    const auto look = [&](const Ast& rule) {
      each_node(rule, [&](const Ast& n) {
        if (n.form == Form::to || n.form == Form::move) begins.emplace_back(); // a move of another sort
        if (n.form == Form::from) begins.push_back(kinds_of(n.kids[0]));
      });
    };
    for (const Definition& d : file_.define) each_body(d, look);
    if (!file_.turn) return begins;
    look(file_.turn->body);
    for (const auto& [who, body] : file_.turn->cases) look(body);
    if (file_.turn->others) look(*file_.turn->others);
    return begins;
  }
  [[nodiscard]] std::set<std::string> kinds_of(const Ast& set) const {
    std::set<std::string> kinds;
    for (const auto& kind : file_.pieces) {
      Ast name;
      name.word = kind.name.text;
      if (is_part(in_, set, name)) kinds.insert(kind.name.text);
    }
    return kinds;
  }

  // A hand that nothing is dropped from, and that no rule asks for.
  void hands() {
    const bool any_kind = uses_.reads("kinds") || uses_.names("kind") || uses_.calls({"kind", true}) ||
                          uses_.calls({"kinds", true});
    for (const auto& entry : file_.hands) {
      if (entry.kind.span.file != file_.file) continue;
      const bool used = uses_.takes_from_hands() && (any_kind || uses_.names(entry.kind.text));
      if (!used)
        out_.warning("unused-hand", entry.kind.span,
                     fmt::format("no rule drops a `{}`, or asks for those in hand", entry.kind.text))
            .help = fmt::format("`place({}, empty)` puts one on the board", entry.kind.text);
    }
  }

  void parameters(const Definition& d) {
    for (const dsl::Name& parameter : d.parameters) {
      bool used = &parameter == &d.parameters.front() && !d.cases.empty(); // the case may go by it
      each_body(d, [&](const Ast& body) { used = used || names(body, parameter.text, nullptr); });
      if (!used) unused_name(parameter.text, parameter.span, "the parameter");
    }
  }

  // Is a name read, or set, anywhere but where it is bound?
  static bool names(const Ast& body, const std::string& name, const Ast* binder) {
    bool found = false;
    each_node(body, [&](const Ast& n) {
      if (&n == binder) return;
      found = found || ((n.form == Form::name || n.form == Form::set) && n.word == name);
    });
    return found;
  }

  void locals(const Ast& body) {
    each_node(body, [&](const Ast& n) {
      const bool binds = n.form == Form::let || n.form == Form::choose || n.form == Form::some_in ||
                         n.form == Form::no_in || n.form == Form::part;
      if (binds && !names(body, n.word, &n))
        unused_name(n.word, n.word_span.end > 0 ? n.word_span : n.span, "");
      bindings(n);
    });
  }

  // (E for p in S): where E is the same for all p, it need not be said for each. To count them it may be 1.
  void bindings(const Ast& n) {
    if (n.form != Form::list_for && n.form != Form::fold_for) return;
    if (bare(n.kids[0]).form == Form::number) return;
    for (std::size_t i = 0; i < n.names.size(); ++i) {
      const bool used = std::any_of(n.kids.begin(), n.kids.end(),
                                    [&](const Ast& kid) { return names(kid, n.names[i], nullptr); });
      if (!used) unused_name(n.names[i], i < n.name_spans.size() ? n.name_spans[i] : n.span, "");
    }
  }

public:
  void locals_of_rules() {
    if (file_.turn && file_.turn->span.file == file_.file) {
      locals(file_.turn->body);
      for (const auto& [who, body] : file_.turn->cases) locals(body);
      if (file_.turn->others) locals(*file_.turn->others);
    }
    for (const dsl::EndRule& line : file_.end)
      if (line.span.file == file_.file) locals(line.condition);
  }

private:
  void unused_name(const std::string& name, dsl::Span span, const std::string& what) {
    out_.warning("unused-name", span,
                 fmt::format("nothing uses {}{}`{}`", what, what.empty() ? "" : " ", name))
        .help = "use it, or leave it out";
  }

  const Linted& in_;
  const RuleFile& file_;
  dsl::Diagnostics& out_;
  Uses uses_;
  std::optional<std::vector<std::set<std::string>>> begins_; // kinds_that_move, once it has been asked
};

} // namespace

void lint_names(const Linted& in, dsl::Diagnostics& out) {
  Names names(in, out);
  names.report();
  names.locals_of_rules();
}

} // namespace boardwright::interpreter
