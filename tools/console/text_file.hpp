// Reading and writing a small text file that a user named, and saying why that can't be done.
#pragma once

#include <tl/expected.hpp>

#include <cstddef>
#include <string>

namespace boardwright::tools {

// The whole of a file, or of standard input for "-". Fails with a sentence, "can't read `x`: …"; also where
// there is more than `limit` bytes, so that an endless device doesn't fill the memory, when interrupted, and
// for a FIFO that has a name of its own: whoever reads one waits for a writer. (That of `<(command)` has
// none.)
[[nodiscard]] tl::expected<std::string, std::string> read_text_file(const std::string& path,
                                                                    std::size_t limit);

// Writes beside the file first and then puts that in its place, so that whoever reads sees the old text or
// the new one, and a disk that is full leaves the old. What is no regular file is written to as it is. Fails
// with a sentence, "can't write `x`: …".
[[nodiscard]] tl::expected<void, std::string> write_text_file(const std::string& path,
                                                              const std::string& text);
// Whether that can be done, for those who work long before they write; what there is stays as it is.
[[nodiscard]] tl::expected<void, std::string> can_write(const std::string& path);

// What stands at a path where no regular file does: "a folder", "a FIFO", "a link that leads in a ring", …;
// "" for a regular file and for nothing.
[[nodiscard]] std::string what_stands_at(const std::string& path);

} // namespace boardwright::tools
