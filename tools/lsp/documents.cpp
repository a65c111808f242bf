#include "tools/lsp/documents.hpp"

#include "dsl/finder.hpp"
#include "dsl/text.hpp"
#include "dsl/tokens.hpp"
#include "interpreter/examine.hpp"
#include "interpreter/findings/coverage.hpp"
#include "interpreter/load_with_readings.hpp"
#include "runtime/game/large_stack.hpp"
#include "runtime/model/meter.hpp"
#include "tools/format/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace boardwright::tools {
namespace {

void look_at(Document& document, const dsl::FileFinder& find) {
  document.examined = document.counted = false;
  document.loaded = checked(document.path, document.text, document.parts, find);
  if (document.loaded->file) document.readable = document.loaded;
}

// A file that has errors has told more than enough.
void examine(Document& document, const dsl::FileFinder& find) {
  document.examined = true;
  document.findings.clear();
  if (document.loaded->diagnostics.has_errors()) return;
  const auto loaded = std::make_shared<interpreter::Loaded>();
  interpreter::Readings readings;
  interpreter::load_with_readings(*loaded, readings, document.path, {}, find);
  document.loaded = loaded;
  if (loaded->file) document.readable = loaded;
  if (!*loaded) return;
  runtime::Meter meter;
  const runtime::Meter::Use use(&meter);
  interpreter::ExamineOptions options;
  options.games = false;
  options.readings = &readings;
  document.findings = interpreter::examine(*loaded, {}, options).findings.all();
}

// What is told of a part beside it, and at length.
PlayCount play_count(const interpreter::CoveredPart& part, const interpreter::Coverage& coverage) {
  using interpreter::PartKind;
  const interpreter::PartCount& seen = part.random;
  const auto text = [&](std::string_view asked, std::string_view came) -> std::string {
    if (seen.met == 0) return fmt::format("is never {}", asked);
    return fmt::format("{} {} of the {} times that it was {}", came, seen.held, seen.met, asked);
  };
  std::string told;
  switch (part.kind) {
  case PartKind::alternative: told = text("tried", "gave a move"); break;
  case PartKind::condition: told = text("asked", "held"); break;
  case PartKind::definition: told = text("used", "was true, held anything or went on"); break;
  case PartKind::end_line: told = fmt::format("ended {} of {} games", seen.games, coverage.games); break;
  }
  const std::string shown = part.kind == PartKind::end_line ? fmt::format("{} games", seen.games)
                            : seen.met == 0                 ? "never"
                                                            : fmt::format("{} of {}", seen.held, seen.met);
  return {part.span, shown,
          fmt::format("In {} positions of random games: {}.", coverage.random_positions, told),
          part.kind == PartKind::definition};
}

bool needs(const Document& document, const std::string& path) {
  const dsl::Sources& sources = document.loaded->sources;
  for (dsl::FileId file = 0; file < sources.size(); ++file)
    if (sources.name(file) == path) return true;
  // One that couldn't be found may be there now.
  const auto& all = document.loaded->diagnostics.all();
  return std::any_of(all.begin(), all.end(),
                     [](const dsl::Diagnostic& d) { return d.code.name() == "not-found"; });
}

void add_uses(const dsl::Text& scalar, const std::string& name, std::vector<dsl::Span>& uses) {
  const std::string& text = scalar.text;
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const bool begins = at == 0 || !dsl::continues_name(text[at - 1]);
    const std::size_t end = at + name.size();
    const bool ends = end == text.size() || !dsl::continues_name(text[end]);
    const std::size_t line = text.rfind('\n', at) + 1; // npos + 1 is 0
    const bool remark = text.substr(line, at - line).find('#') != std::string::npos;
    const auto quotes = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '"');
    if (begins && ends && !remark && quotes % 2 == 0) uses.push_back(scalar.span(at, end));
  }
}

void add_uses(const dsl::Yaml& node, const std::string& name, std::vector<dsl::Span>& uses) {
  if (node.is_scalar()) add_uses(node.text, name, uses);
  for (const auto& item : node.items) add_uses(item, name, uses);
  for (const auto& entry : node.entries) {
    const std::string& key = entry.key.text;
    add_uses(entry.key, name, uses);
    if (key != "help" && key != "name") add_uses(entry.value, name, uses);
  }
}

