// Waiting for files to change.
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace boardwright::tools {

// What tells one state of a file from another without reading it. All zero: there is no such file.
struct FileStamp {
  ino_t inode = 0;
  off_t size = 0;
  long seconds = 0, nanoseconds = 0; // of its last change

  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};
[[nodiscard]] FileStamp stamp_of(const std::string& path);

struct WatchedFile {
  std::string path;
  FileStamp stamp; // when it was read last
};

// Sleeps until one of the files has another stamp and all have kept theirs for a moment, so that a file isn't
// read while it is being written. Gives the paths of those that changed; none if it was interrupted.
[[nodiscard]] std::vector<std::string> wait_for_change(const std::vector<WatchedFile>& files);

} // namespace boardwright::tools
