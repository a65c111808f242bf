// The language server and what nobody should send: beginnings of files, bytes that were changed by chance,
// messages that are none. A sample by default; with BOARDWRIGHT_ALL=1 in the environment all of it, which
// takes hours, or with BOARDWRIGHT_STEP=40 besides one in 40 beginnings of every file.
#include "dsl/finder.hpp"
#include "tests/tools/editing.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace lsp_robust_test {

using namespace boardwright;

namespace {

using Json = tests::Editing::Json;

bool is_everything_tried() { return std::getenv("BOARDWRIGHT_ALL") != nullptr; }

// Of so many beginnings of a file one is tried, where everything is; by itself each.
std::size_t step() {
  const char* const value = std::getenv("BOARDWRIGHT_STEP");
  return value == nullptr ? 1 : std::max<std::size_t>(1, std::strtoull(value, nullptr, 10));
}

// All requests about a place and about the file. That each is answered is what counts.
void ask_everything(tests::Editing& editing, std::size_t offset) {
  for (const char* what : {"completion", "hover", "definition", "references", "signatureHelp"})
    static_cast<void>(editing.at(what, offset));
  static_cast<void>(editing.at("rename", offset, {{"newName", "another_name"}}));
  for (const char* what : {"documentSymbol", "foldingRange", "semanticTokens/full", "inlayHint"})
    static_cast<void>(editing.of_file(what));
}

// One to three bytes are others, gone, or there twice.
std::string mutated(std::string text, std::mt19937_64& random) {
  for (std::size_t changes = 1 + random() % 3; changes > 0 && !text.empty(); --changes) {
    const std::size_t at = random() % text.size();
    const std::size_t size = std::min<std::size_t>(text.size() - at, 1 + random() % 12);
    switch (random() % 4) {
    case 0: text[at] = static_cast<char>(random() % 256); break;
    case 1: text.erase(at, size); break;
    case 2: text.insert(at, text.substr(at, size)); break;
    default: text[at] = "{}[]()\"'#:,|\n -"[random() % 15]; break;
    }
  }
  return text;
}

} // namespace

TEST_CASE("the language server bears every beginning of every bundled file") {
  std::mt19937_64 random(1);
  std::size_t asked = 0;
  for (const auto& file : dsl::bundled_files()) {
    if (!is_everything_tried() && random() % 8 != 0) continue;
    tests::Editing editing("");
    const std::string text(file.text);
    for (std::size_t size = 0; size <= text.size();) {
      static_cast<void>(editing.change(text.substr(0, size)));
      if (random() % 8 == 0) ask_everything(editing, size);
      ++asked;
      size += is_everything_tried() ? step() : 1 + random() % (text.size() / 4 + 1);
    }
  }
  CHECK(asked > 50);
}

TEST_CASE("the language server bears files with bytes that are changed by chance") {
  std::mt19937_64 random(2);
  const std::size_t count = is_everything_tried() ? 20'000 : 60;
  const auto& files = dsl::bundled_files();
  for (std::size_t i = 0; i < count; ++i) {
    const std::string text(files[random() % files.size()].text);
    tests::Editing editing("");
    const std::string changed = mutated(text, random);
    static_cast<void>(editing.change(changed));
    ask_everything(editing, changed.empty() ? 0 : random() % changed.size());
    if (i % 16 == 0) static_cast<void>(editing.pause());
  }
  CHECK(count > 0);
}

TEST_CASE("the language server answers messages whose bytes are changed by chance") {
  std::mt19937_64 random(3);
  tools::LanguageServer server;
  const std::string uri = "file:///nowhere/steps.yaml";
  const auto message = [&](const char* method, Json params) {
    return Json{{"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", std::move(params)}}.dump();
  };
  const Json place = {{"textDocument", {{"uri", uri}}}, {"position", {{"line", 1}, {"character", 3}}}};
  const Json opened = {{"textDocument", {{"uri", uri}, {"text", "game: Steps\nturn: from own, to empty\n"}}}};
  std::vector<std::string> messages{message("initialize", Json::object()),
                                    message("textDocument/didOpen", opened)};
  for (const std::string what : {"completion", "hover", "references", "rename", "signatureHelp"})
    messages.push_back(message(("textDocument/" + what).c_str(), place));
  for (const auto& sent : messages) static_cast<void>(server.answer(sent));
  const std::size_t count = is_everything_tried() ? 200'000 : 3'000;
  for (std::size_t i = 0; i < count; ++i)
    for (const std::string& answer : server.answer(mutated(messages[random() % messages.size()], random)))
      if (!Json::accept(answer)) FAIL(answer);
  CHECK(Json::parse(server.answer(messages[2]).front()).is_object());
}

} // namespace lsp_robust_test
