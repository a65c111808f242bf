// A lint about set-ups that are the same for all players but for a few pieces: one was forgotten, or stands
// on another cell than its counterpart.
#include "interpreter/compile.hpp"
#include "interpreter/lints/lints.hpp"
#include "interpreter/lints/symmetry.hpp"
#include "interpreter/meaning/elaborator.hpp"
#include "runtime/model/meter.hpp"
#include "runtime/model/piece_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace boardwright::interpreter {
namespace {

using runtime::Board;
using runtime::Program;

// Of a set-up with fewer pieces a difference may well be the game's idea.
constexpr int kFewestPieces = 5;
// One piece of so many may lack its counterpart, or the players' set-ups are different ones.
constexpr int kUnlikeOneOf = 4;
// If more than these lack one, no more than one of so many may.
constexpr int kFew = 2, kFewOf = 8;
// Cells that a message names.
constexpr std::size_t kMostNamed = 4;
// Values of each option that the board's size goes by, beside its default.
constexpr std::size_t kMostValues = 3;
// Loads with other values: each takes a few milliseconds.
constexpr std::size_t kMaxLoads = 8;

class Mirror {
public:
  Mirror(const Linted& in, const Program& program, dsl::Diagnostics& out)
      : in_(in), program_(program), out_(out) {
    for (const auto& stack : program.initial.cells)
      for (const auto& piece : stack) {
        ++pieces_;
        if (piece.owner >= 0) ++of_player_[piece.owner];
      }
    alike_ = pieces_ > 0 && program.player_count() > 1;
    for (const auto& stack : program.initial.cells)
      for (const auto& piece : stack) {
        const auto& letters = program.kinds[static_cast<std::size_t>(piece.kind)].letter;
        for (std::size_t player = 0; player + 1 < letters.size() && piece.owner >= 0; ++player)
          alike_ = alike_ && letters[player] != 0;
      }
  }

  // Is the set-up exactly the same for both players?
  [[nodiscard]] bool is_even() const { return alike_ && pieces_ > 0 && nearest().empty(); }

  void report() {
    if (!alike_) return of_hunt();
    if (pieces_ < kFewestPieces) return;
    if (program_.player_count() > 2) return numbers();
    if (of_player_.empty()) return one_half();
    if (of_player_.size() < 2 || shifted()) return;
    const auto odd = nearest();
    const int count = static_cast<int>(odd.size());
    if (odd.empty()) {
      if (!neutrals(true)) values();
      return;
    }
    if (is_meant(count) && !is_rank(odd) && !is_rank_off(odd)) return exchanged(odd);
    tell(odd);
  }

  // With another value of an option than the default, with which all is even.
  void report_with(const std::string& setting) {
    const auto odd = nearest();
    if (!alike_ || of_player_.size() < 2 || program_.player_count() > 2 || odd.empty()) return;
    const dsl::SetupEntry* entry = nullptr;
    for (const auto& one : in_.file.setup.entries)
      if (entry == nullptr && stands_for(one, odd.back().cell)) entry = &one;
    out_.warning("setup-not-mirrored", entry != nullptr ? entry->cells.span : in_.file.setup.span,
                 fmt::format("with `{}` the set-up is not the same for both players", setting))
        .help = "say by the size of the board where the pieces stand: `rank(ranks)`, `row(-1)`";
  }

private:
  // So many differences are no mistake.
  [[nodiscard]] bool is_meant(int count) const {
    return count * kUnlikeOneOf > pieces_ || (count > kFew && count * kFewOf > pieces_);
  }

  // Two pieces on one another's cells: the set-up would be even if they changed places.
  void exchanged(const std::vector<Lacking>& odd) {
    constexpr std::size_t kMostOfExchange = 4; // both, and their counterparts
    if (odd.size() > kMostOfExchange) return;
    runtime::Position changed = program_.initial;
    for (const Lacking& a : odd)
      for (const Lacking& b : odd) {
        auto &one = changed.cells[static_cast<std::size_t>(a.cell)],
             &other = changed.cells[static_cast<std::size_t>(b.cell)];
        if (a.cell >= b.cell || one.back().owner != other.back().owner) continue;
        std::swap(one, other);
        const bool even = lacking(image_, changed).empty();
        std::swap(one, other);
        if (even) return tell({a, b});
      }
  }

