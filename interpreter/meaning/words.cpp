#include "interpreter/meaning/words.hpp"

#include <algorithm>
#include <array>

namespace boardwright::interpreter {

namespace {

using runtime::kByEdges;
using runtime::kOwnCase;
using runtime::kPlain;
using runtime::kReserved;
using runtime::Op;
using runtime::Operand;
using runtime::Operation;

// What a row must be like, so that its columns tell all that its word takes and gives.
constexpr bool has_plain_columns(const Operation& row) {
  const bool plain_operand = row.a == Operand::none || row.a == Operand::player;
  if (!plain_operand || row.b != Operand::none || row.types.size() != 1) return false;
  return row.children.find_first_not_of("ntcdkpmNSKPv?") == std::string_view::npos;
}

static_assert(std::all_of(runtime::operations::kTable.begin(), runtime::operations::kTable.end(),
                          [](const Operation& row) {
                            return row.written.empty() || (row.traits & kOwnCase) != 0 ||
                                   has_plain_columns(row);
                          }),
              "a row with operands or children of other sorts needs kOwnCase, and a case of its own");

struct Made {
  std::string_view written;
  std::uint8_t traits;
  std::string_view what;
};

// What no single operation means.
constexpr auto kMade = std::to_array<Made>({
    {"own", kPlain, "the mover's pieces, or their cells; before a dot the mover"},
    {"enemy", kPlain, "pieces of the others, or their cells; before a dot the other one of two players"},
    {"neutral", kPlain, "pieces of nobody, or their cells"},
    {"board", kPlain, "all cells"},
    {"none", kPlain, "no cells, no directions, no kind, the empty list"},
    {"me", kPlain, "the player to move; in `p.E`, the player p"},
    {"players", kPlain, "the players from `me` on in turn order, without those who are out"},
    {"others", kPlain, "the players without `me`, and without those who are out"},
    {"files", kByEdges, "how many files the board has"},
    {"ranks", kByEdges, "how many ranks the board has"},
    {"hexes", kPlain, "is this a board of hexes?"},
    {"adjacent", kPlain, "the directions to cells that share a side"},
    {"diagonal", kPlain, "the directions to cells that share a corner"},
    {"axes", kPlain, "one direction of each line through a cell"},
    {"edge", kByEdges, "the cells at the edge"},
    {"corners", kByEdges, "the cells where two sides meet"},
    {"sides", kByEdges, "the list of the board's sides"},
    {"north", kPlain, "the direction to the next rank"},
    {"south", kPlain, "the direction to the rank before"},
    {"east", kPlain, "the direction to the next file"},
    {"west", kPlain, "the direction to the file before"},
    {"forward", kPlain, "the mover's direction"},
    {"backward", kPlain, "the way back from `forward`"},
    {"left", kPlain, "the direction to the left of `forward`"},
    {"right", kPlain, "the direction to the right of `forward`"},
    {"true", kPlain, "a truth value"},
    {"false", kPlain, "a truth value"},
    {"kinds", kPlain, "the list of all kinds"},
    {"mirror", kPlain, "what the first player has, as another one sees it: a whole body for a player"},
    {"inherited", kPlain, "what a definition or `turn` replaces"},
    {"kinds(a, b, …)", kReserved, "a list of kinds"},
    {"advance(c)", kReserved | kByEdges, "the row of c, counted forward from the mover's side"},
    {"min(a, b, …)", kReserved, "the least of numbers, or of a list of them"},
    {"max(a, b, …)", kReserved, "the greatest of numbers, or of a list of them"},
    {"sum(L)", kPlain, "the sum of a list of numbers; with `for` of all bindings"},
    {"product(L)", kPlain, "the product of a list of numbers; with `for` of all bindings"},
    {"list(E, …)", kReserved, "a list"},
    {"row(n)", kReserved | kByEdges, "a row of cells, from the mover's side; `row(-1)` is the last one"},
});

// `box(a, z, k?)`: what stands in the parentheses says how many arguments there may be.
LanguageWord parsed(std::string_view written, std::uint8_t traits, std::string_view what) {
  LanguageWord word;
  word.written = written;
  word.traits = traits;
  word.what = what;
  const std::size_t open = written.find('(');
  word.name = written.substr(0, open);
  if (open == std::string_view::npos) return word;
  constexpr std::string_view kEllipsis = "…";
  std::string_view rest = written.substr(open + 1, written.size() - open - 2);
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(", "), rest.size());
    std::string_view parameter = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 2, rest.size()));
    if (parameter == kEllipsis) {
      word.least = 1;
      word.most = kAnyNumber;
    } else {
      const bool optional = parameter.ends_with('?');
      if (optional) parameter.remove_suffix(1);
      word.least += optional ? 0 : 1;
      ++word.most;
    }
    word.parameters.push_back(parameter);
  }
  return word;
}

std::vector<LanguageWord> all_words() {
  std::vector<LanguageWord> words;
  for (std::size_t i = 0; i < runtime::operations::kTable.size(); ++i) {
    const Operation& row = runtime::operations::kTable[i];
    if (row.written.empty()) continue;
    words.push_back(parsed(row.written, row.traits, row.what));
    words.back().op = static_cast<runtime::Op>(i);
  }
  for (const Made& made : kMade) words.push_back(parsed(made.written, made.traits, made.what));
  return words;
}

const LanguageWord* find_word(std::string_view name, bool is_function) {
  const auto& words = words_of_language();
  const auto found = std::find_if(words.begin(), words.end(), [&](const LanguageWord& word) {
    return word.name == name && word.is_function() == is_function;
  });
  return found == words.end() ? nullptr : &*found;
}

} // namespace

const std::vector<LanguageWord>& words_of_language() {
  static const std::vector<LanguageWord> words = all_words();
  return words;
}

const LanguageWord* word_named(std::string_view name) { return find_word(name, false); }
const LanguageWord* function_named(std::string_view name) { return find_word(name, true); }

std::optional<Op> fold_named(std::string_view name) {
  if (name == "sum") return Op::sum_for;
  if (name == "product") return Op::product_for;
  if (name == "min") return Op::least_for;
  if (name == "max") return Op::greatest_for;
  return std::nullopt;
}

char letter_of_parameter(const LanguageWord& word, std::size_t parameter) {
  for (const char letter : runtime::about(*word.op).children) {
    if (letter == '?') continue;
    if (parameter-- == 0) return letter;
  }
  return ' ';
}

runtime::Type type_of_letter(char letter) {
  return static_cast<runtime::Type>(std::string_view("ntcdkpmNSKP").find(letter));
}

} // namespace boardwright::interpreter
