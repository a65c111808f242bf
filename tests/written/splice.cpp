#include "tests/written/splice.hpp"

#include "dsl/finder.hpp"
#include "interpreter/load.hpp"
#include "runtime/model/random.hpp"
#include "tests/written/words.hpp"
#include "tests/written/writer.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>
#include <vector>

namespace boardwright::tests {
namespace {

using dsl::Ast;
using dsl::Form;

// Games with larger boards would take the walker too long.
constexpr int kMostCells = 42;
// Parts of rules that are longer than this are whole rules.
constexpr std::size_t kLongestPart = 160;
// So often a part is drawn until one fits.
constexpr int kDraws = 40;
// So often a game is changed anew where what came of it doesn't load.
constexpr int kAttempts = 4;

// What a part is, by what stands around it.
enum class Slot : std::uint8_t { action, cells, directions, condition, count };

struct Part {
  Slot slot = Slot::action;
  std::size_t begin = 0, end = 0; // in the text of its game
  std::string text;               // on one line
  Names names;
};

struct Base {
  std::string text;
  std::vector<Part> parts;
  Names names;
};

// ---- texts of games

// Without the sections that are no rules.
std::string rules_only(std::string_view text) {
  static constexpr std::array<std::string_view, 4> kOthers{"tests:", "look:", "about:", "check:"};
  std::string result;
  bool skipped = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = text.substr(at, end - at);
    if (line.front() != ' ' && line.front() != '\n' && line.front() != '#')
      skipped = std::any_of(kOthers.begin(), kOthers.end(), [&](auto s) { return line.starts_with(s); });
    if (!skipped) result += line;
    at = end;
  }
  return result;
}

// Numbers that options set to the least that they can be, so that boards are small.
std::string with_least_options(std::string text) {
  const std::string_view begin = "{ default: ", range = ", range: ";
  for (auto at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
    const std::size_t number = at + begin.size(), comma = text.find(range, at);
    const std::size_t low = comma + range.size(), dots = text.find("..", at);
    if (comma == std::string::npos || dots == std::string::npos || dots < low || dots - low > 3) continue;
    if (comma - number > 3) continue;
    text.replace(number, comma - number, text.substr(low, dots - low));
  }
  return text;
}

// ---- parts

std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool blank = c == '\n' || c == ' ';
    if (!blank || (!line.empty() && line.back() != ' ')) line += blank ? ' ' : c;
  }
  return line;
}

void add(const Ast& ast, Slot slot, Base& base) {
  const std::string text = on_one_line(base.text.substr(ast.span.begin, ast.span.end - ast.span.begin));
  if (text.size() > kLongestPart || text.find('#') != std::string::npos) return;
  base.parts.push_back({slot, ast.span.begin, ast.span.end, text, words_of(text)});
}

void add_parts(const Ast& ast, dsl::FileId file, Base& base) {
  if (ast.span.file != file) return;
  for (const Ast& kid : ast.kids) {
    const bool first = &kid == ast.kids.data();
    if (ast.form == Form::sequence || ast.form == Form::otherwise) add(kid, Slot::action, base);
    if (ast.form == Form::from || ast.form == Form::at || ast.form == Form::to || ast.form == Form::remove)
      add(kid, Slot::cells, base);
    if (ast.form == Form::go) add(kid, Slot::directions, base);
    if (ast.form == Form::require || (ast.form == Form::conditional && first))
      add(kid, Slot::condition, base);
    add_parts(kid, file, base);
  }
}

void add_rules(const dsl::RuleFile& file, Base& base) {
  for (const dsl::Definition& d : file.define) {
    if (d.body) add_parts(*d.body, file.file, base);
    for (const auto& [who, body] : d.cases) add_parts(body, file.file, base);
  }
  if (!file.turn) return;
  add_parts(file.turn->body, file.file, base);
  for (const auto& [who, body] : file.turn->cases) add_parts(body, file.file, base);
}

struct Pool {
  std::vector<Base> all;   // parts are taken from
  std::vector<Base> small; // games that are changed
  Names everybodys;        // names that each game knows
};

Pool make_pool() {
  Pool pool;
  for (const dsl::BundledFile& bundled : dsl::bundled_files()) {
    if (bundled.name == "std") pool.everybodys = words_of(bundled.text);
    if (!dsl::is_game(bundled.text)) continue;
    Base base{with_least_options(rules_only(bundled.text)), {}, {}};
    const auto loaded = interpreter::load_text("base.yaml", base.text);
    if (!loaded || !loaded.file) continue;
    base.names = words_of(base.text);
    add_rules(*loaded.file, base);
    if (loaded.rules->program().board.cells <= kMostCells && !base.parts.empty()) pool.small.push_back(base);
    pool.all.push_back(std::move(base));
  }
  return pool;
}

const Pool& pool() {
  static const Pool made = make_pool();
  return made;
}

// ---- splicing

const Part* fitting(const Base& base, Slot slot, runtime::Random& random) {
  for (int i = 0; i < kDraws; ++i) {
    const auto& other = pool().all[random.below(pool().all.size())];
    if (other.parts.empty()) continue;
    const Part& part = other.parts[random.below(other.parts.size())];
    const bool known = std::all_of(part.names.begin(), part.names.end(), [&](const std::string& name) {
      return base.names.contains(name) || pool().everybodys.contains(name);
    });
    if (part.slot == slot && known) return &part;
  }
  return nullptr;
}

std::string instead_of(const Base& base, const Part& part, runtime::Random& random) {
  if (random.below(3) == 0) return changed_a_little(part.text, random);
  const Part* other = fitting(base, part.slot, random);
  if (other == nullptr) return changed_a_little(part.text, random);
  return part.slot == Slot::action ? "(" + other->text + ")" : other->text;
}

std::string spliced(const Base& base, runtime::Random& random) {
  std::string text = base.text;
  std::size_t before = text.size(); // parts are replaced from the end of the file on, where places still hold
  for (auto n = 1 + random.below(3); n > 0; --n) {
    const Part& part = base.parts[random.below(base.parts.size())];
    if (part.end > before) continue;
    text.replace(part.begin, part.end - part.begin, instead_of(base, part, random));
    before = part.begin;
  }
  return text;
}

} // namespace

std::string splice_rule_file(std::uint64_t seed) {
  runtime::Random random(runtime::mix(seed));
  const Base& base = pool().small[random.below(pool().small.size())];
  std::string text = spliced(base, random);
  for (int i = 1; i < kAttempts && !interpreter::load_text("spliced.yaml", text); ++i)
    text = spliced(base, random);
  return text;
}

} // namespace boardwright::tests
