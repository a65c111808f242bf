// Entry point: board_svg.
#include "tools/drawing/board_svg.hpp"

#include "dsl/text.hpp"
#include "runtime/model/piece_values.hpp"
#include "tools/drawing/board_carried.hpp"
#include "tools/drawing/board_edges.hpp"
#include "tools/drawing/board_labels.hpp"
#include "tools/drawing/board_rest.hpp"
#include "tools/drawing/board_scene.hpp"
#include "tools/drawing/board_window.hpp"
#include "tools/drawing/svg_pieces.hpp"
#include "tools/drawing/svg_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <utility>

namespace boardwright::tools {
namespace {

using interpreter::CellLook;
using runtime::Board;
using runtime::Position;
using runtime::Program;

constexpr double kCell = 48;   // side of a square, or from a hex to the next
constexpr double kGroove = 14; // width of a narrow file or rank
constexpr double kSeam = 10;   // room between boards that lie side by side
constexpr double kMargin = 12, kLabel = 15, kCaption = 15;
constexpr double kLetter = 0.62; // width of a letter, about, of the size of its text

// Ink and paper of the board.
constexpr const char* kEdge = "#7d6b4c";
constexpr const char* kText = "#3a3126";
constexpr const char* kPaper = "#efdcb0";
constexpr const char* kArrow = "#0b6e8f";
constexpr const char* kStruck = "#b3201a";
constexpr const char* kLast = "#e8b400";

// Lines of so many characters at the most, broken at blanks where there are any.
std::vector<std::string> broken(std::string_view text, std::size_t most) {
  std::vector<std::string> lines;
  while (dsl::characters_in(text) > most) {
    std::size_t end = 0, blank = 0;
    for (std::size_t i = 0, characters = 0; i < text.size(); ++i) {
      if (dsl::continues_character(text[i])) continue;
      if (characters++ > most) break;
      end = i;
      if (text[i] == ' ') blank = i;
    }
    const std::size_t cut = blank > 0 ? blank : end;
    lines.emplace_back(text.substr(0, cut));
    text.remove_prefix(blank > 0 ? cut + 1 : cut);
  }
  lines.emplace_back(text);
  return lines;
}

class Picture {
public:
  // What the window shows of a board is drawn with the options of the window; what is told below is that of
  // the whole board.
  Picture(const BoardWindow& window, const SvgOptions& options, const Scene& whole, const Position& all)
      : window_(window), program_(window.program()), board_(program_.board), position_(window.position()),
        options_(options), whole_(whole), all_(all), scene_(program_, options.look),
        labels_(labels_of(board_)) {}

  SvgDrawing draw() {
    place_files();
    for (int cell = 0; cell < board_.cells; ++cell) reach(cell);
    ground();
    sides();
    if (scene_.points()) lines();
    curves();
    for (int cell = 0; cell < board_.cells; ++cell) mark_cell(cell);
    for (int cell = 0; cell < board_.cells; ++cell) pieces(cell);
    state_cells();
    if (scene_.points()) ring_reached();
    for (const MoveDrawing& move : options_.moves) draw_move(move);
    labels();
    if (options_.captions) captions();
    if (!options_.text.empty()) text_below();
    return finish();
  }

private:
  // --- places

  [[nodiscard]] int x_of(int cell) const { return scene_.x_of(cell, options_.flipped); }
  [[nodiscard]] int y_of(int cell) const { return scene_.y_of(cell, options_.flipped); }

  // Left edges of the files and lower edges of the ranks, as they are seen.
  void place_files() {
    left_.assign(static_cast<std::size_t>(board_.files) + 2, 0);
    below_.assign(static_cast<std::size_t>(board_.ranks) + 2, 0);
    const bool flipped = options_.flipped;
    for (int x = 1; x <= board_.files; ++x) {
      const int behind = flipped ? board_.files - x : x;
      left_[static_cast<std::size_t>(x) + 1] = left_[static_cast<std::size_t>(x)] + file_width(x) +
                                               (behind > 0 && scene_.seam_behind_file(behind) ? kSeam : 0);
    }
    for (int y = 1; y <= board_.ranks; ++y) {
      const int behind = flipped ? board_.ranks - y : y;
      below_[static_cast<std::size_t>(y) + 1] = below_[static_cast<std::size_t>(y)] + rank_height(y) +
                                                (behind > 0 && scene_.seam_behind_rank(behind) ? kSeam : 0);
    }
  }

