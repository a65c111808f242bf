#include "tools/lsp/semantic_tokens.hpp"

#include "dsl/text.hpp"
#include "dsl/tokens.hpp"
#include "interpreter/meaning/symbols.hpp"
#include "tools/lsp/lines.hpp"
#include "tools/lsp/rule_places.hpp"
#include "tools/lsp/scopes.hpp"
#include "tools/lsp/yaml_place.hpp"

#include <algorithm>
#include <optional>

namespace boardwright::tools {
namespace {

// Goes along with `semantic_token_sorts`.
enum class Sort : std::uint8_t { keyword, function, parameter, variable, kind, player, cell, number, key };

class Colouring {
public:
  explicit Colouring(const Document& document) : document_(document), scopes_(document.text) {
    if (document.readable) symbols_.emplace(*document.readable->file);
  }

  std::vector<std::size_t> run() {
    const WrittenFile file = read_written(document_.text);
    const Lines lines(document_.text);
    std::vector<std::size_t> numbers;
    EditorPlace last;
    for (std::size_t i = 0; i < file.words.size(); ++i) {
      const auto sort = sort_of(file, i);
      if (!sort) continue;
      const EditorPlace place = lines.place(file.words[i].begin);
      const std::size_t column = place.line == last.line ? place.column - last.column : place.column;
      for (const std::size_t number : {place.line - last.line, column, file.words[i].text.size(),
                                       static_cast<std::size_t>(*sort), std::size_t{0}})
        numbers.push_back(number);
      last = place;
    }
    return numbers;
  }

private:
  [[nodiscard]] std::optional<Sort> sort_of(const WrittenFile& file, std::size_t i) const {
    const WrittenWord& word = file.words[i];
    const Slot& slot = file.slot(word);
    if (slot.key && slot.path.empty()) return Sort::key;
    const bool rule = slot.key ? slot.path == "define" : rule_at(slot.path).has_value();
    if (!rule) return std::nullopt;
    if (dsl::is_digit(word.text.front())) return Sort::number;
    if (!dsl::begins_name(word.text.front())) return std::nullopt;
    if (scopes_.is_local(word.text, word.begin)) return Sort::parameter;
    if (!slot.key && dsl::keyword(word.text)) return Sort::keyword;
    const bool called = i + 1 < file.words.size() && file.words[i + 1].text == "(" &&
                        file.words[i + 1].begin == word.begin + word.text.size();
    return sort_of_name(std::string(word.text), called);
  }

  [[nodiscard]] std::optional<Sort> sort_of_name(const std::string& name, bool called) const {
    if (!symbols_) return called ? std::optional(Sort::function) : std::nullopt;
    switch (symbols_->lookup(name, called)) {
    case interpreter::NameIs::definition:
    case interpreter::NameIs::function: return Sort::function;
    case interpreter::NameIs::option:
    case interpreter::NameIs::state: return Sort::variable;
    case interpreter::NameIs::kind: return Sort::kind;
    case interpreter::NameIs::player: return Sort::player;
    case interpreter::NameIs::cell:
    case interpreter::NameIs::track:
    case interpreter::NameIs::word:
    case interpreter::NameIs::option_word: return Sort::cell;
    case interpreter::NameIs::unknown: return std::nullopt;
    }
    return std::nullopt;
  }

  const Document& document_;
  Scopes scopes_;
  std::optional<interpreter::Symbols> symbols_;
};

} // namespace

const std::vector<std::string>& semantic_token_sorts() {
  static const std::vector<std::string> sorts{"keyword",   "function", "parameter", "variable", "type",
                                              "namespace", "constant", "number",    "property"};
  return sorts;
}

std::vector<std::size_t> semantic_tokens(const Document& document) { return Colouring(document).run(); }

} // namespace boardwright::tools
