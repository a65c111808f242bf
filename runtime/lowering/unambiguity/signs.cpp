#include "runtime/lowering/unambiguity/signs.hpp"

#include <algorithm>
#include <cctype>

namespace boardwright::runtime::lowering::unambiguity {

namespace {

// Texts that begin alike: the longer one could be the shorter one and what comes behind it.
bool begin_alike(const std::string& a, const std::string& b) {
  const std::size_t size = std::min(a.size(), b.size());
  return a.compare(0, size, b, 0, size) == 0;
}

// Where both write the same, does that which they write then differ?
bool differ_behind(const Sign& a, const Sign& b) {
  if (a.many || b.many || a.next == nullptr || b.next == nullptr) return false;
  return std::all_of(a.next->begin(), a.next->end(), [&](const Sign& x) {
    return std::all_of(b.next->begin(), b.next->end(), [&](const Sign& y) { return differ(x, y); });
  });
}

// Two signs of different kinds, behind the same writing: is one never written where the other is?
bool differ_in_kind(const Sign& a, const Sign& b) {
  using What = Sign::What;
  if (a.what > b.what) return differ_in_kind(b, a);
  // A change may write nothing, so the other may be the end; a text could be the same.
  if (b.what == What::change) return a.what != What::number && (a.what != What::text || a.text[0] != '=');
  if (a.what == What::change) return false;
  // What has left may be written before a cell or the end, and begins like a `put` that takes something.
  if ((a.gone && b.what == What::put) || (b.gone && a.what == What::put)) return false;
  const auto names_first = [](const Sign& s) {
    return s.first && ((s.what == What::cell && !s.bare) || s.what == What::drop);
  };
  if (names_first(a) || names_first(b)) return b.what == What::end && !a.gone && !b.gone;
  const auto by_letters = [](const Sign& s) { return s.what == What::text || s.what == What::number; };
  if (by_letters(a) || by_letters(b)) {
    if (b.what == What::end && !b.gone) return true;
    if (a.bare || b.bare) return false; // a text may begin like the name
    if (b.what == What::number && a.what == What::text &&
        (a.text[0] == '-' || std::isdigit(static_cast<unsigned char>(a.text[0])) != 0))
      return false;
    const bool plain = (!by_letters(a) || a.plain) && (!by_letters(b) || b.plain);
    const bool laid = a.what == What::drop && !a.behind && !a.text.empty() && b.what == What::text;
    return plain && !(laid && begin_alike(a.text, b.text));
  }
  // Cells that pieces are laid on stand there alone, or behind a letter, if nothing has been written before.
  if (a.what == What::cell && b.what == What::drop)
    return b.behind || (b.text.empty() ? differ_behind(a, b) : b.plain);
  if (a.what == What::put && b.what == What::drop) return b.behind || b.plain;
  return true;
}

// `together`: of one draft, so a cell has the same in both.
bool differ(const Sign& a, const Sign& b, bool together) {
  using What = Sign::What;
  if (together && a.of != 0 && a.of == b.of) return true;
  const auto unknown = [](const Sign& s) { return s.what == What::any || s.what == What::gone; };
  if (unknown(a) || unknown(b)) return false; // if nothing has left nothing is written
  if (a.what != b.what) return differ_in_kind(a, b);
  const auto apart = [&] {
    if (together && ((a.there & b.there).none() || (a.start & b.start).none())) return true;
    for (std::size_t c = 0; c < std::min(a.at.size(), b.at.size()); ++c)
      if ((a.at[c] & b.at[c]).any()) return false;
    return true;
  };
  bool differs = false;
  switch (a.what) {
  case What::cell:
  case What::put: differs = apart(); break;
  case What::drop: // a letter that begins a cell's name may be part of that
    if (a.text != b.text && !(a.plain && b.plain)) return false;
    differs = a.text != b.text || apart();
    break;
  case What::text:
    if (!begin_alike(a.text, b.text)) return true;
    if (a.text != b.text) return false; // what comes behind the shorter one could go on like the longer one
    break;
  case What::change: return a.text != b.text; // or the results do
  default: return false;
  }
  return differs || differ_behind(a, b);
}

} // namespace

bool differ(const Sign& a, const Sign& b) { return differ(a, b, false); }

bool all_differ(const Signs& signs) {
  for (std::size_t i = 0; i < signs.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (!differ(signs[i], signs[k], true)) return false;
  return true;
}

} // namespace boardwright::runtime::lowering::unambiguity
