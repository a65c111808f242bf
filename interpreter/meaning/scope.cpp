// check_scopes: the names pass. It knows where names live, not what they are worth.
#include "interpreter/board/shape.hpp"
#include "interpreter/meaning/shares.hpp"
#include "interpreter/meaning/symbols.hpp"
#include "interpreter/meaning/words.hpp"

#include "dsl/families.hpp"
#include "dsl/other_languages.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace boardwright::interpreter {

namespace {

using dsl::Ast;
using dsl::Form;

struct Visible {
  std::string name;
  dsl::Span bound;
};

using Names = std::vector<Visible>;

struct Ended {
  std::string name;
  dsl::Span bound;
  std::string_view holder; // "alternative"
  dsl::Span holder_span;
};

// A file with more definitions than this is refused: checking that none calls itself goes down one C++ frame
// each.
constexpr std::size_t kMaxDefinitions = 2000;
// Names that are visible at one place: each is looked for among them all.
constexpr std::size_t kMaxNames = 500;

class ScopeCheck {
public:
  ScopeCheck(const Symbols& symbols, const dsl::Sources& sources, dsl::Diagnostics& diagnostics)
      : symbols_(symbols), sources_(sources), diagnostics_(diagnostics) {}

  void definition(const dsl::Definition& d, std::size_t layer) {
    checked_.insert(&d);
    current_ = &d;
    layer_ = layer;
    ended_.clear();
    if (d.replaced != nullptr && inherits(d)) definition(*d.replaced, layer); // it is called still
    current_ = &d;
    Names names;
    for (const auto& p : d.parameters) bind(names, p.text, p.span);
    if (d.body) scope(*d.body, names);
    for (const auto& [key, body] : d.cases)
      if (!taken_away(key)) body_for(key, body, names);
    if (d.others && !dsl::degrees_of(*d.others)) scope(*d.others, names);
    check_cases(d);
  }

  [[nodiscard]] static bool inherits_turn(const dsl::TurnSection& turn) {
    if (inherits(turn.body) || (turn.others && inherits(*turn.others))) return true;
    return std::any_of(turn.cases.begin(), turn.cases.end(),
                       [](const auto& c) { return inherits(c.second); });
  }

  void turn(const dsl::TurnSection& turn) {
    const bool has_inherited = turn.replaced != nullptr;
    if (turn.cases.empty()) return rule(turn.body, has_inherited);
    for (const auto& [player, body] : turn.cases) {
      if (taken_away(player)) continue;
      rule(body, has_inherited);
      if (symbols_.player(player.text) < 0) no_such(player, "player", symbols_.players);
    }
    if (turn.others) return rule(*turn.others, has_inherited);
    everybody_has_one("turn", turn.span, turn.cases);
  }

  void rule(const Ast& body, bool has_inherited) {
    current_ = nullptr;
    layer_ = symbols_.layers.size() - 1;
    turn_inherits_ = has_inherited;
    ended_.clear();
    scope(body, {});
  }

  // What has been called and not been checked yet, and what that calls.
  void called_definitions() {
    while (!called_.empty()) {
      const Found next = called_.back();
      called_.pop_back();
      if (!checked_.contains(next.definition)) definition(*next.definition, next.layer);
    }
  }

  // `White wins when C`, `White loses when C`
  void named_player(const dsl::EndRule& line) {
    check_shares(line, symbols_.players, diagnostics_);
    if (line.player.empty()) return;
    if (symbols_.player(line.player) < 0) {
      auto& error =
          diagnostics_.error("player", line.player_span, fmt::format("`{}` is not a player", line.player));
      const std::string near = dsl::nearest(line.player, symbols_.players);
      const bool mover = dsl::said_elsewhere(line.player) == "write `me`";
      error.help = mover ? fmt::format("a line without a name is about the player to move: `{} when C`",
                                       line.verdict == dsl::EndVerdict::lose ? "lose" : "win")
                   : near.empty() ? fmt::format("the players are {}", fmt::join(symbols_.players, ", "))
                                  : fmt::format("did you mean `{}`?", near);
      return;
    }
    if (line.verdict != dsl::EndVerdict::lose || symbols_.players.size() == 2) return;
    diagnostics_
        .error("player", line.player_span,
               fmt::format("`loses` after a name needs exactly two players, but this game has {}",
                           symbols_.players.size()))
        .help = fmt::format("`lose when me = {0} and …` puts {0} out, at his turn", line.player);
  }

