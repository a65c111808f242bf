// Entry points: merge, merge_entries.
#include "dsl/merge.hpp"

#include "dsl/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

namespace boardwright::dsl {
namespace {

// The search for a similar name looks at so many.
constexpr std::size_t kMaxSuggestions = 200;

enum class Matching : std::uint8_t { by_key, by_definition };

// `step(D, S)` and `step(a, b)` are one name, `step` is another.
std::string signature(std::string_view key, Matching matching) {
  if (matching == Matching::by_key) return std::string(key);
  const std::size_t open = key.find('(');
  if (open == std::string_view::npos) return std::string(key);
  return std::string(key.substr(0, key.find_last_not_of(" \t", open - 1) + 1)) + "()";
}

// The entries of a map with their places by name. Removed entries stay, marked, until `finish`.
class Layer {
public:
  Layer(Yaml map, Matching matching)
      : map_(std::move(map)), removed_(map_.entries.size()), matching_(matching) {
    for (std::size_t i = 0; i < map_.entries.size(); ++i) place_.emplace(signature_of(map_.entries[i]), i);
  }

  YamlEntry* find(const YamlEntry& entry) { return at(signature_of(entry)); }

  void add(YamlEntry entry) {
    place_[signature_of(entry)] = map_.entries.size();
    map_.entries.push_back(std::move(entry));
    removed_.push_back(false);
  }

  // Of the same name, or else, for a definition, of that name with parameters.
  bool remove(const YamlEntry& entry) {
    const std::string name = signature_of(entry);
    return remove_named(name) || (matching_ == Matching::by_definition && remove_named(name + "()"));
  }

  template <class Condition>
  void remove_if(Condition condition) {
    for (std::size_t i = 0; i < map_.entries.size(); ++i)
      if (condition(map_.entries[i])) {
        removed_[i] = true;
        place_.erase(signature_of(map_.entries[i]));
      }
  }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : map_.entries) {
      if (names.size() == kMaxSuggestions) break;
      names.push_back(entry.key.text.substr(0, matching_ == Matching::by_key ? std::string::npos
                                                                             : entry.key.text.find('(')));
    }
    return names;
  }

  Yaml finish() && {
    std::vector<YamlEntry> kept;
    for (std::size_t i = 0; i < map_.entries.size(); ++i)
      if (!removed_[i]) kept.push_back(std::move(map_.entries[i]));
    map_.entries = std::move(kept);
    return std::move(map_);
  }

private:
  [[nodiscard]] std::string signature_of(const YamlEntry& entry) const {
    return signature(entry.key.text, matching_);
  }

  YamlEntry* at(const std::string& name) {
    const auto found = place_.find(name);
    return found == place_.end() ? nullptr : &map_.entries[found->second];
  }

  bool remove_named(const std::string& name) {
    const auto found = place_.find(name);
    if (found == place_.end()) return false;
    removed_[found->second] = true;
    place_.erase(found);
    return true;
  }

  Yaml map_;
  std::vector<bool> removed_;
  Matching matching_;
  std::unordered_map<std::string, std::size_t> place_;
};

void nothing_to_remove(const YamlEntry& entry, const Layer& layer, Diagnostics& diagnostics) {
  auto& error = diagnostics.error(
      "nothing-to-remove", entry.key.span(),
      fmt::format("there is no {} in the extended file to remove", in_backticks(entry.key.text)));
  // Once messages are only counted, searching for similar names would be for nobody.
  if (diagnostics.error_count() <= kMaxDiagnostics) error.help = did_you_mean(entry.key.text, layer.names());
  if (error.help.empty()) error.help = "an entry without a value removes one";
}

void replace(YamlEntry& old, YamlEntry entry) {
  auto replaced = std::make_shared<const YamlEntry>(std::move(old));
  old = std::move(entry);
  old.replaced = std::move(replaced);
}

Yaml merge_maps(Yaml parent, Yaml child, Matching matching, bool deep, Diagnostics& diagnostics);

void merge_entry(Layer& layer, YamlEntry entry, bool deep, Diagnostics& diagnostics) {
  if (entry.value.kind == Yaml::Kind::empty) {
    if (!layer.remove(entry)) nothing_to_remove(entry, layer, diagnostics);
    return;
  }
  YamlEntry* old = layer.find(entry);
  if (old == nullptr) return layer.add(std::move(entry));
  if (deep && old->value.is_map() && entry.value.is_map())
    entry.value = merge_maps(old->value, std::move(entry.value), Matching::by_key, deep, diagnostics);
  replace(*old, std::move(entry));
}

void merge_into(Layer& layer, Yaml child, bool deep, Diagnostics& diagnostics) {
  for (auto& entry : child.entries) merge_entry(layer, std::move(entry), deep, diagnostics);
}

// Recursion is bounded: read_yaml refuses trees deeper than kMaxYamlDepth.
Yaml merge_maps(Yaml parent, Yaml child, Matching matching, bool deep, Diagnostics& diagnostics) {
  const Span span = child.span; // what a message about the whole points at
  Layer layer(std::move(parent), matching);
  merge_into(layer, std::move(child), deep, diagnostics);
  Yaml merged = std::move(layer).finish();
  merged.span = span;
  return merged;
}

