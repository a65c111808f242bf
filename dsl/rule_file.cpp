// Entry point: read_rule_file.
#include "dsl/rule_file.hpp"

#include "dsl/families.hpp"
#include "dsl/finder.hpp"
#include "dsl/grammar.hpp"
#include "dsl/merge.hpp"
#include "dsl/other_languages.hpp"
#include "dsl/sections.hpp"
#include "dsl/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

namespace boardwright::dsl {
namespace {

// Vocabularies of one load: far more than anyone writes, and few enough to be read at once.
constexpr std::size_t kMaxVocabularies = 16;

struct Vocabulary {
  std::string file;
  std::vector<Definition> definitions;
  std::optional<YamlEntry> options, look; // the sections
};

// One file of the chain of `extends`, its YAML without `extends` and `use`.
struct RuleLayer {
  std::string name;
  Yaml root;
};

struct Loading {
  const FileFinder& find;
  Sources& sources;
  Diagnostics& diagnostics;
  std::vector<RuleLayer> chain; // the file itself, what it extends, …
  std::vector<std::vector<std::pair<Name, std::string>>>
      uses; // by layer: a name in `use`, the file that it stands in
  std::vector<Vocabulary> vocabularies;
  bool broken = false; // a file that is extended can't be had
};

std::optional<Yaml> take(Yaml& root, std::string_view key) {
  const auto found = std::find_if(root.entries.begin(), root.entries.end(),
                                  [&](const YamlEntry& entry) { return entry.key.text == key; });
  if (found == root.entries.end()) return std::nullopt;
  Yaml value = std::move(found->value);
  root.entries.erase(found);
  if (value.kind == Yaml::Kind::empty) return std::nullopt;
  return value;
}

// Of a file's YAML; null where the section isn't there, or has nothing in it.
const YamlEntry* section(const Yaml& root, std::string_view key) {
  for (const YamlEntry& entry : root.entries)
    if (entry.key.text == key && entry.value.kind != Yaml::Kind::empty) return &entry;
  return nullptr;
}

// --- the files

std::optional<Yaml> read_file(FoundFile found, FileId& id, Loading& loading) {
  id = loading.sources.add(std::move(found.name), std::move(found.text));
  if (const std::string_view format = format_of(loading.sources.text(id)); !format.empty()) {
    auto& error =
        loading.diagnostics.error("yaml", {id, 0, 1}, fmt::format("this is {}, and no rule file", format));
    error.help = format.find("record") != std::string_view::npos
                     ? "records of games are read by `boardwright replay`"
                     : "`boardwright import` brings over `variants.ini` and `.rbg`; rule files are YAML, as "
                       "`boardwright new` writes them";
    return std::nullopt;
  }
  return read_yaml(loading.sources, id, loading.diagnostics);
}

// Nothing can be shown of a file that isn't there, but messages need a place.
void report_no_file(const std::string& reference, Loading& loading) {
  const FileId id = loading.sources.add(reference, "");
  auto& error =
      loading.diagnostics.error("not-found", {id, 0, 0}, "there is no rule file " + in_backticks(reference));
  error.help = did_you_mean(reference, known_games());
}

void report_not_found(const Name& reference, std::string_view what, const std::vector<std::string>& known,
                      Loading& loading) {
  auto& error = loading.diagnostics.error(
      "not-found", reference.span, fmt::format("there is no {} {}", what, in_backticks(reference.text)));
  error.help = did_you_mean(reference.text, known);
  if (error.help.empty()) error.help = "it is looked for beside this file, then among the bundled files";
}

// A file may be newer than the program; then most of what is told of it would be misleading.
bool check_version(Yaml& root, Diagnostics& diagnostics) {
  const auto value = take(root, "boardwright");
  if (!value) return true;
  const auto version = value->is_scalar() ? whole_number(value->text.trimmed().text) : std::nullopt;
  if (!version || *version == 0) {
    diagnostics.error("version", value->span, "`boardwright` is the version of the language, a whole number")
        .expected = fmt::format("expected a number from 1 to {}, as in `boardwright: {}`", kLanguageVersion,
                                kLanguageVersion);
  } else if (*version > kLanguageVersion) {
    diagnostics
        .error("version", value->span,
               fmt::format("this file is written for version {} of the language, and this program "
                           "reads versions up to {}",
                           *version, kLanguageVersion))
        .help = "it needs a newer version of Boardwright";
  }
  return version && *version <= kLanguageVersion;
}

// A file with definitions and nothing that makes a game. Each section that it lacks would be told by itself.
bool check_not_vocabulary(const Yaml& root, Diagnostics& diagnostics) {
  if (root.find("define") == nullptr) return true;
  for (const char* section : {"game", "extends", "players", "board", "pieces", "setup", "turn", "end"})
    if (root.find(section) != nullptr) return true;
  diagnostics.error("missing-section", root.entries.front().key.span(), std::string(kNoGame)).help =
      "a game names it in its section `use`";
  return false;
}

void note_uses(Yaml& root, const std::string& file, Loading& loading) {
  auto& uses = loading.uses.emplace_back();
  const auto value = take(root, "use");
  if (!value) return;
  const auto names = read_words(*value, "`use`", "use: [leaps, walls]", loading.diagnostics);
  for (const Name& name : names.value_or(std::vector<Name>{})) uses.emplace_back(name, file);
}

void report_cycle(const Name& reference, const std::string& path, Loading& loading) {
  loading.diagnostics.error("extends-cycle", reference.span, "a file can't extend itself").help = path;
}

void report_missing_file(const Name& reference, Loading& loading) {
  const std::string& file = loading.chain.back().name;
  // No file finds itself, so that it may extend a bundled one of its name. Where there is none, it was meant.
  if (names_itself(reference.text, file)) return report_cycle(reference, file + " extends " + file, loading);
  report_not_found(reference, "rule file", known_games(), loading);
}

bool is_cycle(const std::string& file, const Name& reference, Loading& loading) {
  const auto& chain = loading.chain;
  const auto again = [&](const RuleLayer& layer) { return layer.name == file; };
  const auto begin = std::find_if(chain.begin(), chain.end(), again);
  if (begin == chain.end()) return false;
  std::string path;
  for (auto layer = begin; layer != chain.end(); ++layer) path += layer->name + " extends ";
  report_cycle(reference, path + file, loading);
  return true;
}

bool is_too_long(const Name& reference, Loading& loading) {
  if (loading.chain.size() <= kMaxExtends) return false;
  loading.diagnostics.error("limit", reference.span,
                            fmt::format("more than {} files extend one another", kMaxExtends));
  return true;
}

// The file that the last of the chain extends, if it does and that can be found.
std::optional<FoundFile> next_file(Yaml& root, Loading& loading) {
  const auto value = take(root, "extends");
  if (!value) return std::nullopt;
  const auto reference = read_word(*value, "`extends`", "extends: other", loading.diagnostics);
  loading.broken = !reference || is_too_long(*reference, loading);
  if (loading.broken) return std::nullopt;
  auto found = loading.find(reference->text, loading.chain.back().name);
  if (!found)
    report_missing_file(*reference, loading);
  else if (is_cycle(found->name, *reference, loading))
    found.reset();
  loading.broken = !found;
  return found;
}

// Adds a file and all that it extends; whether the file itself could be read.
bool read_chain(FoundFile file, FileId& id, Loading& loading) {
  std::optional<FoundFile> next = std::move(file);
  for (FileId here = 0; next;) {
    const std::string name = next->name;
    auto root = read_file(std::move(*next), here, loading);
    if (loading.chain.empty()) id = here;
    loading.broken = !root || !expect_map(*root, "a rule file", "game: My Game", loading.diagnostics);
    if (loading.broken) break;
    loading.chain.push_back({name, {}});
    loading.broken =
        !check_version(*root, loading.diagnostics) || !check_not_vocabulary(*root, loading.diagnostics);
    if (loading.broken) break;
    note_uses(*root, name, loading);
    next = next_file(*root, loading);
    loading.chain.back().root = std::move(*root);
  }
  return !loading.chain.empty();
}

Yaml merged(std::vector<RuleLayer> chain, Diagnostics& diagnostics) {
  Yaml result = std::move(chain.back().root);
  for (auto layer = chain.rbegin() + 1; layer != chain.rend(); ++layer)
    result = merge(std::move(result), std::move(layer->root), diagnostics);
  return result;
}

// --- vocabularies

bool has_vocabulary(const std::string& file, const Loading& loading) {
  return std::any_of(loading.vocabularies.begin(), loading.vocabularies.end(),
                     [&](const Vocabulary& vocabulary) { return vocabulary.file == file; });
}

void add_vocabulary(FoundFile found, Loading& loading) {
  if (has_vocabulary(found.name, loading)) return;
  Vocabulary vocabulary{found.name, {}, {}, {}};
  FileId id = 0;
  if (auto root = read_file(std::move(found), id, loading);
      root && check_version(*root, loading.diagnostics)) {
    vocabulary.definitions = read_vocabulary(*root, loading.diagnostics);
    if (const YamlEntry* options = section(*root, "options")) vocabulary.options = *options;
    if (const YamlEntry* look = section(*root, "look")) vocabulary.look = *look;
  }
  loading.vocabularies.push_back(std::move(vocabulary));
}

void add_standard_vocabulary(FileId file, Loading& loading) {
  if (auto found = loading.find("std", "")) return add_vocabulary(std::move(*found), loading);
  loading.diagnostics.error("not-found", {file, 0, 0}, "the vocabulary `std` can't be found");
  loading.vocabularies.push_back({"std", {}, {}, {}});
}

void report_game(const Name& name, Loading& loading) {
  auto& error = loading.diagnostics.error("not-found", name.span,
                                          in_backticks(name.text) + " is a game, not a vocabulary");
  error.help = fmt::format("a variant of it says `extends: {}`", name.text);
}

void add_used(const Name& name, const std::string& beside, Loading& loading) {
  if (loading.vocabularies.size() > kMaxVocabularies) {
    loading.diagnostics.error("limit", name.span,
                              fmt::format("more than {} vocabularies are used", kMaxVocabularies));
    return;
  }
  auto found = loading.find(name.text, beside);
  // A game may have the name of a vocabulary, and even be the file that uses it.
  if (!found || is_game(found->text))
    if (auto vocabulary = bundled_vocabulary(name.text)) found = std::move(vocabulary);
  if (!found) return report_not_found(name, "vocabulary", bundled_vocabularies(), loading);
  if (is_game(found->text)) return report_game(name, loading);
  add_vocabulary(std::move(*found), loading);
}

// `std`, then those of the files that are extended, farthest first. They add up: rules that are inherited
// need them.
void read_vocabularies(RuleFile& file, Loading& loading) {
  add_standard_vocabulary(file.file, loading);
  for (auto uses = loading.uses.rbegin(); uses != loading.uses.rend(); ++uses)
    for (const auto& [name, beside] : *uses) add_used(name, beside, loading);
  for (auto& vocabulary : loading.vocabularies)
    file.vocabularies.push_back(std::move(vocabulary.definitions));
}

// The sections `options` and `look` of vocabularies lie below those of all files.
void add_below(const char* name, std::optional<YamlEntry> Vocabulary::*part, Loading& loading) {
  std::optional<YamlEntry> all;
  for (const Vocabulary& vocabulary : loading.vocabularies) {
    const std::optional<YamlEntry>& entry = vocabulary.*part;
    if (!entry) continue;
    if (all)
      all->value = merge_entries(name, std::move(all->value), entry->value, loading.diagnostics);
    else
      all = entry;
  }
  if (!all) return;
  Yaml& first = loading.chain.back().root;
  if (auto own = take(first, name))
    all->value = merge_entries(name, std::move(all->value), std::move(*own), loading.diagnostics);
  first.entries.push_back(std::move(*all));
}

// Does a word stand in a line, before this place or at it?
bool stands_before(const std::string& word, Span place, const Sources& sources) {
  const std::string& text = sources.text(place.file);
  const std::size_t newline = text.rfind('\n', place.begin == 0 ? 0 : place.begin - 1);
  const std::size_t begin = newline == std::string::npos ? 0 : newline + 1;
  const auto is_letter = [&](std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_');
  };
  for (std::size_t at = text.find(word, begin); at < place.end; at = text.find(word, at + 1))
    if ((at == 0 || !is_letter(at - 1)) && !is_letter(at + word.size())) return true;
  return false;
}

// A definition whose name is a reserved word is told as that. Where it is used the word means something else,
// and what is told there would mislead.
void forget_echoes(const RuleFile& file, const Sources& sources, Diagnostics& diagnostics) {
  for (const Definition& definition : file.define) {
    const std::string& name = definition.name.text;
    if (is_keyword(name))
      diagnostics.forget("syntax", [&](const Diagnostic& d) { return stands_before(name, d.span, sources); });
  }
  // Likewise a name that a rule binds: `let move = 1`.
  std::set<std::string> echoes;
  for (const Diagnostic& d : diagnostics.all())
    if (d.code == "syntax" && d.message.ends_with("` is a reserved word"))
      echoes.insert("unexpected " + d.message.substr(0, d.message.find('`', 1) + 1));
  if (!echoes.empty())
    diagnostics.forget("syntax", [&](const Diagnostic& d) { return echoes.contains(d.message); });
}

// Is a section that names things no map, so that nothing of it is known?
bool has_unread_section(const Yaml& root) {
  for (const char* name : {"define", "pieces", "state", "options", "board"})
    if (const YamlEntry* entry = section(root, name); entry != nullptr && !entry->value.is_map()) return true;
  const YamlEntry* players = section(root, "players");
  return players != nullptr && players->value.is_scalar();
}

// A set-up that is dealt by lot has an option that says which, unless the file declares one itself.
void add_lot_option(RuleFile& file) {
  const auto is_lot = [](const OptionEntry& option) { return option.name.text == kLotOption; };
  constexpr std::string_view kHelp = "which set-up is dealt; 0: as it is written";
  if (!file.setup.shuffle) return;
  const auto own = std::find_if(file.options.begin(), file.options.end(), is_lot);
  if (own != file.options.end()) {
    if (own->help.empty()) own->help = kHelp;
    return;
  }
  const auto number = [&](std::int64_t n) {
    Ast tree;
    tree.form = Form::number;
    tree.number = n;
    tree.span = file.setup.shuffle->span;
    return tree;
  };
  OptionEntry lot;
  lot.span = file.setup.shuffle->span;
  lot.name = {std::string(kLotOption), lot.span};
  lot.initial = Name{"0", lot.span};
  lot.low = number(0);
  lot.high = number(kLastLot);
  lot.help = kHelp;
  file.options.push_back(std::move(lot));
}

} // namespace

std::optional<RuleFile> read_rule_file(const std::string& reference, const FileFinder& find, Sources& sources,
                                       Diagnostics& diagnostics) {
  Loading loading{find, sources, diagnostics, {}, {}, {}};
  auto found = find(reference, "");
  if (!found) return report_no_file(reference, loading), std::nullopt;
  RuleFile file;
  if (!read_chain(std::move(*found), file.file, loading)) return std::nullopt;
  if (loading.broken) return std::nullopt; // what is inherited would all be told as missing
  read_vocabularies(file, loading);
  add_below("options", &Vocabulary::options, loading);
  add_below("look", &Vocabulary::look, loading);
  const Yaml root = merged(std::move(loading.chain), diagnostics);
  file.unread = has_unread_section(root);
  read_sections(root, file, diagnostics);
  add_lot_option(file);
  resolve_families(file, diagnostics);
  forget_echoes(file, sources, diagnostics);
  return file;
}

} // namespace boardwright::dsl
