// Elaborator: from checked names to nodes. This is where the language gets its types.
//
// Every definition is unfolded at each of its calls and checked with the types of its arguments there; every
// rule is elaborated once for each player, so `me` is a constant. A parameter that is a value is evaluated
// once, into a slot, or stands for its constant; a parameter that is an action is elaborated where the
// definition names it, with the caller's names.
#pragma once

#include "dsl/rule_file.hpp"
#include "interpreter/board/geometry.hpp"
#include "interpreter/meaning/builder.hpp"
#include "interpreter/meaning/readings.hpp"
#include "interpreter/meaning/rolls.hpp"
#include "interpreter/meaning/symbols.hpp"
#include "interpreter/meaning/words.hpp"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::interpreter {

// Types as the checker sees them: the runtime's, and those that exist at load only.
enum class Ty : std::uint8_t {
  error, // something was wrong and has been said; fits everywhere
  none,  // the word `none`: takes the type that its surroundings need
  number,
  truth,
  cells,
  directions,
  kind,
  player,
  map,
  numbers,
  sets,
  kinds,
  players,
  word, // of an option
  text, // for `say`: a string, or an action that writes one of several
};

struct Typed {
  Ty type = Ty::error;
  NodeId node = 0;
  dsl::Span span;
  // Directions: every step that can be among them, where that is known.
  std::optional<runtime::StepSet> may;
  const OptionValue* option = nullptr; // of a word
  const dsl::Ast* joined = nullptr;    // of a member of `a | b`, two kinds: what it was to be a list of
  // Of a kind, or of cells in the position that is looked at: which kind it is, or stands there, if a body by
  // kind has found that out; -1 where it isn't known.
  int kind = -1;
  std::uint32_t position = 0;
};

struct Binding;
using Env = std::shared_ptr<const Binding>;

// The definition that is being unfolded: what `inherited` and messages refer to.
struct Unfolding {
  const dsl::Definition* definition = nullptr;
  std::size_t layer = 0;
  Env parameters;
  std::uint32_t caller = 0; // the origin of the call
};

struct Binding { // one name; the names that were visible before it hang behind
  std::string name;
  Typed value;                      // its node reads the slot, or is a constant
  const dsl::Ast* action = nullptr; // a parameter that is an action, with the caller's names
  Env action_env;
  Unfolding action_unfolding;
  bool assignable = false; // bound by `let` or `choose`, or a parameter that stands for such a name
  std::uint32_t slot = 0;
  int variable = -1; // a parameter that stands for a variable of `state`: which
  Env outer;
};

// Definitions nested deeper than this are refused; each level takes a few C++ frames.
inline constexpr int kMaxUnfolding = 100;
// Calls of definitions that one game may unfold into.
inline constexpr int kMaxCalls = 1 << 20;
// The same call so often in a row, each of which unfolds into so many, that together they are more than this,
// is unfolded once and carried out so often.
inline constexpr std::uint64_t kMostInARow = 500;
// What to do about rules that are too large.
inline constexpr const char* kSayItOnce =
    "say it once: bind what is asked again and again by `let`, give several kinds one body, repeat by `{n}` "
    "or "
    "`each`; what only tells kinds apart can be a value that pieces carry";
// And trees nested deeper than this, definitions unfolded: a level takes up to half a dozen frames.
inline constexpr int kMaxNesting = 800;

class Elaborator {
public:
  Elaborator(const Symbols& symbols, const Geometry& geometry, Builder& builder,
             dsl::Diagnostics& diagnostics, Readings* readings = nullptr, bool keeps_carried = false);

  // Has a definition gone by the kind of what is carried? Then the rules must be elaborated again, by a
  // Elaborator that keeps it: what isn't asked costs nothing.
  [[nodiscard]] bool asks_carried() const { return asks_carried_; }

