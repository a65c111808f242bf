#include "tools/text_file.hpp"

#include "tools/console.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace boardwright::tools {
namespace {

class Descriptor { // closes what it opened, but not standard input
public:
  explicit Descriptor(const std::string& path)
      : number_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)), ours_(path != "-") {
  }
  ~Descriptor() {
    if (ours_ && number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const { return number_; }

private:
  int number_;
  bool ours_;
};

tl::unexpected<std::string> cannot_read(const std::string& path, std::string_view why) {
  const std::string what = path == "-" ? "standard input" : fmt::format("`{}`", printable(path));
  return tl::unexpected(fmt::format("can't read {}: {}", what, why));
}

} // namespace

tl::expected<std::string, std::string> read_text_file(const std::string& path, std::size_t limit) {
  const Descriptor file(path);
  if (file.number() < 0) return cannot_read(path, std::strerror(errno));
  std::string text;
  std::array<char, 1 << 14> buffer{};
  while (true) {
    const ssize_t got = ::read(file.number(), buffer.data(), buffer.size());
    if (got == 0) return text;
    if (got < 0 && errno == EINTR && !interrupted()) continue;
    if (got < 0) return cannot_read(path, std::strerror(errno));
    text.append(buffer.data(), static_cast<std::size_t>(got));
    if (text.size() > limit)
      return cannot_read(path, fmt::format("it is larger than {} bytes", grouped(limit)));
  }
}

} // namespace boardwright::tools
