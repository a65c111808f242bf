#include "tools/import/variants/importing.hpp"

#include "dsl/diagnostic.hpp"
#include "interpreter/load.hpp"
#include "tools/import/variants/rule_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace boardwright::tools {
namespace {

ImportedVariant import_section(const std::vector<IniSection>& file, const IniSection& section,
                               const std::string& from) {
  ImportedVariant imported{section.name, "", {}, {}};
  const auto variant = resolve_variant(file, section, imported.left_out);
  if (!variant) {
    imported.faults = variant.error();
    return imported;
  }
  const auto text = rule_text(*variant, imported.left_out, from);
  if (!text) {
    imported.faults = text.error();
    return imported;
  }
  // What doesn't load is a mixture of entries that nobody has foreseen: nothing is better than that.
  const auto loaded = interpreter::load_text(section.name + ".yaml", *text);
  if (loaded)
    imported.text = *text;
  else
    imported.faults.push_back({section.line, "", "its entries don't go together: " + loaded.errors()});
  return imported;
}

} // namespace

tl::expected<std::vector<ImportedVariant>, ImportFault>
import_variants(const std::string& text, const std::vector<std::string>& names, const std::string& from) {
  if (text.size() > kMostIniBytes) return tl::unexpected(ImportFault{0, "", "this file is too large"});
  const auto file = read_ini(text);
  if (!file) return tl::unexpected(file.error());
  std::vector<std::string> known;
  for (const IniSection& section : *file) known.push_back(section.name);
  for (const std::string& name : names) {
    if (section_named(*file, name) != nullptr) continue;
    const std::string near = dsl::nearest(name, known);
    return tl::unexpected(
        ImportFault{0, "",
                    fmt::format("there is no variant `{}`{}", name,
                                near.empty() ? "" : fmt::format("; did you mean `{}`?", near))});
  }
  std::vector<ImportedVariant> imported;
  for (const IniSection& section : *file) {
    const bool wanted = names.empty() || std::find(names.begin(), names.end(), section.name) != names.end();
    if (wanted && &section == section_named(*file, section.name))
      imported.push_back(import_section(*file, section, from));
  }
  return imported;
}

} // namespace boardwright::tools
