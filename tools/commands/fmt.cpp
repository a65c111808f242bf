// fmt: lays out rule files, or brings them to today's spellings.
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/commands/migrate.hpp"
#include "tools/format/format_command.hpp"

namespace boardwright::tools {
namespace {

struct FmtOptions {
  FormatOptions format;
  bool migrates = false; // to today's spellings, instead of laying out
  bool json = false;
};

Exit run_fmt(const FmtOptions& options, Console& console) {
  if (!options.migrates) return format_files(options.format, console);
  return migrate({options.format.files, options.format.check, options.json}, console);
}

} // namespace

void declare_fmt(CommandLine& line) {
  auto& options = line.options<FmtOptions>();
  CLI::App& command = line.add("fmt", "Lays out rule files: blanks and empty lines change, nothing else",
                               "  boardwright fmt mygame.yaml\n  boardwright fmt --check games/*.yaml\n"
                               "  boardwright fmt - < mygame.yaml\n  boardwright fmt --migrate mygame.yaml");
  command
      .add_option("FILE", options.format.files,
                  "Rule files, which are written in place; `-`: from standard input to standard output")
      ->required()
      ->type_name("");
  command.add_flag("--check", options.format.check,
                   "Writes nothing: names the files that would change, and ends with 1 if there are any");
  CLI::Option* diff =
      command.add_flag("--diff", options.format.diff, "Like --check, but shows the lines that would change");
  CLI::Option* migrates =
      command
          .add_flag("--migrate", options.migrates,
                    "Instead rewrites spellings that the language gave up; with --check it shows the lines "
                    "that would change")
          ->excludes(diff);
  command.add_flag("--json", options.json, "With --migrate: prints JSON on standard output")->needs(migrates);
  line.runs(command, [&options](Console& console) { return run_fmt(options, console); });
}

} // namespace boardwright::tools
