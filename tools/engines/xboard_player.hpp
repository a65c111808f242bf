// Another program as a player that speaks the protocol of xboard, version 2.
//
// It is kept in `force`, where it makes no move unasked: moves are entered one by one, and `go` asks for the
// next. It is told of a time for each move, for the protocol has no word for a number of positions.
#pragma once

#include "tools/engines/external_player.hpp"

namespace boardwright::tools {

class XboardPlayer final : public ExternalPlayer {
public:
  using ExternalPlayer::ExternalPlayer;

protected:
  tl::expected<void, Fault> greet() override;
  tl::expected<void, Fault> tell_game(const runtime::Game& game) override;
  tl::expected<std::string, Fault> answer(const Thinking& thinking) override;

private:
  void read_features(const std::string& line);
  tl::expected<void, Fault> begin_game();
  tl::expected<void, Fault> wait_until_done();
  void tell_time(const Thinking& thinking);
  std::optional<std::string> read(const std::vector<std::string>& words);
  void read_thought(const std::vector<std::string>& words);

  bool done_ = false; // it has told all features
  bool usermove_ = false, pings_ = false, setboard_ = false;
  std::vector<std::string> variants_;
  std::size_t told_ = 0; // moves of the game
  std::string own_;      // its last one, which it has made itself
  int pings_sent_ = 0;
};

} // namespace boardwright::tools
