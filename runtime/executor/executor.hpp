// The executor: carries out compiled rules. One for each game in progress.
//
// run.hpp has the loop over the operations; changes.hpp those that change pieces, boxes.hpp those on
// directions, lists and maps, drafts.hpp what compares drafts, notation.hpp what writes, turns.hpp positions
// and moves, looks.hpp what searches look at, memo.hpp counts moves that needn't be enumerated.
#pragma once

#include "runtime/codegen/native_code.hpp"
#include "runtime/executor/engine.hpp"
#include "runtime/executor/key_set.hpp"
#include "runtime/executor/memory.hpp"
#include "runtime/executor/move_counts.hpp"
#include "runtime/executor/tables.hpp"
#include "runtime/model/limits.hpp"

#include <array>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::runtime::executor {

// Writing a move, and looking for its like.
inline constexpr std::uint64_t kComparingWork = 32;
// What is copied or compared in one step, at least.
inline constexpr std::uint64_t kBytesPerStep = 16;
// To lay a piece down or take it up, with all that is noted of it.
inline constexpr std::uint64_t kStepsPerPiece = 4;
// To begin a turn of a random game, whatever comes then.
inline constexpr std::uint64_t kStepsOfTurn = codegen::kStepsOfTurn;
// To find any answer at all.
inline constexpr std::uint64_t kStepsOfAnswer = 64;
// To write a move, beside what its rules do.
inline constexpr std::uint64_t kWritingWork = 64;

// What an answer works with and leaves to none, or finds out anew: a copy of an executor begins without it. After a
// position with many thousands of moves it would be most of what there is to copy.
template <class T>
struct Scratch : T {
  Scratch() = default;
  Scratch(const Scratch&) : T() {}
  Scratch& operator=(const Scratch&) = delete;
};

template <int W>
class Executor final : public Engine {
public:
  using Set = Bits<W>;
  using I = ir::Instruction;

  explicit Executor(const Tables<W>& tables);

  void load(const Position& position) override;
  void load_from(const Engine& other) override;
  void count_pieces(std::vector<std::int32_t>& counts) const override;
  [[nodiscard]] CellSet cells_of(int player) const override { return widen<W>(m_.sets[at(player)]); }
  [[nodiscard]] Position position() const override;
  void look(BoardView& view) const override;
  [[nodiscard]] int to_move() const override { return m_.numbers[l_.to_move]; }
  [[nodiscard]] int length() const override { return static_cast<int>(plies_.size()); }
  [[nodiscard]] std::size_t state_bytes() const override;
  [[nodiscard]] std::unique_ptr<Engine> clone() const override {
    auto copy = std::make_unique<Executor>(*this);
    copy->list_ = nullptr; // it is one of ours
    return copy;
  }
  void keep_history() override { keeps_history_ = true; }
  [[nodiscard]] int repetitions() const override { return positions_.count(repetition_key()); }
  tl::expected<Judgement, Fault> judge(Purpose purpose, const Limits* limits) override;
  [[nodiscard]] Script script(std::size_t move) const override;
  void append_labels(std::vector<std::uint64_t>& labels) const override;
  [[nodiscard]] std::uint64_t label(std::size_t move) const override;
  [[nodiscard]] std::size_t list_bytes(std::size_t ply) const override;
  void forget_list(std::size_t ply) override;
  [[nodiscard]] std::uint64_t key() const override { return state_key(); }
  tl::expected<std::optional<Outcome>, Fault> play(const Script& script) override;
  tl::expected<std::optional<Outcome>, Fault> play_listed(std::size_t move) override;
  bool undo() override;
  tl::expected<std::string, Fault> notation(const Script& script) override;
  tl::expected<std::vector<std::string>, Fault> notations(std::size_t moves, std::uint64_t spent) override;
  [[nodiscard]] MoveCells written_cells() const override;
  tl::expected<bool, Fault> captures(std::size_t move) override;
  tl::expected<std::size_t, Fault> find_captures(std::size_t from, const std::int32_t* worth,
                                                 std::vector<Capture>& into, const Limits* limits) override;
  tl::expected<Playout, Fault> playout(Random& random, std::uint32_t max_plies) override;
  tl::expected<Playout, Fault> play_on(Random& random, std::uint32_t max_plies) override;
  [[nodiscard]] std::uint32_t plies_left() const override { return plies_left_; }

