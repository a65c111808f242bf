// Game: reads and writes moves; what is known of positions is in line.hpp.
#include "runtime/game/game.hpp"

#include "runtime/game/line.hpp"
#include "runtime/reference/walker.hpp"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace boardwright::runtime {

Game::Game(std::shared_ptr<const Rules> rules) {
  rules = Rules::or_none(std::move(rules));
  line_ = std::make_unique<Line>(rules, rules->program().initial);
}
Game::Game(std::shared_ptr<const Rules> rules, const Position& position)
    : line_(std::make_unique<Line>(Rules::or_none(std::move(rules)), position)) {}
Game::~Game() = default;
Game::Game(const Game& other) : line_(std::make_unique<Line>(other.line())) {}
Game& Game::operator=(const Game& other) {
  if (this != &other) line_ = std::make_unique<Line>(other.line());
  return *this;
}
Game::Game(Game&&) noexcept = default;
Game& Game::operator=(Game&&) noexcept = default;

// What has been moved away is a game of no rules, which says so.
Game::Line& Game::line() const {
  if (!line_) line_ = std::move(Game(std::shared_ptr<const Rules>()).line_);
  return *line_;
}

const Rules& Game::rules() const { return line().rules(); }
Position Game::position() const { return line().position(); }
void Game::look(BoardView& view) const {
  if (line().playable()) line().engine().look(view);
}
int Game::to_move() const {
  return line().playable() ? line().engine().to_move() : line().position().to_move;
}
int Game::length() const { return line().playable() ? line().engine().length() : 0; }

void Game::give_up_when(const Patience& patience) {
  if (line().playable()) line().engine().give_up_when(patience);
}

std::uint64_t Game::steps() const { return line().playable() ? line().engine().all_steps() : 0; }

tl::expected<std::optional<Outcome>, Fault> Game::outcome() {
  if (auto fault = line().judge()) return tl::unexpected(std::move(*fault));
  return line().now().outcome;
}

tl::expected<MoveList, Fault> Game::moves() { return moves(ListLimits()); }

namespace {

executor::Limits limits_of(const ListLimits& l) { return {l.stop, l.deadline, l.most_moves, l.most_bytes}; }

#ifndef NDEBUG
// Does a list have each move once? Of two moves that are written alike the results differ. The compiled form
// leaves moves uncompared where it holds that they can't be equal (lowering/unambiguity).
bool each_once(Game& game, const MoveList& list) {
  // To write all moves takes long where assertions are on: longer lists, and most of the others, are left
  // out.
  constexpr std::size_t kMostChecked = 100;
  constexpr std::uint64_t kOneIn = 16;
  if (list.size() > kMostChecked || game.key() % kOneIn != 0) return true;
  std::map<std::string, std::vector<Move>> alike;
  for (std::size_t i = 0; i < list.size(); ++i)
    if (const auto text = game.notation(list[i])) alike[*text].push_back(list[i]);
  for (const auto& [text, moves] : alike) {
    std::set<std::uint64_t> results;
    for (const Move& move : moves) {
      if (moves.size() == 1) break;
      Game after(game);
      if (after.play(move) && !results.insert(after.key()).second) return false;
    }
  }
  return true;
}
#endif

} // namespace

tl::expected<MoveList, Fault> Game::moves(const ListLimits& limits) {
  const executor::Limits inner = limits_of(limits);
  if (auto fault = line().list(&inner)) return tl::unexpected(std::move(*fault));
  const Line::Node& node = line().now();
  const MoveList found(node.stamp, static_cast<std::size_t>(node.moves), node.listed);
#ifndef NDEBUG
  if (found.complete()) assert(each_once(*this, found) && "a move is listed twice");
#endif
  return found;
}

tl::expected<bool, Fault> Game::append_moves(Stage stage, std::vector<Move>& into, const ListLimits& limits) {
  const executor::Limits inner = limits_of(limits);
  bool complete = true;
  if (auto fault = line().sort_out(&inner, complete)) return tl::unexpected(std::move(*fault));
  const Line::Node& node = line().now();
  for (std::size_t i = 0; i < node.captures.size() && i < node.moves; ++i)
    if (node.captures[i] == (stage == Stage::captures))
      into.push_back(Move(node.stamp, static_cast<std::uint32_t>(i)));
  return complete;
}

bool Game::is_chance() const {
  const auto& chance = rules().program().chance;
  if (!chance || !line().playable()) return false;
  const std::int32_t stage = line().engine().number_in(chance->stage);
  const NodeId begins = chance->begins[static_cast<std::size_t>(to_move())];
  if (stage != 0 || begins == kNoNode) return chance->rolls_at(to_move(), stage);
  std::optional<bool>& known = line().now().chance;
  if (!known) {
    const auto holds = Walker(rules().program()).evaluate(begins, position());
    known = holds && holds->number != 0;
  }
  return *known;
}

