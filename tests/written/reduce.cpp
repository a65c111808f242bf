#include "tests/written/reduce.hpp"

#include <array>
#include <cctype>
#include <cstdint>
#include <string_view>
#include <vector>

namespace boardwright::tests {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Words, signs, blanks: put together they are the text.
std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (is_word(text[at]))
      while (end < text.size() && is_word(text[end])) ++end;
    else if (text[at] == ' ')
      while (end < text.size() && text[end] == ' ') ++end;
    tokens.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

std::string joined(const std::vector<std::string>& tokens) {
  std::string text;
  for (const std::string& token : tokens) text += token;
  return text;
}

class Reducer {
public:
  Reducer(std::string text, const std::function<bool(const std::string&)>& fails, int most)
      : text_(std::move(text)), fails_(fails), left_(most) {}

  std::string run() {
    std::size_t before = 0;
    do {
      before = text_.size();
      leave_out_lines();
      replace_parentheses();
      leave_out_tokens();
    } while (text_.size() < before && left_ > 0);
    return text_;
  }

private:
  bool attempt(const std::string& text) {
    if (left_ <= 0 || text.size() >= text_.size()) return false;
    --left_;
    if (!fails_(text)) return false;
    text_ = text;
    return true;
  }

  std::vector<std::string> lines() const {
    std::vector<std::string> all;
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size() - 1) + 1;
      all.push_back(text_.substr(at, end - at));
      at = end;
    }
    return all;
  }

  // From the end, since what is below needs what is above.
  void leave_out_lines() {
    for (std::size_t length = 6; length > 0; --length)
      for (std::size_t begin = lines().size(); begin-- > 0;) {
        auto all = lines();
        if (begin + length > all.size()) continue;
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(begin),
                  all.begin() + static_cast<std::ptrdiff_t>(begin + length));
        (void)attempt(joined(all));
      }
  }

  // `(…)`, with the word before it, by something short of any type.
  void replace_parentheses() {
    for (std::size_t at = 0; at < text_.size() && left_ > 0; ++at) {
      if (text_[at] != '(') continue;
      const std::size_t end = closing(at);
      if (end == std::string::npos) continue;
      std::size_t word = at;
      while (word > 0 && is_word(text_[word - 1])) --word;
      for (const std::size_t begin : {word, at})
        if (replace(begin, end + 1, text_.substr(at + 1, end - at - 1)) || shorten(begin, end + 1)) break;
    }
  }

  bool shorten(std::size_t begin, std::size_t end) {
    static constexpr std::array<std::string_view, 9> kShort{"1",   "own",  "a1", "all", "true",
                                                            "man", "pass", "",   "none"};
    for (const std::string_view by : kShort)
      if (replace(begin, end, std::string(by))) return true;
    return false;
  }

  bool replace(std::size_t begin, std::size_t end, const std::string& by) {
    return attempt(text_.substr(0, begin) + by + text_.substr(end));
  }

  [[nodiscard]] std::size_t closing(std::size_t open) const {
    int depth = 0;
    for (std::size_t at = open; at < text_.size(); ++at) {
      depth += text_[at] == '(' ? 1 : text_[at] == ')' ? -1 : 0;
      if (depth == 0) return at;
    }
    return std::string::npos;
  }

  void leave_out_tokens() {
    for (std::size_t length = 16; length > 0 && left_ > 0; --length) {
      for (std::size_t begin = 0; left_ > 0; ++begin) {
        auto all = tokens_of(text_);
        if (begin + length > all.size()) break;
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(begin),
                  all.begin() + static_cast<std::ptrdiff_t>(begin + length));
        (void)attempt(joined(all));
      }
    }
  }

  std::string text_;
  const std::function<bool(const std::string&)>& fails_;
  int left_;
};

} // namespace

std::string reduced(std::string text, const std::function<bool(const std::string&)>& fails, int most) {
  return Reducer(std::move(text), fails, most).run();
}

} // namespace boardwright::tests
