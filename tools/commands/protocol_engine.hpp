// Who thinks behind a protocol, and about which game: what the options of a program that drives change.
#pragma once

#include "interpreter/load.hpp"
#include "runtime/search/player.hpp"
#include "tools/commands/protocol.hpp"
#include "tools/engines/opponents.hpp"

#include <tl/expected.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tools {

// An option as protocols tell it.
struct EngineOption {
  enum class Type : std::uint8_t { check, spin, text, combo } type = Type::check;
  std::string name, value;          // as UCI calls it, and at first
  int low = 0, high = 0;            // of `spin`
  std::vector<std::string> of = {}; // of `combo`
};

class ProtocolEngine {
public:
  ProtocolEngine(interpreter::Loaded loaded, ProtocolOptions options, Weights weights, Console& console);

  [[nodiscard]] const ProtocolOptions& options() const { return options_; }
  [[nodiscard]] const std::shared_ptr<const runtime::Rules>& rules() const { return now_.loaded.rules; }
  [[nodiscard]] const runtime::Program& program() const { return now_.loaded.rules->program(); }
  [[nodiscard]] const interpreter::Loaded& loaded() const { return now_.loaded; }

  // Who knows nothing of earlier games; before anything is thought.
  tl::expected<void, std::string> new_player();
  [[nodiscard]] runtime::search::Player& player() { return *player_; }
  [[nodiscard]] int lines() const { return lines_; } // that are told

  // Of who thinks; of the game, where `games` says that the protocol has options for that.
  [[nodiscard]] std::vector<EngineOption> all_options(bool games) const;
  // Sets one by its name. True: the game is another one. An error is a sentence, and nothing has changed.
  tl::expected<bool, std::string> set_option(const std::string& name, const std::string& text, bool games);

  // The game as the command line names it, or whoever drives has named it since.
  [[nodiscard]] std::string variant() const;
  // Another game by its name, with its options as they are; one called so and 960 where the first row is
  // dealt. True: it is another one. Only known games: no files are opened for whoever speaks here.
  tl::expected<bool, std::string> choose_game(const std::string& name, bool dealt);
  // Back to the game of the command line, where it was changed.
  void first_game();
  // The same game with another value of one of its options, where `fits` says yes to the rules that it has
  // then. An error is a sentence, and nothing has changed.
  tl::expected<void, std::string>
  set_rule(const std::string& option, const std::string& value,
           const std::function<bool(const std::shared_ptr<const runtime::Rules>&)>& fits);

  // What of a player's remarks hasn't been told and is worth it, a line each: which search thinks and why,
  // and that a rule went wrong. Figures stand elsewhere.
  [[nodiscard]] std::vector<std::string> new_remarks(std::string_view remarks);

private:
  // What options say of who thinks.
  struct Thinker {
    std::string description;
    int threads;
    std::optional<int> megabytes;
    bool operator==(const Thinker&) const = default;
  };
  // What can be set.
  struct Settable {
    std::string player;
    int threads = 1;
    std::optional<int> megabytes; // of what is remembered of positions
    bool limited = false;         // plays as the level of `elo`, whatever the player
    int elo = 0;
  };
  // A game, with what was learnt of it.
  struct Chosen {
    interpreter::Loaded loaded;
    GameChoice game;
    Weights weights;
  };
  [[nodiscard]] Thinker thinker() const;
  [[nodiscard]] tl::expected<std::shared_ptr<runtime::search::Player>, std::string>
  player_of(const Chosen& chosen) const;
  // From now on it is this game, if somebody can play it.
  tl::expected<void, std::string> take(Chosen chosen);
  tl::expected<void, std::string> set_thinker(const std::string& name, const std::string& text, bool games);
  tl::expected<bool, std::string> load_game(const std::string& name);

  ProtocolOptions options_; // but for the game
  Console& console_;
  Chosen now_, first_; // the latter is the game of the command line
  Settable set_;
  std::string game_asked_; // its name, as `UCI_Variant` has it
  bool dealt_ = false;     // `UCI_Chess960`
  int lines_ = 1;
  std::shared_ptr<runtime::search::Player> player_;
  std::set<std::string> remarks_; // of his that have been told
};

// The expected moves, as far as they are legal one after the other, in the words of a protocol.
[[nodiscard]] std::vector<std::string> line_by(Protocol protocol, const runtime::Game& game,
                                               const runtime::search::Thought& thought);

} // namespace boardwright::tools
