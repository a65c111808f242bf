// Runs a fuzz target on inputs that are given as files, without libFuzzer: in any build, so that it can be
// seen what an input costs there. For each it prints CPU seconds and the process's highest memory so far.
#include "tests/fuzz/common.hpp"
#include "tests/text_files.hpp"

#include <cstdio>
#include <ctime>
#include <string>
#include <sys/resource.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

long peak_mebibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

} // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string bytes = boardwright::tests::read_file(argv[i]);
    const double begun = cpu_seconds();
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    std::printf("%.2f s, at most %ld MiB: %s\n", cpu_seconds() - begun, peak_mebibytes(), argv[i]);
    std::fflush(stdout);
  }
  return 0;
}
