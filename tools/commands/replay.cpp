// replay: a recorded game, step by step.
#include "interpreter/look/look.hpp"
#include "runtime/game/spelling.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/commands/replay_pictures.hpp"
#include "tools/console/json.hpp"
#include "tools/console/line_reader.hpp"
#include "tools/console/text_file.hpp"
#include "tools/drawing/board_rest.hpp"
#include "tools/drawing/board_text.hpp"
#include "tools/games/outcome_json.hpp"
#include "tools/games/position_json.hpp"
#include "tools/records/game_record.hpp"
#include "tools/records/pgn.hpp"
#include "tools/records/written_game.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace boardwright::tools {
namespace {

using runtime::Game;
using runtime::Program;

constexpr std::string_view kKeys = "Enter goes on, `b` back, a number to that move, `start`, `end`, `quit`\n";

class Replay {
public:
  Replay(OpenRecord& open, const ReplayOptions& options, Console& console)
      : open_(open), options_(options), console_(console), look_(interpreter::look_of(open.loaded)),
        misfit_(misfit_of(open.loaded, open.record, open.replayed)), played_(open.replayed.moves.size()),
        at_(played_) {}

  Exit run() {
    if (options_.at && *options_.at > played_ && !misfit_) {
      console_.error(fmt::format("--at: the record has {} moves", played_));
      return Exit::at_fault;
    }
    if (!options_.pgn.empty()) return finish(misfit_ ? Exit::at_fault : write_pgn());
    const bool pictures = !options_.svg.empty() || !options_.html.empty();
    // Of a record that stops on the way nothing is drawn.
    if (pictures) return finish(misfit_ ? Exit::at_fault : replay_pictures(open_, options_, console_));
    if (options_.json)
      show_json();
    else if (options_.moves)
      show_moves();
    else if (options_.at)
      show_one(*options_.at);
    else if (!walk())
      show_all();
    return finish();
  }

private:
  [[nodiscard]] const Program& program() const { return open_.loaded.rules->program(); }
  [[nodiscard]] Game& game() { return open_.replayed.game; }

  // Forwards or backwards to the position after so many moves. Moves that were played once can be played
  // again.
  bool go(std::size_t to) {
    for (; at_ > to; --at_) game().undo();
    for (; at_ < to; ++at_) {
      const auto move = runtime::find_spelled(game(), open_.replayed.moves[at_]);
      if (!move || !*move || !game().play(**move)) return false;
    }
    return true;
  }

  [[nodiscard]] std::string move_text(std::size_t i) const {
    const std::string mover = player_text(program(), open_.replayed.players[i], console_.color_out());
    return fmt::format("{}. {}: {}\n", i + 1, mover, printable(open_.replayed.moves[i]));
  }
  static std::string comments_text(const std::vector<std::string>& comments) {
    std::string text;
    for (const std::string& comment : comments) text += fmt::format("; {}\n", printable(comment));
    return text;
  }
  [[nodiscard]] std::string comments_at(std::size_t moves) const {
    return comments_text(moves == 0 ? open_.record.comments : open_.record.moves[moves - 1].comments);
  }
  [[nodiscard]] std::string head() const {
    const auto& moves = open_.record.moves;
    std::string text =
        fmt::format("{}, {} move{}", printable(program().game), moves.size(), moves.size() == 1 ? "" : "s");
    if (!open_.record.result.empty()) text += ": " + printable(open_.record.result);
    return text + "\n";
  }
  // The position after so many moves, under the move that led to it.
  std::string step_text(std::size_t to) {
    if (!go(to)) return "";
    const runtime::Position now = game().position();
    const std::string move = to == 0 ? head() : move_text(to - 1);
    DrawOptions drawing = draw_options(&look_, console_, options_.ascii);
    drawing.rest = true;
    drawing.flipped = options_.flipped;
    drawing.marks = marks_of_last_move(game());
    return move + comments_at(to) + "\n" + draw_board(program(), now, drawing);
  }

  void show_one(std::size_t at) { console_.out(step_text(std::min(at, played_))); }
  void show_all() {
    for (std::size_t i = 0; i <= played_ && console_.flush() && !interrupted(); ++i)
      console_.out((i == 0 ? "" : "\n") + step_text(i));
    show_result();
  }
  void show_moves() {
    console_.out(head() + comments_at(0));
    for (std::size_t i = 0; i < played_; ++i) console_.out(move_text(i) + comments_at(i + 1));
    show_result();
  }
  void show_result() {
    if (misfit_) return;
    go(played_);
    const auto outcome = game().outcome();
    if (outcome && *outcome)
      console_.out(outcome_text(open_.loaded, **outcome) + "\n");
    else
      console_.out((open_.record.result.empty() ? "unfinished" : printable(open_.record.result)) + "\n");
  }

