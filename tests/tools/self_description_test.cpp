// What the program tells of its own command line: completion, which the shells themselves are asked for, and
// pages of the manual, which groff reads.
#include "tests/tools/running.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace self_description_test {

using namespace boardwright::tests;
namespace fs = std::filesystem;

namespace {

bool has_program(const std::string& name) {
  if (shell("command -v " + name).status == 0) return true;
  WARN(name << " is not installed: not tried");
  return false;
}

// A folder in which the program is called by its name, whatever the build calls it.
std::string with_program() {
  static const std::string path = [] {
    fs::create_directories(scratch().path("bin"));
    fs::create_symlink(fs::canonical(program_path()), scratch().path("bin/boardwright"));
    return "PATH='" + scratch().path("bin") + "':\"$PATH\" ";
  }();
  return path;
}

// What bash offers where the line ends, one to a line.
std::string bash_offers(const std::string& line) {
  const std::string script = scratch().file("offers.bash", R"(source <(boardwright completion bash) || exit 1
COMP_LINE=$1 COMP_POINT=${#1}
cd "$2" && _boardwright && printf '%s\n' "${COMPREPLY[@]}"
)");
  fs::create_directories(scratch().path("here/folder"));
  std::ofstream(scratch().path("here/mine.yaml")) << "";
  const Run offered = shell(with_program() + "bash " + script + " '" + line + "' " + scratch().path("here"));
  INFO(line << "\n" << offered.err);
  CHECK(offered.status == 0);
  CHECK(offered.err.empty());
  return "\n" + offered.out;
}

std::string fish_offers(const std::string& line) {
  const Run offered =
      shell("cd " + scratch().path("here") + " && HOME=" + scratch().path("home") + " " + with_program() +
            "fish --no-config -c 'boardwright completion fish | source; complete -C \"" + line + "\"'");
  INFO(line << "\n" << offered.err);
  CHECK(offered.status == 0);
  return "\n" + offered.out;
}

// What the line becomes in zsh when Tab is pressed behind it.
std::string zsh_line(const std::string& line) {
  const std::string script = scratch().file("offers.zsh", R"(zmodload zsh/zpty
cd $2
zpty -b shell 'TERM=dumb zsh -f -i'
zpty -w shell 'PS1= PS2= RPS1=; unsetopt zle_bracketed_paste; bindkey -e; setopt no_beep'
zpty -w shell 'autoload -U compinit; compinit -u -D; source <(boardwright completion zsh)'
zpty -w shell "show() { print -r -- \"\$BUFFER\" > $3; zle kill-buffer }; zle -N show; bindkey '^X' show"
zpty -w shell 'print ready > '$3.ready
for i in {1..300}; do [[ -e $3.ready ]] && break; sleep 0.1; zpty -rt shell out; done
zpty -n -w shell "$1"$'\t'$'\x18'
for i in {1..300}; do [[ -s $3 ]] && break; sleep 0.1; zpty -rt shell out; done
cat $3
)");
  const std::string answer = scratch().path("answer");
  fs::remove(answer);
  fs::remove(answer + ".ready");
  const Run done = shell(with_program() + "timeout 100 zsh -f " + script + " '" + line + "' " +
                         scratch().path("here") + " " + answer);
  INFO(line << "\n" << done.err);
  CHECK(done.status == 0);
  return done.out;
}

} // namespace

TEST_CASE("completion in bash: commands, options, values, games, files") {
  CHECK(has(bash_offers("boardwright "), "\nplay\n"));
  CHECK(has(bash_offers("boardwright pl"), "\nplay\nplayouts\n"));
  CHECK(bash_offers("boardwright --v") == "\n--version\n");
  CHECK(bash_offers("boardwright help sw") == "\nsweep\n");
  CHECK(bash_offers("boardwright check --cov") == "\n--coverage\n--coverage-html\n");
  CHECK(bash_offers("boardwright check x --format s") == "\nsarif\n");
  CHECK(bash_offers("boardwright check x --format=js") == "\njson\n");
  CHECK(has(bash_offers("boardwright check --deny never-"), "\nnever-"));
  CHECK(bash_offers("boardwright explain unknown-na") == "\nunknown-name\n");
  CHECK(has(bash_offers("boardwright new mine --like "), "\ndraughts\n"));
  CHECK(bash_offers("boardwright list --family tafl") == "\ntafl\n");
  CHECK(bash_offers("boardwright completion f") == "\nfish\n");
  CHECK(has(bash_offers("boardwright play breakth"), "\nbreakthrough\n"));
  CHECK(bash_offers("boardwright play --seed 7 min").find("\nmine.yaml\n") != std::string::npos);
  CHECK(bash_offers("boardwright evaluate --merge fo") == "\nfolder\n");
  CHECK(bash_offers("boardwright fmt m") == "\nmine.yaml\n");
  // The game stands first, then come the players, whose names have a `:`, which bash takes for an end.
  CHECK(bash_offers("boardwright match breakthrough al") == "\nalphabeta\n");
  CHECK(bash_offers("boardwright match breakthrough --nodes 5 auto level:1") == "\n1\n10\n");
  CHECK(bash_offers("boardwright ugi breakthrough --player=level:9") == "\n9\n");
  CHECK(bash_offers("boardwright playouts breakthrough --count ") == "\n\n");
  // Settings of the game that the line names: names first, then the values of one, whose `=` bash takes for
  // an end.
  CHECK(bash_offers("boardwright play breakthrough --set c") == "\ncolumns=\n");
  CHECK(has(bash_offers("boardwright play --seed 7 hex --set size="), "\n3\n4\n"));
  CHECK(bash_offers("boardwright play hex --set swap=t") == "\ntrue\n");
  CHECK(bash_offers("boardwright sweep hex --set size=19") == "\n19\n");
  CHECK(bash_offers("boardwright sweep hex --set=size=19") == "\n19\n");
  CHECK(bash_offers("boardwright play nothing --set ") == "\n\n");
}

TEST_CASE("completion: what can be set in a game") {
  const std::string file = scratch().file("options.yaml", R"(
game: Options
players: { White: north, Black: south }
options:
  few: { default: 3, range: 0..63 }
  many: { default: 3, range: 0..64 }
  any: { default: 5 }
  kind: { default: short, one of: short | long }
  truth: { default: true }
board: { squares: 3 by 3 }
pieces: { man: w b }
setup: { w: a1, b: a3 }
turn: from own, step(forward, empty)
end:
  - lose when no move
)");
  const Run told = run("completion options " + file);
  CHECK(told.status == 0);
  CHECK(has(told.out, "few=0\nfew=1\n"));
  CHECK(has(told.out, "few=63\nmany=\nany=\n"));
  CHECK(has(told.out, "kind=short\nkind=long\ntruth=true\ntruth=false\n"));
  CHECK(run("completion options").status == 2);
  CHECK(run("completion games hex").status == 2);
  const Run none = run("completion options no_such_game");
  CHECK(none.status != 0);
  CHECK(none.out.empty());
}

TEST_CASE("completion offers games of one's own") {
  const std::string folder = scratch().path("own");
  fs::create_directories(folder);
  std::ofstream(folder + "/very_own.yaml") << "game: Own\n";
  const Run names = shell("BOARDWRIGHT_PATH=" + folder + " '" + program_path() + "' completion games");
  CHECK(names.status == 0);
  CHECK(has(names.out, "\nbreakthrough\n"));
  CHECK(has(names.out, "\nvery_own\n"));
}

TEST_CASE("completion: a shell that there is none for is refused") {
  const Run none = run("completion csh");
  CHECK(none.status == 2);
  CHECK(has(none.err, "`csh` is none of bash, zsh, fish, games, options"));
  CHECK(run("completion").status == 2);
}

TEST_CASE("completion in fish") {
  if (!has_program("fish")) return;
  (void)bash_offers("boardwright "); // makes the folder
  CHECK(has(fish_offers("boardwright playo"), "\nplayouts\tPlays random games"));
  CHECK(has(fish_offers("boardwright check --cover"), "\n--coverage\t"));
  CHECK(has(fish_offers("boardwright check x --format s"), "\nsarif"));
  CHECK(has(fish_offers("boardwright show breakth"), "\nbreakthrough"));
  CHECK(has(fish_offers("boardwright fmt mi"), "\nmine.yaml"));
  CHECK(has(fish_offers("boardwright explain unknown-na"), "\nunknown-name"));
  CHECK(has(fish_offers("boardwright play hex --set swap="), "\nswap=true\t"));
}

TEST_CASE("completion in zsh") {
  if (!has_program("zsh")) return;
  (void)bash_offers("boardwright "); // makes the folder
  CHECK(zsh_line("boardwright playo") == "boardwright playouts \n");
  CHECK(zsh_line("boardwright check --no-t") == "boardwright check --no-tests \n");
  CHECK(zsh_line("boardwright check x --format sa") == "boardwright check x --format sarif \n");
  CHECK(zsh_line("boardwright show breakthro") == "boardwright show breakthrough \n");
  CHECK(zsh_line("boardwright explain unknown-na") == "boardwright explain unknown-name \n");
  CHECK(zsh_line("boardwright play hex --set sw") == "boardwright play hex --set swap=\n");
  CHECK(zsh_line("boardwright play hex --set swap=t") == "boardwright play hex --set swap=true \n");
}

TEST_CASE("manual: a page for each command, which groff reads without a warning") {
  const std::string folder = scratch().path("man1");
  CHECK(run("manual --into " + folder).status == 0);
  const std::string whole = read(folder + "/boardwright.1");
  CHECK(run("manual").out == whole);
  CHECK(has(whole, ".SH EXIT STATUS\n"));
  CHECK(has(whole, ".SH ENVIRONMENT\n"));
  std::istringstream pages(run("list --help >/dev/null; ls " + folder).out);
  std::size_t count = 0;
  for (std::string page; pages >> page; ++count) {
    const std::string text = read(folder + "/" + page);
    CAPTURE(page);
    CHECK(text.rfind(".TH BOARDWRIGHT", 0) == 0);
    if (page == "boardwright.1") continue;
    const std::string command = page.substr(12, page.size() - 14);
    CHECK(run("manual " + command).out == text);
    CHECK(has(text, ".SH EXAMPLES\n"));
    CHECK(has(whole, "\\fB" + command + "\\fR\n"));
  }
  CHECK(count > 25);
  CHECK(has(read(folder + "/boardwright-check.1"), "\\fB\\-\\-coverage\\-html\\fR \\fIPATH\\fR\n"));
  CHECK(run("manual fly").status == 2);
  CHECK(run("manual --into /dev/null/there").status == 3);
  if (!has_program("groff")) return;
  const Run read_all =
      shell("for page in " + folder + "/*; do groff -ww -man -Tutf8 $page 2>&1 >/dev/null; done");
  CHECK(read_all.out.empty());
  CHECK(has(shell("groff -man -Tascii -P-c -P-b -P-u " + folder + "/boardwright-play.1").out,
            "boardwright play [OPTIONS] [GAME]"));
}

} // namespace self_description_test
