# Installs the build in BUILD, compiles the example of runtime/README.md against it, runs the example and the installed
# program in an empty folder. Needs BUILD, SOURCE, GENERATOR, COMPILER, FLAGS (list), WORK (emptied first).
cmake_minimum_required(VERSION 3.22)

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    string(REPLACE ";" " " command "${ARGV}")
    message(FATAL_ERROR "failed (${status}): ${command}")
  endif()
endfunction()

# The first block of C++ in `readme` that has a `main`.
function(extract_example readme output)
  file(READ ${readme} text)
  set(open "```cpp\n")
  string(LENGTH "${open}" open_length)
  while(TRUE)
    string(FIND "${text}" "${open}" begin)
    if(begin EQUAL -1)
      message(FATAL_ERROR "${readme} has no C++ example with a main")
    endif()
    math(EXPR begin "${begin} + ${open_length}")
    string(SUBSTRING "${text}" ${begin} -1 text)
    string(FIND "${text}" "```" end)
    string(SUBSTRING "${text}" 0 ${end} code)
    if(code MATCHES "int main")
      file(WRITE ${output} "${code}")
      return()
    endif()
    math(EXPR end "${end} + 3")
    string(SUBSTRING "${text}" ${end} -1 text)
  endwhile()
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/empty)
extract_example(${SOURCE}/runtime/README.md ${WORK}/example.cpp)
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
