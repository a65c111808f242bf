// How a player stands, in words that last: what a search says of a position goes up and down with each move
// that it looks further, as he who moved last always seems to have gained something.
#pragma once

#include "runtime/search/calibration.hpp"
#include "runtime/search/player.hpp"

#include <string>
#include <utility>
#include <vector>

namespace boardwright::tools {

// What was thought of one position, in one call or in several.
class Standing {
public:
  // What is thought from here on, of a position in which this player is to move.
  void begin(const runtime::search::Calibration& calibration, int player, int players);
  // Each time that something is told while thinking, and at the end of it.
  void told(const runtime::search::Thought& so_far);
  void ended(const runtime::search::Thought& thought);

  [[nodiscard]] bool known() const { return known_; }
  [[nodiscard]] runtime::search::Proof proof() const { return proof_; }
  // The player's chances, by the mean of the last two complete depths from 2 on; of a tree, which has none,
  // by that of the last half of its thoughts.
  [[nodiscard]] double value() const;
  // They are too far apart for their mean to mean anything, or there are none.
  [[nodiscard]] bool unsettled() const;
  // "somewhat better", "about even", "a win, proven". Who is asked again says the same unless what he thinks
  // has clearly changed.
  [[nodiscard]] std::string words(int players);

private:
  [[nodiscard]] std::pair<double, double> last_two() const;

  [[nodiscard]] double mean() const;
  [[nodiscard]] double chance(double value) const;

  runtime::search::Calibration calibration_{1, 0, 0}; // as it is said
  int player_ = 0, players_ = 2;
  std::vector<std::pair<int, double>> depths_; // of full-width searches, each depth once, in order
  std::vector<double> thoughts_;               // of trees
  double last_ = 0.5;
  bool known_ = false;
  runtime::search::Proof proof_ = runtime::search::Proof::unknown;
  int said_ = -1; // the words that were used last, by their number
};

} // namespace boardwright::tools
