#include "tools/drawing/board_scene.hpp"

#include "dsl/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace boardwright::tools {
namespace {

using interpreter::Look;
using interpreter::PieceLook;
using interpreter::Shape;
using runtime::Board;
using runtime::Program;

// For players whose names are no colours, in turn order.
constexpr std::array kPlayerColours = {"ivory", "black", "red", "blue", "yellow", "green", "purple", "cyan"};
constexpr const char* kNeutralColour = "#a3978a";
// With more kinds than these on a side, every one shows its letter.
constexpr std::size_t kMaxKindsWithPlain = 3;

double linear(std::uint8_t part) {
  const double value = part / 255.0;
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(Colour c) { return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b); }

// Players are named by what their pieces are like, too.
std::string named_colour(const std::string& player) {
  if (player == "Light") return interpreter::colour_named("ivory");
  return interpreter::colour_named(player == "Dark" ? "black" : player);
}

std::size_t owner_index(const Program& program, int player) {
  return player < 0 ? program.players.size() : static_cast<std::size_t>(player);
}

} // namespace

Colour parse_colour(std::string_view text) {
  const auto part = [&](std::size_t from) {
    return text.size() < from + 2 ? std::uint8_t{0}
                                  : dsl::number_in<std::uint8_t>(text.substr(from, 2), 16).value_or(0);
  };
  return {part(1), part(3), part(5)};
}

std::string colour_text(Colour c) { return fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b); }

Colour mixed(Colour a, Colour b, double share) {
  const auto part = [&](std::uint8_t x, std::uint8_t y) {
    return static_cast<std::uint8_t>(std::lround(x + (y - x) * share));
  };
  return {part(a.r, b.r), part(a.g, b.g), part(a.b, b.b)};
}

double contrast(Colour a, Colour b) {
  const double one = luminance(a) + 0.05, other = luminance(b) + 0.05;
  return std::max(one, other) / std::min(one, other);
}

Scene::Scene(const Program& program, const Look* look, int shade_from)
    : program_(program), look_(look == nullptr ? &none_ : look), shade_from_(shade_from) {
  choose_owner_colours();
  choose_signs();
  region_.assign(static_cast<std::size_t>(board().cells), -1);
  for (std::size_t i = 0; i < look_->regions.size(); ++i)
    look_->regions[i].cells.each(
        [&](int cell) { region_[static_cast<std::size_t>(cell)] = static_cast<int>(i); });
  find_narrow();
  find_seams();
}

Colour Scene::owner(int player) const { return owners_[owner_index(program_, player)]; }

const PieceSign& Scene::sign(runtime::Piece piece) const {
  return signs_[static_cast<std::size_t>(piece.kind)][owner_index(program_, piece.owner)];
}

int Scene::shade(int cell) const {
  const auto i = static_cast<std::size_t>(cell);
  const int x = board().x[i], y = board().y[i];
  if (!board().hexes) return (x + y + shade_from_) % 2;
  return (((board().slant_right ? x + y : x - y) + shade_from_) % 3 + 3) % 3;
}

Colour Scene::region_colour(int region) const {
  const auto& of = look_->regions[static_cast<std::size_t>(region)];
  if (!of.colour.empty()) return parse_colour(of.colour);
  if (of.player >= 0) return owner(of.player);
  // Next to each other they differ, also for those who see few colours.
  constexpr std::array kColours = {"#1f6fb5", "#d9a520", "#74479c", "#2fa36b", "#c4301f", "#63c5da"};
  return parse_colour(kColours[static_cast<std::size_t>(region) % kColours.size()]);
}

bool Scene::hidden(const std::string& name) const {
  return std::find(look_->hidden.begin(), look_->hidden.end(), name) != look_->hidden.end();
}

// What `look` says, else the colour that a player is named by, else one that nobody has.
void Scene::choose_owner_colours() {
  std::vector<std::string> chosen(program_.players.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (i < look_->player_colours.size()) chosen[i] = look_->player_colours[i];
    if (chosen[i].empty()) chosen[i] = named_colour(program_.players[i].name);
  }
  for (std::string& colour : chosen) {
    if (!colour.empty()) continue;
    for (const char* name : kPlayerColours) {
      const std::string free = interpreter::colour_named(name);
      if (std::find(chosen.begin(), chosen.end(), free) != chosen.end()) continue;
      colour = free;
      break;
    }
  }
  for (const std::string& colour : chosen) owners_.push_back(parse_colour(colour));
  owners_.push_back(parse_colour(kNeutralColour));
}

