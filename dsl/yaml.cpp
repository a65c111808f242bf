#include "dsl/yaml.hpp"

#include "dsl/scalar_spans.hpp"
#include "dsl/text.hpp"
#include "dsl/tokens.hpp"
#include "dsl/yaml_errors.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <new>
#include <sstream>
#include <unordered_map>
#include <utility>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

namespace boardwright::dsl {

namespace {

using std::string_view;

} // namespace

// --- text
// -----------------------------------------------------------------------------------------------------

Span Text::span(std::size_t begin, std::size_t end) const {
  if (offsets.empty()) return {file, 0, 0};
  const std::size_t last = offsets.size() - 1;
  const auto from = offsets[std::min(begin, last)];
  return {file, from, std::max(from, offsets[std::min(end, last)])};
}

Text Text::part(std::size_t begin, std::size_t end) const {
  end = std::min(end, text.size());
  begin = std::min(begin, end);
  if (offsets.size() <= end) return {text.substr(begin, end - begin), {}, file}; // a text of no file
  const auto at = [&](std::size_t i) { return offsets.begin() + static_cast<std::ptrdiff_t>(i); };
  return {text.substr(begin, end - begin), {at(begin), at(end + 1)}, file, end == text.size() ? comment : 0};
}

Text Text::trimmed() const {
  std::size_t begin = 0;
  std::size_t end = text.size();
  while (begin < end && is_white(text[begin])) ++begin;
  while (end > begin && is_white(text[end - 1])) --end;
  return part(begin, end);
}

const Yaml* Yaml::find(string_view key) const {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const YamlEntry& e) { return e.key.text == key; });
  return found == entries.end() ? nullptr : &found->value;
}

namespace {

// --- before yaml-cpp sees the text
// ------------------------------------------------------------------------------

// yaml-cpp takes some of these for the end of the file, others for a change of encoding.
bool is_control_at(string_view text, std::size_t at) {
  const char c = text[at];
  if (c == '\r') return at + 1 == text.size() || text[at + 1] != '\n';
  if (c == '\n' || c == '\t') return false;
  if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return true;
  if (c == '\xC2') return static_cast<unsigned char>(text[at + 1]) < 0xA0;
  return text.substr(at, kByteOrderMark.size()) == kByteOrderMark;
}

Span span_of(FileId file, std::size_t begin, std::size_t end) {
  return {file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

bool check_characters(string_view text, std::size_t begin, FileId file, Diagnostics& diagnostics) {
  for (std::size_t at = begin; at < text.size();) {
    const Character character = first_character(text.substr(at));
    const std::size_t length = character.bytes;
    if (!character.valid) {
      diagnostics.error("encoding", span_of(file, at, at + 1), "this is not UTF-8").help =
          "save the file in the encoding UTF-8";
      return false;
    }
    if (is_control_at(text, at)) {
      diagnostics.error("encoding", span_of(file, at, at + length), "a control character").help = "remove it";
      return false;
    }
    at += length;
  }
  return true;
}

// YAML's directives (`%YAML 1.2`) change how the rest is read, and unknown ones are ignored without a word.
bool check_directives(string_view text, std::size_t begin, FileId file, Diagnostics& diagnostics) {
  for (std::size_t at = begin; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const auto line = text.substr(at, end - at);
    if (!line.empty() && line.front() == '%') {
      diagnostics.error("yaml", span_of(file, at, at + 1), kDirective).help = kDirectiveHelp;
      return false;
    }
    const auto sign = line.find_first_not_of(" \t\r");
    if (sign != string_view::npos && line[sign] != '#') return true;
    at = end + 1;
  }
  return true;
}

// --- from yaml-cpp's events to a tree
// ---------------------------------------------------------------------------

constexpr std::size_t kLongestQuotedKey = 60; // in a message

struct Stop {}; // thrown through yaml-cpp where reading on makes no sense; what is wrong has been reported

std::string shortened(const std::string& key) {
  if (key.size() <= kLongestQuotedKey) return key;
  return std::string(beginning_of(key, kLongestQuotedKey)) + "…";
}

// A collection that is being read.
struct Frame {
  Yaml node;
  bool flow = false;
  bool key_is_next = false;                   // of a map
  bool split = false;                         // by commas, as has been told
  std::optional<Text> key;                    // of a map whose value is next; none if the key can't be used
  std::unordered_map<std::string, Span> seen; // keys of a map
};

class TreeBuilder final : public YAML::EventHandler {
public:
  TreeBuilder(string_view text, std::size_t base, FileId file, Diagnostics& diagnostics)
      : text_(text), base_(base), file_(file), diagnostics_(diagnostics), cursor_(base) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) further_document(offset(mark));
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    const auto at = offset(mark);
    if (const auto word = null_word_at(at); !word.empty()) return null_word(at, word);
    check_start(at);
    if (expects_key()) {
      error("yaml", at, at + 1, "an entry without a key").help = kQuoteTheValue;
      return take_key({});
    }
    add_empty();
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    check_start(offset(mark));
    add_unusable();
  }

  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                const std::string& value) override {
    const auto at = offset(mark);
    if (!check_start(at)) return add_unusable();
    add_scalar(at, value);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value style) override {
    open(Yaml::Kind::sequence, offset(mark), style);
  }
  void OnSequenceEnd() override { close(']'); }

  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value style) override {
    open(Yaml::Kind::map, offset(mark), style);
  }
  void OnMapEnd() override { close('}'); }

  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] std::optional<Yaml> take() { return std::move(root_); }

  [[nodiscard]] YamlTrouble trouble(const YAML::ParserException& e) const {
    YamlTrouble trouble{e.msg, static_cast<std::uint32_t>(text_.size()), {}, last_quoted_};
    if (!e.mark.is_null()) trouble.at = static_cast<std::uint32_t>(offset(e.mark));
    const auto open = std::find_if(frames_.rbegin(), frames_.rend(), [](const Frame& f) { return f.flow; });
    if (open != frames_.rend()) trouble.open_bracket = open->node.span.begin;
    return trouble;
  }

