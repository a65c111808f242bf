// Each command is answered before the next one is read, so that one thread does all.
#include "tools/commands/gtp.hpp"

#include "dsl/text.hpp"
#include "interpreter/notation/fen_players.hpp"
#include "interpreter/notation/position_text.hpp"
#include "interpreter/notation/record.hpp"
#include "tools/commands/gtp_handicap.hpp"
#include "tools/commands/protocol_seen.hpp"
#include "tools/console/line_reader.hpp"
#include "tools/console/text_file.hpp"
#include "tools/engines/think_time.hpp"
#include "tools/records/formats/format_of.hpp"
#include "tools/records/formats/titles.hpp"
#include "tools/records/formats/translate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#ifndef BOARDWRIGHT_VERSION
#define BOARDWRIGHT_VERSION "0.1.0"
#endif

namespace boardwright::tools {
namespace {

namespace search = runtime::search;
using Words = std::vector<std::string>;
using Answer = tl::expected<std::string, std::string>; // what stands behind `=` or `?`
using std::chrono::milliseconds;

constexpr std::int64_t kLongestSeconds =
    std::chrono::duration_cast<std::chrono::seconds>(kLongestTime).count();
constexpr std::size_t kMaxSgfBytes = std::size_t{4} << 20; // one game has some kilobytes
constexpr int kMostPasses = 4; // that are tried to see how a game would be counted

tl::unexpected<std::string> no(std::string why) { return tl::unexpected(std::move(why)); }

// As the protocol has it: no signs but tabs, which are blanks; no comment.
std::string cleaned(std::string_view line) {
  std::string text;
  for (const char c : line.substr(0, line.find('#'))) {
    if (c == '\t')
      text += ' ';
    else if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f)
      text += c;
  }
  return text;
}

class GtpServer {
public:
  GtpServer(ProtocolEngine& engine, Console& console)
      : engine_(engine), console_(console), game_(engine.rules()) {}

  Exit run() {
    LineReader reader(kMaxProtocolLineBytes);
    while (!left_) {
      const auto line = reader.read("");
      if (!line) break;
      if (reader.too_long())
        tell("", no(fmt::format("a line of more than {} bytes isn't read", grouped(reader.longest()))));
      else
        obey(words_of(cleaned(*line)));
      if (!console_.flush()) break;
    }
    return interrupted() ? Exit::interrupted : Exit::good;
  }

private:
  using Do = Answer (GtpServer::*)(const Words& arguments);
  struct Row {
    std::string_view word;
    std::size_t arguments; // at least
    Do does;
  };
  static const std::vector<Row>& rows() {
    using G = GtpServer;
    static const std::vector<Row> kRows = {
        {"protocol_version", 0, &G::protocol_version},
        {"name", 0, &G::name},
        {"version", 0, &G::version},
        {"known_command", 1, &G::known_command},
        {"list_commands", 0, &G::list_commands},
        {"quit", 0, &G::quit},
        {"boardsize", 1, &G::set_size},
        {"clear_board", 0, &G::clear_board},
        {"komi", 1, &G::set_komi},
        {"play", 2, &G::play},
        {"genmove", 1, &G::generate},
        {"reg_genmove", 1, &G::generate_only},
        {"undo", 0, &G::undo},
        {"fixed_handicap", 1, &G::fixed_handicap},
        {"place_free_handicap", 1, &G::place_handicap},
        {"set_free_handicap", 1, &G::set_handicap},
        {"loadsgf", 1, &G::load_sgf},
        {"showboard", 0, &G::show_board},
        {"final_score", 0, &G::final_score},
        {"time_settings", 3, &G::time_settings},
        {"time_left", 3, &G::time_left},
    };
    return kRows;
  }

  // A number before the command comes back before the answer.
  void obey(Words words) {
    if (words.empty()) return;
    const bool numbered = dsl::number_in<std::uint64_t>(words.front()).has_value();
    const std::string id = numbered ? words.front() : "";
    if (numbered) words.erase(words.begin());
    const auto row = std::find_if(rows().begin(), rows().end(), [&](const Row& known) {
      return !words.empty() && known.word == words.front();
    });
    if (row == rows().end()) return tell(id, no("unknown command"));
    words.erase(words.begin());
    if (words.size() < row->arguments)
      return tell(id, no(fmt::format("syntax error: {} needs {} argument{}", row->word, row->arguments,
                                     row->arguments == 1 ? "" : "s")));
    tell(id, (this->*row->does)(words));
  }

