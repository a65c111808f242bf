# cmake -DFILES=a.weights.yaml;b.weights.yaml -DNETWORKS=ON -DOUTPUT=bundled_weights.cpp -P bundle_weights.cmake
#
# Writes C++ that holds the files, without their networks where those are off. Every byte is an escape: no text can end the literal.
cmake_minimum_required(VERSION 3.22)

set(entries "")
foreach(file IN LISTS FILES)
  file(READ ${file} text)
  if(NOT NETWORKS)
    string(REGEX REPLACE "\nnetwork:\n(  [^\n]*\n)+" "\n" text "${text}")
  endif()
  string(LENGTH "${text}" size)
  string(HEX "${text}" bytes)
  string(REGEX REPLACE "(..)" "\\\\x\\1" literal "${bytes}")
  string(REPEAT "." 128 line)
  string(REGEX REPLACE "(${line})" "\\1\"\n     \"" literal "${literal}")
  string(APPEND entries "    {\"${literal}\", ${size}},\n")
endforeach()
file(WRITE ${OUTPUT} "// Made by tools/engines/bundle_weights.cmake.
#include \"tools/engines/bundled_weights.hpp\"

namespace boardwright::tools {

const std::vector<std::string_view>& bundled_weights() {
  static const std::vector<std::string_view> files{
${entries}  };
  return files;
}

} // namespace boardwright::tools
")
