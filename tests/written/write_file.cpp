#include "tests/written/writer.hpp"

#include <algorithm>

namespace boardwright::tests {
namespace {

using runtime::Random;

// How deep the rules of a file go, and how much there is of everything else.
struct Plan {
  int size = 2;
  bool wild = false; // odd letters, large numbers, large boards
};

std::string joined(const std::vector<std::string>& all, std::string_view by) {
  std::string text;
  for (const std::string& one : all) text += (text.empty() ? "" : std::string(by)) + one;
  return text;
}

std::string cell_name(int x, int y) { // from 1
  constexpr int kLetters = 26;
  const std::string first = x > kLetters ? "a" : "";
  return first + static_cast<char>('a' + (x - 1) % kLetters) + std::to_string(y);
}

// A text as YAML takes it as one plain word whatever it holds.
std::string in_quotes(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "''" : std::string(1, c);
  return result + "'";
}

class FileWriter {
public:
  FileWriter(std::uint64_t seed, bool rolls, bool tells) : random_(seed), rolls_(rolls), tells_(tells) {
    plan_.size = static_cast<int>(1 + below(3));
    plan_.wild = chance(12);
  }

  std::string text() {
    if (!tells_ && chance(6)) return family();
    add("game", "Written");
    players();
    board();
    pieces();
    hands();
    setup();
    state();
    options();
    std::string definitions = general_definitions();
    Writer writer(world_, random_.next());
    const auto count = tells_ ? 0 : below(4);
    for (std::uint64_t i = 0; i < count; ++i) definitions += definition(writer, i);
    if (!definitions.empty()) add("define", "\n" + definitions);
    turn(writer);
    ends(writer);
    if ((world_.has & kHexes) != 0 && chance(20)) add("look", "{ hexes: upright }");
    return text_;
  }

private:
  std::uint64_t below(std::uint64_t n) { return random_.below(n); }
  int between(int low, int high) {
    return low + static_cast<int>(below(static_cast<std::uint64_t>(high - low + 1)));
  }
  bool chance(std::uint64_t percent) { return random_.below(100) < percent; }
  std::string some_of(std::initializer_list<const char*> all) { return one_of(random_, all); }

  void add(std::string_view section, const std::string& value) {
    text_ += std::string(section) + ":" + (value.front() == '\n' ? "" : " ") + value;
    if (text_.back() != '\n') text_ += '\n';
  }

  // ---- players
  void players() {
    const auto lot = below(20);
    const std::size_t count = lot < 14 ? 2 : lot < 17 ? 3 : lot < 19 ? 4 : 1;
    std::vector<std::string> names{"White", "Black", "Red", "Green"};
    if (tells_ && chance(25)) names = {"Re", "Red", "Reds", "Rex"}; // one begins as the other
    world_.players.assign(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(count));
    if (count == 2) world_.has |= kTwo;
    if (count > 2) world_.has |= kMany;
    if (chance(15)) {
      add("players", "[" + joined(world_.players, ", ") + "]");
    } else {
      world_.has |= kForward;
      const std::vector<std::string> ways = chance(75)
                                                ? std::vector<std::string>{"north", "south", "east", "west"}
                                                : std::vector<std::string>{"north", "east", "west", "north"};
      std::vector<std::string> entries;
      for (std::size_t i = 0; i < count; ++i) entries.push_back(world_.players[i] + ": " + ways[i]);
      add("players", "{ " + joined(entries, ", ") + " }");
    }
    if (chance(5)) add("first", world_.players[below(count)]);
  }

