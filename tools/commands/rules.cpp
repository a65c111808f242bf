// rules: how a game is played, for people.
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/commands/rules_page.hpp"
#include "tools/console/text_file.hpp"
#include "tools/english/player_rules.hpp"
#include "tools/english/rules_text.hpp"

namespace boardwright::tools {
namespace {

struct RulesOptions {
  GameChoice game;
  bool source = false; // as the file writes them
  std::string html;    // a file for a page; "-": standard output
};

Exit write_rules_page(const std::string& path, const std::string& page, Console& console) {
  if (path == "-") return console.out(page), Exit::good;
  const auto written = write_text_file(path, page);
  if (written) return Exit::good;
  console.error(written.error());
  return Exit::files;
}

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

} // namespace

void declare_rules(CommandLine& line) {
  auto& options = line.options<RulesOptions>();
  CLI::App& command =
      line.add("rules", "Tells how a game is played: aim, pieces, example moves, how it ends",
               "  boardwright rules GAME\n  boardwright rules GAME --html rules.html\n"
               "  boardwright rules mygame.yaml --source\n"
               "The texts are those that the file gives under `about`; example moves are of random games.");
  add_game(command, options.game);
  command.add_flag("--source", options.source, "The rules as the file writes them");
  command
      .add_option("--html", options.html,
                  "Writes a page with pictures, to be read or printed; - for standard output")
      ->type_name("PAGE")
      ->excludes("--source");
  line.runs(command, [&options](Console& console) { return tell_rules(options, console); });
}

} // namespace boardwright::tools
