// Stories: turns that give names to what they choose, say these names in any order, with texts between them
// or without, and do something to what they name. How a move is written then is all that tells it from
// others, so they ask whether the engine knows which moves are the same.
#include "tests/written/forms.hpp"

namespace boardwright::tests {
namespace {

constexpr Form kFew[] = {
    {"own", 8},
    {"enemy", 4},
    {"empty", 5},
    {"own $Kind", 3},
    {"enemy $Kind", 2},
    {"$Kind", 1},
    {"$Cell | $Cell", 4},
    {"$Cell | $Cell | $Cell", 2},
    {"file($File)", 2},
    {"~own", 1},
    {"~empty", 1},
    {"none | $Cell", 1},
    {"empty - $NamedCell", 2},
    {"own - $NamedCell", 2},
    {"~$NamedCell", 1},
    {"next($NamedCell, all)", 2},
    {"next($NamedCell, all) & $(own$;empty$;enemy$)", 2},
    {"$NamedCells", 2},
    {"$NamedPlayer.own", 1},
    {"next(here, all)", 2, kHere},
    {"$cells", 1},
};

constexpr Form kDoubt[] = {
    {"$NamedCell in file($File)", 4},
    {"$NamedCell in $(own$;empty$;enemy$)", 5},
    {"$NamedCell = $NamedCell", 2},
    {"$NamedCell in $Cell | $Cell", 2},
    {"some $NamedCells", 2},
    {"some $NamedCells & own", 1},
    {"some next($NamedCell, all) & $(own$;empty$;enemy$)", 2},
    {"$NamedNumber > 1", 2},
    {"$NamedKind = man", 2},
    {"kind($Chosen) = $NamedKind", 2, kNamed},
    {"$NamedPlayer = me", 1},
    {"ply < 2", 1},
    {"count(own) > 2", 1},
    {"here in file($File)", 2, kHere},
    {"some next(here, $NamedDirection) & own", 1, kHere},
    {"$truth", 1},
};

constexpr Form kNaming[] = {
    {"choose $c=cell in $few", 14},
    {"choose $c=cell in $few, choose $v=cell in $few", 4},
    {"choose 2 $s=cells in $few", 4},
    {"choose 1 $s=cells in $few", 2},
    {"choose $NamedNumber $s=cells in $few", 1},
    {"choose $k=kind in $(kinds$;list(man, $Kind)$;kinds(man, $Kind)$)", 4},
    {"choose $k=kind in kinds, (if $doubt then set $k = $Kind)", 1},
    {"choose $n=number in $(1 .. 2$;1 .. 3$;list(1, 11)$;list(1, 2, 12)$;-1 .. 1$;1 .. count(own)$)", 4},
    {"choose $n=number in 1 .. 2, set $n = $(3 - $n$;2$;$n + 10$)", 1},
    {"choose $d=direction in $(all$;adjacent$;north | east$;north | south$)", 5},
    {"choose $p=player in $(players$;others$)", 2},
    {"let $t=cells = next($NamedCell, $NamedDirection), require some $t", 6},
    {"let $t=cells = next($NamedCell, $(all$;adjacent$;north | south$;$NamedDirection | south$))", 2},
    {"let $t=cells = next($NamedCell, $(all$;adjacent$;north | south$;$NamedDirection | south$)), "
     "require some $t",
     4},
    {"let $t=cells = next($NamedCell, $(all$;adjacent$)) & $few", 2},
    {"let $t=cells = $few", 3},
    {"let $t=cells = empty", 3},
    {"let $t=cell = $(first$;last$)($few), require some $t", 2},
    {"let $t=cells = reach($NamedCell, (go $NamedDirection)+)", 1},
    {"let $t=cell = $NamedCell", 1},
    {"let $k=kind = kind($Chosen)", 1, kNamed},
    {"let $n=number = count($few)", 1},
};

constexpr Form kTelling[] = {
    {"say $NamedCell", 8},
    {"say ($NamedCell, $NamedCell)", 6},
    {"say ($NamedCell, $Mark, $NamedCell)", 5},
    {"say $Mark", 4},
    {"say ($Mark, $NamedCell)", 4},
    {"say ($NamedCell, $Mark)", 4},
    {"say ($Mark, $NamedCell, $NamedCell)", 2},
    {"say $NamedKind", 4},
    {"say ($NamedKind, $NamedCell)", 4},
    {"say $NamedNumber", 3},
    {"say ($NamedNumber, $NamedCell)", 2},
    {"say ($NamedCell, $NamedNumber)", 2},
    {"say $NamedCells", 2},
    {"say ($NamedCells, $NamedCell)", 2},
    {"say $NamedPlayer", 1},
    {"say ($NamedPlayer, $NamedCell)", 1},
    {"say (if $doubt then $NamedCell else $Mark)", 2},
    {"say (if $doubt then $Mark else none)", 1},
    {"say $NamedCell, say $Mark", 5},
    {"say $Mark, say $NamedCell", 2},
    {"say here", 3, kHere},
};

constexpr Form kDeed[] = {
    {"drop $Kind on $NamedCell", 7},
    {"drop $NamedKind on $NamedCell", 5},
    {"drop enemy $Kind on $NamedCell", 2, kTwo},
    {"drop $Small $Kind on $NamedCell", 3, kStacks},
    {"drop $Kind on $NamedCells", 2},
    {"remove $NamedCell", 5},
    {"change $NamedCell to $(own$;$Kind$)", 8},
    {"change $NamedCell to enemy", 4, kTwo},
    {"change $NamedCell to $NamedPlayer $NamedKind", 1},
    {"to $NamedCell", 5},
    {"to $NamedCell, lift, put", 3},
    {"to $few", 2},
    {"to $NamedCells", 2},
    {"from own, to $NamedCell", 2},
    {"from $few", 2},
    {"from $NamedCell", 1},
    {"lift, go $(all$;adjacent$;north | south$;$NamedDirection$), put", 3, kHere},
    {"lift, to $NamedCell, put", 3, kHere},
    {"go $NamedDirection", 2, kHere},
    {"quietly (drop $Kind on $NamedCell)", 3},
    {"quietly (drop enemy $Kind on $Cell)", 3, kTwo},
    {"quietly (remove $NamedCell)", 4},
    {"quietly (change $NamedCell to own, remove $NamedCell)", 2},
    {"quietly ($[$deed$])", 2},
    {"set $Chosen = $Cell", 4, kNamed},
    {"set $Chosen = first($few)", 2, kNamed},
    {"set $Chosen = next($Chosen, $NamedDirection)", 1, kNamed},
};

constexpr Form kBeat[] = {
    {"say $NamedCell", 4},
    {"say ($NamedCell, $Mark)", 2},
    {"drop $Kind on $NamedCell", 3},
    {"remove $NamedCell", 2},
    {"quietly (remove $NamedCell)", 1},
    {"$telling", 10},
    {"$deed", 11},
    {"$naming", 7},
    {"require $doubt", 3},
    {"(if $doubt then ($[$beats$]) else ($[$beats$]))", 3},
    {"(if $doubt then ($[$beats$]))", 2},
    {"(if $doubt then drop $Kind on $NamedCell else drop $Kind on $NamedCell)", 4},
    {"(($[$beats$]) or ($[$beats$]))", 3},
    {"(($[$beats$]) or ($~))", 2},
    {"(($[$beats$]) or require true)", 4},
    {"(($[$beats$]) otherwise ($[$beats$]))", 1},
    {"(drop $Kind on $NamedCell or say $NamedCell)", 2},
    {"(drop $Kind on $NamedCell or drop $Kind on $NamedCell)", 1},
    {"(($[$telling, $beats$]) or ($[$telling, $beats$]))", 2},
    {"quietly ($[$beats$])", 2},
    {"($[$beats$])$(?$;{2}$;{1 .. 2}$;{0 .. 2}$)", 1},
    {"each $[$c=cell in $NamedCells do $+c($deed)$]", 1},
    {"most count(own) of ($[$beats$])", 1},
    {"distinct ($[$beats$])", 1},
};

constexpr Form kBeats[] = {
    {"$beat", 3},
    {"$beat, $beat", 4},
    {"$beat, $beat, $beat", 2},
};

constexpr Form kStory[] = {
    {"choose $c=cell in $few, $beats, $telling", 6},
    {"choose $c=cell in $few, $naming, $telling", 5},
    {"choose $c=cell in $few, $naming, $beats, $telling", 7},
    {"choose $c=cell in $few, $naming, $naming, $beats", 4},
    {"$naming, $beats", 3},
    {"$naming, $naming, $telling", 3},
    {"$naming, $naming, $beats, $telling", 5},
    {"from own, $naming, $beats, $telling", 3},
};

constexpr Form kTellingTurns[] = {
    {"$story", 14},
    {"(($[$story$]) or ($[$story$]))", 4},
    {"(($[$story$]) or ($~))", 4},
    {"(($[$story$]) otherwise ($[$story$]))", 1},
    {"$naming, (($[$beats$]) or ($[$beats$]))", 5},
    {"$naming, (($[$beats$]) or ($~))", 4},
    {"$naming, $telling, (($[$beats$]) or ($[$beats$]))", 3},
    {"$naming, (if $doubt then ($[$beats$]) else ($[$beats$])), $beats", 4},
    {"(if $doubt then ($[$story$]) else ($[$story$]))", 1},
    // Several cells, of which not all are written.
    {"choose 2 $s=cells in $few, to $s, $(say here$;$telling$)", 4},
    {"(($[choose 2 $s=cells in $few, say $s$]) or ($[choose $c=cell in $few, say ($c, $Mark)$]))", 3},
    // Steps to where no cell is, one or two.
    {"choose $c=cell in $few, (($[let $t=cells = next($c, $NamedDirection), require some $t, say ($c, $t), "
     "say $Mark$]) or ($[let $t=cells = next($c, north | south), require some $t, say ($c, $t)$]))",
     2},
    // What a name was before something changed.
    {"let $s=cells = $few, quietly ($[$deed$]), choose $c=cell in $s, $beats", 4},
    {"choose $c=cell in $few, set $c = $Cell, $telling", 3},
    {"choose $k=kind in kinds, say $k, (drop $Kind on $Cell or say $Cell)", 3},
    {"choose $k=kind in $(kinds$;list(man, $Kind)$), $(drop $k on $;say $k, to $)$Cell, $beats", 2},
};

} // namespace

std::span<const Form> story_forms(Sort sort) {
  switch (sort) {
  case Sort::few: return kFew;
  case Sort::doubt: return kDoubt;
  case Sort::naming: return kNaming;
  case Sort::telling: return kTelling;
  case Sort::deed: return kDeed;
  case Sort::beat: return kBeat;
  case Sort::beats: return kBeats;
  case Sort::story: return kStory;
  default: return {};
  }
}

std::span<const Form> telling_turns() { return kTellingTurns; }

} // namespace boardwright::tests
