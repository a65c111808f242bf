#include "tools/import/variants/rule_text.hpp"

#include "tools/import/variants/definitions.hpp"
#include "tools/import/variants/end_text.hpp"
#include "tools/import/variants/keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace boardwright::tools {
namespace {

constexpr std::size_t kWidthOfRules = 100;

char upper_letter(char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }

std::string lower_name(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// "lame_horses" as "Lame Horses".
std::string title_from(const std::string& name) {
  std::string title;
  bool begins = true;
  // As YAML reads them these are numbers or truths, where they aren't quoted.
  static const std::set<std::string> kNoText{"true", "false", "yes", "no", "on", "off", "null", "y", "n"};
  const bool quoted =
      std::isalpha(static_cast<unsigned char>(name.front())) == 0 || kNoText.contains(lower_name(name));
  for (const char c : name) {
    const bool gap = c == '-' || c == '_';
    title += gap ? ' ' : begins ? upper_letter(c) : c;
    begins = gap;
  }
  return quoted ? fmt::format("\"{}\"", title) : title;
}

// The vocabulary of games with a king, and that of repetition: what parents.ini says, since no source
// names a game.
std::string vocabularies(bool repetition) {
  std::vector<std::string> names;
  for (const IniEntry& entry : section_named(known_sections(), "written")->entries)
    names.push_back(entry.value);
  if (!repetition) names.pop_back();
  return names.size() == 1 ? names.front() : fmt::format("[{}]", fmt::join(names, ", "));
}

std::vector<std::string> split_at_blanks(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// `{ a, b, c }` over as many lines as it needs.
std::string wrapped_map(const std::string& head, const std::vector<std::string>& parts) {
  std::string text = fmt::format("{} {{ {} }}", head, fmt::join(parts, ", "));
  if (text.size() <= kWidthOfRules) return text;
  text = head;
  std::string line = "  {";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string part = parts[i] + (i + 1 < parts.size() ? "," : " }");
    if (line.size() + 1 + part.size() > kWidthOfRules) {
      text += "\n" + line;
      line = "   ";
    }
    line += " " + part;
  }
  return text + "\n" + line;
}

// What is longer than a line goes on below: rules in a block, maps inside their braces.
std::string broken_body(const std::string& indent, const std::string& name, const std::string& body) {
  const bool is_map = body.starts_with('{');
  const std::string further = indent + (is_map ? "   " : " ");
  std::string text = fmt::format("{}{}:{}", indent, name, is_map ? "" : " |"), line = indent + " ";
  for (const std::string& word : split_at_blanks(body)) {
    if (line.size() + 1 + word.size() > kWidthOfRules) {
      text += "\n" + line;
      line = further;
    }
    line += " " + word;
  }
  return text + "\n" + line + "\n";
}

// An entry with its body; a body of several lines has a body for each kind, which may be long as well.
std::string entry_text(const std::string& indent, const std::string& name, const std::string& body) {
  const std::string line = fmt::format("{}{}: {}", indent, name, body);
  if (body.find('\n') == std::string::npos)
    return line.size() <= kWidthOfRules ? line + "\n" : broken_body(indent, name, body);
  if (!body.starts_with('\n')) return line + "\n";
  std::string text = fmt::format("{}{}:\n", indent, name);
  for (std::size_t at = 1; at < body.size();) {
    const std::size_t end = std::min(body.find('\n', at), body.size());
    const std::string part =
        body.substr(body.find_first_not_of(' ', at), end - body.find_first_not_of(' ', at));
    const std::size_t colon = part.find(": ");
    text += entry_text(indent + "  ", part.substr(0, colon), part.substr(colon + 2));
    at = end + 1;
  }
  return text;
}

// Quoted: nothing in it ends the text or means anything in one.
std::string plain_text(const std::string& text) {
  std::string plain;
  for (const char c : text.substr(0, 100))
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 ||
        std::string_view(" ._-+:=*").find(c) != std::string_view::npos)
      plain += c;
  return plain;
}

class RuleWriter {
public:
  RuleWriter(Plan& plan, const std::vector<ImportFault>& left_out, const std::string& from)
      : plan_(plan), variant_(plan.variant), left_out_(left_out), from_(from), definitions_(plan) {}

