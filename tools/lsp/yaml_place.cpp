#include "tools/lsp/yaml_place.hpp"

#include "dsl/section_keys.hpp"
#include "dsl/text.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace boardwright::tools {
namespace {

using std::string_view;

constexpr std::size_t kDeepest = 64; // of maps in maps; what is deeper isn't told apart

// An entry or an item that the place lies in.
struct Level {
  std::size_t indent = 0;
  string_view key;
  bool written = false; // has a value on its line, so that what follows goes on with it
  std::vector<string_view> children;
};

bool is_fixed(string_view key) {
  static const std::set<std::string, std::less<>> keys = [] {
    std::set<std::string, std::less<>> all;
    for (const auto& [path, names] : dsl::keys_of_sections()) all.insert(names.begin(), names.end());
    return all;
  }();
  return keys.contains(key);
}

// Whether a line that has no colon yet is likelier to become an entry than to be a value.
bool takes_entries(const std::vector<std::string>& path) {
  static const std::set<std::string> values{"turn", "end", "game", "extends", "use", "first", "setup"};
  if (path.empty()) return true;
  if (path.size() == 1) return !values.contains(path[0]);
  if (path[0] == "define") return path.size() == 2; // bodies by kind or by player: others say `|`
  return path[0] == "tests" || path[0] == "board" || path[0] == "about" || path[0] == "options";
}

class Reading {
public:
  explicit Reading(string_view text) : text_(text) {}

  WrittenFile run() {
    while (at_ < text_.size()) line();
    // Behind a line break a new line has begun, of which nothing is there.
    if (text_.empty() || text_.back() == '\n') begin_line(0, false);
    finish();
    return std::move(file_);
  }

private:
  // --- levels
  std::vector<std::string> path() const {
    std::vector<std::string> keys;
    for (const Level& level : levels_) keys.emplace_back(level.key);
    return keys;
  }
  std::string pattern() const {
    std::string all;
    for (std::size_t i = 0; i < std::min<std::size_t>(levels_.size(), 6); ++i) {
      const string_view key = levels_[i].key;
      const bool own = i > 0 && levels_[0].key != "tests" && levels_[0].key != "board" &&
                       levels_[0].key != "about" && levels_[0].key != "look" && levels_[0].key != "check" &&
                       i == 1;
      const bool after = key.starts_with("after ");
      all += (i == 0 ? "" : ".");
      all += after ? string_view("after") : key == "-" || (!own && (i == 0 || is_fixed(key))) ? key : "*";
    }
    return all;
  }
  std::uint32_t slot(bool key) {
    Slot wanted{pattern(), key};
    const auto [found, added] =
        slots_.try_emplace({wanted.path, key}, static_cast<std::uint32_t>(file_.slots.size()));
    if (added) file_.slots.push_back(std::move(wanted));
    return found->second;
  }
  std::vector<string_view>& children() { return levels_.empty() ? top_ : levels_.back().children; }

  void push(std::size_t indent, string_view key) {
    if (key != "-") children().push_back(key);
    if (levels_.size() < kDeepest) levels_.push_back({indent, key, false, {}});
  }

  // --- words
  void add_words(std::size_t begin, std::size_t end, bool key) {
    const std::uint32_t here = slot(key);
    if (begin == begun_) begin_value(key);
    for (std::size_t at = begin; at < end;) {
      if (dsl::is_white(text_[at])) {
        ++at;
        continue;
      }
      std::size_t to = at + 1;
      if (dsl::continues_name(text_[at]))
        while (to < end && dsl::continues_name(text_[to])) ++to;
      file_.words.push_back({text_.substr(at, to - at), at, here, before_, earlier_});
      earlier_ = before_;
      before_ = file_.words.back().text;
      at = to;
    }
    key_ = key;
  }
  // What stands before the first word of a key or value.
  void begin_value(bool key) {
    if (key) {
      const auto& siblings = children();
      before_ = siblings.empty() ? string_view("^") : kept(siblings.back());
      earlier_ = levels_.empty() ? string_view("^") : kept(levels_.back().key);
    } else {
      before_ = levels_.empty() || levels_.back().key == "-" ? "-" : ":";
      earlier_ = levels_.empty() ? string_view("^") : kept(levels_.back().key);
    }
  }
  // Of `move(S, T)` the name alone.
  static string_view kept(string_view key) {
    std::size_t end = 0;
    while (end < key.size() && dsl::continues_name(key[end])) ++end;
    return end == 0 ? key : key.substr(0, end);
  }

