// The first byte chooses a game, each line of the others is a move, which is played if there is such a one.
#include "tests/fuzz/common.hpp"

#include "tools/games/illegal_move.hpp"

namespace {

using namespace boardwright;

constexpr int kMaxMoves = 40;

// Plays the move that is written so; says whether the game goes on.
bool try_move(runtime::Game& game, std::string_view text) {
  const auto found = game.find(text);
  if (!fuzz::good(found)) return false;
  if (!*found) {
    const auto notations = game.notations();
    if (!fuzz::good(notations)) return false;
    fuzz::claim(!tools::why_illegal(game.rules().program(), game.position(), *notations, text).empty(),
                "there is a reason why a move is none");
    return true;
  }
  const auto notation = game.notation(**found);
  if (fuzz::good(notation)) {
    const auto again = game.find(*notation);
    fuzz::claim(fuzz::good(again) && again->has_value(), "a move is found by its notation: " + *notation);
  }
  if (!fuzz::good(game.play(**found))) return false;
  const auto outcome = game.outcome();
  return fuzz::good(outcome) && !outcome->has_value();
}

void try_moves(std::string_view bytes) {
  runtime::Game game(fuzz::games()[fuzz::choice(bytes, fuzz::games().size())]);
  for (int i = 0; i < kMaxMoves && !bytes.empty(); ++i) {
    const std::size_t end = bytes.find('\n');
    if (!try_move(game, bytes.substr(0, end)) || end == std::string_view::npos) break;
    bytes.remove_prefix(end + 1);
  }
  fuzz::write_and_read(std::shared_ptr<const runtime::Rules>(std::shared_ptr<void>(), &game.rules()),
                       game.position());
  while (game.length() > 0) fuzz::claim(game.undo(), "every move is taken back");
  fuzz::claim(!game.undo(), "nothing is left to take back");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, try_moves);
}
