#include "tests/written/writer.hpp"

#include "interpreter/meaning/words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

namespace boardwright::tests {
namespace {

bool is_lower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Without holes but for words of the file: it ends the deepening.
bool is_leaf(std::string_view form) {
  for (std::size_t i = 0; i + 1 < form.size(); ++i)
    if (form[i] == '$' && is_lower(form[i + 1])) return false;
  return true;
}

bool is_action(Sort sort) { return sort >= Sort::rounds; }

std::span<const Form> forms_of(Sort sort) { return is_action(sort) ? action_forms(sort) : value_forms(sort); }

// Where the text walks to a cell, from `begin` on: `from S`, `place(…)`, or `to S` as a step of its own.
std::size_t walks_at(std::string_view text, std::size_t begin) {
  for (const std::string_view word : {"from ", "to ", "place("})
    for (auto at = text.find(word, begin); at != std::string_view::npos; at = text.find(word, at + 1)) {
      if (at == 0 || text[at - 1] == '(') return at;
      if (at >= 2 && text[at - 1] == ' ' && text[at - 2] == ',') return at;
    }
  return std::string_view::npos;
}

// Does the text go by edges or coordinates, or straight on to the end of the board?
bool needs_edges(std::string_view text) {
  static const std::vector<std::string> kWords = [] {
    std::vector<std::string> words{" .. ", "last_row", "dark",     "light",   "middle", "connected",
                                   "ray(", "axis(",    "between(", "lattice", "ride(",  "pie_across"};
    for (const auto& word : interpreter::words_of_language())
      if (word.has(runtime::kByEdges))
        words.push_back(std::string(word.name) + (word.is_function() ? "(" : ""));
    return words;
  }();
  // Two cells that change places do so anywhere.
  constexpr std::string_view kExchange = "rotate(180, here | ";
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
    const auto at = text.find(word);
    if (at != std::string_view::npos && text.substr(at, kExchange.size()) == kExchange) return false;
    return at != std::string_view::npos && (at == 0 || !is_word(text[at - 1]) || !is_word(word.front()));
  });
}

int depth_of(std::string_view text) {
  const auto opened = std::count(text.begin(), text.end(), '(');
  return static_cast<int>(opened - std::count(text.begin(), text.end(), ')'));
}

const char* base_of(Sort sort) {
  switch (sort) {
  case Sort::direction:
  case Sort::directions: return "defg";
  case Sort::cell: return "cvut";
  case Sort::number: return "nmij";
  case Sort::kind: return "kq";
  case Sort::player: return "po";
  default: return "srw";
  }
}

} // namespace

void Writer::begin(std::uint32_t place) {
  place_ = place;
  locals_.clear();
}

std::string Writer::parameter(Sort sort) { return declare('\0', sort, true); }

bool Writer::suits(const Form& form, int size) const {
  if ((world_.has & kEndless) != 0 && needs_edges(form.text)) return false;
  const bool has_named = std::any_of(locals_.begin(), locals_.end(), [](const Local& l) {
    return l.bound && l.label != '\0' && (l.sort == Sort::cell || l.sort == Sort::cells);
  });
  const std::uint32_t here = world_.has | place_ | (has_named ? kNamed : 0U);
  return (form.needs & ~here) == 0 && (size > 0 || is_leaf(form.text));
}

std::string Writer::write(Sort sort, int size) {
  if (chance(size > 0 ? 25 : 45))
    if (std::string name = named(sort, size); !name.empty()) return name;
  return one_of_them(forms_of(sort), size);
}

std::string Writer::one_of_them(std::span<const Form> forms, int size) {
  const bool has_leaf = std::any_of(forms.begin(), forms.end(), [&](const Form& f) { return suits(f, 0); });
  if (!has_leaf) size = std::max(size, 1);
  std::uint64_t sum = 0;
  for (const Form& form : forms) sum += suits(form, size) ? form.weight : 0;
  std::uint64_t drawn = below(sum);
  for (const Form& form : forms) {
    if (!suits(form, size)) continue;
    if (drawn < form.weight) return fill(form.text, size - 1);
    drawn -= form.weight;
  }
  return "none";
}

