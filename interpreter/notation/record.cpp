// Entry points: read_records, write_record and its parts, replay_record.
#include "interpreter/notation/record.hpp"

#include "dsl/other_languages.hpp"

#include "dsl/text.hpp"
#include "interpreter/notation/position_text.hpp"
#include "runtime/game/spelling.hpp"
#include "runtime/model/fingerprint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace boardwright::interpreter {
namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";
constexpr std::string_view kResult = "Result:";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// --- quoted texts: what would not survive on a line of its own

constexpr std::string_view kHex = "0123456789abcdef";

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      result += {'\\', c};
    else if (c == '\n')
      result += "\\n";
    else if (byte < 0x20 || byte == 0x7f)
      result += {'\\', 'x', kHex[byte >> 4U], kHex[byte & 15U]};
    else
      result += c;
  }
  return result + '"';
}

// Does it stand for itself at the end of a line?
bool is_plain(std::string_view text) {
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  return !text.empty() && text.front() != '"' && trimmed(text) == text &&
         std::none_of(text.begin(), text.end(), control);
}

// Reads what `in_quotes` writes, from its first sign on; nothing if it isn't closed or something is wrong in
// it. `end` is behind it.
std::optional<std::string> unquoted(std::string_view text, std::size_t& end) {
  std::string result;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '"') return end = i + 1, result;
    if (text[i] != '\\') {
      result += text[i];
      continue;
    }
    if (++i == text.size()) break;
    if (text[i] == 'n') {
      result += '\n';
    } else if (text[i] == 'x') {
      const std::string_view digits = text.substr(std::min(i + 1, text.size()), 2);
      const auto value = digits.size() == 2 ? dsl::number_in<std::uint8_t>(digits, 16) : std::nullopt;
      if (!value) break;
      result += static_cast<char>(*value);
      i += 2;
    } else if (text[i] == '"' || text[i] == '\\') {
      result += text[i];
    } else {
      break;
    }
  }
  return std::nullopt;
}

// --- reading

class Reader {
public:
  explicit Reader(std::string_view text) : text_(text) {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
  }

  tl::expected<std::vector<Record>, RecordError> read() {
    if (text_.size() > kMaxRecordBytes) {
      fail(0, fmt::format("a record is larger than {} bytes", kMaxRecordBytes));
      return tl::unexpected(std::move(*error_));
    }
    if (const std::string_view format = other_format(); !format.empty())
      fail(0,
           fmt::format("this is {}, which can't be read: a record has tags `[Name \"value\"]` and a move on "
                       "each line, `1. White: e2-e4`, as `play --record` writes them",
                       format));
    for (std::size_t begin = 0; begin < text_.size() && !error_;) {
      const std::size_t end = std::min(text_.find('\n', begin), text_.size());
      ++line_;
      read_line(text_.substr(begin, end - begin));
      begin = end + 1;
    }
    if (records_.empty()) fail(0, "there is no record here");
    if (error_) return tl::unexpected(std::move(*error_));
    return std::move(records_);
  }

private:
  // What another program's rules are, which are no record of any kind.
  [[nodiscard]] std::string_view other_format() const {
    const std::string_view format = dsl::format_of(text_);
    return format.starts_with("the record") ? std::string_view{} : format;
  }

  void fail(std::size_t offset, std::string message) {
    if (!error_)
      error_ = RecordError{std::max(line_, 1U), static_cast<std::uint32_t>(offset + 1), std::move(message)};
  }

  void read_line(std::string_view line) {
    const std::string_view text = trimmed(line);
    if (text.empty()) return;
    const auto offset = static_cast<std::size_t>(text.data() - line.data());
    if (text.front() == '[') return read_tag(text, offset);
    if (records_.empty()) begin_record();
    if (text.front() == ';') return read_comment(trimmed(text.substr(1)));
    if (!records_.back().result.empty())
      return fail(offset, "a tag begins the next game; this stands behind a result");
    if (std::isdigit(static_cast<unsigned char>(text.front())) != 0) return read_move(text, offset);
    if (text.starts_with(kResult)) return read_result(text, offset);
    fail(offset,
         "this is none of a tag `[Name \"value\"]`, a numbered move, a comment `; …` and `Result: …`");
  }

