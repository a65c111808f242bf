#include "tools/evaluate/charts.hpp"

#include "tools/console/xml.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

namespace boardwright::tools {
namespace {

constexpr double kWidth = 560, kLeft = 120, kRow = 26;

// Dark where the reader's system is; on paper always light.
constexpr std::string_view kPageStyle = R"(
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1f24; --faint: #8a929c; --line: #d5dae0; --a: #2463b4;
  --b: #b9c0c9; --c: #d1701d; --bad: #b3261e; --good: #1a7f37; --note: #8a6100; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171b; --ink: #e6e9ed; --faint: #97a0ab; --line: #3a414a;
  --a: #6ea8ec; --b: #5d6671; --c: #eb9a54; --bad: #ff8a80; --good: #6fcf8a; --note: #e3b341; } }
@media print { :root { color-scheme: light; --paper: #fff; --ink: #000; --faint: #555; --line: #bbb; --a: #2463b4;
  --b: #b9c0c9; --c: #d1701d; --bad: #b3261e; --good: #1a7f37; --note: #8a6100; }
  body { margin: 0; max-width: none; font-size: 10.5pt; } figure, tr { break-inside: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; margin: 1.5rem auto;
  max-width: 72rem; padding: 0 1rem; }
h1 { margin: 0; font-size: 1.6rem; }
h2 { font-size: 1.15rem; margin: 1.6rem 0 .4rem; }
.about, .small { color: var(--faint); margin: .2rem 0; }
.small { font-size: .85rem; }
.verdicts { list-style: none; padding: 0; margin: 1rem 0; }
.verdicts li { border-left: .35rem solid var(--note); padding: .2rem .8rem; margin: .4rem 0; font-size: 1.1rem; }
.verdicts li.fault { border-color: var(--bad); }
.verdicts li.good { border-color: var(--good); }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
td.n, th.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 1rem 2rem; }
figure { margin: 0; }
figcaption { font-weight: 600; margin-bottom: .2rem; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--ink); font: 13px system-ui, sans-serif; }
svg .faint { fill: var(--faint); }
svg .axis { stroke: var(--line); }
svg .fair { stroke: var(--faint); stroke-dasharray: 4 3; }
)";

std::string open_svg(double height, const std::string& told) {
  return fmt::format("<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">\n", kWidth, height,
                     xml_text(told));
}

std::string svg_label(double x, double y, std::string_view text, const char* anchor = "start",
                      const char* style = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, style,
                     xml_text(text));
}

std::string svg_box(double x, double y, double width, double height, const char* fill) {
  return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", x,
                     y, std::max(width, 0.0), height, fill);
}

double across(double share) { return kLeft + (kWidth - kLeft - 70) * share; }

// 0, 25 … 100 %, with lines over the rows.
std::string share_axis(double bottom) {
  std::string text;
  for (const int percent : {0, 25, 50, 75, 100}) {
    const double x = across(percent / 100.0);
    text += fmt::format("<line class=\"axis\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"4\" y2=\"{1:.1f}\"/>\n", x,
                        bottom);
    text += svg_label(x, bottom + 16, fmt::format("{} %", percent), "middle", " class=\"faint\"");
  }
  return text;
}

constexpr std::array<const char*, 3> kFills{"var(--a)", "var(--b)", "var(--c)"};

} // namespace

std::string shares_chart(const std::vector<ShareLine>& lines, double fair, const std::string& told) {
  const double bottom = kRow * static_cast<double>(lines.size()) + 8;
  std::string text = open_svg(bottom + 24, told) + share_axis(bottom);
  text += fmt::format(
      "<line class=\"fair\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"0\" y2=\"{1:.1f}\" stroke-width=\"2\"/>\n",
      across(fair), bottom);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const double y = kRow * (static_cast<double>(k) + 0.5) + 4;
    text += svg_label(kLeft - 8, y + 4, lines[k].name, "end");
    if (!lines[k].share) continue;
    const Estimate& e = *lines[k].share;
    text += fmt::format("<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"var(--a)\" "
                        "stroke-width=\"3\"/>\n",
                        across(e.low), across(e.high), y, y);
    text +=
        fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6\" fill=\"var(--a)\"/>\n", across(e.value), y);
    text += svg_label(kWidth - 4, y + 4, fmt::format("{:.0f} %", 100 * e.value), "end");
  }
  return text + "</svg>\n";
}

std::string stacked_chart(const std::vector<StackedBar>& bars, const std::vector<std::string>& names,
                          const std::string& told) {
  const double bottom = kRow * static_cast<double>(bars.size()) + 8;
  std::string text = open_svg(bottom + 46, told) + share_axis(bottom);
  for (std::size_t k = 0; k < bars.size(); ++k) {
    const double y = kRow * static_cast<double>(k) + 7;
    text += svg_label(kLeft - 8, y + 14, bars[k].name, "end");
    double sum = 0, done = 0;
    for (const double part : bars[k].parts) sum += part;
    for (std::size_t p = 0; p < bars[k].parts.size() && sum > 0; ++p) {
      const double share = bars[k].parts[p] / sum;
      text +=
          svg_box(across(done), y, across(done + share) - across(done), kRow - 6, kFills[p % kFills.size()]);
      done += share;
    }
  }
  double x = kLeft;
  for (std::size_t p = 0; p < names.size(); ++p) {
    text +=
        svg_box(x, bottom + 26, 12, 12, kFills[p % kFills.size()]) + svg_label(x + 17, bottom + 37, names[p]);
    x += 40 + 7.2 * static_cast<double>(names[p].size());
  }
  return text + "</svg>\n";
}

