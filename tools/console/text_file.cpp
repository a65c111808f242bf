#include "tools/console/text_file.hpp"

#include "tools/console/console.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <system_error>
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

std::string_view kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  return S_ISCHR(mode) || S_ISBLK(mode) ? "a device" : "";
}

bool is_named_fifo(const std::string& path) {
  struct stat status {};
  const bool of_the_system = path.starts_with("/dev/") || path.starts_with("/proc/");
  return !of_the_system && stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode);
}

// An errno of open or read, in words; what there is to say of the path itself says more.
std::string reason(const std::string& path, int error) {
  const std::string what = path == "-" ? "" : what_stands_at(path);
  if (!what.empty()) return "it is " + what;
  return error == EISDIR ? "it is a folder" : std::strerror(error);
}

} // namespace

namespace {

tl::unexpected<std::string> cannot_write(const std::string& path, const std::string& why) {
  return tl::unexpected(fmt::format("can't write `{}`: {}", printable(path), why));
}

// Where a text is written first, to be put into its place when it is whole.
struct Target {
  std::filesystem::path path, fresh;
  bool is_there = false, in_place = false;
};

tl::expected<Target, std::string> target_of(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  Target target;
  target.path = target.fresh = fs::weakly_canonical(path, error);
  if (error) return cannot_write(path, error.message());
  target.is_there = fs::exists(target.path, error);
  if (fs::is_directory(target.path, error)) return cannot_write(path, "it is a folder");
  target.in_place = target.is_there && !fs::is_regular_file(target.path, error);
  if (!target.in_place) target.fresh += ".new";
  return target;
}

} // namespace

tl::expected<void, std::string> write_text_file(const std::string& path, const std::string& text) {
  namespace fs = std::filesystem;
  const auto target = target_of(path);
  if (!target) return tl::unexpected(target.error());
  std::error_code error;
  errno = 0;
  std::ofstream out(target->fresh, std::ios::binary);
  if (out) out << text;
  out.close();
  const int failure = errno;
  if (!out) {
    if (!target->in_place) fs::remove(target->fresh, error);
    return cannot_write(path, failure != 0 ? std::strerror(failure) : "it isn't known why");
  }
  if (target->in_place) return {};
  if (target->is_there) fs::permissions(target->fresh, fs::status(target->path, error).permissions(), error);
  fs::rename(target->fresh, target->path, error);
  if (!error) return {};
  const std::string why = error.message();
  fs::remove(target->fresh, error);
  return cannot_write(path, why);
}

tl::expected<void, std::string> can_write(const std::string& path) {
  const auto target = target_of(path);
  if (!target) return tl::unexpected(target.error());
  if (target->in_place) return {}; // a device or a pipe: opening it may mean something
  std::error_code error;
  const bool was_there = std::filesystem::exists(target->fresh, error);
  const int number = ::open(target->fresh.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (number < 0) return cannot_write(path, std::strerror(errno));
  ::close(number);
  if (!was_there) std::filesystem::remove(target->fresh, error);
  return {};
}

std::string what_stands_at(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) return std::string(kind_of(status.st_mode));
  const int error = errno;
  if (lstat(path.c_str(), &status) != 0 || !S_ISLNK(status.st_mode)) return "";
  return error == ELOOP ? "a link that leads in a ring" : "a link that leads nowhere";
}

tl::expected<std::string, std::string> read_text_file(const std::string& path, std::size_t limit) {
  if (path != "-" && is_named_fifo(path)) return cannot_read(path, "it is a FIFO");
  const Descriptor file(path);
  if (file.number() < 0) return cannot_read(path, reason(path, errno));
  std::string text;
  std::array<char, 1 << 14> buffer{};
  while (true) {
    const ssize_t got = ::read(file.number(), buffer.data(), buffer.size());
    if (got == 0) return text;
    if (got < 0 && errno == EINTR && !interrupted()) continue;
    if (got < 0) return cannot_read(path, reason(path, errno));
    text.append(buffer.data(), static_cast<std::size_t>(got));
    if (text.size() > limit)
      return cannot_read(path, fmt::format("it is larger than {} bytes", grouped(limit)));
  }
}

} // namespace boardwright::tools
