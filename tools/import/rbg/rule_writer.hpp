// The rule file of a game.
#pragma once

#include "tools/import/rbg/game.hpp"

namespace boardwright::tools {

[[nodiscard]] tl::expected<std::string, ImportFault>
rbg_rule_text(const RbgGame& game, const std::string& name, const std::string& from);

} // namespace boardwright::tools
