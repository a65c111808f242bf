// Values: the forms that need a hand, such as idioms, and what is written often; and those of all words whose
// row in the table of operations tells what they take and give (runtime/model/operation_table.hpp).
#include "tests/written/forms.hpp"

#include "interpreter/meaning/words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace boardwright::tests {
namespace {

constexpr Form kNumber[] = {
    {"0", 2},
    {"1", 4},
    {"2", 4},
    {"3", 2},
    {"$Small", 3},
    {"-1", 1},
    {"facing($cell)", 3, kCarried},
    {"facing", 3, kCarried | kHere},
    {"number($cell)", 4, kFamily},
    {"number($kind)", 3, kFamily},
    {"pieces($cells, token)", 2, kFamily},
    {"pieces($cells, own token)", 2, kFamily},
    {"files", 1},
    {"ranks", 1},
    {"count(own)", 2},
    {"count(enemy)", 2},
    {"count(empty)", 1},
    {"2147483647", 1},
    {"(-2147483647 - 1)", 1},
    {"repeats", 2, kEnd},
    {"(ply - earlier($number))", 1, kEnd},
    {"me.repeats", 1, kTurn},
    {"advance($cell)", 2, kForward},
    {"count($cells)", 6},
    {"count($cells & $cells)", 3},
    {"count(next($cell, $directions) & $cells)", 3},
    {"pieces($cells, own)", 1},
    {"pieces($cells, enemy $Kind)", 1},
    {"pieces($cells, $Kind)", 1},
    {"pieces($cells, neutral)", 1, kNeutral},
    {"hand($HandKind)", 3, kHands},
    {"($number + $number)", 2},
    {"($number - $number)", 2},
    {"($number * $number)", 1},
    {"($number / $number)", 1},
    {"($number % $number)", 2},
    {"(-$number)", 1},
    {"min($number, $number)", 1},
    {"max($number, $number)", 1},
    {"first($numbers)", 1},
    {"last($numbers)", 1},
    {"sum($numbers)", 1},
    {"product($numbers)", 1},
    {"min($numbers)", 1},
    {"max($numbers)", 1},
    {"sum($[$:c=cell$number$-c for $c in $cells$])", 2},
    {"product($[$:c=cell$number$-c for $c in $cells$])", 1},
    {"sum($[$:c=cell$number$-c for $c in $cells where $+c$truth$])", 2},
    {"sum($[$:c=cell$:d=direction$number$-c$-d for $c in $cells, $d in $directions where $+c$+d$truth$])", 1},
    {"max($[$:c=cell$number$-c for $c in $cells$])", 1},
    {"min($[$:d=direction$number$-d for $d in $directions$])", 1},
    {"max($[$:s=cells$number$-s for $s in $sets$])", 1},
    {"sum($[$:p=player$number$-p for $p in $players$])", 1},
    {"(if $truth then $number else $number)", 3},
    {"($[let $n=number = $number, $number$])", 2},
    {"($[let $c=cell = $cell, $number$])", 2},
    {"($[let $s=cells = $cells, let $n=number = $number, $number$])", 1},
    {"before($number)", 2, kTurn},
    {"$Who.($number)", 1},
    {"$Who.count(own)", 1},
};

constexpr Form kTruth[] = {
    {"fresh($cell)", 4, kCarried},
    {"fresh", 4, kCarried | kHere},
    {"before(fresh($cell))", 1, kCarried | kTurn},
    {"some arms($cell)", 2, kCarried},
    {"true", 1},
    {"false", 1},
    {"here in empty", 1, kHere},
    {"here in last_row", 2, kHere | kForward},
    {"here in edge", 1, kHere},
    {"(some enemy)", 1},
    {"(no own)", 1},
    {"hexes", 1},
    {"(ply >= $Small)", 2},
    {"(ply % 2 = 0)", 1},
    {"(turns = 0)", 1},
    {"(me = $Player)", 2},
    {"(way = $Word)", 2, kWord},
    {"(way != $Word)", 1, kWord},
    {"(no own man in last_row)", 1, kForward},
    {"($number = $number)", 2},
    {"($number != $number)", 2},
    {"($number < $number)", 2},
    {"($number <= $number)", 1},
    {"($number > $number)", 2},
    {"($number >= $number)", 1},
    {"($number in $numbers)", 1},
    {"($cells = $cells)", 1},
    {"($cells != $cells)", 1},
    {"($cells in $cells)", 2},
    {"($cell in $cells)", 4},
    {"(not ($cell in $cells))", 2},
    {"($cell != $cell)", 2},
    {"($directions in $directions)", 1},
    {"($directions = $directions)", 1},
    {"($direction != $direction)", 1},
    {"($kind = $kind)", 2},
    {"($kind in $kinds)", 1},
    {"(kind($cell) = $kind)", 2},
    {"(kind($cell) = none)", 1},
    {"($player = $player)", 1},
    {"($player in $players)", 1},
    {"($numbers = $numbers)", 1},
    {"($sets = $sets)", 1},
    {"($kinds = $kinds)", 1},
    {"(not $truth)", 2},
    {"($truth and $truth)", 2},
    {"($truth or $truth)", 2},
    {"(some $cells)", 2},
    {"(no $cells)", 2},
    {"(some $cells & $cells)", 2},
    {"(no next($cell, $directions) & $cells)", 3},
    {"(next($cell, $directions) in $cells)", 3},
    {"(some next($cell, $directions))", 2},
    {"(count(next($cell, $directions)) = $Small)", 2},
    {"(count(next($cell, $directions) & $cells) = $Small)", 2},
    {"(some $cells in $cells)", 1},
    {"(no $cells in $cells)", 1},
    {"(every $cells in $cells)", 2},
    {"(some $directions)", 1},
    {"(no $directions)", 1},
    {"(some $kinds)", 1},
    {"(every $directions in $directions)", 1},
    {"(some $[$c=cell in $cells where $+c$truth$])", 2},
    {"(no $[$c=cell in $cells where $+c$truth$])", 2},
    {"(some $[$d=direction in $directions where $+d$truth$])", 2},
    {"(no $[$d=direction in $directions where $+d$truth$])", 1},
    {"(some $[$n=number in $numbers where $+n$truth$])", 1},
    {"(some $[$k=kind in $kinds where $+k$truth$])", 1},
    {"(no $[$p=player in $players where $+p$truth$])", 1},
    {"(some $[$p=player in others where $+p$p.($truth)$])", 1},
    {"(some $[$s=cells in $sets where $+s$truth$])", 1},
    {"can ($[$walk$])", 5, kHere},
    {"can ($[go heading, at $aim$])", 2, kHere},
    {"can ($[go reverse$])", 1, kHere},
    {"can ($[$action$])", 1, kHere | kTurn},
    {"can ($[$turn$])", 1, kTurn},
    {"can ($[from $mine, $walk$])", 2},
    {"no move", 3, kEnd},
    {"$Who.(no move)", 2, kEnd},
    {"(if $truth then $truth else $truth)", 1},
    {"($[let $n=number = $number, $truth$])", 1},
    {"($[let $c=cell = $cell, $truth$])", 2},
    {"($[let $k=kind = $kind, $truth$])", 1},
    {"($cell in token)", 2, kFamily},
    {"($kind in kinds(token))", 1, kFamily},
    {"before($truth)", 1, kTurn},
    {"$Who.($truth)", 1},
    {"in_row($Small)", 1, kHere},
    {"united($cells, $directions)", 1},
    {"connected($directions)", 1, kForward},
    {"(some line($Small, $cells, axes))", 1},
};

constexpr Form kCells[] = {
    {"own", 6},
    {"enemy", 6},
    {"empty", 8},
    {"neutral", 1, kNeutral},
    {"occupied", 2},
    {"board", 2},
    {"none", 1},
    {"$Kind", 2},
    {"(own $Kind)", 3},
    {"(enemy $Kind)", 2},
    {"edge", 1},
    {"corners", 1},
    {"last_row", 2, kForward},
    {"dark", 1},
    {"light", 1},
    {"middle", 1},
    {"rank($Rank)", 2},
    {"file($File)", 2},
    {"row($Rank)", 1, kForward},
    {"row(-1)", 1, kForward},
    {"($Cell .. $Cell)", 1},
    {"($cells | $cells)", 4},
    {"($cells & $cells)", 5},
    {"($cells - $cells)", 4},
    {"(~$cells)", 3},
    {"own ($cells)", 1},
    {"enemy ($cells)", 1},
    {"next($cell, $directions)", 5},
    {"next($cells, $directions)", 2},
    {"(next($cell, $directions) & $cells)", 4},
    {"around($cells)", 2},
    {"ball($cells, $directions, $Small)", 1},
    {"run($cell, $directions, $cells)", 2},
    {"ray($cell, $directions)", 2},
    {"axis($cell, $direction)", 1},
    {"between($cell, $cell)", 2},
    {"group($cell, $cells, $directions)", 2},
    {"row_of($cell, $direction, $cells)", 1},
    {"line($Small, $cells, $directions)", 1},
    {"line($Small, own, axes)", 1},
    {"trapped($cell, $directions, $cells, $cells)", 1},
    {"($[$c=cell in $cells where $+c$truth$])", 4},
    {"union($sets)", 2},
    {"union($[($:c=cell$cells$-c for $c in $cells)$])", 1},
    {"first($cells)", 2},
    {"last($cells)", 1},
    {"first($sets)", 1},
    {"last($sets)", 1},
    {"reach($cells, $[$^$walk$])", 3},
    {"reach($cell, $[$^$walk$])", 3},
    {"reach($cells, $[$^(go $ways, at $aim)*$])", 1},
    {"before($cells)", 2, kTurn},
    {"$Who.($cells)", 1},
    {"$Who.own", 2},
    {"(if $truth then $cells else $cells)", 2},
    {"($[let $d=directions = $directions, $cells$])", 2},
    {"($[let $s=cells = $cells, $cells$])", 2},
    {"token", 3, kFamily},
    {"own token", 4, kFamily},
    {"rank($numbers)", 1},
    {"file($numbers)", 1},
    {"$cell", 2},
};

constexpr Form kCell[] = {
    {"here", 8, kHere},
    {"start", 2, kHere},
    {"$Cell", 4},
    {"origin", 4, kEndless},
    {"middle", 1},
    {"first($cells)", 2},
    {"last($cells)", 1},
    {"next(here, $direction)", 3, kHere},
    {"next($cell, $direction)", 2},
    {"(if $truth then $cell else $cell)", 1},
    {"before($cell)", 1, kTurn},
};

constexpr Form kDirections[] = {
    {"arms($cell)", 4, kCarried},
    {"arms", 6, kCarried | kHere},
    {"orthogonal", 5},
    {"all", 5},
    {"adjacent", 3},
    {"diagonal", 3},
    {"axes", 1},
    {"forward", 3, kForward},
    {"ahead", 2, kForward},
    {"sideways", 2, kForward},
    {"behind", 1, kForward},
    {"(forward | left)", 1, kForward},
    {"(north | east)", 2},
    {"(north | south)", 1},
    {"(ahead & diagonal)", 1, kForward},
    {"heading", 2, kHere},
    {"reverse", 1, kHere},
    {"lattice", 1, kHere},
    {"leap(1, 2)", 2},
    {"leap(0, 2)", 1},
    {"nowhere", 1},
    {"$direction", 4},
    {"($directions | $directions)", 2},
    {"($directions & $directions)", 1},
    {"($directions - $directions)", 2},
    {"($directions - reverse)", 2, kHere},
    {"($direction + $directions)", 1},
    {"opposite($directions)", 1},
    {"turn($directions, $Angle)", 1},
    {"spins($direction)", 1},
    {"aside($direction)", 2, kSquares},
    {"(if $truth then $directions else $directions)", 1},
    {"($[let $d=direction = $direction, $directions$])", 1},
    {"($[$d=direction in $directions where $+d$truth$])", 2},
    {"$Who.forward", 1, kForward},
    {"before($directions)", 1, kTurn},
};

constexpr Form kDirection[] = {
    {"north", 2},
    {"east", 2},
    {"south", 1},
    {"west", 1},
    {"(north + east)", 1},
    {"forward", 4, kForward},
    {"backward", 1, kForward},
    {"left", 1, kForward},
    {"right", 1, kForward},
    {"heading", 2, kHere},
    {"reverse", 1, kHere},
    {"(2 * $direction)", 1},
    {"opposite($direction)", 2},
    {"turn($direction, $Angle)", 2},
    {"(if $truth then $direction else $direction)", 1},
};

constexpr Form kKind[] = {
    {"was($cell)", 2, kCarried},
    {"$Kind", 6},
    {"kind($cell)", 4},
    {"first($kinds)", 1},
    {"last($kinds)", 1},
    {"(if $truth then $kind else $kind)", 1},
    {"token(number($cell) + 1)", 2, kFamily},
    {"token($number)", 2, kFamily},
};

constexpr Form kPlayer[] = {
    {"me", 3},
    {"$Player", 3},
    {"first(others)", 2},
    {"last(players)", 1},
    {"first($players)", 1},
    {"(if $truth then $player else $player)", 1},
};

constexpr Form kNumbers[] = {
    {"(1 .. 3)", 3},
    {"(0 .. $Small)", 2},
    {"list(1, 3, $Small)", 1},
    {"(3 .. 1)", 1},
    {"($number .. $number)", 1},
    {"(1 .. count($cells))", 2},
    {"list($number, $number)", 1},
    {"($numbers | $numbers)", 1},
    {"($numbers & $numbers)", 1},
    {"($numbers - $numbers)", 1},
    {"($[$:c=cell$number$-c for $c in $cells$])", 2},
    {"($[$:n=number$number$-n for $n in $numbers where $+n$truth$])", 1},
    {"($[$n=number in $numbers where $+n$truth$])", 1},
    {"(if $truth then $numbers else $numbers)", 1},
};

constexpr Form kSets[] = {
    {"sides", 3},
    {"list(own, enemy)", 1},
    {"list($cells, $cells)", 2},
    {"groups($cells, $directions)", 3},
    {"($[$:c=cell$cells$-c for $c in $cells$])", 2},
    {"($[$:d=direction$cells$-d for $d in $directions where $+d$truth$])", 1},
    {"($[$s=cells in $sets where $+s$truth$])", 1},
    {"($sets | $sets)", 1},
    {"($sets - $sets)", 1},
};

constexpr Form kKindLists[] = {
    {"kinds", 4},
    {"kinds($Kind)", 1},
    {"kinds(token)", 3, kFamily},
    {"kinds($Kind, token)", 1, kFamily},
    {"kinds(man, $Kind)", 1},
    {"(kinds - kinds($Kind))", 1},
    {"($[$k=kind in $kinds where $+k$truth$])", 2},
    {"($kinds | $kinds)", 1},
};

constexpr Form kPlayerLists[] = {
    {"players", 3},
    {"others", 3},
    {"$Who.others", 1},
    {"list($player, $player)", 1},
    {"(players - list($player))", 1},
    {"($[$p=player in $players where $+p$truth$])", 2},
};

constexpr Form kMap[] = {
    {"shift($Cell, $Cell)", 2, kEdges},           {"scale($Small, 2, $cells)", 1, kEdges},
    {"rotate(90, $cells)", 1, kEdges | kSquares}, {"rotate(180, board)", 1, kEdges},
    {"rotate(60, $cells)", 1, kEdges | kHexes},   {"reflect(north, board)", 1, kEdges},
};

constexpr Form kText[] = {
    {"\"x\"", 3},
    {"\"!\"", 2},
    {"here", 2, kHere},
    {"start", 1, kHere},
    {"me", 1},
    {"count(own)", 1},
    {"$number", 2},
    {"$cells", 2},
    {"$kind", 1},
    {"$player", 1},
    {"(\"-\", $cells)", 1},
    {"($number, \",\", $number)", 1},
    {"(if $truth then \"+\" else \"-\")", 2},
    {"(if $truth then $cells else none)", 1},
    {"$Mark", 3},
    {"$NamedCell", 3},
    {"($NamedCell, $Mark)", 2},
};

std::span<const Form> tabled_forms(Sort sort) {
  switch (sort) {
  case Sort::number: return kNumber;
  case Sort::truth: return kTruth;
  case Sort::cells: return kCells;
  case Sort::cell: return kCell;
  case Sort::directions: return kDirections;
  case Sort::direction: return kDirection;
  case Sort::kind: return kKind;
  case Sort::player: return kPlayer;
  case Sort::numbers: return kNumbers;
  case Sort::sets: return kSets;
  case Sort::kinds: return kKindLists;
  case Sort::players: return kPlayerLists;
  case Sort::map: return kMap;
  case Sort::text: return kText;
  default: return {};
  }
}

// ---------------------------------------------------------------- what rows of the table of operations tell

using interpreter::LanguageWord;

// Goes along with runtime::Type.
constexpr std::array kSortOfType{Sort::number, Sort::truth,  Sort::cells,  Sort::directions,
                                 Sort::kind,   Sort::player, Sort::map,    Sort::numbers,
                                 Sort::sets,   Sort::kinds,  Sort::players};

Sort sort_of_letter(char letter) {
  return kSortOfType.at(static_cast<std::size_t>(interpreter::type_of_letter(letter)));
}

std::vector<std::string> holes_for(char letter, std::string_view parameter) {
  if (letter == 'v') return {"$cells", "$directions", "$numbers", "$sets", "$kinds", "$players"};
  const bool single = std::islower(static_cast<unsigned char>(parameter.front())) != 0;
  switch (letter) {
  case 'n': return {parameter == "degrees" ? "$Angle" : "$number"};
  case 't': return {"$truth"};
  case 'c': return {single ? "$cell" : "$cells"};
  case 'd': return {single ? "$direction" : "$directions"};
  case 'k': return {"$kind"};
  case 'p': return {"$player"};
  case 'm': return {"$map"};
  case 'N': return {"$numbers"};
  case 'S': return {"$sets"};
  case 'K': return {"$kinds"};
  default: return {"$players"};
  }
}

std::uint32_t needs_of(const LanguageWord& word) {
  const std::uint16_t reads = runtime::own_reads(*word.op);
  std::uint32_t needs = kAnywhere;
  if (word.has(runtime::kPlaced) || (reads & runtime::kCarried) != 0) needs |= kHere;
  if (word.has(runtime::kAtTurnsEnd)) needs |= kEnd;
  if (word.has(runtime::kByEdges)) needs |= kEdges;
  if (reads == runtime::kHands) needs |= kHands;
  if ((reads & runtime::kBeginning) != 0) needs |= kTurn;
  return needs;
}

// All ways to write a word: `box($cell, $cell)` and `box($cell, $cell, $number)`.
std::vector<std::string> texts_of(const LanguageWord& word) {
  if (!word.is_function()) return {std::string(word.name)};
  std::vector<std::string> complete, begun{std::string(word.name) + "("};
  for (std::size_t i = 0; i < word.parameters.size(); ++i) {
    std::vector<std::string> longer;
    for (const std::string& text : begun)
      for (const std::string& hole : holes_for(interpreter::letter_of_parameter(word, i), word.parameters[i]))
        longer.push_back(text + (i > 0 ? ", " : "") + hole);
    begun = std::move(longer);
    if (i + 1 < word.least) continue;
    for (const std::string& text : begun) complete.push_back(text + ")");
  }
  return complete;
}

struct FormsOfRows {
  std::deque<std::string> texts;
  std::map<Sort, std::vector<Form>> forms; // with those of the tables