// What the turn, the state, the options or the definitions have of that sort.
std::string Writer::named(Sort sort, int size) {
  std::vector<std::string> names;
  const auto fits = [&](Sort other) {
    return other == sort || (sort == Sort::cells && other == Sort::cell) ||
           (sort == Sort::directions && other == Sort::direction);
  };
  for (const Local& local : locals_)
    if (local.bound && fits(local.sort))
      for (int i = 0; i < 3; ++i) names.push_back(local.text); // what the turn has chosen comes first
  for (const auto* list : {&world_.variables, &world_.options})
    for (const Named& n : *list)
      if (fits(n.sort)) names.push_back(n.text);
  if (sort == Sort::number && !world_.stores.empty()) names.push_back(word("Store"));
  std::vector<const Defined*> calls;
  for (const Defined& d : defined_)
    if (fits(d.sort) && (!d.asks_here || (place_ & kHere) != 0) &&
        (!is_action(sort) || (place_ & kTurn) != 0))
      calls.push_back(&d);
  const std::uint64_t all = names.size() + calls.size();
  if (all == 0) return "";
  const auto drawn = below(all);
  return drawn < names.size() ? names[drawn] : call(*calls[drawn - names.size()], size - 1);
}

std::string Writer::call(const Defined& defined, int size) {
  if (defined.parameters.empty()) return defined.name;
  std::string text = defined.name + "(";
  for (const Sort sort : defined.parameters) text += write(sort, std::min(size, 1)) + ", ";
  text.resize(text.size() - 2);
  return text + ")";
}

std::string Writer::variable(Sort sort) {
  std::vector<std::string> names;
  for (const Named& n : world_.variables)
    if (n.sort == sort) names.push_back(n.text);
  return names.empty() ? "none" : pick(names);
}

// Words with a capital letter.
std::string Writer::word(std::string_view name) {
  const auto number = [&](std::uint64_t most) { return std::to_string(1 + below(most)); };
  if (name == "Kind") return pick(world_.kinds);
  if (name == "Neutral") return world_.neutral_kinds.empty() ? "man" : pick(world_.neutral_kinds);
  if (name == "HandKind") return world_.hand_kinds.empty() ? "man" : pick(world_.hand_kinds);
  if (name == "Cell") return pick(world_.cells);
  if (name == "Player") return pick(world_.players);
  if (name == "Small") return number(3);
  if (name == "Late") return std::to_string(3 + below(10));
  if (name == "Rank") return number(static_cast<std::uint64_t>(world_.ranks));
  if (name == "File") return number(static_cast<std::uint64_t>(world_.files));
  if (name == "Track") return world_.tracks.empty() ? "all" : pick(world_.tracks);
  if (name == "Word") return world_.words.empty() ? "none" : pick(world_.words);
  if (name == "Angle") {
    const bool hexes = (world_.has & kHexes) != 0;
    return hexes ? one_of<std::string>(random_, {"60", "120", "-60", "180"})
                 : one_of<std::string>(random_, {"90", "45", "-90", "180", "-45"});
  }
  if (name == "NumberVar") return variable(Sort::number);
  if (name == "TruthVar") return variable(Sort::truth);
  if (name == "CellsVar") return variable(Sort::cells);
  if (name == "KindVar") return variable(Sort::kind);
  if (name == "PlayerVar") return variable(Sort::player);
  if (name == "Store") return world_.stores.empty() ? "0" : pick(world_.stores);
  if (name == "Who") {
    for (const Local& local : locals_)
      if (local.bound && local.sort == Sort::player && chance(60)) return local.text;
    if ((world_.has & kTwo) != 0 && chance(60)) return "enemy";
    return pick(world_.players);
  }
  if (name == "Mark") return mark();
  const std::string named = named_word(name);
  return named.empty() ? std::string(name) : named;
}

// Not a parameter, which nothing may be given to.
std::string Writer::local(std::initializer_list<Sort> sorts) {
  std::vector<std::string> names;
  for (const Local& l : locals_)
    if (l.bound && l.label != '\0' && std::find(sorts.begin(), sorts.end(), l.sort) != sorts.end())
      names.push_back(l.text);
  return names.empty() ? "" : pick(names);
}