  // False if a definition calls itself.
  bool check_recursion() {
    const std::size_t errors = diagnostics_.error_count();
    std::set<const dsl::Definition*> done;
    for (const auto& [from, to] : calls_) visit(from, done);
    return diagnostics_.error_count() == errors;
  }

private:
  // Does a rule say `inherited`? Else what it replaces is gone.
  [[nodiscard]] static bool inherits(const Ast& n) {
    if (n.form == Form::name && n.word == "inherited") return true;
    return std::any_of(n.kids.begin(), n.kids.end(), [](const Ast& k) { return inherits(k); });
  }
  [[nodiscard]] static bool inherits(const dsl::Definition& d) {
    if ((d.body && inherits(*d.body)) || (d.others && inherits(*d.others))) return true;
    return std::any_of(d.cases.begin(), d.cases.end(), [](const auto& c) { return inherits(c.second); });
  }

  // ---- names
  [[nodiscard]] static const Visible* find(const Names& names, const std::string& name) {
    const auto found =
        std::find_if(names.begin(), names.end(), [&](const Visible& v) { return v.name == name; });
    return found == names.end() ? nullptr : &*found;
  }

  void bind(Names& names, const std::string& name, dsl::Span span) {
    if (const auto* earlier = find(names, name)) {
      diagnostics_.error("bound-twice", span, fmt::format("`{}` is already bound", name))
          .related.push_back({earlier->bound, "here, and it is still visible"});
      return;
    }
    if (dsl::is_keyword(name) || word_named(name) != nullptr) {
      diagnostics_.error("reserved", span, fmt::format("`{}` is a reserved word", name)).help =
          fmt::format("choose another name, for example `my_{}`", name);
      return;
    }
    const bool own_file = layer_ + 1 == symbols_.layers.size();
    const NameIs what = symbols_.lookup(name, false);
    const bool of_vocabulary = what == NameIs::definition &&
                               symbols_.definition({name, false}).layer + 1 != symbols_.layers.size() &&
                               dsl::family_named(symbols_.file, name) == nullptr;
    if (own_file && what != NameIs::unknown && what != NameIs::option_word && !of_vocabulary) {
      const bool is_family = dsl::family_named(symbols_.file, name) != nullptr;
      auto& error = diagnostics_.error(
          "name-clash", span,
          fmt::format("`{}` is already {}", name, is_family ? "a family of kinds" : describe(what)));
      error.help = "choose another name";
      if (const auto place = symbols_.place_of(name)) error.related.push_back({*place, "here"});
      return;
    }
    if (names.size() == kMaxNames) {
      diagnostics_.error("limit", span, fmt::format("more than {} names are visible here", kMaxNames));
      return;
    }
    names.push_back({name, span});
  }

  // The names that `inner` has and `outer` hasn't end with the holder.
  void end_names(const Names& inner, const Names& outer, std::string_view holder, dsl::Span span) {
    for (std::size_t i = outer.size(); i < inner.size(); ++i) // the first ones are the outer ones
      ended_.push_back({inner[i].name, inner[i].bound, holder, span});
  }

