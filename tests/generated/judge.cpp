#include "tests/generated/judge.hpp"
#include "tests/tickets.hpp"

#include "runtime/game/compiled.hpp"
#include "runtime/game/perft.hpp"
#include "runtime/game/playout.hpp"
#include "runtime/game/random_player.hpp"
#include "runtime/ir/verify.hpp"
#include "runtime/model/check_state.hpp"
#include "runtime/model/operations.hpp"
#include "runtime/reference/walker.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <tuple>
#include <utility>
#include <vector>

namespace boardwright::tests {

using runtime::Fault;
using runtime::Game;
using runtime::Outcome;
using runtime::Position;
using runtime::Program;
using runtime::Random;
using runtime::RandomPlayer;
using runtime::Rules;
using runtime::WalkedMove;
using runtime::Walker;

const char* name_of(Differs kind) {
  static constexpr std::array kNames{"outcome", "moves",   "twice",    "find",  "undo",   "perft",  "seen",
                                     "chosen",  "streams", "no_fault", "fault", "throws", "values", "code"};
  return kNames[static_cast<std::size_t>(kind)];
}

namespace {

// Limits of the walker that other engines needn't have, or have elsewhere.
bool is_limit(const Fault& fault) {
  const std::string& text = fault.message;
  const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
  return has("nested too deeply") ||
         (has("more than") && (has("steps") || has("outcomes") || has("moves") || has("members") ||
                               has("rounds") || has("characters") || has("deep")));
}

bool is_final(const Outcome& outcome) {
  return outcome.by == Outcome::By::move || outcome.by == Outcome::By::last_left;
}

bool asks_history(const Program& program) {
  return std::any_of(program.nodes.begin(), program.nodes.end(), [](const runtime::Node& n) {
    const bool looks_back =
        runtime::asks_the_past(n.op) && runtime::about(n.op).cost == runtime::Cost::search;
    return looks_back && n.op != runtime::Op::no_move; // which only may
  });
}

std::string text_of(const Program& program, const Position& p) {
  std::string text;
  for (std::size_t c = 0; c < p.cells.size(); ++c) {
    if (p.cells[c].empty()) continue;
    text += (text.empty() ? "" : " ") + program.board.name[c] + "=";
    for (const auto piece : p.cells[c]) text += program.letter_of(piece);
  }
  text += " | to move " + std::to_string(p.to_move) + " out " + std::to_string(p.out) + " ply " +
          std::to_string(p.ply) + " | turns";
  for (const auto n : p.turns) text += " " + std::to_string(n);
  text += " | hands";
  for (const auto n : p.hands) text += " " + std::to_string(n);
  text += " | state";
  for (const auto& v : p.variables) {
    text += " " + std::to_string(v.number);
    v.cells.each([&](int c) { text += "," + program.board.name[static_cast<std::size_t>(c)]; });
  }
  return text;
}

std::string text_of(const std::optional<Outcome>& outcome) {
  return outcome ? "won by " + std::to_string(outcome->winners) : "goes on";
}

bool equal(const Position& a, const Position& b) {
  return a.same_as(b) && a.ply == b.ply && a.turns == b.turns;
}

// A move with what it leads to; `decision` is -1 where the move itself decides nothing.
struct Listed {
  std::string notation;
  Position after;
  std::int64_t decision = -1;

  [[nodiscard]] auto key() const {
    return std::tie(notation, decision, after.to_move, after.out, after.ply, after.turns, after.cells,
                    after.hands, after.variables);
  }
  friend bool operator<(const Listed& a, const Listed& b) { return a.key() < b.key(); }
  friend bool operator==(const Listed& a, const Listed& b) { return a.key() == b.key(); }
};

std::int64_t decision_of(const std::optional<Outcome>& outcome) {
  return outcome && is_final(*outcome) ? std::int64_t{outcome->winners} : -1;
}

// Positions with more moves than this aren't looked into two plies deep.
constexpr std::size_t kFewMoves = 10;

// A decision that doesn't matter.
constexpr std::int64_t kUnknown = -2;

// So many decisions are compared in each position.
constexpr int kDecisions = 20;

std::uint64_t steps_for(const Program& program, const JudgeOptions& options) {
  constexpr std::uint64_t kSmall = 32;
  return options.walk_steps * kSmall / std::max(kSmall, static_cast<std::uint64_t>(program.board.cells));
}

class Judge {
public:
  Judge(const std::shared_ptr<const Rules>& rules, std::uint64_t seed, const JudgeOptions& options)
      : rules_(rules), program_(rules->program()), walker_(program_, steps_for(program_, options)),
        quick_walker_(program_, steps_for(program_, options) / 20), options_(options), listing_(rules),
        native_(rules), interpreted_(rules, false), random_(seed), stream_(seed + 1) {
    has_history_ = asks_history(program_);
  }

