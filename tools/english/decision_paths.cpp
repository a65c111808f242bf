#include "tools/english/decision_paths.hpp"

#include "tools/english/nouns.hpp"
#include "tools/english/rule_sources.hpp"
#include "tools/games/game_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace boardwright::tools {
namespace {

using dsl::Ast;
using dsl::Definition;
using dsl::Form;
using interpreter::Loaded;

// Parts of the rules that are gone through, each as often as it is called: a file of a few lines may name its
// definitions in more ways than anybody could read.
constexpr int kMaxParts = 20'000;
// Looks for decisions among the parts.
constexpr int kMaxLooks = 1'000'000;
// And so many ways are told.
constexpr std::size_t kMaxPaths = 64;

// Does every move that comes here end the game?
bool always_decides(const Ast& n) {
  switch (n.form) {
  case Form::win:
  case Form::lose:
  case Form::draw: return true;
  case Form::paren:
  case Form::quietly:
  case Form::distinct: return always_decides(n.kids[0]);
  case Form::sequence: return std::any_of(n.kids.begin(), n.kids.end(), always_decides);
  case Form::either:
  case Form::otherwise: return std::all_of(n.kids.begin(), n.kids.end(), always_decides);
  case Form::conditional: return n.kids.size() == 3 && always_decides(n.kids[1]) && always_decides(n.kids[2]);
  default: return false;
  }
}

// Does an action neither fail nor change what a player would call the move?
bool is_neutral(const Ast& n) {
  switch (n.form) {
  case Form::let:
  case Form::set:
  case Form::say:
  case Form::pass:
  case Form::again:
  case Form::put:
  case Form::remove:
  case Form::change: return true;
  case Form::paren:
  case Form::quietly: return is_neutral(n.kids[0]);
  case Form::sequence: return std::all_of(n.kids.begin(), n.kids.end(), is_neutral);
  case Form::conditional: return std::all_of(n.kids.begin() + 1, n.kids.end(), is_neutral);
  default: return false;
  }
}

void names_bound(const Ast& n, std::vector<std::string>& names) {
  if (n.form == Form::let || n.form == Form::choose || n.form == Form::each) names.push_back(n.word);
  for (const Ast& kid : n.kids) names_bound(kid, names);
}

// What has been gone through so far.
struct Way {
  Speaker speaker;
  const Definition* of = nullptr;         // whose body this is; none: the turn's
  const dsl::TurnSection* turn = nullptr; // which of them, where `inherited` calls another
  std::vector<DecisionStep> steps = {};
  std::string player = {};
  bool branched = false;  // some moves don't come here: what is asked on the way tells those apart that do
  bool mixed = false;     // and others that go on are moves, too: so does what is done
  bool moved = false;     // has the piece moved since it was chosen?
  bool otherwise = false; // something before it may have decided
  bool ended = false;     // no move goes on from here
  bool rolled = false;    // it has just come from a roll: what is required then is of the dice
};

class PathFinder {
public:
  PathFinder(const Loaded& loaded, const Sides& sides) : loaded_(loaded), sides_(sides) {}

  DecisionPaths found() {
    if (!loaded_.file->turn) return {};
    Way way{Speaker(loaded_, sides_)};
    way.turn = &*loaded_.file->turn;
    turn(std::move(way));
    return std::move(result_);
  }

private:
  // --- the bodies of a rule

  void turn(Way way) {
    const dsl::TurnSection& section = *way.turn;
    if (section.cases.empty()) return walk(section.body, std::move(way));
    bodies(section, way);
  }

  // A body for each player or kind.
  template <class Rule>
  void bodies(const Rule& rule, const Way& way) {
    std::vector<std::string> named;
    for (const auto& [name, body] : rule.cases) {
      named.push_back(name.text);
      one_case({name.text}, false, body, way);
    }
    if (rule.others) one_case(named, true, *rule.others, way);
  }

  [[nodiscard]] bool is_player(const std::string& name) const {
    const auto& players = loaded_.rules->program().players;
    return std::any_of(players.begin(), players.end(), [&](const auto& one) { return one.name == name; });
  }

