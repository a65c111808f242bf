#include "dsl/diagnostic.hpp"

#include "dsl/text.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <tuple>
#include <utility>

namespace boardwright::dsl {

// --- collecting
// -----------------------------------------------------------------------------------------------

Diagnostic& Diagnostics::error(Code code, Span span, std::string message) {
  return add(Severity::error, code, span, std::move(message));
}

Diagnostic& Diagnostics::warning(Code code, Span span, std::string message) {
  return add(Severity::warning, code, span, std::move(message));
}

Diagnostic& Diagnostics::note(Code code, Span span, std::string message) {
  return add(Severity::note, code, span, std::move(message));
}

void Diagnostics::append(const Diagnostics& others) {
  for (const Diagnostic& d : others.all()) add(d.severity, d.code, d.span, d.message) = d;
}

void Diagnostics::forget(Code code, const std::string& message) {
  forget(code, [&](const Diagnostic& d) { return d.message == message; });
}

void Diagnostics::forget(Code code, const std::function<bool(const Diagnostic&)>& is_echo) {
  errors_ -= static_cast<std::size_t>(std::erase_if(all_, [&](const Diagnostic& d) {
    return d.severity == Severity::error && d.code == code.name() && is_echo(d);
  }));
}

Diagnostic& Diagnostics::add(Severity severity, Code code, Span span, std::string message) {
  dropped_ = {};
  const auto is_same = [&](const Diagnostic& d) {
    return d.severity == severity && d.span == span && d.message == message;
  };
  if (std::any_of(all_.begin(), all_.end(), is_same)) return dropped_;

  if (severity == Severity::error) ++errors_;
  // Each severity has its own room, so that a flood of warnings can't hide an error.
  const auto kept =
      std::count_if(all_.begin(), all_.end(), [&](const Diagnostic& d) { return d.severity == severity; });
  if (static_cast<std::size_t>(kept) >= kMaxDiagnostics) {
    ++suppressed_;
    return dropped_;
  }
  return all_.emplace_back(Diagnostic{severity, code, span, std::move(message), {}, {}, {}, {}});
}

// --- rendering
// ------------------------------------------------------------------------------------------------

namespace {

constexpr std::size_t kMaxColumns = 160; // of a source line; more than most terminals show
constexpr std::size_t kTabWidth = 4;
constexpr std::size_t kMaxMessageColumns = 1000; // a message may quote a name that is as long as the file
constexpr std::string_view kUnprintable = "·";
constexpr std::string_view kCut = "…";

// Could it move the cursor, change colours or reorder the line? Such a character must not reach a terminal.
bool is_unprintable(const Character& c) {
  if (!c.valid || c.code < 0x20 || (c.code >= 0x7F && c.code < 0xA0)) return true;
  const bool reorders = (c.code >= 0x202A && c.code <= 0x202E) || (c.code >= 0x2066 && c.code <= 0x2069);
  return reorders || c.code == 0x200E || c.code == 0x200F || c.code == 0x2028 || c.code == 0x2029 ||
         c.code == 0xFEFF;
}

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t column = 0; !text.empty(); ++column) {
    if (column == kMaxMessageColumns) return out.append(kCut);
    const Character c = first_character(text);
    out += is_unprintable(c) ? kUnprintable : text.substr(0, c.bytes);
    text.remove_prefix(c.bytes);
  }
  return out;
}

// A source line as columns of a terminal, and the columns that a diagnostic underlines.
struct Excerpt {
  std::vector<std::string> columns;
  std::size_t mark_begin = 0;
  std::size_t mark_end = 0; // greater than `mark_begin`; may lie one past the line
};

void append_character(std::vector<std::string>& columns, std::string_view bytes, const Character& c) {
  if (c.code == '\t' && c.valid)
    columns.resize(columns.size() / kTabWidth * kTabWidth + kTabWidth, " ");
  else
    columns.emplace_back(is_unprintable(c) ? kUnprintable : bytes);
}

// The bytes of a long line around `begin`, so that laying it out costs no more than what is shown of it: each
// side keeps more than kMaxColumns characters where it had them, and `cut` then marks that some are missing.
struct Window {
  std::string_view line;
  std::size_t removed = 0; // bytes in front of it
};

