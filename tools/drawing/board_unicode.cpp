// Entry point: draw_board_unicode.
//
// Each cell is some columns wide and a row high, or three rows where the terminal has room, shaded where
// there are colours. Boards of points (`lines`, or `look: { cells: points }`) have lines between their cells
// instead. What is wider than the terminal has
// narrower cells, and is drawn in parts where even that is too wide.
#include "tools/drawing/board_unicode.hpp"

#include "tools/drawing/board_carried.hpp"
#include "tools/drawing/board_edges.hpp"
#include "tools/drawing/board_labels.hpp"
#include "tools/drawing/board_rest.hpp"
#include "tools/drawing/board_scene.hpp"
#include "tools/drawing/board_window.hpp"
#include "tools/drawing/terminal_canvas.hpp"
#include "tools/games/position_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace boardwright::tools {
namespace {

using interpreter::CellLook;
using interpreter::Shape;
using runtime::Board;
using runtime::Position;
using runtime::Program;

constexpr int kUsualWidth = 3; // columns of a cell
// Boards with `lines` have room between their points: diagonals are drawn there.
constexpr int kPointPitch = 4, kPointRows = 2;
// Cells and points where there is room: about as high as they are wide.
constexpr int kTallCell = 3, kWideCell = 7, kTallPoint = 2, kWidePoint = 4;
// Upright hexes: half of one stands beside half of another.
constexpr int kUprightCell = 2, kTallUpright = 4;
// Columns that are left for what stands beside the board.
constexpr int kBesideGrown = 30;

class Drawing {
public:
  Drawing(const Program& program, const Position& position, const DrawOptions& options, BoardFrame frame)
      : program_(program), board_(program.board), position_(position), options_(options),
        scene_(program, options.look, frame.shade_from), labels_(std::move(frame.labels)),
        depth_(depth_of(options)), ground_(ground_for(scene_, depth_)), edges_(std::move(frame.edges)),
        arms_(std::move(frame.arms)), stars_(frame.stars), upright_(scene_.upright() && !has_lines()),
        pad_(edges_.empty() ? 0 : 1) {
    for (const auto& [y, label] : labels_.rank) margin_ = std::max(margin_, columns_of(label));
    if (board_.hexes) rank_columns_ = std::exchange(margin_, 0); // beside the first cell of each rank
    if (margin_ > 0) margin_ += 2;
  }

  std::vector<std::string> lines() {
    lay_out();
    TerminalCanvas canvas(columns_, rows_ + label_rows());
    if (scene_.points()) draw_lines(canvas);
    for (const SideEdge& edge : edges_) draw_side(canvas, edge);
    for (int cell = 0; cell < board_.cells; ++cell) draw_cell(canvas, cell);
    draw_labels(canvas);
    return in_parts(canvas);
  }

  // What it takes, if it isn't drawn in parts.
  Room room() {
    lay_out();
    return {margin_ + columns_, rows_ + label_rows()};
  }
  // Of the lines, those of cells.
  [[nodiscard]] int board_rows() const { return rows_; }

private:
  // --- where cells are

  [[nodiscard]] int x_of(int cell) const { return scene_.x_of(cell, options_.flipped); }
  [[nodiscard]] int y_of(int cell) const { return scene_.y_of(cell, options_.flipped); }
  [[nodiscard]] bool has_lines() const { return !scene_.look().lines.empty(); }

  // Widths of the files; as wide as the widest text needs, wider where there is room.
  void lay_out() {
    int widest = 1;
    for (int cell = 0; cell < board_.cells; ++cell) widest = std::max(widest, columns_of(text_of(cell)));
    for (const auto& [x, label] : labels_.file) widest = std::max(widest, columns_of(label));
    const int room = options_.width - margin_;
    if (grows(widest)) return;
    if (upright_) tall_ = kUprightCell;
    const bool aside = board_.hexes && !upright_; // by half a cell
    for (wide_ = has_lines() ? kPointPitch : usual_width(widest);; --wide_) {
      if (aside && wide_ % 2 != 0) ++wide_;
      place_files();
      if (columns_ <= room || wide_ <= widest + 1) break;
      if (aside) --wide_;
    }
  }

  [[nodiscard]] int usual_width(int widest) const {
    constexpr int kRim = 4; // of a pit
    return scene_.pits() ? widest + kRim : std::max(kUsualWidth, widest + (widest > 1 ? 2 : 0));
  }

  // Whether the board can be drawn larger: then it is laid out so.
  [[nodiscard]] bool grows(int widest) {
    if (options_.height <= 0 || has_lines() || scene_.look().narrow.any()) return false;
    if (scene_.points() && board_.hexes) return false;
    tall_ = scene_.points() ? kTallPoint : upright_ ? kTallUpright : kTallCell;
    wide_ = scene_.points() ? std::max(kWidePoint, widest + 2) : std::max(kWideCell, widest + 4);
    if (board_.hexes && wide_ % 2 != 0) ++wide_;
    place_files();
    const int columns = margin_ + columns_ + (options_.rest ? kBesideGrown : 0);
    if (columns <= options_.width && rows_ + label_rows() <= options_.height) return true;
    tall_ = 1;
    return false;
  }

