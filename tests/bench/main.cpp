// The benchmarks: `boardwright_benchmarks --benchmark_filter=REGEX`. Rates are per second of CPU time.
#include "tests/bench/games.hpp"

#include <benchmark/benchmark.h>

int main(int argc, char** argv) {
  boardwright::bench::register_games();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
