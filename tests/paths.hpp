// Where the tests find the repository and the program they test.
#pragma once

#include <string>

namespace boardwright::tests {

// The folder of the repository, without a slash at its end.
const std::string& source_root();

// The command-line program that was built along with the tests.
const std::string& program_path();

} // namespace boardwright::tests
