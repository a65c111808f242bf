// Single mistakes in C++ sources, as a person might make them: do the tests notice?
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tests {

struct Mutation {
  std::size_t begin = 0, length = 0; // what is replaced
  std::string replacement;
  std::string what; // "`<` becomes `<=`"
};

// Every mistake that can be made in a source: outside of comments, texts and directives, in their order.
[[nodiscard]] std::vector<Mutation> mutations_of(std::string_view source);

[[nodiscard]] std::string applied(std::string_view source, const Mutation& mutation);

// Where it is, what it was and what it is now: "12: `<` becomes `<=`\n-…\n+…\n".
[[nodiscard]] std::string shown(std::string_view source, const Mutation& mutation);

struct Drawn {
  std::size_t source = 0; // which of the sources
  Mutation mutation;
};
// The mistake with this number in the order that the seed gives. Every mistake of all sources is as likely as
// any other, and none is drawn twice before all have been. Nothing to draw: a mutation of length 0.
[[nodiscard]] Drawn drawn(const std::vector<std::string>& sources, std::uint64_t seed, std::uint64_t number);

} // namespace boardwright::tests