  void place_files() {
    left_.assign(static_cast<std::size_t>(board_.files) + 2, 0);
    for (int x = 1; x <= board_.files; ++x)
      left_[static_cast<std::size_t>(x) + 1] =
          left_[static_cast<std::size_t>(x)] + width_of(x) + (seam_behind(x) ? 1 : 0);
    int least = 0, most = 0;
    for (int y = 1; y <= board_.ranks; ++y) {
      least = std::min(least, lean(y));
      most = std::max(most, lean(y));
    }
    if (board_.hexes) trim_hexes(least, most);
    shift_ = -least + (board_.hexes ? 0 : pad_);
    columns_ = left_.back() + most - least + (board_.hexes ? 0 : 2 * pad_);
    if (has_lines()) columns_ -= wide_ - kUsualWidth;
    const bool by_file = labels_.by_file() && board_.hexes && !upright_;
    ranks_at_right_ = by_file ? are_labels_at_right(board_, options_.flipped)
                              : board_.hexes && touching(file_labels(), rank_labels(true)) <
                                                    touching(file_labels(), rank_labels(false));
    if (ranks_at_right_) columns_ += rank_columns_ + 1;
    rows_ = (has_lines()       ? (board_.ranks - 1) * kPointRows + 1
             : upright_        ? upright_rows()
             : scene_.points() ? (board_.ranks - 1) * tall_ + 1
                               : board_.ranks * tall_) +
            2 * pad_;
  }

  // How many half cells a cell lies above the lowest ones there could be.
  [[nodiscard]] int halves(int x, int y) const { return 2 * y + (board_.slant_right ? -x : x); }

  int upright_rows() {
    bool first = true;
    int lowest = 0;
    for (int cell = 0; cell < board_.cells; ++cell) {
      const int at = halves(x_of(cell), y_of(cell));
      highest_ = first ? at : std::max(highest_, at);
      lowest = first ? at : std::min(lowest, at);
      first = false;
    }
    return (highest_ - lowest) * (tall_ / 2) + (scene_.points() ? 1 : tall_) + (letters_above_ ? 1 : 0);
  }

  // A hexagon leaves two corners of its rhombus free, and needs no room there.
  void trim_hexes(int& least, int& most) const {
    int begin = 0, end = 0;
    bool first = true;
    for (int cell = 0; cell < board_.cells; ++cell) {
      const int left = left_[static_cast<std::size_t>(x_of(cell))] + lean(y_of(cell));
      begin = std::min(first ? left : begin, left - wide_ / 2 - rank_columns_ - pad_); // for labels
      end = std::max(first ? left + wide_ + pad_ : end, left + wide_ + pad_);
      first = false;
    }
    least = begin;
    most = end - left_.back();
  }

  [[nodiscard]] bool seam_behind(int x) const {
    if (!options_.flipped) return scene_.seam_behind_file(x);
    return x < board_.files && scene_.seam_behind_file(board_.files - x);
  }
  [[nodiscard]] int width_of(int x) const {
    return scene_.narrow_file(options_.flipped ? board_.files + 1 - x : x) ? std::max(1, wide_ - 2) : wide_;
  }
  [[nodiscard]] int lean(int y) const {
    return !board_.hexes || upright_ ? 0 : (board_.slant_right ? -y : y) * (wide_ / 2);
  }
  [[nodiscard]] int column(int x, int y) const {
    return left_[static_cast<std::size_t>(x)] + lean(y) + shift_;
  }
  [[nodiscard]] int pitch() const { return has_lines() ? kPointRows : tall_; }
  // Rows of a cell above the one that its piece stands in, and below.
  [[nodiscard]] int above() const { return scene_.points() ? 0 : (tall_ - 1) / 2; }
  [[nodiscard]] int below() const { return scene_.points() ? 0 : tall_ / 2; }
  [[nodiscard]] int row(int x, int y) const {
    if (upright_) return (highest_ - halves(x, y)) * (tall_ / 2) + pad_ + above() + (letters_above_ ? 1 : 0);
    return (board_.ranks - y) * pitch() + pad_ + above();
  }
  [[nodiscard]] int width(int x) const { return has_lines() ? kUsualWidth : width_of(x); }

  // --- cells

