#include "tools/english/example_moves.hpp"

#include "runtime/game/spelling.hpp"
#include "runtime/model/random.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <unordered_set>

namespace boardwright::tools {
namespace {

using runtime::Game;
using runtime::Move;
using runtime::Position;
using Sort = ExampleMove::Sort;

// The work is bounded by moves that are listed and by moves that are looked at, so that it is the same on
// every machine.
constexpr int kGames = 6, kPlies = 150;
constexpr std::size_t kListed = 20'000, kMostLookedAt = 6'000, kOfOnePosition = 40;
// So many moves of a kind have shown what it does; what it may become is seldom seen, and looked for longer.
constexpr int kOfOneKind = 60, kChangesOfKind = 240;
constexpr std::size_t kWaysToWrite = 4;
// From so many positions on it is no accident that whoever could take had to.
constexpr int kForced = 8;

int kind_on(const Position& position, int cell) {
  if (cell < 0) return -1;
  const runtime::Stack& stack = position.cells[static_cast<std::size_t>(cell)];
  return stack.empty() ? -1 : static_cast<int>(stack.back().kind);
}

std::size_t count_of_kind(const Position& position, int kind) {
  std::size_t count = 0;
  for (const runtime::Stack& stack : position.cells)
    for (std::size_t i = 0; i < stack.size(); ++i) count += static_cast<int>(stack[i].kind) == kind ? 1 : 0;
  return count;
}

// Letters of moves that are looked at for how they are written: a move may have thousands.
constexpr std::size_t kMostLetters = 1'000'000;

// The ways in which the moves of a board are written, whichever cells they name: "#-#" of a2-a3.
class Writing {
public:
  explicit Writing(const runtime::Board& board) : names_(board.name.begin(), board.name.end()) {
    for (const std::string& name : board.name) longest_ = std::max(longest_, name.size());
  }

  // Nothing once enough letters have been looked at.
  std::optional<std::string> way(std::string_view text) {
    letters_ += text.size();
    if (letters_ > kMostLetters) return std::nullopt;
    std::string way;
    for (std::size_t i = 0; i < text.size();) {
      const std::size_t end = end_of_cell(text, i);
      way += end > i ? '#' : text[i];
      i = std::max(end, i + 1);
    }
    return way;
  }

private:
  // Of the longest name that begins there.
  [[nodiscard]] std::size_t end_of_cell(std::string_view text, std::size_t begin) const {
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    std::size_t end = begin;
    for (std::size_t k = begin; k < text.size() && k - begin < longest_ && is_word(text[k]); ++k)
      if (names_.contains(text.substr(begin, k + 1 - begin))) end = k + 1;
    return end;
  }

  std::unordered_set<std::string_view> names_; // of the board, which must outlive this
  std::size_t longest_ = 0, letters_ = 0;
};

class Finder {
public:
  explicit Finder(const Game& beginning)
      : beginning_(beginning), random_(1), seen_(beginning.rules().program().kinds.size()),
        writing_(beginning.rules().program().board) {
    found.of_kind.resize(seen_.size());
  }

  void look() {
    for (int i = 0; i < kGames && good_; ++i) {
      Game game = beginning_;
      for (int ply = 0; ply < kPlies && step(game); ++ply) {
      }
    }
    found.must_take = forced_ >= kForced && free_ == 0 && quiet_ > 0;
    found.need_not_take = free_ > 0;
  }

  ExampleMoves found;

private:
  // One position, and a random move; false where the game, or the search, is over.
  bool step(Game& game) {
    const auto outcome = game.outcome();
    good_ = good_ && outcome.has_value();
    if (!good_ || *outcome) return false;
    if (game.is_chance()) return roll(game);
    const auto moves = game.moves();
    const auto texts = game.notations();
    good_ = moves && texts && !moves->empty() && (listed_ += texts->size()) < kListed &&
            looked_at_ < kMostLookedAt;
    if (!good_) return false;
    if (found.first.empty()) found.first = first_with_cell(beginning_.rules().program().board, *texts);
    ways(*texts);
    passing(*texts);
    sample(game, *moves, *texts);
    good_ = good_ && game.play((*moves)[random_.below(moves->size())]).has_value();
    return good_;
  }

  // Nobody writes what nature does: it is no example of a move.
  bool roll(Game& game) {
    const auto drawn = game.draw(random_);
    good_ = good_ && drawn && *drawn && game.play(**drawn).has_value();
    return good_;
  }

  void ways(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      if (found.others.size() >= kWaysToWrite) return;
      if (text == "pass") continue;
      auto way = writing_.way(text);
      if (!way) return;
      if (std::find(ways_.begin(), ways_.end(), *way) != ways_.end()) continue;
      ways_.push_back(std::move(*way));
      if (ways_.size() > 1) found.others.push_back(text);
    }
  }

