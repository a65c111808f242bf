#include "tests/pages/examples.hpp"

#include "dsl/finder.hpp"
#include "interpreter/load.hpp"
#include "interpreter/self_tests/self_test.hpp"
#include "runtime/game/game.hpp"
#include "tests/pages/page.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

namespace boardwright::tests {
namespace {

constexpr std::string_view kPlainFrame = "plain";

struct Section {
  std::string name, text;
};

// The sections of a rule file's text: what begins in the first column.
std::vector<Section> sections_of(const std::string& text) {
  std::vector<Section> sections;
  for (const auto& line : lines_of(text)) {
    const bool begins = !line.empty() && std::isalpha(static_cast<unsigned char>(line[0])) != 0;
    if (begins) sections.push_back({line.substr(0, line.find(':')), ""});
    if (!sections.empty()) sections.back().text += line + "\n";
  }
  return sections;
}

// The frame with the sections of `part` in place of its own.
std::string within(const std::string& frame, const std::string& part) {
  auto sections = sections_of(frame);
  for (const auto& section : sections_of(part)) {
    const auto old = std::find_if(sections.begin(), sections.end(),
                                  [&](const Section& s) { return s.name == section.name; });
    if (old == sections.end())
      sections.push_back(section);
    else
      *old = section;
  }
  std::string text;
  for (const auto& section : sections) text += section.text;
  return text;
}

class Page {
public:
  explicit Page(const std::vector<Block>& blocks) {
    for (const auto& block : blocks) {
      if (block.word(1) == "frame") frames_[block.word(2)] = block.text;
      if (block.word(1) == "file") files_[block.word(2)] = block.text;
    }
  }

  // The text of a frame; the plain one if no other is named.
  [[nodiscard]] std::string frame(const std::string& name) const {
    const auto found = frames_.find(name.empty() ? std::string(kPlainFrame) : name);
    INFO("frame " << name);
    REQUIRE(found != frames_.end());
    return found->second;
  }

