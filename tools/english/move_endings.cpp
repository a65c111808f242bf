#include "tools/english/move_endings.hpp"

#include "tools/english/decision_paths.hpp"
#include "tools/games/about_text.hpp"

#include "dsl/about.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
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

// Who speaks at a place of the rules that needn't be on the way to a decision.
class PlaceFinder {
public:
  // Who moves, and the others, as they are called.
  PlaceFinder(const Loaded& loaded, Sides sides)
      : loaded_(loaded), sides_(std::move(sides)), bodies_(bodies_of(*loaded.file)) {}

  [[nodiscard]] Words missing_at(dsl::Span place) const {
    const Speaker speaker = speaker_at(place, 0);
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

  [[nodiscard]] Speaker speaker_at(dsl::Span place, int depth) const {
    Speaker speaker(loaded_, sides_);
    const auto found = std::find_if(bodies_.begin(), bodies_.end(),
                                    [&](const Body& body) { return spans(body.tree->span, place); });
    if (found == bodies_.end() || depth > kDeepestCall) return speaker;
    Scope scope;
    if (found->of != nullptr) scope = called(*found->of, depth);
    bound_names(*found->tree, scope);
    return speaker.in_scope(std::move(scope));
  }

  // The scope of a definition, by its only call.
  [[nodiscard]] Scope called(const Definition& of, int depth) const {
    std::vector<const Ast*> calls;
    for (const Body& body : bodies_) each_call(*body.tree, of, calls);
    if (calls.size() == 1) return speaker_at(calls[0]->span, depth + 1).scope_of_call(of, *calls[0]);
    Scope scope;
    for (const auto& parameter : of.parameters) scope[parameter.text] = {};
    return scope;
  }

  const Loaded& loaded_;
  Sides sides_;
  std::vector<Body> bodies_;
};

bool has_words(const DecisionStep& step) { return step.words && !step.words->empty(); }

std::string all_in_words(const std::vector<DecisionStep>& steps) {
  std::string text;
  for (const DecisionStep& step : steps)
    if (has_words(step)) text += (text.empty() ? "" : ", and ") + *step.words;
  return text;
}

bool names_it(const std::string& text, const std::string& name) {
  const auto is_part = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += name.size())
    if ((at == 0 || !is_part(at - 1)) && !is_part(at + name.size())) return true;
  return false;
}

// The rule as far as it has no plain words: "from own king, if bad". Names are given where they are used.
std::string rest_of_rule(const std::vector<DecisionStep>& steps) {
  std::string text;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    if (step->words || (!step->binds.empty() && !names_it(text, step->binds))) continue;
    text = step->source + (text.empty() ? "" : ", ") + text;
  }
  return text;
}

constexpr std::string_view kOtherwise = "otherwise ";
// Longer ones would bury what they belong to.
constexpr std::size_t kMostOfRule = 120;

std::string sentence_of_path(const Loaded& loaded, const DecisionPath& path) {
  const std::string what = path.what == Form::win ? "win" : path.what == Form::lose ? "lose" : "draw";
  const std::string words = all_in_words(path.steps), rest = rest_of_rule(path.steps);
  const bool aimed_at = path.what == Form::win && !told(loaded.rules->program().about, dsl::kAim).empty();
  const bool last_has_words = !path.steps.empty() && has_words(path.steps.back());
  if (aimed_at && !last_has_words) return "A move can win the game: see the aim.";
  const std::string as = path.player.empty() ? "" : "as " + path.player + " ";
  std::string text = fmt::format("A move can end the game: {}{}", path.otherwise ? kOtherwise : "",
                                 path.what == Form::draw ? "it is a draw" : as + "you " + what);
  if (!words.empty()) text += " if " + words;
  if (rest.empty()) return text + ".";
  if (rest.size() <= kMostOfRule)
    return fmt::format("{}{} by the rule `{}`.", text, words.empty() ? "" : ",", rest);
  const auto at = loaded.sources.locate(path.place.file, path.place.begin);
  return fmt::format("{}{} by the rule of line {}, which `rules --source` shows.", text,
                     words.empty() ? "" : ",", at.line);
}

} // namespace

std::vector<std::string> endings_by_moves(const Loaded& loaded) {
  std::vector<std::string> sentences;
  const DecisionPaths found = decision_paths(
      loaded, {"you", loaded.rules->program().players.size() > 2 ? "your opponents" : "your opponent"});
  for (const DecisionPath& path : found.paths) {
    std::string sentence = sentence_of_path(loaded, path);
    std::string at_first = sentence; // the same of moves before which nothing else was asked
    if (const std::size_t word = at_first.find(kOtherwise); word != std::string::npos)
      at_first.erase(word, kOtherwise.size());
    const auto is_told = [&](const std::string& text) {
      return std::find(sentences.begin(), sentences.end(), text) != sentences.end();
    };
    if (!is_told(sentence) && !is_told(at_first)) sentences.push_back(std::move(sentence));
  }
  if (!found.all) sentences.emplace_back("A move can end the game in more ways than are told here.");
  return sentences;
}

Words reason_of_move(const Loaded& loaded, dsl::Span place, const Sides& sides) {
  Words reason;
  for (const DecisionPath& path : decision_paths(loaded, sides).paths) {
    if (!(path.place == place)) continue;
    const auto last = std::find_if(path.steps.rbegin(), path.steps.rend(),
                                   [](const DecisionStep& step) { return step.condition; });
    if (last == path.steps.rend() || !last->words) return Words();
    std::vector<DecisionStep> conditions = path.steps;
    std::erase_if(conditions, [](const DecisionStep& step) { return !step.condition; });
    std::string text = all_in_words(conditions);
    if (reason && *reason != text) return Words(); // nobody knows which of them it was
    reason = std::move(text);
  }
  return reason;
}

Words what_is_missing(const Loaded& loaded, dsl::Span place, const Sides& sides) {
  return PlaceFinder(loaded, sides).missing_at(place);
}

} // namespace boardwright::tools
