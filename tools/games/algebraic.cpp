// Entry points: algebraic_moves, algebraic_meant, check_sign.
#include "tools/games/algebraic.hpp"

#include "dsl/text.hpp"
#include "runtime/reference/walker.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

namespace boardwright::tools {
namespace {

using runtime::Board;
using runtime::Fault;
using runtime::Game;
using runtime::Move;
using runtime::Node;
using runtime::NodeId;
using runtime::Position;
using runtime::Program;

constexpr std::size_t kLeastKinds = 3;
// Whether somebody is in check takes the walker far less.
constexpr std::uint64_t kMaxCheckSteps = 1'000'000;

bool is_lettered(const std::string& name) {
  return name.size() >= 2 && std::islower(static_cast<unsigned char>(name.front())) != 0 &&
         std::all_of(name.begin() + 1, name.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

// Capital letters, as notation has them: that of the first player who has the kind. 0: none.
char letter_of_kind(const Program& program, std::size_t kind) {
  for (const char letter : program.kinds[kind].letter)
    if (letter != 0) return static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return 0;
}

// Of which most are there at first: the one that is written without its letter.
std::size_t plain_kind(const Program& program) {
  std::vector<std::size_t> counts(program.kinds.size(), 0);
  for (const runtime::Stack& stack : program.initial.cells)
    for (const runtime::Piece piece : stack) ++counts[static_cast<std::size_t>(piece.kind)];
  return static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
}

// What a move does to the board: the mover's pieces that left cells, and those that came to others.
struct Doing {
  std::vector<int> left, reached;
  bool captures = false;
};

Doing doing_of(const Position& before, const Position& after) {
  Doing doing;
  const int me = before.to_move;
  std::size_t others_before = 0, others_after = 0;
  for (std::size_t i = 0; i < before.cells.size(); ++i) {
    const runtime::Stack &was = before.cells[i], &is = after.cells[i];
    if (!was.empty() && was.back().owner != me) ++others_before;
    if (!is.empty() && is.back().owner != me) ++others_after;
    if (was == is) continue;
    if (!was.empty() && was.back().owner == me) doing.left.push_back(static_cast<int>(i));
    if (!is.empty() && is.back().owner == me) doing.reached.push_back(static_cast<int>(i));
  }
  doing.captures = others_after < others_before;
  return doing;
}

// A move as the parts of its notation.
struct Parts {
  std::string whole; // of castling
  char letter = 0;   // 0: of the kind without one
  int from = -1, to = -1;
  bool drop = false, captures = false;
  std::string promotion; // "=Q"
  std::string entering;  // "/E": what comes from a hand to the cell that was left; behind castling also which
};

class Writer {
public:
  explicit Writer(const Program& program) : program_(program), plain_(plain_kind(program)) {}

  [[nodiscard]] std::optional<Parts> parts(const Position& before, const Position& after,
                                           const std::string& own) const {
    Doing doing = doing_of(before, after);
    const std::string entering = take_entering(before, after, doing);
    if (doing.left.size() == 2 && doing.reached.size() == 2 && !doing.captures)
      return castling(before, after, doing, own, entering);
    if (auto castling = castling_by_partner(before, own)) return castling;
    Parts parts;
    parts.captures = doing.captures;
    parts.entering = entering.substr(0, 2);
    if (doing.reached.size() != 1 || doing.left.size() > 1) return std::nullopt;
    parts.to = doing.reached.front();
    const runtime::Piece is = piece_on(after, parts.to);
    parts.drop = doing.left.empty();
    if (parts.drop && (doing.captures || before.hands == after.hands)) return std::nullopt;
    parts.from = parts.drop ? -1 : doing.left.front();
    if (!parts.drop && !begins_on(own, parts.from)) return std::nullopt;
    const runtime::Piece was = parts.drop ? is : piece_on(before, parts.from);
    parts.letter = letter(was, parts.drop);
    if (was.kind != is.kind) parts.promotion = std::string("=") + letter(is, true);
    return parts;
  }

  // Of a move whose piece is gone behind it, as where what takes explodes: by the cells of its notation.
  [[nodiscard]] std::optional<Parts> vanishing(const Position& before, const Position& after,
                                               const std::string& own, runtime::FromTo cells) const {
    const Doing doing = doing_of(before, after);
    if (!doing.reached.empty() || cells.from < 0 || cells.to < 0 || !begins_on(own, cells.from))
      return std::nullopt;
    Parts parts;
    parts.captures = doing.captures;
    parts.from = cells.from;
    parts.to = cells.to;
    parts.letter = letter(piece_on(before, cells.from), false);
    if (const std::size_t becomes = own.find('='); becomes != std::string::npos)
      parts.promotion = own.substr(becomes, 2);
    return parts;
  }

  // As short as tells it from the others.
  [[nodiscard]] std::string text(const Parts& parts, const std::vector<std::optional<Parts>>& all) const {
    if (!parts.whole.empty()) return parts.whole;
    if (parts.drop) return std::string(1, parts.letter) + "@" + name(parts.to);
    const std::string behind = parts.promotion + parts.entering;
    if (parts.letter == 0 && parts.captures)
      return std::string(1, name(parts.from).front()) + "x" + name(parts.to) + behind;
    bool others = false, same_file = false, same_rank = false;
    for (const auto& other : all) {
      if (!other || other->from < 0 || other->from == parts.from || !rivals(*other, parts)) continue;
      others = true;
      same_file = same_file || file(other->from) == file(parts.from);
      same_rank = same_rank || rank(other->from) == rank(parts.from);
    }
    const std::string from = name(parts.from);
    std::string which;
    if (others && (!same_file || same_rank)) which += from.front();
    if (others && same_file) which += from.substr(1);
    return (parts.letter == 0 ? "" : std::string(1, parts.letter)) + which + (parts.captures ? "x" : "") +
           name(parts.to) + behind;
  }

  // All ways to write it that signs and needless letters leave, signs apart.
  [[nodiscard]] std::vector<std::string> ways(const Parts& parts) const {
    if (!parts.whole.empty()) return {parts.whole};
    const std::string letter = parts.letter == 0 ? "" : std::string(1, parts.letter);
    const std::string to =
        name(parts.to) + (parts.promotion.empty() ? "" : parts.promotion.substr(1)) + parts.entering;
    if (parts.drop) return {letter + "@" + to};
    const std::string from = name(parts.from);
    std::vector<std::string> ways = {letter + from.substr(0, 1) + to, letter + from + to};
    if (parts.letter != 0) ways.push_back(letter + from.substr(1) + to);
    if (parts.letter != 0 || !parts.captures) ways.push_back(letter + to);
    return ways;
  }

private:
  [[nodiscard]] const std::string& name(int cell) const {
    return program_.board.name[static_cast<std::size_t>(cell)];
  }
  [[nodiscard]] int file(int cell) const { return program_.board.x[static_cast<std::size_t>(cell)]; }
  [[nodiscard]] int rank(int cell) const { return program_.board.y[static_cast<std::size_t>(cell)]; }
  [[nodiscard]] static runtime::Piece piece_on(const Position& position, int cell) {
    return position.cells[static_cast<std::size_t>(cell)].back();
  }
  [[nodiscard]] char letter(runtime::Piece piece, bool always) const {
    const auto kind = static_cast<std::size_t>(piece.kind);
    return kind == plain_ && !always ? char{0} : letter_of_kind(program_, kind);
  }
  [[nodiscard]] static bool rivals(const Parts& a, const Parts& b) {
    return a.whole.empty() && a.letter == b.letter && a.to == b.to && a.promotion == b.promotion &&
           a.entering == b.entering && a.captures == b.captures;
  }
  [[nodiscard]] bool begins_on(const std::string& own, int cell) const {
    const std::string& begin = name(cell);
    return own.starts_with(begin) &&
           (own.size() == begin.size() || std::isdigit(static_cast<unsigned char>(own[begin.size()])) == 0);
  }

  // Two pieces of different kinds on one rank that change sides, or nearly: `O-O` with the partner that
  // stands further east.
  [[nodiscard]] std::optional<Parts> castling(const Position& before, const Position& after,
                                              const Doing& doing, const std::string& own,
                                              const std::string& entering) const {
    const bool first = begins_on(own, doing.left[0]);
    if (!first && !begins_on(own, doing.left[1])) return std::nullopt;
    const int leader = doing.left[first ? 0 : 1], partner = doing.left[first ? 1 : 0];
    const auto on_rank = [&](int cell) { return rank(cell) == rank(leader); };
    const auto kinds = [&](const Position& position, const std::vector<int>& cells) {
      return std::multiset<int>{piece_on(position, cells[0]).kind, piece_on(position, cells[1]).kind};
    };
    if (piece_on(before, leader).kind == piece_on(before, partner).kind || !on_rank(partner) ||
        !std::all_of(doing.reached.begin(), doing.reached.end(), on_rank) ||
        kinds(before, doing.left) != kinds(after, doing.reached))
      return std::nullopt;
    Parts parts;
    parts.whole = (file(partner) > file(leader) ? "O-O" : "O-O-O") + entering;
    return parts;
  }

  // Of a move that is written by two pieces of different kinds on one rank, where one of them may stay.
  [[nodiscard]] std::optional<Parts> castling_by_partner(const Position& before,
                                                         const std::string& own) const {
    const auto is_own = [&](int cell) {
      const runtime::Stack& stack = before.cells[static_cast<std::size_t>(cell)];
      return !stack.empty() && stack.back().owner == before.to_move;
    };
    for (int leader = 0; leader < program_.board.cells; ++leader) {
      if (!is_own(leader) || !begins_on(own, leader)) continue;
      const int partner = program_.board.cell_named(own.substr(name(leader).size()));
      if (partner == runtime::kNowhere || !is_own(partner) || rank(partner) != rank(leader) ||
          piece_on(before, leader).kind == piece_on(before, partner).kind)
        return std::nullopt;
      Parts parts;
      parts.whole = file(partner) > file(leader) ? "O-O" : "O-O-O";
      return parts;
    }
    return std::nullopt;
  }

  // Where a piece from the hand enters the cell that another one leaves: `/E` and the cell. It is no longer
  // among the cells that were reached.
  [[nodiscard]] std::string take_entering(const Position& before, const Position& after, Doing& doing) const {
    if (before.hands == after.hands) return "";
    const auto entered = std::find_if(doing.reached.begin(), doing.reached.end(), [&](int cell) {
      return std::find(doing.left.begin(), doing.left.end(), cell) != doing.left.end();
    });
    if (entered == doing.reached.end() || doing.reached.size() < 2) return "";
    const int cell = *entered;
    doing.reached.erase(entered);
    return std::string("/") + letter(piece_on(after, cell), true) + name(cell);
  }

  const Program& program_;
  std::size_t plain_;
};

tl::expected<std::vector<std::optional<Parts>>, Fault> parts_of(const Game& game) {
  Game copy = game;
  const auto moves = copy.moves();
  if (!moves) return tl::unexpected(moves.error());
  const auto own = copy.notations();
  if (!own) return tl::unexpected(own.error());
  const Position before = copy.position();
  const Writer writer(game.rules().program());
  std::vector<std::optional<Parts>> all;
  for (std::size_t i = 0; i < moves->size(); ++i) {
    if (const auto played = copy.play((*moves)[i]); !played) return tl::unexpected(played.error());
    const Position after = copy.position();
    copy.undo();
    auto parts = writer.parts(before, after, (*own)[i]);
    if (!parts) {
      const auto cells = copy.from_to((*moves)[i]);
      if (!cells) return tl::unexpected(cells.error());
      parts = writer.vanishing(before, after, (*own)[i], *cells);
    }
    all.push_back(std::move(parts));
  }
  return all;
}

// The uppermost question of the rules that comes from the definition of this name, in the lines of a player.
NodeId asked_in(const Program& program, NodeId id, std::string_view name) {
  const Node& node = program.nodes[id];
  const std::string& rule = program.rules[program.origins[node.origin].rule];
  if (rule == name && node.type == runtime::Type::truth) return id;
  for (const NodeId kid : program.kids_of(node))
    if (const NodeId found = asked_in(program, kid, name); found != runtime::kNoNode) return found;
  return runtime::kNoNode;
}

// Without the signs that say nothing of which move it is.
std::string without_signs(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (std::string_view("x=+#!?-: ").find(c) == std::string_view::npos) result += c == '0' ? 'O' : c;
  return result;
}

} // namespace

bool has_algebraic(const Program& program) {
  const Board& board = program.board;
  if (program.player_count() != 2 || board.hexes || board.stacks || board.endless() ||
      !std::all_of(board.name.begin(), board.name.end(), is_lettered))
    return false;
  std::set<int> kinds;
  std::set<char> letters;
  for (const runtime::Stack& stack : program.initial.cells)
    for (const runtime::Piece piece : stack) kinds.insert(piece.kind);
  for (std::size_t kind = 0; kind < program.kinds.size(); ++kind)
    letters.insert(letter_of_kind(program, kind));
  return kinds.size() >= kLeastKinds && letters.size() == program.kinds.size() && !letters.contains(0) &&
         std::all_of(letters.begin(), letters.end(), [](unsigned char c) { return std::isupper(c) != 0; });
}

tl::expected<std::vector<std::string>, Fault> algebraic_moves(const Game& game) {
  const auto all = parts_of(game);
  if (!all) return tl::unexpected(all.error());
  const Writer writer(game.rules().program());
  std::vector<std::string> texts;
  for (const auto& parts : *all) texts.push_back(parts ? writer.text(*parts, *all) : "");
  // What several moves would be called none of them is.
  const std::vector<std::string> known = texts;
  for (std::string& text : texts)
    if (std::count(known.begin(), known.end(), text) > 1) text.clear();
  return texts;
}

std::string check_sign(Game& game) {
  const Program& program = game.rules().program();
  const int me = game.to_move();
  for (const runtime::EndLine& line : program.players[static_cast<std::size_t>(me)].end) {
    if (line.condition == runtime::kNoNode) continue;
    const NodeId asked = asked_in(program, line.condition, "checked");
    if (asked == runtime::kNoNode) continue;
    std::uint64_t steps = kMaxCheckSteps;
    const auto checked = runtime::Walker(program).evaluate(asked, game.position(), steps);
    if (!checked || checked->number == 0) return "";
    const auto outcome = game.outcome();
    const bool lost = outcome && *outcome && (*outcome)->winners != 0 &&
                      ((*outcome)->winners >> static_cast<unsigned>(me) & 1U) == 0;
    return lost ? "#" : "+";
  }
  return "";
}

tl::expected<std::vector<std::size_t>, Fault> algebraic_meant(const Game& game, std::string_view text) {
  const auto all = parts_of(game);
  if (!all) return tl::unexpected(all.error());
  const Writer writer(game.rules().program());
  const std::string wanted = without_signs(text);
  const auto found_by = [&](const auto& same) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < all->size(); ++i) {
      if (!(*all)[i]) continue;
      const auto ways = writer.ways(*(*all)[i]);
      if (std::any_of(ways.begin(), ways.end(),
                      [&](const std::string& way) { return same(without_signs(way)); }))
        found.push_back(i);
    }
    return found;
  };
  std::vector<std::size_t> found = found_by([&](const std::string& way) { return way == wanted; });
  if (found.empty())
    found = found_by([&](const std::string& way) { return dsl::to_lower(way) == dsl::to_lower(wanted); });
  return found;
}

tl::expected<std::optional<runtime::Move>, Fault> find_algebraic(Game& game, std::string_view text) {
  if (!has_algebraic(game.rules().program())) return std::nullopt;
  const auto meant = algebraic_meant(game, text);
  if (!meant) return tl::unexpected(meant.error());
  if (meant->size() != 1) return std::nullopt;
  const auto moves = game.moves();
  if (!moves) return tl::unexpected(moves.error());
  return (*moves)[meant->front()];
}

std::string first_of_two_cells(const Program& program, std::string_view text) {
  const auto is_digit = [](char c) { return dsl::is_digit(c); };
  const std::string plain = without_signs(text);
  const auto end = std::find_if_not(plain.begin() + (plain.empty() ? 0 : 1), plain.end(), is_digit);
  const std::string first(plain.begin(), end), second(end, plain.end());
  const bool both = program.board.cell_named(first) != runtime::kNowhere &&
                    program.board.cell_named(second) != runtime::kNowhere;
  return both ? first : "";
}

} // namespace boardwright::tools
