// Entry points: read_kif, is_kif.
#include "tools/records/formats/kif_reader.hpp"

#include "dsl/text.hpp"
#include "tools/games/game_choice.hpp"
#include "tools/records/formats/signs.hpp"
#include "tools/records/formats/titles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace boardwright::tools {
namespace {

using interpreter::RecordError;

constexpr std::string_view kAboveMoves = "手数--"; // the line that stands above the moves
constexpr std::string_view kAboveMovesInShiftJis = "\x8e\xe8\x90\x94--";
constexpr std::string_view kColon = "：", kHandicap = "手合割", kUsual = "平手", kVariation = "変化";
constexpr std::string_view kSame = "同", kDrop = "打", kPromotes = "成", kPromotesNot = "不成";
constexpr std::string_view kResigns = "投了";

// Who plays, and when, by the tags that SGF has for it, which all writers know.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kHeaders{
    {{"先手", "PB"}, {"下手", "PB"}, {"後手", "PW"}, {"上手", "PW"}, {"開始日時", "DT"}, {"棋戦", "EV"}}};

// A sign and what it stands for.
struct Sign {
  std::string_view text;
  char means;
};
constexpr std::array<Sign, 18> kFiles = {{{"１", '1'},
                                          {"２", '2'},
                                          {"３", '3'},
                                          {"４", '4'},
                                          {"５", '5'},
                                          {"６", '6'},
                                          {"７", '7'},
                                          {"８", '8'},
                                          {"９", '9'},
                                          {"1", '1'},
                                          {"2", '2'},
                                          {"3", '3'},
                                          {"4", '4'},
                                          {"5", '5'},
                                          {"6", '6'},
                                          {"7", '7'},
                                          {"8", '8'},
                                          {"9", '9'}}};
constexpr std::array<Sign, 9> kRanks = {{{"一", 'a'},
                                         {"二", 'b'},
                                         {"三", 'c'},
                                         {"四", 'd'},
                                         {"五", 'e'},
                                         {"六", 'f'},
                                         {"七", 'g'},
                                         {"八", 'h'},
                                         {"九", 'i'}}};
constexpr std::array<Sign, 7> kDropped = {
    {{"歩", 'P'}, {"香", 'L'}, {"桂", 'N'}, {"銀", 'S'}, {"金", 'G'}, {"角", 'B'}, {"飛", 'R'}}};
// How a game ends, by the words of the last line.
struct Ending {
  std::string_view text, winner;
};
constexpr std::array<Ending, 6> kEndings = {{{"先手の勝", "b"},
                                             {"下手の勝", "b"},
                                             {"後手の勝", "w"},
                                             {"上手の勝", "w"},
                                             {"千日手", "draw"},
                                             {"持将棋", "draw"}}};

bool has_part(std::string_view text, std::string_view part) { return text.find(part) != std::string::npos; }

// What the text begins with, which is taken away.
template <class Signs>
std::optional<char> taken(std::string_view& text, const Signs& signs) {
  for (const Sign& sign : signs)
    if (text.starts_with(sign.text)) return text.remove_prefix(sign.text.size()), sign.means;
  return std::nullopt;
}

class KifReader {
public:
  explicit KifReader(std::string_view text) : lines_(text) {}

  tl::expected<ForeignGames, RecordError> read() {
    game_.game = title_of("usi", "");
    while (!error_ && !at_variation_ && !lines_.at_end()) {
      const std::uint32_t number = lines_.place().line;
      std::string_view line = *lines_.until('\n');
      if (line.ends_with('\r')) line.remove_suffix(1);
      take(line, number);
    }
    if (error_) return tl::unexpected(std::move(*error_));
    return ForeignGames{std::move(game_)};
  }

private:
  void fail(std::uint32_t line, std::size_t column, std::string message) {
    if (!error_) error_ = RecordError{line, static_cast<std::uint32_t>(column + 1), std::move(message)};
  }