  // A whole rank or file of one player's, of more than he has there otherwise.
  [[nodiscard]] bool is_rank(const std::vector<Lacking>& odd) const {
    if (odd.empty()) return false;
    const Board& board = program_.board;
    const auto same = [&](const auto& of) {
      return std::all_of(odd.begin(), odd.end(), [&](const Lacking& one) {
        return of(one.cell) == of(odd.front().cell) && one.nothing;
      });
    };
    const auto owner = [&](int cell) {
      return program_.initial.cells[static_cast<std::size_t>(cell)].back().owner;
    };
    const auto x = [&](int cell) { return board.x[static_cast<std::size_t>(cell)]; };
    const auto y = [&](int cell) { return board.y[static_cast<std::size_t>(cell)]; };
    const auto size = static_cast<int>(odd.size());
    const auto cells_where = [&](const std::vector<int>& line, int at) {
      return static_cast<int>(std::count(line.begin(), line.end(), at));
    };
    const bool whole = (same(y) && size == cells_where(board.y, y(odd.front().cell))) ||
                       (same(x) && size == cells_where(board.x, x(odd.front().cell)));
    return whole && same(owner) && 2 * size < pieces_;
  }

  // Two whole ranks or files, one of each player, that would be images of one another a step aside.
  [[nodiscard]] bool is_rank_off(const std::vector<Lacking>& odd) const {
    std::array<std::vector<Lacking>, 2> of_player;
    for (const Lacking& one : odd) {
      const int owner = program_.initial.cells[static_cast<std::size_t>(one.cell)].back().owner;
      if (owner == 0 || owner == 1) of_player[static_cast<std::size_t>(owner)].push_back(one);
    }
    if (!is_rank(of_player[0]) || !is_rank(of_player[1])) return false;
    const Board& board = program_.board;
    const auto image = static_cast<std::size_t>(image_[static_cast<std::size_t>(of_player[0].front().cell)]);
    const auto other = static_cast<std::size_t>(of_player[1].front().cell);
    const bool same_rank = board.y[static_cast<std::size_t>(of_player[1].back().cell)] == board.y[other];
    const auto& along = same_rank ? board.y : board.x;
    return std::abs(along[image] - along[other]) == 1;
  }

  // The set-up is even: so should be what its pieces carry, in the same image or in another.
  void values() {
    for (const runtime::PieceValue& value : program_.piece_values) {
      runtime::CellSet best;
      bool any = false;
      for (const Image& image : images_of(program_.board, true, true)) {
        if (!lacking(image, program_.initial).empty()) continue;
        const auto unlike = unlike_values(program_, value, image, program_.initial);
        if (!any || unlike.count() < best.count()) best = unlike;
        any = true;
      }
      if (best.none() || is_meant(best.count() / 2)) continue; // a piece and its counterpart differ, both
      std::vector<std::string> named;
      best.each([&](int cell) {
        if (named.size() < kMostNamed)
          named.push_back(fmt::format(
              "{} on {}",
              runtime::text_of_code(program_, value, runtime::code_on(value, program_.initial, cell)),
              program_.board.name[static_cast<std::size_t>(cell)]));
      });
      out_.warning("setup-not-mirrored", place_of_value(value.name),
                   fmt::format("the set-up is the mirror image of itself, but for `{}` of a few pieces",
                               value.name))
          .help = fmt::format("{}", fmt::join(named, "; "));
    }
  }
  [[nodiscard]] dsl::Span place_of_value(const std::string& name) const {
    for (const auto& entry : in_.file.state)
      if (entry.name.text == name && entry.name.span.file == in_.file.file) return entry.name.span;
    return in_.file.setup.span;
  }

  // The pieces without counterpart in the image in which there are fewest.
  [[nodiscard]] std::vector<Lacking> nearest() const {
    std::optional<std::vector<Lacking>> best;
    for (const Image& image : images_of(program_.board, true, true)) {
      auto odd = lacking(image, program_.initial);
      std::erase_if(odd, [&](const Lacking& one) { return is_nobodys(one.cell); });
      if (best && odd.size() >= best->size()) continue;
      best = std::move(odd);
      image_ = image;
    }
    return best.value_or(std::vector<Lacking>{});
  }

  [[nodiscard]] bool is_nobodys(int cell) const {
    return program_.initial.cells[static_cast<std::size_t>(cell)].back().owner < 0;
  }

