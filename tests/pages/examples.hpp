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

#include <string>

namespace boardwright::tests {

// Fails the test where an example does something else than the page says.
void check_examples(const std::string& page);

} // namespace boardwright::tests
