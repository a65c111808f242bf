// Chooses the width of a sprint's sets.
#include "runtime/sprint/any_sprint.hpp"

#include "runtime/sprint/sprint_run.hpp"

#include <algorithm>

namespace boardwright::runtime {

namespace {

template <int W>
class SprintTablesOf final : public AnySprintTables {
public:
  explicit SprintTablesOf(const SprintCode& code) : tables_(code) {}
  [[nodiscard]] std::unique_ptr<AnySprint> player(bool native) const override {
    return std::make_unique<machine::Sprint<W>>(tables_, native);
  }

private:
  machine::SprintTables<W> tables_;
};

} // namespace

std::unique_ptr<AnySprintTables> make_sprint_tables(const SprintCode& code) {
  switch (machine::words_for(code.board)) {
  case 1: return std::make_unique<SprintTablesOf<1>>(code);
  case 2: return std::make_unique<SprintTablesOf<2>>(code);
  case 3: return std::make_unique<SprintTablesOf<3>>(code);
  case 4: return std::make_unique<SprintTablesOf<4>>(code);
  case 6: return std::make_unique<SprintTablesOf<6>>(code);
  default: return std::make_unique<SprintTablesOf<8>>(code);
  }
}

bool sprints_from(const SprintCode& code, const Position& position) {
  const auto has = [&](const std::pair<std::int32_t, std::int32_t>& frozen) {
    return position.variables[static_cast<std::size_t>(frozen.first)].number == frozen.second;
  };
  return position.out == 0 && std::all_of(code.frozen.begin(), code.frozen.end(), has);
}

} // namespace boardwright::runtime
