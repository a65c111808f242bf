// What today's engine is known to do wrong on generated programs. Each entry is a narrow description; what
// fits one is told by the test and doesn't fail it. All of this goes when the engine that is right is in.
#pragma once

#include "tests/generated/judge.hpp"

#include "runtime/program.hpp"

#include <string>

namespace boardwright::tests {

// Why the program isn't even tried (the engine would do what isn't defined, or stop the process), or "".
[[nodiscard]] std::string not_tried(const runtime::Program& program);
// The entry that the difference fits, or "".
[[nodiscard]] std::string known_wrong(const runtime::Program& program, const Difference& difference);

} // namespace boardwright::tests