  void unknown(const Ast& n, bool with_arguments) {
    const bool shown = diagnostics_.error_count() <= dsl::kMaxDiagnostics;
    for (auto e = ended_.rbegin(); shown && e != ended_.rend(); ++e) {
      if (e->name != n.word || with_arguments) continue;
      const auto where = sources_.locate(e->holder_span.file, e->holder_span.begin);
      auto& d = diagnostics_.error(
          "name-ended", n.span,
          fmt::format("`{}` ended with the {} at {}:{}", n.word, e->holder, where.line, where.column));
      d.related.push_back({e->bound, "bound here"});
      d.help =
          "a name lasts until the end of the definition, alternative, repetition, `if` branch, `each` or "
          "question that it is in";
      return;
    }
    auto& d = diagnostics_.error("unknown-name", n.word_span.end > n.word_span.begin ? n.word_span : n.span,
                                 fmt::format("unknown name `{}{}`", n.word, with_arguments ? "(" : ""));
    if (diagnostics_.error_count() > dsl::kMaxDiagnostics) return; // nobody will see what was meant
    if (with_arguments && (n.word == "all" || n.word == "any")) {
      d.help = dsl::said_elsewhere(n.word, true);
      return;
    }
    const bool used_vocabulary = layer_ > 0 && layer_ + 1 < symbols_.layers.size();
    if (used_vocabulary) {
      d.help = "the vocabulary expects the game that calls this to define it";
      return;
    }
    const bool other_form = symbols_.lookup(n.word, !with_arguments) != NameIs::unknown;
    if (other_form) {
      d.help = with_arguments ? fmt::format("`{}` takes no arguments", n.word)
                              : fmt::format("`{}(…)` takes arguments", n.word);
      if (with_arguments && blank_behind(n.word_span)) d.help += "; put a `,` between two steps";
      return;
    }
    if (const std::string now = renamed_to(symbols_.file.board, n.word); !now.empty() && !with_arguments) {
      d.help = fmt::format("`names` of the board calls this cell `{}`", now);
      return;
    }
    if (const auto* binder = with_arguments ? nullptr : definition_binding(n.word)) {
      d.help =
          fmt::format("`{0}` binds a `{1}`, which ends with `{0}`; bind it here, and pass it as an argument",
                      binder->name.text, n.word);
      return;
    }
    if (std::string hint = dsl::said_elsewhere(n.word, with_arguments); !hint.empty()) {
      d.help = std::move(hint);
      return;
    }
    auto known = symbols_.known_names(with_arguments);
    if (!with_arguments) known.emplace_back("move"); // of `no move`
    const std::string near = dsl::nearest(n.word, known);
    if (!near.empty()) d.help = fmt::format("did you mean `{}`?", near == "move" ? "no move" : near);
    // Other cells are always near.
    const bool only_cells = near.empty() || symbols_.lookup(near, false) == NameIs::cell;
    if (with_arguments || symbols_.geometry == nullptr || !only_cells) return;
    if (std::string cells = symbols_.geometry->cells_instead_of(n.word); !cells.empty())
      d.help = std::move(cells);
  }

  static bool binds(const Ast& n, const std::string& name) {
    const bool binder = n.form == Form::let || n.form == Form::choose || n.form == Form::each;
    const bool rolls =
        n.form == Form::roll && std::find(n.names.begin(), n.names.end(), name) != n.names.end();
    return rolls || (binder && n.word == name) ||
           std::any_of(n.kids.begin(), n.kids.end(), [&](const Ast& kid) { return binds(kid, name); });
  }

  // A definition of the file in which a name is bound, which others don't see.
  [[nodiscard]] const dsl::Definition* definition_binding(const std::string& name) const {
    for (const auto& d : symbols_.file.define) {
      const bool found =
          (d.body && binds(*d.body, name)) || (d.others && binds(*d.others, name)) ||
          std::any_of(d.cases.begin(), d.cases.end(), [&](const auto& c) { return binds(c.second, name); });
      if (found && &d != current_) return &d;
    }
    return nullptr;
  }

  [[nodiscard]] bool blank_behind(dsl::Span span) const {
    const std::string_view text = sources_.text(span.file);
    return span.end < text.size() && (text[span.end] == ' ' || text[span.end] == '\n');
  }

  void calls(const Found& target) {
    if (current_ != nullptr) calls_[current_].insert(target.definition);
    if (!checked_.contains(target.definition)) called_.push_back(target);
  }

  void name(const Ast& n, const Names& names) {
    if (find(names, n.word) != nullptr) return;
    if (n.word == "inherited") return inherited(n);
    switch (symbols_.lookup(n.word, false)) {
    case NameIs::unknown: return unknown(n, false);
    case NameIs::definition: return calls(symbols_.definition({n.word, false}));
    case NameIs::option_word:
      diagnostics_.error(
          "word", n.span,
          fmt::format("`{}` is a word of an option and can only be compared with that option", n.word));
      return;
    default: return;
    }
  }

  void inherited(const Ast& n) {
    if (current_ == nullptr) {
      if (!turn_inherits_) diagnostics_.error("inherited", n.span, "there is nothing to inherit here");
      return;
    }
    if (current_->replaced != nullptr) return;
    const auto old = symbols_.definition({current_->name.text, !current_->parameters.empty()}, layer_);
    if (old.definition == nullptr)
      diagnostics_
          .error("inherited", n.span, fmt::format("there is no earlier `{}` to inherit", current_->name.text))
          .help =
          "`inherited` is what a definition replaces: one of the same name in the file that is extended, "
          "or in a vocabulary";
    else
      calls(old);
  }

