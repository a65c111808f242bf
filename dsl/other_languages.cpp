// Entry points: said_elsewhere, format_of.
#include "dsl/other_languages.hpp"

#include "dsl/text.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace boardwright::dsl {
namespace {

using std::string;
using std::string_view;
using Table = std::map<string_view, string_view>;

// Words that stand for a value of ours, as it is written.
const Table kValues{
    {"mover", "me"},
    {"Mover", "me"},
    {"player", "me"},
    {"current_player", "me"},
    {"opponent", "first(others)"},
    {"opponents", "others"},
    {"friend", "own"},
    {"friends", "own"},
    {"friendly", "own"},
    {"mine", "own"},
    {"enemies", "enemy"},
    {"foe", "enemy"},
    {"hostile", "enemy"},
    {"theirs", "enemy"},
    {"free", "empty"},
    {"vacant", "empty"},
    {"unoccupied", "empty"},
    {"cells", "board"},
    {"squares", "board"},
    {"sites", "board"},
    {"everywhere", "board"},
    {"anywhere", "board"},
    {"everything", "board"},
    {"stones", "occupied"},
    {"neighbours", "around(S)"},
    {"neighbors", "around(S)"},
    {"columns", "files"},
    {"rows", "ranks"},
    {"move_number", "ply"},
    {"move_count", "ply"},
    {"moves_made", "ply"},
    {"turn_number", "ply"},
    {"turn_count", "ply"},
    {"round", "ply"},
    {"rounds", "ply"},
    {"origin", "start"},
    {"straight_on", "heading"},
    {"None", "none"},
    {"null", "none"},
    {"NULL", "none"},
    {"nil", "none"},
    {"undefined", "none"},
    {"True", "true"},
    {"TRUE", "true"},
    {"False", "false"},
    {"FALSE", "false"},
    {"forever", "true"},
};

// Directions that have other names here.
const Table kDirections{
    {"up", "forward` or `north"},
    {"down", "backward` or `south"},
    {"northeast", "north + east"},
    {"northwest", "north + west"},
    {"southeast", "south + east"},
    {"southwest", "south + west"},
    {"n", "north"},
    {"e", "east"},
    {"s", "south"},
    {"w", "west"},
    {"ne", "north + east"},
    {"nw", "north + west"},
    {"se", "south + east"},
    {"sw", "south + west"},
    {"N", "north"},
    {"E", "east"},
    {"S", "south"},
    {"W", "west"},
    {"NE", "north + east"},
    {"NW", "north + west"},
    {"SE", "south + east"},
    {"SW", "south + west"},
    {"horizontal", "sideways"},
    {"vertical", "forward | backward"},
    {"orthogonally", "orthogonal"},
    {"diagonally", "diagonal"},
    {"forwards", "forward"},
    {"backwards", "backward"},
};

// The rest, each with a sentence.
const Table kSentences{
    {"len", "`count(S)` is how many there are"},
    {"length", "`count(S)` is how many there are"},
    {"size", "`count(S)` is how many there are"},
    {"number_of", "`count(S)` is how many there are"},
    {"range", "`1 .. n` are the numbers from 1 to n"},
    {"any", "write `some x in S where C`, or `some S`"},
    {"exists", "write `some x in S where C`, or `some S`"},
    {"all", "write `every S in T`; that a condition holds for all is `no x in S where not C`"},
    {"forall", "write `every S in T`; that a condition holds for all is `no x in S where not C`"},
    {"filter", "the members of S for which C holds are `(x in S where C)`"},
    {"map", "the list of all E is `(E for x in S)`"},
    {"contains", "`x in S` asks whether x is among S"},
    {"includes", "`x in S` asks whether x is among S"},
    {"append", "`S | x` is S and x"},
    {"isempty", "`c in empty` asks whether nothing stands on c"},
    {"is_empty", "`c in empty` asks whether nothing stands on c"},
    {"isEmpty", "`c in empty` asks whether nothing stands on c"},
    {"distance", "how far along files and ranks it is: `abs(x(a) - x(b)) + abs(y(a) - y(b))`"},
    {"dist", "how far along files and ranks it is: `abs(x(a) - x(b)) + abs(y(a) - y(b))`"},
    {"verify", "`at S` goes on only on a cell of S, `require C` only where C holds"},
    {"assert", "`require C` goes on only where C holds"},
    {"ensure", "`require C` goes on only where C holds"},
    {"check", "`require C` goes on only where C holds"},
    {"guard", "`require C` goes on only where C holds"},
    {"unless", "`require not C` goes on only where C doesn't hold, `if not C then A` does A there"},
    {"add", "`put` lays down what was lifted on `here`; a new piece is `drop K on here`"},
    {"spawn", "a new piece of the kind K comes to S by `drop K on S`"},
    {"create", "a new piece of the kind K comes to S by `drop K on S`"},
    {"insert", "a new piece of the kind K comes to S by `drop K on S`"},
    {"kill", "`remove S` takes away what stands on S"},
    {"destroy", "`remove S` takes away what stands on S"},
    {"delete", "`remove S` takes away what stands on S"},
    {"erase", "`remove S` takes away what stands on S"},
    {"promote",
     "`change here to K` makes a K of the piece on `here`: `if here in last_row then change here to K`"},
    {"become", "`change S to K` makes each piece on S a K, `change S to own` the player's"},
    {"flip", "`change S to own` makes the pieces on S the player's, `change S to K` a K of each"},
    {"transform", "`change S to K` makes each piece on S a K"},
    {"foreach", "`choose x in S, A`: the player chooses one; `each x in S do A` does A for every one"},
    {"forEach", "`choose x in S, A`: the player chooses one; `each x in S do A` does A for every one"},
    {"for_each", "`choose x in S, A`: the player chooses one; `each x in S do A` does A for every one"},
    {"repeat", "`(A)*` and `(A)+` do A again and again, `(A)* until C` up to where C holds"},
    {"while", "`(A)*` and `(A)+` do A again and again, `(A)* until C` up to where C holds"},
    {"loop", "`(A)*` and `(A)+` do A again and again, `(A)* until C` up to where C holds"},
    {"return", "nothing returns a value: a definition is its value, `define: { far(c): y(c) > 3 }`"},
    {"def", "what has a name of its own is an entry of `define:`, as in `far(c): y(c) > 3`"},
    {"function", "what has a name of its own is an entry of `define:`, as in `far(c): y(c) > 3`"},
    {"lambda", "what has a name of its own is an entry of `define:`, as in `far(c): y(c) > 3`"},
    {"var", "`let x = E` gives E a name"},
    {"const", "`let x = E` gives E a name"},
    {"print", "`say E` adds E to what the move is called"},
    {"owner", "whose piece stands on c: `c in own`, `c in enemy`; `owners(c)` lists its player"},
    {"late", "what is asked when a move has been made stands last in `turn`, or in `end`"},
    {"end_turn", "a turn ends where its rule does; nothing is written for it"},
    {"endturn", "a turn ends where its rule does; nothing is written for it"},
    {"checkmate",
     "write `lose when no move`, or, where a vocabulary has it, `lose when no move and checked`"},
    {"mate", "write `lose when no move`, or, where a vocabulary has it, `lose when no move and checked`"},
    {"stalemate", "write `draw when no move`"},
    {"stalemated", "write `draw when no move`"},
    {"repetition", "write `draw when repeats >= 2`"},
    {"threefold", "write `draw when repeats >= 2`"},
    {"tie", "write `draw when C`"},
    {"tied", "write `draw when C`"},
    {"loss", "write `lose when C`: the player to move loses"},
    {"defeat", "write `lose when C`: the player to move loses"},
    {"victory", "write `win when C`: the player to move wins"},
    {"captured",
     "whose pieces are gone, is told by `no own K` of the player to move: `lose when no own king`"},
    {"queen", "any distance in all directions is `ride(all, ~own)`"},
    {"rook", "any distance along files and ranks is `ride(orthogonal, ~own)`"},
    {"bishop", "any distance along diagonals is `ride(diagonal, ~own)`"},
    {"king", "a step in any direction is `step(all, ~own)`"},
    {"wazir", "write `step(orthogonal, ~own)`"},
    {"ferz", "write `step(diagonal, ~own)`"},
    {"camel", "write `step(leap(1, 3), ~own)`"},
    {"zebra", "write `step(leap(2, 3), ~own)`"},
    {"nightrider", "write `ride(leap(1, 2), ~own)`"},
    {"Line", "that n of the player's pieces stand in a line is `some line(n, own, axes)`"},
};

// What is left to chance elsewhere, and what is hidden there.
string by_chance(string_view word) {
  static const std::set<string_view> kRolls{"random", "rand",    "roll",      "dice", "die", "throw",
                                            "coin",   "chance",  "nature",    "toss", "d6",  "randint",
                                            "flip",   "shuffle", "draw_card", "deal"};
  if (kRolls.contains(word))
    return "nature moves by a step of the turn: `roll n in 1 .. 6`, `roll c in S`, `roll k in kinds by W`";
  if (word == "simultaneous" || word == "simultaneously")
    return "one chooses after the other, `secretly (choose n in 1 .. 6, set bid = n)`, and the last one's "
           "move goes on with what both have chosen";
  if (word == "hidden" || word == "secret" || word == "visible")
    return "what a player sees is a section `sees: { cells: own }`; a variable that only its player sees is "
           "one of the state: `card: { private: 0 }`";
  return "";
}

// ---- formats

string_view without_blanks(string_view text) {
  constexpr string_view kMark = "\xEF\xBB\xBF";
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  while (!text.empty() && is_white(text.front())) text.remove_prefix(1);
  return text;
}

// `(game "…"`, `(game (title`: a word behind an opening parenthesis.
string_view format_in_parentheses(string_view text) {
  text = without_blanks(text.substr(1));
  if (text.starts_with(';')) return "the record of a game, SGF";
  for (const string_view word : {"role ", "init ", "<= "})
    if (text.starts_with(word)) return "rules in GDL (.kif)";
  if (text.starts_with("version ") || text.starts_with("include ")) return "rules in ZRF";
  if (!text.starts_with("game") && !text.starts_with("define") && !text.starts_with("metadata")) return "";
  const std::size_t end = text.find_first_of(" \t\r\n(\"");
  const string_view behind = without_blanks(end == string_view::npos ? "" : text.substr(end));
  if (behind.empty()) return "";
  return behind.starts_with('"') ? "rules as ludemes (.lud)" : "rules in ZRF";
}

} // namespace

