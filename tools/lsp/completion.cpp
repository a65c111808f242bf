// Entry point: completions_at.
#include "tools/lsp/completion.hpp"

#include "dsl/finder.hpp"
#include "dsl/possible.hpp"
#include "dsl/section_keys.hpp"
#include "dsl/text.hpp"
#include "dsl/tokens.hpp"
#include "interpreter/load.hpp"
#include "interpreter/meaning/symbols.hpp"
#include "tools/lsp/rule_places.hpp"
#include "tools/lsp/word_model.hpp"
#include "tools/lsp/yaml_place.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

namespace boardwright::tools {
namespace {

constexpr std::size_t kMostOffers = 100; // nobody reads more, and the next letter asks again

using Names = std::set<std::string, std::less<>>;

// What people say in their own words.
bool is_prose(const YamlPlace& place) {
  if (place.path.empty() || place.slot.key) return false;
  const std::string& section = place.path.front();
  const std::string& last = place.path.back();
  return section == "about" || section == "game" || (section == "check" && place.path.size() > 2) ||
         (section == "options" && last == "help") || (section == "tests" && last == "name");
}

// The maps whose keys are those of the loader's tables, and no others.
const std::vector<std::string>* known_keys(const YamlPlace& place) {
  static const auto tables = dsl::keys_of_sections();
  static const Names open{"about", "setup", "state.*", "tests.-.games", "tests.-.after"};
  for (const auto& [path, keys] : tables)
    if (path == place.slot.path && !open.contains(path)) return &keys;
  return nullptr;
}

dsl::Text text_of(std::string text) {
  dsl::Text whole;
  whole.offsets.resize(text.size() + 1);
  std::iota(whole.offsets.begin(), whole.offsets.end(), 0U);
  whole.text = std::move(text);
  return whole;
}

// The words of the language and of the standard vocabulary, for a file that can't be read yet.
const Names& standard_names() {
  static const Names names = [] {
    const auto loaded = interpreter::load_text(
        "words", "game: Words\nplayers: [A, B]\nboard: { squares: 1 by 1 }\npieces: {}\nturn: pass\n");
    Names all;
    if (!loaded.file) return all;
    const interpreter::Symbols symbols(*loaded.file);
    for (const bool with_arguments : {false, true})
      for (auto& name : symbols.known_names(with_arguments)) all.insert(std::move(name));
    return all;
  }();
  return names;
}

Names names_known_in(const Document& document) {
  if (!document.readable) return standard_names();
  Names names;
  const interpreter::Symbols symbols(*document.readable->file);
  for (const bool with_arguments : {false, true})
    for (auto& name : symbols.known_names(with_arguments)) names.insert(std::move(name));
  return names;
}

Names words_of_rules() {
  Names words;
  for (std::size_t i = 0; i < dsl::kTokCount; ++i)
    if (const std::string word(dsl::spelling(static_cast<dsl::Tok>(i))); dsl::begins_name(word.front()))
      if (word.find(' ') == std::string::npos) words.insert(word);
  return words;
}

// The name of the bundled file that a file may be.
std::string stem(const std::string& path) {
  const std::size_t slash = path.rfind('/') + 1; // npos + 1 is 0
  return path.substr(slash, path.find('.', slash) - slash);
}

class Completing {
public:
  Completing(const Document& document, std::size_t offset)
      : document_(document), begin_(word_at(document.text, offset).begin),
        typed_(document.text.substr(begin_, std::min(offset, document.text.size()) - begin_)),
        written_(read_written(document.text)),
        // Of a word that is being written its beginning is no context.
        before_(read_written(std::string_view(document.text).substr(0, begin_))), place_(before_.end),
        names_(names_known_in(document)) {}