  // Constant expressions, from the sight of a player. Nothing if it isn't constant or has another type
  // (said).
  std::optional<std::int64_t> constant_number(const dsl::Ast& tree, int me = 0);
  std::optional<runtime::CellSet> constant_cells(const dsl::Ast& tree, int me, const std::string& rule);
  // Any type; `rule` is what messages and origins call it.
  Typed constant(const dsl::Ast& tree, int me, const std::string& rule);
  // A value of a type as it is in the set-up, whose pieces are known by now. What has another type is left as
  // it is.
  Typed in_set_up(const dsl::Ast& tree, int me, Ty type);
  // Cells in any position, from the sight of a player; nothing where it is something else (said).
  std::optional<NodeId> cells_seen_by(const dsl::Ast& tree, int me);
  // A condition about the set-up, to be asked of several; nothing where it is none (said).
  std::optional<NodeId> condition_of_set_up(const dsl::Ast& tree, int me);

  [[nodiscard]] Builder& builder() { return builder_; }

  NodeId turn(int me);
  // What its turns leave to chance.
  [[nodiscard]] const Rolls& rolls() const { return rolls_; }
  runtime::EndLine end_line(const dsl::EndRule& rule, int me);
  // Has a rule called it so far?
  [[nodiscard]] bool uses(const dsl::Definition* d) const { return used_.contains(d); }
  // Elaborates, for its errors alone, what no rule has called.
  void check_unused();
  // Adds the steps that operations on directions can yield at run time.
  void close_steps();
  // The program has now all the values that pieces carry.
  void knows_planes();
  // The code of a constant as a value of pieces. Nothing where it can't be one: `not_of_range` says so.
  [[nodiscard]] std::optional<std::uint32_t> code_of(const runtime::PieceValue& value, const Typed& v) const;
  void not_of_range(const runtime::PieceValue& value, dsl::Span span);

private:
  struct Acted {
    NodeId node;
    Env env; // the names visible afterwards
  };
  using Ast = dsl::Ast;

  // A value outside of `turn` and `end`.
  Typed outside(const Ast& tree, int me, const std::string& rule);

  // ---- elaborator.cpp: names, definitions, conversions
  void decide_for_other(runtime::EndLine& line);
  [[nodiscard]] static const Binding* find(const Env& env, const std::string& name);
  // `let x = E, V`, whose value is that of the last.
  [[nodiscard]] static bool is_let_value(const Ast& n);
  [[nodiscard]] bool is_action(const Ast& n, const Env& env) const;
  [[nodiscard]] bool is_action(const dsl::Definition& d) const;
  Env bind(const Env& env, const std::string& name, Ty type, std::uint32_t slot,
           std::optional<runtime::StepSet> may, bool assignable);
  Env bind_member(const Env& env, const std::string& name, const Typed& domain, std::uint32_t slot,
                  bool assignable);
  // `a | b`, or the body of a definition that says so, where these are kinds; else null.
  [[nodiscard]] const Ast* joined_kinds(const Ast& n, const Env& env) const;
  Typed local(const Binding& b, dsl::Span span);

