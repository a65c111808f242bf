#include "interpreter/findings/claims.hpp"

#include "dsl/about.hpp"
#include "interpreter/lints/lints.hpp"
#include "interpreter/notation/fen.hpp"
#include "runtime/model/meter.hpp"
#include "runtime/model/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <string>

namespace boardwright::interpreter {
namespace {

using dsl::Ast;
using dsl::Form;
using runtime::Position;

// Moves that are played, and moves of a kind that are enough to tell something of it.
constexpr int kPlies = 1'500, kPliesOfGame = 120, kPliesOfShown = 6;
constexpr std::uint64_t kSteps = 60'000'000;
constexpr int kEnoughOfKind = 12;

// ---- words

std::string small_words(std::string_view text) {
  std::string small(" ");
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    const bool letter = std::isalnum(u) != 0 || c == '\'' || u >= 0x80;
    if (letter)
      small += static_cast<char>(std::tolower(u));
    else if (small.back() != ' ' || c == ',')
      small += c == ',' ? ", " : " ";
  }
  return small + " ";
}

bool says(const std::string& words, std::string_view phrase) {
  return words.find(" " + std::string(phrase) + " ") != std::string::npos ||
         words.find(" " + std::string(phrase) + ", ") != std::string::npos;
}
template <std::size_t N>
bool says_any(const std::string& words, const std::array<std::string_view, N>& phrases) {
  return std::any_of(phrases.begin(), phrases.end(), [&](auto phrase) { return says(words, phrase); });
}

PieceWays way(PieceWay one) { return 1U << static_cast<unsigned>(one); }

// The part of a text that is about moves which take nothing: up to what it says of taking.
std::string_view quiet_part(std::string_view text) {
  std::size_t end = std::min({text.find(';'), text.find('.'), text.find(':'), text.find(" (")});
  return text.substr(0, std::min(end, text.size()));
}

// Is what follows a semicolon about something else than taking, such as the other side of a tile?
bool says_of_another_state(std::string_view text) {
  constexpr std::array<std::string_view, 7> kTaking{"take",    "takes",    "taking",   "taken",
                                                    "capture", "captures", "capturing"};
  const std::size_t end = quiet_part(text).size();
  if (end >= text.size() || text[end] != ';') return false;
  return !says_any(small_words(quiet_part(text.substr(end + 1))), kTaking);
}

// Words by which a clause says more than its directions do.
constexpr std::array<std::string_view, 48> kOpen{
    "any",    "all",    "every",    "leaps",   "leap",   "jumps", "jump",  "hops",   "not",     "never",
    "no",     "except", "unless",   "if",      "when",   "while", "until", "then",   "takes",   "take",
    "taking", "taken",  "captures", "capture", "first",  "also",  "swaps", "places", "pushes",  "like",
    "as",     "line",   "lines",    "turns",   "slides", "stack", "along", "track",  "towards", "toward",
    "after",  "queen",  "twice",    "up",      "down",   "level", "own",   "over"};

// The ways of "diagonally forward", "sideways": a part of a clause that has no "or"; 0 where it names none.
PieceWays ways_in(const std::string& part) {
  constexpr std::array<std::string_view, 2> kAslant{"diagonally", "diagonal"};
  constexpr std::array<std::string_view, 4> kStraight{"orthogonally", "orthogonal", "straight", "vertically"};
  constexpr std::array<std::string_view, 4> kAhead{"forward", "forwards", "ahead", "onward"};
  constexpr std::array<std::string_view, 4> kBack{"backward", "backwards", "back", "behind"};
  constexpr std::array<std::string_view, 4> kAside{"sideways", "sideward", "sidewards", "horizontally"};
  const bool aslant = says_any(part, kAslant), straight = says_any(part, kStraight);
  const bool ahead = says_any(part, kAhead), back = says_any(part, kBack), aside = says_any(part, kAside);
  if (!aslant && !straight && !ahead && !back && !aside) return 0;
  const PieceWays all_ahead = way(PieceWay::ahead) | way(PieceWay::ahead_aslant);
  const PieceWays all_back = way(PieceWay::back) | way(PieceWay::back_aslant);
  const PieceWays all_aslant = way(PieceWay::ahead_aslant) | way(PieceWay::back_aslant);
  PieceWays told = (ahead ? all_ahead : 0U) | (back ? all_back : 0U) | (aside ? way(PieceWay::aside) : 0U);
  if (told == 0) told = all_ahead | all_back | way(PieceWay::aside);
  if (aslant && !straight) told &= all_aslant;
  if (straight && !aslant) told &= ~all_aslant;
  return told;
}

} // namespace

