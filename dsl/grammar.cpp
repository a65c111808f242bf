// Entry points: parse_body, parse_value, parse_end, parse_size, is_keyword.
//
// The grammar reads tokens (tokens.hpp) with Boost.Spirit X3. It never goes back: one token, or two where the
// grammar says so, decide what follows, and from there on `>` commits to it. So reading is linear however
// deep a hostile rule nests, and the place of a failure is the furthest one by construction. Values and
// actions share `level`, what stands in parentheses, which typing tells apart.
//
// The parsers have no attributes. What they read they leave on the stack of a Reader, and a directive around
// a part of the grammar makes one tree of what that part left there.
#include "dsl/grammar.hpp"

#include "dsl/possible.hpp"
#include "dsl/reader.hpp"
#include "dsl/recovery.hpp"
#include "dsl/shape.hpp"
#include "dsl/syntax_error.hpp"
#include "dsl/tokens.hpp"

#include <boost/spirit/home/x3.hpp>

#include <cassert>
#include <utility>

namespace boardwright::dsl {
namespace {

namespace x3 = boost::spirit::x3;

using Order = Recipe::Order;

struct ReaderTag; // finds the Reader in X3's context

// ---------------------------------------------------------------------------------------------- parsers

// One token.
struct Terminal : x3::parser<Terminal> {
  using attribute_type = x3::unused_type;
  using Accept = void (*)(Reader&, const Token&);

  Terminal(Toks kinds, Toks expected, Accept accept = nullptr, Toks next = ~Toks{}, Toks missing_next = {})
      : kinds_(kinds), expected_(expected), next_(next), missing_next_(missing_next), accept_(accept) {}

  template <class Context, class RContext, class Attribute>
  bool parse(At& first, const At&, const Context& context, RContext&, Attribute&) const {
    return read(first, x3::get<ReaderTag>(context));
  }

private:
  bool read(At& first, Reader& reader) const {
    const bool is_it = kinds_.has(first->kind); // never the end, so that there is a next one
    if (!is_it || !next_.has(first[1].kind)) {
      reader.miss(first, expected_, kinds_);
      if (is_it && !missing_next_.empty()) reader.miss(first + 1, missing_next_, next_);
      if (is_it && first[1].kind == Tok::end) reader.needs(next_);
      return false;
    }
    if (accept_ != nullptr) accept_(reader, *first);
    ++first;
    return true;
  }

  Toks kinds_;
  Toks expected_;     // what an error at this place says
  Toks next_;         // what must come behind it
  Toks missing_next_; // what an error behind it says if that doesn't
  Accept accept_;
};

// Looks at the reader and at the next token; reads nothing.
struct Hook : x3::parser<Hook> {
  using attribute_type = x3::unused_type;
  using Run = bool (*)(Reader&, At, int);

  explicit Hook(Run run, int argument = 0) : run_(run), argument_(argument) {}

  template <class Context, class RContext, class Attribute>
  bool parse(At& first, const At&, const Context& context, RContext&, Attribute&) const {
    return run_(x3::get<ReaderTag>(context), first, argument_);
  }

private:
  Run run_;
  int argument_;
};

// Makes one tree of what the subject leaves on the stack.
template <class Subject>
struct Making : x3::unary_parser<Subject, Making<Subject>> {
  using attribute_type = x3::unused_type;

  Making(const Subject& inner, Recipe recipe)
      : x3::unary_parser<Subject, Making<Subject>>(inner), recipe_(recipe) {}

  template <class Context, class RContext, class Attribute>
  bool parse(At& first, const At& last, const Context& context, RContext& rcontext, Attribute&) const {
    Reader& reader = x3::get<ReaderTag>(context);
    const std::size_t mark = reader.size();
    const At begin = first;
    if (!this->subject.parse(first, last, context, rcontext, x3::unused)) {
      assert(reader.size() == mark); // nothing is read before it is certain
      return false;
    }
    reader.make(recipe_, mark, begin, first);
    return true;
  }

private:
  Recipe recipe_;
};

// Every way from a rule of the grammar back to itself leads through this, so that it bounds the recursion. It
// stands behind a token, which an error shows.
template <class Subject>
struct Deeper : x3::unary_parser<Subject, Deeper<Subject>> {
  using attribute_type = x3::unused_type;