  [[nodiscard]] double file_width(int x) const {
    return scene_.narrow_file(options_.flipped ? board_.files + 1 - x : x) ? kGroove : kCell;
  }
  [[nodiscard]] double rank_height(int y) const {
    return scene_.narrow_rank(options_.flipped ? board_.ranks + 1 - y : y) ? kGroove : kCell;
  }
  [[nodiscard]] double width(int cell) const { return file_width(x_of(cell)); }
  [[nodiscard]] double height(int cell) const { return board_.hexes ? kCell : rank_height(y_of(cell)); }
  [[nodiscard]] Point centre_at(int x, int y) const {
    const double lean = board_.slant_right ? -0.5 : 0.5;
    if (scene_.upright()) return {x * kCell * std::numbers::sqrt3 / 2, -(y + lean * x) * kCell};
    if (board_.hexes) return {(x + lean * y) * kCell, -y * kCell * std::numbers::sqrt3 / 2};
    return {left_[static_cast<std::size_t>(x)] + file_width(x) / 2,
            -below_[static_cast<std::size_t>(y)] - rank_height(y) / 2};
  }
  [[nodiscard]] Point centre(int cell) const { return centre_at(x_of(cell), y_of(cell)); }

  void include(Point p) {
    low_.x = std::min(low_.x, p.x);
    low_.y = std::min(low_.y, p.y);
    high_.x = std::max(high_.x, p.x);
    high_.y = std::max(high_.y, p.y);
  }
  void reach(int cell) {
    const Point c = centre(cell);
    double w = width(cell) / 2, h = board_.hexes ? kCell / std::numbers::sqrt3 : height(cell) / 2;
    if (scene_.upright()) std::swap(w, h);
    include({c.x - w, c.y - h});
    include({c.x + w, c.y + h});
  }

  // --- cells

  [[nodiscard]] std::vector<Point> hex(int cell, double size = 1) const {
    const Point c = centre(cell);
    const double r = kCell / std::numbers::sqrt3 * size;
    std::vector<Point> points;
    constexpr int kCorners = 6;
    for (int i = 0; i < kCorners; ++i) {
      const double angle = std::numbers::pi / 3 * (scene_.upright() ? i + 0.5 : i);
      points.push_back({c.x + r * std::sin(angle), c.y - r * std::cos(angle)});
    }
    return points;
  }

  [[nodiscard]] std::string cell_shape(int cell, const Paint& paint, double inset = 0) const {
    if (board_.hexes) return svg_polygon(hex(cell, 1 - 2 * inset / kCell), paint);
    const Point c = centre(cell);
    const double w = width(cell) - 2 * inset, h = height(cell) - 2 * inset;
    return svg_rectangle({c.x - w / 2, c.y - h / 2}, w, h, paint);
  }

  [[nodiscard]] std::string cell_colour(int cell) const {
    if (scene_.look().narrow.test(cell)) return "#c9b180";
    if (scene_.look().narrow.any()) return "#f3e7cb"; // the shades of its squares would all be one
    if (scene_.look().cells == CellLook::plain) return "#f3e7cb";
    const auto shade = static_cast<std::size_t>(scene_.shade(cell));
    if (scene_.look().cells == CellLook::chequered && !board_.hexes)
      return std::array{"#b98a5e", "#f0d9b5"}[shade];
    return std::array{"#eadbb9", "#f5ecd7", "#dfcda4"}[shade];
  }

  void ground() {
    if (scene_.points() || scene_.pits()) {
      body_ += svg_rectangle({low_.x - 2, low_.y - 2}, high_.x - low_.x + 4, high_.y - low_.y + 4,
                             {scene_.pits() ? "#c9a06c" : kPaper, kEdge, 1, 1}, 6);
      if (scene_.points()) return;
    }
    for (int cell = 0; cell < board_.cells; ++cell) {
      if (!is_drawn(cell)) continue;
      if (scene_.pits())
        body_ += svg_circle(centre(cell), kCell * 0.45, {"#a87b48", "#7c5630", 1.2, 1});
      else
        body_ += cell_shape(cell, {cell_colour(cell), kEdge, 0.8, 1});
    }
  }

  [[nodiscard]] bool is_drawn(int cell) const {
    return scene_.drawn_empty(cell) || !position_.cells[static_cast<std::size_t>(cell)].empty();
  }

