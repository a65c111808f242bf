// Entry points: is_numbered_position, write_numbered, unfold_numbered, numbered_cells.
#include "interpreter/notation/numbered_position.hpp"

#include "dsl/shape.hpp"
#include "dsl/text.hpp"
#include "interpreter/notation/fen_players.hpp"
#include "interpreter/notation/fen_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace boardwright::interpreter {
namespace {

using dsl::Diagnostics;
using dsl::in_backticks;
using dsl::Name;
using dsl::PositionEntry;
using dsl::Text;
using runtime::Program;

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

class NumberedUnfolding {
public:
  NumberedUnfolding(const Program& program, Diagnostics& diagnostics)
      : program_(program), diagnostics_(diagnostics), cells_(numbered_cells(program)) {}

  std::optional<PositionEntry> read(const Text& text) && {
    entry_.span = text.span();
    entry_.has_board = true;
    if (program_.board.stacks || program_.board.endless())
      return fail(text, "a list of cells has one piece on each, on a board with edges",
                  "write `cells` instead");
    Text whole = text.trimmed();
    if (whole.text.ends_with('.')) whole = whole.part(0, whole.text.size() - 1);
    const auto parts = dsl::split(whole, ':');
    if (const auto player = player_of(parts[0], parts[0]))
      entry_.to_move = Name{program_.players[*player].name, parts[0].span()};
    for (std::size_t i = 1; i < parts.size(); ++i)
      if (!is_counter(parts[i].trimmed().text)) pieces_of(parts[i]);
    if (failed_) return std::nullopt;
    return std::move(entry_);
  }

private:
  std::nullopt_t fail(const Text& where, std::string what, std::string help) {
    failed_ = true;
    fen_error(where, std::move(what), std::move(help), diagnostics_);
    return std::nullopt;
  }

  // `H12` and `F30`: moves without progress, and the number of the next move, where no player is called so.
  // No game goes by these.
  [[nodiscard]] bool is_counter(std::string_view part) const {
    return part.size() > 1 && (part.front() == 'H' || part.front() == 'F') &&
           std::all_of(part.begin() + 1, part.end(), dsl::is_digit) &&
           !player_meant(program_, dsl::to_lower(std::string(part.substr(0, 1))));
  }

  std::optional<std::size_t> player_of(const Text& letter, const Text& where) {
    const std::string small = dsl::to_lower(letter.text);
    auto player = player_of_colour(program_, small);
    if (!player) player = player_meant(program_, small);
    if (!player) {
      std::vector<std::string> known;
      for (const runtime::Player& p : program_.players) known.push_back(p.name);
      fail(where, fmt::format("{} is no player", in_backticks(letter.text)),
           fmt::format("write `W` or `B`, or the first letter of {}", fmt::join(known, " or ")));
    }
    return player;
  }

  // `W31,K32`; `W` alone has nothing.
  void pieces_of(const Text& part) {
    const Text list = part.trimmed();
    if (list.text.empty())
      return void(fail(part, "a player and his cells are missing here", "as in `W31,32`"));
    const auto player = player_of(list.part(0, 1), list.part(0, 1));
    if (!player || list.text.size() == 1) return;
    for (const Text& item : dsl::split(list.part(1, list.text.size()), ',')) piece(*player, item.trimmed());
  }

  void piece(std::size_t player, const Text& item) {
    const bool lettered = !item.text.empty() && is_capital(item.text.front());
    const auto kind = kind_of(player, lettered ? item.part(0, 1) : item, lettered);
    if (!kind) return;
    const Text where = lettered ? item.part(1, item.text.size()) : item;
    const Name letter{std::string(1, program_.kinds[*kind].letter[player]), item.span()};
    const auto range = dsl::split(where, '-');
    const auto first = place_of(range[0]), last = place_of(range.back());
    if (!first || !last) return;
    if (range.size() > 2 || *last < *first)
      return void(
          fail(where, fmt::format("{} is no range of cells", in_backticks(where.text)), "as in `1-12`"));
    for (std::size_t place = *first; place <= *last; ++place) {
      const std::string& cell = program_.board.name[static_cast<std::size_t>(cells_[place])];
      if (!taken_.insert(place).second)
        return void(fail(where,
                         fmt::format("a piece stands on {} already", in_backticks(std::to_string(place + 1))),
                         "each cell is named once"));
      entry_.cells.emplace_back(Name{cell, where.span()}, letter);
    }
  }

