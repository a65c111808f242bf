// The switches of forms.
#include "runtime/model/forms.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace boardwright::runtime {

namespace {

using Forms = std::array<bool, kForms.size()>;

Forms& switched_off() {
  static Forms off{};
  return off;
}

} // namespace

bool is_on(Form form) { return !switched_off()[static_cast<std::size_t>(form)]; }

void set_form(Form form, bool on) { switched_off()[static_cast<std::size_t>(form)] = !on; }

std::optional<Form> form_named(std::string_view name) {
  const auto row =
      std::find_if(kForms.begin(), kForms.end(), [&](const FormRow& r) { return r.name == name; });
  if (row == kForms.end()) return std::nullopt;
  return static_cast<Form>(row - kForms.begin());
}

std::optional<std::string_view> switch_forms_off(std::string_view names) {
  Forms off = switched_off();
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(','));
    names.remove_prefix(std::min(names.size(), name.size() + 1));
    if (name == "all") {
      off.fill(true);
      continue;
    }
    const auto form = form_named(name);
    if (!form) return name;
    off[static_cast<std::size_t>(*form)] = true;
  }
  switched_off() = off;
  return std::nullopt;
}

} // namespace boardwright::runtime