  // ---- the board
  void board() {
    if (!tells_ && chance(6)) return endless();
    world_.has |= kEdges;
    std::vector<std::string> entries{shape()};
    const int area = world_.files * world_.ranks;
    if (area > 5 && chance(8)) entries.push_back(holes());
    if ((world_.has & kSquares) != 0 && area > 1 && chance(8)) entries.push_back(lines());
    if (world_.files >= 2 && world_.ranks >= 2 && hexagon_ == 0 && chance(12)) entries.push_back(tracks());
    if ((world_.has & kSquares) != 0 && world_.files >= 2 && world_.ranks >= 2 && chance(6)) {
      world_.has |= kCurves;
      entries.push_back(
          some_of({"curves: [b1 south a2 east]", "curves: [a1 west b2 north, b1 south a2 east]"}));
    }
    if (chance(18)) {
      stacks_ = true;
      entries.push_back("stacks: true");
    }
    world_.has |= stacks_ ? kStacks : kFlat;
    slants_ = (world_.has & kHexes) != 0 && chance(25);
    if (slants_) entries.emplace_back("slant: right");
    name_cells(entries);
    add("board", "{ " + joined(entries, ", ") + " }");
  }

  // Without edges, as small as it may be, so that pieces soon meet at the back.
  void endless() {
    const bool hexes = chance(50);
    const int margin = between(2, 3), reach = margin + between(1, 4);
    endless_ = true;
    world_.has |= kEndless | (hexes ? kHexes : kSquares);
    world_.files = world_.ranks = margin + reach;
    stacks_ = chance(25);
    world_.has |= stacks_ ? kStacks : kFlat;
    slants_ = hexes && chance(25);
    for (int y = 1; y <= reach; ++y)
      for (int x = 1; x <= reach; ++x)
        world_.cells.push_back(cell_name(1 + (x + reach) % (reach + margin), y));
    add("board", "{ " + std::string(hexes ? "hexes" : "squares") +
                     ": endless, reach: " + std::to_string(reach) + ", margin: " + std::to_string(margin) +
                     (stacks_ ? ", stacks: true" : "") + (slants_ ? ", slant: right" : "") + " }");
  }

  std::string shape() {
    if (tells_) return small_shape();
    const bool large = plan_.wild && chance(25);
    world_.files = large ? between(8, 10) : between(1, 5);
    world_.ranks = large ? between(7, 9) : between(1, 5);
    if (chance(30)) world_.files = world_.ranks = between(3, 4);
    if (world_.files * world_.ranks < 2) world_.files = 2;
    const std::string size = std::to_string(world_.files) + " by " + std::to_string(world_.ranks);
    const auto lot = below(20);
    if (lot < 15) {
      world_.has |= kSquares;
      if (world_.files == world_.ranks)
        world_.has |= (world_.has & (kForward | kTwo)) == (kForward | kTwo) ? kOpenings : kAnywhere;
      return chance(8) ? picture() : "squares: " + size;
    }
    world_.has |= kHexes;
    if (lot < 18) return "hexes: " + size;
    hexagon_ = between(2, 3);
    world_.files = world_.ranks = 2 * hexagon_ - 1;
    return "hexagon: " + std::to_string(hexagon_);
  }

  // Of few cells, since a story chooses several; of names that begin as others do: `a1` and `a11`, `aa1`.
  std::string small_shape() {
    const auto lot = below(20);
    world_.files = lot < 11 ? 3 : lot < 13 ? between(2, 4) : lot < 15 ? 2 : lot < 17 ? between(27, 28) : 3;
    world_.ranks = lot < 11 ? 3 : lot < 13 ? 2 : lot < 15 ? 11 : lot < 17 ? 1 : between(2, 3);
    const bool hexes = lot >= 17;
    world_.has |= hexes ? kHexes : kSquares;
    return (hexes ? "hexes: " : "squares: ") + std::to_string(world_.files) + " by " +
           std::to_string(world_.ranks);
  }

  // All cells of the rectangle, drawn.
  [[nodiscard]] std::string picture() const {
    std::string row(static_cast<std::size_t>(world_.files), '.'), text = "picture: \"";
    for (int y = 0; y < world_.ranks; ++y) text += row + "\\n";
    return text + "\"";
  }