private:
  [[nodiscard]] std::size_t offset(const YAML::Mark& mark) const {
    return std::min(base_ + static_cast<std::size_t>(std::max(mark.pos, 0)), text_.size());
  }
  [[nodiscard]] char sign_at(std::size_t at) const { return at < text_.size() ? text_[at] : '\n'; }
  [[nodiscard]] bool expects_key() const { return !frames_.empty() && frames_.back().key_is_next; }

  Diagnostic& error(Code code, std::size_t begin, std::size_t end, std::string message) {
    failed_ = true;
    return diagnostics_.error(code, span_of(file_, begin, std::min(end, text_.size())), std::move(message));
  }

  // --- what YAML accepts and nobody means

  // Looks at the place where a node starts; false if nothing can be read there.
  bool check_start(std::size_t at) {
    check_indentation(at);
    switch (sign_at(at)) {
    case '&': return reference(at, "`&` starts a YAML anchor, which rule files don't use");
    case '*': return reference(at, "`*` starts a YAML alias, which rule files don't use");
    case '!': return reference(at, "`!` starts a YAML tag, which rule files don't use");
    default: return true;
    }
  }

  bool reference(std::size_t at, const char* message) {
    error("yaml-reference", at, at + 1, message).help = kReferenceHelp;
    return false;
  }

  void check_indentation(std::size_t at) {
    std::size_t begin = at;
    while (begin > base_ && is_blank(text_[begin - 1])) --begin;
    if (begin > base_ && text_[begin - 1] != '\n') return;
    const auto tab = text_.substr(begin, at - begin).find('\t');
    if (tab == string_view::npos) return;
    error("yaml", begin + tab, begin + tab + 1, "a tab in the indentation").help = "indent with spaces";
  }

  void further_document(std::size_t at) {
    const auto indicator = text_.substr(at, 3);
    if (indicator == "---" || indicator == "...")
      error("yaml", at, at + 3, "a second document").help = "a rule file is one document; remove the line";
    else
      error("yaml", at, at + 1, "this line is indented less than the lines above, and belongs to no entry")
          .help = "begin all sections in the same column";
    throw Stop{};
  }

  // The word that yaml-cpp takes for null at `at`, if one stands there. Else it reports that nothing is
  // there, with the place of whatever comes next.
  [[nodiscard]] string_view null_word_at(std::size_t at) const {
    constexpr std::array<string_view, 4> kWords{"~", "null", "Null", "NULL"};
    const auto* word = std::find_if(kWords.begin(), kWords.end(),
                                    [&](string_view w) { return text_.substr(at, w.size()) == w; });
    if (word == kWords.end()) return {};
    const auto end = at + word->size();
    auto next = end;
    while (is_blank(sign_at(next))) ++next;
    const char sign = sign_at(next);
    const bool is_key = sign == ':' && (is_white(sign_at(next + 1)) || sign_at(next + 1) == ',');
    if (is_key) return expects_key() ? *word : string_view{}; // else it is the key of the next entry
    const bool ends =
        is_white(sign) || sign == ',' || sign == ']' || sign == '}' || (sign == '#' && next > end);
    return ends ? *word : string_view{};
  }

  // `null` is a word like others; `~` is an operator that lost its operand.
  void null_word(std::size_t at, string_view word) {
    check_indentation(at);
    if (word != "~") return add_scalar(at, std::string(word));
    error("yaml", at, at + 1, "a `~` on its own means nothing").help =
        "write `none` for no cells, or leave the value out; `~S` is all cells but S";
    add_unusable();
  }

  // --- nodes

  void add_scalar(std::size_t at, const std::string& value) {
    auto place = place_scalar(text_, static_cast<std::uint32_t>(at), value);
    if (!place) return scalar_fault(place.error());
    Yaml node;
    node.kind = Yaml::Kind::scalar;
    node.style = style_at(text_, static_cast<std::uint32_t>(at));
    node.span = {file_, place->begin, place->end};
    node.text = {value, std::move(place->offsets), file_};
    const bool quoted = node.style == Yaml::Style::double_quoted || node.style == Yaml::Style::single_quoted;
    if (quoted) last_quoted_ = node.span;
    if (node.style == Yaml::Style::plain) node.text.comment = comment_at(place->end);
    cursor_ = std::max<std::size_t>(cursor_, place->end);
    add(std::move(node));
  }

  // The comment that stands behind a scalar on its line, or 0.
  [[nodiscard]] std::uint32_t comment_at(std::size_t end) const {
    std::size_t at = end;
    while (is_blank(sign_at(at))) ++at;
    return sign_at(at) == '#' && at > end ? static_cast<std::uint32_t>(at) : 0;
  }

  void scalar_fault(const ScalarFault& fault) {
    switch (fault.what) {
    case ScalarFault::What::unterminated:
      error("yaml", fault.begin, fault.end, "this quote is never closed").help =
          fmt::format("close the text with `{}`", sign_at(fault.begin));
      throw Stop{}; // all the rest of the file was taken for quoted text
    case ScalarFault::What::bad_escape:
      error("yaml", fault.begin, fault.end, "an escape for a control character").help = "remove it";
      break;
    case ScalarFault::What::does_not_match:
      error("yaml", fault.begin, fault.end, "this text can't be read").help = kQuoteTheValue;
      break;
    }
    add_unusable();
  }

  // Stands for something that has been reported.
  void add_unusable() {
    if (expects_key()) return take_key({});
    Yaml node;
    node.span = span_of(file_, cursor_, cursor_);
    add(std::move(node));
  }

  // A value that isn't there stands right behind its `:` or `-`.
  void add_empty() {
    if (!frames_.empty()) {
      const Frame& parent = frames_.back();
      const bool in_map = parent.node.is_map();
      const std::size_t sign = skip_white_and_comments(cursor_);
      if (in_map && parent.key && sign_at(sign) != ':') key_alone(parent);
      if (sign_at(sign) == (in_map ? ':' : '-')) cursor_ = sign + 1;
    }
    add_unusable();
  }

  void key_alone(const Frame& map) {
    const Span key = map.key->span();
    if (map.flow) return comma_split(map, key);
    const auto is_open = [](const Frame& f) { return f.flow; };
    if (std::any_of(frames_.begin(), frames_.end(), is_open))
      return; // the file ends inside brackets: an error to come
    std::size_t before = key.begin;
    while (before > base_ && is_blank(text_[before - 1])) --before;
    if (before > base_ && text_[before - 1] == '?')
      return; // `? key`, where YAML allows to leave out the value
    error("yaml", key.begin, key.end, kExpectedEntry).help = "put `:` and a space after the key";
  }

  // `{ each 0 }`
  [[nodiscard]] bool is_alone(const Frame& map, Span key) const {
    std::size_t before = key.begin;
    while (before > base_ && is_white(text_[before - 1])) --before;
    std::size_t behind = key.end;
    while (is_white(sign_at(behind)) && behind < text_.size()) ++behind;
    return map.node.entries.empty() && before > base_ && text_[before - 1] == '{' && sign_at(behind) == '}';
  }

  void comma_split(const Frame& map, Span key) {
    if (is_alone(map, key)) {
      error("yaml", key.begin, key.end, "this is a key without a value").help =
          "put `:` and a space after the key, as in `{ key: value }`";
      return;
    }
    if (frames_.back().split) return; // it has been told
    frames_.back().split = true;
    Diagnostic& d = error("yaml", key.begin, key.end,
                          "a comma inside `{ }` splits the entry, so that this is a key without a value");
    d.help = "quote the value: `{ name: \"a, b\" }`";
    const std::string set = set_of_names(map);
    if (!set.empty())
      d.help = fmt::format("several cells or kinds are `{}`; where a comma is meant, quote the value", set);
    if (!map.node.entries.empty() && map.node.entries.back().value.kind == Yaml::Kind::scalar)
      d.related.push_back({map.node.entries.back().value.span, "the value before the comma"});
  }

  // `{ d4, d5, e4 }`, or `w: d4, d5` in such brackets: the names, as a set is written; "" for anything else.
  [[nodiscard]] std::string set_of_names(const Frame& map) const {
    const auto& entries = map.node.entries;
    const std::size_t begin = entries.empty() ? map.node.span.begin + 1 : entries.back().value.span.begin;
    const std::size_t end = text_.find_first_of("}:", begin);
    if (end == string_view::npos) return "";
    string_view names = text_.substr(begin, end - begin);
    if (text_[end] == ':') names = names.substr(0, names.rfind(',')); // what is behind it is the next key
    std::string set;
    while (!names.empty()) {
      const auto comma = std::min(names.find(','), names.size());
      string_view name = names.substr(0, comma);
      while (!name.empty() && is_white(name.front())) name.remove_prefix(1);
      while (!name.empty() && is_white(name.back())) name.remove_suffix(1);
      const bool is_name = !name.empty() && begins_name(name.front()) &&
                           std::all_of(name.begin(), name.end(), [](char c) { return continues_name(c); });
      if (!is_name || keyword(name)) return "";
      set += (set.empty() ? "" : " | ") + std::string(name);
      names.remove_prefix(std::min(comma + 1, names.size()));
    }
    return set.find('|') == std::string::npos ? "" : set;
  }

  [[nodiscard]] std::size_t skip_white_and_comments(std::size_t at) const {
    while (at < text_.size()) {
      if (text_[at] == '#')
        at = std::min(text_.find('\n', at), text_.size());
      else if (is_white(text_[at]))
        ++at;
      else
        break;
    }
    return at;
  }

  void open(Yaml::Kind kind, std::size_t at, YAML::EmitterStyle::value style) {
    check_start(at);
    if (frames_.size() >= static_cast<std::size_t>(kMaxYamlDepth)) {
      error("yaml", at, at + 1, fmt::format("lists and maps are nested deeper than {}", kMaxYamlDepth)).help =
          "a rule file needs no more than a few levels";
      throw Stop{};
    }
    Frame frame;
    frame.node.kind = kind;
    frame.node.span = span_of(file_, at, at);
    // yaml-cpp calls `[a: b]` a flow map too, but nothing closes that one.
    const char bracket = kind == Yaml::Kind::map ? '{' : '[';
    frame.flow = style == YAML::EmitterStyle::Flow && sign_at(at) == bracket;
    frame.key_is_next = kind == Yaml::Kind::map;
    if (frame.flow) cursor_ = at + 1;
    frames_.push_back(std::move(frame));
  }

  void close(char bracket) {
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    if (frame.flow) cursor_ = end_of_flow(bracket);
    frame.node.span.end = static_cast<std::uint32_t>(std::max<std::size_t>(cursor_, frame.node.span.begin));
    add(std::move(frame.node));
  }

  // yaml-cpp does not tell where a flow collection ends; after its last node only these can come.
  [[nodiscard]] std::size_t end_of_flow(char bracket) const {
    std::size_t at = skip_white_and_comments(cursor_);
    while (sign_at(at) == ',' || sign_at(at) == ':') at = skip_white_and_comments(at + 1);
    return sign_at(at) == bracket ? at + 1 : cursor_;
  }

  void add(Yaml node) {
    if (frames_.empty()) {
      root_ = std::move(node);
      return;
    }
    Frame& parent = frames_.back();
    if (parent.node.is_sequence()) {
      parent.node.items.push_back(std::move(node));
    } else if (parent.key_is_next) {
      add_key(std::move(node));
    } else {
      add_value(parent, std::move(node));
    }
  }

  void add_key(Yaml node) {
    if (!node.is_scalar()) {
      if (node.kind != Yaml::Kind::empty)
        error("yaml", node.span.begin, node.span.end, "a key can't be a list or a map").help =
            "to begin a rule with `[` or `{`, quote the value";
      return take_key({});
    }
    take_key(std::move(node.text));
  }

  void take_key(std::optional<Text> key) {
    Frame& parent = frames_.back();
    parent.key_is_next = false;
    parent.key = key && is_new(parent, *key) ? std::move(key) : std::nullopt;
  }

  bool is_new(Frame& parent, const Text& key) {
    const auto [first, is_first] = parent.seen.try_emplace(key.text, key.span());
    if (is_first) return true;
    Diagnostic& d = error("duplicate-key", key.span().begin, key.span().end,
                          fmt::format("the key `{}` is written twice", shortened(key.text)));
    d.help = "remove one of the two entries";
    d.related.push_back({first->second, "first written here"});
    return false;
  }

  void add_value(Frame& parent, Yaml value) {
    parent.key_is_next = true;
    if (parent.key) parent.node.entries.push_back({std::move(*parent.key), std::move(value), nullptr});
    parent.key.reset();
  }

  string_view text_;
  std::size_t base_; // where yaml-cpp began to read: behind a byte order mark
  FileId file_;
  Diagnostics& diagnostics_;
  std::size_t cursor_; // the end of what has been placed so far
  std::vector<Frame> frames_;
  std::optional<Yaml> root_;
  std::optional<Span> last_quoted_;
  int documents_ = 0;
  bool failed_ = false;
};

