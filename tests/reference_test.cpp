// The examples of the language's reference, dsl/README.md: every block in it is run. The page says at its top
// how its blocks are written.
#include "rule_files.hpp"

#include "dsl/finder.hpp"
#include "dsl/grammar.hpp"
#include "dsl/sections.hpp"
#include "dsl/tokens.hpp"
#include "dsl/yaml.hpp"
#include "interpreter/builder.hpp"
#include "interpreter/geometry.hpp"
#include "interpreter/lowering.hpp"
#include "interpreter/self_test.hpp"
#include "interpreter/symbols.hpp"
#include "runtime/model/limits.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

using namespace boardwright;

namespace {

const std::filesystem::path kRoot = tests::source_root();
const std::filesystem::path kPage = kRoot / "dsl" / "README.md";
constexpr std::string_view kPlainFrame = "plain";

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

Lines page() {
  const std::string text = text_of(kPage);
  REQUIRE_FALSE(text.empty());
  return lines_of(text);
}

Lines words_of(const std::string& text) {
  Lines words;
  std::istringstream in(text);
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// ---------------------------------------------------------------- blocks

struct Block {
  int line = 0; // of its first line of text
  Lines info;   // the words behind the fence
  std::string text;

  [[nodiscard]] std::string word(std::size_t i) const { return i < info.size() ? info[i] : ""; }
  [[nodiscard]] std::string place() const { return "dsl/README.md:" + std::to_string(line); }
};

std::vector<Block> blocks_of(const Lines& lines) {
  constexpr std::string_view kFence = "```";
  std::vector<Block> blocks;
  bool inside = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].starts_with(kFence)) {
      if (inside) blocks.back().text += lines[i] + "\n";
      continue;
    }
    inside = !inside;
    if (inside) blocks.push_back({static_cast<int>(i) + 2, words_of(lines[i].substr(kFence.size())), ""});
  }
  REQUIRE_FALSE(inside);
  return blocks;
}

// ---------------------------------------------------------------- rule files

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
    const std::string said = d.message + "\n" + d.expected + "\n" + d.help + "\n[" + d.code + "]";
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
    INFO("dsl/README.md:" << example.line << ": " << example.what << " => " << example.expected);
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
  return kind == "file" || kind == "text" || kind == "ebnf";
}

// ---------------------------------------------------------------- the index

// GitHub's name of a heading.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '_' || c == '-' || byte >= 0x80)
      anchor += static_cast<char>(std::tolower(byte));
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

std::string after_hashes(const std::string& line) {
  const auto begin = line.find_first_not_of('#');
  return begin == std::string::npos ? "" : trimmed(line.substr(begin));
}

// The page without what stands in blocks.
Lines prose(const Lines& lines) {
  Lines result;
  bool inside = false;
  for (const auto& line : lines) {
    if (line.starts_with("```")) inside = !inside;
    if (!inside) result.push_back(line);
  }
  return result;
}

// What stands below a heading of the second level.
Lines chapter(const Lines& lines, const std::string& heading) {
  const auto begin = std::find(lines.begin(), lines.end(), "## " + heading);
  INFO(heading);
  REQUIRE(begin != lines.end());
  const auto end =
      std::find_if(begin + 1, lines.end(), [](const std::string& line) { return line.starts_with("## "); });
  return Lines(begin + 1, end);
}

// The words between backticks.
std::set<std::string> quoted_in(const Lines& lines) {
  std::set<std::string> words;
  for (const auto& line : lines) {
    std::size_t end = 0;
    for (auto at = line.find('`'); at != std::string::npos; at = line.find('`', end + 1)) {
      end = line.find('`', at + 1);
      if (end == std::string::npos) break;
      words.insert(line.substr(at + 1, end - at - 1));
    }
  }
  return words;
}

bool is_one_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
  });
}

Lines keywords() {
  Lines words;
  for (std::size_t i = 0; i < dsl::kTokCount; ++i)
    if (const auto word = dsl::spelling(static_cast<dsl::Tok>(i)); is_one_word(word))
      words.emplace_back(word);
  return words;
}

// ---------------------------------------------------------------- errors and limits

// The code of an error that is made at `at` in a source: its first string.
std::string code_at(const std::string& source, std::size_t at) {
  const auto open = source.find_first_of("\";", at);
  if (open == std::string::npos || source[open] != '"') return "";
  const std::string code = source.substr(open + 1, source.find('"', open + 1) - open - 1);
  const bool is_code = std::all_of(code.begin(), code.end(), [](char c) {
    return std::islower(static_cast<unsigned char>(c)) != 0 || c == '-';
  });
  return is_code ? code : "";
}

