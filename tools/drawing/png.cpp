#include "tools/drawing/png.hpp"

#include "tools/console/console.hpp"
#include "tools/console/text_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <memory>
#include <sys/wait.h>
#include <unistd.h>

namespace boardwright::tools {
namespace {

constexpr const char* kConverter = "rsvg-convert";
// What a child ends with that couldn't become the converter, as shells have it.
constexpr int kNotFound = 127;

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>; // NOLINT(misc-include-cleaner)

// Twice the size of the picture: sharp on today's screens.
[[noreturn]] void become_converter(int in, int out) {
  if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0)
    execlp(kConverter, kConverter, "--format=png", "--zoom=2", static_cast<char*>(nullptr));
  _exit(kNotFound);
}

// From one file to the other; the status of the converter, or -1.
int convert(int in, int out) {
  const pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) become_converter(in, out);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string contents(std::FILE* file) {
  std::string text;
  std::array<char, 1 << 14> part{};
  std::rewind(file);
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), file))
    text.append(part.data(), count);
  return text;
}

} // namespace

std::string write_png(const std::string& path, const std::string& svg) {
  const File in(std::tmpfile()), out(std::tmpfile());
  if (in == nullptr || out == nullptr || std::fwrite(svg.data(), 1, svg.size(), in.get()) != svg.size() ||
      std::fflush(in.get()) != 0 || lseek(fileno(in.get()), 0, SEEK_SET) != 0)
    return "can't write a temporary file";
  const int status = convert(fileno(in.get()), fileno(out.get()));
  if (status == kNotFound)
    return fmt::format("--png needs the program `{}` (Debian: apt-get install librsvg2-bin); --svg needs "
                       "nothing",
                       kConverter);
  if (status != 0) return fmt::format("`{}` has failed", kConverter);
  const std::string png = contents(out.get());
  if (path == "-") return std::fwrite(png.data(), 1, png.size(), stdout) == png.size() ? "" : "can't write";
  const auto written = write_text_file(path, png);
  return written ? "" : written.error();
}

} // namespace boardwright::tools
