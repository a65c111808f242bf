// The switches of idioms.
#include "runtime/model/idioms.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace boardwright::runtime {

namespace {

using Switches = std::array<bool, kIdioms.size()>;

Switches& switched_off() {
  static Switches off{};
  return off;
}

} // namespace

bool is_on(Idiom idiom) { return !switched_off()[static_cast<std::size_t>(idiom)]; }

void set_idiom(Idiom idiom, bool on) { switched_off()[static_cast<std::size_t>(idiom)] = !on; }

std::optional<Idiom> idiom_named(std::string_view name) {
  const auto row =
      std::find_if(kIdioms.begin(), kIdioms.end(), [&](const IdiomRow& r) { return r.name == name; });
  if (row == kIdioms.end()) return std::nullopt;
  return static_cast<Idiom>(row - kIdioms.begin());
}

std::optional<std::string_view> switch_idioms_off(std::string_view names) {
  Switches off = switched_off();
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(','));
    names.remove_prefix(std::min(names.size(), name.size() + 1));
    if (name == "all") {
      off.fill(true);
      continue;
    }
    const auto idiom = idiom_named(name);
    if (!idiom) return name;
    off[static_cast<std::size_t>(*idiom)] = true;
  }
  switched_off() = off;
  return std::nullopt;
}

} // namespace boardwright::runtime