  // Two line breaks end an answer, so that it has none of its own.
  void tell(const std::string& id, const Answer& answer) {
    std::string text = answer ? *answer : printable(answer.error());
    while (text.ends_with('\n')) text.pop_back();
    for (std::size_t at = 0; (at = text.find("\n\n", at)) != std::string::npos; ++at)
      text.insert(at + 1, " ");
    console_.out(
        fmt::format("{}{}{}{}\n\n", answer ? "=" : "?", id, text.starts_with('\n') ? "" : " ", text));
  }

  [[nodiscard]] const runtime::Program& program() const { return engine_.program(); }

  // ---- about itself

  Answer protocol_version(const Words&) { return "2"; }
  Answer name(const Words&) { return "Boardwright " + printable(program().game); }
  Answer version(const Words&) { return BOARDWRIGHT_VERSION; }
  Answer known_command(const Words& words) {
    const bool known =
        std::any_of(rows().begin(), rows().end(), [&](const Row& row) { return row.word == words.front(); });
    return known ? "true" : "false";
  }
  Answer list_commands(const Words&) {
    std::string text;
    for (const Row& row : rows()) text += std::string(row.word) + "\n";
    return text;
  }
  Answer quit(const Words&) {
    left_ = true;
    return "";
  }

  // ---- the board

  [[nodiscard]] bool has_option(std::string_view name) const {
    const auto& options = program().options;
    return std::any_of(options.begin(), options.end(),
                       [&](const auto& option) { return option.name == name; });
  }
  void begin_anew() {
    begin_.clear();
    game_ = runtime::Game(engine_.rules());
    plies_.clear();
  }

  // The game as it is, by these rules; nothing where they don't allow it.
  [[nodiscard]] std::optional<runtime::Game> game_by(const std::shared_ptr<const runtime::Rules>& rules) {
    std::optional<runtime::Game> game;
    if (begin_.empty())
      game.emplace(rules);
    else
      game = interpreter::read_position(rules, "position", begin_).game;
    for (const std::uint32_t index : game ? game_.played() : std::vector<std::uint32_t>()) {
      const auto moves = game->moves();
      if (!moves || index >= moves->size() || !game->play((*moves)[index])) return std::nullopt;
    }
    return game;
  }

  // Of boards that aren't square the second number is the same, or left out.
  Answer set_size(const Words& words) {
    const auto size = dsl::number_in<int>(words[0]);
    if (!size || (words.size() > 1 && words[1] != words[0])) return no("unacceptable size");
    const auto fits = [&](const std::shared_ptr<const runtime::Rules>& rules) {
      const runtime::Board& board = rules->program().board;
      return board.files == *size && board.ranks == *size;
    };
    if (!fits(engine_.rules()) &&
        (!has_option("size") || !engine_.set_rule("size", std::to_string(*size), fits)))
      return no("unacceptable size");
    begin_anew();
    return "";
  }

  Answer clear_board(const Words&) {
    begin_anew();
    if (const auto made = engine_.new_player(); !made) return no(made.error());
    return "";
  }

  // The whole points of it: whether there is half a point more is said by the rules. Where a game has none it
  // may be told so.
  Answer set_komi(const Words& words) {
    const auto komi = dsl::number_in<double>(words[0]);
    if (!komi) return no("syntax error: komi is a number");
    if (!has_option("komi")) return *komi == 0 ? Answer("") : no("this game has no komi");
    const double whole = std::floor(std::clamp(*komi, -1e6, 1e6));
    std::optional<runtime::Game> game;
    const auto goes_on = [&](const std::shared_ptr<const runtime::Rules>& rules) {
      return (game = game_by(rules)).has_value();
    };
    if (!engine_.set_rule("komi", fmt::format("{:.0f}", whole), goes_on)) return no("unacceptable komi");
    game_ = std::move(*game);
    return "";
  }

  // The letters below a board, without I.
  static std::string as_points(std::string letters) {
    for (char& c : letters)
      if (c >= 'a' && c < 'z') c = static_cast<char>(c - 'a' + 'A' + (c >= 'i' ? 1 : 0));
    return letters;
  }

  Answer show_board(const Words&) {
    auto lines = board_lines(game_, std::nullopt);
    if (!lines) return no(lines.error().message);
    const auto ranks = static_cast<std::size_t>(program().board.ranks);
    if (!program().board.hexes && lines->size() > ranks) (*lines)[ranks] = as_points((*lines)[ranks]);
    return fmt::format("\n{}", fmt::join(*lines, "\n"));
  }