  // The kind whose name begins with the letter, or the first one.
  std::optional<std::size_t> kind_of(std::size_t player, const Text& sign, bool lettered) {
    std::vector<std::string> known;
    for (std::size_t kind = 0; kind < program_.kinds.size(); ++kind) {
      if (program_.kinds[kind].letter[player] == 0) continue;
      const std::string& name = program_.kinds[kind].name;
      if (!lettered || dsl::to_lower(name.front()) == dsl::to_lower(sign.text.front())) return kind;
      known.push_back(name);
    }
    fail(sign, fmt::format("no kind of piece begins with {}", in_backticks(sign.text)),
         fmt::format("kinds are {}", fmt::join(known, ", ")));
    return std::nullopt;
  }

  // An index into `cells_`.
  std::optional<std::size_t> place_of(const Text& word) {
    const int named = program_.board.cell_named(word.text);
    if (named != runtime::kNowhere)
      return static_cast<std::size_t>(std::find(cells_.begin(), cells_.end(), named) - cells_.begin());
    const auto number = dsl::whole_number(word.text);
    if (number && *number >= 1 && *number <= cells_.size()) return *number - 1;
    fail(word, fmt::format("{} is no cell", in_backticks(word.text)),
         fmt::format("cells are numbers from 1 to {}, or names such as {}", cells_.size(),
                     program_.board.name[static_cast<std::size_t>(cells_.front())]));
    return std::nullopt;
  }

  const Program& program_;
  Diagnostics& diagnostics_;
  std::vector<int> cells_;
  std::set<std::size_t> taken_; // places in `cells_`
  PositionEntry entry_;
  bool failed_ = false;
};

} // namespace

std::vector<int> numbered_cells(const Program& program) {
  const auto& board = program.board;
  std::vector<int> cells(static_cast<std::size_t>(board.cells));
  for (int cell = 0; cell < board.cells; ++cell) cells[static_cast<std::size_t>(cell)] = cell;
  const auto white = player_of_colour(program, "w");
  const int view = white && program.players[*white].dy < 0 ? -1 : 1; // from which side it is seen
  std::sort(cells.begin(), cells.end(), [&](int a, int b) {
    const auto place = [&](int cell) {
      const auto i = static_cast<std::size_t>(cell);
      return std::pair(-view * board.y[i], view * board.x[i]);
    };
    return place(a) < place(b);
  });
  return cells;
}

std::optional<std::string> write_numbered(const Program& program, const runtime::Position& position) {
  if (program.players.size() != 2 || program.board.stacks || program.board.endless()) return std::nullopt;
  const auto letter = [&](std::size_t player) {
    return colour_field(program, player) == 'w' ? std::string("W") : std::string("B");
  };
  std::string text = letter(static_cast<std::size_t>(position.to_move));
  const std::vector<int> cells = numbered_cells(program);
  const std::size_t white = player_of_colour(program, "w").value_or(0);
  for (const std::size_t player : {white, 1 - white}) {
    std::vector<std::string> items;
    for (std::size_t place = 0; place < cells.size(); ++place) {
      const runtime::Stack& stack = position.cells[static_cast<std::size_t>(cells[place])];
      if (stack.empty() || stack.back().owner != static_cast<int>(player)) continue;
      const auto kind = static_cast<std::size_t>(stack.back().kind);
      std::string item = std::to_string(place + 1);
      if (kind != 0) item.insert(0, 1, static_cast<char>(std::toupper(program.kinds[kind].name.front())));
      items.push_back(std::move(item));
    }
    text += fmt::format(":{}{}", letter(player), fmt::join(items, ","));
  }
  return text;
}

bool is_numbered_position(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return false;
  text.remove_prefix(begin);
  if (text.size() < 3 || !is_capital(text[0]) || text[1] != ':' || !is_capital(text[2])) return false;
  return text.find_first_of("{\n/") == std::string_view::npos;
}

std::optional<PositionEntry> unfold_numbered(const Program& program, const Text& text,
                                             Diagnostics& diagnostics) {
  return NumberedUnfolding(program, diagnostics).read(text);
}

} // namespace boardwright::interpreter
