#include "runtime/model/forms.hpp"
#include "tools/commands/command_line.hpp"

#include <cstdlib>
#include <iostream>

// For developers: BOARDWRIGHT_WITHOUT names forms that are switched off (runtime/lowering/README.md).
int main(int argc, char** argv) {
  if (const char* forms = std::getenv("BOARDWRIGHT_WITHOUT"))
    if (const auto unknown = boardwright::runtime::switch_forms_off(forms)) {
      std::cerr << "error: BOARDWRIGHT_WITHOUT: there is no form `" << *unknown << "`\n";
      return 2;
    }
  return boardwright::tools::run_command_line(argc, argv);
}
