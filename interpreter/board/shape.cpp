#include "interpreter/board/shape.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

namespace boardwright::interpreter {

namespace {

// A side of a board without edges is at most so long, since a board has no more cells.
constexpr int kMostRound = 24;
static_assert(kMostRound * kMostRound <= runtime::kMaxCells);
constexpr int kUsualMargin = 2;

class ShapeReader {
public:
  ShapeReader(const dsl::RuleFile& file, const ConstantNumber& number, dsl::Diagnostics& diagnostics)
      : board_(file.board), options_(file.options), number_(number), diagnostics_(diagnostics) {}

  std::optional<Geometry> read() {
    if (!outline()) return std::nullopt;
    g_.over_holes = board_.steps_over_holes;
    g_.row_column_names = board_.names_row_column;
    g_.names_by_file = board_.names_by_file;
    g_.letters_left_out = board_.letters_left_out;
    if (board_.names_row_column && !board_.letters_left_out.empty())
      diagnostics_.error("board", board_.span, "`names: row column` names no file by a letter").help =
          "leave out `letters`";
    g_.name_places();
    g_.present = g_.shape;
    rename_cells();
    if (!board_.lines.empty()) lines();
    for (const auto& track : board_.tracks) this->track(track);
    return std::move(g_);
  }

private:
  using Shape = dsl::BoardSection::Shape;

  // ---- the outline
  bool outline() {
    g_.hexes = board_.shape == Shape::hexes || board_.shape == Shape::hexagon;
    g_.hexagon = board_.shape == Shape::hexagon;
    g_.slant_right = board_.slant_right;
    if (board_.slant_right && !g_.hexes) diagnostics_.error("board", board_.span, "`slant` is for hexes");
    if (board_.endless) return endless();
    for (const auto* of : {&board_.reach, &board_.margin})
      if (*of)
        diagnostics_.error("endless", (*of)->span, "`reach` and `margin` are for boards without edges").help =
            "squares: endless";
    switch (board_.shape) {
    case Shape::missing: return false;
    case Shape::picture: return picture();
    case Shape::hexagon: return hexagon();
    case Shape::squares:
    case Shape::hexes: break;
    }
    if (!board_.files || !board_.ranks) return false; // what was written can't be read, as has been said
    const auto files = side(*board_.files), ranks = side(*board_.ranks);
    if (!files || !ranks) return false;
    return box(*files, *ranks, [](Place) { return true; });
  }

  // A board without edges is one on which steps lead round. It has room for what may stand there and for the
  // margin beside it, so that nothing ever meets itself from the other side.
  bool endless() {
    const bool shaped = board_.holes || board_.steps_over_holes || !board_.lines.empty() ||
                        !board_.tracks.empty() || !board_.curves.empty() || board_.names_row_column ||
                        board_.names_by_file || !board_.letters_left_out.empty();
    if (shaped) {
      diagnostics_.error("endless", board_.span,
                         "`holes`, `steps`, `lines`, `tracks`, `curves`, `letters`, `names: row column` and "
                         "`names: by file` "
                         "are for boards with edges");
      return false;
    }
    const auto size = [this](const std::optional<dsl::Ast>& tree, std::int64_t otherwise) {
      return tree ? number_(*tree) : std::optional(otherwise);
    };
    const auto margin = size(board_.margin, kUsualMargin);
    const auto reach = size(board_.reach, kMostRound - margin.value_or(kUsualMargin));
    if (!margin || !reach) return false;
    const dsl::Span span = board_.reach    ? board_.reach->span
                           : board_.margin ? board_.margin->span
                                           : board_.span;
    if (*margin < 1 || *reach <= *margin || *reach + *margin > kMostRound) {
      diagnostics_
          .error("endless", span,
                 fmt::format("`margin` is at least 1, `reach` is more, and together they are at most {}; "
                             "these are {} and {}",
                             kMostRound, *margin, *reach))
          .help = "what would spread farther can be kept away by `require spread(occupied) <= n`";
      return false;
    }
    g_.reach = static_cast<int>(*reach);
    g_.margin = static_cast<int>(*margin);
    const int side = g_.reach + g_.margin;
    return box(side, side, [](Place) { return true; });
  }

