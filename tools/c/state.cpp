// Games under way, as C has them.
#include "interpreter/notation/fen.hpp"
#include "interpreter/notation/position_text.hpp"
#include "runtime/game/perft.hpp"
#include "runtime/game/playout.hpp"
#include "runtime/model/meter.hpp"
#include "runtime/model/shares.hpp"
#include "tools/c/handles.hpp"
#include "tools/drawing/board_text.hpp"
#include "tools/games/game_choice.hpp"
#include "tools/games/position_json.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>
#include <utility>

namespace boardwright::c {

static_assert(BW_MAX_POSITION_BYTES == tools::kMaxPositionBytes);

namespace {

using runtime::MoveList;

constexpr const char* kNullArgument = "an argument is NULL";
// More threads than any machine has use for are a mistake of the caller's.
constexpr int kMostThreads = 1024;

// A call that asks a state: nothing of it is NULL.
template <class F>
bw_status ask(const void* state, const void* place, char** error, F&& f) {
  return carry_out(error, [&]() -> Answer {
    if (state == nullptr || place == nullptr) return refuse(BW_INVALID, kNullArgument);
    return f();
  });
}

tl::expected<MoveList, Failure> moves_of(bw_state& state) {
  auto moves = state.game.moves();
  if (!moves) return refuse(*state.data, moves.error());
  return *moves;
}

tl::expected<runtime::Move, Failure> move_of(bw_state& state, std::size_t move) {
  const auto moves = moves_of(state);
  if (!moves) return tl::unexpected(moves.error());
  if (move >= moves->size()) return refuse(BW_INVALID, "there is no move of this number");
  return (*moves)[move];
}

tl::expected<runtime::Move, Failure> move_of(bw_state& state, const char* text) {
  if (const auto moves = moves_of(state); !moves) return tl::unexpected(moves.error());
  const auto found = state.game.find(text);
  if (!found) return refuse(*state.data, found.error());
  if (!*found) return refuse(BW_ILLEGAL, "there is no legal move `" + std::string(text) + "`");
  return **found;
}

tl::expected<std::optional<runtime::Outcome>, Failure> outcome_of(bw_state& state) {
  auto outcome = state.game.outcome();
  if (!outcome) return refuse(*state.data, outcome.error());
  return *outcome;
}

Answer begin(const std::shared_ptr<const RulesData>& data, const char* position, bw_state** state) {
  if (position == nullptr) {
    *state = new bw_state{data, runtime::Game(data->rules())};
    return {};
  }
  if (strnlen(position, BW_MAX_POSITION_BYTES + 1) > BW_MAX_POSITION_BYTES)
    return refuse(BW_POSITION, "the text of the position is longer than a position can be");
  runtime::Meter meter;
  const runtime::Meter::Use use(&meter);
  auto read = interpreter::read_position(data->rules(), "position", position);
  if (!read.game) return refuse(BW_POSITION, read.errors());
  *state = new bw_state{data, std::move(*read.game)};
  return {};
}

Answer play(bw_state& state, const tl::expected<runtime::Move, Failure>& move) {
  if (!move) return tl::unexpected(move.error());
  if (const auto played = state.game.play(*move); !played) return refuse(*state.data, played.error());
  return {};
}

Answer tell_result(bw_state& state, int* over, double* shares, std::size_t count) {
  const auto players = static_cast<std::size_t>(state.data->program().player_count());
  if (shares != nullptr && count < players)
    return refuse(BW_INVALID, "there is no room for the shares of all players");
  const auto outcome = outcome_of(state);
  if (!outcome) return tl::unexpected(outcome.error());
  if (over != nullptr) *over = *outcome ? 1 : 0;
  for (std::size_t player = 0; *outcome && shares != nullptr && player < players; ++player)
    shares[player] =
        static_cast<double>(runtime::share(**outcome, static_cast<int>(player), static_cast<int>(players)));
  return {};
}

Answer tell_chance(bw_state& state, std::size_t move, double* probability) {
  const auto moves = moves_of(state);
  if (!moves) return tl::unexpected(moves.error());
  if (const auto there = move_of(state, move); !there) return tl::unexpected(there.error());
  if (!state.game.is_chance()) {
    *probability = 1 / static_cast<double>(moves->size());
    return {};
  }
  const auto weights = state.game.weights();
  if (!weights) return refuse(*state.data, weights.error());
  *probability =
      static_cast<double>((*weights)[move]) / std::accumulate(weights->begin(), weights->end(), 0.0);
  return {};
}

Answer draw(bw_state& state, std::uint64_t* seed, std::size_t* move) {
  if (const auto moves = moves_of(state); !moves) return tl::unexpected(moves.error());
  runtime::Random random(*seed);
  const auto drawn = state.game.draw(random);
  if (!drawn) return refuse(*state.data, drawn.error());
  if (!*drawn) return refuse(BW_ILLEGAL, "the game is over: there is no move");
  *seed = random.state();
  *move = (*drawn)->index();
  return {};
}

Answer count_sequences(bw_state& state, int depth, const bw_stop* stop, std::uint64_t* leaves) {
  if (depth < 0) return refuse(BW_INVALID, "the depth is below 0");
  const auto counted = runtime::perft(state.game, {depth, false, stop == nullptr ? nullptr : &stop->set});
  if (!counted) return refuse(*state.data, counted.error());
  if (counted->stopped) return refuse(BW_FAULT, "it was stopped");
  *leaves = counted->leaves;
  return {};
}

Answer play_out(const bw_state& state, const runtime::PlayoutOptions& options, bw_playouts* result,
                std::uint64_t* wins, std::size_t count) {
  const auto players = static_cast<std::size_t>(state.data->program().player_count());
  if (options.threads < 1 || options.threads > kMostThreads)
    return refuse(BW_INVALID, "there can't be so many threads");
  if (wins != nullptr && count < players)
    return refuse(BW_INVALID, "there is no room for the wins of all players");
  const runtime::Position from = state.game.position();
  const auto played = runtime::playouts(state.data->rules(), options, &from);
  if (!played) return refuse(*state.data, played.error());
  *result = {played->playouts, played->draws, played->unfinished, played->plies};
  for (std::size_t player = 0; wins != nullptr && player < players; ++player)
    wins[player] = played->wins[player];
  return {};
}

} // namespace

} // namespace boardwright::c

