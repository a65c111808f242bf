// Entry points: read_players, read_first, read_pieces, read_hands, read_setup, read_state, read_options.
#include "dsl/families.hpp"
#include "dsl/other_languages.hpp"
#include "dsl/picture.hpp"
#include "dsl/section_keys.hpp"
#include "dsl/sections.hpp"
#include "dsl/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace boardwright::dsl {
namespace {

// More than eight players fit neither the sets of players nor any table.
constexpr std::size_t kMaxPlayers = 8;

constexpr std::string_view kPlayersExample = "players: { White: north, Black: south }";

std::optional<Compass> compass_of(std::string_view word) {
  constexpr std::array<std::string_view, 4> kWords = {"north", "east", "south", "west"};
  for (std::size_t i = 0; i < kWords.size(); ++i)
    if (word == kWords[i]) return static_cast<Compass>(i);
  return std::nullopt;
}

std::optional<Compass> read_compass(const Yaml& value, Diagnostics& diagnostics) {
  const auto word = read_word(value, "a player's direction", kPlayersExample, diagnostics);
  if (!word) return std::nullopt;
  const auto compass = compass_of(word->text);
  if (!compass) {
    auto& error =
        diagnostics.error("shape", word->span, in_backticks(word->text) + " is not a direction for a player");
    error.expected = "expected `north`, `east`, `south` or `west`";
    error.help = did_you_mean(word->text, {"north", "east", "south", "west"});
    if (error.help.empty()) error.help = said_elsewhere(word->text);
  }
  return compass;
}

void add_player(const Text& text, std::optional<Compass> forward, std::vector<PlayerEntry>& players,
                Diagnostics& diagnostics) {
  auto name = declared_name(text, "a player", diagnostics);
  if (!name) return;
  players.push_back({std::move(*name), forward});
}

// Pictures have `.` for an empty cell and `#` for a hole; `?` says that there is no such piece (letter_of).
bool is_letter(std::string_view sign) {
  constexpr std::string_view kTaken = ".#?";
  return sign.size() == 1 && sign[0] > ' ' && sign[0] < 127 && kTaken.find(sign[0]) == std::string_view::npos;
}

bool check_letter(const Name& letter, Diagnostics& diagnostics) {
  if (is_letter(letter.text)) return true;
  auto& error =
      diagnostics.error("letter", letter.span, in_backticks(letter.text) + " can't be the letter of a piece");
  error.expected = "expected one printable ASCII character other than `.`, `#` and `?`";
  return false;
}

// As it stands before the letters: of a member of a family what stands in the parentheses.
std::string key_of(const KindEntry& kind) {
  const std::string& name = kind.name.text;
  const std::size_t open = name.find('(');
  return open == std::string::npos ? name : name.substr(open + 1, name.size() - open - 2);
}

// `disc: each`, `marshal: M m hidden`: a word where letters are.
bool is_no_letter(const std::vector<Name>& letters, const KindEntry& kind,
                  const std::vector<PlayerEntry>& players, Diagnostics& diagnostics) {
  const auto word = std::find_if(letters.begin(), letters.end(),
                                 [](const Name& n) { return n.text.size() > 1 && is_identifier(n.text); });
  if (word == letters.end() || (letters.size() == players.size() && players.size() > 1)) return false;
  std::string example;
  for (std::size_t i = 0; i < std::max<std::size_t>(players.size(), 1); ++i)
    example += fmt::format(" {}", static_cast<char>('a' + i));
  auto& error =
      diagnostics.error("letter", word->span, in_backticks(word->text) + " can't be the letter of a piece");
  error.expected = fmt::format("expected a letter for each player, as in `{}:{}`", key_of(kind), example);
  error.help = said_elsewhere(word->text);
  return true;
}

// `w b`, one for each player in turn order
void read_letters_in_order(const Text& text, const std::vector<PlayerEntry>& players, KindEntry& kind,
                           Diagnostics& diagnostics) {
  const auto letters = names(text);
  if (is_no_letter(letters, kind, players, diagnostics)) return;
  for (const Name& letter : letters)
    if (check_letter(letter, diagnostics)) kind.letters.push_back({{}, letter});
  if (players.empty() || letters.size() >= players.size()) return; // too many: the interpreter's error
  auto& error = diagnostics.error("letter", text.span(),
                                  fmt::format("{} has {} {}, but there are {} players",
                                              in_backticks(kind.name.text), letters.size(),
                                              letters.size() == 1 ? "letter" : "letters", players.size()));
  error.help = fmt::format("if not every player has this kind, write `{}: {{ {}: x }}`", key_of(kind),
                           players[0].name.text);
}

} // namespace

