#include "tools/commands/rules_page.hpp"

#include "interpreter/look/look.hpp"
#include "tools/console/xml.hpp"
#include "tools/drawing/move_drawing.hpp"

#include <fmt/format.h>

#include <utility>

namespace boardwright::tools {
namespace {

constexpr const char* kStyle =
    "body { font: 11pt/1.45 Georgia, serif; max-width: 46em; margin: 2em auto; padding: 0 1em; color: #111;\n"
    "  background: #fff }\n"
    "h1 { margin-bottom: 0 } h2 { margin: 1.4em 0 .3em } p { margin: .3em 0 }\n"
    ".by { color: #555 } .board svg { width: 24em; height: auto; max-width: 100%; max-height: 32em }\n"
    "ul { margin: .3em 0 } li { margin: .15em 0 }\n"
    ".kind { display: flex; gap: 1.2em; align-items: flex-start; break-inside: avoid; margin: .8em 0 }\n"
    ".kind svg { width: 15em; height: auto; flex: none }\n"
    "@media print { body { margin: 0; max-width: none; font-size: 10pt } h2, .lead { break-after: avoid }\n"
    "  .kind svg { width: 12em } li { break-inside: avoid } }\n";

// More arrows than this on one board tell nothing.
constexpr std::size_t kMostArrows = 60;

std::string paragraph(const std::string& text) {
  return text.empty() ? "" : "<p>" + xml_text(text) + "</p>\n";
}

std::string section(const std::string& heading, const std::string& html) {
  return html.empty() ? "" : fmt::format("<h2>{}</h2>\n{}", heading, html);
}

// A line that ends with a colon stands above those that follow it.
std::string list(const std::vector<std::string>& lines) {
  std::string html, items;
  const auto flush = [&] {
    if (!items.empty()) html += "<ul>\n" + items + "</ul>\n";
    items.clear();
  };
  for (const std::string& line : lines) {
    if (!line.ends_with(':')) {
      items += "<li>" + xml_text(line) + "</li>\n";
      continue;
    }
    flush();
    html += "<p class=\"lead\">" + xml_text(line) + "</p>\n";
  }
  flush();
  return html;
}

class Page {
public:
  explicit Page(const interpreter::Loaded& loaded)
      : program_(loaded.rules->program()), look_(interpreter::look_of(loaded)) {}

  [[nodiscard]] std::string board(const runtime::Game& game, std::vector<MoveDrawing> moves) const {
    SvgOptions drawn;
    drawn.look = &look_;
    drawn.captions = false;
    drawn.moves = std::move(moves);
    return board_svg(program_, game.position(), drawn);
  }

  // All moves of the piece of the first example.
  [[nodiscard]] std::string kind(const KindRules& kind) const {
    std::string html = "<div class=\"kind\">\n";
    if (!kind.examples.empty()) html += moves_of(kind.examples.front());
    html += fmt::format("<div><p><b>{}</b> ({})</p>\n{}", xml_text(kind.name), xml_text(kind.letters),
                        paragraph(kind.text));
    std::vector<std::string> shown;
    for (const ExampleMove& example : kind.examples) shown.push_back(example_text(example));
    if (!shown.empty()) html += paragraph(fmt::format("Such as {}", fmt::join(shown, ", ")));
    return html + "</div></div>\n";
  }

private:
  [[nodiscard]] std::string moves_of(const ExampleMove& example) const {
    runtime::Game game = example.before;
    std::vector<MoveDrawing> found;
    const auto moves = game.moves();
    for (std::size_t i = 0; moves && i < moves->size() && found.size() < kMostArrows; ++i) {
      auto drawn = drawing_of(game, (*moves)[i]);
      if (!drawn || drawn->path.empty() || drawn->path.front() != example.cell) continue;
      found.push_back(std::move(*drawn));
    }
    return board(game, std::move(found));
  }

  const runtime::Program& program_;
  interpreter::Look look_;
};

} // namespace

std::string rules_page(const interpreter::Loaded& loaded, const runtime::Game& beginning,
                       const PlayerRules& rules) {
  const Page page(loaded);
  std::string kinds;
  for (const KindRules& kind : rules.kinds) kinds += page.kind(kind);
  const std::string title = xml_text(rules.title);
  std::string html = fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                                 "<title>{0}: the rules</title>\n<style>\n{1}</style>\n</head>\n<body>\n"
                                 "<h1>{0}</h1>\n",
                                 title, kStyle);
  if (!rules.made_by.empty()) html += "<p class=\"by\">" + xml_text(rules.made_by) + "</p>\n";
  html += paragraph(rules.players + "; " + rules.board);
  html += "<div class=\"board\">\n" + page.board(beginning, {}) + "</div>\n";
  html += section("Aim", paragraph(rules.aim));
  html += section("In short", paragraph(rules.summary));
  html += section("Pieces", kinds);
  html += section("Moves", list(rules.moving));
  html += section("The end", list(rules.endings));
  html += section("Options", list(rules.options));
  return html + "</body>\n</html>\n";
}

} // namespace boardwright::tools
