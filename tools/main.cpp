#include "runtime/model/idioms.hpp"
#include "tools/commands/command_line.hpp"

#include <cstdlib>
#include <iostream>

// For developers: BOARDWRIGHT_WITHOUT names idioms that are switched off (runtime/lowering/README.md).
int main(int argc, char** argv) {
  if (const char* idioms = std::getenv("BOARDWRIGHT_WITHOUT"))
    if (const auto unknown = boardwright::runtime::switch_idioms_off(idioms)) {
      std::cerr << "error: BOARDWRIGHT_WITHOUT: there is no idiom `" << *unknown << "`\n";
      return 2;
    }
  return boardwright::tools::run_command_line(argc, argv);
}
