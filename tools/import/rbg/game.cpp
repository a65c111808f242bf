#include "tools/import/rbg/game.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace boardwright::tools {
namespace {

constexpr int kMostBound = 1'000'000'000;
constexpr int kMostOperators = 100; // in one chain, which is a tree as deep
constexpr int kMostPowers = 4;      // of powers; nobody writes two, and trees must not become deep

class RbgRulesReader {
public:
  RbgRulesReader(const std::vector<RbgToken>& tokens, RbgGame& game) : tokens_(tokens), game_(game) {}

  std::optional<ImportFault> read() {
    if (tokens_.empty()) return ImportFault{0, "", "`#rules` is empty"};
    game_.rules = sum(0);
    if (!fault_ && at_ < tokens_.size()) fail(fmt::format("`{}` isn't expected here", peek()));
    return fault_;
  }

private:
  int fail(std::string message) {
    const int line = tokens_[std::min(at_, tokens_.size() - 1)].line;
    if (!fault_) fault_ = ImportFault{line, "", std::move(message)};
    return -1;
  }
  [[nodiscard]] std::string_view peek() const {
    return at_ < tokens_.size() ? std::string_view(tokens_[at_].text) : "";
  }
  bool take(std::string_view sign) {
    if (peek() == sign) return ++at_, true;
    fail(fmt::format("`{}` is needed here", sign));
    return false;
  }

  RbgNode node(RbgWhat what) const {
    RbgNode made;
    made.what = what;
    made.line = tokens_[std::min(at_, tokens_.size() - 1)].line;
    return made;
  }
  int keep(RbgNode made) {
    if (game_.nodes.size() >= kMostRbgNodes)
      return fail(fmt::format("its rules have more than {} parts", kMostRbgNodes));
    made.has_turns = made.what == RbgWhat::turn_to;
    for (const int child : made.children)
      made.has_turns = made.has_turns || (child >= 0 && at(child).has_turns);
    game_.nodes.push_back(std::move(made));
    return static_cast<int>(game_.nodes.size()) - 1;
  }
  [[nodiscard]] const RbgNode& at(int index) const { return game_.nodes[static_cast<std::size_t>(index)]; }

  // Copies, since each turn in a power is a turn of its own.
  int copied(int index) {
    if (fault_) return -1;
    RbgNode made = at(index);
    for (int& child : made.children) child = copied(child);
    return keep(std::move(made));
  }

  int sum(int depth) {
    if (depth > kMostRbgDepth)
      return fail(fmt::format("more than {} brackets within one another", kMostRbgDepth));
    RbgNode made = node(RbgWhat::sum);
    made.children.push_back(sequence(depth));
    while (peek() == "+" && !fault_) {
      ++at_;
      made.children.push_back(sequence(depth));
    }
    if (fault_) return -1;
    return made.children.size() == 1 ? made.children.front() : keep(std::move(made));
  }

  [[nodiscard]] bool ends() const {
    return at_ >= tokens_.size() || peek() == "+" || peek() == ")" || peek() == "}";
  }

  int sequence(int depth) {
    RbgNode made = node(RbgWhat::sequence);
    while (!ends() && !fault_) {
      const std::size_t count = made.children.size();
      element(depth, made.children);
      if (made.children.size() > count && !fault_) powers(made.children);
      if (made.children.size() > kMostRbgNodes) fail("its rules have too many parts");
    }
    if (fault_) return -1;
    return made.children.size() == 1 ? made.children.front() : keep(std::move(made));
  }

  // `*` and `^3` behind the last element.
  void powers(std::vector<int>& elements) {
    for (int count = 0; (peek() == "*" || peek() == "^") && !fault_; ++count) {
      if (count == kMostPowers) return void(fail("too many powers of one another"));
      const bool star = peek() == "*";
      RbgNode made = node(star ? RbgWhat::star : RbgWhat::sequence);
      ++at_;
      const int body = elements.back();
      made.children.push_back(body);
      if (!star) {
        if (!is_rbg_number(peek()) || peek().size() > 4) return void(fail("a power is a number"));
        const int times = std::stoi(std::string(peek()));
        ++at_;
        if (times == 0) made.children.clear();
        for (int i = 1; i < times && !fault_; ++i) made.children.push_back(copied(body));
      }
      elements.back() = keep(std::move(made));
    }
  }

