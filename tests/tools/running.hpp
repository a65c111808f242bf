// Runs the program as people and scripts do: what it prints where, and its exit status.
#pragma once

#include "tests/paths.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace boardwright::tests {

namespace fs = std::filesystem;

struct Run {
  int status = -1;
  std::string out, err;
};

// A folder of this process alone, removed at the end.
class Scratch {
public:
  Scratch() : path_(fs::temp_directory_path() / ("boardwright_test_" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~Scratch() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }

private:
  fs::path path_;
};

inline const Scratch& scratch() {
  static const Scratch folder;
  return folder;
}

inline std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Runs a command of the shell; the standard error of all of it is kept apart.
inline Run shell(const std::string& line) {
  const std::string err = scratch().path("stderr");
  const std::string command = "exec 2>'" + err + "'; " + line;
  Run result;
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> buffer{};
  for (std::size_t got = 0; (got = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    result.out.append(buffer.data(), got);
  const int status = pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.err = read(err);
  return result;
}

// Runs the program through the shell; `arguments` may redirect and pipe.
inline Run run(const std::string& arguments) { return shell("'" + program_path() + "' " + arguments); }

// A folder of this name that isn't there yet.
inline std::string fresh_folder(const std::string& name) {
  fs::remove_all(scratch().path(name));
  return scratch().path(name);
}

// How many pieces of work (tools/evaluate/unit_files.hpp) are done in a folder.
inline std::size_t units_in(const std::string& folder) {
  std::size_t units = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().string().ends_with(".unit.json")) ++units;
  return units;
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace boardwright::tests