  struct Call { // a definition with its parameters bound
    Env env;
    std::vector<std::pair<std::uint32_t, NodeId>> lets; // slots to fill first
    Typed first;                                        // the first argument
  };
  NodeId with_lets(const Call& call, NodeId action);
  Typed behind_lets(const Call& call, Typed v);
  bool may_unfold(const Ast& n);                            // or an error is said, once
  [[nodiscard]] std::string called_most() const;            // the definition
  [[nodiscard]] std::uint64_t calls_in(const Ast& n) const; // what it unfolds into
  [[nodiscard]] std::uint64_t calls_in(const dsl::Definition& d) const;
  [[nodiscard]] bool is_large_call(const Ast& n, const Env& env, std::uint64_t times) const;
  const Ast* with_rounds(const Ast& sequence, const Env& env);
  bool enter(const dsl::Definition& d, const Ast& n, const Env& env, Call& call);
  // A parameter that is set stands for a variable of the caller.
  bool sets_parameter(const dsl::Definition& d, std::size_t parameter);
  bool sets(const Ast& n, const dsl::Definition& d, std::size_t parameter);
  std::shared_ptr<Binding> variable_for(const dsl::Definition& d, std::size_t parameter, const Ast& argument,
                                        const Env& env);
  Found resolve(const Ast& n) const; // a name or call; `inherited` too
  [[nodiscard]] Found older(const dsl::Definition& d) const;
  Typed call_value(const Found& found, const Ast& n, const Env& env);
  struct Bodies; // of a definition or of one of its bodies: each for a kind or player
  static Bodies bodies_of(const dsl::Definition& d, const Call& call);
  Bodies inner_bodies(const Ast& n, const Env& env);
  bool knows_kind(const Ast& n); // or an error is said: there must be a piece that decides
  Typed definition_value(const dsl::Definition& d, const Call& call, dsl::Span span);
  Typed chosen_value(const Bodies& bodies, dsl::Span span);
  Typed by_kind_value(const Bodies& bodies, dsl::Span span);
  Typed kind_that_decides(const Bodies& bodies, dsl::Span span);
  Env knowing(const Bodies& bodies, int kind) const;
  [[nodiscard]] const Ast* known_number(const Bodies& bodies) const;
  NodeId by_kind(Op op, Type type, const Typed& which, const std::vector<NodeId>& bodies, NodeId missing);
  Typed mirrored(const Bodies& bodies, const Ast& n);
  NodeId call_action(const Found& found, const Ast& n, const Env& env);
  NodeId definition_action(const dsl::Definition& d, const Call& call, dsl::Span span);
  NodeId chosen_action(const Bodies& bodies, dsl::Span span);
  NodeId by_kind_action(const Bodies& bodies, dsl::Span span);
  template <class Rule> // a definition or the turn: the body of the player who sees it, if he has one
  [[nodiscard]] const Ast* player_case(const Rule& rule) const {
    const std::string& me = symbols_.players[static_cast<std::size_t>(me_)];
    for (const auto& [player, body] : rule.cases)
      if (player.text == me) return &body;
    return rule.others ? &*rule.others : nullptr;
  }
  NodeId turn_body(const dsl::TurnSection& turn);
  bool by_player(const dsl::Definition& d) const;
  bool by_player(const Bodies& bodies) const;

  Typed error(dsl::Span span, dsl::Code code, const std::string& message, const std::string& help = "");
  Typed silent() const { return {}; } // after an error that has been said
  bool has_room(const Ast& n);        // or an error is said
  Typed make(Ty type, NodeId node, dsl::Span span) const;
  [[nodiscard]] Typed convert(const Typed& v, Ty wanted);
  Ty unify(std::vector<Typed>& values, dsl::Span span);
  NodeId cells(const Ast& n, const Env& env);
  NodeId number(const Ast& n, const Env& env);
  NodeId number_of(const Typed& v, dsl::Span span);
  NodeId truth(const Ast& n, const Env& env);
  NodeId truth_of(const Typed& v, dsl::Span span);
  NodeId kind(const Ast& n, const Env& env);
  NodeId kind_of(const Typed& given, const Ast& n, const Env& env);
  void no_list_of_kinds(const Ast& joined, const Ast& use);
  // The family of kinds that a name stands for, or null.
  [[nodiscard]] const dsl::FamilyEntry* family_meant(const Ast& n, const Env& env) const;
  NodeId given_kind(const Ast& n, const Env& env, const char* action);
  NodeId given_kind(const Typed& given, const Ast& n, const Env& env, const char* action);
  NodeId map(const Ast& n, const Env& env);
  Typed directions(const Ast& n, const Env& env);
  Typed members(const Ast& n, const Env& env); // something to go through: cells, directions, a list
  void mark(const Ast& n);                     // nodes added from now on come from here
  bool placed(const Ast& n, const char* what);

  // ---- readings.cpp
  void note(const Ast& n, const Typed& value);
  void note_action(const Ast& n);
  void note_local(std::uint32_t slot, NodeId value); // a name is bound to it
  void note_member(std::uint32_t slot, Ty domain);   // to a member of something

