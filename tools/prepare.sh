# Sourced by the scripts of this folder: builds what is out of date. Needs `root`, the repository's folder.

sources="CMakeLists.txt dsl interpreter runtime game-defs tools"

# What the Python module needs besides.
python_packages="python3-dev python3-numpy pybind11-dev patchelf binutils"

# With CI set, warnings are errors. Elsewhere they are not: another compiler may warn of other things.
standard_options="-DCMAKE_BUILD_TYPE=Release${CI:+ -DBOARDWRIGHT_WERROR=ON}"

# Whether there is a clang that can build fuzz targets: its library of libFuzzer is a package of its own.
has_fuzzer() {
  command -v clang++ >/dev/null &&
    [ -e "$(clang++ -print-runtime-dir 2>/dev/null)/libclang_rt.fuzzer-$(uname -m).a" ]
}

# One build under the sanitizers serves the tests and the fuzz targets, where there is a clang that can build those.
sanitized_options() {
  echo "-DBOARDWRIGHT_SANITIZE=ON"
  if has_fuzzer; then echo "-DCMAKE_CXX_COMPILER=clang++"; fi
}

# What a build depends on besides the sources: its place, its options, and the processor, since -march=native uses
# instructions that another may lack.
build_key() { # option...
  echo "$root $standard_options $* $(grep -E -m1 '^(flags|Features)' /proc/cpuinfo 2>/dev/null)"
}

has_key() { # folder, key
  local found
  [ -r "$1/key" ] && IFS= read -r found <"$1/key" && [ "$found" = "$2" ]
}

# Whether the program is newer than all it is made of. Asks `find` rather than ninja, which takes 20 times as long.
is_up_to_date() { # folder, key
  [ -x "$1/tools/boardwright" ] && [ -e "$1/built" ] && has_key "$1" "$2" &&
    [ -z "$(cd "$root" && find $sources -newer "$1/built" -print -quit)" ]
}

configure() { # folder, key, option...
  local folder=$1 key=$2
  shift 2
  [ -e "$folder/build.ninja" ] && has_key "$folder" "$key" && return
  rm -rf "$folder"
  cmake -S "$root" -B "$folder" -G Ninja $standard_options "$@" && echo "$key" >"$folder/key"
}

# One build at a time, whatever its folder: the second caller waits for the first, and then finds little to do.
locked() { # command...
  mkdir -p "$root/build" || return
  (
    exec 9>"$root/build/lock" && { flock -n 9 || echo "boardwright: waiting for another build" >&2; flock 9; } &&
      "$@"
  ) </dev/null >&2
}

# Builds the targets. The time that goes on record is that of the beginning: what changes during the build is new.
build_unlocked() { # folder, targets, key, option...
  local folder=$1 targets=$2 key=$3
  shift 3
  "$root/tools/install-dependencies" || return
  configure "$folder" "$key" "$@" || return
  : >"$folder/begun"
  cmake --build "$folder" --parallel "$(nproc)" --target $targets && mv "$folder/begun" "$folder/built"
}

build() { # folder, targets, option...
  local folder=$1 targets=$2
  shift 2
  locked build_unlocked "$folder" "$targets" "$(build_key "$@")" "$@"
}
