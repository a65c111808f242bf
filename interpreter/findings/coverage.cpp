#include "interpreter/findings/coverage.hpp"

#include "interpreter/compile.hpp"
#include "interpreter/lints/lints.hpp"
#include "interpreter/notation/position_text.hpp"
#include "interpreter/self_tests/test_variants.hpp"
#include "runtime/examine/survey.hpp"
#include "runtime/examine/walked.hpp"
#include "runtime/game/large_stack.hpp"
#include "runtime/model/random.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace boardwright::interpreter {
namespace {

using dsl::Ast;
using dsl::Form;
using dsl::Span;
using runtime::Game;
using runtime::Node;
using runtime::NodeId;
using runtime::Op;
using runtime::Position;
using runtime::Program;
using runtime::Trace;
using runtime::Walked;

// Of the tree that `perft` of a test counts, so many lines are gone through, each so many moves deep: what
// all of them reach is reached by most of these.
constexpr int kLines = 8;
constexpr int kDeepest = 6;
// What the walker may go through for the tests of a file; as much again for random games (survey.hpp).
constexpr runtime::WalkBudget kTestBudget{400, 3'000'000};

constexpr int kItself = -1;    // in place of a child
constexpr int kLastChild = -2; // likewise

// A part of the rules, and the nodes that count for it: those that come from a place in the text and carry
// out one of some operations, or one of their children.
struct Spec {
  PartKind kind = PartKind::condition;
  Span span;  // shown
  Span place; // of the nodes
  std::set<Op> ops;
  int child = kItself;
  std::string name; // of a definition
};

Span place_of(const Ast& n) { return bare(n).span; }

class Specs {
public:
  Specs(const dsl::RuleFile& file, const Readings& readings) : file_(file), readings_(readings) {
    for (const dsl::Definition& d : file.define) definition(d);
    each_rule(file, [&](const Ast& rule) { each_node(rule, [&](const Ast& n) { part(n); }); });
    for (const dsl::EndRule& line : file.end)
      if (line.span.file == file.file) add({PartKind::end_line, line.span, line.span, {}, kItself, ""});
  }

  [[nodiscard]] const std::vector<Spec>& all() const { return all_; }

private:
  void add(Spec spec) {
    const auto same = [&](const Spec& s) { return s.kind == spec.kind && s.span == spec.span; };
    if (std::none_of(all_.begin(), all_.end(), same)) all_.push_back(std::move(spec));
  }

  void definition(const dsl::Definition& d) {
    if (d.body) body(*d.body, d.name.text);
    for (const auto& [who, of_case] : d.cases) body(of_case, d.name.text + " for " + who.text);
    if (d.others) body(*d.others, d.name.text + " for others");
  }

  void body(const Ast& n, std::string name) {
    if (n.form == Form::cases) {
      for (std::size_t i = 0; i < n.kids.size(); ++i)
        body(n.kids[i], name + " for " + (i < n.names.size() ? n.names[i] : "others"));
      return;
    }
    const auto reading = readings_.find(&n);
    if (n.span.file != file_.file || reading == readings_.end()) return;
    if (!reading->second.is_action && !reading->second.varies)
      return; // a constant, which nobody asks in play
    add({PartKind::definition, n.span, place_of(n), {}, kItself, std::move(name)});
  }

  void condition(const Ast& n, std::set<Op> ops, int child, const Ast& shown) {
    add({PartKind::condition, shown.span, n.span, std::move(ops), child, ""});
  }

  void part(const Ast& n) {
    const auto reading = readings_.find(&n);
    if (reading == readings_.end()) return; // nothing uses it
    const auto last = [&]() -> const Ast& { return n.kids.back(); };
    switch (n.form) {
    case Form::either:
    case Form::otherwise:
      if (!reading->second.is_action) return;
      for (std::size_t i = 0; i < n.kids.size(); ++i)
        add({PartKind::alternative,
             n.kids[i].span,
             n.span,
             {Op::alternatives, Op::otherwise},
             static_cast<int>(i),
             ""});
      return;
    case Form::conditional: return condition(n, {Op::if_action, Op::if_value}, 0, n.kids[0]);
    case Form::require: return condition(n, {Op::require}, 0, n.kids[0]);
    case Form::at: return condition(n, {Op::at}, kItself, n);
    case Form::some_in:
    case Form::no_in: return condition(n, {Op::some_where}, 1, last());
    case Form::part: return condition(n, {Op::select}, 1, last());
    case Form::list_for:
      if (n.kids.size() == n.names.size() + 2) condition(n, {Op::list_for}, 1, last());
      return;
    case Form::fold_for:
      if ((n.flags & dsl::kHasWhere) != 0)
        condition(n, {Op::list_for, Op::sum_for, Op::product_for, Op::least_for, Op::greatest_for}, 1, last());
      return;
    case Form::repeat:
      if ((n.flags & dsl::kRepeatUntil) != 0) condition(n, {Op::repeat}, kLastChild, last());
      return;
    default: return;
    }
  }