  void call(const Ast& n, const Names& names) {
    for (const auto& argument : n.kids) end_names(scope(argument, names), names, "argument", argument.span);
    const auto found = symbols_.definition({n.word, true});
    if (found.definition != nullptr) {
      calls(found);
      const std::size_t takes = found.definition->parameters.size();
      return arity(n, takes, takes, written(*found.definition));
    }
    if (symbols_.is_piece_value(n.word)) return arity(n, 1, 1, n.word + "(c)");
    const LanguageWord* f = function_named(n.word);
    if (f == nullptr) return unknown(n, true);
    arity(n, f->least, f->most, std::string(f->written));
  }

  // "step(D, S)"
  [[nodiscard]] static std::string written(const dsl::Definition& definition) {
    std::vector<std::string> parameters;
    for (const dsl::Name& name : definition.parameters) parameters.push_back(name.text);
    return fmt::format("{}({})", definition.name.text, fmt::join(parameters, ", "));
  }

  void arity(const Ast& n, std::size_t least, std::size_t most, const std::string& written) {
    if (n.kids.size() >= least && n.kids.size() <= most) return;
    const std::string wanted =
        least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
    diagnostics_
        .error("arity", n.span,
               fmt::format("`{}` takes {} argument{}, but is given {}", n.word, wanted,
                           least == 1 && most == 1 ? "" : "s", n.kids.size()))
        .help = method_.empty() ? fmt::format("it is written `{}`", written) : std::exchange(method_, "");
  }

  // `free.next(orthogonal)`, as other languages would write `next(free, orthogonal)`.
  void method_call(const Ast& n, const Names& names) {
    const Ast &before = n.kids[0], &call = n.kids[1];
    const bool is_name = before.form == Form::name && call.form == Form::call;
    if (!is_name || before.word == "own" || before.word == "enemy" || symbols_.player(before.word) >= 0 ||
        find(names, before.word) != nullptr)
      return;
    const auto found = symbols_.definition({call.word, true});
    if (found.definition == nullptr || found.definition->parameters.size() != call.kids.size() + 1) return;
    method_ = fmt::format("before a dot stands a player; write `{}({}, …)`", call.word, before.word);
  }

  void two_players(const Ast& n, bool enemy) {
    if (enemy && symbols_.players.size() != 2)
      diagnostics_
          .error("enemy", n.span,
                 fmt::format("`enemy` as a player needs exactly two players, but this game has {}",
                             symbols_.players.size()))
          .help = "name the player, or go through `others`";
  }

  // ---- what a definition's cases may be

  // A variant may have taken away a kind or player that the file it extends has a body for.
  [[nodiscard]] bool taken_away(const dsl::Name& key) const {
    if (symbols_.player(key.text) >= 0 || symbols_.kind(key.text) >= 0) return false;
    return key.span.file != symbols_.file.file;
  }

  using Cases = std::vector<std::pair<dsl::Name, const Ast*>>;

  [[nodiscard]] bool go_by_player(const Cases& cases) const {
    return std::any_of(cases.begin(), cases.end(),
                       [&](const auto& c) { return symbols_.player(c.first.text) >= 0; });
  }

  // `mirror` and `rotate(180)` are for whole bodies of players.
  void body_for(const dsl::Name& key, const Ast& body, const Names& names) {
    if (symbols_.player(key.text) < 0 || !dsl::degrees_of(body)) scope(body, names);
  }

  void check_cases(const dsl::Definition& d) {
    if (d.cases.empty()) return;
    Cases cases;
    for (const auto& [key, body] : d.cases) cases.emplace_back(key, &body);
    check_keys(cases, d.others.has_value(), d.name.text, d.name.span);
    if (d.others) cases.emplace_back(dsl::Name{}, &*d.others);
    for (const auto& [key, body] : cases)
      if (body->form == Form::cases) inner_cases(d, *body, go_by_player(cases));
  }

  void check_keys(const Cases& cases, bool others, const std::string& what, dsl::Span span) {
    const bool by_player = go_by_player(cases);
    for (const auto& [key, body] : cases) {
      const bool known = by_player ? symbols_.player(key.text) >= 0 : symbols_.kind(key.text) >= 0;
      if (known || taken_away(key)) continue;
      no_such(key, by_player ? "player" : "kind of piece", by_player ? symbols_.players : symbols_.kinds);
    }
    if (by_player && !others) everybody_has_one(what, span, cases);
  }