  void tell(const std::vector<Lacking>& odd) {
    const auto& board = program_.board;
    std::vector<std::string> named;
    for (const Lacking& one : odd) {
      const auto to = static_cast<std::size_t>(image_[static_cast<std::size_t>(one.cell)]);
      const std::string from = board.name[static_cast<std::size_t>(one.cell)];
      const std::string there = one.nothing ? "nothing" : letters(static_cast<int>(to));
      named.push_back(
          to == static_cast<std::size_t>(one.cell)
              ? fmt::format("{} on {}, in the middle", letters(one.cell), from)
              : fmt::format("{} on {}, {} on {}", letters(one.cell), from, there, board.name[to]));
      if (named.size() == kMostNamed) break;
    }
    const Lacking& first = odd.front();
    const int blamed = first.nothing ? image_[static_cast<std::size_t>(first.cell)] : first.cell;
    dsl::Span place = place_of(blamed);
    // Nothing says what stands there: the other player's pieces are missing, or one of both is misplaced.
    if (place == in_.file.setup.span)
      place = are_of_one(odd) ? place_of_counterpart(odd.back().cell) : place_of(odd.back().cell);
    out_.warning("setup-not-mirrored", place, "the set-up is the mirror image of itself but for a few pieces")
        .help = fmt::format("{}", fmt::join(named, "; "));
  }
  [[nodiscard]] std::string letters(int cell) const {
    std::string text;
    for (const auto& piece : program_.initial.cells[static_cast<std::size_t>(cell)])
      text += program_.letter_of(piece);
    return text;
  }

  // Players who face one another, one of whom stands a rank farther forward with all his pieces.
  bool shifted() {
    const auto &first = program_.players[0], &second = program_.players[1];
    if (first.dx != -second.dx || first.dy != -second.dy || (first.dx == 0 && first.dy == 0)) return false;
    const auto a = rows_of(0), b = rows_of(1);
    if (a == b || a.empty() || b.empty()) return false;
    for (const int by : {-1, 1}) {
      Rows moved;
      for (const auto& [where, count] : b) moved[{where.first, where.second + by}] = count;
      if (moved != a) continue;
      const int ahead = by < 0 ? 1 : 0;
      const auto& cells = program_.initial.cells;
      const auto found = std::find_if(cells.begin(), cells.end(), [&](const auto& stack) {
        return !stack.empty() && stack.back().owner == ahead;
      });
      out_.warning("setup-not-mirrored", place_of(static_cast<int>(found - cells.begin())),
                   fmt::format("{} is set up one rank farther forward than {}",
                               program_.players[static_cast<std::size_t>(ahead)].name,
                               program_.players[static_cast<std::size_t>(1 - ahead)].name))
          .help = "the set-ups are the same but for this";
      return true;
    }
    return false;
  }
  using Rows = std::map<std::pair<int, int>, int>; // pieces by kind and row, as the player sees it
  [[nodiscard]] Rows rows_of(int player) const {
    Rows rows;
    const auto& of = program_.players[static_cast<std::size_t>(player)];
    const Board& board = program_.board;
    for (std::size_t cell = 0; cell < program_.initial.cells.size(); ++cell)
      for (const auto& piece : program_.initial.cells[cell]) {
        const int along = of.dx * board.x[cell] + of.dy * board.y[cell];
        const int length = of.dx != 0 ? board.files : board.ranks;
        if (piece.owner == player) ++rows[{piece.kind, along > 0 ? along : length + 1 + along}];
      }
    return rows;
  }

  // Nobody's pieces, which are even in none of the ways in which all others are, but for one a step aside.
  bool neutrals(bool swapped) {
    std::optional<std::vector<Lacking>> best;
    for (const Image& image : images_of(program_.board, true, true)) {
      auto odd = lacking(image, program_.initial, swapped);
      const bool others_are =
          std::all_of(odd.begin(), odd.end(), [&](const Lacking& one) { return is_nobodys(one.cell); });
      if (!others_are) continue;
      if (odd.empty()) return false;
      if (best && odd.size() >= best->size()) continue;
      best = std::move(odd);
      image_ = image;
    }
    if (!best || best->size() != 2 || !best->front().nothing || !best->back().nothing) return false;
    const auto at = static_cast<std::size_t>(image_[static_cast<std::size_t>(best->front().cell)]);
    const auto other = static_cast<std::size_t>(best->back().cell);
    const Board& board = program_.board;
    if (std::abs(board.x[at] - board.x[other]) > 1 || std::abs(board.y[at] - board.y[other]) > 1)
      return false;
    tell(*best);
    return true;
  }

  // Players with other kinds of piece than one another, as in hunts: a set-up that is its own mirror image
  // one way, and another way but for a piece or two; or that is so in all ways.
  void of_hunt() {
    constexpr int kFewestOfHunt = 12;
    if (program_.player_count() == 2 && pieces_ >= kFewestPieces && neutrals(false)) return;
    if (program_.player_count() != 2 || pieces_ < kFewestOfHunt) return;
    bool some_even = false, all_nearly = true;
    std::optional<std::vector<Lacking>> nearly;
    for (const Image& image : images_of(program_.board, true, true)) {
      auto odd = lacking(image, program_.initial, false);
      const bool few = odd.size() <= static_cast<std::size_t>(kFew);
      some_even = some_even || odd.empty();
      all_nearly = all_nearly && few;
      if (odd.empty() || !few || nearly) continue;
      nearly = std::move(odd);
      image_ = image;
    }
    if ((some_even || all_nearly) && nearly) tell(*nearly);
  }