// The document, its end included. yaml-cpp's exceptions end here.
bool parse(std::istream& in, TreeBuilder& builder, const Sources& sources, FileId file,
           Diagnostics& diagnostics) {
  try {
    YAML::Parser parser(in);
    while (parser.HandleNextDocument(builder)) {
    }
    return !builder.failed();
  } catch (const Stop&) {
  } catch (const YAML::ParserException& e) {
    report_yaml_trouble(builder.trouble(e), sources, file, diagnostics);
  } catch (const std::bad_alloc&) { // that says nothing of the file
    throw;
  } catch (const std::exception&) {
    diagnostics.error("yaml", {file, 0, 0}, "the file can't be read as YAML");
  }
  return false;
}

bool is_usable_document(const std::optional<Yaml>& root, FileId file, Diagnostics& diagnostics) {
  if (root && root->is_map()) return true;
  const bool is_empty = !root || root->kind == Yaml::Kind::empty;
  const Span where = is_empty ? Span{file, 0, 0} : root->span;
  diagnostics.error("yaml", where, is_empty ? "there is nothing in this file" : "this file holds no entries")
      .help = "a rule file is made of sections: `game: NAME`, `players: ...`";
  return false;
}

} // namespace

std::optional<Yaml> read_yaml(const Sources& sources, FileId file, Diagnostics& diagnostics) {
  const string_view text = sources.text(file);
  if (text.size() > kMaxFileBytes) {
    diagnostics.error("file-size", {file, 0, 0},
                      fmt::format("the file has more than {} bytes", kMaxFileBytes));
    return {};
  }
  const std::size_t base =
      text.substr(0, kByteOrderMark.size()) == kByteOrderMark ? kByteOrderMark.size() : 0;
  if (!check_characters(text, base, file, diagnostics)) return {};
  if (!check_directives(text, base, file, diagnostics)) return {};

  // The line break makes yaml-cpp treat the last line like the others, which it does not at the end of a
  // file.
  std::istringstream in(std::string(text.substr(base)) + "\n");
  TreeBuilder builder(text, base, file, diagnostics);
  if (!parse(in, builder, sources, file, diagnostics)) return {};
  auto root = builder.take();
  if (!is_usable_document(root, file, diagnostics)) return {};
  return root;
}

} // namespace boardwright::dsl
