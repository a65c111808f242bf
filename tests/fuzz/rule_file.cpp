// The bytes are a rule file: it is loaded and played a little, and migrated.
#include "tests/fuzz/common.hpp"

#include "dsl/finder.hpp"
#include "dsl/migrate.hpp"

namespace {

using namespace boardwright;

void try_migration(const std::string& text) {
  const auto migration = dsl::migration_of("game.yaml", text, dsl::finder_with("game.yaml", text));
  if (migration.diagnostics.has_errors())
    return fuzz::claim(migration.edits.empty(), "what can't be read is not edited");
  const std::string fresh = dsl::edited(text, migration.edits);
  if (fresh == text) return;
  const auto again = dsl::migration_of("game.yaml", fresh, dsl::finder_with("game.yaml", fresh));
  fuzz::claim(again.edits.empty(), "one migration is enough, not so for\n" + fresh);
}

void try_file(std::string_view bytes) {
  const std::string text(bytes);
  try_migration(text);
  if (const auto rules = fuzz::rules_of(text)) fuzz::look_at(rules, fuzz::hash_of(bytes));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, try_file);
}