  Judgement run() {
    for (int ply = 0; ply < options_.plies && on_; ++ply) position();
    if (!result_.difference) take_back_all();
    if (!result_.difference && !result_.too_long && plies_ > 0) two_plies();
    return std::move(result_);
  }

private:
  void differ(Differs kind, std::string detail) {
    on_ = false;
    if (!result_.difference)
      result_.difference =
          Difference{kind, "after " + std::to_string(past_.size()) + " plies, at " +
                               text_of(program_, listing_.position()) + "\n  " + std::move(detail)};
  }

  // The walker met a fault: what the engine answers must be one too.
  template <class T>
  void both_fault(const Fault& fault, const tl::expected<T, Fault>& answer, const char* what) {
    on_ = false;
    if (is_limit(fault)) {
      result_.too_long = true;
      return;
    }
    ++result_.faults;
    // `can` ends with the first outcome: a fault among the others, which the walker looks for, isn't met.
    const bool stops_early = std::any_of(program_.nodes.begin(), program_.nodes.end(),
                                         [](const runtime::Node& n) { return n.op == runtime::Op::can; });
    if (answer && !stops_early)
      differ(Differs::no_fault, std::string("walker: ") + fault.message + ", not met in " + what);
  }

  void engine_fault(const Fault& fault, const char* what) {
    differ(Differs::fault, std::string(what) + ": " + fault.message);
  }

  // ---- one position
  void position() {
    // The walker puts players out in it, which a game does as soon as it is made.
    Position seen = past_.empty() ? program_.initial : listing_.position();
    std::optional<Outcome> walked = decided_;
    if (!decided_) {
      const auto by_lines = walker_.outcome(seen, past_, false);
      if (!by_lines) {
        if (is_limit(by_lines.error())) return both_fault(by_lines.error(), by_lines, "");
        // Whether there is a move is known with the first one, and which that is nothing says.
        const auto outcome = listing_.outcome();
        if (outcome && !*outcome) return both_fault(by_lines.error(), listing_.moves(), "the list of moves");
        return both_fault(by_lines.error(), outcome, "the outcome");
      }
      walked = *by_lines;
    }
    if (walked) return over(walked, seen);
    auto derived = walker_.derive(seen, past_);
    if (!derived) {
      if (is_limit(derived.error())) return both_fault(derived.error(), derived, "");
      return both_fault(derived.error(), listing_.moves(), "the list of moves");
    }
    if (derived->empty()) return over(Outcome{}, seen);
    if (!same_outcome(std::nullopt, seen)) return;
    ++result_.positions;
    std::vector<Listed> expected;
    if (!after_lines(seen, *derived, expected)) return;
    if (each_once(expected, "the walker") && compare_moves(expected) && compare_find() &&
        compare_perft(expected.size()) && compare_samples(seen, expected))
      play_on(seen, *derived, expected);
  }

  // No move, or a line that applies, or a decision.
  void over(const std::optional<Outcome>& walked, const Position& seen) {
    if (!same_outcome(walked, seen)) return;
    on_ = false;
    ++result_.positions;
    ++result_.without_move;
    const auto moves = listing_.moves();
    if (!moves && is_limit(moves.error())) { // the walker hasn't looked for all of them
      result_.too_long = true;
      return;
    }
    if (!moves) return engine_fault(moves.error(), "moves of a finished game");
    if (!moves->empty()) return differ(Differs::moves, "the game is over and has moves");
    if (!compare_perft(0)) return;
    for (RandomPlayer* player : {&native_, &interpreted_}) {
      if (!past_.empty() && (has_history_ || decided_)) break; // seen by play_on
      if (!past_.empty()) *player = RandomPlayer(rules_, seen, player == &native_);
      const auto played = player->play(random_, 1);
      if (!played) return engine_fault(played.error(), "a random game that is over");
      if (played->moves != 0 || played->plies != 0)
        return differ(Differs::seen, "a random game plays on where the game is over");
      if (text_of(played->outcome) != text_of(walked))
        return differ(Differs::outcome,
                      "random game: " + text_of(played->outcome) + ", walker: " + text_of(walked));
    }
  }

