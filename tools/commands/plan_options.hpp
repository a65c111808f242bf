// Which games `evaluate` and `sweep` play.
#pragma once

#include "tools/evaluate/evaluation.hpp"

namespace CLI {
class App;
}

namespace boardwright::tools {

// --games, --strengths, --seed and --max-plies.
void add_plan(CLI::App& command, EvaluationPlan& plan);

} // namespace boardwright::tools
