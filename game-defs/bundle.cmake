# cmake -DFILES=a.yaml;b.yaml -DOUTPUT=bundled_files.cpp -P bundle.cmake
#
# Writes C++ that holds the files. Every byte is an escape: no text, whatever it contains, can end the literal or be
# taken for anything else, by CMake or by the compiler.
cmake_minimum_required(VERSION 3.22)

set(entries "")
set(templates "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME_WLE)
  get_filename_component(folder ${file} DIRECTORY)
  get_filename_component(family ${folder} NAME)
  file(SIZE ${file} size)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "\\\\x\\1" literal "${bytes}")
  # 32 bytes a line keeps the lines, and with them each literal, short.
  string(REPEAT "." 128 line)
  string(REGEX REPLACE "(${line})" "\\1\"\n     \"" literal "${literal}")
  set(entry "    {\"${name}\", \"${family}\",\n     {\"${literal}\", ${size}}},\n")
  if(family STREQUAL "templates")
    string(APPEND templates "${entry}")
  else()
    string(APPEND entries "${entry}")
  endif()
endforeach()

file(WRITE ${OUTPUT} "// Made by game-defs/bundle.cmake from the rule files.
#include \"dsl/finder.hpp\"

namespace boardwright::dsl {

const std::vector<BundledFile>& bundled_files() {
  static const std::vector<BundledFile> files{
${entries}  };
  return files;
}

const std::vector<BundledFile>& bundled_templates() {
  static const std::vector<BundledFile> files{
${templates}  };
  return files;
}

} // namespace boardwright::dsl
")