Window around(std::string_view line, std::size_t begin) {
  constexpr std::size_t kSide = 4 * (kMaxColumns + 2); // no character has more than four bytes
  std::size_t removed = begin > kSide ? std::min(begin, line.size()) - kSide : 0;
  for (int tail = 0; tail < 3 && removed > 0 && continues_character(line[removed]); ++tail) ++removed;
  return {line.substr(removed, begin - removed + kSide), removed};
}

// `begin` and `end` count from the beginning of the line; `end` may lie beyond it.
Excerpt lay_out(std::string_view line, std::size_t begin, std::size_t end) {
  Excerpt excerpt;
  for (std::size_t at = 0; at < line.size();) {
    const Character c = first_character(line.substr(at));
    if (at <= begin) excerpt.mark_begin = excerpt.columns.size();
    append_character(excerpt.columns, line.substr(at, c.bytes), c);
    at += c.bytes;
    if (at <= end) excerpt.mark_end = excerpt.columns.size();
  }
  if (begin >= line.size()) excerpt.mark_begin = excerpt.columns.size();
  excerpt.mark_end = std::max(excerpt.mark_end, excerpt.mark_begin + 1);
  return excerpt;
}

void cut_end(Excerpt& excerpt, std::size_t size) {
  if (excerpt.columns.size() <= size) return;
  excerpt.columns.resize(size);
  excerpt.columns.back() = kCut;
  excerpt.mark_end = std::max(excerpt.mark_begin + 1, std::min(excerpt.mark_end, size - 1));
}

void cut_begin(Excerpt& excerpt, std::size_t removed) {
  if (removed == 0) return;
  excerpt.columns.erase(excerpt.columns.begin(),
                        excerpt.columns.begin() + static_cast<std::ptrdiff_t>(removed));
  excerpt.columns.front() = kCut;
  excerpt.mark_begin -= removed;
  excerpt.mark_end -= removed;
}

// Keeps kMaxColumns of a long line, with the mark's beginning a third into them.
void cut(Excerpt& excerpt) {
  const std::size_t size = excerpt.columns.size();
  if (size <= kMaxColumns) return;
  const std::size_t before = kMaxColumns / 3;
  const std::size_t wanted = excerpt.mark_begin > before ? excerpt.mark_begin - before : 0;
  cut_begin(excerpt, std::min(wanted, size - kMaxColumns));
  cut_end(excerpt, kMaxColumns);
}

struct Palette {
  std::string_view place, error, warning, note, mark, off;
};

constexpr Palette kPlain{};
constexpr Palette kColored{"\x1b[1m", "\x1b[1;31m", "\x1b[1;35m", "\x1b[1;36m", "\x1b[1;32m", "\x1b[0m"};