std::string Writer::named_word(std::string_view name) {
  const auto known = [&](std::initializer_list<Sort> sorts, const std::string& otherwise) {
    const std::string found = local(sorts);
    return found.empty() ? otherwise : found;
  };
  if (name == "NamedCell") {
    if ((place_ & kHere) != 0 && chance(20)) return "here";
    const std::string cell = chance(75) ? local({Sort::cell}) : "";
    return cell.empty() ? known({Sort::cell, Sort::cells}, pick(world_.cells)) : cell;
  }
  if (name == "Chosen") return known({Sort::cell, Sort::cells}, "none");
  if (name == "NamedCells") return known({Sort::cells}, "own");
  if (name == "NamedKind") return known({Sort::kind}, pick(world_.kinds));
  if (name == "NamedNumber") return known({Sort::number}, word("Small"));
  if (name == "NamedPlayer") return known({Sort::player}, "me");
  if (name == "NamedDirection")
    return known({Sort::direction}, one_of<std::string>(random_, {"north", "south", "east"}));
  return "";
}

// What begins as other notations do, or goes on as they do.
std::string Writer::mark() {
  const auto quoted = [](const std::string& text) { return "\"" + text + "\""; };
  const auto cell = [&] {
    const std::string name = pick(world_.cells);
    return name.find('(') == std::string::npos ? name : "11";
  };
  switch (below(8)) {
  case 0: return quoted("," + cell());
  case 1: return quoted("x" + cell());
  case 2: return quoted(cell());
  case 3: return quoted(world_.letters.empty() ? "w" : pick(world_.letters));
  default:
    return quoted(one_of<std::string>(
        random_, {",", "x", "-", "-", "/", "=", "1", "2", "11", "a", "b", " ", "xx", "pass"}));
  }
}

bool Writer::visible(const std::string& name) const {
  return std::any_of(locals_.begin(), locals_.end(), [&](const Local& l) { return l.text == name; });
}

std::string Writer::declare(char label, Sort sort, bool bound) {
  const std::string_view bases = base_of(sort);
  std::string name;
  for (const char base : bases)
    if (name = std::string(1, base); !visible(name)) break;
  for (int i = 2; visible(name); ++i) name = std::string(1, bases.front()) + "_" + std::to_string(i);
  locals_.push_back({name, sort, label, bound});
  return name;
}

// The innermost one: labels of enclosing forms are hidden by those of the form that is being filled.
Writer::Local* Writer::labelled(char label) {
  const auto found =
      std::find_if(locals_.rbegin(), locals_.rend(), [&](const Local& l) { return l.label == label; });
  return found == locals_.rend() ? nullptr : &*found;
}

// What the form has declared at that depth of parentheses, or deeper, can be used now.
void Writer::bind(Filling& filling, int depth) {
  if (filling.goes >= depth) {
    place_ |= kHere;
    filling.goes = -1;
  }
  for (std::size_t i = filling.locals; i < locals_.size(); ++i)
    if (locals_[i].label != '\0' && locals_[i].depth >= depth) locals_[i].bound = true;
}

void Writer::literal(std::string_view text, Filling& filling) {
  if (text.front() == ',') bind(filling, filling.depth);
  const std::size_t begin = filling.text.size();
  filling.text += text;
  const std::size_t at = walks_at(filling.text, begin);
  if (at != std::string::npos)
    filling.goes = filling.depth + depth_of(std::string_view(filling.text).substr(begin, at - begin));
  filling.depth += depth_of(text);
}

void Writer::end_scope(Filling& filling) {
  const Scope scope = filling.scopes.back();
  filling.scopes.pop_back();
  filling.last_scope = filling.text.substr(scope.begin);
  locals_.resize(scope.locals);
  place_ = scope.place;
}

// `$d=direction`, or `$d` alone; `at` stands behind the label.
void Writer::label(std::string_view form, std::size_t& at, Filling& filling) {
  const char name = form[at - 1];
  if (at < form.size() && form[at] == '=') {
    const std::size_t begin = ++at;
    while (at < form.size() && is_lower(form[at])) ++at;
    filling.text += declare(name, sort_named(form.substr(begin, at - begin)), false);
    locals_.back().depth = filling.depth;
  } else if (const Local* local = labelled(name)) {
    filling.text += local->text;
  }
}

// `$(one$;other$)`: one of them.
void Writer::alternatives(std::string_view form, std::size_t& at, Filling& filling, int size) {
  std::vector<std::string_view> all;
  std::size_t begin = at;
  for (; at + 1 < form.size(); ++at) {
    if (form[at] != '$' || (form[at + 1] != ';' && form[at + 1] != ')')) continue;
    all.push_back(form.substr(begin, at - begin));
    begin = at + 2;
    if (form[at + 1] == ')') break;
  }
  at = begin;
  filling.text += fill(all[below(all.size())], size);
}

