# Libraries for a program that needs none when it runs. Debian tells CMake of shared ones only: of yaml-cpp and
# libedit there are archives beside them, and pkg-config knows what libedit needs besides.
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
set(PKG_CONFIG_ARGN --static)
add_link_options(-static)

find_library(YAML_CPP_ARCHIVE yaml-cpp REQUIRED)
add_library(yaml-cpp INTERFACE IMPORTED GLOBAL)
target_link_libraries(yaml-cpp INTERFACE ${YAML_CPP_ARCHIVE})

# Of fmt there is no archive, but its headers hold all of it. What they leave to one object file is made here, and not
# by FMT_HEADER_ONLY in each: so all others are the same as without this option, for a compiler cache, too.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/fmt_archive.cpp @ONLY CONTENT [[
#include <fmt/format-inl.h>
FMT_BEGIN_NAMESPACE
namespace detail {
template auto dragonbox::to_decimal(float) noexcept -> dragonbox::decimal_fp<float>;
template auto dragonbox::to_decimal(double) noexcept -> dragonbox::decimal_fp<double>;
template auto locale_ref::get<std::locale>() const -> std::locale;
template auto thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref) -> char;
}
FMT_END_NAMESPACE
]])
add_library(boardwright_fmt STATIC ${PROJECT_BINARY_DIR}/fmt_archive.cpp)
target_compile_options(boardwright_fmt PRIVATE -w)
add_library(fmt::fmt INTERFACE IMPORTED GLOBAL)
target_link_libraries(fmt::fmt INTERFACE boardwright_fmt)
