#include "dsl/yaml_errors.hpp"

#include "dsl/text.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <yaml-cpp/exceptions.h>

namespace boardwright::dsl {

namespace {

namespace ErrorMsg = YAML::ErrorMsg;
using std::string_view;

constexpr const char* kBlockHelp =
    "to begin a rule with it, quote the value; a block's text begins on the next "
    "line, indented";

bool is_one_of(char c, string_view set) { return set.find(c) != string_view::npos; }

// `: ` or a `:` at the end of the line, which makes an entry of it.
bool has_value_sign(string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i)
    if (line[i] == ':' && (i + 1 == line.size() || is_white(line[i + 1]))) return true;
  return false;
}

std::size_t comment_in(string_view line) {
  return std::min({line.size(), line.find(" #"), line.find("\t#")});
}

bool has_comment(string_view line) { return comment_in(line) < line.size(); }

// The string of a rule that a comment on the line cuts: where it begins, or npos.
std::size_t cut_string(string_view line) {
  const auto comment = comment_in(line);
  const auto before = line.substr(0, comment), behind = line.substr(comment);
  if (std::count(before.begin(), before.end(), '"') % 2 == 0) return string_view::npos;
  return behind.find('"') == string_view::npos ? string_view::npos : before.rfind('"');
}

std::string entry_help(string_view line) {
  return line.find(':') == string_view::npos ? "indent the line if it goes on with the value above"
                                             : "put a space after the `:`";
}

class Reporter {
public:
  Reporter(const YamlTrouble& trouble, const Sources& sources, FileId file, Diagnostics& diagnostics)
      : trouble_(trouble), text_(sources.text(file)), file_(file), diagnostics_(diagnostics),
        at_(std::min<std::size_t>(trouble.at, text_.size())) {
    const auto before = at_ == 0 ? string_view::npos : text_.rfind('\n', at_ - 1);
    line_begin_ = before == string_view::npos ? 0 : before + 1;
    line_end_ = std::min(text_.find('\n', at_), text_.size());
    if (line_end_ > line_begin_ && text_[line_end_ - 1] == '\r') --line_end_;
    line_end_ = std::max(line_end_, at_);
  }

  void report() {
    if (tab_in_indentation()) return;
    for (const auto& [what, handler] : kHandlers)
      if (trouble_.what.substr(0, string_view(what).size()) == what) return (this->*handler)();
    other();
  }

private:
  using Handler = void (Reporter::*)();
  static const std::array<std::pair<const char*, Handler>, 28> kHandlers;

  [[nodiscard]] Span span(std::size_t begin, std::size_t end) const {
    return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(std::max(begin, end))};
  }
  [[nodiscard]] char here() const { return at_ < text_.size() ? text_[at_] : '\n'; }
  [[nodiscard]] bool at_end() const {
    return std::all_of(text_.begin() + static_cast<std::ptrdiff_t>(at_), text_.end(), is_white);
  }
  [[nodiscard]] string_view before() const { return text_.substr(line_begin_, at_ - line_begin_); }
  [[nodiscard]] string_view rest() const { return text_.substr(at_, line_end_ - at_); }
  [[nodiscard]] bool is_first_on_line() const {
    return std::all_of(before().begin(), before().end(), is_blank);
  }

  // The last sign before an offset on its line that isn't blank, or 0.
  [[nodiscard]] char sign_before(std::size_t offset) const {
    while (offset > line_begin_ && is_blank(text_[offset - 1])) --offset;
    return offset > line_begin_ ? text_[offset - 1] : '\0';
  }

  // The nearest of `signs` at or before the place of the error, on its line; the place itself if there is
  // none.
  [[nodiscard]] std::size_t last_of(string_view signs) const {
    const auto found = text_.find_last_of(signs, at_);
    return found == string_view::npos || found < line_begin_ ? at_ : found;
  }