std::optional<PieceWays> ways_told(std::string_view text) {
  std::string words = small_words(quiet_part(text));
  if (says_any(words, kOpen) || says_of_another_state(text)) return std::nullopt;
  constexpr std::array<std::string_view, 3> kJoints{" or ", " and ", ","};
  PieceWays told = 0;
  while (!words.empty()) {
    std::size_t end = words.size(), next = words.size();
    for (const std::string_view joint : kJoints)
      if (const auto at = words.find(joint); at < end) end = at, next = at + joint.size();
    told |= ways_in(words.substr(0, end) + " ");
    words = next >= words.size() ? "" : " " + words.substr(next);
  }
  return told == 0 ? std::nullopt : std::optional(told);
}

namespace {

// Where one of several phrases begins; npos where none does, or more than one.
template <std::size_t N>
std::size_t only_place(const std::string& words, const std::array<std::string_view, N>& phrases) {
  std::size_t found = std::string::npos;
  for (const std::string_view phrase : phrases)
    for (std::size_t at = words.find(phrase); at != std::string::npos; at = words.find(phrase, at + 1)) {
      if (found != std::string::npos) return std::string::npos;
      found = at;
    }
  return found;
}

// Is it the other player of whom a clause speaks that goes on at `at`?
bool is_of_other(const std::string& words, std::size_t at) {
  constexpr std::size_t kClose = 24;
  const std::size_t begin = at < kClose ? 0 : at - kClose;
  std::string before = words.substr(begin, at - begin);
  if (const auto comma = before.rfind(','); comma != std::string::npos) before.erase(0, comma);
  return before.find("opponent") != std::string::npos || before.find("enemy") != std::string::npos ||
         before.find(" other") != std::string::npos;
}

std::optional<Stuck> told_in_sentence(const std::string& words) {
  constexpr std::array<std::string_view, 9> kStuck{
      " can't move ",    " cannot move ", " can not move ",   " has no move ",      " have no move ",
      " no legal move ", " can't move,",  " unable to move ", " has no legal move "};
  constexpr std::array<std::string_view, 5> kLoses{" loses ", " lose ", " has lost ", " have lost ",
                                                   " loses,"};
  constexpr std::array<std::string_view, 3> kWins{" wins ", " win ", " has won "};
  constexpr std::array<std::string_view, 12> kElse{"draw", "drawn", "tie", "pass",   "passes", "score",
                                                   "turn", "check", "nor", "unless", "or",     "and"};
  if (says_any(words, kElse) || says(words, "they")) return std::nullopt;
  const bool of_anybody = says(words, "player") || says(words, "whoever");
  if (says(words, "he") && !of_anybody) return std::nullopt; // who may be of one side
  const std::size_t stuck = only_place(words, kStuck);
  const std::size_t loses = only_place(words, kLoses), wins = only_place(words, kWins);
  if (stuck == std::string::npos || (loses == std::string::npos) == (wins == std::string::npos))
    return std::nullopt;
  const bool same = is_of_other(words, stuck) == is_of_other(words, std::min(loses, wins));
  return (loses != std::string::npos) == same ? Stuck::loses : Stuck::wins;
}

} // namespace

std::optional<Stuck> stuck_told(std::string_view text, const std::vector<std::string>& names) {
  std::optional<Stuck> told;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min({text.find('.', begin), text.find(';', begin), text.size()});
    const std::string sentence = small_words(text.substr(begin, end - begin));
    const bool named = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      const std::string small = small_words(name);
      return sentence.find(small.substr(0, small.size() - 1)) != std::string::npos; // in the plural, too
    });
    if (const auto one = named ? std::nullopt : told_in_sentence(sentence)) {
      if (told && *told != *one) return std::nullopt;
      told = one;
    }
    begin = end + 1;
  }
  return told;
}

namespace {

class Claims {
public:
  Claims(const std::shared_ptr<const runtime::Rules>& rules, const dsl::RuleFile& file, dsl::Diagnostics& out)
      : rules_(rules), program_(rules->program()), file_(file), out_(out) {}

