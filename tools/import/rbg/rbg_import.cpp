#include "tools/import/rbg/rbg_import.hpp"

#include "interpreter/load.hpp"
#include "runtime/game/game.hpp"
#include "tools/import/rbg/rule_writer.hpp"

namespace boardwright::tools {
namespace {

// Who begins may depend on what the keeper finds before the first turn. If it isn't who was taken for it, he
// has no move.
bool anybody_moves(const std::shared_ptr<const runtime::Rules>& rules) {
  runtime::Game game(rules);
  const auto moves = game.moves(); // all of them: a game whose first moves take too long can't be played
  return moves && !moves->empty();
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
  else if (!anybody_moves(loaded.rules))
    imported.faults.push_back({0, "", "there is no first move, or it takes too long to find"});
  else
    imported.text = *written;
  return imported;
}

bool is_rbg(std::string_view text) { return text.find("#rules") != std::string_view::npos; }

} // namespace boardwright::tools
