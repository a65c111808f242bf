#include "interpreter/self_tests/test_update.hpp"

#include "dsl/text.hpp"
#include "dsl/yaml.hpp"
#include "interpreter/notation/position_text.hpp"
#include "interpreter/self_tests/test_variants.hpp"
#include "runtime/game/game.hpp"
#include "runtime/game/perft.hpp"
#include "runtime/model/shares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

namespace boardwright::interpreter {
namespace {

using dsl::Yaml;
using runtime::Game;
using runtime::Program;

constexpr std::size_t kLineWidth = 100; // of what is written; longer lists go on in further lines

bool expects_nothing(const dsl::TestEntry& test) {
  return test.expect.empty() && test.perft.empty() && !test.games;
}

// One entry of a test, as its words: "moves:" "a1-a2" "b1-b2".
struct Entry {
  std::string key;
  std::vector<std::string> words;
};

// Can all of them stand side by side in a value without quotes?
bool are_plain(const std::vector<std::string>& moves) {
  const auto plain = [](const std::string& move) {
    return !move.empty() && std::isalnum(static_cast<unsigned char>(move.front())) != 0 &&
           std::all_of(move.begin(), move.end(), [](char c) {
             return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                    std::string_view("-_.=+/()^*").find(c) != std::string_view::npos;
           });
  };
  const bool is_word_for_no_move = moves.size() == 1 && moves.front() == "none";
  return !is_word_for_no_move && std::all_of(moves.begin(), moves.end(), plain);
}

std::string in_quotes(const std::string& move) {
  std::string text = "\"";
  for (const char c : move) text += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return text + "\"";
}

// As a list in brackets, the commas behind the words.
std::vector<std::string> in_brackets(std::vector<std::string> words) {
  for (std::size_t i = 0; i < words.size(); ++i) words[i] += i + 1 < words.size() ? "," : "]";
  if (words.empty()) return {"[]"};
  words.front().insert(0, "[");
  return words;
}

class Asking {
public:
  Asking(Game& game, dsl::Span span, dsl::Diagnostics& diagnostics, const std::atomic<bool>* stop)
      : game_(game), span_(span), diagnostics_(diagnostics), stop_(stop) {}

  // Nothing where a rule goes wrong, which has been told then, or it was stopped.
  std::optional<std::vector<Entry>> entries() {
    const auto outcome = game_.outcome();
    if (!outcome) return fault(outcome.error());
    if (*outcome) return std::vector<Entry>{{"winner:", winners(**outcome)}};
    auto moves = game_.notations();
    if (!moves) return fault(moves.error());
    std::sort(moves->begin(), moves->end());
    std::vector<Entry> all;
    if (moves->size() <= kMaxWrittenMoves) all.push_back({"moves:", as_words(*moves)});
    const auto counts = perft(moves->size());
    if (!counts) return std::nullopt;
    if (counts->size() > 1)
      all.push_back({"perft:", in_brackets(*counts)});
    else if (all.empty())
      all.push_back({"count:", *counts});
    return all;
  }

private:
  std::nullopt_t fault(const runtime::Fault& fault) {
    diagnostics_.error("test", span_, fault.message).help =
        "at " + runtime::place_of(game_.rules().program(), fault.origin);
    return std::nullopt;
  }

  [[nodiscard]] std::vector<std::string> winners(const runtime::Outcome& outcome) const {
    const Program& program = game_.rules().program();
    if (outcome.shares != 0) return {in_quotes(runtime::shares_text(program, outcome.shares))};
    std::vector<std::string> names;
    for (std::size_t i = 0; i < program.players.size(); ++i)
      if ((outcome.winners >> i & 1U) != 0) names.push_back(program.players[i].name);
    return names.empty() ? std::vector<std::string>{"nobody"} : names;
  }

  static std::vector<std::string> as_words(std::vector<std::string> moves) {
    if (moves.empty()) return {"none"};
    if (are_plain(moves)) return moves;
    for (std::string& move : moves) move = in_quotes(move);
    return in_brackets(std::move(moves));
  }

  // How many sequences of one move, of two, …, as far as that is quick.
  std::optional<std::vector<std::string>> perft(std::uint64_t moves) {
    std::vector<std::string> counts{std::to_string(moves)};
    std::uint64_t leaves = moves;
    while (counts.size() < kMaxWrittenDepth && leaves > 0 && leaves * moves <= kMaxWrittenLeaves) {
      runtime::PerftOptions options;
      options.depth = static_cast<int>(counts.size()) + 1;
      options.stop = stop_;
      const auto found = runtime::perft(game_, options);
      if (!found) return fault(found.error());
      if (found->stopped) return std::nullopt;
      leaves = found->leaves;
      if (leaves == 0) break; // every game is over by then
      counts.push_back(std::to_string(leaves));
    }
    return counts;
  }