  const dsl::RuleFile& file_;
  const Readings& readings_;
  std::vector<Spec> all_;
};

// The nodes of one program, by the place in the author's file that they come from.
class Places {
public:
  Places(const Program& program, const std::string& file) : program_(program), inner_(program.nodes.size()) {
    for (NodeId id = 0; id < program.nodes.size(); ++id) {
      const auto& origin = program.origins[program.nodes[id].origin];
      for (const NodeId kid : program.kids_of(program.nodes[id]))
        if (same_place(program.origins[program.nodes[kid].origin], origin)) inner_[kid] = true;
      if (program.files[origin.file] == file) at_[{origin.begin, origin.end}].push_back(id);
    }
    for (const auto& player : program.players)
      for (const auto& line : player.end)
        if (const auto& origin = program.origins[line.origin]; program.files[origin.file] == file)
          lines_[{origin.begin, origin.end}].push_back(line.condition);
  }

  // Is there anything to count? Parts that are worked out at load have no nodes, nor does a definition that
  // is nothing but the call of another.
  [[nodiscard]] bool has(const Spec& spec) const {
    const std::pair key{spec.place.begin, spec.place.end};
    if (spec.kind == PartKind::end_line) return lines_.contains(key);
    const auto found = at_.find(key);
    return found != at_.end() && std::any_of(found->second.begin(), found->second.end(),
                                             [&](NodeId id) { return counting(spec, id).has_value(); });
  }

  void add(const Spec& spec, const Trace& trace, PartCount& sum) const {
    const std::pair key{spec.place.begin, spec.place.end};
    if (spec.kind == PartKind::end_line) {
      if (const auto found = lines_.find(key); found != lines_.end())
        for (const NodeId id : found->second) add(id, false, trace, sum);
      return;
    }
    const auto found = at_.find(key);
    if (found == at_.end()) return;
    std::set<NodeId> counted; // of several nodes that share a child, it counts once
    for (const NodeId id : found->second)
      if (const auto node = counting(spec, id); node && counted.insert(*node).second)
        add(*node, spec.kind == PartKind::alternative, trace, sum);
  }

private:
  static bool same_place(const runtime::Origin& a, const runtime::Origin& b) {
    return std::tie(a.file, a.begin, a.end) == std::tie(b.file, b.begin, b.end);
  }

  [[nodiscard]] std::optional<NodeId> counting(const Spec& spec, NodeId id) const {
    const Node& n = program_.nodes[id];
    if (spec.ops.empty()) return inner_[id] ? std::nullopt : std::optional(id);
    if (!spec.ops.contains(n.op)) return std::nullopt;
    if (spec.child == kItself) return id;
    const std::int64_t child = spec.child == kLastChild ? static_cast<std::int64_t>(n.count) - 1 : spec.child;
    if (child < 0 || child >= static_cast<std::int64_t>(n.count)) return std::nullopt;
    return program_.kid(n, static_cast<std::uint32_t>(child));
  }

  static void add(NodeId id, bool moved, const Trace& trace, PartCount& sum) {
    const runtime::NodeCount& count = trace.of(id);
    sum.met += count.met;
    sum.held += moved ? count.moved : count.held;
  }

  const Program& program_;
  std::vector<bool> inner_; // comes from the same place as a node above it
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<NodeId>> at_, lines_;
};

// A program that is gone through, and what has been met in it.
struct Way {
  std::shared_ptr<const Program> program;
  std::optional<Walked> walked;
  std::shared_ptr<const runtime::Rules> rules;
};

class Covering {
public:
  Covering(const Loaded& loaded, const std::string& reference, const Settings& settings,
           const dsl::FileFinder& find, const CoverageOptions& options)
      : loaded_(loaded), settings_(settings), options_(options),
        variants_(loaded, reference, settings, find) {
    found_.seed = options.seed;
  }

