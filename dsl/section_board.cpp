// Entry point: read_board.
#include "dsl/picture.hpp"
#include "dsl/section_keys.hpp"
#include "dsl/sections.hpp"
#include "dsl/shape.hpp"

#include <fmt/format.h>

#include <array>

namespace boardwright::dsl {
namespace {

using Shape = BoardSection::Shape;

void set_shape(Shape shape, const Yaml& value, BoardSection& board, Diagnostics& diagnostics) {
  if (board.shape != Shape::missing)
    diagnostics.error("shape", value.span, "the board has two shapes").expected =
        "expected one of `squares`, `hexes`, `hexagon` and `picture`";
  board.shape = shape;
}

void read_size(Shape shape, std::string_view what, const Yaml& value, BoardSection& board,
               Diagnostics& diagnostics) {
  set_shape(shape, value, board, diagnostics);
  if (!expect_text(value, what, "squares: 8 by 8", diagnostics)) return;
  const auto parts = words(value.text);
  board.endless = parts.size() == 1 && parts[0].text == "endless";
  if (board.endless) return;
  auto size = parse_size(value.text, diagnostics);
  if (!size) return;
  board.files = std::move(size->first);
  board.ranks = std::move(size->second);
}

void squares(const Yaml& value, BoardSection& board, Diagnostics& diagnostics) {
  read_size(Shape::squares, "`squares`", value, board, diagnostics);
}

void hexes(const Yaml& value, BoardSection& board, Diagnostics& diagnostics) {
  read_size(Shape::hexes, "`hexes`", value, board, diagnostics);
}

void hexagon(const Yaml& value, BoardSection& board, Diagnostics& diagnostics) {
  set_shape(Shape::hexagon, value, board, diagnostics);
  board.side = read_value(value, "`hexagon`", "hexagon: 5", diagnostics);
}

void board_reach(const Yaml& value, BoardSection& board, Diagnostics& diagnostics) {
  board.reach = read_value(value, "`reach`", "reach: 20", diagnostics);
}

void board_margin(const Yaml& value, BoardSection& board, Diagnostics& diagnostics) {
  board.margin = read_value(value, "`margin`", "margin: 4", diagnostics);
}

void picture(const Yaml& value, BoardSection& board, Diagnostics& diagnostics) {
  set_shape(Shape::picture, value, board, diagnostics);
  board.picture = read_board_picture(value, diagnostics);
}

void holes(const Yaml& value, BoardSection& board, Diagnostics& diagnostics) {
  board.holes = read_value(value, "`holes`", "holes: d4 | e5", diagnostics);
}

void steps(const Yaml& value, BoardSection& board, Diagnostics& diagnostics) {
  if (!expect_text(value, "`steps`", "steps: over holes", diagnostics)) return;
  const auto found = words(value.text);
  board.steps_over_holes = found.size() == 2 && found[0].text == "over" && found[1].text == "holes";
  if (!board.steps_over_holes)
    diagnostics.error("shape", value.span, "`steps` has one value").expected = "expected `over holes`";
}

// `a1` or `a1..c3`
std::optional<LineEntry::Stretch> stretch(const Text& word, Diagnostics& diagnostics) {
  const auto dots = word.text.find("..");
  if (dots == std::string::npos) return LineEntry::Stretch{to_name(word), std::nullopt};
  const Text from = word.part(0, dots), to = word.part(dots + 2, word.text.size());
  if (!from.text.empty() && !to.text.empty() && to.text.find('.') == std::string::npos)
    return LineEntry::Stretch{to_name(from), to_name(to)};
  diagnostics.error("syntax", word.span(), "a stretch of a line has two ends").expected =
      "expected two cells, as in `a3..c5`";
  return std::nullopt;
}

LineEntry line(const Text& text, Diagnostics& diagnostics) {
  LineEntry entry;
  entry.span = text.span();
  const auto parts = words(text);
  if (parts.size() == 1 && parts[0].text == "ranks")
    entry.what = LineEntry::What::ranks;
  else if (parts.size() == 1 && parts[0].text == "files")
    entry.what = LineEntry::What::files;
  else
    for (const Text& word : parts)
      if (auto part = stretch(word, diagnostics)) entry.chain.push_back(std::move(*part));
  return entry;
}

void lines(const Yaml& value, BoardSection& board, Diagnostics& diagnostics) {
  constexpr std::string_view kExample = "lines: [ranks, files, a1 d1 g1, a3..c5]";
  if (!expect_list(value, "`lines`", kExample, diagnostics)) return;
  for (const Yaml& item : value.items)
    if (expect_text(item, "a line", kExample, diagnostics))
      board.lines.push_back(line(item.text, diagnostics));
}

void tracks(const Yaml& value, BoardSection& board, Diagnostics& diagnostics) {
  constexpr std::string_view kExample = "tracks: { sow: a1 b1 b2 a2 a1 }";
  if (!expect_map(value, "`tracks`", kExample, diagnostics)) return;
  for (const auto& entry : value.entries) {
    auto name = declared_name(entry.key, "a track", diagnostics);
    auto cells = read_words(entry.value, "a track", kExample, diagnostics);
    if (name && cells) board.tracks.push_back({std::move(*name), std::move(*cells)});
  }
}

void curves(const Yaml& value, BoardSection& board, Diagnostics& diagnostics) {
  constexpr std::string_view kExample = "curves: [b1 south a2 east]";
  if (!expect_list(value, "`curves`", kExample, diagnostics)) return;
  for (const Yaml& item : value.items) {
    if (!expect_text(item, "a curve", kExample, diagnostics)) continue;
    const auto parts = names(item.text);
    if (parts.size() == 4)
      board.curves.push_back({parts[0], parts[1], parts[2], parts[3]});
    else
      diagnostics.error("shape", item.span, "a curve is four words").expected =
          "expected a cell, the direction it is left in, a cell and the direction in which it is reached, as "
          "in "
          "`b1 south a2 east`";
  }
}

void stacks(const Yaml& value, BoardSection& board, Diagnostics& diagnostics) {
  board.stacks = read_truth(value, "`stacks`", diagnostics);
}

void slant(const Yaml& value, BoardSection& board, Diagnostics& diagnostics) {
  const auto word = read_word(value, "`slant`", "slant: right", diagnostics);
  if (!word) return;
  board.slant_right = word->text == "right";
  if (word->text != "right" && word->text != "left")
    diagnostics.error("shape", word->span, "`slant` is either `left` or `right`");
}

// Files are named by the other letters, of which at least two stay: names grow long with fewer.
void letters(const Yaml& value, BoardSection& board, Diagnostics& diagnostics) {
  constexpr std::string_view kExample = "letters: without j";
  constexpr std::size_t kMostLeftOut = 24;
  if (!expect_text(value, "`letters`", kExample, diagnostics)) return;
  const auto parts = words(value.text);
  const bool says_without = parts.size() >= 2 && parts.front().text == "without";
  for (std::size_t i = 1; says_without && i < parts.size(); ++i) {
    const std::string& letter = parts[i].text;
    const bool is_one = letter.size() == 1 && letter.front() >= 'a' && letter.front() <= 'z';
    if (is_one && board.letters_left_out.find(letter) == std::string::npos)
      board.letters_left_out += letter;
    else
      diagnostics.error("shape", parts[i].span(),
                        fmt::format("{} {}", in_backticks(letter),
                                    is_one ? "is left out already" : "is no letter from a to z"));
  }
  if (!says_without)
    diagnostics.error("shape", value.span, "`letters` says which ones no file is named by").expected =
        fmt::format("expected letters from a to z, as in `{}`", kExample);
  if (board.letters_left_out.size() > kMostLeftOut)
    diagnostics.error("shape", value.span, "at least two letters are needed to name files");
}

void cell_names(const Yaml& value, BoardSection& board, Diagnostics& diagnostics) {
  constexpr std::string_view kExample = "names: { centre: e5 }";
  if (value.is_scalar()) {
    const auto parts = words(value.text);
    const auto says = [&](std::string_view one, std::string_view other) {
      return parts.size() == 2 && parts[0].text == one && parts[1].text == other;
    };
    board.names_row_column = says("row", "column");
    board.names_by_file = says("by", "file");
    if (board.names_row_column || board.names_by_file) return;
    diagnostics.error("shape", value.span, "`names` is neither `row column`, `by file` nor a map").expected =
        fmt::format("expected `row column`, `by file`, or a map like `{}`", kExample);
    return;
  }
  if (!expect_map(value, "`names`", kExample, diagnostics)) return;
  for (const auto& entry : value.entries) {
    auto cell = read_word(entry.value, in_backticks(entry.key.text), kExample, diagnostics);
    auto name = declared_name(entry.key, "a cell", diagnostics);
    if (name && cell) board.names.emplace_back(std::move(*name), std::move(*cell));
  }
}

constexpr std::array<Key<BoardSection>, 15> kBoardKeys = {{
    {"squares", squares},
    {"hexes", hexes},
    {"hexagon", hexagon},
    {"picture", picture},
    {"reach", board_reach},
    {"margin", board_margin},
    {"holes", holes},
    {"steps", steps},
    {"lines", lines},
    {"tracks", tracks},
    {"curves", curves},
    {"stacks", stacks},
    {"slant", slant},
    {"names", cell_names},
    {"letters", letters},
}};

} // namespace

std::vector<std::string> board_keys() { return key_names<BoardSection>(kBoardKeys); }

void read_board(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics) {
  file.board.span = entry.key.span();
  if (!expect_map(entry.value, "`board`", "board: { squares: 8 by 8 }", diagnostics)) return;
  read_keys<BoardSection>(entry.value, "`board`", kBoardKeys, file.board, diagnostics);
  if (file.board.shape == Shape::missing)
    diagnostics.error("shape", entry.key.span(), "the board has no shape").expected =
        "expected one of `squares: 8 by 8`, `hexes: 11 by 11`, `hexagon: 5` and `picture: |`";
}

} // namespace boardwright::dsl