  FormsOfRows() {
    for (int i = 0; i < static_cast<int>(Sort::rounds); ++i) {
      const auto sort = static_cast<Sort>(i);
      const auto tabled = tabled_forms(sort);
      forms[sort] = {tabled.begin(), tabled.end()};
    }
    for (const LanguageWord& word : interpreter::words_of_language())
      if (word.is_regular()) add(word);
  }

  void add(const LanguageWord& word) {
    constexpr std::uint32_t kWeight = 2;
    const Sort sort = sort_of_letter(runtime::about(*word.op).types.front());
    for (const std::string& text : texts_of(word))
      forms[sort].push_back({texts.emplace_back(text), kWeight, needs_of(word)});
  }
};

} // namespace

std::span<const Form> value_forms(Sort sort) {
  static const FormsOfRows all;
  const auto found = all.forms.find(sort);
  return found == all.forms.end() ? std::span<const Form>() : std::span<const Form>(found->second);
}

Sort sort_named(std::string_view name) {
  static constexpr std::array<std::string_view, static_cast<std::size_t>(Sort::count)> kNames{
      "number",  "truth", "cells",  "cell",    "directions", "direction", "kind",   "player",
      "numbers", "sets",  "kinds",  "players", "map",        "text",      "rounds", "ways",
      "aim",     "mine",  "walk",   "carry",   "effect",     "action",    "turn",   "ending",
      "few",     "doubt", "naming", "telling", "deed",       "beat",      "beats",  "story"};
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  return static_cast<Sort>(found - kNames.begin());
}

} // namespace boardwright::tests