  void element(int depth, std::vector<int>& out) {
    const std::string_view sign = peek();
    if (sign == "(") {
      ++at_;
      out.push_back(sum(depth + 1));
      take(")");
    } else if (sign == "{?" || sign == "{!") {
      out.push_back(check(depth));
    } else if (sign == "{$") {
      out.push_back(comparison(depth));
    } else if (sign == "[$") {
      assignments(depth, out);
    } else if (sign == "{") {
      out.push_back(on());
    } else if (sign == "[") {
      out.push_back(off());
    } else if (sign == "->" || sign == "->>") {
      out.push_back(turn_to());
    } else if (sign == ".") {
      fail("`.`, a move that is told in parts, can't be carried over");
    } else {
      out.push_back(shift());
    }
  }

  int shift() {
    RbgNode made = node(RbgWhat::shift);
    const auto& labels = game_.board.labels;
    const auto found = std::find(labels.begin(), labels.end(), peek());
    if (found == labels.end()) return fail(fmt::format("`{}` is no direction of this board", peek()));
    made.index = static_cast<int>(found - labels.begin());
    ++at_;
    return keep(std::move(made));
  }

  int check(int depth) {
    RbgNode made = node(RbgWhat::check);
    made.negated = peek() == "{!";
    ++at_;
    made.children.push_back(sum(depth + 1));
    if (!take("}") || fault_) return -1;
    if (at(made.children.front()).has_turns) return fail("there is a turn inside a condition");
    return keep(std::move(made));
  }

  int piece() {
    const auto found = std::find(game_.pieces.begin(), game_.pieces.end(), peek());
    if (found == game_.pieces.end()) return fail(fmt::format("`{}` is no piece", peek()));
    ++at_;
    return static_cast<int>(found - game_.pieces.begin());
  }

  int on() {
    RbgNode made = node(RbgWhat::on);
    for (++at_; peek() != "}" && !fault_;) {
      if (peek() == ",")
        ++at_;
      else
        made.pieces.push_back(piece());
    }
    take("}");
    std::sort(made.pieces.begin(), made.pieces.end());
    made.pieces.erase(std::unique(made.pieces.begin(), made.pieces.end()), made.pieces.end());
    return fault_ ? -1 : keep(std::move(made));
  }

  // `[a, b]` is either of them.
  int off() {
    RbgNode either = node(RbgWhat::sum);
    for (++at_; peek() != "]" && !fault_;) {
      if (peek() == ",") {
        ++at_;
        continue;
      }
      RbgNode made = node(RbgWhat::off);
      made.index = piece();
      if (!fault_) either.children.push_back(keep(std::move(made)));
    }
    if (!take("]")) return -1;
    if (either.children.empty()) return fail("a piece is needed here");
    return either.children.size() == 1 ? either.children.front() : keep(std::move(either));
  }

  int turn_to() {
    RbgNode made = node(RbgWhat::turn_to);
    made.index = -1;
    if (tokens_[at_++].text == "->") {
      made.index = named(game_.players, peek());
      if (made.index < 0) return fail(fmt::format("`{}` is no player", peek()));
      ++at_;
    }
    return keep(std::move(made));
  }

  static int named(const std::vector<RbgBound>& list, std::string_view name) {
    const auto found =
        std::find_if(list.begin(), list.end(), [&](const RbgBound& b) { return b.name == name; });
    return found == list.end() ? -1 : static_cast<int>(found - list.begin());
  }