void read_letters(const Yaml& value, const std::vector<PlayerEntry>& players, KindEntry& kind,
                  Diagnostics& diagnostics) {
  const std::string what = "the letters of " + in_backticks(kind.name.text);
  if (value.is_scalar()) {
    const auto parts = names(value.text);
    if (parts.empty() || parts[0].text != "neutral")
      return read_letters_in_order(value.text, players, kind, diagnostics);
    if (parts.size() != 2)
      diagnostics.error("letter", value.span, "a neutral kind has one letter").expected =
          "expected `neutral x`";
    else if (check_letter(parts[1], diagnostics))
      kind.letters.push_back({parts[0], parts[1]});
    return;
  }
  constexpr std::string_view kExample = "man: { White: w, Black: b }";
  if (!expect_map(value, what, kExample, diagnostics)) return;
  for (const auto& entry : value.entries) {
    const auto letter = read_word(entry.value, what, kExample, diagnostics);
    if (letter && check_letter(*letter, diagnostics)) kind.letters.push_back({to_name(entry.key), *letter});
  }
}

namespace {

PerPlayer read_per_player(const Yaml& value, std::string_view what, std::string_view example,
                          Diagnostics& diagnostics) {
  PerPlayer result;
  if (!value.is_map()) {
    result.all = read_value(value, what, example, diagnostics);
    return result;
  }
  for (const auto& entry : value.entries)
    if (auto number = read_value(entry.value, what, example, diagnostics))
      result.each.emplace_back(to_name(entry.key), std::move(*number));
  return result;
}

const Yaml* value_of_only_key(const Yaml& value, std::string_view key) {
  return value.is_map() && value.entries.size() == 1 ? value.find(key) : nullptr;
}

// `{ private: 0 }`, `{ hidden: 0 }`: who sees the variable.
constexpr std::array<std::pair<std::string_view, Secrecy>, 2> kSecrets = {
    {{"private", Secrecy::of_each}, {"hidden", Secrecy::of_all}}};

// The expression of a variable: its own, or that under `each`.
const Yaml* initial_value(const Yaml& value, bool& each_player, Diagnostics& diagnostics) {
  if (!value.is_map()) return &value;
  each_player = true;
  if (const Yaml* each = value_of_only_key(value, "each")) return each;
  diagnostics.error("shape", value.span, "a variable has a single first value").expected =
      "expected a value, `{ each: 0 }` for a variable of every player, `{ each piece: false }` for one of "
      "every piece, `{ clock: 0 }` for a number that repetition ignores, `{ private: 0 }` for one of every "
      "player that he alone sees, or `{ hidden: 0 }` for one that nobody sees";
  if (value.entries.empty()) diagnostics.last().help = "a set of cells begins with `none`, a number with `0`";
  return nullptr;
}

// `0..7`
bool read_range(const Yaml& value, std::string_view example, std::optional<Ast>& low,
                std::optional<Ast>& high, Diagnostics& diagnostics) {
  auto range = read_value(value, "`range`", example, diagnostics);
  if (!range) return false;
  if (range->form == Form::binary && range->word == ".." && range->kids.size() == 2) {
    low = std::move(range->kids[0]);
    high = std::move(range->kids[1]);
    return true;
  }
  diagnostics.error("shape", value.span, "a range has two ends").expected =
      "expected two numbers, as in `2..19`";
  return false;
}

// `mirror: reflect` or `mirror: rotate(180)`
std::optional<MirrorEntry> read_mirror(const Yaml& value, Diagnostics& diagnostics) {
  constexpr std::string_view kExample = "mirror: rotate(180)";
  const auto tree = read_value(value, "`mirror`", kExample, diagnostics);
  if (!tree) return std::nullopt;
  if (is_name(*tree, "reflect")) return MirrorEntry{std::nullopt, value.span};
  if (const auto degrees = degrees_of(*tree)) return MirrorEntry{degrees, value.span};
  diagnostics.error("shape", value.span, "this is no way to mirror a set-up").expected =
      "expected `reflect`, or how far it is turned, as in `rotate(180)`";
  return std::nullopt;
}

// --- values of pieces

constexpr std::string_view kPieceValueExample = "facing: { each piece: 0, range: 0..7 }";

void piece_value_first(const Yaml& value, StateEntry& entry, Diagnostics& diagnostics) {
  entry.value = read_value(value, "the first value of " + in_backticks(entry.name.text), kPieceValueExample,
                           diagnostics);
}

void piece_value_range(const Yaml& value, StateEntry& entry, Diagnostics& diagnostics) {
  if (!read_range(value, kPieceValueExample, entry.each_piece->low, entry.each_piece->high, diagnostics))
    entry.value.reset();
}

void piece_value_some_of(const Yaml& value, StateEntry& entry, Diagnostics& diagnostics) {
  entry.each_piece->some_of =
      read_value(value, "`some of`", "arms: { each piece: none, some of: all }", diagnostics);
  if (!entry.each_piece->some_of) entry.value.reset();
}

void piece_value_setup(const Yaml& value, StateEntry& entry, Diagnostics& diagnostics) {
  constexpr std::string_view kExample = "facing: { each piece: 0, range: 0..7, setup: { 4: rank(8) } }";
  if (!expect_map(value, "`setup`", kExample, diagnostics)) return;
  for (const auto& inner : value.entries) {
    if (inner.key.text == "mirror") {
      entry.each_piece->mirror = read_mirror(inner.value, diagnostics);
      continue;
    }
    auto which = parse_value(inner.key, diagnostics);
    auto cells =
        read_value(inner.value, "the cells of " + in_backticks(inner.key.text), kExample, diagnostics);
    if (which && cells) entry.each_piece->setup.emplace_back(std::move(*which), std::move(*cells));
  }
}

constexpr std::array<Key<StateEntry>, 4> kPieceValueKeys = {{
    {"each piece", piece_value_first},
    {"range", piece_value_range},
    {"some of", piece_value_some_of},
    {"setup", piece_value_setup},
}};

void read_piece_value(const Yaml& value, Name name, RuleFile& file, Diagnostics& diagnostics) {
  StateEntry entry;
  entry.name = std::move(name);
  entry.each_piece.emplace();
  read_keys<StateEntry>(value, "the variable " + in_backticks(entry.name.text), kPieceValueKeys, entry,
                        diagnostics);
  file.state.push_back(std::move(entry));
}

// --- options

constexpr std::string_view kOptionExample = "size: { default: 9, range: 2..19 }";

void option_default(const Yaml& value, OptionEntry& option, Diagnostics& diagnostics) {
  option.initial =
      read_word(value, "the default of " + in_backticks(option.name.text), kOptionExample, diagnostics);
}

void option_one_of(const Yaml& value, OptionEntry& option, Diagnostics& diagnostics) {
  constexpr std::string_view kExample = "gap: { default: box, one of: box | path }";
  if (value.is_sequence()) {
    for (const Yaml& item : value.items)
      if (auto word = read_word(item, "a value of an option", kExample, diagnostics))
        option.one_of.push_back(*word);
    return;
  }
  if (!expect_text(value, "`one of`", kExample, diagnostics)) return;
  for (const Text& part : split(value.text, '|')) {
    if (words(part).size() == 1)
      option.one_of.push_back(to_name(part));
    else
      diagnostics.error("shape", value.span, "each value of an option is one word").expected =
          fmt::format("expected words with `|` between them, as in `{}`", kExample);
  }
}

void option_range(const Yaml& value, OptionEntry& option, Diagnostics& diagnostics) {
  read_range(value, kOptionExample, option.low, option.high, diagnostics);
}

void option_help(const Yaml& value, OptionEntry& option, Diagnostics& diagnostics) {
  if (expect_text(value, "`help`", "help: what it does", diagnostics))
    option.help = value.text.trimmed().text;
}

constexpr std::array<Key<OptionEntry>, 4> kOptionKeys = {{
    {"default", option_default},
    {"one of", option_one_of},
    {"range", option_range},
    {"help", option_help},
}};

void check_option(const OptionEntry& option, const Yaml& value, Diagnostics& diagnostics) {
  if (value.find("default") == nullptr)
    diagnostics
        .error("shape", option.span,
               fmt::format("the option {} has no default", in_backticks(option.name.text)))
        .expected = fmt::format("expected `default`, as in `{}`", kOptionExample);
  if (value.find("one of") != nullptr && value.find("range") != nullptr)
    diagnostics.error("shape", option.span, "an option has either `one of` or `range`");
}

// Is there a piece for each letter? Then a word is a stack of them.
bool are_letters(std::string_view word, const RuleFile& file) {
  return std::all_of(word.begin(), word.end(), [&](char sign) {
    return std::any_of(file.pieces.begin(), file.pieces.end(), [&](const KindEntry& kind) {
      return std::any_of(kind.letters.begin(), kind.letters.end(),
                         [&](const LetterEntry& l) { return l.letter.text == std::string_view(&sign, 1); });
    });
  });
}

} // namespace

