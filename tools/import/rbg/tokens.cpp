#include "tools/import/rbg/tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace boardwright::tools {
namespace {

using RbgTokens = std::vector<RbgToken>;

bool is_name_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Longer signs go before their beginnings.
constexpr std::array kSigns{"->>", "{?", "{!", "{$", "[$", "->", "!=", "==", "<=", ">="};
constexpr std::string_view kSingleSigns = "()[]{}~#-+^/*.,;:=<>";

class RbgScanner {
public:
  explicit RbgScanner(std::string_view text) : text_(text) {}

  tl::expected<RbgTokens, ImportFault> all() {
    RbgTokens tokens;
    while (skip_blanks()) {
      if (tokens.size() >= kMostRbgTokens)
        return tl::unexpected(ImportFault{line_, "", "this file is too large"});
      const std::string_view token = next();
      if (token.empty()) return tl::unexpected(unreadable());
      tokens.push_back({std::string(token), line_});
      at_ += token.size();
    }
    return tokens;
  }

private:
  bool skip_blanks() {
    while (at_ < text_.size()) {
      const std::string_view rest = text_.substr(at_);
      std::size_t length = 1;
      if (rest.starts_with("//"))
        length = std::min(rest.find('\n'), rest.size());
      else if (rest.starts_with("/*"))
        length = std::min(rest.find("*/", 2), rest.size() - 2) + 2;
      else if (std::isspace(static_cast<unsigned char>(rest.front())) == 0)
        return true;
      line_ += static_cast<int>(std::count(rest.begin(), rest.begin() + static_cast<long>(length), '\n'));
      at_ += length;
    }
    return false;
  }

  std::string_view next() const {
    const std::string_view rest = text_.substr(at_);
    if (is_name_part(rest.front())) {
      const auto end = std::find_if_not(rest.begin(), rest.end(), is_name_part);
      return rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
    }
    for (const std::string_view sign : kSigns)
      if (rest.starts_with(sign)) return rest.substr(0, sign.size());
    return kSingleSigns.find(rest.front()) == std::string_view::npos ? "" : rest.substr(0, 1);
  }

