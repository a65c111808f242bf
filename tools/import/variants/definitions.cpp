#include "tools/import/variants/definitions.hpp"

#include "tools/import/variants/keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace boardwright::tools {
namespace {

std::string capitalised(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

constexpr std::pair<const char*, const char*> kHelpers[] = {
    {"dash", "choose d in D, (go d, at empty){0 .. n - 1}, go d"},
    {"stride", "choose d in D, go d, at empty, go d"},
    {"vaulted", "choose d in D, go d, at occupied, go d"},
};

std::string helper_head(const std::string& name) { return name == "dash" ? "dash(D, n)" : name + "(D)"; }

bool is_alternative(const std::string& walk) { return walk.find(" or ") != std::string::npos; }

// From which of its rows a kind has no move to a cell of the board, counted from the last one.
int rows_without_moves(const std::set<Leap>& leaps) {
  int least = 0;
  for (const Leap& leap : leaps) least = least == 0 ? leap.forward : std::min(least, leap.forward);
  return std::max(least, 0);
}

} // namespace

bool Definitions::has(std::string_view name) const {
  return std::any_of(bodies_.begin(), bodies_.end(), [name](const auto& body) { return body.first == name; });
}

std::string Definitions::region_of(const VariantKind& kind) {
  const VariantKeys& variant = plan_.variant;
  const std::string key = capitalised(kind.key);
  const std::string white = "mobilityRegionWhite" + key, black = "mobilityRegionBlack" + key;
  if (!variant.settings.contains(white) && !variant.settings.contains(black)) return "";
  const auto cells = [&](const std::string& name) {
    return read_cells(variant.settings.contains(name) ? variant.text(name) : "**", variant.size)
        .value_or(CellSet{});
  };
  const std::string text = players_text(cells(white), cells(black), variant.size);
  if (text == "board") return "";
  const auto found = regions_.find(text);
  if (found != regions_.end()) return found->second;
  const std::string name = kind.name + "_cells";
  regions_[text] = name;
  add(name, text);
  return name;
}

std::string Definitions::walk_of(const VariantKind& kind, bool capturing) {
  const int grown = plan_.variant.number("soldierPromotionRank", 1);
  std::string walk;
  if (kind.key == "janggiCannon") {
    walk = fmt::format("over(orthogonal, occupied - {0}), at ~{0}", kind.name);
  } else if (kind.key == "soldier" && grown > 1) {
    walk = fmt::format("go (if here in row(1 .. {}) then forward else forward | sideways)", grown - 1);
  } else {
    const auto text = walk_text(kind.moves, capturing, helpers_);
    if (!text) plan_.fault(kind.key, text.error());
    walk = text.value_or("never");
  }
  const std::string region = region_of(kind);
  if (!region.empty() && walk != "never")
    walk = fmt::format("{}, at {}", is_alternative(walk) ? "(" + walk + ")" : walk, region);
  if (kind.key == "king" && capturing && plan_.variant.flag("flyingGeneral", false)) {
    const std::string first = is_alternative(walk) && region.empty() ? walk : "(" + walk + ")";
    walk = first + " or (slide(orthogonal), at enemy king)";
  }
  return walk;
}

Definitions::Walks Definitions::walks(bool capturing) {
  Walks result;
  for (const VariantKind* kind : plan_.kinds) {
    const std::string walk = walk_of(*kind, capturing);
    const auto same =
        std::find_if(result.begin(), result.end(), [&](const auto& other) { return other.second == walk; });
    if (same == result.end())
      result.emplace_back(kind->name, walk);
    else
      same->first += " " + kind->name;
  }
  return result;
}

void Definitions::add_kinds_map(const std::string& name, const Walks& walks, bool others_hit) {
  std::string text;
  for (const auto& [kinds, walk] : walks) text += fmt::format("\n    {}: {}", kinds, walk);
  if (others_hit) text += "\n    others: hit";
  add(name, text);
}

void Definitions::add_walks() {
  const Walks hits = walks(true), quiets = walks(false);
  std::map<std::string, std::string> by_kind;
  for (const VariantKind* kind : plan_.kinds) by_kind[kind->name] = walk_of(*kind, true);
  Walks different;
  bool some_alike = false;
  for (const VariantKind* kind : plan_.kinds) {
    const std::string walk = walk_of(*kind, false);
    // That a king hits the other one from afar is no move.
    const bool alike =
        walk == by_kind[kind->name] || (kind->key == "king" && by_kind[kind->name].starts_with("(" + walk));
    some_alike = some_alike || alike;
    if (alike) continue;
    const auto same = std::find_if(different.begin(), different.end(),
                                   [&](const auto& other) { return other.second == walk; });
    if (same == different.end())
      different.emplace_back(kind->name, walk);
    else
      same->first += " " + kind->name;
  }
  glides_ = !different.empty();
  for (const auto& [name, body] : kHelpers)
    if (helpers_.contains(name)) add(helper_head(name), body);
  add_kinds_map("hit", hits, false);
  if (glides_) add_kinds_map("glide", different, some_alike);
}

void Definitions::add_hunted() {
  if (plan_.royal.empty()) {
    // What goes to a hand is asked whether it is hunted.
    if (plan_.pockets()) add("royal", "none");
    return;
  }
  std::string text;
  for (const std::string& key : plan_.royal) {
    const std::string name = plan_.name(key);
    const bool few = key != "king" && plan_.can_be_many(key);
    text +=
        (text.empty() ? "" : " | ") +
        (few ? fmt::format("(if count(own {0}) <= {1} then {0} else none)", name, plan_.most_royal) : name);
  }
  if (text != "king") add("royal", text);
  if (!plan_.variant.flag("blastOnCapture", false)) return;
  // Next to the other king a king is safe: taking him would blow up both.
  add("attacked", "inherited - next(own royal, all)");
  add("checked", "no own royal or some enemy royal and inherited");
}

void Definitions::add_pawns() {
  const VariantKeys& variant = plan_.variant;
  const auto by_side = [&](const std::vector<std::string>& white, const std::vector<std::string>& black,
                           bool as_list) {
    const auto text = [&](const auto& keys) { return as_list ? plan_.list(keys) : plan_.set(keys); };
    if (white == black) return text(white);
    const char* quote = as_list ? "\"" : "";
    return fmt::format("{{ White: {0}{1}{0}, Black: {0}{2}{0} }}", quote, text(white), text(black));
  };
  const std::vector<std::string>& steppers = plan_.double_steppers;
  const bool alike = steppers.empty() || !plan_.promotes() ||
                     (plan_.promoted.white == steppers && plan_.promoted.black == steppers);
  const std::string footmen =
      steppers.empty() ? by_side(plan_.promoted.white, plan_.promoted.black, false) : plan_.set(steppers);
  if ((plan_.promotes() || !steppers.empty()) && footmen != "pawn") add("footman", footmen);
  if (plan_.promotes()) {
    auto [white, black] = plan_.officers;
    if (plan_.promoted.white.empty()) white = black;
    if (plan_.promoted.black.empty()) black = white;
    add("officers", by_side(white, black, true));
    const auto zones = variant.regions("promotionRegion");
    const std::string rows = players_text(zones.white, zones.black, variant.size);
    if (rows != "row(-1)") add("promotion_rows", rows);
    const std::string limit = limit_condition("k");
    if (plan_.remembers || !limit.empty())
      add("become_officer", fmt::format("choose k in officers, {}{}change here to k",
                                        limit.empty() ? "" : "require " + limit + ", ",
                                        plan_.remembers ? "set was = kind(here), " : ""));
    const bool must = variant.flag("mandatoryPawnPromotion", true);
    const std::string who = alike ? "footman" : by_side(plan_.promoted.white, plan_.promoted.black, false);
    if (!alike) add("recruits", who);
    if (!must || !alike)
      add("promote", fmt::format("if here in {} & promotion_rows then {}", alike ? "footman" : "recruits",
                                 must ? "become_officer" : "(become_officer or nothing)"));
  }
  if (steppers.empty()) return;
  const auto rows = variant.regions("doubleStepRegion");
  const std::string text = players_text(rows.white, rows.black, variant.size);
  if (text != "row(2)") add("double_row", text);
  if (!plan_.in_passing)
    add("double_step", "from own footman & double_row, lift, (go forward, at empty){2}, put");
  const auto third = variant.regions("tripleStepRegion");
  if (third.white.empty() && third.black.empty()) return;
  add("triple_row", players_text(third.white, third.black, variant.size));
  add("triple_step",
      plan_.in_passing
          ? "|\n    from own footman & triple_row, lift, go forward, at empty, let first_cell = here,\n"
            "    go forward, at empty,\n"
            "    let passed = (first_cell | here) & enemy.reach(own footman, hit), go forward, at empty, "
            "put,\n"
            "    expose(passed)"
          : "from own footman & triple_row, lift, (go forward, at empty){3}, put");
  // The pawn that has passed stands one cell behind, or two.
  if (plan_.in_passing)
    add("in_passing(passed)", "|\n    from own footman, let behind_it = hits & passed,\n    lift, to "
                              "behind_it, let one = next(here, backward),\n"
                              "    remove (one | next(one & empty, backward)) & enemy footman, put");
}

std::string Definitions::limit_condition(const char* kind) const {
  const auto limits = plan_.variant.pairs("promotionLimit");
  return limits.empty() ? "" : fmt::format("count(own {0}) < most_of({0})", kind);
}

// That capture as a whole move, where it is more than the vocabulary's: who has leapt is exposed only where
// it may be taken.
void Definitions::add_taking_of_leapers() {
  if (!plan_.in_passing) return;
  const std::string legal = legal_text(plan_);
  const bool blast = plan_.variant.flag("blastOnCapture", false) || !plan_.petrified().empty();
  if (legal == "not checked" && !blast) return;
  add("take_leaper(passed)", fmt::format("in_passing(passed){}{}{}", blast ? ", explode" : "",
                                         legal.empty() ? "" : ", require ", legal));
}

void Definitions::add_turning() {
  const VariantKeys& variant = plan_.variant;
  if (const auto limits = variant.pairs("promotionLimit"); !limits.empty()) {
    std::string text;
    for (const auto& [key, most] : limits)
      if (plan_.uses(key)) text += fmt::format("{}: {}, ", plan_.name(key), most);
    add("most_of(k)", fmt::format("{{ {}others: {} }}", text, variant.size.files * variant.size.ranks));
  }
  if (plan_.turned.empty()) return;
  std::string text;
  for (const auto& [from, to] : plan_.turned)
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", plan_.name(from), plan_.name(to));
  add("turned", fmt::format("{{ {} }}", text));
  const auto zones = variant.regions("promotionRegion");
  const std::string zone = players_text(zones.white, zones.black, variant.size);
  std::vector<std::string> conditions;
  if (zone != "board") {
    add("zone", zone);
    conditions.emplace_back("some (start | here) in zone");
  }
  if (variant.flag("piecePromotionOnCapture", false)) conditions.emplace_back("some before(enemy) - enemy");
  const std::string place = fmt::format("{}", fmt::join(conditions, " and "));
  const std::string limit = limit_condition("k");
  add("turn_over",
      fmt::format("let k = turned, require k != none{}, {}change here to k",
                  limit.empty() ? "" : " and " + limit, plan_.remembers ? "set was = kind(here), " : ""));
  const std::string require = place.empty() ? "" : "require " + place + ", ";
  if (variant.flag("pieceDemotion", false))
    add("rise",
        require + "(turn_over or (let k = was, require k != none, set was = kind(none), change here to k))");
  else
    add("rise", require + "turn_over");
}

void Definitions::add_castling() {
  if (!plan_.castling) return;
  const CastlingPlan& plan = *plan_.castling;
  if (!plan.usual_goals || plan.row != 1)
    add("castled(d)", fmt::format("row({}) & (if d = east then file({}) else file({}))", plan.row,
                                  plan.east_file, plan.west_file));
  const bool hunted = std::find(plan_.royal.begin(), plan_.royal.end(), plan.king) != plan_.royal.end();
  if (hunted && plan_.name(plan.rook) == "rook") return;
  add("castlers",
      fmt::format(
          "|\n    if some own {0} & rights and some own {1} & rights\n    then own ({0} | {1}) & rights "
          "else none",
          plan_.name(plan.king), plan_.name(plan.rook)));
  const char* unattacked = hunted ? " and no (here | goal | between(here, goal)) in enemy.attacked" : "";
  add("castle(d)",
      fmt::format("|\n    from own {} & rights, let tower = ray(here, d) & rights & own {}, let "
                  "goal = castled(d),\n    require some tower and between(here, tower) in empty{},\n"
                  "    lift, to goal, put, move tower by shift(tower, next(goal, opposite(d)))",
                  plan_.name(plan.king), plan_.name(plan.rook), unattacked));
}

std::string Definitions::soil() const {
  const VariantKeys& variant = plan_.variant;
  std::string everywhere = "empty";
  const bool bounded =
      variant.settings.contains("dropRegionWhite") || variant.settings.contains("dropRegionBlack");
  if (bounded) everywhere = "empty & camp";
  const std::string rule = variant.text("enclosingDrop");
  if (const auto cells = known_text("drops", rule)) everywhere = *cells;
  if (!variant.text("enclosingDropStart").empty() && !rule.empty() && rule != "none")
    everywhere = fmt::format("(if some empty & first_cells then empty & first_cells else {})", everywhere);
  std::string pawns;
  const auto zones = variant.regions("promotionRegion");
  if (!variant.flag("promotionZonePawnDrops", false) && !(zones.white.empty() && zones.black.empty()))
    pawns += fmt::format(" - {}", plan_.promotes() ? "promotion_rows" : "zone");
  if (!variant.flag("firstRankPawnDrops", false)) pawns += " - row(1)";
  const bool has_pawn = std::find(plan_.dropped.begin(), plan_.dropped.end(), "pawn") != plan_.dropped.end();
  if (!has_pawn || pawns.empty()) return everywhere;
  if (plan_.dropped.size() == 1) return everywhere + pawns;
  return fmt::format("{{ pawn: {}{}, others: {} }}", everywhere, pawns, everywhere);
}

void Definitions::add_drops() {
  if (plan_.dropped.empty()) return;
  const VariantKeys& variant = plan_.variant;
  const std::string rule = variant.text("enclosingDrop");
  if (!rule.empty() && rule != "none" && !known_text("drops", rule))
    plan_.fault("enclosingDrop", fmt::format("`{}` can't be carried over", rule));
  const auto cells = [&](const std::string& key) {
    return read_cells(variant.settings.contains(key) ? variant.text(key) : "**", variant.size)
        .value_or(CellSet{});
  };
  const std::string camp = players_text(cells("dropRegionWhite"), cells("dropRegionBlack"), variant.size);
  const std::string ground = soil();
  if (ground.find("first_cells") != std::string::npos)
    add("first_cells",
        cells_text(read_cells(variant.text("enclosingDropStart"), variant.size).value_or(CellSet{}),
                   variant.size));
  if (ground.find("camp") != std::string::npos) add("camp", camp);
  const bool by_kind = ground.starts_with("{");
  if (by_kind) add("soil(k)", ground);
  std::vector<std::string> keys = plan_.dropped, conditions;
  for (const std::string& key : variant.kind_keys("dropNoDoubled")) {
    const int most = variant.number("dropNoDoubledCount", 1);
    if (most == 0) std::erase(keys, key);
    if (most > 0 && std::find(keys.begin(), keys.end(), key) != keys.end())
      conditions.push_back(
          fmt::format("(k != {0} or count(own {0} & axis(here, north)) <= {1})", plan_.name(key), most));
  }
  if (keys.empty()) return;
  // What is bound to a region can't be dropped outside.
  for (const std::string& key : keys)
    if (const std::string region = region_of(*variant.kind(key)); !region.empty())
      conditions.push_back(fmt::format("(k != {} or here in {})", plan_.name(key), region));
  if (variant.flag("shogiPawnDropMateIllegal", false)) {
    const std::string pawn = plan_.uses("shogiPawn") ? plan_.name("shogiPawn") : "pawn";
    if (plan_.uses("shogiPawn")) {
      conditions.push_back(fmt::format("(k != {} or not mating)", pawn));
      add("mating", "enemy.checked and not enemy.(can (from own, fly(hits - own), require not checked))");
    }
  }
  // Only kings are thought of there, not what is hunted like one.
  if (!variant.flag("dropChecks", true) && plan_.uses("king")) conditions.emplace_back("not enemy.checked");
  std::string text =
      keys.size() == 1 && !by_kind && conditions.empty()
          ? fmt::format("place({}, {})", plan_.name(keys.front()), ground)
          : fmt::format("choose k in {}, place(k, {})", plan_.list(keys), by_kind ? "soil(k)" : ground);
  if (variant.flag("dropPromoted", false) && !plan_.turned.empty()) text += ", turn_over?";
  if (plan_.flips())
    text += ", " + known_text("dropped", variant.text("flipEnclosedPieces")).value_or("flip");
  if (!conditions.empty()) text += fmt::format(", require {}", fmt::join(conditions, " and "));
  add("drops", text);
}

// What is enclosed by the piece that has come to `here` changes sides.
void Definitions::add_flips() {
  if (!plan_.flips()) return;
  const std::string rule = plan_.variant.text("flipEnclosedPieces");
  if (const auto flip = known_text("flips", rule))
    add("flip", *flip);
  else
    plan_.fault("flipEnclosedPieces", fmt::format("`{}` can't be carried over", rule));
  if (!plan_.royal.empty()) plan_.fault("flipEnclosedPieces", "not where a piece is hunted");
}

// What a player walls off, at the end of his turn or instead of it.
void Definitions::add_walling() {
  const std::string rule = plan_.walling();
  if (rule.empty()) return;
  const VariantKeys& variant = plan_.variant;
  std::string region;
  if (variant.settings.contains("wallingRegionWhite") || variant.settings.contains("wallingRegionBlack")) {
    const auto cells = variant.regions("wallingRegion");
    add("wallable", players_text(cells.white, cells.black, variant.size));
    region = " & wallable";
  }
  if (rule == "arrow")
    add("build", fmt::format("place(wall, {} & empty{})", glides_ ? "reach(here, glide)" : "hits", region));
  else if (rule == "past")
    add("build", "drop wall on start");
  else if (rule == "static")
    add("build", fmt::format("place(wall, empty{})", region));
  else if (rule == "edge")
    add("build", fmt::format("place(wall, empty{} & (rim | next(wall, orthogonal)))", region));
  else if (rule == "duck") // it goes to another cell
    add("build", fmt::format("let spots = empty{}, remove wall, place(wall, spots)", region));
  else
    plan_.fault("wallingRule", fmt::format("`{}` can't be carried over", rule));
  if (rule == "edge") {
    CellSet edge;
    for (int rank = 1; rank <= variant.size.ranks; ++rank)
      for (int file = 1; file <= variant.size.files; ++file)
        if (rank == 1 || file == 1 || rank == variant.size.ranks || file == variant.size.files)
          edge.insert({rank, file});
    add("rim", cells_text(edge, variant.size));
  }
  if (!plan_.hands.empty()) plan_.fault("wallingRule", "not where pieces are dropped");
  if (plan_.passes()) plan_.fault("wallingRule", "not where one passes");
}

void Definitions::add_moves() {
  const bool doubles = !plan_.double_steppers.empty();
  const std::string passing = plan_.in_passing ? "(ep)" : "";
  const char* steps = has("triple_step") ? "double_step or triple_step" : "double_step";
  const std::string takes = "from own, fly(hits & enemy)";
  const std::string quiets =
      glides_ ? "from own, fly(reach(here, glide) & empty)" : "from own, fly(hits & empty)";
  const auto with = [](const std::string& first, bool more, const char* other) {
    return more ? fmt::format("({}) or {}", first, other) : first;
  };
  if (plan_.splits()) {
    add("takes" + passing, with(takes, plan_.in_passing, "in_passing(ep)"));
    add("quiets", with(quiets, doubles, steps));
    return;
  }
  std::string walk = glides_              ? "from own, fly((hits & enemy) | (reach(here, glide) & empty))"
                     : !plan_.has_walls() ? "from own, fly(hits - own)"
                                          : "from own, fly(hits - own - wall)";
  walk = with(walk, doubles, steps);
  if (plan_.in_passing) walk += " or in_passing(ep)";
  add("walk" + passing, walk);
}

std::string stuck_text(const Plan& plan) {
  if (!plan.variant.flag("immobilityIllegal", false)) return "";
  std::map<int, std::vector<std::string>> by_rows;
  for (const VariantKind* kind : plan.kinds) {
    const auto leaps = first_leaps(kind->moves);
    if (const int rows = rows_without_moves(leaps); rows > 0) by_rows[rows].push_back(kind->key);
  }
  std::string text;
  for (const auto& [rows, keys] : by_rows)
    text += fmt::format("{}({} & {})", text.empty() ? "" : " | ",
                        keys.size() == 1 ? plan.name(keys.front()) : "(" + plan.set(keys) + ")",
                        rows == 1 ? "row(-1)" : fmt::format("row({} .. -1)", -rows));
  return text;
}

std::string legal_text(const Plan& plan) {
  std::vector<std::string> conditions;
  if (!stuck_text(plan).empty()) conditions.emplace_back("no here & own & stuck");
  if (!plan.royal.empty()) conditions.emplace_back("not checked");
  if (!plan.variant.flag("checking", true) && plan.uses("king")) conditions.emplace_back("not enemy.checked");
  return fmt::format("{}", fmt::join(conditions, " and "));
}

std::string after_text(const Plan& plan) {
  std::vector<std::string> parts;
  const VariantKeys& variant = plan.variant;
  if (!plan.hands.empty() && variant.flag("capturesToHand", false))
    parts.emplace_back("pocket(before(enemy) - enemy)");
  if (plan.promotes()) parts.emplace_back("promote");
  if (plan.flips()) parts.emplace_back("flip");
  if (!plan.turned.empty()) {
    const bool pieces = variant.flag("mandatoryPiecePromotion", false);
    const bool pawns = variant.flag("mandatoryPawnPromotion", true);
    const bool differ = plan.turned.contains("pawn") && pieces != pawns;
    const auto rise = [](bool must) { return must ? "rise?!" : "rise?"; };
    parts.push_back(differ
                        ? fmt::format("(if before(start in pawn) then {} else {})", rise(pawns), rise(pieces))
                        : rise(pieces));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace boardwright::tools
