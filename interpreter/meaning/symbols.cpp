#include "interpreter/meaning/symbols.hpp"

#include "dsl/families.hpp"
#include "dsl/shape.hpp"
#include "interpreter/meaning/words.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace boardwright::interpreter {

namespace {

bool reserved(const dsl::Definition& d) {
  if (dsl::is_keyword(d.name.text)) return true;
  if (d.parameters.empty()) return word_named(d.name.text) != nullptr;
  const LanguageWord* function = function_named(d.name.text);
  return function != nullptr && function->has(runtime::kReserved);
}

// What a file calls something other than a definition: a vocabulary's definition of that name is replaced.
std::set<std::string> names_of(const dsl::RuleFile& file) {
  std::set<std::string> names;
  for (const auto& entry : file.players) names.insert(entry.name.text);
  for (const auto& entry : file.pieces) names.insert(entry.name.text);
  for (const auto& entry : file.families) names.insert(entry.name.text);
  for (const auto& entry : file.state) names.insert(entry.name.text);
  for (const auto& entry : file.options) names.insert(entry.name.text);
  for (const auto& entry : file.board.tracks) names.insert(entry.name.text);
  for (const auto& entry : file.board.names) names.insert(entry.first.text);
  return names;
}

} // namespace

Symbols::Symbols(const dsl::RuleFile& rule_file) : file(rule_file) {
  for (const auto& entry : file.players) players.push_back(entry.name.text);
  for (const auto& entry : file.pieces) kinds.push_back(entry.name.text);
  const auto add_layer = [this](const std::vector<dsl::Definition>& definitions,
                                const std::set<std::string>& replaced) {
    Layer layer;
    for (const auto& d : definitions) {
      if (reserved(d)) continue; // it is refused, and must not hide what it is called like
      if (d.parameters.empty() && replaced.contains(d.name.text)) continue;
      layer.definitions[{d.name.text, !d.parameters.empty()}] = &d;
    }
    layers.push_back(std::move(layer));
  };
  const std::set<std::string> own = names_of(file);
  for (const auto& vocabulary : file.vocabularies) add_layer(vocabulary, own);
  add_layer(file.define, {});
  for (const auto& d : file.of_families) // below all that is written
    layers.front().definitions.try_emplace({d.name.text, !d.parameters.empty()}, &d);
}

namespace {

template <class List, class Name>
int position_of(const List& list, std::string_view wanted, Name&& name) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (name(list[i]) == wanted) return static_cast<int>(i);
  return -1;
}

const std::string& text_of(const std::string& s) { return s; }

} // namespace

int Symbols::player(std::string_view name) const { return position_of(players, name, text_of); }
int Symbols::kind(std::string_view name) const { return position_of(kinds, name, text_of); }

int Symbols::state(std::string_view name) const {
  return position_of(file.state, name,
                     [](const dsl::StateEntry& e) -> const std::string& { return e.name.text; });
}

bool Symbols::is_piece_value(std::string_view name) const {
  const int entry = state(name);
  return entry >= 0 && file.state[static_cast<std::size_t>(entry)].each_piece.has_value();
}

int Symbols::track(std::string_view name) const {
  return position_of(file.board.tracks, name,
                     [](const dsl::TrackEntry& e) -> const std::string& { return e.name.text; });
}

const OptionValue* Symbols::option(std::string_view name) const {
  const int i = position_of(options, name, [](const OptionValue& o) -> const std::string& { return o.name; });
  return i < 0 ? nullptr : &options[static_cast<std::size_t>(i)];
}

Found Symbols::definition(const DefinitionKey& key, std::size_t below) const {
  for (std::size_t i = std::min(below, layers.size()); i-- > 0;) {
    const auto found = layers[i].definitions.find(key);
    if (found != layers[i].definitions.end()) return {found->second, i};
  }
  return {};
}

NameIs Symbols::lookup(const std::string& name, bool with_arguments) const {
  if (definition({name, with_arguments}).definition != nullptr) return NameIs::definition;
  if (with_arguments && is_piece_value(name)) return NameIs::state;
  if (with_arguments) return function_named(name) != nullptr ? NameIs::function : NameIs::unknown;
  if (option(name) != nullptr) return NameIs::option;
  if (kind(name) >= 0) return NameIs::kind;
  if (state(name) >= 0) return NameIs::state;
  if (track(name) >= 0) return NameIs::track;
  if (geometry != nullptr && geometry->find(name)) return NameIs::cell;
  if (player(name) >= 0) return NameIs::player;
  if (word_named(name) != nullptr) return NameIs::word;
  for (const auto& o : options)
    if (std::find(o.words.begin(), o.words.end(), name) != o.words.end()) return NameIs::option_word;
  return NameIs::unknown;
}

std::optional<dsl::Span> Symbols::place_of(const std::string& name) const {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  if (const Found found = definition({name, false}); found.definition != nullptr)
    return found.definition->name.span;
  if (const int i = kind(name); i >= 0) return file.pieces[at(i)].name.span;
  if (const int i = state(name); i >= 0) return file.state[at(i)].name.span;
  if (const int i = track(name); i >= 0) return file.board.tracks[at(i)].name.span;
  if (const int i = player(name); i >= 0) return file.players[at(i)].name.span;
  for (const auto& o : file.options)
    if (o.name.text == name) return o.name.span;
  if (geometry != nullptr && geometry->find(name))
    return file.board.span; // which gives it the shape or the name
  return std::nullopt;
}

