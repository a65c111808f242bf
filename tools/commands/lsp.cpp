// lsp: a language server for editors.
#include "tools/commands/commands.hpp"
#include "tools/lsp/lsp_command.hpp"

#include <CLI/CLI.hpp>

namespace boardwright::tools {

void declare_lsp(CommandLine& line) {
  CLI::App& command = line.add("lsp", "Serves an editor: a language server on standard input and output",
                               "  boardwright lsp\n  boardwright lsp --schema > rule-file.schema.json");
  const CLI::Option* const schema =
      command.add_flag("--schema")
          ->description("Prints the JSON Schema of rule files instead, for editors of YAML");
  line.runs(command, [schema](Console& console) {
    return schema->count() > 0 ? print_schema(console) : serve_editor(console);
  });
}

} // namespace boardwright::tools