  void allow_native(bool allowed) override { native_allowed_ = allowed; }
  [[nodiscard]] bool is_native() const override {
    return native_allowed_ && (native_ != nullptr || native_games_ != nullptr);
  }
  [[nodiscard]] const std::vector<bool>* falls_back() override;
  void count_instructions(std::vector<std::uint64_t>* counts) override { counts_ = counts; }
  void give_up_when(const Patience& patience) override { patience_ = patience; }
  [[nodiscard]] std::uint64_t steps() const override { return static_cast<std::uint64_t>(begun_ - left_); }
  [[nodiscard]] std::uint64_t all_steps() const override { return earlier_steps_ + steps() - spent_; }

private:
  // Moves that were found at one time: all cells of a set, or one; or so many that are only counted (kMany).
  static constexpr std::uint32_t kMany = 0xffffffff;
  struct Record {
    std::uint32_t leaf = 0;
    std::uint32_t values = 0; // where its values (or all its choices) begin in values_
    std::uint64_t before = 0; // moves found before
    Set set;
  };
  struct Ply { // what taking a move back needs
    std::int32_t trail = 0;
    std::uint64_t key = 0, board = 0;
  };
  struct Frame { // a call: where to go on; or registers that are kept
    std::int32_t window = -1;
    std::uint32_t back = 0;
  };

  // --- native.hpp
  void run(std::uint32_t pc);
  void run_counted(std::uint32_t pc);
  bool make_native();
  bool make_native_games();
  static const void* step(void* executor, std::uint32_t index) noexcept;
  template <class F>
  static const void* safely(Executor& e, F&& work) noexcept;
  static bool make_room(void* executor) noexcept;
  static bool take_stock_of(void* executor) noexcept;
  template <ir::Op op>
  static const void* step_alone(void* executor, std::uint32_t index) noexcept;
  static codegen::Surroundings::Step step_of(ir::Op op);
  static std::uint64_t draw(void* executor) noexcept;
  [[nodiscard]] codegen::Surroundings surroundings(bool random_games) const;

  // --- run.hpp
  void interpret(std::uint32_t pc);
  bool carry_out(const I& i, std::uint32_t& pc, Set* s, std::int32_t* n);
  void run_code(std::uint32_t pc);
  bool in_row(const I& i) const;
  void flood(const I& i);
  [[nodiscard]] Set stepped(const Set& from, int step, bool back);
  [[nodiscard]] Set seen(const I& i, bool with_last) const;
  [[nodiscard]] Set between(const I& i) const;
  [[nodiscard]] Set run_on(const I& i);
  [[nodiscard]] Set run_shifted(const I& i) const;
  bool recall(const I& i);
  void remember(const I& i);
  [[nodiscard]] std::uint64_t* memo_slot(int memo, int a, int b);
  void keep(std::int32_t window);
  void restore();
  bool work(std::uint64_t steps, const I& i) {
    left_ -= static_cast<std::int64_t>(steps);
    return left_ >= 0 || take_stock(i);
  }
  // The same, where nobody looks until the next round of a loop.
  void charge(std::uint64_t steps) { left_ -= static_cast<std::int64_t>(steps); }
  [[nodiscard]] std::uint64_t steps_of_state() const;
  bool take_stock(const I& i); // stock.hpp
  void stop(const I& i);
  void begin_answer(std::uint64_t spent = 0);
  void give_back();
  [[nodiscard]] std::size_t bytes_of_boxes();
  [[nodiscard]] std::size_t bytes();
  [[nodiscard]] bool is_over() const;
  void fail(const I& i, std::string message);
  [[nodiscard]] int next_cell(int cell, int step) const { return t_.to[at(step) * at(l_.cells) + at(cell)]; }