  Game& game_;
  const dsl::Span span_;
  dsl::Diagnostics& diagnostics_;
  const std::atomic<bool>* stop_;
};

// --- the text

// Where entries can be put into the map of a test, and how.
struct Slot {
  std::uint32_t at = 0;
  bool is_flow = false; // `{ … }`
  bool needs_comma = true;
  std::size_t indent = 0; // of the test's keys
};

std::size_t column_of(const std::string& text, std::size_t at) {
  return at - (at == 0 ? 0 : text.rfind('\n', at - 1) + 1); // npos + 1 is 0
}

std::size_t before_blanks(const std::string& text, std::size_t at) {
  while (at > 0 && dsl::is_white(text[at - 1])) --at;
  return at;
}

Slot slot_in(const std::string& text, const Yaml& test) {
  Slot slot;
  slot.indent = column_of(text, test.entries.front().key.span().begin);
  slot.is_flow = text[test.span.begin] == '{';
  std::size_t at = 0;
  if (slot.is_flow) {
    at = before_blanks(text, text.rfind('}', test.span.end - 1));
    slot.needs_comma = text[at - 1] != ',';
  } else { // behind the last value, and a comment behind it
    at = before_blanks(text, test.entries.back().value.span.end);
    at = std::min(text.find('\n', at), text.size());
    if (at > 0 && text[at - 1] == '\r') --at;
  }
  slot.at = static_cast<std::uint32_t>(at);
  return slot;
}

// A word goes on in the next line where this one would become too long.
void append(std::string& text, std::size_t& column, const std::string& word, std::size_t indent) {
  if (column + 1 + word.size() > kLineWidth) {
    text += "\n" + std::string(indent, ' ');
    column = indent;
  } else {
    text += ' ';
    ++column;
  }
  text += word;
  column += word.size();
}

std::string written_into(const Slot& slot, const std::string& file, const std::vector<Entry>& entries) {
  std::string text;
  std::size_t column = column_of(file, slot.at);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (slot.is_flow) {
      if (slot.needs_comma || i > 0) {
        text += ",";
        ++column;
      }
      append(text, column, entries[i].key, slot.indent);
    } else {
      text += "\n" + std::string(slot.indent, ' ') + entries[i].key;
      column = slot.indent + entries[i].key.size();
    }
    for (const std::string& word : entries[i].words) append(text, column, word, slot.indent + 2);
  }
  return text;
}

std::string told(const std::vector<Entry>& entries) {
  std::string text;
  for (const Entry& entry : entries)
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", entry.key, fmt::join(entry.words, " "));
  return text;
}

} // namespace

TestUpdates updates_of(const Loaded& loaded, const std::string& reference, const dsl::FileFinder& find,
                       const std::atomic<bool>* stop) {
  TestUpdates found;
  const dsl::FileId file = loaded.file->file;
  const std::string& text = loaded.sources.text(file);
  dsl::Diagnostics ignored; // it has been read before
  const auto root = dsl::read_yaml(loaded.sources, file, ignored);
  const Yaml* tests = root ? root->find("tests") : nullptr;
  if (tests == nullptr || tests->items.size() != loaded.file->tests.size()) return found;
  const Settings none;
  TestVariants variants(loaded, reference, none, find);
  for (std::size_t i = 0; i < tests->items.size(); ++i) {
    const dsl::TestEntry& test = loaded.file->tests[i];
    if (!expects_nothing(test)) continue;
    found.stopped = found.stopped || (stop != nullptr && stop->load(std::memory_order_relaxed));
    if (found.stopped) return found;
    const auto rules = variants.rules_for(test, found.diagnostics);
    auto game = rules ? game_at(rules, test.position, "test", found.diagnostics) : std::nullopt;
    if (!game) continue;
    const auto entries = Asking(*game, test.name.span, found.diagnostics, stop).entries();
    if (!entries) continue;
    const Slot slot = slot_in(text, tests->items[i]);
    found.updates.push_back(
        {test.name, {{file, slot.at, slot.at}, written_into(slot, text, *entries)}, told(*entries)});
  }
  return found;
}

} // namespace boardwright::interpreter