  Coverage run() {
    Readings readings;
    const auto program = compiled(loaded_, settings_, &readings);
    if (program == nullptr) return std::move(found_);
    const Places places(*program, file_name());
    std::vector<Spec> specs = Specs(*loaded_.file, readings).all();
    std::erase_if(specs, [&](const Spec& spec) { return !places.has(spec); });
    for (const Spec& spec : specs)
      found_.parts.push_back(
          {spec.kind, spec.span, spec.name.empty() ? words(spec.span) : spec.name, {}, {}});
    if (options_.tests) tests(specs, program);
    if (options_.games && !stopped()) games(specs, *program, places);
    found_.stopped = stopped();
    std::stable_sort(found_.parts.begin(), found_.parts.end(),
                     [](const CoveredPart& a, const CoveredPart& b) {
                       return std::pair(a.span.begin, b.span.end) < std::pair(b.span.begin, a.span.end);
                     });
    return std::move(found_);
  }

private:
  [[nodiscard]] bool stopped() const {
    return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
  }

  static std::shared_ptr<const Program> compiled(const Loaded& loaded, const Settings& settings,
                                                 Readings* readings) {
    dsl::Diagnostics ignored; // it has loaded before
    dsl::Sources sources = loaded.sources;
    bool bad_setting = false;
    CompileOptions options;
    options.fold = false;
    options.readings = readings;
    return compile(*loaded.file, settings, sources, ignored, bad_setting, options);
  }

  [[nodiscard]] const std::string& file_name() const { return loaded_.sources.name(loaded_.file->file); }

  [[nodiscard]] std::string words(Span span) const {
    std::string text;
    for (const char c : loaded_.sources.text(span.file).substr(span.begin, span.end - span.begin)) {
      const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
      if (!blank || (!text.empty() && text.back() != ' ')) text += blank ? ' ' : c;
    }
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return text;
  }

  // --- tests

  void tests(const std::vector<Spec>& specs, const std::shared_ptr<const Program>& program) {
    std::vector<std::pair<const dsl::TestEntry*, Way*>> all;
    for (const dsl::TestEntry& test : loaded_.file->tests)
      if (Way* way = way_of(test, program); way != nullptr) all.emplace_back(&test, way);
    const std::uint64_t shares = std::max<std::uint64_t>(ways_.size(), 1);
    for (auto& [settings, way] : ways_)
      if (way.program) way.walked.emplace(*way.program, budget_of(shares));
    // What the tests say first, then what they count: of that, any part will do.
    for (const auto& [test, way] : all)
      if (!stopped()) said(*test, *way);
    for (const auto& [test, way] : all)
      if (!stopped()) counted(*test, *way);
    found_.tests = all.size();
    for (const auto& [settings, way] : ways_) {
      if (!way.walked) continue;
      found_.test_positions += way.walked->positions();
      const Places places(*way.program, file_name());
      for (std::size_t i = 0; i < specs.size(); ++i)
        places.add(specs[i], way.walked->trace(), found_.parts[i].tests);
    }
  }

  static runtime::WalkBudget budget_of(std::uint64_t shares) {
    return {std::max<std::uint64_t>(kTestBudget.positions / shares, 1),
            std::max<std::uint64_t>(kTestBudget.steps / shares, 1)};
  }

  Way* way_of(const dsl::TestEntry& test, const std::shared_ptr<const Program>& program) {
    const Settings settings = test.settings.empty() ? Settings{} : variants_.settings_of(test);
    auto [way, fresh] = ways_.try_emplace(settings);
    if (fresh) {
      const Loaded& variant = variants_.loaded_for(test);
      way->second.rules = variant.rules;
      if (variant)
        way->second.program = test.settings.empty() ? program : compiled(variant, settings, nullptr);
    }
    return way->second.program ? &way->second : nullptr;
  }

  // The positions that a test plays through, the one that it asks, and those after its moves.
  void said(const dsl::TestEntry& test, Way& way) {
    dsl::Diagnostics ignored; // that a test fails is told elsewhere
    auto game = game_at(way.rules, test.position, "test", ignored);
    if (!game) return;
    const std::vector<Position> line = line_of(*game);
    for (std::size_t i = 0; i < line.size(); ++i) walk(way, line, i);
    for (const dsl::ExpectEntry& expect : test.expect) {
      if (expect.move.text.empty() || !play_written(expect.move, *game, "test", ignored)) continue;
      std::vector<Position> longer = line;
      longer.push_back(game->position());
      walk(way, longer, line.size());
      game->undo();
    }
  }