std::set<std::string> codes_in_sources() {
  std::set<std::string> codes;
  for (const char* folder : {"dsl", "interpreter"}) {
    for (const auto& entry : std::filesystem::directory_iterator(kRoot / folder)) {
      if (entry.path().extension() != ".cpp") continue;
      const std::string source = text_of(entry.path());
      for (const std::string call : {"error(", "warning(", "Refusal{"})
        for (auto at = source.find(call); at != std::string::npos; at = source.find(call, at + 1))
          codes.insert(code_at(source, at));
    }
  }
  codes.erase("");
  return codes;
}

struct Limit {
  std::string name;
  std::uint64_t value;
};

std::vector<Limit> limits() {
  return {{"kMaxFileBytes", dsl::kMaxFileBytes},
          {"kMaxYamlDepth", dsl::kMaxYamlDepth},
          {"kMaxExtends", dsl::kMaxExtends},
          {"kMaxRuleBytes", dsl::kMaxRuleBytes},
          {"kMaxRuleDepth", dsl::kMaxRuleDepth},
          {"kMaxTreeHeight", dsl::kMaxTreeHeight},
          {"kMaxCopiedRules", dsl::kMaxCopiedRules},
          {"kMaxDiagnostics", dsl::kMaxDiagnostics},
          {"kMaxSyntaxErrors", dsl::kMaxSyntaxErrors},
          {"kMaxSide", interpreter::kMaxSide},
          {"kMaxCells", runtime::kMaxCells},
          {"kMaxSteps", runtime::kMaxSteps},
          {"kMaxHeight", runtime::kMaxHeight},
          {"kMaxUnfolding", interpreter::kMaxUnfolding},
          {"kMaxNodes", interpreter::kMaxNodes},
          {"kMaxWork", runtime::kMaxWork},
          {"kMaxMoves", runtime::kMaxMoves},
          {"kMaxDepth", runtime::kMaxDepth},
          {"kMaxList", runtime::kMaxList},
          {"kMaxNotation", runtime::kMaxNotation}};
}

// "1,048,576"
std::string with_commas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

} // namespace

TEST_CASE("every example of the reference does what the page says") {
  const auto blocks = blocks_of(page());
  const Page files(blocks);
  for (const auto& block : blocks) {
    INFO(block.place());
    const bool known = check_block(files, block);
    CHECK(known);
  }
}

TEST_CASE("the index of the reference has every word of the language") {
  const auto listed = quoted_in(chapter(page(), "Index"));
  const dsl::RuleFile empty;
  const interpreter::Symbols symbols(empty);
  for (const auto& word : keywords())
    if (!listed.contains(word)) FAIL_CHECK("no entry for " << word);
  for (const auto& word : symbols.known_names(false))
    if (!listed.contains(word)) FAIL_CHECK("no entry for the word " << word);
  for (const auto& function : symbols.known_names(true))
    if (!listed.contains(function + "()")) FAIL_CHECK("no entry for " << function << "()");
  for (const auto& section : dsl::section_names())
    if (!listed.contains(section + ":")) FAIL_CHECK("no entry for the section " << section);
}

TEST_CASE("the reference tells every definition of the standard vocabulary") {
  const auto listed = quoted_in(chapter(page(), "Index"));
  const auto loaded = interpreter::load(tests::test_rules("breakthrough"));
  REQUIRE(loaded);
  for (const auto& definition : loaded.file->vocabularies.front()) {
    const std::string entry = definition.name.text + (definition.parameters.empty() ? "" : "()");
    if (!listed.contains(entry)) FAIL_CHECK("no entry for " << entry);
  }
}

TEST_CASE("links within the reference lead somewhere") {
  const auto lines = prose(page());
  std::set<std::string> anchors;
  for (const auto& line : lines)
    if (line.starts_with("#")) CHECK(anchors.insert(anchor_of(after_hashes(line))).second);
  for (const auto& line : lines)
    for (auto at = line.find("](#"); at != std::string::npos; at = line.find("](#", at + 1)) {
      const std::string target = line.substr(at + 3, line.find(')', at) - at - 3);
      if (!anchors.contains(target)) FAIL_CHECK("there is no heading for #" << target);
    }
}

TEST_CASE("the reference tells every code of an error") {
  const auto told = quoted_in(chapter(page(), "Errors"));
  const auto codes = codes_in_sources();
  CHECK(codes.size() > 40);
  for (const auto& code : codes)
    if (!told.contains(code)) FAIL_CHECK("no entry for the code " << code);
}

TEST_CASE("the reference tells the limits as they are") {
  const Lines table = chapter(page(), "Limits");
  for (const auto& [name, value] : limits()) {
    const std::string row = "| `" + name + "` | " + with_commas(value) + " |";
    const bool told = std::any_of(table.begin(), table.end(),
                                  [&](const std::string& line) { return line.starts_with(row); });
    if (!told) FAIL_CHECK("the limits have no row " << row);
  }
}
