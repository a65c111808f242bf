// Conditions, sets of cells and numbers of the rule language as a player would say them. What is said is
// always true of the expression; what has no plain words is nothing, or stands under the name that the file
// gives it, in quotes.
#pragma once

#include "dsl/ast.hpp"
#include "interpreter/load.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::tools {

// Who is meant by `own` and by `enemy`.
struct Sides {
  std::string own, enemy;
};

using Words = std::optional<std::string>;

struct Meant;
using Scope = std::map<std::string, Meant, std::less<>>;

// What a local name stands for.
struct Meant {
  enum class Sort : std::uint8_t {
    unknown, // bound by the turn on its way: nothing can be said of it
    value,   // a parameter: what the call has for it, as it is meant there
    place,   // a cell or a set of cells: "it"
    kind,    // a kind of piece: "that kind"
    number,  // "n"
    player,  // "that player"
  };
  Sort sort = Sort::unknown;
  std::string words = {};
  const dsl::Ast* value = nullptr;
  std::shared_ptr<const Scope> scope = {};
  Sides sides = {};
};

class Speaker {
public:
  Speaker(const interpreter::Loaded& loaded, Sides sides);

  // The same with other names: of a definition's parameters, of what the turn has bound.
  [[nodiscard]] Speaker in_scope(Scope scope) const;
  // As seen by somebody else.
  [[nodiscard]] Speaker seen_by(Sides sides) const;
  // The scope of a definition's body where it is called like this.
  [[nodiscard]] Scope scope_of_call(const dsl::Definition& definition, const dsl::Ast& call) const;

  // Inside a definition, where it is called like this.
  [[nodiscard]] Speaker deeper(const dsl::Ast& n, const dsl::Definition& definition) const;
  // Where this name stands for something that can't be told.
  [[nodiscard]] Speaker without(const std::string& name) const;
  // Before the piece moves: it stands somewhere, and hasn't come there.
  [[nodiscard]] Speaker where_it_stands() const;

  // What a name stands for, if the rule has given it; and as it is meant there.
  [[nodiscard]] const Meant* local(const std::string& name) const;
  [[nodiscard]] Speaker where_meant(const Meant& meant) const;
  // None where definitions call one another too deep.
  [[nodiscard]] const dsl::Definition* definition_of(const dsl::Ast& n) const;

  // What options alone decide.
  [[nodiscard]] std::optional<bool> settled(const dsl::Ast& n) const;
  // "Red can't move", or that it isn't so. "" is a condition that always holds.
  [[nodiscard]] Words condition(const dsl::Ast& n, bool holds = true) const;
  // Of the walker, for whom this is a set of cells: "the piece comes to the last row".
  [[nodiscard]] Words comes_to(const dsl::Ast& set) const;
  // "the most pieces", "the fewest pieces", "the highest score: …"
  [[nodiscard]] Words best(const dsl::Ast& n) const;

private:
  // Pieces, or empty cells, told as "your men on the last row that can move".
  struct Things {
    bool empty_cells = false;
    std::string owner;              // "": anybody's
    std::vector<std::string> kinds; // none: any
    std::string where;              // " on the last row"
  };

  // --- names
  [[nodiscard]] const runtime::Option* option_named(const std::string& name) const;
  // What the file tells players of a name under `terms` of its `about`, as it is for these sides.
  [[nodiscard]] Words term(const std::string& name) const;
  [[nodiscard]] bool is_standard(const dsl::Definition& definition) const;
  [[nodiscard]] const dsl::Ast* body_of(const dsl::Ast& n) const; // of a name: the same for all players
  [[nodiscard]] bool is_kind(const std::string& word) const;
  [[nodiscard]] const runtime::Variable* variable(const std::string& name) const;
  [[nodiscard]] bool is_player(const std::string& word) const;
  [[nodiscard]] std::optional<Sides> sides_of(const dsl::Ast& who) const;
  template <class Is>
  [[nodiscard]] bool mentions(const dsl::Ast& n, const Is& is, int depth = 0) const;
  [[nodiscard]] bool by_side(const dsl::Ast& n) const; // is it another one for each player?
  [[nodiscard]] bool moving(const dsl::Ast& n) const;  // does it go by the position?

  // --- what options decide, in settled.cpp
  [[nodiscard]] std::optional<std::int64_t> number(const dsl::Ast& n) const;
  [[nodiscard]] std::optional<bool> settled_comparison(const dsl::Ast& n) const;
  [[nodiscard]] std::optional<bool> joined(const dsl::Ast& n, bool one) const;

