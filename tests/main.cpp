// The tests can be run without some idioms (BOARDWRIGHT_WITHOUT=all, or their names): what they hold, but for
// what they say of the code itself, must hold then, too.
#define CATCH_CONFIG_RUNNER
#include "runtime/model/idioms.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <iostream>

int main(int argc, char** argv) {
  if (const char* idioms = std::getenv("BOARDWRIGHT_WITHOUT"))
    if (const auto unknown = boardwright::runtime::switch_idioms_off(idioms)) {
      std::cerr << "BOARDWRIGHT_WITHOUT: there is no idiom `" << *unknown << "`\n";
      return 2;
    }
  return Catch::Session().run(argc, argv);
}