  bool same_outcome(const std::optional<Outcome>& walked, const Position& seen) {
    const auto outcome = listing_.outcome();
    if (!outcome) {
      // A line of `end` may ask for moves where the walker needn't: then it meets what is wrong with them.
      on_ = false;
      const auto derived = walker_.derive(seen, past_);
      if (!derived && derived.error().message == outcome.error().message)
        ++result_.faults;
      else
        engine_fault(outcome.error(), "outcome");
      return false;
    }
    if (text_of(*outcome) != text_of(walked)) {
      differ(Differs::outcome, "engine: " + text_of(*outcome) + ", walker: " + text_of(walked));
      return false;
    }
    if (!equal(listing_.position(), seen)) {
      differ(Differs::outcome, "walker: " + text_of(program_, seen));
      return false;
    }
    return true;
  }

  // The moves as they are once the lines of `end` have put players out, in order. False: the walker's limit
  // or a fault was met, which the engine may meet where it plays the move.
  bool after_lines(const Position& seen, std::vector<WalkedMove>& walked, std::vector<Listed>& expected) {
    past_.push_back(seen);
    bool fine = true;
    for (auto& move : walked) {
      if (fine && program_.player_count() > 2 && !move.outcome) {
        const auto outcome = walker_.outcome(move.after, past_, false);
        fine = outcome.has_value();
        if (fine && *outcome && is_final(**outcome)) move.outcome = *outcome;
      }
      expected.push_back({move.notation, move.after, decision_of(move.outcome)});
    }
    past_.pop_back();
    if (!fine) on_ = false, result_.too_long = true;
    return fine;
  }

  // The decision of the move just played, where asking for it is quick.
  bool decides_as_expected(const std::vector<Listed>& expected, const Listed& move) {
    const auto same = std::find_if(expected.begin(), expected.end(), [&](const Listed& m) {
      return m.notation == move.notation && equal(m.after, move.after);
    });
    if (same == expected.end()) return true; // told by the comparison of the moves
    Position after = move.after;
    if (++decisions_ > kDecisions || (same->decision < 0 && !quick_walker_.derive(after, past_))) return true;
    const auto outcome = listing_.outcome();
    if (!outcome) return true; // a fault in the next position is for the next position to tell
    const std::int64_t decision = decision_of(*outcome);
    const bool known = std::any_of(expected.begin(), expected.end(), [&](const Listed& m) {
      return m.notation == move.notation && m.decision == decision && equal(m.after, move.after);
    });
    if (!known)
      differ(Differs::outcome, move.notation + " decides " + std::to_string(decision) +
                                   ", walker: " + std::to_string(same->decision));
    return known;
  }

  // A move is its notation and what it leads to, so that no list has both twice.
  bool each_once(std::vector<Listed> moves, const char* whose) {
    std::sort(moves.begin(), moves.end());
    const auto same = std::adjacent_find(moves.begin(), moves.end());
    if (same == moves.end()) return true;
    differ(Differs::twice, std::string("listed twice by ") + whose + ": " + same->notation + ": " +
                               text_of(program_, same->after));
    return false;
  }

  bool compare_moves(std::vector<Listed> expected) {
    const auto notations = listing_.notations();
    const auto listed = listing_.moves();
    if (!notations || !listed) {
      engine_fault(listed ? notations.error() : listed.error(), "moves");
      return false;
    }
    const std::vector<runtime::Move> moves(listed->begin(), listed->end());
    const Position before = listing_.position();
    std::vector<Listed> got;
    decisions_ = 0;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      if (const auto done = listing_.play(moves[i]); !done) {
        engine_fault(done.error(), "a move that is played");
        return false;
      }
      got.push_back({(*notations)[i], listing_.position(), kUnknown});
      if (!decides_as_expected(expected, got.back())) return false;
      if (!listing_.undo() || !equal(listing_.position(), before)) {
        differ(Differs::undo,
               "after " + (*notations)[i] + " and taking it back: " + text_of(program_, before));
        return false;
      }
    }
    // Decisions have been compared, where asking for them is quick.
    for (Listed& move : expected) move.decision = kUnknown;
    std::sort(expected.begin(), expected.end());
    std::sort(got.begin(), got.end());
    const auto [w, e] = std::mismatch(expected.begin(), expected.end(), got.begin(), got.end());
    if (w == expected.end() && e == got.end()) return true;
    const auto text = [&](const Listed& m) {
      return m.notation + ": " + text_of(program_, m.after) + " decided " + std::to_string(m.decision);
    };
    differ(Differs::moves, std::to_string(expected.size()) + " moves by the walker, " +
                               std::to_string(got.size()) + " by the engine" +
                               (w != expected.end() ? "\n  walker: " + text(*w) : "") +
                               (e != got.end() ? "\n  engine: " + text(*e) : ""));
    return false;
  }

