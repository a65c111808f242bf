// The files that an editor has open, and what is known of each.
#pragma once

#include "dsl/yaml.hpp"
#include "interpreter/load.hpp"
#include "tools/lsp/recovered.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::tools {

// How often a part of the rules came into play in random games.
struct PlayCount {
  dsl::Span span;
  std::string text; // "12 of 345"
  std::string
      in_full;        // "In 80 positions of random games: gave a move 12 of the 345 times that it was tried."
  bool ahead = false; // stands before the part: a definition may end with a part of its own
};

struct Document {
  std::string uri, path, text;
  std::shared_ptr<interpreter::Loaded> loaded;   // of the text as it is
  std::shared_ptr<interpreter::Loaded> readable; // the last that could be read as a rule file; may be null
  ReadableParts parts;
  std::vector<dsl::Diagnostic> findings; // of lints, as they were when it was last examined; those in text
                                         // that has changed since then are gone
  bool examined = false;                 // nothing has changed since then
  std::vector<PlayCount> counts;         // as they were when games were last played; those in text that has
                                         // changed since then are gone
  bool counted = false;                  // nothing has changed since then
};

class Documents {
public:
  // Keeps the text; the file isn't looked at yet.
  void put(const std::string& uri, const std::string& text);
  // Looks at the files that have changed and at those that need them, but not at what takes longer. Gives the
  // addresses of these files.
  std::vector<std::string> look();
  std::vector<std::string> close(const std::string& uri);
  // What takes longer, for one file that has changed: its address, or nothing if there is none left.
  std::optional<std::string> examine_next();
  [[nodiscard]] bool all_examined() const;
  // Plays random games of a file that has changed since they were last played.
  void count(const std::string& uri);
  [[nodiscard]] const Document* find(const std::string& uri) const;
  [[nodiscard]] const std::map<std::string, Document>& all() const { return open_; }

  // Unsaved texts before what is on the disk.
  [[nodiscard]] dsl::FileFinder finder() const;
  // How many errors a file would have with other texts, by path, in the place of those that are there.
  [[nodiscard]] std::size_t errors_with(const Document& document,
                                        const std::map<std::string, std::string>& texts) const;

private:
  std::vector<std::string> look_at_users_of(const std::string& path);
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

// What is left of findings about a text that has changed: what lay in the part that did is dropped, and what
// lay behind it has moved.
[[nodiscard]] std::vector<dsl::Diagnostic> moved(const std::vector<dsl::Diagnostic>& findings,
                                                 dsl::FileId file, const std::string& before,
                                                 const std::string& after);

// Likewise of counts.
[[nodiscard]] std::vector<PlayCount> moved(const std::vector<PlayCount>& counts, dsl::FileId file,
                                           const std::string& before, const std::string& after);

// Where a name stands as a whole word, outside comments, strings and prose.
[[nodiscard]] std::vector<dsl::Span> uses_of(const std::string& text, const std::string& name);

// The section that a place lies in; "" before the first.
[[nodiscard]] std::string section_at(const std::string& text, std::size_t offset);

} // namespace boardwright::tools