  // ---- values.cpp
  Typed value(const Ast& n, const Env& env);
  Typed value_of_form(const Ast& n, const Env& env);
  Typed name(const Ast& n, const Env& env);
  Typed global_name(const Ast& n);
  Typed unknown(const Ast& n, bool with_arguments);
  Typed word(const Ast& n);
  Typed repeats(const Ast& n);
  Typed direction_word(const Ast& n, bool& known);
  Typed place_word(const Ast& n, bool& known);
  Typed state(int entry, dsl::Span span);
  Typed option(const OptionValue& o, dsl::Span span);
  Typed binary(const Ast& n, const Env& env);
  Typed arithmetic(const Ast& n, const Typed& left, const Typed& right);
  Typed set_operation(const Ast& n, Typed left, Typed right);
  Typed range(const Ast& n, const Env& env);
  Typed rectangle(const Ast& n, const Env& env);
  [[nodiscard]] bool names_whole_line(const Ast& n) const;
  Typed corner_error(const Ast& n);
  Typed compare(const Ast& n, const Env& env);
  [[nodiscard]] bool is_variable(const Ast& n, const Env& env) const;
  std::optional<Typed> compare_words(const Ast& n, const Env& env);
  Typed contained(const Ast& n, const Env& env);
  Typed ordered(const Ast& n, const Env& env);
  Typed connective(const Ast& n, const Env& env, Op op);
  Typed let_in(const Ast& n, const Env& env);
  Typed conditional(const Ast& n, const Env& env);
  Typed chosen(NodeId condition, std::vector<Typed> branches, dsl::Span span);
  Typed perspective(const Ast& n, const Env& env);
  Typed owned(const Ast& n, const Env& env);
  Typed owner_cells(const std::string& owner, dsl::Span span);
  Typed some(const Ast& n, const Env& env);
  Typed quantified(const Ast& n, const Env& env);
  Typed part(const Ast& n, const Env& env);
  Typed inside(const Ast& n, const Env& env);
  struct Bindings; // of `for`
  std::optional<Bindings> bindings(const Ast& n, const Env& env);
  Typed list_for(const Ast& n, const Env& env);
  Typed fold_for(const Ast& n, const Env& env);
  Typed reach(const Ast& n, const Env& env);
  Typed before(const Ast& n, const Env& env);
  Typed pieces(const Ast& n, const Env& env);
  NodeId pieces_of_family(const dsl::FamilyEntry& family, NodeId cells, std::int32_t owners, int player);
  Typed written_number(const Ast& n, std::int64_t number);
  Typed no_move(const Ast& n);
  int player_before_dot(const Ast& n, const Env& env, Typed& dynamic); // -1: dynamic; -2: an error

  // ---- functions.cpp
  Typed function(const Ast& n, const Env& env);
  bool may_be_asked(const LanguageWord& word, const Ast& n);
  Typed by_row(const LanguageWord& word, const Ast& n, const Env& env);
  Typed argument(char letter, const Ast& n, const Env& env);
  Typed advance(const Ast& n, const Env& env);
  bool is_no_line(const Ast& n); // and an error is said
  Typed row(const Ast& n, const Env& env);
  Typed all_numbered(NodeId numbers, std::int32_t slot, NodeId one, dsl::Span span);
  Typed extremum(const Ast& n, const Env& env, Op op);
  Typed total_of(const Ast& n, const Env& env, Op op);
  Typed kind_on(const Ast& n, const Env& env);
  Typed folded_list(NodeId list, Op op, dsl::Span span);
  Typed end_of(const Ast& n, const Env& env, Op of_cells, Op of_list);
  Typed kinds_list(const Ast& n, const Env& env);
  Typed list(const Ast& n, const Env& env);
  Typed hand(const Ast& n, const Env& env);
  Typed function_of_its_own(const Ast& n, const Env& env);
  Typed by_number(const Ast& n, const Env& env, Op op);
  Typed union_of(const Ast& n, const Env& env);