  // Pieces of nobody in stacks, all of them before one of two players who face one another.
  void one_half() {
    const auto &first = program_.players[0], &second = program_.players[1];
    const bool facing = first.dy != 0 && first.dy == -second.dy;
    if (!facing || !program_.board.stacks) return;
    int low = 0, high = 0, cell_set_up = 0;
    for (std::size_t cell = 0; cell < program_.initial.cells.size(); ++cell) {
      if (program_.initial.cells[cell].empty()) continue;
      cell_set_up = static_cast<int>(cell);
      const int twice = 2 * program_.board.y[cell];
      (twice <= program_.board.ranks ? low : high) += 1;
    }
    if ((low == 0) == (high == 0)) return;
    out_.warning("setup-not-mirrored", place_of(cell_set_up),
                 "all pieces are set up before one of the players")
        .help = "`board` are all cells; `row(n)` in a set-up is the first player's";
  }

  // Three players or more, of whom one has another number of pieces than all others.
  void numbers() {
    if (static_cast<int>(of_player_.size()) < program_.player_count()) return;
    std::map<int, std::vector<int>> players; // by their number of pieces
    for (const auto& [player, count] : of_player_) players[count].push_back(player);
    if (players.size() != 2) return;
    const auto &low = *players.begin(), &high = *players.rbegin();
    const bool low_is_odd = low.second.size() == 1, high_is_odd = high.second.size() == 1;
    const auto& odd = low_is_odd ? low : high;
    const auto& usual = low_is_odd ? high : low;
    // One less is a slip, too, if there are not many.
    constexpr int kFewestOfOne = 3;
    const bool one_less = high.first - low.first == 1 && usual.first >= kFewestOfOne;
    if (low_is_odd == high_is_odd || ((high.first - low.first) * kUnlikeOneOf > usual.first && !one_less))
      return;
    const auto& cells = program_.initial.cells;
    const auto found = std::find_if(cells.begin(), cells.end(), [&](const auto& stack) {
      return !stack.empty() && stack.back().owner == odd.second.front();
    });
    out_.warning("setup-not-mirrored", place_of(static_cast<int>(found - cells.begin())),
                 fmt::format("{} has {} pieces to begin with, everybody else {}",
                             program_.players[static_cast<std::size_t>(odd.second.front())].name, odd.first,
                             usual.first))
        .help = "the players have the same kinds of piece";
  }

  [[nodiscard]] bool are_of_one(const std::vector<Lacking>& odd) const {
    const auto owner = [&](const Lacking& one) {
      return program_.initial.cells[static_cast<std::size_t>(one.cell)].back().owner;
    };
    return std::all_of(odd.begin(), odd.end(),
                       [&](const Lacking& one) { return owner(one) == owner(odd.front()); });
  }
  // The last entry of whoever should have a piece where nothing stands; else where the piece stands that has
  // no counterpart.
  [[nodiscard]] dsl::Span place_of_counterpart(int cell) const {
    const auto& piece = program_.initial.cells[static_cast<std::size_t>(cell)].back();
    const auto& letters = program_.kinds[static_cast<std::size_t>(piece.kind)].letter;
    if (piece.owner == 0 || piece.owner == 1) {
      const char wanted = letters[static_cast<std::size_t>(1 - piece.owner)];
      for (auto entry = in_.file.setup.entries.rbegin(); entry != in_.file.setup.entries.rend(); ++entry)
        if (!entry->letters.text.empty() && entry->letters.text.back() == wanted) return entry->cells.span;
    }
    return place_of(cell);
  }

  // Where the file sets up a cell: the sign of a picture, the entry of a list.
  [[nodiscard]] dsl::Span place_of(int cell) const {
    const Board& board = program_.board;
    const auto& picture = in_.file.setup.picture;
    const auto x = static_cast<std::size_t>(board.x[static_cast<std::size_t>(cell)]);
    const auto y = static_cast<std::size_t>(board.y[static_cast<std::size_t>(cell)]);
    const bool plain = picture.size() == static_cast<std::size_t>(board.ranks);
    if (plain && picture[picture.size() - y].signs.size() == static_cast<std::size_t>(board.files))
      return picture[picture.size() - y].signs[x - 1].span;
    for (const auto& entry : in_.file.setup.entries)
      if (stands_for(entry, cell)) return entry.cells.span;
    return in_.file.setup.span;
  }
  [[nodiscard]] bool stands_for(const dsl::SetupEntry& entry, int cell) const {
    const Reading* r = in_.reading(entry.cells);
    return r != nullptr && r->cells.test(cell);
  }

