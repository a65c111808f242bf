// What the language server can do for files that are half written: bundled ones, cut at random places. The
// places go by a seed, so that every run sees the same.
#include "dsl/finder.hpp"
#include "dsl/text.hpp"
#include "tests/rule_files.hpp"
#include "tests/tools/editing.hpp"
#include "tools/lsp/recovered.hpp"
#include "tools/lsp/yaml_place.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>

namespace half_written_test {

using namespace boardwright;

namespace {

// Places of words: in one, or before it where only blanks lie in between.
struct Cut {
  std::string file, before; // before the place
  std::string word;         // that the place lies in or before
  std::size_t typed = 0;    // how many of its letters stand before the place
};

// What is no word of the language: remarks, and what people say in their own words.
bool is_prose(const tools::YamlPlace& place) {
  if (place.comment || place.path.empty() || place.slot.key) return place.comment;
  const std::string &section = place.path.front(), &last = place.path.back();
  return section == "about" || section == "game" || last == "help" || last == "name";
}

std::vector<Cut> cuts_at_random(std::size_t count, std::uint64_t seed) {
  const auto& files = dsl::bundled_files();
  std::mt19937_64 random(seed);
  std::vector<Cut> cuts;
  while (cuts.size() < count) {
    const auto& file = files[random() % files.size()];
    const std::string text(file.text);
    std::size_t at = random() % text.size();
    while (at < text.size() && dsl::is_white(text[at])) ++at;
    std::size_t begin = at, end = at;
    while (begin > 0 && dsl::continues_name(text[begin - 1])) --begin;
    while (end < text.size() && dsl::continues_name(text[end])) ++end;
    if (at == end || !dsl::begins_name(text[begin])) continue;
    if (is_prose(tools::read_written(std::string_view(text).substr(0, begin)).end)) continue;
    cuts.push_back({std::string(file.name), text.substr(0, at), text.substr(begin, end - begin), at - begin});
  }
  return cuts;
}

// Everything is tried, not a sample, where somebody has the time.
std::size_t from_environment(const char* name, std::size_t otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : static_cast<std::size_t>(std::strtoull(value, nullptr, 10));
}

// A rule with a name that nobody knows, and the same file with a part broken that isn't this rule: it ends in
// the middle of it, or some bytes of it are missing.
struct Broken {
  std::string file, whole, broken;
};
const std::string kNobodys = "nonesuch_name";

bool is_rule(const tools::FilePart& part) {
  return part.section == "define" || part.section == "turn" || part.section == "end";
}

std::optional<Broken> broken_at_random(std::mt19937_64& random) {
  const auto& files = dsl::bundled_files();
  const auto& file = files[random() % files.size()];
  std::string text(file.text);
  const auto written = tools::read_written(text);
  const auto& word = written.words[random() % written.words.size()];
  const auto parts = tools::parts_of(text);
  const auto rule = std::find_if(parts.begin(), parts.end(), [&](const tools::FilePart& part) {
    return is_rule(part) && part.begin <= word.begin && word.begin < part.end;
  });
  const auto& other = parts[random() % parts.size()];
  if (rule == parts.end() || !dsl::begins_name(word.text.front()) || written.slot(word).key) return {};
  if (other.begin == rule->begin || other.end <= other.begin) return {};
  const bool ends = other.begin > rule->begin && random() % 2 == 0;
  const std::size_t at = other.begin + random() % (other.end - other.begin);
  const std::size_t until = ends ? text.size() : std::min(other.end - 1, at + 1 + random() % 20);
  if (until <= at) return {};
  Broken result{std::string(file.name), text, text};
  const std::size_t begin = word.begin, size = word.text.size(); // the text itself is looked at no more
  result.whole.replace(begin, size, kNobodys);
  if (at > begin) {
    result.broken.erase(at, until - at);
    result.broken.replace(begin, size, kNobodys);
  } else {
    result.broken.replace(begin, size, kNobodys);
    result.broken.erase(at, until - at);
  }
  return result;
}

constexpr std::size_t kCuts = tests::kSanitized ? 50 : 150;

bool tells_of_name(const tests::Editing::Json& told) {
  return std::any_of(told.begin(), told.end(), [](const auto& one) {
    return one["message"].template get<std::string>().find(kNobodys) != std::string::npos;
  });
}

} // namespace

TEST_CASE("a part that can't be read hides nothing of what is wrong with other rules") {
  std::mt19937_64 random(from_environment("BOARDWRIGHT_SEED", 1));
  const std::size_t count = from_environment("BOARDWRIGHT_CUTS", kCuts);
  std::size_t tried = 0, opened = 0, typed = 0;
  while (tried < count) {
    const auto broken = broken_at_random(random);
    if (!broken) continue;
    tests::Editing whole(""), opens("");
    if (!tells_of_name(whole.change(broken->whole))) continue; // such as in a string
    ++tried;
    const bool is_told = tells_of_name(whole.change(broken->broken));
    typed += is_told ? 1 : 0;
    opened += tells_of_name(opens.change(broken->broken)) ? 1 : 0;
    if (!is_told) UNSCOPED_INFO(broken->file << "\n" << broken->broken.substr(0, 2500));
  }
  WARN(typed << " of " << count << " while it is typed, " << opened << " when it is opened");
  CHECK(typed * 100 >= count * 90);
  CHECK(opened * 100 >= count * 90);
}

TEST_CASE("completion offers the next word of a half-written file among its first ten") {
  const std::size_t count = from_environment("BOARDWRIGHT_CUTS", kCuts);
  std::size_t offered = 0;
  for (const Cut& cut : cuts_at_random(count, from_environment("BOARDWRIGHT_SEED", 1))) {
    tests::Editing editing("", "file:///nowhere/" + cut.file + ".yaml");
    editing.change(cut.before);
    auto words = editing.completions(cut.before.size());
    words.resize(std::min<std::size_t>(words.size(), 10));
    const bool is_there = std::find(words.begin(), words.end(), cut.word) != words.end();
    offered += is_there ? 1 : 0;
    if (!is_there)
      UNSCOPED_INFO(
          cut.file << ": "
                   << cut.before.substr(cut.before.size() - std::min<std::size_t>(cut.before.size(), 30))
                   << "^" << cut.word.substr(cut.typed));
  }
  WARN(offered << " of " << count << " words");
  CHECK(offered * 100 >= count * 60);
}

} // namespace half_written_test
