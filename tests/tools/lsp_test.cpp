// The language server: its core message by message, and the program as an editor starts it.
#include "dsl/finder.hpp"
#include "dsl/sections.hpp"
#include "dsl/tokens.hpp"
#include "interpreter/meaning/symbols.hpp"
#include "tests/rule_files.hpp"
#include "tests/tools/running.hpp"
#include "tools/lsp/server.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace lsp_test {

using namespace boardwright;

namespace {

using nlohmann::json;

const std::string kUri = "file:///nowhere/steps.yaml";
const std::string kSteps = "game: Steps # ♟😀\n"
                           "players: { White: north, Black: south }\n"
                           "board: { squares: 4 by 4 }\n"
                           "pieces: { man: w b }\n"
                           "setup: { w: rank(1), b: rank(4) }\n"
                           "define:\n"
                           "  advance: step(forward, empty)\n"
                           "turn: from own, advance\n"
                           "end:\n"
                           "  - lose when no move\n";

class Session {
public:
  Session() { request("initialize", json::object()); }

  json request(const std::string& method, const json& params) {
    const auto answers =
        server_.answer(json{{"jsonrpc", "2.0"}, {"id", ++id_}, {"method", method}, {"params", params}}.dump(
            -1, ' ', false, json::error_handler_t::replace));
    REQUIRE(answers.size() == 1);
    const json answer = json::parse(answers.front());
    CHECK(answer["id"] == id_);
    return answer;
  }
  json open(const std::string& text, const std::string& uri = kUri) {
    const json document = {{"uri", uri}, {"languageId", "boardwright"}, {"version", 1}, {"text", text}};
    json told;
    for (const auto& answer : server_.answer(json{
             {"jsonrpc", "2.0"}, {"method", "textDocument/didOpen"}, {"params", {{"textDocument", document}}}}
                                                 .dump(-1, ' ', false, json::error_handler_t::replace)))
      if (const json one = json::parse(answer); one["params"]["uri"] == uri)
        told = one["params"]["diagnostics"];
    return told;
  }
  json at(const std::string& what, int line, int column) {
    return request("textDocument/" + what, {{"textDocument", {{"uri", kUri}}},
                                            {"position", {{"line", line}, {"character", column}}},
                                            {"newName", "march"}});
  }
  tools::LanguageServer& server() { return server_; }

private:
  tools::LanguageServer server_;
  int id_ = 0;
};

bool offers(const json& items, const std::string& label) {
  for (const auto& item : items["items"])
    if (item["label"] == label) return true;
  return false;
}

std::string framed(const json& message) {
  const std::string text = message.dump();
  return "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
}

int error_code(const std::vector<std::string>& answers) {
  REQUIRE(answers.size() == 1);
  return json::parse(answers.front())["error"]["code"];
}

} // namespace

TEST_CASE("the language server tells what check tells, in columns of UTF-16") {
  Session session;
  CHECK(session.open(kSteps).empty());
  std::string wrong = kSteps;
  wrong.replace(wrong.find("own, advance"), 12, "own, \"😀\" = advanc");
  bool found = false;
  for (const auto& told : session.open(wrong))
    if (told["code"] == "unknown-name") {
      found = true;
      CHECK(told["range"]["start"] == json{{"line", 7}, {"character", 23}});
    }
  CHECK(found);
}

TEST_CASE("a section that is no YAML hides nothing of the others") {
  Session session;
  std::string wrong = kSteps;
  wrong.replace(wrong.find("from own, advance"), 17, "from own, ,");
  const json before = session.open(wrong);
  REQUIRE_FALSE(before.empty());
  wrong.replace(wrong.find(" }\nboard"), 2, ""); // players: { …
  const json after = session.open(wrong);
  CHECK(after.size() == before.size() + 1);
  for (const auto& told : before) CHECK(std::count(after.begin(), after.end(), told) == 1);
  CHECK(offers(session.at("completion", 7, 16)["result"], "advance"));
}

