// Entry point: look_of.
#include "interpreter/look/look.hpp"

#include "interpreter/compile.hpp"
#include "interpreter/load.hpp"

namespace boardwright::interpreter {

Look look_of(const Loaded& loaded) {
  Look look;
  if (!loaded.file || loaded.rules == nullptr) return look;
  Settings settings;
  for (const runtime::Option& option : loaded.rules->program().options)
    settings.emplace_back(option.name, option.value);
  dsl::Sources sources = loaded.sources;
  dsl::Diagnostics ignored; // what is wrong was told when the file was loaded
  bool bad_setting = false;
  CompileOptions options;
  options.look = &look;
  const auto program = compile(*loaded.file, settings, sources, ignored, bad_setting, options);
  if (program == nullptr) return {};
  look.counts = counts_of(loaded);
  return look;
}

} // namespace boardwright::interpreter
