// An editor that has one file open, as tests and benchmarks need it.
#pragma once

#include "tools/lsp/lines.hpp"
#include "tools/lsp/server.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace boardwright::tests {

class Editing {
public:
  using Json = nlohmann::json;

  explicit Editing(const std::string& text, std::string uri = "file:///nowhere/edited.yaml")
      : uri_(std::move(uri)), text_(text) {
    ask("initialize", Json::object());
    notify(
        "textDocument/didOpen",
        {{"textDocument", {{"uri", uri_}, {"languageId", "boardwright"}, {"version", 1}, {"text", text}}}});
  }

  // Each gives what is told of the file.
  Json change(const std::string& text) {
    text_ = text;
    return notify("textDocument/didChange", {{"textDocument", {{"uri", uri_}, {"version", ++version_}}},
                                             {"contentChanges", Json::array({{{"text", text}}})}});
  }
  Json pause() { return told_in(server_.at_pause()); }

  // The words that may stand at a place, the likeliest first.
  std::vector<std::string> completions(std::size_t offset) {
    std::vector<std::string> words;
    const Json answer = at("completion", offset);
    const Json& items = answer.is_object() ? answer["items"] : answer;
    for (const Json& item : items) words.push_back(item["label"]);
    return words;
  }
  // The result of a request about a place.
  Json at(const std::string& method, std::size_t offset, Json more = Json::object()) {
    const auto place = tools::Lines(text_).place(offset);
    more["textDocument"] = {{"uri", uri_}};
    more["position"] = {{"line", place.line}, {"character", place.column}};
    return ask("textDocument/" + method, more);
  }
  Json of_file(const std::string& method, Json more = Json::object()) {
    more["textDocument"] = {{"uri", uri_}};
    return ask("textDocument/" + method, more);
  }

  Json ask(const std::string& method, const Json& params) {
    const auto answers =
        server_.answer(written({{"jsonrpc", "2.0"}, {"id", ++id_}, {"method", method}, {"params", params}}));
    return answers.empty() ? Json() : Json::parse(answers.front()).value("result", Json());
  }
  Json notify(const std::string& method, const Json& params) {
    return told_in(server_.answer(written({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}})));
  }

private:
  // A file may be cut in the middle of a character.
  static std::string written(const Json& message) {
    return message.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  Json told_in(const std::vector<std::string>& answers) const {
    Json told;
    for (const auto& answer : answers)
      if (Json one = Json::parse(answer); one["params"]["uri"] == uri_) told = one["params"]["diagnostics"];
    return told;
  }

  tools::LanguageServer server_;
  std::string uri_, text_;
  int id_ = 0, version_ = 1;
};

} // namespace boardwright::tests
