// Entry point: LanguageServer.
#include "tools/lsp/server.hpp"

#include "dsl/explanations.hpp"
#include "dsl/finder.hpp"
#include "dsl/migrate.hpp"
#include "dsl/sections.hpp"
#include "dsl/text.hpp"
#include "dsl/tokens.hpp"
#include "interpreter/meaning/symbols.hpp"
#include "interpreter/meaning/words.hpp"
#include "runtime/game/large_stack.hpp"
#include "tools/format/format.hpp"
#include "tools/lsp/completion.hpp"
#include "tools/lsp/documents.hpp"
#include "tools/lsp/lines.hpp"
#include "tools/lsp/references.hpp"
#include "tools/lsp/semantic_tokens.hpp"
#include "tools/lsp/signatures.hpp"
#include "tools/lsp/word_model.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace boardwright::tools {
namespace {

// Numbers of the protocol.
constexpr int kParseError = -32700, kInvalidRequest = -32600, kMethodNotFound = -32601,
              kInvalidParams = -32602, kNotInitialized = -32002, kRequestFailed = -32803, kCancelled = -32800;
constexpr int kWholeText = 1;                        // the client sends all of a text that changed
constexpr int kSectionSymbol = 3, kEntrySymbol = 12; // kinds of symbols

// The member at a path, or null where anything on the way is missing.
Json member(const Json& json, std::initializer_list<const char*> path) {
  const Json* at = &json;
  for (const char* key : path) {
    if (!at->is_object() || !at->contains(key)) return nullptr;
    at = &(*at)[key];
  }
  return *at;
}

std::string text_member(const Json& json, std::initializer_list<const char*> path) {
  const Json found = member(json, path);
  return found.is_string() ? found.get<std::string>() : "";
}

Json place_json(const EditorPlace& place) { return {{"line", place.line}, {"character", place.column}}; }

Json range_of(const std::string& text, std::size_t begin, std::size_t end) {
  const Lines lines(text);
  return {{"start", place_json(lines.place(begin))}, {"end", place_json(lines.place(end))}};
}

Json edit_json(const std::string& text, dsl::Span span, const std::string& by) {
  return {{"range", range_of(text, span.begin, span.end)}, {"newText", by}};
}

// The place that a request is about; nothing where it is no place.
std::optional<std::size_t> place_in(const Json& params, const std::string& text) {
  const Json line = member(params, {"position", "line"}), column = member(params, {"position", "character"});
  if (!line.is_number_unsigned() || !column.is_number_unsigned()) return std::nullopt;
  return Lines(text).offset({line.get<std::size_t>(), column.get<std::size_t>()});
}

std::string suggestion_in(const std::string& help) {
  const std::string begin = "did you mean `";
  const std::size_t at = help.find(begin);
  if (at == std::string::npos) return "";
  const std::size_t from = at + begin.size();
  const std::size_t end = help.find('`', from);
  return end == std::string::npos ? "" : help.substr(from, end - from);
}

int severity_of(dsl::Severity severity) {
  return severity == dsl::Severity::error ? 1 : severity == dsl::Severity::warning ? 2 : 3;
}

std::vector<dsl::Diagnostic> told_of(const Document& document) {
  auto told = document.loaded->diagnostics.all();
  if (!document.loaded->diagnostics.has_errors())
    told.insert(told.end(), document.findings.begin(), document.findings.end());
  return told;
}

bool is_in(const dsl::Sources& sources, dsl::FileId file, const Document& document) {
  return file < sources.size() && sources.name(file) == document.path;
}

// What is wrong in another file stands at the beginning of the one that needs it.
Json diagnostic_json(const Document& document, const dsl::Diagnostic& told) {
  const dsl::Sources& sources = document.loaded->sources;
  const bool here = is_in(sources, told.span.file, document);
  std::string message = told.message;
  for (const std::string& more : {told.expected, told.help})
    if (!more.empty()) message += "\n" + more;
  Json related = Json::array();
  const auto relate = [&](dsl::Span span, const std::string& why) {
    if (span.file >= sources.size()) return;
    related.push_back({{"location",
                        {{"uri", uri_of_path(sources.name(span.file))},
                         {"range", range_of(sources.text(span.file), span.begin, span.end)}}},
                       {"message", why}});
  };
  if (!here) relate(told.span, told.message);
  for (const auto& [span, why] : told.related) relate(span, why);
  return {{"range",
           here ? range_of(document.text, told.span.begin, told.span.end) : range_of(document.text, 0, 0)},
          {"severity", severity_of(told.severity)},
          {"code", told.code.name()},
          {"source", "boardwright"},
          {"message", message},
          {"relatedInformation", related}};
}

Json published(const Document& document) {
  Json all = Json::array();
  for (const auto& told : told_of(document)) all.push_back(diagnostic_json(document, told));
  if (document.loaded->not_found) all.clear();
  return {{"jsonrpc", "2.0"},
          {"method", "textDocument/publishDiagnostics"},
          {"params", {{"uri", document.uri}, {"diagnostics", all}}}};
}

std::optional<dsl::Yaml> tree_in(const std::string& text) {
  dsl::Sources sources;
  dsl::Diagnostics ignored;
  return dsl::read_yaml(sources, sources.add("", text), ignored);
}

// --- completion

// The protocol's number for what a word is.
int kind_of(Offer::Kind kind) {
  switch (kind) {
  case Offer::Kind::section: return 9;
  case Offer::Kind::key: return 10;
  case Offer::Kind::keyword: return 14;
  case Offer::Kind::function: return 3;
  case Offer::Kind::variable: return 6;
  case Offer::Kind::kind: return 13;
  case Offer::Kind::word: return 21;
  }
  return 1;
}

// Editors sort by `sortText`; the list isn't complete, since another letter brings other words to its top.
Json completions(const Document& document, std::size_t offset) {
  Json items = Json::array();
  for (const Offer& offer : completions_at(document, offset))
    items.push_back({{"label", offer.label},
                     {"kind", kind_of(offer.kind)},
                     {"sortText", fmt::format("{:03}", items.size())}});
  return {{"isIncomplete", true}, {"items", items}};
}

// --- names

Json definition(const Document& document, const std::string& name) {
  const auto span = defined_at(document, name);
  if (!span || span->file >= document.readable->sources.size()) return nullptr;
  const dsl::Sources& sources = document.readable->sources;
  const bool here = is_in(sources, span->file, document);
  return {{"uri", here ? document.uri : uri_of_path(sources.name(span->file))},
          {"range", range_of(sources.text(span->file), span->begin, span->end)}};
}

// The line of a definition and those that are indented further.
std::string defining_lines(const dsl::Sources& sources, dsl::Span span) {
  const std::string& text = sources.text(span.file);
  const std::size_t begin = text.rfind('\n', span.begin) + 1; // npos + 1 is 0
  const std::size_t margin = text.find_first_not_of(' ', begin) - begin;
  std::size_t end = std::min(text.find('\n', span.begin), text.size());
  while (end < text.size()) {
    const std::size_t word = text.find_first_not_of(' ', end + 1);
    if (word == std::string::npos || text[word] == '\n' || word - end - 1 <= margin) break;
    end = std::min(text.find('\n', word), text.size());
  }
  return text.substr(begin, end - begin);
}

// What the language means by a word, and by the function of that name.
std::string sentences_about(const std::string& name) {
  std::string text;
  for (const auto* word : {interpreter::word_named(name), interpreter::function_named(name)})
    if (word != nullptr) text += fmt::format("`{}`: {}\n\n", word->written, word->what);
  return text;
}

Json hover(const Document& document, std::size_t offset) {
  std::string text;
  const Word word = word_at(document.text, offset);
  for (const auto& told : told_of(document)) {
    if (!is_in(document.loaded->sources, told.span.file, document)) continue;
    if (offset < told.span.begin || offset > told.span.end) continue;
    const auto* entry = dsl::explanation_of(told.code.name());
    if (entry != nullptr) text += "**" + entry->name + "**: " + entry->summary + "\n\n";
  }
  if (document.readable && !word.text.empty()) {
    const interpreter::Symbols symbols(*document.readable->file);
    auto what = symbols.lookup(word.text, false);
    if (what == interpreter::NameIs::unknown) what = symbols.lookup(word.text, true);
    if (what != interpreter::NameIs::unknown)
      text += "`" + word.text + "`: " + interpreter::describe(what) + "\n\n";
    if (what == interpreter::NameIs::word || what == interpreter::NameIs::function)
      text += sentences_about(word.text);
    if (const auto span = defined_at(document, word.text);
        span && span->file < document.readable->sources.size())
      text += "```yaml\n" + defining_lines(document.readable->sources, *span) + "\n```\n";
  }
  if (text.empty()) return nullptr;
  return {{"contents", {{"kind", "markdown"}, {"value", text}}}};
}

Json edits_of_format(const Document& document) {
  const auto formatted = format_rule_file(document.path, document.text);
  if (formatted.text == document.text) return Json::array();
  return Json::array(
      {{{"range", range_of(document.text, 0, document.text.size())}, {"newText", formatted.text}}});
}

// --- what is shown beside the text

Json signature_help(const Document& document, std::size_t offset) {
  const auto signature = signature_at(document, offset);
  if (!signature) return nullptr;
  Json parameters = Json::array();
  for (const auto& [begin, end] : signature->parameters)
    parameters.push_back({{"label", signature->label.substr(begin, end - begin)}});
  return {{"signatures", Json::array({{{"label", signature->label}, {"parameters", parameters}}})},
          {"activeSignature", 0},
          {"activeParameter", signature->active}};
}

// Of the lines that the editor shows; all where it doesn't say which.
Json inlay_hints(const Document& document, const Json& range) {
  constexpr int kParameterHint = 2;
  const Json from = member(range, {"start", "line"}), to = member(range, {"end", "line"});
  const Lines lines(document.text);
  const auto shown = [&](const EditorPlace& place) {
    return !(from.is_number_unsigned() && place.line < from.get<std::size_t>()) &&
           !(to.is_number_unsigned() && place.line > to.get<std::size_t>());
  };
  Json hints = Json::array();
  for (const InlayHint& hint : argument_hints(document)) {
    const EditorPlace place = lines.place(hint.offset);
    if (!shown(place)) continue;
    hints.push_back({{"position", place_json(place)},
                     {"label", hint.text},
                     {"kind", kParameterHint},
                     {"paddingRight", true}});
  }
  for (const PlayCount& count : document.counts) {
    const EditorPlace place = lines.place(count.ahead ? count.span.begin : count.span.end);
    if (!shown(place)) continue;
    hints.push_back({{"position", place_json(place)},
                     {"label", count.text},
                     {"tooltip", count.in_full},
                     {count.ahead ? "paddingRight" : "paddingLeft", true}});
  }
  return hints;
}

// --- outlines

Json symbol(const std::string& text, const dsl::YamlEntry& entry, int kind) {
  const dsl::Span key = entry.key.span();
  const std::size_t end = std::max(entry.value.span.end, key.end);
  Json children = Json::array();
  if (kind == kSectionSymbol)
    for (const auto& inner : entry.value.entries) children.push_back(symbol(text, inner, kEntrySymbol));
  return {{"name", entry.key.text.empty() ? "?" : entry.key.text},
          {"kind", kind},
          {"range", range_of(text, key.begin, end)},
          {"selectionRange", range_of(text, key.begin, key.end)},
          {"children", children}};
}

Json outline(const std::string& text) {
  Json symbols = Json::array();
  if (const auto root = tree_in(text))
    for (const auto& entry : root->entries) symbols.push_back(symbol(text, entry, kSectionSymbol));
  return symbols;
}

void fold(const Lines& lines, const dsl::Yaml& node, Json& ranges) {
  for (const auto& entry : node.entries) {
    const auto first = lines.place(entry.key.span().begin).line;
    const std::size_t end = std::max(entry.value.span.end, entry.key.span().end);
    auto last = lines.place(end);
    if (last.column == 0 && last.line > 0) --last.line;
    if (last.line > first) ranges.push_back({{"startLine", first}, {"endLine", last.line}});
    fold(lines, entry.value, ranges);
  }
  for (const auto& item : node.items) fold(lines, item, ranges);
}

Json code_actions(const Document& document) {
  Json actions = Json::array();
  const auto action = [&](const std::string& title, Json edits) {
    actions.push_back({{"title", title},
                       {"kind", "quickfix"},
                       {"edit", {{"changes", {{document.uri, std::move(edits)}}}}}});
  };
  for (const auto& told : told_of(document)) {
    const std::string meant = suggestion_in(told.help);
    if (meant.empty() || !is_in(document.loaded->sources, told.span.file, document)) continue;
    action("Write `" + meant + "`", Json::array({edit_json(document.text, told.span, meant)}));
  }
  const auto migration =
      dsl::migration_of(document.path, document.text, [&](const auto& name, const auto& beside) {
        return name == document.path ? std::optional(dsl::FoundFile{name, document.text})
                                     : dsl::standard_finder()(name, beside);
      });
  Json edits = Json::array();
  for (const auto& [span, by] : migration.edits) edits.push_back(edit_json(document.text, span, by));
  if (!edits.empty()) action("Write what the language gave up anew", edits);
  return actions;
}

bool touches(const Json& action, const Json& range, const std::string& uri) {
  const Json from = member(range, {"start", "line"}), to = member(range, {"end", "line"});
  if (!from.is_number_unsigned() || !to.is_number_unsigned()) return false;
  const Json& edits = action["edit"]["changes"][uri];
  return std::any_of(edits.begin(), edits.end(), [&](const Json& edit) {
    return edit["range"]["start"]["line"] <= to && edit["range"]["end"]["line"] >= from;
  });
}

const Json& capabilities() {
  static const Json all = {
      {"positionEncoding", "utf-16"},
      {"textDocumentSync", {{"openClose", true}, {"change", kWholeText}}},
      {"completionProvider", {{"triggerCharacters", {" ", "(", ",", ":", "{"}}}},
      {"hoverProvider", true},
      {"definitionProvider", true},
      {"referencesProvider", true},
      {"renameProvider", true},
      {"documentSymbolProvider", true},
      {"foldingRangeProvider", true},
      {"documentFormattingProvider", true},
      {"codeActionProvider", true},
      {"signatureHelpProvider", {{"triggerCharacters", {"(", ","}}}},
      {"inlayHintProvider", true},
      {"semanticTokensProvider",
       {{"legend", {{"tokenTypes", semantic_token_sorts()}, {"tokenModifiers", Json::array()}}},
        {"full", true}}}};
  return all;
}

} // namespace