  explicit Deeper(const Subject& inner) : x3::unary_parser<Subject, Deeper<Subject>>(inner) {}

  template <class Context, class RContext, class Attribute>
  bool parse(At& first, const At& last, const Context& context, RContext& rcontext, Attribute&) const {
    Reader& reader = x3::get<ReaderTag>(context);
    reader.enter(first - 1);
    const bool read = this->subject.parse(first, last, context, rcontext, x3::unused);
    reader.leave();
    return read;
  }
};

struct MakingOf {
  Recipe recipe;
  template <class Subject>
  auto operator[](const Subject& subject) const {
    return Making<typename x3::extension::as_parser<Subject>::value_type>(x3::as_parser(subject), recipe);
  }
};

MakingOf node(Form form, Order order = Order::as_written) { return {{form, Recipe::Kind::always, order}}; }
MakingOf chain(Form form) { return {{form, Recipe::Kind::if_several, Order::as_written}}; }
MakingOf left(Form form) { return {{form, Recipe::Kind::left, Order::as_written}}; }

struct {
  template <class Subject>
  auto operator[](const Subject& subject) const {
    return Deeper<typename x3::extension::as_parser<Subject>::value_type>(x3::as_parser(subject));
  }
} const deeper;

template <class Part>
auto list(const Part& part, const Terminal& separator) {
  return part >> *(separator > part);
}

// ---------------------------------------------------------------------------------------------- terminals

const Toks kOperands = operand_starts();
const Toks kOwners{Tok::own, Tok::enemy, Tok::neutral};
const Toks kConnectives{Tok::comma, Tok::or_, Tok::otherwise};

void as_word(Reader& reader, const Token& token) { reader.push_word(Item::Role::word, token); }
void as_bound(Reader& reader, const Token& token) { reader.push_word(Item::Role::bound, token); }
void as_name(Reader& reader, const Token& token) { reader.push_word(Item::Role::tree, token); }

void as_number(Reader& reader, const Token& token) {
  Ast& ast = reader.push_word(Item::Role::tree, token);
  ast.form = Form::number;
  ast.number = token.number;
  ast.word.clear();
}

void as_string(Reader& reader, const Token& token) {
  Ast& ast = reader.push_word(Item::Role::tree, token);
  ast.form = Form::string;
  ast.word = ast.word.substr(1, ast.word.size() - 2);
}

void as_whose(Reader& reader, const Token& token) {
  as_name(reader, token);
  reader.mark_flags(kHasOwner);
}

void as_kind(Reader& reader, const Token&) { reader.mark_flags(kHasKind); }
void as_shares(Reader& reader, const Token&) { reader.mark_flags(kShares); }
void as_where(Reader& reader, const Token&) { reader.mark_flags(kHasWhere); }
void as_until(Reader& reader, const Token&) { reader.mark_flags(kRepeatUntil); }
void as_maximal(Reader& reader, const Token&) { reader.mark_flags(kRepeatMaximal); }

void as_repeat(Reader& reader, const Token& token) {
  const bool maximal = Toks{Tok::question_bang, Tok::star_bang, Tok::plus_bang}.has(token.kind);
  const bool bounded = Toks{Tok::question, Tok::question_bang}.has(token.kind);
  const bool once = Toks{Tok::plus, Tok::plus_bang}.has(token.kind);
  const int flags = (bounded ? 0 : kRepeatUnbounded) | (maximal ? kRepeatMaximal : 0);
  reader.mark_flags(static_cast<std::uint8_t>(flags), once ? 1 : 0);
}

// Of a keyword that begins a step.
Form form_of(Tok tok) {
  switch (tok) {
#define X(word, behind)                                                                                      \
  case Tok::word: return Form::word;
    BOARDWRIGHT_STEP_WORDS(X)
#undef X
  default: return Form::never;
  }
}

enum class Behind : std::uint8_t { operand, count, step, nothing, own_rule };

Toks step_words(Behind wanted) {
  Toks toks;
#define X(word, behind)                                                                                      \
  if (Behind::behind == wanted) toks |= {Tok::word};
  BOARDWRIGHT_STEP_WORDS(X)
#undef X
  return toks;
}

void as_form(Reader& reader, const Token& token) { reader.mark_form(form_of(token.kind)); }

// A token that an error names by itself.
Terminal sign(Tok tok) { return {{tok}, {tok}}; }
// One of which an error says what it begins or is: a step, a value, an operator.
Terminal word(Tok tok, Tok group) { return {{tok}, {group}}; }
Terminal step_word(Toks toks) { return {toks, {Tok::a_step}, as_form}; }
// One that errors don't offer: it is not wrong there, but rarely what is missing.
Terminal silent(Tok tok, Terminal::Accept accept = nullptr) { return {{tok}, {}, accept}; }
// An operator between two operands.
Terminal infix(Toks toks) { return {toks, {Tok::an_operator}, as_word}; }
// `*` and `+` are operators only where an operand follows, else they repeat.
Terminal infix_or_repeat(Tok tok) { return {{tok}, {Tok::an_operator}, as_word, kOperands, {Tok::a_value}}; }

const Terminal number({Tok::number}, {Tok::a_value}, as_number);
const Terminal string({Tok::string}, {}, as_string);
const Terminal name_here({Tok::name}, {Tok::name}, as_word);
const Terminal name_before_in({Tok::name}, {Tok::name}, as_word, {Tok::in});
const Terminal name_of_list({Tok::name}, {Tok::name}, as_bound);
const Terminal called({Tok::name}, {}, as_word);
const Terminal owner(kOwners, {}, as_name);
// `own man`, but not `own.count`, which is a value.
const Terminal owner_of_piece(kOwners, {}, as_word, ~Toks{Tok::dot});
const Terminal whose({Tok::name, Tok::own, Tok::enemy, Tok::neutral}, {}, as_whose, {Tok::dot});
const Terminal who_wins({Tok::name}, {Tok::a_player}, as_word, {Tok::win, Tok::lose});
const Terminal or_of_values({Tok::or_}, {Tok::or_}, nullptr, Toks(kOperands) |= {Tok::not_});
const Terminal repeat_sign({Tok::question, Tok::question_bang, Tok::star_bang, Tok::plus_bang}, {},
                           as_repeat);
const Terminal repeat_or_infix({Tok::star, Tok::plus}, {}, as_repeat, ~kOperands);

// ---------------------------------------------------------------------------------------------- hooks

Hook becomes(Form form) {
  return Hook(
      [](Reader& reader, At, int wanted) {
        reader.mark_form(static_cast<Form>(wanted));
        return true;
      },
      static_cast<int>(form));
}

// Fails, and says what would not have.
Hook wanted(Tok tok) {
  return Hook(
      [](Reader& reader, At at, int missed) {
        reader.miss(at, {static_cast<Tok>(missed)});
        return false;
      },
      static_cast<int>(tok));
}

bool is_at_end(Reader& reader, At at, int) {
  if (at->kind != Tok::end) reader.miss(at, {Tok::end});
  return at->kind == Tok::end;
}

bool is_name_or_call(Reader& reader, At, int) {
  return reader.top().ast.form == Form::name ? !keyword(reader.top().ast.word)
                                             : reader.top().ast.form == Form::call;
}

// `rank(1)`, but not `man (…)`, where a comma is missing.
bool is_called(Reader&, At at, int) {
  return at->kind == Tok::name && at[1].kind == Tok::open && at[1].begin == at->end;
}

bool is_repeatable(Reader& reader, At at, int) {
  return reader.top().ast.form == Form::paren || is_name_or_call(reader, at, 0);
}

// `A, B` or `A or B`
std::string joined(std::string_view a, Tok connective, std::string_view b) {
  const std::string sign(spelling(connective));
  return std::string(a) + (connective == Tok::comma ? ", " : " " + sign + " ") + std::string(b);
}

// Behind a level that `connective` joins.
bool joins_alone(Reader&, At at, int connective) {
  const auto own = static_cast<Tok>(connective);
  if (!kConnectives.has(at->kind)) return true;
  const Tok other = at->kind;
  throw Refusal{at, "syntax",
                in_backticks(spelling(other)) + " after " + in_backticks(spelling(own)) + " on one level",
                "write " + in_backticks(joined("A", own, "(" + joined("B", other, "C") + ")")) + " or " +
                    in_backticks(joined("(" + joined("A", own, "B") + ")", other, "C"))};
}

bool notes_if(Reader& reader, At at, int) {
  reader.if_end = at;
  return true;
}

bool refuses_after_if(Reader& reader, At at, const Toks& connectives) {
  if (reader.if_end != at || !connectives.has(at->kind)) return true;
  throw Refusal{at, "syntax", "an `if` without parentheses must be the last of its level",
                "put the `if` in parentheses, or its branch: `if C then (A, B)`"};
}
bool ends_level(Reader& reader, At at, int) { return refuses_after_if(reader, at, kConnectives); }
bool ends_argument(Reader& reader, At at, int) {
  return refuses_after_if(reader, at, {Tok::or_, Tok::otherwise});
}

// Behind `where` in parentheses: what stands before it must be `x in S`, and gives the node its word and
// first kid.
bool names_part(Reader& reader, At at, int) {
  const Ast& tree = reader.top().ast;
  const bool named = tree.form == Form::compare && tree.word == "in" && tree.kids[0].form == Form::name;
  if (!named || keyword(tree.kids[0].word))
    throw Refusal{at - 1, "syntax", "`where` needs a name and a set before it", "write `(x in S where C)`"};
  Item item = reader.pop();
  Ast set = std::move(item.ast.kids[1]);
  reader.push({Item::Role::word, 0, std::move(item.ast.kids[0])});
  reader.push({Item::Role::tree, item.height, std::move(set)});
  return true;
}

// Behind `some S in T` where S is a name: it isn't the node's word, as it would be before `where`.
bool names_set(Reader& reader, At, int) {
  Item whole = reader.pop(), part = reader.pop();
  part.role = Item::Role::tree;
  reader.push(std::move(part));
  reader.push(std::move(whole));
  return true;
}

// `every` is no question with a name and a condition.
bool binds_no_name(Reader&, At at, int) {
  if (at->kind != Tok::where) return true;
  throw Refusal{at, "syntax", "`every S in T` takes no condition",
                "write `no x in S where not C`, or put the condition into T: `every S in (x in S where C)`"};
}

// `{n}` or `{a .. b}`: what stands in the braces is on the stack.
bool splits_bounds(Reader& reader, At, int) {
  if (reader.top().ast.form != Form::binary || reader.top().ast.word != "..") {
    reader.mark_flags(kRepeatExact);
    return true;
  }
  Item item = reader.pop();
  for (Ast& bound : item.ast.kids) reader.push({Item::Role::tree, item.height, std::move(bound)});
  reader.mark_flags(kRepeatLow | kRepeatHigh);
  return true;
}

// ---------------------------------------------------------------------------------------------- the grammar

const x3::rule<struct Level> level = "level";
const x3::rule<struct Piece> piece = "piece";
const x3::rule<struct Step> step = "step";
const x3::rule<struct KeywordStep> keyword_step = "keyword_step";
const x3::rule<struct ActionIf> action_if = "action_if";
const x3::rule<struct Branch> branch = "branch";
const x3::rule<struct Repeat> repeat = "repeat";
const x3::rule<struct Condition> condition = "condition";
const x3::rule<struct Conj> conj = "conj";
const x3::rule<struct Negation> negation = "negation";
const x3::rule<struct Sum> sum = "sum";
const x3::rule<struct Term> term = "term";
const x3::rule<struct Product> product = "product";
const x3::rule<struct Unary> unary = "unary";
const x3::rule<struct Postfix> postfix = "postfix";
const x3::rule<struct Primary> primary = "primary";
const x3::rule<struct Paren> paren = "paren";
const x3::rule<struct Call> call = "call";
const x3::rule<struct Argument> argument = "argument";
const x3::rule<struct Kind> kind = "kind";

// --- values

const auto condition_def =
    node(Form::conditional)[word(Tok::if_, Tok::a_value) >
                            deeper[condition > sign(Tok::then) > condition > sign(Tok::else_) > condition]] |
    chain(Form::either)[list(conj, sign(Tok::or_))];

const auto conj_def = chain(Form::all_of)[list(negation, word(Tok::and_, Tok::an_operator))];

const auto compared =
    left(Form::compare)[sum >> -(infix({Tok::equal, Tok::not_equal, Tok::less_equal, Tok::greater_equal,
                                        Tok::less, Tok::greater, Tok::in}) > sum)];

const auto negation_def = node(Form::negation)[word(Tok::not_, Tok::a_value) > deeper[negation]] | compared;

const auto range = left(Form::binary)[term >> -(infix({Tok::dots}) > term)];
const auto meet = left(Form::binary)[list(range, infix({Tok::ampersand}))];

const auto sum_def = left(Form::binary)[list(meet, infix({Tok::bar}))];

const auto term_def =
    left(Form::binary)[product >> *((infix({Tok::minus}) | infix_or_repeat(Tok::plus)) > product)];

const auto product_def =
    left(Form::binary)[unary >> *((infix({Tok::slash, Tok::percent}) | infix_or_repeat(Tok::star)) > unary)];

const auto unary_def = node(Form::complement)[silent(Tok::tilde) > deeper[unary]] |
                       node(Form::negate)[silent(Tok::minus) > deeper[unary]] | postfix;

const auto postfix_def =
    chain(Form::perspective)[primary >> -(word(Tok::dot, Tok::an_operator) > deeper[postfix])];

const auto owned = chain(Form::owned)[owner >> -((Hook(is_called) >> call) | silent(Tok::name, as_name) |
                                                 (&silent(Tok::open) >> paren))];

// `some x in S where C` binds x; in `some S in T` the name stands for a set.
auto quantified(Form binding, Form inside) {
  const auto named =
      name_before_in > sign(Tok::in) > sum >
      ((sign(Tok::where) > becomes(binding) > condition) | (Hook(names_set) >> becomes(inside)));
  return named | (sum >> -(word(Tok::in, Tok::an_operator) > becomes(inside) > sum));
}

const auto some = node(Form::some)[silent(Tok::some) > deeper[quantified(Form::some_in, Form::some_inside)]];

const auto no = node(Form::no)[silent(Tok::no) > deeper[(silent(Tok::move) >> becomes(Form::no_move)) |
                                                        quantified(Form::no_in, Form::no_inside)]];

const auto every =
    node(Form::every_inside)[silent(Tok::every) > deeper[sum > sign(Tok::in) > sum > Hook(binds_no_name)]];

const auto can = node(Form::can)[silent(Tok::can) > deeper[step]];

const auto reach = node(Form::reach)[silent(Tok::reach) > sign(Tok::open) >
                                     deeper[sum > sign(Tok::comma) > level] > sign(Tok::close)];

const auto before =
    node(Form::before)[silent(Tok::before) > sign(Tok::open) > deeper[condition] > sign(Tok::close)];

const auto pieces =
    node(Form::pieces)[silent(Tok::pieces) > sign(Tok::open) >
                       deeper[sum > sign(Tok::comma) > (owner_of_piece >> -call | kind)] > sign(Tok::close)];

const auto primary_def =
    number | string | paren | owned | some | no | every | can | reach | before | pieces | call;

const auto generator = name_of_list > sign(Tok::in) > sum;

const auto part = silent(Tok::where) > Hook(names_part) > becomes(Form::part) > condition;

const auto list_for = silent(Tok::for_) > becomes(Form::list_for) > list(generator, sign(Tok::comma)) >
                      -(silent(Tok::where) > condition);

const auto paren_def =
    node(Form::paren)[silent(Tok::open) > deeper[level >> -(part | list_for)] > sign(Tok::close)];

const auto fold_for = silent(Tok::for_) > becomes(Form::fold_for) > list(generator, sign(Tok::comma)) >
                      -(silent(Tok::where, as_where) > condition);

const auto call_def =
    node(Form::name)[called >> -(silent(Tok::open) > becomes(Form::call) >
                                 deeper[list(argument, sign(Tok::comma)) >> -fold_for] > sign(Tok::close))];

const auto kind_def = call | wanted(Tok::a_kind);

const auto argument_def = chain(Form::either)[list(piece >> Hook(ends_argument), sign(Tok::or_))];

// --- actions

const auto level_piece = piece >> Hook(ends_level);

auto joined_by(Tok connective, Form form) {
  const Terminal joint = sign(connective);
  return joint > becomes(form) > list(level_piece, joint) > Hook(joins_alone, static_cast<int>(connective));
}

const auto level_def = chain(Form::sequence)[level_piece >> -(joined_by(Tok::comma, Form::sequence) |
                                                              joined_by(Tok::or_, Form::either) |
                                                              joined_by(Tok::otherwise, Form::otherwise))];

// A value of the tightest kind that `or` joins, or a step that may be repeated: typing knows which.
const auto value_or_repeated = chain(Form::repeat)[conj >> -(Hook(is_repeatable) >> repeat)];

const auto piece_def = keyword_step | action_if | value_or_repeated;

const auto repeated_step =
    chain(Form::repeat)[paren >> -(Hook(is_repeatable) >> repeat)] | chain(Form::repeat)[call >> -repeat];

const auto step_def = keyword_step | action_if | repeated_step;

const auto bounds = silent(Tok::open_brace) > deeper[sum] > Hook(splits_bounds) > sign(Tok::close_brace) >
                    -silent(Tok::bang, as_maximal);

const auto repeat_def = (repeat_sign | repeat_or_infix | bounds) >>
                        -(silent(Tok::until, as_until) > deeper[condition]);

// A branch may be an `or` of values, but not one of steps.
const auto branch_def =
    keyword_step | action_if | chain(Form::either)[value_or_repeated >> *(or_of_values > value_or_repeated)];

const auto action_if_def =
    node(Form::conditional)[word(Tok::if_, Tok::a_step) >
                            deeper[condition > sign(Tok::then) > branch > -(sign(Tok::else_) > branch)]] >>
    Hook(notes_if);

const auto over_cells = node(Form::from)[step_word(step_words(Behind::operand)) > sum];

const auto of_count = node(Form::lift)[step_word(step_words(Behind::count)) > -term];

const auto plain = node(Form::pass)[step_word(step_words(Behind::nothing))];

const auto with_step = node(Form::distinct)[step_word(step_words(Behind::step)) > deeper[step]];

// The count and a player come first, and look like a kind until the kind has been read. Which of the two what
// stands alone before the kind is, typing knows.
const auto drop =
    node(Form::drop,
         Order::reversed)[word(Tok::drop, Tok::a_step) >
                          (wanted(Tok::a_kind) | (owner_of_piece > kind) |
                           (product > ((&silent(Tok::on) >> Hook(is_name_or_call)) | (owner_of_piece > kind) |
                                       (kind >> -call)))) > sign(Tok::on) > sum];

// Behind `to` stands a kind, or a player with or without one.
const auto change = node(Form::change)[word(Tok::change, Tok::a_step) > sum > sign(Tok::to) >
                                       (wanted(Tok::an_owner) | (owner_of_piece >> -call) | (kind >> -call))];

const auto move = node(Form::move)[word(Tok::move, Tok::a_step) > sum > sign(Tok::by) > sum];

const auto let = node(Form::let)[word(Tok::let, Tok::a_step) > name_here > sign(Tok::equal) > condition];

const auto set = node(
    Form::set,
    Order::last_first)[word(Tok::set, Tok::a_step) > -(whose > sign(Tok::dot)) > name_here >
                       -(silent(Tok::open, as_kind) > sum > sign(Tok::close)) > sign(Tok::equal) > condition];

const auto choose =
    node(Form::choose, Order::reversed)[word(Tok::choose, Tok::a_step) >
                                        (name_before_in | (product > name_here)) > sign(Tok::in) > sum];

const auto roll = node(Form::roll)[word(Tok::roll, Tok::a_step) > list(name_of_list, sign(Tok::comma)) >
                                   sign(Tok::in) > sum > -(sign(Tok::by) > sum)];

const auto each = node(Form::each)[word(Tok::each, Tok::a_step) > name_here > sign(Tok::in) > sum >
                                   sign(Tok::do_) > deeper[step]];

const auto most = node(Form::most)[word(Tok::most, Tok::a_step) > sum > sign(Tok::of) > deeper[step]];

const auto require = node(Form::require)[word(Tok::require, Tok::a_step) > condition];

const auto say =
    node(Form::say)[word(Tok::say, Tok::a_step) >
                    ((silent(Tok::open) > deeper[list(condition, sign(Tok::comma))] > sign(Tok::close)) |
                     postfix)];

const auto keyword_step_def = over_cells | of_count | plain | with_step | drop | change | move | let | set |
                              choose | roll | each | most | require | say;

// --- lines of `end`, sizes

// `3/4 to White`
const Terminal heir({Tok::name, Tok::enemy}, {Tok::name}, as_name);
const auto part_of_point =
    node(Form::list_for)[number > -(silent(Tok::slash) > number) > sign(Tok::to) > heir];

const auto verdict = node(
    Form::never)[(Terminal({Tok::win, Tok::lose, Tok::draw}, {Tok::win, Tok::lose, Tok::draw}, as_form) |
                  (who_wins > Terminal({Tok::win, Tok::lose}, {Tok::win, Tok::lose}, as_form)) |
                  (sign(Tok::score) > sum) |
                  (Terminal({Tok::share}, {Tok::share}, as_shares) > list(part_of_point, sign(Tok::comma)))) >
                 sign(Tok::when) > condition];

BOOST_SPIRIT_DEFINE(level, piece, step, keyword_step, action_if, branch, repeat, condition, conj, negation,
                    sum, term, product, unary, postfix, primary, paren, call, argument, kind)

const auto whole_body = level > Hook(is_at_end);
const auto whole_value = condition > Hook(is_at_end);
const auto whole_end = verdict > Hook(is_at_end);
const auto whole_size = sum > sign(Tok::by) > sum > Hook(is_at_end);

// ---------------------------------------------------------------------------------------------- reading

void report(const Refusal& refusal, const Text& text, Diagnostics& diagnostics) {
  const Span span = text.span(refusal.at->begin, refusal.at->end);
  diagnostics.error(refusal.code, span, refusal.message).help = refusal.help;
}

// What reading left on the stack; `failed_at` is the token where it ended, if another part may be worth
// reading.
struct Outcome {
  std::optional<std::vector<Item>> items;
  std::optional<std::size_t> failed_at;
};

template <class Grammar>
Outcome read(const Grammar& grammar, const Text& text, const Tokens& tokens, Diagnostics& diagnostics) {
  At first = tokens.data();
  Reader reader(text, first);
  try {
    if (x3::parse(first, &tokens.back(), x3::with<ReaderTag>(reader)[grammar])) return {reader.take(0), {}};
  } catch (const x3::expectation_failure<At>&) {
    // the reader knows where and why
  } catch (const Refusal& refusal) {
    report(refusal, text, diagnostics);
    return {};
  }
  const auto at = static_cast<std::size_t>(reader.furthest() - tokens.data());
  report({at, reader.expected()}, text, tokens, diagnostics);
  // In `some c in own, d in axes where C` the comma begins no step.
  const bool joins_names = tokens[at].kind == Tok::comma && reader.expected().has(Tok::where);
  return {std::nullopt, joins_names ? at + 1 : at};
}

// What could stand at the end of what is read; nothing where it can't be read that far.
template <class Grammar>
Toks possible_behind(const Grammar& grammar, const Text& text, const Tokens& tokens) {
  At first = tokens.data();
  Reader reader(text, first);
  try {
    x3::parse(first, &tokens.back(), x3::with<ReaderTag>(reader)[grammar]);
  } catch (const x3::expectation_failure<At>&) {
    // the reader knows where
  } catch (const Refusal&) {
    return {};
  }
  if (reader.furthest() != &tokens.back()) return {};
  Toks all = reader.possible();
  all |= reader.needed();
  return all;
}

std::optional<Tokens> tokens_of(const Text& text, Diagnostics& diagnostics) {
  if (text.text.size() <= kMaxRuleBytes) return tokenize(text, diagnostics);
  diagnostics.error("limit", text.span(), "a rule longer than " + std::to_string(kMaxRuleBytes) + " bytes")
      .help = "give parts of it names in `define`";
  return std::nullopt;
}

std::string_view word_of(const Text& text, const Token& token) {
  if (token.kind != Tok::name) return {};
  return std::string_view(text.text).substr(token.begin, token.end - token.begin);
}

// Words that mean something at the start of a line of `end` only: `score E`, `share 3/4 to White`, `White
// wins`, `White loses`.
void read_words_of_end(const Text& text, Tokens& tokens) {
  Token& first = tokens.front();
  if (first.kind != Tok::name) return;
  Token& second = tokens[1];
  if (word_of(text, second) == "wins") second.kind = Tok::win;
  if (word_of(text, second) == "loses") second.kind = Tok::lose;
  const bool names_a_player = second.kind == Tok::win || second.kind == Tok::lose;
  for (const Tok tok : {Tok::score, Tok::share})
    if (word_of(text, first) == spelling(tok) && !names_a_player) first.kind = tok;
}

template <class Grammar>
std::optional<std::vector<Item>> read_whole(const Grammar& grammar, const Text& text,
                                            Diagnostics& diagnostics) {
  if (const auto tokens = tokens_of(text, diagnostics))
    return read(grammar, text, *tokens, diagnostics).items;
  return std::nullopt;
}

// Looks for the further errors of a rule that failed at `at`. What is refused is the last that is said: it
// may follow from the first error.
void read_on(const Text& text, const Tokens& tokens, std::size_t at, Diagnostics& diagnostics) {
  for (std::size_t errors = 1; errors < kMaxSyntaxErrors;) {
    const auto rest = next_part(tokens, at);
    if (!rest) return;
    const Outcome outcome = read(whole_body, text, cut(tokens, *rest), diagnostics);
    if (!outcome.items && !outcome.failed_at) return;
    at = outcome.items ? rest->end : rest->begin + *outcome.failed_at;
    errors += outcome.items ? 0 : 1;
  }
}

Ast tree_of(std::vector<Item> items) { return std::move(items.front().ast); }

EndVerdict verdict_of(const Ast& line) {
  if ((line.flags & kShares) != 0) return EndVerdict::share;
  switch (line.form) {
  case Form::win: return EndVerdict::win;
  case Form::lose: return EndVerdict::lose;
  case Form::draw: return EndVerdict::draw;
  default: return EndVerdict::score;
  }
}

SharePart share_part(Ast& tree) {
  SharePart his;
  his.above = tree.kids.front().number;
  his.span = tree.kids.front().span;
  if (tree.kids.size() > 2) {
    his.below = tree.kids[1].number;
    his.span.end = tree.kids[1].span.end;
  }
  his.player = std::move(tree.kids.back().word);
  his.player_span = tree.kids.back().span;
  return his;
}

} // namespace

std::optional<Ast> parse_body(const Text& text, Diagnostics& diagnostics) {
  const auto tokens = tokens_of(text, diagnostics);
  if (!tokens) return std::nullopt;
  Outcome outcome = read(whole_body, text, *tokens, diagnostics);
  if (outcome.failed_at) read_on(text, *tokens, *outcome.failed_at, diagnostics);
  if (!outcome.items) return std::nullopt;
  return tree_of(std::move(*outcome.items));
}

std::optional<Ast> parse_value(const Text& text, Diagnostics& diagnostics) {
  auto items = read_whole(whole_value, text, diagnostics);
  if (!items) return std::nullopt;
  return tree_of(std::move(*items));
}

std::optional<EndRule> parse_end(const Text& text, Diagnostics& diagnostics) {
  auto tokens = tokens_of(text, diagnostics);
  if (!tokens) return std::nullopt;
  read_words_of_end(text, *tokens);
  auto items = read(whole_end, text, *tokens, diagnostics).items;
  if (!items) return std::nullopt;
  Ast tree = tree_of(std::move(*items));
  EndRule rule;
  rule.verdict = verdict_of(tree);
  rule.condition = std::move(tree.kids.back());
  rule.span = tree.span;
  rule.player = std::move(tree.word);
  rule.player_span = tree.word_span;
  if (rule.verdict == EndVerdict::score) rule.score = std::move(tree.kids.front());
  for (std::size_t i = 0; rule.verdict == EndVerdict::share && i + 1 < tree.kids.size(); ++i)
    rule.shares.push_back(share_part(tree.kids[i]));
  return rule;
}

std::optional<std::pair<Ast, Ast>> parse_size(const Text& text, Diagnostics& diagnostics) {
  auto items = read_whole(whole_size, text, diagnostics);
  if (!items) return std::nullopt;
  return std::pair{std::move(items->front().ast), std::move(items->back().ast)};
}

Toks possible_next(const Text& text, RuleIs what) {
  Diagnostics ignored;
  auto tokens = tokens_of(text, ignored);
  if (!tokens) return {};
  if (what == RuleIs::end) read_words_of_end(text, *tokens);
  switch (what) {
  case RuleIs::body: return possible_behind(whole_body, text, *tokens);
  case RuleIs::value: return possible_behind(whole_value, text, *tokens);
  case RuleIs::end: return possible_behind(whole_end, text, *tokens);
  case RuleIs::size: return possible_behind(whole_size, text, *tokens);
  }
  return {};
}

bool is_keyword(std::string_view word) { return keyword(word).has_value(); }

} // namespace boardwright::dsl
