#include "interpreter/compile.hpp"

#include "dsl/about.hpp"
#include "dsl/families.hpp"
#include "dsl/shape.hpp"
#include "interpreter/board/geometry.hpp"
#include "interpreter/board/setup_mirror.hpp"
#include "interpreter/board/shape.hpp"
#include "interpreter/look/look_maker.hpp"
#include "interpreter/meaning/builder.hpp"
#include "interpreter/meaning/elaborator.hpp"
#include "interpreter/meaning/options.hpp"
#include "interpreter/meaning/piece_values.hpp"
#include "interpreter/meaning/rolls.hpp"
#include "interpreter/meaning/setup_lot.hpp"
#include "interpreter/meaning/symbols.hpp"
#include "interpreter/meaning/turned_kinds.hpp"
#include "interpreter/notation/fen_rights.hpp"
#include "interpreter/notation/settling.hpp"
#include "runtime/game/game.hpp"
#include "runtime/model/check_program.hpp"
#include "runtime/model/meter.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include <fmt/format.h>

namespace boardwright::interpreter {

namespace {

// To unfold a node, and to bring it into its normal form.
constexpr std::uint64_t kStepsOfNode = 500;

using runtime::CellSet;
using runtime::Program;

Vector vector_of(dsl::Compass compass) {
  constexpr std::array<Vector, 4> kVectors{{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}};
  return kVectors[static_cast<std::size_t>(compass)];
}

std::optional<Vector> compass(const std::string& word) {
  constexpr std::array<const char*, 4> kWords{"north", "east", "south", "west"};
  for (std::size_t i = 0; i < kWords.size(); ++i)
    if (word == kWords[i]) return vector_of(static_cast<dsl::Compass>(i));
  return std::nullopt;
}

// How many pieces a stack may hold: as many as there are, if none come but from hands. A position that is
// entered may have some more; a fault tells of too many.
int room_for_pieces(const Program& program) {
  constexpr std::int64_t kAnyway = 24;
  if (!program.board.stacks) return runtime::kMaxHeight;
  const auto from_hands = [&](std::size_t kind, std::size_t owner) {
    if (program.kinds[kind].letter[owner] == 0) return true;
    for (std::size_t p = 0; p < program.players.size(); ++p)
      if ((owner == program.players.size() || owner == p) && program.hand_slot[p][kind] < 0) return false;
    return true;
  };
  bool bounded = true;
  for (const runtime::Node& n : program.nodes) {
    if (n.op == runtime::Op::set_hand) bounded = false;
    for (std::size_t kind = 0; n.op == runtime::Op::drop && kind < program.kinds.size(); ++kind)
      for (std::size_t owner = 0; owner <= program.players.size(); ++owner)
        bounded = bounded && from_hands(kind, owner);
  }
  if (!bounded) return runtime::kMaxHeight;
  std::int64_t pieces = 0;
  for (const runtime::Stack& stack : program.initial.cells) pieces += static_cast<std::int64_t>(stack.size());
  for (const std::int32_t hand : program.initial.hands) pieces += hand;
  return static_cast<int>(std::clamp<std::int64_t>(pieces, kAnyway, runtime::kMaxHeight));
}

class Compiler {
public:
  Compiler(const dsl::RuleFile& file, dsl::Sources& sources, dsl::Diagnostics& diagnostics,
           const CompileOptions& options)
      : file_(file), sources_(sources), diagnostics_(diagnostics), options_(options), symbols_(file) {}