  // ---- directions.cpp
  Typed constant_steps(const std::vector<Vector>& vectors, dsl::Span span);
  Typed relative(int right, int ahead, dsl::Span span, const std::string& what);
  Typed sum(const Typed& left, const Typed& right, dsl::Span span);
  Typed times(const Typed& factor, const Typed& steps, dsl::Span span);
  Typed opposite(const Ast& n, const Env& env);
  bool turns_by(NodeId degrees, dsl::Span span);                                        // or an error is said
  bool has_edges(const Ast& n, const std::string& what);                                // likewise
  void check_walk(const std::vector<NodeId>& kids, std::int32_t flags, dsl::Span span); // of a repetition
  bool is_single_way(NodeId ways);
  Typed turned(const Ast& n, const Env& env);
  Typed spins(const Ast& n, const Env& env);
  void add_step(runtime::StepSet& set, Vector by, dsl::Span span);
  [[nodiscard]] bool may_lead(Vector v) const;
  [[nodiscard]] int longest_step() const;
  [[nodiscard]] std::vector<int> steps_in(const runtime::StepSet& set) const;
  [[nodiscard]] Vector vector_of(int step) const;
  runtime::StepSet opposites(const runtime::StepSet& set, dsl::Span span);

  // ---- actions.cpp
  class Ways;
  Acted action(const Ast& n, const Env& env);
  Acted action_of_form(const Ast& n, const Env& env);
  Acted sequence(const Ast& n, Env env);
  [[nodiscard]] bool begins_on_piece(NodeId from) const;
  Acted branches(const Ast& n, const Env& env, Op op);
  Acted repeat(const Ast& n, const Env& env);
  Acted conditional_action(const Ast& n, const Env& env);
  Acted named_action(const Ast& n, const Env& env);
  Acted let(const Ast& n, const Env& env);
  Acted choose(const Ast& n, const Env& env);
  // ---- rolls.cpp
  Acted roll(const Ast& n, const Env& env);
  Acted secretly(const Ast& n, const Env& env);
  Env unrolled(const Ast& n, Env env); // after an error: the names exist, and say nothing more
  NodeId weighed(NodeId weight);
  NodeId arrangements(const std::vector<std::int32_t>& slots);
  NodeId rolled_text(const std::vector<Typed>& values);
  Typed assigned(const Ast& n, const Env& env, Ty type);
  NodeId set(const Ast& n, const Env& env);
  NodeId set_local(const Ast& n, const Env& env, const Binding& b);
  NodeId set_state(const Ast& n, const Env& env);
  NodeId set_state_of(const Ast& n, const Env& env, int player);
  NodeId each(const Ast& n, const Env& env);
  Acted most(const Ast& n, const Env& env);
  enum class Certainty : std::uint8_t { certain, possible }; // that an action is that player's
  template <class Make>
  NodeId by_player(const Typed& who, const Make& make);
  NodeId drop(const Ast& n, const Env& env);
  void not_an_owner(const Ast& n, Ty type);
  NodeId drop_of(const Ast& n, std::vector<NodeId> kids, std::int32_t owner, Certainty certainty);
  NodeId change_to(const Ast& n, NodeId where, std::int32_t owner, NodeId kind, Certainty certainty);
  NodeId change(const Ast& n, const Env& env);
  NodeId say(const Ast& n, const Env& env);
  Typed said(const Ast& n, const Env& env);
  NodeId saying(const Typed& v);
  NodeId saying_directions(const Typed& v);
  Typed text_by(Op op, std::vector<NodeId> kids, const std::vector<Typed>& texts, dsl::Span span);
  NodeId some_of(const Ast& n, const Env& env, Op op); // lift, put, discard
  std::int32_t frame(std::vector<std::uint32_t> slots);
  std::int32_t owner_operand(const std::string& owner, std::int32_t otherwise) const;
  bool has_letter(int owner, int kind) const;
  void missing_letter(const Ast& n, int owner, int kind);
  // Known at load: does a condition never hold, or always; has an action never an outcome?
  [[nodiscard]] bool settled(NodeId condition, bool holds) const;
  [[nodiscard]] bool fails(NodeId action) const;

