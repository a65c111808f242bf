# cmake -DFILE=parents.ini -DOUTPUT=known_parents.cpp -DHEADER=tools/import/variants/keys.hpp
#   -DFUNCTION=known_parents -P embed.cmake
#
# Writes C++ that holds the file, as the text that a function of that header gives. Every byte is an escape: no
# text can end the literal.
cmake_minimum_required(VERSION 3.22)

file(SIZE ${FILE} size)
file(READ ${FILE} bytes HEX)
string(REGEX REPLACE "(..)" "\\\\x\\1" literal "${bytes}")
string(REPEAT "." 128 line)
string(REGEX REPLACE "(${line})" "\\1\"\n    \"" literal "${literal}")
get_filename_component(name ${FILE} NAME)
file(WRITE ${OUTPUT} "// Made by tools/embed.cmake from ${name}.
#include \"${HEADER}\"

namespace boardwright::tools {

std::string_view ${FUNCTION}() {
  return {
    \"${literal}\",
    ${size}};
}

} // namespace boardwright::tools
")