  // What stands on a cell, without its marks.
  [[nodiscard]] std::string text_of(int cell) const {
    const runtime::Stack& stack = position_.cells[static_cast<std::size_t>(cell)];
    if (stack.empty()) return " ";
    const std::string height = stack.size() > 1 ? std::to_string(stack.size()) : "";
    if (scene_.pits() && stack.back().owner < 0) return std::to_string(stack.size());
    const auto is_hidden = [this](const std::string& name) { return scene_.hidden(name); };
    return sign_text(stack.back()) + height +
           carried_signs(program_, position_, cell, {options_.flipped, upright_}, is_hidden);
  }

  [[nodiscard]] std::string sign_text(runtime::Piece piece) const {
    return terminal_sign(scene_, piece, options_.color);
  }

  [[nodiscard]] std::string empty_text(int cell) const {
    if (options_.marks.taken.test(cell)) return "×";
    if (options_.marks.left.test(cell)) return "∘";
    if (const int region = scene_.region(cell);
        region >= 0 && !scene_.look().regions[static_cast<std::size_t>(region)].plain)
      return "▫";
    if (scene_.points()) return has_lines() ? "∙" : crossing(cell);
    return options_.color ? " " : "·";
  }

  // North, east, south and west as they are seen.
  [[nodiscard]] Arms arms(int cell) const {
    Arms arms = arms_[static_cast<std::size_t>(cell)];
    if (options_.flipped) std::rotate(arms.begin(), arms.begin() + 2, arms.end());
    return arms;
  }

  // Of four lines or fewer, as at the edge. Of two players' lines the one that goes up stands before the
  // other.
  [[nodiscard]] std::string crossing(int cell) const {
    static constexpr std::array<const char*, 16> kSigns = {"∙", "╵", "╶", "└", "╷", "│", "┌", "├",
                                                           "╴", "┘", "─", "┴", "┐", "┤", "┬", "┼"};
    static constexpr std::array<const char*, 16> kHeavy = {"∙", "╹", "╺", "┗", "╻", "┃", "┏", "┣",
                                                           "╸", "┛", "━", "┻", "┓", "┫", "┳", "╋"};
    if (board_.hexes) return "∙"; // their lines aren't those of characters
    if (stars_.test(cell)) return "•";
    const Arms lines = arms(cell);
    const int first = line_owner(cell);
    std::size_t which = 0;
    for (std::size_t d = 0; d < lines.size(); ++d)
      if (lines[d] != kNoLine && lines[d] == first) which |= std::size_t{1} << d;
    return (is_heavy(first) ? kHeavy : kSigns)[which];
  }

  // Whose line a crossing shows.
  [[nodiscard]] int line_owner(int cell) const {
    const Arms lines = arms(cell);
    return std::max(lines[0], lines[2]) != kNoLine ? std::max(lines[0], lines[2])
                                                   : std::max(lines[1], lines[3]);
  }
  // Lines of the players are told apart without colours, too.
  [[nodiscard]] static bool is_heavy(int owner) { return owner >= 0 && owner % 2 != 0; }
  [[nodiscard]] Colour line_ink(int owner, Colour ground) const {
    return ink_on(ground, owner >= 0 ? scene_.owner(owner) : mixed(ground_.light, {0, 0, 0}, 0.35), depth_);
  }

  [[nodiscard]] Colour ground_of(int cell) const {
    const Colour middle = ground_.middle();
    const int shade = scene_.points() || scene_.pits() || scene_.look().cells == CellLook::plain ||
                              scene_.look().narrow.any()
                          ? 1
                          : scene_.shade(cell) * (board_.hexes ? 1 : 2);
    Colour colour = shade == 0 ? ground_.dark : shade == 1 ? middle : ground_.light;
    if (scene_.look().narrow.test(cell)) colour = mixed(colour, {0, 0, 0}, 0.25);
    const int region = scene_.region(cell);
    if (region >= 0 && depth_ != Depth::full) colour = middle; // two shades could become two colours
    if (region >= 0)
      colour =
          mixed(colour, scene_.region_colour(region),
                scene_.look().regions[static_cast<std::size_t>(region)].plain ? 0.7 : region_share(depth_));
    constexpr Colour kReached{0xf2, 0xd0, 0x3b}, kTaken{0xd0, 0x4a, 0x28};
    if (options_.marks.reached.test(cell) || options_.marks.left.test(cell))
      colour = mixed(colour, kReached, options_.marks.reached.test(cell) ? 0.5 : 0.3);
    else if (options_.marks.taken.test(cell))
      colour = mixed(colour, kTaken, 0.45);
    return colour;
  }