  Diagnostic& error(Span where, std::string message, std::string help = "", Code code = "yaml") {
    Diagnostic& d = diagnostics_.error(code, where, std::move(message));
    d.help = std::move(help);
    return d;
  }

  Diagnostic& error_here(std::string message, std::string help) {
    return error(span(at_, at_ + (here() == '\n' ? 0 : 1)), std::move(message), std::move(help));
  }

  Diagnostic& error_rest(std::string message, std::string help) {
    auto end = line_end_;
    while (end > at_ && is_blank(text_[end - 1])) --end;
    return error(span(at_, end), std::move(message), std::move(help));
  }

  // Most objections to a line that is indented with tabs are about the tabs, whatever their words.
  bool tab_in_indentation() {
    const auto indentation =
        text_.substr(line_begin_).substr(0, text_.substr(line_begin_).find_first_not_of(" \t"));
    const auto tab = indentation.find('\t');
    if (tab == string_view::npos || line_begin_ + tab > at_) return false;
    error(span(line_begin_ + tab, line_begin_ + tab + 1), "a tab in the indentation", "indent with spaces");
    return true;
  }

  void tab() { error_here("a tab in the indentation", "indent with spaces"); }

  void map_value() {
    const bool may_be_entry = !has_value_sign(before());
    if (may_be_entry && blame_line_above()) return;
    if (follows_condition()) {
      error_here("a `:` after a condition", "write `if C then A`, with `then` and not `:`");
      return;
    }
    if (const string_view help = block_meant(); !help.empty()) {
      error_here("a rule has no `:`", std::string(help));
      return;
    }
    error_here("a `:` followed by a space inside a value that is not in quotes",
               may_be_entry ? "quote the value; or, if this is an entry of its own, line it up with the "
                              "entries above"
                            : kQuoteTheValue);
  }

  // `if here in last_row: win`
  [[nodiscard]] bool follows_condition() const {
    const auto word = before().rfind("if ");
    if (word == string_view::npos || before().find(" then ", word) != string_view::npos) return false;
    return word == 0 || is_one_of(before()[word - 1], " (,");
  }

  // `for d in adjacent: …`, `while C: …`, `else: …`, `C ? A : B`, as other languages write them.
  [[nodiscard]] string_view block_meant() const {
    const auto has = [&](string_view word) {
      const auto found = before().rfind(word);
      return found != string_view::npos && (found == 0 || is_one_of(before()[found - 1], " (,"));
    };
    if (has("for ") && has("in "))
      return "`choose x in S, A`: the player chooses one; `each x in S do A` does A for every one";
    if (has("while ")) return "`(A)* until C` does A again and again, up to where C holds";
    if (has("else") || has("elif ")) return "write `if C then A else B`, all in one rule";
    if (has("? ")) return "write `if C then A else B`";
    return "";
  }

  // yaml-cpp objects to the `:` of an entry where the line above it, in the same column, has none.
  bool blame_line_above() {
    const string_view above = line_above();
    const auto column = above.find_first_not_of(' ');
    if (column == string_view::npos || column != before().find_first_not_of(' ')) return false;
    if (has_value_sign(above) || is_one_of(above[column], "#-")) return false;
    const auto begin = static_cast<std::size_t>(above.data() - text_.data());
    const auto end = above.find_last_not_of(" \t\r") + 1;
    error(span(begin + column, begin + end), kExpectedEntry, entry_help(above));
    return true;
  }

  // A comment that began inside a string of a rule hid what would have closed the value.
  bool blame_comment_above() {
    const string_view above = line_above();
    const auto opened = cut_string(above);
    if (opened == string_view::npos) return false;
    const auto begin = static_cast<std::size_t>(above.data() - text_.data());
    error(span(begin + opened, begin + comment_in(above) + 2), kCutString, kCutStringHelp);
    return true;
  }

  void map_key() { error_here("a `?` followed by a space can't stand here", kQuoteTheValue); }

