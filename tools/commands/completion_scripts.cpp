// Completion for three shells, from the tables of the command line. What the scripts can't know they ask the
// program for: `completion games`, and `completion options GAME` for what `--set` takes.
#include "tools/commands/command_tree.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace boardwright::tools {
namespace {

// In single quotes, as all three shells read it.
std::string in_quotes(const std::string& text, bool fish = false) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'')
      quoted += fish ? "\\'" : "'\\''";
    else if (c == '\\' && fish)
      quoted += "\\\\";
    else
      quoted += c;
  }
  return quoted + "'";
}

std::string all_names(const std::vector<CommandEntry>& commands) {
  std::string names;
  for (const CommandEntry& command : commands) names += (names.empty() ? "" : " ") + command.name;
  return names;
}

std::string option_names(const CommandEntry& command) {
  std::string names;
  for (const ArgumentEntry& option : command.options)
    for (const std::string& name : option.names) names += (names.empty() ? "" : " ") + name;
  return names;
}

// The place that the N-th argument stands in, from 0; null: there is none.
const ArgumentEntry* place_at(const CommandEntry& command, std::size_t n) {
  for (const ArgumentEntry& place : command.places) {
    const auto takes = static_cast<std::size_t>(std::max(place.values, 1));
    if (n < takes || place.several) return &place;
    n -= takes;
  }
  return nullptr;
}

// --- bash

std::string bash_choice(const ValueChoice& choice) {
  std::string calls;
  if (!choice.words.empty())
    calls +=
        fmt::format(" _boardwright_words {};", in_quotes(fmt::format("{}", fmt::join(choice.words, " "))));
  if (choice.games) calls += " _boardwright_words \"$(\"$program\" completion games 2>/dev/null)\";";
  if (choice.settings) calls += " _boardwright_settings;";
  if (choice.files) calls += " _boardwright_files -f;";
  if (choice.folders) calls += " _boardwright_files -d;";
  return calls.empty() ? " :;" : calls;
}

std::string bash_values(const CommandEntry& command) {
  std::string cases;
  for (const ArgumentEntry& option : command.options)
    if (option.takes_value())
      for (const std::string& name : option.names)
        cases += fmt::format("    '{} {}'){};\n", command.name, name, bash_choice(option.choice));
  return cases;
}

std::string bash_places(const CommandEntry& command) {
  constexpr std::size_t kMostPlaces = 8; // more than any command has that aren't alike
  std::string cases;
  for (std::size_t n = 0; n < kMostPlaces; ++n) {
    const ArgumentEntry* place = place_at(command, n);
    if (place == nullptr) break;
    const std::string number = place->several ? "*" : std::to_string(n);
    cases += fmt::format("    '{} '{}){};\n", command.name, number, bash_choice(place->choice));
    if (place->several) break;
  }
  return cases;
}

constexpr const char* kBash = R"script(# Completion of {0} for bash, written by `{0} completion bash`.

_boardwright_words() {{ COMPREPLY+=($(compgen -W "$1" -- "$word")); }}
_boardwright_files() {{ compopt -o filenames 2>/dev/null; mapfile -t -O ${{#COMPREPLY[@]}} COMPREPLY < <(compgen "$1" -- "$word"); }}

# Of the game that stands in the line: the first word that is one. Names come first, then the values of one.
_boardwright_settings() {{
  local game all name names=
  for game in "${{words[@]:2:${{#words[@]}}-3}}"; do
    case $game in -* | *=*) continue ;; esac
    all=$("$program" completion options "${{game/#\~/$HOME}}" 2>/dev/null) && [ -n "$all" ] && break
  done
  case $word in
    *=*) _boardwright_words "$all" ;;
    *)
      for name in $all; do
        case " $names" in *" ${{name%%=*}}= "*) ;; *) names+="${{name%%=*}}= " ;; esac
      done
      _boardwright_words "$names"
      compopt -o nospace 2>/dev/null ;;
  esac
}}