  void draw_cell(TerminalCanvas& canvas, int cell) {
    const runtime::Stack& stack = position_.cells[static_cast<std::size_t>(cell)];
    if (stack.empty() && !scene_.drawn_empty(cell)) return;
    const int x = x_of(cell), y = y_of(cell), left = column(x, y), at = row(x, y), room = width(x);
    const Colour ground = ground_below(cell);
    if (options_.color && (!has_lines() || scene_.region(cell) >= 0))
      for (int i = -above(); i <= below(); ++i) canvas.fill(left, at + i, room, ground);
    if (scene_.pits()) draw_pit(canvas, left, at, room, ground);
    if (stack.empty()) {
      const Colour faint =
          mixed(ground, contrast(ground, {0, 0, 0}) > 4.6 ? Colour{0, 0, 0} : Colour{255, 255, 255}, 0.45);
      const Colour ink = ink_on(ground, faint, depth_);
      const bool lines = options_.color && has_lines();
      const bool owned = !scene_.look().owned_lines.empty() && !options_.marks.any();
      canvas.put(left + (room - 1) / 2, at, empty_text(cell),
                 lines   ? std::nullopt
                 : owned ? std::optional(line_ink(line_owner(cell), ground))
                         : std::optional(ink));
      return;
    }
    draw_piece(canvas, cell, stack, ground);
  }

  void draw_pit(TerminalCanvas& canvas, int left, int at, int room, Colour ground) const {
    canvas.put(left, at, "(", mark_ink(ground));
    canvas.put(left + room - 1, at, ")", mark_ink(ground));
  }

  void draw_piece(TerminalCanvas& canvas, int cell, const runtime::Stack& stack, Colour ground) {
    const int x = x_of(cell), y = y_of(cell), left = column(x, y), at = row(x, y), room = width(x);
    const PieceSign& sign = scene_.sign(stack.back());
    const std::string text = text_of(cell);
    const int columns = columns_of(text), from = left + std::max(0, (room - columns) / 2);
    const Colour ink =
        seeds(stack) ? mark_ink(ground) : visible(sign.fill, stack.back().owner, ground_of(cell));
    if (sign.shape == Shape::bar) {
      for (int i = 0; i < room; ++i) canvas.put(left + i, at, "█", ink);
    } else if (has_lines() && scene_.region(cell) < 0 && options_.color) {
      canvas.fill(std::min(left, from), at, std::max(columns, room), ground);
    }
    if (sign.shape != Shape::bar) canvas.put(from, at, text, ink, true);
    if (!options_.marks.reached.test(cell)) return;
    const char* const mark = options_.marks.taken.test(cell) ? "×" : "‹";
    if (room >= columns + 2) {
      canvas.put(from - 1, at, mark, mark_ink(ground), true);
      canvas.put(from + columns, at, "›", mark_ink(ground), true);
    } else if (room > columns) { // of a narrow board: one of the two is all that there is room for
      canvas.put(from + columns, at, mark, mark_ink(ground), true);
    }
  }

  [[nodiscard]] bool seeds(const runtime::Stack& stack) const {
    return scene_.pits() && stack.back().owner < 0;
  }
  // Paler or darker than the cell is without it, where it wouldn't be seen.
  [[nodiscard]] Colour ground_below(int cell) const {
    const runtime::Stack& stack = position_.cells[static_cast<std::size_t>(cell)];
    const Colour ground = ground_of(cell);
    if (stack.empty() || seeds(stack)) return ground;
    return ground_under(visible(scene_.sign(stack.back()).fill, stack.back().owner, ground), ground, depth_);
  }

  // Colours of kinds and regions may be too near to one another: then the piece has its owner's.
  [[nodiscard]] Colour visible(Colour fill, int owner, Colour ground) const {
    constexpr double kLeast = 1.5;
    return contrast(fill, ground) >= kLeast ? fill : scene_.owner(owner);
  }
  [[nodiscard]] Colour mark_ink(Colour wanted) const {
    const Colour ground = depth_ == Depth::sixteen ? shown(wanted, depth_, Use::ground) : wanted;
    constexpr Colour kBlack{0, 0, 0}, kWhite{255, 255, 255};
    return contrast(ground, kBlack) > contrast(ground, kWhite) ? kBlack : kWhite;
  }

  // --- lines between points

  void draw_lines(TerminalCanvas& canvas) const {
    if (has_lines()) {
      for (const auto& [a, b] : scene_.look().lines) draw_line(canvas, a, b);
      return;
    }
    if (!scene_.look().owned_lines.empty()) draw_over_holes(canvas);
    for (int cell = 0; cell < board_.cells && !board_.hexes; ++cell) {
      const int x = x_of(cell), y = y_of(cell), left = column(x, y), room = width(x), at = middle(x, y);
      const Arms lines = arms(cell);
      for (int i = 0; i < room; ++i)
        if (const int owner = lines[left + i < at ? 3 : 1]; owner != kNoLine && left + i != at)
          canvas.put(left + i, row(x, y), is_heavy(owner) ? "━" : "─", line_ink(owner, ground_below(cell)));
      for (int i = 1; i < tall_ && lines[2] != kNoLine; ++i) {
        if (options_.color) canvas.fill(left, row(x, y) + i, room, ground_.middle());
        canvas.put(at, row(x, y) + i, is_heavy(lines[2]) ? "┃" : "│", line_ink(lines[2], ground_.middle()));
      }
    }
  }