// `players: White, Black`
void not_players(const Yaml& value, Diagnostics& diagnostics) {
  const bool list = value.is_scalar() && value.text.text.find(',') != std::string::npos;
  if (!list) {
    expect_map(value, "`players`", kPlayersExample, diagnostics);
    return;
  }
  auto& error = diagnostics.error("shape", value.span, "`players` is text");
  error.expected = fmt::format("expected a map, as in `{}`", kPlayersExample);
  error.help = fmt::format("a list is in brackets: `players: [{}]`", value.text.trimmed().text.substr(0, 60));
}

void read_players(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics) {
  const Yaml& value = entry.value;
  if (value.is_map()) {
    for (const auto& player : value.entries)
      add_player(player.key, read_compass(player.value, diagnostics), file.players, diagnostics);
  } else if (value.is_sequence()) {
    for (const Yaml& item : value.items)
      if (expect_text(item, "a player", "players: [Black, White]", diagnostics))
        add_player(item.text.trimmed(), std::nullopt, file.players, diagnostics);
  } else {
    not_players(value, diagnostics);
    return;
  }
  const std::size_t count = value.is_map() ? value.entries.size() : value.items.size();
  if (count == 0 || count > kMaxPlayers)
    diagnostics.error("shape", value.span, fmt::format("a game has one to eight players, not {}", count));
}