  std::shared_ptr<const Program> compile(const std::vector<std::pair<std::string, std::string>>& settings,
                                         bool& bad_setting) {
    Options options = resolve_options(file_, settings, sources_, diagnostics_);
    bad_setting = options.bad_setting;
    symbols_.options = std::move(options.values);
    auto shape = make_shape(
        file_, [this](const dsl::Ast& tree) { return number_before_board(tree); }, diagnostics_);
    if (!shape) {
      check_name_clashes(symbols_, diagnostics_);
      return nullptr;
    }
    geometry_ = std::move(*shape);
    symbols_.geometry = &geometry_;
    check_name_clashes(symbols_, diagnostics_);
    check_about();
    const bool sound = check_scopes(symbols_, sources_, diagnostics_);
    // Without players nobody is to move: their section is missing or wrong, as has been said.
    if (!sound || file_.players.empty() || !make_holes()) return nullptr;
    auto program = std::make_shared<Program>();
    program->options = options.shown;
    if (fill(*program, false) && !diagnostics_.has_errors()) {
      *program = {};
      program->options = std::move(options.shown);
      fill(*program, true);
    }
    look(*program);
    if (diagnostics_.has_errors()) return nullptr;
    program->settling = settling(*program);
    return program;
  }

private:
  // ---- before the board is there
  std::optional<std::int64_t> number_before_board(const dsl::Ast& tree) {
    Program scratch;
    describe(scratch);
    Builder builder(scratch, sources_);
    builder.set_blank(runtime::blank_position(scratch));
    Elaborator elaborator(symbols_, geometry_, builder, diagnostics_);
    return elaborator.constant_number(tree);
  }

  // Holes may be written with anything constant, on the board as it is without them.
  bool make_holes() {
    CellSet holes;
    Program scratch;
    describe(scratch);
    scratch.board = geometry_.make_board(file_.board.stacks);
    if (file_.board.holes) {
      Builder builder(scratch, sources_);
      builder.set_blank(runtime::blank_position(scratch));
      Elaborator elaborator(symbols_, geometry_, builder, diagnostics_);
      const auto cells = elaborator.constant_cells(*file_.board.holes, 0, "board");
      if (!cells) return false;
      holes = *cells;
    }
    holes.each([&](int c) {
      const auto cell = static_cast<std::size_t>(c);
      geometry_.present[geometry_.index({scratch.board.x[cell], scratch.board.y[cell]})] = false;
    });
    // Before its own holes are made: a row may have one sign for each cell, and they are among them.
    drawn_ = signs_of(file_.setup.picture, geometry_, diagnostics_);
    for (const auto& [place, sign] : drawn_)
      if (sign.text == "#" && geometry_.in_shape(place)) geometry_.present[geometry_.index(place)] = false;
    const bool any =
        std::find(geometry_.present.begin(), geometry_.present.end(), true) != geometry_.present.end();
    // Where a definition couldn't be read, the holes are others than was meant.
    if (!any && !diagnostics_.has_errors())
      diagnostics_.error("board", file_.board.span, "every cell of this board is a hole");
    return any;
  }

  // ---- what needs no board
  // A text about a kind that there isn't would never be shown. One of an extended file may be: a variant has
  // other pieces.
  void check_about() {
    check_terms();
    for (const auto& [key, text] : file_.about) {
      if (!key.text.starts_with(dsl::kOfKind) || key.span.file != file_.file) continue;
      const std::string name = key.text.substr(dsl::kOfKind.size());
      if (symbols_.kind(name) >= 0 || dsl::family_named(file_, name) != nullptr) continue;
      std::vector<std::string> known;
      for (const auto& kind : file_.pieces) known.push_back(kind.name.text);
      for (const auto& family : file_.families) known.push_back(family.name.text);
      auto& told = diagnostics_.error(
          "unknown-name", key.span,
          fmt::format("`{}` is no kind of piece, so nobody would read how it moves", name));
      told.expected = fmt::format("expected {}", fmt::join(known, ", "));
      told.help = dsl::did_you_mean(name, known);
    }
  }

  // What is told of a name that there isn't would never be read.
  void check_terms() {
    std::vector<std::string> known;
    for (const auto& variable : file_.state) known.push_back(variable.name.text);
    for (const auto& definition : file_.define) known.push_back(definition.name.text);
    for (const auto& vocabulary : file_.vocabularies)
      for (const auto& definition : vocabulary) known.push_back(definition.name.text);
    for (const auto& [key, text] : file_.about) {
      if (!key.text.starts_with(dsl::kOfTerm) || key.span.file != file_.file) continue;
      const std::string name = key.text.substr(dsl::kOfTerm.size());
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      diagnostics_
          .error("unknown-name", key.span,
                 fmt::format("`{}` is neither defined nor a variable, so nobody would read of it", name))
          .help = dsl::did_you_mean(name, known);
    }
  }

