# Libraries for a program that needs none when it runs. Debian tells CMake of shared ones only: of yaml-cpp and
# libedit there are archives beside them, and pkg-config knows what libedit needs besides; of fmt there is none, but
# its headers hold all of it.
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
set(PKG_CONFIG_ARGN --static)
add_link_options(-static)

add_library(fmt::fmt INTERFACE IMPORTED GLOBAL)
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY=1)

find_library(YAML_CPP_ARCHIVE yaml-cpp REQUIRED)
add_library(yaml-cpp INTERFACE IMPORTED GLOBAL)
target_link_libraries(yaml-cpp INTERFACE ${YAML_CPP_ARCHIVE})