  // --- changes.hpp
  void set_code(int cell, std::uint8_t code);
  [[nodiscard]] std::uint8_t top(int cell) const;
  [[nodiscard]] std::uint8_t code_of_sets(int cell) const;
  [[nodiscard]] int height_of(int cell) const { return m_.heights[at(cell)]; }
  void set_owner_and_kind(int cell, std::uint8_t old, std::uint8_t now);
  void push(int cell, std::uint8_t code, const I& i);
  void shorten(int cell, int height);
  bool lift_some(const I& i);
  bool put_some(const I& i);
  bool discard(const I& i);
  void remove(const I& i);
  bool drop(const I& i);
  bool change(const I& i);
  bool move_by(const I& i);
  void write_hand(const I& i);
  void note_gone(int cell);
  [[nodiscard]] int dropped_owner(const ir::DropTable& table, int kind) const;
  [[nodiscard]] std::int32_t pieces_on(const I& i);

  // --- boxes.hpp
  void box_operation(const I& i);
  void steps_operation(const I& i);
  void unite(Box<W>& d, const Box<W>& a, const Box<W>& b);
  [[nodiscard]] Set rectangle(int a, int b) const;
  [[nodiscard]] Set box(int a, int b, int apart) const;
  [[nodiscard]] Set image(const Set& set, const CellMap& map);
  [[nodiscard]] Set displaced(const Set& set, int dx, int dy); // images.hpp
  [[nodiscard]] Set scaled(const Set& set, const Set& about, ir::Scale scale);
  [[nodiscard]] Set fitting(const Set& set, const Set& pivots, const Set& goals, std::int32_t by);
  bool is_new(std::uint64_t key);
  void limit_list(const I& i, std::size_t members);
  [[nodiscard]] int bend(const I& i);

  // --- drafts.hpp
  [[nodiscard]] std::size_t board_sets() const;
  [[nodiscard]] const Set& plane(const PieceValue& value, int bit) const;
  [[nodiscard]] codegen::KeyParts key_parts() const;
  [[nodiscard]] std::uint64_t board_key() const;
  [[nodiscard]] std::uint64_t state_key() const { return state_key(board_key()); }
  [[nodiscard]] std::uint64_t state_key(std::uint64_t board) const;
  // The same without clocks: what repetition compares.
  [[nodiscard]] std::uint64_t repetition_key() const { return repetition_key(board_key()); }
  [[nodiscard]] std::uint64_t repetition_key(std::uint64_t board) const;
  [[nodiscard]] std::uint64_t draft_key(int key, bool same_state = false) const;
  [[nodiscard]] std::uint64_t steps_of_draft(int key) const;
  [[nodiscard]] std::int32_t repeats(bool at_beginning) const;
  [[nodiscard]] std::int32_t board_repeats(bool moving) const;
  [[nodiscard]] bool changed() const;
  bool path_enter(const I& i);
  bool visit(const I& i);
  void note_outcome(const I& i);
  bool keeps_outcome(const I& i);
  void snapshot();
  void swap_with_beginning();

  // --- notation.hpp
  void write_text(std::string_view text, const I& i);
  void write_cells(const Set& set, const I& i);
  void say(const I& i);
  void say_gone(const I& i);
  void say_drop(const I& i);

  // --- turns.hpp
  void found(const I& i, const Set& set);
  void found_one(const I& i);
  void found_once(const I& i);
  void note(const I& i, const Set& set, std::uint64_t count);
  void begin_best(std::int32_t* found);
  void forget_moves(const std::int32_t* found);
  void end_best(const I& i);
  void write_choices(const I& i);
  [[nodiscard]] std::int32_t value_of(const ir::Choice& c) const;
  std::int32_t open_value(const ir::Choice& choice, int cell) const;
  struct List {
    Buffer<Record> records;
    Buffer<std::int32_t> values;
    [[nodiscard]] std::size_t bytes() const {
      return records.size() * sizeof(Record) + values.size() * sizeof(std::int32_t);
    }
  };
  // A copy lists anew what it needs.
  struct Lists : std::vector<List> {
    Lists() : std::vector<List>(1) {}
    Lists(const Lists&) : Lists() {}
    Lists& operator=(const Lists&) = delete;
  };
  [[nodiscard]] bool must_stop(std::uint64_t found) const;
  [[nodiscard]] bool one_is_left() const;
  [[nodiscard]] std::pair<const Record*, int> move_at(const List& list, std::uint64_t n) const;
  std::uint32_t pick();
  std::uint32_t take_move(const Record& record, int cell);
  std::uint32_t take_found();
  void unwind();
  void forget_calls();