  void describe(Program& program) {
    program.game = file_.game.text;
    for (const auto& [key, text] : file_.about) program.about.emplace_back(key.text, text);
    for (const auto& p : file_.players) {
      runtime::Player player;
      player.name = p.name.text;
      const Vector forward = p.forward ? vector_of(*p.forward) : Vector{};
      player.dx = forward.dx;
      player.dy = forward.dy;
      program.players.push_back(std::move(player));
    }
    if (program.players.empty()) program.players.emplace_back(); // constants are seen by somebody
    for (const auto& k : file_.pieces) program.kinds.push_back(kind(k));
    find_turned_kinds(symbols_, program);
    hands(program);
  }

  runtime::Kind kind(const dsl::KindEntry& entry) {
    runtime::Kind result;
    result.name = entry.name.text;
    result.letter.assign(file_.players.size() + 1, 0);
    std::size_t next = 0;
    for (const auto& l : entry.letters) {
      std::size_t owner = next++;
      if (l.owner.text == "neutral")
        owner = file_.players.size();
      else if (!l.owner.text.empty()) {
        const int p = symbols_.player(l.owner.text);
        if (p < 0) {
          error("player", l.owner.span, fmt::format("`{}` is not a player", l.owner.text));
          continue;
        }
        owner = static_cast<std::size_t>(p);
      }
      if (file_.players.empty()) continue; // what is wrong with them has been told
      if (owner > file_.players.size() || (l.owner.text.empty() && owner == file_.players.size())) {
        error("pieces", l.letter.span,
              fmt::format("there are more letters than the {} players", file_.players.size()));
        continue;
      }
      if (!l.letter.text.empty()) result.letter[owner] = l.letter.text[0];
    }
    return result;
  }

  void hands(Program& program) {
    program.hand_slot.assign(file_.players.size(), std::vector<int>(file_.pieces.size(), -1));
    for (const auto& h : file_.hands) {
      const int k = symbols_.kind(h.kind.text);
      if (k < 0) continue; // reported with the values
      for (auto& slots : program.hand_slot) slots[static_cast<std::size_t>(k)] = program.hands++;
    }
  }

  void check_letters(const Program& program) {
    std::array<const dsl::Span*, 256> seen{};
    for (const auto& entry : file_.pieces) {
      for (const auto& l : entry.letters) {
        if (l.letter.text.empty()) continue;
        const dsl::Span*& earlier = seen[static_cast<unsigned char>(l.letter.text[0])];
        if (earlier != nullptr)
          diagnostics_
              .error("pieces", l.letter.span,
                     fmt::format("the letter `{}` already stands for a piece", l.letter.text))
              .related.push_back({*earlier, "here"});
        else
          earlier = &l.letter.span;
      }
    }
    if (program.kinds.size() * (program.players.size() + 1) > 255)
      error("limit", file_.game.span, "kinds times owners may be at most 255");
  }

