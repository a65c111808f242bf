#include "tools/studio/studios.hpp"

#include <nlohmann/json.hpp>

namespace boardwright::tools {
namespace {

Json refusal(const char* what) { return {{"error", what}}; }

} // namespace

Studio* Studios::named(const Json& request, const char* key) {
  const auto at = request.find(key);
  if (at == request.end() || *at == 0) return &all_[0];
  if (!at->is_number_integer()) return nullptr;
  const auto found = all_.find(at->get<std::int64_t>());
  return found == all_.end() ? nullptr : &found->second;
}

Json Studios::answer(const Json& request) {
  if (!request.is_object()) return refusal("a request is an object");
  Studio* const asked = named(request, "in");
  if (asked == nullptr) return refusal("`in` is the number of no game");
  if (const auto at = request.find("at"); at != request.end()) {
    const Studio* const other = named(request, "at");
    if (other == nullptr) return refusal("`at` is the number of no game");
    if (other != asked) asked->come_to(*other);
  }
  const auto what = request.find("do");
  if (what != request.end() && *what == "fork") {
    const std::int64_t number = next_++;
    all_[number].come_to(*asked);
    return {{"number", number}};
  }
  if (what != request.end() && *what == "close") {
    all_.erase(request.value("in", std::int64_t{0}));
    return {{"ok", true}};
  }
  return asked->answer(request);
}

std::string Studios::ask(const std::string& request) {
  return to_text(answer(Json::parse(request, nullptr, false)));
}

} // namespace boardwright::tools
