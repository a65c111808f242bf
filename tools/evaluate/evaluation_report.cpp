#include "tools/evaluate/evaluation_report.hpp"

#include "tools/console/console.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#ifndef BOARDWRIGHT_VERSION
#define BOARDWRIGHT_VERSION "0.1.0"
#endif

namespace boardwright::tools {
namespace {

constexpr std::size_t kMostTold = 8; // parts and cells that are listed

std::string estimate_text(const std::optional<Estimate>& e, bool share) {
  if (!e) return fmt::format("{:>8}  {:16}", "-", "");
  return share
             ? fmt::format("{:6.1f} %  {:16}", 100 * e->value,
                           fmt::format("({:.1f} to {:.1f})", 100 * e->low, 100 * e->high))
             : fmt::format("{:6.1f}    {:16}", e->value, fmt::format("({:.1f} to {:.1f})", e->low, e->high));
}

std::string short_share(const std::optional<Estimate>& e) {
  return e ? fmt::format("{:.1f} % ({:.1f} to {:.1f})", 100 * e->value, 100 * e->low, 100 * e->high) : "-";
}

std::string tables_text(const Evaluation& e) {
  std::string text =
      fmt::format("\n  by strength, each against itself:\n    {:10} {:>6}   {:24} {:>8} {:>8}\n", "", "games",
                  printable(e.players[e.first]) + " gets", "draws", "length");
  for (const StrengthRow& row : e.strengths)
    text +=
        fmt::format("    {:10} {:>6}   {:24} {:>8} {:>8}\n", strength_name(row.strength), row.games,
                    short_share(row.first), row.draws ? fmt::format("{:.1f} %", 100 * row.draws->value) : "-",
                    row.length ? fmt::format("{:.1f}", row.length->value) : "-");
  if (!e.steps.empty()) text += "\n  each strength against the one below it:\n";
  for (const StepRow& step : e.steps)
    text += fmt::format("    {:10} {:>6}   gets {}\n", strength_name(step.strong), step.games,
                        short_share(step.points));
  return text;
}

std::string endings_lines(const Evaluation& e) {
  std::string text;
  for (const EndingCount& ending : e.endings)
    text += fmt::format("    {:>5}  {}\n", ending.games,
                        quotable(ending.rule.empty() ? ending.by : ending.rule, 72));
  return text.empty() ? "" : fmt::format("\n  games of {} ended by:\n", strength_name(e.measured())) + text;
}

std::string unused_text(const Evaluation& e) {
  std::string text;
  for (std::size_t k = 0; k < std::min(kMostTold, e.unused.size()); ++k)
    text +=
        fmt::format("    line {}: {} `{}`\n", e.unused[k].line,
                    e.unused[k].end_line ? "line of `end`" : "alternative", quotable(e.unused[k].text, 60));
  if (e.unused.size() > kMostTold) text += fmt::format("    and {} more\n", e.unused.size() - kMostTold);
  return text.empty() ? "" : "\n  what never comes into play:\n" + text;
}

Json estimate_or_null(const std::optional<Estimate>& e) {
  return e ? Json{{"value", e->value}, {"low", e->low}, {"high", e->high}} : Json();
}

Json strengths_json(const Evaluation& e) {
  Json rows = Json::array();
  for (const StrengthRow& row : e.strengths) {
    Json players = Json::object();
    for (std::size_t p = 0; p < e.players.size(); ++p)
      players[e.players[p]] = estimate_or_null(row.players[p]);
    rows.push_back({{"strength", strength_name(row.strength)},
                    {"games", row.games},
                    {"played", row.played},
                    {"first", estimate_or_null(row.first)},
                    {"players", players},
                    {"draws", estimate_or_null(row.draws)},
                    {"unfinished", estimate_or_null(row.unfinished)},
                    {"length", estimate_or_null(row.length)},
                    {"branching", estimate_or_null(row.branching)}});
  }
  return rows;
}

Json measures_json(const Evaluation& e) {
  Json measures = Json::object();
  for (const Measure& m : e.measures) {
    Json json = estimate_or_null(m.value);
    if (!m.value) json = {{"value", Json()}, {"low", Json()}, {"high", Json()}};
    json.update({{"title", m.title},
                 {"unit", m.share ? "share" : "number"},
                 {"interval", m.interval},
                 {"definition", m.definition},
                 {"source", m.source},
                 {"sentence", m.sentence}});
    measures[m.id] = std::move(json);
  }
  return measures;
}

Json endings_json_of(const Evaluation& e) {
  Json all = Json::array();
  for (const EndingCount& ending : e.endings) {
    Json json = {{"by", ending.by}};
    if (!ending.rule.empty()) json["rule"] = ending.rule;
    json["games"] = ending.games;
    all.push_back(std::move(json));
  }
  return all;
}

Json head_json(const Evaluation& e) {
  Json options = Json::object(), strengths = Json::array();
  for (const auto& [name, value] : e.options) options[name] = value;
  for (const int strength : e.plan.strengths) strengths.push_back(strength_name(strength));
  return {{"evaluation", kEvaluationFormat},
          {"boardwright", BOARDWRIGHT_VERSION},
          {"game", e.game},
          {"options", options},
          {"rules", e.rules},
          {"players", e.players},
          {"first", e.players[e.first]},
          {"strengths_played", strengths},
          {"games_of_each", e.plan.games},
          {"seed", e.plan.seed},
          {"max_plies", e.plan.max_plies},
          {"games", e.games},
          {"different", e.different},
          {"planned", e.planned}};
}

} // namespace

std::string title_of(const Evaluation& e, const interpreter::Settings& settings) {
  std::string text = e.game;
  for (const auto& [name, value] : settings) text += fmt::format(", {} {}", name, value);
  return printable(text);
}

std::string evaluation_text(const Evaluation& e, const std::string& title) {
  std::string names;
  for (const int strength : e.plan.strengths) names += (names.empty() ? "" : ", ") + strength_name(strength);
  std::string text = fmt::format("{}: {} games of {} against themselves and each other, seed {}\n", title,
                                 grouped(e.games), names, e.plan.seed);
  if (e.seconds)
    text +=
        fmt::format("  {} were planned; the time, {} s, was over before\n", grouped(e.planned), *e.seconds);
  else if (e.gave_up)
    text += fmt::format("  {} were planned; `--effort 1` plays them all\n", grouped(e.planned));
  else if (e.games < e.planned)
    text += fmt::format("  {} were planned\n", grouped(e.planned));
  text += e.different == e.games ? "  no two of them are the same\n"
                                 : fmt::format("  {} of them differ; only these are counted, {} were played "
                                               "before, move by move\n",
                                               grouped(e.different), grouped(e.games - e.different));
  text += "\n";
  for (const Judgement& judgement : e.judgements) text += "  " + printable(judgement.text) + "\n";
  text += fmt::format("\n  of {} against itself, with 95 % intervals:\n", strength_name(e.measured()));
  for (const Measure& m : e.measures)
    text += fmt::format("    {:26} {} {}\n", m.title, estimate_text(m.value, m.share), printable(m.sentence));
  return text + tables_text(e) + endings_lines(e) + unused_text(e);
}

Json evaluation_json(const Evaluation& e) {
  Json json = head_json(e);
  if (e.stopped) json["stopped"] = true;
  if (e.gave_up) json["gave_up"] = true;
  if (e.seconds) json["time_over"] = *e.seconds;
  Json verdicts = Json::array(), steps = Json::array(), unused = Json::array();
  for (const Judgement& j : e.judgements)
    verdicts.push_back({{"id", j.id}, {"fault", j.fault}, {"text", j.text}});
  for (const StepRow& step : e.steps)
    steps.push_back({{"strong", strength_name(step.strong)},
                     {"weak", strength_name(step.weak)},
                     {"games", step.games},
                     {"played", step.played},
                     {"points", estimate_or_null(step.points)}});
  for (const UsedPart& part : e.unused)
    unused.push_back(
        {{"kind", part.end_line ? "end" : "alternative"}, {"line", part.line}, {"text", part.text}});
  json.update({{"verdicts", verdicts},
               {"measures", measures_json(e)},
               {"strengths", strengths_json(e)},
               {"steps", steps},
               {"endings", endings_json_of(e)},
               {"unused_rules", unused},
               {"unused_cells", e.unused_cells}});
  return json;
}

} // namespace boardwright::tools