  void mark_cell(int cell) {
    if (const int region = scene_.region(cell); region >= 0 && is_drawn(cell)) mark_region(cell, region);
    const bool reached = options_.marks.reached.test(cell), left = options_.marks.left.test(cell);
    if (reached || left) tint(cell, kLast, reached ? 0.55 : 0.3);
    if (options_.marks.taken.test(cell)) tint(cell, kStruck, 0.3);
  }

  void tint(int cell, const std::string& colour, double opacity) {
    if (scene_.points() || scene_.pits())
      body_ += svg_circle(centre(cell), kCell * 0.46, {colour, "", 0, opacity});
    else
      body_ += cell_shape(cell, {colour, "", 0, opacity}, 1);
  }

  // A piece on a crossing hides what is tinted below it.
  void ring_reached() {
    options_.marks.reached.each([&](int cell) {
      body_ += svg_circle(centre(cell), kCell * 0.43, {"", kLast, 4, 1});
    });
  }

  // A pale colour marks nothing on a pale board: there it is a darker ring around a white ground.
  void mark_region(int cell, int region) {
    const Colour colour = scene_.region_colour(region);
    if (scene_.look().regions[static_cast<std::size_t>(region)].plain)
      return tint(cell, colour_text(colour), 0.9);
    constexpr double kPale = 9; // of its contrast with black
    const bool pale = contrast(colour, {0, 0, 0}) > kPale;
    tint(cell, colour_text(colour), pale ? 0.75 : 0.25);
    const Paint edge{"", colour_text(pale ? mixed(colour, {0x50, 0x40, 0x28}, 0.6) : colour), 2, 0.85};
    body_ += scene_.points() || scene_.pits() ? svg_circle(centre(cell), kCell * 0.46, edge)
                                              : cell_shape(cell, edge, 2.5);
  }

  // --- sides and lines

  // Beyond the outermost cells, in the colour of whose side it is; half of it where two players have it.
  void sides() {
    const std::vector<SideEdge> edges = side_edges(scene_);
    for (const SideEdge& edge : edges) {
      auto [a, b] = ends_of(edge);
      if (edge.shared) {
        const Point middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
        (continues_at(edges, edge, a) ? b : a) = middle;
      }
      const Colour colour = scene_.owner(edge.player);
      body_ += svg_polyline({a, b}, {"", darker_than_paper(colour), 9, 1});
      body_ += svg_polyline({a, b}, {"", colour_text(colour), 6.5, 1});
      include({std::min(a.x, b.x) - 5, std::min(a.y, b.y) - 5});
      include({std::max(a.x, b.x) + 5, std::max(a.y, b.y) + 5});
    }
  }

  // Where an edge of the cell begins and ends, a little outside.
  [[nodiscard]] std::pair<Point, Point> ends_of(const SideEdge& edge) const {
    const int x = x_of(edge.cell), y = y_of(edge.cell), sign = options_.flipped ? -1 : 1;
    const Point c = centre_at(x, y);
    constexpr double kAside = 4;
    if (board_.hexes) {
      const Point next = centre_at(x + sign * edge.dx, y + sign * edge.dy);
      const double length = std::hypot(next.x - c.x, next.y - c.y);
      const Point out{(next.x - c.x) / length, (next.y - c.y) / length};
      const double far = kCell / 2 + kAside, half = far / std::numbers::sqrt3;
      const Point at{c.x + out.x * far, c.y + out.y * far};
      return {{at.x - out.y * half, at.y + out.x * half}, {at.x + out.y * half, at.y - out.x * half}};
    }
    const double dx = sign * edge.dx, dy = -sign * edge.dy;
    const double w = width(edge.cell) / 2, h = height(edge.cell) / 2;
    const Point at{c.x + dx * (w + kAside), c.y + dy * (h + kAside)};
    return {{at.x - dy * w, at.y + dx * h}, {at.x + dy * w, at.y - dx * h}};
  }

  // Whether another edge of the same side begins where this one ends.
  [[nodiscard]] bool continues_at(const std::vector<SideEdge>& edges, const SideEdge& edge, Point at) const {
    return std::any_of(edges.begin(), edges.end(), [&](const SideEdge& other) {
      if (other.player != edge.player || other.shared) return false;
      const auto [a, b] = ends_of(other);
      return std::hypot(a.x - at.x, a.y - at.y) < 1 || std::hypot(b.x - at.x, b.y - at.y) < 1;
    });
  }

  [[nodiscard]] static std::string darker_than_paper(Colour colour) {
    return colour_text(mixed(colour, {0, 0, 0}, 0.6));
  }

