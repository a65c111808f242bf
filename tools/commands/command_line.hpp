// The command line: subcommands, their options and help.
#pragma once

namespace boardwright::tools {

// Parses the arguments and runs the subcommand. Returns the exit status (console.hpp). Throws nothing.
[[nodiscard]] int run_command_line(int argc, char** argv) noexcept;

} // namespace boardwright::tools
