// Several games side by side in one engine, for programs: each is a Studio with a number. A page needs number
// 0 alone, which is always there.
#pragma once

#include "tools/studio/studio.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace boardwright::tools {

class Studios {
public:
  // A request says which one it is for by `in`, and by `at` at which other one's game that is to be first.
  // `fork` answers the `number` of a new one, which is where that one is, and `close` ends one. One object on
  // one line; any text may come.
  [[nodiscard]] std::string ask(const std::string& request);

private:
  // The one that a request names; null where there is none.
  Studio* named(const Json& request, const char* key);
  Json answer(const Json& request);

  std::map<std::int64_t, Studio> all_;
  std::int64_t next_ = 1;
};

} // namespace boardwright::tools