  void owned_lines() {
    for (const interpreter::OwnedLine& line : scene_.look().owned_lines) {
      const Colour colour = mixed(scene_.owner(line.player), {0, 0, 0}, 0.15);
      body_ += svg_polyline({centre(line.from), centre(line.to)}, {"", colour_text(colour), 2.4, 1});
    }
  }

  void lines() {
    if (!scene_.look().owned_lines.empty()) return owned_lines();
    const Paint ink{"", "#5b4a31", 1.4, 1};
    star_points(scene_).each([&](int cell) { body_ += svg_circle(centre(cell), 4, {"#5b4a31", "", 0, 1}); });
    const auto& given = scene_.look().lines;
    for (const auto& [a, b] : given) body_ += svg_polyline({centre(a), centre(b)}, ink);
    for (int cell = 0; given.empty() && cell < board_.cells; ++cell)
      for (const auto& [dx, dy] : {std::pair{1, 0}, {0, 1}, {-1, 1}, {1, 1}}) {
        const bool is_axis =
            dx == 0 || dy == 0 || (board_.hexes && (board_.slant_right ? dx == 1 : dx == -1));
        if (!is_axis || neighbour(cell, -dx, -dy) >= 0) continue; // it begins elsewhere
        int end = cell;
        while (neighbour(end, dx, dy) >= 0) end = neighbour(end, dx, dy);
        if (end != cell) body_ += svg_polyline({centre(cell), centre(end)}, ink);
      }
    for (int cell = 0; !given.empty() && cell < board_.cells; ++cell)
      body_ += svg_circle(centre(cell), 3.5, {"#5b4a31", "", 0, 1});
  }

  [[nodiscard]] int neighbour(int cell, int dx, int dy) const {
    const auto i = static_cast<std::size_t>(cell);
    return board_.cell_at(board_.x[i] + dx, board_.y[i] + dy);
  }

  // Loops that leave the board and come back: three quarters of a circle, or whatever curve joins them.
  void curves() {
    for (const runtime::Curve& curve : board_.curves) {
      if (curve.from > curve.to) continue; // the same, walked backwards
      const Point a = centre(curve.from), b = centre(curve.to);
      const Point out = direction(curve.leaving), in = direction(curve.heading);
      const Point middle = std::abs(out.x) < 0.5 ? Point{b.x, a.y} : Point{a.x, b.y};
      const double r = std::abs(a.x - b.x);
      const Point towards{middle.x - a.x, middle.y - a.y};
      const bool clockwise = out.x * towards.y - out.y * towards.x > 0;
      const bool is_round = std::abs(r - std::abs(a.y - b.y)) < 0.5 && r > 0.5;
      const double reach = 2 * std::max(r, std::abs(a.y - b.y)) + kCell;
      const std::string way =
          is_round ? fmt::format("A{0},{0} 0 1 {1} {2},{3}", svg_number(r), clockwise ? 1 : 0,
                                 svg_number(b.x), svg_number(b.y))
                   : fmt::format("C{},{} {},{} {},{}", svg_number(a.x + out.x * reach),
                                 svg_number(a.y + out.y * reach), svg_number(b.x - in.x * reach),
                                 svg_number(b.y - in.y * reach), svg_number(b.x), svg_number(b.y));
      body_ += fmt::format("<path d=\"M{},{} {}\" fill=\"none\" stroke=\"#5b4a31\" stroke-width=\"1.4\"/>\n",
                           svg_number(a.x), svg_number(a.y), way);
      const double far = is_round ? r : reach;
      include({middle.x - far, middle.y - far});
      include({middle.x + far, middle.y + far});
    }
  }

  // Of a step, as it is seen.
  [[nodiscard]] Point direction(int step) const {
    const runtime::Step& by = board_.steps[static_cast<std::size_t>(step)];
    const double sign = options_.flipped ? -1 : 1;
    return {sign * by.dx, -sign * by.dy};
  }

  // --- pieces and moves

  void pieces(int cell) {
    const runtime::Stack& stack = position_.cells[static_cast<std::size_t>(cell)];
    if (stack.empty()) return;
    if (scene_.pits() && stack.back().owner < 0)
      body_ += svg_seeds(scene_, stack, centre(cell), kCell);
    else
      body_ +=
          svg_stack(scene_, stack, centre(cell), {width(cell), height(cell), board_.hexes, scene_.upright()});
    int corner = 0;
    for (const runtime::PieceValue& value : program_.piece_values)
      if (!scene_.hidden(value.name)) carried(value, cell, corner);
  }

