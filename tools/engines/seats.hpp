// Who plays for whom: a person at the terminal, chance, or somebody who thinks.
#pragma once

#include "runtime/model/program.hpp"
#include "runtime/search/player.hpp"

#include <tl/expected.hpp>

#include <memory>
#include <string>
#include <vector>

namespace boardwright::tools {

struct Sitter {
  std::string description = "person"; // as records have it: "random", "auto"
  // Who is asked for moves; null for a person and for chance.
  std::shared_ptr<runtime::search::Player> thinks;

  [[nodiscard]] bool is_person() const { return description == "person"; }
};

class Seats {
public:
  explicit Seats(const runtime::Program& program)
      : program_(program), sitters_(program.players.size()), named_(program.players.size()) {}

  // Seats somebody for a player: his name, his number or ordinal in turn order, or `all`. Fails with a
  // sentence if the word names nobody, or somebody who was seated by his name before.
  [[nodiscard]] tl::expected<void, std::string> seat(const std::string& player, const Sitter& sitter);

  [[nodiscard]] const Sitter& at(int player) const { return sitters_[static_cast<std::size_t>(player)]; }
  [[nodiscard]] bool is_person(int player) const { return at(player).is_person(); }
  [[nodiscard]] bool any_person() const;
  [[nodiscard]] bool all_alike() const;
  // Seats somebody anew, whoever sat there.
  void place(int player, const Sitter& sitter) { sitters_[static_cast<std::size_t>(player)] = sitter; }
  // Persons take the seats of somebody who can't go on.
  void give_up(const std::shared_ptr<runtime::search::Player>& thinks);
  // Everybody takes the seat of the next player.
  void move_on();

private:
  [[nodiscard]] bool names(std::size_t player, const std::string& wanted) const;

  const runtime::Program& program_;
  std::vector<Sitter> sitters_;
  std::vector<bool> named_; // seated by name
};

} // namespace boardwright::tools