  Exit write_pgn() {
    const auto text = pgn_text(open_);
    if (!text) {
      console_.error("--pgn: " + text.error().message);
      return Exit::at_fault;
    }
    if (options_.pgn == "-") {
      console_.out(*text);
    } else if (const auto written = write_text_file(options_.pgn, *text); !written) {
      console_.error(written.error());
      return Exit::files;
    }
    return Exit::good;
  }

  // At a terminal, as the person wishes. False: nobody sits there.
  bool walk() {
    if (options_.choice.file == "-") return false;
    LineReader reader;
    if (!reader.interactive()) return false;
    console_.out(step_text(0) + "\n" + std::string(kKeys));
    while (console_.flush()) {
      const auto line = reader.read(fmt::format("{}/{}> ", at_, played_));
      if (!line || !obey(*line)) return true;
    }
    return true;
  }
  bool obey(const std::string& line) {
    std::size_t to = at_;
    const char* end = line.data() + line.size();
    const auto [last, error] = std::from_chars(line.data(), end, to);
    const bool back = line == "b" || line == "p";
    if (line == "quit" || line == "q" || line == "exit") return false;
    if (line.empty() || line == "n")
      to = at_ + 1;
    else if (back && at_ == 0)
      return console_.out("this is the beginning\n"), true;
    else if (back)
      to = at_ - 1;
    else if (line == "start")
      to = 0;
    else if (line == "end")
      to = played_;
    else if (last != end || error == std::errc::invalid_argument)
      return console_.out(kKeys), true;
    else if (error != std::errc() || to > played_)
      return console_.out(fmt::format("there is no such move; the last one is {}\n", played_)), true;
    console_.out(to > played_ ? "this is the last move\n" : step_text(to));
    if (to >= played_) show_result();
    return true;
  }

  Json step_json(std::size_t i) {
    Json json = Json::object();
    if (i > 0) {
      json["number"] = i;
      json["player"] = program().players[static_cast<std::size_t>(open_.replayed.players[i - 1])].name;
      json["move"] = open_.replayed.moves[i - 1];
    }
    json["comments"] = i == 0 ? open_.record.comments : open_.record.moves[i - 1].comments;
    if (go(i)) json["position"] = to_json(program(), game().position());
    return json;
  }
  Json outcome_json() {
    const auto outcome = game().outcome();
    if (!outcome || !*outcome) return nullptr;
    return tools::outcome_json(open_.loaded, **outcome);
  }
  void show_json() {
    Json tags = Json::array();
    for (const auto& [name, value] : open_.record.tags) tags.push_back({{"name", name}, {"value", value}});
    Json json = {{"ok", !misfit_.has_value()},
                 {"game", program().game},
                 {"rules_changed", open_.replayed.rules_changed},
                 {"tags", tags},
                 {"result", open_.record.result.empty() ? Json() : Json(open_.record.result)},
                 {"error", nullptr}};
    if (misfit_)
      json["error"] = {{"line", misfit_->line}, {"column", misfit_->column}, {"message", misfit_->message}};
    const std::size_t first = options_.at ? std::min(*options_.at, played_) : 0;
    const std::size_t last = options_.at ? first : played_;
    Json steps = Json::array();
    for (std::size_t i = first; i <= last && !interrupted(); ++i) steps.push_back(step_json(i));
    json["steps"] = std::move(steps);
    go(played_);
    json["outcome"] = outcome_json();
    console_.out(to_document(json));
  }

  // `done`, unless the record is at fault.
  Exit finish(Exit done = Exit::good) {
    if (interrupted()) return Exit::interrupted;
    if (open_.replayed.rules_changed)
      console_.note("note: the rules have changed since this record was made, or this version reads them "
                    "otherwise\n");
    if (!misfit_) return done;
    const std::string name = options_.choice.file == "-" ? "standard input" : options_.choice.file;
    console_.note(fmt::format("{}:{}:{}: error: {}\n{}", printable(name), misfit_->line, misfit_->column,
                              printable(misfit_->message), misfit_->details));
    return Exit::at_fault;
  }