  const Linted& in_;
  const Program& program_;
  dsl::Diagnostics& out_;
  int pieces_ = 0;
  std::map<int, int> of_player_; // pieces
  bool alike_ = false;           // has every player every kind that somebody is set up with?
  mutable Image image_;          // the one that `nearest` has found
};

// Options that the size of the board names.
std::set<std::string> size_options(const dsl::RuleFile& file) {
  std::set<std::string> names;
  for (const auto* size :
       {&file.board.files, &file.board.ranks, &file.board.side, &file.board.reach, &file.board.margin})
    if (*size) each_node(**size, [&](const dsl::Ast& n) { names.insert(n.word); });
  return names;
}

std::vector<std::string> other_values(const dsl::OptionEntry& option) {
  std::vector<std::string> values;
  for (const dsl::Name& value : option.one_of) values.push_back(value.text);
  const auto is_number = [](const std::optional<dsl::Ast>& n) { return n && n->form == dsl::Form::number; };
  if (is_number(option.low) && is_number(option.high))
    values = {std::to_string(option.low->number), std::to_string(option.high->number)};
  if (option.initial) std::erase(values, option.initial->text);
  if (values.size() > kMostValues) values.resize(kMostValues);
  return values;
}

void with_other_sizes(const Linted& in, dsl::Diagnostics& out) {
  std::size_t loads = 0;
  const auto sizes = size_options(in.file);
  for (const dsl::OptionEntry& option : in.file.options) {
    if (!sizes.contains(option.name.text)) continue;
    for (const std::string& value : other_values(option)) {
      if (++loads > kMaxLoads) return;
      dsl::Sources sources = in.sources;
      dsl::Diagnostics errors;
      bool bad_setting = false;
      const auto program = compile(in.file, {{option.name.text, value}}, sources, errors, bad_setting);
      const std::string setting = option.name.text + "=" + value;
      const std::size_t before = out.all().size();
      if (errors.has_errors() && !bad_setting) {
        const dsl::Diagnostic& error = errors.all().front();
        if (error.span.file != in.file.file) continue;
        out.warning("option-fails", error.span,
                    fmt::format("with `{}` this doesn't load: {}", setting, error.message))
            .help = "say by the option what it should be, or don't allow this value";
      } else if (program != nullptr) {
        Mirror(in, *program, out).report_with(setting);
      }
      if (out.all().size() > before) return;
    }
  }
}

// Does the file load with the lowest and the highest value that an option allows? Of options of the size of
// boards whose set-up is mirrored that has been asked.
void with_ends_of_ranges(const Linted& in, dsl::Diagnostics& out) {
  std::size_t loads = 0;
  const auto is_number = [](const std::optional<dsl::Ast>& n) { return n && n->form == dsl::Form::number; };
  for (const dsl::OptionEntry& option : in.file.options) {
    if (!is_number(option.low) || !is_number(option.high)) continue;
    for (const std::string& value : other_values(option)) {
      if (++loads > kMaxLoads || runtime::Meter::gave_up()) return;
      dsl::Sources sources = in.sources;
      dsl::Diagnostics errors;
      bool bad_setting = false;
      (void)compile(in.file, {{option.name.text, value}}, sources, errors, bad_setting);
      if (!errors.has_errors() || bad_setting) continue;
      const dsl::Diagnostic& error = errors.all().front();
      const bool of_this_file = error.span.file == in.file.file;
      out.warning("option-fails", of_this_file ? error.span : option.name.span,
                  fmt::format("with `{}={}` this doesn't load: {}", option.name.text, value, error.message))
          .help = "say by the option what it should be, or don't allow this value";
      return;
    }
  }
}

void mirrored(const Linted& in, dsl::Diagnostics& out) {
  if (in.file.setup.span.file != in.file.file) return;
  if (in.file.setup.entries.empty() && in.file.setup.picture.empty()) return;
  Mirror mirror(in, in.program, out);
  mirror.report();
  if (!in.file.setup.entries.empty() && (mirror.is_even() || in.program.initial.cells.empty()))
    with_other_sizes(in, out);
}

} // namespace

void lint_mirror(const Linted& in, dsl::Diagnostics& out) {
  const std::size_t before = out.all().size();
  mirrored(in, out);
  if (out.all().size() == before) with_ends_of_ranges(in, out);
}

} // namespace boardwright::interpreter