  // State that is a set of cells: a diamond in a corner of each, another corner for each variable.
  void state_cells() {
    int corner = 2;
    for (std::size_t i = 0; i < program_.variables.size(); ++i) {
      const runtime::Variable& variable = program_.variables[i];
      if (!is_drawn_state(i)) continue;
      position_.variables[i].cells.each([&](int cell) {
        body_ +=
            svg_diamond(centre(cell), std::min(width(cell), height(cell)), corner, state_colour(variable));
      });
      ++corner;
    }
  }
  [[nodiscard]] bool is_drawn_state(std::size_t i) const {
    return program_.variables[i].type == runtime::Type::cells && program_.variables[i].plane < 0 &&
           is_told(scene_, position_, i);
  }
  [[nodiscard]] std::string state_colour(const runtime::Variable& variable) const {
    return variable.player < 0 ? kArrow : colour_text(scene_.owner(variable.player));
  }

  // Directions are ticks, whatever they are.
  void carried(const runtime::PieceValue& value, int cell, int& corner) {
    const std::uint32_t code = runtime::code_on(value, position_, cell);
    const double side = std::min(width(cell), height(cell));
    const runtime::Piece piece = position_.cells[static_cast<std::size_t>(cell)].back();
    if (value.type == runtime::Type::directions) {
      for (std::size_t i = 0; i < value.steps.size(); ++i)
        if ((code >> i & 1U) != 0)
          body_ += svg_tick(scene_.sign(piece), centre(cell), side, pointed(value.steps[i]));
      return;
    }
    if (!is_worth_a_sign(value, code, piece.owner)) return;
    constexpr int kCorners = 4;
    const int there = corner++ % kCorners;
    const std::string text = runtime::text_of_code(program_, value, code);
    if (value.type == runtime::Type::truth) {
      body_ += svg_dot(centre(cell), side, there, kText);
    } else if (value.type == runtime::Type::player) {
      const int player = static_cast<int>(code);
      body_ += svg_dot(centre(cell), side, there, colour_text(scene_.owner(player)));
    } else if (value.type == runtime::Type::kind) {
      const int kind = static_cast<int>(code) + value.low;
      body_ +=
          svg_note(centre(cell), side, there, kind < 0 ? "-" : std::string(1, program_.letter_of_kind(kind)));
    } else {
      body_ += svg_note(centre(cell), side, there, text);
    }
  }

  // Where a step points as the board is drawn, with length 1.
  [[nodiscard]] Point pointed(int step) const {
    Point by = direction(step);
    const double lean = board_.slant_right ? 0.5 : -0.5; // y goes down here
    if (scene_.upright())
      by = {by.x * std::numbers::sqrt3 / 2, by.y + lean * by.x};
    else if (board_.hexes)
      by = {by.x + lean * by.y, by.y * std::numbers::sqrt3 / 2};
    const double length = std::hypot(by.x, by.y);
    return length > 0 ? Point{by.x / length, by.y / length} : by;
  }

  void draw_move(const MoveDrawing& move) {
    if (move.path.size() == 1)
      body_ += svg_circle(centre(move.path.front()), kCell * 0.3, {"", kArrow, 4, 0.9});
    else if (!move.path.empty())
      arrow(move.path);
    move.taken.each([&](int cell) {
      const Point c = centre(cell);
      constexpr double kArm = kCell * 0.26;
      for (const double side : {-1.0, 1.0})
        body_ += svg_polyline({{c.x - kArm, c.y - kArm * side}, {c.x + kArm, c.y + kArm * side}},
                              {"", kStruck, 5, 0.95});
    });
  }

  void arrow(const std::vector<int>& path) {
    std::vector<Point> points;
    for (const int cell : path) points.push_back(centre(cell));
    const Point from = points[points.size() - 2], tip = points.back();
    const double length = std::hypot(tip.x - from.x, tip.y - from.y);
    if (length < 1) return;
    const Point unit{(tip.x - from.x) / length, (tip.y - from.y) / length};
    constexpr double kHead = kCell * 0.3, kHalf = kCell * 0.15;
    const Point neck{tip.x - unit.x * kHead, tip.y - unit.y * kHead};
    points.back() = neck;
    body_ += svg_polyline(points, {"", kArrow, 5, 0.85});
    body_ += svg_polygon({tip,
                          {neck.x - unit.y * kHalf, neck.y + unit.x * kHalf},
                          {neck.x + unit.y * kHalf, neck.y - unit.x * kHalf}},
                         {kArrow, "", 0, 0.95});
    body_ += svg_circle(centre(path.front()), kCell * 0.09, {kArrow, "", 0, 0.95});
  }

