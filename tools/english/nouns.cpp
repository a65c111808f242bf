#include "tools/english/nouns.hpp"

#include "runtime/model/program.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace boardwright::tools {

std::string words_of_name(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string quoted_name(std::string_view name) { return "“" + words_of_name(std::string(name)) + "”"; }

std::string plural_of(const std::string& noun) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kIrregular = {
      {{"man", "men"}, {"goose", "geese"}, {"mouse", "mice"}, {"wolf", "wolves"}, {"ox", "oxen"}}};
  for (const auto& [one, many] : kIrregular)
    if (noun == one || (one == "man" && noun.ends_with(one) && noun != "human"))
      return noun.substr(0, noun.size() - one.size()) + std::string(many);
  if (noun.ends_with(')')) return noun; // of a family: round(2)
  if (noun.ends_with("ss") || noun.ends_with('x') || noun.ends_with("ch") || noun.ends_with("sh"))
    return noun + "es";
  if (noun.ends_with('s')) return noun;
  constexpr std::string_view kVowels = "aeiou";
  const bool consonant_y =
      noun.size() > 1 && noun.back() == 'y' && kVowels.find(noun[noun.size() - 2]) == std::string_view::npos;
  return consonant_y ? noun.substr(0, noun.size() - 1) + "ies" : noun + "s";
}

std::string counted_noun(const std::string& noun, std::int64_t count) {
  return count == 1 ? noun : plural_of(noun);
}

std::string with_article(const std::string& noun) {
  constexpr std::string_view kVowels = "aeiouAEIOU";
  return (!noun.empty() && kVowels.find(noun.front()) != std::string_view::npos ? "an " : "a ") + noun;
}

bool is_plural(const std::string& who) {
  return who == "you" || !runtime::with_verb(who, "win").ends_with("wins");
}

std::string possessive(const std::string& who) {
  if (who == "you") return "your";
  return who + (who.ends_with('s') && is_plural(who) ? "'" : "'s");
}

std::string has(const std::string& who) { return who + (is_plural(who) ? " have" : " has"); }

} // namespace boardwright::tools
