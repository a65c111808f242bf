#include "tools/lsp/signatures.hpp"

#include "dsl/text.hpp"
#include "dsl/tokens.hpp"
#include "interpreter/meaning/symbols.hpp"
#include "interpreter/meaning/words.hpp"
#include "tools/lsp/rule_places.hpp"
#include "tools/lsp/yaml_place.hpp"

#include <algorithm>

namespace boardwright::tools {
namespace {

// What stands in the brackets of a call; nothing where that isn't known.
std::vector<std::string> parameters_of(const interpreter::Symbols& symbols, const std::string& name) {
  std::vector<std::string> names;
  if (const auto found = symbols.definition({name, true}); found.definition != nullptr) {
    for (const auto& parameter : found.definition->parameters) names.push_back(parameter.text);
  } else if (const auto* function = interpreter::function_named(name)) {
    for (const auto& parameter : function->parameters) names.emplace_back(parameter);
  }
  return names;
}

struct OpenCall {
  std::size_t word = 0; // into the words of the file; the name before the bracket, if there is one
  std::size_t argument = 0;
};

bool touches(const WrittenWord& name, const WrittenWord& bracket) {
  return dsl::begins_name(name.text.front()) && !dsl::keyword(name.text) &&
         name.begin + name.text.size() == bracket.begin;
}

// Goes through the words of one rule after the other; `at_argument` is told where an argument begins.
template <class AtArgument>
std::vector<OpenCall> follow_calls(const WrittenFile& file, AtArgument&& at_argument) {
  constexpr std::size_t kNoCall = SIZE_MAX;
  std::vector<OpenCall> open;
  for (std::size_t i = 0; i < file.words.size(); ++i) {
    const WrittenWord& word = file.words[i];
    const Slot& slot = file.slot(word);
    const bool begins = word.before == ":" || word.before == "-";
    if (slot.key || !rule_at(slot.path) || (begins && open.empty())) open.clear();
    if (slot.key || !rule_at(slot.path)) continue;
    if (word.text == "(") {
      open.push_back({i > 0 && touches(file.words[i - 1], word) ? i - 1 : kNoCall, 0});
    } else if (word.text == ")") {
      if (!open.empty()) open.pop_back();
      continue;
    } else if (word.text == "," && !open.empty()) {
      ++open.back().argument;
    } else {
      continue;
    }
    if (!open.empty() && open.back().word != kNoCall) at_argument(open.back(), i + 1);
  }
  return open;
}

} // namespace

std::optional<Signature> signature_at(const Document& document, std::size_t offset) {
  if (!document.readable) return std::nullopt;
  const WrittenFile file = read_written(std::string_view(document.text).substr(0, offset));
  if (file.end.slot.key || !rule_at(file.end.slot.path)) return std::nullopt;
  const auto open = follow_calls(file, [](const OpenCall&, std::size_t) {});
  if (open.empty() || open.back().word >= file.words.size()) return std::nullopt;
  const std::string name(file.words[open.back().word].text);
  const interpreter::Symbols symbols(*document.readable->file);
  const auto parameters = parameters_of(symbols, name);
  if (parameters.empty()) return std::nullopt;
  Signature signature{name + "(", {}, open.back().argument};
  for (const std::string& parameter : parameters) {
    if (!signature.parameters.empty()) signature.label += ", ";
    signature.parameters.emplace_back(signature.label.size(), signature.label.size() + parameter.size());
    signature.label += parameter;
  }
  signature.label += ")";
  return signature;
}

std::vector<InlayHint> argument_hints(const Document& document) {
  std::vector<InlayHint> hints;
  if (!document.readable) return hints;
  const WrittenFile file = read_written(document.text);
  const interpreter::Symbols symbols(*document.readable->file);
  static_cast<void>(follow_calls(file, [&](const OpenCall& call, std::size_t next) {
    if (next >= file.words.size()) return;
    const std::string name(file.words[call.word].text);
    const auto found = symbols.definition({name, true});
    if (found.definition == nullptr) return;
    const auto& parameters = found.definition->parameters;
    if (parameters.size() < 2 || call.argument >= parameters.size()) return;
    const std::string& parameter = parameters[call.argument].text;
    if (file.words[next].text != parameter) hints.push_back({file.words[next].begin, parameter + ":"});
  }));
  return hints;
}

} // namespace boardwright::tools