// As a word of the shell.
std::string shell_word(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

class Renderer {
public:
  Renderer(const Sources& sources, bool color) : sources_(sources), palette_(color ? kColored : kPlain) {}

  void diagnostic(const Diagnostic& d) {
    const auto color = d.severity == Severity::error     ? palette_.error
                       : d.severity == Severity::warning ? palette_.warning
                                                         : palette_.note;
    heading(d.span, color, name_of(d.severity), d.message, d.code.name());
    excerpt(d.span);
    remark(d.expected);
    remark(d.help);
    if (!d.position.empty()) remark("see: --position " + shell_word(d.position));
    for (const Related& related : d.related) {
      heading(related.span, palette_.note, "note", related.message, "");
      excerpt(related.span);
    }
  }

  void suppressed(std::size_t count) {
    if (count == 0) return;
    put("{} more {} not shown\n", count, count == 1 ? "message" : "messages");
  }

  std::string take() { return std::move(out_); }

private:
  template <typename... Arguments>
  void put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
  }

  void heading(Span span, std::string_view color, std::string_view word, std::string_view message,
               std::string_view code) {
    if (span.file < sources_.size()) {
      const Location at = sources_.locate(span.file, span.begin);
      put("{}{}:{}:{}:{} ", palette_.place, printable(at.file), at.line, at.column, palette_.off);
    }
    put("{}{}:{} {}{}{}", color, word, palette_.off, palette_.place, printable(message), palette_.off);
    if (!code.empty()) put(" [{}]", printable(code));
    put("\n");
  }

  void excerpt(Span span) {
    if (span.file >= sources_.size()) return;
    const std::string_view text = sources_.text(span.file);
    const std::uint32_t number = sources_.locate(span.file, span.begin).line;
    const std::string_view line = sources_.line(span.file, number);
    const auto line_begin = static_cast<std::size_t>(line.data() - text.data());
    const auto in_line = [&](std::size_t offset) { return offset > line_begin ? offset - line_begin : 0; };

    const Window window = around(line, in_line(span.begin));
    const auto in_window = [&](std::size_t offset) {
      return in_line(offset) - std::min(in_line(offset), window.removed);
    };
    Excerpt shown = lay_out(window.line, in_window(span.begin), in_window(span.end));
    cut(shown);
    const std::string number_text = fmt::format("{:5}", number);
    gutter_.assign(number_text.size(), ' ');
    put("{} |{}{}\n", number_text, shown.columns.empty() ? "" : " ", fmt::join(shown.columns, ""));
    put("{} | {:{}}{}^{:~>{}}{}\n", gutter_, "", shown.mark_begin, palette_.mark, "",
        shown.mark_end - shown.mark_begin - 1, palette_.off);
  }

  void remark(std::string_view text) {
    if (!text.empty()) put("{} | {}\n", gutter_, printable(text));
  }

  const Sources& sources_;
  const Palette& palette_;
  std::string gutter_ = "     "; // as wide as the last line number
  std::string out_;
};

} // namespace

std::string render(const Diagnostics& diagnostics, const Sources& sources, bool color) {
  std::vector<const Diagnostic*> sorted;
  for (const Diagnostic& d : diagnostics.all()) sorted.push_back(&d);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Diagnostic* a, const Diagnostic* b) {
    return std::tie(a->span.file, a->span.begin) < std::tie(b->span.file, b->span.begin);
  });

  Renderer renderer(sources, color);
  for (const Diagnostic* d : sorted) renderer.diagnostic(*d);
  renderer.suppressed(diagnostics.suppressed());
  return renderer.take();
}

// --- did you mean?
// --------------------------------------------------------------------------------------------

namespace {

// A longer name is no slip of the fingers; the bound also keeps the quadratic comparison short.
constexpr std::size_t kLongestMeantName = 64;

// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::array<std::array<std::size_t, kLongestMeantName + 1>, kLongestMeantName + 1> d{};
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] =
          std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

// Whether two short words begin alike: with the same letter, with swapped ones, or one lacks a letter. Else
// another word is another word, such as `gone` and `none`. Both in lower case.
bool begin_alike(std::string_view name, std::string_view candidate) {
  if (name.size() > 4 || name.size() != candidate.size() || name.empty() || name[0] == candidate[0])
    return true;
  return name.size() > 1 && name[0] == candidate[1] && name[1] == candidate[0];
}

std::size_t most_slips(std::size_t letters) { return letters <= 4 ? 1 : letters <= 8 ? 2 : 3; }

} // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& known) {
  if (name.size() > kLongestMeantName) return "";
  // Fewer slips than letters: one letter must not be taken for any other.
  const std::size_t limit = std::min(most_slips(name.size()), std::max<std::size_t>(name.size(), 1) - 1);
  const std::string lower = to_lower(name);
  using Rank = std::tuple<std::size_t, std::size_t, std::string_view>; // regardless of case, by case, text
  Rank best{limit + 1, 0, ""};
  for (const std::string& candidate : known) {
    if (candidate.empty() || candidate.size() > std::min(name.size() + limit, kLongestMeantName)) continue;
    if (!begin_alike(lower, to_lower(candidate))) continue;
    best = std::min(
        best, Rank{edit_distance(lower, to_lower(candidate)), edit_distance(name, candidate), candidate});
  }
  return std::get<0>(best) <= limit ? std::string(std::get<2>(best)) : "";
}

} // namespace boardwright::dsl
