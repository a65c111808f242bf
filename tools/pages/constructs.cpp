#include "tools/pages/constructs.hpp"

#include "dsl/diagnostic.hpp"
#include "dsl/tokens.hpp"
#include "interpreter/meaning/symbols.hpp"
#include "interpreter/meaning/words.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace boardwright::tools {
namespace {

using dsl::Tok;
using dsl::Yaml;
using NameSet = std::set<std::string>;

constexpr std::string_view kAfter = "after "; // `after MOVE:` is an entry of a test

// A definition with a body for each player, or for each kind, as the index has them. Which it is, is told by
// the capital letter that players' names begin with.
const std::string kByPlayer = "{ White: … }", kByKind = "{ man: … }";

// Sections whose first level holds names of the file's own.
const NameSet kNaming{"define", "options", "state", "pieces", "players", "hands", "setup"};
// Sections that are rules, but for a picture.
const NameSet kRules{"define", "turn", "end", "state", "hands", "setup"};
// Entries that are rules in sections that aren't.
const NameSet kRulesWithin{"squares", "hexes", "hexagon", "holes", "range"};

// A definition's name as it is called: `step()` of `step(D, S)`.
std::string called(const std::string& key) {
  const auto open = key.find('(');
  return open == std::string::npos ? key : key.substr(0, open) + "()";
}

bool is_capital(const std::string& name) {
  return !name.empty() && std::isupper(static_cast<unsigned char>(name.front())) != 0;
}

class Collector {
public:
  Collector(const Yaml& file, bool is_vocabulary) {
    for (const auto& entry : file.entries)
      if (!is_vocabulary && kNaming.contains(entry.key.text)) name_entries(entry.value);
    for (const auto& entry : file.entries) section(entry.key.text, entry.value);
  }
  NameSet found;

private:
  void name_entries(const Yaml& section) {
    for (const auto& entry : section.entries) own_.insert(called(entry.key.text));
  }

  void section(const std::string& name, const Yaml& value) {
    found.insert(name + ":");
    const bool naming = kNaming.contains(name);
    if (!naming) keys(value);
    for (const auto& entry : value.entries)
      if (naming) named(name, entry.value);
    for (const char* word : {"mirror", "shuffle", "such that"})
      if (name == "setup" && value.find(word) != nullptr) found.insert(std::string(word) + ":");
    if (kRules.contains(name) && (name != "setup" || value.is_map())) rules(value);
    if (!kRules.contains(name)) rules_within(value);
    for (const auto& entry : value.entries) // `rock: neutral x`
      if (name == "pieces" && entry.value.is_scalar() && entry.value.text.text.starts_with("neutral "))
        found.insert("neutral");
  }

  // What stands under a name of the file's own: the entries of an option, the bodies of a definition.
  void named(const std::string& section_name, const Yaml& value) {
    if (section_name != "define") return keys(value);
    for (const auto& body : value.entries)
      found.insert(body.key.text == "others" ? "others:" : is_capital(body.key.text) ? kByPlayer : kByKind);
  }

  void rules_within(const Yaml& section) {
    for (const auto& entry : section.entries) {
      if (kRulesWithin.contains(entry.key.text)) rules(entry.value);
      rules_within(entry.value);
    }
  }

  // The entries of a map and of the maps in it.
  void keys(const Yaml& value) {
    for (const auto& item : value.items) keys(item);
    for (const auto& entry : value.entries) {
      const std::string& key = entry.key.text;
      found.insert(key.starts_with(kAfter) ? "after:" : key + ":");
      keys(entry.value);
    }
  }

  void rules(const Yaml& value) {
    for (const auto& item : value.items) rules(item);
    for (const auto& entry : value.entries) rules(entry.value);
    if (!value.is_scalar()) return;
    dsl::Diagnostics ignored; // of a file that doesn't load
    if (const auto tokens = dsl::tokenize(value.text, ignored)) words(value.text.text, *tokens);
  }

  void words(const std::string& text, const dsl::Tokens& tokens) {
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      const dsl::Token& token = tokens[i];
      const std::string word = text.substr(token.begin, token.end - token.begin);
      if (token.kind == Tok::open_brace) found.insert("{n}");
      if (token.kind == Tok::star_bang || token.kind == Tok::plus_bang || token.kind == Tok::question_bang)
        found.insert({word.substr(0, 1), "!"});
      if (token.kind == Tok::name && i > 0 && tokens[i - 1].kind == Tok::let) own_.insert(word);
      // `*` and `+` are operators where an operand follows, else they repeat
      const bool sign = token.kind == Tok::plus || token.kind == Tok::star;
      if (sign && dsl::operand_starts().has(tokens[i + 1].kind)) continue;
      const bool call = tokens[i + 1].kind == Tok::open;
      if (call) add(word + "()", token.kind);
      // `from (…)` is no call, and `before(…)` is listed as a word, too
      if (!call || token.kind != Tok::name) add(word, token.kind);
    }
  }

  void add(const std::string& word, Tok kind) {
    const bool replaceable = kind == Tok::name && interpreter::word_named(word) == nullptr;
    if (kind != Tok::number && kind != Tok::string && !(replaceable && own_.contains(word)))
      found.insert(word);
  }

  NameSet own_;
};

} // namespace

std::set<std::string> constructs_of(const Yaml& file, bool is_vocabulary) {
  return Collector(file, is_vocabulary).found;
}

} // namespace boardwright::tools