using namespace boardwright::c;

bw_status bw_state_new(const bw_rules* rules, const char* position, bw_state** state, char** error) {
  if (state != nullptr) *state = nullptr;
  return ask(rules, state, error, [&] { return begin(rules->data, position, state); });
}

bw_status bw_state_copy(const bw_state* state, bw_state** copy, char** error) {
  if (copy != nullptr) *copy = nullptr;
  return ask(state, copy, error, [&]() -> Answer {
    *copy = new bw_state(*state);
    return {};
  });
}

void bw_state_free(bw_state* state) { delete state; }

bw_status bw_state_player(bw_state* state, int* player, char** error) {
  if (player != nullptr) *player = 0;
  return ask(state, player, error, [&]() -> Answer {
    const auto outcome = outcome_of(*state);
    if (!outcome) return tl::unexpected(outcome.error());
    *player = *outcome ? BW_OVER : state->game.is_chance() ? BW_NATURE : state->game.to_move();
    return {};
  });
}

bw_status bw_state_result(bw_state* state, int* over, double* shares, size_t count, char** error) {
  if (over != nullptr) *over = 0;
  if (shares != nullptr) std::fill(shares, shares + count, 0.0);
  return ask(state, state, error, [&] { return tell_result(*state, over, shares, count); });
}

bw_status bw_state_result_text(bw_state* state, char** text, char** error) {
  if (text != nullptr) *text = nullptr;
  return ask(state, text, error, [&]() -> Answer {
    const auto outcome = outcome_of(*state);
    if (!outcome) return tl::unexpected(outcome.error());
    if (!*outcome) return {};
    return give(boardwright::tools::outcome_text(state->data->loaded, **outcome), text);
  });
}

bw_status bw_state_moves(bw_state* state, size_t* count, char** error) {
  if (count != nullptr) *count = 0;
  return ask(state, count, error, [&]() -> Answer {
    const auto moves = moves_of(*state);
    if (!moves) return tl::unexpected(moves.error());
    *count = moves->size();
    return {};
  });
}

