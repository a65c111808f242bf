// From a rule file, read, to a program: the stages of the interpreter in their order.
//
//   options → shape of the board → names → holes → steps → state and set-up → rules → program
#pragma once

#include "dsl/rule_file.hpp"
#include "interpreter/look/look.hpp"
#include "interpreter/meaning/readings.hpp"
#include "runtime/model/program.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::interpreter {

struct CompileOptions {
  // Works out at load what is constant. Without it the program holds every expression as it was written, and
  // means the same; it is slower in play, and takes more nodes. For those who want to compare the two.
  bool fold = true;
  Look* look = nullptr;         // takes what drawings need
  Readings* readings = nullptr; // adds what the expressions turn out to be
  // Keeps calls of definitions apart: by origin of the program, the origin of the call that it was unfolded
  // for; 0: it stands in no definition. The same text has an origin for each call then. (runtime::Outcome
  // goes by origins: two calls of a definition that wins are two ways to win.)
  std::vector<std::uint32_t>* callers = nullptr;
};

// Adds every error it can tell to `diagnostics` and gives nothing if there is any. `settings` are (option,
// value) pairs; for one that can't be taken `bad_setting` becomes true.
[[nodiscard]] std::shared_ptr<const runtime::Program>
compile(const dsl::RuleFile& file, const std::vector<std::pair<std::string, std::string>>& settings,
        dsl::Sources& sources, dsl::Diagnostics& diagnostics, bool& bad_setting,
        const CompileOptions& options = {});

} // namespace boardwright::interpreter
