#include "tools/drawing/terminal_canvas.hpp"

#include "dsl/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace boardwright::tools {
namespace {

struct Character {
  std::string_view bytes;
  char32_t code = 0;
};

// The next character; a byte that begins none is one by itself.
Character next_character(std::string_view text) {
  const dsl::Character c = dsl::first_character(text);
  return {text.substr(0, c.bytes), c.valid ? c.code : U'?'};
}

int columns_of(char32_t code) {
  const bool joins = (code >= 0x300 && code <= 0x36F) || (code >= 0xFE00 && code <= 0xFE0F) || code == 0x200D;
  if (joins) return 0;
  const bool wide = (code >= 0x1100 && code <= 0x115F) || (code >= 0x2E80 && code <= 0xA4CF) ||
                    (code >= 0xAC00 && code <= 0xD7A3) || (code >= 0xF900 && code <= 0xFAFF) ||
                    (code >= 0xFE30 && code <= 0xFE6F) || (code >= 0xFF00 && code <= 0xFF60) ||
                    (code >= 0x1F300 && code <= 0x1FAFF) || (code >= 0x20000 && code <= 0x3FFFD);
  return wide ? 2 : 1;
}

constexpr std::array<std::uint8_t, 6> kSteps = {0, 95, 135, 175, 215, 255};

// The nearest of the 240 colours that all terminals of 256 colours have in common: a cube of six steps a
// side, and a row of greys.
int nearest_of_256(Colour c) {
  const auto step = [&](int value) {
    int best = 0;
    for (int i = 1; i < 6; ++i)
      if (std::abs(kSteps[static_cast<std::size_t>(i)] - value) <
          std::abs(kSteps[static_cast<std::size_t>(best)] - value))
        best = i;
    return best;
  };
  const auto square = [](int value) { return value * value; };
  const auto distance = [&](int r, int g, int b) {
    return square(r - c.r) + square(g - c.g) + square(b - c.b);
  };
  const int r = step(c.r), g = step(c.g), b = step(c.b);
  const auto value = [&](int i) { return kSteps[static_cast<std::size_t>(i)]; };
  const int in_cube = distance(value(r), value(g), value(b));
  const int grey = std::clamp(((c.r + c.g + c.b) / 3 - 3) / 10, 0, 23), level = 8 + 10 * grey;
  return distance(level, level, level) < in_cube ? 232 + grey : 16 + 36 * r + 6 * g + b;
}

Colour colour_of_256(int index) {
  if (index >= 232) {
    const auto level = static_cast<std::uint8_t>(8 + 10 * (index - 232));
    return {level, level, level};
  }
  const int in_cube = index - 16;
  const auto value = [&](int step) { return kSteps[static_cast<std::size_t>(step)]; };
  return {value(in_cube / 36), value(in_cube / 6 % 6), value(in_cube % 6)};
}

// Those of the console of Linux, which other terminals that have no more come near to.
constexpr std::array<Colour, 16> kSixteen = {
    Colour{0x00, 0x00, 0x00}, {0xaa, 0x00, 0x00}, {0x00, 0xaa, 0x00}, {0xaa, 0x55, 0x00},
    {0x00, 0x00, 0xaa},       {0xaa, 0x00, 0xaa}, {0x00, 0xaa, 0xaa}, {0xaa, 0xaa, 0xaa},
    {0x55, 0x55, 0x55},       {0xff, 0x55, 0x55}, {0x55, 0xff, 0x55}, {0xff, 0xff, 0x55},
    {0x55, 0x55, 0xff},       {0xff, 0x55, 0xff}, {0x55, 0xff, 0xff}, {0xff, 0xff, 0xff}};
// Of them for what is behind signs: not all terminals have more.
constexpr int kGroundsOfSixteen = 8;

int nearest_of_16(Colour c, Use use) {
  const auto square = [](int value) { return value * value; };
  const auto distance = [&](const Colour& other) {
    return square(other.r - c.r) + square(other.g - c.g) + square(other.b - c.b);
  };
  const auto end = use == Use::ground ? kSixteen.begin() + kGroundsOfSixteen : kSixteen.end();
  const auto best = std::min_element(
      kSixteen.begin(), end, [&](const Colour& a, const Colour& b) { return distance(a) < distance(b); });
  return static_cast<int>(best - kSixteen.begin());
}

// `moved` towards black or white by as little as makes it differ enough from `fixed`.
Colour moved_away(Colour moved, Colour fixed, Depth depth, Use use) {
  const Use other = use == Use::ink ? Use::ground : Use::ink;
  constexpr int kShares = 40;
  constexpr Colour kBlack{0, 0, 0}, kWhite{255, 255, 255};
  for (int i = 0; i <= kShares; ++i)
    for (const Colour target : {kBlack, kWhite}) {
      const Colour tried = mixed(moved, target, static_cast<double>(i) / kShares);
      if (contrast(shown(tried, depth, use), shown(fixed, depth, other)) >= kLeastContrast) return tried;
    }
  return moved; // can't be: black or white differs from any colour by more
}

// ";38;5;252": what comes behind the "0" of an escape sequence.
std::string code_of(Colour c, Depth depth, Use use) {
  const int first = use == Use::ink ? 30 : 40;
  if (depth == Depth::sixteen) {
    constexpr int kPale = 8, kPaleCodes = 60; // the pale ones have codes of their own
    const int index = nearest_of_16(c, use);
    return fmt::format(";{}", first + index % kPale + (index >= kPale ? kPaleCodes : 0));
  }
  return depth == Depth::full ? fmt::format(";{};2;{};{};{}", first + 8, c.r, c.g, c.b)
                              : fmt::format(";{};5;{}", first + 8, nearest_of_256(c));
}

} // namespace

