// The subcommands. Each has a file of its own, which declares its options and carries it out.
#pragma once

#include "tools/commands/command_tree.hpp"
#include "tools/console/console.hpp"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace boardwright::tools {

// The command line while it is described and read: the commands' options, what they may be, and what to run.
class CommandLine {
public:
  using Run = std::function<Exit(Console&)>;

  explicit CommandLine(CLI::App& app) : app_(app) {}

  // Commands that are added from here on stand below this title in the program's help; "": they work, but
  // aren't shown, as names that were given up.
  void begin_group(std::string title) { group_ = std::move(title); }

  // A new command. The examples stand below its help.
  CLI::App& add(const char* name, const char* help, const char* examples);

  // What a command's options are read into: lives as long as the command line.
  template <class Options>
  Options& options() {
    const auto owned = std::make_shared<Options>();
    owned_.push_back(owned);
    return *owned;
  }

  // What is done if the command was chosen. A callback of the command's own that looks at its options as a
  // whole calls `run` instead.
  void runs(CLI::App& command, Run run);
  void run(Run run) { run_ = std::move(run); }

  // What the values of options can be, for completion.
  ValueChoices choices;

  [[nodiscard]] const CLI::App& app() const { return app_; }
  // What to run once the words are read; empty if no command was chosen.
  [[nodiscard]] const Run& chosen() const { return run_; }
  // All commands, with what their values can be.
  [[nodiscard]] CommandTree tree() const { return tree_of(app_, choices); }

private:
  CLI::App& app_;
  std::string group_;
  std::vector<std::shared_ptr<void>> owned_;
  Run run_;
};

void declare_play(CommandLine& line);
void declare_list(CommandLine& line);
void declare_rules(CommandLine& line);
void declare_show(CommandLine& line);
void declare_moves(CommandLine& line);
void declare_why(CommandLine& line);
void declare_replay(CommandLine& line);

void declare_new(CommandLine& line);
void declare_check(CommandLine& line);
void declare_explain(CommandLine& line);
void declare_fmt(CommandLine& line);
void declare_inspect(CommandLine& line);
void declare_import(CommandLine& line);

void declare_perft(CommandLine& line);
void declare_playouts(CommandLine& line);
void declare_bench(CommandLine& line);
void declare_evaluate(CommandLine& line);
void declare_sweep(CommandLine& line);
void declare_match(CommandLine& line);
void declare_analyse(CommandLine& line);
void declare_solve(CommandLine& line);
void declare_train(CommandLine& line);

void declare_ugi(CommandLine& line);
void declare_uci(CommandLine& line);
void declare_usi(CommandLine& line);
void declare_xboard(CommandLine& line);
void declare_gtp(CommandLine& line);
void declare_lsp(CommandLine& line);

void declare_completion(CommandLine& line);
void declare_manual(CommandLine& line);

void declare_merge(CommandLine& line);   // `evaluate --merge` by an older name
void declare_migrate(CommandLine& line); // `fmt --migrate` by an older name

} // namespace boardwright::tools
