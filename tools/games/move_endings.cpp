#include "tools/games/move_endings.hpp"

#include "tools/games/about_text.hpp"
#include "tools/games/game_choice.hpp"
#include "tools/games/rule_sources.hpp"

#include "dsl/about.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace boardwright::tools {
namespace {

using dsl::Ast;
using dsl::Definition;
using dsl::Form;
using interpreter::Loaded;

constexpr int kDeepestCall = 8; // definitions that call one another

bool spans(dsl::Span whole, dsl::Span part) {
  return whole.file == part.file && whole.begin <= part.begin && part.end <= whole.end;
}

// A body of the turn, or of a definition.
struct Body {
  const Ast* tree = nullptr;
  const Definition* of = nullptr;
  std::string name; // of the player, or the kind, whose it is alone
};

std::vector<Body> bodies_of(const dsl::RuleFile& file) {
  std::vector<Body> all;
  const auto add = [&](const auto& rule, const Definition* of) {
    for (const auto& [name, body] : rule.cases) all.push_back({&body, of, name.text});
    if (rule.others) all.push_back({&*rule.others, of, ""});
  };
  const dsl::TurnSection* turn = file.turn ? &*file.turn : nullptr;
  for (; turn != nullptr; turn = turn->replaced.get()) {
    all.push_back({&turn->body, nullptr, ""});
    add(*turn, nullptr);
  }
  const auto definitions = [&](const std::vector<Definition>& list) {
    for (const Definition& first : list)
      for (const Definition* d = &first; d != nullptr; d = d->replaced.get()) {
        if (d->body) all.push_back({&*d->body, d, ""});
        add(*d, d);
      }
  };
  definitions(file.define);
  for (const auto& vocabulary : file.vocabularies) definitions(vocabulary);
  return all;
}

void each_call(const Ast& tree, const Definition& of, std::vector<const Ast*>& found) {
  const std::size_t given = tree.form == Form::call ? tree.kids.size() : 0;
  if ((tree.form == Form::call || tree.form == Form::name) && tree.word == of.name.text &&
      given == of.parameters.size())
    found.push_back(&tree);
  for (const Ast& kid : tree.kids) each_call(kid, of, found);
}

// Names that a turn binds on its way.
void bound_names(const Ast& tree, Scope& scope) {
  if (tree.form == Form::let || tree.form == Form::choose || tree.form == Form::each) scope[tree.word] = {};
  for (const Ast& kid : tree.kids) bound_names(kid, scope);
}

bool decides(const Ast& tree) {
  return tree.form == Form::win || tree.form == Form::lose || tree.form == Form::draw ||
         std::any_of(tree.kids.begin(), tree.kids.end(), decides);
}

// What must hold where a place decides, from the outside in.
struct Guards {
  std::vector<Words> when;   // nothing: it has no plain words
  const Ast* last = nullptr; // the innermost condition
  bool otherwise = false;    // what stands before it in the same `if` has decided otherwise
  bool unclear = false;      // there may be more to it
  bool never = false;        // not with these options
  std::string player;        // who alone comes there; "": anybody
};

class DecisionFinder {
public:
  // Who moves, and the others, as they are called.
  DecisionFinder(const Loaded& loaded, Sides sides)
      : loaded_(loaded), sides_(std::move(sides)), bodies_(bodies_of(*loaded.file)) {}

  [[nodiscard]] Guards guards_of(dsl::Span place) {
    Guards guards;
    (void)look(place, 0, guards);
    return guards;
  }

  [[nodiscard]] Words missing_at(dsl::Span place) {
    Guards unused;
    const Speaker speaker = look(place, 0, unused);
    for (const Body& body : bodies_)
      if (const Ast* require = requirement_at(*body.tree, place))
        return speaker.condition(require->kids[0], false);
    return std::nullopt;
  }

private:
  static const Ast* requirement_at(const Ast& tree, dsl::Span place) {
    if (tree.form == Form::require && tree.span == place) return &tree;
    for (const Ast& kid : tree.kids)
      if (const Ast* found = spans(kid.span, place) ? requirement_at(kid, place) : nullptr) return found;
    return nullptr;
  }

  [[nodiscard]] bool is_player(const std::string& name) const {
    const auto& players = loaded_.rules->program().players;
    return std::any_of(players.begin(), players.end(),
                       [&](const auto& player) { return player.name == name; });
  }

  // Who speaks at this place; notes the conditions on the way to it.
  Speaker look(dsl::Span place, int depth, Guards& guards) {
    Speaker speaker(loaded_, sides_);
    const auto found = std::find_if(bodies_.begin(), bodies_.end(),
                                    [&](const Body& body) { return spans(body.tree->span, place); });
    if (found == bodies_.end() || depth > kDeepestCall) {
      guards.unclear = true;
      return speaker;
    }
    if (guards.player.empty() && is_player(found->name)) guards.player = found->name;
    Scope scope;
    if (found->of != nullptr) scope = called(*found->of, depth, guards);
    bound_names(*found->tree, scope);
    speaker = speaker.in_scope(std::move(scope));
    descend(*found->tree, place, speaker, guards);
    return speaker;
  }

