// Lints about whose loss a line of `end` is: `lose when no own` beside `lose when no enemy`, and `lose when
// count(enemy) < 3`, by which who takes loses; and `lose when no own` where men only leave by their own
// moves.
#include "interpreter/lints/effects.hpp"
#include "interpreter/lints/lints.hpp"
#include "interpreter/lints/sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace boardwright::interpreter {
namespace {

using dsl::Ast;
using dsl::EndRule;
using dsl::EndVerdict;
using dsl::Form;

bool swaps_owner(const Ast& a, const Ast& b) {
  return (is_name(a, "own") && is_name(b, "enemy")) || (is_name(a, "enemy") && is_name(b, "own"));
}

// enemy.C: C of the enemy.
const Ast* of_the_enemy(const Ast& n) {
  return n.form == Form::perspective && is_name(bare(n.kids[0]), "enemy") ? &n.kids[1] : nullptr;
}

// Does one condition say of the enemy what the other says of the player himself?
bool says_of_enemy(const Ast& left, const Ast& right) {
  const Ast &a = bare(left), &b = bare(right);
  if (const Ast* of_enemy = of_the_enemy(b)) return same_rule(a, *of_enemy);
  if (const Ast* of_enemy = of_the_enemy(a)) return same_rule(*of_enemy, b);
  if (swaps_owner(a, b)) return true;
  return a.form == b.form && a.flags == b.flags && a.number == b.number && a.word == b.word &&
         a.kids.size() == b.kids.size() &&
         std::equal(a.kids.begin(), a.kids.end(), b.kids.begin(), [](const Ast& one, const Ast& other) {
           return same_rule(one, other) || says_of_enemy(one, other);
         });
}

bool decides(const EndRule& line) {
  return (line.verdict == EndVerdict::win || line.verdict == EndVerdict::lose) && line.player.empty();
}

void for_both(const std::vector<EndRule>& lines, dsl::FileId file, dsl::Diagnostics& out) {
  for (std::size_t i = 0; i < lines.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      const EndRule &one = lines[k], &other = lines[i];
      if (other.span.file != file || !decides(one) || one.verdict != other.verdict || !decides(other))
        continue;
      if (same_rule(one.condition, other.condition) || !says_of_enemy(one.condition, other.condition))
        continue;
      const bool wins = one.verdict == EndVerdict::win;
      auto& warning = out.warning("end-for-both", other.span,
                                  wins ? "this player wins by it, whoever of the two it is true of"
                                       : "this player loses by it, whoever of the two it is true of");
      warning.help = wins ? "what makes a player win makes him lose when his enemy has it: `lose when …`"
                          : "what makes a player lose makes him win when his enemy has it: `win when …`";
      warning.related.push_back({one.span, "this line says the same of the other one"});
      return;
    }
}

// A `win` or `lose` anywhere in the rules: then lines of `end` don't tell who can win.
bool decides_in_turn(const dsl::RuleFile& file) {
  bool found = false;
  const auto look = [&](const Ast& rule) {
    each_node(rule, [&](const Ast& n) { found = found || n.form == Form::win || n.form == Form::lose; });
  };
  for (const dsl::Definition& d : file.define) each_body(d, look);
  for (const dsl::TurnSection* turn = file.turn ? &*file.turn : nullptr; turn != nullptr;
       turn = turn->replaced.get()) {
    look(turn->body);
    for (const auto& [who, body] : turn->cases) look(body);
    if (turn->others) look(*turn->others);
  }
  return found;
}

// `draw when repeats >= 2`, `draw when ply = 200`: what ends a game that leads nowhere, and is nobody's aim.
bool only_ends(const EndRule& line, const dsl::RuleFile& file) {
  if (line.verdict != EndVerdict::draw) return false;
  bool only = true, any = false;
  each_node(line.condition, [&](const Ast& n) {
    if (n.form != Form::name && n.form != Form::call) return;
    const bool clock = std::any_of(file.state.begin(), file.state.end(), [&](const auto& variable) {
      return variable.clock && variable.name.text == n.word;
    });
    const bool ends = clock || n.word == "repeats" || n.word == "board_repeats" || n.word == "repeated" ||
                      n.word == "ply" || n.word == "turns";
    only = only && ends;
    any = any || ends;
  });
  return only && any;
}

// Two players, and whatever line decides, the same one wins. Where a line is a draw, or only one decides, the
// other one may well play for that.
void same_winner(const Linted& in, dsl::Diagnostics& out) {
  const auto& players = in.program.players;
  if (players.size() != 2) return;
  const EndRule* last = nullptr;
  std::size_t winner = players.size();
  std::size_t deciding = 0;
  for (const EndRule& line : in.file.end) {
    if (only_ends(line, in.file)) continue;
    if (line.score || line.verdict == EndVerdict::draw || line.verdict == EndVerdict::share) return;
    const std::size_t named = players[0].name == line.player ? 0 : players[1].name == line.player ? 1 : 2;
    if (named > 1) return;
    const std::size_t wins = line.verdict == EndVerdict::win ? named : 1 - named;
    if (last != nullptr && wins != winner) return;
    winner = wins;
    last = &line;
    ++deciding;
  }
  if (last == nullptr || deciding < 2 || last->span.file != in.file.file || decides_in_turn(in.file)) return;
  const std::string &one = players[winner].name, &other = players[1 - winner].name;
  out.warning("one-winner", last->player_span,
              fmt::format("whatever line of `end` decides, {} wins, and nothing lets {} win", one, other))
      .help = fmt::format("say what lets {} win: a game without a move is a draw, if no line holds", other);
}

bool are_kinds(const Linted& in, const Ast& set) {
  const Ast& n = bare(set);
  if (is_sign(n, "|")) return are_kinds(in, n.kids[0]) && are_kinds(in, n.kids[1]);
  const auto& kinds = in.program.kinds;
  return n.form == Form::name &&
         std::any_of(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.name == n.word; });
}