  // Some of the moves, found by their notations and written alone.
  bool compare_find() {
    const auto notations = listing_.notations();
    for (int i = 0; i < 3; ++i) {
      const auto& text = (*notations)[random_.below(notations->size())];
      const auto found = listing_.find(text);
      const auto written =
          found && *found ? listing_.notation(**found) : tl::expected<std::string, Fault>("nothing");
      if (found && *found && written && *written == text) continue;
      differ(Differs::find,
             text + " was looked for, and found: " + (written ? *written : written.error().message));
      return false;
    }
    const auto none = listing_.find("no move is written so");
    if (none && !*none) return true;
    differ(Differs::find, "a move was found that isn't one");
    return false;
  }

  bool compare_perft(std::size_t wanted) {
    const auto count = runtime::perft(listing_, {});
    if (!count) {
      engine_fault(count.error(), "perft");
      return false;
    }
    if (count->leaves == wanted) return true;
    differ(Differs::perft, "perft: " + std::to_string(count->leaves) + ", walker: " + std::to_string(wanted));
    return false;
  }

  // The same, whatever the last roll weighed: random games have another number there.
  [[nodiscard]] bool alike(const Position& a, const Position& b) const {
    return equal(without_odds(program_, a), without_odds(program_, b));
  }
  [[nodiscard]] bool leads_to(const std::vector<Listed>& expected, const Position& after) const {
    return std::any_of(expected.begin(), expected.end(),
                       [&](const Listed& m) { return alike(m.after, after); });
  }

  // A random game looks how the game stands after its last move: does a rule go wrong there?
  bool next_may_fault(const std::vector<Listed>& expected) const {
    return std::any_of(expected.begin(), expected.end(), [&](const Listed& m) {
      Position after = m.after;
      return m.decision < 0 && (!walker_.derive(after, past_) || !walker_.outcome(after, past_));
    });
  }

  // What one random move saw and where it led to.
  bool compare_played(const tl::expected<runtime::Playout, Fault>& played, const RandomPlayer& player,
                      const std::vector<Listed>& expected, std::uint64_t seen_before = 0) {
    if (!played) {
      if (next_may_fault(expected))
        on_ = false, ++result_.faults;
      else
        engine_fault(played.error(), "a random game");
      return false;
    }
    const bool all_seen = draws_tickets(program_) || played->moves - seen_before == expected.size();
    if (!all_seen || played->plies != past_.size() - begun_ + 1) {
      differ(Differs::seen, "a random game saw " + std::to_string(played->moves - seen_before) +
                                " moves and played " + std::to_string(played->plies) +
                                ", walker: " + std::to_string(expected.size()));
      return false;
    }
    if (leads_to(expected, player.position())) return true;
    differ(Differs::chosen, "a random move led to " + text_of(program_, player.position()));
    return false;
  }

  // More random moves from here, by games that have no past.
  bool compare_samples(const Position& seen, const std::vector<Listed>& expected) {
    if (has_history_) return true;
    RandomPlayer native(rules_, seen), plain(rules_, seen, false);
    begun_ = past_.size();
    bool good = true;
    for (int i = 0; i < 4 && good; ++i) {
      RandomPlayer& player = i % 2 == 0 ? native : plain;
      good = compare_played(player.play(random_, 1), player, expected);
    }
    begun_ = 0;
    return good;
  }

  // The game goes on with what a random game chose; the listing game follows it. One stream of numbers gives
  // the same game again, and one ply more, so that it has the past that the rules ask about.
  void play_on(const Position& seen, const std::vector<WalkedMove>& walked,
               const std::vector<Listed>& expected) {
    Random stream = stream_, again = stream_;
    const auto plies = static_cast<std::uint32_t>(past_.size() + 1);
    const auto played = native_.play(stream, plies);
    if (!compare_played(played, native_, expected, moves_seen_)) return;
    if (!compare_played(interpreted_.play(again, plies), interpreted_, expected, moves_seen_)) return;
    moves_seen_ = played->moves;
    const Position after = native_.position();
    const std::int64_t decision = decision_of(played->outcome);
    const auto same = std::find_if(expected.begin(), expected.end(), [&](const Listed& m) {
      return alike(m.after, after) && m.decision == decision;
    });
    if (same == expected.end())
      return differ(Differs::chosen, "a random move led to " + text_of(program_, after) + ", decided " +
                                         std::to_string(decision));
    const auto notations = listing_.notations();
    const auto moves = listing_.moves();
    for (std::size_t i = 0; i < notations->size(); ++i) {
      if ((*notations)[i] != same->notation) continue;
      (void)listing_.play((*moves)[i]);
      const auto stands = listing_.outcome(); // moves may differ in what they decide alone
      if (alike(listing_.position(), after) && (stands ? decision_of(*stands) : -1) == decision) break;
      (void)listing_.undo();
    }
    if (const auto wrong = runtime::check_state(program_, after); !wrong.empty())
      return differ(Differs::values, wrong);
    past_.push_back(seen);
    decided_ = walked[static_cast<std::size_t>(same - expected.begin())].outcome;
    ++plies_;
    // Where the moves drawn differ the two games part, and one of them is followed no longer.
    if (!equal(interpreted_.position(), after))
      differ(Differs::streams, "native code and the interpreter played differently");
  }