  // The body of one player or kind, or of all others than these.
  void one_case(const std::vector<std::string>& names, bool others, const Ast& body, Way way) {
    if (names.empty()) return walk(body, std::move(way));
    if (!is_player(names.front())) {
      std::string kinds;
      for (const std::string& name : names)
        kinds += (kinds.empty() ? "" : " or ") + with_article(words_of_name(name));
      way.steps.push_back(
          {fmt::format("the piece is {}{}", others ? "not " : "", kinds), "", "", true, false});
      return walk(body, std::move(way));
    }
    const auto is_named = [&](const std::string& name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    std::string players;
    for (const auto& player : loaded_.rules->program().players)
      if (is_named(player.name) != others) players += (players.empty() ? "" : " or ") + player.name;
    if (!way.player.empty() && way.player != players) return; // somebody else's
    way.player = players;
    walk(body, std::move(way));
  }

  // --- where a decision may stand

  [[nodiscard]] bool may_decide(const Definition& d) {
    const auto [memo, is_new] = deciding_.try_emplace(&d, false); // a recursion ends there
    if (!is_new) return memo->second;
    bool decides = d.replaced != nullptr && may_decide(*d.replaced);
    const auto look = [&](const Ast& body) {
      decides = decides || may_decide(body, Speaker(loaded_, sides_));
    };
    if (d.body) look(*d.body);
    if (d.others) look(*d.others);
    for (const auto& [name, body] : d.cases) look(body);
    return deciding_[&d] = decides;
  }

  [[nodiscard]] bool may_decide(const Ast& n, const Speaker& speaker) {
    if (++looked_at_ > kMaxLooks) result_.all = false;
    if (!result_.all) return true; // there may be more than is told
    const auto among = [&](std::size_t first) {
      return std::any_of(n.kids.begin() + static_cast<std::ptrdiff_t>(first), n.kids.end(),
                         [&](const Ast& kid) { return may_decide(kid, speaker); });
    };
    switch (n.form) {
    case Form::win:
    case Form::lose:
    case Form::draw: return true;
    case Form::paren:
    case Form::quietly:
    case Form::distinct:
    case Form::sequence:
    case Form::either:
    case Form::otherwise:
    case Form::cases: return among(0);
    case Form::conditional:
    case Form::most:
    case Form::each: return among(1);
    case Form::repeat: return may_decide(n.kids[0], speaker);
    case Form::name:
      if (n.word == "inherited") return true;
      if (const Meant* meant = speaker.local(n.word))
        return meant->value != nullptr && may_decide(*meant->value, speaker.where_meant(*meant));
      [[fallthrough]];
    case Form::call: {
      const Definition* d = speaker.definition_of(n);
      return (d != nullptr && may_decide(*d)) || among(0);
    }
    default: return false; // a value, or an action that holds no other
    }
  }

  // --- through the actions that may decide

  void walk(const Ast& n, Way way) {
    if (way.ended || !may_decide(n, way.speaker)) return;
    if (++parts_ > kMaxParts || result_.paths.size() >= kMaxPaths) {
      result_.all = false;
      return;
    }
    switch (n.form) {
    case Form::win:
    case Form::lose:
    case Form::draw:
      result_.paths.push_back({n.span, n.form, std::move(way.steps), std::move(way.player), way.otherwise});
      return;
    case Form::paren:
    case Form::quietly:
    case Form::distinct: return walk(n.kids[0], std::move(way));
    case Form::most: return walk(n.kids[1], std::move(way));
    case Form::sequence: return sequence(n, std::move(way));
    case Form::conditional: return branches(n, way);
    case Form::either:
    case Form::otherwise: return alternatives(n, way);
    case Form::repeat: {
      if ((n.flags & dsl::kRepeatExact) == 0) way.branched = way.mixed = true;
      return walk(n.kids[0], std::move(way));
    }
    case Form::each: bind(n, way); return walk(n.kids[1], std::move(way));
    case Form::cases: return written_cases(n, way);
    case Form::name:
    case Form::call: return named(n, std::move(way));
    default: return; // a value: what is asked about in it isn't done
    }
  }

  void sequence(const Ast& n, Way way) {
    for (std::size_t i = 0; i < n.kids.size() && !way.ended; ++i) {
      const Ast& kid = n.kids[i];
      const bool decides = may_decide(kid, way.speaker);
      walk(kid, way);
      way.ended = way.ended || always_decides(kid);
      way.otherwise = way.otherwise || decides;
      const bool last_asked = i + 1 < n.kids.size() && may_decide(n.kids[i + 1], way.speaker);
      if (!decides)
        pass_by(kid, way, way.branched || last_asked);
      else
        way.moved = true;
    }
  }

  void branches(const Ast& n, const Way& way) {
    const Ast& condition = n.kids[0];
    const auto known = way.speaker.settled(condition);
    for (std::size_t i = 1; i < n.kids.size(); ++i) {
      const bool holds = i == 1;
      if (known && *known != holds) continue;
      Way there = way;
      if (!known && !holds && always_decides(n.kids[1]))
        there.otherwise = true;
      else if (!known)
        asked(condition, holds, holds ? "if {}" : "if not ({})", false, there);
      walk(n.kids[i], std::move(there));
    }
  }

  // Is this the only one of them that moves without a decision? Then nothing tells its moves from others.
  static bool stands_alone(const Ast& n, std::size_t i) {
    for (std::size_t other = 0; other < n.kids.size(); ++other)
      if (other != i && !always_decides(n.kids[other]) && !is_neutral(n.kids[other])) return false;
    return true;
  }

  void alternatives(const Ast& n, const Way& way) {
    std::vector<std::size_t> ends{result_.paths.size()};
    for (std::size_t i = 0; i < n.kids.size(); ++i) {
      Way there = way;
      there.branched = true;
      there.mixed = way.mixed || !stands_alone(n, i);
      if (n.form == Form::otherwise)
        for (std::size_t before = 0; before < i; ++before) {
          if (always_decides(n.kids[before]))
            there.otherwise = true;
          else if (!stands_alone(n, i))
            there.steps.push_back({fmt::format("`{}` can't be done", source(n.kids[before])), "", "", false});
        }
      walk(n.kids[i], std::move(there));
      ends.push_back(result_.paths.size());
    }
    merge(ends, way.steps.size());
  }

  // What every alternative comes to in the same way, whatever else it asks for, is told once and without
  // that: each move has done what its alternative asks for. `ends`: where the ways of each begin and end;
  // `before`: the steps that all of them share.
  void merge(const std::vector<std::size_t>& ends, std::size_t before) {
    for (std::size_t k = ends[0]; k < ends[1]; ++k) {
      std::vector<std::size_t> same{k};
      for (std::size_t i = 1; i + 1 < ends.size(); ++i)
        for (std::size_t other = ends[i]; other < ends[i + 1]; ++other)
          if (comes_to_the_same(result_.paths[k], result_.paths[other], before)) {
            same.push_back(other);
            break;
          }
      if (same.size() + 1 < ends.size()) continue;
      auto& steps = result_.paths[k].steps;
      const std::size_t kept =
          std::min(shared_end(result_.paths[same[0]], result_.paths[same[1]], before),
                   shared_end(result_.paths[same[0]], result_.paths[same.back()], before));
      steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(before),
                  steps.end() - static_cast<std::ptrdiff_t>(kept));
      for (std::size_t i = 1; i < same.size(); ++i) gone_.push_back(same[i]);
    }
    std::sort(gone_.begin(), gone_.end());
    gone_.erase(std::unique(gone_.begin(), gone_.end()), gone_.end());
    for (auto at = gone_.rbegin(); at != gone_.rend(); ++at)
      result_.paths.erase(result_.paths.begin() + static_cast<std::ptrdiff_t>(*at));
    gone_.clear();
  }