  void begin_record() {
    records_.emplace_back();
    records_.back().line = line_;
  }

  void read_tag(std::string_view text, std::size_t offset) {
    const bool next = records_.empty() || !records_.back().moves.empty() || !records_.back().result.empty();
    if (next) begin_record();
    Record& record = records_.back();
    if (record.tags.size() == kMaxRecordTags)
      return fail(offset, fmt::format("a record has more than {} tags", kMaxRecordTags));
    const std::size_t name_end = std::min(text.find_first_of(" \t\"]", 1), text.size());
    const std::string_view name = text.substr(1, name_end - 1);
    const std::size_t quote = std::min(text.find_first_not_of(kBlanks, name_end), text.size());
    if (name.empty() || quote == text.size() || text[quote] != '"')
      return fail(offset, "a tag is a name and a text: [Name \"value\"]");
    std::size_t end = 0;
    auto value = unquoted(text.substr(quote), end);
    if (!value || trimmed(text.substr(quote + end)) != "]")
      return fail(offset + quote,
                  "the text of a tag ends in `\"]`; in it stand \\\" for `\"`, \\\\ for `\\`, \\n "
                  "and \\x1f");
    record.tags.emplace_back(name, std::move(*value));
  }

  void read_comment(std::string_view text) {
    Record& record = records_.back();
    (record.moves.empty() ? record.comments : record.moves.back().comments).emplace_back(text);
  }

  void read_move(std::string_view text, std::size_t offset) {
    Record& record = records_.back();
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const auto behind = static_cast<std::size_t>(end - text.data());
    if (error != std::errc() || behind == text.size() || text[behind] != '.')
      return fail(offset, "a move has its number and a full stop before it: `1. …`");
    const std::size_t wanted = record.moves.size() + 1;
    if (wanted > kMaxRecordMoves)
      return fail(offset, fmt::format("a record has more than {} moves", kMaxRecordMoves));
    if (number != wanted)
      return fail(offset, fmt::format("this is move {}, but it is numbered {}", wanted, number));
    const std::string_view move = trimmed(text.substr(behind + 1));
    if (move.empty())
      return fail(offset, fmt::format("move {} is missing; one that is written as nothing is \"\"", wanted));
    if (move.size() > kMaxRecordMove)
      return fail(offset, fmt::format("move {} is longer than {} bytes", wanted, kMaxRecordMove));
    const auto column = offset + static_cast<std::size_t>(move.data() - text.data()) + 1;
    record.moves.push_back({std::string(move), line_, static_cast<std::uint32_t>(column), {}});
  }

  void read_result(std::string_view text, std::size_t offset) {
    records_.back().result = trimmed(text.substr(kResult.size()));
    if (records_.back().result.empty()) fail(offset, "behind `Result:` stands how the game ended");
  }

  std::string_view text_;
  std::uint32_t line_ = 0;
  std::vector<Record> records_;
  std::optional<RecordError> error_;
};

// --- replaying

struct Mover {
  std::string name; // "": not named
  std::string move;
};

// "White: a1-a2" of a game that has such a player. A notation may look like that too: what names nobody is
// all move.
Mover split(const runtime::Program& program, const std::string& text) {
  Mover mover{"", text};
  for (const runtime::Player& player : program.players)
    if (text.starts_with(player.name + ":")) {
      mover.name = player.name;
      mover.move = trimmed(std::string_view(text).substr(player.name.size() + 1));
      break;
    }
  std::size_t end = 0;
  if (mover.move.starts_with('"'))
    if (auto plain = unquoted(mover.move, end); plain && end == mover.move.size()) mover.move = *plain;
  return mover;
}

class Replaying {
public:
  explicit Replaying(Replayed& replayed) : done_(replayed) {}

