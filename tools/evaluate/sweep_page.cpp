// Entry point: sweep_page. A heat map for each number: the first option across, all others and files down.
#include "tools/evaluate/sweep.hpp"

#include "tools/console/xml.hpp"
#include "tools/evaluate/charts.hpp"
#include "tools/evaluate/evaluation_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace boardwright::tools {
namespace {

std::string row_name(const SweptVariant& v, bool many_files) {
  std::string name = many_files ? v.evaluation.game : "";
  for (std::size_t k = 1; k < v.settings.size(); ++k)
    name += fmt::format("{}{} {}", name.empty() ? "" : ", ", v.settings[k].first, v.settings[k].second);
  return name;
}

template <class Number>
std::string map_of(const Sweep& sweep, const std::string& title, bool share, const Number& number) {
  std::vector<std::string> rows,
      columns = sweep.axes.empty() ? std::vector<std::string>{""} : sweep.axes[0].values;
  std::vector<std::vector<HeatCell>> cells;
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const SweptVariant& v : sweep.variants)
    if (const std::optional<double> n = number(v)) least = std::min(least, *n), most = std::max(most, *n);
  const auto best = best_of(sweep);
  for (std::size_t k = 0; k < sweep.variants.size(); ++k) {
    const SweptVariant& v = sweep.variants[k];
    const std::string name = row_name(v, sweep.references.size() > 1);
    const auto row = static_cast<std::size_t>(std::find(rows.begin(), rows.end(), name) - rows.begin());
    if (row == rows.size()) rows.push_back(name), cells.emplace_back(columns.size());
    const std::string& value = v.settings.empty() ? columns[0] : v.settings[0].second;
    const auto column =
        static_cast<std::size_t>(std::find(columns.begin(), columns.end(), value) - columns.begin());
    const std::optional<double> n = number(v);
    if (!n || column == columns.size()) continue;
    cells[row][column] = {most > least ? (*n - least) / (most - least) : 0,
                          share ? fmt::format("{:.1f} %", 100 * *n) : fmt::format("{:.1f}", *n), best == k};
  }
  return fmt::format("<figure><figcaption>{}</figcaption>\n{}</figure>\n", xml_text(title),
                     heat_map(rows, columns, cells, title));
}

std::string variants_table(const Sweep& sweep) {
  std::string text = "<table>\n<thead><tr><th>variant</th><th class=\"n\">games</th><th class=\"n\">first "
                     "gets</th><th class=\"n\">draws</th><th>what is said of it</th></tr></thead>\n<tbody>\n";
  for (const SweptVariant& v : sweep.variants) {
    text += fmt::format("<tr><td>{}</td><td class=\"n\">{}</td>",
                        xml_text(title_of(v.evaluation, v.settings)), v.evaluation.games);
    for (const char* id : {"advantage", "draws"}) {
      const Measure* m = v.evaluation.measure(id);
      text += m == nullptr || !m->value
                  ? std::string("<td class=\"n\">-</td>")
                  : fmt::format("<td class=\"n\">{:.1f} % ({:.1f} to {:.1f})</td>", 100 * m->value->value,
                                100 * m->value->low, 100 * m->value->high);
    }
    text += "<td>";
    for (const Judgement& j : v.evaluation.judgements) text += xml_text(j.text) + " ";
    text += "</td></tr>\n";
  }
  return text + "</tbody></table>\n";
}

} // namespace

std::string sweep_page(const Sweep& sweep) {
  std::string names;
  for (const std::string& reference : sweep.references) names += (names.empty() ? "" : ", ") + reference;
  std::string text =
      page_head(names + " - sweep") + fmt::format("<body>\n<h1>Variants of {}</h1>\n", xml_text(names));
  if (!sweep.axes.empty())
    text += fmt::format(
        "<p class=\"about\">Across: {}.{}</p>\n", xml_text(sweep.axes[0].option),
        sweep.wanted.empty() ? "" : xml_text(" Wanted: " + sweep.wanted + "; the best is framed."));
  text += "<div class=\"charts\">\n";
  const SweptVariant* any = sweep.variants.empty() ? nullptr : &sweep.variants.front();
  for (const char* id : {"advantage", "draws", "length", "choice", "depth", "decisiveness"}) {
    const Measure* m = any == nullptr ? nullptr : any->evaluation.measure(id);
    if (m == nullptr) continue;
    text += map_of(sweep, m->title, m->share, [id](const SweptVariant& v) {
      const Measure* one = v.evaluation.measure(id);
      return one != nullptr && one->value ? std::optional(one->value->value) : std::nullopt;
    });
  }
  if (!sweep.wishes.empty())
    text += map_of(sweep, "how far from what is wanted", false, [](const SweptVariant& v) {
      return v.fulfilment.known ? std::optional(v.fulfilment.distance) : std::nullopt;
    });
  return text + "</div>\n<h2>Variants</h2>\n" + variants_table(sweep) + "</body>\n</html>\n";
}

} // namespace boardwright::tools