  // --- around the board

  struct Label {
    Point at;
    std::string text;
  };

  void labels() {
    const Paint ink{kText, "", 0, 1};
    const std::vector<Label> files = file_labels();
    std::vector<Label> ranks = rank_labels(false);
    Anchor anchor = Anchor::end;
    // Of a board with a slanted lower side both would stand along it; then the ranks have theirs at the
    // right.
    const bool by_file = labels_.by_file() && board_.hexes && !scene_.upright();
    if (std::vector<Label> right = rank_labels(true);
        by_file ? are_labels_at_right(board_, options_.flipped)
                : board_.hexes && near_ones(files, right) < near_ones(files, ranks)) {
      ranks = std::move(right);
      anchor = Anchor::start;
    }
    for (const Label& label : files) {
      body_ += svg_label(label.at, kLabel, label.text, ink);
      include({label.at.x, label.at.y + kLabel});
    }
    for (const Label& label : ranks) {
      body_ += svg_label(label.at, kLabel, label.text, ink, anchor);
      const double wide = kLabel * static_cast<double>(label.text.size()) * 0.7;
      include({label.at.x + (anchor == Anchor::end ? -wide : wide), label.at.y});
    }
  }

  // How many lie on each other, or read as the name of a cell.
  [[nodiscard]] static std::size_t near_ones(const std::vector<Label>& some,
                                             const std::vector<Label>& others) {
    constexpr double kLeast = kLabel * 1.6;
    std::size_t found = 0;
    for (const Label& a : some)
      for (const Label& b : others)
        if (std::hypot(a.at.x - b.at.x, a.at.y - b.at.y) < kLeast) ++found;
    return found;
  }

  // Below the lowest cell of each file; on squares all in one row.
  [[nodiscard]] std::vector<Label> file_labels() const {
    const bool above = scene_.upright() && are_letters_above(labels_, options_.flipped);
    std::map<int, int> ends; // by x
    for (int cell = 0; cell < board_.cells; ++cell) {
      const auto end = ends.emplace(x_of(cell), y_of(cell)).first;
      end->second = above ? std::max(end->second, y_of(cell)) : std::min(end->second, y_of(cell));
    }
    std::vector<Label> found;
    for (const auto& [x, y] : ends)
      if (const auto label = labels_.file.find(unflipped(x, board_.files)); label != labels_.file.end()) {
        const Point at = centre_at(x, y);
        const double aside = scene_.upright() ? 0 : (board_.slant_right ? 1 : -1) * kCell * 0.42;
        const double down = (above ? -1 : 1) * (kCell * 0.75 + beyond_sides());
        found.push_back(
            {board_.hexes ? Point{at.x + aside, at.y + down} : Point{at.x, high_.y + kLabel}, label->second});
      }
    return found;
  }

  // Of upright hexes labels stand next to their sides, which may have bars.
  [[nodiscard]] double beyond_sides() const {
    constexpr double kBar = 8;
    return scene_.upright() && !scene_.look().sides.empty() ? kBar : 0;
  }

  // Beside the first cell of each rank, or the last one; on squares all in one column.
  [[nodiscard]] std::vector<Label> rank_labels(bool right) const {
    std::vector<Label> found;
    for (const RankEnd& end : rank_ends(labels_, board_, right != options_.flipped)) {
      Point at = centre(end.cell);
      at.x = board_.hexes ? at.x + (right ? 1 : -1) * (kCell * 0.62 + beyond_sides()) : low_.x - kLabel * 0.6;
      if (scene_.upright())
        at.y += (is_label_below(labels_, board_, right, options_.flipped) ? 1 : -1) * kCell * 0.36;
      found.push_back({at, end.text});
    }
    return found;
  }
  [[nodiscard]] int unflipped(int i, int count) const { return options_.flipped ? count + 1 - i : i; }

