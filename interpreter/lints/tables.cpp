// A lint about definitions that give a kind for each kind: two that go there and back, or one that goes back
// by itself, or round in circles, but for a few kinds.
#include "interpreter/lints/lints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace boardwright::interpreter {
namespace {

using dsl::Ast;
using dsl::Definition;
using dsl::Form;

// So many kinds at least that come back make it clear that all should, and so many that don't are a slip.
constexpr std::size_t kFewestBack = 2, kMostAstray = 2;

struct KindTable {
  const Definition* definition = nullptr;
  std::map<std::string, const Ast*> to; // a kind's name, by kind
};

class Tables {
public:
  Tables(const Linted& in, dsl::Diagnostics& out) : in_(in), out_(out) {
    for (const Definition& d : in.file.define) read(d);
  }

  void report() const {
    for (const KindTable& table : tables_)
      if (breaks_circle(table)) return;
    for (std::size_t i = 0; i < tables_.size(); ++i)
      for (std::size_t k = i; k < tables_.size(); ++k)
        if (there_and_back(tables_[i], tables_[k]) || (k != i && there_and_back(tables_[k], tables_[i])))
          return; // one slip makes several tables disagree
  }

private:
  void read(const Definition& d) {
    KindTable table;
    table.definition = &d;
    for (const auto& [who, body] : d.cases) {
      const Ast& n = bare(body);
      if (n.form == Form::name && is_a_kind(n.word) && is_a_kind(who.text)) table.to[who.text] = &n;
    }
    if (table.to.size() > kFewestBack) tables_.push_back(std::move(table));
  }
  [[nodiscard]] bool is_a_kind(const std::string& name) const {
    const auto& kinds = in_.program.kinds;
    return std::any_of(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.name == name; });
  }

  // Is what one makes of a kind taken back by the other, but for one kind or two?
  bool there_and_back(const KindTable& there, const KindTable& back) const {
    std::size_t fits = 0;
    std::vector<std::pair<std::string, const Ast*>> astray; // kinds, and what they come back as
    for (const auto& [kind, made] : there.to) {
      const auto found = back.to.find(made->word);
      if (found == back.to.end()) continue;
      const auto returned = there.to.find(found->second->word);
      if (found->second->word == kind)
        ++fits;
      else if (returned == there.to.end() || returned->second->word != made->word) // two may become the same
        astray.emplace_back(kind, found->second);
    }
    if (astray.empty() || astray.size() > kMostAstray) return false;
    const bool changed_places = astray.size() == 2 && astray[0].second->word == astray[1].first &&
                                astray[1].second->word == astray[0].first;
    if (changed_places ? fits == 0 : fits < kFewestBack || fits <= astray.size()) return false;
    const auto& [kind, returned] = astray.front();
    const Ast& made = *there.to.at(kind);
    const bool is_own = made.span.file == in_.file.file;
    if (!is_own && returned->span.file != in_.file.file) return false;
    auto& warning = out_.warning("mispaired", is_own ? made.span : returned->span,
                                 fmt::format("of a {} this makes a {}, and of that `{}` makes a {}", kind,
                                             made.word, back.definition->name.text, returned->word));
    warning.help = fits == 1 ? "another one comes back as what it was"
                             : fmt::format("{} others come back as what they were", fits);
    if (is_own) warning.related.push_back({returned->span, "here"});
    return true;
  }

  // Do kinds go round in circles, but for one that nothing becomes, while two become another one? A chain in
  // which the last stays what it is has no circle.
  bool breaks_circle(const KindTable& table) const {
    std::map<std::string, std::vector<std::string>> from; // what becomes a kind, by that kind
    for (const auto& [kind, made] : table.to) from[made->word].push_back(kind);
    std::string missing, twice;
    for (const auto& [kind, made] : table.to) {
      if (!from.contains(kind)) {
        if (!missing.empty()) return false;
        missing = kind;
      }
      if (!table.to.contains(made->word)) return false;
    }
    for (const auto& [made, kinds] : from) {
      if (kinds.size() > 2 || (kinds.size() == 2 && !twice.empty())) return false;
      if (kinds.size() == 2) twice = made;
    }
    if (missing.empty() || twice.empty()) return false;
    for (const std::string& wrong : from.at(twice)) {
      // With this entry mended all go round: it closes a circle, of a size that there is elsewhere.
      std::string at = missing;
      std::size_t size = 1;
      for (; at != wrong && size <= table.to.size(); ++size) at = table.to.at(at)->word;
      const Ast& made = *table.to.at(wrong);
      if (wrong == missing || at != wrong || made.span.file != in_.file.file ||
          !has_circle_without(table, twice, size))
        continue;
      out_.warning("mispaired", made.span,
                   fmt::format("of a {} this makes a {}, as of a {}, and nothing becomes a {}", wrong, twice,
                               other_of(from.at(twice), wrong), missing))
          .help =
          fmt::format("others go round in circles, as these would if a {} became a {}", wrong, missing);
      return true;
    }
    return false;
  }
  static const std::string& other_of(const std::vector<std::string>& two, const std::string& one) {
    return two.front() == one ? two.back() : two.front();
  }
  // Is there a circle of so many kinds that one kind isn't in?
  [[nodiscard]] static bool has_circle_without(const KindTable& table, const std::string& kind,
                                               std::size_t size) {
    for (const auto& [begin, made] : table.to) {
      std::string at = made->word;
      bool meets = begin == kind;
      std::size_t steps = 1;
      for (; at != begin && steps <= table.to.size(); ++steps) {
        meets = meets || at == kind;
        at = table.to.at(at)->word;
      }
      if (at == begin && steps == size && !meets) return true;
    }
    return false;
  }

  const Linted& in_;
  dsl::Diagnostics& out_;
  std::vector<KindTable> tables_;
};

} // namespace

void lint_tables(const Linted& in, dsl::Diagnostics& out) { Tables(in, out).report(); }

} // namespace boardwright::interpreter
