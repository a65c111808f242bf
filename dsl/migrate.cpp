// Entry point: migration_of.
#include "dsl/migrate.hpp"

#include "dsl/grammar.hpp"
#include "dsl/shape.hpp"
#include "dsl/yaml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>

namespace boardwright::dsl {
namespace {

// --- rules

class Rules {
public:
  Rules(const std::string& source, const std::set<std::string>& declared, std::vector<Edit>& edits)
      : source_(source), declared_(declared), edits_(edits) {}

  // A tree is bounded in height by the grammar.
  void walk(const Ast& tree) {
    if (!rewritten(tree))
      for (const Ast& kid : tree.kids) walk(kid);
  }

private:
  // Whether the whole tree has been replaced, so that nothing is left in it.
  bool rewritten(const Ast& tree) {
    switch (tree.form) {
    case Form::binary: return tree.word == ".." ? rows(tree) : tree.word == "&" && no_direction(tree);
    case Form::require: return nothing(tree);
    case Form::repeat: return at_most_once(tree);
    default: return false;
    }
  }

  void replace(Span span, std::string text) { edits_.push_back({span, std::move(text)}); }

  [[nodiscard]] std::string_view text(Span span) const {
    return std::string_view(source_).substr(span.begin, span.end - span.begin);
  }

  // `rank(a) .. rank(b)`: `rank(a .. b)`. It was the rectangle between the first cells of two ranks.
  bool rows(const Ast& tree) {
    const Ast &from = tree.kids[0], &to = tree.kids[1];
    const auto is_row = [](const Ast& call) {
      return call.form == Form::call && call.kids.size() == 1 &&
             (call.word == "rank" || call.word == "row" || call.word == "file");
    };
    if (!is_row(from) || !is_row(to) || from.word != to.word) return false;
    const Span low = from.kids[0].span, high = to.kids[0].span;
    if (text({tree.span.file, low.end, high.begin}).find('#') != std::string_view::npos) return false;
    if (is_greater(from.kids[0], to.kids[0])) { // a range goes upwards
      replace(low, std::string(text(high)));
      replace({low.file, low.end, high.begin}, " .. ");
      replace(high, std::string(text(low)));
    } else {
      replace({low.file, low.end, high.begin}, " .. ");
    }
    return true;
  }

  static std::optional<std::int64_t> constant(const Ast& tree) {
    if (tree.form == Form::number) return tree.number;
    if (tree.form == Form::negate && tree.kids[0].form == Form::number) return -tree.kids[0].number;
    return std::nullopt;
  }

  // Rows below 0 are counted from the other side.
  static bool is_greater(const Ast& a, const Ast& b) {
    const auto low = constant(a), high = constant(b);
    return low && high && (*low < 0) == (*high < 0) && *low > *high;
  }

  // `north & south`: no step goes both ways.
  bool no_direction(const Ast& tree) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kOpposite = {
        {{"north", "south"}, {"east", "west"}, {"forward", "backward"}}};
    const Ast &a = tree.kids[0], &b = tree.kids[1];
    if (a.form != Form::name || b.form != Form::name) return false;
    const bool found = std::any_of(kOpposite.begin(), kOpposite.end(), [&](const auto& pair) {
      return (a.word == pair.first && b.word == pair.second) ||
             (a.word == pair.second && b.word == pair.first);
    });
    if (!found || !is_free("nowhere")) return false;
    replace(tree.span, "nowhere");
    return true;
  }

  // `require true`
  bool nothing(const Ast& tree) {
    const Ast& condition = tree.kids[0];
    if (condition.form != Form::name || condition.word != "true" || !is_free("nothing")) return false;
    replace(tree.span, "nothing");
    return true;
  }

  // A word of the vocabulary that the file doesn't use for something of its own.
  [[nodiscard]] bool is_free(std::string_view word) const { return !declared_.contains(std::string(word)); }

  // `(A){0 .. 1}`: `(A)?`. False, so that A itself is looked at.
  bool at_most_once(const Ast& tree) {
    const bool bounds = (tree.flags & kRepeatLow) != 0 && (tree.flags & kRepeatHigh) != 0;
    if (!bounds || constant(tree.kids[1]) != 0 || constant(tree.kids[2]) != 1) return false;
    const auto open = source_.rfind('{', tree.kids[1].span.begin);
    const auto close = source_.find('}', tree.kids[2].span.end);
    if (open == std::string::npos || close == std::string::npos || open < tree.kids[0].span.end) return false;
    replace({tree.span.file, static_cast<std::uint32_t>(open), static_cast<std::uint32_t>(close + 1)}, "?");
    return false;
  }

  const std::string& source_;
  const std::set<std::string>& declared_; // names that the file gives to something of its own
  std::vector<Edit>& edits_;
};

// Looks through the sections of one file.
class File {
public:
  File(const std::string& source, const Yaml& root, std::vector<Edit>& edits)
      : source_(source), root_(root), edits_(edits), rules_(source, declared_, edits) {}