  void captions() {
    const Counted counts = counted(whole_, all_);
    double y = high_.y + kCaption * 1.8;
    for (int player = 0; player < program_.player_count(); ++player) {
      std::vector<std::string> told = state_of(player);
      const auto& scores = counts.of_player[static_cast<std::size_t>(player)];
      told.insert(told.end(), scores.begin(), scores.end());
      const bool moves = is_told_to_move(player);
      if (!moves && !has_hand(player) && told.empty()) continue;
      caption(player, y, told);
      y += kCaption * 1.7;
    }
    std::vector<std::string> shared = state_of(-1);
    shared.insert(shared.end(), counts.shared.begin(), counts.shared.end());
    if (!shared.empty()) y = lines_of(fmt::format("{}", fmt::join(shared, ", ")), y);
    if (const std::string stacks = mixed_stacks_text(program_, position_, "\u00A0"); !stacks.empty())
      y = lines_of("stacks, bottom to top: " + stacks, y);
    for (std::size_t i = 0; i < scene_.look().regions.size(); ++i) {
      const interpreter::Region& region = scene_.look().regions[i];
      if (region.plain) continue;
      const std::string colour = colour_text(scene_.region_colour(static_cast<int>(i)));
      body_ += svg_rectangle({low_.x + 3, y - 6}, 12, 12, {colour, kText, 1, 0.6});
      std::string text = region.name;
      if (region.player >= 0) text += " of " + program_.players[static_cast<std::size_t>(region.player)].name;
      text_line({low_.x + kCaption * 1.6, y}, text);
      y += kCaption * 1.5;
    }
    for (std::size_t i = 0; i < program_.variables.size(); ++i) {
      const runtime::Variable& variable = program_.variables[i];
      if (!is_drawn_state(i)) continue;
      body_ += svg_diamond({low_.x + 9, y}, 0, 0, state_colour(variable));
      std::string text = variable.name;
      if (variable.player >= 0)
        text += " of " + program_.players[static_cast<std::size_t>(variable.player)].name;
      text_line({low_.x + kCaption * 1.6, y}, text);
      y += kCaption * 1.5;
    }
    include({low_.x, y - kCaption});
  }

  // Variables of a player, or of nobody (-1). In a picture of a position, what has its first value and what
  // only counts moves would tell nothing.
  [[nodiscard]] std::vector<std::string> state_of(int player) const {
    std::vector<std::string> told;
    for (std::size_t i = 0; i < program_.variables.size(); ++i) {
      const runtime::Variable& variable = program_.variables[i];
      const runtime::VariableValue& value = position_.variables[i];
      if (variable.player != player || variable.clock || variable.type == runtime::Type::cells ||
          value == program_.initial.variables[i] || scene_.hidden(variable.name))
        continue;
      told.push_back(variable.name + ": " + value_text(program_, variable.type, value));
    }
    return told;
  }

  // Broken so that they are as wide as the board, or a little wider than a narrow one; where the next line
  // begins.
  double lines_of(const std::string& text, double y) {
    constexpr double kLeastWidth = 320;
    const double wide = std::max(kLeastWidth, high_.x - low_.x);
    for (const std::string& line : broken(text, static_cast<std::size_t>(wide / (kCaption * kLetter)))) {
      text_line({low_.x + 2, y}, line);
      y += kCaption * 1.4;
    }
    return y;
  }

  void text_below() {
    double y = high_.y + kCaption * 1.6;
    for (const std::string& text : options_.text) y = lines_of(text, y);
    include({low_.x, y - kCaption * 0.7});
  }

  [[nodiscard]] bool is_told_to_move(int player) const {
    return options_.turn && position_.to_move == player;
  }

  [[nodiscard]] bool has_hand(int player) const {
    const auto& slots = program_.hand_slot[static_cast<std::size_t>(player)];
    return std::any_of(slots.begin(), slots.end(), [&](int slot) {
      return slot >= 0 && position_.hands[static_cast<std::size_t>(slot)] > 0;
    });
  }

