#include "tests/fuzz/common.hpp"

#include "interpreter/notation/fen.hpp"
#include "interpreter/notation/position_text.hpp"
#include "runtime/game/large_stack.hpp"
#include "runtime/game/playout.hpp"
#include "runtime/reference/walker.hpp"
#include "tools/games/position_json.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace boardwright::fuzz {
namespace {

// What is done with the moves of a position that has this many would take longer than all the rest.
constexpr std::size_t kMaxMoves = 3'000;
constexpr std::uint64_t kLightSteps = 4'000; // of the walker
constexpr std::uint64_t kHeavyOneIn = 64;    // so many positions that are not light are looked at

bool same(const runtime::Position& a, const runtime::Position& b) {
  const auto same_value = [](const runtime::VariableValue& x, const runtime::VariableValue& y) {
    return x.number == y.number && x.cells == y.cells;
  };
  return a.cells == b.cells && a.hands == b.hands && a.to_move == b.to_move && a.ply == b.ply &&
         a.turns == b.turns && a.out == b.out &&
         std::equal(a.variables.begin(), a.variables.end(), b.variables.begin(), b.variables.end(),
                    same_value);
}

runtime::Position read_again(const std::shared_ptr<const runtime::Rules>& rules, const std::string& text) {
  const auto read = interpreter::read_position(rules, "position", text);
  claim(read.game.has_value(), "what was written is read again: " + text + "\n" + read.errors());
  return read.game->position();
}

std::string indented(std::string_view text, std::string_view blanks) {
  std::string result(blanks);
  for (const char c : text) {
    result += c;
    if (c == '\n') result += blanks;
  }
  return result;
}

} // namespace

void claim(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "this does not hold: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

int run(const std::uint8_t* data, std::size_t size, void (*work)(std::string_view bytes)) {
  const std::string bytes(data, data + size);
  runtime::on_large_stack([&] { work(bytes); });
  return 0;
}

std::size_t choice(std::string_view& bytes, std::size_t count) {
  if (bytes.empty()) return 0;
  const auto first = static_cast<unsigned char>(bytes.front());
  bytes.remove_prefix(1);
  return first % count;
}

std::uint64_t hash_of(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325; // FNV-1a, and a round of mixing
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash ^ (hash >> 29);
}

void claim_answer(const interpreter::Loaded& loaded) {
  claim(loaded.diagnostics.has_errors() != static_cast<bool>(loaded), "there are rules, or else errors");
  for (const dsl::Diagnostic& d : loaded.diagnostics.all()) {
    claim(!d.message.empty() && !d.code.name().empty(), "a message says something and has a name");
    claim(d.span.file < loaded.sources.size() && d.span.begin <= d.span.end &&
              d.span.end <= loaded.sources.text(d.span.file).size(),
          "a message has a place: " + d.message);
  }
  claim(loaded.errors().empty() == loaded.diagnostics.all().empty(), "every message is written");
}

std::shared_ptr<const runtime::Rules> rules_of(const std::string& text) {
  const auto loaded = interpreter::load_text("game.yaml", text);
  claim_answer(loaded);
  return loaded.rules;
}

bool is_light(const runtime::Game& game) {
  const runtime::Walker walker(game.rules().program(), kLightSteps);
  const auto moves = walker.derive(game.position(), {});
  return moves && moves->size() <= kMaxMoves;
}

void write_and_read(const std::shared_ptr<const runtime::Rules>& rules, const runtime::Position& position) {
  const std::string json = tools::write_position(rules->program(), position);
  claim(same(read_again(rules, json), position), "JSON gives the same position: " + json);
  const auto fen = interpreter::write_fen(rules->program(), position);
  if (!fen) return;
  // Counters that no rule asks for are not in it.
  claim(read_again(rules, *fen).same_as(position), "a FEN gives the same position: " + *fen);
}

void look_at(runtime::Game& game, std::uint64_t lot) {
  if (lot % kHeavyOneIn != 0 && !is_light(game)) return;
  const auto outcome = game.outcome();
  if (!good(outcome)) return;
  const auto moves = game.moves();
  if (!good(moves)) return;
  claim(outcome->has_value() == moves->empty(), "a game that goes on has moves, one that is over has none");
  const std::size_t count = moves->size();
  if (count == 0 || count > kMaxMoves) return;
  const auto notations = game.notations();
  if (good(notations)) {
    claim(notations->size() == count, "every move has a notation");
    const auto found = game.find(notations->back());
    claim(good(found) && found->has_value(), "a move is found by its notation: " + notations->back());
  }
  const runtime::Position before = game.position();
  if (good(game.play((*game.moves())[lot % count]))) {
    (void)good(game.outcome());
    claim(game.undo(), "a move is taken back");
  }
  claim(same(game.position(), before), "it is as it was before the move");
}

void look_at(const std::shared_ptr<const runtime::Rules>& rules, std::uint64_t lot) {
  runtime::Game game(rules);
  look_at(game, lot);
  write_and_read(rules, game.position());
  if (lot % kHeavyOneIn != 0 && !is_light(game)) return;
  runtime::PlayoutOptions options;
  options.count = 1;
  options.max_plies = 8;
  options.native = lot % 2 == 0;
  (void)good(runtime::playouts(rules, options));
}

const std::vector<std::string>& game_names() {
  static const std::vector<std::string> names{"tak",   "tablut", "tempo",       "havannah",
                                              "chess", "shogi",  "intermedium", "oware"};
  return names;
}

const std::vector<std::shared_ptr<const runtime::Rules>>& games() {
  static const auto loaded = [] {
    std::vector<std::shared_ptr<const runtime::Rules>> all;
    for (const std::string& name : game_names()) {
      all.push_back(interpreter::load(name).rules);
      claim(all.back() != nullptr, "a bundled game loads: " + name);
    }
    return all;
  }();
  return loaded;
}

std::string completed(std::string_view frame, std::string_view rules) {
  const std::size_t separator = rules.find(kSeparator);
  std::string text(frame);
  text += "turn: |2\n" + indented(rules.substr(0, separator), "  ") + "\nend:\n";
  if (separator != std::string_view::npos)
    text += "  - |2\n" + indented(rules.substr(separator + 1), "    ") + "\n";
  return text + "  - lose when no move\n";
}

} // namespace boardwright::fuzz
