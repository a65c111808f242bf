#include "tools/import/variants/end_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace boardwright::tools {
namespace {

// "lose" for "loss", as a line of `end` has it; the other way round for the other side.
std::string verb_for(const std::string& value, bool other_side = false) {
  if (value == "draw") return "draw";
  return (value == "win") != other_side ? "win" : "lose";
}

class Ends {
public:
  Ends(Plan& plan, Definitions& definitions)
      : plan_(plan), variant_(plan.variant), definitions_(definitions) {}

  std::vector<std::string> lines() {
    if (plan_.passes()) undecided("passes >= 2");
    if (variant_.flag("adjudicateFullBoard", false)) undecided("no empty");
    flags();
    castlings();
    checks();
    extinction();
    connection();
    no_moves();
    repetition();
    return std::move(lines_);
  }

private:
  void add(const std::string& verb, const std::string& condition) {
    lines_.push_back(fmt::format("{} when {}", verb, condition));
  }

  // A draw, but where pieces are counted then, or odds were given.
  void undecided(const std::string& condition) {
    const std::string counting = variant_.text("materialCounting");
    if (counting == "unweighted") {
      add("win", condition + " and count(own) > count(enemy)");
      add("lose", condition + " and count(own) < count(enemy)");
    }
    if (counting == "whitedrawodds" || counting == "blackdrawodds")
      return add(counting == "whitedrawodds" ? "White wins" : "Black wins", condition);
    if (!counting.empty() && counting != "none" && counting != "unweighted")
      plan_.fault("materialCounting", fmt::format("`{}` can't be carried over", counting));
    add("draw", condition);
  }

  // Who castles so has won, and who can't any more has lost.
  void castlings() {
    const std::string letters = variant_.text("castlingWins");
    if (letters.empty() || letters == "-") return;
    if (!plan_.castling) return plan_.fault("castlingWins", "nobody castles");
    add("lose", "castled");
    BothSides<CellSet> rooks;
    for (const auto& cell : plan_.castling->rights) {
      const auto piece = variant_.start.pieces.find(cell);
      if (piece == variant_.start.pieces.end() || piece->second.key != plan_.castling->rook) continue;
      const auto king =
          std::find_if(plan_.castling->rights.begin(), plan_.castling->rights.end(), [&](const auto& other) {
            const auto there = variant_.start.pieces.find(other);
            return other.first == cell.first && there != variant_.start.pieces.end() &&
                   there->second.key == plan_.castling->king;
          });
      if (king == plan_.castling->rights.end()) continue;
      const char letter = king->second < cell.second ? 'k' : 'q';
      const bool white = piece->second.white;
      if (letters.find(white ? static_cast<char>(letter - 'a' + 'A') : letter) != std::string::npos)
        (white ? rooks.white : rooks.black).insert(cell);
    }
    const auto rights = [&](const CellSet& cells) {
      return fmt::format("no rights & ({})", cells_text(cells, variant_.size));
    };
    // Of both, whoever has moved loses first.
    if (!rooks.white.empty() && !rooks.black.empty()) {
      definitions_.add("may_not_castle", fmt::format("if me = White then {} else {}", rights(rooks.white),
                                                     rights(rooks.black)));
      add("win", "enemy.may_not_castle");
      add("lose", "may_not_castle");
    } else if (!rooks.white.empty() || !rooks.black.empty()) {
      add(rooks.white.empty() ? "White wins" : "Black wins",
          rights(rooks.white.empty() ? rooks.black : rooks.white));
    }
  }

  // Who stands in the goal. Both sides have the same kinds there.
  void flags() {
    const auto goals = variant_.regions("flagRegion");
    if (goals.white.empty() && goals.black.empty()) return;
    const auto white = variant_.settings.contains("flagPieceWhite") ? variant_.kind_keys("flagPieceWhite")
                                                                    : std::vector<std::string>{};
    const auto black = variant_.settings.contains("flagPieceBlack") ? variant_.kind_keys("flagPieceBlack")
                                                                    : std::vector<std::string>{};
    const bool any = !variant_.settings.contains("flagPieceWhite") || variant_.is_all("flagPieceWhite");
    if (white != black) return plan_.fault("flagPieceWhite", "both sides must have the same kind");
    if (!any && white.empty()) return;
    const std::string kind =
        any ? "" : " " + (white.size() == 1 ? plan_.name(white.front()) : "(" + plan_.set(white) + ")");
    const std::string goal = players_text(goals.white, goals.black, variant_.size);
    const bool same_for_both = goal == cells_text(goals.white, variant_.size) && goals.white == goals.black;
    definitions_.add("target", goal);
    const std::string theirs = same_for_both ? "target" : "enemy.target";
    if (variant_.flag("flagMove", false)) return last_move(kind, theirs);
    const bool safe = variant_.flag("flagPieceSafe", false);
    const int count = variant_.number("flagPieceCount", 1);
    if (variant_.flag("flagPieceBlockedWin", false)) {
      if (safe) return plan_.fault("flagPieceBlockedWin", "not together with `flagPieceSafe`");
      return add("lose",
                 fmt::format("some enemy{0} in {1} and (count(enemy{0} & {1}) >= {2} or no empty in {1})",
                             kind, theirs, count));
    }
    if (count > 1 && !safe) return add("lose", fmt::format("count(enemy{} & {}) >= {}", kind, theirs, count));
    if (count > 1) return plan_.fault("flagPieceCount", "not together with `flagPieceSafe`");
    add("lose", fmt::format("some enemy{} in {}{}", kind, theirs, safe ? " - attacked" : ""));
    // What was attacked when it arrived may be so no longer.
    if (safe) add("win", fmt::format("some own{} in target - enemy.attacked", kind));
  }

