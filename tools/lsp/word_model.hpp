// Which words authors write where: learned from the files of the library, and from the file at hand.
//
// A word is counted behind the words before it and at its place in the file (yaml_place.hpp). Names that an
// author gives are counted by what they name, so that what is learned of `own man` holds of `own stone`.
#pragma once

#include "tools/lsp/yaml_place.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace boardwright::tools {

// What the names of one file stand for, as far as its text shows: `kind`, `player`, `local`, …
class NamedThings {
public:
  explicit NamedThings(const WrittenFile& file);
  // "" of what the file doesn't name.
  [[nodiscard]] std::string_view what(std::string_view name) const;
  [[nodiscard]] const std::map<std::string, std::string, std::less<>>& all() const { return what_; }

private:
  void add(std::string_view name, const char* what);
  std::map<std::string, std::string, std::less<>> what_;
};

// How often what stood where.
class WordCounts {
public:
  // Counts a word at its place; `times` may be -1, to take back what was counted.
  void add(std::uint32_t word, std::uint32_t slot, std::uint32_t before, std::uint32_t earlier, int times);
  // How likely the word is there, from 0 to 1, if `anyhow` is what else is thought of it.
  [[nodiscard]] double share(std::uint32_t word, std::uint32_t slot, std::uint32_t before,
                             std::uint32_t earlier, double anyhow) const;

private:
  using Contexts = std::array<std::uint64_t, 5>;
  static Contexts contexts(std::uint32_t slot, std::uint32_t before, std::uint32_t earlier);
  std::unordered_map<std::uint64_t, int> counts_; // of a context, and of a word in it
};

class WordModel {
public:
  // What the bundled files show; worked out when it is first asked for.
  static WordModel& of_library();

  void learn(std::string_view name, std::string_view text);
  // Nothing is learned from the file with this name, until another is set aside: who writes it is told
  // nothing of what it will be.
  void set_aside(const std::string& name);

  // Words for a place, the likeliest first, and how likely they are.
  struct Guess {
    std::string word;
    double share = 0;
    bool named_here = false; // the file at hand has the word, or names it
  };
  // `more` are further words that can stand in any file, such as the names of the vocabularies.
  // `file` is all that is written, before and behind the place.
  [[nodiscard]] std::vector<Guess> guesses(const WrittenFile& file, const YamlPlace& place,
                                           const std::vector<std::string>& more);

private:
  struct Learned {
    std::string_view name, text;
  };
  std::uint32_t id(std::string_view word);
  std::uint32_t symbol(std::string_view word, const NamedThings& named);
  void count(const Learned& file, int times);

  std::vector<Learned> files_;
  std::string aside_;
  WordCounts counts_;
  std::unordered_map<std::string, std::uint32_t> ids_;
  std::vector<std::string> words_; // by their numbers
  std::vector<int> times_;         // how often each was written
};

} // namespace boardwright::tools
