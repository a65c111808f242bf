#include "tools/evaluate/sweep.hpp"

#include "dsl/text.hpp"
#include "tools/console/console.hpp"
#include "tools/evaluate/evaluation_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace boardwright::tools {
namespace {

std::string estimate_cell(const Evaluation& e, const char* id) {
  const Measure* m = e.measure(id);
  if (m == nullptr || !m->value) return "-";
  return m->share ? fmt::format("{:.1f} ({:.1f} to {:.1f})", 100 * m->value->value, 100 * m->value->low,
                                100 * m->value->high)
                  : fmt::format("{:.1f} ({:.1f} to {:.1f})", m->value->value, m->value->low, m->value->high);
}

std::string fulfilment_text(const Fulfilment& f) {
  if (!f.known) return "unknown";
  return f.distance > 0 ? fmt::format("{:.2f} off", f.distance) : f.sure ? "yes, surely" : "yes";
}

std::string verdict_ids(const Evaluation& e) {
  std::string ids;
  for (const Judgement& j : e.judgements) ids += (ids.empty() ? "" : " ") + j.id;
  return ids;
}

// A field of CSV: in quotes where it needs them (RFC 4180).
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// Columns as wide as their widest entry, the last one as it is.
std::string table_of(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) {
      widths.resize(std::max(widths.size(), c + 1));
      widths[c] = std::max(widths[c], row[c].size());
    }
  std::string text;
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c)
      text += c + 1 < row.size() ? fmt::format("{:{}}  ", row[c], widths[c]) : row[c] + "\n";
  return text;
}

} // namespace

tl::expected<std::vector<std::string>, std::string> values_in(const std::string& text) {
  std::vector<std::string> values;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    begin = end + 1;
    if (part.empty()) return tl::unexpected(fmt::format("a value is missing in `{}`", quotable(text)));
    const std::size_t dots = part.find("..");
    if (dots == std::string::npos) {
      values.push_back(part);
      continue;
    }
    const auto low = dsl::number_in<int>(part.substr(0, dots)),
               high = dsl::number_in<int>(part.substr(dots + 2));
    if (!low || !high || *low > *high || *high - *low >= static_cast<int>(kMostVariants))
      return tl::unexpected(fmt::format("`{}` is no range such as 7..13", quotable(part)));
    for (int value = *low; value <= *high; ++value) values.push_back(std::to_string(value));
  }
  return values;
}

std::vector<interpreter::Settings> combinations_of(const std::vector<SweepAxis>& axes) {
  std::vector<interpreter::Settings> all(1);
  for (const SweepAxis& axis : axes) {
    std::vector<interpreter::Settings> more;
    for (const interpreter::Settings& one : all)
      for (const std::string& value : axis.values) {
        more.push_back(one);
        more.back().emplace_back(axis.option, value);
      }
    all = std::move(more);
  }
  return all;
}

std::optional<std::size_t> best_of(const Sweep& sweep) {
  std::optional<std::size_t> best;
  const auto better = [](const Fulfilment& a, const Fulfilment& b) {
    return a.distance < b.distance || (a.distance == b.distance && a.sure && !b.sure);
  };
  for (std::size_t k = 0; k < sweep.variants.size() && !sweep.wishes.empty(); ++k)
    if (sweep.variants[k].fulfilment.known &&
        (!best || better(sweep.variants[k].fulfilment, sweep.variants[*best].fulfilment)))
      best = k;
  return best;
}

double half_width(const Wishes& wishes, const Evaluation& e) {
  double widest = -1;
  for (const Wish& wish : wishes) {
    const Measure* m = e.measure(wish.measure);
    if (m != nullptr && m->share && m->value && m->id != "rules")
      widest = std::max(widest, (m->value->high - m->value->low) / 2);
  }
  if (widest >= 0) return widest;
  const Measure* first = e.measure("advantage");
  return first != nullptr && first->value ? (first->value->high - first->value->low) / 2 : 1;
}

std::string sweep_text(const Sweep& sweep) {
  std::vector<std::vector<std::string>> rows(1);
  rows[0] = {"variant", "games", "first gets, %", "draws, %", "length", "choice", "steps"};
  if (!sweep.wishes.empty()) rows[0].emplace_back("as wanted");
  rows[0].emplace_back("verdicts");
  for (const SweptVariant& v : sweep.variants) {
    const Evaluation& e = v.evaluation;
    std::vector<std::string> row = {title_of(e, v.settings), std::to_string(e.games)};
    for (const char* id : {"advantage", "draws", "length", "choice", "depth"})
      row.push_back(estimate_cell(e, id));
    if (!sweep.wishes.empty()) row.push_back(fulfilment_text(v.fulfilment));
    row.push_back(verdict_ids(e));
    rows.push_back(std::move(row));
  }
  std::string text = table_of(rows);
  if (const auto best = best_of(sweep)) {
    const SweptVariant& v = sweep.variants[*best];
    text += fmt::format("\n{} `{}`: {} ({})\n", v.fulfilment.distance > 0 ? "nearest to" : "best for",
                        printable(sweep.wanted), title_of(v.evaluation, v.settings),
                        fulfilment_text(v.fulfilment));
  }
  return text;
}

std::string sweep_csv(const Sweep& sweep) {
  std::string text = "file,game";
  for (const SweepAxis& axis : sweep.axes) text += "," + csv_field(axis.option);
  text += ",games";
  for (const std::string& id : measures_to_wish()) text += fmt::format(",{0},{0}_low,{0}_high", id);
  text += ",distance,verdicts\r\n";
  for (const SweptVariant& v : sweep.variants) {
    text += csv_field(v.reference) + "," + csv_field(v.evaluation.game);
    for (const auto& setting : v.settings) text += "," + csv_field(setting.second);
    text += fmt::format(",{}", v.evaluation.games);
    for (const std::string& id : measures_to_wish()) {
      const Measure* m = v.evaluation.measure(id);
      text += m == nullptr || !m->value
                  ? ",,,"
                  : fmt::format(",{:.6g},{:.6g},{:.6g}", m->value->value, m->value->low, m->value->high);
    }
    text +=
        (sweep.wishes.empty() || !v.fulfilment.known ? "," : fmt::format(",{:.6g}", v.fulfilment.distance)) +
        "," + csv_field(verdict_ids(v.evaluation)) + "\r\n";
  }
  return text;
}

Json sweep_json(const Sweep& sweep) {
  Json variants = Json::array(), axes = Json::object();
  for (const SweepAxis& axis : sweep.axes) axes[axis.option] = axis.values;
  for (const SweptVariant& v : sweep.variants) {
    Json settings = Json::object();
    for (const auto& [name, value] : v.settings) settings[name] = value;
    Json one = {{"file", v.reference}, {"settings", settings}};
    if (!sweep.wishes.empty())
      one["wanted"] = {
          {"known", v.fulfilment.known}, {"distance", v.fulfilment.distance}, {"sure", v.fulfilment.sure}};
    one["evaluation"] = evaluation_json(v.evaluation);
    variants.push_back(std::move(one));
  }
  Json json = {{"sweep", kEvaluationFormat}, {"files", sweep.references}, {"axes", axes}};
  if (sweep.stopped) json["stopped"] = true;
  json["wanted"] = sweep.wanted.empty() ? Json() : Json(sweep.wanted);
  const auto best = best_of(sweep);
  json["best"] = best ? Json(*best) : Json();
  json["variants"] = std::move(variants);
  return json;
}

} // namespace boardwright::tools
