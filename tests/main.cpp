// The tests can be run without some forms (BOARDWRIGHT_WITHOUT=all, or their names): what they hold, but for
// what they say of the code itself, must hold then, too.
#define CATCH_CONFIG_RUNNER
#include "runtime/model/forms.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <iostream>

int main(int argc, char** argv) {
  if (const char* forms = std::getenv("BOARDWRIGHT_WITHOUT"))
    if (const auto unknown = boardwright::runtime::switch_forms_off(forms)) {
      std::cerr << "BOARDWRIGHT_WITHOUT: there is no form `" << *unknown << "`\n";
      return 2;
    }
  return Catch::Session().run(argc, argv);
}