  void report(const std::vector<Position>& shown, std::uint64_t seed) {
    stuck();
    find_ways();
    if (told_.empty()) return;
    runtime::Random random(seed);
    for (const Position& position : shown) play(position, kPliesOfShown, random);
    while (plies_ < kPlies && steps_ < kSteps && !runtime::Meter::gave_up()) {
      const int before = plies_;
      play(program_.initial, kPliesOfGame, random);
      if (plies_ == before) break;
    }
    for (const auto& [kind, told] : told_) ways(kind, told);
  }

private:
  struct Told {
    PieceWays ways = 0;
    dsl::Span text;
  };
  struct Seen {
    int moves = 0, unlike = 0;
    std::optional<Position> first; // before the first one that is unlike
    int from = -1, to = -1;
  };

  // ---- who can't move

  // Players and kinds, of whom a sentence may tell something else than of any player.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& player : program_.players) names.push_back(player.name);
    for (const auto& kind : program_.kinds) names.push_back(kind.name);
    return names;
  }

  // Does a condition hold whenever there is no move?
  static bool follows_from_no_move(const Ast& condition) {
    const Ast& n = bare(condition);
    if (n.form == Form::no_move) return true;
    return n.form == Form::either && std::any_of(n.kids.begin(), n.kids.end(),
                                                 [](const Ast& kid) { return follows_from_no_move(kid); });
  }
  // The line of `end` that is for who can't move; null where another one may come first, or it isn't plain.
  [[nodiscard]] const dsl::EndRule* line_for_stuck() const {
    for (const dsl::EndRule& line : file_.end) {
      bool no_move = false;
      each_node(line.condition, [&](const Ast& n) { no_move = no_move || n.form == Form::no_move; });
      if (!no_move) continue;
      const bool plain = line.player.empty() && !line.score && line.shares.empty();
      return plain && follows_from_no_move(line.condition) ? &line : nullptr;
    }
    return nullptr;
  }

  void stuck() {
    if (program_.player_count() != 2) return;
    const dsl::EndRule* line = line_for_stuck();
    if (line == nullptr || line->span.file != file_.file) return;
    const Stuck is = line->verdict == dsl::EndVerdict::win    ? Stuck::wins
                     : line->verdict == dsl::EndVerdict::lose ? Stuck::loses
                                                              : Stuck::draws;
    for (const auto& [name, text] : file_.about) {
      if (name.span.file != file_.file || !tells_rules(name.text)) continue;
      const auto told = stuck_told(text, names());
      if (!told || *told == is) continue;
      constexpr std::array<std::string_view, 3> kResults{"loses", "wins", "has a draw"};
      auto& warning =
          out_.warning("unlike-words", line->span,
                       fmt::format("by this line who can't move {}", kResults[static_cast<std::size_t>(is)]));
      warning.help =
          fmt::format("`{}` says that he {}: one of the two is wrong",
                      name.text.empty() ? "about" : name.text, kResults[static_cast<std::size_t>(*told)]);
      warning.related.push_back({name.span, "what people are told"});
      return;
    }
  }
  static bool tells_rules(const std::string& name) {
    return name.empty() || name == dsl::kAim || name == "summary" || name == "rules";
  }
  // ---- how kinds move

  void find_ways() {
    const auto& board = program_.board;
    if (board.hexes || board.endless() || board.stacks || !file_.board.tracks.empty() ||
        !file_.board.lines.empty() || !file_.board.curves.empty())
      return;
    const auto has_forward = [](const auto& player) { return player.dx != 0 || player.dy != 0; };
    if (!std::all_of(program_.players.begin(), program_.players.end(), has_forward)) return;
    for (const auto& [name, text] : file_.about) {
      if (!name.text.starts_with(dsl::kOfKind) || name.span.file != file_.file) continue;
      const std::string kind = name.text.substr(dsl::kOfKind.size());
      const auto ways = ways_told(text);
      for (std::size_t k = 0; ways && k < program_.kinds.size(); ++k)
        if (program_.kinds[k].name == kind) told_[static_cast<int>(k)] = {*ways, name.span};
    }
  }

  void play(const Position& from, int most, runtime::Random& random) {
    runtime::Game game(rules_, from);
    Position before = game.position();
    for (int ply = 0; ply < most && plies_ < kPlies && game.steps() < kSteps; ++ply) {
      const auto drawn = game.draw(random);
      if (!drawn || !*drawn || !game.play(**drawn)) break;
      ++plies_;
      Position after = game.position();
      note(before, after);
      before = std::move(after);
    }
    steps_ += game.steps();
  }

