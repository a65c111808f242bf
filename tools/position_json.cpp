#include "tools/position_json.hpp"

#include "interpreter/position_entry.hpp"
#include "runtime/game/game.hpp"
#include "tools/console.hpp"
#include "tools/json.hpp"
#include "tools/json_tree.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <optional>

namespace boardwright::tools {
namespace {

using runtime::Position;
using runtime::Program;
using runtime::Type;
using Kind = JsonTree::Kind;

int player_named(const Program& program, std::string_view name) {
  const auto found = std::find_if(program.players.begin(), program.players.end(),
                                  [&](const runtime::Player& player) { return player.name == name; });
  return found == program.players.end() ? -1 : static_cast<int>(found - program.players.begin());
}

int kind_named(const Program& program, std::string_view name) {
  const auto found = std::find_if(program.kinds.begin(), program.kinds.end(),
                                  [&](const runtime::Kind& kind) { return kind.name == name; });
  return found == program.kinds.end() ? -1 : static_cast<int>(found - program.kinds.begin());
}

// The variables with a name: one, or one for each player.
std::vector<std::size_t> variables_named(const Program& program, std::string_view name) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < program.variables.size(); ++i)
    if (program.variables[i].name == name) found.push_back(i);
  return found;
}

class Reader {
public:
  explicit Reader(const Program& program) : program_(program), position_(runtime::blank_position(program)) {}

  tl::expected<Position, std::string> read(const JsonTree& root) && {
    position_.ply = interpreter::kDefaultPly;
    if (!whole(root)) return tl::unexpected(problem_);
    position_.turns = interpreter::turns_after(program_, position_.ply);
    for (const auto& [who, count] : turns_) position_.turns[static_cast<std::size_t>(who)] = count;
    if (std::string wrong = runtime::check_position(program_, position_); !wrong.empty())
      return tl::unexpected(wrong);
    return std::move(position_);
  }

private:
  using Section = bool (Reader::*)(const JsonTree&);

  bool whole(const JsonTree& root) {
    if (root.kind != Kind::object)
      return fail("a position is an object, {{\"to_move\": …, \"cells\": …}}, not {}", name_of(root.kind));
    for (const auto& [key, value] : root.entries)
      if (!section(key, value)) return false;
    path_.clear();
    for (const char* needed : {"to_move", "cells"})
      if (std::none_of(root.entries.begin(), root.entries.end(),
                       [&](const auto& entry) { return entry.first == needed; }))
        return fail("`{}` is missing", needed);
    return true;
  }

  bool section(const std::string& key, const JsonTree& value) {
    static const std::vector<std::pair<std::string, Section>> kSections = {
        {"to_move", &Reader::to_move}, {"cells", &Reader::cells}, {"ply", &Reader::ply},
        {"turns", &Reader::turns},     {"hands", &Reader::hands}, {"state", &Reader::state},
        {"out", &Reader::out}};
    path_ = quotable(key);
    for (const auto& [name, read] : kSections)
      if (name == key) return (this->*read)(value);
    path_.clear();
    return fail("unknown key `{}`: a position has to_move, cells, ply, turns, hands, state, out",
                quotable(key));
  }

  template <class... Arguments>
  bool fail(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    const std::string what = fmt::format(text, std::forward<Arguments>(arguments)...);
    problem_ = path_.empty() ? what : fmt::format("{}: {}", path_, what);
    return false;
  }
  bool expect(const JsonTree& value, Kind kind) {
    return value.kind == kind || fail("should be {}, not {}", name_of(kind), name_of(value.kind));
  }

  // Calls read(key, value) for every entry of an object, with the key in the path of messages.
  template <class Read>
  bool each_entry(const JsonTree& object, Read&& read) {
    if (!expect(object, Kind::object)) return false;
    const std::string outer = path_;
    for (const auto& [key, value] : object.entries) {
      path_ = outer + "." + quotable(key);
      if (!read(key, value)) return false;
    }
    path_ = outer;
    return true;
  }