  // Bodies within a body go by player where the outer ones go by kind, and the other way round.
  void inner_cases(const dsl::Definition& d, const Ast& body, bool outer_by_player) {
    Cases cases;
    for (std::size_t i = 0; i < body.names.size(); ++i)
      cases.emplace_back(dsl::Name{body.names[i], body.name_spans[i]}, &body.kids[i]);
    check_keys(cases, (body.flags & dsl::kHasOthers) != 0, d.name.text, body.span);
    if (go_by_player(cases) != outer_by_player) return;
    const std::string_view by = outer_by_player ? "player" : "kind";
    diagnostics_
        .error("case", body.name_spans.front(),
               fmt::format("`{}` goes by {} already, and these bodies do again", d.name.text, by))
        .help = fmt::format("inside of a body for one {} there may be bodies by {}", by,
                            outer_by_player ? "kind" : "player");
  }

  void no_such(const dsl::Name& key, std::string_view what, const std::vector<std::string>& known) {
    auto& e = diagnostics_.error("case", key.span, fmt::format("`{}` is not a {}", key.text, what));
    const bool rest =
        key.text == "other" || key.text == "default" || key.text == "else" || key.text == "rest";
    const std::string near = rest ? "others" : dsl::nearest(key.text, known);
    if (!near.empty()) e.help = fmt::format("did you mean `{}`?", near);
  }

  template <class Bodies>
  void everybody_has_one(const std::string& what, dsl::Span span, const Bodies& cases) {
    for (const auto& p : symbols_.players)
      if (std::none_of(cases.begin(), cases.end(), [&](const auto& c) { return c.first.text == p; }))
        diagnostics_.error("case", span, fmt::format("`{}` has no body for {}", what, p));
  }

  // ---- the walk: what is visible after a node
  Names scope(const Ast& n, Names names) {
    switch (n.form) {
    case Form::name: name(n, names); return names;
    case Form::call: call(n, names); return names;
    case Form::sequence:
      for (const auto& k : n.kids) names = scope(k, std::move(names));
      return names;
    case Form::cases: bodies(n, names); return names;
    case Form::paren:
    case Form::distinct:
    case Form::quietly:
    case Form::secretly: return scope(n.kids[0], std::move(names));
    case Form::either:
    case Form::otherwise:
      for (const auto& k : n.kids) end_names(scope(k, names), names, "alternative", k.span);
      return names;
    case Form::repeat: return repeat(n, std::move(names));
    case Form::conditional:
      scope(n.kids[0], names);
      for (std::size_t i = 1; i < n.kids.size(); ++i)
        end_names(scope(n.kids[i], names), names, "branch of the `if`", n.kids[i].span);
      return names;
    case Form::let:
      scope(n.kids[0], names);
      bind(names, n.word, n.word_span);
      return names;
    case Form::choose:
      for (const auto& k : n.kids) scope(k, names);
      bind(names, n.word, n.word_span);
      return names;
    case Form::roll:
      scope(n.kids[0], names);
      for (std::size_t i = 0; i < n.names.size(); ++i) bind(names, n.names[i], n.name_spans[i]);
      if (n.kids.size() > 1) scope(n.kids[1], names);
      return names;
    case Form::most: {
      Names after = scope(n.kids[1], std::move(names));
      scope(n.kids[0], after);
      return after;
    }
    case Form::each:
    case Form::some_in:
    case Form::no_in:
    case Form::part: return bound_inside(n, names);
    case Form::some_inside:
    case Form::no_inside:
      if (is_unbound(n.kids[0], names)) {
        unknown_quantified(n.kids[0]);
        return names;
      }
      break;
    case Form::list_for: return list_for(n, names);
    case Form::fold_for: return fold_for(n, names);
    case Form::set: set(n, names); return names;
    case Form::compare: compare(n, names); return names;
    case Form::perspective:
      method_call(n, names);
      two_players(n.kids[0], n.kids[0].form == Form::name && n.kids[0].word == "enemy");
      break;
    case Form::change:
    case Form::drop: two_players(n, n.word == "enemy"); break;
    default: break;
    }
    for (const auto& k : n.kids) end_names(scope(k, names), names, "question", k.span);
    return names;
  }

