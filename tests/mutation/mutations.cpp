#include "tests/mutation/mutations.hpp"

#include "runtime/game/playout.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace boardwright::tests {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The source with everything blank that no mistake may touch: comments, texts, characters, directives.
std::string without_texts(std::string_view source) {
  std::string code(source);
  const auto blank = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, code.size()); ++i)
      if (code[i] != '\n') code[i] = ' ';
  };
  const auto end_of_line = [&](std::size_t i) { // a directive goes on after a backslash
    for (; i < code.size(); ++i)
      if (source[i] == '\n' && (i == 0 || source[i - 1] != '\\')) break;
    return i;
  };
  bool line_begins = true;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::string_view rest = source.substr(i);
    std::size_t end = i;
    if (rest.starts_with("//") || (line_begins && rest[0] == '#')) {
      end = end_of_line(i);
    } else if (rest.starts_with("/*")) {
      end = std::min(source.find("*/", i), source.size() - 2) + 2;
    } else if (rest.starts_with("R\"(")) {
      end = std::min(source.find(")\"", i), source.size() - 2) + 2;
    } else if (rest[0] == '"' || (rest[0] == '\'' && (i == 0 || !is_word(source[i - 1])))) {
      for (end = i + 1; end < source.size() && source[end] != rest[0]; ++end)
        if (source[end] == '\\') ++end;
      ++end;
    }
    if (end > i) {
      blank(i, end);
      i = end - 1;
      line_begins = false;
      continue;
    }
    if (rest[0] == '\n')
      line_begins = true;
    else if (rest[0] != ' ')
      line_begins = false;
  }
  return code;
}

class Finder {
public:
  explicit Finder(std::string_view source) : code_(without_texts(source)) {}

  std::vector<Mutation> all() {
    for (std::size_t i = 0; i < code_.size(); ++i) {
      operators(i);
      words(i);
      number(i);
      condition(i);
      if (i == 0 || code_[i - 1] == '\n') statement(i);
    }
    return std::move(found_);
  }

private:
  void add(std::size_t begin, std::size_t length, std::string replacement, std::string what) {
    found_.push_back({begin, length, std::move(replacement), std::move(what)});
  }
  void swap_for(std::size_t begin, const std::string& old, const std::string& fresh) {
    add(begin, old.size(), fresh, "`" + old + "` becomes `" + fresh + "`");
  }
  [[nodiscard]] bool at(std::size_t i, std::string_view text) const {
    return std::string_view(code_).substr(i).starts_with(text);
  }

  // With blanks on both sides: so no template's bracket, reference or pointer is met.
  void operators(std::size_t i) {
    static const std::array<std::pair<const char*, const char*>, 15> kSwaps{{{"<", "<="},
                                                                             {"<=", "<"},
                                                                             {">", ">="},
                                                                             {">=", ">"},
                                                                             {"==", "!="},
                                                                             {"!=", "=="},
                                                                             {"&&", "||"},
                                                                             {"||", "&&"},
                                                                             {"+", "-"},
                                                                             {"-", "+"},
                                                                             {"*", "+"},
                                                                             {"&", "|"},
                                                                             {"|", "&"},
                                                                             {"<<", ">>"},
                                                                             {"|=", "&="}}};
    if (code_[i] != ' ') return;
    for (const auto& [old, fresh] : kSwaps)
      if (at(i + 1, std::string(old) + " ")) swap_for(i + 1, old, fresh);
  }

  void words(std::size_t i) {
    if (i > 0 && is_word(code_[i - 1])) return;
    for (const auto& [old, fresh] : {std::pair<std::string, std::string>{"true", "false"},
                                     {"false", "true"},
                                     {"break", "continue"},
                                     {"continue", "break"}})
      if (at(i, old) && (i + old.size() >= code_.size() || !is_word(code_[i + old.size()])))
        swap_for(i, old, fresh);
  }

  void number(std::size_t i) {
    const auto digit = [&](std::size_t k) {
      return k < code_.size() && std::isdigit(static_cast<unsigned char>(code_[k])) != 0;
    };
    if (!digit(i) || (i > 0 && (is_word(code_[i - 1]) || code_[i - 1] == '.' || code_[i - 1] == '\'')))
      return;
    std::size_t end = i;
    while (digit(end)) ++end;
    if (end - i > 9 ||
        (end < code_.size() && (is_word(code_[end]) || code_[end] == '.' || code_[end] == '\'')))
      return;
    const std::string old = code_.substr(i, end - i);
    const long value = std::stol(old);
    swap_for(i, old, std::to_string(value + 1));
    if (value > 0) swap_for(i, old, std::to_string(value - 1));
  }