_boardwright() {{
  # Bash takes `:` and `=` for the ends of words, which they are not here.
  local line=${{COMP_LINE:0:COMP_POINT}} words word= previous= program command= place=0 i
  read -ra words <<<"$line"
  case $line in *[[:space:]]) words+=('') ;; esac
  program=${{words[0]/#\~/$HOME}} command=${{words[1]}} word=${{words[-1]}}
  COMPREPLY=()
  if ((${{#words[@]}} <= 2)); then
    _boardwright_words 'help {1} {2}'
    return
  fi
  for ((i = 2; i < ${{#words[@]}} - 1; ++i)); do
    previous=
    case ${{words[i]}} in
      --*=*) ;;
      -?*) case $command\ ${{words[i]}} in
{3}      esac ;;
      *) ((++place)) ;;
    esac
    # The value of an option is no argument of its own.
    [ -n "$previous" ] && ((i + 2 < ${{#words[@]}})) && ((++i)) && previous=
  done
  case $previous$word in --*=*) [ -z "$previous" ] && previous=${{word%%=*}} word=${{word#*=}} ;; esac
  if [ -n "$previous" ]; then
    case $command\ $previous in
{4}    esac
  elif [[ $word == -* ]]; then
    case $command in
{5}    esac
  else
    case $command\ $place in
      'help '*) ((place == 0)) && _boardwright_words '{1}' ;;
{6}    esac
  fi
  # What stands before the last of these ends of words is there already.
  line=${{line##*[[:space:]]}}
  if [[ $line == *[:=]* ]]; then
    line=${{line%"${{line##*[:=]}}"}}
    COMPREPLY=("${{COMPREPLY[@]#"${{line#--*=}}"}}")
  fi
}}
complete -F _boardwright {0}
)script";

std::string bash_script(const CommandTree& tree) {
  std::string valued, values, options, places;
  for (const CommandEntry& command : tree.commands) {
    for (const ArgumentEntry& option : command.options)
      if (option.takes_value() && option.values > 0)
        for (const std::string& name : option.names)
          valued += fmt::format("        '{} {}') previous={} ;;\n", command.name, name, name);
    values += bash_values(command);
    options += fmt::format("      {}) _boardwright_words '{}' ;;\n", command.name, option_names(command));
    places += bash_places(command);
  }
  return fmt::format(kBash, tree.program.name, all_names(tree.commands), option_names(tree.program), valued,
                     values, options, places);
}

// --- zsh

// Inside a specification of `_arguments`, in single quotes.
std::string zsh_text(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string zsh_action(const ValueChoice& choice) {
  const bool one_way =
      (choice.words.empty() ? 0 : 1) + choice.games + choice.settings + choice.files + choice.folders == 1;
  std::string calls;
  const auto add = [&](const std::string& call) { calls += (calls.empty() ? "" : "; ") + call; };
  if (!choice.words.empty()) add(fmt::format("compadd -- {}", fmt::join(choice.words, " ")));
  if (choice.games) add("_boardwright_games");
  if (choice.settings) add("_boardwright_settings");
  if (choice.files) add("_files");
  if (choice.folders) add("_files -/");
  if (calls.empty()) return " ";
  return one_way && choice.words.empty() ? calls : "{" + zsh_text(calls) + "}";
}

std::string zsh_option(const ArgumentEntry& option) {
  std::string specs;
  for (const std::string& name : option.names) {
    std::string spec = (option.several ? "*" : "") + name + "[" + zsh_text(in_brief(option.help)) + "]";
    if (option.takes_value())
      spec += fmt::format("{}{}:{}", option.values > 0 ? ":" : "::", zsh_text(option.value),
                          zsh_action(option.choice));
    specs += " \\\n        " + in_quotes(spec);
  }
  return specs;
}

std::string zsh_command(const CommandEntry& command) {
  std::string text = fmt::format("    {})\n      _arguments -s :", command.name);
  for (const ArgumentEntry& option : command.options) text += zsh_option(option);
  std::size_t number = 1;
  for (const ArgumentEntry& place : command.places) {
    const std::string rest = fmt::format("{}:{}", zsh_text(place.value), zsh_action(place.choice));
    if (place.several) text += " \\\n        " + in_quotes("*:" + rest);
    for (int k = 0; k < place.values && !place.several; ++k)
      text += " \\\n        " + in_quotes(std::to_string(number++) + (place.required ? ":" : "::") + rest);
  }
  return text + "\n      ;;\n";
}

constexpr const char* kZsh = R"script(#compdef {0}
# Completion of {0} for zsh, written by `{0} completion zsh`.

_boardwright_games() {{
  local -a games
  games=(${{(f)"$(${{(Q)program}} completion games 2>/dev/null)"}})
  compadd -a games
}}

# Of the game that stands in the line: the first word that is one. Names come first, then the values of one.
_boardwright_settings() {{
  local word
  local -a all names
  for word in $words[2,-1]; do
    [[ $word == (-*|*=*) ]] && continue
    all=(${{(f)"$(${{(Q)program}} completion options ${{(Q)word}} 2>/dev/null)"}})
    (($#all)) && break
  done
  names=(${{(u)all%%=*}})
  if [[ $PREFIX == *=* ]]; then compadd -a all; else compadd -S '' -- ${{^names}}=; fi
}}

_boardwright_commands() {{
  local -a commands
  commands=(
{1}  )
  _describe command commands
}}

_boardwright() {{
  local program=$words[1] command=$words[2]
  if ((CURRENT == 2)); then
    _boardwright_commands
    [[ $PREFIX == -* ]] && compadd -- {2}
    return
  fi
  shift words
  ((CURRENT--))
  case $command in
    help) ((CURRENT == 2)) && _boardwright_commands ;;
{3}  esac
}}

if [ "$funcstack[1]" = _boardwright ]; then
  _boardwright "$@"
else
  compdef _boardwright {0}
fi
)script";

std::string zsh_script(const CommandTree& tree) {
  std::string names = "    'help:Tells about a command'\n", commands;
  for (const CommandEntry& command : tree.commands) {
    names += "    " + in_quotes(command.name + ":" + zsh_text(in_brief(command.about))) + "\n";
    commands += zsh_command(command);
  }
  return fmt::format(kZsh, tree.program.name, names, option_names(tree.program), commands);
}

// --- fish

std::string fish_choice(const ArgumentEntry& argument) {
  std::string text = argument.choice.files || argument.choice.folders ? " -F" : " -f";
  std::string words = fmt::format("{}", fmt::join(argument.choice.words, " "));
  if (argument.choice.games) words += (words.empty() ? "" : " ") + std::string("(__boardwright_games)");
  if (argument.choice.settings) words += "(__boardwright_settings)";
  return words.empty() ? text : text + " -a " + in_quotes(words, true);
}

std::string fish_command(const CommandTree& tree, const CommandEntry& command) {
  const std::string begin =
      fmt::format("complete -c {} -n '__boardwright_is {}'", tree.program.name, command.name);
  std::string text;
  for (const ArgumentEntry& option : command.options) {
    text += begin;
    for (const std::string& name : option.names)
      text += name[1] == '-' ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (option.takes_value()) text += (option.values > 0 ? " -r" : "") + fish_choice(option);
    text += " -d " + in_quotes(in_brief(option.help), true) + "\n";
  }
  // Which of several arguments it is isn't looked at: all that one of them can be is offered.
  for (const ArgumentEntry& place : command.places)
    if (const std::string choice = fish_choice(place); choice != " -f") text += begin + choice + "\n";
  return text;
}

constexpr const char* kFish = R"script(# Completion of {0} for fish, written by `{0} completion fish`.

function __boardwright_is
    set -l words (commandline -opc)
    test (count $words) -ge 2; and contains -- $words[2] $argv
end
function __boardwright_begins
    test (count (commandline -opc)) -eq 1
end
function __boardwright_games
    set -l words (commandline -opc)
    command $words[1] completion games 2>/dev/null
end
# Of the game that stands in the line: the first word that is one.
function __boardwright_settings
    set -l words (commandline -opc)
    for word in $words[3..]
        string match -qr -- '^-|=' $word; and continue
        set -l all (command $words[1] completion options $word 2>/dev/null)
        and test (count $all) -gt 0; or continue
        string join \n -- $all
        return
    end
end

complete -c {0} -f
complete -c {0} -n __boardwright_begins -a help -d 'Tells about a command'
complete -c {0} -n '__boardwright_is help' -a '{1}'
{2})script";

std::string fish_script(const CommandTree& tree) {
  std::string text;
  for (const CommandEntry& command : tree.commands)
    text += fmt::format("complete -c {} -n __boardwright_begins -a {} -d {}\n", tree.program.name,
                        command.name, in_quotes(in_brief(command.about), true));
  for (const ArgumentEntry& option : tree.program.options)
    for (const std::string& name : option.names)
      text += fmt::format("complete -c {} -n __boardwright_begins {} {}\n", tree.program.name,
                          name[1] == '-' ? "-l" : "-s", name.substr(name[1] == '-' ? 2 : 1));
  for (const CommandEntry& command : tree.commands) text += fish_command(tree, command);
  return fmt::format(kFish, tree.program.name, all_names(tree.commands), text);
}

} // namespace

std::vector<std::string> shells_to_complete() { return {"bash", "zsh", "fish"}; }

std::string completion_script(const CommandTree& tree, const std::string& shell) {
  return shell == "bash"   ? bash_script(tree)
         : shell == "zsh"  ? zsh_script(tree)
         : shell == "fish" ? fish_script(tree)
                           : "";
}

} // namespace boardwright::tools