tl::expected<std::vector<std::int64_t>, Fault> Game::weights() {
  if (!is_chance()) return tl::unexpected(Fault{"it isn't nature's move", 0});
  const auto all = moves();
  if (!all) return tl::unexpected(all.error());
  std::vector<std::int64_t> found(all->size(), 1);
  const int odds = rules().program().chance->odds;
  for (std::size_t i = 0; odds >= 0 && i < found.size(); ++i) {
    if (auto played = play((*all)[i]); !played) return tl::unexpected(std::move(played).error());
    found[i] = line().engine().number_in(odds);
    undo();
  }
  return found;
}

tl::expected<std::optional<Move>, Fault> Game::draw(Random& random) {
  const auto all = moves();
  if (!all) return tl::unexpected(all.error());
  if (all->empty()) return std::nullopt;
  if (!is_chance() || rules().program().chance->odds < 0) return (*all)[random.below(all->size())];
  const auto found = weights();
  if (!found) return tl::unexpected(found.error());
  std::int64_t sum = 0;
  for (const std::int64_t weight : *found) sum += weight;
  auto left = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(sum)));
  for (std::size_t i = 0;; ++i)
    if ((left -= (*found)[i]) < 0) return (*all)[i];
}

tl::expected<void, Fault> Game::append_labels(std::vector<std::uint64_t>& into) {
  const auto listed = moves();
  if (!listed) return tl::unexpected(listed.error());
  if (listed->empty()) return {};
  if (auto fault = line().find(line().now().stamp, 0)) return tl::unexpected(std::move(*fault));
  const std::size_t before = into.size();
  line().engine().append_labels(into);
  // The engine has listed them anew where it was asked for something else, and that may have been given up.
  if (into.size() - before == listed->size()) return {};
  into.resize(before);
  return tl::unexpected(Fault{"the list of moves was stopped", 0});
}

tl::expected<void, Fault> Game::play(const Move& move) {
  if (auto fault = line().find(move.position_, move.index_)) return tl::unexpected(std::move(*fault));
  if (auto fault = line().play(move.index_)) return tl::unexpected(std::move(*fault));
  return {};
}

bool Game::undo() { return line().undo(); }

std::vector<std::uint32_t> Game::played() const {
  std::vector<std::uint32_t> moves;
  const auto& nodes = line().nodes();
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) moves.push_back(nodes[i].played);
  return moves;
}

tl::expected<bool, Fault> Game::captures(const Move& move) {
  if (auto fault = line().find(move.position_, move.index_)) return tl::unexpected(std::move(*fault));
  return line().engine().captures(move.index_);
}

tl::expected<FromTo, Fault> Game::from_to(const Move& move) {
  if (auto text = notation(move); !text) return tl::unexpected(std::move(text.error()));
  const executor::MoveCells cells = line().engine().written_cells();
  return FromTo{cells.from, cells.to};
}

std::uint64_t Game::key() const {
  if (!line().playable()) return 0;
  const Line::Node& node = line().now();
  const std::uint64_t key = line().engine().key();
  const bool by_move = node.judged && node.outcome && node.outcome->by == Outcome::By::move;
  return by_move ? chain(key, node.outcome->winners + 1) : key;
}

int Game::repetitions() const { return line().playable() ? line().engine().repetitions() : 0; }

// ---------------------------------------------------------------- notation

tl::expected<std::string, Fault> Game::notation(const Move& move) {
  if (auto fault = line().find(move.position_, move.index_)) return tl::unexpected(std::move(*fault));
  return line().engine().notation(line().engine().script(move.index_));
}

tl::expected<std::vector<std::string>, Fault> Game::notations() {
  const auto listed = moves();
  if (!listed) return tl::unexpected(listed.error());
  if (listed->empty()) return std::vector<std::string>();
  const Line::Node& node = line().now();
  if (auto fault = line().find(node.stamp, 0)) return tl::unexpected(std::move(*fault));
  return line().engine().notations(listed->size(), node.steps);
}

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

// Who may see a part of his move needs no signs around it.
std::string without_signs_of_secrets(std::string_view text) {
  std::string result = in_one_case(text);
  std::erase_if(result, [](char c) { return c == kSecretBegins || c == kSecretEnds; });
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
  if (!found && rules().program().secret) found = only_text(*texts, text, without_signs_of_secrets);
  if (!found) return std::optional<Move>();
  return std::optional(Move(line().now().stamp, static_cast<std::uint32_t>(*found)));
}

} // namespace boardwright::runtime