  // --- sets, in speaker_sets.cpp
  [[nodiscard]] std::optional<Things> things(const dsl::Ast& n) const;
  [[nodiscard]] std::optional<Things> things_named(const dsl::Ast& n) const;
  [[nodiscard]] std::optional<Things> things_joined(const dsl::Ast& n) const;
  [[nodiscard]] std::optional<Things> owned(const std::string& owner, const dsl::Ast& kinds) const;
  [[nodiscard]] std::optional<std::vector<std::string>> kinds_in(const dsl::Ast& n) const;
  [[nodiscard]] Words place(const dsl::Ast& n) const; // "the last row", "a3 or c3"
  [[nodiscard]] Words place_named(const dsl::Ast& n) const;
  [[nodiscard]] Words place_called(const dsl::Ast& n) const;
  [[nodiscard]] Words rows(const dsl::Ast& n) const;
  [[nodiscard]] std::string own_place(const std::string& words) const; // "the last row", "Red's last row"
  [[nodiscard]] Words that(const std::string& name, const dsl::Ast& condition) const;
  [[nodiscard]] Words beside_it(const std::string& name, const dsl::Ast& condition) const;
  [[nodiscard]] std::string noun(const Things& what, std::int64_t count) const;
  [[nodiscard]] std::string all_of(const Things& what) const; // "your men on the last row"

  // --- numbers, in speaker_numbers.cpp
  [[nodiscard]] Words quantity(const dsl::Ast& n) const; // "the number of your pieces"
  [[nodiscard]] Words quantity_called(const dsl::Ast& n) const;
  [[nodiscard]] Words quantity_named(const dsl::Ast& n) const;
  [[nodiscard]] Words compared(const dsl::Ast& left, const std::string& sign, const dsl::Ast& right) const;
  [[nodiscard]] Words bounded(const dsl::Ast& left, const std::string& sign, std::int64_t bound) const;
  [[nodiscard]] Words counted(const dsl::Ast& set, const std::string& sign, std::int64_t bound) const;
  [[nodiscard]] Words moves_played(const dsl::Ast& left, const std::string& sign, std::int64_t bound) const;
  [[nodiscard]] bool since_of(const dsl::Ast& left) const;
  [[nodiscard]] Words moves_since(const std::string& name, const std::string& sign, std::int64_t bound) const;
  [[nodiscard]] Words stored(const dsl::Ast& left, const std::string& sign, std::int64_t bound) const;

  // --- conditions
  [[nodiscard]] Words name(const dsl::Ast& n, bool holds) const;
  [[nodiscard]] const dsl::Ast& meant_directions(const dsl::Ast& n) const;
  [[nodiscard]] Words standard(const dsl::Ast& n, bool holds) const;
  [[nodiscard]] Words under_its_name(const dsl::Ast& n, bool holds) const;
  [[nodiscard]] Words some_or_no(const dsl::Ast& set, bool some) const;
  [[nodiscard]] std::string there_are(const Things& what, bool some) const;
  [[nodiscard]] Words inside(const dsl::Ast& n, bool holds) const;
  [[nodiscard]] Words some_where(const dsl::Ast& n, bool some) const;
  [[nodiscard]] Words for_one_of(const dsl::Ast& n, bool some) const;
  [[nodiscard]] Words subset(const dsl::Ast& n, bool holds) const;
  [[nodiscard]] Words one_of(const dsl::Ast& set) const;
  [[nodiscard]] Words of_the_piece(const dsl::Ast& left, const dsl::Ast& set) const;
  [[nodiscard]] Words comparison(const dsl::Ast& n, bool holds) const;
  [[nodiscard]] Words able(const dsl::Ast& action, bool can) const;
  [[nodiscard]] const dsl::Ast& unsettled_part(const dsl::Ast& n) const;
  [[nodiscard]] Words list(const dsl::Ast& n, bool all, bool holds) const;

  const interpreter::Loaded* loaded_;
  const runtime::Program* program_;
  Sides sides_;
  std::string reader_; // whose rows are simply the first and the last one
  std::shared_ptr<const Scope> scope_;
  bool has_moved_ = true; // the piece that is spoken of
  int depth_ = 0;         // definitions within definitions
};

} // namespace boardwright::tools
