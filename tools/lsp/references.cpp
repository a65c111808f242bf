#include "tools/lsp/references.hpp"

#include "dsl/migrate.hpp"
#include "interpreter/meaning/symbols.hpp"
#include "tools/lsp/scopes.hpp"

#include <algorithm>

namespace boardwright::tools {
namespace {

std::string uri_in(const Documents& documents, const std::string& path) {
  for (const auto& [uri, document] : documents.all())
    if (document.path == path) return uri;
  return uri_of_path(path);
}

bool is_source(const Document& document, const std::string& path) {
  const dsl::Sources& sources = document.loaded->sources;
  for (dsl::FileId file = 0; file < sources.size(); ++file)
    if (sources.name(file) == path) return true;
  return false;
}

class Gathering {
public:
  explicit Gathering(const Documents& documents) : documents_(documents) {}

  void add(const std::string& path, const std::string& text, const std::string& name,
           std::optional<std::size_t> offset) {
    const auto same = [&](const UsesInFile& file) { return file.path == path; };
    if (path.empty() || std::any_of(files_.begin(), files_.end(), same)) return;
    auto found = Scopes(text).uses_of(name, offset);
    if (!found.uses.empty()) files_.push_back({uri_in(documents_, path), path, text, std::move(found.uses)});
  }
  void add_sources(const Document& document, const std::string& name) {
    const dsl::Sources& sources = document.loaded->sources;
    for (dsl::FileId file = 0; file < sources.size(); ++file)
      add(sources.name(file), sources.text(file), name, std::nullopt);
  }
  std::vector<UsesInFile> take() { return std::move(files_); }

private:
  const Documents& documents_;
  std::vector<UsesInFile> files_;
};

// A file that means something already by the new name.
bool is_taken(const Renamed& change, const std::string& to, std::size_t offset, bool local) {
  for (const UsesInFile& file : change.files) {
    const Scopes scopes(file.text);
    if (!scopes.uses_of(to, local ? std::optional(offset) : std::nullopt).uses.empty()) return true;
  }
  return false;
}

} // namespace

std::optional<dsl::Span> defined_at(const Document& document, const std::string& name) {
  if (!document.readable || name.empty()) return std::nullopt;
  const interpreter::Symbols symbols(*document.readable->file);
  if (const auto found = symbols.definition({name, true}); found.definition != nullptr)
    return found.definition->name.span;
  return symbols.place_of(name);
}

std::vector<UsesInFile> uses_in_files(const Documents& documents, const Document& document,
                                      const std::string& name, std::size_t offset) {
  Gathering gathering(documents);
  gathering.add(document.path, document.text, name, offset);
  const auto place = defined_at(document, name);
  if (Scopes(document.text).is_local(name, offset) || !place) return gathering.take();
  const dsl::Sources& sources = document.readable->sources;
  const std::string home = place->file < sources.size() ? sources.name(place->file) : "";
  gathering.add_sources(document, name);
  for (const auto& [uri, other] : documents.all())
    if (is_source(other, home)) gathering.add_sources(other, name);
  return gathering.take();
}

Renamed renamed(const Documents& documents, const Document& document, const std::string& name,
                std::size_t offset, const std::string& to) {
  Renamed change;
  const bool local = Scopes(document.text).is_local(name, offset);
  const auto place = defined_at(document, name);
  if (!local && !place) {
    change.refusal = "only what a file names can be given another name";
    return change;
  }
  change.files = uses_in_files(documents, document, name, offset);
  for (const UsesInFile& file : change.files) {
    if (!file.uri.starts_with("file://")) {
      change.refusal = "the library inside the program uses this name";
      return change;
    }
    std::vector<dsl::Edit> edits;
    for (const dsl::Span& use : file.uses) edits.push_back({use, to});
    change.texts[file.path] = dsl::edited(file.text, edits);
  }
  bool worse = is_taken(change, to, offset, local);
  for (const auto& [uri, other] : documents.all())
    if (change.texts.contains(other.path))
      worse = worse || documents.errors_with(other, change.texts) > other.loaded->diagnostics.error_count();
  if (worse) change.refusal = "with this name the file would mean something else";
  return change;
}

} // namespace boardwright::tools
