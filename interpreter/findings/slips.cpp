#include "interpreter/findings/slips.hpp"

#include "interpreter/compile.hpp"
#include "interpreter/findings/changes.hpp"
#include "interpreter/findings/findings.hpp"
#include "interpreter/findings/text_places.hpp"
#include "interpreter/lints/lints.hpp"
#include "runtime/game/playout.hpp"
#include "runtime/model/meter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::interpreter {
namespace {

using runtime::Game;
using runtime::NodeCount;
using runtime::Position;
using runtime::Rules;
using runtime::Survey;

// Files that are made and played, at the most, and nodes of all their programs together: to make one takes as
// long as it has nodes.
constexpr std::uint64_t kMostTried = 100, kMostIdleTried = 30;
constexpr std::uint64_t kMostNodes = 400'000;
// Cures that are tried longer; where more are found none is the cause.
constexpr std::size_t kMostConfirmed = 12, kMostCures = 4, kMostTold = 2;
// So many times fewer moves than `check` itself plays.
constexpr std::uint64_t kFewerToTry = 8, kFewerToConfirm = 3;
// What a condition must have answered, either way, before its lack is told.
constexpr std::uint64_t kEnoughAsked = 200, kEnoughFailed = 40;
// Moves of random games that are played in both files, and of one game.
constexpr std::uint64_t kComparedPlies = 600;
constexpr int kPliesOfOne = 150;

class Slips {
public:
  explicit Slips(const SlipSearch& in)
      : in_(in), nodes_left_(kMostNodes * in.effort), file_(*in.loaded.file) {}

  void cures(dsl::Diagnostics& found) {
    if (found.all().empty()) return;
    std::uint64_t times = kFewerToTry, tries = kMostTried * in_.effort;
    if (!is_odd(in_.loaded.rules, times, in_.seed)) { // what is rare takes longer to be seen
      tries = tries * kFewerToConfirm / times;
      times = kFewerToConfirm;
      if (!is_odd(in_.loaded.rules, times, in_.seed)) return;
    }
    std::vector<std::unique_ptr<Made>> candidates;
    for (Change& change : changes_of(file_, in_.loaded.sources)) {
      // Without the step that something odd comes of it doesn't come, whatever the mistake is.
      if (change.sort == Change::Sort::left_out) continue;
      if (tries == 0 || is_over() || candidates.size() >= kMostConfirmed) break;
      --tries;
      auto made = make(change);
      if (made->rules != nullptr && !is_odd(made->rules, times, in_.seed))
        candidates.push_back(std::move(made));
    }
    if (candidates.empty() || candidates.size() >= kMostConfirmed) return;
    std::vector<Change> kept;
    for (const auto& made : candidates) {
      if (is_over()) return;
      if (!is_odd(made->rules, kFewerToConfirm, in_.seed + 1) && is_clean(*made))
        kept.push_back(std::move(made->change));
    }
    tell(kept, found);
  }

  void idle(const Survey& survey, dsl::Diagnostics& out) {
    const auto counts = counted(survey);
    const TextPlaces places(in_.loaded.rules->program(), file_, in_.loaded.sources);
    std::uint64_t tries = kMostIdleTried * in_.effort;
    for (const Change& change : changes_of(file_, in_.loaded.sources)) {
      // Parts of conditions are often there to make them quick, or plain: `here in l and l in own`.
      if (change.sort != Change::Sort::left_out || !change.of_step) continue;
      const auto place = places.place_of(change.span);
      const auto count = place ? counts.find(*place) : counts.end();
      if (count == counts.end() || count->second.met < kEnoughAsked || count->second.held < kEnoughFailed ||
          count->second.met - count->second.held < kEnoughFailed)
        continue;
      if (tries-- == 0 || is_over()) return;
      const auto rules = rules_with(change);
      if (rules == nullptr) continue;
      const auto compared = plays_alike(rules);
      if (!compared) continue;
      const auto& seen = count->second;
      out.note("nothing-depends", change.span, "without this condition the same games are played").help =
          fmt::format("it failed {} of {} times it was asked, and no list of moves of {} positions "
                      "would be another one: something else asks the same, or this should ask more",
                      seen.met - seen.held, seen.met, *compared);
    }
  }

private:
  [[nodiscard]] bool is_over() const {
    return nodes_left_ == 0 || runtime::Meter::gave_up() || (in_.stop != nullptr && *in_.stop);
  }

