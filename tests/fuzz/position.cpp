// The first byte chooses a game, the others are a position of it: JSON, YAML, a picture, a FEN, moves to
// play.
#include "tests/fuzz/common.hpp"

#include "interpreter/notation/position_text.hpp"

namespace {

using namespace boardwright;

void try_position(std::string_view bytes) {
  const std::uint64_t lot = fuzz::hash_of(bytes);
  const auto& rules = fuzz::games()[fuzz::choice(bytes, fuzz::games().size())];
  auto read = interpreter::read_position(rules, "position", std::string(bytes));
  fuzz::claim(read.game.has_value() != read.diagnostics.has_errors(), "there is a game, or else errors");
  fuzz::claim(read.errors().empty() == read.diagnostics.all().empty(), "every message is written");
  if (!read.game) return;
  const runtime::Position position = read.game->position();
  const std::string problem = runtime::check_position(rules->program(), position);
  fuzz::claim(problem.empty(), "what is read fits the rules: " + problem);
  fuzz::write_and_read(rules, position);
  fuzz::look_at(*read.game, lot);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, try_position);
}
