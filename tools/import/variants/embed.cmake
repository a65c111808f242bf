# cmake -DFILE=parents.ini -DOUTPUT=known_parents.cpp -P embed.cmake
#
# Writes C++ that holds the file. Every byte is an escape: no text can end the literal.
cmake_minimum_required(VERSION 3.22)

file(SIZE ${FILE} size)
file(READ ${FILE} bytes HEX)
string(REGEX REPLACE "(..)" "\\\\x\\1" literal "${bytes}")
string(REPEAT "." 128 line)
string(REGEX REPLACE "(${line})" "\\1\"\n    \"" literal "${literal}")
file(WRITE ${OUTPUT} "// Made by tools/import/embed.cmake from parents.ini.
#include \"tools/import/variants/keys.hpp\"

namespace boardwright::tools {

std::string_view known_parents() {
  return {
    \"${literal}\",
    ${size}};
}

} // namespace boardwright::tools
")
