// What the language server can do for files that are half written: bundled ones, cut at random places. The
// places go by a seed, so that every run sees the same.
#include "dsl/finder.hpp"
#include "dsl/text.hpp"
#include "tests/tools/editing.hpp"
#include "tools/lsp/yaml_place.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>

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

} // namespace

TEST_CASE("completion offers the next word of a half-written file among its first ten") {
  const std::size_t count = from_environment("BOARDWRIGHT_CUTS", 150);
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