  // A player's line goes on where there is no point.
  void draw_over_holes(TerminalCanvas& canvas) const {
    for (const interpreter::OwnedLine& line : scene_.look().owned_lines) {
      const int ax = x_of(line.from), ay = y_of(line.from), bx = x_of(line.to), by = y_of(line.to);
      if ((ax == bx) == (ay == by)) continue;
      const int dx = (bx > ax) - (bx < ax), dy = (by > ay) - (by < ay);
      for (int x = ax + dx, y = ay + dy; x != bx || y != by; x += dx, y += dy) {
        const Colour ink = line_ink(line.player, ground_.middle());
        for (int i = 0; i < pitch(); ++i) {
          if (options_.color) canvas.fill(column(x, y), row(x, y) + i, width(x), ground_.middle());
          if (dx == 0) canvas.put(middle(x, y), row(x, y) + i, is_heavy(line.player) ? "┃" : "│", ink);
        }
        for (int i = 0; dy == 0 && i < width(x); ++i)
          canvas.put(column(x, y) + i, row(x, y), is_heavy(line.player) ? "━" : "─", ink);
      }
    }
  }

  // Bars along the board; without colours the letter of the player's pieces.
  void draw_side(TerminalCanvas& canvas, const SideEdge& edge) const {
    const int sign = options_.flipped ? -1 : 1, dx = sign * edge.dx, dy = sign * edge.dy;
    const int x = x_of(edge.cell), y = y_of(edge.cell), left = column(x, y);
    if (upright_) return draw_upright_side(canvas, edge, dx, dy);
    if (dy == 0) {
      const int at = dx < 0 ? left - 1 : left + width_of(x);
      for (int i = -above(); i <= below(); ++i) put_side(canvas, at, row(x, y) + i, dx < 0 ? "▐" : "▌", edge);
      return;
    }
    // Of a hex a bar is above or below, if both of its neighbours there are missing.
    const auto both = std::count_if(edges_.begin(), edges_.end(), [&](const SideEdge& other) {
      return other.cell == edge.cell && other.player == edge.player && other.dy == edge.dy;
    });
    if (board_.hexes && both < 2) return;
    const int at = dy > 0 ? row(x, y) - above() - 1 : row(x, y) + below() + 1;
    for (int i = 0; i < width_of(x); ++i) put_side(canvas, left + i, at, dy > 0 ? "▄" : "▀", edge);
  }

  // Above, below, or beside the half of the hex that lies there.
  void draw_upright_side(TerminalCanvas& canvas, const SideEdge& edge, int dx, int dy) const {
    const int x = x_of(edge.cell), y = y_of(edge.cell), left = column(x, y), at = row(x, y);
    if (dx == 0) {
      for (int i = 0; i < width_of(x); ++i)
        put_side(canvas, left + i, dy > 0 ? at - above() - 1 : at + below() + 1, dy > 0 ? "▄" : "▀", edge);
      return;
    }
    const bool upper = halves(x + dx, y + dy) > halves(x, y);
    const int from = upper ? at - above() : at - above() + tall_ / 2;
    for (int i = 0; i < std::max(1, tall_ / 2); ++i)
      put_side(canvas, dx < 0 ? left - 1 : left + width_of(x), from + i, dx < 0 ? "▐" : "▌", edge);
  }

  void put_side(TerminalCanvas& canvas, int column, int row, const char* bar, const SideEdge& edge) const {
    const Colour ink = scene_.owner(edge.player);
    if (options_.color) canvas.fill(column, row, 1, ground_under(ink, ground_.middle(), depth_));
    canvas.put(column, row, options_.color ? std::string(bar) : letter_of(edge.player), ink);
  }

  [[nodiscard]] std::string letter_of(int player) const {
    for (const runtime::Kind& kind : program_.kinds)
      if (const char letter = kind.letter[static_cast<std::size_t>(player)]; letter != 0)
        return std::string(1, letter);
    return "*";
  }

  [[nodiscard]] int middle(int x, int y) const { return column(x, y) + (width(x) - 1) / 2; }