class LanguageServer::Core {
public:
  std::vector<std::string> answer(const std::vector<std::string>& texts) {
    out_.clear();
    std::vector<Json> messages;
    for (const std::string& text : texts) messages.push_back(Json::parse(text, nullptr, false));
    for (auto message = messages.begin(); message != messages.end(); ++message) {
      more_ = message + 1 != messages.end();
      take(*message, is_cancelled(*message, {message + 1, messages.end()}));
    }
    tell_changes();
    return std::move(out_);
  }
  std::vector<std::string> at_pause() {
    out_.clear();
    if (const auto uri = documents_.examine_next())
      send(published(*documents_.find(*uri)));
    else if (const auto shown = uncounted())
      count(*shown);
    return std::move(out_);
  }
  [[nodiscard]] bool waits_for_pause() const { return !documents_.all_examined() || uncounted(); }
  [[nodiscard]] std::optional<int> ended() const { return ended_; }

private:
  // Does one of the later messages say that nobody waits for the answer?
  static bool is_cancelled(const Json& message, const std::vector<Json>& later) {
    const Json id = member(message, {"id"});
    return !id.is_null() && std::any_of(later.begin(), later.end(), [&](const Json& other) {
      return text_member(other, {"method"}) == "$/cancelRequest" && member(other, {"params", "id"}) == id;
    });
  }

