// The same evaluation of many variants: rule files, with all the combinations of some options' values.
#pragma once

#include "tools/evaluate/wish.hpp"

#include <tl/expected.hpp>

#include <optional>
#include <string>
#include <vector>

namespace boardwright::tools {

// An option and the values that it takes in turn.
struct SweepAxis {
  std::string option;
  std::vector<std::string> values;
};
// More variants than this are a mistyped range.
inline constexpr std::size_t kMostVariants = 10'000;

// `7..13`, `true,false`, `5,7..9`; an error says what is wrong.
[[nodiscard]] tl::expected<std::vector<std::string>, std::string> values_in(const std::string& text);
// All combinations, the last axis changing first; one without settings where there is no axis.
[[nodiscard]] std::vector<interpreter::Settings> combinations_of(const std::vector<SweepAxis>& axes);

struct SweptVariant {
  std::string reference;
  interpreter::Settings settings;
  Evaluation evaluation;
  Fulfilment fulfilment;
};
struct Sweep {
  std::vector<std::string> references;
  std::vector<SweepAxis> axes;
  std::string wanted; // as it was written; "": nothing
  Wishes wishes;
  std::vector<SweptVariant> variants;
  bool stopped = false;
};
// Nothing where nothing is wanted, or nothing is known.
[[nodiscard]] std::optional<std::size_t> best_of(const Sweep& sweep);
// The widest half of an interval among the shares that are wanted; where none is, of the first player's
// points.
[[nodiscard]] double half_width(const Wishes& wishes, const Evaluation& evaluation);

[[nodiscard]] std::string sweep_text(const Sweep& sweep);
[[nodiscard]] std::string sweep_csv(const Sweep& sweep);
[[nodiscard]] Json sweep_json(const Sweep& sweep);
[[nodiscard]] std::string sweep_page(const Sweep& sweep);

} // namespace boardwright::tools