  // The first to arrive wins, unless the second player arrives right after him.
  void last_move(const std::string& kind, const std::string& theirs) {
    const bool counts = variant_.number("flagPieceCount", 1) > 1,
               safe = variant_.flag("flagPieceSafe", false);
    if (counts || variant_.flag("flagPieceBlockedWin", false) || (safe && kind == " king"))
      return plan_.fault("flagMove", "only for one piece, and for the king without conditions");
    if (kind != " king") {
      // The other side has one more move; to take it, perhaps.
      add("win", fmt::format("some own{} in target", kind));
      if (safe)
        add("lose",
            fmt::format("count(enemy{0} & {1}) > 1 or some enemy{0} in {1} - attacked", kind, theirs));
      return;
    }
    definitions_.add("arrives", fmt::format("|\n    from own king, fly(hits & target - own), require {}",
                                            legal_text(plan_)));
    add("draw", fmt::format("some own king in target and some enemy king in {}", theirs));
    add("win", "some own king in target");
    add("lose", fmt::format("some enemy king in {} and not (me = Black and can arrives)", theirs));
  }

  void checks() {
    if (!variant_.flag("checkCounting", false)) return;
    const auto [white, black] = variant_.start.checks;
    if (white != black) return plan_.fault("startFen", "both sides must need the same number of checks");
    add("lose", fmt::format("enemy.checks >= {}", white == 0 ? 3 : white));
  }

  void extinction() {
    const std::string value = variant_.text("extinctionValue");
    const bool blast = variant_.flag("blastOnCapture", false);
    if (value.empty() || value == "none") return;
    // What is hunted can't be taken; but it can be blown up.
    if (variant_.flag("extinctionPseudoRoyal", false) && !blast) return;
    const int most = variant_.number("extinctionPieceCount", 0);
    const int others = variant_.number("extinctionOpponentPieceCount", 0);
    const auto keys = variant_.kind_keys("extinctionPieceTypes");
    if (keys.empty()) return;
    if (others > 0) {
      add(verb_for(value, true), extinct(keys, most, "enemy") + fmt::format(" and count(own) >= {}", others));
      add(verb_for(value), extinct(keys, most, "own") + fmt::format(" and count(enemy) >= {}", others));
      return;
    }
    add(verb_for(value, true), extinct(keys, most, "enemy"));
    add(verb_for(value), extinct(keys, most, "own"));
  }

  [[nodiscard]] std::string extinct(const std::vector<std::string>& keys, int most, const char* side) const {
    const bool all = variant_.is_all("extinctionPieceTypes");
    const std::string hand = std::string(side) == "own" ? "hand" : "enemy.hand";
    if (all || keys.size() == 1) {
      const std::string set = all ? side : fmt::format("{} {}", side, plan_.name(keys.front()));
      const bool held = !plan_.hands.empty() && (all || std::find(plan_.hands.begin(), plan_.hands.end(),
                                                                  keys.front()) != plan_.hands.end());
      const std::string in_hand = !held ? ""
                                  : all ? " + " + hand
                                        : fmt::format(" + {}({})", hand, plan_.name(keys.front()));
      if (most == 0 && !held) return "no " + set;
      return fmt::format("count({}){} <= {}", set, in_hand, most);
    }
    const bool held = std::any_of(keys.begin(), keys.end(), [&](const std::string& key) {
      return std::find(plan_.hands.begin(), plan_.hands.end(), key) != plan_.hands.end();
    });
    if (held) plan_.fault("extinctionPieceTypes", "not of several kinds that are held in hands");
    return most == 0 ? fmt::format("some k in {} where no {} k", plan_.list(keys), side)
                     : fmt::format("some k in {} where count({} k) <= {}", plan_.list(keys), side, most);
  }