  void take(const Json& message, bool cancelled) {
    if (message.is_discarded())
      fail(nullptr, kParseError, "this is not JSON");
    else if (!message.is_object() || !member(message, {"method"}).is_string())
      malformed(message);
    else if (cancelled)
      fail(message["id"], kCancelled, "the request was cancelled");
    else if (message.contains("id"))
      request(message["id"], text_member(message, {"method"}), member(message, {"params"}));
    else
      notice(text_member(message, {"method"}), member(message, {"params"}));
  }

  // A file whose hints are shown, and of which no random games have been played since it changed.
  [[nodiscard]] std::optional<std::string> uncounted() const {
    for (const std::string& uri : hinted_)
      if (const Document* document = documents_.find(uri); document != nullptr && !document->counted)
        return uri;
    return std::nullopt;
  }
  // Who shows hints asks for them at changes only, unless it is told that there are others.
  void count(const std::string& uri) {
    documents_.count(uri);
    if (refreshes_)
      send({{"jsonrpc", "2.0"},
            {"id", fmt::format("counts-{}", ++asked_)},
            {"method", "workspace/inlayHint/refresh"}});
  }

  void send(const Json& message) { out_.push_back(to_text(message)); }
  void fail(const Json& id, int code, const std::string& why) {
    send({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", why}}}});
  }
  void succeed(const Json& id, const Json& result) {
    send({{"jsonrpc", "2.0"}, {"id", id}, {"result", result}});
  }

  // A client's answers to requests have no method; ours only tells it to ask anew.
  void malformed(const Json& message) {
    if (message.is_object() && (message.contains("result") || message.contains("error"))) return;
    fail(message.is_object() ? member(message, {"id"}) : Json(nullptr), kInvalidRequest,
         "this is no request");
  }

  void notice(const std::string& method, const Json& params) {
    const std::string uri = text_member(params, {"textDocument", "uri"});
    if (method == "exit") ended_ = shut_down_ ? 0 : 1;
    if (!initialized_ || shut_down_) return;
    if (method == "textDocument/didOpen" && member(params, {"textDocument", "text"}).is_string())
      opened(uri, text_member(params, {"textDocument", "text"}));
    if (method == "textDocument/didChange" && documents_.find(uri) != nullptr) {
      const Json changes = member(params, {"contentChanges"});
      if (changes.is_array() && !changes.empty() && member(changes.back(), {"text"}).is_string())
        changed(uri, text_member(changes.back(), {"text"}));
    }
    if (method == "textDocument/didClose" && documents_.find(uri) != nullptr) {
      tell_changes();
      hinted_.erase(uri);
      const auto users = documents_.close(uri);
      send({{"jsonrpc", "2.0"},
            {"method", "textDocument/publishDiagnostics"},
            {"params", {{"uri", uri}, {"diagnostics", Json::array()}}}});
      for (const auto& name : users) send(published(*documents_.find(name)));
    }
  }

  // Of changes that follow one another at once only the last is looked at.
  void changed(const std::string& uri, const std::string& text) {
    documents_.put(uri, text);
    if (!more_) tell_changes();
  }
  void tell_changes() {
    for (const auto& name : documents_.look()) send(published(*documents_.find(name)));
  }
  // Nobody types yet: all is told at once.
  void opened(const std::string& uri, const std::string& text) {
    tell_changes();
    documents_.put(uri, text);
    const auto changed = documents_.look();
    while (documents_.examine_next()) {
    }
    for (const auto& name : changed) send(published(*documents_.find(name)));
  }

  void request(const Json& id, const std::string& method, const Json& params) {
    if (method == "initialize") {
      initialized_ = true;
      refreshes_ = member(params, {"capabilities", "workspace", "inlayHint", "refreshSupport"}) == Json(true);
      static_cast<void>(WordModel::of_library()); // once, before anybody types
      return succeed(id, {{"capabilities", capabilities()},
                          {"serverInfo", {{"name", "boardwright"}, {"version", BOARDWRIGHT_VERSION}}}});
    }
    if (!initialized_) return fail(id, kNotInitialized, "the first request must be `initialize`");
    if (shut_down_) return fail(id, kInvalidRequest, "after `shutdown` there is only `exit`");
    if (method == "shutdown") {
      shut_down_ = true;
      return succeed(id, nullptr);
    }
    tell_changes();
    if (method == "boardwright/text") return bundled_text(id, text_member(params, {"uri"}));
    static const std::set<std::string> kOfText = {"documentSymbol", "foldingRange", "formatting",
                                                  "codeAction",     "inlayHint",    "semanticTokens/full"};
    static const std::set<std::string> kOfPlace = {"completion", "hover",  "definition",
                                                   "references", "rename", "signatureHelp"};
    const std::string prefix = "textDocument/";
    const std::string what = method.starts_with(prefix) ? method.substr(prefix.size()) : "";
    if (!kOfText.contains(what) && !kOfPlace.contains(what))
      return fail(id, kMethodNotFound, "there is no method " + method);
    const Document* document = documents_.find(text_member(params, {"textDocument", "uri"}));
    if (document == nullptr) return fail(id, kInvalidParams, "this document isn't open");
    if (kOfText.contains(what)) return of_text(id, what, *document, params);
    const auto offset = place_in(params, document->text);
    if (!offset) return fail(id, kInvalidParams, "`position` needs a line and a character, from 0 on");
    of_place(id, what, *document, *offset, params);
  }

  void of_text(const Json& id, const std::string& what, const Document& document, const Json& params) {
    if (what == "documentSymbol") return succeed(id, outline(document.text));
    if (what == "formatting") return succeed(id, edits_of_format(document));
    if (what == "inlayHint") {
      hinted_.insert(document.uri);
      return succeed(id, inlay_hints(document, member(params, {"range"})));
    }
    if (what == "semanticTokens/full") return succeed(id, {{"data", semantic_tokens(document)}});
    if (what == "foldingRange") {
      Json ranges = Json::array();
      if (const auto root = tree_in(document.text)) fold(Lines(document.text), *root, ranges);
      return succeed(id, ranges);
    }
    Json actions = Json::array();
    for (const Json& action : code_actions(document))
      if (touches(action, member(params, {"range"}), document.uri)) actions.push_back(action);
    succeed(id, actions);
  }

  void of_place(const Json& id, const std::string& what, const Document& document, std::size_t offset,
                const Json& params) {
    const Word word = word_at(document.text, offset);
    if (what == "completion") return succeed(id, completions(document, offset));
    if (what == "hover") return succeed(id, hover(document, offset));
    if (what == "definition") return succeed(id, definition(document, word.text));
    if (what == "rename") return rename(id, document, offset, text_member(params, {"newName"}));
    if (what == "signatureHelp") return succeed(id, signature_help(document, offset));
    Json places = Json::array();
    for (const UsesInFile& file : uses_in_files(documents_, document, word.text, offset))
      for (const dsl::Span& use : file.uses)
        places.push_back({{"uri", file.uri}, {"range", range_of(file.text, use.begin, use.end)}});
    succeed(id, places);
  }

  // Only where the files have no more errors afterwards.
  void rename(const Json& id, const Document& document, std::size_t offset, const std::string& to) {
    const bool fit = !to.empty() && dsl::begins_name(to.front()) &&
                     std::all_of(to.begin(), to.end(), dsl::continues_name) && !dsl::keyword(to);
    if (!fit) return fail(id, kInvalidParams, "this is no name");
    const Word word = word_at(document.text, offset);
    const Renamed change = renamed(documents_, document, word.text, offset, to);
    if (!change.refusal.empty()) return fail(id, kRequestFailed, change.refusal);
    Json changes = Json::object();
    for (const UsesInFile& file : change.files)
      for (const dsl::Span& use : file.uses) changes[file.uri].push_back(edit_json(file.text, use, to));
    succeed(id, {{"changes", changes}});
  }

  void bundled_text(const Json& id, const std::string& uri) {
    const std::string scheme = "boardwright:";
    const auto found =
        uri.starts_with(scheme) ? dsl::bundled_finder()(uri.substr(scheme.size()), "") : std::nullopt;
    if (!found) return fail(id, kInvalidParams, "no file of the library has this name");
    succeed(id, {{"text", found->text}});
  }

  Documents documents_;
  std::vector<std::string> out_;
  bool initialized_ = false, shut_down_ = false;
  bool more_ = false;            // another message waits already
  std::set<std::string> hinted_; // files whose hints were asked for
  bool refreshes_ = false;       // the client asks for hints anew when it is told to
  std::uint64_t asked_ = 0;      // requests of ours
  std::optional<int> ended_;
};

LanguageServer::LanguageServer() : core_(std::make_unique<Core>()) {}
LanguageServer::~LanguageServer() = default;

std::vector<std::string> LanguageServer::answer(const std::string& message) {
  return answer(std::vector<std::string>{message});
}

std::vector<std::string> LanguageServer::answer(const std::vector<std::string>& messages) {
  std::vector<std::string> answers; // rules that nest deeply are read by recursion
  runtime::on_large_stack([&] { answers = core_->answer(messages); });
  return answers;
}

std::vector<std::string> LanguageServer::at_pause() {
  std::vector<std::string> told;
  runtime::on_large_stack([&] { told = core_->at_pause(); });
  return told;
}

bool LanguageServer::waits_for_pause() const { return core_->waits_for_pause(); }

std::optional<int> LanguageServer::ended() const { return core_->ended(); }

} // namespace boardwright::tools
