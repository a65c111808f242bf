// Programs built by hand, node by node, for tests of the runtime alone.
#pragma once

#include "runtime/model/program.hpp"
#include "runtime/reference/walker.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::runtime {

inline std::string cell_name(int x, int y) {
  return std::string(1, static_cast<char>('a' + x - 1)) + std::to_string(y);
}

// A board of squares or hexes in a rectangle, without the named holes. Steps are added as they are asked for.
class BoardBuilder {
public:
  BoardBuilder(int files, int ranks, const std::vector<std::string>& holes = {}) {
    board.files = files;
    board.ranks = ranks;
    for (int y = 1; y <= ranks; ++y)
      for (int x = 1; x <= files; ++x) {
        const bool hole = std::count(holes.begin(), holes.end(), cell_name(x, y)) > 0;
        board.at.push_back(static_cast<std::int16_t>(hole ? kNowhere : board.cells));
        if (!hole) add_cell(x, y);
      }
  }

  int step(int dx, int dy) {
    if (const int known = board.step_by(dx, dy); known >= 0) return known;
    Step s;
    s.dx = dx;
    s.dy = dy;
    for (std::size_t c = 0; c < board.x.size(); ++c)
      s.to.push_back(static_cast<std::int16_t>(board.cell_at(board.x[c] + dx, board.y[c] + dy)));
    board.steps.push_back(std::move(s));
    return static_cast<int>(board.steps.size()) - 1;
  }

  // Both ways along a chain of cells; the index of the way forth, the way back is the next.
  int track(const std::vector<std::string>& chain) {
    const int first = static_cast<int>(board.steps.size());
    for (const bool reversed : {false, true}) {
      Step s;
      s.track = static_cast<int>(board.tracks.size());
      s.reversed = reversed;
      s.to.assign(board.x.size(), kNowhere);
      for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
        int from = board.cell_named(chain[i]), to = board.cell_named(chain[i + 1]);
        if (reversed) std::swap(from, to);
        s.to[static_cast<std::size_t>(from)] = static_cast<std::int16_t>(to);
      }
      board.steps.push_back(std::move(s));
    }
    board.tracks.push_back("track");
    return first;
  }

  Board board;

private:
  void add_cell(int x, int y) {
    board.name.push_back(cell_name(x, y));
    board.x.push_back(x);
    board.y.push_back(y);
    board.all.set(board.cells++);
  }
};

// A program with players, and one kind with a letter for each of them, until more is added.
class ProgramBuilder {
public:
  explicit ProgramBuilder(BoardBuilder board, int players = 2) : board_(std::move(board)) {
    static const char* const names[] = {"White", "Black", "Red", "Blue"};
    program.players.resize(static_cast<std::size_t>(players));
    for (std::size_t p = 0; p < program.players.size(); ++p) program.players[p].name = names[p];
    kind("man", std::string("wbrl").substr(0, static_cast<std::size_t>(players)));
    program.origins.resize(1);
    program.frames.resize(1);
    program.board = board_.board;
    program.initial.cells.resize(program.board.x.size());
    program.initial.turns.resize(program.players.size());
  }
  ProgramBuilder(int files, int ranks, int players = 2)
      : ProgramBuilder(BoardBuilder(files, ranks), players) {}

  Program program;

  // Letters by player, then neutral; a blank where there is none.
  int kind(const std::string& name, const std::string& letters) {
    Kind k{name, {}};
    for (const char c : letters) k.letter.push_back(c == ' ' ? '\0' : c);
    k.letter.resize(program.players.size() + 1);
    program.kinds.push_back(k);
    program.hand_slot.resize(program.players.size());
    for (auto& slots : program.hand_slot) slots.push_back(-1);
    return static_cast<int>(program.kinds.size()) - 1;
  }
  void stacks() { program.board.stacks = board_.board.stacks = true; }
  void hand(int player, int kind, int pieces) {
    program.hand_slot[static_cast<std::size_t>(player)][static_cast<std::size_t>(kind)] = program.hands++;
    program.initial.hands.push_back(pieces);
  }
  int variable(Type type, std::int32_t number = 0) {
    program.variables.push_back({"v" + std::to_string(program.variables.size()), -1, type, false});
    program.initial.variables.push_back({number, {}});
    return static_cast<int>(program.variables.size()) - 1;
  }
  void stack(const std::string& cell, const std::string& letters) {
    Stack s;
    for (const char c : letters) s.push_back(program.piece_of(c).value());
    program.initial.cells[static_cast<std::size_t>(program.board.cell_named(cell))] = s;
  }
  std::int32_t slot() { return static_cast<std::int32_t>(program.slots++); }
  std::int32_t frame(std::vector<std::uint32_t> slots) {
    program.frames.push_back(std::move(slots));
    return static_cast<std::int32_t>(program.frames.size()) - 1;
  }
  std::uint32_t origin(std::uint32_t line) {
    program.origins.push_back({0, line, 1, 0});
    return static_cast<std::uint32_t>(program.origins.size()) - 1;
  }