  // ---- the whole game
  void take_back_all() {
    for (; !past_.empty(); past_.pop_back())
      if (!listing_.undo() || !equal(listing_.position(), past_.back()))
        return differ(Differs::undo, "taken back: " + text_of(program_, past_.back()));
    if (listing_.undo()) differ(Differs::undo, "a move was taken back that nobody played");
  }

  // Two plies in one go, as random games are played: what is kept from ply to ply must not matter.
  void two_plies() {
    const Position begin = listing_.position();
    const auto first = walker_.derive(begin, {});
    if (!first || first->size() > kFewMoves) return;
    std::vector<Two> reachable;
    for (const WalkedMove& move : *first)
      if (!second_plies(begin, move, first->size(), reachable)) return;
    for (const bool native : {true, false}) {
      RandomPlayer player(rules_, native);
      for (int i = 0; i < 2; ++i) {
        const auto played = player.play(random_, 2);
        if (!played) return; // a fault after the second move; those before it have been compared
        const Position after = player.position();
        const bool known = std::any_of(reachable.begin(), reachable.end(), [&](const Two& two) {
          const bool all_seen = draws_tickets(program_) || two.moves == played->moves;
          return all_seen && alike(two.after, after);
        });
        if (!known)
          return differ(Differs::chosen, "two random moves, " + std::to_string(played->moves) +
                                             " moves seen, led to " + text_of(program_, after));
      }
    }
  }

  struct Two {
    std::uint64_t moves; // seen on the way
    Position after;
  };

  // What can follow a first move. False: the walker can't tell.
  bool second_plies(const Position& begin, const WalkedMove& move, std::size_t seen, std::vector<Two>& into) {
    Position between = move.after;
    const std::array<Position, 1> past{begin};
    auto outcome = move.outcome;
    if (!outcome) {
      const auto by_lines = walker_.outcome(between, past);
      if (!by_lines) return false;
      outcome = *by_lines;
    }
    if (outcome) {
      into.push_back({seen, between});
      return true;
    }
    const auto second = walker_.derive(between, past);
    if (!second) return false;
    for (WalkedMove on : *second) {
      const std::array<Position, 2> both{begin, between};
      if (program_.player_count() > 2 && !on.outcome && !walker_.outcome(on.after, both, false)) return false;
      into.push_back({seen + second->size(), on.after});
    }
    return true;
  }

  std::shared_ptr<const Rules> rules_;
  const Program& program_;
  Walker walker_, quick_walker_;
  JudgeOptions options_;
  Game listing_;
  RandomPlayer native_, interpreted_;
  Random random_;
  const Random stream_;
  std::uint64_t moves_seen_ = 0; // by the random game up to here
  std::size_t begun_ = 0;        // after so many plies the random game has begun
  bool has_history_ = false, on_ = true;
  int plies_ = 0, decisions_ = 0;
  std::vector<Position> past_;
  std::optional<Outcome> decided_; // by the last move itself
  Judgement result_;
};

} // namespace

Judgement judge(const std::shared_ptr<const Program>& program, std::uint64_t seed,
                const JudgeOptions& options) {
  try {
    const auto rules = Rules::make(program);
    if (rules->problem().empty()) {
      const auto& compiled = rules->compiled();
      if (const auto flaws = runtime::ir::verify(compiled.code, &compiled.lowered); !flaws.empty()) {
        Judgement judged;
        judged.difference = Difference{Differs::code, flaws.front()};
        return judged;
      }
      return Judge(rules, seed, options).run();
    }
    Judgement refused;
    refused.too_large = true;
    return refused;
  } catch (const std::exception& exception) {
    Judgement judged;
    judged.difference = Difference{Differs::throws, exception.what()};
    return judged;
  }
}

} // namespace boardwright::tests
