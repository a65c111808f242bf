// rules: how a game is played, for people.
#include "tools/commands/commands.hpp"
#include "tools/commands/rules_page.hpp"
#include "tools/console/text_file.hpp"
#include "tools/games/player_rules.hpp"
#include "tools/games/rules_text.hpp"

namespace boardwright::tools {
namespace {

Exit write_rules_page(const std::string& path, const std::string& page, Console& console) {
  if (path == "-") return console.out(page), Exit::good;
  const auto written = write_text_file(path, page);
  if (written) return Exit::good;
  console.error(written.error());
  return Exit::files;
}

} // namespace

Exit tell_rules(const RulesOptions& options, Console& console) {
  const auto open = open_game(options.game, console);
  if (!open) return open.error();
  if (options.source) return console.out(rules_text(open->loaded)), Exit::good;
  const PlayerRules rules = player_rules(open->loaded, open->game);
  if (!options.html.empty())
    return write_rules_page(options.html, rules_page(open->loaded, open->game, rules), console);
  console.out(player_rules_text(rules, console.width()));
  return Exit::good;
}

} // namespace boardwright::tools