  // ---- the whole program; true where it must be filled anew, by rules that keep what is carried in mind
  bool fill(Program& program, bool keeps_carried) {
    describe(program);
    check_letters(program);
    program.board = geometry_.make_board(file_.board.stacks);
    Builder builder(program, sources_, !options_.fold);
    if (options_.callers != nullptr) builder.keep_callers();
    builder.set_blank(runtime::blank_position(program));
    Elaborator elaborator(symbols_, geometry_, builder, diagnostics_, options_.readings, keeps_carried);
    curves(program);
    state(program, builder, elaborator);
    setup(program, elaborator);
    builder.set_blank(runtime::blank_position(program));
    for (int p = 0; p < program.player_count(); ++p) {
      auto& player = program.players[static_cast<std::size_t>(p)];
      player.turn = file_.turn ? elaborator.turn(p) : builder.nothing();
      for (const auto& line : file_.end) {
        auto elaborated = elaborator.end_line(line, p);
        const bool never = !line.player.empty() && builder.is_truth(elaborated.condition, false);
        if (!never)
          player.end.push_back(std::move(elaborated)); // such as `Goats lose when no move` for others
      }
    }
    sight(program, elaborator);
    split_turns(builder, elaborator.rolls(), diagnostics_);
    check_signs_of_secrets(program, elaborator.rolls());
    const auto uses = [&](const DefinitionKey& key) {
      return elaborator.uses(symbols_.definition(key).definition);
    };
    uses_castlers_ = uses({kCastlers, false});
    uses_expose_ = uses({kExpose, true});
    elaborator.check_unused();
    // The last node may have been one too many.
    if ((builder.full() || builder.too_high()) && !diagnostics_.has_errors())
      error("limit", file_.game.span, "the rules unfold into too many nodes, or nested too deeply");
    if (diagnostics_.has_errors()) return false;
    if (elaborator.asks_carried() && !keeps_carried) return true;
    elaborator.close_steps();
    builder.compact();
    if (options_.callers != nullptr) *options_.callers = builder.callers();
    program.board.levels = room_for_pieces(program);
    assert(!runtime::misfit(builder.program()));
    return false;
  }

  // Who sees what. The sets are asked for the player who looks, whoever is to move.
  void sight(Program& program, Elaborator& elaborator) {
    runtime::Sight sight;
    for (int p = 0; p < program.player_count(); ++p) {
      const auto seen = [&](const std::optional<dsl::Ast>& tree, std::vector<runtime::NodeId>& by_player) {
        if (!tree) return;
        if (const auto cells = elaborator.cells_seen_by(*tree, p)) by_player.push_back(*cells);
      };
      seen(file_.sees.cells, sight.cells);
      seen(file_.sees.kinds, sight.kinds);
    }
    sight.own_hands = file_.sees.own_hands;
    sight.seen_by.assign(program.variables.size(), runtime::Sight::kAll);
    bool secret_state = false;
    for (std::size_t v = 0; v < program.variables.size(); ++v) {
      const auto& name = program.variables[v].name;
      const auto entry = std::find_if(file_.state.begin(), file_.state.end(),
                                      [&](const auto& declared) { return declared.name.text == name; });
      if (entry == file_.state.end() || entry->secrecy == dsl::Secrecy::none) continue;
      secret_state = true;
      sight.seen_by[v] =
          entry->secrecy == dsl::Secrecy::of_all ? runtime::Sight::kNobody : program.variables[v].player;
    }
    if (file_.sees.cells || file_.sees.kinds || sight.own_hands || secret_state)
      program.sight = std::move(sight);
  }

  // Where something is secret nothing else may be written with the signs around it.
  void check_signs_of_secrets(const Program& program, const Rolls& rolls) {
    if (!program.secret) return;
    constexpr std::string_view kSigns = "<>";
    const auto refuse = [&](dsl::Span span, const std::string& what) {
      error("sees", span, fmt::format("{} has `<` or `>`, which stand around what is secret", what),
            "write something else");
    };
    const auto sign_of = [&](runtime::NodeId says) { return program.kid(program.nodes[says], 0); };
    for (std::size_t id = 0; id < program.nodes.size(); ++id) {
      const runtime::Node& n = program.nodes[id];
      if (n.op != runtime::Op::text || id == sign_of(rolls.secret_begins) || id == sign_of(rolls.secret_ends))
        continue;
      const std::string& text = program.texts[static_cast<std::size_t>(n.a)];
      if (text.find_first_of(kSigns) == std::string::npos) continue;
      const runtime::Origin& origin = program.origins[n.origin];
      refuse({origin.file, origin.begin, origin.end}, "a text");
      return;
    }
    for (const auto& kind : file_.pieces)
      for (const auto& letter : kind.letters)
        if (letter.letter.text.find_first_of(kSigns) != std::string::npos)
          return refuse(letter.letter.span, "a letter");
  }

