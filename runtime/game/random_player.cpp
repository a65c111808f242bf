#include "runtime/game/random_player.hpp"

#include "runtime/game/line.hpp"

#include <utility>

namespace boardwright::runtime {

struct RandomPlayer::Parts {
  std::shared_ptr<const Rules> rules;
  Position begin;
  bool native = true;
  Patience patience{};
  std::unique_ptr<executor::Engine> engine; // made when it is needed

  void make_engine() {
    if (engine) return;
    make_engine_without_position();
    engine->load(begin);
  }
  void make_engine_without_position() {
    engine = rules->for_random_games().compiled().tables->engine();
    engine->allow_native(native);
    engine->give_up_when(patience);
  }
};

RandomPlayer::RandomPlayer(std::shared_ptr<const Rules> rules, bool native)
    : RandomPlayer(Rules::or_none(rules), Rules::or_none(rules)->program().initial, native) {}

RandomPlayer::RandomPlayer(std::shared_ptr<const Rules> rules, const Position& position, bool native)
    : parts_(
          std::make_unique<Parts>(Parts{Rules::or_none(std::move(rules)), position, native, {}, nullptr})) {}

RandomPlayer::~RandomPlayer() = default;
RandomPlayer::RandomPlayer(RandomPlayer&&) noexcept = default;
RandomPlayer& RandomPlayer::operator=(RandomPlayer&&) noexcept = default;

tl::expected<Playout, Fault> RandomPlayer::play(Random& random, std::uint32_t max_plies) {
  Parts& p = *parts_;
  if (!p.rules->is_playable()) return tl::unexpected(Fault{p.rules->problem(), 0});
  p.make_engine();
  return p.engine->playout(random, max_plies);
}

void RandomPlayer::give_up_when(const Patience& patience) {
  parts_->patience = patience;
  if (parts_->engine) parts_->engine->give_up_when(patience);
}

tl::expected<void, Fault> RandomPlayer::begin_with(const Game& game) {
  Parts& p = *parts_;
  if (&game.rules() != p.rules.get()) return tl::unexpected(Fault{"the game has other rules", 0});
  const executor::Engine* const engine = engine_of(game);
  if (engine == nullptr) return tl::unexpected(Fault{p.rules->problem(), 0});
  if (!p.engine) p.make_engine_without_position();
  if (&p.rules->for_random_games() == p.rules.get())
    p.engine->load_from(*engine);
  else
    p.engine->load(engine->position());
  return {};
}

tl::expected<Playout, Fault> RandomPlayer::play_on(Random& random, std::uint32_t max_plies) {
  if (!parts_->engine) return play(random, max_plies);
  return parts_->engine->play_on(random, max_plies);
}

void RandomPlayer::count_pieces(std::vector<std::int32_t>& counts) const {
  if (!parts_->rules->is_playable()) return counts.clear();
  parts_->make_engine();
  parts_->engine->count_pieces(counts);
}

CellSet RandomPlayer::cells_of(int player) const {
  if (!parts_->rules->is_playable()) return {};
  parts_->make_engine();
  return parts_->engine->cells_of(player);
}

std::uint32_t RandomPlayer::plies_left() const { return parts_->engine ? parts_->engine->plies_left() : 0; }

Position RandomPlayer::position() const {
  return parts_->engine ? parts_->engine->position() : parts_->begin;
}

std::uint64_t RandomPlayer::steps() const { return parts_->engine ? parts_->engine->all_steps() : 0; }

bool RandomPlayer::is_native() const { return parts_->engine && parts_->engine->is_native(); }

} // namespace boardwright::runtime
