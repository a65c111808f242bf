// A rule file, read: its sections as plain data, every rule in them parsed, what it extends merged in.
//
// Nothing here knows what a name means. Constant expressions (sizes, ranges, holes, set-ups) are trees like
// the rules.
#pragma once

#include "dsl/ast.hpp"
#include "dsl/diagnostic.hpp"
#include "dsl/grammar.hpp"
#include "dsl/yaml.hpp"

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::dsl {

// What is told of a file with definitions and nothing that makes a game.
inline constexpr std::string_view kNoGame = "this is a vocabulary, not a game";

struct Name {
  std::string text;
  Span span;
};

enum class Compass : std::uint8_t { north, east, south, west };

struct PlayerEntry {
  Name name;
  std::optional<Compass> forward;
};

struct PictureRow { // one row, top row first; a sign for each cell
  std::vector<Name> signs;
  Span span;
};

struct LineEntry { // of `lines`: `ranks`, `files`, or a chain of cells in which `a..b` runs straight
  enum class What : std::uint8_t { ranks, files, chain } what = What::chain;
  struct Stretch {
    Name from;
    std::optional<Name> to;
  };
  std::vector<Stretch> chain;
  Span span;
};

struct TrackEntry {
  Name name;
  std::vector<Name> cells; // in order; closed where the first is the last
};

struct CurveEntry {
  Name from, leaving, to, heading;
};

struct BoardSection {
  enum class Shape : std::uint8_t { missing, squares, hexes, hexagon, picture } shape = Shape::missing;
  Span span;
  std::optional<Ast> files, ranks;  // squares, hexes
  std::optional<Ast> side;          // hexagon
  bool endless = false;             // squares, hexes: without edges; then
  std::optional<Ast> reach, margin; // over how many files or ranks pieces may spread, and how far rules look
  std::vector<PictureRow> picture;  // picture; a blank or `#` sign is a hole, any other sign a cell
  std::optional<Ast> holes;
  bool steps_over_holes = false;
  std::vector<LineEntry> lines;
  std::vector<TrackEntry> tracks;
  std::vector<CurveEntry> curves;
  bool stacks = false;
  bool slant_right = false;
  bool names_row_column = false;
  bool names_by_file = false;               // each file counts its cells from its lowest one on
  std::string letters_left_out;             // of the names of files
  std::vector<std::pair<Name, Name>> names; // (new name, cell)
};

struct LetterEntry {
  Name owner; // a player's name, or `neutral`; empty: the letters of the players in turn order
  Name letter;
};

struct KindEntry {
  Name name;
  std::vector<LetterEntry> letters;
};

// `round: { 2: a A, 4: b B }`: a family of kinds, which `pieces` lists as `round(2)` and `round(4)`.
struct FamilyMember {
  Name key;                // as it is written: a number or a name
  std::int64_t number = 0; // of a name its place in the family, from 1 on
  std::string kind;        // `round(2)`
};

struct FamilyEntry {
  Name name;
  std::vector<FamilyMember> members;
};

struct PerPlayer { // a value for all players, or one for each
  std::optional<Ast> all;
  std::vector<std::pair<Name, Ast>> each;
};

struct HandEntry {
  Name kind;
  PerPlayer count;
};

struct SetupEntry {
  Name letters; // bottom to top
  Ast cells;
};

// `mirror`: what is set up for the first player is set up for the others, too.
struct MirrorEntry {
  std::optional<std::int64_t> degrees; // turned by so much for the second, twice as much for the third, …;
                                       // nothing: reflected, so that forward becomes forward
  Span span;
};

// `shuffle`: what stands on these cells is dealt anew, by lot.
struct ShuffleEntry {
  std::vector<Ast> among;       // in this order, each among its own cells
  std::optional<Ast> such_that; // what must hold of the set-up
  Span span;
};

// The option that says which set-up is dealt; 0: as it is written.
inline constexpr std::string_view kLotOption = "lot";
inline constexpr std::int64_t kLastLot = 999'999; // that is easy to say and to type, and more than are played

struct SetupSection {
  std::vector<PictureRow> picture; // one or the other
  std::vector<SetupEntry> entries;
  std::optional<ShuffleEntry> shuffle;
  std::optional<MirrorEntry> mirror;
  Span span;
};

// What every piece carries: `{ each piece: 0, range: 0..7, setup: { 4: rank(7) } }`.
struct PieceValueEntry {
  std::optional<Ast> low, high;           // of `range`
  std::optional<Ast> some_of;             // a value is a set of these directions
  std::vector<std::pair<Ast, Ast>> setup; // value, cells: other values that pieces begin with
  std::optional<MirrorEntry> mirror;      // of `setup`
};

// Who sees what a variable holds.
enum class Secrecy : std::uint8_t {
  none,    // everybody
  of_each, // `private`: there is one for each player, who alone sees his
  of_all,  // `hidden`: nobody
};

struct StateEntry {
  Name name;
  bool each_player = false;
  bool clock = false;                        // repetition doesn't see it
  std::optional<Ast> value;                  // nothing where it can't be read, as has been said
  std::optional<PieceValueEntry> each_piece; // where every piece has a value of its own
  Secrecy secrecy = Secrecy::none;
};

// `sees`: what a player sees of a position, as sets of the player who looks.
struct SeesSection {
  std::optional<Ast> cells; // he sees what lies there; nothing: everywhere
  std::optional<Ast> kinds; // he sees of which kind it is; nothing: wherever he sees that something lies
  bool own_hands = false;   // others' hands aren't seen
};

struct OptionEntry {
  Name name;
  std::optional<Name> initial;  // `default`, as written
  std::vector<Name> one_of;     // empty where not given
  std::optional<Ast> low, high; // of `range`
  std::string help;
  Span span;
};

struct Definition {
  Name name;
  std::vector<Name> parameters;
  std::optional<Ast> body;
  std::vector<std::pair<Name, Ast>> cases;    // a body for each player or kind, instead of `body`
  std::optional<Ast> others;                  // with these: the body for those that have none
  std::shared_ptr<const Definition> replaced; // what `inherited` calls, where an extended file is replaced
  Span span;
};

struct TurnSection {
  Ast body;                                // of all players, where `cases` is empty
  std::vector<std::pair<Name, Ast>> cases; // a body for each player
  std::optional<Ast> others;               // with these: the body for those that have none
  std::shared_ptr<const TurnSection> replaced;
  Span span; // as it is written
};

struct HandsOfPlayer {
  Name player;
  bool none = false;                        // `none`: no piece of any kind
  std::vector<std::pair<Name, Ast>> counts; // by kind
};

// A position as an author writes it. Resolved (cells, letters, players) by the interpreter.
struct PositionEntry {
  std::optional<Name> to_move;
  std::vector<std::pair<Name, Name>> cells; // (cell, letters)
  std::vector<PictureRow> picture;
  bool has_board = false;   // `cells` or a picture was given
  std::optional<Text> fen;  // instead of these: board, player to move and more in one line
  std::optional<Text> line; // the picture, where it is one line: of a board with one rank it may be a FEN
  // Moves played from that position (from the set-up, if nothing else is given); they are its past.
  std::optional<std::vector<Name>> play;
  std::vector<HandsOfPlayer> hands;
  bool no_hands = false;                    // `hands: none`: nobody has a piece in hand
  std::vector<std::pair<Name, Yaml>> state; // name -> value, or a map by player
  std::optional<Ast> ply;
  std::vector<std::pair<Name, Ast>> turns;
  std::optional<std::vector<Name>> out; // players who have been put out
  Span span;
};

// What a position must be after a move, or at once: only what is given is compared.
struct ExpectEntry {
  Name move;                             // `after MOVE`; empty for the position itself
  std::optional<PositionEntry> position; // `cells` (the whole board), `to_move`, `state`, `hands`
  // The winner's name (several: a shared win), `nobody` (a draw), or `none` (the game goes on).
  std::optional<Name> winner;
  std::optional<std::vector<Name>> moves; // exactly these
  std::optional<std::vector<Name>> include, exclude;
  std::optional<Ast> count; // of the moves
  Span span;
};

// A test doesn't count deeper: where there is a choice, no count of such depth ends in a lifetime.
inline constexpr std::uint64_t kMaxTestDepth = 100;

struct PerftEntry {
  int depth = 1;
  std::uint64_t leaves = 0;
  Span span;
};

inline constexpr std::uint64_t kNoBound = std::numeric_limits<std::uint64_t>::max();

// What is expected of random games: of each of them (`plies`), or of the share of them that something holds
// for.
struct GamesClaim {
  enum class Of : std::uint8_t { over_within, wins, first_wins, draws, plies };
  Of of = Of::draws;
  std::uint64_t within = 0; // over_within: so many plies
  Name player;              // wins
  // Both belong to what is allowed. Shares are in hundredths of a percent; plies may have no upper bound.
  std::uint64_t low = 0, high = 0;
  bool some = false; // a share that isn't 0, however small
  Name written;      // the value, as the author wrote it
};

// More games don't make an expectation much sharper: of a hundred thousand, a share is known to half a
// percent.
inline constexpr std::uint64_t kMaxTestGames = 100'000;
// A random game in a test is broken off after so many moves, and no bound of `games` may be larger: no game
// that ends at all by chance needs more.
inline constexpr std::uint64_t kMaxGamePlies = 100'000;

// `games:`
struct GamesEntry {
  std::uint64_t count = 200;
  std::uint64_t seed = 1;
  std::vector<GamesClaim> claims;
  Span span;
};

struct TestEntry {
  Name name;
  Span span;
  std::vector<std::pair<Name, Name>> settings; // `set:`
  std::optional<PositionEntry> position;       // else the set-up
  std::vector<PerftEntry> perft;               // by rising depth, unless the author wrote another order
  std::vector<ExpectEntry> expect;             // of the position itself, if anything is, then `after …`
  std::optional<GamesEntry> games;             // random games from the position
};

struct RuleFile {
  FileId file = 0;
  bool unread = false; // a section that names things could not be read at all
  Name game;
  std::vector<std::pair<Name, std::string>> about; // free text is under the key ""
  std::vector<PlayerEntry> players;
  std::optional<Name> first;
  BoardSection board;
  std::vector<KindEntry> pieces;
  std::vector<FamilyEntry> families;
  std::vector<Definition> of_families; // what rules can ask of them (families.hpp)
  std::vector<HandEntry> hands;
  SetupSection setup;
  std::vector<StateEntry> state;
  SeesSection sees;
  std::vector<OptionEntry> options;
  std::vector<std::vector<Definition>> vocabularies; // std first, then those of `use`
  std::vector<Definition> define;
  std::optional<TurnSection> turn;
  std::vector<EndRule> end;        // parents' lines already stand where `inherited` stood
  std::vector<EndRule> end_before; // those of the file that this one extends, if this one has an `end`, too
  std::vector<TestEntry> tests;
  std::vector<std::pair<Name, Yaml>> look, check; // kept as they are
};

// Answers a reference: a path as the user wrote it, or the name in `extends` or `use`. `beside` is the name
// of the file that asks ("" for the user). Gives the file's name for messages and its text, or nothing if
// there is none.
struct FoundFile {
  std::string name;
  std::string text;
};
using FileFinder =
    std::function<std::optional<FoundFile>(const std::string& reference, const std::string& beside)>;

// The version of the language that this program reads; `boardwright: 2` in a file says for which it was
// written. Files of older versions are read likewise: what has changed is told where it stands.
inline constexpr std::uint64_t kLanguageVersion = 2;

// At most so many files extend one another.
inline constexpr int kMaxExtends = 16;

// Reads a rule file and all it refers to. Adds the files to `sources`. A result that came with errors is for
// showing more errors only.
[[nodiscard]] std::optional<RuleFile> read_rule_file(const std::string& reference, const FileFinder& find,
                                                     Sources& sources, Diagnostics& diagnostics);

} // namespace boardwright::dsl
