// The compiled game: plain data, written by the interpreter, read by every engine of the runtime.
//
// # What it is
// A Program is the core of the language with nothing left to look up. Definitions are unfolded, options and
// constant expressions are folded, names are slots, and every rule exists once for each player, so that no
// node asks who is to move: `own` of the first player is a node about player 0.
//
// # Trees
// Rules are trees of nodes. A node has an operation, a type, up to two immediate operands (a, b) and
// children, which stand in a row in Program::kids. The table in operation_table.hpp defines every operation;
// the walker (walker.hpp) carries it out to the letter and is the judge of every faster engine.
//
// # Actions
// An action takes a draft (a position being changed, `here`, `start`, `heading`, what is carried, locals,
// decision, notation) to none, one or many drafts. A decided draft (won, lost, drawn, or its mover put out)
// passes every action unchanged. Outcomes are a set: two orders of the same outcomes are the same.
//
// # Locals
// A local is a slot; each binding place has a slot of its own. `frame` of a loop or of `distinct` lists the
// slots that are visible there: drafts are compared by those and by everything else but the notation.
#pragma once

#include "runtime/model/board.hpp"
#include "runtime/model/operation_table.hpp"
#include "runtime/model/position.hpp"
#include "runtime/model/value.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::runtime {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0xffffffff;

// Who owns the pieces that a node speaks of (operand a), relative to the player in operand b.
enum class Owners : std::int32_t { any, exactly, others, neutral }; // others: a player, but not b

// Operand values.
inline constexpr std::int32_t kNeutral = -1;   // an owner: nobody
inline constexpr std::int32_t kNatural = -2;   // drop: operand b if he has the kind, else nobody
inline constexpr std::int32_t kKeepOwner = -3; // change: the owner it has

// Flags of a loop (operand a).
inline constexpr std::int32_t kUnbounded =
    1; // no upper bound: an outcome equal to a draft on its path is dropped
inline constexpr std::int32_t kMaximal =
    2; // stops only where the body has no further outcome (a dropped one counts)
inline constexpr std::int32_t kUntil =
    4; // the last child is a condition: where it holds after a round, stop there

// The operations, in the order of the table.
enum class Op : std::uint8_t {
#define X(name, ...) name,
#define G(group, Ops, OPERATIONS) OPERATIONS(X)
  BOARDWRIGHT_GROUPS(G)
#undef G
#undef X
};

[[nodiscard]] const char* name_of(Op op);

struct Node {
  Op op = Op::never;
  Type type = Type::action;
  std::int32_t a = 0;
  std::int32_t b = 0;
  std::uint32_t kids = 0;   // where its children begin in Program::kids
  std::uint32_t count = 0;  // how many
  std::uint32_t origin = 0; // Program::origins
};

// The way back from a node to the text it came from.
struct Origin {
  std::uint32_t file = 0; // Program::files
  std::uint32_t line = 0, column = 0;
  std::uint32_t begin = 0, end = 0; // bytes of the file
  std::uint32_t rule = 0;           // Program::rules: the definition, `turn`, `end`
};

enum class Verdict : std::uint8_t { win, lose, draw, score, share };

struct EndLine {
  Verdict verdict = Verdict::draw;
  NodeId condition = kNoNode;
  std::vector<NodeId> score; // for every player, where the verdict is `score`
  std::uint32_t origin = 0;
  int winner = -1;          // of `win`, if that is not the player to move
  std::uint64_t result = 0; // of `share`: what is left of the game (shares.hpp)
};

struct Player {
  std::string name;
  int dx = 0, dy = 0; // forward; 0, 0 if players have no directions
  NodeId turn = kNoNode;
  std::vector<EndLine> end;
};

struct Variable {
  std::string name; // for each player of `{ each: … }` there is one, of the same name
  int player = -1;  // whose, or -1
  Type type = Type::number;
  bool clock = false; // positions that differ in it alone are the same for the rules of repetition
  int plane = -1;     // of the values that pieces carry (piece_values.hpp), or -1: an index into those
};

// What every piece carries. Its planes are the variables `first` to `first + planes - 1`.
struct PieceValue {
  std::string name;
  Type type = Type::number;        // number, truth, directions, kind or player
  std::int32_t low = 0, high = 0;  // the least and greatest; of truths 0 and 1; of kinds from -1
  std::vector<std::int16_t> steps; // of directions: which may be in the set, one for each plane
  std::uint32_t flipped = 0;       // the first value, counted from `low` or as a set of `steps`
  int first = 0, planes = 0;
};

struct Kind {
  std::string name;
  // The letter of this kind for each player, then for neutral; 0 where there is none.
  std::vector<char> letter;
  // The kind on the other side of such a piece, as a FEN counts them: `+P` is the other side of `P`. -1: it
  // has none, or the rule file doesn't say.
  int turned = -1;
};

