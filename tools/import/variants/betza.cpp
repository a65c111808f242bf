#include "tools/import/variants/betza.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <map>
#include <optional>

namespace boardwright::tools {
namespace {

constexpr std::size_t kMostBetza = 200;
constexpr int kMostLeaps = 40; // no board has more files

struct Atom {
  std::vector<std::pair<int, int>> steps; // (far, near)
  bool rides = false;
};

std::optional<Atom> atom_of(char letter) {
  static const std::map<char, Atom> atoms{
      {'W', {{{1, 0}}, false}}, {'F', {{{1, 1}}, false}}, {'D', {{{2, 0}}, false}},
      {'N', {{{2, 1}}, false}}, {'A', {{{2, 2}}, false}}, {'H', {{{3, 0}}, false}},
      {'L', {{{3, 1}}, false}}, {'C', {{{3, 1}}, false}}, {'J', {{{3, 2}}, false}},
      {'Z', {{{3, 2}}, false}}, {'G', {{{3, 3}}, false}}, {'K', {{{1, 0}, {1, 1}}, false}},
      {'R', {{{1, 0}}, true}},  {'B', {{{1, 1}}, true}},  {'Q', {{{1, 0}, {1, 1}}, true}},
  };
  const auto found = atoms.find(letter);
  return found == atoms.end() ? std::nullopt : std::optional(found->second);
}

bool is_vertical(char c) { return c == 'f' || c == 'b' || c == 'v' || c == 'h'; }
bool is_horizontal(char c) { return c == 'r' || c == 'l' || c == 's' || c == 'h'; }

// The eight leaps of (far, near), each with the pairs of letters that stand for it.
struct Octant {
  int right_far, right_near, forward_far, forward_near; // factors
  std::array<std::string_view, 7> words;
};
constexpr std::array<Octant, 8> kOctants{{
    {0, 1, 1, 0, {"ff", "vv", "rf", "rv", "fh", "rh", "hr"}},
    {0, -1, 1, 0, {"ff", "vv", "lf", "lv", "fh", "lh", "hl"}},
    {0, 1, -1, 0, {"bb", "vv", "rb", "rv", "bh", "rh", "hl"}},
    {0, -1, -1, 0, {"bb", "vv", "lb", "lv", "bh", "lh", "hr"}},
    {1, 0, 0, 1, {"rr", "ss", "fr", "fs", "fh", "rh", "hl"}},
    {1, 0, 0, -1, {"rr", "ss", "br", "bs", "bh", "rh", "hr"}},
    {-1, 0, 0, 1, {"ll", "ss", "fl", "fs", "fh", "lh", "hr"}},
    {-1, 0, 0, -1, {"ll", "ss", "bl", "bs", "bh", "lh", "hl"}},
}};

class BetzaReader {
public:
  explicit BetzaReader(std::string_view text) : text_(text) {}

  tl::expected<std::vector<BetzaMove>, std::string> read() {
    if (text_.size() > kMostBetza) return tl::unexpected(std::string("this movement is too long"));
    while (at_ < text_.size()) {
      modifiers_ = {};
      directions_.clear();
      while (at_ < text_.size() && std::islower(static_cast<unsigned char>(text_[at_])) != 0)
        if (!modifier()) return tl::unexpected(fmt::format("`{}` is no modifier of a movement", text_[at_]));
      if (at_ == text_.size())
        return tl::unexpected(std::string("this movement ends before it says how far"));
      const auto atom = atom_of(text_[at_]);
      if (!atom)
        return tl::unexpected(
            fmt::format("{} is no movement", std::isprint(static_cast<unsigned char>(text_[at_])) != 0
                                                 ? fmt::format("`{}`", text_[at_])
                                                 : "an unprintable character"));
      if (auto why = add(*atom); !why.empty()) return tl::unexpected(std::move(why));
    }
    return std::move(moves_);
  }

private:
  struct Modifiers {
    bool moves = false, captures = false, initial = false, lame = false, over = false, behind = false;
  };

