// Entry points: parts_of, checked.
#include "tools/lsp/recovered.hpp"

#include "dsl/section_keys.hpp"
#include "dsl/sections.hpp"
#include "dsl/text.hpp"
#include "dsl/yaml.hpp"
#include "interpreter/compile.hpp"
#include "tools/lsp/readable_steps.hpp"

#include <algorithm>
#include <set>

namespace boardwright::tools {
namespace {

using std::string_view;

bool is_yaml(const std::string& text) {
  dsl::Sources sources;
  dsl::Diagnostics ignored;
  return dsl::read_yaml(sources, sources.add("", text), ignored).has_value();
}

// --- parts

std::size_t line_end_in(string_view text, std::size_t at) {
  return std::min(text.find('\n', at), text.size());
}

// The bytes before the first that is no blank; npos of an empty line and of a remark.
std::size_t indent_in(string_view text, std::size_t line) {
  std::size_t at = line;
  while (at < text.size() && text[at] == ' ') ++at;
  return at == text.size() || text[at] == '\n' || text[at] == '#' ? string_view::npos : at - line;
}

std::string key_in(string_view text, std::size_t at) {
  const std::size_t end = std::min(text.find_first_of(":\n", at), text.size());
  return std::string(text.substr(at, end - at));
}

// The entries of a section: its lines with the least indentation each begin one.
void add_entries(string_view text, const FilePart& section, std::vector<FilePart>& parts) {
  const std::size_t first_line = std::min(line_end_in(text, section.begin) + 1, section.end);
  std::size_t margin = string_view::npos;
  const auto lines = [&](auto&& each) {
    for (std::size_t line = first_line; line < section.end; line = line_end_in(text, line) + 1)
      if (const std::size_t indent = indent_in(text, line); indent != string_view::npos) each(line, indent);
  };
  lines([&](std::size_t, std::size_t indent) { margin = std::min(margin, indent); });
  const string_view head = text.substr(section.begin, first_line - section.begin);
  const std::size_t colon = head.find(':');
  const bool bare = colon != string_view::npos && indent_in(head, colon + 1) == string_view::npos;
  if (!bare || margin == string_view::npos) {
    parts.push_back(section);
    return;
  }
  const std::size_t size = parts.size();
  lines([&](std::size_t line, std::size_t indent) {
    if (indent != margin) return;
    if (parts.size() > size) parts.back().end = line;
    parts.push_back({section.section, key_in(text, line + indent), line, section.end});
  });
}

bool has_entries(const std::string& section) {
  return section == "define" || section == "tests" || section == "end" || section == "options" ||
         section == "about";
}

// --- what is no YAML

// Before an entry that is read alone.
const std::string kHead = "part:\n";

struct Readable {
  std::string text; // with blanks for what is no YAML
  std::vector<FilePart> blanked;
};

void blank(const FilePart& part, Readable& rest) {
  for (std::size_t at = part.begin; at < std::min(part.end, rest.text.size()); ++at)
    if (rest.text[at] != '\n') rest.text[at] = ' ';
  rest.blanked.push_back(part);
}

// What a part is by itself. A line that has lost its colon is a text, and no YAML beside entries.
enum class Alone { no_yaml, text, entry };

Alone alone(const FilePart& part, const std::string& text) {
  const std::string whole = text.substr(part.begin, part.end - part.begin);
  dsl::Sources sources;
  dsl::Diagnostics ignored;
  const dsl::FileId id = sources.add("", part.key.empty() ? whole : kHead + whole);
  const auto root = dsl::read_yaml(sources, id, ignored);
  if (!root) return Alone::no_yaml;
  const dsl::Yaml* const entry = part.key.empty() ? &*root : root->find("part");
  return entry != nullptr && entry->is_scalar() ? Alone::text : Alone::entry;
}

Readable without_broken_parts(const std::string& text) {
  Readable rest{text, {}};
  const std::vector<FilePart> parts = parts_of(text);
  std::vector<Alone> what;
  std::set<std::string> with_entries; // sections that aren't one text of several lines
  for (const FilePart& part : parts) {
    what.push_back(alone(part, text));
    if (part.key.empty() || what.back() == Alone::entry) with_entries.insert(part.section);
  }
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (what[i] == Alone::no_yaml || (what[i] == Alone::text && with_entries.contains(parts[i].section)))
      blank(parts[i], rest);
  return rest;
}

// --- what stood there before

bool has_error_in(const FilePart& part, const interpreter::Loaded& loaded) {
  const auto& all = loaded.diagnostics.all();
  return std::any_of(all.begin(), all.end(), [&](const dsl::Diagnostic& d) {
    return d.severity == dsl::Severity::error && d.span.file == loaded.file->file && d.span.end > 0 &&
           d.span.begin >= part.begin && d.span.begin < std::max(part.end, part.begin + 1);
  });
}

// Sections that other parts need to be read.
bool is_needed(const std::string& section) {
  static const std::set<std::string, std::less<>> needed{"players", "board",   "pieces", "hands",
                                                         "state",   "options", "define", "turn"};
  return needed.contains(section);
}

bool is_section(const std::string& name) {
  static const auto tables = dsl::keys_of_sections();
  return std::any_of(tables.begin(), tables.end(), [&](const auto& table) {
    return table.first.empty() &&
           std::find(table.second.begin(), table.second.end(), name) != table.second.end();
  });
}

void take_section(const std::string& section, dsl::RuleFile& before, dsl::RuleFile& file) {
  if (section == "players") file.players = std::move(before.players);
  if (section == "board") file.board = std::move(before.board);
  if (section == "pieces") file.pieces = std::move(before.pieces);
  if (section == "hands") file.hands = std::move(before.hands);
  if (section == "state") file.state = std::move(before.state);
  if (section == "turn") file.turn = std::move(before.turn);
}

void take_definition(dsl::Definition definition, dsl::RuleFile& file) {
  const auto same = std::find_if(file.define.begin(), file.define.end(), [&](const dsl::Definition& other) {
    return other.name.text == definition.name.text &&
           other.parameters.empty() == definition.parameters.empty();
  });
  if (same == file.define.end())
    file.define.push_back(std::move(definition));
  else if (!same->body && same->cases.empty())
    *same = std::move(definition);
}

// Reads earlier versions of what can't be read now. They stand in a file of their own, so that what would be
// told of them can be told apart.
dsl::FileId take_parts(const std::string& earlier, const std::set<std::string>& sections,
                       interpreter::Loaded& loaded) {
  const dsl::FileId id = loaded.sources.add("", earlier);
  dsl::Diagnostics ignored;
  const auto root = dsl::read_yaml(loaded.sources, id, ignored);
  if (!root) return id;
  dsl::RuleFile before;
  before.file = id;
  before.players = loaded.file->players; // by whom letters are counted
  dsl::read_sections(*root, before, ignored);
  for (const std::string& section : sections) take_section(section, before, *loaded.file);
  for (auto& option : before.options) {
    const auto& all = loaded.file->options;
    if (std::none_of(all.begin(), all.end(), [&](const auto& o) { return o.name.text == option.name.text; }))
      loaded.file->options.push_back(std::move(option));
  }
  for (auto& definition : before.define) take_definition(std::move(definition), *loaded.file);
  return id;
}

bool was_blanked(const FilePart& part, const Readable& rest) {
  return std::any_of(rest.blanked.begin(), rest.blanked.end(),
                     [&](const FilePart& other) { return other.begin == part.begin; });
}

// A definition that can't be read is there all the same: its head, if that looks like one.
std::string head_alone(const FilePart& part, const std::string& text) {
  const std::size_t colon = text.find(": ", part.begin);
  if (part.section != "define" || part.key.empty() || colon == std::string::npos || colon >= part.end)
    return "";
  return text.substr(part.begin, colon - part.begin) + ": 0 +\n";
}

// A part with one bracket, which isn't closed: with that at its end. "" where it is another, or no YAML then
// either. With more of them nobody knows where the missing one belongs.
std::string closed(const FilePart& part, const std::string& text) {
  std::string whole = text.substr(part.begin, part.end - part.begin);
  const std::size_t open = whole.find_first_of("{[");
  if (open == std::string::npos || whole.find_first_of("{}[]\"'#", open + 1) != std::string::npos) return "";
  while (dsl::is_white(whole.back())) whole.pop_back();
  whole += whole[open] == '{' ? " }" : " ]";
  return is_yaml(part.key.empty() ? whole : kHead + whole) ? whole : "";
}

// What stands in for a part that can't be read: what stood there, else as much of it as can be.
std::string substitute_for(const FilePart& part, const std::string& text, const std::string& remembered) {
  if (!remembered.empty()) return remembered;
  const std::string mended = closed(part, text);
  return mended.empty() ? head_alone(part, text) : mended;
}

// That sections are missing which are taken as they were.
void forget_missing(const std::set<std::string>& sections, interpreter::Loaded& loaded) {
  loaded.diagnostics.forget("missing-section", [&](const dsl::Diagnostic& d) {
    return std::any_of(sections.begin(), sections.end(), [&](const std::string& section) {
      return d.message.find('`' + section + '`') != std::string::npos;
    });
  });
}

// A text of sections and entries, those of one section one after the other.
class Earlier {
public:
  void add(const std::string& section, const std::string& key, const std::string& text) {
    if (text.empty()) return;
    std::string& all = sections_[section];
    if (all.empty() && !key.empty()) all = section + ":\n";
    all += text + (text.back() == '\n' ? "" : "\n");
  }
  [[nodiscard]] std::string text() const {
    std::string all;
    for (const auto& [section, text] : sections_) all += text;
    return all;
  }
  [[nodiscard]] std::set<std::string> sections() const {
    std::set<std::string> names;
    for (const auto& [section, text] : sections_) names.insert(section);
    return names;
  }

private:
  std::map<std::string, std::string> sections_;
};

// Parts that could be read once, and whose names stand nowhere any more. They are taken as they were where a
// part with an unheard-of name can't be read: half a name, or what two of them have run together into. Else
// somebody has taken them out.
void recall_vanished(const std::vector<FilePart>& parts, const std::set<std::string>& misnamed,
                     ReadableParts& readable, Earlier& earlier) {
  std::map<std::string, std::set<std::string>> there;
  for (const FilePart& part : parts) there[part.section].insert(part.key);
  std::erase_if(readable, [&](const auto& one) {
    const auto& [section, key] = one.first;
    const auto now = there.find(section);
    const bool has_section = now != there.end();
    if (has_section && now->second.contains(key)) return false;
    if (!misnamed.contains(has_section ? section : "")) return misnamed.empty();
    // An entry beside entries; not one of a section that is written another way now.
    if (!has_section || (!key.empty() && !now->second.contains(""))) earlier.add(section, key, one.second);
    return false;
  });
}

// Remembers the parts that can be read, and takes the others as they were. What one extends has other parts
// than those that stand in it: there nothing is replaced.
std::optional<dsl::FileId> recall(const std::string& text, const Readable& rest, ReadableParts& readable,
                                  interpreter::Loaded& loaded) {
  Earlier earlier;
  std::set<std::string> misnamed; // sections with an entry of an unheard-of name; "" where one is a section
  bool extends = false;
  const std::vector<FilePart> parts = parts_of(text);
  for (const FilePart& part : parts) {
    extends = extends || part.section == "extends";
    const bool can_be_read = !was_blanked(part, rest) && !has_error_in(part, loaded);
    if (!is_needed(part.section)) {
      if (!can_be_read && !is_section(part.section)) misnamed.insert("");
      continue;
    }
    std::string& remembered = readable[{part.section, part.key}];
    if (can_be_read) {
      remembered = text.substr(part.begin, part.end - part.begin);
      continue;
    }
    if (remembered.empty()) misnamed.insert(part.section);
    earlier.add(part.section, part.key, substitute_for(part, text, remembered));
  }
  recall_vanished(parts, misnamed, readable, earlier);
  if (earlier.sections().empty() || extends) return std::nullopt;
  forget_missing(earlier.sections(), loaded);
  return take_parts(earlier.text(), earlier.sections(), loaded);
}

// Names that may be missing only because a part is.
void forget_what_is_missing(const Readable& rest, const std::string& text, interpreter::Loaded& loaded) {
  std::set<std::string, std::less<>> words;
  for (const FilePart& part : rest.blanked)
    for (std::size_t at = part.begin; at < part.end;) {
      std::size_t end = at;
      while (end < part.end && dsl::continues_name(text[end])) ++end;
      if (end > at) words.insert(text.substr(at, end - at));
      at = end + 1;
    }
  loaded.diagnostics.forget("missing-section", [&](const dsl::Diagnostic& d) {
    return std::any_of(rest.blanked.begin(), rest.blanked.end(), [&](const FilePart& part) {
      return d.message.find('`' + part.section + '`') != std::string::npos;
    });
  });
  loaded.diagnostics.forget("unknown-name", [&](const dsl::Diagnostic& d) {
    return d.span.file == loaded.file->file &&
           words.contains(text.substr(d.span.begin, d.span.end - d.span.begin));
  });
}

dsl::Diagnostics without_file(const dsl::Diagnostics& all, dsl::FileId file) {
  dsl::Diagnostics kept;
  for (const dsl::Diagnostic& d : all.all()) {
    if (d.span.file == file) continue;
    if (d.severity == dsl::Severity::error)
      kept.error(d.code, d.span, d.message);
    else
      kept.warning(d.code, d.span, d.message);
    kept.last() = d;
  }
  return kept;
}

} // namespace

std::vector<FilePart> parts_of(string_view text) {
  std::vector<FilePart> sections, parts;
  for (std::size_t line = 0; line < text.size(); line = line_end_in(text, line) + 1) {
    if (!dsl::begins_name(text[line])) continue;
    if (!sections.empty()) sections.back().end = line;
    sections.push_back({key_in(text, line), "", line, text.size()});
  }
  for (const FilePart& section : sections)
    if (has_entries(section.section))
      add_entries(text, section, parts);
    else
      parts.push_back(section);
  return parts;
}

bool are_others_known(const std::string& text) {
  static const std::set<std::string, std::less<>> alone{"about", "turn",  "define", "end",
                                                        "tests", "setup", "look"};
  if (is_yaml(text)) return true;
  const std::vector<FilePart> broken = without_broken_parts(text).blanked;
  const bool extends = text.starts_with("extends:") || text.find("\nextends:") != std::string::npos;
  return !broken.empty() && std::all_of(broken.begin(), broken.end(), [&](const FilePart& part) {
    return alone.contains(part.section) ||
           (!extends && is_needed(part.section) && !closed(part, text).empty());
  });
}

std::shared_ptr<interpreter::Loaded> checked(const std::string& path, const std::string& text,
                                             ReadableParts& readable, const dsl::FileFinder& find) {
  auto loaded = std::make_shared<interpreter::Loaded>();
  loaded->file = dsl::read_rule_file(path, find, loaded->sources, loaded->diagnostics);
  loaded->not_found = !loaded->file && !find(path, "").has_value();
  Readable rest{text, {}};
  if (!loaded->file && !is_yaml(text)) {
    rest = without_broken_parts(text);
    const auto with_rest = [&](const std::string& reference, const std::string& beside) {
      return reference == path ? std::optional(dsl::FoundFile{reference, rest.text})
                               : find(reference, beside);
    };
    const auto again = std::make_shared<interpreter::Loaded>();
    again->file = dsl::read_rule_file(path, with_rest, again->sources, again->diagnostics);
    if (again->file) { // what is no YAML is told first: the rest may follow from it
      loaded->diagnostics.append(again->diagnostics);
      again->diagnostics = std::move(loaded->diagnostics);
      loaded = again;
    }
  }
  if (!loaded->file) return loaded;
  const auto before = recall(text, rest, readable, *loaded);
  ReadableSteps steps(*loaded);
  static_cast<void>(
      interpreter::compile(*loaded->file, {}, loaded->sources, loaded->diagnostics, loaded->bad_setting));
  steps.take_away();
  forget_what_is_missing(rest, text, *loaded);
  if (before) loaded->diagnostics = without_file(loaded->diagnostics, *before);
  return loaded;
}

} // namespace boardwright::tools
