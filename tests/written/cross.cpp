#include "tests/written/cross.hpp"

#include "dsl/finder.hpp"
#include "interpreter/load_with_readings.hpp"
#include "interpreter/meaning/elaborator.hpp"
#include "runtime/model/random.hpp"
#include "tests/written/words.hpp"
#include "tests/written/writer.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace boardwright::tests {
namespace {

using dsl::Ast;
using interpreter::Ty;

// Games with larger boards would take the walker too long.
constexpr int kMostCells = 81;
constexpr std::size_t kLongestPart = 240;
// Files written at random that are crossed with the bundled ones.
constexpr std::uint64_t kWritten = 120;
// So often a part is drawn until one fits, and a file is crossed until it loads.
constexpr int kDraws = 60, kAttempts = 6;

// Actions have no type; here they are one more.
constexpr Ty kAction = Ty::error;

struct Part {
  std::size_t begin = 0, end = 0; // in the text of its file
  std::string text;               // on one line
  Names names;
};

struct Whole {
  std::string text;
  std::map<Ty, std::vector<Part>> parts;
  Names names;
};

std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool blank = c == '\n' || c == ' ';
    if (!blank || (!line.empty() && line.back() != ' ')) line += blank ? ' ' : c;
  }
  return line;
}

// A section as it stands: its line and those that are indented below it; nothing where there is none.
std::optional<std::pair<std::size_t, std::size_t>> section(std::string_view text, std::string_view key) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    if (text.substr(at, end - at).starts_with(key)) {
      std::size_t behind = end;
      while (behind < text.size() && (text[behind] == ' ' || text[behind] == '\n'))
        behind = std::min(text.find('\n', behind), text.size() - 1) + 1;
      return std::pair(at, behind);
    }
    at = end;
  }
  return std::nullopt;
}

std::string without(std::string text, std::string_view key) {
  if (const auto found = section(text, key)) text.erase(found->first, found->second - found->first);
  return text;
}

// ---- parts

class Taking {
public:
  Taking(const interpreter::Loaded& loaded, const interpreter::Readings& readings, Whole& into)
      : file_(loaded.file->file), readings_(readings), into_(into) {
    for (const dsl::Definition& d : loaded.file->define) {
      if (d.body) take(*d.body);
      for (const auto& [who, body] : d.cases) take(body);
    }
    for (const auto& line : loaded.file->end) take(line.condition);
    if (!loaded.file->turn) return;
    take(loaded.file->turn->body);
    for (const auto& [who, body] : loaded.file->turn->cases) take(body);
  }

private:
  void take(const Ast& n) {
    if (n.span.file != file_) return;
    for (const Ast& kid : n.kids) take(kid);
    const auto known = readings_.find(&n);
    if (known == readings_.end()) return;
    const std::string text = on_one_line(into_.text.substr(n.span.begin, n.span.end - n.span.begin));
    if (text.empty() || text.size() > kLongestPart || text.find('#') != std::string::npos) return;
    const Ty type = known->second.is_action ? kAction : known->second.type;
    if (type == Ty::error && !known->second.is_action) return;
    into_.parts[type].push_back({n.span.begin, n.span.end, text, words_of(text)});
  }

  dsl::FileId file_;
  const interpreter::Readings& readings_;
  Whole& into_;
};

std::optional<Whole> whole(std::string text) {
  for (const std::string_view key : {"tests:", "look:", "about:", "check:"})
    text = without(std::move(text), key);
  Whole made{std::move(text), {}, {}};
  interpreter::Loaded loaded;
  interpreter::Readings readings;
  interpreter::load_with_readings(loaded, readings, "whole.yaml", {},
                                  dsl::finder_with("whole.yaml", made.text));
  if (!loaded || !loaded.file || loaded.rules->program().board.cells > kMostCells) return std::nullopt;
  made.names = words_of(made.text);
  Taking(loaded, readings, made);
  return made;
}

struct Pool {
  std::vector<Whole> all;
  Names everybodys; // names that each file knows
};

Pool make_pool() {
  Pool pool;
  for (const dsl::BundledFile& bundled : dsl::bundled_files()) {
    if (bundled.name == "std") pool.everybodys = words_of(bundled.text);
    if (!dsl::is_game(bundled.text)) continue;
    if (auto made = whole(std::string(bundled.text))) pool.all.push_back(std::move(*made));
  }
  for (std::uint64_t seed = 1; seed <= kWritten; ++seed)
    if (auto made = whole(write_rule_file(seed))) pool.all.push_back(std::move(*made));
  return pool;
}

const Pool& pool() {
  static const Pool made = make_pool();
  return made;
}

// ---- crossing

class Crossing {
public:
  Crossing(const Whole& base, runtime::Random& random) : base_(base), random_(random) {}

