#include "tools/drawing/seen_board.hpp"

#include "runtime/model/index.hpp"

#include <algorithm>

namespace boardwright::tools {
namespace {

constexpr char kUnknown = '?', kDark = '~';

} // namespace

SeenBoard::SeenBoard(const runtime::Program& program, const interpreter::Look* look,
                     const runtime::sight::Seen& seen)
    : program_(program), position_(seen.position) {
  if (look != nullptr) look_ = *look;
  add_kinds();
  const auto unknown = static_cast<std::int8_t>(program.kinds.size());
  const auto dark = static_cast<std::int8_t>(program.kinds.size() + 1);
  seen.covered.each([&](int cell) {
    for (runtime::Piece& piece : position_.cells[runtime::at(cell)]) piece.kind = unknown;
  });
  seen.dark.each([&](int cell) { position_.cells[runtime::at(cell)] = {{runtime::kNeutral, dark}}; });
  leave_out_what_is_not_seen(seen);
}

void SeenBoard::add_kinds() {
  const std::size_t owners = program_.players.size() + 1;
  runtime::Kind unknown{"unknown", std::vector<char>(owners, kUnknown), -1};
  runtime::Kind dark{"unseen", std::vector<char>(owners, 0), -1};
  dark.letter.back() = kDark;
  program_.kinds.push_back(std::move(unknown));
  program_.kinds.push_back(std::move(dark));
  for (std::vector<int>& slots : program_.hand_slot) slots.resize(program_.kinds.size(), -1);
  if (!look_) return;
  if (!look_->pieces.empty()) look_->pieces.resize(program_.kinds.size());
  look_->counts.clear(); // of what isn't seen a count would tell
}

// A hand without an entry, or a variable without a name, is told to nobody.
void SeenBoard::leave_out_what_is_not_seen(const runtime::sight::Seen& seen) {
  for (std::vector<int>& slots : program_.hand_slot)
    for (int& slot : slots)
      if (slot >= 0 && seen.hands[runtime::at(slot)]) slot = -1;
  for (std::size_t v = 0; v < seen.variables.size(); ++v)
    if (seen.variables[v]) program_.variables[v].name.clear();
}

} // namespace boardwright::tools
