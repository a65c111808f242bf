// The examples of a page: each block behind whose fence stands what it is, is run.
//
// - `yaml game`: a rule file. `yaml frame NAME`: one whose sections parts replace. `yaml file NAME`: one that
//   other examples name in `extends` or `use`.
// - `yaml part [FRAME]`: sections that replace those of the frame. `yaml error [FRAME]`: the same, refused
// with
//   the words behind `# error: `.
// - `values`, `moves`, `errors` [FRAME]: lines `what => what comes of it`.
// - `text`, `ebnf`, `console`, `sh`: nothing to run.
#pragma once

#include "tests/pages/page.hpp"

#include <string>

namespace boardwright::tests {

// Fails the test where an example does something else than the page says.
void check_examples(const std::string& page);

// The rule file that a block `yaml wrong [FRAME]` or `yaml right [FRAME]` stands for, in a frame of the
// reference; "whole" is no frame: the block is all of it.
[[nodiscard]] std::string example_file(const Block& block);

} // namespace boardwright::tests