  // Straight on or diagonal, as far as characters can.
  void draw_line(TerminalCanvas& canvas, int a, int b) const {
    const int ax = middle(x_of(a), y_of(a)), ay = row(x_of(a), y_of(a)), bx = middle(x_of(b), y_of(b)),
              by = row(x_of(b), y_of(b));
    const int dx = (bx > ax) - (bx < ax), dy = (by > ay) - (by < ay);
    if (dy == 0)
      for (int x = std::min(ax, bx) + 1; x < std::max(ax, bx); ++x) join(canvas, x, ay, "─");
    else if (dx == 0)
      for (int y = std::min(ay, by) + 1; y < std::max(ay, by); ++y) join(canvas, ax, y, "│");
    else if (std::abs(bx - ax) * kPointRows == std::abs(by - ay) * kPointPitch)
      for (int i = 1; i < std::abs(by - ay); ++i)
        join(canvas, ax + dx * i * (kPointPitch / kPointRows), ay + dy * i, dx == dy ? "╲" : "╱");
  }

  static void join(TerminalCanvas& canvas, int x, int y, const std::string& sign) {
    canvas.put(x, y, canvas.is_blank(x, y) || (sign != "╲" && sign != "╱") ? sign : "╳");
  }

  // --- labels

  [[nodiscard]] int label_rows() const { return labels_.file.empty() ? 0 : 1; }

  struct Label {
    int column, row;
    std::string text;
  };

  [[nodiscard]] std::vector<Label> file_labels() const {
    std::map<int, int> ends; // by x as it is seen
    for (int cell = 0; cell < board_.cells; ++cell) {
      const auto place = ends.emplace(x_of(cell), y_of(cell)).first;
      place->second =
          letters_above_ ? std::max(place->second, y_of(cell)) : std::min(place->second, y_of(cell));
    }
    std::vector<Label> found;
    for (const auto& [x, y] : ends) {
      const auto label = labels_.file.find(options_.flipped ? board_.files + 1 - x : x);
      if (label == labels_.file.end()) continue;
      const int under = board_.hexes ? y - 1 - pad_ : 0, room = width(x);
      const int at = letters_above_ ? row(x, y) - above() - 1 - pad_
                     : board_.hexes ? row(x, y) + below() + 1 + pad_ // a step south of the lowest cell
                                    : rows_;
      found.push_back(
          {column(x, under) + std::max(0, (room - columns_of(label->second)) / 2), at, label->second});
    }
    return found;
  }

  // Of hexes: where the ranks begin, or where they end.
  [[nodiscard]] std::vector<Label> rank_labels(bool right) const {
    std::vector<Label> found;
    for (const RankEnd& end : rank_ends(labels_, board_, right != options_.flipped)) {
      const int x = x_of(end.cell), y = y_of(end.cell);
      const int at =
          right ? column(x, y) + width(x) + 1 + pad_ : column(x, y) - 1 - pad_ - columns_of(end.text);
      const bool lower = upright_ && is_label_below(labels_, board_, right, options_.flipped);
      found.push_back({at, row(x, y) + (lower ? tall_ / 2 : 0), end.text});
    }
    return found;
  }

  // How many stand side by side, where they would read as the name of a cell, or on each other.
  [[nodiscard]] static std::size_t touching(const std::vector<Label>& some,
                                            const std::vector<Label>& others) {
    std::size_t found = 0;
    for (const Label& a : some)
      for (const Label& b : others)
        if (a.row == b.row && a.column <= b.column + columns_of(b.text) &&
            b.column <= a.column + columns_of(a.text))
          ++found;
    return found;
  }

  void draw_labels(TerminalCanvas& canvas) const {
    std::vector<Label> labels; // those of ranks stand in the margin where ranks begin below each other
    if (board_.hexes) labels = rank_labels(ranks_at_right_);
    for (Label& label : file_labels()) labels.push_back(std::move(label)); // these above: none may be missing
    for (const Label& label : labels) canvas.put(label.column, label.row, label.text);
  }

  [[nodiscard]] std::string rank_label(int canvas_row) const {
    if (margin_ == 0) return "";
    std::string label;
    const int from_top = canvas_row - pad_ - above();
    if (canvas_row < rows_ && from_top >= 0 && from_top % pitch() == 0) {
      const int y = board_.ranks - from_top / pitch();
      const auto found = labels_.rank.find(options_.flipped ? board_.ranks + 1 - y : y);
      if (found != labels_.rank.end()) label = found->second;
    }
    const int blanks = margin_ - 2 - columns_of(label);
    return std::string(static_cast<std::size_t>(std::max(0, blanks)), ' ') + label + "  ";
  }

  // --- all together

  // Cut between files where the board is wider than the terminal, in parts that are about as wide.
  [[nodiscard]] std::vector<std::string> in_parts(const TerminalCanvas& canvas) const {
    const int room = std::max(options_.width - margin_, 2 * wide_);
    std::vector<std::string> lines;
    for (int from = 0; from < columns_;) {
      const int left = columns_ - from, parts = (left + room - 1) / room;
      const int to = parts > 1 ? cut(from, std::min(room, left / parts + wide_ - 1)) : columns_;
      if (from > 0) lines.emplace_back();
      for (int row = 0; row < canvas.rows(); ++row) {
        std::string line = rank_label(row) + canvas.line(row, from, to, depth_);
        line.erase(line.find_last_not_of(' ') + 1);
        lines.push_back(std::move(line));
      }
      from = to;
    }
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    return lines;
  }

