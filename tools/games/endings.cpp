#include "tools/games/endings.hpp"

#include "tools/games/game_choice.hpp"

#include <algorithm>

namespace boardwright::tools {
namespace {

using runtime::Ending;
using runtime::Outcome;

void add(const Ending& ending, EndingCount& count) {
  count.games += ending.games;
  count.draws += ending.draws;
  for (std::size_t i = 0; i < count.wins.size(); ++i) count.wins[i] += ending.wins[i];
}

// What the file calls a line of `end`, whether games came to it or not.
EndingCount line_of(const interpreter::Loaded& loaded, const dsl::EndRule& rule) {
  const auto place = loaded.sources.locate(rule.span.file, rule.span.begin);
  EndingCount count;
  count.by = printable(on_one_line(source_text(loaded.sources, rule.condition.span)));
  count.rule = printable(on_one_line(source_text(loaded.sources, rule.span)));
  count.at = place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
  count.wins.resize(loaded.rules->program().players.size());
  return count;
}

EndingCount other(const interpreter::Loaded& loaded, const Outcome& how) {
  EndingCount count;
  count.by = reason_of(loaded, how);
  if (how.by == Outcome::By::move) count.at = runtime::place_of(loaded.rules->program(), how.origin);
  count.wins.resize(loaded.rules->program().players.size());
  return count;
}

} // namespace

std::vector<EndingCount> endings_of(const interpreter::Loaded& loaded, const runtime::PlayoutResult& result) {
  std::vector<EndingCount> lines, others;
  const std::vector<dsl::EndRule>& rules = loaded.file->end; // what has played has been read
  for (const dsl::EndRule& rule : rules) lines.push_back(line_of(loaded, rule));
  for (const Ending& ending : result.endings) {
    if (const dsl::EndRule* rule = end_line_of(loaded, ending.how.origin); rule != nullptr) {
      add(ending, lines[static_cast<std::size_t>(rule - rules.data())]);
      continue;
    }
    // A definition that decides is copied to where it is called: its copies stand at one place.
    EndingCount fresh = other(loaded, ending.how);
    const auto same = [&](const EndingCount& one) { return one.by == fresh.by && one.at == fresh.at; };
    const auto known = std::find_if(others.begin(), others.end(), same);
    add(ending, known == others.end() ? others.emplace_back(std::move(fresh)) : *known);
  }
  std::stable_sort(others.begin(), others.end(),
                   [](const EndingCount& a, const EndingCount& b) { return a.games > b.games; });
  lines.insert(lines.end(), others.begin(), others.end());
  return lines;
}

} // namespace boardwright::tools
