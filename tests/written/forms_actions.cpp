#include "tests/written/forms.hpp"

namespace boardwright::tests {
namespace {

constexpr Form kRounds[] = {
    {"*", 3},         {"+", 3},        {"?", 3},         {"{2}", 6},
    {"{3}", 1},       {"{1 .. 2}", 4}, {"{0 .. 2}", 3},  {"{1 .. 3}", 1},
    {"*!", 2},        {"+!", 3},       {"?!", 3},        {"{1 .. 3}!", 1},
    {"{0 .. 1}!", 1}, {"{$Small}", 1}, {"{$number}", 1}, {"{0 .. count($cells)}", 1},
};

constexpr Form kWays[] = {
    {"$directions", 12},
    {"$direction", 3},
    {"$Track", 8, kTracks},
    {"opposite($Track)", 2, kTracks},
    {"($Track | $directions)", 2, kTracks},
};

constexpr Form kAim[] = {
    {"empty", 12},        {"~own", 3},           {"enemy", 3},  {"board", 1},
    {"enemy | empty", 1}, {"empty & $cells", 2}, {"$cells", 4},
};

constexpr Form kMine[] = {
    {"own", 12},
    {"own man", 3},
    {"own $Kind", 2},
    {"own & $cells", 2},
    {"own - $cells", 1},
    {"($[$c=cell in own where $+c$truth$])", 2},
    {"neutral", 1, kNeutral},
    {"occupied", 1},
    {"$cells", 1},
};

constexpr Form kWalk[] = {
    {"go $ways", 6},
    {"go $ways, at $aim", 8},
    {"go heading", 2},
    {"go heading, at $aim", 1},
    {"go turn(heading, 90), at $aim", 1},
    {"go $directions - reverse, at $aim", 2},
    {"bend all", 3, kCurves},
    {"at $cells", 1},
    {"to $aim", 1},
    {"to next(here, $directions) & $aim", 1},
    {"to here", 1},
    {"to start", 1},
    {"choose $d=direction in $directions, go $d", 3},
    {"choose $d=direction in $directions, go $d, at $aim", 4},
    {"choose $d=direction in $directions, go $d, require $truth", 3},
    {"choose $d=direction in $directions, go $d, at $aim, require $truth", 4},
    {"choose $d=direction in $directions, require $truth, go $d", 4},
    {"choose $d=direction in $directions, require $truth, go $d, at $aim", 2},
    {"choose $d=direction in $directions, go $d, at $aim, require next(here, $d) in $cells", 3},
    {"choose $d=direction in $directions, require count(next(here, $d)) = 1, go $d", 2},
    {"choose $d=direction in $directions, (go $d, at $aim)$rounds", 4},
    {"choose $d=direction in $directions, (go $d, at $aim)$rounds, go $d, at $aim", 3},
    {"choose $d=direction in $directions, go $d, choose $e=direction in aside($d), go $d + $e, at $aim", 1,
     kSquares},
    {"choose $c=cell in next(here, $directions) & $aim, to $c", 2},
    {"choose $c=cell in $aim, require $truth, to $c", 1},
    {"let $d=direction = heading, go $directions, at $aim, require heading != $d", 1},
    {"let $c=cell = here, $walk, require $truth", 1},
    {"let $c=cell = here, ($[go $ways$])$rounds, require here != $c", 1},
    {"($[$walk$])$rounds", 6},
    {"($[$walk$])$rounds, go $ways, at $aim", 3},
    {"($[$walk$])$rounds, require $truth", 2},
    {"($[$walk$])$rounds, ($[$walk$])$rounds", 2},
    {"($[$walk)* until $truth$]", 1},
    {"($[$walk)+ until $truth$]", 1},
    {"($[$walk)+! until $truth$]", 1},
    {"($[$walk){1 .. 3} until $truth$]", 1},
    {"(go $ways, at $aim)* until not can (go heading, at $aim)", 1},
    {"(($[$walk$]) or ($[$walk$]))", 3},
    {"(($[$walk$]) or ($~))", 3},
    {"(($[$walk$]) otherwise ($[$walk$]))", 2},
    {"(($[$walk$]) otherwise ($~))", 2},
    {"(if $truth then ($[$walk$]))", 1},
    {"(if $truth then ($[$walk$]) else ($[$walk$]))", 2},
    {"most $number of ($[$walk$])", 1},
    {"distinct ($[$walk$])", 2},
    {"slide($directions)", 2},
    {"twice(go $ways)", 3, kTwice},
    {"twice($[$walk$])", 3, kTwice},
    {"let $d=directions = $directions, ($[go $d, set $d = if here in empty then heading else "
     "$directions$])+!",
     2},
    {"$walk, require $truth", 1},
    {"$walk, $walk", 1},
    {"let $s=cells = none, ($[go $ways, at $aim - $s, set $s = $s | here$])$rounds", 1},
    {"each $n=number in $numbers do (go $direction)", 1},
    {"each $n=number in 1 .. $Small do ($[(go $direction, at $aim)?!$])", 1},
};

// Where a step is needed (behind `do`, `of`, a repetition), the text begins and ends with a parenthesis.
constexpr Form kEffect[] = {
    {"(set facing($cells) = abs($number) % 6)", 3, kCarried},
    {"(set facing = (facing + 1) % 6)", 4, kCarried | kHere},
    {"(set facing = facing - $number)", 2, kCarried | kHere},
    {"(set fresh = $truth)", 4, kCarried | kHere},
    {"(set fresh($cells) = $truth)", 3, kCarried},
    {"(set arms = arms | $direction & all)", 3, kCarried | kHere},
    {"(set arms($cells) = turn(arms($cell), 90))", 2, kCarried | kSquares},
    {"(set was = kind(here))", 3, kCarried | kHere},
    {"(set was($cells) = $Kind)", 1, kCarried},
    {"nothing", 1},
    {"twice($effect)", 3, kTwice},
    {"count_up($NumberVar)", 4, kCountUp | kNumberVar},
    {"($[let $n=number = $number, count_up($n), say $n$])", 3, kCountUp},
    {"($[choose $n=number in 0 .. count($cells), choose $n $s=cells in $cells, remove $s$])", 1},
    {"pass", 1},
    {"(say \"x\")", 2},
    {"(say $text)", 3},
    {"(say ($text, $text))", 1},
    {"(remove $cells)", 3},
    {"(remove next(here, $directions) & enemy)", 4, kHere},
    {"(remove enemy & $cells)", 3},
    {"(remove here)", 1, kHere},
    {"(change $cells to own)", 1},
    {"(change enemy & next(here, $directions) to own)", 3, kHere},
    {"(change $cells to enemy)", 1, kTwo},
    {"(change $cells to neutral $Neutral)", 1, kNeutral},
    {"(change here to $Kind)", 3, kHere},
    {"(change here to $kind)", 1, kHere},
    {"(change own & $cells to own $Kind)", 1},
    {"(drop $Kind on $cells)", 2},
    {"(drop $Kind on $cells & empty)", 4},
    {"(drop $Kind on $cell)", 2},
    {"(drop $kind on $cell & empty)", 1},
    {"(drop enemy $Kind on $cells & empty)", 2, kTwo},
    {"(drop $player $Kind on $cells & empty)", 2},
    {"(drop $Small $player $Kind on $cell)", 1, kStacks},
    {"(change own & $cells to $player)", 1},
    {"(change $cells to $player $Kind)", 1},
    {"(drop $Neutral on $cells & empty)", 2, kNeutral},
    {"(drop $Neutral on start)", 2, kNeutral | kHere},
    {"(drop $Small $Kind on $cell)", 3, kStacks},
    {"(drop ($number) $Kind on $cell)", 1, kStacks},
    {"(move $cells by $map)", 2},
    {"(move own by shift($Cell, $cell))", 1},
    {"(set $NumberVar = $number)", 3, kNumberVar},
    {"(set $NumberVar = $NumberVar + 1)", 3, kNumberVar},
    {"(set $NumberVar = $NumberVar - $Small)", 1, kNumberVar},
    {"(set $TruthVar = $truth)", 3, kTruthVar},
    {"(set $TruthVar = not $TruthVar)", 1, kTruthVar},
    {"(set $CellsVar = $cells)", 3, kCellsVar},
    {"(set $CellsVar = $CellsVar | here)", 2, kCellsVar | kHere},
    {"(set $KindVar = $kind)", 3, kKindVar},
    {"(set $KindVar = kind(here))", 1, kKindVar | kHere},
    {"(set $PlayerVar = $player)", 3, kPlayerVar},
    {"(set $Store = $Store + $number)", 3, kStore},
    {"(set $Who.$Store = $number)", 2, kStore},
    {"(set hand($HandKind) = hand($HandKind) + 1)", 2, kHands},
    {"(set hand($HandKind) = hand($HandKind) - $Small)", 1, kHands},
    {"(set hand($HandKind) = $number)", 1, kHands},
    {"(if $truth then $[$effect$])", 4},
    {"(if $truth then $[$effect$] else $[$effect$])", 3},
    {"(if $truth then win)", 3},
    {"(if $truth then lose)", 1},
    {"(if $truth then draw)", 1},
    {"(if $truth then again)", 3},
    {"(if $truth then (say \"#\", win))", 1},
    {"win", 1},
    {"draw", 1},
    {"again", 1},
    {"(require $truth)", 4},
    {"(each $[$c=cell in $cells do $+c$effect$])", 2},
    {"(each $[$c=cell in $cells do $+c(to $c, $effect)$])", 1},
    {"(each $[$c=cell in $cells do $+c(remove $c)$])", 2},
    {"(each $[$c=cell in $cells do $+c(change $c to $Kind)$])", 1},
    {"(each $[$c=cell in $cells do $+c(if $truth then remove $c)$])", 2},
    {"(each $[$c=cell in $cells do $+c(say $c)$])", 1},
    {"(each $[$c=cell in $cells do (say \"x\")$])", 2},
    {"(each $[$c=cell in $cells do win$])", 1},
    {"(each $[$c=cell in $cells do pass$])", 1},
    {"(each $[$n=number in $numbers do $+n$effect$])", 1},
    {"(each $[$p=player in $players do $+p$effect$])", 1},
    {"(each $[$p=player in others do $+p(if $truth then (set $p.$Store = $number))$])", 2, kStore},
    {"(each $[$k=kind in $kinds do $+k$effect$])", 1},
    {"(each $[$s=cells in $sets do $+s$effect$])", 1},
    {"(each $[$d=direction in $directions do $+d$effect$])", 1},
    {"(each $[$c=cell in $cells do $+c(each $u=cell in $cells do $+u$effect)$])", 1},
    {"(each $[$c=cell in $cells do $+c$effect$])$rounds", 1},
    {"(each $[$c=cell in $cells do (say \"x\")$])$rounds", 1},
    {"($[$effect$])?", 3},
    {"($[$effect$])?!", 2},
    {"($[$effect$])$rounds", 2},
    {"($[choose $v=cell in $cells, remove $v$])", 2},
    {"($[choose $v=cell in $cells, remove $v$])$rounds", 2},
    {"($[choose $v=cell in $cells$])$rounds", 1},
    {"($[choose $n=number in $numbers, $effect$])", 1},
    {"($[choose $k=kind in $kinds, change here to $k$])", 2, kHere},
    {"($[choose $c=cell in $cells, $effect$])", 2},
    {"($[choose $Small $s=cells in $cells, remove $s$])", 2},
    {"($[choose $Small $s=cells in $cells, $effect$])", 1},
    {"($[choose $Small $s=numbers in $numbers, $effect$])", 1},
    {"($[choose $p=player in others, $effect$])", 1},
    {"($[let $n=number = $number, $effect, say $n$])", 1},
    {"($[let $s=cells = $cells, $effect, $effect$])", 1},
    {"($[let $n=number = 0, ($[$effect, set $n = $n + 1$])$rounds, require $truth$])", 1},
    {"($[let $s=cells = $cells, set $s = $s - $cells, remove $s$])", 1},
    {"(most $number of ($[$effect$]))", 1},
    {"(distinct ($[$effect$]))", 1},
    {"(quietly ($[$effect$]))", 2},
    {"(quietly ($[$effect, $effect$]))", 1},
    {"($[$effect$] or $[$effect$])", 2},
    {"($[$effect$] or $~)", 2},
    {"($[$effect$] otherwise $[$effect$])", 2},
    {"($[$effect$] otherwise $~)", 1},
    {"($effect, $effect)", 2},
    {"custodian($directions, enemy, own)", 2, kHere},
    {"custodian($directions, $cells, $cells)", 1, kHere},
    {"sandwich($directions, enemy, own)", 1, kHere},
    {"crown($Kind)", 2, kHere | kForward},
    {"place($Kind, $cells & empty)", 2},
    {"place($Kind, $cells)", 1},
    {"place($Kind, own)", 1},
    {"place($Kind, here)", 1, kHere},
    {"(to $cells, $effect)", 1},
    {"(from own, step($directions, empty))", 2},
    {"(from $mine, $action)", 1},
    {"(from here, to $aim)", 1, kHere},
    {"(from start, $effect)", 1, kHere},
    {"pie", 1},
    {"pie_across(man)", 1, kOpenings},
    {"exchange", 1, kTwo},
    {"never", 1},
};

constexpr Form kCarry[] = {
    {"go $ways, at $aim", 8},
    {"go $ways, at $aim", 3},
    {"choose $d=direction in $directions, (go $d, at empty)*, go $d, at $aim", 4},
    {"choose $d=direction in $directions, (go $d, at $aim)$rounds", 3},
    {"choose $d=direction in $directions, go $d, at occupied, go $d, at empty", 3},
    {"choose $d=direction in $directions, go $d, at enemy, remove here, go $d, at empty", 3},
    {"(choose $d=direction in $directions, go $d, at $aim, require $truth)$rounds", 4},
    {"($[$walk$]){2}", 3},
    {"$walk", 10},
    {"to $aim", 2},
    {"to reach(here, $[$walk$]) & $aim", 3},
};

constexpr Form kAction[] = {
    {"step($ways, $aim)", 8},
    {"ride($directions, $aim)", 4},
    {"fly($aim)", 2},
    {"vault($directions, $cells)", 2},
    {"swap($cells)", 2},
    {"swap(next(here, $directions) & $cells)", 4},
    {"swap($cells), $effect", 1},
    {"(if number(here) > 1 then (change here to token(number(here) - 1)))", 2, kFamily},
    {"capture($directions, enemy)", 3},
    {"(capture($directions, enemy))$rounds", 2},
    {"leaps($directions, enemy)", 2},
    {"flying_leaps($directions, enemy)", 1},
    {"lift, $carry, put", 14},
    {"lift, $carry, require $truth, put", 3},
    {"lift, $carry, (if $truth then $[$effect$]), put", 2},
    {"lift, $carry, put, require $truth", 3},
    {"lift, $carry, put, ($[lift, $carry, put$])?", 1},
    {"($[lift, $carry, put$])$rounds", 2},
    {"$[$action$], $effect", 6},
    {"(($[$action$]) or ($[$action$]))", 4},
    {"(($[$action$]) or ($~))", 3},
    {"(($[$action$]) otherwise ($[$action$]))", 2},
    {"(($[$action$]) otherwise ($~))", 1},
    {"(if $truth then ($[$action$]) else ($[$action$]))", 2},
    {"$walk, say here", 2},
    {"$walk, $effect", 2},
    {"($[$walk$])$rounds, remove here & enemy", 1},
    {"let $c=cell = here, step($ways, $aim), $effect", 1},
    {"let $n=number = $number, step($ways, $aim), require $truth", 1},
    {"choose $d=direction in $directions, step($d, $aim), (step($d, $aim))$rounds", 2},
    {"choose $d=direction in $directions, (if next(here, $d) in enemy then quietly (to next(here, $d), "
     "step($d, empty), to start)), step($d, empty)",
     1},
    {"choose $c=cell in next(here, $directions) & $cells, move here | $c by rotate(180, here | $c), say "
     "(\"~\", $c)",
     1},
    {"move group(here, own, $directions) by shift(here, next(here, $direction))", 2},
    {"lift, to here, put", 1},
    {"(to here, lift, go $ways, put)$rounds", 2, kFlat},
    {"(to here, drop man on here, go $ways)$rounds", 1},
    {"(from here, to $aim)$rounds, say here", 1},
    {"lift 1, $carry, put", 8, kStacks},
    {"lift $Small, $carry, put", 6, kStacks},
    {"lift, ($[go $ways, put 1$])$rounds", 5, kStacks},
    {"lift, ($[go $ways, at $aim, put 1$])+!", 4, kStacks},
    {"let $n=number = height(here), lift, (go $ways, put 1){$n}", 5, kStacks},
    {"choose $n=number in 1 .. height(here), lift $n, $carry, put", 5, kStacks},
    {"lift, go $ways, put 1, go $ways, put", 3, kStacks},
    {"lift, go $ways, discard 1, put", 3, kStacks},
    {"lift, go $ways, put $number, put", 2, kStacks},
    {"lift, discard, $effect", 1},
    {"lift ($number), go $ways, put", 1, kStacks},
    {"drop $Kind on here, $carry, $effect", 1, kStacks},
};

constexpr Form kTurns[] = {
    {"from $mine, $action", 20},
    {"from $mine, $action, $effect", 8},
    {"from $mine, lift, $carry, put", 8},
    {"from own, lift, ($[choose $d=direction in $directions, go $d, at $aim, require $truth$])$rounds, put",
     6},
    {"from own, lift, ($[choose $d=direction in $directions, require $truth, go $d$])$rounds, put", 4},
    {"from own, ($[$walk$]), say here", 2},
    {"from own, go $ways, require can ($[$walk$])", 2},
    {"from own, ($[$effect$])$rounds", 2},
    {"require can ($[from $mine, $walk$]), $effect", 2},
    {"place($Kind, empty)", 3},
    {"place($Kind, empty & $cells), $effect", 6},
    {"place($Kind, ($[$c=cell in empty where $+c$truth$]))", 3},
    {"place($Kind, $aim)", 2},
    {"choose $k=kind in $kinds, place($k, empty & $cells)", 2},
    {"choose $k=kind in kinds($Kind, man), require hand($k) > 0, place($k, empty)", 4, kHands},
    {"if hand($HandKind) > 0 then (place($HandKind, empty & $cells)) else ($[$turn$])", 4, kHands},
    {"drop $Kind on $cells, $effect", 2},
    {"remove $cells, place($Kind, $cells & empty)", 3},
    {"remove own, place($Kind, empty)", 2},
    {"($[drop $Kind on $cells$]) or ($[from own, $action$])", 2},
    {"choose $Small $s=cells in empty, drop $Kind on $s", 2},
    {"choose $Small $s=cells in $cells, require $truth, remove $s", 2},
    {"(choose $c=cell in $cells, $effect)$rounds", 2},
    {"choose $c=cell in $cells, $effect, $effect", 2},
    {"let $s=cells = $cells, from own, $action, require $truth", 3},
    {"let $n=number = $number, from own, $action, $effect, say $n", 2},
    {"from own, $action, let $c=cell = here, from own - $c, $action", 3},
    {"from own, $action, from own, $action", 2},
    {"from own, let $c=cell = here, to $aim, $effect, move $c by shift($c, here)", 1},
    {"(($[from $mine, $action$]) or ($[from $mine, $action$]))", 5},
    {"(($[from $mine, $action$]) or ($~))", 5},
    {"(($[from $mine, $action$]) otherwise ($[from $mine, $action$]))", 4},
    {"(($[$turn$]) or ($[$turn$]))", 4},
    {"(($[$turn$]) or ($~))", 4},
    {"(($[$turn$]) otherwise ($[$turn$]))", 3},
    {"(($[$turn$]) otherwise ($~))", 2},
    {"($[$effect$] or $[$effect$])", 2},
    {"($[$effect$] or $~)", 2},
    {"if $truth then ($[$turn$]) else ($[$turn$])", 4},
    {"if $CellsVar = none then ($[from own, $action, set $CellsVar = here, again$]) else ($[from $CellsVar, "
     "$action, set $CellsVar = none$])",
     2, kCellsVar},
    {"if $TruthVar then ($[($turn), set $TruthVar = false$]) else ($[($turn), set $TruthVar = true, again$])",
     2, kTruthVar},
    {"($[from own, $action, set $NumberVar = 0$]) or ($[pass, set $NumberVar = $NumberVar + 1$])", 3,
     kNumberVar},
    {"from own, require kind(here) != $KindVar, set $KindVar = kind(here), $action", 2, kKindVar},
    {"most $number of ($[from $mine, $action$])", 3},
    {"most count(own) of ($[$turn$])", 1},
    {"distinct ($[$turn$])", 3},
    {"distinct ($[from $mine, $walk$])", 1},
    {"quietly ($[$turn$]), say $text", 2},
    {"secretly ($[$turn$])", 1},
    {"secretly ($[$turn$]), say $text", 2},
    {"say \"!\", secretly ($[$turn$])", 1},
    {"($[$turn$]), $effect", 4},
    {"($[$turn$])$rounds", 1},
    {"($[$turn$]), require $truth", 2},
    {"each $[$c=cell in $cells do $+c$effect$]", 1},
    {"choose $p=player in others, change $p.own & $cells to own", 1},
    {"from own, choose $c=cell in $cells, $action, require $c in $cells", 2},
    {"place($Kind, empty) or pie", 1},
    {"(place(man, empty) or pie_across(man))", 2, kOpenings},
    {"exchange or ($[$turn$])", 1, kTwo},
    {"$story", 4},
};

// Whole turns in which nature moves: a roll stands in no question, and in few other places.
constexpr Form kRollingTurns[] = {
    {"roll $n=number in 1 .. 3, ($[$turn$])", 6},
    {"roll $n=number in 1 .. 2, ((from $mine, lift, (go $ways){$n}, at $aim, put) otherwise pass)", 5},
    {"roll $n=number in 1 .. $Small, ($[$effect$]), (($[$turn$]) otherwise pass)", 4},
    // Of what weighs as much as a large number random games find no end.
    {"roll $n=number in 1 .. 3 by min(($number), 40), (($[$turn$]) otherwise pass)", 4},
    {"secretly ($[roll $n=number in 1 .. 3, $effect$]), (($[$turn$]) otherwise pass)", 3},
    {"secretly ($[from $mine, $action, roll $n=number in 1 .. 2, $effect$])", 3},
    {"if $truth then (roll $n=number in 1 .. 2, ($[$turn$])) else ($[$turn$])", 4},
    {"roll $n=number in $numbers by $n, require $truth, ($[$turn$])", 3},
    {"roll $a=number, $b=number in 1 .. 2, ($[$turn$])", 4},
    {"roll $a=number in 1 .. 2, roll $b=number in 1 .. $a, (($[$turn$]) otherwise pass)", 3},
    {"roll $c=cell in $cells, ($[$effect$]), (($[$turn$]) otherwise pass)", 4},
    {"($[roll $c=cell in $cells, change $c & own to enemy$]) otherwise ($[$turn$])", 2},
    {"roll $k=kind in $kinds, (place($k, empty & $cells) otherwise pass)", 4},
    {"roll $p=player in players, (if $p = me then ($[$turn$]) else pass)", 3},
    {"from $mine, $action, roll $n=number in 1 .. 2, ($[$effect$])", 5},
    {"from own, step($ways, $aim), let $c=cell = here, roll $n=number in 1 .. 2, (if $n = 1 then remove $c), "
     "(if $truth then again)",
     4},
    {"from own, say \"?\", roll $d=cell in next(here, all), to $d & $aim, drop man on $d", 2},
    {"($[roll $n=number in 1 .. 2, $effect$]){2}, (($[$turn$]) otherwise pass)", 4},
    {"($[roll $n=number in 1 .. 2, $effect$]){1 .. 2}, pass", 2},
    {"((from $mine, $action) or (say \"?\", roll $n=number in 1 .. 2, ($[$effect$])))", 4},
    {"(if $truth then ($[roll $n=number in 1 .. 2, $effect$])), (($[$turn$]) otherwise pass)", 4},
};

constexpr Form kEndings[] = {
    {"lose when no move", 8},
    {"lose when no own", 4},
    {"win when no enemy", 2},
    {"draw when ply >= $Late", 3},
    {"draw when repeats >= 1", 2},
    {"win when ply > $Small and $truth", 5},
    {"lose when ply > $Small and $truth", 5},
    {"draw when ply > $Small and $truth", 3},
    {"lose when $truth or no move", 3},
    {"lose when $truth and no move", 2},
    {"draw when no move and $truth", 2},
    {"win when $truth", 1},
    {"lose when $truth", 1},
    {"lose when $TruthVar or no move", 2, kTruthVar},
    {"lose when $Who.(no move) and ply >= $Small", 2},
    {"$Player wins when ply > 0 and $truth", 3},
    {"$Player loses when ply > 0 and $truth", 3, kTwo},
    {"$Player loses when no move", 3, kTwo},
    {"score count(own) when ply >= $Late", 3},
    {"score $number when ply >= $Small", 6},
    {"score $number when no empty", 2},
    {"score $number when $truth and ply > 1", 2},
    {"score (if no move then $number else $number) when ply >= $Small", 2},
    {"score (if own $Kind $(=$;!=$;in$) $cells then $number else $number) when no $cells", 2},
    {"score count($cells) when ply >= $Small", 2},
    {"score (if $cells = own then 1 else 0) when ply >= $Small", 2},
    {"score (if $truth then 1 else 0) when ply >= $Small", 3},
    {"score $Store when ply >= $Late", 3, kStore},
    {"share 3/4 to me, 1/4 to enemy when ply > $Small and $truth", 2, kTwo},
    {"share 1/4 to me, 3/4 to enemy when no move", 2, kTwo},
};

// ---------------------------------------------------------------- families

constexpr std::string_view kHitters = R"~(
  hit:
    king: go all
    rook: slide(orthogonal)
    pawn: go ahead & diagonal
    cannon: $(go all$;slide(diagonal)$;hop(all)$;over(orthogonal, occupied)$;lame(1, 2)$;lame(2, 2)$;go leap(1, 2)$;go $directions$)
    horse: $(go all$;slide(diagonal)$;hop(all)$;over(orthogonal, occupied)$;lame(1, 2)$;lame(2, 2)$;go leap(1, 2)$;go $directions$)
  officers: kinds(rook, horse)
  idle_moves: 2
)~";

constexpr Family kFamilies[] = {
    {"chess", "{ squares: 5 by 6 }", "{ White: north, Black: south }",
     "{ king: K k, rook: R r, pawn: P p, cannon: C c, horse: H h }", "{ rook: 0, pawn: 0, horse: 1 }",
     "{ K: c1, R: a1 | e1, P: b3 | d2, H: d1, k: c6, p: c4 | d5, c: b5, r: e6 }",
     "{ rights: a1 | c1 | e1, passant: none, total: 0, idle: { clock: 0 }, overtime: false }", kHitters,
     "(let passed = passant, set passant = none, ((from own, fly(hits - own), pocket(here), promote) or "
     "double_step or "
     "$(in_passing(passed)$;take_leaper(passed)$)$( or (from own footman & double_row - promotion_rows, "
     "step(forward, empty))$; or "
     "(from own royal, fly(castled(east) & empty))$; or (from own horse, choose $d=direction in orthogonal, "
     "lift, askew($d, $direction), at ~own, put, say worth(start))$;$)$( or castle(east) or castle(west)$;$; "
     "or castle_anywhere(west)$; or (from own royal, fly(wing(west) & upto(a1, e1) & empty))$; or ($[from "
     "own, "
     "$action$])$)), require not "
     "checked$(, $effect$;$;, require attacked & $cells != own$)$(, keep_rights$;, set rights = "
     "row_castlers$;, set rights = castlers$;, "
     "expose(here)$;, count_idle$;, require not (dead or spared or idled or overtime)$;, if progress then "
     "set total = "
     "1$;, "
     "require helpless or strong(rook) or lively(horse)$;, require in_the_way(pawn) or for_good(king)$;$;$))",
     "lose when no move"},
    {"chess", "{ squares: 5 by 5 }", "{ White: north, Black: south }",
     "{ king: K k, rook: R r, pawn: P p, cannon: C c, horse: H h }", "{ rook: 1, pawn: 0, horse: 1 }",
     "{ K: c1, C: a1 | e1, P: b3 | d2, H: d1, k: c5, p: b4, c: b5, h: e4 }",
     "{ rights: none, passant: none, total: 0 }",
     R"~(
  hit:
    king: go all
    rook: $(go all$;slide(diagonal)$;hop(all)$;over(orthogonal, occupied)$;lame(1, 2)$;lame(2, 2)$;go leap(1, 2)$;go $directions$)
    pawn: go forward
    cannon: over($directions, occupied)
    horse: $(go all$;slide(diagonal)$;hop(all)$;over(orthogonal, occupied)$;lame(1, 2)$;lame(2, 2)$;go leap(1, 2)$;go $directions$)
  footman: horse
  royal: king
  promotion_rows: row(-2 .. -1)
  double_row: row(2) | row(3)
  askew(d, e): go d, go e
  worth(k): { rook: pawn, others: horse }
  officers: (k in kinds(rook, cannon) where count(own k) < 2)
)~",
     "(((from own, fly($cells & (hits - own)), promote) or double_step or (from own footman & "
     "promotion_rows, "
     "become_officer)), $effect, require not some own royal in enemy.attacked)",
     "lose when no move"},
    {"draughts", "{ squares: 6 by 6 }", "{ White: north, Black: south }", "{ man: w b, king: W B }", "",
     "{ w: dark & rank(1 .. 2), b: dark & rank(5 .. 6), W: c3, B: d4 }", "{ progress: 0, total: 0 }",
     R"~(
  take:
    man: leaps($directions, enemy)
    king: |
      let hit = none, lift,
      (choose d in diagonal, (go d, at empty)*, go d, at enemy - hit, set hit = hit | here, land(d, $Small, hit))+!, put, remove hit
  quiet: { man: man_step, king: "ride(diagonal, empty)" }
)~",
     "$(take_first$;take_most$;(from own, take, (if can onward(none) then again))$), note_progress, "
     "(crown(king)), $effect",
     "lose when no move"},
    {"mancala", "{ squares: 3 by 2, stacks: true, tracks: { sow: a1 b1 c1 c2 b2 a2 a1 } }",
     "{ South: north, North: south }", "{ man: neutral s }", "", "{ ss: board, sss: b1 | a2 }",
     "{ store: { each: 0 }, total: 0 }", "\n  pits: row(1)\n",
     "from pits & occupied & ($cells | board), $(sow(start)$;sow(none)$;lap(none, $cells)$;lap(start, "
     "enemy.row(1))$;sow($cells)$), $((if height(here) < 4 then bank(here))$;bank($cells)$;nothing$), (if "
     "$truth then again)",
     "score store when no pits & occupied"},
    {"mancala", "{ squares: 4 by 2, stacks: true, tracks: { round: a1 b1 c1 d1 d2 c2 b2 a2 a1 } }",
     "{ South: north, North: south }", "{ man: neutral s }", "", "{ ss: board }", "{ total: 0 }",
     "\n  sow: { South: round, North: opposite(round) }\n  store: { South: d1, North: a2 }\n",
     "from row(1) & occupied - store, $(sow(start)$;sow(none)$;lap(none, $cells)$;lap(start, "
     "enemy.row(1))$;sow($cells)$), (if here in row(1) and height(here) = 1 then haul(here, man)), $effect",
     "score height(store) when no row(1) & occupied"},
    {"mills", "{ squares: 4 by 4 }", "{ White: north, Black: south }", "{ man: w b, king: W B }",
     "{ man: 4 }", "{ w: a1 | b1 | c3, b: a4 | b4 | d4 | d2 }", "{ total: 0 }", "\n  goal: milled & prey\n",
     "((from own, step($directions, empty)) or place(man, empty)), take, $effect",
     "lose when count(own) < 2 or no move"},
    {"polyominoes", "{ squares: 5 by 5 }", "{ White: north, Black: south }", "{ man: w b }", "", "{ w: c3 }",
     "{ total: 0 }", "\n  corner: a1 | a2 | b1$($;\n  frame: a1..c3$)\n",
     "choose $s=cells in $(forms(corner)$;turned(corner)$;forms(a1 | b1)$;turned(frame & corner)$), choose "
     "$c=cell in empty, let "
     "$t=cells = $(fit($s, $c, empty)$;shifted($s, $c) & $cells$), require some $t and $truth, drop man on "
     "$t, $effect",
     "lose when no move"},
    {"territory", "{ $(squares: 4 by 4$;hexes: 4 by 4$;squares: 5 by 4$) }", "[Black, White]", "{ man: b w }",
     "", "{ b: a1 | b2 | b1, w: c3 | c2 | a3 | d4 }", "{ passes: 0, total: 0 }",
     "\n  goal: $(liberties(a1, own)$;stifled(enemy)$;stifled(own) | area$;enemy.area$)\n",
     "((surround(man), set passes = 0, $effect) or (pass, set passes = passes + 1))",
     "score count(area) when passes = 2 or ply > 20"},
    {"repetition", "{ squares: 3 by 3 }", "{ White: north, Black: south }", "{ man: w b, king: W B }", "",
     "{ w: a1 | b1, b: c3, B: a3 }", "{ total: 0, forced: { clock: { each: 0 } } }",
     "\n  goal: $cells\n  pressed: some enemy & goal\n", "count_pressed, from own, $action",
     "$(draw$;win$;lose$) when $(repeated$;repeats >= repetition$;hounded$;hounding$;pressed$)"},
};

} // namespace

std::span<const Form> action_forms(Sort sort) {
  switch (sort) {
  case Sort::rounds: return kRounds;
  case Sort::ways: return kWays;
  case Sort::aim: return kAim;
  case Sort::mine: return kMine;
  case Sort::walk: return kWalk;
  case Sort::carry: return kCarry;
  case Sort::effect: return kEffect;
  case Sort::action: return kAction;
  case Sort::turn: return kTurns;
  case Sort::ending: return kEndings;
  default: return story_forms(sort);
  }
}

std::span<const Form> rolling_turns() { return kRollingTurns; }

std::span<const Family> families() { return kFamilies; }

} // namespace boardwright::tests