  void bodies(const Ast& n, const Names& names) {
    for (std::size_t i = 0; i < n.kids.size(); ++i) {
      const dsl::Name key = i < n.names.size() ? dsl::Name{n.names[i], n.name_spans[i]} : dsl::Name{};
      if (i >= n.names.size() && dsl::degrees_of(n.kids[i])) continue;
      if (i >= n.names.size() || !taken_away(key)) body_for(key, n.kids[i], names);
    }
  }

  Names repeat(const Ast& n, Names names) {
    const bool until = (n.flags & dsl::kRepeatUntil) != 0;
    const std::size_t bounds_end = n.kids.size() - (until ? 1 : 0);
    for (std::size_t i = 1; i < bounds_end; ++i) scope(n.kids[i], names);
    const Names inner = scope(n.kids[0], names);
    if (until) scope(n.kids.back(), inner);
    end_names(inner, names, "repetition", n.span);
    return names;
  }

  Names bound_inside(const Ast& n, const Names& names) {
    scope(n.kids[0], names);
    Names inner = names;
    bind(inner, n.word, n.word_span);
    end_names(scope(n.kids[1], inner), names, n.form == Form::each ? "`each`" : "question", n.span);
    return names;
  }

  Names list_for(const Ast& n, const Names& names) {
    Names inner = names;
    for (std::size_t i = 0; i < n.names.size(); ++i) {
      scope(n.kids[i + 1], inner);
      bind(inner, n.names[i], n.name_spans[i]);
    }
    scope(n.kids[0], inner);
    if (n.kids.size() > n.names.size() + 1) scope(n.kids.back(), inner);
    end_names(inner, names, "list", n.span);
    return names;
  }

  // `sum(E for …)`
  Names fold_for(const Ast& n, const Names& names) {
    const bool folds = fold_named(n.word).has_value();
    const std::size_t arguments = n.kids.size() - n.names.size() - ((n.flags & dsl::kHasWhere) != 0 ? 1 : 0);
    if (folds && arguments == 1) return list_for(n, names);
    auto& e = folds ? diagnostics_.error(
                          "arity", n.span,
                          fmt::format("`{}` takes one value before `for`, here are {}", n.word, arguments))
                    : diagnostics_.error("syntax", n.span, fmt::format("`{}` takes no `for`", n.word));
    if (folds) return names;
    e.help = n.word == "all" || n.word == "any" || n.word == "len"
                 ? dsl::said_elsewhere(n.word, true)
                 : fmt::format(
                       "only `sum`, `product`, `min` and `max` do; a list stands in parentheses of its own: "
                       "`{}((E for x in S))`",
                       n.word);
    return names;
  }

  [[nodiscard]] bool is_unbound(const Ast& n, const Names& names) const {
    return n.form == Form::name && n.word != "inherited" && find(names, n.word) == nullptr &&
           symbols_.lookup(n.word, false) == NameIs::unknown;
  }

  // `some x in S`, where x is no set.
  void unknown_quantified(const Ast& n) {
    diagnostics_.error("unknown-name", n.span, fmt::format("unknown name `{}`", n.word)).help =
        "write `some x in S where C`, or `some S` without a name";
  }

  void set(const Ast& n, const Names& names) {
    for (const auto& k : n.kids) scope(k, names);
    if ((n.flags & dsl::kHasOwner) != 0)
      two_players(n.kids[1], n.kids[1].form == Form::name && n.kids[1].word == "enemy");
    if ((n.flags & dsl::kHasKind) != 0 && (n.word == "hand" || symbols_.is_piece_value(n.word))) return;
    const bool local = find(names, n.word) != nullptr && (n.flags & dsl::kHasOwner) == 0;
    if (local || symbols_.state(n.word) >= 0) return;
    Ast word;
    word.word = n.word;
    word.span = word.word_span = n.word_span;
    const NameIs what = symbols_.lookup(n.word, false);
    if (what == NameIs::unknown) return unknown(word, false);
    diagnostics_.error("set", n.word_span, fmt::format("`{}` is {} and can't be set", n.word, describe(what)))
        .help = "a variable of the position belongs under `state:`; a local name is bound by `let`";
  }

  // An option's words are known only opposite that option.
  void compare(const Ast& n, const Names& names) {
    const bool equality = n.word == "=" || n.word == "!=";
    for (std::size_t i = 0; i < 2; ++i) {
      if (equality && is_word_of(n.kids[i], n.kids[1 - i], names)) continue;
      scope(n.kids[i], names);
    }
  }