  std::string text() {
    define();
    const auto ends = end_lines(plan_, definitions_);
    std::string text = head(ends) + material() + state();
    text += "\ndefine:\n" + definitions_text() + "\n" + turn() + "\nend:\n";
    for (const std::string& line : ends) text += "  - " + line + "\n";
    return text;
  }

private:
  void define() {
    definitions_.add_walks();
    definitions_.add_hunted();
    definitions_.add_pawns();
    definitions_.add_taking_of_leapers();
    definitions_.add_turning();
    definitions_.add_castling();
    if (plan_.remembers && variant_.flag("capturesToHand", false))
      definitions_.add("worth(c)", "if was(c) != none then was(c) else inherited");
    define_explosions();
    definitions_.add_flips();
    definitions_.add_moves();
    definitions_.add_drops();
    definitions_.add_walling();
    if (const std::string stuck = stuck_text(plan_); !stuck.empty()) definitions_.add("stuck", stuck);
  }

  // What becomes of who has taken something, and of what stands around.
  void define_explosions() {
    const bool blast = variant_.flag("blastOnCapture", false);
    if (!explodes()) return;
    const std::string gone = !blast               ? "remove here"
                             : plan_.uses("pawn") ? "remove here | next(here, all) - pawn"
                                                  : "remove here | next(here, all)";
    const auto petrified = plan_.petrified();
    if (plan_.pockets() && !petrified.empty())
      plan_.fault("petrifyOnCaptureTypes", "not where pieces go to a hand");
    if (plan_.pockets()) return definitions_.add("explode", exploding_to_hands(gone));
    if (petrified.empty()) return definitions_.add("explode", gone);
    definitions_.add("explode", fmt::format("if here in ({}) then ({}, drop wall on here){}",
                                            plan_.set(petrified), gone, blast ? " else " + gone : ""));
  }
  // Each piece goes to the hand of the side that it wasn't of.
  [[nodiscard]] std::string exploding_to_hands(const std::string& gone) const {
    std::string text = "let blown = " + gone.substr(std::string_view("remove ").size());
    for (const std::string& key : plan_.hands) {
      const std::string kind = plan_.name(key);
      for (const auto& [hand, whose] : {std::pair("hand", "enemy"), std::pair("enemy.hand", "own")})
        text += fmt::format(", set {0}({1}) = {0}({1}) + count((c in blown & {2} where worth(c) = {1}))",
                            hand, kind, whose);
    }
    return text + ", remove blown";
  }
  [[nodiscard]] bool explodes() const {
    return variant_.flag("blastOnCapture", false) || !plan_.petrified().empty();
  }

  std::string head(const std::vector<std::string>& ends) const {
    const bool repetition = !ends.empty() && ends.back().ends_with("repeated");
    std::vector<std::string> told{
        fmt::format("source: \"the variant {} of {}\"", variant_.name, plain_text(from_))};
    if (!left_out_.empty()) {
      std::vector<std::string> parts;
      for (const ImportFault& each : left_out_)
        parts.push_back(fmt::format("{} = {}", each.key, plain_text(variant_.text(each.key))));
      told.push_back(fmt::format("without: \"{}\"", fmt::join(parts, ", ")));
    }
    std::string text = fmt::format("game: {}\n{}\n", title_from(variant_.name), wrapped_map("about:", told));
    text += fmt::format("\nuse: {}\nplayers: {{ White: north, Black: south }}\n", vocabularies(repetition));
    if (!variant_.start.white_moves) text += "first: Black\n";
    return text;
  }

  std::string material() const {
    std::string text =
        fmt::format("board: {{ squares: {} by {} }}\n", variant_.size.files, variant_.size.ranks);
    std::vector<std::string> parts;
    for (const VariantKind* kind : plan_.kinds)
      parts.push_back(fmt::format("{}: {} {}", kind->name, upper_letter(kind->letter), kind->letter));
    if (plan_.has_walls()) parts.push_back(fmt::format("wall: neutral {}", plan_.wall_letter()));
    text += wrapped_map("pieces:", parts) + "\n";
    parts.clear();
    for (const std::string& key : plan_.hands) {
      const auto found = variant_.start.hands.find(key);
      const auto [white, black] = found == variant_.start.hands.end() ? std::pair(0, 0) : found->second;
      parts.push_back(white == black
                          ? fmt::format("{}: {}", plan_.name(key), white)
                          : fmt::format("{}: {{ White: {}, Black: {} }}", plan_.name(key), white, black));
    }
    if (!parts.empty()) text += wrapped_map("hands:", parts) + "\n";
    text += "setup: |\n";
    for (int rank = variant_.size.ranks; rank >= 1; --rank) text += "  " + row_text(rank) + "\n";
    return text;
  }

