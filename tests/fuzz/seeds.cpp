// boardwright_fuzz_seeds ROOT FOLDER N: writes what fuzzing begins with. `FOLDER/<target>/` is the corpus of
// each target, N files at the most, made from the rule files of the repository ROOT, and `FOLDER/words.dict`
// the words of the language, from the tables that the language itself is read by.
#include "tests/fuzz/common.hpp"

#include "dsl/finder.hpp"
#include "dsl/position.hpp"
#include "dsl/sections.hpp"
#include "dsl/tokens.hpp"
#include "interpreter/lints/table.hpp"
#include "interpreter/meaning/symbols.hpp"
#include "interpreter/notation/fen.hpp"
#include "runtime/model/random.hpp"
#include "tests/text_files.hpp"
#include "tools/games/position_json.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

namespace {

using namespace boardwright;
namespace fs = std::filesystem;

// --- files

class Corpus {
public:
  // Under a name that its bytes decide: what comes twice is there once, and the first by name are drawn by
  // lot.
  void add(const std::string& bytes) {
    char name[17];
    std::snprintf(name, sizeof name, "%016llx", static_cast<unsigned long long>(fuzz::hash_of(bytes)));
    seeds_.emplace(name, bytes);
  }

  // Nothing else is in the folder then.
  void write(const fs::path& folder, std::size_t most) const {
    fs::remove_all(folder);
    fs::create_directories(folder);
    std::size_t written = 0;
    for (const auto& [name, bytes] : seeds_) {
      if (++written > most) return;
      std::ofstream(folder / name, std::ios::binary) << bytes;
    }
  }

private:
  std::map<std::string, std::string> seeds_;
};

// A page of tests/errors or tests/warnings: what stands before the line of dashes is a rule file.
std::string rule_file_of(const std::string& golden) { return golden.substr(0, golden.find("\n-----") + 1); }

std::vector<std::string> rule_files(const fs::path& tests) {
  std::vector<std::string> texts;
  for (const auto& file : dsl::bundled_files()) texts.emplace_back(file.text);
  for (const char* folder : {"constructs", "regressions", "rules", "errors", "warnings", "migrate"})
    for (const auto& entry : fs::recursive_directory_iterator(tests / folder)) {
      const std::string kind = entry.path().extension().string();
      if (kind == ".golden") texts.push_back(rule_file_of(tests::read_file(entry.path())));
      if (kind == ".yaml") texts.push_back(tests::read_file(entry.path()));
    }
  return texts;
}

// --- rules: bodies as they stand in the files

// All bodies of rules in a file, as text: what `turn:`, `define:` and `end:` say.
std::vector<std::string> bodies_of(const std::string& text) {
  const auto loaded = interpreter::load_text("game.yaml", text);
  std::vector<std::string> bodies;
  if (!loaded.file) return bodies;
  const auto add = [&](const dsl::Ast& body) {
    if (body.span.file >= loaded.sources.size()) return;
    const std::string& source = loaded.sources.text(body.span.file);
    bodies.push_back(source.substr(body.span.begin, body.span.end - body.span.begin));
  };
  for (const dsl::Definition& d : loaded.file->define) {
    if (d.body) add(*d.body);
    for (const auto& [who, body] : d.cases) add(body);
  }
  if (loaded.file->turn) {
    if (loaded.file->turn->cases.empty()) add(loaded.file->turn->body);
    for (const auto& [who, body] : loaded.file->turn->cases) add(body);
  }
  for (const dsl::EndRule& line : loaded.file->end)
    bodies.push_back(
        "pass" + std::string(1, fuzz::kSeparator) +
        loaded.sources.text(line.span.file).substr(line.span.begin, line.span.end - line.span.begin));
  return bodies;
}

// --- positions and moves: of random games

struct Played {
  std::vector<std::string> moves;
  std::vector<runtime::Position> positions;
};

Played played(const std::shared_ptr<const runtime::Rules>& rules, std::uint64_t seed) {
  constexpr int kPlies = 30;
  runtime::Game game(rules);
  runtime::Random random(seed);
  Played result;
  for (int i = 0; i < kPlies; ++i) {
    const auto moves = game.moves();
    if (!moves || moves->empty()) break;
    const auto move = (*moves)[random.below(moves->size())];
    result.moves.push_back(game.notation(move).value_or(""));
    if (!game.play(move)) break;
    result.positions.push_back(game.position());
  }
  return result;
}

void add_games(Corpus& positions, Corpus& moves) {
  for (std::size_t i = 0; i < fuzz::games().size(); ++i) {
    const auto& rules = fuzz::games()[i];
    const std::string chosen(1, static_cast<char>(i));
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const Played game = played(rules, seed);
      std::string lines, list = "play: [";
      for (const std::string& move : game.moves) {
        lines += move + "\n";
        list += "\"" + move + "\", ";
        if (lines.size() < 60) positions.add(chosen + list + "]");
      }
      moves.add(chosen + lines);
      for (std::size_t at = seed; at < game.positions.size(); at += 9) {
        positions.add(chosen + tools::write_position(rules->program(), game.positions[at]));
        if (const auto fen = interpreter::write_fen(rules->program(), game.positions[at]))
          positions.add(chosen + *fen);
      }
    }
  }
}