  bool modifier() {
    const char c = text_[at_];
    switch (c) {
    case 'm': modifiers_.moves = true; break;
    case 'c': modifiers_.captures = true; break;
    case 'i': modifiers_.initial = true; break;
    case 'n': modifiers_.lame = true; break;
    case 'p': modifiers_.over = true; break;
    case 'g': modifiers_.behind = true; break;
    case 'e': break; // who may capture in passing is said elsewhere
    default:
      if (!is_vertical(c) && !is_horizontal(c)) return false;
      direction(c);
      return true;
    }
    ++at_;
    return true;
  }

  void direction(char c) {
    const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    const bool joined =
        next == c || (is_vertical(c) && is_horizontal(next)) || (is_horizontal(c) && is_vertical(next));
    directions_.push_back(joined ? std::string{c, next} : std::string{c, c});
    at_ += joined ? 2 : 1;
  }

  // What follows the letter: a number, or the letter again.
  std::string add(const Atom& atom) {
    const char letter = text_[at_++];
    BetzaMove move;
    bool rides = atom.rides;
    if (at_ < text_.size() && text_[at_] == letter && !atom.rides) {
      rides = true;
      ++at_;
    }
    for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0; ++at_) {
      rides = true;
      move.limit = std::min(move.limit * 10 + (text_[at_] - '0'), kMostLeaps);
    }
    if (rides && move.limit == 1) rides = false;
    move.moves = modifiers_.moves || !modifiers_.captures;
    move.captures = modifiers_.captures || !modifiers_.moves;
    move.initial = modifiers_.initial;
    const auto manner = manner_of(rides, move.limit);
    if (!manner) return "this mixture of ways to move has no counterpart";
    move.manner = *manner;
    for (const auto& [far, near] : atom.steps) add_leaps(far, near, atom.steps.size() == 1, move.leaps);
    if (move.leaps.empty()) return "this movement leads nowhere";
    moves_.push_back(std::move(move));
    return "";
  }

  [[nodiscard]] std::optional<MoveManner> manner_of(bool rides, int limit) const {
    const int ways = int{modifiers_.lame} + int{modifiers_.over} + int{modifiers_.behind};
    if (ways > 1 || (modifiers_.lame && rides)) return std::nullopt;
    if (modifiers_.lame) return MoveManner::lame;
    if (modifiers_.over && rides && limit == 0) return MoveManner::over;
    if (modifiers_.over && limit == 2) return MoveManner::over_first;
    if (modifiers_.behind && rides && limit == 0) return MoveManner::behind;
    if (ways > 0) return std::nullopt;
    return rides ? MoveManner::slide : MoveManner::leap;
  }

