// Reading a small text file that a user named.
#pragma once

#include <tl/expected.hpp>

#include <cstddef>
#include <string>

namespace boardwright::tools {

// The whole of a file, or of standard input for "-". Fails with a sentence, "can't read `x`: …"; also where
// there is more than `limit` bytes, so that an endless device doesn't fill the memory, and when interrupted.
[[nodiscard]] tl::expected<std::string, std::string> read_text_file(const std::string& path,
                                                                    std::size_t limit);

} // namespace boardwright::tools
