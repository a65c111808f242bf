// What those go by who tell what random games of a file have shown.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/rule_file.hpp"
#include "interpreter/findings/text_places.hpp"
#include "runtime/examine/survey.hpp"

namespace boardwright::interpreter {

struct Surveyed {
  const runtime::Program& program;
  const dsl::RuleFile& file;
  const runtime::Survey& survey;
  const TextPlaces& places;
};

} // namespace boardwright::interpreter