Colour shown(Colour colour, Depth depth, Use use) {
  if (depth == Depth::sixteen) return kSixteen[static_cast<std::size_t>(nearest_of_16(colour, use))];
  return depth == Depth::table ? colour_of_256(nearest_of_256(colour)) : colour;
}

Colour ground_under(Colour ink, Colour ground, Depth depth) {
  return moved_away(ground, ink, depth, Use::ground);
}

Colour ink_on(Colour ground, Colour ink, Depth depth) { return moved_away(ink, ground, depth, Use::ink); }

int columns_of(std::string_view text) {
  int columns = 0;
  while (!text.empty()) {
    const Character next = next_character(text);
    columns += columns_of(next.code);
    text.remove_prefix(next.bytes.size());
  }
  return columns;
}

TerminalCanvas::TerminalCanvas(int columns, int rows)
    : columns_(std::max(columns, 0)), rows_(std::max(rows, 0)),
      places_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_)) {}

void TerminalCanvas::put(int column, int row, std::string_view text, std::optional<Colour> ink, bool bold) {
  if (row < 0 || row >= rows_) return;
  while (!text.empty()) {
    const Character next = next_character(text);
    const int width = columns_of(next.code);
    text.remove_prefix(next.bytes.size());
    if (width == 0 || column < 0 || column + width > columns_) {
      column += width;
      continue;
    }
    for (int i = 0; i < width; ++i) {
      Place& place = at(column + i, row);
      place.sign = i == 0 ? std::string(next.bytes) : "";
      if (ink) place.ink = ink;
      place.bold = bold;
    }
    column += width;
  }
}

void TerminalCanvas::fill(int column, int row, int width, Colour ground) {
  if (row < 0 || row >= rows_) return;
  for (int i = std::max(column, 0); i < std::min(column + width, columns_); ++i) at(i, row).ground = ground;
}

bool TerminalCanvas::is_blank(int column, int row) const {
  return column < 0 || row < 0 || column >= columns_ || row >= rows_ || at(column, row).sign == " ";
}

std::string TerminalCanvas::line(int row, int from, int to, Depth depth) const {
  const bool color = depth != Depth::none;
  to = std::min(to, columns_);
  const auto is_seen = [&](const Place& place) { return place.sign != " " || (color && place.ground); };
  while (to > from && !is_seen(at(to - 1, row))) --to;
  std::string text, style;
  for (int column = from; column < to; ++column) {
    const Place& place = at(column, row);
    if (color) {
      // Of sixteen colours bold ones may be other colours.
      std::string wanted = place.bold && depth != Depth::sixteen ? "\x1b[0;1" : "\x1b[0";
      if (place.ink) wanted += code_of(*place.ink, depth, Use::ink);
      if (place.ground) wanted += code_of(*place.ground, depth, Use::ground);
      wanted += "m";
      if (wanted != (style.empty() ? "\x1b[0m" : style)) text += wanted, style = wanted;
    }
    text += place.sign;
  }
  if (!style.empty() && style != "\x1b[0m") text += "\x1b[0m";
  return text;
}

Ground ground_for(const Scene& scene, Depth depth) {
  // A table of 256 colours has hardly any but greys that are pale or dark.
  constexpr std::array kFull = {
      Ground{{0x96, 0x81, 0x62}, {0x7b, 0x68, 0x4c}},
      Ground{{0x46, 0x4d, 0x57}, {0x33, 0x39, 0x41}},
      Ground{{0xea, 0xe2, 0xd0}, {0xd6, 0xca, 0xb2}},
  };
  constexpr std::array kTable = {
      Ground{{0x8a, 0x8a, 0x8a}, {0x76, 0x76, 0x76}},
      Ground{{0x4e, 0x4e, 0x4e}, {0x3a, 0x3a, 0x3a}},
      Ground{{0xe4, 0xe4, 0xe4}, {0xd0, 0xd0, 0xd0}},
  };
  constexpr std::array kFew = {
      Ground{kSixteen[2], kSixteen[3]}, // most colours stand out from green and brown
      Ground{kSixteen[4], kSixteen[0]},
      Ground{kSixteen[7], kSixteen[6]},
  };
  const auto& grounds = depth == Depth::full ? kFull : depth == Depth::table ? kTable : kFew;
  const auto worst = [&](const Ground& ground) {
    double least = 21;
    for (const runtime::Kind& kind : scene.program().kinds)
      for (std::size_t owner = 0; owner < kind.letter.size(); ++owner) {
        if (kind.letter[owner] == 0) continue;
        const bool neutral = owner == scene.program().players.size();
        const Colour owned = scene.owner(neutral ? -1 : static_cast<int>(owner));
        const Colour piece = depth == Depth::sixteen ? shown(owned, depth) : owned;
        least = std::min({least, contrast(piece, ground.light), contrast(piece, ground.dark)});
      }
    return least;
  };
  return *std::max_element(grounds.begin(), grounds.end(),
                           [&](const Ground& a, const Ground& b) { return worst(a) < worst(b); });
}

std::string in_colour(std::string_view text, Colour ink, Colour ground, Depth depth) {
  if (depth == Depth::none) return std::string(text);
  return fmt::format("\x1b[0{}{}{}m{}\x1b[0m", depth == Depth::sixteen ? "" : ";1",
                     code_of(ink, depth, Use::ink), code_of(ground, depth, Use::ground), text);
}

} // namespace boardwright::tools
