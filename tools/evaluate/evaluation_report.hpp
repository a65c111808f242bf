// An evaluation as text for people, and as JSON.
#pragma once

#include "tools/console/json.hpp"
#include "tools/evaluate/evaluation.hpp"

#include <string>

namespace boardwright::tools {

// Of the JSON of evaluations and sweeps: what a program that reads it asks for.
inline constexpr int kEvaluationFormat = 1;

// `title`: see title_of.
[[nodiscard]] std::string evaluation_text(const Evaluation& evaluation, const std::string& title);
[[nodiscard]] Json evaluation_json(const Evaluation& evaluation);

// "Hex, size 7": the options that are set as they don't begin.
[[nodiscard]] std::string title_of(const Evaluation& evaluation, const interpreter::Settings& settings);

} // namespace boardwright::tools