  void block_entry() {
    error_here("a list item can't begin here", "put each `- item` on a line of its own, or quote the value");
  }

  void unknown_token() {
    const auto sign = here() == '`' ? std::string("a backtick") : fmt::format("`{}`", here());
    error_here("a value can't start with " + sign, kQuoteTheValue);
  }

  void alias() { reference("*", "`*` starts a YAML alias, which rule files don't use"); }
  void anchor() { reference("&", "`&` starts a YAML anchor, which rule files don't use"); }
  void tag() { reference("!", "`!` starts a YAML tag, which rule files don't use"); }

  void reference(string_view sign, const char* message) {
    const auto begin = last_of(sign);
    error(span(begin, begin + 1), message, kReferenceHelp, "yaml-reference");
  }

  void block_text() {
    const auto header = last_of("|>");
    if (!is_one_of(sign_before(header), {":-?\0", 4})) return after_end(header);
    error(span(header, header + 1),
          fmt::format("text after `{}`, which starts a block of lines", text_[header]), kBlockHelp);
  }

  void block_indentation() { error_here("a block can't be indented by zero", kBlockHelp); }

  void escape() {
    const auto backslash = last_of("\\");
    error(span(backslash, at_), "there is no such escape in double quotes",
          "write `\\\\` for a backslash, or use single quotes");
  }

  void document_in_quotes() {
    Diagnostic& d =
        error_rest("a new document begins inside quoted text", "is a closing quote missing above?");
    relate_quoted(d);
  }

  void open_quotes() { error_here("quoted text is never closed", "close it with the quote that opened it"); }

  void relate_quoted(Diagnostic& d) const {
    if (trouble_.last_quoted) d.related.push_back({*trouble_.last_quoted, "the last text in quotes"});
  }

  void flow_end() {
    if (!trouble_.open_bracket) {
      error_here(fmt::format("this `{}` closes nothing", here()), kQuoteTheValue);
      return;
    }
    relate_bracket(error_here(fmt::format("this `{}` does not close what is open", here()), kQuoteTheValue));
  }

  void relate_bracket(Diagnostic& d) const {
    if (const auto open = trouble_.open_bracket) d.related.push_back({span(*open, *open + 1), "opened here"});
  }

  void flow() {
    const auto open = trouble_.open_bracket;
    if (open && blame_comment_above()) return;
    if (open && at_end()) {
      error(span(*open, *open + 1), fmt::format("this `{}` is never closed", text_[*open]),
            fmt::format("close it with `{}`; to begin a rule with it, quote the value",
                        text_[*open] == '{' ? '}' : ']'));
      return;
    }
    const char closer = open && text_[*open] == '[' ? ']' : '}';
    Diagnostic& d = error_here(fmt::format("expected `,` or `{}` here", closer),
                               "inside `{ }` and `[ ]` quote a value that holds one of `, ? : [ ] { }`");
    relate_bracket(d);
  }

  // Text that belongs to no entry of a block map and to no item of a block list.
  void block() {
    if (is_one_of(here(), ",]}")) return unknown_token();
    if (!is_first_on_line()) return after_end(at_);
    if (has_value_sign(rest())) {
      error_rest("the indentation of this line matches no entry above",
                 "line it up with the entries it belongs to");
      return;
    }
    if (blame_comment_above()) return;
    if (has_comment(line_above())) {
      error_rest("the comment in the line above ended the value, and this line belongs to no entry",
                 "move the comment, or make the value a block: `key: |`");
      return;
    }
    error_rest(kExpectedEntry, entry_help(rest()));
  }

  void after_end(std::size_t begin) {
    const char closer = sign_before(begin);
    at_ = begin;
    if (!is_one_of(closer, "\"']}")) {
      error_rest("unexpected text", kQuoteTheValue);
      return;
    }
    Diagnostic& d = error_rest(fmt::format("text after the closing `{}`, which ended the value", closer),
                               "put the whole value in quotes");
    const auto& quoted = trouble_.last_quoted;
    if (quoted && is_one_of(closer, "\"'") && quoted->begin < line_begin_)
      d.related.push_back({*quoted, "the quotes open here"});
  }

