#include "tools/engines/network_text.hpp"

#include "dsl/text.hpp"

#include <fmt/format.h>
#include <yaml-cpp/binary.h>

#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

namespace boardwright::tools {
namespace {

using runtime::search::Network;
using runtime::search::NetworkInputs;

template <class Number>
std::string in_base64(const std::vector<Number>& numbers) {
  std::vector<unsigned char> bytes;
  for (const Number number : numbers) {
    const auto bits = static_cast<std::make_unsigned_t<Number>>(number);
    for (std::size_t k = 0; k < sizeof(Number); ++k)
      bytes.push_back(static_cast<unsigned char>(bits >> 8 * k & 255U));
  }
  return YAML::EncodeBase64(bytes.data(), bytes.size());
}

class NetworkReader {
public:
  using Wrong = std::pair<dsl::Span, std::string>;

  explicit NetworkReader(const dsl::Yaml& yaml) : yaml_(yaml) {}

  tl::expected<Network, Wrong> read() {
    Network network;
    network.inputs = static_cast<std::size_t>(number("inputs", 1, NetworkInputs::kMostInputs));
    network.units = static_cast<int>(number("units", 1, Network::kMostUnits));
    network.constant = static_cast<std::int32_t>(number("constant", -(1 << 20), 1 << 20));
    const auto units = static_cast<std::size_t>(network.units);
    numbers("bias", units, network.bias);
    numbers("own", units, network.own);
    numbers("other", units, network.other);
    numbers("first", units * network.inputs, network.first);
    if (wrong_) return tl::unexpected(*wrong_);
    return network;
  }

private:
  void fail(const dsl::Span& span, const std::string& what) {
    if (!wrong_) wrong_.emplace(span, what);
  }

  [[nodiscard]] const dsl::Yaml* scalar(const char* key) {
    const dsl::Yaml* const value = yaml_.is_map() ? yaml_.find(key) : nullptr;
    if (value != nullptr && value->is_scalar()) return value;
    fail(yaml_.span, fmt::format("a network has `{}`", key));
    return nullptr;
  }

  std::int64_t number(const char* key, std::int64_t low, std::int64_t high) {
    const dsl::Yaml* const value = scalar(key);
    if (value == nullptr) return low;
    const auto found = dsl::number_in<std::int64_t>(value->text.text);
    if (found && *found >= low && *found <= high) return *found;
    fail(value->span, fmt::format("`{}` is a whole number from {} to {}", key, low, high));
    return low;
  }

  template <class Number>
  void numbers(const char* key, std::size_t count, std::vector<Number>& into) {
    const dsl::Yaml* const value = scalar(key);
    if (value == nullptr) return;
    const std::vector<unsigned char> bytes = YAML::DecodeBase64(value->text.text);
    if (bytes.size() != count * sizeof(Number))
      return fail(value->span, fmt::format("`{}` is {} numbers in base64", key, count));
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(Number)) {
      std::make_unsigned_t<Number> bits = 0;
      for (std::size_t k = 0; k < sizeof(Number); ++k)
        bits = static_cast<std::make_unsigned_t<Number>>(bits | bytes[at + k] << 8 * k);
      into.push_back(static_cast<Number>(bits));
    }
  }

  const dsl::Yaml& yaml_;
  std::optional<Wrong> wrong_;
};

} // namespace

std::string network_text(const Network& network) {
  return fmt::format("network:\n  inputs: {}\n  units: {}\n  constant: {}\n  bias: \"{}\"\n  own: \"{}\"\n"
                     "  other: \"{}\"\n  first: \"{}\"\n",
                     network.inputs, network.units, network.constant, in_base64(network.bias),
                     in_base64(network.own), in_base64(network.other), in_base64(network.first));
}

tl::expected<Network, std::pair<dsl::Span, std::string>> parse_network(const dsl::Yaml& yaml) {
  return NetworkReader(yaml).read();
}

} // namespace boardwright::tools
