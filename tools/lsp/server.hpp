// A language server's core: messages in, messages out. It knows nothing of streams, so that a worker in a
// browser can use it too.
#pragma once

#include "tools/console/json.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::tools {

class LanguageServer {
public:
  LanguageServer();
  ~LanguageServer();
  LanguageServer(const LanguageServer&) = delete;
  LanguageServer& operator=(const LanguageServer&) = delete;

  // The answer to one message, if it wants one, and what is to be told besides. Any text may come.
  [[nodiscard]] std::vector<std::string> answer(const std::string& message);
  // To several that wait already: a text that another change replaces isn't looked at, and a request that is
  // cancelled further on isn't worked on.
  [[nodiscard]] std::vector<std::string> answer(const std::vector<std::string>& messages);

  // What takes longer than a keystroke may, and is told when nobody types: a part of it, so that who types
  // again needn't wait long. Is there any left?
  [[nodiscard]] std::vector<std::string> at_pause();
  [[nodiscard]] bool waits_for_pause() const;

  // The exit status, once the client has sent `exit`: 0 only after `shutdown`.
  [[nodiscard]] std::optional<int> ended() const;

private:
  class Core;
  std::unique_ptr<Core> core_;
};

} // namespace boardwright::tools