TEST_CASE("a line that has lost its colon, or the name of a section, hides nothing of others") {
  const std::string rules = "game: Test\nabout:\n  author: Ann\n  year: 1900\n"
                            "players: { White: north, Black: south }\nboard: { squares: 4 by 4 }\n"
                            "pieces: { man: w b }\nsetup: { w: rank(1), b: rank(4) }\n"
                            "options:\n  far: { default: 1, range: 1..3 }\n  back: { default: true }\n"
                            "turn: from own, (go forward, at nonesuch){far}, put\n";
  const auto tells = [&](const json& told) {
    return std::any_of(told.begin(), told.end(), [](const json& one) {
      return one["message"].get<std::string>().find("`nonesuch`") != std::string::npos;
    });
  };
  const auto with = [&](std::string_view part, const std::string& instead) {
    std::string text = rules;
    return text.replace(text.find(part), part.size(), instead);
  };
  CHECK(tells(Session().open(rules)));
  CHECK(tells(Session().open(with("year: 1900", "ye"))));
  CHECK(tells(Session().open(with("setup: { w: rank(1), b: rank(4) }", "setu"))));
  // These are known because they could be read before.
  Session session;
  session.open(rules);
  CHECK(tells(session.open(with("board: { squ", "bo"))));
  session.open(rules);
  CHECK(tells(session.open(with("far: { default: 1, range: 1..3 }", "fa 1..3 }"))));
  // What somebody takes out is gone.
  session.open(rules);
  CHECK_FALSE(session.open(with("  far: { default: 1, range: 1..3 }\n", "")).size() == 1);
}

TEST_CASE("members of families are known in the steps of a rule that can't be read") {
  const std::string rules = "game: Test\nplayers: [White, Black]\nboard: { squares: 4 by 4 }\n"
                            "pieces: { pot: { raw: r R, glazed: g G } }\nsetup: { r: a1 }\n"
                            "turn: place(pot(raw), empty) or pass, if some own pot(KEY) then win\n";
  const auto told = [&](const std::string& key) {
    std::string text = rules;
    return Session().open(text.replace(text.find("KEY"), 3, key)).size();
  };
  CHECK(told("glazed") == 1); // `,` after `or`
  CHECK(told("blue") == 2);
}

TEST_CASE("words are offered that the rest of a key or of a rule needs") {
  const std::string rules = "game: Test\nplayers: { White: north, Black: south }\n"
                            "board: { squares: 4 by 4 }\npieces: { man: w b }\nsetup: { w: rank(1) }\n";
  const auto offered = [&](const std::string& text, const std::string& word) {
    Session session;
    session.open(rules + text);
    const auto lines =
        std::count(rules.begin(), rules.end(), '\n') + std::count(text.begin(), text.end(), '\n');
    const auto column = text.size() - (text.rfind('\n') + 1); // npos + 1 is 0
    return offers(session.at("completion", static_cast<int>(lines), static_cast<int>(column))["result"],
                  word);
  };
  CHECK(offered("turn: choose k ", "in"));
  CHECK(offered("turn: choose k i", "in"));
  CHECK(offered("turn: from own, require no c i", "in"));
  CHECK(offered("define:\n  walk:\n    ", "man"));
  CHECK_FALSE(offered("turn: choose ", "in"));
  CHECK_FALSE(offered("turn: let k ", "in"));
  CHECK(offered("turn: pass\ntests:\n  - name: x\n    moves in", "include"));
  CHECK(offered("turn: pass\ntests:\n  - name: x\n    moves ", "exclude"));
  CHECK_FALSE(offered("turn: pass\ntests:\n  - name: x\n    in", "include"));
}

TEST_CASE("the language server knows names") {
  Session session;
  session.open(kSteps);
  CHECK(session.at("definition", 7, 18)["result"]["range"]["start"] == json{{"line", 6}, {"character", 2}});
  CHECK(session.at("references", 7, 18)["result"].size() == 2);
  CHECK(session.at("rename", 7, 18)["result"]["changes"][kUri].size() == 2);
  CHECK(session.at("rename", 6, 12)["error"]["code"] == -32803); // `step` isn't the file's
  CHECK(session.at("hover", 7, 18)["result"]["contents"]["value"].dump().find("step(forward") !=
        std::string::npos);
  CHECK(offers(session.at("completion", 7, 16)["result"], "advance"));
  CHECK_FALSE(offers(session.at("completion", 7, 16)["result"], "then")); // where nothing begins with `if`
  CHECK(offers(session.at("completion", 7, 0)["result"], "turn"));
  CHECK_FALSE(offers(session.at("completion", 7, 0)["result"], "pieces")); // there is one
  CHECK(session.at("documentSymbol", 0, 0)["result"].size() == 8);
  CHECK(session.at("foldingRange", 0, 0)["result"].size() == 2);
  CHECK(session.at("formatting", 0, 0)["result"].empty());
}

