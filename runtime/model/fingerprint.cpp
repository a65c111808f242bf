// Entry points: fingerprint, fingerprint_text.
#include "runtime/model/fingerprint.hpp"

#include "runtime/model/operations.hpp"
#include "runtime/model/random.hpp"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>
#include <vector>

namespace boardwright::runtime {
namespace {

class Hash {
public:
  Hash& add(std::uint64_t number) { return value_ = chain(value_, number), *this; }
  Hash& add(std::int32_t number) {
    return add(static_cast<std::uint64_t>(static_cast<std::int64_t>(number)));
  }
  Hash& add(std::string_view text) {
    add(std::uint64_t{text.size()});
    for (const char c : text) add(std::uint64_t{static_cast<unsigned char>(c)});
    return *this;
  }
  template <int Words>
  Hash& add(const Bits<Words>& set) {
    set.each([this](int member) { add(member); });
    return add(std::int32_t{-1});
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

private:
  std::uint64_t value_ = 0;
};

// Trees by their content: neither the numbers of nodes nor those of constants count.
class Trees {
public:
  explicit Trees(const Program& program) : program_(program) {}

  // Without recursion: rules may be nested deeply.
  std::uint64_t of(NodeId root) {
    if (root == kNoNode) return 0;
    std::vector<NodeId> open{root};
    while (!open.empty()) {
      const NodeId id = open.back();
      const std::size_t before = open.size();
      for (const NodeId kid : program_.kids_of(program_.nodes[id]))
        if (!known_.contains(kid)) open.push_back(kid);
      if (open.size() > before) continue;
      open.pop_back();
      if (!known_.contains(id)) known_.emplace(id, node(program_.nodes[id]));
    }
    return known_.at(root);
  }

private:
  [[nodiscard]] std::uint64_t node(const Node& n) const {
    Hash hash;
    hash.add(name_of(n.op)).add(static_cast<std::int32_t>(n.type));
    const Operation& o = about(n.op);
    const auto index = static_cast<std::size_t>(n.a);
    if (o.a == Operand::cell_set)
      hash.add(program_.cell_sets[index]);
    else if (o.a == Operand::step_set)
      hash.add(program_.step_sets[index]);
    else if (o.a == Operand::text)
      hash.add(program_.texts[index]);
    else if (o.a != Operand::none || o.b != Operand::frame)
      hash.add(n.a);
    if (o.b == Operand::frame)
      frame(n, hash);
    else if (!is_pooled(o.a))
      hash.add(n.b);
    for (const NodeId kid : program_.kids_of(n)) hash.add(known_.at(kid));
    return hash.value();
  }
  // An operand whose number says nothing: what it stands for does.
  static bool is_pooled(Operand a) {
    return a == Operand::cell_set || a == Operand::step_set || a == Operand::text;
  }
  void frame(const Node& n, Hash& hash) const {
    for (const std::uint32_t slot : program_.frames[static_cast<std::size_t>(n.b)])
      hash.add(std::uint64_t{slot});
  }

  const Program& program_;
  std::unordered_map<NodeId, std::uint64_t> known_;
};

void add_board(const Board& board, Hash& hash) {
  hash.add(std::int32_t{board.hexes}).add(std::int32_t{board.stacks}).add(std::int32_t{board.slant_right});
  hash.add(board.files).add(board.ranks).add(board.cells);
  if (board.endless()) hash.add(board.reach);
  for (std::size_t i = 0; i < board.name.size(); ++i) hash.add(board.name[i]).add(board.x[i]).add(board.y[i]);
  for (const Step& step : board.steps) {
    hash.add(step.dx).add(step.dy).add(step.track).add(std::int32_t{step.reversed});
    for (const std::int16_t to : step.to) hash.add(std::int32_t{to});
  }
  for (const Curve& curve : board.curves)
    hash.add(std::int32_t{curve.from})
        .add(std::int32_t{curve.leaving})
        .add(std::int32_t{curve.to})
        .add(std::int32_t{curve.heading});
}

void add_pieces(const Program& program, Hash& hash) {
  for (const Kind& kind : program.kinds) {
    hash.add(kind.name);
    for (const char letter : kind.letter) hash.add(std::int32_t{letter});
  }
  for (const Variable& variable : program.variables)
    hash.add(variable.name)
        .add(variable.player)
        .add(static_cast<std::int32_t>(variable.type))
        .add(std::int32_t{variable.clock});
  for (const auto& slots : program.hand_slot)
    for (const int slot : slots) hash.add(slot);
}

void add_position(const Position& position, Hash& hash) {
  for (const Stack& stack : position.cells) {
    hash.add(std::uint64_t{stack.size()});
    for (const Piece piece : stack) hash.add(std::int32_t{piece.owner}).add(std::int32_t{piece.kind});
  }
  for (const std::int32_t count : position.hands) hash.add(count);
  for (const VariableValue& value : position.variables) hash.add(value.number).add(value.cells);
  hash.add(position.to_move).add(std::uint64_t{position.out}).add(position.ply);
  for (const std::int32_t turns : position.turns) hash.add(turns);
}

void add_player(const Player& player, Trees& trees, Hash& hash) {
  hash.add(player.name).add(player.dx).add(player.dy).add(trees.of(player.turn));
  for (const EndLine& line : player.end) {
    hash.add(static_cast<std::int32_t>(line.verdict)).add(trees.of(line.condition)).add(line.winner);
    for (const NodeId score : line.score) hash.add(trees.of(score));
    if (line.verdict == Verdict::share) hash.add(line.result);
  }
}

} // namespace

std::uint64_t fingerprint(const Program& program) {
  Hash hash;
  Trees trees(program);
  add_board(program.board, hash);
  add_pieces(program, hash);
  add_position(program.initial, hash);
  for (const Player& player : program.players) add_player(player, trees, hash);
  return hash.value();
}

std::string fingerprint_text(std::uint64_t number) { return fmt::format("{:016x}", number); }

} // namespace boardwright::runtime