  std::vector<Offer> run() {
    // Words that have been begun are completed in prose, too; to offer any there would only disturb.
    if (place_.comment || (is_prose(place_) && typed_.empty())) return {};
    if (const auto* keys = place_.slot.key ? known_keys(place_) : nullptr)
      keys_ = Names(keys->begin(), keys->end());
    const auto rule = place_.slot.key ? std::nullopt : rule_at(place_.slot.path);
    if (rule) {
      const std::string& text = document_.text;
      possible_ = dsl::possible_next(text_of(text.substr(place_.begin, begin_ - place_.begin)), *rule);
    }
    in_rule_ = rule.has_value();
    WordModel& model = WordModel::of_library();
    model.set_aside(stem(document_.path));
    std::vector<std::string> more(names_.begin(), names_.end());
    for (const auto& words : {words_of_rules(), keys_}) more.insert(more.end(), words.begin(), words.end());
    for (const auto& guess : model.guesses(written_, place_, more)) offer(guess);
    return std::move(offers_);
  }

private:
  void offer(const WordModel::Guess& guess) {
    if (offers_.size() == kMostOffers || !guess.word.starts_with(typed_)) return;
    if (place_.slot.key ? !is_key(guess) : in_rule_ && !is_legal(guess)) return;
    offers_.push_back({kind_of(guess.word), guess.word});
  }

  // Of a key of several words, such as `moves include`, those before it are written already.
  [[nodiscard]] bool is_key(const WordModel::Guess& guess) const {
    const std::string_view text = std::string_view(document_.text).substr(0, begin_);
    const std::string key =
        std::string(text.substr(std::min(text.find_first_not_of(" \n", place_.begin), begin_))) + guess.word;
    const auto& above = place_.above;
    if (std::find(above.begin(), above.end(), key) != above.end()) return false;
    if (keys_.empty()) return true;
    const auto from = keys_.lower_bound(key);
    return from != keys_.end() && from->starts_with(key);
  }

  [[nodiscard]] bool is_legal(const WordModel::Guess& guess) const {
    if (const auto tok = dsl::keyword(guess.word)) return possible_.empty() || possible_.has(*tok);
    if (!possible_.empty() && !possible_.has(dsl::Tok::name)) return is_function_word(guess.word);
    return guess.named_here || names_.contains(guess.word) || is_function_word(guess.word);
  }
  // `reach`, `before`, `pieces`, `score`, `share`: keywords in one place only.
  [[nodiscard]] bool is_function_word(std::string_view word) const {
    for (const auto tok :
         {dsl::Tok::reach, dsl::Tok::before, dsl::Tok::pieces, dsl::Tok::score, dsl::Tok::share})
      if (word == dsl::spelling(tok)) return possible_.has(tok);
    return false;
  }

  [[nodiscard]] Offer::Kind kind_of(const std::string& word) const {
    if (place_.slot.key) return place_.path.empty() ? Offer::Kind::section : Offer::Kind::key;
    if (dsl::keyword(word)) return Offer::Kind::keyword;
    if (!document_.readable) return Offer::Kind::word;
    const interpreter::Symbols& symbols = of_names();
    switch (symbols.lookup(word, false)) {
    case interpreter::NameIs::kind: return Offer::Kind::kind;
    case interpreter::NameIs::state:
    case interpreter::NameIs::option: return Offer::Kind::variable;
    case interpreter::NameIs::unknown:
      return symbols.lookup(word, true) == interpreter::NameIs::unknown ? Offer::Kind::word
                                                                        : Offer::Kind::function;
    default: return Offer::Kind::word;
    }
  }
  [[nodiscard]] const interpreter::Symbols& of_names() const {
    if (!of_file_) of_file_.emplace(*document_.readable->file);
    return *of_file_;
  }

  const Document& document_;
  std::size_t begin_;
  std::string typed_;
  WrittenFile written_, before_;
  const YamlPlace& place_;
  Names names_, keys_;
  dsl::Toks possible_;
  bool in_rule_ = false;
  mutable std::optional<interpreter::Symbols> of_file_;
  std::vector<Offer> offers_;
};

} // namespace

std::vector<Offer> completions_at(const Document& document, std::size_t offset) {
  return Completing(document, offset).run();
}

} // namespace boardwright::tools