  // ---- pieces.cpp: values that pieces carry
  [[nodiscard]] const runtime::PieceValue* piece_value(const std::string& name) const;
  [[nodiscard]] bool is_piece_value(const std::string& name) const;
  NodeId plane(int variable);
  NodeId bit_on(const runtime::PieceValue& value, int bit, NodeId where);
  NodeId number_on(const runtime::PieceValue& value, NodeId where);
  NodeId constant_on(const runtime::PieceValue& value, NodeId where);
  NodeId directions_on(const runtime::PieceValue& value, NodeId where);
  Typed asked(const runtime::PieceValue& value, NodeId cells, dsl::Span span);
  Typed asked(const Ast& n, const Env& env);
  NodeId bit_of(const runtime::PieceValue& value, int bit, NodeId t);
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> span_of(NodeId number) const;
  NodeId set_plane(int variable, NodeId is_set, NodeId cells, NodeId without);
  NodeId is_in_plane(int variable, NodeId cells);
  NodeId empty_cells();
  [[nodiscard]] bool has_pieces(NodeId cells) const;
  NodeId take_from_plane(int variable, NodeId cells);
  NodeId named(NodeId node, std::vector<NodeId>& steps);
  NodeId set_piece_value(const Ast& n, const Env& env);
  template <class Elaborate>
  NodeId with_air(Elaborate&& elaborate);
  // An action that begins with empty hands, or within one that has.
  NodeId rooted(const Ast& n, const Env& env);
  NodeId rooted_here(const Ast& n, const Env& env);
  NodeId air(std::size_t i);
  NodeId set_air(std::size_t i, NodeId bit);
  std::int32_t air_slot(std::size_t i);
  NodeId takes_off();
  NodeId stays_in_air();
  void land(std::vector<NodeId>& steps);
  [[nodiscard]] bool minds_values(std::size_t since) const;
  void forget_air(std::vector<NodeId>& steps);
  void follow_lift(std::vector<NodeId>& steps);
  void follow_put(std::vector<NodeId>& steps);
  NodeId handled(Op op, std::vector<NodeId> kids);
  NodeId removed(NodeId cells);
  [[nodiscard]] bool is_empty(NodeId cells) const;
  NodeId dropped(std::vector<NodeId> kids, std::int32_t owner);
  NodeId moved(NodeId cells, NodeId by);

  // ---- carried.cpp: the kind of what is carried
  NodeId carried_kind(NodeId body, std::uint32_t slot);
  Typed kind_here(dsl::Span span);
  void note_lift(std::vector<NodeId>& steps);
  [[nodiscard]] bool handles(const Ast& n, const Env& env, bool lifts);
  [[nodiscard]] bool handles(const dsl::Definition& d, bool lifts);
  [[nodiscard]] bool lifts(const Ast& n, const Env& env) { return handles(n, env, true); }
  [[nodiscard]] bool lays_down(const Ast& n, const Env& env) { return handles(n, env, false); }

  bool keeps_carried_;
  bool asks_carried_ = false;
  bool carrying_ = false;                // may a `lift` have come before, and no `put`?
  bool surely_carrying_ = false;         // has one come on every way here? Known where pieces carry values
  std::optional<std::uint32_t> carried_; // the slot of the kind that is carried, from here on
  std::map<std::pair<const dsl::Definition*, bool>, bool> handles_memo_;

  std::vector<int> planes_;          // of the values that pieces carry: variables
  std::optional<std::uint32_t> air_; // the slots of what is carried, one for each plane, from here on
  bool on_piece_ = false;            // the walker's cell is known to have a piece on it
  bool flies_ = false;               // what is lifted or put now is a flight's
  std::int32_t flight_ = 0;          // the slot with the cell that it comes from

  const Symbols& symbols_;
  const Geometry& geometry_;
  Builder& builder_;
  dsl::Diagnostics& diagnostics_;
  Readings* readings_;                      // or null
  std::map<std::uint32_t, Extent> extents_; // of local names, for readings