int hex_digit(char c) {
  const char* const digits = "0123456789abcdef";
  const auto at = std::string_view(digits).find(dsl::to_lower(c));
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

} // namespace

void Documents::put(const std::string& uri, const std::string& text) {
  Document& document = open_[uri];
  document.uri = uri;
  document.path = path_of_uri(uri);
  if (document.loaded && document.loaded->file)
    document.counts = moved(document.counts, document.loaded->file->file, document.text, text);
  else
    document.counts.clear();
  if (document.loaded && document.loaded->file)
    document.findings = moved(document.findings, document.loaded->file->file, document.text, text);
  else
    document.findings.clear();
  document.text = text;
  document.loaded.reset();
}

std::vector<std::string> Documents::look() {
  std::vector<std::string> changed;
  for (const auto& [uri, document] : open_)
    if (!document.loaded) changed.push_back(document.path);
  std::set<std::string> seen;
  for (const std::string& path : changed)
    for (std::string& uri : look_at_users_of(path)) seen.insert(std::move(uri));
  return {seen.begin(), seen.end()};
}

std::vector<std::string> Documents::close(const std::string& uri) {
  const std::string path = path_of_uri(uri);
  open_.erase(uri);
  return look_at_users_of(path);
}

std::optional<std::string> Documents::examine_next() {
  for (auto& [uri, document] : open_) {
    if (document.examined) continue;
    examine(document, finder());
    return uri;
  }
  return std::nullopt;
}

bool Documents::all_examined() const {
  return std::all_of(open_.begin(), open_.end(), [](const auto& entry) { return entry.second.examined; });
}

void Documents::count(const std::string& uri) {
  // A part of what `check --coverage` plays: some tenths of a second, which somebody may wait who types
  // again.
  constexpr std::uint64_t kShare = 5;
  const auto found = open_.find(uri);
  if (found == open_.end() || found->second.counted) return;
  Document& document = found->second;
  document.counted = true;
  document.counts.clear();
  if (!document.loaded || !*document.loaded) return;
  interpreter::CoverageOptions options;
  runtime::Meter meter;
  const runtime::Meter::Use use(&meter);
  options.tests = false;
  options.share = kShare;
  const auto coverage = interpreter::coverage_of(*document.loaded, document.path, {}, finder(), options);
  for (const auto& part : coverage.parts) document.counts.push_back(play_count(part, coverage));
}

const Document* Documents::find(const std::string& uri) const {
  const auto found = open_.find(uri);
  return found == open_.end() ? nullptr : &found->second;
}

dsl::FileFinder Documents::finder() const {
  std::map<std::string, std::string> texts;
  for (const auto& [uri, document] : open_) texts[document.path] = document.text;
  return [texts, standard = dsl::standard_finder()](
             const std::string& reference, const std::string& beside) -> std::optional<dsl::FoundFile> {
    const auto folder = std::filesystem::path(beside).parent_path();
    for (const auto& path :
         {reference, (folder / reference).string(), (folder / (reference + ".yaml")).string()})
      if (const auto open = texts.find(path); open != texts.end() && path != beside)
        return dsl::FoundFile{open->first, open->second};
    return standard(reference, beside);
  };
}

std::size_t Documents::errors_with(const Document& document,
                                   const std::map<std::string, std::string>& texts) const {
  const auto find = finder();
  ReadableParts parts;
  const auto changed =
      checked(document.path, texts.at(document.path), parts,
              [&](const std::string& reference, const std::string& beside) -> std::optional<dsl::FoundFile> {
                auto found = find(reference, beside);
                if (!found) return found;
                if (const auto text = texts.find(found->name); text != texts.end())
                  found->text = text->second;
                return found;
              });
  return changed->diagnostics.error_count();
}

std::vector<std::string> Documents::look_at_users_of(const std::string& path) {
  std::vector<std::string> changed;
  const auto find = finder();
  for (auto& [uri, document] : open_) {
    if (document.loaded && !needs(document, path)) continue;
    look_at(document, find);
    changed.push_back(uri);
  }
  return changed;
}