  std::string lines() {
    std::vector<std::string> all{"ranks"};
    if (chance(80)) all.emplace_back("files");
    const int n = std::min(world_.files, world_.ranks);
    if (n > 1 && chance(60)) all.push_back("a1.." + cell_name(n, n));
    if (n > 2 && chance(30)) all.push_back("a1 " + cell_name(n, n - 1));
    return "lines: [" + joined(all, ", ") + "]";
  }

  // Round the edge, and up the first file.
  std::string tracks() {
    std::vector<std::string> round;
    for (int x = 1; x <= world_.files; ++x) round.push_back(cell_name(x, 1));
    for (int x = world_.files; x >= 1; --x) round.push_back(cell_name(x, world_.ranks));
    round.emplace_back("a1");
    world_.has |= kTracks;
    world_.tracks = {"round"};
    if (world_.ranks < 3 || chance(50)) return "tracks: { round: " + joined(round, " ") + " }";
    world_.tracks.emplace_back("path");
    std::vector<std::string> path;
    for (int y = 1; y <= world_.ranks; ++y) path.push_back(cell_name(1 + y % 2, y));
    return "tracks: { round: " + joined(round, " ") + ", path: " + joined(path, " ") + " }";
  }

  // Cells that are taken away, and perhaps stepped over.
  std::string holes() {
    const bool slope = hexagon_ == 0 && chance(40);
    const std::string cell = cell_name(1 + static_cast<int>(below(2)), (world_.ranks + 1) / 2);
    for (int y = 1; y <= world_.ranks; ++y)
      for (int x = 1; x <= world_.files; ++x)
        if (slope ? x + y > 6 : cell_name(x, y) == cell) holes_.push_back(cell_name(x, y));
    return "holes: " + (slope ? "(c in board where x(c) + y(c) > 6)" : cell) +
           (chance(40) ? ", steps: over holes" : "");
  }

  [[nodiscard]] bool is_cell(int x, int y) const {
    if (std::find(holes_.begin(), holes_.end(), cell_name(x, y)) != holes_.end()) return false;
    const int sum = (slants_ ? world_.files + 1 - x : x) + y;
    return hexagon_ == 0 || (sum > hexagon_ && sum < 3 * hexagon_);
  }

  [[nodiscard]] int lowest_of(int x) const {
    int y = 1;
    while (!is_cell(x, y)) ++y; // every file of a hexagon has some
    return y;
  }

  void name_cells(std::vector<std::string>& entries) {
    const bool by_row =
        chance(4) && entries.size() == 1 && hexagon_ == 0 && world_.ranks < 10 && world_.files <= 10;
    if (by_row) entries.emplace_back("names: row column");
    const bool by_file = hexagon_ != 0 && holes_.empty() && chance(40);
    if (by_file) entries.emplace_back("names: by file");
    for (int y = 1; y <= world_.ranks; ++y)
      for (int x = 1; x <= world_.files; ++x) {
        if (!is_cell(x, y)) continue;
        const int number = (world_.ranks + 1 - y) * 10 + x;
        world_.cells.push_back(by_row ? "cell(" + std::to_string(number) + ")"
                                      : cell_name(x, by_file ? y + 1 - lowest_of(x) : y));
      }
    if (!by_row && world_.files <= 10 && chance(4))
      entries.emplace_back("letters: without m"); // no file is as far as that
    // Tracks and curves are written before it.
    if (tells_ && !by_row && world_.tracks.empty() && (world_.has & kCurves) == 0 && chance(40))
      return odd_names(entries);
    if (entries.size() != 1 || hexagon_ != 0 || !chance(4)) return;
    entries.push_back("names: { centre: " + world_.cells.back() + " }");
    world_.cells.back() = "centre";
  }