namespace {

void add_words(std::vector<std::string>& names, bool functions) {
  for (const LanguageWord& word : words_of_language())
    if (word.is_function() == functions) names.emplace_back(word.name);
}

} // namespace

std::vector<std::string> Symbols::known_names(bool with_arguments) const {
  std::vector<std::string> names;
  for (const auto& layer : layers)
    for (const auto& [key, definition] : layer.definitions)
      if (key.second == with_arguments && dsl::is_identifier(key.first)) names.push_back(key.first);
  if (with_arguments) {
    add_words(names, true);
    for (const auto& f : file.families) names.push_back(f.name.text);
    for (const auto& s : file.state)
      if (s.each_piece) names.push_back(s.name.text);
    return names;
  }
  for (const auto& o : options) names.push_back(o.name);
  names.insert(names.end(), kinds.begin(), kinds.end());
  names.insert(names.end(), players.begin(), players.end());
  for (const auto& s : file.state) names.push_back(s.name.text);
  for (const auto& t : file.board.tracks) names.push_back(t.name.text);
  add_words(names, false);
  return names;
}

std::string describe(NameIs what) {
  switch (what) {
  case NameIs::unknown: return "an unknown name";
  case NameIs::definition: return "a definition";
  case NameIs::option: return "an option";
  case NameIs::kind: return "a kind of piece";
  case NameIs::state: return "a state variable";
  case NameIs::track: return "a track";
  case NameIs::cell: return "a cell";
  case NameIs::player: return "a player";
  case NameIs::option_word: return "a word of an option";
  case NameIs::word: return "a word of the language";
  case NameIs::function: return "a function of the language";
  }
  return "";
}

namespace {

struct Seen {
  NameIs what;
  dsl::Span span;
};

class ClashCheck {
public:
  ClashCheck(const Symbols& s, dsl::Diagnostics& d) : symbols_(s), diagnostics_(d) {}

  void add(const dsl::Name& name, NameIs what) {
    if (dsl::is_keyword(name.text) || word_named(name.text) != nullptr) {
      diagnostics_.error("reserved", name.span, fmt::format("`{}` is a reserved word", name.text)).help =
          fmt::format("choose another name, for example `my_{}`", name.text);
      return;
    }
    const auto [earlier, is_new] = seen_.try_emplace(name.text, Seen{what, name.span});
    if (!is_new) {
      diagnostics_
          .error("name-clash", name.span,
                 fmt::format("`{}` is already {}", name.text, describe(earlier->second.what)))
          .related.push_back({earlier->second.span, "here"});
      return;
    }
    const bool shadows_cell =
        what != NameIs::cell && symbols_.geometry != nullptr && symbols_.geometry->find(name.text);
    if (!shadows_cell) return;
    auto& error = diagnostics_.error("name-clash", name.span,
                                     fmt::format("`{}` is already a cell of the board", name.text));
    const dsl::Span board = symbols_.file.board.span;
    if (board.file != name.span.file) error.related.push_back({board, "of this board"});
  }

  // `round` and `round(2)` are both taken.
  void add_family(const dsl::Name& name) {
    if (function_named(name.text) != nullptr) {
      diagnostics_.error("reserved", name.span, fmt::format("`{}(` is a function of the language", name.text))
          .help = "choose another name";
      return;
    }
    add(name, NameIs::kind);
    for (const auto& d : symbols_.file.define)
      if (!d.parameters.empty() && d.name.text == name.text)
        diagnostics_
            .error("name-clash", d.name.span, fmt::format("`{}(` is already a family of kinds", name.text))
            .related.push_back({name.span, "here"});
  }

private:
  const Symbols& symbols_;
  dsl::Diagnostics& diagnostics_;
  std::map<std::string, Seen> seen_;
};

} // namespace

void check_name_clashes(const Symbols& symbols, dsl::Diagnostics& diagnostics) {
  ClashCheck check(symbols, diagnostics);
  for (const auto& p : symbols.file.players) check.add(p.name, NameIs::player);
  for (const auto& k : symbols.file.pieces) check.add(k.name, NameIs::kind);
  for (const auto& f : symbols.file.families) check.add_family(f.name);
  for (const auto& o : symbols.file.options) check.add(o.name, NameIs::option);
  for (const auto& s : symbols.file.state) {
    check.add(s.name, NameIs::state);
    if (s.each_piece && function_named(s.name.text) != nullptr)
      diagnostics
          .error("reserved", s.name.span, fmt::format("`{}(` is a function of the language", s.name.text))
          .help = "choose another name";
  }
  for (const auto& t : symbols.file.board.tracks) check.add(t.name, NameIs::track);
  for (const auto& d : symbols.file.define) {
    if (d.parameters.empty()) {
      check.add(d.name, NameIs::definition);
    } else if (dsl::is_keyword(d.name.text)) {
      // Rules that call it can't be read, for this reason alone.
      diagnostics.forget("syntax", fmt::format("unexpected `{}`", d.name.text));
      diagnostics.error("reserved", d.name.span, fmt::format("`{}` is a reserved word", d.name.text)).help =
          fmt::format("choose another name, for example `my_{}`", d.name.text);
    } else if (reserved(d)) {
      diagnostics
          .error("reserved", d.name.span, fmt::format("`{}(` is a function of the language", d.name.text))
          .help = "choose another name";
    }
  }
}

} // namespace boardwright::interpreter