  // The scope of a definition, by its only call; what its other calls depend on isn't told.
  Scope called(const Definition& of, int depth, Guards& guards) {
    std::vector<const Ast*> calls;
    for (const Body& body : bodies_) each_call(*body.tree, of, calls);
    if (calls.size() == 1) return look(calls[0]->span, depth + 1, guards).scope_of_call(of, *calls[0]);
    for (const Ast* call : calls) {
      Guards there;
      (void)look(call->span, depth + 1, there);
      guards.unclear = guards.unclear || !there.when.empty() || there.unclear || there.otherwise;
    }
    Scope scope;
    for (const auto& parameter : of.parameters) scope[parameter.text] = {};
    return scope;
  }

  void descend(const Ast& tree, dsl::Span place, const Speaker& speaker, Guards& guards) const {
    const auto at = std::find_if(tree.kids.begin(), tree.kids.end(),
                                 [&](const Ast& kid) { return spans(kid.span, place); });
    if (at == tree.kids.end()) return;
    const auto index = static_cast<std::size_t>(at - tree.kids.begin());
    if (tree.form == Form::conditional && index > 0) {
      const bool has_decided = index == 2 && decides(tree.kids[1]);
      note(tree.kids[0], index == 1, has_decided, speaker, guards);
    } else if (tree.form == Form::sequence && index > 0 && tree.kids[index - 1].form == Form::require) {
      note(tree.kids[index - 1].kids[0], true, false, speaker, guards);
    }
    if (tree.form == Form::sequence)
      guards.never =
          guards.never || std::any_of(tree.kids.begin(), at, [&](const Ast& before) {
            return before.form == Form::require && speaker.settled(before.kids[0]) == std::optional(false);
          });
    if (tree.form == Form::sequence)
      guards.otherwise = guards.otherwise || std::any_of(tree.kids.begin(), at, decides);
    descend(*at, place, speaker, guards);
  }

  static void note(const Ast& condition, bool holds, bool has_decided, const Speaker& speaker,
                   Guards& guards) {
    if (const auto known = speaker.settled(condition)) {
      guards.never = guards.never || *known != holds;
      return;
    }
    if (has_decided) {
      guards.otherwise = true;
      return;
    }
    guards.last = &condition;
    guards.when.push_back(speaker.condition(condition, holds));
  }

  const Loaded& loaded_;
  Sides sides_;
  std::vector<Body> bodies_;
};

std::string all_of(const std::vector<Words>& conditions) {
  std::string text;
  for (const Words& one : conditions)
    if (one && !one->empty()) text += (text.empty() ? "" : ", and ") + *one;
  return text;
}

std::string sentence_of_move(const Loaded& loaded, const std::string& what, const Guards& guards) {
  if (guards.never) return "";
  const std::string as = guards.player.empty() ? "" : "as " + guards.player + " ";
  const std::string result = what == "draw" ? "it is a draw" : as + "you " + what;
  const std::string begin = "A move can end the game: ";
  if (guards.when.empty() || !guards.when.back()) {
    if (what == "win" && !told(loaded.rules->program().about, dsl::kAim).empty())
      return "A move can win the game: see the aim.";
    if (guards.last == nullptr) return begin + result + ".";
    return fmt::format("{}{} by the rule `if {}`.", begin, result,
                       on_one_line(source_text(loaded.sources, guards.last->span)));
  }
  const bool unclear = guards.unclear || std::any_of(guards.when.begin(), guards.when.end(),
                                                     [](const Words& one) { return !one; });
  return fmt::format("{}{}{}{} if {}.", begin, guards.otherwise ? "otherwise " : "",
                     unclear ? "in some cases " : "", result, all_of(guards.when));
}

} // namespace

std::vector<std::string> endings_by_moves(const Loaded& loaded) {
  std::vector<std::string> sentences;
  DecisionFinder finder(
      loaded, {"you", loaded.rules->program().players.size() > 2 ? "your opponents" : "your opponent"});
  for (const dsl::Span place : decisions(*loaded.file)) {
    const std::string what = source_text(loaded.sources, place); // win, lose or draw
    std::string sentence = sentence_of_move(loaded, what, finder.guards_of(place));
    if (!sentence.empty() && std::find(sentences.begin(), sentences.end(), sentence) == sentences.end())
      sentences.push_back(std::move(sentence));
  }
  return sentences;
}

Words reason_of_move(const Loaded& loaded, dsl::Span place, const Sides& sides) {
  const Guards guards = DecisionFinder(loaded, sides).guards_of(place);
  if (guards.when.empty() || !guards.when.back()) return Words();
  return all_of(guards.when);
}

Words what_is_missing(const Loaded& loaded, dsl::Span place, const Sides& sides) {
  return DecisionFinder(loaded, sides).missing_at(place);
}

} // namespace boardwright::tools