  ImportFault unreadable() const {
    const char c = text_[at_];
    const bool shown = c > ' ' && c < 127;
    return {line_, "", shown ? fmt::format("`{}` is no sign of this language", c) : "this is no text"};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

struct RbgMacro {
  std::vector<std::string> parameters;
  RbgTokens body;
  std::size_t order = 0; // it sees only macros before it, so none calls itself
};

bool is_section(std::string_view name) {
  return name == "players" || name == "pieces" || name == "variables" || name == "board" || name == "rules";
}

class RbgSectionReader {
public:
  explicit RbgSectionReader(const RbgTokens& tokens) : tokens_(tokens) {}

  tl::expected<RbgSections, ImportFault> all() {
    std::vector<std::pair<std::string, RbgMacro>> sections;
    while (at_ < tokens_.size() && !fault_) read_part(sections);
    RbgSections read;
    for (const auto& [name, section] : sections) {
      RbgTokens expanded;
      // Names that are declared are none of macros that come later.
      expand(section.body, name == "rules" ? macros_.size() : section.order, 0, expanded);
      read[name] = std::move(expanded);
    }
    for (const char* name : {"players", "pieces", "board", "rules"})
      if (!read.contains(name)) fail(0, fmt::format("there is no `#{}`", name));
    if (fault_) return tl::unexpected(*fault_);
    return read;
  }

private:
  void fail(int line, std::string message) {
    if (!fault_) fault_ = ImportFault{line, "", std::move(message)};
  }

  [[nodiscard]] std::string_view peek(std::size_t ahead = 0) const {
    return at_ + ahead < tokens_.size() ? std::string_view(tokens_[at_ + ahead].text) : "";
  }
  [[nodiscard]] int line() const { return tokens_[std::min(at_, tokens_.size() - 1)].line; }

  // `#name = …` or `#name(a; b) = …`, up to the next `#`.
  void read_part(std::vector<std::pair<std::string, RbgMacro>>& sections) {
    if (peek() != "#" || !is_rbg_name(peek(1))) return fail(line(), "`#name =` is needed here");
    const std::string name(peek(1));
    const int begin = line();
    at_ += 2;
    RbgMacro macro;
    macro.order = macros_.size();
    if (peek() == "(") read_parameters(macro);
    if (peek() != "=") return fail(line(), fmt::format("`=` is needed behind `#{}`", name));
    for (++at_; at_ < tokens_.size() && peek() != "#"; ++at_) macro.body.push_back(tokens_[at_]);
    if (!is_section(name)) {
      by_name_[name].push_back(macros_.size());
      macros_.push_back(std::move(macro));
      return;
    }
    if (!macro.parameters.empty()) return fail(begin, fmt::format("`#{}` takes no parameters", name));
    for (const auto& [earlier, _] : sections)
      if (earlier == name) return fail(begin, fmt::format("`#{}` is there twice", name));
    sections.emplace_back(name, std::move(macro));
  }

  void read_parameters(RbgMacro& macro) {
    for (++at_; peek() != ")"; ++at_) {
      if (at_ >= tokens_.size()) return fail(line(), "`)` is missing");
      if (peek() == ";") continue;
      if (!is_rbg_name(peek())) return fail(line(), "a parameter is a name");
      macro.parameters.emplace_back(peek());
    }
    ++at_;
  }

  // A macro of that name before `order`, with as many parameters; the last one counts.
  const RbgMacro* macro(const std::string& name, std::size_t parameters, std::size_t order) const {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) return nullptr;
    for (auto it = found->second.rbegin(); it != found->second.rend(); ++it)
      if (*it < order && macros_[*it].parameters.size() == parameters) return &macros_[*it];
    return nullptr;
  }
  bool takes_arguments(const std::string& name, std::size_t order) const {
    const auto found = by_name_.find(name);
    return found != by_name_.end() &&
           std::any_of(found->second.begin(), found->second.end(),
                       [&](std::size_t m) { return m < order && !macros_[m].parameters.empty(); });
  }

  void emit(const RbgToken& token, RbgTokens& out) {
    if (out.size() >= kMostRbgTokens)
      return fail(token.line,
                  fmt::format("with its macros written out it has more than {} tokens", kMostRbgTokens));
    out.push_back(token);
  }

  // `a~b` is one name. Each side may itself stand for one.
  void expand(const RbgTokens& tokens, std::size_t order, int depth, RbgTokens& out) {
    if (depth > kMostRbgCalls)
      return fail(tokens.empty() ? 0 : tokens.front().line,
                  fmt::format("more than {} macros within one another", kMostRbgCalls));
    // Macros that call nothing but macros make no tokens, and take time all the same.
    if (++expansions_ > kMostRbgTokens) return fail(0, "its macros call one another too often");
    for (std::size_t i = 0; i < tokens.size() && !fault_; ++i) {
      RbgToken token = tokens[i];
      while (i + 2 < tokens.size() && tokens[i + 1].text == "~") {
        token.text += tokens[i + 2].text;
        i += 2;
      }
      if (token.text.size() > kMostName) return fail(token.line, "this name is too long");
      if (!is_rbg_name(token.text)) {
        emit(token, out);
      } else if (const RbgMacro* plain = macro(token.text, 0, order)) {
        expand(plain->body, plain->order, depth + 1, out);
      } else if (takes_arguments(token.text, order) && i + 1 < tokens.size() && tokens[i + 1].text == "(") {
        call(tokens, i, order, depth, out);
      } else {
        emit(token, out);
      }
    }
  }

  void call(const RbgTokens& tokens, std::size_t& i, std::size_t order, int depth, RbgTokens& out) {
    const RbgToken& name = tokens[i];
    std::vector<RbgTokens> arguments(1);
    int open = 0;
    for (i += 2; i < tokens.size() && (open > 0 || tokens[i].text != ")"); ++i) {
      open += tokens[i].text == "(" ? 1 : tokens[i].text == ")" ? -1 : 0;
      if (open == 0 && tokens[i].text == ";")
        arguments.emplace_back();
      else
        arguments.back().push_back(tokens[i]);
    }
    if (i >= tokens.size()) return fail(name.line, fmt::format("`)` is missing behind `{}(`", name.text));
    const RbgMacro* called = macro(name.text, arguments.size(), order);
    if (called == nullptr)
      return fail(name.line, fmt::format("there is no `{}` with {} parameters before this line", name.text,
                                         arguments.size()));
    std::map<std::string, RbgTokens> values;
    for (std::size_t a = 0; a < arguments.size(); ++a) {
      RbgTokens value;
      expand(arguments[a], order, depth + 1, value);
      values[called->parameters[a]] = std::move(value);
    }
    RbgTokens body;
    for (const RbgToken& token : called->body) {
      const auto value = values.find(token.text);
      if (value == values.end()) {
        emit(token, body);
        continue;
      }
      for (const RbgToken& part : value->second) emit(part, body);
    }
    if (!fault_) expand(body, called->order, depth + 1, out);
  }

  static constexpr std::size_t kMostName = 200;

  const RbgTokens& tokens_;
  std::size_t at_ = 0, expansions_ = 0;
  std::vector<RbgMacro> macros_;
  std::map<std::string, std::vector<std::size_t>> by_name_;
  std::optional<ImportFault> fault_;
};

} // namespace

bool is_rbg_number(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

bool is_rbg_name(std::string_view text) {
  return !text.empty() && is_name_part(text.front()) && !is_rbg_number(text);
}

tl::expected<RbgSections, ImportFault> read_rbg_sections(std::string_view text) {
  if (text.size() > kMostRbgBytes) return tl::unexpected(ImportFault{0, "", "this file is too large"});
  const auto tokens = RbgScanner(text).all();
  if (!tokens) return tl::unexpected(tokens.error());
  if (tokens->empty()) return tl::unexpected(ImportFault{0, "", "this file is empty"});
  return RbgSectionReader(*tokens).all();
}

} // namespace boardwright::tools