  // The last beginning of a file that fits.
  [[nodiscard]] int cut(int from, int room) const {
    int best = from + room;
    for (int left : left_)
      if (left += board_.hexes ? 0 : shift_; left > from && left - from <= room) best = left;
    return best;
  }

  const Program& program_;
  const Board& board_;
  const Position& position_;
  const DrawOptions& options_;
  Scene scene_;
  Labels labels_;
  Depth depth_;
  Ground ground_;
  std::vector<SideEdge> edges_;
  std::vector<Arms> arms_;
  runtime::CellSet stars_;
  bool upright_;
  bool letters_above_ = upright_ && are_letters_above(labels_, options_.flipped);
  int highest_ = 0; // of upright hexes: half cells
  int pad_;         // rows and columns around the board for its sides
  int tall_ = 1;    // rows of a cell
  int wide_ = kUsualWidth, margin_ = 0, rank_columns_ = 0, columns_ = 0, rows_ = 0, shift_ = 0;
  bool ranks_at_right_ = false; // of hexes
  std::vector<int> left_;       // by x as it is seen: its first column
};

std::string below_text(const Program& program, const Position& position) {
  const std::string stacks = mixed_stacks_text(program, position);
  return stacks.empty() ? "" : fmt::format("stacks, bottom to top: {}\n", stacks);
}

// Columns that a text beside a board needs at the least, and those of the sign before it: "▸  ●  ".
constexpr int kLeastBeside = 12, kSignColumns = 6;

// Columns of a line, escape sequences left out.
int seen_columns(const std::string& line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\x1b')
      i = std::min(line.find('m', i), line.size() - 1);
    else
      text += line[i];
  }
  return columns_of(text);
}

// Lines of more than `width` columns are broken between words and go on under the first word's text.
std::vector<std::string> broken(const std::vector<std::string>& lines, int width) {
  std::vector<std::string> all;
  for (const std::string& line : lines) {
    std::string part;
    std::size_t begin = 0;
    bool words = false;
    const std::string indent(kSignColumns, ' ');
    while (begin < line.size()) {
      std::size_t end = line.find_first_not_of(' ', begin);
      end = std::min(line.find(' ', end), line.size());
      const std::string word = line.substr(begin, end - begin); // with the blanks before it
      if (words && seen_columns(part + word) > width) {
        all.push_back(std::move(part));
        part = indent + word.substr(word.find_first_not_of(' '));
      } else {
        part += word;
      }
      words = true;
      begin = end;
    }
    all.push_back(std::move(part));
  }
  return all;
}

constexpr int kGapBeside = 3;
constexpr std::string_view kToMove = " to move";

int widest_of(const std::vector<std::string>& lines) {
  int widest = 0;
  for (const std::string& line : lines) widest = std::max(widest, seen_columns(line));
  return widest;
}

// The second of two texts as it stands beside the first, with long lines broken if need be; nothing where it
// doesn't fit.
std::optional<std::vector<std::string>> fitted_beside(const std::vector<std::string>& board,
                                                      const std::vector<std::string>& rest, int width) {
  const int room = width - widest_of(board) - kGapBeside;
  std::vector<std::string> shorter = rest;
  for (std::string& line : shorter) // the mark before the name says it, too
    if (line.ends_with(kToMove) && seen_columns(line) > room) line.resize(line.size() - kToMove.size());
  auto narrow = room >= kLeastBeside ? broken(shorter, room) : rest;
  const bool fits = narrow.size() <= std::max(board.size(), rest.size()) &&
                    std::all_of(narrow.begin(), narrow.end(),
                                [&](const std::string& line) { return seen_columns(line) <= room; });
  return fits ? std::optional(std::move(narrow)) : std::nullopt;
}

// Two texts side by side, where they fit; else one below the other, or above it where that would push the
// board off the screen (`height` rows, 0: who knows).
std::string beside(const std::vector<std::string>& board, std::vector<std::string> rest, int width,
                   int height) {
  const int left = widest_of(board);
  auto narrow = fitted_beside(board, rest, width);
  const bool fits = narrow.has_value();
  if (fits) rest = std::move(*narrow);
  const bool above = !fits && height > 0 && board.size() + rest.size() > static_cast<std::size_t>(height);
  std::string text;
  for (std::size_t i = 0; above && i < rest.size(); ++i) text += rest[i] + "\n";
  for (std::size_t i = 0; i < std::max(board.size(), fits ? rest.size() : 0); ++i) {
    std::string line = i < board.size() ? board[i] : "";
    if (fits && i < rest.size() && !rest[i].empty())
      line += std::string(static_cast<std::size_t>(left + kGapBeside - seen_columns(line)), ' ') + rest[i];
    text += line + "\n";
  }
  if (!fits && !above)
    for (const std::string& line : rest) text += line + "\n";
  return text;
}