  std::optional<int> player(const std::string& name) {
    const int found = player_named(program_, name);
    if (found >= 0) return found;
    std::vector<std::string> names;
    for (const auto& known : program_.players) names.push_back(known.name);
    fail("no player `{}`: the players are {}", quotable(name), fmt::join(names, ", "));
    return std::nullopt;
  }
  std::optional<int> cell(const std::string& name) {
    const int found = program_.board.cell_named(name);
    if (found >= 0) return found;
    fail("the board has no cell `{}`", quotable(name));
    return std::nullopt;
  }
  std::optional<std::int32_t> number(const JsonTree& value, std::int32_t least) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    if (!expect(value, Kind::whole)) return std::nullopt;
    if (value.number >= least && value.number <= kMost) return static_cast<std::int32_t>(value.number);
    fail("should be a number from {} to {}", least, kMost);
    return std::nullopt;
  }

  bool to_move(const JsonTree& value) {
    if (!expect(value, Kind::text)) return false;
    const auto found = player(value.text);
    if (found) position_.to_move = *found;
    return found.has_value();
  }

  bool cells(const JsonTree& value) {
    return each_entry(value, [&](const std::string& name, const JsonTree& letters) {
      const auto where = cell(name);
      return where && expect(letters, Kind::text) &&
             stack(letters.text, position_.cells[static_cast<std::size_t>(*where)]);
    });
  }
  bool stack(const std::string& letters, runtime::Stack& stack) {
    if (letters.size() > static_cast<std::size_t>(runtime::kMaxHeight))
      return fail("{} pieces: a stack holds at most {}", letters.size(), runtime::kMaxHeight);
    for (const char letter : letters) {
      const auto piece = program_.piece_of(letter);
      if (!piece) return fail("no piece has the letter `{}`", quotable(letter_at(letters, letter)));
      stack.push_back(*piece);
    }
    return true;
  }
  // The whole character that begins with a byte: a letter beyond ASCII has several.
  static std::string letter_at(const std::string& letters, char letter) {
    const std::size_t begin = letters.find(letter);
    std::size_t end = begin + 1;
    while (end < letters.size() && (static_cast<unsigned char>(letters[end]) & 0xC0U) == 0x80U) ++end;
    return letters.substr(begin, end - begin);
  }

  bool ply(const JsonTree& value) {
    const auto read = number(value, 0);
    if (read) position_.ply = *read;
    return read.has_value();
  }
  bool turns(const JsonTree& value) {
    return each_entry(value, [&](const std::string& name, const JsonTree& count) {
      const auto who = player(name);
      const auto read = who ? number(count, 0) : std::nullopt;
      if (read) turns_.emplace_back(*who, *read);
      return read.has_value();
    });
  }

  bool hands(const JsonTree& value) {
    return each_entry(value, [&](const std::string& name, const JsonTree& hand) {
      const auto who = player(name);
      return who && each_entry(hand, [&](const std::string& kind, const JsonTree& count) {
               return in_hand(*who, kind, count);
             });
    });
  }
  bool in_hand(int who, const std::string& name, const JsonTree& count) {
    const int kind = kind_named(program_, name);
    if (kind < 0) return fail("no kind of piece `{}`", quotable(name));
    const int slot = program_.hand_slot[static_cast<std::size_t>(who)][static_cast<std::size_t>(kind)];
    if (slot < 0) return fail("this player has no hand of that kind");
    const auto read = number(count, 0);
    if (read) position_.hands[static_cast<std::size_t>(slot)] = *read;
    return read.has_value();
  }

  bool state(const JsonTree& value) {
    return each_entry(value, [&](const std::string& name, const JsonTree& content) {
      const auto found = variables_named(program_, name);
      if (found.empty()) return fail("the game has no state variable of this name");
      if (program_.variables[found.front()].player < 0) return variable(found.front(), content);
      return each_entry(content, [&](const std::string& owner, const JsonTree& own) {
        const auto who = player(owner);
        return who && variable_of(*who, found, own);
      });
    });
  }
  bool variable_of(int who, const std::vector<std::size_t>& among, const JsonTree& value) {
    for (const std::size_t i : among)
      if (program_.variables[i].player == who) return variable(i, value);
    return fail("the game has no such state variable for this player");
  }
  bool variable(std::size_t index, const JsonTree& value) {
    runtime::VariableValue& target = position_.variables[index];
    switch (program_.variables[index].type) {
    case Type::truth: return truth(value, target);
    case Type::cells: return cell_set(value, target);
    case Type::kind: return kind(value, target);
    case Type::player: return player_value(value, target);
    default: break;
    }
    const auto read = number(value, std::numeric_limits<std::int32_t>::min());
    if (read) target.number = *read;
    return read.has_value();
  }
  bool truth(const JsonTree& value, runtime::VariableValue& target) {
    if (!expect(value, Kind::truth)) return false;
    target.number = static_cast<std::int32_t>(value.number);
    return true;
  }
  bool kind(const JsonTree& value, runtime::VariableValue& target) {
    if (!expect(value, Kind::text)) return false;
    target.number = kind_named(program_, value.text);
    return target.number >= 0 || value.text == "none" || fail("no kind of piece `{}`", quotable(value.text));
  }
  bool player_value(const JsonTree& value, runtime::VariableValue& target) {
    const auto who = expect(value, Kind::text) ? player(value.text) : std::nullopt;
    if (who) target.number = *who;
    return who.has_value();
  }
  bool cell_set(const JsonTree& value, runtime::VariableValue& target) {
    target.cells = {};
    if (value.kind == Kind::text) return cells_in_words(value.text, target);
    if (value.kind != Kind::list) return fail("should be a list of cells, not {}", name_of(value.kind));
    return std::all_of(value.items.begin(), value.items.end(), [&](const JsonTree& item) {
      return expect(item, Kind::text) && add_cell(item.text, target);
    });
  }
  bool cells_in_words(const std::string& text, runtime::VariableValue& target) {
    constexpr const char* kBlanks = " \t\r\n";
    for (std::size_t at = text.find_first_not_of(kBlanks); at != std::string::npos;) {
      const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
      if (!add_cell(text.substr(at, end - at), target)) return false;
      at = text.find_first_not_of(kBlanks, end);
    }
    return true;
  }
  bool add_cell(const std::string& name, runtime::VariableValue& target) {
    const auto found = cell(name);
    if (found) target.cells.set(*found);
    return found.has_value();
  }

  bool out(const JsonTree& value) {
    if (!expect(value, Kind::list)) return false;
    for (const JsonTree& item : value.items) {
      const auto who = expect(item, Kind::text) ? player(item.text) : std::nullopt;
      if (!who) return false;
      position_.out |= 1U << static_cast<unsigned>(*who);
    }
    return true;
  }

  const Program& program_;
  Position position_;
  std::vector<std::pair<int, std::int32_t>> turns_; // by player, where given
  std::string path_;                                // the key that is being read, for messages
  std::string problem_;
};

