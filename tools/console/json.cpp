#include "tools/console/json.hpp"

#include <nlohmann/json.hpp>

namespace boardwright::tools {

std::string to_text(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string to_document(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace boardwright::tools
