// What each idiom of normalize and lowering is worth (runtime/model/idioms.hpp): how fast random games are
// without it. Rule files whose code stays the same are not measured; the others are played with and without
// it alternately, in one process, by CPU time.
//
//   boardwright_idioms [--seconds S] [--rounds N] [--idiom NAME]... FOLDER...
//
// writes the table that stands in runtime/lowering/README.md. With --compile the files are only compiled,
// without the idioms that are named: tests/bench/idiom_lines.py counts the lines that run then.
#include "runtime/model/idioms.hpp"
#include "interpreter/load.hpp"
#include "runtime/game/inspect.hpp"
#include "runtime/game/playout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <set>
#include <string>
#include <vector>

namespace fs = std::filesystem;
using namespace boardwright;
using runtime::Idiom;

namespace {

struct Options {
  double seconds = 0.05; // of one measurement
  int rounds = 3;
  bool compile = false;
  std::vector<Idiom> idioms; // none: all
  std::vector<fs::path> folders;
};

struct GameFile {
  std::string name, family;
  std::shared_ptr<const runtime::Rules> rules; // with all idioms
  std::string code;
};

std::string code_of(const runtime::Rules& rules) {
  std::string text;
  for (int p = 0; p < rules.program().player_count(); ++p) text += runtime::compiled_form(rules, p);
  return text;
}

std::vector<GameFile> games_in(const std::vector<fs::path>& folders) {
  std::vector<fs::path> paths;
  for (const fs::path& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".yaml") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<GameFile> games;
  for (const fs::path& path : paths) {
    const auto loaded = interpreter::load(path.string());
    if (!loaded) continue; // a vocabulary
    games.push_back({path.stem(), path.parent_path().filename(), loaded.rules, code_of(*loaded.rules)});
  }
  return games;
}

// Games a second; 0 where a game goes wrong.
double rate(const std::shared_ptr<const runtime::Rules>& rules, double seconds) {
  runtime::PlayoutOptions options;
  options.cpu_seconds = seconds;
  options.max_plies = 500;
  const auto result = runtime::playouts(rules, options);
  return result && result->cpu_seconds > 0 ? static_cast<double>(result->plies) / result->cpu_seconds : 0;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct Worth {
  std::size_t differ = 0, slower = 0; // files
  std::set<std::string> families;     // of those that are slower
  double log_sum = 0, worst = 1;
  std::size_t measured = 0;
  std::string worst_at;

  void add(const GameFile& game, double ratio) {
    constexpr double kSlower = 0.9;
    ++measured;
    log_sum += std::log(ratio);
    if (ratio < kSlower) {
      ++slower;
      families.insert(game.family);
    }
    if (ratio < worst) {
      worst = ratio;
      worst_at = game.name;
    }
  }
};

// Speed without the idiom by that with it; nothing where the code is the same.
std::optional<double> ratio_without(const GameFile& game, Idiom idiom, const Options& options) {
  const std::shared_ptr<const runtime::Program> program(game.rules, &game.rules->program());
  runtime::set_idiom(idiom, false);
  const auto without = runtime::Rules::make(program);
  runtime::set_idiom(idiom, true);
  if (without->is_playable() && code_of(*without) == game.code) return std::nullopt;
  std::vector<double> ratios;
  for (int round = 0; round < options.rounds; ++round) {
    const double a = rate(game.rules, options.seconds), b = rate(without, options.seconds);
    if (a <= 0 || b <= 0) return 0.001; // what it makes can't be played without it
    ratios.push_back(b / a);
  }
  return median(std::move(ratios));
}

Worth worth_of(Idiom idiom, const std::vector<GameFile>& games, const Options& options) {
  Worth worth;
  for (const GameFile& game : games)
    if (const auto ratio = ratio_without(game, idiom, options)) {
      ++worth.differ;
      worth.add(game, *ratio);
    }
  return worth;
}

std::string line(Idiom idiom, const Worth& w) {
  const auto& row = runtime::kIdioms[static_cast<std::size_t>(idiom)];
  const double mean = w.measured > 0 ? std::exp(w.log_sum / static_cast<double>(w.measured)) : 1;
  return fmt::format("| `{}` | {} | {} | {} | {} | {:.2f} | {} |\n", row.name, row.does, w.differ, w.slower,
                     w.families.size(), mean,
                     w.worst_at.empty() ? "" : fmt::format("{} {:.2f}", w.worst_at, w.worst));
}

int usage() {
  std::cerr
      << "usage: boardwright_idioms [--seconds S] [--rounds N] [--compile] [--idiom NAME]... FOLDER...\n";
  return 2;
}

} // namespace

int main(int argc, char** argv) {
  Options options;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool has_value = i + 1 < arguments.size();
    if (arguments[i].rfind("--", 0) != 0) {
      options.folders.emplace_back(arguments[i]);
    } else if (arguments[i] == "--compile") {
      options.compile = true;
    } else if (arguments[i] == "--seconds" && has_value) {
      options.seconds = std::max(std::atof(arguments[++i].c_str()), 0.001);
    } else if (arguments[i] == "--rounds" && has_value) {
      options.rounds = std::max(std::atoi(arguments[++i].c_str()), 1);
    } else if (arguments[i] == "--idiom" && has_value) {
      const auto idiom = runtime::idiom_named(arguments[++i]);
      if (!idiom) return usage();
      options.idioms.push_back(*idiom);
    } else {
      return usage();
    }
  }
  if (options.folders.empty()) return usage();
  if (options.compile) {
    for (const Idiom idiom : options.idioms) runtime::set_idiom(idiom, false);
    std::cout << games_in(options.folders).size() << " files\n";
    return 0;
  }
  if (options.idioms.empty())
    for (std::size_t f = 0; f < runtime::kIdioms.size(); ++f) options.idioms.push_back(static_cast<Idiom>(f));
  const std::vector<GameFile> games = games_in(options.folders);
  std::cout
      << "Of " << games.size() << " files:\n\n"
      << "| idiom | what it does | files with other code | slower by 10 % | of families | mean | worst |\n"
      << "| --- | --- | ---: | ---: | ---: | ---: | --- |\n";
  for (const Idiom idiom : options.idioms)
    std::cout << line(idiom, worth_of(idiom, games, options)) << std::flush;
}