  // ---- stones that stand there before the game begins

  [[nodiscard]] bool is_empty() const {
    const runtime::Position now = game_.position();
    return game_.played().empty() &&
           std::all_of(now.cells.begin(), now.cells.end(), [](const auto& stack) { return stack.empty(); });
  }

  // Black has stones on these cells, and white is to move.
  Answer begin_with(const std::vector<int>& cells) {
    ForeignGame foreign;
    foreign.to_move = 'w';
    for (const int cell : cells)
      foreign.placed.push_back({'b', program().board.name[static_cast<std::size_t>(cell)], 0, 0});
    const auto record = translate(engine_.rules(), Format::sgf, foreign);
    if (!record) return no("this game has no handicaps");
    const std::string before = std::exchange(begin_, record->tag("Position"));
    auto game = game_by(engine_.rules());
    if (!game) {
      begin_ = before;
      return no("this game has no handicaps");
    }
    game_ = std::move(*game);
    return points_of(cells);
  }
  [[nodiscard]] std::string points_of(const std::vector<int>& cells) const {
    std::vector<std::string> points;
    for (const int cell : cells) points.push_back(point_of_gtp(program().board, cell));
    return fmt::format("{}", fmt::join(points, " "));
  }

  Answer fixed_handicap(const Words& words) {
    const auto stones = dsl::number_in<int>(words[0]);
    if (!stones) return no("syntax error: a number of stones");
    if (!is_empty()) return no("board not empty");
    const std::vector<int> cells = handicap_cells(program().board, *stones);
    return cells.empty() ? no("invalid number of stones") : begin_with(cells);
  }

  // Where there are no customary points for so many stones, for as many as there are.
  Answer place_handicap(const Words& words) {
    const auto stones = dsl::number_in<int>(words[0]);
    if (!stones) return no("syntax error: a number of stones");
    if (!is_empty()) return no("board not empty");
    const int most = most_handicap(program().board);
    if (*stones < 2 || *stones >= program().board.cells || most == 0) return no("invalid number of stones");
    return begin_with(handicap_cells(program().board, std::min(*stones, most)));
  }

  Answer set_handicap(const Words& words) {
    if (!is_empty()) return no("board not empty");
    std::vector<int> cells;
    for (const std::string& word : words) {
      const int cell = cell_of_gtp(program().board, word);
      if (cell == runtime::kNowhere || std::find(cells.begin(), cells.end(), cell) != cells.end())
        return no("bad vertex list");
      cells.push_back(cell);
    }
    if (cells.size() < 2 || static_cast<int>(cells.size()) >= program().board.cells)
      return no("bad vertex list");
    const Answer answer = begin_with(cells);
    return answer ? Answer("") : answer;
  }

  // ---- a game from a file

  // What stands in a file isn't told to whoever speaks, but where it is wrong.
  static tl::expected<ForeignGame, std::string> sgf_in(const std::string& file) {
    if (file == "-") return no("cannot load file"); // it would be the commands themselves
    const auto text = read_text_file(file, kMaxSgfBytes);
    if (!text) return no("cannot load file");
    const auto format = format_of(*text);
    if (!format || *format != Format::sgf) return no("cannot load file: it is no SGF");
    auto games = read_foreign(Format::sgf, *text);
    if (!games) return no(fmt::format("cannot load file: line {} is no SGF", games.error().line));
    return std::move(games->front());
  }

  // Sets what the file says of the game, as far as that has options for it; what was there before is added to
  // `before`.
  bool set_rules(const ForeignGame& foreign, std::vector<std::pair<std::string, std::string>>& before) {
    for (const auto& [name, value] : foreign.options) {
      const auto& known = program().options;
      const auto option = std::find_if(known.begin(), known.end(),
                                       [&name = name](const auto& row) { return row.name == name; });
      if (option == known.end() || option->value == value) continue;
      const std::string was = option->value;
      const bool set = engine_.set_rule(name, value, [](const auto&) { return true; }).has_value();
      if (set) before.emplace_back(name, was);
      if (!set && name != "komi") return false; // one that the rules haven't changes only the result
    }
    return true;
  }

