// What the rules of a variant come to: which kinds take part, who is hunted, what may castle.
#pragma once

#include "tools/import/variants/variant.hpp"

#include <map>
#include <string>
#include <vector>

namespace boardwright::tools {

struct CastlingPlan {
  std::string king, rook; // keys
  CellSet rights;
  bool east = false, west = false;
  bool usual_goals = true; // two cells from where the king stands
  int east_file = 0, west_file = 0, row = 1;
};

class Plan {
public:
  explicit Plan(const VariantKeys& variant);

  const VariantKeys& variant;
  std::vector<const VariantKind*> kinds; // that can ever be there
  std::vector<std::string> hands;        // keys of what can be in a hand; empty without drops
  std::vector<std::string> dropped;      // keys of what is dropped, from a hand or without one
  std::vector<std::string> royal;        // keys of what is hunted
  int most_royal = 0;                    // so many of a kind are hunted at most; 0: all there are
  BothSides<std::vector<std::string>> promoted, officers; // who is promoted, and to what
  std::vector<std::string> double_steppers;
  std::map<std::string, std::string> turned; // piece promotion, by key
  bool in_passing = false, remembers = false;
  std::optional<CastlingPlan> castling;
  std::vector<ImportFault> faults;

  [[nodiscard]] bool uses(std::string_view key) const;
  [[nodiscard]] std::string name(std::string_view key) const;
  // "kinds(queen, rook)"
  [[nodiscard]] std::string list(const std::vector<std::string>& keys) const;
  // "king | commoner"
  [[nodiscard]] std::string set(const std::vector<std::string>& keys) const;
  [[nodiscard]] bool promotes() const { return !promoted.white.empty() || !promoted.black.empty(); }
  [[nodiscard]] bool pockets() const { return !hands.empty() && variant.flag("capturesToHand", false); }
  [[nodiscard]] bool passes() const {
    return variant.flag("passWhite", false) || variant.flag("passOnStalemateWhite", false);
  }
  // Whether there can be more of a hunted kind than are hunted.
  [[nodiscard]] bool can_be_many(const std::string& key) const;
  // Cells are walled off in the course of the game, by which rule: `arrow`, …; "" where they aren't.
  [[nodiscard]] std::string walling() const;
  [[nodiscard]] std::vector<std::string>
  petrified() const; // keys of what becomes a wall when it takes something
  [[nodiscard]] bool has_walls() const { return !walling().empty() || !petrified().empty(); }
  [[nodiscard]] char wall_letter() const; // that no kind has
  [[nodiscard]] bool flips() const;       // what is enclosed changes sides
  [[nodiscard]] bool splits() const;      // captures and other moves are told apart
  void fault(const std::string& key, std::string message);

private:
  void find_promotions();
  void find_kinds();
  void find_royal();
  void find_hands();
  void find_double_steps();
  void find_castling();
  bool add_rights(bool white, CastlingPlan& plan);
  [[nodiscard]] std::optional<std::pair<int, int>> castling_king(bool white, const std::string& king) const;
};

} // namespace boardwright::tools