  // Names that a move may be taken for something else by: what is taken, a letter and a cell, two cells.
  void odd_names(std::vector<std::string>& entries) {
    const std::vector<std::string> odd{"x", "a", "b", "xa", "xb", "ab", "a_1", "xa1", "h", "bb"};
    std::vector<std::string> named;
    const std::size_t first = below(odd.size());
    for (auto n = 1 + below(3); n > 0 && n <= world_.cells.size(); --n) {
      std::string& cell = world_.cells[below(world_.cells.size())];
      if (std::find(odd.begin(), odd.end(), cell) != odd.end()) continue;
      const std::string name = odd[(first + n) % odd.size()];
      if (std::find(world_.cells.begin(), world_.cells.end(), name) != world_.cells.end()) continue;
      named.push_back(name + ": " + cell);
      cell = name;
    }
    entries.push_back("names: { " + joined(named, ", ") + " }");
  }

  // ---- pieces
  // A letter that no piece has yet.
  std::string letter(const std::string& usual) {
    static const std::string kOdd = "?!*+-_=@$%&~^/|1290()[]{}<>,;:";
    std::string l = usual;
    static const std::string kLikeCells = "abcxX123A";
    if (plan_.wild && chance(30)) l = std::string(1, kOdd[below(kOdd.size())]);
    if (tells_ && chance(30)) l = std::string(1, kLikeCells[below(kLikeCells.size())]);
    while (letters_.find(l) != std::string::npos) l = std::string(1, static_cast<char>('c' + below(20)));
    letters_ += l;
    world_.letters.push_back(l);
    return l;
  }

  void kind(const std::string& name, const std::vector<std::string>& usual, std::string& text) {
    std::vector<std::string> own;
    for (std::size_t i = 0; i < world_.players.size(); ++i) own.push_back(letter(usual[i]));
    text += "  " + name + ": " + in_quotes(joined(own, " ")) + "\n";
    world_.kinds.push_back(name);
    for (std::size_t i = 0; i < own.size(); ++i) signs_.push_back({own[i], i});
  }

  void pieces() {
    std::string text = "\n";
    kind("man", {"w", "b", "r", "g"}, text);
    if (chance(60)) kind("king", {"W", "B", "R", "G"}, text);
    if (world_.kinds.size() > 1) world_.has |= kKinds;
    if (chance(20)) {
      const std::string l = letter("x");
      text += "  rock: " + in_quotes("neutral " + l) + "\n";
      world_.neutral_kinds.emplace_back("rock");
      world_.has |= kNeutral;
      signs_.push_back({l, 0});
    }
    if (chance(20)) family_of_kinds(text);
    add("pieces", text);
  }

  void family_of_kinds(std::string& text) {
    text += "  token:\n";
    for (int number = 1; number <= between(2, 3); ++number) {
      std::string line;
      kind("token(" + std::to_string(number) + ")", {"t", "T", "u", "U"}, line);
      text += "    " + std::to_string(number) + line.substr(line.find("): ") + 1);
    }
    world_.has |= kFamily;
  }

  void hands() {
    if (!chance(25)) return;
    std::string text = "{ man: " + std::to_string(between(0, 4));
    world_.hand_kinds.emplace_back("man");
    if (world_.kinds.size() > 1 && world_.kinds[1] == "king" && chance(50)) {
      text += ", king: " + std::to_string(between(0, 2));
      world_.hand_kinds.emplace_back("king");
    }
    world_.has |= kHands;
    add("hands", text + " }");
  }

  // ---- the set-up
  std::string sign() {
    const std::size_t i = below(signs_.size());
    return signs_[below(4) == 0 ? i : below(std::min(signs_.size(), world_.players.size()))].first;
  }

  void setup() {
    const std::uint64_t share = static_cast<std::uint64_t>(between(tells_ ? 35 : 20, 70));
    if (endless_ || chance(50)) return entries(share);
    std::string text = "|2\n";
    for (int y = world_.ranks; y >= 1; --y) {
      text += "   ";
      for (int x = 1; x <= world_.files; ++x) {
        std::string cell = chance(share) && is_cell(x, y) ? sign() : ".";
        while (stacks_ && cell != "." && cell.size() < 3 && chance(40)) cell += sign();
        text += cell + " ";
      }
      text.back() = '\n';
    }
    add("setup", text);
  }