// The enemy's pieces, or those of some kinds, wherever they are: `no enemy & home` is another matter.
bool are_enemys(const Linted& in, const Ast& set) {
  const Ast& n = bare(set);
  const bool owned = n.form == Form::owned && is_name(bare(n.kids[0]), "enemy") && are_kinds(in, n.kids[1]);
  return owned || is_name(n, "enemy");
}

bool asks_for_few_enemies(const Linted& in, const EndRule& line) {
  const Bounded b = bounded(line.condition);
  return b.counted && b.low <= 0 && b.high < INT64_MAX && are_enemys(in, *b.what);
}
bool asks_for_no_own(const EndRule& line) {
  const Bounded b = bounded(line.condition);
  return b.counted && b.low <= 0 && b.high == 0 && is_name(bare(*b.what), "own");
}

// Who can take whose pieces from the board.
struct Takers {
  bool known = true, own = false, enemys = false;
};
Takers takers(const Linted& in) {
  Takers result;
  for (int player = 0; player < in.program.player_count(); ++player) {
    const Effects effects = effects_of_turn(in, player);
    result.known = result.known && effects.known;
    result.own = result.own || (effects.taken & kHoldsOwn) != 0;
    result.enemys = result.enemys || (effects.taken & kHoldsEnemy) != 0;
  }
  return result;
}

// Where men leave the board by the moves of their owner alone, who has none left has brought them all home.
void leaving(const Linted& in, const EndRule& line, dsl::Diagnostics& out) {
  const bool loses = line.verdict == EndVerdict::lose && asks_for_no_own(line);
  const bool wins = line.verdict == EndVerdict::win && asks_for_few_enemies(in, line);
  if (!decides(line) || line.span.file != in.file.file || (!loses && !wins)) return;
  out.warning("loses-by-leaving", line.span,
              "a player loses by this when all his pieces have left, and only his own moves take them away")
      .help =
      loses ? "who has brought them all home has mostly won: `lose when no enemy`"
            : "lines of `end` are asked of the player who moves next: `lose when no enemy` lets him win "
              "who has brought them all home";
}

// `win when no own` says the same of the other one: there who has no pieces wins.
bool is_giveaway(const std::vector<EndRule>& lines) {
  return std::any_of(lines.begin(), lines.end(), [](const EndRule& line) {
    const Bounded b = bounded(line.condition);
    bool own = false;
    if (b.what != nullptr) each_node(*b.what, [&](const Ast& n) { own = own || is_name(n, "own"); });
    return line.verdict == EndVerdict::win && b.counted && b.low <= 0 && own;
  });
}

