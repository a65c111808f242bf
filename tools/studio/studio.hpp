// The engine of the studio: a request comes in and an answer goes out, both JSON. It knows nothing of pages
// and workers. README.md lists the requests.
#pragma once

#include <memory>
#include <string>

namespace boardwright::tools {

class Studio {
public:
  Studio();
  ~Studio();
  Studio(const Studio&) = delete;
  Studio& operator=(const Studio&) = delete;

  // One object on one line; `error` in it says what is wrong with a request. Any text may come.
  [[nodiscard]] std::string ask(const std::string& request);

private:
  class Core;
  std::unique_ptr<Core> core_;
};

} // namespace boardwright::tools
