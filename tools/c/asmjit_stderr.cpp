// Debian's asmjit is compiled for programs: it takes `stderr` to be at a fixed distance from its code, which
// only a program can promise. So the linker gives this module a variable of its own by that name
// (`--wrap=stderr`).
#include <cstdio>

// The linker's names.
extern "C" {
extern std::FILE* __real_stderr;
extern std::FILE* __wrap_stderr;
[[gnu::visibility("hidden")]] std::FILE* __wrap_stderr = nullptr;
}

namespace {

[[gnu::constructor]] void take_over_stderr() { __wrap_stderr = __real_stderr; }

} // namespace
