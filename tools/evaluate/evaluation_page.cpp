#include "tools/evaluate/evaluation_page.hpp"

#include "tools/console/console.hpp"
#include "tools/console/xml.hpp"
#include "tools/evaluate/charts.hpp"

#include <fmt/format.h>

namespace boardwright::tools {
namespace {

std::string figure(const std::string& caption, const std::string& chart) {
  if (chart.empty()) return "";
  return fmt::format("<figure><figcaption>{}</figcaption>\n{}</figure>\n", xml_text(caption), chart);
}

std::string verdicts_list(const Evaluation& e) {
  std::string text = "<ul class=\"verdicts\">\n";
  for (const Judgement& j : e.judgements)
    text += fmt::format("<li class=\"{}\">{}</li>\n",
                        j.fault          ? "fault"
                        : j.id == "good" ? "good"
                                         : "note",
                        xml_text(j.text));
  return text + "</ul>\n";
}

std::string fairness_figures(const Evaluation& e) {
  std::vector<ShareLine> lines, steps;
  std::vector<StackedBar> bars;
  for (const StrengthRow& row : e.strengths) {
    lines.push_back({strength_name(row.strength), row.first});
    bars.push_back({strength_name(row.strength), {row.results.begin(), row.results.end()}});
  }
  for (const StepRow& step : e.steps)
    steps.push_back({fmt::format("{} : {}", strength_name(step.strong),
                                 step.weak == 0 ? "random" : std::to_string(step.weak)),
                     step.points});
  const double fair = 1 / static_cast<double>(e.players.size());
  const std::string& first = e.players[e.first];
  return figure("Is it fair? Points of " + first + ", who begins",
                shares_chart(lines, fair, "points of the first player, by strength")) +
         figure("How games end, by strength",
                stacked_chart(bars,
                              {first + " wins", "drawn or unfinished",
                               e.players.size() == 2 ? e.players[1 - e.first] + " wins" : "others win"},
                              "results by strength")) +
         (steps.empty()
              ? ""
              : figure("Does skill decide? Points of each strength against the one below it",
                       shares_chart(steps, fair, "points of each strength against the one below it")));
}

std::string game_figures(const Evaluation& e) {
  const std::string who = strength_name(e.measured());
  bool follows = false;
  for (const double lead : e.lead) follows = follows || lead > 0;
  return figure("How long is a game? (" + who + ")",
                histogram(e.lengths, "turns of a game", "lengths of games")) +
         (follows ? figure("When is it decided? How far the leader is ahead",
                           curve_chart({e.lead.begin(), e.lead.end()}, "the beginning", "the end of a game",
                                       "how far the leader is ahead, by tenths of the game"))
                  : "");
}

std::string measures_table(const Evaluation& e) {
  std::string text =
      "<table>\n<thead><tr><th>measure</th><th class=\"n\">value</th><th class=\"n\">95 % interval</th>"
      "<th>in plain words</th></tr></thead>\n<tbody>\n";
  for (const Measure& m : e.measures) {
    const std::string value = m.value ? number_text(m, m.value->value) : "-";
    const std::string interval =
        m.value ? fmt::format("{} to {}", number_text(m, m.value->low), number_text(m, m.value->high)) : "";
    text += fmt::format("<tr><td><strong>{}</strong></td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}"
                        "<div class=\"small\">{}. Interval: {}. Source: {}.</div></td></tr>\n",
                        xml_text(m.title), value, interval, xml_text(m.sentence), xml_text(m.definition),
                        xml_text(m.interval), xml_text(m.source));
  }
  return text + "</tbody></table>\n";
}

std::string endings_table(const Evaluation& e) {
  if (e.endings.empty()) return "";
  std::string text = "<h2>What ends games</h2>\n<table><tbody>\n";
  for (const EndingCount& ending : e.endings)
    text += fmt::format("<tr><td class=\"n\">{}</td><td><code>{}</code></td></tr>\n", ending.games,
                        xml_text(ending.rule.empty() ? ending.by : ending.rule));
  return text + "</tbody></table>\n";
}

std::string unused_list(const Evaluation& e) {
  std::string text;
  for (const UsedPart& part : e.unused)
    text += fmt::format("<li>line {}: <code>{}</code></li>\n", part.line, xml_text(part.text));
  if (!text.empty()) text = "<h2>Rules that never come into play</h2>\n<ul>\n" + text + "</ul>\n";
  if (e.unused_cells.empty()) return text;
  std::string cells;
  for (const std::string& cell : e.unused_cells) cells += (cells.empty() ? "" : " ") + cell;
  return text + fmt::format("<h2>Cells that are never used</h2>\n<p>{}</p>\n", xml_text(cells));
}

} // namespace

std::string evaluation_page(const Evaluation& e, const std::string& title) {
  std::string names;
  for (const int strength : e.plan.strengths) names += (names.empty() ? "" : ", ") + strength_name(strength);
  std::string text = page_head(title + " - evaluation") + "<body>\n";
  text += fmt::format("<h1>{}</h1>\n<p class=\"about\">{} games of {}, against themselves and each other; "
                      "seed {}; rules {}{}</p>\n",
                      xml_text(title), grouped(e.games), names, e.plan.seed, e.rules,
                      e.games < e.planned ? fmt::format("; {} were planned", grouped(e.planned)) : "");
  text += verdicts_list(e) + "<div class=\"charts\">\n" + fairness_figures(e) + game_figures(e) + "</div>\n";
  text += fmt::format(
      "<h2>Measures</h2>\n<p class=\"small\">Of games of {} against itself, unless said otherwise.</p>\n",
      strength_name(e.measured()));
  return text + measures_table(e) + endings_table(e) + unused_list(e) + "</body>\n</html>\n";
}

} // namespace boardwright::tools