void read_first(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics) {
  file.first = read_word(entry.value, "`first`", "first: White", diagnostics);
}

void read_pieces(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics) {
  if (!expect_map(entry.value, "`pieces`", "pieces: { man: w b }", diagnostics)) return;
  for (const auto& piece : entry.value.entries) {
    if (is_family(piece.value, file.players)) {
      read_family(piece, file, diagnostics);
      continue;
    }
    auto name = declared_name(piece.key, "a kind of piece", diagnostics);
    if (!name) continue;
    KindEntry kind{std::move(*name), {}};
    read_letters(piece.value, file.players, kind, diagnostics);
    file.pieces.push_back(std::move(kind));
  }
}

void read_hands(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics) {
  constexpr std::string_view kExample = "hands: { man: 9 }";
  if (!expect_map(entry.value, "`hands`", kExample, diagnostics)) return;
  for (const auto& hand : entry.value.entries)
    file.hands.push_back(
        {to_name(hand.key), read_per_player(hand.value, "a number of pieces", kExample, diagnostics)});
}

namespace {

// `setup: 4B1/6/bbbbbb/…`: a FEN, which is drawn.
bool is_fen(const Text& text, Diagnostics& diagnostics) {
  constexpr std::size_t kMostDrawn = 400; // bytes
  const auto parts = words(text);
  if (parts.empty() || parts.front().text.find('/') == std::string::npos ||
      text.text.find('\n') < text.text.size() - 1)
    return false;
  std::string drawn, row;
  const auto end_row = [&] {
    drawn += fmt::format("{}`{}`", drawn.empty() ? "" : ", ", row);
    row.clear();
  };
  const auto add = [&](char sign) { row += row.empty() ? std::string(1, sign) : std::string{' ', sign}; };
  int number = 0;
  for (const char c : parts.front().text.substr(0, parts.front().text.find('['))) {
    if (c >= '0' && c <= '9') {
      number = std::min(10 * number + (c - '0'), 99);
      continue;
    }
    for (; number > 0; --number) add('.');
    c == '/' ? end_row() : add(c);
  }
  for (; number > 0; --number) add('.');
  end_row();
  auto& error =
      diagnostics.error("picture", parts.front().span(), "a set-up is drawn, or said piece by piece");
  error.expected = "expected a picture behind `setup: |`, or `setup: { w: rank(1), b: rank(8) }`";
  if (drawn.size() <= kMostDrawn) error.help = "write `setup: |` and below it a line for each rank: " + drawn;
  return true;
}

// `shuffle: rank(1)`, or a list: `shuffle: [rank(1), rank(2)]`
void read_shuffle(const Yaml& value, ShuffleEntry& shuffle, Diagnostics& diagnostics) {
  constexpr std::string_view kExample = "shuffle: rank(1)";
  shuffle.span = value.span;
  const auto read = [&](const Yaml& item) {
    if (auto cells = read_value(item, "`shuffle`", kExample, diagnostics))
      shuffle.among.push_back(std::move(*cells));
  };
  if (value.is_sequence())
    std::for_each(value.items.begin(), value.items.end(), read);
  else
    read(value);
}

// Keys of a set-up that are no letters of pieces. Nothing else is read in the same way.
bool read_setup_word(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics) {
  if (are_letters(entry.key.text, file)) return false;
  auto& shuffle = file.setup.shuffle;
  if (entry.key.text == "mirror") {
    file.setup.mirror = read_mirror(entry.value, diagnostics);
  } else if (entry.key.text == "shuffle") {
    if (!shuffle) shuffle.emplace();
    read_shuffle(entry.value, *shuffle, diagnostics);
  } else if (entry.key.text == "such that") {
    if (!shuffle) shuffle.emplace();
    shuffle->such_that =
        read_value(entry.value, "`such that`", "such that: count(own man & row(1)) = 2", diagnostics);
    if (shuffle->such_that && shuffle->among.empty()) shuffle->span = entry.key.span();
  } else {
    return false;
  }
  return true;
}

} // namespace

