#include "runtime/ir/print.hpp"

#include "runtime/ir/heading.hpp"
#include "runtime/ir/names.hpp"

#include <fmt/format.h>

#include <map>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace boardwright::runtime::ir {

namespace {

// Labels count from the first place that something leads to.
class Labels {
public:
  Labels(const Program& program, const Code& code);
  [[nodiscard]] std::string of(std::size_t place) const { return fmt::format("L{}", number_.at(place)); }
  // The lines before an instruction: a label and what begins there.
  [[nodiscard]] std::string before(std::size_t place) const;

private:
  std::map<std::size_t, std::size_t> number_;
  std::multimap<std::size_t, std::string> notes_;
};

Labels::Labels(const Program& program, const Code& code) {
  const auto add = [this](std::size_t place) { number_[place] = 0; };
  const auto begins = [&](std::size_t place, std::string what) {
    add(place);
    notes_.emplace(place, std::move(what));
  };
  for (const Instruction& i : code.instructions)
    if (jumps(i.op)) add(static_cast<std::size_t>(i.x));
  for (const auto& labels : code.labels)
    for (const std::uint32_t label : labels) add(label);
  for (std::size_t p = 0; p < code.players.size(); ++p) {
    const std::string name =
        p < program.players.size() ? program.players[p].name : fmt::format("player {}", p);
    begins(code.players[p].position, name + ": end lines, then the moves");
    begins(code.players[p].moves_done, name + ": all moves are known");
    begins(code.players[p].play, name + ": plays a move choice by choice");
    begins(code.players[p].notate, name + ": plays a move and writes it");
  }
  for (std::size_t k = 0; k < code.leaves.size(); ++k)
    begins(code.leaves[k].entry, fmt::format("plays a move of leaf {}", k));
  std::size_t next = 0;
  for (auto& [place, number] : number_) number = next++;
}

std::string Labels::before(std::size_t place) const {
  if (!number_.contains(place)) return {};
  std::string text = of(place) + ":\n";
  const auto [first, last] = notes_.equal_range(place);
  for (auto note = first; note != last; ++note) text += "  ; " + note->second + "\n";
  return text;
}

// ---------------------------------------------------------------- the heading

class Heading {
public:
  explicit Heading(const Labels& labels) : labels_(labels) {}

  template <class T>
  void line(std::string_view keyword, T& entry) {
    text += keyword;
    each_field(entry, *this);
    text += '\n';
  }
  template <class T>
  void operator()(std::string_view name, T&& value) {
    text += fmt::format(" {}=", name);
    add(value);
  }
  std::string text;

private:
  void add(const Place& place) { text += labels_.of(place.index); }
  void add(const std::string& value) { text += quoted(value); }
  template <int W>
  void add(const Bits<W>& set) {
    const char* before = "{";
    text += set.none() ? "{" : "";
    set.each([&](int member) { text += std::exchange(before, " ") + std::to_string(member); });
    text += '}';
  }
  void add(const Choice& c) { text += fmt::format("{}:{}:{}", static_cast<int>(c.from), c.value, c.place); }
  template <class T>
  void add(const std::vector<T>& all) {
    text += '[';
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (k > 0) text += ' ';
      add(static_cast<const T&>(all[k]));
    }
    text += ']';
  }
  void add(const std::vector<bool>& all) { // each is no bool but a proxy
    add(std::vector<int>(all.begin(), all.end()));
  }
  void add(const std::vector<std::uint32_t>& labels) {
    std::vector<std::string> names;
    for (const std::uint32_t label : labels) names.push_back(labels_.of(label));
    text += fmt::format("[{}]", fmt::join(names, " "));
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void add(T value) { text += std::to_string(value); }
  template <class T>
  requires std::is_enum_v<T>
  void add(T value) { text += std::to_string(static_cast<int>(value)); }

  const Labels& labels_;
};

// (A copy: the fields are walked through for reading and writing alike.)
std::string heading(Code c, const Labels& labels) {
  Heading all(labels);
  all.line("layout", c.layout);
  all.text += "code";
  each_single(c, all);
  all.text += '\n';
  each_table(c, [&](std::string_view keyword, auto& table) {
    for (auto& entry : table) all.line(keyword, entry);
  });
  return std::move(all.text);
}

// ---------------------------------------------------------------- instructions

class Printer {
public:
  Printer(const Program& program, const Code& code)
      : program_(program), code_(code), names_(program, code), labels_(program, code) {}
  [[nodiscard]] std::string instructions(std::size_t begin, std::size_t end, bool places, bool costs) const;
  [[nodiscard]] const Labels& labels() const { return labels_; }

private:
  [[nodiscard]] std::string line(const Instruction& i, bool costs) const;
  [[nodiscard]] std::string operand(const Instruction& i, Operand which) const;

  const Program& program_;
  const Code& code_;
  Names names_;
  Labels labels_;
};

// "" for what the operation hasn't.
std::string Printer::operand(const Instruction& i, Operand which) const {
  const char letter = about(i.op).role(which);
  const std::int64_t values[] = {i.d, i.a, i.b, i.c, i.x};
  const std::int64_t value = values[static_cast<std::size_t>(which)];
  if (letter == '-') return {};
  if (which == Operand::b && i.y != 0 && about(i.op).role(Operand::y) == 'a') return {};
  if (letter == 'j') return labels_.of(static_cast<std::size_t>(i.x));
  if (letter != 'J') return names_.text(letter, value);
  std::vector<std::string> to;
  for (const std::uint32_t label : code_.labels[static_cast<std::size_t>(i.x)])
    to.push_back(labels_.of(label));
  return fmt::format("{} ({})", names_.text(letter, value), fmt::join(to, " "));
}

std::string Printer::line(const Instruction& i, bool costs) const {
  std::string name(about(i.op).name);
  if (i.y != 0) name += fmt::format(".{}{}", about(i.op).role(Operand::y), i.y);
  if (costs && i.cost != 0) name += fmt::format("@{}", i.cost);
  std::string text = fmt::format("    {:<15}", name);
  const std::string written = operand(i, Operand::d);
  if (!written.empty()) text += " " + written + " <-";
  const char* before = " ";
  for (const Operand which : {Operand::a, Operand::b, Operand::c, Operand::x}) {
    const std::string part = operand(i, which);
    if (!part.empty()) text += std::exchange(before, ", ") + part;
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string Printer::instructions(std::size_t begin, std::size_t end, bool places, bool costs) const {
  std::string text, place;
  for (std::size_t k = begin; k < end && k < code_.instructions.size(); ++k) {
    text += labels_.before(k);
    const std::string now = places ? place_in(program_, code_.instructions[k].origin) : std::string();
    if (now != place) text += "  ; at " + now + "\n";
    place = now;
    text += line(code_.instructions[k], costs);
  }
  if (end >= code_.instructions.size()) text += labels_.before(code_.instructions.size());
  return text;
}

} // namespace

std::string place_in(const Program& program, std::uint32_t origin) {
  const bool known = origin < program.origins.size() && program.origins[origin].line > 0;
  return known ? place_of(program, origin) : "no line of the rules";
}

std::string print(const Program& program, const Code& code, const PrintOptions& options) {
  const Printer printer(program, code);
  const std::string first = options.heading ? heading(code, printer.labels()) : std::string();
  return first + printer.instructions(0, code.instructions.size(), options.places, options.costs);
}

std::string print(const Program& program, const Code& code, std::size_t begin, std::size_t end, bool places) {
  return Printer(program, code).instructions(begin, end, places, false);
}

} // namespace boardwright::runtime::ir