  // How many steps at the end are the same.
  static std::size_t shared_end(const DecisionPath& one, const DecisionPath& other, std::size_t before) {
    std::size_t count = 0;
    while (one.steps.size() > before + count && other.steps.size() > before + count) {
      const DecisionStep& a = one.steps[one.steps.size() - 1 - count];
      const DecisionStep& b = other.steps[other.steps.size() - 1 - count];
      if (a.words != b.words || a.source != b.source || a.binds != b.binds) break;
      ++count;
    }
    return count;
  }

  static bool comes_to_the_same(const DecisionPath& one, const DecisionPath& other, std::size_t before) {
    if (!(one.place == other.place) || one.player != other.player || one.otherwise != other.otherwise)
      return false;
    const std::size_t kept = shared_end(one, other, before);
    const auto only_filters = [&](const DecisionPath& path) {
      return std::all_of(path.steps.begin() + static_cast<std::ptrdiff_t>(before),
                         path.steps.end() - static_cast<std::ptrdiff_t>(kept),
                         [](const DecisionStep& step) { return step.filter; });
    };
    return only_filters(one) && only_filters(other);
  }

  void written_cases(const Ast& n, const Way& way) {
    const bool others = (n.flags & dsl::kHasOthers) != 0;
    for (std::size_t i = 0; i < n.kids.size(); ++i) {
      const bool last = others && i + 1 == n.kids.size();
      one_case(last ? n.names : std::vector<std::string>{n.names[i]}, last, n.kids[i], way);
    }
  }

  void named(const Ast& n, Way way) {
    if (dsl::is_name(n, "inherited")) return inherited(std::move(way));
    if (const Meant* meant = n.form == Form::name ? way.speaker.local(n.word) : nullptr) {
      if (meant->value == nullptr) return;
      way.speaker = way.speaker.where_meant(*meant);
      return walk(*meant->value, std::move(way));
    }
    const Definition* d = way.speaker.definition_of(n);
    if (d == nullptr) {
      result_.all = false; // too deep, or a form that isn't known here
      return;
    }
    way.speaker = way.speaker.deeper(n, *d);
    way.of = d;
    if (d->body) return walk(*d->body, std::move(way));
    bodies(*d, way);
  }

