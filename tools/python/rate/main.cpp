// What C++ does for the same work as a batch: random games through `Game`, one thread. Prints a line of JSON.
// tools/python/rate/rate.py compares.
#include "interpreter/load.hpp"
#include "runtime/game/game.hpp"
#include "runtime/game/playout.hpp"
#include "runtime/model/random.hpp"

#include <charconv>
#include <cstdio>
#include <ctime>
#include <string_view>
#include <vector>

namespace {

using namespace boardwright;

constexpr int kMostPlies = 2000; // what a batch cuts off, too
constexpr std::size_t kWarmUp = 200;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// A random move of the game; where it is over it begins anew. False: a rule went wrong.
bool step_once(runtime::Game& game, runtime::Random& random) {
  const auto moves = game.moves();
  if (!moves) return false;
  if (moves->empty() || game.length() >= kMostPlies) {
    while (game.undo()) continue;
    return true;
  }
  return game.play((*moves)[random.below(moves->size())]).has_value();
}

std::size_t number_in(std::string_view text) {
  std::size_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: boardwright_python_rate GAME GAMES STEPS\n", stderr);
    return 2;
  }
  const auto loaded = interpreter::load(argv[1], {});
  if (!loaded) {
    std::fputs(loaded.errors().c_str(), stderr);
    return 1;
  }
  const std::size_t count = number_in(argv[2]), steps = number_in(argv[3]);
  std::vector<runtime::Game> games(count, runtime::Game(loaded.rules));
  std::vector<runtime::Random> randoms;
  for (std::size_t i = 0; i < count; ++i) randoms.push_back(runtime::random_of_game(1, i));
  // The first games of each take memory, which later ones use again: they aren't counted.
  double begun = 0;
  for (std::size_t k = 0; k < kWarmUp + steps; ++k) {
    if (k == kWarmUp) begun = cpu_seconds();
    for (std::size_t i = 0; i < count; ++i)
      if (!step_once(games[i], randoms[i])) return 1;
  }
  std::printf("{\"steps_per_second\": %.0f}\n", static_cast<double>(count * steps) / (cpu_seconds() - begun));
}
