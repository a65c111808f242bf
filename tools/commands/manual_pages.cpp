// Pages of the manual, in the macros of man(7), from the tables of the command line.
#include "tools/commands/command_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#ifndef BOARDWRIGHT_VERSION
#define BOARDWRIGHT_VERSION "0.1.0"
#endif

namespace boardwright::tools {
namespace {

// A sign beyond ASCII by its number, so that no page depends on how it is read.
std::string roff_sign(const std::string& text, std::size_t& at) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const std::size_t more = byte(at) >= 0xF0 ? 3 : byte(at) >= 0xE0 ? 2 : 1;
  std::uint32_t code = byte(at) & (0x3FU >> more);
  for (std::size_t k = 0; k < more && at + 1 < text.size(); ++k) code = code << 6U | (byte(++at) & 0x3FU);
  return fmt::format("\\[u{:04X}]", code);
}

// As it stands: every sign that roff would read otherwise is spelled out.
std::string roff_plain(const std::string& text) {
  std::string escaped;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (static_cast<unsigned char>(c) >= 0x80) {
      escaped += roff_sign(text, at);
      continue;
    }
    switch (c) {
    case '\\': escaped += "\\(rs"; break;
    case '-': escaped += "\\-"; break;
    case '\'': escaped += "\\(aq"; break;
    case '`': escaped += "\\(ga"; break;
    case '^': escaped += "\\(ha"; break;
    case '~': escaped += "\\(ti"; break;
    case '.': escaped += at == 0 ? "\\&." : "."; break;
    default: escaped += c;
    }
  }
  return escaped;
}

std::string bold(const std::string& text) { return "\\fB" + roff_plain(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + roff_plain(text) + "\\fR"; }

// Prose: what is between backticks is bold.
std::string roff_prose(const std::string& text) {
  std::string prose;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find('`', at);
    const std::size_t close = open == std::string::npos ? open : text.find('`', open + 1);
    if (close == std::string::npos) return prose + roff_plain(text.substr(at));
    prose += roff_plain(text.substr(at, open - at)) + bold(text.substr(open + 1, close - open - 1));
    at = close + 1;
  }
  return prose;
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

// The title at the beginning of a line such as "Examples:" or "Exit status: 0 good"; "" if it has none.
std::string title_at(const std::string& line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string::npos || colon == 0 || std::isupper(static_cast<unsigned char>(line[0])) == 0)
    return "";
  const std::string title = line.substr(0, colon);
  const bool words = std::all_of(title.begin(), title.end(),
                                 [](unsigned char c) { return std::isalpha(c) != 0 || c == ' '; });
  return words && std::count(title.begin(), title.end(), ' ') <= 1 ? title : "";
}

// What stands below the options: sections, examples that keep their lines, paragraphs.
std::string roff_footer(const std::string& footer) {
  std::istringstream lines(footer);
  std::string text;
  bool example = false, fresh = false; // fresh: a paragraph has just begun
  for (std::string line; std::getline(lines, line);) {
    const bool indented = line.rfind("  ", 0) == 0;
    if (example && !indented) text += ".EE\n";
    if (!example && indented) text += fresh ? ".EX\n" : ".PP\n.EX\n";
    if (example && !indented && !line.empty()) text += ".PP\n";
    example = indented;
    fresh = false;
    if (indented) {
      text += roff_plain(line) + "\n";
    } else if (const std::string title = title_at(line); !title.empty()) {
      text += ".SH " + upper(title) + "\n";
      fresh = true;
      const std::size_t begin = line.find_first_not_of(' ', title.size() + 1);
      if (begin != std::string::npos) text += roff_prose(line.substr(begin)) + "\n";
    } else {
      text += line.empty() ? ".PP\n" : roff_prose(line) + "\n";
      fresh = line.empty();
    }
  }
  return text + (example ? ".EE\n" : "");
}

std::string argument_head(const ArgumentEntry& argument) {
  std::string head;
  for (const std::string& name : argument.names) head += (head.empty() ? "" : ", ") + bold(name);
  if (argument.names.empty()) return italic(argument.value) + (argument.several ? " ..." : "");
  if (!argument.takes_value()) return head;
  return head + (argument.values > 0 ? " " + italic(argument.value) : " [" + italic(argument.value) + "]");
}

std::string argument_list(const char* title, const std::vector<ArgumentEntry>& arguments) {
  std::string text = arguments.empty() ? "" : fmt::format(".SH {}\n", title);
  for (const ArgumentEntry& argument : arguments)
    text += ".TP\n" + argument_head(argument) + "\n" + roff_prose(argument.help) + "\n";
  return text;
}

std::string synopsis_of(const CommandTree& tree, const CommandEntry& command) {
  const bool whole = &command == &tree.program;
  std::string text = bold(tree.program.name + (whole ? "" : " " + command.name));
  if (whole) return text + " " + italic("COMMAND") + " [" + italic("OPTIONS") + "]\n";
  text += " [" + italic("OPTIONS") + "]";
  for (const ArgumentEntry& place : command.places) {
    std::string one = italic(place.value) + (place.several || place.values > 1 ? " ..." : "");
    text += place.required ? " " + one : " [" + one + "]";
  }
  return text + "\n";
}

std::string page_title(const CommandTree& tree, const CommandEntry& command) {
  return &command == &tree.program ? command.name : tree.program.name + "-" + command.name;
}

std::string other_pages(const CommandTree& tree, const CommandEntry& command) {
  std::string text = ".SH SEE ALSO\n";
  if (&command != &tree.program) return text + bold(tree.program.name) + "(1)\n";
  for (std::size_t k = 0; k < tree.commands.size(); ++k)
    text += bold(page_title(tree, tree.commands[k])) + "(1)" + (k + 1 < tree.commands.size() ? ",\n" : "\n");
  return text;
}

// The first line of what the program says of itself, and the others.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string paragraphs(const std::string& text) {
  std::istringstream lines(text);
  std::string all;
  for (std::string line; std::getline(lines, line);)
    all += (all.empty() ? "" : ".PP\n") + roff_prose(line) + "\n";
  return all;
}

} // namespace

std::string manual_name(const CommandTree& tree, const CommandEntry& command) {
  return page_title(tree, command) + ".1";
}

std::string manual_page(const CommandTree& tree, const CommandEntry& command) {
  const std::string title = page_title(tree, command);
  std::string text =
      fmt::format(".TH {} 1 \"\" \"{} {}\" \"Boardwright\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n",
                  roff_plain(upper(title)), tree.program.name, BOARDWRIGHT_VERSION, roff_plain(title),
                  roff_prose(first_line(command.about)));
  text += synopsis_of(tree, command);
  if (command.about.find('\n') != std::string::npos) text += ".SH DESCRIPTION\n" + paragraphs(command.about);
  if (&command == &tree.program) {
    text += ".SH COMMANDS\n";
    for (const CommandEntry& one : tree.commands)
      text += ".TP\n" + bold(one.name) + "\n" + roff_prose(one.about) + "\n";
  }
  text += argument_list("ARGUMENTS", command.places) + argument_list("OPTIONS", command.options);
  return text + roff_footer(command.footer) + other_pages(tree, command);
}

} // namespace boardwright::tools