  void passing(const std::vector<std::string>& texts) {
    const bool passes = std::find(texts.begin(), texts.end(), "pass") != texts.end();
    found.may_pass = found.may_pass || (passes && texts.size() > 1);
    found.must_pass = found.must_pass || (passes && texts.size() == 1);
  }

  // All moves of a position with few, some of one with many.
  void sample(Game& game, const runtime::MoveList& moves, const std::vector<std::string>& texts) {
    const bool all = moves.size() <= kOfOnePosition;
    const std::size_t looked = std::min(moves.size(), kOfOnePosition);
    bool some_take = false, some_do_not = false;
    for (std::size_t n = 0; n < looked && good_; ++n) {
      const std::size_t i = all ? n : static_cast<std::size_t>(random_.below(moves.size()));
      const auto ends = game.from_to(moves[i]);
      good_ = ends.has_value();
      if (!good_) return;
      const bool known = is_known(kind_on(game.position(), ends->from));
      if (known && free_ > 0) continue; // whether one must take is known, too
      const auto takes = game.captures(moves[i]);
      good_ = takes.has_value();
      if (!good_) return;
      (*takes ? some_take : some_do_not) = true;
      if (!known) note(game, moves[i], *ends, i, texts, *takes);
      ++looked_at_;
    }
    if (!all) return;
    forced_ += some_take && !some_do_not ? 1 : 0;
    free_ += some_take && some_do_not ? 1 : 0;
    quiet_ += some_take ? 0 : 1;
  }

  // Has enough been seen of what a kind does?
  [[nodiscard]] bool is_known(int kind) {
    if (kind < 0) return false;
    const int seen = ++seen_[static_cast<std::size_t>(kind)];
    return seen > kChangesOfKind || (seen > kOfOneKind && has(kind, Sort::goes) && has(kind, Sort::takes));
  }

  void note(Game& game, const Move& move, const runtime::FromTo& ends, std::size_t index,
            const std::vector<std::string>& texts, bool takes) {
    int kind = kind_on(game.position(), ends.from);
    const bool enters = kind < 0;
    if (has(kind, takes ? Sort::takes : Sort::goes) && has(kind, Sort::changes)) return;
    Game after = game;
    good_ = after.play(move).has_value();
    if (!good_ || ends.to < 0) return;
    const int becomes = kind_on(after.position(), ends.to);
    if (enters) kind = becomes;
    if (kind < 0) return;
    // Where a move ends another piece may have been laid: an arrow, a block.
    const bool changes = !enters && becomes >= 0 && becomes != kind && !takes &&
                         count_of_kind(after.position(), kind) < count_of_kind(game.position(), kind);
    const Sort sort = enters ? Sort::enters : changes ? Sort::changes : takes ? Sort::takes : Sort::goes;
    if (has(kind, sort)) return;
    const auto& kinds = game.rules().program().kinds;
    ExampleMove example{sort, runtime::spellings(texts)[index], enters ? ends.to : ends.from,
                        changes ? kinds[static_cast<std::size_t>(becomes)].name : "", game};
    found.of_kind[static_cast<std::size_t>(kind)].push_back(std::move(example));
  }

  [[nodiscard]] bool has(int kind, Sort sort) const {
    if (kind < 0) return false;
    const auto& examples = found.of_kind[static_cast<std::size_t>(kind)];
    return std::any_of(examples.begin(), examples.end(),
                       [&](const ExampleMove& example) { return example.sort == sort; });
  }

  const Game& beginning_;
  runtime::Random random_;
  std::vector<int> seen_; // moves of each kind
  Writing writing_;
  std::vector<std::string> ways_; // in which moves are written
  bool good_ = true;
  std::size_t listed_ = 0, looked_at_ = 0;
  int forced_ = 0, free_ = 0, quiet_ = 0; // positions where takings were all there was, some of it, none
};

} // namespace

const std::string& first_with_cell(const runtime::Board& board, const std::vector<std::string>& moves) {
  Writing writing(board);
  const auto found = std::find_if(moves.begin(), moves.end(), [&](const std::string& text) {
    const auto way = writing.way(text);
    return way && way->find('#') != std::string::npos;
  });
  return found == moves.end() ? moves.front() : *found;
}

ExampleMoves example_moves(const Game& beginning) {
  Finder finder(beginning);
  finder.look();
  for (auto& examples : finder.found.of_kind)
    std::stable_sort(examples.begin(), examples.end(),
                     [](const ExampleMove& a, const ExampleMove& b) { return a.sort < b.sort; });
  return std::move(finder.found);
}

} // namespace boardwright::tools
