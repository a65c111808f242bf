#include "dsl/picture.hpp"

#include "dsl/shape.hpp"
#include "dsl/text.hpp"

#include <algorithm>
#include <cstddef>

namespace boardwright::dsl {
namespace {

struct Sign {
  std::size_t column; // in characters
  Name name;
};
using SignRow = std::vector<Sign>;

std::vector<Text> rows_of(const Text& text) {
  std::vector<Text> rows;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.text.size(); ++i) {
    if (i < text.text.size() && text.text[i] != '\n') continue;
    rows.push_back(text.part(begin, i));
    begin = i + 1;
  }
  return rows;
}

SignRow signs_of(const Text& row) {
  SignRow signs;
  std::size_t column = 0;
  for (std::size_t i = 0; i < row.text.size(); ++column) {
    std::size_t end = i + 1;
    while (end < row.text.size() && continues_character(row.text[end])) ++end;
    const char c = row.text[i];
    if (c != ' ' && c != '\t' && c != '\r') signs.push_back({column, to_name(row.part(i, end))});
    i = end;
  }
  return signs;
}

std::vector<Name> names_of(const SignRow& row) {
  std::vector<Name> names;
  for (const Sign& sign : row) names.push_back(sign.name);
  return names;
}

// Outside of literal blocks YAML joins lines, and a drawing of several rows becomes one row. There a blank in
// the text stands for a line break and indentation in the source.
bool lines_were_joined(const Yaml& block) {
  if (block.style == Yaml::Style::literal) return false;
  const Text& text = block.text;
  for (std::size_t i = 0; i < text.text.size() && i + 1 < text.offsets.size(); ++i)
    if (text.text[i] == ' ' && text.offsets[i + 1] > text.offsets[i] + 1) return true;
  return block.style == Yaml::Style::folded;
}

bool is_picture(const Yaml& block, Diagnostics& diagnostics) {
  if (!expect_text(block, "a picture", "setup: |", diagnostics)) return false;
  if (block.text.trimmed().text.empty()) {
    diagnostics.error("shape", block.span, "this picture is empty");
    return false;
  }
  if (!lines_were_joined(block)) return true;
  auto& error = diagnostics.error("shape", block.span, "the rows of this picture are joined into one line");
  error.help = "write `|` after the key and one row on each line below it";
  return false;
}

std::vector<SignRow> drawn_rows(const Text& text) {
  std::vector<SignRow> rows;
  for (const Text& row : rows_of(text)) rows.push_back(signs_of(row));
  while (!rows.empty() && rows.back().empty()) rows.pop_back();
  const auto first = std::find_if(rows.begin(), rows.end(), [](const SignRow& row) { return !row.empty(); });
  rows.erase(rows.begin(), first);
  return rows;
}

std::size_t left_margin(const std::vector<SignRow>& rows) {
  std::size_t margin = SIZE_MAX;
  for (const SignRow& row : rows)
    if (!row.empty()) margin = std::min(margin, row.front().column);
  return margin;
}

bool drawn_with_blanks_between(const std::vector<SignRow>& rows, std::size_t margin) {
  bool two = false;
  for (const SignRow& row : rows) {
    two = two || row.size() > 1;
    for (const Sign& sign : row)
      if ((sign.column - margin) % 2 != 0) return false;
  }
  return two;
}

PictureRow with_holes(const SignRow& row, std::size_t margin, std::size_t step) {
  PictureRow result;
  for (const Sign& sign : row) {
    // Holes have no sign of their own; messages about them point at the sign that follows.
    result.signs.resize((sign.column - margin) / step, Name{" ", sign.name.span});
    result.signs.push_back(sign.name);
  }
  if (!row.empty()) result.span = join(row.front().name.span, row.back().name.span);
  return result;
}

} // namespace

std::vector<PictureRow> read_piece_picture(const Yaml& block, Diagnostics& diagnostics) {
  std::vector<PictureRow> rows;
  if (!is_picture(block, diagnostics)) return rows;
  for (const Text& line : rows_of(block.text)) {
    const Text row = line.trimmed();
    if (row.text.empty()) continue;
    const bool spaced = row.text.find_first_of(" \t") != std::string::npos;
    rows.push_back({spaced ? names(row) : names_of(signs_of(row)), row.span()});
  }
  return rows;
}

std::vector<PictureRow> read_board_picture(const Yaml& block, Diagnostics& diagnostics) {
  std::vector<PictureRow> picture;
  if (!is_picture(block, diagnostics)) return picture;
  const auto rows = drawn_rows(block.text);
  const std::size_t margin = left_margin(rows);
  const std::size_t step = drawn_with_blanks_between(rows, margin) ? 2 : 1;
  for (const SignRow& row : rows) {
    picture.push_back(with_holes(row, margin, step));
    if (row.empty()) picture.back().span = block.span;
  }
  return picture;
}

} // namespace boardwright::dsl
