// A game in progress at the prompt of `play`.
#pragma once

#include "interpreter/look/look.hpp"
#include "runtime/model/random.hpp"
#include "runtime/search/player.hpp"
#include "tools/console/line_reader.hpp"
#include "tools/drawing/board_text.hpp"
#include "tools/drawing/seen_board.hpp"
#include "tools/engines/seats.hpp"
#include "tools/engines/standing.hpp"
#include "tools/games/game_choice.hpp"
#include "tools/play/clocks.hpp"
#include "tools/play/play_options.hpp"
#include "tools/records/recorder.hpp"
#include "tools/records/written_game.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace boardwright::tools {

class Session {
public:
  Session(OpenGame& open, const PlayOptions& options, Seats seats, std::uint64_t seed, Console& console);

  Exit run();

private:
  // What the game does next; false when it is over or left.
  using Step = tl::expected<bool, runtime::Fault>;
  struct Command {
    std::string_view name, argument, help; // argument: "", "MOVE", "[N]"
    Step (Session::*action)(const std::string& argument);
    bool after_end = true; // there is something to be done when the game is over, too
    bool harmless = false; // only shows something: a part of its name will do
  };
  struct Played {
    int player = 0;
    std::string move; // as it is found again
  };
  enum class Answer : std::uint8_t { yes, no, drop, other, none };

  [[nodiscard]] const runtime::Program& program() const { return open_.program(); }
  [[nodiscard]] runtime::Game& game() { return open_.game; }
  [[nodiscard]] const std::string& name_of(int player) const;
  [[nodiscard]] Exit leave(Exit exit);
  [[nodiscard]] Exit unread();
  void tell_that_it_is_kept();

  // --- beginning, in play_begin.cpp
  [[nodiscard]] bool begin(); // false: the record that was asked for can't be written
  void introduce();           // to a person: the game, who plays, how to get help
  [[nodiscard]] std::string who_plays() const;
  [[nodiscard]] std::string head(const std::string& reference) const;
  [[nodiscard]] std::string own_reference() const;
  [[nodiscard]] bool log_all();
  std::optional<Unfinished> offer_unfinished();
  void set_aside(Unfinished& unfinished, const std::string& why);
  void take_over(interpreter::Replayed replayed);
  void seat_again(const interpreter::Record& record); // who played it before, unless others are wanted
  [[nodiscard]] bool others_wanted() const;
  void keep_anew(); // with who plays now
  [[nodiscard]] std::string clock_comment() const;
  [[nodiscard]] tl::expected<std::string, std::string> text_to_save(WrittenFormat format);
  [[nodiscard]] std::string other_options(const interpreter::Record& record) const;
  void set_down();                    // the game on the board, before another takes its place
  [[nodiscard]] bool begin_another(); // what is written of that one
  Answer ask(const std::string& question, bool may_drop, bool others = false);

  // --- against whom, in play_seats.cpp
  void seat_usual_opponent();                              // of somebody who sits down alone
  [[nodiscard]] std::optional<Sitter> at_level(int level); // nothing: nobody plays these rules
  Step level(const std::string& setting);

  // --- where something is hidden, in play_hidden.cpp
  // The player before the screen, who must see no more than he may; nothing: all is open.
  [[nodiscard]] std::optional<int> looks_on() const;
  [[nodiscard]] bool hand_over(); // the screen, to the player to move; false: nobody takes it
  [[nodiscard]] std::string as_read(const std::string& move, int mover) const; // by who looks on
  [[nodiscard]] std::optional<SeenBoard> board_as_seen() const;
  [[nodiscard]] int people() const; // at the prompt
  Step history_as_seen();
  Step not_told(std::string_view command);
  Step refuse_unexplained(const std::string& text);
  void clear_screen();

  // --- turns
  Step turn();
  Step other_turn();
  Step roll();
  Step play_random();
  Step make(runtime::Move move);
  Step command_turn();
  bool take_back(); // one move
  // What a player did since `began` counts on his clock; false: his time is over.
  [[nodiscard]] bool spend(int player, bool moved);

  // --- the end, in play_end.cpp
  Step over(const runtime::Outcome& outcome);
  Step end_with(const std::string& result);
  Step out_of_time(int player);
  Step after_end(); // what is typed when the game is over
  void reopen();    // the end is taken back

  // --- thinking, in play_thinking.cpp
  using Thinking = tl::expected<runtime::search::Thought, runtime::Fault>;
  [[nodiscard]] Thinking think(runtime::search::Player& player, std::optional<Seconds> time,
                               Standing* standing = nullptr,                // which is told of it
                               std::optional<Seconds> most = std::nullopt); // as ThinkLimits::latest
  [[nodiscard]] std::optional<Seconds> own_time() const;           // for a move, as the options have it
  [[nodiscard]] std::optional<Seconds> time_for(int player) const; // by his clock, if there is one
  Step thinker_turn();
  Step ask_no_more(int player, const std::string& why);
  // The adviser thinks about how the player to move stands; nothing: there is none, or it was told.
  [[nodiscard]] tl::expected<std::optional<runtime::search::Thought>, runtime::Fault> advice();
  [[nodiscard]] const runtime::search::Calibration& calibration();
  [[nodiscard]] runtime::search::Player* adviser(); // null: nobody plays these rules; it was told
  [[nodiscard]] bool thinker_agrees();              // to a draw that the player to move offers
  [[nodiscard]] std::string standing_text();
  Step hint(const std::string& argument);
  Step eval(const std::string& argument);
  Step analyse(const std::string& seconds);

