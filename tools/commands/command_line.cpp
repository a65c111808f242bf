#include "tools/commands/command_line.hpp"

#include "dsl/diagnostic.hpp"
#include "dsl/text.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/known_games.hpp"
#include "tools/console/ending.hpp"
#include "tools/console/given_up.hpp"
#include "tools/games/game_choice.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <sstream>

#ifndef BOARDWRIGHT_VERSION
#define BOARDWRIGHT_VERSION "0.1.0"
#endif

namespace boardwright::tools {

CLI::App& CommandLine::add(const char* name, const char* help, const char* examples) {
  CLI::App* command = app_.add_subcommand(name, help);
  command->footer(std::string("Examples:\n") + examples);
  command->group(group_);
  return *command;
}

void CommandLine::runs(CLI::App& command, Run run) {
  command.callback([this, run = std::move(run)] { run_ = run; });
}

namespace {

constexpr const char* kAbout =
    "Board games from rule files: plays, checks, counts and measures them.\n"
    "GAME is a rule file's path, or the name or title of a game that `boardwright list` shows.";

constexpr const char* kStatuses =
    "Exit status: 0 good; 1 the rule file, test, position or move is at fault; 2 the command line is;\n"
    "3 a file can't be read or written, or a scheduler of --on leaves work undone; 130 interrupted.\n"
    "Environment: BOARDWRIGHT_PATH, folders with rule files, separated by `:`; NO_COLOR, no colours;\n"
    "TERM, COLORTERM, LANG: what the terminal can show.";

struct Group {
  const char* title;
  std::vector<void (*)(CommandLine&)> commands;
};

const std::vector<Group>& groups() {
  static const std::vector<Group> kGroups = {
      {"Play",
       {declare_play, declare_list, declare_rules, declare_show, declare_moves, declare_why, declare_replay}},
      {"Write rules",
       {declare_new, declare_check, declare_explain, declare_fmt, declare_inspect, declare_import}},
      {"Measure",
       {declare_perft, declare_playouts, declare_bench, declare_evaluate, declare_sweep, declare_match,
        declare_analyse, declare_solve, declare_train}},
      {"Serve other programs",
       {declare_ugi, declare_uci, declare_usi, declare_xboard, declare_gtp, declare_lsp}},
      {"This command line", {declare_completion, declare_manual}},
      {"", {declare_merge, declare_migrate}},
  };
  return kGroups;
}

// What a value can be by the word that stands for it in help, whatever the command.
void add_general_choices(ValueChoices& choices) {
  const ValueChoice games{{}, true, true}, files{{}, false, true}, folders{{}, false, false, true};
  const ValueChoice settings{{}, false, false, false, true};
  for (const char* value : {"FILE", "PATH", "PAGE"}) choices[value] = files;
  choices["FOLDER"] = folders;
  choices["GAME"] = games;
  choices["NAME=VALUE"] = choices["NAME=VALUES"] = settings;
}

void describe(CLI::App& app, CommandLine& line) {
  app.require_subcommand(1);
  app.set_version_flag("--version", "boardwright " BOARDWRIGHT_VERSION, "Prints the version");
  app.set_help_flag("-h,--help", "Prints help");
  app.footer(std::string("Try `boardwright help COMMAND`.\n\n") + kStatuses);
  add_general_choices(line.choices);
  for (const Group& group : groups()) {
    line.begin_group(group.title);
    for (const auto declare : group.commands) declare(line);
  }
}

// The word where a command should stand, if it is none; CLI11 would only say that one is missing.
std::optional<std::string> unknown_command(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty() || words.front().substr(0, 1) == "-") return std::nullopt;
  if (command_named(app, words.front()) != nullptr) return std::nullopt;
  return words.front();
}

// Help and the version go to standard output and are good; complaints go to standard error.
Exit answer(const CLI::App& app, const CLI::ParseError& error, Console& console) {
  std::ostringstream out, complaint;
  const int code = app.exit(error, out, complaint);
  console.out(out.str());
  if (code == 0) return Exit::good;
  std::string text = complaint.str();
  console.error(text.empty() ? "the command line can't be read\n"
                             : printable(text.substr(0, text.find('\n'))));
  console.note("Try `boardwright --help`, or `boardwright COMMAND --help`.\n");
  return Exit::usage;
}

// `help` and `help COMMAND`, as other programs have them beside `--help`.
std::vector<std::string> with_help_option(int argc, char** argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (words.empty() || words.front() != "help") return words;
  words.erase(words.begin());
  words.resize(std::min<std::size_t>(words.size(), 1)); // of one command
  words.emplace_back("--help");
  return words;
}

Exit refuse_command(const CLI::App& app, const std::string& word, Console& console) {
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands({}))
    if (is_shown(*command)) known.push_back(command->get_name());
  const std::string near = dsl::nearest(word, known);
  console.error(fmt::format("no command `{}`; {}", quotable(word),
                            near.empty() ? fmt::format("the commands are {}", fmt::join(known, ", "))
                                         : fmt::format("did you mean `{}`?", near)));
  return Exit::usage;
}

