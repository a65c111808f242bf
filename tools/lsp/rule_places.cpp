#include "tools/lsp/rule_places.hpp"

namespace boardwright::tools {

std::optional<dsl::RuleIs> rule_at(std::string_view path) {
  using dsl::RuleIs;
  const std::string_view section = path.substr(0, path.find('.'));
  const bool whole = section.size() == path.size();
  if (section == "turn") return RuleIs::body;
  if (section == "end") return RuleIs::end;
  if (whole) return std::nullopt;
  if (section == "define") return RuleIs::body;
  if (path == "board.squares" || path == "board.hexes") return RuleIs::size;
  for (const std::string_view value : {"board.holes", "board.hexagon", "board.reach", "board.margin"})
    if (path == value) return RuleIs::value;
  if (section == "setup" || section == "state" || section == "hands" || section == "sees") return RuleIs::value;
  return std::nullopt;
}

} // namespace boardwright::tools
