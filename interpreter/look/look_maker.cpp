// Entry point: make_look.
#include "interpreter/look/look_maker.hpp"

#include "dsl/families.hpp"
#include "dsl/grammar.hpp"
#include "dsl/shape.hpp"
#include "interpreter/look/look_sides.hpp"
#include "interpreter/look/look_words.hpp"
#include "interpreter/meaning/builder.hpp"
#include "interpreter/meaning/elaborator.hpp"
#include "runtime/game/game.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

namespace boardwright::interpreter {
namespace {

using dsl::Diagnostics;
using dsl::Form;
using dsl::in_backticks;
using runtime::CellSet;
using runtime::Program;

// Regions that are marked though `look` doesn't name them. More of them would make a board no clearer, and a
// region that covers much of the board marks nothing.
constexpr std::size_t kMaxMarked = 6;
constexpr int kLeastShare = 4; // of the board's cells, a quarter

std::vector<std::string> joined(std::vector<std::string> all, const std::vector<std::string>& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

class LookMaker {
public:
  LookMaker(const Symbols& symbols, const Geometry& geometry, const Program& program, dsl::Sources& sources,
            Diagnostics& diagnostics)
      : file_(symbols.file), symbols_(symbols), geometry_(geometry), diagnostics_(diagnostics),
        builder_(prepared(program), sources) {
    builder_.set_blank(runtime::blank_position(scratch_));
  }

  Look make(bool regions) {
    look_.pieces.assign(scratch_.kinds.size(), std::vector<PieceLook>(scratch_.players.size() + 1));
    look_.player_colours.resize(scratch_.players.size());
    lines();
    for (const auto& [key, value] : file_.look) entry(key, value);
    if (look_.cells == CellLook::lattice) lattice();
    if (geometry_.lines) look_.cells = CellLook::points; // whatever a vocabulary says
    if (regions) follow_rules();
    if (regions) mark_definitions();
    if (regions && look_.sides.empty()) find_sides();
    if (regions && !lines_along_.text.empty()) owned_lines();
    return std::move(look_);
  }

private:
  // Values are elaborated into a program of their own: the game's holds nothing but its rules.
  Program& prepared(const Program& program) {
    scratch_.players = program.players;
    scratch_.kinds = program.kinds;
    scratch_.variables = program.variables;
    scratch_.hand_slot = program.hand_slot;
    scratch_.hands = program.hands;
    scratch_.initial = program.initial;
    scratch_.board = geometry_.make_board(program.board.stacks);
    return scratch_;
  }

  void lines() {
    if (!geometry_.lines) return;
    const runtime::Board& board = scratch_.board;
    for (const auto& [from, to] : *geometry_.lines) {
      const int a = board.cell_at(from.first.x, from.first.y), b = board.cell_at(to.x, to.y);
      if (a >= 0 && b > a) look_.lines.emplace_back(a, b);
    }
  }

  // Points with lines to all their neighbours, or, every other one, to those north, east, south and west.
  void lattice() {
    const runtime::Board& board = scratch_.board;
    look_.cells = CellLook::points;
    look_.lines.clear();
    for (int cell = 0; cell < board.cells; ++cell) {
      const int x = board.x[static_cast<std::size_t>(cell)], y = board.y[static_cast<std::size_t>(cell)];
      const bool diagonals = (x + y) % 2 == 0;
      for (const auto& [dx, dy] : {std::pair{1, 0}, {0, 1}, {1, 1}, {-1, 1}}) {
        const int next = board.cell_at(x + dx, y + dy);
        if (next >= 0 && (diagonals || dx == 0 || dy == 0)) look_.lines.emplace_back(cell, next);
      }
    }
  }

  // --- `look`

  void entry(const dsl::Name& key, const dsl::Yaml& value) {
    if (key.text == "cells") return cells(value);
    if (key.text == "hexes") return hexes(key, value);
    if (key.text == "hide") return hide(value);
    if (key.text == "lines") return lines_along(value);
    if (const int player = symbols_.player(key.text); player >= 0) return player_entry(player, value);
    if (const int kind = symbols_.kind(key.text); kind >= 0) return kind_entry({kind}, key, value);
    if (const auto* family = dsl::family_named(file_, key.text)) return family_entry(*family, key, value);
    // A vocabulary speaks of kinds that a game may not have, and a variant may have taken one away.
    if (is_own(key) || is_known(key)) region_entry(key, value);
  }

  [[nodiscard]] bool is_own(const dsl::Name& name) const { return name.span.file == file_.file; }
  [[nodiscard]] bool is_known(const dsl::Name& key) const {
    return !dsl::is_identifier(key.text) || is_definition(key.text) || geometry_.find(key.text) ||
           word_named(key.text) != nullptr;
  }

  void cells(const dsl::Yaml& value) {
    const auto word = dsl::read_word(value, "`cells`", "cells: points", diagnostics_);
    if (!word) return;
    if (const auto cells = read_cell_look(word->text))
      look_.cells = *cells;
    else
      unknown(*word, "expected `plain`, `chequered`, `points`, `lattice` or `pits`", cell_look_names());
  }

  void hexes(const dsl::Name& key, const dsl::Yaml& value) {
    const auto word = dsl::read_word(value, "`hexes`", "hexes: upright", diagnostics_);
    if (!word) return;
    look_.upright = word->text == "upright" && geometry_.hexes;
    if (word->text != "upright" && word->text != "level")
      unknown(*word, "expected `upright` or `level`", {"upright", "level"});
    else if (!geometry_.hexes && is_own(key))
      diagnostics_.error("shape", key.span, "this board has no hexes").help = "`cells: …` is for squares";
  }

  // A definition that says in which directions a player's pieces may leave a cell.
  void lines_along(const dsl::Yaml& value) {
    const auto word = dsl::read_word(value, "`lines`", "lines: along", diagnostics_);
    if (!word) return;
    if (const auto found = symbols_.definition({word->text, true});
        found.definition != nullptr && found.definition->parameters.size() == 1)
      lines_along_ = *word;
    else if (is_own(*word))
      unknown(*word, "`lines` takes a definition with one parameter, a cell, that is directions",
              with_one_parameter());
  }

  [[nodiscard]] std::vector<std::string> with_one_parameter() const {
    std::vector<std::string> names;
    for (const auto& definition : file_.define)
      if (definition.parameters.size() == 1) names.push_back(definition.name.text);
    return names;
  }

  // `next(c, along(c))` of every cell, from the sight of each player.
  void owned_lines() {
    Diagnostics said;
    Elaborator elaborator(symbols_, geometry_, builder_, said);
    const auto named = [&](Form form, const std::string& word, std::vector<dsl::Ast> kids) {
      dsl::Ast tree;
      tree.form = form;
      tree.word = word;
      tree.span = tree.word_span = lines_along_.span;
      tree.kids = std::move(kids);
      return tree;
    };
    std::set<std::pair<int, std::pair<int, int>>> joined;
    for (int cell = 0; cell < scratch_.board.cells && !said.has_errors(); ++cell) {
      const dsl::Ast here = named(Form::name, scratch_.board.name[static_cast<std::size_t>(cell)], {});
      const dsl::Ast along = named(Form::call, lines_along_.text, {here});
      const dsl::Ast next = named(Form::call, "next", {here, along});
      for (int player = 0; player < scratch_.player_count(); ++player)
        if (const auto cells = elaborator.constant_cells(next, player, "look"))
          cells->each([&](int to) { joined.insert({player, std::minmax(cell, to)}); });
    }
    diagnostics_.append(said);
    for (const auto& [player, ends] : joined) look_.owned_lines.push_back({ends.first, ends.second, player});
  }

  void hide(const dsl::Yaml& value) {
    const auto names = dsl::read_words(value, "`hide`", "hide: castling clock", diagnostics_);
    if (!names) return;
    for (const dsl::Name& name : *names) {
      const bool is_known = name.text == "score" || symbols_.state(name.text) >= 0 ||
                            symbols_.kind(name.text) >= 0 || is_definition(name.text);
      if (const auto* family = dsl::family_named(file_, name.text))
        for (const auto& member : family->members) look_.hidden.push_back(member.kind);
      if (is_known)
        look_.hidden.push_back(name.text);
      else if (is_own(name))
        unknown(name, "a variable of `state`, a kind or a definition can be hidden", hideable());
    }
  }

  [[nodiscard]] bool is_definition(const std::string& name) const {
    return symbols_.definition({name, false}).definition != nullptr;
  }

  [[nodiscard]] std::vector<std::string> hideable() const {
    std::vector<std::string> names = symbols_.kinds;
    for (const auto& entry : file_.state) names.push_back(entry.name.text);
    for (const auto& definition : file_.define) names.push_back(definition.name.text);
    return names;
  }

  void player_entry(int player, const dsl::Yaml& value) {
    const auto word = dsl::read_word(value, "a player's colour", "White: ivory", diagnostics_);
    if (!word) return;
    if (const auto colour = read_colour(word->text))
      look_.player_colours[static_cast<std::size_t>(player)] = *colour;
    else
      unknown(*word, "a player has a colour, by name or as \"#rrggbb\"", colour_names());
  }

  // For all owners, or for each his own.
  void kind_entry(const std::vector<int>& kinds, const dsl::Name& key, const dsl::Yaml& value) {
    const auto looks = [&](int kind, std::size_t owner) {
      return &look_.pieces[static_cast<std::size_t>(kind)][owner];
    };
    std::vector<PieceLook*> all;
    if (!value.is_map()) {
      for (const int kind : kinds)
        for (const std::size_t owner : owners_of(kind)) all.push_back(looks(kind, owner));
      return piece_words(key, value, all, owners_of(kinds.front()).size());
    }
    for (const auto& inner : value.entries) {
      const std::string& name = inner.key.text;
      const int player = name == "neutral" ? scratch_.player_count() : symbols_.player(name);
      all.clear();
      for (const int kind : kinds)
        if (player >= 0) all.push_back(looks(kind, static_cast<std::size_t>(player)));
      if (player < 0)
        unknown(dsl::to_name(inner.key), "expected a player", symbols_.players);
      else
        piece_words(key, inner.value, all, 1);
    }
  }

  // Of a family whose members are numbers these are their signs, where no others are given.
  void family_entry(const dsl::FamilyEntry& family, const dsl::Name& key, const dsl::Yaml& value) {
    std::vector<int> kinds;
    for (const auto& member : family.members) kinds.push_back(symbols_.kind(member.kind));
    kind_entry(kinds, key, value);
    for (const auto& member : family.members)
      if (!dsl::is_identifier(member.key.text) && is_glyph(member.key.text))
        for (PieceLook& look : look_.pieces[static_cast<std::size_t>(symbols_.kind(member.kind))])
          if (look.glyph.empty() && look.shape != Shape::automatic) look.glyph = member.key.text;
  }

  // Those that have the kind, in turn order, neutral behind them.
  [[nodiscard]] std::vector<std::size_t> owners_of(int kind) const {
    std::vector<std::size_t> owners;
    const auto& letters = scratch_.kinds[static_cast<std::size_t>(kind)].letter;
    for (std::size_t owner = 0; owner < letters.size(); ++owner)
      if (letters[owner] != 0) owners.push_back(owner);
    return owners;
  }

  // Colour, shape and signs in any order. Of several signs each owner has his own, and of a family each of
  // its kinds, one after the other.
  void piece_words(const dsl::Name& key, const dsl::Yaml& value, const std::vector<PieceLook*>& looks,
                   std::size_t owners) {
    const auto words = dsl::read_words(value, in_backticks(key.text), key.text + ": disc", diagnostics_);
    if (!words) return;
    std::vector<std::string> glyphs;
    for (const dsl::Name& word : *words) {
      if (const auto colour = read_colour(word.text))
        for (PieceLook* look : looks) look->colour = *colour;
      else if (const auto shape = read_shape(word.text))
        for (PieceLook* look : looks) look->shape = *shape;
      else if (is_glyph(word.text) && !is_slip(word.text))
        glyphs.push_back(word.text);
      else
        unknown(word, "a piece has a shape, a colour, a sign of one to four characters",
                joined(shape_names(), colour_names()));
    }
    if (glyphs.empty()) return;
    if (glyphs.size() != 1 && glyphs.size() != owners && glyphs.size() != looks.size())
      return wrong_signs(key, value, glyphs.size(), owners, looks.size());
    const bool by_owner = glyphs.size() == owners; // 0 signs have been no signs
    for (std::size_t i = 0; i < looks.size(); ++i)
      looks[i]->glyph = glyphs[glyphs.size() == 1 ? 0 : by_owner ? i % owners : i];
  }

  // A sign of three letters and more that is nearly a word is that word, with a slip.
  static bool is_slip(const std::string& sign) {
    constexpr std::size_t kLongest = 2; // of signs that are like no word
    return sign.size() > kLongest && dsl::is_identifier(sign) &&
           !dsl::nearest(sign, joined(shape_names(), colour_names())).empty();
  }

  void wrong_signs(const dsl::Name& key, const dsl::Yaml& value, std::size_t signs, std::size_t owners,
                   std::size_t pieces) {
    auto& error = diagnostics_.error(
        "pieces", value.span,
        fmt::format("{} has {} signs, and {} owners", in_backticks(key.text), signs, owners));
    error.help = "give one for all, or one for each in turn order";
    if (pieces != owners)
      error.help += fmt::format("; or one for each of the {} pieces of the family, kind by kind", pieces);
  }

  // Cells, as a definition or any constant expression.
  void region_entry(const dsl::Name& key, const dsl::Yaml& value) {
    if (!is_known(key))
      return unknown(key, "expected `cells`, `hide`, `lines`, a player, a kind, or cells", entry_names());
    const auto word = dsl::read_word(value, in_backticks(key.text), key.text + ": gold", diagnostics_);
    if (!word) return;
    const auto colour = read_colour(word->text);
    const std::vector<std::string> words = {"marked", "narrow", "nothing", "side"};
    if (!colour && std::find(words.begin(), words.end(), word->text) == words.end())
      return unknown(*word, "cells have a colour, or are `marked`, `narrow`, `nothing` or a `side`",
                     joined(colour_names(), words));
    const auto cells = cells_by_player(key);
    if (cells.empty()) return;
    if (word->text == "side") return add_sides(key, cells);
    if (word->text == "narrow" || word->text == "nothing") {
      for (const CellSet& set : cells) (word->text == "narrow" ? look_.narrow : look_.nothing) |= set;
      listed_.insert(key.text);
      return;
    }
    add_regions(key.text, cells, colour.value_or(""));
  }

  void add_sides(const dsl::Name& key, const std::vector<CellSet>& cells) {
    listed_.insert(key.text);
    for (std::size_t player = 0; cells.size() > 1 && player < cells.size(); ++player)
      look_.sides.push_back({static_cast<int>(player), cells[player]});
    if (cells.size() > 1) return;
    auto& error = diagnostics_.error("type", key.span,
                                     fmt::format("{} is the same for all players", in_backticks(key.text)));
    error.help = "a `side` is each player's own: write row(1), or a definition by player";
  }

  [[nodiscard]] std::vector<std::string> entry_names() const {
    std::vector<std::string> names = joined(symbols_.players, symbols_.kinds);
    for (const auto& definition : file_.define)
      if (definition.parameters.empty()) names.push_back(definition.name.text);
    return joined(names, {"cells", "hide", "lines"});
  }

  // From the sight of each player; one set where all see the same. Nothing where that is no constant set of
  // cells, as has been said.
  std::vector<CellSet> cells_by_player(const dsl::Name& key) {
    std::vector<CellSet> sets;
    if (elaborator_ == nullptr)
      elaborator_ = std::make_unique<Elaborator>(symbols_, geometry_, builder_, said_);
    if (const auto tree = dsl::parse_value(look_key(key), said_)) sets = seen(*tree, *elaborator_);
    if (!said_.has_errors()) return sets;
    diagnostics_.append(said_);
    said_ = {}; // what was wrong in one entry hides nothing of the next
    elaborator_.reset();
    return {};
  }

  std::vector<CellSet> seen(const dsl::Ast& tree, Elaborator& elaborator) {
    std::vector<CellSet> sets;
    for (int player = 0; player < scratch_.player_count(); ++player) {
      const auto cells = elaborator.constant_cells(tree, player, "look");
      if (!cells) return {};
      sets.push_back(*cells);
    }
    if (std::all_of(sets.begin(), sets.end(), [&](const CellSet& set) { return set == sets.front(); }))
      sets.resize(1);
    return sets;
  }

  void add_regions(const std::string& name, const std::vector<CellSet>& cells, const std::string& colour) {
    listed_.insert(name);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (cells[i].none()) continue;
      Region region;
      region.name = name;
      region.player = cells.size() == 1 ? -1 : static_cast<int>(i);
      region.cells = cells[i];
      region.colour = colour;
      region.plain = !dsl::is_identifier(name);
      look_.regions.push_back(std::move(region));
    }
  }

  // --- regions that the file names

  // What only the set-up is made of is no place that the game is about.
  void mark_definitions() {
    Diagnostics unheard; // most definitions are no constant sets of cells
    Elaborator elaborator(symbols_, geometry_, builder_, unheard);
    std::size_t marked = 0;
    for (const auto& definition : file_.define) {
      if (marked == kMaxMarked) break;
      if (!definition.parameters.empty() || !asked_.contains(definition.name.text) ||
          listed_.contains(definition.name.text) || is_hidden(definition.name.text) ||
          !may_be_cells(definition))
        continue;
      dsl::Ast name;
      name.word = definition.name.text;
      name.span = name.word_span = definition.name.span;
      const auto sets = seen(name, elaborator);
      if (sets.empty() || !marks_something(sets)) continue;
      add_regions(definition.name.text, sets, "");
      ++marked;
    }
  }

  void find_sides() {
    Diagnostics unheard; // what is asked of pieces is mostly no constant
    Elaborator elaborator(symbols_, geometry_, builder_, unheard);
    look_.sides =
        joined_sides(trees_, scratch_.board, [&](const dsl::Ast& tree) { return seen(tree, elaborator); });
  }

  // All trees, and names, that `turn` and `end` lead to.
  void follow_rules() {
    std::vector<const dsl::Ast*> open;
    if (file_.turn) {
      open.push_back(&file_.turn->body);
      for (const auto& [who, body] : file_.turn->cases) open.push_back(&body);
      if (file_.turn->others) open.push_back(&*file_.turn->others);
    }
    for (const dsl::EndRule& line : file_.end) {
      open.push_back(&line.condition);
      if (line.score) open.push_back(&*line.score);
    }
    while (!open.empty()) {
      const dsl::Ast& tree = *open.back();
      open.pop_back();
      trees_.push_back(&tree);
      for (const dsl::Ast& kid : tree.kids) open.push_back(&kid);
      const bool is_name = tree.form == dsl::Form::name || tree.form == dsl::Form::call;
      if (!is_name || !asked_.insert(tree.word).second) continue;
      for (const bool with_parameters : {false, true})
        if (const auto found = symbols_.definition({tree.word, with_parameters}); found.definition != nullptr)
          for (const dsl::Definition* d = found.definition; d != nullptr; d = d->replaced.get())
            add_bodies(*d, open);
    }
  }

  static void add_bodies(const dsl::Definition& definition, std::vector<const dsl::Ast*>& open) {
    if (definition.body) open.push_back(&*definition.body);
    for (const auto& [who, body] : definition.cases) open.push_back(&body);
    if (definition.others) open.push_back(&*definition.others);
  }

  [[nodiscard]] bool is_hidden(const std::string& name) const {
    return std::find(look_.hidden.begin(), look_.hidden.end(), name) != look_.hidden.end();
  }

  // What doesn't look like a set of cells need not be elaborated.
  [[nodiscard]] static bool may_be_cells(const dsl::Definition& definition) {
    const auto may = [](const dsl::Ast& tree) {
      return tree.form <= Form::binary && tree.form != Form::number && tree.form != Form::string
                 ? true
                 : tree.form == Form::perspective || tree.form == Form::part;
    };
    if (definition.body) return may(*definition.body);
    return std::all_of(definition.cases.begin(), definition.cases.end(),
                       [&](const auto& one) { return may(one.second); });
  }

  // Each a small part of the board, and none of it marked already.
  [[nodiscard]] bool marks_something(const std::vector<CellSet>& sets) const {
    CellSet taken = look_.narrow | look_.nothing;
    for (const Region& region : look_.regions) taken |= region.cells;
    bool some = false;
    for (const CellSet& set : sets) {
      if (set.count() * kLeastShare > scratch_.board.cells || (set & taken).any()) return false;
      taken |= set;
      some |= set.any();
    }
    return some;
  }

  void unknown(const dsl::Name& word, const std::string& expected, const std::vector<std::string>& known) {
    auto& error = diagnostics_.error("unknown-name", word.span,
                                     fmt::format("unknown name {} in `look`", in_backticks(word.text)));
    error.expected = expected;
    error.help = dsl::did_you_mean(word.text, known);
  }

  const dsl::RuleFile& file_;
  const Symbols& symbols_;
  const Geometry& geometry_;
  Diagnostics& diagnostics_;
  Program scratch_;
  Builder builder_;
  Diagnostics said_; // of the entry at hand
  std::unique_ptr<Elaborator> elaborator_;
  std::set<std::string> listed_;       // names that `look` speaks of
  std::set<std::string> asked_;        // names that the rules lead to
  std::vector<const dsl::Ast*> trees_; // likewise
  dsl::Name lines_along_;              // a definition's name, if `look` gives one
  Look look_;
};

} // namespace

dsl::Text look_key(const dsl::Name& key) {
  dsl::Text text;
  text.text = key.text;
  text.file = key.span.file;
  const bool as_written = key.span.end - key.span.begin == key.text.size();
  for (std::size_t i = 0; i <= key.text.size(); ++i)
    text.offsets.push_back(as_written ? key.span.begin + static_cast<std::uint32_t>(i) : key.span.begin);
  return text;
}

Look make_look(const Symbols& symbols, const Geometry& geometry, const Program& program,
               dsl::Sources& sources, dsl::Diagnostics& diagnostics, bool regions) {
  return LookMaker(symbols, geometry, program, sources, diagnostics).make(regions);
}

} // namespace boardwright::interpreter
