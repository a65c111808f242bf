#include "tools/evaluate/unit_files.hpp"

#include "runtime/model/fingerprint.hpp"
#include "runtime/model/random.hpp"
#include "tools/evaluate/game_units.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string_view>

#ifndef BOARDWRIGHT_VERSION
#define BOARDWRIGHT_VERSION "0.1.0"
#endif

namespace boardwright::tools {
namespace {

std::uint64_t hash_of(std::string_view text, std::uint64_t hash = 0) {
  for (const char c : text) hash = runtime::chain(hash, static_cast<unsigned char>(c));
  return runtime::chain(hash, text.size());
}

std::string text_of_rules(const Variant& variant) {
  const runtime::Program& program = variant.loaded.rules->program();
  std::uint64_t hash = 0;
  for (dsl::FileId file = 0; file < variant.loaded.sources.size(); ++file)
    hash = hash_of(variant.loaded.sources.text(file), hash);
  for (const runtime::Option& option : program.options)
    hash = hash_of(option.value, hash_of(option.name, hash));
  return runtime::fingerprint_text(hash);
}

Json game_json(const GameNote& note) {
  Json json = {{"seat", note.seat},
               {"plies", note.plies},
               {"turns", note.turns},
               {"line", note.line},
               {"moves", note.moves}};
  if (note.outcome)
    json.update({{"winners", note.outcome->winners},
                 {"by", static_cast<int>(note.outcome->by)},
                 {"origin", note.outcome->origin}});
  if (note.outcome && note.outcome->shares != 0) json["shares"] = note.outcome->shares;
  json.update({{"chances", note.chances},
               {"near_best", note.near_best},
               {"choices", note.choices},
               {"opening", note.opening},
               {"cells", note.cells}});
  return json;
}

GameNote game_in(const Json& json) {
  GameNote note;
  note.seat = json.at("seat").get<int>();
  note.plies = json.at("plies").get<std::uint64_t>();
  note.turns = json.at("turns").get<std::uint64_t>();
  note.line = json.at("line").get<std::uint64_t>();
  note.moves = json.at("moves").get<std::uint64_t>();
  if (json.contains("winners"))
    note.outcome = {json.at("winners").get<std::uint32_t>(), json.at("origin").get<std::uint32_t>(),
                    static_cast<runtime::Outcome::By>(json.at("by").get<int>()),
                    json.value("shares", std::uint64_t{0})};
  note.chances = json.at("chances").get<std::vector<int>>();
  note.near_best = json.at("near_best").get<std::uint64_t>();
  note.choices = json.at("choices").get<std::uint64_t>();
  note.opening = json.at("opening").get<std::uint64_t>();
  note.cells = json.at("cells").get<std::uint64_t>();
  return note;
}

UsedPart part_in(const Json& json) {
  return {json.at("end_line").get<bool>(), json.at("line").get<std::uint32_t>(),
          json.at("text").get<std::string>(), json.at("used").get<bool>()};
}

// Of all that a file has beside it: numbers that were changed aren't believed.
constexpr const char* kDigest = "digest";

std::string digest_of(Json json) {
  json.erase(kDigest);
  return runtime::fingerprint_text(hash_of(to_text(json)));
}

std::string with_digest(Json json) {
  json[kDigest] = digest_of(json);
  return to_text(json) + "\n";
}

} // namespace

Json unit_json(const Variant& variant, const Unit& unit) {
  Json json = {{"format", kUnitFormat},
               {"version", BOARDWRIGHT_VERSION},
               {"rules", runtime::fingerprint_text(runtime::fingerprint(variant.loaded.rules->program()))}};
  if (unit.kind == Unit::Kind::coverage) {
    json.update({{"kind", "coverage"}, {"text", text_of_rules(variant)}, {"seed", unit.seed}});
    return json;
  }
  if (unit.kind != Unit::Kind::games) {
    json.update(game_unit_json(unit));
    return json;
  }
  json.update({{"kind", "games"},
               {"strong", strength_name(unit.strong)},
               {"weak", strength_name(unit.weak)},
               {"first", unit.first},
               {"count", unit.count},
               {"seed", unit.seed},
               {"max_plies", unit.max_plies}});
  if (unit.twist == Unit::Twist::same_dice) json["twist"] = "same_dice";
  if (unit.twist == Unit::Twist::sees_all) json["twist"] = "sees_all";
  return json;
}

std::string unit_file_name(const Json& unit) {
  return runtime::fingerprint_text(hash_of(to_text(unit))) + ".unit.json";
}

std::string unit_file_text(const Json& unit, const UnitResult& result) {
  if (result.playouts)
    return with_digest({{"unit", unit}, {"playouts", playout_sums_json(*result.playouts)}});
  if (result.match) return with_digest({{"unit", unit}, {"match", match_sums_json(*result.match)}});
  Json games = Json::array(), parts = Json::array();
  for (const GameNote& note : result.games) games.push_back(game_json(note));
  for (const UsedPart& part : result.parts)
    parts.push_back(
        {{"end_line", part.end_line}, {"line", part.line}, {"text", part.text}, {"used", part.used}});
  return with_digest({{"unit", unit}, {"games", games}, {"cells", result.cells}, {"parts", parts}});
}

std::optional<UnitResult> result_in(const std::string& text, const Json& unit) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("unit") || json["unit"] != unit) return std::nullopt;
  if (json.value(kDigest, Json()) != digest_of(json))
    return std::nullopt; // somebody, or a disk, has changed it
  try {
    UnitResult result;
    if (json.contains("playouts")) result.playouts = playout_sums_in(json["playouts"]);
    if (json.contains("match")) result.match = match_sums_in(json["match"]);
    if (result.playouts || result.match) return result;
    for (const Json& game : json.at("games")) result.games.push_back(game_in(game));
    result.cells = json.at("cells").get<std::vector<std::uint64_t>>();
    for (const Json& part : json.at("parts")) result.parts.push_back(part_in(part));
    return result;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

} // namespace boardwright::tools
