# The libraries for WebAssembly, in place of Debian's: yaml-cpp and fmt from their sources, the others are headers.
# tools/build-studio lays them out in BOARDWRIGHT_STUDIO_LIBRARIES.
set(libraries ${BOARDWRIGHT_STUDIO_LIBRARIES})

add_compile_options(-fwasm-exceptions)
add_link_options(-fwasm-exceptions)
# Sizes have 32 bits here, so that every index of 64 bits (a random number below a size, a place in a table) is warned of:
# a screenful for whoever builds the page. Other builds have all warnings, for the same code.
add_compile_options(-Wno-shorten-64-to-32 -Wno-sign-conversion)

foreach(name Boost::headers tl::expected nlohmann_json::nlohmann_json Threads::Threads)
  add_library(${name} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${name} SYSTEM INTERFACE ${libraries}/include)
endforeach()

file(GLOB yaml_sources ${libraries}/yaml-cpp/src/*.cpp)
add_library(yaml-cpp STATIC ${yaml_sources})
target_include_directories(yaml-cpp SYSTEM PUBLIC ${libraries}/yaml-cpp/include)
target_compile_options(yaml-cpp PRIVATE -w)
set_target_properties(yaml-cpp PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 40)

add_library(fmt STATIC ${libraries}/fmt/src/format.cc)
target_include_directories(fmt SYSTEM PUBLIC ${libraries}/fmt/include)
target_compile_options(fmt PRIVATE -w)
add_library(fmt::fmt ALIAS fmt)

# What their libc++ lacks, for our own files.
add_compile_options(-include ${PROJECT_SOURCE_DIR}/tools/studio/libcxx13.hpp)
