// Entry points: standard_finder, bundled_finder, finder_with, bundled_vocabulary, known_games, games_on_path,
// names_itself.
#include "dsl/finder.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <optional>
#include <system_error>

namespace boardwright::dsl {
namespace {

namespace fs = std::filesystem;

// What messages put before the name of a bundled file. It is the folder of no file on the disk, so that a
// reference beside a bundled file is to another bundled one.
constexpr std::string_view kBundledFolder = "<bundled>";

// The folder of game-defs/ that holds vocabularies, no games.
constexpr std::string_view kVocabularies = "std";

// Files looked at in one folder of BOARDWRIGHT_PATH when games are listed.
constexpr int kMaxListed = 1000;

bool is_path(const std::string& reference) {
  return reference.find('/') != std::string::npos || reference.ends_with(".yaml");
}

bool is_readable(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || error) return false;
  const auto size = fs::file_size(path, error);
  return !error && size <= kMaxFileBytes;
}

std::optional<std::string> text_of(const fs::path& path) {
  if (!is_readable(path)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  std::string text(kMaxFileBytes + 1, '\0'); // it may have grown since it was measured
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad() || static_cast<std::size_t>(file.gcount()) > kMaxFileBytes) return std::nullopt;
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

std::optional<FoundFile> file_at(const fs::path& path) {
  auto text = text_of(path);
  if (!text) return std::nullopt;
  return FoundFile{path.string(), std::move(*text)};
}

fs::path with_extension(fs::path path) {
  path += ".yaml";
  return path;
}

// A path as it is written, then with `.yaml`.
std::optional<FoundFile> file_by_path(const fs::path& path) {
  if (auto found = file_at(path)) return found;
  return file_at(with_extension(path));
}

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return a == b || fs::equivalent(a, b, error);
}

// A game of the same name as a bundled one may extend that: no file finds itself.
std::optional<FoundFile> file_beside(const std::string& reference, const std::string& beside) {
  const fs::path path = (fs::path(beside).parent_path() / reference).lexically_normal();
  auto found = is_path(reference) ? file_by_path(path) : file_at(with_extension(path));
  if (found && same_file(found->name, beside)) found.reset();
  return found;
}

FoundFile found_in(const fs::path& folder, const BundledFile& file) {
  return {with_extension(folder / file.name).string(), std::string(file.text)};
}

// A game comes before a vocabulary of its name.
std::optional<FoundFile> bundled_file(std::string_view reference) {
  const BundledFile* found = nullptr;
  for (const auto& file : bundled_files())
    if (file.name == reference && (found == nullptr || found->family == kVocabularies)) found = &file;
  if (found == nullptr) return std::nullopt;
  return found_in(kBundledFolder, *found);
}

std::vector<fs::path> search_folders() {
  std::vector<fs::path> folders;
  const char* variable = std::getenv("BOARDWRIGHT_PATH");
  std::string_view rest = variable == nullptr ? "" : variable;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) folders.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return folders;
}

std::optional<FoundFile> file_in_folders(const std::string& name, const std::string& beside) {
  for (const auto& folder : search_folders()) {
    auto found = file_at(with_extension(folder / name));
    if (found && !same_file(found->name, beside)) return found;
  }
  return std::nullopt;
}

bool is_bundled(const std::string& file) { return fs::path(file).parent_path() == kBundledFolder; }

// std::filesystem throws where the encoding of a name fails; such a file is not found.
std::optional<FoundFile> find_file(const std::string& reference, const std::string& beside) try {
  if (reference.empty() || reference.find('\0') != std::string::npos) return std::nullopt;
  if (is_bundled(beside)) return bundled_file(reference);
  if (!beside.empty())
    if (auto found = file_beside(reference, beside)) return found;
  if (is_path(reference)) return beside.empty() ? file_by_path(reference) : std::nullopt;
  if (auto found = file_in_folders(reference, beside)) return found;
  return bundled_file(reference);
} catch (const std::bad_alloc&) {
  throw;
} catch (const std::exception&) {
  return std::nullopt;
}

// --- listing

void sort_and_thin(std::vector<std::string>& names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
}

void add_games_in(const fs::path& folder, std::vector<std::string>& games) {
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (int seen = 0; !error && entry != fs::directory_iterator() && seen < kMaxListed; ++seen) {
    if (entry->path().extension() == ".yaml")
      if (const auto text = text_of(entry->path()); text && is_game(*text))
        games.push_back(entry->path().stem().string());
    entry.increment(error);
  }
}

} // namespace

// A vocabulary has neither of these at the beginning of a line.
bool is_game(std::string_view text) {
  for (const std::string_view key : {"game:", "extends:"}) {
    if (text.starts_with(key)) return true;
    for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1))
      if (text[at - 1] == '\n') return true;
  }
  return false;
}

std::optional<FoundFile> bundled_vocabulary(const std::string& name) {
  for (const auto& file : bundled_files())
    if (file.family == kVocabularies && file.name == name)
      return found_in(fs::path(kBundledFolder) / kVocabularies, file);
  return std::nullopt;
}

std::vector<std::string> bundled_vocabularies() {
  std::vector<std::string> names;
  for (const auto& file : bundled_files())
    if (file.family == kVocabularies) names.emplace_back(file.name);
  return names;
}

FileFinder bundled_finder() {
  return [](const std::string& reference, const std::string&) { return bundled_file(reference); };
}

FileFinder standard_finder() { return find_file; }

FileFinder finder_with(std::string name, std::string text) {
  return [name = std::move(name), text = std::move(text)](const std::string& reference,
                                                          const std::string& beside) {
    // A file that extends one of its own name means another.
    if (reference == name && beside.empty()) return std::optional(FoundFile{name, text});
    return find_file(reference, beside);
  };
}

bool names_itself(const std::string& reference, const std::string& file) try {
  const fs::path itself = fs::path(file).lexically_normal();
  const fs::path named = (itself.parent_path() / reference).lexically_normal();
  return named == itself || with_extension(named) == itself;
} catch (const std::bad_alloc&) {
  throw;
} catch (const std::exception&) {
  return false;
}

std::vector<std::string> games_on_path() try {
  std::vector<std::string> games;
  for (const auto& folder : search_folders()) add_games_in(folder, games);
  sort_and_thin(games);
  return games;
} catch (const std::bad_alloc&) {
  throw;
} catch (const std::exception&) {
  return {};
}

std::vector<std::string> known_games() try {
  std::vector<std::string> games = games_on_path();
  for (const auto& file : bundled_files())
    if (is_game(file.text)) games.emplace_back(file.name);
  sort_and_thin(games);
  return games;
} catch (const std::bad_alloc&) {
  throw;
} catch (const std::exception&) {
  return {};
}

} // namespace boardwright::dsl