  void read(const std::optional<RuleFile>& whole) {
    note_declared();
    for (const auto& [key, value, replaced] : root_.entries) section(key.text, value);
    version();
    if (whole && root_.find("extends") != nullptr) inherited(*whole);
  }

private:
  void section(const std::string& name, const Yaml& value) {
    if (name == "turn") body(value);
    if (name == "define") bodies(value);
    if (name == "end") ends(value);
    if (name == "setup" && value.is_map()) values(value);
    if (name == "state") values(value);
    if (name == "board" && value.is_map())
      if (const Yaml* holes = value.find("holes")) this->value(*holes);
  }

  // What can't be parsed has no form to be rewritten; loading the file tells why.
  void body(const Yaml& text) {
    Diagnostics ignored;
    if (!text.is_scalar()) return;
    if (const auto tree = parse_body(text.text, ignored)) rules_.walk(*tree);
  }

  void value(const Yaml& text) {
    Diagnostics ignored;
    if (!text.is_scalar()) return;
    if (const auto tree = parse_value(text.text, ignored)) rules_.walk(*tree);
  }

  void end(const Yaml& line) {
    Diagnostics ignored;
    if (!line.is_scalar()) return;
    const auto rule = parse_end(line.text.trimmed(), ignored);
    if (!rule) return;
    if (rule->score) rules_.walk(*rule->score);
    rules_.walk(rule->condition);
  }

  void ends(const Yaml& lines) {
    end(lines);
    for (const Yaml& line : lines.items) end(line);
  }

  void bodies(const Yaml& definitions) {
    for (const auto& definition : definitions.entries) {
      body(definition.value);
      for (const auto& one : definition.value.entries) body(one.value);
    }
  }

  void values(const Yaml& map) {
    for (const auto& entry : map.entries) value(entry.value);
  }

  void note_declared() {
    for (const char* section : {"define", "state", "options", "pieces", "players"})
      if (const Yaml* map = root_.find(section); map != nullptr)
        for (const auto& entry : map->entries)
          declared_.insert(entry.key.text.substr(0, entry.key.text.find('(')));
  }

  void version() {
    const Yaml* written = root_.find("boardwright");
    if (written == nullptr || !written->is_scalar()) return;
    const auto number = whole_number(written->text.trimmed().text);
    if (number && *number < kLanguageVersion)
      edits_.push_back({written->text.trimmed().span(), std::to_string(kLanguageVersion)});
  }

  // --- `king rook: inherited`, where these are all that have no body of their own

  static bool is_inherited(const Yaml& value) {
    return value.is_scalar() && value.text.trimmed().text == "inherited";
  }

  void inherited(const RuleFile& whole) {
    std::set<std::string> kinds, players;
    for (const auto& kind : whole.pieces) kinds.insert(kind.name.text);
    for (const auto& player : whole.players) players.insert(player.name.text);
    const Yaml* definitions = root_.find("define");
    if (definitions == nullptr) return;
    for (const auto& definition : definitions->entries) {
      others(definition.value, kinds);
      others(definition.value, players);
    }
  }

  void others(const Yaml& bodies, const std::set<std::string>& all) {
    std::set<std::string> named;
    const YamlEntry* rest = nullptr;
    for (const auto& body : bodies.entries) {
      const auto whom = names(body.key);
      for (const Name& name : whom)
        if (!all.contains(name.text) || !named.insert(name.text).second) return;
      if (!is_inherited(body.value)) continue;
      if (rest != nullptr || whom.size() < 2) return;
      rest = &body;
    }
    if (rest == nullptr || named.size() != all.size() || bodies.entries.size() < 2) return;
    edits_.push_back({key_span(*rest), "others"});
  }

  // With the quotes, where the key has some.
  [[nodiscard]] Span key_span(const YamlEntry& entry) const {
    Span span = entry.key.span();
    if (span.begin > 0 && span.end < source_.size() && source_[span.end] == source_[span.begin - 1] &&
        (source_[span.end] == '"' || source_[span.end] == '\'')) {
      --span.begin;
      ++span.end;
    }
    return span;
  }

  const std::string& source_;
  const Yaml& root_;
  std::set<std::string> declared_;
  std::vector<Edit>& edits_;
  Rules rules_;
};

std::vector<Edit> in_order(std::vector<Edit> edits) {
  std::sort(edits.begin(), edits.end(),
            [](const Edit& a, const Edit& b) { return a.span.begin < b.span.begin; });
  std::vector<Edit> apart;
  for (Edit& edit : edits)
    if (apart.empty() || apart.back().span.end <= edit.span.begin) apart.push_back(std::move(edit));
  return apart;
}

} // namespace

Migration migration_of(const std::string& name, const std::string& text, const FileFinder& find) {
  Migration migration;
  const FileId file = migration.sources.add(name, text);
  const auto root = read_yaml(migration.sources, file, migration.diagnostics);
  if (!root) return migration;
  Sources others;
  Diagnostics ignored;
  const auto whole = read_rule_file(name, find, others, ignored);
  File(text, *root, migration.edits).read(whole);
  migration.edits = in_order(std::move(migration.edits));
  return migration;
}

std::string edited(const std::string& text, const std::vector<Edit>& edits) {
  std::string result;
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    result.append(text, at, edit.span.begin - at);
    result += edit.text;
    at = edit.span.end;
  }
  return result + text.substr(at);
}

} // namespace boardwright::dsl
