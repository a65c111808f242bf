// Whether a disk has room for what will be written after long work.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <system_error>
#include <unistd.h>

namespace boardwright::tools {

// "" or why so many bytes can't be kept beside a path: a file that is made there and goes again takes the
// room.
[[nodiscard]] inline std::string why_no_room(const std::string& path, std::size_t bytes) {
  const std::string beside = path + ".room";
  const int number = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (number < 0) return errno == EEXIST ? "" : std::strerror(errno);
  const int failure = ::posix_fallocate(number, 0, static_cast<off_t>(bytes));
  ::close(number);
  std::error_code error;
  std::filesystem::remove(beside, error);
  const bool full = failure == ENOSPC || failure == EDQUOT || failure == EFBIG;
  return full ? std::strerror(failure) : ""; // whoever can't say is believed
}

} // namespace boardwright::tools