void Writer::hole(std::string_view form, std::size_t& at, Filling& filling, int size) {
  const std::size_t begin = at;
  while (at < form.size() && is_word(form[at])) ++at;
  const std::string_view name = form.substr(begin, at - begin);
  if (name.size() == 1) return label(form, at, filling);
  const Sort sort = sort_named(name);
  filling.text += sort == Sort::count ? word(name) : write(sort, size);
}

void Writer::sign(std::string_view form, std::size_t& at, Filling& filling, int size) {
  const char what = form[at];
  if (is_word(what)) return hole(form, at, filling, size);
  ++at;
  switch (what) {
  case '[': filling.scopes.push_back({locals_.size(), place_, filling.text.size()}); return;
  case ']': return end_scope(filling);
  case '~': filling.text += changed_a_little(filling.last_scope, random_); return;
  case '^': place_ |= kHere; return;
  case '(': return alternatives(form, at, filling, size);
  case '+':
  case '-':
    if (Local* local = labelled(form[at++])) local->bound = what == '+';
    return;
  case ':': { // without writing it
    const std::string text = filling.text;
    label(form, ++at, filling);
    filling.text = text;
    locals_.back().bound = true;
    return;
  }
  default: return;
  }
}

std::string Writer::fill(std::string_view form, int size) {
  Filling filling;
  filling.locals = locals_.size();
  for (std::size_t at = 0; at < form.size();) {
    if (form[at] == '$') {
      sign(form, ++at, filling, size);
      continue;
    }
    const std::size_t end = std::min(form.find_first_of("$,", at + 1), form.size());
    literal(form.substr(at, end - at), filling);
    at = end;
  }
  bind(filling, 0);
  return filling.text;
}

// ---------------------------------------------------------------- small changes

namespace {

using Words = std::vector<std::string>;

const std::vector<Words>& interchangeable() {
  static const std::vector<Words> all{
      {"orthogonal", "all", "adjacent", "diagonal"},
      {"north", "south", "east", "west"},
      {"forward", "backward", "left", "right", "ahead", "sideways"},
      {"own", "enemy", "empty", "occupied"},
      {"here", "start"},
      {"1", "2", "3"},
      {"or", "otherwise"},
      {"some", "no"},
      {" | ", " & "},
      {"<", ">=", "<=", ">"},
      {")*", ")+", "){2}", ")?", "){1 .. 2}", ")*!", ")+!", ")?!"},
      {"put", "discard"},
      {"\",\"", "\"x\"", "\"-\"", "\"1\"", "\"a\""},
      {"most", "distinct"},
  };
  return all;
}

// Where a word stands on its own.
std::vector<std::size_t> places_of(const std::string& word, const std::string& text) {
  std::vector<std::size_t> places;
  const auto beside = [&](char c) {
    return is_word(word.front()) ? is_word(c) : std::string_view("*+?!<>=").find(c) != std::string_view::npos;
  };
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    if (at > 0 && beside(text[at - 1])) continue;
    if (at + word.size() < text.size() && beside(text[at + word.size()])) continue;
    places.push_back(at);
  }
  return places;
}

struct Exchange {
  std::size_t at, length;
  std::string by;
};

void add_conditions(const std::string& text, std::vector<Exchange>& all) {
  for (const std::string_view begin : {", require ", ", at "}) {
    for (auto at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
      int depth = 0;
      std::size_t end = at + begin.size();
      for (; end < text.size() && depth >= 0; ++end) {
        depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
        if (depth < 0 || (depth == 0 && text[end] == ',')) break;
      }
      all.push_back({at, end - at, ""});
    }
  }
}

} // namespace

std::string changed_a_little(const std::string& text, runtime::Random& random) {
  std::vector<Exchange> all;
  for (const Words& words : interchangeable())
    for (const std::string& word : words)
      for (const std::size_t at : places_of(word, text))
        if (const std::string& by = words[random.below(words.size())]; by != word)
          all.push_back({at, word.size(), by});
  add_conditions(text, all);
  if (all.empty()) return text;
  const Exchange& e = all[random.below(all.size())];
  return text.substr(0, e.at) + e.by + text.substr(e.at + e.length);
}

} // namespace boardwright::tests
