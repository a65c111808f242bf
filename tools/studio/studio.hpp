// The engine of the studio: a request comes in and an answer goes out, both JSON. It knows nothing of pages
// and workers. README.md lists the requests.
#pragma once

#include "tools/console/json.hpp"

#include <memory>
#include <string>

namespace boardwright::tools {

// One game, of rules that are loaded into it.
class Studio {
public:
  Studio();
  ~Studio();
  Studio(const Studio&) = delete;
  Studio& operator=(const Studio&) = delete;

  // `error` in the answer says what is wrong with a request. Any JSON may come.
  [[nodiscard]] Json answer(const Json& request);
  // The same as text, on one line. Any text may come.
  [[nodiscard]] std::string ask(const std::string& request);

  // Takes the rules of another one and the game where it is, with its past; what players and random games
  // have learnt is kept where the rules are the same.
  void come_to(const Studio& other);

private:
  class Core;
  std::unique_ptr<Core> core_;
};

} // namespace boardwright::tools