  std::optional<int> side(const dsl::Ast& tree) {
    const auto n = number_(tree);
    if (!n) return std::nullopt;
    if (*n >= 1 && *n <= kMaxSide) return static_cast<int>(*n);
    diagnostics_.error("board", tree.span,
                       fmt::format("a side of the board is 1 to {} cells long, not {}", kMaxSide, *n));
    return std::nullopt;
  }

  // "the option `size` is 24": where it says how large the board is.
  std::string options_of_size() {
    std::set<std::string> seen;
    std::string text;
    const auto look = [&](const auto& self, const dsl::Ast& tree) -> void {
      for (const dsl::Ast& kid : tree.kids) self(self, kid);
      const bool is_option = tree.form == dsl::Form::name &&
                             std::any_of(options_.begin(), options_.end(),
                                         [&](const auto& o) { return o.name.text == tree.word; });
      if (!is_option || !seen.insert(tree.word).second) return;
      if (const auto value = number_(tree))
        text += fmt::format("{}the option `{}` is {}", text.empty() ? "" : ", ", tree.word, *value);
    };
    for (const auto* tree : {&board_.files, &board_.ranks, &board_.side})
      if (*tree) look(look, **tree);
    return text;
  }

  template <class Belongs>
  bool box(int files, int ranks, Belongs belongs) {
    g_.files = files;
    g_.ranks = ranks;
    g_.shape.assign(static_cast<std::size_t>(files) * static_cast<std::size_t>(ranks), false);
    int cells = 0;
    for (int y = 1; y <= ranks; ++y) {
      for (int x = 1; x <= files; ++x) {
        if (!belongs(Place{x, y})) continue;
        g_.shape[g_.index({x, y})] = true;
        ++cells;
      }
    }
    if (cells > runtime::kMaxCells)
      diagnostics_
          .error("board", board_.span,
                 fmt::format("a board may have at most {} cells, this one has {}{}", runtime::kMaxCells,
                             cells, board_.holes ? " before its `holes` are taken away" : ""))
          .help = options_of_size();
    if (cells == 0) diagnostics_.error("board", board_.span, "this board has no cell");
    return cells > 0 && cells <= runtime::kMaxCells;
  }

  bool hexagon() {
    if (!board_.side) return false;
    const auto n = side(*board_.side);
    if (!n) return false;
    const int slant = g_.slant_right ? -1 : 1;
    return box(2 * *n - 1, 2 * *n - 1,
               [&](Place p) { return std::abs(p.x + slant * p.y - (1 + slant) * *n) < *n; });
  }

  bool picture() {
    const auto& rows = board_.picture;
    std::size_t width = 0;
    for (const auto& row : rows) width = std::max(width, row.signs.size());
    if (rows.size() > static_cast<std::size_t>(kMaxSide) || width > static_cast<std::size_t>(kMaxSide)) {
      diagnostics_.error("board", board_.span,
                         fmt::format("a side of the board is at most {} cells long", kMaxSide));
      return false;
    }
    const int ranks = static_cast<int>(rows.size());
    return box(static_cast<int>(width), ranks, [&](Place p) {
      const auto& row = rows[static_cast<std::size_t>(ranks - p.y)].signs;
      if (static_cast<std::size_t>(p.x) > row.size()) return false;
      const std::string& sign = row[static_cast<std::size_t>(p.x - 1)].text;
      return sign != " " && sign != "#" && !sign.empty();
    });
  }

  // ---- names
  std::optional<Place> place(const dsl::Name& name) {
    const auto found = g_.find(name.text);
    if (found) return found;
    auto& error =
        diagnostics_.error("board", name.span, fmt::format("`{}` is no cell of the board", name.text));
    if (const std::string now = renamed_to(board_, name.text); !now.empty())
      error.help = fmt::format("`names` of the board calls this cell `{}`", now);
    else if (name.text.find("..") != std::string::npos)
      error.help = "every cell on the way is named, one after the other: `a1 b1 c1`";
    else
      error.help = g_.cells_instead_of(name.text);
    return found;
  }