  // The file with one change. Its rules are null where it doesn't load; what was read goes by its nodes.
  struct Made {
    Change change;
    dsl::RuleFile file;
    Readings readings;
    std::shared_ptr<const Rules> rules;
  };
  std::unique_ptr<Made> make(const Change& change) {
    auto made = std::make_unique<Made>();
    made->change = change;
    made->file = changed(file_, change);
    CompileOptions options;
    options.readings = &made->readings;
    made->rules = rules_of(made->file, options);
    return made;
  }
  std::shared_ptr<const Rules> rules_with(const Change& change) {
    const dsl::RuleFile file = changed(file_, change);
    return rules_of(file, {});
  }
  std::shared_ptr<const Rules> rules_of(const dsl::RuleFile& file, const CompileOptions& options) {
    dsl::Diagnostics ignored;
    bool bad_setting = false;
    const auto program = compile(file, in_.settings, in_.loaded.sources, ignored, bad_setting, options);
    const std::uint64_t nodes = program == nullptr ? 1 : program->nodes.size();
    nodes_left_ -= std::min(nodes_left_, nodes);
    if (program == nullptr || ignored.has_errors()) return nullptr;
    auto rules = Rules::make(program);
    return rules != nullptr && rules->problem().empty() ? rules : nullptr;
  }

  [[nodiscard]] runtime::SurveyOptions fewer(std::uint64_t times, std::uint64_t seed) const {
    // The fewest games in which what is odd is seen at all.
    constexpr int kFewestGames = 25;
    runtime::SurveyOptions options = runtime::scaled({}, 1, times);
    options.seed = seed;
    options.stop = in_.stop;
    options.shown = in_.shown;
    options.games = std::max(options.games, kFewestGames);
    options.steps /= times; // once more: a change may make a game that is hard to play
    return options;
  }

  // Would `check` tell anything of random games of these rules?
  [[nodiscard]] bool is_odd(const std::shared_ptr<const Rules>& rules, std::uint64_t times,
                            std::uint64_t seed) const {
    const Survey survey = runtime::survey(rules, fewer(times, seed));
    if (survey.stopped || survey.fault || survey.plies == 0) return true;
    dsl::Diagnostics found;
    report_findings(rules, file_, survey, in_.loaded.sources, found);
    return in_.would_tell(found);
  }

  // Nor of its text?
  [[nodiscard]] bool is_clean(const Made& made) const {
    dsl::Diagnostics told;
    const Linted linted{made.file, in_.loaded.sources, made.readings, made.rules->program(),
                        [this]() -> const std::vector<Position>& { return in_.shown; }};
    lint(linted, told);
    lint_setup(linted, told);
    return told.all().empty();
  }

  void tell(const std::vector<Change>& cures, dsl::Diagnostics& found) const {
    std::set<std::pair<std::uint32_t, std::uint32_t>> places;
    for (const Change& cure : cures) places.emplace(cure.span.begin, cure.span.end);
    if (places.empty() || places.size() > kMostCures) return;
    dsl::Diagnostics told;
    std::size_t left = kMostTold;
    for (const dsl::Diagnostic& d : found.all()) {
      dsl::Diagnostic copy = d;
      for (const Change& cure : cures) {
        if (left == 0) break;
        if (places.erase({cure.span.begin, cure.span.end}) == 0) continue; // one change a place
        --left;
        copy.related.push_back({cure.span, fmt::format("{} here, and nothing of this is seen", cure.what)});
      }
      (d.severity == dsl::Severity::note    ? told.note(d.code, d.span, d.message)
       : d.severity == dsl::Severity::error ? told.error(d.code, d.span, d.message)
                                            : told.warning(d.code, d.span, d.message)) = copy;
    }
    found = std::move(told);
  }