  // --- what is typed
  Step obey_on_account(const std::string& text);
  Step obey(const std::string& text);
  Step refuse_long_line();
  Step obey_command(const std::string& text);
  Step play_meant(const std::string& text);
  [[nodiscard]] tl::expected<bool, runtime::Fault>
  play_algebraic(const std::string& text); // false: it is none
  Step play_offered();
  [[nodiscard]] std::vector<const Command*> commands_beginning(const std::string& word) const;
  [[nodiscard]] const Command* command_meant(const std::string& word) const; // by a part of its name
  [[nodiscard]] std::string other_commands(const std::string& word) const;
  Step how_it_goes_on(const std::string& text, const std::vector<std::string>& legal);
  [[nodiscard]] std::string must_capture(const std::vector<std::string>& legal);
  Step tell_apart(const std::vector<std::string>& texts, const std::string& notation);
  Step refuse(const std::string& text, const std::vector<std::string>& legal);
  [[nodiscard]] Completed completed(const std::string& typed);
  [[nodiscard]] static const std::vector<Command>& commands();
  [[nodiscard]] std::string told_of_no_move(const std::string& text) const; // in play_words.cpp; "": nothing
  [[nodiscard]] std::string told_of_sentence(const std::string& text) const;
  std::optional<Step> obey_other_word(const std::string& text); // in play_words.cpp; nothing: it is none

  Step history(const std::string& argument);
  Step list_moves(const std::string& from);
  Step why(const std::string& argument);
  Step why_last();
  Step board(const std::string& argument);
  [[nodiscard]] std::optional<runtime::Move> only_wordless();
  [[nodiscard]] bool is_persons_turn();
  Step random_move(const std::string& argument);
  Step undo(const std::string& count);
  Step redo(const std::string& count);
  Step position(const std::string& argument);
  Step fen(const std::string& argument);
  Step rules(const std::string& argument);
  Step source(const std::string& argument);
  Step thinking(const std::string& setting);
  Step save(const std::string& file);
  Step load(const std::string& file);
  bool load_position(const std::string& argument);
  Step new_game(const std::string& argument);
  Step swap(const std::string& argument);
  Step draw(const std::string& argument);
  Step resign(const std::string& argument);
  Step give_up();
  Step flip(const std::string& argument);
  Step view(const std::string& argument);
  Step quit(const std::string& argument);
  [[nodiscard]] std::string help_of(const Command& command) const;
  Step help(const std::string& argument);

  // `all`: even where the terminal has no room for it; `over`: nobody is to move any more
  void show_board(bool all = false, bool over = false);
  [[nodiscard]] std::string in_lines(const std::string& text) const;
  void say(const std::string& text);
  Step show_long(const std::string& text); // screen by screen; what is typed meanwhile is obeyed
  // What somebody who saw the position before wants to see first.
  [[nodiscard]] runtime::CellSet to_be_seen(const BoardMarks& marks) const;

  OpenGame& open_;
  const PlayOptions& options_;
  Seats seats_;
  std::shared_ptr<runtime::search::Player> adviser_;
  std::optional<runtime::search::Calibration> calibration_; // of the adviser; nothing: not learnt yet
  Standing standing_;                                       // of the player to move, as the adviser thinks
  std::string standing_after_;                              // these moves
  Clocks clocks_;
  std::chrono::steady_clock::time_point
      began_; // when the player to move was asked, or his clock was looked at
  std::uint64_t seed_;
  runtime::Random random_;
  Console& console_;
  interpreter::Look look_;
  LineReader reader_;
  GameLog log_;
  Tags tags_;                        // of the record
  runtime::Game begin_;              // before the first move
  std::vector<Played> played_;       // since then
  std::vector<Played> undone_;       // that can be played again, the next one last
  std::size_t given_moves_ = 0;      // of them: the position was given by
  std::string offered_;              // the only move that goes on as was typed: an empty line plays it
  bool usual_opponent_ = false;      // nobody said against whom
  bool thinking_shown_ = false;      // what players that think say of it
  bool answered_ = false;            // the command moved the game on
  bool board_shown_ = false;         // as it is now
  std::optional<int> before_screen_; // where something is hidden: who saw it last
  bool flipped_ = false;             // the board is seen from the other side
  BoardPart part_;                   // that is seen of a board that is larger than the terminal
  bool part_chosen_ = false;         // by a person; else it is where the last move was
  bool part_told_ = false;           // that there is more to be seen
  bool ended_ = false;               // over, or given up: nothing to go on with
  bool by_rule_ = false;             // a line of `end` has ended it, or there was no move
  std::string result_;               // of the game that has ended
  bool gone_ = false;                // nobody answers any more
  bool broken_off_ = false;          // Ctrl-C ended the last thinking
  bool record_failed_ = false;
  int unchosen_ = 0; // moves in a row that nobody chose
  // As a filter: something that was typed couldn't be done, and the status says so.
  Exit refused_ = Exit::good;
  bool player_failed_ = false; // another program, and nobody goes on for it
  // Who can take may do something else, as far as that was asked for.
  std::optional<bool> need_not_take_;
};

} // namespace boardwright::tools
