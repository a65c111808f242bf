// One variant of a file, with all that it inherits, as data that has been checked.
#pragma once

#include "tools/import/cells.hpp"
#include "tools/import/variants/betza.hpp"
#include "tools/import/variants/ini.hpp"

#include <map>
#include <optional>

namespace boardwright::tools {

struct VariantKind {
  std::string key;  // what the file calls it: `queen`, `customPiece3`
  std::string name; // in the rule file
  char letter = ' ';
  std::vector<BetzaMove> moves;
  int line = 0; // where the file says it; 0 in a parent that everybody knows
};

struct StartPosition {
  struct Piece {
    std::string key;
    bool white = false, promoted = false;
  };
  std::map<std::pair<int, int>, Piece> pieces; // by (rank, file)
  CellSet walls;
  std::map<std::string, std::pair<int, int>> hands; // by key: White's, Black's
  bool white_moves = true;
  std::string castling;                // letters
  std::pair<int, int> checks = {0, 0}; // that each side may still be given; 0: none said
};

// Two values that both sides have, White's first.
template <typename T>
struct BothSides {
  T white, black;
};

class VariantKeys {
public:
  std::string name;
  std::map<std::string, IniEntry> settings; // kinds in their values are keys: "rook queen"
  std::vector<VariantKind> kinds;
  BoardSize size;
  StartPosition start;

  [[nodiscard]] const VariantKind* kind(std::string_view key) const;
  [[nodiscard]] std::string text(const std::string& key) const; // "" where nobody says it
  [[nodiscard]] bool flag(const std::string& key, bool usual) const;
  [[nodiscard]] int number(const std::string& key, int usual) const;
  // Of a key that has a value for each side, `keyWhite` and `keyBlack`.
  [[nodiscard]] BothSides<CellSet> regions(const std::string& key) const;
  // Keys of the kinds in a value, those only that the variant has; `*` is all of them.
  [[nodiscard]] std::vector<std::string> kind_keys(const std::string& key) const;
  [[nodiscard]] bool is_all(const std::string& key) const { return text(key) == "*"; }
  // "pawn:gold lance:gold" as a map.
  [[nodiscard]] std::map<std::string, std::string> pairs(const std::string& key) const;
  [[nodiscard]] int line_of(const std::string& key) const;
};

// Fails with all that can't be carried over. `notes` gets what is left out on purpose.
[[nodiscard]] tl::expected<VariantKeys, std::vector<ImportFault>>
resolve_variant(const std::vector<IniSection>& file, const IniSection& section,
                std::vector<ImportFault>& notes);

} // namespace boardwright::tools