  Rolls rolls_;
  bool in_secret_ = false;
  int me_ = 0;
  bool dotted_ = false; // does what is elaborated stand behind `p.`?
  bool placed_ = false; // may a `from` or `to` have come before?
  bool in_turn_ = false;
  bool in_end_ = false;
  std::set<std::int32_t> single_ways_; // names that stand for one direction each
  bool dead_ =
      false;       // can what is elaborated never be carried out, such as behind `if me = Black` for White?
  int mover_ = 0;  // of a line of `end`: who is to move, whoever sees it
  int named_ = -1; // and the player whom it names
  std::uint32_t position_ = 0;  // which position is looked at: `before`, `can` and `reach` have others
  std::uint32_t positions_ = 0; // how many there are
  int depth_ = 0;
  int nesting_ = 0;
  int unfolded_ = 0;
  bool given_up_ = false; // a limit of unfolding was passed
  Unfolding unfolding_;
  std::vector<dsl::Span> calls_; // of the definitions being unfolded, outermost first
  std::set<dsl::FileId> vocabulary_files_;
  const dsl::TurnSection* turn_ = nullptr; // the one being elaborated, for `inherited`
  std::string rule_;
  std::map<const dsl::Definition*, int> used_; // how often they are called
  std::map<std::pair<const dsl::Definition*, std::size_t>, bool> sets_memo_;
  mutable std::map<const dsl::Definition*, bool> action_memo_;
  mutable int action_depth_ = 0;
  mutable std::map<const dsl::Definition*, std::uint64_t> calls_memo_;
  mutable int calls_depth_ = 0;
  std::deque<Ast> rewritten_; // trees that stand for others

  struct { // operations on directions that aren't known at load
    bool opposite = false, turned = false, spins = false, times = false, sum = false;
    dsl::Span span;
  } dynamic_;
};

// Several ways on from one place, such as the branches of an `if`: each begins with what is known before
// them; behind them there may be a walker, or something in the air, if there is behind any of them.
class Elaborator::Ways {
public:
  explicit Ways(Elaborator& elaborator)
      : l_(elaborator), before_(elaborator.placed_), carrying_before_(elaborator.carrying_),
        surely_before_(elaborator.surely_carrying_) {}
  void begin() {
    l_.placed_ = before_;
    l_.carrying_ = carrying_before_;
    l_.surely_carrying_ = surely_before_;
  }
  void end() {
    after_ = after_ || l_.placed_;
    carrying_after_ = carrying_after_ || l_.carrying_;
    surely_after_ = surely_after_ && l_.surely_carrying_;
  }
  void join() {
    l_.placed_ = after_;
    l_.carrying_ = carrying_after_;
    l_.surely_carrying_ = surely_after_;
  }

private:
  Elaborator& l_;
  bool before_, after_ = false;
  bool carrying_before_, carrying_after_ = false;
  bool surely_before_, surely_after_ = true;
};

struct Elaborator::Bodies {
  const dsl::Definition& definition;
  Typed first; // the first argument, where there is one
  Env env;
  std::vector<std::pair<std::string_view, const Ast*>> each;
  const Ast* others = nullptr;

  [[nodiscard]] const Ast* of(std::string_view name) const { // or that of the others, or null
    for (const auto& [who, body] : each)
      if (who == name) return body;
    return others;
  }
  [[nodiscard]] bool has(std::string_view name) const {
    for (const auto& [who, body] : each)
      if (who == name) return true;
    return false;
  }
};

[[nodiscard]] bool any_text(const std::vector<Typed>& values);
// "a number", "cells", …
[[nodiscard]] std::string describe(Ty type);
// "cells are needed here, but this is a number"
[[nodiscard]] std::string needed(Ty wanted, Ty is);
[[nodiscard]] Ty type_of_value(const runtime::PieceValue& value); // that pieces carry
[[nodiscard]] Type runtime_type(Ty type);
[[nodiscard]] bool is_list(Ty type);
// Of a list its members' type; of cells and directions a set of one.
[[nodiscard]] Ty member_of(Ty list);

} // namespace boardwright::interpreter