TEST_CASE("the language server tells locals of the same name apart") {
  Session session;
  std::string text = kSteps;
  text.replace(text.find("  advance:"), 11, "  twice(S, D): S + D\n  S: own\n  advance: ");
  session.open(text);
  CHECK(session.at("references", 6, 8)["result"].size() == 2); // the parameter
  CHECK(session.at("references", 7, 2)["result"].size() == 1); // the definition
  CHECK(session.at("rename", 6, 8)["result"]["changes"][kUri].size() == 2);
}

TEST_CASE("the language server renames in all files that mean the same") {
  Session session;
  session.open(kSteps);
  const std::string variant = "file:///nowhere/variant.yaml";
  CHECK(session.open("extends: steps\nturn: from own, advance\n", variant).empty());
  CHECK(session.at("references", 7, 18)["result"].size() == 3);
  const json changes = session.at("rename", 7, 18)["result"]["changes"];
  CHECK(changes[kUri].size() == 2);
  CHECK(changes[variant].size() == 1);
}

TEST_CASE("the language server tells what words of the language are") {
  Session session;
  session.open("game: Words\nplayers: [A, B]\nboard: { squares: 3 by 3 }\npieces: { man: a b }\n"
               "setup: { a: a1 }\nturn: from own, require height(box(a1, b2)) = 1, pass\n");
  const std::string height = session.at("hover", 5, 25)["result"]["contents"]["value"];
  CHECK(height.find("a function of the language") != std::string::npos);
  CHECK(height.find("`height(S)`: pieces in the stacks of S") != std::string::npos);
  const json help = session.at("signatureHelp", 5, 39)["result"];
  CHECK(help["signatures"][0]["label"] == "box(a, z, k)");
  CHECK(help["activeParameter"] == 1);
}

TEST_CASE("the language server shows arguments, and what words are") {
  Session session;
  session.open(kSteps);
  const json help = session.at("signatureHelp", 6, 25)["result"];
  CHECK(help["signatures"][0]["label"].get<std::string>().starts_with("step("));
  CHECK(help["activeParameter"] == 1);
  CHECK(session.at("signatureHelp", 7, 8)["result"].is_null());
  CHECK(session.at("inlayHint", 0, 0)["result"].size() == 2);
  const json data = session.at("semanticTokens/full", 0, 0)["result"]["data"];
  CHECK(data.size() % 5 == 0);
  CHECK(data[0] == 0); // `game`
  CHECK(data[2] == 4);
  CHECK(data[3] == 8);
}

namespace {

// The hint with this text, or null.
json hint(const json& hints, const std::string& label) {
  for (const auto& one : hints)
    if (one["label"] == label) return one;
  return nullptr;
}

json message(const std::string& method, const json& params, int id = 0) {
  json all = {{"jsonrpc", "2.0"}, {"method", method}, {"params", params}};
  if (id != 0) all["id"] = id;
  return all;
}

} // namespace

TEST_CASE("the language server shows how often rules come into play, once nobody types") {
  const std::string text = "game: Steps\n"
                           "players: { White: north, Black: south }\n"
                           "board: { squares: 4 by 4 }\n"
                           "pieces: { man: w b }\n"
                           "setup: { w: rank(1), b: rank(4) }\n"
                           "turn: from own, (go none or go forward), at empty, require ply < 3\n"
                           "end:\n"
                           "  - lose when no move\n";
  const bool refreshes = GENERATE(true, false);
  tools::LanguageServer server;
  const json document = {{"uri", kUri}, {"languageId", "boardwright"}, {"version", 1}, {"text", text}};
  const json capabilities = {{"workspace", {{"inlayHint", {{"refreshSupport", refreshes}}}}}};
  const auto hints = [&] {
    const auto told =
        server.answer(message("textDocument/inlayHint", {{"textDocument", {{"uri", kUri}}}}, 2).dump());
    REQUIRE(told.size() == 1);
    return json::parse(told.front())["result"];
  };
  CHECK(server.answer(message("initialize", {{"capabilities", capabilities}}, 1).dump()).size() == 1);
  CHECK(server.answer(message("textDocument/didOpen", {{"textDocument", document}}).dump()).size() == 1);
  CHECK_FALSE(server.waits_for_pause()); // who shows no hints needs no games
  CHECK(hints().empty());
  REQUIRE(server.waits_for_pause());
  const auto told = server.at_pause();
  CHECK_FALSE(server.waits_for_pause());
  REQUIRE(told.size() == (refreshes ? 1 : 0));
  if (refreshes) {
    const json refresh = json::parse(told.front());
    CHECK(refresh["method"] == "workspace/inlayHint/refresh");
    CHECK(server.answer(json{{"jsonrpc", "2.0"}, {"id", refresh["id"]}, {"result", nullptr}}.dump()).empty());
  }
  const json counted = hints();
  const json end = hint(counted, "200 games");
  REQUIRE(end.is_object());
  CHECK(end["position"] == json{{"line", 7}, {"character", 21}});
  CHECK(end["tooltip"].get<std::string>().find("ended 200 of 200 games") != std::string::npos);
  // Each man can always go forward here, and `go none` leads nowhere.
  bool dead = false, alive = false;
  for (const auto& one : counted) {
    if (one["position"]["line"] != 5) continue;
    const auto label = one["label"].get<std::string>();
    if (one["position"]["character"] == 24) dead = label.starts_with("0 of ");
    if (one["position"]["character"] == 38) alive = !label.starts_with("0 of ") && label != "never";
  }
  CHECK(dead);
  CHECK(alive);
}

