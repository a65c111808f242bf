#include "tools/commands/command_line.hpp"

int main(int argc, char** argv) { return boardwright::tools::run_command_line(argc, argv); }