// The first of a few kinds on a side needs no letter.
void Scene::choose_signs() {
  const std::size_t owners = program_.players.size() + 1;
  signs_.assign(program_.kinds.size(), std::vector<PieceSign>(owners));
  for (std::size_t owner = 0; owner < owners; ++owner) {
    std::vector<std::size_t> kinds;
    for (std::size_t kind = 0; kind < program_.kinds.size(); ++kind)
      if (program_.kinds[kind].letter[owner] != 0) kinds.push_back(kind);
    for (const std::size_t kind : kinds)
      signs_[kind][owner] = sign_of(kind, owner, kind == kinds.front() && kinds.size() <= kMaxKindsWithPlain);
  }
}

PieceSign Scene::sign_of(std::size_t kind, std::size_t owner, bool plain) const {
  const PieceLook look = kind < look_->pieces.size() && owner < look_->pieces[kind].size()
                             ? look_->pieces[kind][owner]
                             : PieceLook{};
  PieceSign sign;
  sign.shape = look.shape;
  sign.fill = look.colour.empty() ? owners_[owner] : parse_colour(look.colour);
  sign.rim = look.shape == Shape::automatic && look.glyph.empty() ? owners_[owner] : sign.fill;
  constexpr Colour kDark{0x20, 0x20, 0x20}, kLight{0xff, 0xfd, 0xf6};
  sign.ink = contrast(sign.fill, kDark) > contrast(sign.fill, kLight) ? kDark : kLight;
  sign.text = look.glyph;
  if (look.shape == Shape::automatic) sign.shape = look.glyph.empty() ? Shape::disc : Shape::letter;
  const bool needs_letter =
      look.glyph.empty() && (look.shape == Shape::letter || (look.shape == Shape::automatic && !plain));
  if (needs_letter) sign.text = std::string(1, program_.kinds[kind].letter[owner]);
  return sign;
}

void Scene::find_narrow() {
  narrow_file_.assign(static_cast<std::size_t>(board().files) + 1, true);
  narrow_rank_.assign(static_cast<std::size_t>(board().ranks) + 1, true);
  for (int cell = 0; cell < board().cells; ++cell) {
    if (look_->narrow.test(cell)) continue;
    const auto i = static_cast<std::size_t>(cell);
    narrow_file_[static_cast<std::size_t>(board().x[i])] = false;
    narrow_rank_[static_cast<std::size_t>(board().y[i])] = false;
  }
  if (look_->narrow.none() || board().hexes) {
    narrow_file_.assign(narrow_file_.size(), false);
    narrow_rank_.assign(narrow_rank_.size(), false);
  }
}

// Whether the cells of a file, or rank, have the same colour as those beyond it.
Scene::Next Scene::across_file(int x) const {
  bool same = false, different = false;
  for (int y = 1; y <= board().ranks; ++y) {
    const int cell = board().cell_at(x, y), next = board().cell_at(x + 1, y);
    if (cell >= 0 && next >= 0) (region(cell) == region(next) ? same : different) = true;
  }
  return same ? different ? Next::mixed : Next::same : Next::different;
}

Scene::Next Scene::across_rank(int y) const {
  bool same = false, different = false;
  for (int x = 1; x <= board().files; ++x) {
    const int cell = board().cell_at(x, y), next = board().cell_at(x, y + 1);
    if (cell >= 0 && next >= 0) (region(cell) == region(next) ? same : different) = true;
  }
  return same ? different ? Next::mixed : Next::same : Next::different;
}

// Where all colours change at once and nothing changes beside it: cells that have each a colour are no
// boards.
void Scene::find_seams() {
  seam_file_.assign(static_cast<std::size_t>(board().files) + 1, false);
  seam_rank_.assign(static_cast<std::size_t>(board().ranks) + 1, false);
  const bool plain = std::all_of(look_->regions.begin(), look_->regions.end(),
                                 [](const interpreter::Region& region) { return region.plain; });
  if (board().hexes || points() || pits() || look_->regions.empty() || !plain) return;
  for (int x = 2; x + 2 <= board().files; ++x)
    seam_file_[static_cast<std::size_t>(x)] = across_file(x - 1) == Next::same &&
                                              across_file(x) == Next::different &&
                                              across_file(x + 1) == Next::same;
  for (int y = 2; y + 2 <= board().ranks; ++y)
    seam_rank_[static_cast<std::size_t>(y)] = across_rank(y - 1) == Next::same &&
                                              across_rank(y) == Next::different &&
                                              across_rank(y + 1) == Next::same;
}

} // namespace boardwright::tools
