#include "tools/import/rbg/rule_writer.hpp"

#include "tools/import/rbg/turns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace boardwright::tools {
namespace {

constexpr std::size_t kWrittenWidth = 100;

std::string lower(const std::string& text) {
  std::string made;
  for (const char c : text) made += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return made;
}

// In quotes, where YAML would read it otherwise.
std::string quoted(const std::string& text) {
  const bool plain =
      std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
  return plain ? text : text == "'" ? "\"'\"" : "'" + text + "'";
}

// The parts between the commas, or the words `or`, that no parentheses enclose, each with what is behind it.
std::vector<std::string> parts_of_line(const std::string& text) {
  std::vector<std::string> parts(1);
  int open = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    open += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    parts.back() += text[i];
    if (open != 0) continue;
    const bool either = text.compare(i, 4, " or ") == 0 || text.compare(i, 11, " otherwise ") == 0;
    if (text[i] == ',' || either) {
      if (text[i] == ',') ++i; // the blank
      parts.emplace_back();
    }
  }
  return parts;
}

// A long rule on several lines, which begin with `indent`.
void lay_out_rule(const std::string& text, const std::string& indent, std::string& out) {
  const auto parts = parts_of_line(text);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string& part = parts[i];
    const auto open = part.find('(');
    int depth = 0;
    std::size_t close = open;
    for (; close < part.size(); ++close) {
      depth += part[close] == '(' ? 1 : part[close] == ')' ? -1 : 0;
      if (depth == 0) break;
    }
    if (indent.size() + part.size() <= kWrittenWidth || open == std::string::npos ||
        close - open < kWrittenWidth / 2) {
      out += indent + part.substr(0, part.find_last_not_of(' ') + 1) + "\n";
      continue;
    }
    out += indent + part.substr(0, open + 1) + "\n";
    lay_out_rule(part.substr(open + 1, close - open - 1), indent + "  ", out);
    out += indent + part.substr(close, part.find_last_not_of(' ') + 1 - close) + "\n";
  }
}

std::string entry(const std::string& indent, const std::string& name, const std::string& body) {
  if (indent.size() + name.size() + body.size() + 2 <= kWrittenWidth)
    return fmt::format("{}{}: {}\n", indent, name, body);
  std::string text = fmt::format("{}{}: |\n", indent, name);
  lay_out_rule(body, indent + "  ", text);
  return text;
}

bool is_name_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::set<std::string> names_in(const std::string& text) {
  std::set<std::string> names;
  for (auto it = text.begin(); it != text.end();) {
    const auto begin = std::find_if(it, text.end(), is_name_character);
    it = std::find_if_not(begin, text.end(), is_name_character);
    if (begin != it) names.emplace(begin, it);
  }
  return names;
}

class RbgRuleWriter {
public:
  RbgRuleWriter(const RbgGame& game, const std::string& name, const std::string& from)
      : game_(game), name_(name), from_(from) {}

  tl::expected<std::string, ImportFault> text() {
    auto layout = lay_out(game_.board, names_);
    if (!layout) return tl::unexpected(layout.error());
    layout_ = std::move(*layout);
    choose_words();
    choose_letters();
    RbgWalks walks(game_, layout_, words_, names_);
    RbgTurnWriter writer(game_, walks, words_, names_, cell_name(layout_.cells.front()));
    auto turns = writer.write();
    if (!turns) return tl::unexpected(turns.error());
    turns_ = std::move(*turns);
    gather(walks);
    return fmt::format("{}{}{}{}{}{}{}{}", head(), board(), pieces(), setup(), state(), definitions(), turn(),
                       end());
  }

private:
  void choose_words() {
    for (const RbgBound& player : game_.players) words_.players.push_back(names_.take(player.name));
    const auto count = game_.pieces.size();
    std::vector<std::size_t> cells(count, 0);
    for (const RbgVertex& vertex : game_.board.vertices) ++cells[static_cast<std::size_t>(vertex.piece)];
    words_.empty = static_cast<int>(std::max_element(cells.begin(), cells.end()) - cells.begin());
    // Mostly it says so itself; else it lies on most cells.
    static const std::set<std::string> kEmpty{"e", "empty", "none", "free", "blank", "vacant"};
    for (std::size_t p = 0; p < count; ++p)
      if (kEmpty.contains(lower(game_.pieces[p]))) words_.empty = static_cast<int>(p);
    owners_.assign(count, -1);
    for (std::size_t p = 0; p < count; ++p) {
      const bool empty = words_.empty == static_cast<int>(p);
      words_.pieces.push_back(empty ? "empty" : names_.take(game_.pieces[p]));
      if (!empty) owners_[p] = owner(game_.pieces[p]);
    }
    for (const RbgBound& variable : game_.variables) words_.variables.push_back(names_.take(variable.name));
    for (const RbgBound& player : game_.players) words_.scores.push_back(names_.take(player.name + "_score"));
    words_.stage = names_.take("stage");
    words_.spot = names_.take("spot");
    words_.finish = names_.take("finish");
    words_.over = names_.take("over");
    score_ = names_.take("final_score");
    for (std::size_t p = 0; p < count; ++p)
      words_.lay.push_back(
          names_.take(words_.empty == static_cast<int>(p) ? "clear" : "lay_" + words_.pieces[p]));
  }

