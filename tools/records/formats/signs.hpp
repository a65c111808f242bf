// The signs of a text one after the other, with their places.
#pragma once

#include "dsl/text.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace boardwright::tools {

struct Place {
  std::uint32_t line = 1, column = 1; // from 1, in bytes
};

class SignReader {
public:
  explicit SignReader(std::string_view text) : text_(text) {
    if (text_.starts_with(dsl::kByteOrderMark)) text_.remove_prefix(dsl::kByteOrderMark.size());
  }

  [[nodiscard]] bool at_end() const { return at_ == text_.size(); }
  [[nodiscard]] char now() const { return text_[at_]; } // not at the end
  [[nodiscard]] Place place() const { return place_; }
  [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }

  void next() {
    if (at_end()) return;
    if (text_[at_++] == '\n')
      place_ = {place_.line + 1, 1};
    else
      ++place_.column;
  }

  // What stands before the next sign of this sort, which is passed over too; nothing where there is none, and
  // then all is passed over.
  std::optional<std::string_view> until(char end) {
    const std::size_t begin = at_;
    while (!at_end() && now() != end) next();
    const std::string_view found = text_.substr(begin, at_ - begin);
    if (at_end()) return end == '\n' ? std::optional(found) : std::nullopt;
    next();
    return found;
  }

  // Up to the next blank, or one of these signs; at least one sign.
  std::string_view word(std::string_view ends) {
    const std::size_t begin = at_;
    do next();
    while (!at_end() && !dsl::is_white(now()) && ends.find(now()) == std::string_view::npos);
    return text_.substr(begin, at_ - begin);
  }

private:
  std::string_view text_;
  std::size_t at_ = 0;
  Place place_;
};

} // namespace boardwright::tools
