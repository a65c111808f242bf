// The definitions of a rule file, in the order in which they are written.
#pragma once

#include "tools/import/variants/plan.hpp"

#include <string>
#include <utility>
#include <vector>

namespace boardwright::tools {

class Definitions {
public:
  explicit Definitions(Plan& plan) : plan_(plan) {}

  void add(const std::string& name, const std::string& body) { bodies_.emplace_back(name, body); }
  void add_walks();  // hit, glide
  void add_hunted(); // royal, checked
  void add_pawns();  // who is promoted, where, to what
  void add_taking_of_leapers();
  void add_turning(); // promotion of pieces
  void add_castling();
  void add_drops();
  void add_flips();
  void add_walling(); // behind walks
  void add_moves();   // walk, takes, quiets

  [[nodiscard]] bool has(std::string_view name) const;
  [[nodiscard]] bool glides() const { return glides_; }
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& bodies() const { return bodies_; }

private:
  using Walks = std::vector<std::pair<std::string, std::string>>; // kinds with a walk
  [[nodiscard]] std::string walk_of(const VariantKind& kind, bool capturing);
  [[nodiscard]] std::string region_of(const VariantKind& kind);
  [[nodiscard]] Walks walks(bool capturing);
  void add_kinds_map(const std::string& name, const Walks& walks, bool others_hit);
  [[nodiscard]] std::string soil() const;
  [[nodiscard]] std::string limit_condition(const char* kind) const;

  Plan& plan_;
  bool glides_ = false;
  std::set<std::string> helpers_;
  std::map<std::string, std::string> regions_; // name by text
  std::vector<std::pair<std::string, std::string>> bodies_;
};

// What must hold at the end of a turn: "not checked and …", or "".
[[nodiscard]] std::string legal_text(const Plan& plan);
// Where a kind could never move again: "((pawn | lance) & row(-1))"; "" where there is no such cell.
[[nodiscard]] std::string stuck_text(const Plan& plan);
// What else a move of a piece does: "pocket(…), promote, rise?"; "" if nothing.
[[nodiscard]] std::string after_text(const Plan& plan);

} // namespace boardwright::tools
