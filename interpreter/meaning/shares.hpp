// `share 3/4 to White, 1/4 to Black when C`: what each player has of the point.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/grammar.hpp"
#include "runtime/model/shares.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::interpreter {

// What one has on whose side the line is read. Nothing where an error has been told.
[[nodiscard]] std::optional<runtime::Result>
result_of_shares(const dsl::EndRule& line, const std::vector<std::string>& players, int me);

// Each share must be a part of the point, each player one who plays and named once, and all of it together
// one point, which `win` or `draw` doesn't give already.
void check_shares(const dsl::EndRule& line, const std::vector<std::string>& players,
                  dsl::Diagnostics& diagnostics);

// Of a test, `3/4 to White, 1/4 to Black`: a line of `end` with these shares, each of which stands at `span`.
// Nothing where the text doesn't read so.
[[nodiscard]] std::optional<dsl::EndRule> shares_named(std::string_view text, dsl::Span span);

} // namespace boardwright::interpreter
