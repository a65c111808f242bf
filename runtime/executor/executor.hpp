// The executor: what a game asks, answered by a machine that carries out compiled rules. One for each game in
// progress.
//
// machine.hpp has what operations work on, and says where they are; position.hpp sets positions up and tells
// them, answers.hpp derives and plays moves, looks.hpp is what searches look at.
#pragma once

#include "runtime/executor/machine.hpp"

#include <memory>
#include <string>
#include <vector>

namespace boardwright::runtime::executor {

template <int W>
class Executor final : public Engine {
public:
  explicit Executor(const Tables<W>& tables);

  void load(const Position& position) override;
  void load_from(const Engine& other) override;
  void count_pieces(std::vector<std::int32_t>& counts) const override;
  [[nodiscard]] CellSet cells_of(int player) const override { return widen<W>(m_.sets[at(player)]); }
  [[nodiscard]] Position position() const override;
  void look(BoardView& view) const override;
  [[nodiscard]] int to_move() const override { return m_.to_move(); }
  [[nodiscard]] std::int32_t number_in(int variable) const override { return m_.numbers[at(variable)]; }
  [[nodiscard]] int length() const override { return static_cast<int>(plies_.size()); }
  [[nodiscard]] std::size_t state_bytes() const override;
  [[nodiscard]] std::unique_ptr<Engine> clone() const override {
    auto copy = std::make_unique<Executor>(*this);
    copy->m_.list = nullptr; // it is one of ours
    return copy;
  }
  void keep_history() override { keeps_history_ = true; }
  [[nodiscard]] int repetitions() const override { return m_.positions.count(repetition_key(m_)); }
  tl::expected<Judgement, Fault> judge(Purpose purpose, const Limits* limits) override;
  [[nodiscard]] Script script(std::size_t move) const override;
  [[nodiscard]] CellSet chosen_cells() const override;
  void append_labels(std::vector<std::uint64_t>& labels) const override;
  [[nodiscard]] std::uint64_t label(std::size_t move) const override;
  [[nodiscard]] std::size_t list_bytes(std::size_t ply) const override;
  void forget_list(std::size_t ply) override;
  [[nodiscard]] std::uint64_t key() const override { return state_key(m_); }
  tl::expected<std::optional<Outcome>, Fault> play(const Script& script) override;
  tl::expected<std::optional<Outcome>, Fault> play_listed(std::size_t move) override;
  void skip_turn() override;
  bool undo() override;
  tl::expected<std::string, Fault> notation(const Script& script) override;
  tl::expected<std::vector<std::string>, Fault> notations(std::size_t moves, std::uint64_t spent) override;
  [[nodiscard]] MoveCells written_cells() const override;
  tl::expected<bool, Fault> captures(std::size_t move) override;
  tl::expected<std::size_t, Fault> find_captures(std::size_t from, const std::int32_t* worth,
                                                 std::vector<Capture>& into, const Limits* limits) override;
  tl::expected<Playout, Fault> playout(Random& random, std::uint32_t max_plies) override;
  tl::expected<Playout, Fault> play_on(Random& random, std::uint32_t max_plies) override;
  [[nodiscard]] std::uint32_t plies_left() const override { return m_.plies_left; }

  void allow_native(bool allowed) override { m_.native_allowed = allowed; }
  [[nodiscard]] bool is_native() const override {
    return m_.native_allowed && (m_.native != nullptr || m_.native_games != nullptr);
  }
  [[nodiscard]] const std::vector<bool>* falls_back() override;
  void count_instructions(std::vector<std::uint64_t>* counts) override { m_.counts = counts; }
  // For a price of steps (price.hpp): counts instructions, and puts steps on the account as they are counted.
  void measure(std::vector<std::uint64_t>& counts) { m_.counts = &counts, m_.priced = false; }
  void give_up_when(const Patience& patience) override { m_.patience = patience; }
  [[nodiscard]] std::uint64_t steps() const override { return m_.steps(); }
  [[nodiscard]] std::uint64_t all_steps() const override { return m_.all_steps(); }

private:
  struct Ply { // what taking a move back needs
    std::int32_t trail = 0;
    std::uint64_t key = 0, board = 0;
  };
  // A copy lists anew what it needs.
  struct Lists : std::vector<MoveList<W>> {
    Lists() : std::vector<MoveList<W>>(1) {}
    Lists(const Lists&) : Lists() {}
    Lists& operator=(const Lists&) = delete;
  };

  void charge_code(std::uint64_t times);
  void forget_past();
  void note_start();
  void reset();
  // The list of the present position.
  [[nodiscard]] const MoveList<W>& listed() const { return lists_[plies_.size()]; }
  [[nodiscard]] Ply begin_ply();
  void end_ply(const Ply& ply);
  tl::expected<std::optional<Outcome>, Fault> play_from(std::uint32_t entry);
  [[nodiscard]] std::optional<Fault> write(const Script& script);
  tl::expected<bool, Fault> try_capture(const Record<W>& record, int cell, const std::int32_t* worth,
                                        Capture& capture);

  Machine<W> m_;
  Lists lists_; // by ply
  std::vector<Ply> plies_;
  bool keeps_history_ = false;
  std::optional<Outcome> ended_; // by the last move, or by an end line
  Memory<W> start_;              // the loaded position
  Buffer<Bits<W>> before_try_;   // of the players: their cells
};

} // namespace boardwright::runtime::executor
