#include "runtime/game/random_player.hpp"

#include "runtime/game/compiled.hpp"

#include <utility>

namespace boardwright::runtime {

// A sprint plays where there is one; what it gives up the engine plays from the beginning.
struct RandomPlayer::Parts {
  std::shared_ptr<const Rules> rules;
  Position begin;
  std::unique_ptr<AnySprint> sprint;
  std::unique_ptr<executor::Engine> engine; // made when it is needed
  bool by_sprint = false;                   // the last game

  void make_engine() {
    if (engine) return;
    engine = rules->compiled().tables->engine();
    engine->load(begin);
  }
};

RandomPlayer::RandomPlayer(std::shared_ptr<const Rules> rules, bool native)
    : RandomPlayer(rules, rules->program().initial, native) {}

RandomPlayer::RandomPlayer(std::shared_ptr<const Rules> rules, const Position& position, bool native)
    : parts_(std::make_unique<Parts>()) {
  parts_->rules = std::move(rules);
  parts_->begin = position;
  const Rules::Compiled& compiled = parts_->rules->compiled();
  if (!compiled.sprint || !sprints_from(*compiled.sprint, position)) return;
  parts_->sprint = compiled.sprint_tables->player(native);
  parts_->sprint->load(position);
}

RandomPlayer::~RandomPlayer() = default;
RandomPlayer::RandomPlayer(RandomPlayer&&) noexcept = default;
RandomPlayer& RandomPlayer::operator=(RandomPlayer&&) noexcept = default;

tl::expected<Playout, Fault> RandomPlayer::play(Random& random, std::uint32_t max_plies) {
  Parts& p = *parts_;
  p.by_sprint = false;
  if (p.sprint) {
    const Random before = random;
    const Playout played = p.sprint->run(random, max_plies);
    p.by_sprint = !p.sprint->gave_up();
    if (p.by_sprint) return played;
    random = before;
  }
  if (p.rules->compiled().code.too_large) return tl::unexpected(Fault{p.rules->problem(), 0});
  p.make_engine();
  return p.engine->playout(random, max_plies);
}

Position RandomPlayer::position() const {
  if (parts_->by_sprint) return parts_->sprint->position();
  return parts_->engine ? parts_->engine->position() : parts_->begin;
}

bool RandomPlayer::is_sprint() const { return parts_->by_sprint; }

bool RandomPlayer::is_native() const { return parts_->sprint && parts_->sprint->is_native(); }

} // namespace boardwright::runtime