std::vector<std::string> setup_keys() { return {"mirror", "shuffle", "such that"}; }
std::vector<std::string> piece_value_keys() { return key_names<StateEntry>(kPieceValueKeys); }
std::vector<std::string> option_keys() { return key_names<OptionEntry>(kOptionKeys); }

void read_setup(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics) {
  file.setup.span = entry.value.span;
  if (entry.value.is_scalar()) {
    if (is_fen(entry.value.text, diagnostics)) return;
    file.setup.picture = read_piece_picture(entry.value, diagnostics);
    return;
  }
  constexpr std::string_view kExample = "setup: { w: rank(1), b: rank(8) }";
  if (!expect_map(entry.value, "`setup`", kExample, diagnostics)) return;
  for (const auto& piece : entry.value.entries) {
    if (read_setup_word(piece, file, diagnostics)) continue;
    if (auto cells =
            read_value(piece.value, "the cells of " + in_backticks(piece.key.text), kExample, diagnostics))
      file.setup.entries.push_back({to_name(piece.key), std::move(*cells)});
  }
  if (file.setup.shuffle && file.setup.shuffle->among.empty() && !diagnostics.has_errors())
    diagnostics.error("setup", file.setup.shuffle->span, "`such that` is about what is dealt by `shuffle`")
        .help = "shuffle: rank(1)";
}