  // FILE, and perhaps the number of the move that is not to be played any more.
  Answer load_sgf(const Words& words) {
    const auto number = words.size() > 1 ? dsl::number_in<std::size_t>(words[1]) : std::nullopt;
    if (words.size() > 1 && (!number || *number == 0)) return no("syntax error: a number of a move");
    const auto foreign = sgf_in(words[0]);
    if (!foreign) return no(foreign.error());
    const std::string title = foreign->game;
    if (title != program().game && !name_in_format("sgf", program().game).empty())
      return no("cannot load file: it is of another game");
    std::vector<std::pair<std::string, std::string>> before;
    const Answer loaded = set_rules(*foreign, before)
                              ? take_game(*foreign, number)
                              : Answer(no("cannot load file: this game can't be of that size"));
    if (loaded || before.empty()) return loaded;
    for (auto was = before.rbegin(); was != before.rend(); ++was) {
      const auto back = engine_.set_rule(was->first, was->second, [](const auto&) { return true; });
      if (!back) return no(back.error());
    }
    if (auto as_it_was = game_by(engine_.rules())) game_ = std::move(*as_it_was);
    return loaded;
  }

  Answer take_game(const ForeignGame& foreign, std::optional<std::size_t> number) {
    const auto record = translate(engine_.rules(), Format::sgf, foreign);
    if (!record) return no("cannot load file: its position can't be set up");
    auto replayed = interpreter::replay_record(engine_.rules(), *record);
    if (!replayed) return no("cannot load file: its position can't be set up");
    const std::size_t wanted = std::min(number.value_or(record->moves.size() + 1) - 1, record->moves.size());
    std::size_t played = replayed->moves.size();
    if (played < wanted)
      return no(fmt::format("cannot load file: line {}: move {} isn't legal by these rules",
                            record->moves[played].line, played + 1));
    if (const auto made = engine_.new_player(); !made) return no(made.error());
    for (; played > wanted; --played) replayed->game.undo();
    begin_ = record->tag("Position");
    game_ = std::move(replayed->game);
    plies_.assign(wanted, 1);
    return "";
  }

  // ---- moves

  // Black and white, or a player of that name.
  [[nodiscard]] std::optional<int> player_named(const std::string& word) const {
    const std::string said = dsl::to_lower(word);
    for (std::size_t i = 0; i < program().players.size(); ++i)
      if (said.size() > 1 && dsl::to_lower(program().players[i].name) == said) return static_cast<int>(i);
    if (said != "b" && said != "w" && said != "black" && said != "white") return std::nullopt;
    const auto player = interpreter::player_of_stone(program(), said.front());
    return player ? std::optional(static_cast<int>(*player)) : std::nullopt;
  }

  // Whose turn it isn't moves behind a pass of the other one, where he may pass.
  tl::expected<int, std::string> begin_turn_of(const std::string& colour) {
    const auto player = player_named(colour);
    if (!player) return no("syntax error: a colour is black or white");
    const auto outcome = game_.outcome();
    if (!outcome) return no(outcome.error().message);
    if (*outcome) return no("illegal move: the game is over");
    if (*player == game_.to_move()) return 0;
    const auto pass = find_protocol_move(game_, "pass", Protocol::gtp);
    if (!pass || !*pass || !game_.play(**pass))
      return no(fmt::format("illegal move: it is the turn of {}",
                            program().players[static_cast<std::size_t>(game_.to_move())].name));
    if (*player == game_.to_move()) return 1;
    game_.undo();
    return no("illegal move");
  }

  Answer play(const Words& words) {
    if (dsl::to_lower(words[1]) == "resign") return player_named(words[0]) ? Answer("") : no("syntax error");
    const auto before = begin_turn_of(words[0]);
    if (!before) return no(before.error());
    const auto move = find_protocol_move(game_, words[1], Protocol::gtp);
    const bool played = move && *move && game_.play(**move);
    if (played) return plies_.push_back(*before + 1), "";
    take_back(*before);
    return no(move ? "illegal move" : move.error().message);
  }
  void take_back(int plies) {
    for (int i = 0; i < plies; ++i) game_.undo();
  }

  Answer undo(const Words&) {
    if (plies_.empty()) return no("cannot undo");
    take_back(plies_.back());
    plies_.pop_back();
    return "";
  }

  Answer generate(const Words& words) { return generate_move(words, true); }
  Answer generate_only(const Words& words) { return generate_move(words, false); }

  Answer generate_move(const Words& words, bool plays) {
    const auto player = player_named(words[0]);
    if (!player) return no("syntax error: a colour is black or white");
    if (const auto outcome = game_.outcome(); outcome && *outcome) return at_end(**outcome, *player);
    const auto before = begin_turn_of(words[0]);
    if (!before) return no(before.error());
    const auto word = thought_move(*player);
    if (!word || !plays)
      take_back(*before + (word ? 1 : 0));
    else
      plies_.push_back(*before + 1);
    return word;
  }

