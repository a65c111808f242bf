// Game: hands everything to its engine, and reads moves.
#include "runtime/machine.hpp"

#include <algorithm>
#include <cctype>

namespace boardwright::runtime {

Game::Game(std::shared_ptr<const Rules> rules) : Game(rules, rules->program().initial) {}

Game::Game(std::shared_ptr<const Rules> rules, const Position& position)
    : engine_(rules->compiled().tables->engine(rules, position)) {}

Game::~Game() = default;
Game::Game(Game&&) noexcept = default;
Game& Game::operator=(Game&&) noexcept = default;

const Rules& Game::rules() const { return engine_->rules(); }
Position Game::position() const { return engine_->position(); }
int Game::to_move() const { return engine_->to_move(); }
int Game::length() const { return engine_->length(); }
tl::expected<std::optional<Outcome>, Fault> Game::outcome() { return engine_->outcome(); }
tl::expected<std::span<const Move>, Fault> Game::moves() { return engine_->moves(); }
void Game::play(const Move& move) { engine_->play(move); }
bool Game::undo() { return engine_->undo(); }
tl::expected<std::string, Fault> Game::notation(const Move& move) { return engine_->notation(move); }
tl::expected<std::vector<std::string>, Fault> Game::notations() { return engine_->notations(); }

namespace {

std::string without_blanks(std::string_view text) {
  std::string result;
  std::copy_if(text.begin(), text.end(), std::back_inserter(result),
               [](char c) { return std::isspace(static_cast<unsigned char>(c)) == 0; });
  return result;
}

std::string in_one_case(std::string_view text) {
  std::string result = without_blanks(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  return result;
}

// The first of the texts that are `wanted` under a simplification; nothing if different texts are.
template <class F>
std::optional<std::size_t> only_text(const std::vector<std::string>& texts, std::string_view wanted,
                                     F&& simplified) {
  const std::string simple = simplified(wanted);
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (simplified(texts[i]) != simple) continue;
    if (found && texts[*found] != texts[i]) return std::nullopt;
    if (!found) found = i;
  }
  return found;
}

} // namespace

tl::expected<std::optional<Move>, Fault> Game::find(std::string_view text) {
  const auto texts = notations();
  if (!texts) return tl::unexpected(texts.error());
  const auto as_is = [](std::string_view s) { return std::string(s); };
  std::optional<std::size_t> found = only_text(*texts, text, as_is);
  if (!found) found = only_text(*texts, text, without_blanks);
  if (!found) found = only_text(*texts, text, in_one_case);
  const auto listed = moves();
  if (!listed) return tl::unexpected(listed.error());
  return found ? std::optional((*listed)[*found]) : std::nullopt;
}

} // namespace boardwright::runtime