  void begin_at(std::size_t at, bool key) {
    begun_ = at;
    key_ = key;
    begin_value(key);
  }

  // --- lines
  [[nodiscard]] std::size_t line_end(std::size_t at) const {
    return std::min(text_.find('\n', at), text_.size());
  }

  // Leaves what a line with this indentation doesn't belong to.
  void leave(std::size_t indent, bool item) {
    while (!levels_.empty()) {
      const Level& last = levels_.back();
      const bool holds = last.indent < indent || (last.indent == indent && item && last.key != "-");
      if (holds) return;
      levels_.pop_back();
    }
  }
  void begin_line(std::size_t indent, bool item) {
    if (block_ && (levels_.empty() || indent > levels_.back().indent)) return;
    block_ = false;
    leave(indent, item);
    if (!levels_.empty() && levels_.back().written) return; // goes on with the value above
    begin_at(at_, takes_entries(path()));
  }

  void line() {
    const std::size_t begin = at_, end = line_end(at_);
    std::size_t first = begin;
    while (first < end && text_[first] == ' ') ++first;
    const std::size_t indent = first - begin;
    at_ = first;
    const bool last = end == text_.size();
    if (first == end && !last) return skip_line();
    const bool item = first < end && text_[first] == '-' && (first + 1 == end || text_[first + 1] == ' ');
    if (block_ && indent > levels_.back().indent) {
      add_words(first, end, false);
      return skip_line();
    }
    if (first < end && text_[first] == '#') return comment();
    begin_line(indent, item);
    if (first == end) return skip_line();
    if (!item && !levels_.empty() && levels_.back().written) return plain(end);
    items(indent, end);
    entry_or_value(end);
  }
  void skip_line() { at_ = std::min(line_end(at_) + 1, text_.size()); }
  void comment() {
    if (line_end(at_) == text_.size()) file_.end.comment = true;
    skip_line();
  }

  void items(std::size_t indent, std::size_t end) {
    while (at_ < end && text_[at_] == '-' && (at_ + 1 == end || text_[at_ + 1] == ' ')) {
      push(indent, "-");
      ++at_;
      ++indent;
      while (at_ < end && text_[at_] == ' ') {
        ++at_;
        ++indent;
      }
      begin_at(at_, levels_.size() > 1 && levels_[0].key == "tests");
      indent_ = indent;
    }
    indent_ = at_ - (text_.rfind('\n', at_ == 0 ? 0 : at_ - 1) + 1);
    if (at_ > 0 && text_[at_ - 1] == '\n') indent_ = 0;
  }

  // The colon that ends a key, or npos.
  [[nodiscard]] std::size_t colon(std::size_t from, std::size_t end) const {
    std::size_t at = from;
    if (at < end && (text_[at] == '"' || text_[at] == '\'')) {
      at = text_.find(text_[at], at + 1);
      if (at == string_view::npos || at >= end) return string_view::npos;
    } else if (at < end && std::string("{[|>").find(text_[at]) != std::string::npos) {
      return string_view::npos;
    }
    for (; at < end; ++at) {
      if (text_[at] == ':' && (at + 1 == end || text_[at + 1] == ' ')) return at;
      if (text_[at] == '#' && at > from && text_[at - 1] == ' ') break;
    }
    return string_view::npos;
  }
  static string_view unquoted(string_view key) {
    while (!key.empty() && key.back() == ' ') key.remove_suffix(1);
    if (key.size() > 1 && (key.front() == '"' || key.front() == '\'')) key = key.substr(1, key.size() - 2);
    return key;
  }

  void entry_or_value(std::size_t end) {
    const std::size_t to = colon(at_, end);
    if (to == string_view::npos) return value(end, end == text_.size() && key_);
    begin_at(at_, true);
    add_words(at_, to, true);
    push(indent_, unquoted(text_.substr(at_, to - at_)));
    at_ = to + 1;
    value(end, false);
  }

