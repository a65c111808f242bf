// A lint about shapes that are their own mirror image but for one part: the outline of a board with holes,
// the lines of a board, cells that a rule lists one by one.
#include "interpreter/lints/lints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::interpreter {
namespace {

using dsl::Ast;
using dsl::Form;
using runtime::Board;

using Place = std::pair<int, int>;     // file and rank, from 1
using Joint = std::pair<Place, Place>; // in order
using Joints = std::set<Joint>;
using Places = std::set<Place>;

// Parts without counterpart, at the most, and of how many parts one may be: else the shape is another one.
constexpr std::size_t kMostOdd = 2, kOddOneOf = 8;
constexpr int kFewestHoles = 4;
// Of fewer cells nobody knows whether they are meant to be even.
constexpr std::size_t kFewestListed = 3;

class Shapes {
public:
  Shapes(const Linted& in, dsl::Diagnostics& out) : in_(in), board_(in.program.board), out_(out) {}

  void report() {
    // With tracks and curves files and ranks may well be spokes and rings.
    const dsl::BoardSection& board = in_.file.board;
    if (board_.hexes || board_.endless() || !board.tracks.empty() || !board.curves.empty()) return;
    if (in_.file.board.span.file == in_.file.file) {
      if (!in_.file.board.lines.empty())
        lines();
      else if (in_.program.player_count() > 1 && (in_.file.board.holes || !in_.file.board.picture.empty()))
        outline(); // the board of a puzzle may be a maze
    }
    each_rule(in_.file, [&](const Ast& rule) {
      if (!is_set_up(rule)) listed(rule);
    });
  }

private:
  // The reflections of a board and its half turn; those along diagonals only of a square one.
  static constexpr int kAllTurns = 5, kTurnsOfAny = 3;
  [[nodiscard]] int turns() const { return board_.files == board_.ranks ? kAllTurns : kTurnsOfAny; }
  [[nodiscard]] Place turned(const Place& p, int turn) const {
    const int across = board_.files + 1 - p.first, over = board_.ranks + 1 - p.second;
    const std::array<Place, kAllTurns> images{
        {{across, p.second}, {p.first, over}, {across, over}, {p.second, p.first}, {over, across}}};
    return images[static_cast<std::size_t>(turn)];
  }
  [[nodiscard]] Joint turned(const Joint& joint, int turn) const {
    const Place a = turned(joint.first, turn), b = turned(joint.second, turn);
    return {std::min(a, b), std::max(a, b)};
  }

  // The parts that have no counterpart, where they are few, in the image in which there are fewest; none of a
  // shape that is even in some way.
  template <class Part>
  [[nodiscard]] std::optional<std::pair<std::vector<Part>, int>> odd(const std::set<Part>& shape) const {
    std::optional<std::pair<std::vector<Part>, int>> best;
    for (int turn = 0; turn < turns(); ++turn) {
      std::vector<Part> lacking;
      for (const Part& part : shape)
        if (!shape.contains(turned(part, turn))) lacking.push_back(part);
      if (lacking.empty()) return std::nullopt;
      if (!best || lacking.size() < best->first.size()) best = std::pair(std::move(lacking), turn);
    }
    return best;
  }
  static bool is_slip(std::size_t odd, std::size_t all) { return odd <= kMostOdd && odd * kOddOneOf <= all; }

  [[nodiscard]] std::string name_of(const Place& p) const {
    const int cell = board_.cell_at(p.first, p.second);
    if (cell >= 0) return board_.name[static_cast<std::size_t>(cell)];
    constexpr int kLetters = 26;
    return p.first <= kLetters ? fmt::format("{}{}", static_cast<char>('a' + p.first - 1), p.second)
                               : fmt::format("file {}, rank {}", p.first, p.second);
  }

  static bool is_step(const Place& a, const Place& b) {
    return std::max(std::abs(a.first - b.first), std::abs(a.second - b.second)) == 1;
  }
  // Cells of which something is told already, as that they are not each player's own.
  [[nodiscard]] bool is_told(const Ast& n) const {
    return std::any_of(out_.all().begin(), out_.all().end(),
                       [&](const dsl::Diagnostic& told) { return told.span == n.span; });
  }

  // ---- the outline

  void outline() {
    Places places;
    for (std::size_t cell = 0; cell < board_.x.size(); ++cell)
      places.insert({board_.x[cell], board_.y[cell]});
    const auto found = odd(places);
    if (!found || !is_slip(found->first.size(), places.size())) return;
    const auto& lone = found->first;
    // One hole alone or two say nothing of how the others should lie.
    if (board_.files * board_.ranks - board_.cells < kFewestHoles) return;
    if (lone.size() > 1 && !is_step(turned(lone.front(), found->second), lone.back())) return;
    const Place& first = lone.front();
    const dsl::Span span = in_.file.board.holes ? in_.file.board.holes->span : in_.file.board.span;
    out_.warning("not-mirrored", span, "the board is its own mirror image but for a cell or two").help =
        fmt::format("{} is a cell, and {}, its image, is none", name_of(first),
                    name_of(turned(first, found->second)));
  }

  // ---- lines