  // Straight leaps take two letters as two directions, so that `fsW` goes forward and sideways.
  void add_leaps(int far, int near, bool alone, std::set<Leap>& leaps) const {
    std::vector<std::string> wanted;
    for (const std::string& word : directions_)
      if (alone && near == 0 && word[0] != word[1]) {
        wanted.push_back({word[0], word[0]});
        wanted.push_back({word[1], word[1]});
      } else {
        wanted.push_back(word);
      }
    for (const Octant& octant : kOctants) {
      const bool named = std::any_of(wanted.begin(), wanted.end(), [&](const std::string& word) {
        return std::find(octant.words.begin(), octant.words.end(), word) != octant.words.end();
      });
      if (directions_.empty() || named)
        leaps.insert({octant.right_far * far + octant.right_near * near,
                      octant.forward_far * far + octant.forward_near * near});
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Modifiers modifiers_;
  std::vector<std::string> directions_;
  std::vector<BetzaMove> moves_;
};

// --- as directions of the rule language

std::set<Leap> quarter_turns(int far, int near) {
  std::set<Leap> leaps;
  for (const int x : {far, -far})
    for (const int y : {near, -near}) {
      leaps.insert({x, y});
      leaps.insert({y, x});
    }
  return leaps;
}

// "2 * forward", "forward", ""
std::string multiple(int n, const char* word) {
  if (n == 0) return "";
  return n == 1 ? word : fmt::format("{} * {}", n, word);
}

std::string joined_steps(const std::string& one, const std::string& other) {
  return one.empty() ? other : other.empty() ? one : one + " + " + other;
}

struct NamedLeaps {
  std::string text;
  std::set<Leap> leaps;
};

// What single words stand for; what holds another comes before it.
std::vector<NamedLeaps> named_leaps(int far, int near) {
  std::vector<NamedLeaps> names;
  const auto whole = [&]() -> std::string {
    if (near == 0) return multiple(far, "orthogonal");
    return near == far ? multiple(far, "diagonal") : fmt::format("leap({}, {})", near, far);
  };
  names.push_back({whole(), quarter_turns(far, near)});
  if (far == near) {
    const auto half = [&](const char* word) {
      return far == 1 ? fmt::format("{} & diagonal", word) : fmt::format("{} * ({} & diagonal)", far, word);
    };
    names.push_back({half("ahead"), {{far, far}, {-far, far}}});
    names.push_back({half("behind"), {{far, -far}, {-far, -far}}});
  }
  for (const auto& [a, b] : {std::pair(far, near), std::pair(near, far)})
    for (const char* along : {"forward", "backward"}) {
      const int y = along[0] == 'f' ? a : -a;
      if (b != 0 && far != near)
        names.push_back({joined_steps(multiple(a, along), multiple(b, "sideways")), {{b, y}, {-b, y}}});
      if (b == 0) names.push_back({multiple(a, along), {{0, y}}});
      if (b != 0) {
        names.push_back({joined_steps(multiple(a, along), multiple(b, "right")), {{b, y}}});
        names.push_back({joined_steps(multiple(a, along), multiple(b, "left")), {{-b, y}}});
      }
    }
  return names;
}

void add_direction(std::string& text, const std::string& more) { text += (text.empty() ? "" : " | ") + more; }

// Takes the leaps of one length out of `leaps`, and writes them.
void write_length(std::set<Leap>& leaps, int far, int near, std::string& text) {
  for (const NamedLeaps& name : named_leaps(far, near)) {
    if (!std::includes(leaps.begin(), leaps.end(), name.leaps.begin(), name.leaps.end())) continue;
    for (const Leap& leap : name.leaps) leaps.erase(leap);
    add_direction(text, name.text);
  }
}

std::string directions_text(std::set<Leap> leaps) {
  std::string text;
  const std::set<Leap> straight = quarter_turns(1, 0), slanting = quarter_turns(1, 1);
  const auto take = [&](const std::set<Leap>& which, const char* name) {
    if (!std::includes(leaps.begin(), leaps.end(), which.begin(), which.end())) return;
    for (const Leap& leap : which) leaps.erase(leap);
    add_direction(text, name);
  };
  std::set<Leap> king = straight;
  king.insert(slanting.begin(), slanting.end());
  take(king, "all");
  if (!std::includes(leaps.begin(), leaps.end(), straight.begin(), straight.end()) &&
      !std::includes(leaps.begin(), leaps.end(), slanting.begin(), slanting.end()))
    take({{0, 1}, {1, 1}, {-1, 1}}, "ahead");
  while (!leaps.empty()) {
    const auto length = [](const Leap& leap) {
      return leap.right * leap.right + leap.forward * leap.forward;
    };
    const Leap leap = *std::min_element(leaps.begin(), leaps.end(), [&](const Leap& one, const Leap& other) {
      return length(one) < length(other);
    });
    const int x = std::abs(leap.right), y = std::abs(leap.forward);
    write_length(leaps, std::max(x, y), std::min(x, y), text);
  }
  return text;
}

// Some of a horse's leaps: one step straight, over an empty cell, and one on the slant.
std::optional<std::string> bent_text(const std::set<Leap>& leaps) {
  std::map<Leap, std::set<Leap>> by_step;
  for (const Leap& leap : leaps)
    by_step[{leap.right / 2, leap.forward / 2}].insert(
        {leap.right - leap.right / 2, leap.forward - leap.forward / 2});
  std::string text;
  for (const auto& [step, rest] : by_step)
    text += fmt::format("{}(go {}, at empty, go {})", text.empty() ? "" : " or ", directions_text({step}),
                        directions_text(rest));
  return text;
}

// A lame leap goes in all directions, or straight; anything else is rare.
std::optional<std::string> lame_text(const BetzaMove& move, std::set<std::string>& helpers) {
  const Leap& first = *move.leaps.begin();
  const int x = std::abs(first.right), y = std::abs(first.forward);
  const int far = std::max(x, y), near = std::min(x, y);
  if (far == 2 && near == 0) {
    std::set<Leap> steps;
    for (const Leap& leap : move.leaps) steps.insert({leap.right / 2, leap.forward / 2});
    helpers.insert("stride");
    return fmt::format("stride({})", directions_text(steps));
  }
  const bool known = (far == 2 && near == 1) || (far == 2 && near == 2) || (far == 3 && near == 2);
  if (!known) return std::nullopt;
  if (move.leaps != quarter_turns(far, near))
    return far == 2 && near == 1 ? bent_text(move.leaps) : std::nullopt;
  return fmt::format("lame({}, {})", near, far);
}

std::optional<std::string> part_text(const BetzaMove& move, std::set<std::string>& helpers) {
  const std::string directions = directions_text(move.leaps);
  switch (move.manner) {
  case MoveManner::leap: return fmt::format("go {}", directions);
  case MoveManner::slide:
    if (move.limit == 0) return fmt::format("slide({})", directions);
    helpers.insert("dash");
    return fmt::format("dash({}, {})", directions, move.limit);
  case MoveManner::over: return fmt::format("over({}, occupied)", directions);
  case MoveManner::behind: return fmt::format("hop({})", directions);
  case MoveManner::over_first: helpers.insert("vaulted"); return fmt::format("vaulted({})", directions);
  case MoveManner::lame: return lame_text(move, helpers);
  }
  return std::nullopt;
}

// Leaps are one `go`, slides of one kind one `slide`.
std::vector<BetzaMove> joined_moves(const std::vector<BetzaMove>& moves, bool capturing) {
  std::vector<BetzaMove> joined;
  for (const BetzaMove& move : moves) {
    if (move.initial || !(capturing ? move.captures : move.moves)) continue;
    const auto same = std::find_if(joined.begin(), joined.end(), [&](const BetzaMove& other) {
      return other.manner == move.manner && other.limit == move.limit && move.manner != MoveManner::lame;
    });
    if (same == joined.end())
      joined.push_back(move);
    else
      same->leaps.insert(move.leaps.begin(), move.leaps.end());
  }
  std::stable_sort(joined.begin(), joined.end(), [](const BetzaMove& one, const BetzaMove& other) {
    return (one.manner != MoveManner::leap) > (other.manner != MoveManner::leap);
  });
  return joined;
}

} // namespace

tl::expected<std::vector<BetzaMove>, std::string> read_betza(std::string_view text) {
  return BetzaReader(text).read();
}

tl::expected<std::string, std::string> walk_text(const std::vector<BetzaMove>& moves, bool capturing,
                                                 std::set<std::string>& helpers) {
  std::vector<std::string> parts;
  for (const BetzaMove& move : joined_moves(moves, capturing)) {
    const auto text = part_text(move, helpers);
    if (!text) return tl::unexpected(std::string("lame leaps of this sort have no counterpart"));
    parts.push_back(*text);
  }
  if (parts.empty()) return "never";
  if (parts.size() == 1) return parts.front();
  std::string text;
  for (const std::string& part : parts)
    text += (text.empty() ? "" : " or ") + (part.starts_with("go ") ? "(" + part + ")" : part);
  return text;
}

std::set<Leap> first_leaps(const std::vector<BetzaMove>& moves) {
  std::set<Leap> leaps;
  for (const BetzaMove& move : moves)
    if (move.moves && !move.initial && move.manner != MoveManner::over && move.manner != MoveManner::behind &&
        move.manner != MoveManner::over_first)
      leaps.insert(move.leaps.begin(), move.leaps.end());
  return leaps;
}

} // namespace boardwright::tools
