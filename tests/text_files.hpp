// Files of text that tests read, and golden files: an input, a line `-----`, and what is printed for it.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tests {

// "" if there is no such file.
inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// By name. The extension has its dot.
inline std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder,
                                                   std::string_view extension) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == extension) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

class Golden {
public:
  explicit Golden(std::filesystem::path path) : path_(std::move(path)) {
    const std::string text = read_file(path_);
    const std::size_t ruler = text.find(kRuler);
    has_ruler_ = ruler != std::string::npos;
    input_ = text.substr(0, ruler);
    if (has_ruler_) expected_ = text.substr(ruler + kRuler.size());
  }

  [[nodiscard]] bool has_ruler() const { return has_ruler_; }
  [[nodiscard]] const std::string& input() const { return input_; }
  [[nodiscard]] const std::string& expected() const { return expected_; }

  // With BOARDWRIGHT_REBASE=1 in the environment what is printed now becomes what is expected; read the
  // difference before keeping it.
  void rebase(const std::string& printed) {
    if (std::getenv("BOARDWRIGHT_REBASE") == nullptr || printed == expected_) return;
    std::ofstream(path_, std::ios::binary) << input_ << kRuler << printed;
    expected_ = printed;
  }

private:
  static constexpr std::string_view kRuler = "-----\n";
  std::filesystem::path path_;
  std::string input_, expected_;
  bool has_ruler_ = false;
};

} // namespace boardwright::tests