  void curves(Program& program) {
    auto& board = program.board;
    for (const auto& c : file_.board.curves) {
      const auto leaving = compass(c.leaving.text), heading = compass(c.heading.text);
      const int from = board.cell_named(c.from.text), to = board.cell_named(c.to.text);
      for (const auto* cell : {&c.from, &c.to})
        if (board.cell_named(cell->text) < 0)
          error("board", cell->span, fmt::format("`{}` is no cell of the board", cell->text),
                geometry_.cells_instead_of(cell->text));
      if (!leaving)
        error("board", c.leaving.span,
              fmt::format("`{}` is not one of north, east, south, west", c.leaving.text));
      if (!heading)
        error("board", c.heading.span,
              fmt::format("`{}` is not one of north, east, south, west", c.heading.text));
      if (from < 0 || to < 0 || !leaving || !heading) continue;
      const auto step = [&](Vector v) { return static_cast<std::int16_t>(intern_step(board, geometry_, v)); };
      const auto back = [](Vector v) { return Vector{-v.dx, -v.dy}; };
      board.curves.push_back(
          {static_cast<std::int16_t>(from), step(*leaving), static_cast<std::int16_t>(to), step(*heading)});
      board.curves.push_back({static_cast<std::int16_t>(to), step(back(*heading)),
                              static_cast<std::int16_t>(from), step(back(*leaving))});
    }
  }

  // What is read of positions from outside, by names of the file's; null where it has none of them.
  std::shared_ptr<const runtime::Settling> settling(const Program& whole) {
    auto found = std::make_shared<runtime::Settling>();
    found->exposes = uses_expose_;
    const dsl::Definition* const castlers = symbols_.definition({kCastlers, false}).definition;
    if (!uses_castlers_ || !shared_variable(whole, kRights, runtime::Type::cells))
      return found->exposes ? found : nullptr;
    auto program = std::make_shared<Program>(whole);
    program->nodes.clear(), program->kids.clear(), program->cell_sets.clear(), program->step_sets.clear();
    program->texts.clear(), program->frames.clear(), program->origins.clear();
    program->files.clear(), program->rules.clear();
    program->slots = 0;
    for (runtime::Player& player : program->players) player.turn = 0, player.end.clear();
    dsl::Diagnostics unheard; // whatever is wrong has been told of the rules that use it
    Builder builder(*program, sources_);
    builder.set_blank(runtime::blank_position(*program));
    Elaborator elaborator(symbols_, geometry_, builder, unheard);
    elaborator.knows_planes();
    const dsl::Ast name{dsl::Form::name, castlers->name.span, 0, 0, kCastlers, {}, {}, {}, {}};
    for (int p = 0; p < program->player_count(); ++p)
      if (const auto cells = elaborator.cells_seen_by(name, p)) found->castlers.push_back(*cells);
    if (unheard.has_errors()) found->castlers.clear();
    found->program = std::move(program);
    return found;
  }

  // The section is checked whenever a file is compiled; what a drawing needs is worked out for those who ask.
  void look(const Program& program) {
    if (diagnostics_.has_errors() || (options_.look == nullptr && file_.look.empty())) return;
    Look made = make_look(symbols_, geometry_, program, sources_, diagnostics_, options_.look != nullptr);
    if (options_.look != nullptr) *options_.look = std::move(made);
  }

  // ---- the set-up
  void state(Program& program, Builder& builder, Elaborator& elaborator) {
    for (const auto& entry : file_.state) {
      if (entry.each_piece) {
        if (!add_piece_value(entry, program, builder, elaborator, diagnostics_))
          symbols_.worthless.insert(entry.name.text);
        continue;
      }
      const int copies = entry.each_player ? program.player_count() : 1;
      std::vector<runtime::Variable> added;
      std::vector<runtime::VariableValue> values;
      for (int p = 0; p < copies; ++p) {
        const auto first = first_value(entry, p, builder, elaborator);
        if (!first) break;
        added.push_back(
            {entry.name.text, entry.each_player ? p : -1, runtime_type(first->type), entry.clock});
        values.push_back(value_of(*first, builder));
      }
      if (std::ssize(added) < copies) {
        symbols_.worthless.insert(entry.name.text);
        continue;
      }
      program.variables.insert(program.variables.end(), added.begin(), added.end());
      program.initial.variables.insert(program.initial.variables.end(), values.begin(), values.end());
    }
    elaborator.knows_planes();
  }