// --- words

// As libFuzzer reads them: in quotes, with `\xAB` for what isn't plain.
std::string entry(std::string_view word) {
  std::string text = "\"";
  for (const char c : word) {
    char escaped[5];
    std::snprintf(escaped, sizeof escaped, "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    const bool plain = c > ' ' && c < 0x7f && c != '"' && c != '\\';
    text += plain ? std::string(1, c) : std::string(escaped);
  }
  return text + "\"\n";
}

std::set<std::string> words() {
  std::set<std::string> all;
  for (std::size_t i = 0; i < dsl::kTokCount; ++i) {
    const auto tok = static_cast<dsl::Tok>(i);
    const bool described = tok <= dsl::Tok::string || tok >= dsl::Tok::an_operator;
    if (!described) all.insert(" " + std::string(dsl::spelling(tok)) + " ");
  }
  for (const std::string& section : dsl::section_names()) all.insert(section + ": ");
  for (const auto& key : dsl::compared_keys()) all.insert(std::string(key.name) + ": ");
  for (const auto& lint : interpreter::kLints) all.insert(std::string(lint.name));
  std::string every = "game: T\nuse: [";
  for (const std::string& name : dsl::bundled_vocabularies())
    if (name != "std") every += name + ", ";
  const auto loaded = interpreter::load_text("game.yaml", every + "]\n");
  if (loaded.file) {
    const interpreter::Symbols symbols(*loaded.file);
    for (const std::string& name : symbols.known_names(false)) all.insert(name);
    for (const std::string& name : symbols.known_names(true)) all.insert(name + "(");
  }
  for (const char* number : {"0", "-1", "2147483647", "2147483648", "1000000"}) all.insert(number);
  for (const char* layout : {"\n  ", "\n- ", ": ", " #", "{ ", " }", "[", "]", "|", ", "}) all.insert(layout);
  all.insert(std::string(1, fuzz::kSeparator));
  return all;
}

void write_words(const fs::path& path) {
  std::ofstream out(path, std::ios::binary);
  for (const std::string& word : words())
    if (word.size() <= 60) out << entry(word); // libFuzzer takes words of up to 64 bytes
}

// In a conversation the file is read anew for each change and nearly each request. So it's about a short
// file, and takes as long as so many inputs of the other targets: else an hour would go by with reading the
// seeds.
constexpr std::size_t kMostBytesTalkedAbout = 2000, kFilesInConversation = 8;

// A file, and requests of every sort about places of it (fuzz/server.cpp): all about one, or a few with the
// file cut and mended between them.
std::vector<std::string> conversations(const std::string& text, std::size_t lot) {
  const std::string next(1, '\xff');
  const auto place = [&](std::size_t n) {
    return std::string{static_cast<char>((lot + n * 5) % 60), static_cast<char>((lot + n * 11) % 40)};
  };
  std::string asked = text, edited = text;
  for (std::size_t what = 0; what < 12; ++what)
    asked += next + static_cast<char>(what) + place(what) + "other";
  edited +=
      next + '\x0c' + text.substr(0, lot % (text.size() + 1)) + next + '\x00' + place(1) + next + '\x0e';
  edited += next + '\x0c' + text + next + '\x04' + place(2) + "other" + next + '\x0d' + "{\"id\": 1}" + next +
            '\x0f';
  return {asked, edited};
}

void write_all(const fs::path& root, const fs::path& folder, std::size_t most) {
  Corpus files, rules, engine, positions, moves, server;
  std::size_t frame = 0;
  for (const std::string& text : rule_files(root / "tests")) {
    files.add(text);
    engine.add(text);
    if (text.size() <= kMostBytesTalkedAbout)
      for (const std::string& talk : conversations(text, fuzz::hash_of(text) % 4096)) server.add(talk);
    for (const std::string& body : bodies_of(text)) {
      const std::string bytes = std::string(1, static_cast<char>(frame++ % fuzz::frames().size())) + body;
      rules.add(bytes);
      engine.add(bytes);
    }
  }
  for (const char* chosen : {"\x80", "\xc0", "\xe0"}) // generated, written, spliced
    for (char seed = 1; seed <= 64; ++seed) engine.add(chosen + std::string(7, '\0') + seed);
  add_games(positions, moves);
  files.write(folder / "rule_file", most);
  files.write(folder / "checker", most);
  rules.write(folder / "rule", most);
  engine.write(folder / "engine", most);
  positions.write(folder / "position", most);
  moves.write(folder / "move", most);
  server.write(folder / "server", most / kFilesInConversation);
  write_words(folder / "words.dict");
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: boardwright_fuzz_seeds ROOT FOLDER N\n", stderr);
    return 2;
  }
  write_all(argv[1], argv[2], std::strtoul(argv[3], nullptr, 10));
  return 0;
}
