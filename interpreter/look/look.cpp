// Entry point: look_of.
#include "interpreter/look/look.hpp"

#include "interpreter/compile.hpp"
#include "interpreter/load.hpp"

namespace boardwright::interpreter {

Look look_of(const Loaded& loaded) {
  Look look;
  if (!loaded.file || loaded.rules == nullptr) return look;
  // What is given where the command has nothing left to read the file once more: as if nothing were said.
  const runtime::Program& known = loaded.rules->program();
  Look plain;
  plain.pieces.assign(known.kinds.size(), std::vector<PieceLook>(known.players.size() + 1));
  Settings settings;
  for (const runtime::Option& option : loaded.rules->program().options)
    settings.emplace_back(option.name, option.value);
  dsl::Sources sources = loaded.sources;
  dsl::Diagnostics ignored; // what is wrong was told when the file was loaded
  bool bad_setting = false;
  CompileOptions options;
  options.look = &look;
  const auto program = compile(*loaded.file, settings, sources, ignored, bad_setting, options);
  if (program == nullptr) return plain;
  look.counts = counts_of(loaded);
  return look;
}

} // namespace boardwright::interpreter
