// What a game that hides something shows anyway, as random games tell it.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/rule_file.hpp"
#include "runtime/game/rules.hpp"

#include <cstdint>
#include <memory>

namespace boardwright::interpreter {

// Told: a player whose list of moves says more than he sees, since in a game that looks the same to him it
// would be another one; `sees` that hides nothing anywhere. The first of each is enough. Nothing for rules
// that hide nothing.
void report_secrets(const std::shared_ptr<const runtime::Rules>& rules, const dsl::RuleFile& file,
                    std::uint64_t seed, dsl::Diagnostics& diagnostics);

} // namespace boardwright::interpreter