  // False: it stops here, and `done_` says why.
  bool play(const RecordMove& move) {
    const runtime::Program& program = done_.game.rules().program();
    Mover mover = split(program, move.text);
    done_.asked = mover.move;
    const auto outcome = done_.game.outcome();
    if (!outcome) return faulty(outcome.error());
    if (*outcome) return stopped(Replayed::Stop::over);
    const int player = done_.game.to_move();
    const auto found = runtime::find_spelled(done_.game, mover.move);
    if (!found) return faulty(found.error());
    const bool wrong =
        !mover.name.empty() && mover.name != program.players[static_cast<std::size_t>(player)].name;
    if (wrong) return done_.named = mover.name, stopped(Replayed::Stop::wrong_player);
    if (!*found) return stopped(Replayed::Stop::illegal);
    auto text = runtime::spelling(done_.game, **found);
    if (!text) return faulty(text.error());
    if (const auto played = done_.game.play(**found); !played) return faulty(played.error());
    done_.moves.push_back(std::move(*text));
    done_.players.push_back(player);
    return true;
  }

private:
  bool stopped(Replayed::Stop stop) {
    done_.stop = stop;
    return false;
  }
  bool faulty(runtime::Fault fault) {
    done_.fault = std::move(fault);
    return stopped(Replayed::Stop::fault);
  }

  Replayed& done_;
};

} // namespace

std::string Record::tag(std::string_view name) const {
  for (const auto& [tag, value] : tags)
    if (tag == name) return value;
  return "";
}

std::vector<std::string> Record::tags_named(std::string_view name) const {
  std::vector<std::string> values;
  for (const auto& [tag, value] : tags)
    if (tag == name) values.push_back(value);
  return values;
}

tl::expected<std::vector<Record>, RecordError> read_records(std::string_view text) {
  return Reader(text).read();
}

std::string as_written(std::string_view text) { return is_plain(text) ? std::string(text) : in_quotes(text); }

std::string tag_line(std::string_view name, std::string_view value) {
  return fmt::format("[{} {}]\n", name, in_quotes(value));
}

std::string move_line(std::size_t number, std::string_view player, std::string_view move) {
  if (player.empty()) return fmt::format("{}. {}\n", number, as_written(move));
  return fmt::format("{}. {}: {}\n", number, player, as_written(move));
}

std::string comment_lines(std::string_view text) {
  std::string lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = trimmed(text.substr(begin, end - begin));
    lines += line.empty() ? ";\n" : fmt::format("; {}\n", line);
    begin = end + 1;
  }
  return lines;
}

std::string result_line(std::string_view result) {
  std::string line(result);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return fmt::format("{} {}\n", kResult, line);
}

std::string write_record(const Record& record) {
  std::string text;
  for (const auto& [name, value] : record.tags) text += tag_line(name, value);
  text += "\n";
  for (const std::string& comment : record.comments) text += comment_lines(comment);
  for (std::size_t i = 0; i < record.moves.size(); ++i) {
    // Read moves are as they were written; what was made up may need quotes.
    text += fmt::format("{}. {}\n", i + 1, record.moves[i].text);
    for (const std::string& comment : record.moves[i].comments) text += comment_lines(comment);
  }
  if (!record.result.empty()) text += result_line(record.result);
  return text;
}

tl::expected<Replayed, std::string> replay_record(const std::shared_ptr<const runtime::Rules>& rules,
                                                  const Record& record) {
  std::optional<runtime::Game> begin;
  if (const std::string position = record.tag("Position"); position.empty()) {
    begin.emplace(rules);
  } else {
    auto read = read_position(rules, "[Position]", position);
    if (!read.game) return tl::unexpected(read.errors());
    begin = std::move(read.game);
  }
  Replayed replayed{std::move(*begin), {}, {}, false, Replayed::Stop::none, "", "", std::nullopt};
  const std::string hash = record.tag("RulesHash");
  replayed.rules_changed =
      !hash.empty() && hash != runtime::fingerprint_text(runtime::fingerprint(rules->program()));
  Replaying replaying(replayed);
  for (const RecordMove& move : record.moves)
    if (!replaying.play(move)) break;
  return replayed;
}

} // namespace boardwright::interpreter
