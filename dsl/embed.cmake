# cmake -DFILE=DIAGNOSTICS.md -DOUTPUT=diagnostics_page.cpp -P embed.cmake
#
# Writes C++ that holds the page of errors and warnings. Every byte is an escape, as in game-defs/bundle.cmake.
cmake_minimum_required(VERSION 3.22)

file(SIZE ${FILE} size)
file(READ ${FILE} bytes HEX)
string(REGEX REPLACE "(..)" "\\\\x\\1" literal "${bytes}")
string(REPEAT "." 128 line)
string(REGEX REPLACE "(${line})" "\\1\"\n    \"" literal "${literal}")

file(WRITE ${OUTPUT} "// Made by dsl/embed.cmake from dsl/DIAGNOSTICS.md.
#include \"dsl/explanations.hpp\"

namespace boardwright::dsl {

std::string_view diagnostics_page() {
  return {\"${literal}\",
    ${size}};
}

} // namespace boardwright::dsl
")
