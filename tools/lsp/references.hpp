// Where a name is used, in all files that mean the same by it.
#pragma once

#include "tools/lsp/documents.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::tools {

struct UsesInFile {
  std::string uri, path, text;
  std::vector<dsl::Span> uses;
};

// The place where a file, or one that it extends or uses, gives a name to something.
[[nodiscard]] std::optional<dsl::Span> defined_at(const Document& document, const std::string& name);

// The uses of the name at a place: of a local in its entry; else in all files that this one needs, and in
// those open ones that need the file which names it.
[[nodiscard]] std::vector<UsesInFile> uses_in_files(const Documents& documents, const Document& document,
                                                    const std::string& name, std::size_t offset);

// What `name` would become with another name in all these files: their texts by path. Nothing, and the
// reason, where something would mean something else then.
struct Renamed {
  std::map<std::string, std::string> texts;
  std::vector<UsesInFile> files;
  std::string refusal; // empty: it can be done
};
[[nodiscard]] Renamed renamed(const Documents& documents, const Document& document, const std::string& name,
                              std::size_t offset, const std::string& to);

} // namespace boardwright::tools