  // `if (c)` is negated; not where it declares something.
  void condition(std::size_t i) {
    if (!at(i, "if (") || (i > 0 && is_word(code_[i - 1]))) return;
    const std::size_t open = i + 3;
    const std::size_t close = closing(open);
    const std::string inside = code_.substr(open + 1, close - open - 1);
    if (close == std::string::npos || inside.find(';') != std::string::npos || has_assignment(inside)) return;
    add(open, close - open + 1, "(!" + code_.substr(open, close - open + 1) + ")", "a condition is negated");
  }
  [[nodiscard]] std::size_t closing(std::size_t open) const {
    int depth = 0;
    for (std::size_t k = open; k < code_.size(); ++k) {
      if (code_[k] == '(') ++depth;
      if (code_[k] == ')' && --depth == 0) return k;
    }
    return std::string::npos;
  }
  static bool has_assignment(const std::string& text) { return text.find(" = ") != std::string::npos; }

  // A statement of a line of its own that does something falls away.
  void statement(std::size_t line) {
    const std::size_t end = std::min(code_.find('\n', line), code_.size());
    std::size_t begin = line;
    while (begin < end && code_[begin] == ' ') ++begin;
    const std::string text = code_.substr(begin, end - begin);
    if (text.size() < 3 || text.back() != ';' || begin - line < 2) return;
    if (std::count(text.begin(), text.end(), '(') != std::count(text.begin(), text.end(), ')')) return;
    if (!begins_after_a_statement(line) || !does_something(text)) return;
    add(begin, end - begin, ";", "a statement falls away");
  }
  [[nodiscard]] bool begins_after_a_statement(std::size_t line) const {
    for (std::size_t k = line; k-- > 0;)
      if (code_[k] != ' ' && code_[k] != '\n') return code_[k] == ';' || code_[k] == '{' || code_[k] == '}';
    return false;
  }
  // A call, an assignment or a step; not a declaration, a jump or what begins with a capital letter or a
  // type.
  static bool does_something(const std::string& text) {
    if (text.starts_with("++") || text.starts_with("--")) return true;
    std::size_t end = 0;
    while (end < text.size() && (is_word(text[end]) || text[end] == '.' || text[end] == '[' ||
                                 text[end] == ']' || text.compare(end, 2, "->") == 0 || text[end] == '>'))
      ++end;
    const std::string first = text.substr(0, end);
    if (first.empty() || std::isupper(static_cast<unsigned char>(first[0])) != 0) return false;
    for (const char* word : {"return", "using",    "const",    "auto",    "static", "struct", "class",
                             "break",  "continue", "case",     "default", "if",     "for",    "while",
                             "do",     "else",     "template", "delete",  "goto",   "friend"})
      if (first == word) return false;
    if (text[end] == '(') return text.ends_with(");") && text.find(" const") == std::string::npos;
    static constexpr std::array kAssignments{" = ", " += ", " -= ", " |= ", " &= ", " ^= ", "++;", "--;"};
    return std::any_of(kAssignments.begin(), kAssignments.end(), [&](const char* sign) {
      return text.compare(end, std::string(sign).size(), sign) == 0;
    });
  }

  std::string code_;
  std::vector<Mutation> found_;
};

} // namespace

std::vector<Mutation> mutations_of(std::string_view source) {
  // What is replaced is taken from the code without texts: a condition with a text in it would lose it.
  std::vector<Mutation> all = Finder(source).all();
  for (Mutation& m : all)
    if (m.what == "a condition is negated")
      m.replacement = "(!" + std::string(source.substr(m.begin, m.length)) + ")";
  return all;
}

std::string applied(std::string_view source, const Mutation& mutation) {
  std::string text(source);
  return text.replace(mutation.begin, mutation.length, mutation.replacement);
}

std::string shown(std::string_view source, const Mutation& mutation) {
  const auto line_of = [&](std::string_view text) {
    const std::size_t begin = text.rfind('\n', mutation.begin == 0 ? 0 : mutation.begin - 1);
    const std::size_t first = begin == std::string_view::npos ? 0 : begin + 1;
    return std::string(text.substr(first, text.find('\n', mutation.begin) - first));
  };
  const std::string fresh = applied(source, mutation);
  const auto line =
      1 + std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(mutation.begin), '\n');
  return std::to_string(line) + ": " + mutation.what + "\n-" + line_of(source) + "\n+" + line_of(fresh) +
         "\n";
}

Drawn drawn(const std::vector<std::string>& sources, std::uint64_t seed, std::uint64_t number) {
  std::vector<Drawn> all;
  for (std::size_t i = 0; i < sources.size(); ++i)
    for (Mutation& m : mutations_of(sources[i])) all.push_back({i, std::move(m)});
  if (all.empty()) return {};
  runtime::Random random(seed);
  for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random.below(i)]);
  return all[number % all.size()];
}

} // namespace boardwright::tests