  // What conditions answered, by their places in the text.
  [[nodiscard]] std::map<TextPlaces::Place, NodeCount> counted(const Survey& survey) const {
    const runtime::Program& program = in_.loaded.rules->program();
    const TextPlaces places(program, file_, in_.loaded.sources);
    // Of what became several nodes, as `a != b` does, the outermost counts.
    std::vector<bool> inner(program.nodes.size());
    for (runtime::NodeId id = 0; id < program.nodes.size(); ++id)
      for (const runtime::NodeId kid : program.kids_of(program.nodes[id]))
        if (places.place_in_text(kid) == places.place_in_text(id)) inner[kid] = true;
    std::map<TextPlaces::Place, NodeCount> sums;
    for (runtime::NodeId id = 0; id < program.nodes.size(); ++id) {
      if (program.nodes[id].type != runtime::Type::truth || inner[id]) continue;
      NodeCount& sum = sums[places.place_in_text(id)];
      const NodeCount& count = survey.trace.of(id);
      sum.met += count.met;
      sum.held += count.held;
    }
    return sums;
  }

  using Listed = std::vector<std::pair<std::string, runtime::Move>>;
  // The moves of a position by their notation; nothing where a rule goes wrong.
  static std::optional<Listed> list_of(Game& game) {
    const auto moves = game.moves();
    if (!moves) return std::nullopt;
    const auto texts = game.notations();
    if (!texts) return std::nullopt;
    Listed list;
    for (std::size_t i = 0; i < texts->size(); ++i) list.emplace_back((*texts)[i], (*moves)[i]);
    std::stable_sort(list.begin(), list.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    return list;
  }
  static bool same_texts(const Listed& a, const Listed& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const auto& x, const auto& y) { return x.first == y.first; });
  }
  static bool same_outcome(Game& a, Game& b) {
    const auto x = a.outcome(), y = b.outcome();
    if (!x || !y || x->has_value() != y->has_value()) return false;
    return !*x || (*x)->winners == (*y)->winners;
  }

  // How many positions were compared; nothing: there is a difference.
  std::optional<std::uint64_t> plays_alike(const std::shared_ptr<const Rules>& other) {
    std::uint64_t compared = 0;
    const std::uint64_t enough = kComparedPlies * in_.effort;
    for (const Position& position : in_.shown)
      if (!plays_alike(Game(in_.loaded.rules, position), Game(other, position), 0, compared, 1))
        return std::nullopt;
    for (std::uint64_t game = 0; compared < enough && game < enough; ++game)
      if (!plays_alike(Game(in_.loaded.rules), Game(other), game, compared, kPliesOfOne)) return std::nullopt;
    return compared;
  }
  bool plays_alike(Game a, Game b, std::uint64_t number, std::uint64_t& compared, int plies) {
    runtime::Random random = runtime::random_of_game(in_.seed, number);
    for (int ply = 0; ply < plies; ++ply) {
      if (is_over() || !same_outcome(a, b)) return false;
      const auto mine = list_of(a), others = list_of(b);
      if (!mine || !others || !same_texts(*mine, *others)) return false;
      ++compared;
      if (mine->empty()) return true;
      const auto drawn = static_cast<std::size_t>(random.below(mine->size()));
      if (!a.play((*mine)[drawn].second) || !b.play((*others)[drawn].second)) return false;
      if (!a.position().same_as(b.position())) return false;
    }
    return true;
  }

  const SlipSearch& in_;
  std::uint64_t nodes_left_;
  const dsl::RuleFile& file_;
};

} // namespace

void tell_cures(const SlipSearch& in, dsl::Diagnostics& found) { Slips(in).cures(found); }

void report_idle(const SlipSearch& in, const Survey& survey, dsl::Diagnostics& out) {
  Slips(in).idle(survey, out);
}

} // namespace boardwright::interpreter