bw_status bw_state_move_text(bw_state* state, size_t move, char** text, char** error) {
  if (text != nullptr) *text = nullptr;
  return ask(state, text, error, [&]() -> Answer {
    const auto there = move_of(*state, move);
    if (!there) return tl::unexpected(there.error());
    const auto written = state->game.notation(*there);
    if (!written) return refuse(*state->data, written.error());
    return give(*written, text);
  });
}

bw_status bw_state_find(bw_state* state, const char* text, size_t* move, char** error) {
  if (move != nullptr) *move = 0;
  return ask(state, move, error, [&]() -> Answer {
    if (text == nullptr) return refuse(BW_INVALID, kNullArgument);
    const auto found = move_of(*state, text);
    if (!found) return tl::unexpected(found.error());
    *move = found->index();
    return {};
  });
}

bw_status bw_state_chance(bw_state* state, size_t move, double* probability, char** error) {
  if (probability != nullptr) *probability = 0;
  return ask(state, probability, error, [&] { return tell_chance(*state, move, probability); });
}

bw_status bw_state_draw(bw_state* state, uint64_t* seed, size_t* move, char** error) {
  if (move != nullptr) *move = 0;
  return ask(state, move, error, [&]() -> Answer {
    if (seed == nullptr) return refuse(BW_INVALID, kNullArgument);
    return draw(*state, seed, move);
  });
}

bw_status bw_state_play(bw_state* state, size_t move, char** error) {
  return ask(state, state, error, [&]() -> Answer {
    auto there = move_of(*state, move);
    if (!there && there.error().status == BW_INVALID) there.error().status = BW_ILLEGAL;
    return play(*state, there);
  });
}

bw_status bw_state_play_text(bw_state* state, const char* text, char** error) {
  return ask(state, text, error, [&] { return play(*state, move_of(*state, text)); });
}

bw_status bw_state_undo(bw_state* state, char** error) {
  return ask(state, state, error, [&]() -> Answer {
    if (state->game.undo()) return {};
    return refuse(BW_ILLEGAL, "there is no move to take back");
  });
}

size_t bw_state_length(const bw_state* state) {
  return state == nullptr ? 0 : static_cast<std::size_t>(state->game.length());
}

size_t bw_state_repetitions(const bw_state* state) {
  return state == nullptr ? 0 : static_cast<std::size_t>(state->game.repetitions());
}

bw_status bw_state_key(const bw_state* state, uint64_t* key, char** error) {
  if (key != nullptr) *key = 0;
  return ask(state, key, error, [&]() -> Answer {
    *key = state->game.key();
    return {};
  });
}

bw_status bw_state_json(const bw_state* state, char** text, char** error) {
  if (text != nullptr) *text = nullptr;
  return ask(state, text, error, [&] {
    return give(boardwright::tools::write_position(state->data->program(), state->game.position()), text);
  });
}

bw_status bw_state_fen(const bw_state* state, char** text, char** error) {
  if (text != nullptr) *text = nullptr;
  return ask(state, text, error, [&]() -> Answer {
    const auto fen = boardwright::interpreter::write_fen(state->data->program(), state->game.position());
    return fen ? give(*fen, text) : Answer();
  });
}

bw_status bw_state_board(const bw_state* state, char** text, char** error) {
  if (text != nullptr) *text = nullptr;
  return ask(state, text, error, [&] {
    return give(boardwright::tools::draw_board(state->data->program(), state->game.position()), text);
  });
}

bw_status bw_state_perft(bw_state* state, int depth, const bw_stop* stop, uint64_t* leaves, char** error) {
  if (leaves != nullptr) *leaves = 0;
  return ask(state, leaves, error, [&] { return count_sequences(*state, depth, stop, leaves); });
}

bw_status bw_state_playouts(const bw_state* state, uint64_t games, uint64_t seed, int threads,
                            const bw_stop* stop, bw_playouts* result, uint64_t* wins, size_t count,
                            char** error) {
  if (result != nullptr) *result = {};
  if (wins != nullptr) std::fill(wins, wins + count, std::uint64_t{0});
  return ask(state, result, error, [&] {
    boardwright::runtime::PlayoutOptions options;
    options.count = games;
    options.seed = seed;
    options.threads = threads;
    if (stop != nullptr) options.stop = &stop->set;
    return play_out(*state, options, result, wins, count);
  });
}