  void take(std::string_view line, std::uint32_t number) {
    if (line.starts_with('*')) return comment(line.substr(1));
    if (line.starts_with('#') || line.starts_with('&')) return;
    if (line.starts_with('|'))
      return fail(number, 0, "positions that are drawn aren't read; games from the set-up are");
    if (line.starts_with(kVariation)) {
      at_variation_ = true;
      return;
    }
    for (const auto& [words, winner] : kEndings)
      if (line.starts_with("まで") && has_part(line, words)) game_.winner = winner;
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    if (begin < line.size() && dsl::is_digit(line[begin])) return numbered(line, begin, number);
    if (const std::size_t colon = line.find(kColon); colon != std::string::npos)
      header(line.substr(0, colon), line.substr(colon + kColon.size()), number);
  }

  void comment(std::string_view text) {
    std::string said = on_one_line(std::string(text));
    if (!said.empty())
      (game_.moves.empty() ? game_.comments : game_.moves.back().comments).push_back(std::move(said));
  }

  void header(std::string_view name, std::string_view value, std::uint32_t number) {
    if (name == kHandicap && !has_part(value, kUsual))
      return fail(number, 0, "games with a handicap aren't read; those from the usual set-up are");
    if (game_.tags.size() >= interpreter::kMaxRecordTags) return;
    std::string said = on_one_line(std::string(value));
    const auto known = std::find_if(kHeaders.begin(), kHeaders.end(),
                                    [&](const auto& header) { return header.first == name; });
    if (known != kHeaders.end() && known->second == "DT") std::replace(said.begin(), said.end(), '/', '-');
    game_.tags.emplace_back(std::string(known == kHeaders.end() ? name : known->second), std::move(said));
  }

  // "   1 ７六歩(77)   ( 0:16/00:00:16)"
  void numbered(std::string_view line, std::size_t begin, std::uint32_t number) {
    std::size_t at = begin;
    while (at < line.size() && dsl::is_digit(line[at])) ++at;
    at = std::min(line.find_first_not_of(' ', at), line.size());
    std::string_view text = line.substr(at);
    if (text.starts_with(kResigns)) {
      game_.winner = game_.moves.size() % 2 == 0 ? "w" : "b";
      return;
    }
    auto move = move_of(text);
    if (!move) return; // an ending of another sort: `中断`, `詰み`
    if (move->empty()) return fail(number, at, "this move can't be read");
    if (game_.moves.size() == interpreter::kMaxRecordMoves)
      return fail(number, at, fmt::format("a game has more than {} moves", interpreter::kMaxRecordMoves));
    game_.moves.push_back({std::move(*move), 0, number, static_cast<std::uint32_t>(at + 1), {}});
  }

  // As USI has it; "" where something is missing, nothing where it begins like no move.
  std::optional<std::string> move_of(std::string_view text) {
    std::string to = last_;
    if (text.starts_with(kSame)) {
      text.remove_prefix(kSame.size());
    } else {
      const auto file = taken(text, kFiles);
      if (!file) return std::nullopt;
      const auto rank = taken(text, kRanks);
      to = rank ? std::string{*file, *rank} : "";
    }
    if (to.empty()) return "";
    last_ = to;
    const std::size_t opens = std::min(text.find('('), text.size());
    std::string_view piece = text.substr(0, opens);
    if (has_part(piece, kDrop)) {
      const auto letter = taken(piece, kDropped);
      return letter ? std::string{*letter, '*'} + to : "";
    }
    const std::string_view from = text.substr(std::min(opens + 1, text.size()), 2);
    if (from.size() < 2 || !dsl::is_digit(from[0]) || from[1] < '1' || from[1] > '9') return "";
    const bool turns = piece.ends_with(kPromotes) && !piece.ends_with(kPromotesNot);
    return std::string{from[0], static_cast<char>('a' + (from[1] - '1'))} + to + (turns ? "+" : "");
  }

  SignReader lines_;
  ForeignGame game_;
  std::string last_; // the square that the last move went to
  bool at_variation_ = false;
  std::optional<RecordError> error_;
};

} // namespace

tl::expected<ForeignGames, RecordError> read_kif(std::string_view text) { return KifReader(text).read(); }

bool is_kif(std::string_view text) {
  return has_part(text, kAboveMoves) || has_part(text, std::string(kHandicap) + std::string(kColon));
}
bool is_kif_in_shift_jis(std::string_view text) { return has_part(text, kAboveMovesInShiftJis); }

} // namespace boardwright::tools
