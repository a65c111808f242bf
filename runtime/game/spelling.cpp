#include "runtime/game/spelling.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <utility>

namespace boardwright::runtime {
namespace {

constexpr char kMark = '#';

struct Numbered {
  std::string_view notation;
  std::size_t number = 0; // from 1
};

// "a1-b2#2"; nothing where no number stands behind the mark.
std::optional<Numbered> numbered(std::string_view text) {
  const std::size_t mark = text.rfind(kMark);
  if (mark == std::string_view::npos) return std::nullopt;
  const std::string_view digits = text.substr(mark + 1);
  Numbered result{text.substr(0, mark)};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), result.number);
  if (error != std::errc() || end != digits.data() + digits.size() || result.number == 0) return std::nullopt;
  return result;
}

} // namespace

tl::expected<std::string, Fault> spelling(Game& game, const Move& move) {
  const auto texts = game.notations();
  if (!texts) return tl::unexpected(texts.error());
  auto text = game.notation(move);
  if (!text || std::count(texts->begin(), texts->end(), *text) < 2) return text;
  const auto here = texts->begin() + static_cast<std::ptrdiff_t>(move.index());
  return *text + kMark + std::to_string(std::count(texts->begin(), here, *text) + 1);
}

std::vector<std::string> spellings(const std::vector<std::string>& notations) {
  std::unordered_map<std::string_view, std::pair<std::size_t, std::size_t>> counts; // in all, so far
  for (const std::string& text : notations) ++counts[text].first;
  std::vector<std::string> result;
  result.reserve(notations.size());
  for (const std::string& text : notations) {
    auto& [all, so_far] = counts[text];
    result.push_back(all < 2 ? text : text + kMark + std::to_string(++so_far));
  }
  return result;
}

tl::expected<std::optional<Move>, Fault> find_spelled(Game& game, std::string_view text) {
  auto found = game.find(text);
  if (!found || *found) return found;
  const auto wanted = numbered(text);
  if (!wanted) return found;
  const auto first = game.find(wanted->notation);
  if (!first || !*first) return first;
  const auto notation = game.notation(**first);
  const auto texts = game.notations();
  const auto moves = game.moves();
  if (!notation) return tl::unexpected(notation.error());
  if (!texts) return tl::unexpected(texts.error());
  if (!moves) return tl::unexpected(moves.error());
  std::size_t left = wanted->number;
  for (std::size_t i = 0; i < texts->size(); ++i)
    if ((*texts)[i] == *notation && --left == 0) return std::optional((*moves)[i]);
  return std::optional<Move>();
}

} // namespace boardwright::runtime
