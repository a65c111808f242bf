// Where a name stands for the same thing, by the text alone: a local in the entry that binds it, all else in
// the whole file but where a local of that name is meant.
#pragma once

#include "tools/lsp/recovered.hpp"
#include "tools/lsp/yaml_place.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tools {

struct NameUses {
  bool local = false;
  std::vector<dsl::Span> uses; // in the order of the text
};

class Scopes {
public:
  explicit Scopes(const std::string& text); // which must outlive this

  // The uses of a name, as it is meant at a place; without a place, as the file at large means it.
  [[nodiscard]] NameUses uses_of(std::string_view name, std::optional<std::size_t> offset) const;
  // Is the name a local of the entry that the place lies in?
  [[nodiscard]] bool is_local(std::string_view name, std::size_t offset) const;

private:
  [[nodiscard]] const FilePart* part_at(std::size_t offset) const;

  struct Local {
    std::string_view name;
    std::size_t part = 0; // where the part begins
  };
  const std::string& text_;
  std::vector<FilePart> parts_;
  std::vector<Local> locals_;
};

} // namespace boardwright::tools