  [[nodiscard]] string_view line_above() const {
    if (line_begin_ == 0) return {};
    const auto end = line_begin_ - 1;
    const auto begin = end == 0 ? string_view::npos : text_.rfind('\n', end - 1);
    return begin == string_view::npos ? text_.substr(0, end) : text_.substr(begin + 1, end - begin - 1);
  }

  void other() {
    if (here() == '%')
      error_here(kDirective, kDirectiveHelp);
    else
      error_here("this is not valid YAML", kQuoteTheValue);
  }

  const YamlTrouble& trouble_;
  string_view text_;
  FileId file_;
  Diagnostics& diagnostics_;
  std::size_t at_;
  std::size_t line_begin_ = 0;
  std::size_t line_end_ = 0;
};

// Some of yaml-cpp's messages begin like another: the longer one stands first.
const std::array<std::pair<const char*, Reporter::Handler>, 28> Reporter::kHandlers{{
    {ErrorMsg::MAP_VALUE, &Reporter::map_value},
    {ErrorMsg::MAP_KEY, &Reporter::map_key},
    {ErrorMsg::BLOCK_ENTRY, &Reporter::block_entry},
    {ErrorMsg::UNKNOWN_TOKEN, &Reporter::unknown_token},
    {ErrorMsg::TAB_IN_INDENTATION, &Reporter::tab},
    {ErrorMsg::END_OF_MAP_FLOW, &Reporter::flow},
    {ErrorMsg::END_OF_SEQ_FLOW, &Reporter::flow},
    {ErrorMsg::FLOW_END, &Reporter::flow_end},
    {ErrorMsg::END_OF_MAP, &Reporter::block},
    {ErrorMsg::END_OF_SEQ, &Reporter::block},
    {ErrorMsg::ALIAS_NOT_FOUND, &Reporter::alias},
    {ErrorMsg::CHAR_IN_ALIAS, &Reporter::alias},
    {ErrorMsg::UNKNOWN_ANCHOR, &Reporter::alias},
    {ErrorMsg::ALIAS_CONTENT, &Reporter::alias},
    {ErrorMsg::ANCHOR_NOT_FOUND, &Reporter::anchor},
    {ErrorMsg::CHAR_IN_ANCHOR, &Reporter::anchor},
    {ErrorMsg::MULTIPLE_ANCHORS, &Reporter::anchor},
    {ErrorMsg::MULTIPLE_TAGS, &Reporter::tag},
    {ErrorMsg::CHAR_IN_TAG_HANDLE, &Reporter::tag},
    {ErrorMsg::TAG_WITH_NO_SUFFIX, &Reporter::tag},
    {ErrorMsg::END_OF_VERBATIM_TAG, &Reporter::tag},
    {ErrorMsg::CHAR_IN_BLOCK, &Reporter::block_text},
    {ErrorMsg::ZERO_INDENT_IN_BLOCK, &Reporter::block_indentation},
    {ErrorMsg::INVALID_HEX, &Reporter::escape},
    {ErrorMsg::INVALID_UNICODE, &Reporter::escape},
    {ErrorMsg::INVALID_ESCAPE, &Reporter::escape},
    {ErrorMsg::DOC_IN_SCALAR, &Reporter::document_in_quotes},
    {ErrorMsg::EOF_IN_SCALAR, &Reporter::open_quotes},
}};

} // namespace

void report_yaml_trouble(const YamlTrouble& trouble, const Sources& sources, FileId file,
                         Diagnostics& diagnostics) {
  Reporter(trouble, sources, file, diagnostics).report();
}

} // namespace boardwright::dsl
