#include "dsl/scalar_spans.hpp"

#include "dsl/text.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace boardwright::dsl {

namespace {

using Style = Yaml::Style;
using What = ScalarFault::What;

bool is_control(char32_t code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

// One byte of decoded text that isn't white space, and the source bytes that stand for it.
struct Ink {
  char byte = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

// Reads the ink of a scalar from the source, from `at` on.
class InkReader {
public:
  InkReader(std::string_view source, std::size_t at, Style style) : source_(source), at_(at), style_(style) {}

  // The next byte of ink; none at the closing quote, at the end of the file and after a fault.
  std::optional<Ink> next() {
    if (!pending_.empty()) return pop();
    while (at_ < source_.size() && !fault_) {
      if (closes()) return {};
      if (style_ == Style::double_quoted && source_[at_] == '\\')
        read_escape();
      else
        read_byte();
      if (!pending_.empty()) return pop();
    }
    return {};
  }

  // The quote or the end of the file that stopped `next`.
  [[nodiscard]] std::size_t at() const { return at_; }
  [[nodiscard]] bool at_end() const { return at_ >= source_.size(); }
  [[nodiscard]] const std::optional<ScalarFault>& fault() const { return fault_; }

private:
  [[nodiscard]] bool has(std::size_t at, char c) const { return at < source_.size() && source_[at] == c; }

  [[nodiscard]] bool closes() const {
    if (style_ == Style::double_quoted) return source_[at_] == '"';
    return style_ == Style::single_quoted && source_[at_] == '\'' && !has(at_ + 1, '\'');
  }

  Ink pop() {
    const Ink ink{pending_.front(), static_cast<std::uint32_t>(pending_begin_),
                  static_cast<std::uint32_t>(at_)};
    pending_.erase(pending_.begin());
    return ink;
  }

  // A closing quote has been ruled out, so that a single quote is the first of two.
  void read_byte() {
    const bool doubled = style_ == Style::single_quoted && source_[at_] == '\'';
    if (!is_white(source_[at_])) pending_ = source_[at_];
    advance(doubled ? 2 : 1);
  }

  void read_escape() {
    const char letter = at_ + 1 < source_.size() ? source_[at_ + 1] : '\0';
    switch (letter) {
    case 'x': return read_code(2);
    case 'u': return read_code(4);
    case 'U': return read_code(8);
    case 'L': return take(2, "\xE2\x80\xA8");
    case 'P': return take(2, "\xE2\x80\xA9");
    case '"':
    case '\'':
    case '\\':
    case '/': return take(2, std::string(1, letter));
    case 'n':
    case 't':
    case ' ':
    case '\t':
    case '\n':
    case '\r': return take(2, "");
    default: return refuse(2);
    }
  }

  // yaml-cpp has read these digits before us, so they are known to be digits and the code to be a character.
  void read_code(std::size_t digits) {
    char32_t code = 0;
    for (const char digit : source_.substr(std::min(at_ + 2, source_.size()), digits)) {
      const auto value = digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10;
      code = code << 4U | static_cast<char32_t>(value & 0xF);
    }
    if (code == '\n' || code == '\t' || code == ' ') return take(digits + 2, "");
    if (is_control(code)) return refuse(digits + 2);
    take(digits + 2, to_utf8(code));
  }

  void take(std::size_t bytes, std::string decoded) {
    pending_ = std::move(decoded);
    advance(bytes);
  }

  void refuse(std::size_t bytes) {
    const auto begin = at_;
    advance(bytes);
    fault_ = {What::bad_escape, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)};
  }

  void advance(std::size_t bytes) {
    pending_begin_ = at_;
    at_ = std::min(at_ + bytes, source_.size());
  }

  std::string_view source_;
  std::size_t at_;
  Style style_;
  std::string pending_; // decoded bytes of the source bytes [pending_begin_, at_)
  std::size_t pending_begin_ = 0;
  std::optional<ScalarFault> fault_;
};

// Places white space between ink: equal bytes at both ends of the gap stand for each other, the rest was
// folded. The end goes first, because blanks that are content stand behind those of the indentation. But the
// first byte always stands right behind the ink, so that a span that ends there ends with the ink.
void place_white(std::string_view white, std::string_view gap, std::size_t gap_begin,
                 std::vector<std::uint32_t>& offsets) {
  std::size_t right = 0;
  const std::size_t most = std::min(white.size() - 1, gap.size());
  while (right < most && white[white.size() - 1 - right] == gap[gap.size() - 1 - right]) ++right;
  std::size_t left = 0;
  const std::size_t room = std::min(white.size(), gap.size()) - right;
  while (left < room && white[left] == gap[left]) ++left;
  for (std::size_t i = 0; i < white.size(); ++i) {
    const std::size_t from_end = white.size() - i;
    const std::size_t in_gap = from_end <= right ? gap.size() - from_end : std::min(i, left);
    offsets.push_back(static_cast<std::uint32_t>(gap_begin + in_gap));
  }
}

// Walks the decoded text and the source side by side.
class Aligner {
public:
  Aligner(std::string_view source, std::size_t mark, std::string_view decoded)
      : source_(source), mark_(mark), decoded_(decoded),
        style_(style_at(source, static_cast<std::uint32_t>(mark))), content_(content_begin()),
        reader_(source, content_, style_) {}

  tl::expected<ScalarPlace, ScalarFault> run() {
    place_.offsets.reserve(decoded_.size() + 1);
    ink_end_ = content_;
    for (std::size_t i = 0; i < decoded_.size();) {
      const std::size_t white = count_white(i);
      if (i + white == decoded_.size()) break; // the white space at the end has no ink behind it
      const auto ink = reader_.next();
      if (!ink || ink->byte != decoded_[i + white]) return tl::unexpected(fault());
      place_ink(i, white, *ink);
      i += white + 1;
    }
    return finish();
  }

private:
  [[nodiscard]] bool is_quoted() const {
    return style_ == Style::double_quoted || style_ == Style::single_quoted;
  }
  [[nodiscard]] bool is_block() const { return style_ == Style::literal || style_ == Style::folded; }

  [[nodiscard]] std::size_t content_begin() const {
    if (is_quoted()) return mark_ + 1;
    if (!is_block()) return mark_;
    const auto line_end = source_.find('\n', mark_);
    return line_end == std::string_view::npos ? source_.size() : line_end + 1;
  }

  [[nodiscard]] std::size_t count_white(std::size_t i) const {
    std::size_t count = 0;
    while (i + count < decoded_.size() && is_white(decoded_[i + count])) ++count;
    return count;
  }

  void place_ink(std::size_t i, std::size_t white, const Ink& ink) {
    if (white > 0) {
      // Bytes of one escape share a place, so the gap may be empty but never negative.
      const std::size_t gap = ink.begin - std::min<std::size_t>(ink_end_, ink.begin);
      place_white(decoded_.substr(i, white), source_.substr(ink_end_, gap), ink_end_, place_.offsets);
    }
    place_.offsets.push_back(ink.begin);
    if (!has_ink_) place_.begin = ink.begin;
    has_ink_ = true;
    ink_end_ = ink.end;
  }

  tl::expected<ScalarPlace, ScalarFault> finish() {
    if (is_quoted()) {
      if (reader_.next() || reader_.at_end() || reader_.fault()) return tl::unexpected(fault());
      place_tail(reader_.at());
      place_.begin = static_cast<std::uint32_t>(mark_);
      place_.end = static_cast<std::uint32_t>(reader_.at() + 1);
      return std::move(place_);
    }
    place_tail(white_end());
    if (!has_ink_) place_.begin = static_cast<std::uint32_t>(mark_);
    place_.end = static_cast<std::uint32_t>(has_ink_ ? ink_end_ : mark_ + 1);
    return std::move(place_);
  }

  [[nodiscard]] std::size_t white_end() const {
    const auto end =
        std::find_if_not(source_.begin() + static_cast<std::ptrdiff_t>(ink_end_), source_.end(), is_white);
    return static_cast<std::size_t>(end - source_.begin());
  }

  // The white space at the end of the decoded text lies in [ink_end_, end).
  void place_tail(std::size_t end) {
    const auto white = decoded_.substr(place_.offsets.size());
    for (std::size_t i = 0; i < white.size(); ++i)
      place_.offsets.push_back(static_cast<std::uint32_t>(std::min(ink_end_ + i, end)));
    place_.offsets.push_back(static_cast<std::uint32_t>(std::min(ink_end_ + white.size(), end)));
  }

  [[nodiscard]] ScalarFault fault() const {
    if (reader_.fault()) return *reader_.fault();
    const What what = is_quoted() && reader_.at_end() ? What::unterminated : What::does_not_match;
    return {what, static_cast<std::uint32_t>(mark_), static_cast<std::uint32_t>(mark_ + 1)};
  }

  std::string_view source_;
  std::size_t mark_;
  std::string_view decoded_;
  Style style_;
  std::size_t content_;
  InkReader reader_;
  ScalarPlace place_;
  std::size_t ink_end_ = 0;
  bool has_ink_ = false;
};

} // namespace

Style style_at(std::string_view source, std::uint32_t mark) {
  switch (mark < source.size() ? source[mark] : '\0') {
  case '"': return Style::double_quoted;
  case '\'': return Style::single_quoted;
  case '|': return Style::literal;
  case '>': return Style::folded;
  default: return Style::plain;
  }
}

tl::expected<ScalarPlace, ScalarFault> place_scalar(std::string_view source, std::uint32_t mark,
                                                    std::string_view decoded) {
  return Aligner(source, mark, decoded).run();
}

} // namespace boardwright::dsl