  // Of two players the one whose name the piece's begins with, or whose letter it is. Rules don't ask for it:
  // it is for those who look at the board.
  [[nodiscard]] int owner(const std::string& piece) const {
    if (game_.players.size() != 2) return -1;
    const std::string name = lower(piece);
    std::vector<int> found;
    for (int p = 0; p < 2; ++p) {
      const std::string player = lower(game_.players[static_cast<std::size_t>(p)].name);
      if (name.starts_with(player) || (name.size() == 1 && name.front() == player.front()))
        found.push_back(p);
    }
    return found.size() == 1 ? found.front() : -1;
  }

  // What the turns call, and what that calls, each behind what it calls itself.
  void gather(const RbgWalks& walks) {
    std::map<std::string, std::string> bodies;
    for (const auto& [name, body] : layout_.definitions) bodies[name] = body;
    for (std::size_t p = 0; p < game_.pieces.size(); ++p)
      if (walks.lays(static_cast<int>(p))) bodies[words_.lay[p]] = lay(p);
    for (const auto& [name, body] : walks.definitions) bodies[name] = body;
    for (const auto& [name, body] : turns_.definitions) bodies[name] = body;
    std::set<std::string> done;
    for (const auto& [player, body] : turns_.bodies) gather_called(body, bodies, done);
  }
  void gather_called(const std::string& text, const std::map<std::string, std::string>& bodies,
                     std::set<std::string>& done) {
    for (const std::string& name : names_in(text)) {
      const auto found = bodies.find(name);
      if (found == bodies.end() || !done.insert(name).second) continue;
      gather_called(found->second, bodies, done);
      definitions_.emplace_back(name, found->second);
    }
  }

  std::string lay(std::size_t piece) const {
    if (words_.empty == static_cast<int>(piece)) return "quietly (remove here)";
    const std::string& kind = words_.pieces[piece];
    if (owners_[piece] < 0) return fmt::format("quietly (drop {} on here)", kind);
    return fmt::format("{{ {}: quietly (drop {} on here), {}: quietly (drop enemy {} on here) }}",
                       words_.players[static_cast<std::size_t>(owners_[piece])], kind,
                       words_.players[static_cast<std::size_t>(1 - owners_[piece])], kind);
  }

  std::string head() const {
    std::vector<std::string> players;
    for (const int player : turns_.order) players.push_back(words_.players[static_cast<std::size_t>(player)]);
    std::string title;
    for (const char c : name_)
      if (is_name_character(c) || c == '-') title += c;
    if (title.empty()) title = "Imported";
    std::string source;
    for (const char c : from_)
      if (is_name_character(c) || c == '-' || c == '.') source += c;
    return fmt::format(
        "game: \"{}\"\nabout: {{ source: \"{}, a file of Regular Boardgames\" }}\nplayers: [{}]\n", title,
        source, fmt::join(players, ", "));
  }

  std::string board() const {
    std::vector<std::string> parts{fmt::format("{}: {} by {}", layout_.hexes ? "hexes" : "squares",
                                               layout_.size.files, layout_.size.ranks)};
    if (const CellSet holes = layout_.holes(); !holes.empty())
      parts.push_back(fmt::format("holes: {}", tools::cells_text(holes, layout_.size)));
    std::vector<std::string> tracks;
    for (const RbgTrack& track : layout_.tracks) {
      std::vector<std::string> cells;
      for (const int vertex : track.vertices)
        cells.push_back(cell_name(layout_.cells[static_cast<std::size_t>(vertex)]));
      tracks.push_back(fmt::format("    {}: {}\n", track.name, fmt::join(cells, " ")));
    }
    std::string text = "board:\n";
    for (const std::string& part : parts) text += "  " + part + "\n";
    if (!tracks.empty()) text += fmt::format("  tracks:\n{}", fmt::join(tracks, ""));
    return text;
  }

