# Installs the build in BUILD, compiles the example of runtime/README.md against it, runs the example and the installed
# program in an empty folder. Needs BUILD, SOURCE, GENERATOR, COMPILER, FLAGS (list), WORK (emptied first).
cmake_minimum_required(VERSION 3.22)

include(${CMAKE_CURRENT_LIST_DIR}/../examples.cmake)

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/empty)
extract_example(${SOURCE}/runtime/README.md cpp "int main" ${WORK}/example.cpp)
string(REPLACE ";" " " flags "${FLAGS}")

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
# Moved: nothing installed may remember where it was installed or built.
file(RENAME ${WORK}/prefix ${WORK}/moved)
foreach(file man/man1/boardwright.1 man/man1/boardwright-play.1 bash-completion/completions/boardwright
    zsh/site-functions/_boardwright fish/vendor_completions.d/boardwright.fish)
  if(NOT EXISTS ${WORK}/moved/share/${file})
    message(FATAL_ERROR "share/${file} is not installed")
  endif()
endforeach()
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK}/build -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
  "-DCMAKE_CXX_FLAGS=${flags}" -DCMAKE_PREFIX_PATH=${WORK}/moved -DEXAMPLE=${WORK}/example.cpp)
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${CMAKE_COMMAND} -E chdir ${WORK}/empty ${WORK}/build/example)
run(${CMAKE_COMMAND} -E chdir ${WORK}/empty ${WORK}/moved/bin/boardwright --help)