  OpenRecord& open_;
  const ReplayOptions& options_;
  Console& console_;
  interpreter::Look look_;
  std::optional<Misfit> misfit_;
  std::size_t played_; // moves of the record that could be played
  std::size_t at_;     // moves played in the game as it is now
};

// All games of the file, or the chosen one, in another format. What can't be written is told, and left out.
Exit write_games(const ReplayOptions& options, WrittenFormat format, Console& console) {
  const std::string file = printable(options.choice.file == "-" ? "standard input" : options.choice.file);
  Exit worst = Exit::good;
  bool first = true;
  const auto failed = [&](std::uint32_t line, std::uint32_t column, const std::string& why) {
    console.note(fmt::format("{}:{}:{}: error: {}\n", file, line, column, printable(why)));
    worst = Exit::at_fault;
  };
  const Exit opened = open_each_record(options.choice, console, [&](OpenRecord& open) {
    if (const auto misfit = misfit_of(open.loaded, open.record, open.replayed)) {
      failed(misfit->line, misfit->column, misfit->message);
    } else if (const auto text = written_game(open, format)) {
      console.out((first ? "" : "\n") + *text);
      first = false;
    } else {
      failed(text.error().line, text.error().column, text.error().message);
    }
    return console.flush() && !interrupted();
  });
  return std::max(worst, opened);
}

Exit replay(const ReplayOptions& options, Console& console) {
  if (const auto format = written_format(options.to)) return write_games(options, *format, console);
  auto open = open_record(options.choice, console);
  if (!open) return open.error();
  return Replay(*open, options, console).run();
}

std::string known_format(const std::string& text) {
  if (written_format(text)) return text;
  throw CLI::ValidationError(
      "--to", fmt::format("`{}` is none of {}", printable(text), fmt::join(written_formats(), ", ")));
}

// Neither goes with what asks for another answer.
void add_replay_pictures(CLI::App& app, ReplayOptions& options, const std::vector<CLI::Option*>& others) {
  auto* svg = app.add_option("--svg", options.svg,
                             "Draws each position as a picture, into this folder: 000.svg, 001.svg …")
                  ->type_name("FOLDER");
  auto* html = app.add_option("--html", options.html,
                              "Writes a page that plays the game in a browser; - for standard output")
                   ->type_name("PAGE");
  auto* pgn =
      app.add_option("--pgn", options.pgn, "Writes the game in Portable Game Notation; - for standard output")
          ->type_name("FILE");
  auto* to = app.add_option_function<std::string>(
                    "--to", [&options](const std::string& text) { options.to = known_format(text); },
                    "Writes all games, or that of --game, to standard output in this format: " +
                        fmt::format("{}", fmt::join(written_formats(), ", ")))
                 ->type_name("FORMAT");
  for (CLI::Option* picture : {svg, html}) picture->excludes(pgn);
  for (CLI::Option* other : {svg, html, pgn}) to->excludes(other);
  for (CLI::Option* picture : {svg, html, pgn, to}) {
    for (CLI::Option* other : others) picture->excludes(other);
    picture->excludes("--json");
  }
}

} // namespace

void declare_replay(CommandLine& line) {
  auto& options = line.options<ReplayOptions>();
  CLI::App& command = line.add(
      "replay", "Replays a recorded game, step by step",
      "  boardwright play GAME --record game.txt\n  boardwright replay game.txt\n"
      "  boardwright replay game.txt --at 12\n  boardwright replay games.txt --game 3 --moves\n"
      "  boardwright replay game.txt --html game.html\n  boardwright replay game.txt --pgn game.pgn\n"
      "  boardwright replay games.pgn --to record > games.txt\n"
      "  boardwright replay game.txt --svg frames\n  boardwright replay game.txt --json\n"
      "At a terminal Enter goes on, `b` back, a number to that move.");
  command.add_option("FILE", options.choice.file, "A record, or - for standard input")
      ->required()
      ->type_name("");
  add_number<std::size_t>(command, "--game", options.choice.game, 1, std::numeric_limits<std::size_t>::max(),
                          "Which game of a file with several (1)");
  command.add_option("--rules", options.choice.rules, "The rules, instead of those that the record names")
      ->type_name("GAME");
  auto* at = command
                 .add_option_function<std::string>(
                     "--at",
                     [&](const std::string& text) {
                       options.at = parse_number<std::size_t>("--at", text, 0, interpreter::kMaxRecordMoves);
                     },
                     "Shows only the position after so many moves")
                 ->type_name("N");
  auto* moves = command.add_flag("--moves", options.moves, "Shows only the moves");
  command.add_flag("--ascii", options.ascii, "Draws boards with ASCII signs only");
  command.add_flag("--flip", options.flipped, "Draws the board from its other side");
  add_json(command, options.json);
  add_replay_pictures(command, options, {at, moves});
  line.choices["replay --to"].words = written_formats();
  line.runs(command, [&options](Console& console) { return replay(options, console); });
}

} // namespace boardwright::tools
