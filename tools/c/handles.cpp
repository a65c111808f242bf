#include "tools/c/handles.hpp"

#include <cstdlib>
#include <cstring>
#include <utility>

namespace boardwright::c {

char* copy_of(const std::string& text) noexcept {
  auto* const copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy != nullptr) std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

bw_status answered(const Answer& answer, char** error) noexcept {
  if (answer) return BW_OK;
  if (error != nullptr) *error = copy_of(answer.error().text);
  return answer.error().status;
}

tl::unexpected<Failure> refuse(bw_status status, std::string text) {
  return tl::unexpected(Failure{status, std::move(text)});
}

tl::unexpected<Failure> refuse(const RulesData& rules, const runtime::Fault& fault) {
  const std::string place = fault.origin == 0 ? "" : runtime::place_of(rules.program(), fault.origin) + ": ";
  return refuse(BW_FAULT, place + fault.message);
}

Answer give(const std::string& text, char** to) {
  *to = copy_of(text);
  if (*to == nullptr) throw std::bad_alloc();
  return {};
}

} // namespace boardwright::c
