// From a game of another program's file to a record that is replayed by the rules.
#pragma once

#include "interpreter/load.hpp"
#include "tools/records/formats/foreign_game.hpp"

#include <tl/expected.hpp>

#include <memory>
#include <string>

namespace boardwright::tools {

// Its tags, comments, position and moves, each as the rules write it. Where a move isn't found it stays as it
// was written, with those behind it, so that replaying stops there. An error is a sentence: the position
// can't be set up.
[[nodiscard]] tl::expected<interpreter::Record, std::string>
translate(const std::shared_ptr<const runtime::Rules>& rules, Format format, const ForeignGame& game);

} // namespace boardwright::tools