// A command for which nobody need ask for a depth, a number, a time, an effort: what it takes in all is
// bounded, unless somebody does (Meter::lift). Of the others each does what it was asked for, and ends as its
// page says; `check` is bounded file by file, `bench` game by game, `play` line by line; `analyse` has
// an account of its own, and its time.
struct Bounded {
  const char* command;
  bool ends_soon;     // it has nothing to tell when it is interrupted
  const char* remedy; // how to ask for more; "": there is no way
};

const Bounded* bounded(const std::string& command) {
  static const std::vector<Bounded> kAll{
      {"show", true, ""},
      {"rules", true, ""},
      {"inspect", true, ""},
      {"why", true, ""},
      {"moves", true, ""},
      {"explain", true, ""},
      {"list", true, ""},
      {"import", true, ""},
      {"fmt", true, ""},
      {"playouts", false, "`--count N` plays as many games as it says"},
      {"evaluate", false, "`--effort 1` plays all games, `--time 2m` as many as there is time for"},
      {"solve", false, "`--time 10m` goes on for as long"}};
  const auto found =
      std::find_if(kAll.begin(), kAll.end(), [&](const Bounded& b) { return b.command == command; });
  return found == kAll.end() ? nullptr : &*found;
}

Exit run_bounded(const CLI::App& app, const CommandLine::Run& run, Console& console) {
  const std::string command = app.get_subcommands().front()->get_name();
  const Bounded* const bound = bounded(command);
  if (command == "check" || (bound != nullptr && bound->ends_soon)) end_soon_when_interrupted();
  if (bound == nullptr) return run(console);
  runtime::Meter meter(runtime::kMaxCommandSteps, &interrupted());
  const runtime::Meter::Use use(&meter);
  const Exit exit = run(console);
  if (interrupted()) return Exit::interrupted;
  if (meter.is_spent() && exit == Exit::good) console.note(given_up(bound->remedy));
  return exit;
}

Exit parse_and_run(int argc, char** argv, Console& console) {
  CLI::App app(kAbout, "boardwright");
  CommandLine line(app);
  describe(app, line);
  std::vector<std::string> words = with_help_option(argc, argv);
  if (const auto word = unknown_command(app, words)) return refuse_command(app, *word, console);
  std::reverse(words.begin(), words.end()); // as CLI11 takes them
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    return answer(app, error, console);
  }
  return line.chosen() ? run_bounded(app, line.chosen(), console) : Exit::usage;
}

} // namespace

int run_command_line(int argc, char** argv) noexcept {
  // What is caught here is a mistake of ours or memory that ran out: nothing below throws on purpose.
  try {
    watch_for_interrupts();
    propose_games_of(&all_entries);
    Console console;
    return static_cast<int>(console.finish(parse_and_run(argc, argv, console)));
  } catch (const std::bad_alloc&) {
    std::fputs("error: out of memory\n", stderr);
    return static_cast<int>(Exit::files);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
  }
  return static_cast<int>(Exit::at_fault);
}

} // namespace boardwright::tools