  // A value in block context, from here on.
  void value(std::size_t end, bool key) {
    while (at_ < end && text_[at_] == ' ') ++at_;
    begin_at(at_, key);
    if (at_ == end) {
      if (end == text_.size()) return;
      return skip_line();
    }
    if (text_[at_] == '#') return comment();
    if (!levels_.empty()) levels_.back().written = true;
    if (text_[at_] == '|' || text_[at_] == '>') {
      block_ = !levels_.empty();
      begin_at(end + 1, false);
      return skip_line();
    }
    if (text_[at_] == '{' || text_[at_] == '[') return flow_value();
    if (text_[at_] == '"' || text_[at_] == '\'') return quoted(key);
    plain(end, key);
  }
  void plain(std::size_t end, bool key = false) {
    std::size_t to = at_;
    while (to < end && !(text_[to] == '#' && to > 0 && text_[to - 1] == ' ')) ++to;
    add_words(at_, to, key);
    at_ = to;
    if (to < end) return comment();
    skip_line();
  }
  void quoted(bool key) {
    const char quote = text_[at_];
    const std::size_t begin = ++at_;
    if (begun_ + 1 == begin) begin_at(begin, key);
    while (at_ < text_.size() && text_[at_] != quote && !ends_section(at_))
      at_ += text_[at_] == '\\' && quote == '"' ? 2 : 1;
    at_ = std::min(at_, text_.size());
    add_words(begin, at_, key);
    if (at_ == text_.size())
      file_.end.quote = quote;
    else if (text_[at_] == quote)
      ++at_;
  }

  // At a line break before a name and a colon at the margin: what is still open there was never closed.
  [[nodiscard]] bool ends_section(std::size_t at) const {
    if (text_[at] != '\n' || at + 1 == text_.size() || !dsl::begins_name(text_[at + 1])) return false;
    std::size_t to = at + 1;
    while (to < text_.size() && dsl::continues_name(text_[to])) ++to;
    return to < text_.size() && text_[to] == ':';
  }

  // --- flow: what stands in braces and brackets
  void flow_value() {
    flow();
    if (at_ < text_.size()) skip_line();
    if (!levels_.empty() && at_ < text_.size()) levels_.back().written = false;
  }
  // At an opening bracket; behind it, or at the end of the text, afterwards.
  void flow() {
    const bool map = text_[at_] == '{';
    ++at_;
    if (!map) push(0, "-");
    begin_at(at_, map);
    const std::size_t depth = levels_.size();
    bool entry = map; // the key is being read
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '}' || c == ']') break;
      if (ends_section(at_)) return;
      if (c == ',') {
        levels_.resize(depth);
        ++at_;
        entry = map;
        begin_at(at_, map);
      } else if (dsl::is_white(c)) {
        if (begun_ == at_) ++begun_;
        ++at_;
      } else if (c == '#' && dsl::is_white(text_[at_ - 1])) {
        comment();
      } else if (c == '{' || c == '[') {
        flow();
      } else if (c == ':' && entry) {
        push(0, unquoted(text_.substr(begun_, at_ - begun_)));
        ++at_;
        entry = false;
        begin_at(at_, false);
      } else if (c == '"' || c == '\'') {
        const std::size_t begin = begun_;
        quoted(entry);
        if (at_ < text_.size()) begun_ = begin;
      } else {
        flow_words(entry);
      }
    }
    if (at_ == text_.size()) return;
    levels_.resize(depth - (map ? 0 : 1));
    ++at_;
  }
  void flow_words(bool entry) {
    std::size_t to = at_;
    const auto ends = [&](char c) {
      return std::string(",{}[]\n#").find(c) != std::string::npos || (c == ':' && entry);
    };
    while (to < text_.size() && !ends(text_[to])) ++to;
    if (to == at_) ++to;
    add_words(at_, to, entry);
    at_ = to;
  }

  void finish() {
    YamlPlace& end = file_.end;
    end.path = path();
    end.slot = {pattern(), key_};
    end.begin = std::min(begun_, text_.size());
    end.above.assign(children().begin(), children().end());
    if (block_) end.quote = '|';
    // What is being written at the end is a word that the next one would replace.
    const bool in_word = !text_.empty() && dsl::continues_name(text_.back()) && !file_.words.empty() &&
                         file_.words.back().begin + file_.words.back().text.size() == text_.size();
    if (in_word) {
      end.next = file_.words.back();
    } else {
      end.next.begin = text_.size();
      end.next.before = before_;
      end.next.earlier = earlier_;
    }
    end.next.text = {};
  }

  string_view text_;
  WrittenFile file_;
  std::size_t at_ = 0, begun_ = 0, indent_ = 0;
  bool key_ = true, block_ = false;
  std::vector<Level> levels_;
  std::vector<string_view> top_;
  string_view before_ = "^", earlier_ = "^";
  std::map<std::pair<std::string, bool>, std::uint32_t> slots_;
};

} // namespace

WrittenFile read_written(string_view text) { return Reading(text).run(); }

} // namespace boardwright::tools