  // Some lines of the tree that `perft` counts.
  void counted(const dsl::TestEntry& test, Way& way) {
    int depth = 0;
    for (const dsl::PerftEntry& perft : test.perft) depth = std::max(depth, perft.depth);
    dsl::Diagnostics ignored;
    const auto game = depth > 1 ? game_at(way.rules, test.position, "test", ignored) : std::nullopt;
    for (int line = 0; game && line < kLines && !way.walked->is_spent(); ++line)
      follow(way, *game, std::min(depth, kDeepest), static_cast<std::uint64_t>(line));
  }

  void follow(Way& way, Game game, int depth, std::uint64_t line) {
    runtime::Random random(runtime::chain(runtime::mix(options_.seed), line));
    std::vector<Position> past = line_of(game);
    for (int ply = 1; ply < depth; ++ply) {
      const auto moves = game.moves();
      if (!moves || moves->empty() || !game.play((*moves)[random.below(moves->size())])) return;
      past.push_back(game.position());
      walk(way, past, past.size() - 1);
    }
  }

  // The positions of a game from its beginning.
  static std::vector<Position> line_of(Game game) {
    std::vector<Position> line{game.position()};
    while (game.undo()) line.push_back(game.position());
    std::reverse(line.begin(), line.end());
    return line;
  }

  void walk(Way& way, const std::vector<Position>& line, std::size_t at) {
    const auto not_whole = [&] { return way.walked->left_out() + way.walked->parts(); };
    const std::uint64_t before = not_whole();
    way.walked->add(line[at], std::span(line).first(at));
    found_.left_out += not_whole() - before;
  }

  // --- random games

  void games(const std::vector<Spec>& specs, const Program& program, const Places& places) {
    runtime::SurveyOptions options;
    options.seed = options_.seed;
    options.walked = &program;
    options.stop = options_.stop;
    options.more_games = 0;
    for (std::uint64_t* budget : {&options.plies, &options.walk_steps, &options.listed, &options.steps})
      *budget /= std::max<std::uint64_t>(options_.share, 1);
    const runtime::Survey survey = runtime::survey(loaded_.rules, options);
    found_.games = survey.games;
    found_.random_positions = survey.positions;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      places.add(specs[i], survey.trace, found_.parts[i].random);
      if (specs[i].kind == PartKind::end_line)
        found_.parts[i].random.games = ended_by(specs[i].place, survey);
    }
  }

  // Games that the engine ended by the line; the walker sees some of their last positions only.
  [[nodiscard]] std::uint64_t ended_by(Span line, const runtime::Survey& survey) const {
    const Program& played = loaded_.rules->program();
    std::uint64_t games = 0;
    for (const auto& [end, count] : survey.ends) {
      const auto& origin = played.origins[end.origin];
      const bool is_it = origin.begin == line.begin && origin.end == line.end;
      if (is_it && played.files[origin.file] == file_name()) games += count;
    }
    return games;
  }

  const Loaded& loaded_;
  const Settings& settings_;
  const CoverageOptions& options_;
  TestVariants variants_;
  std::map<Settings, Way> ways_; // those of tests, by settings
  Coverage found_;
};

} // namespace

bool is_covered(PartKind kind, const PartCount& count) { return what_is_missing(kind, count).empty(); }

std::string what_is_missing(PartKind kind, const PartCount& count) {
  const bool held = count.held > 0 || count.games > 0;
  switch (kind) {
  case PartKind::alternative: return held ? "" : count.met == 0 ? "is never tried" : "gives no move";
  case PartKind::definition: return count.met > 0 ? "" : "is never used";
  case PartKind::end_line: return held ? "" : count.met == 0 ? "is never asked" : "never holds";
  case PartKind::condition: break;
  }
  if (count.met == 0) return "is never asked";
  if (!held) return "never holds";
  return count.held == count.met ? "always holds" : "";
}

// What is nested deeply is read by recursion: the caller may have a small stack.
Coverage coverage_of(const Loaded& loaded, const std::string& reference, const Settings& settings,
                     const dsl::FileFinder& find, const CoverageOptions& options) {
  Coverage found;
  runtime::on_large_stack([&] { found = Covering(loaded, reference, settings, find, options).run(); });
  return found;
}

} // namespace boardwright::interpreter
