// The files that an editor has open, and what is known of each.
#pragma once

#include "dsl/yaml.hpp"
#include "interpreter/load.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::tools {

struct Document {
  std::string uri, path, text;
  std::shared_ptr<interpreter::Loaded> loaded;   // of the text as it is
  std::shared_ptr<interpreter::Loaded> readable; // the last that could be read as a rule file; may be null
  dsl::Diagnostics findings;                     // of lints
};

class Documents {
public:
  // Keeps the text, and looks at it and at all that are open: they may extend it.
  void put(const std::string& uri, const std::string& text);
  void close(const std::string& uri);
  [[nodiscard]] const Document* find(const std::string& uri) const;
  [[nodiscard]] const std::map<std::string, Document>& all() const { return open_; }

  // Unsaved texts before what is on the disk.
  [[nodiscard]] dsl::FileFinder finder() const;
  // How many errors a text would have in the place of an open one.
  [[nodiscard]] std::size_t errors_with(const Document& document, const std::string& text) const;

private:
  void look_at_all();
  std::map<std::string, Document> open_;
};

// `file:///a%20b` is `/a b`; what has another scheme is kept as it is.
[[nodiscard]] std::string path_of_uri(const std::string& uri);
// Of a file of the library inside the program: `boardwright:NAME`.
[[nodiscard]] std::string uri_of_path(const std::string& path);

struct Word {
  std::size_t begin = 0, end = 0;
  std::string text;
};
// The name around or right before a place; empty where there is none.
[[nodiscard]] Word word_at(const std::string& text, std::size_t offset);

// The text with blanks in the place of those sections that alone are no YAML, so that the others can be read.
// All that is left keeps its place.
[[nodiscard]] std::string without_broken_sections(const std::string& text);

// Where a name stands as a whole word, outside comments, strings and prose.
[[nodiscard]] std::vector<dsl::Span> uses_of(const std::string& text, const std::string& name);

// The section that a place lies in; "" before the first.
[[nodiscard]] std::string section_at(const std::string& text, std::size_t offset);

} // namespace boardwright::tools