// The board, or as much of it as so many rows and the width have room for.
std::vector<std::string> board_lines(const BoardWindow& whole, const DrawOptions& options, int rows) {
  DrawOptions seen = options;
  seen.look = whole.look();
  seen.marks = whole.seen(options.marks);
  const BoardFrame frame = frame_of(Scene(whole.program(), whole.look()));
  if (options.part == nullptr) return Drawing(whole.program(), whole.position(), seen, frame).lines();
  const auto drawing_of = [&](const Rectangle& part, auto&& use) {
    const BoardWindow window(whole, part);
    const runtime::Board &all = whole.program().board, &some = window.program().board;
    DrawOptions of_part = seen;
    of_part.look = window.look();
    of_part.marks = window.seen(seen.marks);
    if (some.files < all.files || some.ranks < all.ranks) {
      of_part.height = 0; // it isn't drawn larger
      of_part.width -= kSignColumnsAround;
    }
    Drawing drawing(window.program(), window.position(), of_part, frame_of_part(frame, window));
    return use(drawing);
  };
  const auto takes = [&](const Rectangle& part) {
    return drawing_of(part, [](Drawing& drawing) { return drawing.room(); });
  };
  const auto part = part_to_draw(whole, {options.width, rows}, *options.part, takes);
  if (!part) return Drawing(whole.program(), whole.position(), seen, frame).lines();
  return drawing_of(*part, [&](Drawing& drawing) {
    const auto lines = drawing.lines();
    return with_signs(lines, drawing.board_rows(), whole, *part, options);
  });
}

} // namespace

std::string terminal_sign(const Scene& scene, runtime::Piece piece, bool color) {
  const PieceSign& sign = scene.sign(piece);
  const std::string letter(1, scene.program().letter_of(piece));
  if (sign.shape == Shape::bar) return "█";
  if (!color) return letter;
  if (!sign.text.empty()) return sign.text;
  switch (sign.shape) {
  case Shape::disc: return "●";
  case Shape::ring: return "◯";
  case Shape::square: return "■";
  case Shape::diamond: return "◆";
  case Shape::triangle: return "▲";
  case Shape::star: return "★";
  default: return letter;
  }
}

std::vector<std::string> signs_of_kinds(const runtime::Program& program, const interpreter::Look* look) {
  const Scene scene(program, look);
  std::vector<std::string> kinds;
  for (std::size_t kind = 0; kind < program.kinds.size(); ++kind) {
    std::vector<std::string> signs, told;
    for (std::size_t owner = 0; owner < program.kinds[kind].letter.size(); ++owner) {
      if (program.kinds[kind].letter[owner] == 0) continue;
      const bool neutral = owner >= program.players.size();
      const runtime::Piece piece{static_cast<std::int8_t>(neutral ? -1 : static_cast<int>(owner)),
                                 static_cast<std::int8_t>(kind)};
      signs.push_back(terminal_sign(scene, piece, true));
      told.push_back((neutral ? "neutral" : program.players[owner].name) + " " + signs.back());
    }
    const bool alike = std::adjacent_find(signs.begin(), signs.end(), std::not_equal_to<>()) == signs.end();
    kinds.push_back(alike && !signs.empty() ? signs.front() : fmt::format("{}", fmt::join(told, ", ")));
  }
  return kinds;
}

std::string draw_board_unicode(const Program& program, const Position& position, const DrawOptions& options) {
  const Scene scene(program, options.look);
  const BoardWindow window(program, position, options.look, cells_of(options.marks));
  std::vector<std::string> rest;
  if (options.rest) rest = rest_lines(scene, position, options);
  for (const std::string& line : region_lines(scene, options)) rest.push_back(line);
  std::string named = named_cells_text(window.program().board, options.flipped);
  if (options.part == nullptr)
    return beside(board_lines(window, options, 0), rest, options.width, options.height) +
           below_text(program, position) + named;
  BoardPart part = *options.part;
  DrawOptions of_part = options;
  of_part.part = &part;
  auto lines = board_lines(window, of_part, part.rows);
  if (!part.is_all() && !fitted_beside(lines, rest, options.width)) {
    // What stands below takes rows, too; the board has half of them in any case.
    part = *options.part;
    lines = board_lines(window, of_part, std::max(part.rows - static_cast<int>(rest.size()), part.rows / 2));
  }
  *options.part = part;
  if (!part.is_all()) named.clear(); // of cells that mostly aren't seen
  return beside(lines, rest, options.width, part.is_all() ? options.height : 0) +
         below_text(program, position) + named;
}

} // namespace boardwright::tools
