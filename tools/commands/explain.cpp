// explain: what an error or a warning means, at length.
#include "dsl/codes.hpp"
#include "dsl/diagnostic.hpp"
#include "dsl/explanations.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/console/json.hpp"
#include "tools/console/wrapped.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace boardwright::tools {
namespace {

struct ExplainOptions {
  std::vector<std::string> names; // of errors and warnings; none: a list of all
  bool json = false;
};

using dsl::Explanation;

constexpr std::size_t kWidestProse = 100; // longer lines of prose are hard to read

constexpr std::size_t kExample = 4; // columns that an example is indented by

std::string entry_text(const Explanation& entry, std::size_t width) {
  std::string text = fmt::format("{}: {}\n", entry.name, entry.summary);
  for (const std::string& paragraph : entry.text) text += "\n" + wrapped(paragraph, width) + "\n";
  if (!entry.wrong.empty()) text += "\nWrong:\n\n" + indented(entry.wrong, kExample);
  if (!entry.right.empty()) text += "\nRight:\n\n" + indented(entry.right, kExample);
  return text;
}

Json entry_json(const Explanation& entry) {
  return {{"name", entry.name},
          {"summary", entry.summary},
          {"text", entry.text},
          {"wrong", entry.wrong},
          {"right", entry.right}};
}

std::string list_text(const std::vector<const Explanation*>& entries) {
  std::size_t width = 0;
  for (const Explanation* entry : entries) width = std::max(width, entry->name.size());
  std::string text;
  for (const Explanation* entry : entries)
    text += fmt::format("  {:<{}}  {}\n", entry->name, width, entry->summary);
  return text;
}

Exit no_such_name(const std::string& name, Console& console) {
  const std::vector<std::string> known(dsl::kCodes.begin(), dsl::kCodes.end());
  const std::string near = dsl::nearest(name, known);
  console.error(fmt::format("no error or warning is named `{}`; {}", quotable(name),
                            near.empty() ? "`boardwright explain` lists them"
                                         : fmt::format("did you mean `{}`?", near)));
  return Exit::usage;
}

// `[unknown-name]`, as a message has it, is a name too.
std::string without_brackets(const std::string& name) {
  if (name.size() < 2 || name.front() != '[' || name.back() != ']') return name;
  return name.substr(1, name.size() - 2);
}

Exit explain(const ExplainOptions& options, Console& console) {
  std::vector<const Explanation*> entries;
  for (const std::string& name : options.names) {
    entries.push_back(dsl::explanation_of(without_brackets(name)));
    if (entries.back() == nullptr) return no_such_name(name, console);
  }
  if (options.names.empty())
    for (const Explanation& entry : dsl::explanations()) entries.push_back(&entry);

  if (options.json) {
    Json all = Json::array();
    for (const Explanation* entry : entries) all.push_back(entry_json(*entry));
    console.out(to_document({{"explanations", all}}));
  } else if (options.names.empty()) {
    console.out(list_text(entries));
  } else {
    const auto width = std::min(kWidestProse, static_cast<std::size_t>(std::max(console.width(), 20)));
    for (const Explanation* entry : entries)
      console.out((entry == entries.front() ? "" : "\n") + entry_text(*entry, width));
  }
  return Exit::good;
}

} // namespace

void declare_explain(CommandLine& line) {
  auto& options = line.options<ExplainOptions>();
  CLI::App& command = line.add("explain", "Says at length what an error or a warning means",
                               "  boardwright explain\n  boardwright explain unknown-name\n"
                               "  boardwright explain unknown-name --json");
  command
      .add_option("NAME", options.names,
                  "What stands in brackets behind a message; a list of all if there is none")
      ->type_name("");
  for (const std::string_view code : dsl::kCodes) line.choices["explain NAME"].words.emplace_back(code);
  add_json(command, options.json);
  line.runs(command, [&options](Console& console) { return explain(options, console); });
}

} // namespace boardwright::tools