  // Variables are numbered behind the players.
  int variable(std::string_view name) const {
    if (const int player = named(game_.players, name); player >= 0) return player;
    const int found = named(game_.variables, name);
    return found < 0 ? -1 : found + static_cast<int>(game_.players.size());
  }

  void assignments(int depth, std::vector<int>& out) {
    ++at_;
    while (!fault_ && peek() != "]") {
      if (peek() == ",") {
        ++at_;
        continue;
      }
      RbgNode made = node(RbgWhat::assign);
      made.index = variable(peek());
      if (made.index < 0) return void(fail(fmt::format("`{}` is no variable", peek())));
      ++at_;
      if (!take("=")) return;
      made.first = expression(0, depth);
      if (!fault_) out.push_back(keep(std::move(made)));
    }
    take("]");
  }

  int comparison(int depth) {
    RbgNode made = node(RbgWhat::compare);
    ++at_;
    made.first = expression(0, depth);
    made.text = peek();
    if (made.text != "<" && made.text != "<=" && made.text != ">" && made.text != ">=" && made.text != "==" &&
        made.text != "!=")
      return fail("a comparison is needed here");
    ++at_;
    made.second = expression(0, depth);
    return take("}") ? keep(std::move(made)) : -1;
  }

  // The sign that binds least tightly is `+`, then `-`, `*`, `/`.
  int expression(std::size_t level, int depth) {
    static constexpr std::string_view kSigns = "+-*/";
    if (depth > kMostRbgDepth)
      return fail(fmt::format("more than {} brackets within one another", kMostRbgDepth));
    if (level == kSigns.size()) return operand(depth);
    int left = expression(level + 1, depth);
    for (int count = 0; !fault_ && peek() == kSigns.substr(level, 1); ++count) {
      if (count == kMostOperators) return fail("this number is too long");
      ++at_;
      const int right = expression(level + 1, depth);
      left = keep_expression({kSigns[level], 0, left, right});
    }
    return left;
  }
  int keep_expression(RbgExpression made) {
    if (game_.expressions.size() >= kMostRbgNodes) return fail("its rules have too many numbers");
    game_.expressions.push_back(made);
    return static_cast<int>(game_.expressions.size()) - 1;
  }
  int operand(int depth) {
    const std::string_view text = peek();
    if (text == "(") {
      ++at_;
      const int inner = expression(0, depth + 1);
      return take(")") ? inner : -1;
    }
    if (is_rbg_number(text)) {
      if (text.size() > 9) return fail("this number is too large");
      ++at_;
      return keep_expression({'n', std::stoi(std::string(text)), -1, -1});
    }
    if (const int found = variable(text); found >= 0) {
      ++at_;
      const bool player = found < static_cast<int>(game_.players.size());
      return keep_expression({player ? 'p' : 'v', found, -1, -1});
    }
    const auto counted = std::find(game_.pieces.begin(), game_.pieces.end(), text);
    if (counted == game_.pieces.end()) return fail(fmt::format("`{}` is no number and no variable", text));
    ++at_;
    return keep_expression({'c', static_cast<int>(counted - game_.pieces.begin()), -1, -1});
  }

  const std::vector<RbgToken>& tokens_;
  RbgGame& game_;
  std::size_t at_ = 0;
  std::optional<ImportFault> fault_;
};

class RbgListReader {
public:
  explicit RbgListReader(std::set<std::string>& names) : names_(names) {}

  // `a, b` or `a(100), b(1)`
  std::vector<RbgBound> read(const std::vector<RbgToken>& tokens, bool bounded) {
    std::vector<RbgBound> list;
    for (std::size_t i = 0; i < tokens.size() && !fault;) {
      if (tokens[i].text == ",") {
        ++i;
        continue;
      }
      const RbgToken& name = tokens[i++];
      if (!is_rbg_name(name.text)) return fail(name, "a name is needed here"), list;
      if (!names_.insert(name.text).second)
        return fail(name, fmt::format("`{}` is there twice", name.text)), list;
      list.push_back({name.text, 0});
      if (!bounded) continue;
      if (i + 2 >= tokens.size() || tokens[i].text != "(" || !is_rbg_number(tokens[i + 1].text) ||
          tokens[i + 2].text != ")")
        return fail(name, fmt::format("`{}` needs a bound, as in `{}(100)`", name.text, name.text)), list;
      const std::string& bound = tokens[i + 1].text;
      list.back().most = bound.size() > 9 ? kMostBound : std::stoi(bound);
      i += 3;
    }
    return list;
  }

