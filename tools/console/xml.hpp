// Text inside XML, HTML and SVG.
#pragma once

#include <string>
#include <string_view>

namespace boardwright::tools {

// Text as XML may have it, in an element or in an attribute's quotes: signs of XML, line breaks and tabs are
// escaped, and what is no character of XML 1.0 (control characters, bytes that are no UTF-8) becomes U+FFFD.
[[nodiscard]] std::string xml_text(std::string_view text);

} // namespace boardwright::tools
