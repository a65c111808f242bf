// Entry point: make_tables. Chooses the width of sets.
#include "runtime/executor/executor.hpp"

namespace boardwright::runtime::executor {

extern template class Executor<1>;
extern template class Executor<2>;
extern template class Executor<3>;
extern template class Executor<4>;
extern template class Executor<6>;
extern template class Executor<9>;

namespace {

template <int W>
class TablesOf final : public AnyTables {
public:
  TablesOf(const Program& program, const ir::Code& code) : tables_(program, code) {}
  [[nodiscard]] std::unique_ptr<Engine> engine() const override {
    return std::make_unique<Executor<W>>(tables_);
  }

private:
  Tables<W> tables_;
};

} // namespace

std::unique_ptr<AnyTables> make_tables(const Program& program, const ir::Code& code) {
  switch (code.layout.words) {
  case 1: return std::make_unique<TablesOf<1>>(program, code);
  case 2: return std::make_unique<TablesOf<2>>(program, code);
  case 3: return std::make_unique<TablesOf<3>>(program, code);
  case 4: return std::make_unique<TablesOf<4>>(program, code);
  case 6: return std::make_unique<TablesOf<6>>(program, code);
  default: return std::make_unique<TablesOf<9>>(program, code);
  }
}

} // namespace boardwright::runtime::executor