Json cells_json(const Program& program, const Position& position) {
  Json cells = Json::object();
  for (std::size_t i = 0; i < position.cells.size(); ++i)
    if (!position.cells[i].empty()) cells[program.board.name[i]] = letters_of(program, position.cells[i]);
  return cells;
}

Json hands_json(const Program& program, const Position& position) {
  Json hands = Json::object();
  for (std::size_t player = 0; player < program.players.size(); ++player)
    for (std::size_t kind = 0; kind < program.kinds.size(); ++kind)
      if (const int slot = program.hand_slot[player][kind]; slot >= 0)
        hands[program.players[player].name][program.kinds[kind].name] =
            position.hands[static_cast<std::size_t>(slot)];
  return hands;
}

Json variable_json(const Program& program, Type type, const runtime::VariableValue& value) {
  switch (type) {
  case Type::truth: return value.number != 0;
  case Type::kind:
    return value.number < 0 ? "none" : program.kinds[static_cast<std::size_t>(value.number)].name;
  case Type::player: return program.players[static_cast<std::size_t>(value.number)].name;
  case Type::cells: {
    Json cells = Json::array();
    value.cells.each([&](int cell) { cells.push_back(program.board.name[static_cast<std::size_t>(cell)]); });
    return cells;
  }
  default: return value.number;
  }
}

Json state_json(const Program& program, const Position& position) {
  Json state = Json::object();
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    const runtime::Variable& variable = program.variables[i];
    Json value = variable_json(program, variable.type, position.variables[i]);
    if (variable.player < 0)
      state[variable.name] = std::move(value);
    else
      state[variable.name][program.players[static_cast<std::size_t>(variable.player)].name] =
          std::move(value);
  }
  return state;
}

Json turns_json(const Program& program, const Position& position) {
  Json turns = Json::object();
  for (std::size_t i = 0; i < program.players.size(); ++i) turns[program.players[i].name] = position.turns[i];
  return turns;
}

Json out_json(const Program& program, const Position& position) {
  Json out = Json::array();
  for (std::size_t i = 0; i < program.players.size(); ++i)
    if ((position.out >> i & 1U) != 0) out.push_back(program.players[i].name);
  return out;
}

} // namespace

tl::expected<Position, std::string> read_position(const Program& program, std::string_view text) {
  if (text.size() > kMaxPositionBytes)
    return tl::unexpected(fmt::format("it is larger than {} bytes", grouped(kMaxPositionBytes)));
  const auto tree = read_json(text, kMaxPositionDepth);
  if (!tree) return tl::unexpected(tree.error());
  return Reader(program).read(*tree);
}

std::string write_position(const Program& program, const Position& position) {
  return to_text(to_json(program, position));
}

std::string letters_of(const Program& program, const runtime::Stack& stack) {
  std::string letters;
  for (const runtime::Piece piece : stack) letters += program.letter_of(piece);
  return letters;
}

Json to_json(const Program& program, const Position& position) {
  Json json = {{"to_move", program.players[static_cast<std::size_t>(position.to_move)].name},
               {"cells", cells_json(program, position)},
               {"ply", position.ply},
               {"turns", turns_json(program, position)}};
  if (program.hands > 0) json["hands"] = hands_json(program, position);
  if (!program.variables.empty()) json["state"] = state_json(program, position);
  if (position.out != 0) json["out"] = out_json(program, position);
  return json;
}

std::string to_text(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string to_document(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace boardwright::tools