  // A piece of the mover's has gone from one cell to an empty one, and nothing else on the board has changed.
  void note(const Position& before, const Position& after) {
    int from = -1, to = -1;
    for (std::size_t cell = 0; cell < before.cells.size(); ++cell) {
      if (before.cells[cell] == after.cells[cell]) continue;
      const bool left = before.cells[cell].size() == 1 && after.cells[cell].empty();
      const bool came = before.cells[cell].empty() && after.cells[cell].size() == 1;
      int& place = left ? from : to;
      if ((!left && !came) || place >= 0) return;
      place = static_cast<int>(cell);
    }
    if (from < 0 || to < 0 || before.hands != after.hands) return;
    const runtime::Piece piece = before.cells[static_cast<std::size_t>(from)].front();
    if (piece.owner != before.to_move || after.cells[static_cast<std::size_t>(to)].front() != piece) return;
    const auto told = told_.find(piece.kind);
    if (told == told_.end()) return;
    const PieceWay went = way_of(piece.owner, from, to);
    if (went == PieceWay::other) return; // to another board, say, or by a leap that is told elsewhere
    Seen& seen = seen_[piece.kind];
    ++seen.moves;
    if ((told->second.ways & way(went)) != 0) return;
    if (seen.unlike++ > 0) return;
    seen.first = before;
    seen.from = from;
    seen.to = to;
  }

  [[nodiscard]] PieceWay way_of(int player, int from, int to) const {
    const auto& board = program_.board;
    const auto a = static_cast<std::size_t>(from), b = static_cast<std::size_t>(to);
    const int dx = board.x[b] - board.x[a], dy = board.y[b] - board.y[a];
    const auto& his = program_.players[static_cast<std::size_t>(player)];
    const int ahead = dx * his.dx + dy * his.dy, aside = std::abs(dx * his.dy - dy * his.dx);
    if (aside == 0) return ahead > 0 ? PieceWay::ahead : PieceWay::back;
    if (ahead == 0) return PieceWay::aside;
    if (std::abs(ahead) != aside) return PieceWay::other;
    return ahead > 0 ? PieceWay::ahead_aslant : PieceWay::back_aslant;
  }

  void ways(int kind, const Told& told) {
    const auto found = seen_.find(kind);
    if (found == seen_.end()) return;
    const Seen& seen = found->second;
    if (seen.moves < kEnoughOfKind || seen.unlike * 4 < seen.moves || !seen.first) return;
    const std::string& name = program_.kinds[static_cast<std::size_t>(kind)].name;
    const auto cell = [&](int c) { return program_.board.name[static_cast<std::size_t>(c)]; };
    auto& warning = out_.warning("unlike-words", rule_for(name).value_or(told.text),
                                 fmt::format("`{}` doesn't move as `about` says", name));
    warning.help = fmt::format("{} of {} moves were other ones, as from {} to {}: one of the two is wrong",
                               seen.unlike, seen.moves, cell(seen.from), cell(seen.to));
    warning.related.push_back({told.text, "what people are told"});
    if (auto fen = write_fen(program_, *seen.first)) warning.position = std::move(*fen);
  }

  // The body for a kind, where only one definition by kind says how it moves.
  [[nodiscard]] std::optional<dsl::Span> rule_for(const std::string& kind) const {
    std::optional<dsl::Span> found;
    for (const dsl::Definition& d : file_.define)
      for (const auto& [who, body] : d.cases) {
        if (who.text != kind || body.span.file != file_.file || !is_walk(body)) continue;
        if (found) return std::nullopt;
        found = body.span;
      }
    return found;
  }
  static bool is_walk(const Ast& body) {
    bool found = false;
    each_node(body, [&](const Ast& n) {
      found = found || n.form == Form::lift || n.form == Form::go || n.form == Form::put ||
              (n.form == Form::call && (n.word == "step" || n.word == "ride" || n.word == "fly"));
    });
    return found;
  }

  const std::shared_ptr<const runtime::Rules>& rules_;
  const runtime::Program& program_;
  const dsl::RuleFile& file_;
  dsl::Diagnostics& out_;
  std::map<int, Told> told_; // by kind
  std::map<int, Seen> seen_;
  int plies_ = 0;
  std::uint64_t steps_ = 0;
};

} // namespace

void report_claims(const std::shared_ptr<const runtime::Rules>& rules, const dsl::RuleFile& file,
                   const std::vector<Position>& shown, std::uint64_t seed, dsl::Diagnostics& out) {
  Claims(rules, file, out).report(shown, seed);
}

} // namespace boardwright::interpreter