  // Who has lost resigns; where one may pass one does so.
  Answer at_end(const runtime::Outcome& outcome, int player) {
    runtime::Game before(game_);
    before.undo();
    if (const auto pass = find_protocol_move(before, "pass", Protocol::gtp); pass && *pass) return "pass";
    const bool lost = outcome.winners != 0 && (outcome.winners >> static_cast<unsigned>(player) & 1U) == 0;
    return lost ? Answer("resign") : no("the game is over");
  }

  // The move that is chosen, played.
  Answer thought_move(int player) {
    search::ThinkLimits limits;
    const auto begin = std::chrono::steady_clock::now();
    if (timed_)
      limit_by(limits, begin, clocks_[static_cast<std::size_t>(player)]);
    else
      limits.deadline = begin + kUsualTime;
    limits.stop = &interrupted();
    const auto thought = engine_.player().think(game_, limits);
    if (!thought) return no(thought.error().message);
    if (!thought->move) return no("there is no move");
    const auto word = protocol_move(game_, *thought->move, Protocol::gtp);
    const auto played = word ? game_.play(*thought->move) : tl::unexpected(word.error());
    if (!played) return no(played.error().message);
    Clock& clock = clocks_[static_cast<std::size_t>(player)];
    const auto spent =
        std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begin).count();
    clock.left = std::max<std::int64_t>(0, clock.left - spent);
    return *word;
  }

  // ---- time

  static std::optional<std::int64_t> seconds_in(const std::string& text) {
    const auto seconds = dsl::number_in<std::int64_t>(text);
    return seconds && *seconds >= 0 ? std::optional(std::min(*seconds, kLongestSeconds)) : std::nullopt;
  }

  // MAIN BYOYOMI STONES: so much at first, then so much for so many moves, again and again.
  Answer time_settings(const Words& words) {
    const auto main = seconds_in(words[0]), over = seconds_in(words[1]), stones = seconds_in(words[2]);
    if (!main || !over || !stones) return no("syntax error: three numbers");
    timed_ = *over == 0 || *stones > 0; // else there is no limit
    const std::int64_t each = *stones > 0 ? *over * 1000 / *stones : 0;
    clocks_.fill({*main * 1000, 0, 0, each});
    return "";
  }

  // COLOUR TIME STONES: of the first time no stones are told.
  Answer time_left(const Words& words) {
    const auto player = player_named(words[0]);
    const auto time = seconds_in(words[1]), stones = seconds_in(words[2]);
    if (!player || !time || !stones) return no("syntax error: a colour and two numbers");
    Clock& clock = clocks_[static_cast<std::size_t>(*player)];
    clock.left = *time * 1000;
    clock.moves_to_go = static_cast<int>(std::min<std::int64_t>(*stones, 1000));
    if (*stones > 0) clock.overtime = 0; // it is counted already
    timed_ = true;
    return "";
  }

  // ---- the end

  // As it would be counted if both passed from here on, where the game goes on still.
  Answer final_score(const Words&) {
    runtime::Game game(game_);
    for (int i = 0; i < kMostPasses; ++i) {
      const auto outcome = game.outcome();
      if (!outcome) return no(outcome.error().message);
      if (*outcome) return score_of(**outcome);
      const auto pass = find_protocol_move(game, "pass", Protocol::gtp);
      if (!pass || !*pass || !game.play(**pass)) break;
    }
    return no("cannot score: the game goes on");
  }

  // By whom it is won: by how much is nothing that all rules say.
  [[nodiscard]] Answer score_of(const runtime::Outcome& outcome) const {
    if (outcome.winners != 1 && outcome.winners != 2) return "0";
    const std::size_t winner = outcome.winners == 1 ? 0 : 1;
    return interpreter::player_of_stone(program(), 'b') == winner ? "B+" : "W+";
  }

  ProtocolEngine& engine_;
  Console& console_;
  runtime::Game game_;
  std::string begin_;      // its position at first, where that isn't the set-up
  std::vector<int> plies_; // of each move: it may have a pass before it
  std::array<Clock, 2> clocks_{};
  bool timed_ = false; // somebody has said how much time there is
  bool left_ = false;
};

} // namespace

Exit serve_gtp(ProtocolEngine& engine, Console& console) { return GtpServer(engine, console).run(); }

} // namespace boardwright::tools