  void connection() {
    const int line = variant_.number("connectN", 0), square = variant_.number("connectNxN", 0);
    const std::string verb =
        verb_for(variant_.text("connectValue").empty() ? "win" : variant_.text("connectValue"), true);
    std::string who = "enemy";
    if (variant_.settings.contains("connectPieceTypes") && !variant_.is_all("connectPieceTypes"))
      who = fmt::format("enemy ({})", plan_.set(variant_.kind_keys("connectPieceTypes")));
    if (const std::string axes = axes_text(); line > 0 && !axes.empty())
      add(verb, fmt::format("some line({}, {}, {})", line, who, axes));
    connected_regions(verb, who);
    collinear(verb, who);
    if (square > 3) return plan_.fault("connectNxN", "squares of 2 or 3 cells a side only");
    if (square > 1)
      add(verb,
          fmt::format("some c in {0} where count(ball(c, north | east | north + east, {1}) & {0}) = {2}", who,
                      square - 1, square * square));
  }

  // The directions in which things are connected, one of each two; "" where there are none.
  [[nodiscard]] std::string axes_text() const {
    const bool up = variant_.flag("connectVertical", true), across = variant_.flag("connectHorizontal", true);
    const bool slant = variant_.flag("connectDiagonal", true);
    std::vector<std::string> axes;
    if (up) axes.emplace_back("north");
    if (across) axes.emplace_back("east");
    if (slant) axes.emplace_back("axes & diagonal");
    return up && across && slant ? "axes" : fmt::format("{}", fmt::join(axes, " | "));
  }

  // A chain from one region to the other.
  void connected_regions(const std::string& verb, const std::string& who) {
    const auto from = variant_.regions("connectRegion1"), to = variant_.regions("connectRegion2");
    if ((from.white.empty() || to.white.empty()) && (from.black.empty() || to.black.empty())) return;
    if (from.white.empty() || to.white.empty() || from.black.empty() || to.black.empty())
      return plan_.fault("connectRegion1White", "both sides must have regions to connect");
    std::vector<std::string> ways;
    if (variant_.flag("connectVertical", true)) ways.emplace_back("vertical");
    if (variant_.flag("connectHorizontal", true)) ways.emplace_back("sideways");
    if (variant_.flag("connectDiagonal", true)) ways.emplace_back("diagonal");
    if (ways.size() == 2 && ways[0] == "vertical" && ways[1] == "sideways") ways = {"orthogonal"};
    if (ways.size() == 3) ways = {"all"};
    if (ways.size() != 1 || ways[0] == "vertical")
      return plan_.fault("connectRegion1White", "only what is connected orthogonally, or in all directions");
    definitions_.add("near_side", players_text(from.white, from.black, variant_.size));
    definitions_.add("far_side", players_text(to.white, to.black, variant_.size));
    add(verb, fmt::format("some group(enemy.near_side, {}, {}) in enemy.far_side", who, ways.front()));
  }

  // So many on one line, whatever lies between them.
  void collinear(const std::string& verb, const std::string& who) {
    const int number = variant_.number("collinearN", 0);
    const std::string axes = axes_text();
    if (number == 0 || axes.empty()) return;
    add(verb, fmt::format("some c in {0} where (some d in {1} where count((ray(c, d) | ray(c, opposite(d))) "
                          "& {0}) >= {2})",
                          who, axes, number - 1));
  }

  void no_moves() {
    const auto value = [&](const char* key, const char* usual) {
      const std::string text = variant_.text(key);
      return text.empty() || text == "none" ? std::string(usual) : text;
    };
    const std::string stale = value("stalemateValue", "draw"), mate = value("checkmateValue", "loss");
    if (variant_.flag("stalematePieceCount", false)) { // it is so for who has fewer pieces
      if (!plan_.royal.empty()) plan_.fault("stalematePieceCount", "not where a piece is hunted");
      if (stale != "draw") {
        add(verb_for(stale), "no move and count(own) < count(enemy)");
        add(verb_for(stale, true), "no move and count(own) > count(enemy)");
      }
      return undecided("no move");
    }
    if (plan_.royal.empty() || stale == mate)
      return add(verb_for(plan_.royal.empty() ? stale : mate), "no move");
    add(verb_for(stale), "no move and not checked");
    add(verb_for(mate), "no move");
  }

  void repetition() {
    const int times = variant_.number("nFoldRule", 3);
    if (times == 0) return;
    if (times < 2 || times > 5) return plan_.fault("nFoldRule", "2 to 5 occurrences only");
    const std::string value = variant_.text("nFoldValue").empty() ? "draw" : variant_.text("nFoldValue");
    if (value == "draw") return undecided("repeated");
    if (value == "none" || !variant_.flag("nFoldValueAbsolute", false))
      add(value == "none" ? "draw" : verb_for(value), "repeated");
    else
      add(value == "win" ? "White wins" : "Black wins", "repeated");
  }

  Plan& plan_;
  const VariantKeys& variant_;
  Definitions& definitions_;
  std::vector<std::string> lines_;
};

} // namespace

std::vector<std::string> end_lines(Plan& plan, Definitions& definitions) {
  return Ends(plan, definitions).lines();
}

} // namespace boardwright::tools
