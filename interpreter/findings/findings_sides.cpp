#include "interpreter/findings/findings_sides.hpp"

#include "interpreter/findings/text_places.hpp"
#include "interpreter/lints/lints.hpp"
#include "interpreter/lints/symmetry.hpp"
#include "interpreter/notation/fen.hpp"
#include "runtime/examine/walked.hpp"
#include "runtime/game/game.hpp"
#include "runtime/search/symmetry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace boardwright::interpreter {
namespace {

using runtime::NodeCount;
using runtime::NodeId;
using runtime::Op;
using runtime::Position;
using runtime::Program;

// Positions that are enough to compare, and differences that are enough to tell.
constexpr std::size_t kFewestCompared = 8, kFewestUnlike = 2;
// Positions with more moves aren't compared, and the steps that all of them may take.
constexpr std::uint64_t kMostListed = 400, kMostSteps = 40'000'000;
// What the walker may take to find the place.
constexpr runtime::WalkBudget kOnePosition{1, 300'000};

// What a position is like for the one who moves: as many moves, or who has won.
struct Standing {
  std::size_t moves = 0;
  std::optional<std::uint32_t> winners;
  friend bool operator==(const Standing&, const Standing&) = default;
};

struct Pair {
  Position here, there; // and its image
  Standing of_here, of_there;
};

std::uint32_t swapped(std::uint32_t players) { return (players & 1U) << 1U | (players >> 1U & 1U); }

class Sides {
public:
  Sides(const std::shared_ptr<const runtime::Rules>& rules, const dsl::RuleFile& file,
        const runtime::Survey& survey, const dsl::Sources& sources, dsl::Diagnostics& out)
      : rules_(rules), program_(rules->program()), survey_(survey), out_(out), file_(file),
        places_(program_, file, sources) {}

  void report() {
    if (program_.player_count() != 2 || survey_.some_of_all.size() < kFewestCompared || is_meant()) return;
    // Players without directions don't face one another: `rank(1)` may well be the same one for both.
    if (program_.players[0].dx == 0 && program_.players[0].dy == 0) return;
    std::optional<std::vector<Pair>> best; // the pairs that differ by the image by which fewest do
    for (const Symmetry& image : images()) {
      if (!begins_alike(image)) continue;
      auto unlike = unlike_by(image);
      if (!unlike || unlike->size() < kFewestUnlike) return;
      if (!best || unlike->size() < best->size()) best = std::move(unlike);
    }
    if (best) tell(best->front(), best->size());
  }

private:
  // Rules that name a player mean to be other ones for him.
  [[nodiscard]] bool is_meant() const {
    // Lines and tracks may well lie otherwise in the image than the cells.
    const dsl::BoardSection& board = file_.board;
    if (!board.lines.empty() || !board.tracks.empty() || !board.curves.empty()) return true;
    bool named = file_.turn && (!file_.turn->cases.empty() || file_.turn->others);
    for (const dsl::EndRule& line : file_.end) named = named || !line.player.empty();
    each_rule(file_, [&](const dsl::Ast& rule) {
      each_node(rule, [&](const dsl::Ast& n) {
        for (const auto& player : file_.players)
          named = named || (n.form == dsl::Form::name && n.word == player.name.text);
      });
    });
    return named;
  }

  using Symmetry = runtime::search::Symmetry;
  [[nodiscard]] std::vector<Symmetry> images() const {
    std::vector<Image> images = images_of(program_.board, true, true);
    Image same(static_cast<std::size_t>(program_.board.cells));
    std::iota(same.begin(), same.end(), 0);
    images.push_back(std::move(same));
    std::vector<Symmetry> all;
    for (const Image& image : images) all.push_back({{image.begin(), image.end()}, true});
    return all;
  }
  [[nodiscard]] bool begins_alike(const Symmetry& image) const {
    auto changed = runtime::search::mirrored(program_, program_.initial, image);
    if (!changed) return false;
    changed->to_move = program_.initial.to_move;
    return changed->same_as(program_.initial);
  }

  // The pairs that differ; nothing where they take too long.
  [[nodiscard]] std::optional<std::vector<Pair>> unlike_by(const Symmetry& image) {
    std::vector<Pair> unlike;
    for (const Position& position : survey_.some_of_all) {
      auto changed = runtime::search::mirrored(program_, position, image);
      if (!changed) return std::nullopt;
      const auto here = standing(position), there = standing(*changed);
      if (!here || !there) continue;
      const bool outcomes = here->winners.has_value() == there->winners.has_value() &&
                            (!here->winners || *here->winners == swapped(*there->winners));
      if (outcomes && here->moves == there->moves) continue;
      unlike.push_back({position, std::move(*changed), *here, *there});
    }
    return steps_ < kMostSteps ? std::optional(std::move(unlike)) : std::nullopt;
  }
  [[nodiscard]] std::optional<Standing> standing(const Position& position) {
    if (steps_ >= kMostSteps) return std::nullopt;
    runtime::Game game(rules_, position);
    runtime::ListLimits limits;
    limits.most_moves = kMostListed;
    const auto moves = game.moves(limits);
    const auto outcome = game.outcome();
    steps_ += game.steps();
    if (!moves || !outcome || moves->size() >= kMostListed) return std::nullopt;
    Standing standing{moves->size(), std::nullopt};
    if (*outcome) standing.winners = (*outcome)->winners;
    return standing;
  }

  struct Sum {
    NodeCount here, there;
    NodeId one = runtime::kNoNode;
  };
  // Where the same was asked, or come to, just as often, and had another answer: in the smallest part.
  [[nodiscard]] std::optional<dsl::Span> place_of(const Pair& pair) const {
    runtime::Walked here(program_, kOnePosition), there(program_, kOnePosition);
    here.add(pair.here, {});
    there.add(pair.there, {});
    std::map<std::tuple<TextPlaces::Place, Op>, Sum> sums;
    for (NodeId id = 0; id < program_.nodes.size(); ++id) {
      if (!places_.own_span(id)) continue;
      Sum& sum = sums[{places_.place_in_text(id), program_.nodes[id].op}];
      sum.one = id;
      for (const auto& [walked, count] : {std::pair(&here, &sum.here), std::pair(&there, &sum.there)}) {
        count->met += walked->trace().of(id).met;
        count->held += walked->trace().of(id).held;
      }
    }
    std::optional<dsl::Span> best;
    const auto length = [](const dsl::Span& span) { return span.end - span.begin; };
    for (const auto& [place, sum] : sums) {
      if (sum.here.met != sum.there.met || sum.here.held == sum.there.held) continue;
      const dsl::Span span = *places_.own_span(sum.one);
      if (!best || length(span) < length(*best)) best = span;
    }
    return best;
  }

  // Else a definition with a body for each player may well be it, where there is only one.
  [[nodiscard]] std::optional<dsl::Span> by_player() const {
    std::optional<dsl::Span> found;
    for (const dsl::Definition& d : file_.define) {
      const bool goes_by_player = std::any_of(d.cases.begin(), d.cases.end(), [&](const auto& one) {
        return std::any_of(file_.players.begin(), file_.players.end(),
                           [&](const auto& player) { return player.name.text == one.first.text; });
      });
      if (!goes_by_player || d.name.span.file != file_.file) continue;
      if (found) return std::nullopt;
      found = d.name.span;
    }
    return found;
  }

  void tell(const Pair& pair, std::size_t count) {
    auto place = place_of(pair);
    if (!place) place = by_player();
    if (!place) place = places_.own_span(program_.players[0].turn);
    const dsl::Span span = place.value_or(file_.game.span);
    const auto name = [&](const Position& position) {
      return program_.players[static_cast<std::size_t>(position.to_move)].name;
    };
    const auto has = [](const Standing& of) {
      return of.winners ? std::string("the game is over")
                        : fmt::format("{} {}", of.moves, of.moves == 1 ? "move" : "moves");
    };
    out_.note("unlike-sides", span,
              fmt::format("{} and {} begin alike, and this is not the same for both",
                          program_.players[0].name, program_.players[1].name))
        .help = fmt::format("{} to move: {}; {} in the mirror image: {}; so in {} of {} positions",
                            name(pair.here), has(pair.of_here), name(pair.there), has(pair.of_there), count,
                            survey_.some_of_all.size());
    if (auto fen = write_fen(program_, pair.here)) out_.last().position = std::move(*fen);
  }

  const std::shared_ptr<const runtime::Rules>& rules_;
  const Program& program_;
  const runtime::Survey& survey_;
  dsl::Diagnostics& out_;
  const dsl::RuleFile& file_;
  TextPlaces places_;
  std::uint64_t steps_ = 0;
};

} // namespace

void report_sides(const std::shared_ptr<const runtime::Rules>& rules, const dsl::RuleFile& file,
                  const runtime::Survey& survey, const dsl::Sources& sources, dsl::Diagnostics& out) {
  Sides(rules, file, survey, sources, out).report();
}

} // namespace boardwright::interpreter