  [[nodiscard]] std::optional<Place> place(const dsl::Name& name) const {
    const int cell = board_.cell_named(name.text);
    if (cell < 0) return std::nullopt;
    return Place{board_.x[static_cast<std::size_t>(cell)], board_.y[static_cast<std::size_t>(cell)]};
  }
  // The places of a chain, one after the other; none where a name isn't known.
  [[nodiscard]] std::vector<Place> chain_of(const dsl::LineEntry& line) const {
    std::vector<Place> chain;
    for (const auto& stretch : line.chain) {
      const auto from = place(stretch.from), to = stretch.to ? place(*stretch.to) : from;
      if (!from || !to) return {};
      const int dx = to->first - from->first, dy = to->second - from->second;
      const int length = std::max(std::abs(dx), std::abs(dy));
      chain.push_back(*from);
      for (int i = 1; i <= length; ++i)
        chain.emplace_back(from->first + dx * i / length, from->second + dy * i / length);
    }
    return chain;
  }
  void lines() {
    Joints joints;
    std::vector<std::vector<Place>> chains;
    for (const dsl::LineEntry& line : in_.file.board.lines) {
      if (line.what != dsl::LineEntry::What::chain) return; // all ranks or files: even
      chains.push_back(chain_of(line));
      const auto& chain = chains.back();
      if (chain.empty()) return;
      for (std::size_t i = 1; i < chain.size(); ++i)
        joints.insert({std::min(chain[i - 1], chain[i]), std::max(chain[i - 1], chain[i])});
    }
    const auto found = odd(joints);
    if (!found || !is_slip(found->first.size(), joints.size())) return;
    const Joint& lone = found->first.front();
    const Joint missing = turned(lone, found->second);
    out_.warning("not-mirrored", in_.file.board.lines[to_blame(chains, lone, missing)].span,
                 "the lines of the board are their own mirror image but for one or two")
        .help = fmt::format("{} and {} are joined, and {} and {}, their images, are not", name_of(lone.first),
                            name_of(lone.second), name_of(missing.first), name_of(missing.second));
  }
  // The line that could go on to what is missing; else the one that goes where no image does.
  static std::size_t to_blame(const std::vector<std::vector<Place>>& chains, const Joint& lone,
                              const Joint& missing) {
    for (std::size_t i = 0; i < chains.size(); ++i)
      for (const auto& [from, to] : {missing, Joint{missing.second, missing.first}})
        if (goes_on(chains[i], from, to)) return i;
    for (std::size_t i = 0; i < chains.size(); ++i)
      for (std::size_t k = 1; k < chains[i].size(); ++k)
        if (Joint{std::min(chains[i][k - 1], chains[i][k]), std::max(chains[i][k - 1], chains[i][k])} == lone)
          return i;
    return 0;
  }
  // Does a chain end on `from`, and lie in line with `to`?
  static bool goes_on(const std::vector<Place>& chain, const Place& from, const Place& to) {
    if (chain.size() < 2) return false;
    const auto in_line = [&](const Place& before) {
      const int ax = from.first - before.first, ay = from.second - before.second;
      const int bx = to.first - from.first, by = to.second - from.second;
      return ax * by == ay * bx && ax * bx + ay * by > 0;
    };
    return (chain.back() == from && in_line(chain[chain.size() - 2])) ||
           (chain.front() == from && in_line(chain[1]));
  }

  // ---- cells that are listed

  [[nodiscard]] bool is_set_up(const Ast& rule) const {
    const auto is = [&](const dsl::SetupEntry& entry) { return &entry.cells == &rule; };
    return std::any_of(in_.file.setup.entries.begin(), in_.file.setup.entries.end(), is);
  }
  void listed(const Ast& n) {
    if (!is_sign(n, "|")) {
      for (const Ast& kid : n.kids) listed(kid);
      return;
    }
    std::vector<const Ast*> parts;
    split(n, parts);
    Places cells;
    for (const Ast* part : parts) {
      const int cell = part->form == Form::name ? board_.cell_named(part->word) : runtime::kNowhere;
      if (cell < 0) return; // cells by other words, and what is in them
      cells.insert({board_.x[static_cast<std::size_t>(cell)], board_.y[static_cast<std::size_t>(cell)]});
    }
    if (cells.size() >= kFewestListed) one_aside(n, cells);
  }
  static void split(const Ast& set, std::vector<const Ast*>& parts) {
    const Ast& n = bare(set);
    if (!is_sign(n, "|")) return parts.push_back(&n);
    split(n.kids[0], parts);
    split(n.kids[1], parts);
  }
  // Two cells that would be images of one another if one of them stood a step aside.
  void one_aside(const Ast& n, const Places& cells) {
    for (int turn = 0; turn < turns(); ++turn)
      if (std::all_of(cells.begin(), cells.end(),
                      [&](const Place& p) { return cells.contains(turned(p, turn)); }))
        return;
    for (int turn = 0; turn < turns(); ++turn) {
      std::vector<Place> lone;
      for (const Place& p : cells)
        if (!cells.contains(turned(p, turn))) lone.push_back(p);
      if (lone.size() != 2) continue;
      const Place image = turned(lone[0], turn);
      if (!is_step(image, lone[1]) || is_told(n)) continue;
      out_.warning("not-mirrored", n.span, "these cells are their own mirror image but for one a step aside")
          .help = fmt::format("the image of {} is {}, and that of {} is {}", name_of(lone[0]), name_of(image),
                              name_of(lone[1]), name_of(turned(lone[1], turn)));
      return;
    }
  }

  const Linted& in_;
  const Board& board_;
  dsl::Diagnostics& out_;
};

} // namespace

void lint_shapes(const Linted& in, dsl::Diagnostics& out) { Shapes(in, out).report(); }

} // namespace boardwright::interpreter
