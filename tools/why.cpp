// why: which rule allows a move, or how far each rule got and what stopped it.
#include "tools/commands.hpp"
#include "tools/json.hpp"
#include "tools/reasons.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace boardwright::tools {
namespace {

std::string place(const interpreter::Loaded& loaded, dsl::Span span) {
  const dsl::Location at = loaded.sources.locate(span.file, span.begin);
  return fmt::format("{}:{}:{}", at.file, at.line, at.column);
}

std::string reason_text(const interpreter::Loaded& loaded, const Reason& reason) {
  std::string text =
      fmt::format("  {}: `{}`\n", printable(place(loaded, reason.span)), printable(reason.rule));
  if (!reason.text.empty()) text += fmt::format("      {}\n", printable(reason.text));
  if (!reason.inner.empty()) text += fmt::format("      at {}\n", printable(reason.inner));
  return text;
}

std::string reasons_text(const interpreter::Loaded& loaded, const Reasons& found) {
  std::string text = found.summary + (found.legal             ? ", by\n"
                                      : found.reasons.empty() ? "\n"
                                                              : "; what stops it:\n");
  for (const Reason& reason : found.reasons) text += reason_text(loaded, reason);
  return text;
}

Json reasons_json(const interpreter::Loaded& loaded, const Reasons& found) {
  Json reasons = Json::array();
  for (const Reason& reason : found.reasons) {
    const dsl::Location at = loaded.sources.locate(reason.span.file, reason.span.begin);
    reasons.push_back({{"file", at.file},
                       {"line", at.line},
                       {"column", at.column},
                       {"rule", reason.rule},
                       {"within", reason.inner},
                       {"text", reason.text}});
  }
  return {{"legal", found.legal}, {"reasons", reasons}};
}

} // namespace

Exit explain_move(const WhyOptions& options, Console& console) {
  auto open = open_game(options.game, console);
  if (!open) return open.error();
  const auto outcome = open->game.outcome();
  if (!outcome) return report_fault(open->program(), outcome.error(), console);
  if (*outcome) {
    if (options.json)
      console.out(to_document({{"legal", false}, {"over", outcome_text(open->loaded, **outcome)}}));
    else
      console.out(fmt::format("the game is over here: {}\n", outcome_text(open->loaded, **outcome)));
    return Exit::good;
  }
  const auto found = reasons_for(open->loaded, open->game.position(), {}, options.asked);
  if (!found) return report_fault(open->program(), found.error(), console);
  console.out(options.json ? to_document(reasons_json(open->loaded, *found))
                           : reasons_text(open->loaded, *found));
  return Exit::good;
}

} // namespace boardwright::tools
