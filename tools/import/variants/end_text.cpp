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
    if (plan_.passes()) add("draw", "passes >= 2");
    flags();
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
    if (count > 1 && !safe) return add("lose", fmt::format("count(enemy{} & {}) >= {}", kind, theirs, count));
    if (count > 1) return plan_.fault("flagPieceCount", "not together with `flagPieceSafe`");
    add("lose", fmt::format("some enemy{} in {}{}", kind, theirs, safe ? " - attacked" : ""));
    // What was attacked when it arrived may be so no longer.
    if (safe) add("win", fmt::format("some own{} in target - enemy.attacked", kind));
  }

  // The first to arrive wins, unless the second player arrives right after him.
  void last_move(const std::string& kind, const std::string& theirs) {
    const bool counts = variant_.number("flagPieceCount", 1) > 1;
    if (variant_.flag("flagPieceSafe", false) || counts || kind != " king")
      return plan_.fault("flagMove", "only for the king, without conditions");
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
    if (line > 0) {
      const bool up = variant_.flag("connectVertical", true),
                 across = variant_.flag("connectHorizontal", true);
      const bool slant = variant_.flag("connectDiagonal", true);
      std::vector<std::string> axes;
      if (up) axes.emplace_back("north");
      if (across) axes.emplace_back("east");
      if (slant) axes.emplace_back("axes & diagonal");
      const std::string text = up && across && slant ? "axes" : fmt::format("{}", fmt::join(axes, " | "));
      if (!axes.empty()) add(verb, fmt::format("some line({}, {}, {})", line, who, text));
    }
    if (square > 3) return plan_.fault("connectNxN", "squares of 2 or 3 cells a side only");
    if (square > 1)
      add(verb,
          fmt::format("some c in {0} where count(ball(c, north | east | north + east, {1}) & {0}) = {2}", who,
                      square - 1, square * square));
  }

  void no_moves() {
    const auto value = [&](const char* key, const char* usual) {
      const std::string text = variant_.text(key);
      return text.empty() || text == "none" ? std::string(usual) : text;
    };
    const std::string stale = value("stalemateValue", "draw"), mate = value("checkmateValue", "loss");
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
    if (value == "draw" || value == "none" || !variant_.flag("nFoldValueAbsolute", false))
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