  // What a condition asks for may hold in no deal, so it asks for little.
  std::string lot() {
    shuffles_ = true;
    const auto cell = [&] { return world_.cells[below(world_.cells.size())]; };
    const std::string cells = joined(world_.cells, " | ");
    const std::string text =
        "shuffle: " + one_of<std::string>(random_, {in_quotes(cells), in_quotes(cell() + " | " + cell()),
                                                    "[" + in_quotes(cell() + " | " + cell()) + ", " +
                                                        in_quotes(cells) + "]"});
    if (chance(50)) return text + ", ";
    return text + ", such that: " +
           one_of<std::string>(random_,
                               {"some own or some enemy", "no empty or " + cell() + " in occupied"}) +
           ", ";
  }

  void entries(std::uint64_t share) {
    std::string text = "{ ";
    std::vector<std::vector<std::string>> cells(signs_.size());
    for (const std::string& c : world_.cells)
      if (chance(share))
        cells[below(3) == 0 ? below(signs_.size()) : below(world_.players.size())].push_back(c);
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (!cells[i].empty())
        text += in_quotes(signs_[i].first + (stacks_ && chance(30) ? sign() : "")) + ": " +
                in_quotes(joined(cells[i], " | ")) + ", ";
    if (text.size() == 2) return;
    if (chance(15)) text += lot();
    const bool whole = holes_.empty() && world_.players.size() == 2;
    if (whole && chance(25))
      text += "mirror: rotate(180), ";
    else if (whole && (world_.has & kForward) != 0 && world_.files == world_.ranks && chance(15))
      text += "mirror: reflect, ";
    add("setup", text.substr(0, text.size() - 2) + " }");
  }

  // ---- state and options
  void state() {
    std::vector<std::string> all;
    const auto variable = [&](const std::string& name, Sort sort, std::uint32_t has,
                              const std::string& value) {
      world_.variables.push_back({name, sort});
      world_.has |= has;
      all.push_back(name + ": " + value);
    };
    if (chance(50))
      variable("total", Sort::number, kNumberVar,
               plan_.wild ? some_of({"-2147483647", "2147483640", "0"}) : "0");
    if (chance(10)) variable("idle", Sort::number, kNumberVar, "{ clock: 0 }");
    if (chance(35))
      variable("marked", Sort::cells, kCellsVar,
               endless_ ? some_of({"none", "origin"}) : some_of({"none", "none", "edge", "corners"}));
    if (chance(25)) variable("flag", Sort::truth, kTruthVar, some_of({"true", "false"}));
    if (chance(20)) variable("recent", Sort::kind, kKindVar, some_of({"man", "kind(none)"}));
    if (chance(20)) variable("champion", Sort::player, kPlayerVar, world_.players.back());
    if (chance(25)) {
      world_.stores.emplace_back("store");
      world_.has |= kStore;
      all.push_back("store: " + some_of({"{ each: 0 }", "{ each: 2 }", "{ clock: { each: 0 } }"}));
    }
    if (!stacks_ && chance(30)) {
      world_.has |= kCarried;
      all.push_back("facing: " +
                    some_of({"{ each piece: 0, range: 0..5 }", "{ each piece: 2, range: -1..5 }"}));
      all.push_back("fresh: " + some_of({"{ each piece: true }", "{ each piece: false }"}));
      all.push_back("arms: { each piece: " + some_of({"none", "all"}) + ", some of: all }");
      all.push_back("was: { each piece: " + some_of({"man", "kind(none)"}) + " }");
    }
    if (!all.empty()) add("state", "{ " + joined(all, ", ") + " }");
  }

  void options() {
    if (!shuffles_ && !chance(25)) return;
    std::string text = "\n";
    if (chance(60)) {
      text += "  far: { default: " + std::to_string(between(1, 3)) + ", " +
              some_of({"range: 1..3", "one of: 1 | 2 | 3"}) + ", help: how far }\n";
      world_.options.push_back({"far", Sort::number});
    }
    if (chance(40)) {
      text += "  strict: { default: " + some_of({"true", "false"}) + " }\n";
      world_.options.push_back({"strict", Sort::truth});
    }
    if (chance(50)) {
      text += "  way: { default: box, one of: box | slope }\n";
      world_.words = {"box", "slope"};
      world_.has |= kWord;
    }
    if (shuffles_ && chance(60)) text += "  lot: { default: " + std::to_string(between(0, 40)) + " }\n";
    if (text.size() > 1) add("options", text);
  }