  std::optional<Typed> first_value(const dsl::StateEntry& entry, int player, Builder& builder,
                                   Elaborator& elaborator) {
    if (!entry.value) return std::nullopt;
    Typed v = elaborator.constant(*entry.value, player, "state");
    if (v.type == Ty::none) v = {Ty::cells, builder.cells({}), entry.value->span, std::nullopt, nullptr};
    if (v.type == Ty::error) return std::nullopt;
    if (entry.clock && v.type != Ty::number) {
      error("state", entry.value->span,
            fmt::format("a clock is a number, this is {}", interpreter::describe(v.type)));
      return std::nullopt;
    }
    const bool storable = v.type == Ty::number || v.type == Ty::truth || v.type == Ty::cells ||
                          v.type == Ty::kind || v.type == Ty::player;
    if (storable) return v;
    error("state", entry.value->span,
          fmt::format("a variable holds a number, `true` or `false`, cells, a kind or a player, not {}",
                      interpreter::describe(v.type)));
    return std::nullopt;
  }

  static runtime::VariableValue value_of(const Typed& v, const Builder& builder) {
    runtime::VariableValue value;
    if (v.type == Ty::cells)
      value.cells = builder.cells_of(v.node);
    else
      value.number = builder.node(v.node).a;
    return value;
  }

  void setup(Program& program, Elaborator& elaborator) {
    auto& position = program.initial;
    position.cells.assign(static_cast<std::size_t>(program.board.cells), {});
    position.turns.assign(program.players.size(), 0);
    position.to_move = first_player();
    letters_are_known_ =
        !file_.players.empty() && !file_.pieces.empty() &&
        std::none_of(diagnostics_.all().begin(), diagnostics_.all().end(),
                     [](const dsl::Diagnostic& d) { return d.code == "letter" || d.code == "pieces"; });
    for (const auto& [place, sign] : drawn_) place_sign(program, place, sign);
    for (const auto& entry : file_.setup.entries) place_letters(program, elaborator, entry);
    if (file_.setup.shuffle && letters_are_known_)
      deal(*file_.setup.shuffle, symbols_, elaborator, program, diagnostics_);
    if (file_.setup.mirror && letters_are_known_)
      mirror_pieces(*file_.setup.mirror, geometry_, program, diagnostics_);
    fill_hands(program, elaborator);
    set_up_piece_values(file_, geometry_, program, elaborator, diagnostics_);
  }

  void place_sign(Program& program, Place place, const dsl::Name& sign) {
    if (sign.text == "." || sign.text == "#" || sign.text == " ") return;
    const int cell = program.board.cell_at(place.x, place.y);
    if (cell < 0) return error("setup", sign.span, "there is a piece on a hole here");
    if (auto stack = stack_of(program, sign))
      program.initial.cells[static_cast<std::size_t>(cell)] = std::move(*stack);
  }

  void place_letters(Program& program, Elaborator& elaborator, const dsl::SetupEntry& entry) {
    const auto stack = stack_of(program, entry.letters);
    if (!stack && letters_are_known_ && program.board.cell_named(entry.letters.text) >= 0) { // `a1: w`
      diagnostics_.last().help = "letters stand first, and then where they are";
      const std::string& said = entry.cells.word;
      const bool letters = entry.cells.form == dsl::Form::name &&
                           std::all_of(said.begin(), said.end(),
                                       [&](char sign) { return program.piece_of(sign).has_value(); });
      if (letters) diagnostics_.last().help += fmt::format(": `{}: {}`", said, entry.letters.text);
      return;
    }
    const auto cells = elaborator.constant_cells(entry.cells, 0, "setup");
    if (stack && cells)
      cells->each([&](int c) { program.initial.cells[static_cast<std::size_t>(c)] = *stack; });
  }

