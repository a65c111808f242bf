// Tables of one set width: constants, neighbours, turns of directions, hash keys, words of the notation.
#pragma once

#include "runtime/machine.hpp"
#include "runtime/numbering.hpp"
#include "runtime/sprint_run.hpp"
#include "runtime/state.hpp"
#include "runtime/text.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace boardwright::runtime::machine {

// Steps turned by eighths (squares) or sixths (hexes); -1 where the result is no step of the board.
struct Compass {
  explicit Compass(const Board& board);
  struct Vector {
    std::int64_t x = 0, y = 0;
  };
  [[nodiscard]] Vector turned(Vector v, std::int64_t degrees) const;
  [[nodiscard]] int step_of(Vector v) const;
  [[nodiscard]] Vector vector_of(int step) const {
    return {board_.steps[at(step)].dx, board_.steps[at(step)].dy};
  }
  [[nodiscard]] bool is_track(int step) const { return board_.steps[at(step)].track >= 0; }

  // The step that a step becomes when it is turned, or -1.
  [[nodiscard]] int turned_step(int step, std::int32_t degrees) const;

  std::vector<std::int16_t> opposite;           // by step
  std::vector<std::vector<std::int16_t>> spins; // by step

private:
  [[nodiscard]] Vector sixth(Vector v) const;
  [[nodiscard]] int back(int step) const;
  void make_turns();
  const Board& board_;
  int unit_ = 45, turns_ = 8;        // degrees, and how many of them make a whole turn
  std::vector<std::int16_t> turned_; // by turns and step
};

template <int W>
struct Tables final : AnyTables {
  using Set = Bits<W>;
  Tables(const Program& program, const Code& code);
  std::unique_ptr<Game::Engine> engine(std::shared_ptr<const Rules> rules,
                                       const Position& position) const override;

  const Program& program;
  const Code& code;
  Pieces pieces;
  Compass compass;
  GroundKeys ground; // by cell * 256 + code
  Set board;
  std::vector<Set> constants;
  std::vector<std::int16_t> to; // by step * cells + cell
  struct Shift {                // cells of `from` go to the cell `by` further on
    int by = 0;
    Set from;
  };
  std::vector<std::vector<Shift>> shifts;          // by step; none where it would take too many
  std::vector<std::vector<Set>> around;            // by fan and cell: where its directions lead
  std::vector<Set> file, rank;                     // by number, from 1
  std::vector<Set> files_to, ranks_to;             // the first so many of them together
  std::vector<Word> name, spaced, dashed, crossed; // by cell: "a1", " a1", "-a1", "xa1"
  std::vector<Word> kind_letter, player_name, text;
  Word cross{"x"}, comma{","}, slash{"/"}, pass{"pass"}, yes{"true"}, no{"false"};
  std::vector<Word> changed_to;                // by kind: "=K"
  std::vector<std::int32_t> first_kind;        // by owner index
  std::vector<std::vector<std::int32_t>> hand; // hand_slot
  bool stacks = false;
  std::optional<SprintTables<W>> sprint;

private:
  void make_words();
  void make_neighbours();
  void make_shifts(const Step& step);
};

template <int W>
Tables<W>::Tables(const Program& p, const Code& c)
    : program(p), code(c), pieces(p), compass(p.board), ground(ground_keys(p.board.cells)),
      board(narrow<W>(p.board.all)), stacks(p.board.stacks) {
  for (const CellSet& set : c.constants) constants.push_back(narrow<W>(set));
  file.resize(at(p.board.files + 1));
  rank.resize(at(p.board.ranks + 1));
  p.board.all.each([&](int cell) {
    file[at(p.board.x[at(cell)])].set(cell);
    rank[at(p.board.y[at(cell)])].set(cell);
  });
  const auto add_up = [](const std::vector<Set>& lines, std::vector<Set>& sums) {
    sums = lines;
    for (std::size_t k = 1; k < sums.size(); ++k) sums[k] |= sums[k - 1];
  };
  add_up(file, files_to);
  add_up(rank, ranks_to);
  for (const std::vector<int>& slots : p.hand_slot) hand.emplace_back(slots.begin(), slots.end());
  make_neighbours();
  make_words();
  if (c.sprint) sprint.emplace(*c.sprint);
}

template <int W>
void Tables<W>::make_neighbours() {
  for (const Step& step : program.board.steps) to.insert(to.end(), step.to.begin(), step.to.end());
  for (const Step& step : program.board.steps) make_shifts(step);
  for (const Fan& fan : code.fans) {
    std::vector<Set>& sets = around.emplace_back(at(program.board.cells));
    for (std::size_t cell = 0; cell < sets.size(); ++cell)
      for (std::uint32_t i = fan.begin[cell]; i < fan.begin[cell + 1]; ++i) sets[cell].set(fan.hops[i].to);
  }
}

// A step of a whole set is a shift where the board is regular: cells that are numbered equally far apart go
// together.
template <int W>
void Tables<W>::make_shifts(const Step& step) {
  std::vector<Shift>& all = shifts.emplace_back();
  const auto groups = by_distance(step.to);
  if (groups.size() > kMostShifts) return;
  for (const auto& [by, from] : groups) all.push_back({by, narrow<W>(from)});
}

template <int W>
void Tables<W>::make_words() {
  for (const std::string& cell : program.board.name) {
    name.emplace_back(cell);
    spaced.emplace_back(" " + cell);
    dashed.emplace_back("-" + cell);
    crossed.emplace_back("x" + cell);
  }
  for (int kind = 0; kind < pieces.kinds; ++kind) {
    kind_letter.emplace_back(std::string(1, program.letter_of_kind(kind)));
    changed_to.emplace_back(std::string("=") + program.letter_of_kind(kind));
  }
  for (const Player& player : program.players) player_name.emplace_back(player.name);
  for (const std::string& constant : program.texts) text.emplace_back(constant);
  for (int owner = 0; owner <= pieces.players; ++owner) {
    int first = 0;
    while (first < pieces.kinds && pieces.code_of(owner == pieces.players ? -1 : owner, first) == 0) ++first;
    first_kind.push_back(first);
  }
}

} // namespace boardwright::runtime::machine