  // ---- rules
  static std::string block(const std::string& rule, const std::string& margin) {
    return " |\n" + margin + rule + "\n";
  }

  // What takes an action, or a variable that it sets.
  std::string general_definitions() {
    std::string text;
    if (chance(12)) {
      world_.has |= kTwice;
      text += "  twice(A): A, A\n";
    }
    if (chance(12)) {
      world_.has |= kCountUp;
      text += "  count_up(v): set v = v + 1\n";
    }
    return text;
  }

  std::string definition(Writer& writer, std::uint64_t number) {
    static constexpr Sort kSorts[] = {Sort::cells,  Sort::cells, Sort::truth, Sort::number, Sort::directions,
                                      Sort::action, Sort::walk,  Sort::walk,  Sort::effect, Sort::effect};
    Defined d{
        "rule_" + std::to_string(number + 1),
        {},
        kSorts[below(std::size(kSorts))],
        chance(60),
    };
    const bool acts = d.sort >= Sort::rounds;
    d.asks_here = d.asks_here || d.sort == Sort::walk || d.sort == Sort::action;
    writer.begin((acts ? kTurn | kSteps : 0U) | (d.asks_here ? kHere : 0U));
    std::string head = "  " + d.name, parameters;
    for (auto n = below(3); n > 0; --n) {
      d.parameters.push_back(one_of(random_, {Sort::cells, Sort::cells, Sort::directions, Sort::number}));
      parameters += (parameters.empty() ? "" : ", ") + writer.parameter(d.parameters.back());
    }
    if (!parameters.empty()) head += "(" + parameters + ")";
    const std::string body = bodies(writer, d);
    // Of sequences only those in parentheses can stand anywhere: as a call they can.
    writer.add(d);
    return head + ":" + body;
  }

  // One, one for each player, or one for each kind of the piece here.
  std::string bodies(Writer& writer, const Defined& d) {
    const auto body = [&] { return writer.write(d.sort, std::min(plan_.size, 2)); };
    if (!chance(20)) return block(body(), "    ");
    std::string text = "\n";
    if (world_.players.size() > 1 && chance(50)) {
      for (std::size_t i = 0; i + 1 < world_.players.size(); ++i) {
        const bool nested = d.asks_here && d.parameters.empty() && chance(25);
        text += "    " + world_.players[i] + ":" +
                (nested ? "\n" + by_kind(writer, d, "      ", false) : block(body(), "      "));
      }
      const bool fixed =
          d.sort == Sort::cells && (world_.has & kTwo) != 0 && (world_.has & kForward) != 0 && chance(30);
      if (fixed)
        return "\n    White: " +
               in_quotes(world_.cells.front() + " | " + world_.cells[world_.cells.size() / 2]) +
               "\n    Black: " + some_of({"mirror", "rotate(180)"}) + "\n";
      return text + "    others:" + block(body(), "      ");
    }
    if (!d.asks_here || !d.parameters.empty()) return block(body(), "    ");
    return text + by_kind(writer, d, "    ", true);
  }

  // Of one of them perhaps one for each player.
  std::string by_kind(Writer& writer, const Defined& d, const std::string& margin, bool may_nest) {
    const auto body = [&] { return block(writer.write(d.sort, std::min(plan_.size, 2)), margin + "  "); };
    const bool nested = may_nest && world_.players.size() > 1 && chance(25);
    std::string text = margin + "man:";
    if (nested)
      text += "\n" + margin + "  White:" + block(writer.write(d.sort, 1), margin + "    ") + margin +
              "  others:" + block(writer.write(d.sort, 1), margin + "    ");
    else
      text += body();
    if ((world_.has & kFamily) != 0 && chance(50)) text += margin + "token:" + body();
    return text + (chance(50) ? margin + "others:" + body() : std::string());
  }

