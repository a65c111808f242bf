// Places of a text as editors count them: lines from 0 on, columns in units of UTF-16.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tools {

struct EditorPlace {
  std::size_t line = 0, column = 0;
};

class Lines {
public:
  explicit Lines(std::string_view text); // which must outlive this

  // Beyond the end of a line is its end, beyond the last line the end of the text.
  [[nodiscard]] std::size_t offset(EditorPlace place) const;
  [[nodiscard]] EditorPlace place(std::size_t offset) const;
  [[nodiscard]] std::size_t count() const { return starts_.size(); }
  [[nodiscard]] std::size_t start(std::size_t line) const { return starts_[line]; }

private:
  std::string_view text_;
  std::vector<std::size_t> starts_;
};

} // namespace boardwright::tools
