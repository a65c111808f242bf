#include "tools/games/outcome_json.hpp"

#include <nlohmann/json.hpp>

namespace boardwright::tools {

// Divided here, in double: 1/3 reads as 0.3333333333333333.
Json shares_json(const runtime::Program& program, runtime::Result result) {
  Json json = Json::object();
  for (int player = 0; player < program.player_count(); ++player)
    json[program.players[static_cast<std::size_t>(player)].name] =
        static_cast<double>(runtime::parts_of(result, player)) / runtime::whole_of(result);
  return json;
}

Json outcome_json(const interpreter::Loaded& loaded, const runtime::Outcome& outcome) {
  const runtime::Program& program = loaded.rules->program();
  Json json = {{"winners", winners_of(program, outcome)}, {"by", reason_of(loaded, outcome)}};
  if (outcome.shares != 0) json["shares"] = shares_json(program, outcome.shares);
  return json;
}

} // namespace boardwright::tools
