// A network (runtime/search/network.hpp) as a part of a file of weights: its numbers in base64, those of two
// bytes with the lower one first.
//
//   network:
//     inputs: 128
//     units: 32
//     constant: -12
//     bias: "…"   own: "…"   other: "…"   first: "…"
#pragma once

#include "dsl/yaml.hpp"
#include "runtime/search/network.hpp"

#include <tl/expected.hpp>

#include <string>
#include <utility>

namespace boardwright::tools {

[[nodiscard]] std::string network_text(const runtime::search::Network& network);

// Fails with what is wrong and where.
[[nodiscard]] tl::expected<runtime::search::Network, std::pair<dsl::Span, std::string>>
parse_network(const dsl::Yaml& yaml);

} // namespace boardwright::tools