  std::string row_text(int rank) const {
    std::string row;
    for (int file = 1; file <= variant_.size.files; ++file) {
      const auto piece = variant_.start.pieces.find({rank, file});
      if (variant_.start.walls.contains({rank, file})) {
        row += plan_.has_walls() ? plan_.wall_letter() : '#';
      } else if (piece == variant_.start.pieces.end()) {
        row += '.';
      } else {
        const VariantKind* kind = variant_.kind(standing(piece->second));
        const char letter = kind == nullptr ? '.' : kind->letter;
        row += piece->second.white ? upper_letter(letter) : letter;
      }
    }
    return row;
  }

  // A promoted piece is one of the kind that it has become.
  [[nodiscard]] std::string standing(const StartPosition::Piece& piece) const {
    const auto found = plan_.turned.find(piece.key);
    return piece.promoted && found != plan_.turned.end() ? found->second : piece.key;
  }

  std::string state() const {
    std::vector<std::string> parts;
    if (plan_.castling) {
      std::vector<std::string> cells;
      for (const auto& cell : plan_.castling->rights) cells.push_back(cell_name(cell));
      parts.push_back(fmt::format("rights: {}", fmt::join(cells, " | ")));
    }
    if (plan_.in_passing) parts.emplace_back("passant: none");
    if (plan_.remembers) parts.push_back("was: " + memory());
    if (plan_.passes()) parts.emplace_back("passes: 0");
    if (variant_.flag("checkCounting", false)) parts.emplace_back("checks: { each: 0 }");
    if (!winning_castlings().empty()) parts.emplace_back("castled: false");
    std::string text = parts.empty() ? "" : wrapped_map("state:", parts) + "\n";
    const int times = variant_.number("nFoldRule", 3);
    if (times > 3 || times == 2) text += fmt::format("options: {{ repetition: {{ default: {} }} }}\n", times);
    return text;
  }

  // What promoted pieces were, with those of the set-up.
  std::string memory() const {
    std::map<std::string, std::string> cells;
    for (const auto& [cell, piece] : variant_.start.pieces)
      if (piece.promoted && plan_.turned.contains(piece.key)) {
        std::string& text = cells[plan_.name(piece.key)];
        text += (text.empty() ? "" : " | ") + cell_name(cell);
      }
    if (cells.empty()) return "{ each piece: kind(none) }";
    std::string text;
    for (const auto& [name, where] : cells)
      text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", name, where);
    return fmt::format("{{ each piece: kind(none), setup: {{ {} }} }}", text);
  }

  std::string definitions_text() const {
    std::string text;
    for (const auto& [name, body] : definitions_.bodies()) text += entry_text("  ", name, body);
    return text;
  }

  std::string turn() const {
    std::vector<std::string> lines;
    const std::string legal = legal_text(plan_);
    if (plan_.in_passing) lines.emplace_back("let ep = passant, set passant = none");
    lines.push_back(choices(legal));
    if (plan_.castling) lines.emplace_back("keep_rights");
    if (definitions_.has("build") && !variant_.flag("wallOrMove", false)) lines.emplace_back("build");
    if (!legal.empty()) lines.push_back("require " + legal);
    if (plan_.passes()) lines.emplace_back("set passes = if changed then 0 else passes + 1");
    if (variant_.flag("checkCounting", false))
      lines.emplace_back("if enemy.checked then set checks = checks + 1");
    if (lines.size() == 1) {
      std::string line = lines.front();
      if (line.starts_with('(') && line.ends_with(')') && line.find('(', 1) == std::string::npos)
        line = line.substr(1, line.size() - 2);
      return "turn: " + line + "\n";
    }
    return fmt::format("turn: |\n  {}\n", fmt::join(lines, ",\n  "));
  }

  // For whom castling to which side wins: letters as FEN has them.
  [[nodiscard]] std::string winning_castlings() const {
    const std::string letters = variant_.text("castlingWins");
    return plan_.castling && letters != "-" ? letters : "";
  }

