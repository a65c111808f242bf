# cmake -DFILE=DIAGNOSTICS.md -DOUTPUT=diagnostics_page.cpp -P embed.cmake
#
# Writes C++ that holds the page of errors and warnings. It is longer than compilers must take string literals, so it
# is an array of bytes.
cmake_minimum_required(VERSION 3.22)

file(READ ${FILE} bytes HEX)
string(REGEX REPLACE "(..)" "'\\\\x\\1'," array "${bytes}")
string(REPEAT "." 112 line)
string(REGEX REPLACE "(${line})" "\\1\n    " array "${array}")

file(WRITE ${OUTPUT} "// Made by dsl/embed.cmake from dsl/DIAGNOSTICS.md.
#include \"dsl/explanations.hpp\"

namespace boardwright::dsl {
namespace {

constexpr char kPage[] = {
    ${array}};

} // namespace

std::string_view diagnostics_page() { return {kPage, sizeof kPage}; }

} // namespace boardwright::dsl
")
