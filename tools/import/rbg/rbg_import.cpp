#include "tools/import/rbg/rbg_import.hpp"

#include "interpreter/load.hpp"
#include "runtime/game/game.hpp"
#include "tools/import/rbg/rule_writer.hpp"

#include <utility>

namespace boardwright::tools {
namespace {

// Why nobody can begin, or nothing. All first moves are asked for: a game where that takes too long can't be
// played. Who begins may depend on what the keeper finds before the first turn; if it isn't who was taken for
// it, he has no move.
std::string why_nobody_begins(const std::shared_ptr<const runtime::Rules>& rules) {
  runtime::Game game(rules);
  const auto moves = game.moves();
  if (!moves) return "its first moves can't be found: " + moves.error().message;
  return moves->empty() ? "there is no first move" : "";
}

} // namespace

ImportedVariant import_rbg(const std::string& text, const std::string& name, const std::string& from) {
  ImportedVariant imported{name, "", {}, {}};
  const auto game = read_rbg_game(text);
  if (!game) {
    imported.faults.push_back(game.error());
    return imported;
  }
  const auto written = rbg_rule_text(*game, name, from);
  if (!written) {
    imported.faults.push_back(written.error());
    return imported;
  }
  // Rules that are too large for a rule file are found out here.
  const auto loaded = interpreter::load_text(name + ".yaml", *written);
  if (!loaded)
    imported.faults.push_back({0, "", "its rules can't be carried over: " + loaded.errors()});
  else if (std::string why = why_nobody_begins(loaded.rules); !why.empty())
    imported.faults.push_back({0, "", std::move(why)});
  else
    imported.text = *written;
  return imported;
}

bool is_rbg(std::string_view text) { return text.find("#rules") != std::string_view::npos; }

} // namespace boardwright::tools
