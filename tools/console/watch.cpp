#include "tools/console/watch.hpp"

#include "tools/console/console.hpp"

#include <chrono>
#include <sys/stat.h>
#include <thread>

namespace boardwright::tools {
namespace {

// Asking for the stamps of a dozen files takes some microseconds; people don't notice a quarter of a second.
constexpr auto kInterval = std::chrono::milliseconds(250);

std::vector<FileStamp> stamps_of(const std::vector<WatchedFile>& files) {
  std::vector<FileStamp> stamps;
  for (const WatchedFile& file : files) stamps.push_back(stamp_of(file.path));
  return stamps;
}

std::vector<std::string> changed(const std::vector<WatchedFile>& files, const std::vector<FileStamp>& now) {
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < files.size(); ++i)
    if (files[i].stamp != now[i]) paths.push_back(files[i].path);
  return paths;
}

} // namespace

FileStamp stamp_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return {};
  return {status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

std::vector<std::string> wait_for_change(const std::vector<WatchedFile>& files) {
  std::vector<FileStamp> before = stamps_of(files);
  while (!interrupted()) {
    std::this_thread::sleep_for(kInterval);
    std::vector<FileStamp> now = stamps_of(files);
    const bool settled = now == before;
    before = std::move(now);
    if (!settled) continue;
    if (auto paths = changed(files, before); !paths.empty()) return paths;
  }
  return {};
}

} // namespace boardwright::tools