  std::string crossed() {
    std::string text = base_.text;
    std::size_t before = text.size(); // from the end of the file on, where places still hold
    for (auto n = 1 + random_.below(3); n > 0; --n) {
      auto type = base_.parts.begin();
      std::advance(type, random_.below(base_.parts.size()));
      const Part& part = type->second[random_.below(type->second.size())];
      if (part.end > before) continue;
      text.replace(part.begin, part.end - part.begin, "(" + instead_of(type->first, part.text) + ")");
      before = part.begin;
    }
    if (random_.below(4) == 0) of_another("board:", text);
    if (random_.below(8) == 0) of_another("players:", text);
    return text;
  }

private:
  // Of any file, if it has only names that this one knows.
  std::string another(Ty type) {
    for (int i = 0; i < kDraws; ++i) {
      const Whole& other = pool().all[random_.below(pool().all.size())];
      const auto parts = other.parts.find(type);
      if (parts == other.parts.end()) continue;
      const Part& part = parts->second[random_.below(parts->second.size())];
      const bool known = std::all_of(part.names.begin(), part.names.end(), [&](const std::string& name) {
        return base_.names.contains(name) || pool().everybodys.contains(name);
      });
      if (known) return part.text;
    }
    return usual(type);
  }

  static std::string usual(Ty type) {
    switch (type) {
    case kAction: return "pass";
    case Ty::cells: return "own";
    case Ty::truth: return "some own";
    case Ty::number: return "count(own)";
    case Ty::directions: return "all";
    default: return "1";
    }
  }

  std::string instead_of(Ty type, const std::string& part) {
    if (random_.below(2) == 0) return another(type);
    static const std::map<Ty, std::vector<std::string>> kWraps{
        {kAction,
         {"(@) or (?a)", "(@) otherwise (?a)", "(?a) otherwise (@)", "distinct (@)", "quietly (@)",
          "most (?n) of (@)", "(@)?", "(@){1 .. 2}", "(@), require can (?a)",
          "(@), require can (distinct (?a))", "if ?t then (@) else (?a)", "require not can (?a), (@)",
          "(@), (if ?t then win)", "(@), (if ?t then lose)", "choose z in ?c, (@)", "let z = ?c, (@)",
          "(@), say count(?c)"}},
        {Ty::truth,
         {"not (@)", "(@) and (?t)", "(@) or (?t)", "can (?a)", "(@) = (?t)", "if ?t then (@) else (?t)"}},
        {Ty::cells,
         {"(@) | (?c)", "(@) & (?c)", "(@) - (?c)", "~(@)", "(z in (@) where ?t)", "next(@, ?d)",
          "reach(@, (?a))", "group(@, ?c, ?d)", "first(@)", "if ?t then (@) else (?c)"}},
        {Ty::number,
         {"(@) + (?n)", "(@) - (?n)", "(@) * 2", "(@) / 2", "count(?c)", "max(@, ?n)",
          "if ?t then (@) else (?n)"}},
        {Ty::directions, {"(@) | (?d)", "(@) & (?d)", "opposite(@)", "turn(@, 90)", "2 * (@)"}}};
    const auto wraps = kWraps.find(type);
    if (wraps == kWraps.end()) return another(type);
    return filled(wraps->second[random_.below(wraps->second.size())], part);
  }

  // `@` is the part, `?t` another one of a type.
  std::string filled(const std::string& wrap, const std::string& part) {
    static const std::map<char, Ty> kTypes{
        {'a', kAction}, {'t', Ty::truth}, {'c', Ty::cells}, {'n', Ty::number}, {'d', Ty::directions}};
    std::string text;
    for (std::size_t i = 0; i < wrap.size(); ++i) {
      const auto type = wrap[i] == '?' && i + 1 < wrap.size() ? kTypes.find(wrap[i + 1]) : kTypes.end();
      if (wrap[i] == '@') {
        text += part;
      } else if (type != kTypes.end()) {
        text += another(type->second);
        ++i;
      } else {
        text += wrap[i];
      }
    }
    return text;
  }

  void of_another(std::string_view key, std::string& text) {
    const Whole& other = pool().all[random_.below(pool().all.size())];
    const auto ours = section(text, key), theirs = section(other.text, key);
    if (!ours || !theirs) return;
    text.replace(ours->first, ours->second - ours->first,
                 other.text.substr(theirs->first, theirs->second - theirs->first));
  }

  const Whole& base_;
  runtime::Random& random_;
};

} // namespace

std::string cross_rule_files(std::uint64_t seed) {
  runtime::Random random(runtime::mix(seed ^ 0xc405));
  const Whole* base = nullptr;
  while (base == nullptr || base->parts.empty()) base = &pool().all[random.below(pool().all.size())];
  std::string text;
  for (int i = 0; i < kAttempts; ++i) {
    text = Crossing(*base, random).crossed();
    if (interpreter::load_text("crossed.yaml", text)) break;
  }
  return text;
}

} // namespace boardwright::tests