  void inherited(Way way) {
    if (way.of == nullptr) {
      way.turn = way.turn->replaced.get();
      if (way.turn != nullptr) return turn(std::move(way));
    } else if (way.of->replaced != nullptr) {
      way.of = way.of->replaced.get();
      if (way.of->body) return walk(*way.of->body, std::move(way));
      return bodies(*way.of, way);
    }
    result_.all = false;
  }

  // --- past what doesn't decide

  // `told`: not all moves go through it, or it is the last that is asked before a decision.
  void pass_by(const Ast& n, Way& way, bool told) {
    if (n.form == Form::require && way.rolled) return;
    way.rolled = n.form == Form::roll;
    switch (n.form) {
    case Form::paren:
    case Form::quietly:
    case Form::distinct: return pass_by(n.kids[0], way, told);
    case Form::sequence:
      for (const Ast& kid : n.kids) pass_by(kid, way, told);
      return;
    case Form::never: way.ended = true; return;
    case Form::require: {
      const auto known = way.speaker.settled(n.kids[0]);
      if (known)
        way.ended = way.ended || !*known;
      else if (told)
        asked(n.kids[0], true, "require {}", true, way);
      return;
    }
    case Form::at: {
      const Speaker speaker = way.moved ? way.speaker : way.speaker.where_it_stands();
      if (way.branched) way.steps.push_back({speaker.comes_to(n.kids[0]), source(n)});
      return;
    }
    case Form::name:
    case Form::call:
      if (asks_only(n, way, told)) return;
      break;
    default: break;
    }
    done(n, way);
  }

  // A definition that does nothing but ask: what it asks.
  bool asks_only(const Ast& n, Way& way, bool told) {
    const Definition* d = way.speaker.definition_of(n);
    if (d == nullptr || !d->body) return false;
    const auto asks = [](const auto& self, const Ast& body) -> bool {
      if (body.form == Form::paren || body.form == Form::sequence)
        return std::all_of(body.kids.begin(), body.kids.end(),
                           [&](const Ast& kid) { return self(self, kid); });
      return body.form == Form::require || body.form == Form::at || body.form == Form::never;
    };
    if (!asks(asks, *d->body)) return false;
    if (++parts_ > kMaxParts) return false;
    const Speaker outside = way.speaker;
    way.speaker = way.speaker.deeper(n, *d);
    pass_by(*d->body, way, told);
    way.speaker = outside;
    return true;
  }

  // A part of the move.
  void done(const Ast& n, Way& way) {
    const bool chooses = n.form == Form::choose || n.form == Form::let;
    if (chooses) {
      bind(n, way);
    } else {
      if (way.mixed && !is_neutral(n)) way.steps.push_back({Words(), source(n), "", false});
      std::vector<std::string> names;
      names_bound(n, names);
      for (const std::string& name : names) way.speaker = way.speaker.without(name);
    }
    if (n.form == Form::from)
      way.moved = false;
    else if (!chooses && (!is_neutral(n) || n.form == Form::put))
      way.moved = true;
  }

  // What a name stands for that the turn gives on its way is of a time that is over.
  void bind(const Ast& n, Way& way) {
    way.speaker = way.speaker.without(n.word);
    const std::string text = n.form == Form::each ? "each " + n.word + " in " + source(n.kids[0]) : source(n);
    way.steps.push_back({Words(), text, n.word, false});
  }

  void asked(const Ast& condition, bool holds, const char* as, bool filter, Way& way) {
    if (condition.form == Form::paren) return asked(condition.kids[0], holds, as, filter, way);
    if (condition.form == Form::negation && !holds)
      return asked(condition.kids[0], true, "if {}", filter, way);
    const Speaker speaker = way.moved ? way.speaker : way.speaker.where_it_stands();
    way.steps.push_back({speaker.condition(condition, holds),
                         fmt::format(fmt::runtime(as), source(condition)), "", true, filter});
  }

  [[nodiscard]] std::string source(const Ast& n) const {
    return on_one_line(source_text(loaded_.sources, n.span));
  }

  const Loaded& loaded_;
  Sides sides_;
  DecisionPaths result_;
  std::map<const Definition*, bool> deciding_;
  std::vector<std::size_t> gone_; // ways that another one tells of
  int parts_ = 0, looked_at_ = 0;
};

} // namespace

DecisionPaths decision_paths(const Loaded& loaded, const Sides& sides) {
  if (decisions(*loaded.file).empty()) return {};
  return PathFinder(loaded, sides).found();
}

} // namespace boardwright::tools
