// The smallest text that fails as a larger one did, as far as leaving out finds it.
#pragma once

#include <functional>
#include <string>

namespace boardwright::tests {

// `fails` says whether a text still fails in the same way; it is asked at most `most` times.
[[nodiscard]] std::string reduced(std::string text, const std::function<bool(const std::string&)>& fails,
                                  int most = 4'000);

} // namespace boardwright::tests
