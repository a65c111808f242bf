#include "tools/import/rbg/names.hpp"

#include "dsl/grammar.hpp"
#include "dsl/text.hpp"
#include "interpreter/meaning/symbols.hpp"
#include "interpreter/meaning/words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace boardwright::tools {
namespace {

// "b12", "aa3"
bool like_a_cell(const std::string& name) {
  const auto digits = std::find_if_not(name.begin(), name.end(), dsl::begins_name);
  return digits != name.end() && digits - name.begin() <= 2 && std::all_of(digits, name.end(), dsl::is_digit);
}

} // namespace

std::string RbgNames::take(const std::string& wanted) {
  std::string name = wanted.empty() || !dsl::begins_name(wanted.front()) ? "x_" + wanted : wanted;
  if (dsl::is_keyword(name) || interpreter::word_named(name) != nullptr || like_a_cell(name))
    name = "the_" + name;
  std::string free = name;
  for (int n = 2; !taken_.insert(free).second; ++n) free = fmt::format("{}_{}", name, n);
  return free;
}

std::vector<std::string> rbg_letters(const std::vector<std::string>& names) {
  static const std::string kAll =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ*@%&+=~^$!<>_;,|0123456789";
  std::set<char> used;
  std::vector<std::string> letters;
  for (const std::string& name : names) {
    const std::string choices = name + kAll;
    const auto found = std::find_if(choices.begin(), choices.end(), [&](char c) {
      return kAll.find(c) != std::string::npos && !used.contains(c);
    });
    const char letter = found == choices.end() ? '?' : *found;
    used.insert(letter);
    letters.emplace_back(1, letter);
  }
  return letters;
}

} // namespace boardwright::tools
