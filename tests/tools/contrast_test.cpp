// Signs on boards in a terminal stand out from what is behind them, in all bundled games.
#include "dsl/finder.hpp"
#include "interpreter/load.hpp"
#include "interpreter/look/look.hpp"
#include "runtime/model/random.hpp"
#include "tests/rule_files.hpp"
#include "tools/drawing/board_text.hpp"
#include "tools/drawing/terminal_canvas.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>

namespace contrast_test {

using namespace boardwright;
using tools::Colour;

namespace {

std::uint8_t byte(int value) { return static_cast<std::uint8_t>(value); }

Colour of_table(int index) {
  constexpr std::array<int, 6> kSteps = {0, 95, 135, 175, 215, 255};
  if (index >= 232)
    return {byte(8 + 10 * (index - 232)), byte(8 + 10 * (index - 232)), byte(8 + 10 * (index - 232))};
  const auto part = [&](int divisor) {
    return byte(kSteps[static_cast<std::size_t>((index - 16) / divisor % 6)]);
  };
  return {part(36), part(6), part(1)};
}

// As the console of Linux has them.
Colour of_sixteen(int index) {
  constexpr std::array<Colour, 16> kColours = {
      Colour{0x00, 0x00, 0x00}, {0xaa, 0x00, 0x00}, {0x00, 0xaa, 0x00}, {0xaa, 0x55, 0x00},
      {0x00, 0x00, 0xaa},       {0xaa, 0x00, 0xaa}, {0x00, 0xaa, 0xaa}, {0xaa, 0xaa, 0xaa},
      {0x55, 0x55, 0x55},       {0xff, 0x55, 0x55}, {0x55, 0xff, 0x55}, {0xff, 0xff, 0x55},
      {0x55, 0x55, 0xff},       {0xff, 0x55, 0xff}, {0x55, 0xff, 0xff}, {0xff, 0xff, 0xff}};
  return kColours.at(static_cast<std::size_t>(index));
}

struct Style {
  std::optional<Colour> ink, ground;
};

// `0;1;38;5;N;48;2;R;G;B`, `0;97;42`
Style style_of(const std::string& sequence) {
  std::istringstream in(sequence);
  std::vector<int> codes;
  for (std::string code; std::getline(in, code, ';');) codes.push_back(std::stoi(code));
  Style style;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (codes[i] >= 30 && codes[i] <= 37) style.ink = of_sixteen(codes[i] - 30);
    if (codes[i] >= 90 && codes[i] <= 97) style.ink = of_sixteen(codes[i] - 82);
    if (codes[i] >= 40 && codes[i] <= 47) style.ground = of_sixteen(codes[i] - 40);
    if (codes[i] != 38 && codes[i] != 48) continue;
    const bool table = codes.at(i + 1) == 5;
    const Colour colour = table ? of_table(codes.at(i + 2))
                                : Colour{byte(codes.at(i + 2)), byte(codes.at(i + 3)), byte(codes.at(i + 4))};
    (codes[i] == 38 ? style.ink : style.ground) = colour;
    i += table ? 2 : 4;
  }
  return style;
}

// The least contrast of a sign on the ground that it stands on.
double least_contrast(const std::string& drawn) {
  double least = 21;
  Style style;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    if (drawn[i] == '\x1b') {
      const std::size_t end = drawn.find('m', i);
      style = style_of(drawn.substr(i + 2, end - i - 2));
      i = end;
    } else if (drawn[i] != ' ' && style.ink && style.ground) {
      least = std::min(least, tools::contrast(*style.ink, *style.ground));
    }
  }
  return least;
}

} // namespace

TEST_CASE("every sign stands out from its ground by 3:1, with 16 colours, with 256 and with all") {
  for (const std::string& name : tests::bundled_games()) {
    const auto loaded = interpreter::load(name, {}, dsl::standard_finder());
    INFO(name);
    REQUIRE(loaded);
    const auto look = interpreter::look_of(loaded);
    tools::DrawOptions options;
    options.color = options.unicode = options.rest = true;
    options.width = 200;
    options.look = &look;
    runtime::Game game(loaded.rules);
    runtime::Random random(1);
    for (int ply = 0; ply < 4; ++ply) {
      options.marks = tools::marks_of_last_move(game);
      for (const int colours : {16, 256, 1 << 24}) {
        options.few_colors = colours == 16;
        options.true_color = colours > 256;
        INFO(colours << " colours, after " << ply << " moves");
        CHECK(least_contrast(tools::draw_board(loaded.rules->program(), game.position(), options)) >= 3);
      }
      const auto moves = game.moves();
      const auto outcome = game.outcome();
      if (!moves || moves->empty() || !outcome || *outcome) break;
      REQUIRE(game.play((*moves)[static_cast<std::size_t>(random.below(moves->size()))]));
    }
  }
}

TEST_CASE("what is behind a sign changes no more than it must") {
  const Colour black{0, 0, 0}, white{255, 255, 255}, grey{0x3a, 0x3a, 0x3a};
  CHECK(tools::ground_under(white, grey, tools::Depth::full) == grey);
  const Colour under = tools::ground_under(black, grey, tools::Depth::full);
  CHECK(tools::contrast(black, under) >= tools::kLeastContrast);
  CHECK(tools::contrast(black, under) < 4);
  CHECK(tools::contrast(tools::shown(tools::ink_on(grey, grey, tools::Depth::table), tools::Depth::table),
                        tools::shown(grey, tools::Depth::table)) >= tools::kLeastContrast);
}

} // namespace contrast_test
