// Another program as a player that speaks the Go Text Protocol, version 2: for games where pieces are put on
// points. Each command has an answer; nothing ends its thinking but the time that it was told, in seconds.
#pragma once

#include "tools/engines/external_player.hpp"

namespace boardwright::tools {

class GtpPlayer final : public ExternalPlayer {
public:
  using ExternalPlayer::ExternalPlayer;

protected:
  tl::expected<void, Fault> greet() override;
  tl::expected<void, Fault> tell_game(const runtime::Game& game) override;
  tl::expected<std::string, Fault> answer(const Thinking& thinking) override;

private:
  tl::expected<void, Fault> command(const std::string& line);
  tl::expected<void, Fault> begin_game(const runtime::Program& program);

  std::size_t told_ = 0; // moves of the game
  std::string own_;      // its last one, which it has made itself
};

} // namespace boardwright::tools