  // All at once: a cell may take the name that another one gives up, whatever their order.
  void rename_cells() {
    std::map<Place, const dsl::Name*> renamed;
    for (const auto& [name, cell] : board_.names) {
      const auto p = place(cell);
      if (p && !renamed.emplace(*p, &name).second)
        diagnostics_.error("name-clash", cell.span, fmt::format("`{}` is given two names", cell.text));
    }
    for (const auto& [p, name] : renamed) g_.forget_name(p);
    for (const auto& [p, name] : renamed) {
      if (g_.find(name->text))
        diagnostics_.error("name-clash", name->span, fmt::format("`{}` is a cell already", name->text));
      else
        g_.rename(p, name->text);
    }
  }

  // ---- lines
  void lines() {
    g_.lines.emplace();
    std::set<Place> kept;
    for (const auto& line : board_.lines) {
      switch (line.what) {
      case dsl::LineEntry::What::ranks:
        for (int y = 1; y <= g_.ranks; ++y) join(straight({1, y}, {1, 0}, g_.files), line.span, kept);
        break;
      case dsl::LineEntry::What::files:
        for (int x = 1; x <= g_.files; ++x) join(straight({x, 1}, {0, 1}, g_.ranks), line.span, kept);
        break;
      case dsl::LineEntry::What::chain: join(chain(line), line.span, kept); break;
      }
    }
    for (int y = 1; y <= g_.ranks; ++y)
      for (int x = 1; x <= g_.files; ++x)
        if (!kept.contains({x, y})) g_.present[g_.index({x, y})] = false;
  }

  static std::vector<Place> straight(Place from, Vector by, int count) {
    std::vector<Place> places;
    for (int i = 0; i < count; ++i) places.push_back({from.x + i * by.dx, from.y + i * by.dy});
    return places;
  }

  std::vector<Place> chain(const dsl::LineEntry& line) {
    std::vector<Place> places;
    for (const auto& stretch : line.chain) {
      const auto from = place(stretch.from);
      if (!from) return {};
      places.push_back(*from);
      if (!stretch.to) continue;
      const auto to = place(*stretch.to);
      if (!to) return {};
      for (Place p = *from; p != *to;) {
        p = {p.x + (to->x > p.x) - (to->x < p.x), p.y + (to->y > p.y) - (to->y < p.y)};
        places.push_back(p);
      }
    }
    return places;
  }

  // A place leads to one other in each of the eight directions.
  void lead(Place from, Vector by, Place to, dsl::Span line) {
    const auto [known, fresh] = g_.lines->try_emplace({from, by}, to);
    if (fresh || known->second == to) return;
    diagnostics_
        .error("board", line,
               fmt::format("from `{}` two lines lead in the same direction, to `{}` and to `{}`",
                           g_.name(from), g_.name(known->second), g_.name(to)))
        .help = "each of the eight directions leads to one cell; what leads elsewhere is a track: "
                "`tracks: { NAME: CELLS }`";
  }

  void join(const std::vector<Place>& places, dsl::Span line, std::set<Place>& kept) {
    const auto sign = [](int n) { return (n > 0) - (n < 0); };
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (!g_.in_shape(places[i])) continue;
      kept.insert(places[i]);
      if (i + 1 == places.size() || !g_.in_shape(places[i + 1])) continue;
      const Place p = places[i], q = places[i + 1];
      const Vector by{sign(q.x - p.x), sign(q.y - p.y)};
      lead(p, by, q, line);
      lead(q, Vector{-by.dx, -by.dy}, p, line);
    }
  }

  // ---- tracks
  void track(const dsl::TrackEntry& entry) {
    std::vector<Place> places;
    std::set<Place> seen;
    bool all = true; // are cells?
    for (std::size_t i = 0; i < entry.cells.size(); ++i) {
      const auto p = place(entry.cells[i]);
      all = all && p;
      if (!p) continue;
      const bool closes = i + 1 == entry.cells.size() && !places.empty() && *p == places.front();
      if (!seen.insert(*p).second && !closes)
        diagnostics_
            .error("board", entry.cells[i].span,
                   fmt::format("`{}` is on this track twice", entry.cells[i].text))
            .help = "a track passes no cell twice; it is closed if its last cell is also its first";
      places.push_back(*p);
    }
    if (entry.cells.size() < 2 && all)
      diagnostics_.error("board", entry.name.span, "a track joins two cells at least");
    g_.tracks.emplace_back(entry.name.text, places);
  }

  const dsl::BoardSection& board_;
  const std::vector<dsl::OptionEntry>& options_;
  const ConstantNumber& number_;
  dsl::Diagnostics& diagnostics_;
  Geometry g_;
};

} // namespace

