// Where in a rule file a place lies, and the words before it, read from text that need be no YAML: a file
// that is being written mostly isn't.
//
// Nothing is judged here, and nothing is refused. What is indented further belongs to what stands above, as a
// person reads it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tools {

// A name, a number or a sign of a key or value.
struct WrittenWord {
  std::string_view text;
  std::size_t begin = 0;
  std::uint32_t slot = 0;           // into `slots`
  std::string_view before, earlier; // the word before it, and the one before that; of a key: that of the
                                    // entry above it, and that of the map
};

// What kind of place it is: the keys on the way to it, those that authors make up written as `*`.
struct Slot {
  std::string path; // "define.*", "tests.-.position"
  bool key = false; // the place of a key
  friend bool operator==(const Slot&, const Slot&) = default;
};

struct YamlPlace {
  std::vector<std::string> path; // keys as they are written; `-` for an item of a list
  Slot slot;
  std::size_t begin = 0; // of the key or value that the place lies in
  bool comment = false;
  char quote = 0;                 // `"` or `'` inside one, `|` inside a block
  std::vector<std::string> above; // the keys of the same map that stand before it
  WrittenWord next;               // the word that is being written here: without text, and without a slot
};

struct WrittenFile {
  std::vector<WrittenWord> words;
  std::vector<Slot> slots;
  YamlPlace end; // the place at the end of the text
  [[nodiscard]] const Slot& slot(const WrittenWord& word) const { return slots[word.slot]; }
};

// The words of a text, which must outlive what is returned. A word that reaches to its end is one of them.
[[nodiscard]] WrittenFile read_written(std::string_view text);

} // namespace boardwright::tools
