#include "runtime/model/board.hpp"

#include "runtime/game/game.hpp"
#include "runtime/model/limits.hpp"
#include "tests/runtime/program_builder.hpp"

namespace boardwright::runtime::board_test {

namespace {

std::string target(const Board& board, const CellMap& map, const std::string& cell) {
  const int c = board.map(map, board.cell_named(cell));
  return c < 0 ? "-" : board.name[static_cast<std::size_t>(c)];
}

CellMap map_about(int px, int py) {
  CellMap map;
  map.valid = true;
  map.px = px;
  map.py = py;
  return map;
}

} // namespace

TEST_CASE("cells are found by name and by place, holes left out") {
  const Board board = BoardBuilder(3, 2, {"b1"}).board;
  CHECK(board.cells == 5);
  CHECK(board.cell_named("a1") == 0);
  CHECK(board.cell_named("c1") == 1);
  CHECK(board.cell_named("b1") == kNowhere);
  CHECK(board.cell_named("") == kNowhere);
  CHECK(board.cell_at(2, 1) == kNowhere);
  CHECK(board.cell_at(4, 1) == kNowhere);
}

TEST_CASE("a displacement finds its step, and never a track") {
  BoardBuilder b(3, 3);
  b.track({"a1", "b1"});
  const int north = b.step(0, 1);
  CHECK(b.board.step_by(0, 1) == north);
  CHECK(b.board.step_by(0, 0) == -1);
  CHECK(b.board.step_by(5, 5) == -1);
}

TEST_CASE("maps are exact or lead nowhere") {
  const Board board = BoardBuilder(8, 8).board;
  CellMap shift = map_about(0, 0);
  shift.dx = 2;
  shift.dy = -1;
  CHECK(target(board, shift, "a2") == "c1");
  CHECK(target(board, shift, "a1") == "-");

  CellMap twice = map_about(6, 6); // about c3
  twice.xx = twice.yy = 2;
  CHECK(target(board, twice, "d4") == "e5");
  CHECK(target(board, twice, "c3") == "c3");
  CellMap half = map_about(6, 6);
  half.over = 2;
  CHECK(target(board, half, "e5") == "d4");
  CHECK(target(board, half, "d4") == "-");

  CellMap quarter = map_about(5, 5); // about the corner between b2 and c3
  quarter.xx = quarter.yy = 0;
  quarter.xy = 1;
  quarter.yx = -1;
  CHECK(target(board, quarter, "b2") == "b3");
  CHECK(target(board, quarter, "a4") == "d4");

  CHECK(target(board, CellMap(), "a1") == "-");
  CellMap broken = map_about(0, 0);
  broken.over = 0;
  CHECK(target(board, broken, "a1") == "-");
}

TEST_CASE("pieces and letters name each other") {
  ProgramBuilder b(3, 3);
  const int stone = b.kind("stone", "  x");
  CHECK(b.program.letter_of({0, 0}) == 'w');
  CHECK(b.program.letter_of({-1, 0}) == '?');
  CHECK(b.program.letter_of({-1, static_cast<std::int8_t>(stone)}) == 'x');
  CHECK(b.program.letter_of({0, 7}) == '?');
  CHECK(b.program.piece_of('b') == Piece{1, 0});
  CHECK(b.program.piece_of('x') == Piece{-1, 1});
  CHECK_FALSE(b.program.piece_of('q'));
  CHECK_FALSE(b.program.piece_of('\0'));
  CHECK(b.program.letter_of_kind(0) == 'w');
  CHECK(b.program.letter_of_kind(stone) == 'x');
  CHECK(b.program.letter_of_kind(-1) == '?');
}

TEST_CASE("an origin tells file, line, column and rule") {
  Program p;
  p.files = {"eximo.yaml"};
  p.rules = {"arrive", ""};
  p.origins = {{.line = 12, .column = 7, .rule = 0}, {.line = 3, .column = 1, .rule = 1}};
  CHECK(place_of(p, 0) == "eximo.yaml:12:7 (in `arrive`)");
  CHECK(place_of(p, 1) == "eximo.yaml:3:1");
  CHECK(place_of(p, 9).empty());
  CHECK(std::string(name_of(Op::local)) == "local");
  CHECK(std::string(name_of(Op::text)) == "text");
}

TEST_CASE("a position must fit its program") {
  ProgramBuilder b(3, 3);
  b.variable(Type::truth);
  const Position good = blank_position(b.program);
  CHECK(check_position(b.program, good).empty());
  const auto fault = [&](auto change) {
    Position p = good;
    change(p);
    return check_position(b.program, p);
  };
  CHECK(fault([](Position& p) {
          p.cells[0] = {{0, 0}, {1, 0}};
        }) == "2 pieces on a1, and the board has no stacks");
  CHECK_FALSE(fault([](Position& p) { p.cells[0] = {{3, 0}}; }).empty());
  CHECK_FALSE(fault([](Position& p) { p.cells[0] = {{-5, 0}}; }).empty());
  CHECK_FALSE(fault([](Position& p) { p.cells[0] = {{0, 9}}; }).empty());
  CHECK_FALSE(fault([](Position& p) { p.cells.pop_back(); }).empty());
  CHECK_FALSE(fault([](Position& p) { p.hands.push_back(1); }).empty());
  CHECK_FALSE(fault([](Position& p) { p.variables[0].number = 2; }).empty());
  CHECK_FALSE(fault([](Position& p) { p.variables.clear(); }).empty());
  CHECK_FALSE(fault([](Position& p) { p.to_move = 2; }).empty());
  CHECK_FALSE(fault([](Position& p) { p.out = 1; }).empty());
  CHECK_FALSE(fault([](Position& p) { p.out = 4; }).empty());
  CHECK_FALSE(fault([](Position& p) { p.ply = -1; }).empty());
  CHECK(fault([](Position& p) { p.ply = kMaxPly; }).empty());
  CHECK(fault([](Position& p) { p.ply = kMaxPly + 1; }) == "`ply` is above 1000000000");
  CHECK(fault([](Position& p) { p.turns[1] = kMaxPly; }).empty());
  CHECK(fault([](Position& p) { p.turns[1] = kMaxPly + 1; }) == "`turns` is above 1000000000");
  CHECK_FALSE(fault([](Position& p) { p.turns = {0}; }).empty());
}

TEST_CASE("who is put out isn't to move, unless the game is over") {
  const auto fits = [](int players, std::uint32_t out) {
    ProgramBuilder b(3, 3);
    while (b.program.player_count() < players) b.program.players.push_back(b.program.players.back());
    Position position = blank_position(b.program);
    position.turns.resize(static_cast<std::size_t>(players));
    position.out = out;
    return check_position(b.program, position).empty();
  };
  CHECK(fits(3, 0b110)); // the last one left
  CHECK(fits(3, 0b101)); // the second is
  CHECK(fits(3, 0b111));
  CHECK_FALSE(fits(3, 0b001));
  CHECK_FALSE(fits(4, 0b011));
  CHECK(fits(4, 0b1011));
  CHECK_FALSE(fits(2, 0b01)); // nobody is put out
}

TEST_CASE("positions are the same but for their counters") {
  ProgramBuilder b(3, 3);
  Position p = b.program.initial, q = p;
  q.ply = 7;
  q.turns = {4, 3};
  CHECK(p.same_as(q));
  q.to_move = 1;
  CHECK_FALSE(p.same_as(q));
  CHECK(p.same_board(q));
}

TEST_CASE("a player whose name is a plural has the verb of one") {
  CHECK(with_verb("White", "win") == "White wins");
  CHECK(with_verb("Defenders", "win") == "Defenders win");
  CHECK(with_verb("Goats", "resign") == "Goats resign");
  for (const char* singular : {"Boss", "Chaos", "Iris", "Cactus", "s", ""})
    CHECK(with_verb(singular, "win") == std::string(singular) + (*singular == 's' ? " win" : " wins"));
}

} // namespace boardwright::runtime::board_test