bool is_else_if(string_view word) { return word == "elif" || word == "elsif" || word == "elseif"; }

string said_elsewhere(string_view word, bool called) {
  if (is_else_if(word)) return "write `else if`";
  if (string text = by_chance(word); !text.empty() && word != "flip") return text;
  if (const auto found = kSentences.find(word); found != kSentences.end()) return string(found->second);
  if (called) return "";
  const auto value = kValues.find(word);
  if (value != kValues.end()) return "write `" + string(value->second) + "`";
  const auto direction = kDirections.find(word);
  if (direction == kDirections.end()) return "";
  return "write `" + string(direction->second) +
         "`; directions are `north`, `east`, `south`, `west`, `forward`, `backward`, `left`, `right`, sets "
         "of "
         "them `orthogonal`, `diagonal`, `all`";
}

string_view format_of(string_view text) {
  constexpr std::size_t kEnough = 4000;
  text = without_blanks(text.substr(0, std::min(text.size(), kEnough)));
  if (text.empty()) return "";
  if (text.front() == ';' && text.find("\n(") != string_view::npos)
    text = without_blanks(text.substr(text.find("\n(") + 1)); // comments of ZRF and GDL
  if (text.front() == '(') return format_in_parentheses(text);
  if (text.starts_with("#players") || text.starts_with("#board")) return "rules in RBG (.rbg)";
  const bool tagged = text.front() == '[' && text.find(" \"") < text.find('\n');
  if (tagged && text.find("[GameType \"") != string_view::npos) return "the record of a game, PDN";
  if (tagged) return "the record of a game, PGN";
  const bool titled = text.front() == '[' && text.find(']') < text.find('\n');
  if (titled && text.find('=') != string_view::npos) return "a file of variants (variants.ini)";
  if (text.find("\nCOLLISIONLAYERS") != string_view::npos ||
      text.find("\nWINCONDITIONS") != string_view::npos)
    return "a puzzle of rewriting rules";
  return "";
}

} // namespace boardwright::dsl