  std::optional<ImportFault> fault;

private:
  void fail(const RbgToken& token, std::string message) {
    if (!fault) fault = ImportFault{token.line, "", std::move(message)};
  }
  std::set<std::string>& names_;
};

// Two expressions that are written alike have the same text; parts of them stand before them.
std::vector<std::string> expression_texts(const RbgGame& game) {
  std::map<std::string, std::size_t> known;
  std::vector<std::string> texts;
  for (const RbgExpression& e : game.expressions) {
    const auto part = [&](int index) {
      return index < 0 ? std::string() : texts[static_cast<std::size_t>(index)];
    };
    const std::string text = fmt::format("{}{} {} {}", e.sign, e.value, part(e.left), part(e.right));
    texts.push_back(fmt::format("e{}", known.emplace(text, known.size()).first->second));
  }
  return texts;
}

} // namespace

std::vector<int> rbg_alike(const RbgGame& game) {
  const auto numbers = expression_texts(game);
  const auto number = [&](int index) {
    return index < 0 ? std::string() : numbers[static_cast<std::size_t>(index)];
  };
  std::map<std::string, int> known;
  std::vector<int> alike;
  for (std::size_t n = 0; n < game.nodes.size(); ++n) {
    const RbgNode& node = game.nodes[n];
    std::string text = fmt::format("{} {} {} {} {} {}", static_cast<int>(node.what), node.index, node.negated,
                                   node.text, number(node.first), number(node.second));
    for (const int piece : node.pieces) text += fmt::format(" p{}", piece);
    for (const int child : node.children) text += fmt::format(" {}", alike[static_cast<std::size_t>(child)]);
    if (node.has_turns) text += fmt::format(" turn {}", n);
    alike.push_back(known.emplace(std::move(text), static_cast<int>(n)).first->second);
  }
  return alike;
}

tl::expected<RbgGame, ImportFault> read_rbg_game(std::string_view text) {
  auto sections = read_rbg_sections(text);
  if (!sections) return tl::unexpected(sections.error());
  RbgGame game;
  std::set<std::string> names;
  RbgListReader lists(names);
  game.players = lists.read((*sections)["players"], true);
  game.variables = lists.read((*sections)["variables"], true);
  for (RbgBound& piece : lists.read((*sections)["pieces"], false))
    game.pieces.push_back(std::move(piece.name));
  if (lists.fault) return tl::unexpected(*lists.fault);
  const auto line = [&](const char* section) {
    const auto& tokens = (*sections)[section];
    return tokens.empty() ? 0 : tokens.front().line;
  };
  if (game.players.empty()) return tl::unexpected(ImportFault{0, "", "there are no players"});
  if (game.players.size() > kMostRbgPlayers)
    return tl::unexpected(
        ImportFault{line("players"), "", fmt::format("it has more than {} players", kMostRbgPlayers)});
  if (game.pieces.size() > kMostRbgPieces)
    return tl::unexpected(
        ImportFault{line("pieces"), "", fmt::format("it has more than {} pieces", kMostRbgPieces)});
  auto board = read_rbg_board((*sections)["board"], game.pieces);
  if (!board) return tl::unexpected(board.error());
  game.board = std::move(*board);
  if (auto fault = RbgRulesReader((*sections)["rules"], game).read()) return tl::unexpected(*fault);
  return game;
}

} // namespace boardwright::tools