namespace {

// Moves places in a text to where they are after a change of it.
class Mover {
public:
  Mover(dsl::FileId file, const std::string& before, const std::string& after) : file_(file) {
    const auto differ = std::mismatch(before.begin(), before.end(), after.begin(), after.end());
    same_ = static_cast<std::size_t>(differ.first - before.begin());
    std::size_t behind = 0; // bytes that are the same at the end
    while (behind < std::min(before.size(), after.size()) - same_ &&
           before[before.size() - 1 - behind] == after[after.size() - 1 - behind])
      ++behind;
    from_ = before.size() - behind;
    shift_ = static_cast<std::uint32_t>(after.size() - before.size()); // modulo 2^32
  }

  // False where the place lies in what has changed.
  [[nodiscard]] bool move(dsl::Span& span) const {
    if (span.file != file_ || span.end < same_) return true;
    if (span.begin < from_) return false;
    span.begin += shift_;
    span.end += shift_;
    return true;
  }

private:
  dsl::FileId file_;
  std::size_t same_ = 0, from_ = 0;
  std::uint32_t shift_ = 0;
};

} // namespace

std::vector<dsl::Diagnostic> moved(const std::vector<dsl::Diagnostic>& findings, dsl::FileId file,
                                   const std::string& before, const std::string& after) {
  const Mover mover(file, before, after);
  std::vector<dsl::Diagnostic> kept;
  for (dsl::Diagnostic finding : findings) {
    bool whole = mover.move(finding.span);
    for (dsl::Related& related : finding.related) whole = mover.move(related.span) && whole;
    if (whole) kept.push_back(std::move(finding));
  }
  return kept;
}

std::vector<PlayCount> moved(const std::vector<PlayCount>& counts, dsl::FileId file,
                             const std::string& before, const std::string& after) {
  const Mover mover(file, before, after);
  std::vector<PlayCount> kept;
  for (PlayCount count : counts)
    if (mover.move(count.span)) kept.push_back(std::move(count));
  return kept;
}

std::string path_of_uri(const std::string& uri) {
  const std::string scheme = "file://";
  if (!uri.starts_with(scheme)) return uri;
  std::string path;
  for (std::size_t i = scheme.size(); i < uri.size(); ++i) {
    const bool coded =
        uri[i] == '%' && i + 2 < uri.size() && hex_digit(uri[i + 1]) >= 0 && hex_digit(uri[i + 2]) >= 0;
    path += coded ? static_cast<char>(hex_digit(uri[i + 1]) * 16 + hex_digit(uri[i + 2])) : uri[i];
    if (coded) i += 2;
  }
  return path;
}

std::string uri_of_path(const std::string& path) {
  std::error_code error;
  const auto whole = std::filesystem::absolute(path, error).string();
  if (!std::filesystem::exists(path, error))
    return path.starts_with("/") ? "file://" + path : "boardwright:" + path;
  std::string uri = "file://";
  for (const char c : whole) {
    const bool plain = dsl::continues_name(c) || c == '/' || c == '-' || c == '.' || c == '~';
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

Word word_at(const std::string& text, std::size_t offset) {
  std::size_t begin = std::min(offset, text.size()), end = begin;
  while (begin > 0 && dsl::continues_name(text[begin - 1])) --begin;
  while (end < text.size() && dsl::continues_name(text[end])) ++end;
  return {begin, end, text.substr(begin, end - begin)};
}

std::vector<dsl::Span> uses_of(const std::string& text, const std::string& name) {
  std::vector<dsl::Span> uses;
  dsl::Sources sources;
  dsl::Diagnostics ignored;
  const auto root = dsl::read_yaml(sources, sources.add("", text), ignored);
  if (!root || name.empty()) return uses;
  for (const auto& entry : root->entries)
    if (entry.key.text != "about" && entry.key.text != "game" && entry.key.text != "extends")
      add_uses(entry.value, name, uses);
  std::sort(uses.begin(), uses.end(), [](auto a, auto b) { return a.begin < b.begin; });
  return uses;
}

std::string section_at(const std::string& text, std::size_t offset) {
  for (std::size_t end = std::min(offset, text.size());;) {
    const std::size_t begin = end == 0 ? 0 : text.rfind('\n', end - 1) + 1; // npos + 1 is 0
    if (begin < text.size() && dsl::begins_name(text[begin])) {
      const std::size_t colon = text.find_first_of(":\n", begin);
      if (colon != std::string::npos && text[colon] == ':') return text.substr(begin, colon - begin);
    }
    if (begin == 0) return "";
    end = begin - 1;
  }
}

} // namespace boardwright::tools