  void choose_letters() {
    std::vector<std::string> names;
    for (std::size_t p = 0; p < game_.pieces.size(); ++p)
      if (words_.empty != static_cast<int>(p)) names.push_back(game_.pieces[p]);
    letters_ = rbg_letters(names);
    letters_.insert(letters_.begin() + words_.empty, "");
  }

  std::string pieces() const {
    std::string text = "pieces:\n";
    for (std::size_t p = 0; p < game_.pieces.size(); ++p) {
      if (words_.empty == static_cast<int>(p)) continue;
      const std::string letter = quoted(letters_[p]);
      const std::string neutral = "neutral " + letters_[p];
      if (owners_[p] < 0)
        text += fmt::format("  {}: {}\n", words_.pieces[p],
                            letter == letters_[p] ? neutral : "\"" + neutral + "\"");
      else
        text += fmt::format("  {}: {{ {}: {} }}\n", words_.pieces[p],
                            words_.players[static_cast<std::size_t>(owners_[p])], letter);
    }
    return text;
  }

  std::string setup() const {
    std::vector<CellSet> cells(game_.pieces.size());
    for (std::size_t v = 0; v < layout_.cells.size(); ++v)
      cells[static_cast<std::size_t>(game_.board.vertices[v].piece)].insert(layout_.cells[v]);
    std::string text;
    for (std::size_t p = 0; p < cells.size(); ++p)
      if (!cells[p].empty() && words_.empty != static_cast<int>(p))
        text += fmt::format("  {}: {}\n", quoted(letters_[p]), layout_.cells_text(cells[p]));
    return text.empty() ? "" : "setup:\n" + text;
  }

  std::string state() const {
    std::set<std::string> used;
    for (const auto& [name, body] : definitions_) used.merge(names_in(body));
    for (const auto& [player, body] : turns_.bodies) used.merge(names_in(body));
    std::string text;
    const auto add = [&](const std::string& name) {
      const auto start = turns_.start.find(name);
      text += fmt::format("  {}: {}\n", name, start == turns_.start.end() ? "0" : start->second);
    };
    for (const std::string& name : words_.scores) add(name);
    for (const std::string& name : words_.variables)
      if (used.contains(name)) add(name);
    if (turns_.uses_stage) add(words_.stage);
    if (turns_.uses_spot) text += fmt::format("  {}: none\n", words_.spot);
    if (turns_.uses_over) text += fmt::format("  {}: false\n", words_.over);
    return "state:\n" + text;
  }

  std::string definitions() const {
    std::string text = "define:\n";
    std::vector<std::string> scores;
    for (std::size_t p = 0; p < game_.players.size(); ++p)
      scores.push_back(fmt::format("{}: {}", words_.players[p], words_.scores[p]));
    text += game_.players.size() == 1 ? fmt::format("  {}: {}\n", score_, words_.scores.front())
                                      : fmt::format("  {}: {{ {} }}\n", score_, fmt::join(scores, ", "));
    for (const auto& [name, body] : definitions_)
      text += body.starts_with("{ ") ? fmt::format("  {}: {}\n", name, body) : entry("  ", name, body);
    return text;
  }

  std::string turn() const {
    if (game_.players.size() == 1) return entry("", "turn", turns_.bodies.front().second);
    std::string text = "turn:\n";
    for (const int player : turns_.order) {
      const auto found = std::find_if(turns_.bodies.begin(), turns_.bodies.end(),
                                      [&](const auto& body) { return body.first == player; });
      text += entry("  ", words_.players[static_cast<std::size_t>(player)],
                    found == turns_.bodies.end() ? "never" : found->second);
    }
    return text;
  }

  std::string end() const {
    const std::string when = turns_.uses_over ? words_.over + " or no move" : "no move";
    if (game_.players.size() > 1) return fmt::format("end:\n  - score {} when {}\n", score_, when);
    return fmt::format("end:\n  - win when ({}) and {} > 0\n", when, score_);
  }

  const RbgGame& game_;
  const std::string &name_, &from_;
  RbgNames names_;
  RbgLayout layout_;
  RbgWords words_;
  RbgTurns turns_;
  std::vector<int> owners_;
  std::vector<std::string> letters_;
  std::string score_;
  std::vector<std::pair<std::string, std::string>> definitions_;
};

} // namespace

tl::expected<std::string, ImportFault> rbg_rule_text(const RbgGame& game, const std::string& name,
                                                     const std::string& from) {
  return RbgRuleWriter(game, name, from).text();
}

} // namespace boardwright::tools
