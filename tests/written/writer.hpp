// Whole rule files, written as people write them: every section as text, each rule filled from the forms of a
// typed grammar (forms.hpp), with what the turn has bound so far as arguments.
#pragma once

#include "tests/written/forms.hpp"

#include "runtime/model/random.hpp"

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace boardwright::tests {

// The same file for the same seed.
[[nodiscard]] std::string write_rule_file(std::uint64_t seed);

// A text of rules with one small change: another direction, set, number of rounds, connective, or a condition
// less. The text itself where there is nothing to change.
[[nodiscard]] std::string changed_a_little(const std::string& text, runtime::Random& random);

// What the names of a file mean.
struct Named {
  std::string text;
  Sort sort;
};

struct World {
  std::vector<std::string> players, kinds, neutral_kinds, hand_kinds, cells, tracks, words;
  std::vector<Named> variables, options; // state; an option with words isn't among them
  std::vector<std::string> stores;       // numbers of each player's
  std::vector<std::string> letters;      // of pieces
  int files = 0, ranks = 0;
  std::uint32_t has = 0; // Needs that are the file's, not the place's
};

struct Defined { // `name(S, d)`
  std::string name;
  std::vector<Sort> parameters;
  Sort sort;
  bool asks_here;
};

class Writer {
public:
  Writer(World world, std::uint64_t seed) : world_(std::move(world)), random_(seed) {}

  // Something of that sort; the greater `size`, the deeper it may go.
  std::string write(Sort sort, int size);
  // Likewise, one of these; "none" where none of them makes sense.
  std::string one_of_them(std::span<const Form> forms, int size);
  // A text with holes, filled.
  std::string fill(std::string_view form, int size);

  std::uint64_t below(std::uint64_t n) { return random_.below(n); }
  bool chance(std::uint64_t percent) { return random_.below(100) < percent; }
  std::string pick(const std::vector<std::string>& all) { return all[random_.below(all.size())]; }
  [[nodiscard]] const World& world() const { return world_; }

  // What holds of the place that is written next. All local names are forgotten.
  void begin(std::uint32_t place);
  // A definition's parameter.
  std::string parameter(Sort sort);
  void add(Defined defined) { defined_.push_back(std::move(defined)); }

private:
  struct Local {
    std::string text;
    Sort sort;
    char label;
    bool bound;
    int depth = 0; // of the parentheses that it is declared in, within its form
  };
  struct Scope {
    std::size_t locals;
    std::uint32_t place;
    std::size_t begin; // in the text
  };
  // Where a form is being filled.
  struct Filling {
    std::string text, last_scope;
    std::vector<Scope> scopes;
    int depth = 0; // of parentheses
    int goes = -1; // a walker stands somewhere from the next comma of that depth on
    std::size_t locals = 0;
  };

  [[nodiscard]] bool suits(const Form& form, int size) const;
  std::string named(Sort sort, int size); // "" where nothing has that sort
  std::string call(const Defined& defined, int size);
  std::string word(std::string_view name); // of the file's own
  // What has a name here; "" where nothing has.
  std::string local(std::initializer_list<Sort> sorts);
  std::string named_word(std::string_view name); // likewise; "" where it is no such word
  std::string mark();                            // a text for `say` to write
  std::string variable(Sort sort);
  void sign(std::string_view form, std::size_t& at, Filling& filling, int size);
  void hole(std::string_view form, std::size_t& at, Filling& filling, int size);
  void alternatives(std::string_view form, std::size_t& at, Filling& filling, int size);
  void label(std::string_view form, std::size_t& at, Filling& filling);
  std::string declare(char label, Sort sort, bool bound);
  void end_scope(Filling& filling);
  void literal(std::string_view text, Filling& filling);
  void bind(Filling& filling, int depth);
  [[nodiscard]] Local* labelled(char label);
  [[nodiscard]] bool visible(const std::string& name) const;

  World world_;
  runtime::Random random_;
  std::uint32_t place_ = 0;
  std::vector<Local> locals_;
  std::vector<Defined> defined_;
};

// `one`, or … as the list has it; each as likely as the others.
template <class T>
T one_of(runtime::Random& random, std::initializer_list<T> all) {
  return *(all.begin() + random.below(all.size()));
}

} // namespace boardwright::tests