  // --- looks.hpp
  void begin_view(BoardView& view) const;
  void look_at_stacks(BoardView& view) const;

  // --- memo.hpp
  [[nodiscard]] std::uint64_t memo_key(int key) const;
  bool memo_enter(const I& i);
  void memo_leave(const I& i);
  void note_many(const I& i, std::uint64_t count);
  void begin_turn(const I& i);
  void begin_comparing(const I& i);
  void end_turn();
  void lose(const I& i);
  void decide_score(const I& i);
  bool put_out(const I& i);
  [[nodiscard]] Set of_others() const;
  [[nodiscard]] bool may_capture(const List& list, const Record& record, int cell, const Set& others) const;
  [[nodiscard]] int named(const NamedCell& named, const List& list, const Record& record, int cell) const;
  tl::expected<bool, Fault> try_capture(const Record& record, int cell, const std::int32_t* worth,
                                        Capture& capture);
  void weigh(const Set& cells, const std::int32_t* worth, int mover, int sign, Capture& capture) const;
  [[nodiscard]] int next_player(int after) const;
  [[nodiscard]] std::optional<Outcome> decided() const;
  void set_choices(const List& list, const Record& record, int cell);
  [[nodiscard]] std::uint64_t label_of(const List& list, const Record& record) const;
  [[nodiscard]] static std::uint64_t label_with(std::uint64_t label, int cell);
  [[nodiscard]] int after_turn() const;
  void forget_past();
  void note_start();
  void reset();
  [[nodiscard]] CellSet renumbered(const CellSet& cells) const;
  [[nodiscard]] Stack stack_on(int cell) const;
  tl::expected<std::optional<Outcome>, Fault> play_from(std::uint32_t entry);
  [[nodiscard]] std::optional<Fault> write(const Script& script);
  [[nodiscard]] tl::unexpected<Fault> take_fault();
  void reset_draft();

  const Tables<W>& t_;
  const ir::Code& code_;
  const ir::Layout& l_;
  const codegen::NativeCode* native_ = nullptr;
  const codegen::NativeCode* native_games_ = nullptr;
  const codegen::NativeCode* running_ = nullptr; // either
  bool native_allowed_ = true;
  std::vector<std::uint64_t>* counts_ = nullptr; // of instructions; null: they aren't counted
  // By memo and slot: the cells and one more, as a number, then the words of the set. A copy begins anew.
  struct Memos : Buffer<std::uint64_t> {
    Memos() = default;
    Memos(const Memos& other) : Buffer() { begin_empty(other.size()); }
    Memos& operator=(const Memos&) = delete;
    void begin_empty(std::size_t size) {
      resize(size);
      std::fill(begin(), end(), 0);
    }
  } memos_;
  std::uint8_t *heights_ = nullptr, *air_ = nullptr; // of the memory, for native code
  Memory<W> m_;
  Buffer<Frame> stack_;
  Buffer<Set> kept_sets_; // of the stack's windows
  Buffer<std::int32_t> kept_numbers_;
  std::vector<Box<W>> kept_boxes_;
  std::size_t kept_box_count_ = 0;
  Buffer<std::int32_t> choices_; // of the draft that is followed
  Buffer<std::uint64_t> path_;
  Scratch<std::vector<KeyCounts>> places_; // of visit, distinct
  std::size_t place_count_ = 0;
  struct Outcomes { // of `distinct`
    struct Best {
      std::size_t begin, size; // its notation, of the texts
      bool passed = false;
    };
    MoveCounts places; // by draft: which of the best
    std::vector<Best> best;
    std::string texts;