  // A player's colour and name; what is told of him; what he has in hand.
  void caption(int player, double y, const std::vector<std::string>& told) {
    double x = low_.x + 9;
    body_ += svg_circle({x, y}, 7, {colour_text(scene_.owner(player)), kText, 1.2, 1});
    x += kCaption;
    const bool out = (position_.out >> static_cast<unsigned>(player) & 1U) != 0;
    std::string name = program_.players[static_cast<std::size_t>(player)].name;
    name += out ? ", out" : is_told_to_move(player) ? " to move" : "";
    for (const std::string& item : told) name += ", " + item;
    x = text_line({x, y}, name) + kCaption;
    const auto& slots = program_.hand_slot[static_cast<std::size_t>(player)];
    const auto is_shown = [&](std::size_t kind) {
      return slots[kind] >= 0 && !scene_.hidden(program_.kinds[kind].name);
    };
    bool some_shown = false;
    for (std::size_t kind = 0; kind < slots.size(); ++kind) some_shown = some_shown || is_shown(kind);
    if (has_hand(player) && !some_shown) // too many kinds to be drawn
      x = text_line({x, y}, hand_text(scene_, position_, static_cast<std::size_t>(player)) + " in hand");
    for (std::size_t kind = 0; kind < slots.size(); ++kind) {
      const int count = slots[kind] < 0 ? 0 : position_.hands[static_cast<std::size_t>(slots[kind])];
      if (count <= 0 || !is_shown(kind)) continue;
      x = text_line({x, y}, fmt::format("{}×", count)) + 18;
      const bool owned = program_.kinds[kind].letter[static_cast<std::size_t>(player)] != 0;
      const runtime::Piece piece{static_cast<std::int8_t>(owned ? player : -1),
                                 static_cast<std::int8_t>(kind)};
      const bool bar = scene_.sign(piece).shape == interpreter::Shape::bar; // it would touch its number
      body_ += svg_piece(scene_.sign(piece), {x, y}, bar ? CellSize{8, 20} : CellSize{28, 28});
      x += 22;
      include({x, y});
    }
  }

  // Where it ends, about: no font is measured.
  double text_line(Point at, const std::string& text) {
    body_ += svg_label(at, kCaption, text, {kText, "", 0, 1}, Anchor::start);
    const double end = at.x + static_cast<double>(dsl::characters_in(text)) * kCaption * kLetter;
    include({end, at.y});
    return end;
  }

  [[nodiscard]] SvgDrawing finish() const {
    SvgDrawing drawing{{}, {}, low_.x - kMargin, low_.y - kMargin, high_.x + kMargin, high_.y + kMargin};
    const double wider = scene_.upright() ? 2 / std::numbers::sqrt3 : 1; // a hex from corner to corner
    for (int cell = 0; cell < board_.cells; ++cell)
      drawing.places.push_back(
          {window_.of_board(cell), centre(cell).x, centre(cell).y, width(cell) * wider, height(cell)});
    for (std::size_t begin = 0; begin < body_.size();) {
      const std::size_t end = body_.find('\n', begin) + 1;
      drawing.elements.push_back(body_.substr(begin, end - begin));
      begin = end;
    }
    return drawing;
  }

  const BoardWindow& window_;
  const Program& program_;
  const Board& board_;
  const Position& position_;
  const SvgOptions& options_;
  const Scene& whole_;
  const Position& all_;
  Scene scene_;
  Labels labels_;
  std::vector<double> left_, below_; // by x and y as they are seen
  Point low_{std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
  Point high_{std::numeric_limits<double>::lowest(), std::numeric_limits<double>::lowest()};
  std::string body_;
};

} // namespace

SvgDrawing board_drawing(const Program& program, const Position& position, const SvgOptions& options) {
  runtime::CellSet shown = options.shown | cells_of(options.marks);
  for (const MoveDrawing& move : options.moves) {
    shown |= move.taken;
    for (const int cell : move.path) shown.set(cell);
  }
  const BoardWindow window(program, position, options.look, shown);
  SvgOptions seen = options;
  seen.look = window.look();
  seen.marks = window.seen(options.marks);
  for (MoveDrawing& move : seen.moves) move = {window.seen(move.path), window.seen(move.taken)};
  const Scene whole(program, options.look);
  return Picture(window, seen, whole, position).draw();
}

std::string svg_opening(const SvgDrawing& drawing) {
  return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
                     "viewBox=\"{2} {3} {0} {1}\" font-family=\"DejaVu Sans, Noto Sans, Segoe UI Symbol, "
                     "Arial Unicode MS, sans-serif\">\n",
                     svg_number(drawing.right - drawing.left), svg_number(drawing.bottom - drawing.top),
                     svg_number(drawing.left), svg_number(drawing.top));
}

std::string svg_text(const SvgDrawing& drawing) {
  std::string text = svg_opening(drawing);
  text += svg_rectangle({drawing.left, drawing.top}, drawing.right - drawing.left,
                        drawing.bottom - drawing.top, {"#ffffff", "", 0, 1});
  for (const std::string& element : drawing.elements) text += element;
  return text + "</svg>\n";
}

std::string board_svg(const Program& program, const Position& position, const SvgOptions& options) {
  return svg_text(board_drawing(program, position, options));
}

} // namespace boardwright::tools
