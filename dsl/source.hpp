// Source text and places in it.
//
// Every tree node and every diagnostic carries a Span: a half-open range of byte offsets in one of the files
// that a Sources holds. Lines and columns are worked out only when somebody reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::dsl {

using FileId = std::uint32_t;

struct Span {
  FileId file = 0;
  std::uint32_t begin = 0; // byte offset
  std::uint32_t end = 0;   // one past the last byte; at least `begin`

  friend bool operator==(const Span&, const Span&) = default;
};

// The smallest span that holds both; they must lie in one file (else the first is returned).
[[nodiscard]] Span join(Span a, Span b);

// A place as a person reads it: lines and columns count from 1, columns in characters (UTF-8 code points).
struct Location {
  std::string file;
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

// The texts of all files of one load: the rule file, what it extends, the vocabularies. Append-only.
class Sources {
public:
  FileId add(std::string name, std::string text);

  [[nodiscard]] std::size_t size() const { return files_.size(); }
  [[nodiscard]] const std::string& name(FileId file) const { return files_[file].name; }
  [[nodiscard]] const std::string& text(FileId file) const { return files_[file].text; }

  // Offsets beyond the end give the end. O(log lines), however long the lines are.
  [[nodiscard]] Location locate(FileId file, std::uint32_t offset) const;
  // The text of a line (from 1) without its line break.
  [[nodiscard]] std::string_view line(FileId file, std::uint32_t line) const;

private:
  struct File {
    std::string name;
    std::string text;
    std::vector<std::uint32_t> line_starts;
    std::vector<std::uint32_t> characters; // before every 256th byte
  };
  std::vector<File> files_;
};

} // namespace boardwright::dsl