TEST_CASE("counts move with the text, until other games have been played") {
  Session session;
  session.open(kSteps);
  session.at("inlayHint", 0, 0);
  while (session.server().waits_for_pause()) static_cast<void>(session.server().at_pause());
  const auto lines = [&] {
    std::vector<int> found;
    const json hints = session.at("inlayHint", 0, 0)["result"];
    for (const auto& one : hints)
      if (one.contains("tooltip")) found.push_back(one["position"]["line"]);
    return found;
  };
  CHECK(lines() == std::vector<int>{6, 9});
  const auto change = [&](const std::string& text) {
    const json changed = {{"textDocument", {{"uri", kUri}, {"version", 2}}},
                          {"contentChanges", json::array({{{"text", text}}})}};
    static_cast<void>(session.server().answer(
        message("textDocument/didChange", changed).dump(-1, ' ', false, json::error_handler_t::replace)));
  };
  std::string longer = kSteps;
  longer.replace(longer.find("define:"), 0, "# more\n");
  change(longer);
  CHECK(lines() == std::vector<int>{7, 10});
  longer.replace(longer.find("lose when"), 4, "draw"); // what is changed has no counts until games are played
  change(longer);
  CHECK(lines() == std::vector<int>{7});
  while (session.server().waits_for_pause()) static_cast<void>(session.server().at_pause());
  CHECK(lines() == std::vector<int>{7, 10});
  change("game: Steps\nturn: from\n"); // with errors no games are played
  while (session.server().waits_for_pause()) static_cast<void>(session.server().at_pause());
  CHECK(lines().empty());
}

TEST_CASE("the language server answers what it can't do by an error") {
  Session session;
  CHECK(session.request("textDocument/moniker", json::object())["error"]["code"] == -32601);
  CHECK(session.at("hover", 0, 0)["error"]["code"] == -32602); // nothing is open
  session.open(kSteps);
  CHECK(session.at("hover", -1, 0)["error"]["code"] == -32602);
  CHECK(session.at("hover", 1000, 1000).contains("result"));
  CHECK(error_code(session.server().answer("{")) == -32700);
  CHECK(error_code(session.server().answer("[1]")) == -32600);
  CHECK(session.server().answer(R"({"method": "$/cancelRequest", "params": {"id": 1}})").empty());
  CHECK(session.server().answer(R"({"method": "textDocument/didChange", "params": [1]})").empty());
  tools::LanguageServer fresh;
  CHECK(error_code(fresh.answer(R"({"id": 1, "method": "shutdown"})")) == -32002);
}

TEST_CASE("of messages that wait together the language server does what is still wanted") {
  Session session;
  session.open(kSteps);
  const auto change = [](const std::string& text) {
    return json{
        {"jsonrpc", "2.0"},
        {"method", "textDocument/didChange"},
        {"params", {{"textDocument", {{"uri", kUri}}}, {"contentChanges", json::array({{{"text", text}}})}}}}
        .dump();
  };
  const std::string hover = R"({"jsonrpc": "2.0", "id": 77, "method": "textDocument/hover", "params": {}})";
  const std::string cancel = R"({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 77}})";
  const auto answers = session.server().answer({change("game: 1"), change(kSteps), hover, cancel});
  REQUIRE(answers.size() == 2);
  CHECK(json::parse(answers[0])["error"]["code"] == -32800);
  CHECK(json::parse(answers[1])["params"]["diagnostics"].empty());
}