  std::string one_turn(Writer& writer) {
    writer.begin(kTurn | kSteps);
    if (rolls_) return writer.one_of_them(rolling_turns(), plan_.size + 1);
    const std::string rule = tells_ ? writer.one_of_them(telling_turns(), plan_.size + 2)
                                    : writer.write(Sort::turn, plan_.size + 1);
    switch (below(10)) {
    case 0: return "(" + rule + ") or pass";
    case 1:
    case 2:
    case 3: return "(" + rule + ") otherwise pass";
    case 4: return "(" + rule + ") otherwise (from own, step(all, empty))";
    default: return rule;
    }
  }

  void turn(Writer& writer) {
    if (!chance(10) || world_.players.size() < 2) return add("turn", "|\n  " + one_turn(writer) + "\n");
    add("turn", "\n  " + world_.players[0] + ": |\n    " + one_turn(writer) + "\n  others: |\n    " +
                    one_turn(writer) + "\n");
  }

  void ends(Writer& writer) {
    std::string text = "\n";
    for (auto n = below(4); n > 0; --n) {
      writer.begin(kEnd);
      text += "  - |\n    " + writer.write(Sort::ending, plan_.size) + "\n";
    }
    if (text.size() > 1) add("end", text);
  }

  // ---- families
  std::string family() {
    const auto& all = families();
    const Family& f = all[below(all.size())];
    world_.players = {"White", "Black"};
    if (f.players.find("South") != std::string_view::npos) world_.players = {"South", "North"};
    world_.kinds = {"man"};
    if (f.pieces.find("pawn") != std::string_view::npos)
      world_.kinds = {"king", "rook", "pawn", "cannon", "horse"};
    if (f.pieces.find("man: w b, king") != std::string_view::npos) world_.kinds = {"man", "king"};
    world_.files = world_.ranks = 2;
    world_.cells = {"a1", "b2", "c1", "a2"};
    if (f.state.find("total") != std::string_view::npos) world_.variables = {{"total", Sort::number}};
    world_.has = kTwo | kNumberVar | (f.board.find("stacks") != std::string_view::npos ? kStacks : kFlat);
    world_.has |= f.players.find("north") != std::string_view::npos ? kForward : kAnywhere;
    Writer writer(world_, random_.next());
    add("use", std::string(f.vocabulary));
    add("game", "Written");
    const auto section = [&](std::string_view name, std::string_view form, std::uint32_t place) {
      writer.begin(place);
      if (!form.empty()) add(name, writer.fill(form, plan_.size));
    };
    section("players", f.players, 0);
    section("board", f.board, 0);
    section("pieces", f.pieces, 0);
    section("hands", f.hands, 0);
    section("setup", f.setup, 0);
    section("state", f.state, 0);
    section("define", f.define, kHere | kTurn);
    section("turn", "|\n  " + std::string(f.turn), kTurn | kSteps);
    section("end", "\n  - |\n    " + std::string(f.end), kEnd);
    return text_;
  }

  Random random_;
  bool rolls_; // nature moves
  bool tells_; // the turn is a story
  Plan plan_;
  World world_;
  std::string text_, letters_ = ".# '\"";
  std::vector<std::pair<std::string, std::size_t>> signs_; // letter, player
  int hexagon_ = 0;                                        // its side
  std::vector<std::string> holes_;
  bool stacks_ = false, slants_ = false, endless_ = false, shuffles_ = false;
};

} // namespace

std::string write_rule_file(std::uint64_t seed) {
  constexpr std::uint64_t kOneInRolls = 12, kOneInTells = 4;
  return FileWriter(runtime::mix(seed), seed % kOneInRolls == 0, seed % kOneInTells == 1).text();
}

} // namespace boardwright::tests
