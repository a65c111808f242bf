#include "runtime/game/inspect.hpp"

#include "runtime/game/compiled.hpp"
#include "runtime/game/large_stack.hpp"
#include "runtime/game/line.hpp"
#include "runtime/ir/print.hpp"
#include "runtime/normalize/print.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace boardwright::runtime {

namespace {

// Counting is slow: enough plies for a share, and few enough for a moment.
constexpr int kCountedGames = 10;
constexpr std::uint32_t kCountedPlies = 200; // of a game
constexpr std::uint64_t kEnoughCounted = 5'000'000;

void add_once(std::vector<std::string>& places, std::string place) {
  if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(std::move(place));
}

void add_fall_back(Inspection& found, const Rules::Compiled& compiled, const std::vector<bool>& falls_back) {
  std::map<ir::Op, FallBack> by_operation;
  for (std::size_t k = 0; k < falls_back.size(); ++k) {
    if (!falls_back[k]) continue;
    const ir::Instruction& i = compiled.code.instructions[k];
    FallBack& entry = by_operation[i.op];
    ++entry.instructions;
    add_once(entry.places, ir::place_in(compiled.lowered, i.origin));
  }
  for (auto& [op, entry] : by_operation) {
    entry.operation = ir::about(op).name;
    entry.what = ir::description_of(op);
    found.falling_back += entry.instructions;
    found.fall_back.push_back(std::move(entry));
  }
  std::stable_sort(found.fall_back.begin(), found.fall_back.end(),
                   [](const FallBack& a, const FallBack& b) { return a.instructions > b.instructions; });
}

// Code::sets and so on count room for constants that aren't there, too.
void count_registers(Inspection& found, const ir::Code& code) {
  std::map<char, std::set<ir::Reg>> named;
  for (const ir::Instruction& i : code.instructions) {
    const std::string_view roles = ir::about(i.op).roles;
    const ir::Reg operands[] = {i.d, i.a, i.b, i.c};
    for (std::size_t k = 0; k < 4; ++k) named[roles[k]].insert(operands[k]);
  }
  const auto all = [&](std::string_view roles) {
    std::set<ir::Reg> together;
    for (const char role : roles) together.insert(named[role].begin(), named[role].end());
    return together.size();
  };
  found.sets = all("SsW");
  found.numbers = all("NnM");
  found.boxes = all("Bb");
}

} // namespace

Inspection inspect(const Rules& rules) {
  const Rules::Compiled& compiled = rules.compiled();
  const ir::Code& code = compiled.code;
  Inspection found;
  found.problem = rules.problem();
  if (!found.problem.empty()) return found;
  found.cells = code.layout.cells;
  found.words = code.layout.words;
  found.mailbox = code.layout.mailbox;
  found.stacks = code.layout.stacks;
  found.instructions = code.instructions.size();
  found.leaves = code.leaves.size();
  count_registers(found, code);
  found.compares = code.compares;
  for (const ir::Instruction& i : code.instructions)
    if (i.op == ir::Op::leaf_once) add_once(found.compared_at, ir::place_in(compiled.lowered, i.origin));
  const auto engine = compiled.tables->engine();
  const std::vector<bool>* const falls_back = engine->falls_back();
  found.native = falls_back != nullptr;
  if (found.native) add_fall_back(found, compiled, *falls_back);
  return found;
}

std::string normal_form(const Rules& rules, int player) {
  std::string text;
  on_large_stack([&] { text = print_lines(rules.compiled().lowered, player); });
  return text;
}

// The code of one player stands behind that of the one before.
std::string compiled_form(const Rules& rules, int player) {
  const Rules::Compiled& compiled = rules.compiled();
  if (compiled.code.too_large) return {};
  const auto& players = compiled.code.players;
  const auto p = static_cast<std::size_t>(player);
  const std::size_t end =
      p + 1 < players.size() ? players[p + 1].position : compiled.code.instructions.size();
  return ir::print(compiled.lowered, compiled.code, players[p].position, end);
}

std::optional<double> measured_fall_back(const Rules& rules) {
  const Rules::Compiled& compiled = rules.compiled();
  if (compiled.code.too_large) return std::nullopt;
  const auto engine = compiled.tables->engine();
  const std::vector<bool>* const falls_back = engine->falls_back();
  if (falls_back == nullptr) return std::nullopt;
  std::vector<std::uint64_t> counts;
  engine->count_instructions(&counts);
  engine->load(rules.program().initial);
  std::uint64_t all = 0, fallen = 0;
  for (int game = 0; game < kCountedGames && all < kEnoughCounted; ++game) {
    Random random(static_cast<std::uint64_t>(game + 1));
    if (!engine->playout(random, kCountedPlies)) return std::nullopt;
    all = fallen = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
      all += counts[k];
      if ((*falls_back)[k]) fallen += counts[k];
    }
  }
  return all == 0 ? 0 : static_cast<double>(fallen) / static_cast<double>(all);
}

tl::expected<std::uint64_t, Fault> label_of_move(Game& game, std::uint32_t move) {
  return label_in(game, move);
}

tl::expected<std::vector<std::vector<std::int32_t>>, Fault> choices_of_moves(Game& game) {
  std::vector<std::uint64_t> labels;
  // Whatever the engine was asked for before, it has the list from then on.
  if (const auto listed = game.append_labels(labels); !listed) return tl::unexpected(listed.error());
  std::vector<std::vector<std::int32_t>> choices;
  for (std::size_t move = 0; move < labels.size(); ++move) choices.push_back(engine_of(game)->script(move));
  return choices;
}

} // namespace boardwright::runtime