  [[nodiscard]] bool is_word_of(const Ast& word, const Ast& option, const Names& names) const {
    if (word.form != Form::name || option.form != Form::name || find(names, option.word) != nullptr)
      return false;
    const OptionValue* o = symbols_.option(option.word);
    if (o == nullptr || o->type != OptionType::word ||
        symbols_.definition({option.word, false}).definition != nullptr)
      return false;
    if (symbols_.option(word.word) != nullptr &&
        std::find(o->words.begin(), o->words.end(), word.word) == o->words.end())
      return false;
    return true; // that it is one of the option's words is checked with its type
  }

  void visit(const dsl::Definition* d, std::set<const dsl::Definition*>& done) {
    if (done.contains(d)) return;
    const auto on_path = std::find(path_.begin(), path_.end(), d);
    if (on_path != path_.end()) {
      std::string chain;
      for (auto i = on_path; i != path_.end(); ++i) chain += fmt::format("`{}` calls ", (*i)->name.text);
      diagnostics_
          .error("recursion", d->name.span,
                 path_.end() - on_path == 1 ? fmt::format("`{}` calls itself", d->name.text)
                                            : fmt::format("{}`{}`", chain, d->name.text))
          .help = "a rule repeats with `*` or `+`; definitions can't call themselves";
      return;
    }
    path_.push_back(d);
    const auto found = calls_.find(d);
    if (found != calls_.end())
      for (const auto* target : found->second) visit(target, done);
    path_.pop_back();
    done.insert(d);
  }

  const Symbols& symbols_;
  const dsl::Sources& sources_;
  dsl::Diagnostics& diagnostics_;
  const dsl::Definition* current_ = nullptr;
  std::size_t layer_ = 0;
  bool turn_inherits_ = false;
  std::string method_; // what to say of the next call with too few arguments
  std::vector<Ended> ended_;
  std::set<const dsl::Definition*> checked_;
  std::vector<Found> called_;
  std::map<const dsl::Definition*, std::set<const dsl::Definition*>> calls_;
  std::vector<const dsl::Definition*> path_;
};

} // namespace

bool check_scopes(const Symbols& symbols, const dsl::Sources& sources, dsl::Diagnostics& diagnostics) {
  std::size_t definitions = 0;
  for (const auto& layer : symbols.layers) definitions += layer.definitions.size();
  if (definitions > kMaxDefinitions) {
    diagnostics.error("limit", symbols.file.game.span,
                      fmt::format("a game may have at most {} definitions, but this one has {}",
                                  kMaxDefinitions, definitions));
    return false;
  }
  ScopeCheck check(symbols, sources, diagnostics);
  // A vocabulary may speak of kinds, variables and players that a game doesn't have: there, only what is
  // called is checked.
  for (const auto& [key, d] : symbols.layers.back().definitions)
    check.definition(*d, symbols.layers.size() - 1);
  for (const auto* turn = symbols.file.turn ? &*symbols.file.turn : nullptr; turn != nullptr;
       turn = check.inherits_turn(*turn) ? turn->replaced.get() : nullptr)
    check.turn(*turn);
  for (const auto& entry : symbols.file.state) {
    if (entry.value) check.rule(*entry.value, false);
    if (!entry.each_piece) continue;
    for (const auto* part : {&entry.each_piece->low, &entry.each_piece->high, &entry.each_piece->some_of})
      if (*part) check.rule(**part, false);
    for (const auto& [value, cells] : entry.each_piece->setup) {
      check.rule(value, false);
      check.rule(cells, false);
    }
  }
  for (const auto& entry : symbols.file.setup.entries) check.rule(entry.cells, false);
  if (const auto& shuffle = symbols.file.setup.shuffle) {
    for (const auto& cells : shuffle->among) check.rule(cells, false);
    if (shuffle->such_that) check.rule(*shuffle->such_that, false);
  }
  for (const auto* seen : {&symbols.file.sees.cells, &symbols.file.sees.kinds})
    if (*seen) check.rule(**seen, false);
  for (const auto& line : symbols.file.end) {
    check.named_player(line);
    check.rule(line.condition, false);
    if (line.score) check.rule(*line.score, false);
  }
  check.called_definitions();
  return check.check_recursion();
}

} // namespace boardwright::interpreter