std::optional<Geometry> make_shape(const dsl::RuleFile& file, const ConstantNumber& number,
                                   dsl::Diagnostics& diagnostics) {
  return ShapeReader(file, number, diagnostics).read();
}

std::optional<std::vector<int>> files_of_row(const dsl::PictureRow& row, int files, std::vector<int> cells,
                                             dsl::Diagnostics& diagnostics) {
  const auto count = row.signs.size(), all = static_cast<std::size_t>(files);
  if (count == cells.size() && count < all) return cells;
  const bool reaches_all = cells.empty() || count >= static_cast<std::size_t>(cells.back());
  if (count <= all && reaches_all) {
    std::vector<int> from_the_left(count);
    std::iota(from_the_left.begin(), from_the_left.end(), 1);
    return from_the_left;
  }
  auto& error = diagnostics.error(
      "picture", row.span, fmt::format("this row has {} symbols, but the board has {} files", count, files));
  if (count > all) return std::nullopt;
  error.help =
      cells.size() == all
          ? "`.` is an empty cell"
          : fmt::format("a row has a symbol for each file, or one for each cell: here {}", cells.size());
  return std::nullopt;
}

std::optional<Place> corner_of_picture(const std::vector<dsl::PictureRow>& picture, Place middle, int reach,
                                       dsl::Diagnostics& diagnostics) {
  std::size_t files = 0;
  for (const auto& row : picture) files = std::max(files, row.signs.size());
  const int longer = static_cast<int>(std::max(files, picture.size()));
  if (longer > reach) {
    diagnostics.error(
        "picture", picture.front().span,
        fmt::format("this picture has {} files or ranks, but the board's `reach` is {}", longer, reach));
    return std::nullopt;
  }
  return Place{middle.x - (static_cast<int>(files) - 1) / 2,
               middle.y - (static_cast<int>(picture.size()) - 1) / 2};
}

namespace {

std::vector<int> cells_of_rank(const Geometry& geometry, int y) {
  std::vector<int> cells;
  for (int x = 1; x <= geometry.files; ++x)
    if (geometry.is_cell({x, y})) cells.push_back(x);
  return cells;
}

} // namespace

std::vector<Sign> signs_of(const std::vector<dsl::PictureRow>& picture, const Geometry& geometry,
                           dsl::Diagnostics& diagnostics) {
  std::vector<Sign> signs;
  if (picture.empty()) return signs;
  if (geometry.endless()) {
    const auto corner = corner_of_picture(picture, geometry.origin(), geometry.reach, diagnostics);
    int rank = corner ? corner->y + static_cast<int>(picture.size()) : 0;
    for (std::size_t k = 0; corner && k < picture.size(); ++k) {
      --rank;
      for (std::size_t i = 0; i < picture[k].signs.size(); ++i) {
        signs.push_back({{corner->x + static_cast<int>(i), rank}, picture[k].signs[i]});
        if (picture[k].signs[i].text == "#")
          diagnostics.error("endless", picture[k].signs[i].span, "a board without edges has no holes");
      }
    }
    return signs;
  }
  if (picture.size() != static_cast<std::size_t>(geometry.ranks)) {
    diagnostics.error(
        "picture", picture.front().span,
        fmt::format("the board has {1} ranks, but the picture shows {0}", picture.size(), geometry.ranks));
    const auto& last = picture.back().signs;
    if (!last.empty() && last.front().text.ends_with(":"))
      diagnostics.last().help =
          fmt::format("nothing but rows stands in a picture; `{}` goes along with entries, as in "
                      "`setup: {{ w: rank(1), shuffle: rank(1) }}`",
                      last.front().text);
    return signs;
  }
  int y = geometry.ranks;
  for (const auto& row : picture) {
    const auto files = files_of_row(row, geometry.files, cells_of_rank(geometry, y), diagnostics);
    for (std::size_t i = 0; files && i < files->size(); ++i)
      signs.push_back({{(*files)[i], y}, row.signs[i]});
    --y;
  }
  return signs;
}

std::string renamed_to(const dsl::BoardSection& board, std::string_view cell) {
  for (const auto& [name, before] : board.names)
    if (before.text == cell) return name.text;
  return "";
}

} // namespace boardwright::interpreter
