#include "tools/c/handles.hpp"

#include <cstdlib>
#include <cstring>
#include <utility>

namespace boardwright::c {

char* copy_of(std::string_view text) noexcept {
  auto* const copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) return nullptr;
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = 0;
  return copy;
}

bw_status told(bw_status status, std::string_view text, char** error) noexcept {
  if (error != nullptr) *error = copy_of(text);
  return status;
}

bw_status answered(const Answer& answer, char** error) noexcept {
  return answer ? BW_OK : told(answer.error().status, answer.error().text, error);
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