void read_state(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics) {
  constexpr std::string_view kExample = "state: { passes: 0 }";
  if (!expect_map(entry.value, "`state`", kExample, diagnostics)) return;
  for (const auto& variable : entry.value.entries) {
    auto name = declared_name(variable.key, "a variable", diagnostics);
    if (variable.value.is_map() && variable.value.find("each piece") != nullptr) {
      if (name) read_piece_value(variable.value, std::move(*name), file, diagnostics);
      continue;
    }
    bool each_player = false, clock = false;
    const Yaml* initial = &variable.value;
    Secrecy secrecy = Secrecy::none;
    for (const auto& [word, meant] : kSecrets)
      if (const Yaml* inner = value_of_only_key(*initial, word)) {
        initial = inner;
        secrecy = meant;
        break;
      }
    if (const Yaml* inner = value_of_only_key(*initial, "clock")) {
      initial = inner;
      clock = true;
    }
    initial = initial_value(*initial, each_player, diagnostics);
    std::optional<Ast> value;
    if (initial != nullptr)
      value = read_value(*initial, "the first value of " + in_backticks(variable.key.text), kExample,
                         diagnostics);
    // One whose value is wrong has a name all the same: what uses it is not to blame.
    each_player = each_player || secrecy == Secrecy::of_each;
    if (name)
      file.state.push_back({std::move(*name), each_player, clock, std::move(value), std::nullopt, secrecy});
  }
}

namespace {

constexpr std::string_view kSeesExample = "sees: { cells: own | around(own) }";

void read_seen_hands(const Yaml& value, SeesSection& sees, Diagnostics& diagnostics) {
  const auto word = read_word(value, "`hands`", "sees: { hands: own }", diagnostics);
  if (!word) return;
  sees.own_hands = word->text == "own";
  if (sees.own_hands || word->text == "all") return;
  diagnostics.error("sees", word->span, in_backticks(word->text) + " says nothing of hands").expected =
      "expected `own`, or `all`, which is so without it";
}

constexpr std::array<Key<SeesSection>, 3> kSeesKeys = {{
    {"cells",
     [](const Yaml& value, SeesSection& sees, Diagnostics& diagnostics) {
       sees.cells = read_value(value, "the cells that a player sees", kSeesExample, diagnostics);
     }},
    {"kinds",
     [](const Yaml& value, SeesSection& sees, Diagnostics& diagnostics) {
       sees.kinds =
           read_value(value, "the cells on which a player sees kinds", "sees: { kinds: own }", diagnostics);
     }},
    {"hands", read_seen_hands},
}};

} // namespace

std::vector<std::string> sees_keys() { return key_names<SeesSection>(kSeesKeys); }

void read_sees(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics) {
  if (!expect_map(entry.value, "`sees`", kSeesExample, diagnostics)) return;
  read_keys<SeesSection>(entry.value, "`sees`", kSeesKeys, file.sees, diagnostics);
}

void read_options(const YamlEntry& entry, RuleFile& file, Diagnostics& diagnostics) {
  if (!expect_map(entry.value, "`options`", "options: { size: { default: 9, range: 2..19 } }", diagnostics))
    return;
  for (const auto& inner : entry.value.entries) {
    auto name = declared_name(inner.key, "an option", diagnostics);
    const std::string what = "the option " + in_backticks(inner.key.text);
    if (!expect_map(inner.value, what, kOptionExample, diagnostics) || !name) continue;
    OptionEntry option;
    option.name = std::move(*name);
    option.span = inner.key.span();
    read_keys<OptionEntry>(inner.value, what, kOptionKeys, option, diagnostics);
    check_option(option, inner.value, diagnostics);
    file.options.push_back(std::move(option));
  }
}

} // namespace boardwright::dsl