  // --- nodes
  NodeId add(Op op, Type type, const std::vector<NodeId>& kids = {}, std::int32_t a = 0, std::int32_t b = 0) {
    Node n{op,
           type,
           a,
           b,
           static_cast<std::uint32_t>(program.kids.size()),
           static_cast<std::uint32_t>(kids.size()),
           0};
    program.kids.insert(program.kids.end(), kids.begin(), kids.end());
    program.nodes.push_back(n);
    return static_cast<NodeId>(program.nodes.size()) - 1;
  }
  NodeId act(Op op, const std::vector<NodeId>& kids = {}, std::int32_t a = 0, std::int32_t b = 0) {
    return add(op, Type::action, kids, a, b);
  }
  NodeId number(std::int32_t n) { return add(Op::number, Type::number, {}, n); }
  NodeId truth(bool t) { return add(Op::truth, Type::truth, {}, t ? 1 : 0); }
  NodeId kind_node(int k) { return add(Op::kind, Type::kind, {}, k); }
  NodeId cells(const std::vector<std::string>& names) {
    CellSet set;
    for (const auto& n : names) set.set(program.board.cell_named(n));
    program.cell_sets.push_back(set);
    return add(Op::cells, Type::cells, {}, static_cast<std::int32_t>(program.cell_sets.size()) - 1);
  }
  NodeId board() {
    program.cell_sets.push_back(program.board.all);
    return add(Op::cells, Type::cells, {}, static_cast<std::int32_t>(program.cell_sets.size()) - 1);
  }
  NodeId steps(const std::vector<int>& indices) {
    StepSet set;
    for (const int i : indices) set.set(i);
    program.step_sets.push_back(set);
    return add(Op::directions, Type::directions, {}, static_cast<std::int32_t>(program.step_sets.size()) - 1);
  }
  NodeId directions(const std::vector<std::pair<int, int>>& displacements) {
    std::vector<int> indices;
    for (const auto& [dx, dy] : displacements) indices.push_back(board_.step(dx, dy));
    program.board = board_.board;
    return steps(indices);
  }
  NodeId adjacent() { return directions({{0, 1}, {0, -1}, {1, 0}, {-1, 0}}); }
  NodeId own(int player) {
    return add(Op::owned, Type::cells, {}, static_cast<std::int32_t>(Owners::exactly), player);
  }
  NodeId enemy(int player) {
    return add(Op::owned, Type::cells, {}, static_cast<std::int32_t>(Owners::others), player);
  }
  NodeId empty() { return add(Op::empty, Type::cells); }
  NodeId here() { return add(Op::here, Type::cells); }
  NodeId local(Type type, std::int32_t slot) { return add(Op::local, type, {}, slot); }
  NodeId text(const std::string& t) {
    program.texts.push_back(t);
    return add(Op::text, Type::action, {}, static_cast<std::int32_t>(program.texts.size()) - 1);
  }
  NodeId seq(const std::vector<NodeId>& kids) { return act(Op::sequence, kids); }
  NodeId alt(const std::vector<NodeId>& kids) { return act(Op::alternatives, kids); }
  NodeId from(NodeId set) { return act(Op::from, {set}); }
  NodeId go(NodeId directions) { return act(Op::go, {directions}); }
  NodeId at(NodeId set) { return act(Op::at, {set}); }
  NodeId lift() { return act(Op::lift); }
  NodeId put() { return act(Op::put); }
  NodeId require(NodeId condition) { return act(Op::require, {condition}); }
  NodeId some(NodeId set) { return add(Op::some, Type::truth, {set}); }
  NodeId star(NodeId body, std::int32_t flags = 0, std::int32_t frame = 0) {
    return act(Op::repeat, {body, number(0)}, flags | kUnbounded, frame);
  }
  NodeId plus(NodeId body, std::int32_t flags = 0, std::int32_t frame = 0) {
    return act(Op::repeat, {body, number(1)}, flags | kUnbounded, frame);
  }
  NodeId times(NodeId body, int low, int high, std::int32_t flags = 0) {
    return act(Op::repeat, {body, number(low), number(high)}, flags);
  }
  // The same turn for every player.
  void turn(NodeId rule) {
    for (Player& p : program.players) p.turn = rule;
  }
  void end(int player, Verdict verdict, NodeId condition, std::vector<NodeId> score = {}) {
    program.players[static_cast<std::size_t>(player)].end.push_back(
        {verdict, condition, std::move(score), 0, -1});
  }

  // --- carrying out
  std::vector<WalkedMove> moves(std::vector<Position> past = {}) const {
    const auto found = Walker(program).derive(program.initial, past);
    if (!found) FAIL(found.error().message);
    return *found;
  }
  // Notations in order, separated by blanks; where a notation has blanks, by |.
  std::string notations() const {
    std::string all;
    for (const auto& m : moves()) all += (all.empty() ? "" : "|") + m.notation;
    return all;
  }
  std::string notations_of(NodeId rule) {
    turn(rule);
    return notations();
  }
  std::string fault_of(NodeId rule) {
    turn(rule);
    const auto found = Walker(program).derive(program.initial, {});
    return found ? "" : found.error().message;
  }
  Value value(NodeId node) const {
    const auto v = Walker(program).evaluate(node, program.initial);
    if (!v) FAIL(v.error().message);
    return *v;
  }
  std::int64_t number_of(NodeId node) const { return value(node).number; }
  std::string cells_of(NodeId node) const { return names(value(node).cells); }
  std::string names(const CellSet& set) const {
    std::string all;
    set.each(
        [&](int c) { all += (all.empty() ? "" : ",") + program.board.name[static_cast<std::size_t>(c)]; });
    return all;
  }
  // The displacements of a set of directions, in order: "(0,1)(1,0)".
  std::string steps_of(NodeId node) const {
    std::vector<std::pair<int, int>> found;
    value(node).steps.each([&](int i) {
      const Step& s = program.board.steps[static_cast<std::size_t>(i)];
      found.emplace_back(s.dx, s.dy);
    });
    std::sort(found.begin(), found.end());
    std::string all;
    for (const auto& [dx, dy] : found) all += "(" + std::to_string(dx) + "," + std::to_string(dy) + ")";
    return all;
  }

private:
  BoardBuilder board_;
};

} // namespace boardwright::runtime