TEST_CASE("the language server reads every beginning of a file") {
  Session session;
  for (std::size_t size = 0; size <= kSteps.size(); ++size) {
    session.open(kSteps.substr(0, size));
    CHECK(session.at("completion", 1000, 0).contains("result"));
    CHECK(session.at("hover", 1000, 0).contains("result"));
  }
  for (const auto& file : dsl::bundled_files()) {
    if ((file.family != "rows" || tests::kSanitized) && file.name != "chess") continue;
    for (std::size_t part = 1; part < 8; ++part) {
      session.open(std::string(file.text.substr(0, file.text.size() * part / 8)));
      CHECK(session.at("completion", 1000, 0).contains("result"));
      CHECK(session.at("documentSymbol", 0, 0).contains("result"));
    }
  }
}

TEST_CASE("boardwright lsp speaks over standard input and output") {
  using namespace boardwright::tests;
  const std::string begin = framed({{"jsonrpc", "2.0"}, {"id", 1}, {"method", "initialize"}});
  const std::string end = framed({{"jsonrpc", "2.0"}, {"id", 2}, {"method", "shutdown"}}) +
                          framed({{"jsonrpc", "2.0"}, {"method", "exit"}});
  const auto served = [](const std::string& input) {
    return run("lsp < '" + scratch().file("messages", input) + "'");
  };
  const Run good = served(begin + "Nonsense: 1\r\n\r\n" + end);
  CHECK(good.status == 0);
  CHECK(good.out.starts_with("Content-Length: "));
  CHECK(good.out.find("completionProvider") != std::string::npos);
  CHECK(good.out.find("-32700") != std::string::npos);
  CHECK(served(begin).status == 1);                                // the client is gone
  CHECK(served(begin + "Content-Length: 9\r\n\r\n{").status == 1); // in the middle of a message
  CHECK(served(framed({{"jsonrpc", "2.0"}, {"method", "exit"}})).status == 1);
}

namespace {

// The words of an alternative in a pattern of the grammar for highlighting, sorted.
std::vector<std::string> words_of_pattern(const std::string& rule) {
  const auto grammar = json::parse(boardwright::tests::read(
      boardwright::tests::source_root() + "/tools/editors/vscode/syntaxes/boardwright.tmLanguage.json"));
  const std::string pattern = grammar["repository"][rule]["match"];
  const std::size_t begin = pattern.find('(') + 1, end = pattern.find(')');
  std::vector<std::string> words;
  for (std::size_t at = begin; at < end;) {
    const std::size_t next = std::min(pattern.find('|', at), end);
    words.push_back(pattern.substr(at, next - at));
    at = next + 1;
  }
  std::sort(words.begin(), words.end());
  return words;
}

std::vector<std::string> sorted_without_keywords(std::vector<std::string> words) {
  std::erase_if(words, [](const std::string& word) { return dsl::keyword(word).has_value(); });
  std::sort(words.begin(), words.end());
  return words;
}

} // namespace

TEST_CASE("the grammar for highlighting has the words of the language") {
  std::vector<std::string> keywords;
  for (std::size_t i = 0; i < dsl::kTokCount; ++i)
    if (const std::string word(dsl::spelling(static_cast<dsl::Tok>(i))); dsl::keyword(word))
      keywords.push_back(word);
  std::sort(keywords.begin(), keywords.end());
  CHECK(words_of_pattern("keyword") == keywords);
  const dsl::RuleFile nothing;
  const interpreter::Symbols symbols(nothing);
  CHECK(words_of_pattern("word") == sorted_without_keywords(symbols.known_names(false)));
  auto sections = dsl::section_names();
  std::sort(sections.begin(), sections.end());
  CHECK(words_of_pattern("section") == sections);
}

TEST_CASE("the settings for editors start the language server") {
  const std::string page =
      boardwright::tests::read(boardwright::tests::source_root() + "/tools/editors/README.md");
  const std::size_t begin = page.find("```json\n") + 8;
  const std::size_t end = page.find("```", begin);
  REQUIRE(end != std::string::npos);
  const json kate = json::parse(page.substr(begin, end - begin));
  CHECK(kate["servers"]["yaml"]["command"] == json{"boardwright", "lsp"});
  CHECK(page.find("command = \"boardwright\"\n  args = [\"lsp\"]") != std::string::npos);
  const json extension = json::parse(
      boardwright::tests::read(boardwright::tests::source_root() + "/tools/editors/vscode/package.json"));
  for (const auto& schema : extension["contributes"]["yamlValidation"])
    CHECK_FALSE(boardwright::tests::read(boardwright::tests::source_root() + "/tools/editors/vscode/" +
                                         schema["url"].get<std::string>())
                    .empty());
}

} // namespace lsp_test