// The pieces of a player himself, or those of some kinds. `player`: the one whom the line names, if any;
// kinds that nobody else has are his.
bool are_own(const Linted& in, const Ast& set, const std::string& player) {
  const Ast& n = bare(set);
  if (is_name(n, "own")) return true;
  if (n.form == Form::owned) return is_name(bare(n.kids[0]), "own") && are_kinds(in, n.kids[1]);
  if (player.empty() || n.form != Form::name) return false;
  for (const auto& kind : in.program.kinds) {
    if (kind.name != n.word) continue;
    bool only_his = kind.letter.back() == 0;
    for (std::size_t i = 0; i < in.program.players.size(); ++i)
      only_his = only_his && (kind.letter[i] != 0) == (in.program.players[i].name == player);
    return only_his;
  }
  return false;
}

// no own king, count(own) < few
bool asks_for_few_own(const Linted& in, const Ast& condition, const std::string& player) {
  const Ast& n = bare(condition);
  if (n.form == Form::all_of)
    return std::any_of(n.kids.begin(), n.kids.end(),
                       [&](const Ast& kid) { return asks_for_few_own(in, kid, player); });
  // `win when no own` is a game of giving away, or of men who are brought home.
  if (const Bounded b = bounded(n); b.counted)
    return b.low <= 0 && b.high >= (is_name(bare(*b.what), "own") ? 1 : 0) && b.high < INT64_MAX &&
           are_own(in, *b.what, player);
  if (n.form != Form::compare || (n.word != "<" && n.word != "<=")) return false;
  const Ast& left = bare(n.kids[0]);
  const auto is_bound = [&](const dsl::OptionEntry& option) {
    return is_name(bare(n.kids[1]), option.name.text);
  };
  return left.form == Form::call && left.word == "count" && left.kids.size() == 1 &&
         std::any_of(in.file.options.begin(), in.file.options.end(), is_bound) &&
         are_own(in, left.kids[0], player);
}

// Who takes the last piece lets the other one win, and nobody has to take: such a capture is never made.
// Where captures are compulsory, which some `otherwise` or `most` says, it is the aim of the game.
void wins_by_losing(const Linted& in, const Takers& who, dsl::Diagnostics& out) {
  const auto forces = [](const runtime::Node& n) {
    return n.op == runtime::Op::otherwise || n.op == runtime::Op::most;
  };
  const auto& nodes = in.program.nodes;
  if (!who.known || who.own || !who.enemys || std::any_of(nodes.begin(), nodes.end(), forces)) return;
  for (const EndRule& line : in.file.end) {
    if (line.verdict != EndVerdict::win || line.span.file != in.file.file) continue;
    if (!asks_for_few_own(in, line.condition, line.player)) continue;
    out.warning("loses-by-taking", line.span,
                "a player wins by this when his own pieces are taken, and only his enemy takes them")
        .help = "who has lost his pieces mostly loses: `lose when …`";
  }
}

} // namespace

void lint_verdicts(const Linted& in, dsl::Diagnostics& out) {
  const auto& lines = in.file.end;
  if (in.file.players.size() != 2) return;
  same_winner(in, out);
  const std::size_t before = out.all().size();
  for_both(lines, in.file.file, out);
  if (out.all().size() > before) return;
  const Takers who = takers(in);
  if (before == 0 && who.known && who.own && !who.enemys) // else what is wrong there may take one's own
    for (const EndRule& line : lines) leaving(in, line, out);
  wins_by_losing(in, who, out);
  if (is_giveaway(lines) || (who.known && !who.enemys)) return;
  for (const EndRule& line : lines) {
    const bool loses = decides(line) && line.verdict == EndVerdict::lose && line.span.file == in.file.file;
    if (loses && asks_for_few_enemies(in, line))
      out.warning("loses-by-taking", line.span, "a player loses by this when his enemy has few pieces left")
          .help = "lines of `end` are asked of the player who moves next: who has lost his pieces is `own`";
  }
}

} // namespace boardwright::interpreter