  // The pieces that letters stand for, from bottom to top.
  std::optional<runtime::Stack> stack_of(const Program& program, const dsl::Name& letters) {
    runtime::Stack stack;
    for (const char letter : letters.text) {
      const auto piece = program.piece_of(letter);
      if (!piece) {
        if (letters_are_known_)
          error("letter", letters.span, fmt::format("no piece has the letter `{}`", letter));
        return std::nullopt;
      }
      stack.push_back(*piece);
    }
    if (stack.size() > 1 && !program.board.stacks)
      error("setup", letters.span, "this board has no stacks: a cell holds one piece",
            "board: { squares: 8 by 8, stacks: true }");
    if (stack.size() > static_cast<std::size_t>(runtime::kMaxHeight))
      error("limit", letters.span, fmt::format("a stack holds at most {} pieces", runtime::kMaxHeight));
    return stack;
  }

  void fill_hands(Program& program, Elaborator& elaborator) {
    program.initial.hands.assign(static_cast<std::size_t>(program.hands), 0);
    for (const auto& h : file_.hands) {
      const int k = symbols_.kind(h.kind.text);
      if (k < 0) {
        error("hands", h.kind.span, fmt::format("`{}` is not a kind of piece", h.kind.text));
        continue;
      }
      for (int p = 0; p < program.player_count(); ++p) {
        const dsl::Ast* count = h.count.all ? &*h.count.all : nullptr;
        for (const auto& [player, tree] : h.count.each)
          if (player.text == symbols_.players[static_cast<std::size_t>(p)]) count = &tree;
        if (count == nullptr) {
          error("hands", h.kind.span,
                fmt::format("how many `{}` has {}?", h.kind.text,
                            symbols_.players[static_cast<std::size_t>(p)]));
          continue;
        }
        const auto n = elaborator.constant_number(*count, p);
        if (!n) continue;
        if (*n < 0) {
          error("hands", count->span, "a hand can't hold less than nothing");
          continue;
        }
        const int slot = program.hand_slot[static_cast<std::size_t>(p)][static_cast<std::size_t>(k)];
        program.initial.hands[static_cast<std::size_t>(slot)] = static_cast<std::int32_t>(*n);
      }
      for (const auto& [player, tree] : h.count.each)
        if (symbols_.player(player.text) < 0)
          error("player", player.span, fmt::format("`{}` is not a player", player.text));
    }
  }

  std::int32_t first_player() {
    if (!file_.first) return 0;
    const OptionValue* option = symbols_.option(file_.first->text);
    const int p = symbols_.player(option != nullptr ? option->word : file_.first->text);
    if (p >= 0) return p;
    error("player", file_.first->span,
          option != nullptr
              ? fmt::format("the option `{}` is `{}`, which is not a player", option->name, option->word)
              : fmt::format("`{}` is neither a player nor an option", file_.first->text));
    return 0;
  }

  void error(dsl::Code code, dsl::Span span, const std::string& message, const std::string& help = "") {
    auto& d = diagnostics_.error(code, span, message);
    if (!help.empty()) d.help = help;
  }

  const dsl::RuleFile& file_;
  dsl::Sources& sources_;
  dsl::Diagnostics& diagnostics_;
  CompileOptions options_;
  Symbols symbols_;
  Geometry geometry_;
  bool uses_castlers_ = false, uses_expose_ = false; // do the rules?
  std::vector<Sign> drawn_;                          // the picture of the set-up
  bool letters_are_known_ = true; // else a letter of the set-up may be missing for a reason that was told
};

} // namespace

std::shared_ptr<const Program> compile(const dsl::RuleFile& file,
                                       const std::vector<std::pair<std::string, std::string>>& settings,
                                       dsl::Sources& sources, dsl::Diagnostics& diagnostics,
                                       bool& bad_setting, const CompileOptions& options) {
  std::shared_ptr<const Program> program;
  {
    // What is constant is worked out whatever the command has left: rules are the same wherever they are
    // read.
    runtime::Meter meter = runtime::Meter::without_limit();
    const runtime::Meter::Use use(&meter);
    program = Compiler(file, sources, diagnostics, options).compile(settings, bad_setting);
  }
  if (program != nullptr) runtime::Meter::charge(kStepsOfNode * program->nodes.size());
  return program;
}

} // namespace boardwright::interpreter