  // The page's own files come before those of the disk.
  [[nodiscard]] dsl::FileFinder finder(const std::string& name, const std::string& text) const {
    return [this, name, text](const std::string& reference,
                              const std::string& beside) -> std::optional<dsl::FoundFile> {
      if (reference == name) return dsl::FoundFile{name, text};
      const auto found = files_.find(reference);
      if (found != files_.end()) return dsl::FoundFile{found->first, found->second};
      return dsl::standard_finder()(reference, beside.find('/') == std::string::npos ? "" : beside);
    };
  }

private:
  std::map<std::string, std::string> frames_, files_;
};

constexpr const char* kName = "example";

interpreter::Loaded load(const Page& page, const std::string& text) {
  return interpreter::load(kName, {}, page.finder(kName, text));
}

// A rule file, or a part of one: it loads, and its own tests pass.
void check_rule_file(const Page& page, const std::string& text) {
  const auto find = page.finder(kName, text);
  const auto loaded = interpreter::load(kName, {}, find);
  INFO(text << "\n" << loaded.errors());
  if (!loaded) {
    FAIL_CHECK("this does not load");
    return;
  }
  const auto run = interpreter::run_tests(loaded, kName, {}, find);
  INFO(dsl::render(run.diagnostics, loaded.sources, false));
  for (const auto& result : run.results) {
    INFO(result.name);
    CHECK(result.passed);
  }
}

// ---------------------------------------------------------------- lines `what => what comes of it`

struct Example {
  int line = 0;
  std::string what, expected;
};

// An example may take several lines: those that end without a result belong to the one below.
std::vector<Example> examples_of(const Block& block) {
  constexpr std::string_view kArrow = "=>";
  std::vector<Example> examples;
  std::string begun;
  const Lines lines = lines_of(block.text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string line = lines[i].substr(0, lines[i].find('#'));
    const auto arrow = line.find(kArrow);
    begun += (begun.empty() ? "" : "\n") + trimmed(line.substr(0, arrow));
    if (arrow == std::string::npos) {
      if (trimmed(begun).empty()) begun.clear();
      continue;
    }
    examples.push_back(
        {block.line + static_cast<int>(i), begun, trimmed(line.substr(arrow + kArrow.size()))});
    begun.clear();
  }
  CHECK(begun.empty());
  CHECK_FALSE(examples.empty());
  return examples;
}

std::string turn_section(const std::string& body) {
  std::string text = "turn: |\n";
  for (const auto& line : lines_of(body)) text += "  " + line + "\n";
  return text;
}

std::optional<Lines> moves_of(const Page& page, const std::string& frame, const std::string& body) {
  const auto loaded = load(page, within(page.frame(frame), turn_section(body)));
  if (!loaded) {
    FAIL_CHECK("this does not load:\n" << loaded.errors());
    return std::nullopt;
  }
  runtime::Game game(loaded.rules);
  auto moves = game.notations();
  if (!moves) {
    FAIL_CHECK(moves.error().message);
    return std::nullopt;
  }
  std::sort(moves->begin(), moves->end());
  return std::move(*moves);
}

// Values are compared by the language itself, on c3; what can be written is written where they differ.
void check_value(const Page& page, const std::string& frame, const Example& example) {
  const std::string test = "to c3, require (" + example.what + ") = (" + example.expected + "), say \"yes\"";
  const auto moves = moves_of(page, frame, test);
  if (!moves || !moves->empty()) return;
  const auto loaded =
      load(page, within(page.frame(frame), turn_section("to c3, say (\"it is \", " + example.what + ")")));
  FAIL_CHECK("it is not " << example.expected);
  if (!loaded) return;
  runtime::Game game(loaded.rules);
  if (const auto written = game.notations(); written && !written->empty()) FAIL_CHECK(written->front());
}

// `none`, or the notations of all moves; one with a blank in it is in quotes.
Lines listed_moves(const std::string& text) {
  Lines moves;
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    if (word.front() == '"')
      for (std::string more; word.size() < 2 || word.back() != '"'; word += " " + more)
        if (!(in >> more)) break;
    moves.push_back(word.front() == '"' ? word.substr(1, word.size() - 2) : word);
  }
  if (moves == Lines{"none"}) moves.clear();
  std::sort(moves.begin(), moves.end());
  return moves;
}

void check_moves(const Page& page, const std::string& frame, const Example& example) {
  if (const auto moves = moves_of(page, frame, example.what)) CHECK(*moves == listed_moves(example.expected));
}

// Is every part of `fragments`, which ` | ` separates, in one and the same message?
bool is_said(const interpreter::Loaded& loaded, const std::string& fragments) {
  constexpr std::string_view kBar = " | ";
  Lines parts;
  for (std::size_t begin = 0; begin <= fragments.size();) {
    const auto end = std::min(fragments.find(kBar, begin), fragments.size());
    parts.push_back(fragments.substr(begin, end - begin));
    begin = end + kBar.size();
  }
  const auto& all = loaded.diagnostics.all();
  return std::any_of(all.begin(), all.end(), [&](const dsl::Diagnostic& d) {
    const std::string said =
        d.message + "\n" + d.expected + "\n" + d.help + "\n[" + std::string(d.code.name()) + "]";
    return std::all_of(parts.begin(), parts.end(),
                       [&](const std::string& part) { return said.find(part) != std::string::npos; });
  });
}

void check_refused(const interpreter::Loaded& loaded, const std::string& fragment) {
  INFO(loaded.errors());
  CHECK_FALSE(loaded);
  CHECK(is_said(loaded, fragment));
}

// A fault is met only when moves are derived.
void check_error(const Page& page, const std::string& frame, const Example& example) {
  constexpr std::string_view kFault = "fault: ";
  const auto loaded = load(page, within(page.frame(frame), turn_section(example.what)));
  if (!example.expected.starts_with(kFault)) return check_refused(loaded, example.expected);
  INFO(loaded.errors());
  REQUIRE(loaded);
  runtime::Game game(loaded.rules);
  const auto moves = game.notations();
  REQUIRE_FALSE(moves);
  INFO(moves.error().message);
  CHECK(moves.error().message.find(example.expected.substr(kFault.size())) != std::string::npos);
}

using CheckExample = void (*)(const Page& page, const std::string& frame, const Example& example);

void check_examples(const Page& page, const Block& block, CheckExample check) {
  for (const auto& example : examples_of(block)) {
    INFO(block.page << ":" << example.line << ": " << example.what << " => " << example.expected);
    check(page, block.word(1), example);
  }
}

// A part of a file that is refused: a comment says with which words.
void check_error_part(const Page& page, const Block& block) {
  constexpr std::string_view kMark = "# error: ";
  std::size_t told = 0;
  const auto loaded = load(page, within(page.frame(block.word(2)), block.text));
  for (const auto& line : lines_of(block.text)) {
    const auto mark = line.find(kMark);
    if (mark == std::string::npos) continue;
    ++told;
    const std::string fragment = line.substr(mark + kMark.size());
    INFO("expected: " << fragment);
    check_refused(loaded, fragment);
  }
  CHECK(told > 0);
}

// False for a block that is none of ours.
bool check_block(const Page& page, const Block& block) {
  const std::string kind = block.word(0) == "yaml" ? block.word(1) : block.word(0);
  if (kind == "game") return check_rule_file(page, block.text), true;
  if (kind == "part") return check_rule_file(page, within(page.frame(block.word(2)), block.text)), true;
  if (kind == "frame") return check_rule_file(page, block.text), true;
  if (kind == "error") return check_error_part(page, block), true;
  if (kind == "values") return check_examples(page, block, check_value), true;
  if (kind == "moves") return check_examples(page, block, check_moves), true;
  if (kind == "errors") return check_examples(page, block, check_error), true;
  return kind == "file" || kind == "text" || kind == "ebnf" || kind == "console" || kind == "sh";
}

} // namespace

std::string example_file(const Block& block) {
  static const Page reference(blocks_of("dsl/README.md"));
  if (block.word(2) == "whole") return block.text;
  return within(reference.frame(block.word(2)), block.text);
}

void check_examples(const std::string& page) {
  const auto blocks = blocks_of(page);
  const Page files(blocks);
  for (const auto& block : blocks) {
    INFO(block.place());
    const bool known = check_block(files, block);
    CHECK(known);
  }
}

} // namespace boardwright::tests
