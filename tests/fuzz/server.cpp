// The language server. Up to the first kNext the bytes are a rule file that is opened; each part behind a
// further one is what a client sends: the first byte says what, the next two where, the rest is its text.
#include "tests/fuzz/common.hpp"

#include "tools/lsp/server.hpp"

#include <nlohmann/json.hpp>

#include <array>

namespace {

using namespace boardwright;
using Json = nlohmann::json;

constexpr char kNext = '\xff';
constexpr std::size_t kMostMessages = 12; // each change has the whole file checked
const std::string kUri = "file:///nowhere/game.yaml";

constexpr std::array kRequests{
    "completion",     "hover",        "definition",          "references", "rename",     "signatureHelp",
    "documentSymbol", "foldingRange", "semanticTokens/full", "inlayHint",  "formatting", "codeAction"};
enum class Other : std::size_t { change, anything, pause, close };
constexpr std::size_t kOthers = 4;

// Bytes are no text yet: what is no UTF-8 is replaced, as a client would.
std::string written(const Json& message) {
  return message.dump(-1, ' ', false, Json::error_handler_t::replace);
}

class Client {
public:
  void notify(const char* method, Json params) {
    static_cast<void>(sent({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}}));
  }

  void request(const std::string& method, Json params) {
    const auto answers =
        sent({{"jsonrpc", "2.0"}, {"id", ++id_}, {"method", method}, {"params", std::move(params)}});
    int own = 0;
    for (const Json& answer : answers)
      if (answer.contains("id") && answer["id"] == id_)
        own += answer.contains("result") != answer.contains("error");
    fuzz::claim(own == 1, "a request has one answer: " + method);
  }

  void open(std::string_view text) {
    request("initialize", Json::object());
    notify("textDocument/didOpen", {{"textDocument", {{"uri", kUri}, {"text", std::string(text)}}}});
  }

  void send(std::string_view part) {
    const std::size_t what = fuzz::choice(part, kRequests.size() + kOthers);
    if (what >= kRequests.size()) return send_other(static_cast<Other>(what - kRequests.size()), part);
    const std::size_t line = fuzz::choice(part, 256), column = fuzz::choice(part, 256);
    const Json place = {{"line", line}, {"character", column}};
    request(std::string("textDocument/") + kRequests[what],
            {{"textDocument", {{"uri", kUri}}},
             {"position", place},
             {"range", {{"start", place}, {"end", {{"line", line + part.size()}, {"character", column}}}}},
             {"context", {{"diagnostics", Json::array()}, {"includeDeclaration", true}}},
             {"options", {{"tabSize", 2}, {"insertSpaces", true}}},
             {"newName", std::string(part)}});
  }

private:
  void send_other(Other what, std::string_view part) {
    const Json document = {{"uri", kUri}, {"version", ++id_}};
    const std::string text(part);
    switch (what) {
    case Other::change:
      return notify("textDocument/didChange",
                    {{"textDocument", document}, {"contentChanges", Json::array({{{"text", text}}})}});
    case Other::anything: return static_cast<void>(read(server_.answer(text)));
    case Other::pause: return static_cast<void>(read(server_.at_pause()));
    case Other::close: return notify("textDocument/didClose", {{"textDocument", document}});
    }
  }

  std::vector<Json> sent(const Json& message) { return read(server_.answer(written(message))); }

  static std::vector<Json> read(const std::vector<std::string>& answers) {
    std::vector<Json> all;
    for (const std::string& answer : answers) {
      all.push_back(Json::parse(answer, nullptr, false));
      fuzz::claim(all.back().is_object(), "an answer is an object: " + answer);
    }
    return all;
  }

  tools::LanguageServer server_;
  int id_ = 0;
};

void talk(std::string_view bytes) {
  Client client;
  std::size_t at = bytes.find(kNext);
  client.open(bytes.substr(0, at));
  for (std::size_t messages = 0; at != std::string_view::npos && messages < kMostMessages; ++messages) {
    const std::size_t begin = at + 1;
    at = bytes.find(kNext, begin);
    client.send(bytes.substr(begin, at == std::string_view::npos ? at : at - begin));
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, talk);
}