// --- sections

bool is_shape(std::string_view key) {
  constexpr std::array<std::string_view, 4> kShapes = {"squares", "hexes", "hexagon", "picture"};
  return std::find(kShapes.begin(), kShapes.end(), key) != kShapes.end();
}

void without_shape(Yaml& board) {
  std::erase_if(board.entries, [](const YamlEntry& entry) {
    const std::string& key = entry.key.text;
    return is_shape(key) || key == "reach" || key == "margin"; // which say how large an endless one is
  });
}

bool has_shape(const Yaml& board) {
  return std::any_of(board.entries.begin(), board.entries.end(), [](const YamlEntry& entry) {
    return is_shape(entry.key.text) && entry.value.kind != Yaml::Kind::empty;
  });
}

// The lines of `end`: a single one may stand without a list.
std::vector<Yaml> lines_of(const Yaml& end) {
  if (end.is_scalar()) return {end};
  return end.items;
}

bool says_inherited(const Yaml& line) { return line.is_scalar() && line.text.trimmed().text == "inherited"; }

Yaml merge_end(const Yaml& parent, const Yaml& child) {
  Yaml merged;
  merged.kind = Yaml::Kind::sequence;
  merged.span = child.span;
  bool spliced = false; // a second `inherited` adds nothing: its lines have been asked
  for (const Yaml& line : lines_of(child)) {
    if (!says_inherited(line)) {
      merged.items.push_back(line);
      continue;
    }
    const auto inherited = spliced ? std::vector<Yaml>{} : lines_of(parent);
    merged.items.insert(merged.items.end(), inherited.begin(), inherited.end());
    spliced = true;
  }
  return merged;
}

bool has_key_of(const Yaml& child, const Yaml& parent) {
  return std::any_of(child.entries.begin(), child.entries.end(), [&](const YamlEntry& entry) {
    return std::any_of(parent.entries.begin(), parent.entries.end(),
                       [&](const YamlEntry& old) { return old.key.text == entry.key.text; });
  });
}

// When and where something was written goes with who wrote it: of another author the parent's year says
// nothing.
void without_authorship(Yaml& about) {
  std::erase_if(about.entries, [](const YamlEntry& entry) {
    return entry.key.text == "author" || entry.key.text == "year" || entry.key.text == "source";
  });
}

bool names_author(const Yaml& about) {
  return std::any_of(about.entries.begin(), about.entries.end(),
                     [](const YamlEntry& entry) { return entry.key.text == "author"; });
}

Yaml merge_section(std::string_view name, Yaml parent, Yaml child, Diagnostics& diagnostics) {
  if (name == "end" && (child.is_scalar() || child.is_sequence())) return merge_end(parent, child);
  if (!parent.is_map() || !child.is_map()) return child;
  if (name == "players" && !has_key_of(child, parent)) return child; // others play
  if (name == "board" && has_shape(child)) without_shape(parent);
  if (name == "about" && names_author(child)) without_authorship(parent);
  constexpr std::array<std::string_view, 5> kDeep = {"about", "board", "options", "look", "check"};
  const bool deep = std::find(kDeep.begin(), kDeep.end(), name) != kDeep.end();
  const auto matching = name == "define" ? Matching::by_definition : Matching::by_key;
  return merge_maps(std::move(parent), std::move(child), matching, deep, diagnostics);
}

void merge_section_entry(Layer& file, YamlEntry entry, Diagnostics& diagnostics) {
  YamlEntry* old = file.find(entry);
  const bool removes = entry.value.kind == Yaml::Kind::empty;
  if (old == nullptr || removes) {
    if (!removes || entry.key.text != "tests") merge_entry(file, std::move(entry), false, diagnostics);
    return;
  }
  // The old text is needed only where `inherited` can ask for it, and of `end` by whoever wants to tell what
  // has gone; of other sections it would be a copy for nobody.
  if (entry.key.text == "turn") return replace(*old, std::move(entry));
  if (entry.key.text == "end") entry.replaced = std::make_shared<const YamlEntry>(*old);
  entry.value = merge_section(entry.key.text, std::move(old->value), std::move(entry.value), diagnostics);
  *old = std::move(entry);
}

} // namespace

Yaml merge_entries(std::string_view section, Yaml below, Yaml above, Diagnostics& diagnostics) {
  if (above.kind == Yaml::Kind::empty) return below;
  return merge_section(section, std::move(below), std::move(above), diagnostics);
}

Yaml merge(Yaml parent, Yaml child, Diagnostics& diagnostics) {
  const Span span = child.span;
  Layer file(std::move(parent), Matching::by_key);
  file.remove_if([](const YamlEntry& entry) { return entry.key.text == "tests"; });
  for (auto& entry : child.entries) merge_section_entry(file, std::move(entry), diagnostics);
  Yaml merged = std::move(file).finish();
  merged.span = span;
  return merged;
}

} // namespace boardwright::dsl