  // With what it does to the other side's rights, and that it wins.
  [[nodiscard]] std::string castling_to(const std::string& side) const {
    std::string text = fmt::format("castle({})", side);
    if (variant_.flag("oppositeCastling", false)) {
      CellSet rooks;
      for (const auto& cell : plan_.castling->rights)
        if (const auto piece = variant_.start.pieces.find(cell); piece != variant_.start.pieces.end() &&
                                                                 piece->second.key == plan_.castling->rook &&
                                                                 is_east(cell) == (side == "east"))
          rooks.insert(cell);
      text += ", set rights = rights - " + bracketed(rooks);
    }
    const std::string letters = winning_castlings();
    const bool white = letters.find(side == "east" ? 'K' : 'Q') != std::string::npos;
    const bool black = letters.find(side == "east" ? 'k' : 'q') != std::string::npos;
    if (white && black)
      text += ", set castled = true";
    else if (white || black)
      text += fmt::format(", set castled = me = {}", white ? "White" : "Black");
    return text.find(',') == std::string::npos ? text : "(" + text + ")";
  }

  // Does a rook with a right stand on the king's side of the higher files?
  [[nodiscard]] bool is_east(const std::pair<int, int>& tower) const {
    return std::any_of(plan_.castling->rights.begin(), plan_.castling->rights.end(), [&](const auto& cell) {
      const auto piece = variant_.start.pieces.find(cell);
      return cell.first == tower.first && cell.second < tower.second &&
             piece != variant_.start.pieces.end() && piece->second.key == plan_.castling->king;
    });
  }

  static std::string bracketed(const CellSet& cells) {
    std::vector<std::string> names;
    for (const auto& cell : cells) names.push_back(cell_name(cell));
    return names.size() == 1 ? names.front() : fmt::format("({})", fmt::join(names, " | "));
  }

  // What a player chooses from, as one step.
  std::string choices(const std::string& legal) const {
    const std::string after = after_text(plan_), passing = plan_.in_passing ? "(ep)" : "";
    const auto followed = [&](const std::string& move, const std::string& more) {
      const std::string rest = fmt::format("{}{}{}", after, after.empty() || more.empty() ? "" : ", ", more);
      return rest.empty() ? move : fmt::format("({}, {})", move, rest);
    };
    std::vector<std::string> others;
    if (plan_.castling && plan_.castling->east) others.push_back(castling_to("east"));
    if (plan_.castling && plan_.castling->west) others.push_back(castling_to("west"));
    if (definitions_.has("build") && variant_.flag("wallOrMove", false)) others.emplace_back("build");
    if (definitions_.has("drops") && !variant_.flag("mustDrop", false)) others.emplace_back("drops");
    if (variant_.flag("passWhite", false) && variant_.flag("passBlack", false)) others.emplace_back("pass");
    const auto either = [&](std::vector<std::string> moves) {
      moves.insert(moves.end(), others.begin(), others.end());
      return moves.size() == 1 ? moves.front() : fmt::format("({})", fmt::join(moves, " or "));
    };
    const std::string blast = explodes() ? "explode" : "";
    const std::string takes = followed("takes" + passing, blast), quiets = followed("quiets", "");
    std::string text;
    if (variant_.flag("mustCapture", false))
      text = fmt::format("({} otherwise {})",
                         legal.empty() ? takes : fmt::format("({}, require {})", takes, legal),
                         either({quiets}));
    else
      text = plan_.splits() ? either({takes, quiets}) : either({followed("walk" + passing, "")});
    if (definitions_.has("drops") && variant_.flag("mustDrop", false))
      text = fmt::format("(if hand > 0 then drops else {})", text);
    return variant_.flag("passOnStalemateWhite", false) ? fmt::format("({} otherwise pass)", text) : text;
  }

  Plan& plan_;
  const VariantKeys& variant_;
  const std::vector<ImportFault>& left_out_;
  const std::string& from_;
  Definitions definitions_;
};

} // namespace

tl::expected<std::string, std::vector<ImportFault>>
rule_text(const VariantKeys& variant, const std::vector<ImportFault>& left_out, const std::string& from) {
  Plan plan(variant);
  if (variant.flag("passWhite", false) != variant.flag("passBlack", false) ||
      variant.flag("passOnStalemateWhite", false) != variant.flag("passOnStalemateBlack", false))
    plan.fault("passWhite", "only both sides can pass");
  if (variant.flag("passOnStalemateWhite", false) && !plan.royal.empty())
    plan.fault("passOnStalemateWhite", "not where a piece is hunted");
  if (plan.kinds.empty()) plan.fault("startFen", "there is no piece");
  std::string text = RuleWriter(plan, left_out, from).text();
  if (!plan.faults.empty()) return tl::unexpected(std::move(plan.faults));
  return text;
}

} // namespace boardwright::tools