std::string histogram(const std::vector<std::uint64_t>& numbers, const std::string& axis,
                      const std::string& told) {
  if (numbers.empty()) return "";
  constexpr std::size_t kBars = 20;
  constexpr double kTall = 150;
  const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
  const std::uint64_t step = (*most - *least) / kBars + 1;
  std::vector<std::uint64_t> bars((*most - *least) / step + 1);
  for (const std::uint64_t number : numbers) ++bars[(number - *least) / step];
  const double tallest = static_cast<double>(*std::max_element(bars.begin(), bars.end()));
  const double wide = std::min((kWidth - 40) / static_cast<double>(bars.size()), 60.0);
  std::string text = open_svg(kTall + 44, told);
  for (std::size_t k = 0; k < bars.size(); ++k) {
    const double height = (kTall - 20) * static_cast<double>(bars[k]) / tallest,
                 x = 20 + wide * static_cast<double>(k);
    text += svg_box(x + 1, kTall - height, wide - 2, height, "var(--a)");
    if (bars[k] > 0)
      text +=
          svg_label(x + wide / 2, kTall - height - 4, std::to_string(bars[k]), "middle", " class=\"faint\"");
  }
  text += fmt::format("<line class=\"axis\" x1=\"20\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                      kWidth - 20, kTall, kTall);
  text += svg_label(20, kTall + 17, std::to_string(*least));
  if (bars.size() > 1)
    text += svg_label(20 + wide * static_cast<double>(bars.size()), kTall + 17, std::to_string(*most), "end");
  return text + svg_label(kWidth / 2, kTall + 36, axis, "middle", " class=\"faint\"") + "</svg>\n";
}

std::string curve_chart(const std::vector<double>& shares, const std::string& left, const std::string& right,
                        const std::string& told) {
  constexpr double kTall = 150, kBegin = 50;
  const auto up = [](double share) { return kTall - (kTall - 14) * std::clamp(share, 0.0, 1.0); };
  std::string text = open_svg(kTall + 28, told), points;
  for (const int percent : {0, 50, 100}) {
    const double y = up(percent / 100.0);
    text += fmt::format("<line class=\"axis\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                        kBegin, kWidth - 10, y, y);
    text += svg_label(kBegin - 6, y + 4, fmt::format("{} %", percent), "end", " class=\"faint\"");
  }
  for (std::size_t k = 0; k < shares.size(); ++k)
    points += fmt::format("{:.1f},{:.1f} ",
                          kBegin + (kWidth - 10 - kBegin) * (static_cast<double>(k) + 0.5) /
                                       static_cast<double>(shares.size()),
                          up(shares[k]));
  text +=
      fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"var(--a)\" stroke-width=\"3\"/>\n", points);
  return text + svg_label(kBegin, kTall + 20, left, "start", " class=\"faint\"") +
         svg_label(kWidth - 10, kTall + 20, right, "end", " class=\"faint\"") + "</svg>\n";
}

std::string heat_map(const std::vector<std::string>& rows, const std::vector<std::string>& columns,
                     const std::vector<std::vector<HeatCell>>& cells, const std::string& told) {
  constexpr double kTall = 34;
  const double wide =
      std::min((kWidth - kLeft) / static_cast<double>(std::max<std::size_t>(columns.size(), 1)), 120.0);
  std::string text = open_svg(kTall * static_cast<double>(rows.size()) + 26, told);
  for (std::size_t c = 0; c < columns.size(); ++c)
    text += svg_label(kLeft + wide * (static_cast<double>(c) + 0.5), 16, columns[c], "middle");
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const double y = 24 + kTall * static_cast<double>(r);
    text += svg_label(kLeft - 8, y + 21, rows[r], "end");
    for (std::size_t c = 0; c < cells[r].size(); ++c) {
      const HeatCell& cell = cells[r][c];
      const double x = kLeft + wide * static_cast<double>(c);
      text +=
          fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"var(--a)\" "
                      "fill-opacity=\"{:.3f}\" stroke=\"var({})\" stroke-width=\"{}\"/>\n",
                      x + 2, y + 2, wide - 4, kTall - 4, 0.75 * cell.shade.value_or(0),
                      cell.best ? "--c" : "--line", cell.best ? 3 : 1);
      text += svg_label(x + wide / 2, y + 21, cell.text.empty() ? "-" : cell.text, "middle");
    }
  }
  return text + "</svg>\n";
}

std::string page_head(const std::string& title) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>{}</style>\n</head>\n",
      xml_text(title), kPageStyle);
}

} // namespace boardwright::tools