struct Option { // for `show`, and to say which settings a program was made with
  std::string name, value, initial, help;
  std::vector<std::string> values; // of `one of`
  std::optional<std::pair<std::int32_t, std::int32_t>> range;
};

struct Program;

// What a position that comes from outside may say though it counts no more, as rights of pieces that are
// gone: see interpreter/notation/settling.hpp. The nodes stand in a program of their own, so that the rules
// are the same with them and without.
struct Settling {
  std::shared_ptr<const Program> program;
  std::vector<NodeId> castlers; // by player: the cells of `rights` that count; none: all do
  bool exposes = false;         // play names a cell in `passant` only where it may be taken
};

// What is left to chance. A turn that rolls is carried out as several plies of the same player: in those of
// nature a roll's members are the moves, each as likely as its weight, and nobody chooses. Variables of the
// state keep where in the turn a position is, and what the plies before have found.
struct Chance {
  int first = 0;      // of the variables that keep a turn together: they stand behind all others
  int stage = 0;      // the variable: 0 at the beginning of a turn
  int odds = -1;      // the variable with the weight of nature's last move; -1: all have the same
  bool draws = false; // for random games alone: each move is as likely as `odds` says when it is found
  std::vector<std::vector<bool>> rolls; // [player][stage]: does nature move there?
  std::vector<NodeId>
      begins; // [player]: where a turn begins, only where this holds; kNoNode: rolls[player][0] says

  [[nodiscard]] bool rolls_at(int player, std::int32_t at) const {
    const auto& his = rolls[static_cast<std::size_t>(player)];
    return at >= 0 && static_cast<std::size_t>(at) < his.size() && his[static_cast<std::size_t>(at)];
  }
};

// What a player sees of a position. The sets are nodes of the program, which ask no more than the position.
struct Sight {
  std::vector<NodeId> cells,
      kinds;                // by player: where he sees what lies there; and its kind. None: everywhere
  bool own_hands = false;   // others' hands aren't seen
  std::vector<int> seen_by; // by variable: the player who alone sees it, kAll or kNobody
  static constexpr int kAll = -1, kNobody = -2;
};

// In the notation of a game with secrets what only its mover may read stands between these signs.
inline constexpr char kSecretBegins = '<', kSecretEnds = '>';

struct Program {
  std::string game;
  std::vector<std::pair<std::string, std::string>> about;
  Board board;
  std::vector<Player> players;
  std::vector<Kind> kinds;
  std::vector<Variable> variables;
  std::vector<PieceValue> piece_values;
  std::vector<std::vector<int>> hand_slot; // [player][kind]: index into Position::hands, or -1
  int hands = 0;
  std::vector<Option> options;

  std::vector<Node> nodes;
  std::vector<NodeId> kids;
  std::vector<CellSet> cell_sets;
  std::vector<StepSet> step_sets;
  std::vector<std::string> texts;
  std::vector<std::vector<std::uint32_t>> frames;
  std::uint32_t slots = 0;

  std::vector<Origin> origins;
  std::vector<std::string> files, rules;

  Position initial;
  std::optional<Chance> chance;             // nothing: all is chosen
  bool secret = false;                      // is anything written for the mover alone?
  std::optional<Sight> sight;               // nothing: all players see all of a position
  std::shared_ptr<const Settling> settling; // null: whatever a position says counts

  [[nodiscard]] std::span<const NodeId> kids_of(const Node& n) const {
    return {kids.data() + n.kids, n.count};
  }
  [[nodiscard]] NodeId kid(const Node& n, std::uint32_t i) const { return kids[n.kids + i]; }
  [[nodiscard]] int player_count() const { return static_cast<int>(players.size()); }
  // Do players know less than everything?
  [[nodiscard]] bool hides() const { return secret || sight.has_value(); }
  // Do people want to know what a variable holds? All but how far a turn is; what its plies have kept within
  // the turn alone; and what has no name, in a program made for somebody who mustn't see it.
  [[nodiscard]] bool is_told(const Position& position, std::size_t variable) const;
  // The letter of a piece; '?' if it has none (no such piece can come about).
  [[nodiscard]] char letter_of(Piece piece) const;
  [[nodiscard]] std::optional<Piece> piece_of(char letter) const;
  // The letter that notation writes for a kind: the first player's who has the kind.
  [[nodiscard]] char letter_of_kind(int kind) const;
};

// "White wins", "Goats win": a name that ends like a plural has the verb of one.
[[nodiscard]] std::string with_verb(const std::string& player, const std::string& verb);

// "game.yaml:12:7 (in `arrive`)"
[[nodiscard]] std::string place_of(const Program& program, std::uint32_t origin);

} // namespace boardwright::runtime
