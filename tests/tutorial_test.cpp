// The tutorial, game-defs/TUTORIAL.md: what it shows of a file stands in that file, what it shows of the
// screen is what the program prints. Behind the fence of a block stands what it is:
//
// - `yaml FILE`: a part of tutorial/FILE, line by line.
// - `console`: commands behind `$ `, what is typed behind `Name> `, and printed lines in their order. Others
//   may be left out between them.
// - `text NAME = FILE, A -> B, C -> D`: all errors of tutorial/FILE with B for the first A and D for the
//   first C, when the file is called NAME.
#include "dsl/diagnostic.hpp"
#include "dsl/finder.hpp"
#include "interpreter/load.hpp"
#include "interpreter/self_tests/self_test.hpp"
#include "tests/paths.hpp"
#include "tests/text_files.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutorial_test {

using namespace boardwright;

namespace {

namespace fs = std::filesystem;

using Lines = std::vector<std::string>;

constexpr std::string_view kPage = "game-defs/TUTORIAL.md";

fs::path root() { return tests::source_root(); }
fs::path folder() { return root() / "game-defs" / "tutorial"; }

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

Lines split(const std::string& text, const std::string& separator) {
  Lines parts;
  std::size_t begin = 0;
  for (auto end = text.find(separator); end != std::string::npos; end = text.find(separator, begin)) {
    parts.push_back(text.substr(begin, end - begin));
    begin = end + separator.size();
  }
  parts.push_back(text.substr(begin));
  return parts;
}

// ---------------------------------------------------------------- the page

struct Block {
  std::size_t line = 0;   // of its fence
  std::string kind, what; // the fence's first word, and the rest
  std::string text;
};

std::vector<Block> blocks() {
  constexpr std::string_view kFence = "```";
  std::vector<Block> found;
  bool inside = false;
  const Lines lines = lines_of(tests::read_file(root() / kPage));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].starts_with(kFence)) {
      if (inside) found.back().text += lines[i] + "\n";
      continue;
    }
    inside = !inside;
    const std::string info = lines[i].substr(kFence.size());
    const auto blank = std::min(info.find(' '), info.size());
    if (inside)
      found.push_back({i + 1, info.substr(0, blank), info.substr(std::min(blank + 1, info.size())), ""});
  }
  REQUIRE_FALSE(inside);
  REQUIRE_FALSE(found.empty());
  return found;
}

std::set<std::string> files_shown() {
  std::set<std::string> names;
  for (const auto& block : blocks())
    if (block.kind == "yaml") names.insert(block.what);
  return names;
}

// ---------------------------------------------------------------- parts of files

void check_part(const Block& block) {
  const std::string file = "\n" + tests::read_file(folder() / block.what);
  const bool stands_there = file.find("\n" + block.text) != std::string::npos;
  CHECK(stands_there);
}

// ---------------------------------------------------------------- the screen

struct Command {
  std::string arguments; // behind `tools/boardwright`
  std::string typed;
  Lines printed;
};

std::vector<Command> commands_of(const Block& block) {
  static const std::string kCommand = "$ tools/boardwright ";
  static const std::regex kTyped("[A-Z][a-z]*> (.*)");
  std::vector<Command> commands;
  for (const auto& line : lines_of(block.text)) {
    std::smatch typed;
    if (line.starts_with(kCommand)) {
      commands.push_back({line.substr(kCommand.size()), "", {}});
      continue;
    }
    INFO(line);
    REQUIRE_FALSE(commands.empty());
    if (std::regex_match(line, typed, kTyped))
      commands.back().typed += typed[1].str() + "\n";
    else if (!line.empty())
      commands.back().printed.push_back(line);
  }
  return commands;
}

// All that the program prints, messages included.
std::string output_of(const Command& command) {
  const std::string script = "exec 2>&1; cd '" + root().string() + "' && '" + tests::program_path() + "' " +
                             command.arguments + " <<'END'\n" + command.typed + "END\n";
  FILE* pipe = popen(script.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string out;
  std::array<char, 4096> buffer{};
  for (std::size_t got = 0; (got = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    out.append(buffer.data(), got);
  pclose(pipe);
  return out;
}

void check_screen(const Block& block) {
  const auto commands = commands_of(block);
  CHECK_FALSE(commands.empty());
  for (const auto& command : commands) {
    const std::string output = output_of(command);
    const Lines lines = lines_of(output);
    INFO(command.arguments << "\n" << output);
    auto next = lines.begin();
    for (const auto& line : command.printed) {
      next = std::find(next, lines.end(), line);
      if (next == lines.end()) {
        FAIL_CHECK("this is not printed, or not there: " << line);
        break;
      }
      ++next;
    }
  }
}

// ---------------------------------------------------------------- errors

std::string changed(std::string text, const std::string& change) {
  const Lines sides = split(change, " -> ");
  INFO(change);
  REQUIRE(sides.size() == 2);
  const auto at = text.find(sides[0]);
  REQUIRE(at != std::string::npos);
  return text.replace(at, sides[0].size(), sides[1]);
}

// What is wrong with the text, its failed tests included, as if it stood in tutorial/`name`.
std::string errors_of(const std::string& name, const std::string& text) {
  const std::string path = (folder() / name).string();
  const auto find = dsl::finder_with(path, text);
  const auto loaded = interpreter::load(path, {}, find);
  std::string errors = loaded.errors();
  if (loaded)
    errors = dsl::render(interpreter::run_tests(loaded, path, {}, find).diagnostics, loaded.sources, false);
  const std::string prefix = folder().string() + "/";
  for (auto at = errors.find(prefix); at != std::string::npos; at = errors.find(prefix))
    errors.erase(at, prefix.size());
  return errors;
}

void check_errors(const Block& block) {
  const Lines parts = split(block.what, ", ");
  const Lines names = split(parts.front(), " = ");
  REQUIRE(names.size() == 2);
  std::string text = tests::read_file(folder() / names[1]);
  for (std::size_t i = 1; i < parts.size(); ++i) text = changed(std::move(text), parts[i]);
  CHECK(errors_of(names[0], text) == block.text);
}

} // namespace

TEST_CASE("what the tutorial shows is true") {
  for (const auto& block : blocks()) {
    INFO(kPage << ":" << block.line);
    if (block.kind == "yaml")
      check_part(block);
    else if (block.kind == "console")
      check_screen(block);
    else if (block.kind == "text")
      check_errors(block);
    else
      FAIL_CHECK("a block of no known kind: " << block.kind);
  }
}

TEST_CASE("every step of the tutorial loads without a warning, and its own tests pass") {
  for (const auto& name : files_shown()) {
    const std::string path = (folder() / name).string();
    const auto loaded = interpreter::load(path);
    INFO(name << "\n" << loaded.errors());
    REQUIRE(loaded);
    CHECK(loaded.diagnostics.all().empty());
    const auto run = interpreter::run_tests(loaded, path, {}, dsl::standard_finder());
    INFO(dsl::render(run.diagnostics, loaded.sources, false));
    for (const auto& result : run.results) {
      INFO(result.name);
      CHECK(result.passed);
    }
  }
}

TEST_CASE("no file of the tutorial is left out of it") {
  const auto shown = files_shown();
  for (const auto& entry : fs::directory_iterator(folder()))
    CHECK(shown.contains(entry.path().filename().string()));
}

} // namespace tutorial_test
