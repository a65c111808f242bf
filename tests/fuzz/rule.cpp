// The first byte chooses a frame (frames.cpp), the others are the rule of its turn and a line of its end.
#include "tests/fuzz/common.hpp"

namespace {

using namespace boardwright;

void try_rule(std::string_view bytes) {
  const std::uint64_t lot = fuzz::hash_of(bytes);
  const auto frame = fuzz::frames()[fuzz::choice(bytes, fuzz::frames().size())];
  if (const auto rules = fuzz::rules_of(fuzz::completed(frame, bytes))) fuzz::look_at(rules, lot);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, try_rule);
}
