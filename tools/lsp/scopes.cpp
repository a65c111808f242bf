#include "tools/lsp/scopes.hpp"

#include "dsl/text.hpp"
#include "dsl/tokens.hpp"
#include "tools/lsp/documents.hpp"

#include <algorithm>

namespace boardwright::tools {
namespace {

// Does the word at this place of the list give a name to something that only its rule knows?
bool binds_local(const WrittenFile& file, std::size_t i) {
  const WrittenWord& word = file.words[i];
  const Slot& slot = file.slot(word);
  if (slot.key) // a parameter stands behind the name and a bracket
    return slot.path == "define" && (word.before == "(" || word.before == ",");
  const bool in_follows = i + 1 < file.words.size() && file.words[i + 1].text == "in";
  const auto behind = [&](std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word.before) != words.end();
  };
  return behind({"let", "each", "choose", "roll"}) || (in_follows && behind({"for", "some", "no", "(", ","}));
}

} // namespace

Scopes::Scopes(const std::string& text) : text_(text), parts_(parts_of(text)) {
  const WrittenFile file = read_written(text);
  for (std::size_t i = 0; i < file.words.size(); ++i) {
    const WrittenWord& word = file.words[i];
    if (!dsl::begins_name(word.text.front()) || dsl::keyword(word.text) || !binds_local(file, i)) continue;
    if (const FilePart* part = part_at(word.begin)) locals_.push_back({word.text, part->begin});
  }
}

const FilePart* Scopes::part_at(std::size_t offset) const {
  const auto found = std::find_if(parts_.begin(), parts_.end(), [&](const FilePart& part) {
    return part.begin <= offset && offset < std::max(part.end, part.begin + 1);
  });
  return found == parts_.end() ? nullptr : &*found;
}

bool Scopes::is_local(std::string_view name, std::size_t offset) const {
  const FilePart* const part = part_at(offset);
  return part != nullptr && std::any_of(locals_.begin(), locals_.end(), [&](const Local& local) {
           return local.name == name && local.part == part->begin;
         });
}

NameUses Scopes::uses_of(std::string_view name, std::optional<std::size_t> offset) const {
  NameUses found;
  found.local = offset && is_local(name, *offset);
  const FilePart* const part = found.local ? part_at(*offset) : nullptr;
  for (const dsl::Span& use : tools::uses_of(text_, std::string(name))) {
    const bool same = found.local ? part_at(use.begin) == part : !is_local(name, use.begin);
    if (same) found.uses.push_back(use);
  }
  return found;
}

} // namespace boardwright::tools