    void clear() { places.clear(), best.clear(), texts.clear(); }
    [[nodiscard]] std::size_t bytes() const {
      constexpr std::size_t kWhileItGrows = 3; // the old ones and twice as many new ones
      return kWhileItGrows * (places.bytes() + best.size() * sizeof(Best) + texts.size());
    }
    [[nodiscard]] std::string_view text(const Best& b) const {
      return std::string_view(texts).substr(b.begin, b.size);
    }
  };
  Scratch<std::vector<Outcomes>> outcomes_;
  Text text_;
  Box<W> scratch_box_;
  std::vector<std::array<int, 3>> arriving_; // of move_by
  std::vector<std::uint8_t> carried_;

  Purpose purpose_ = Purpose::list;
  std::uint64_t total_ = 0;
  Lists lists_; // by ply
  List* list_ = nullptr;
  Scratch<KeyCounts> once_;
  bool alike_ = false;                       // two moves have the same notation
  bool seeking_best_ = false;                // of the moves that are being found only the best will count
  std::array<std::int32_t, 3> best_found_{}; // before them: moves, records, values
  Scratch<Buffer<std::uint64_t>> best_keys_; // by which they were compared
  int full_turns_ = 0;                       // for so many turns results are compared too

  // How many moves come from a place of the code with such numbers in the registers. It holds for good.
  struct Memo {
    struct Entry {
      std::uint64_t key = 0, before = 0;
      bool picks = false;
    };
    MoveCounts known;        // by a few numbers
    std::vector<Entry> open; // whose moves are being counted
  };
  Scratch<Memo> memo_;
  bool may_memo_ = true;     // no stack can become too high
  std::uint64_t target_ = 0; // of Purpose::find

  int mover_ = 0;
  std::int32_t turn_mark_ = 0; // of the trail, where a turn begins
  Memory<W> beginning_;        // the state at the beginning of the turn
  bool viewing_ = false;       // it has changed places with the state
  // The steps of an answer are counted down, a stretch at a time; `begun_` is what `left_` would have been
  // when the answer began, had there been one stretch.
  std::int64_t left_ = 0, begun_ = 0;
  std::uint64_t spent_ = 0, earlier_steps_ = 0; // before this answer: on its behalf; for others
  std::exception_ptr escaped_;     // there was no memory; thrown again once everything is as before
  void* native_stack_ = nullptr;   // where native code leaves it from any depth
  std::uint32_t stock_at_ = 0;     // the instruction of native code at which stock is taken
  std::size_t kept_box_bytes_ = 0; // of the boxes that calls keep, beside themselves
  std::optional<Fault> fault_;
  const Limits* limits_ = nullptr; // of the list that is made
  bool stopped_ = false;           // by them
  bool took_stock_ = false;        // for this answer
  Patience patience_;
  int said_from_ = -1, said_to_ = -1; // cells that the notation has come by

  // of the move that is played
  Buffer<Set> before_try_; // of the players: their cells
  std::size_t script_next_ = 0;
  Buffer<std::int32_t> played_;
  int open_ = -1;

  // of a random game
  Random* random_ = nullptr;
  const std::int32_t* given_ = nullptr; // the values (or choices) of the move that is played, for native code
  std::uint32_t plies_left_ = 0;
  std::array<std::uint64_t, codegen::kMostInOrder> before_{}; // of native code: see there
  std::uint64_t playout_moves_ = 0;
  bool running_game_ = false;

  std::vector<Ply> plies_;
  bool keeps_history_ = false;
  KeyCounts positions_, boards_;
  std::optional<Outcome> ended_; // by the last move, or by an end line
  std::vector<std::int32_t> shares_;
  std::uint64_t key_at_beginning_ = 0, board_at_beginning_ = 0;
  std::size_t outcome_count_ = 0;
  Memory<W> start_; // the loaded position
};

} // namespace boardwright::runtime::executor
