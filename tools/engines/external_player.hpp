// Another program as a player: it is asked for moves in UGI, UCI or USI, as `protocol.hpp` answers them;
// those who speak otherwise are made by `make`, too.
//
// It may be missing, fall silent, crash, or answer what makes no sense. Then `think` has no move but a fault,
// failure() says why, and the program is started anew when a move is asked for again.
#pragma once

#include "runtime/search/player.hpp"
#include "tools/console/child_process.hpp"
#include "tools/engines/followed_game.hpp"
#include "tools/engines/protocol_moves.hpp"

#include <tl/expected.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tools {

// What a program may do before it is given up.
struct EngineLimits {
  // Until it has greeted, and until it is ready for a game: some load networks or tables.
  std::chrono::milliseconds ready{20'000};
  // Behind the time that it was given for a move, or behind `stop`: a program that is only slow on a busy
  // machine must not lose a game by that.
  std::chrono::milliseconds grace{5'000};
  // Without any word, while it thinks without a limit of time.
  std::chrono::milliseconds silence{60'000};
  // All that it says in answer to one question; what engines tell of minutes of thinking is a tenth of it.
  std::size_t most_said = std::size_t{16} << 20;
};

struct EngineChoice {
  Protocol protocol = Protocol::ugi;
  std::string command; // of the shell
  std::string game;    // the name by which it may know the game, among several
  EngineLimits limits;
};

class ExternalPlayer : public runtime::search::Player {
public:
  // Who speaks the protocol. It is started when a move is asked for.
  [[nodiscard]] static std::unique_ptr<ExternalPlayer> make(EngineChoice choice);
  explicit ExternalPlayer(EngineChoice choice) : choice_(std::move(choice)), followed_(choice_.protocol) {}
  ~ExternalPlayer() override { leave(); }
  ExternalPlayer(const ExternalPlayer&) = delete;
  ExternalPlayer& operator=(const ExternalPlayer&) = delete;
  // Starts it and waits for its greeting; else a sentence says what is wrong.
  [[nodiscard]] static tl::expected<std::unique_ptr<ExternalPlayer>, std::string> start(EngineChoice choice);

  // Time is that of the clock, also where CPU time is asked for: it isn't ours.
  [[nodiscard]] tl::expected<runtime::search::Thought, runtime::Fault>
  think(const runtime::Game& game, const runtime::search::ThinkLimits& limits,
        const runtime::search::OnThought& on_thought = {}) override;

  // Why the last `think` had no move; "" where that isn't the program's fault.
  [[nodiscard]] const std::string& failure() const { return failure_; }
  // The last `think` had no move because the program gives the game up.
  [[nodiscard]] bool resigned() const { return resigned_; }

protected:
  using Fault = runtime::Fault;
  using Thought = runtime::search::Thought;
  struct Thinking {
    const runtime::Game& game;
    const runtime::search::ThinkLimits& limits;
    const runtime::search::OnThought& tell;
    std::optional<std::chrono::milliseconds> time; // that it is given
  };

  // ---- what each protocol has in its own words
  // It has been started: what there is to say before a game.
  virtual tl::expected<void, Fault> greet();
  // The position about which it will be asked.
  virtual tl::expected<void, Fault> tell_game(const runtime::Game& game);
  // The move in its words.
  virtual tl::expected<std::string, Fault> answer(const Thinking& thinking);

  // ---- what they have in common
  [[nodiscard]] tl::unexpected<Fault> fail(const std::string& what);
  // Its next line that `is_wanted`, within the time to get ready; `what` is what it was asked.
  tl::expected<std::string, Fault> wait_for_line(const std::string& what,
                                                 const std::function<bool(const std::string&)>& is_wanted);
  // What it says while it thinks, until `read` has the answer. `stop` is said where its time is up, or
  // somebody stops it; "": nothing can be said then.
  using Read = std::function<std::optional<std::string>(const std::vector<std::string>& words)>;
  tl::expected<std::string, Fault> listen(const Thinking& thinking, bool patient, const std::string& stop,
                                          const Read& read);
  [[nodiscard]] const EngineChoice& choice() const { return choice_; }
  [[nodiscard]] FollowedGame& followed() { return followed_; }
  void say(const std::string& line) { child_->say(line); }
  void remark(std::string text) { remark_ = std::move(text); }
  // What it expects, in its words, and what it says of it.
  void expect(std::vector<std::string> moves) { expected_ = std::move(moves); }
  [[nodiscard]] Thought& thought() { return thought_; }

private:
  void leave();
  [[nodiscard]] tl::unexpected<Fault> gone();
  tl::expected<void, Fault> begin();
  tl::expected<void, Fault> choose_game();
  tl::expected<void, Fault> wait_for(const std::string& word);
  void read_option(const std::string& line);
  [[nodiscard]] std::string go_command(const Thinking& thinking, bool& endless) const;
  void read_info(const std::vector<std::string>& words);
  [[nodiscard]] std::vector<std::string> expected_line(const runtime::Game& game) const;
  tl::expected<Thought, Fault> finished(const runtime::Game& game, const std::string& answer);

  EngineChoice choice_;
  std::unique_ptr<ChildProcess> child_; // null: it must be started
  FollowedGame followed_;
  std::vector<std::string> variants_; // that it offers; the first one is what it plays unasked
  std::string option_of_games_;       // by which it is told which one
  std::string remark_;                // its last `info string`
  std::string failure_;
  bool resigned_ = false;
  Thought thought_;                   // as its `info` lines have it
  std::vector<std::string> expected_; // moves, in its words
};

// Why a player has no move: "" for players of our own, who don't fail.
[[nodiscard]] std::string failure_of(const runtime::search::Player& player);
// Whether a player has no move because he gives the game up.
[[nodiscard]] bool has_resigned(const runtime::search::Player& player);

} // namespace boardwright::tools
