// Entry points: format_of, read_foreign.
#include "tools/records/formats/format_of.hpp"

#include "dsl/other_languages.hpp"
#include "dsl/text.hpp"
#include "tools/records/formats/command_reader.hpp"
#include "tools/records/formats/kif_reader.hpp"
#include "tools/records/formats/pgn_reader.hpp"
#include "tools/records/formats/sgf_reader.hpp"
#include "tools/records/formats/signs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace boardwright::tools {
namespace {

// What is read, for messages.
constexpr std::string_view kReadable = "records of `play --record`, PGN, PDN, SGF, KIF, and lines `position "
                                       "… moves …` of UCI and USI can be read";

// Tags of ours alone, and tags that PGN and PDN have.
constexpr std::array<std::string_view, 5> kOurTags = {"Rules", "RulesHash", "Game", "Player", "Position"};
constexpr std::array<std::string_view, 9> kPgnTags = {"Event", "Site",    "White",    "Black", "Result",
                                                      "FEN",   "Variant", "GameType", "SetUp"};

std::string_view behind_blanks(std::string_view text) {
  if (text.starts_with(dsl::kByteOrderMark)) text.remove_prefix(dsl::kByteOrderMark.size());
  while (!text.empty() && dsl::is_white(text.front())) text.remove_prefix(1);
  return text;
}

template <class Names>
bool has_tag(std::string_view text, const Names& names) {
  return std::any_of(names.begin(), names.end(), [text](std::string_view name) {
    const std::string tag = fmt::format("[{} \"", name);
    const std::size_t at = text.find(tag);
    return at != std::string_view::npos && (at == 0 || dsl::is_white(text[at - 1]));
  });
}

// Without tags both forms have numbers with stops. In ours each line has one, which counts every move; in
// PGN there are two moves to a number, so that a line has more than one number, or two moves. Numbers that
// the move follows without a blank are PGN's, too.
bool looks_like_movetext(std::string_view text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  SignReader line(text.substr(0, end));
  std::size_t words = 0;
  bool second_number = false; // or a result, which ours has on a line of its own
  while (!line.at_end()) {
    if (dsl::is_white(line.now())) {
      line.next();
      continue;
    }
    const std::string_view word = line.word("");
    const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
    const bool numbered = digits > 0 && digits < word.size() && word[digits] == '.';
    second_number = second_number || (numbered && (words > 0 || digits + 1 < word.size())) ||
                    (words > 1 && (word == "*" || word == "1-0" || word == "0-1" || word == "1/2-1/2"));
    ++words;
  }
  return second_number || (words == 3 && text.find("\n2. ") != std::string_view::npos &&
                           text.substr(0, end).find(':') == std::string_view::npos);
}

// A move's number, with its stop.
bool begins_with_number(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  return digits < text.size() && text[digits] == '.';
}

// Commands may stand before it: `usi`, `setoption …`.
bool has_position_command(std::string_view text) {
  constexpr int kLinesLookedAt = 20;
  SignReader lines(text);
  for (int i = 0; i < kLinesLookedAt && !lines.at_end(); ++i)
    if (is_position_command(*lines.until('\n'))) return true;
  return false;
}

} // namespace

tl::expected<Format, std::string> format_of(std::string_view given) {
  const std::string_view text = behind_blanks(given);
  if (const std::string_view file = dsl::format_of(text); !file.empty() && !file.starts_with("the record"))
    return tl::unexpected(fmt::format("this is no record of a game, but {}; {}", file, kReadable));
  if (text.starts_with('(') && behind_blanks(text.substr(1)).starts_with(';')) return Format::sgf;
  if (is_kif(text)) return Format::kif;
  if (is_kif_in_shift_jis(text))
    return tl::unexpected(
        std::string("this is KIF in Shift-JIS; in UTF-8 it can be read: iconv -f SHIFT_JIS -t UTF-8 FILE"));
  if (has_position_command(text)) return Format::commands;
  if (has_tag(text, kOurTags)) return Format::ours;
  if (has_tag(text, kPgnTags)) return Format::pgn;
  if (text.starts_with('[')) return interpreter::read_records(text) ? Format::ours : Format::pgn;
  if (text.starts_with(';')) return Format::ours;
  if (!text.empty() && dsl::is_digit(text.front()))
    return looks_like_movetext(text) || !begins_with_number(text) ? Format::pgn : Format::ours;
  if (text.starts_with('{') || text.starts_with('%')) return Format::pgn;
  if (text.empty() || text.starts_with("Result:")) return Format::ours;
  return tl::unexpected(fmt::format("this is no record that can be read: {}", kReadable));
}

tl::expected<ForeignGames, interpreter::RecordError> read_foreign(Format format, std::string_view text) {
  switch (format) {
  case Format::sgf: return read_sgf(text);
  case Format::commands: return read_commands(text);
  case Format::kif: return read_kif(text);
  default: return read_pgn(text);
  }
}

} // namespace boardwright::tools
