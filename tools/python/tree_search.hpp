// Tree search in many games at once, whose leaves are valued by somebody else: a network, in Python.
//
// Each game has a tree of its own. `collect` goes down all of them by PUCT (D. Silver and others, Nature 550,
// 2017) and gathers positions that aren't valued yet, several of a game: a way that was taken and isn't
// valued yet counts as lost meanwhile, so that the next one is another (virtual loss). `give` takes a value
// and a logit for each legal action of each of them, and carries the values up.
//
// Where nature moves nothing is chosen: an outcome is drawn by its weight, and nothing is valued.
#pragma once

#include "runtime/game/game.hpp"
#include "runtime/model/random.hpp"
#include "tools/python/batch.hpp"
#include "tools/python/rounds.hpp"
#include "tools/python/state.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace boardwright::python {

// Moves and positions of a tree have numbers of 31 bits.
inline constexpr std::size_t kMostEdges = 0x7fffffff;

struct TreeOptions {
  std::size_t games = 1;
  int threads = 1;
  std::uint64_t seed = 1;    // of what is drawn: game i has a stream of its own
  std::size_t leaves = 8;    // of a game, in one array
  double exploration = 1.25; // what priors count, beside what was found
  double first_play = 0.25;  // so much worse than its position a move is taken to be before it was tried
  double virtual_loss = 1;   // how many losses a way counts as that isn't valued yet
  // So many moves of the root are tried, and half of them dropped again and again (sequential halving), in
  // the order of priors with Gumbel's noise, so many times as strong (I. Danihelka and others, ICLR
  // 2022). 0: PUCT there, too.
  std::uint32_t considered = 0;
  double gumbel = 1;
  int max_plies = 2000;   // a game, or a line, that isn't over by then is cut off, and counts as nothing
  bool auto_reset = true; // a game that has ended begins anew at once
  std::size_t most_edges = std::size_t{1} << 24; // of a tree: forty bytes each. A fault where it has more
  Attend attend;                                 // none: nobody listens
};

// What a search knows of a move of the position that it begins with.
struct RootMove {
  std::int64_t action = 0;
  std::uint32_t visits = 0;
  float value = 0; // for who is to move, from -1 to 1; 0 where it wasn't visited
  float prior = 0;
  float improved = 0; // the prior after what was found: see improve_root
};

class TreeSearch {
public:
  using Answer = Rounds::Answer;
  TreeSearch(Shared shared, const TreeOptions& options);

  [[nodiscard]] const TreeOptions& options() const { return options_; }
  [[nodiscard]] const Planes& planes() const { return *shared_.planes; }
  [[nodiscard]] const ActionNumbers& numbers() const { return *shared_.numbers; }
  [[nodiscard]] int players() const { return players_; }

  // Gathers leaves of all games whose root has fewer visits than that. Those that were gathered before, and
  // never valued, are forgotten.
  Answer collect(std::uint32_t visits);
  void forget_leaves();
  // How many were gathered. In the order of the games:
  [[nodiscard]] std::size_t leaves() const;
  void write_planes(float* to) const; // planes().size() for each leaf
  void write_owners(std::int32_t* games,
                    std::int32_t* movers) const; // who they belong to, who is to move there
  // The legal actions of each leaf, one behind the other, and where those of each begin; leaves() + 1 of
  // these.
  void list_actions(Numbers& actions, std::vector<std::int64_t>& begins) const;
  // What the leaves are worth, for each player, from who is to move on, in turn order: players() for each
  // leaf; and logits, one for each of list_actions(). Null: all alike.
  void give(const float* values, const float* logits);

  // Of the roots.
  Answer roots(std::vector<std::vector<RootMove>>& moves);
  Answer observe(float* to);
  Answer to_move(std::int32_t* players); // -1: the game is over
  // The mean of what was found, for who is to move; 0 where nothing was.
  [[nodiscard]] float value(std::size_t game) const;
  // From now until the root is another one, its priors are mixed with numbers drawn by Dirichlet's
  // distribution.
  Answer add_noise(double alpha, double share);
  // An action of each game, by visits to the power of 1 / temperature (0: the most visited), where nature
  // moves by its weight; where nothing was visited evenly; -1 where the game is over.
  Answer choose(double temperature, std::int64_t* actions);
  // Plays an action of each game (below 0: none): see Batch::step. What was found below it is kept.
  Answer play(const std::int64_t* actions, float* rewards, End* ends);
  void reset();
  // False, and nothing happens, where the state is of other rules, or has other numbers of actions.
  bool begin_with(std::size_t game, State state);
  [[nodiscard]] tl::expected<State, runtime::Fault> state(std::size_t game) const;

private:
  enum class Kind : std::uint8_t {
    unseen,  // nothing is known but that it is there
    fresh,   // its moves are listed
    waiting, // it has been given out, to be valued
    open,    // it has been valued
    chance,  // nature moves: priors are probabilities
    over,
  };
  struct Node {
    std::uint32_t first = 0, count = 0; // its edges
    std::uint32_t visits = 0;
    std::int32_t mover = 0;
    std::uint32_t returns = 0; // of one that is over: where they are
    Kind kind = Kind::unseen;
    double sum = 0; // of what was found, for who is to move
  };
  struct Edge {
    std::int64_t action = 0;
    std::uint32_t move = 0;
    std::int32_t child = -1;
    std::uint32_t visits = 0;
    std::uint32_t virtual_visits = 0; // ways that aren't valued yet
    float prior = 0;
    double sum = 0; // for who plays it
  };
  struct Step {
    std::uint32_t node = 0, edge = 0;
  };
  using Path = std::vector<Step>;
  struct Leaf {
    std::uint32_t node = 0;
    Path path;
  };
  struct Slot {
    runtime::Game game; // at the root between calls
    runtime::Random random;
    std::shared_ptr<const State> start;
    std::vector<std::uint32_t> played{}; // since the start: places of moves
    Seen seen{};                         // of the root
    std::vector<Node> nodes{};           // the first one is the root
    std::vector<Edge> edges{};
    std::vector<float> returns{};
    std::vector<Leaf> leaves{};
    std::vector<float> planes{};       // of the leaves
    double alpha = 0, noise_share = 0; // of noise that the root is to have
    std::size_t went = 0;              // moves that were played beyond the root
    Path line{};                       // by which
    std::vector<double> noise{};       // of moves of the root, where few are considered
    std::vector<std::uint32_t>
        schedule{};                // by simulation: how often the move has been tried that is to be tried
    std::uint32_t simulations = 0; // that it is for
    bool looked = false;           // `seen` is of the root
  };
  enum class Found : std::uint8_t { leaf, result, nothing };

  [[nodiscard]] runtime::Game& patient(Slot& slot) const;
  Answer collect_in(Slot& slot, std::uint32_t visits) const;
  tl::expected<Found, runtime::Fault> descend(Slot& slot) const;
  Answer go_to(Slot& slot, const Path& path) const;
  void go_back(Slot& slot, std::size_t depth) const;
  Answer open_node(Slot& slot, std::uint32_t at) const;
  Answer expand(Slot& slot, Node& node) const;
  Answer judge(Slot& slot, Node& node) const;
  void look_at_root(Slot& slot) const;
  [[nodiscard]] std::uint32_t select_edge(const Slot& slot, const Node& node) const;
  void begin_considering(Slot& slot, std::uint32_t visits) const;
  [[nodiscard]] std::vector<double> root_scores(const Slot& slot) const;
  [[nodiscard]] std::uint32_t considered_edge(const Slot& slot) const;
  void improve_root(const Slot& slot, std::vector<RootMove>& moves) const;
  static std::uint32_t drawn_edge(Slot& slot, const Node& node);
  static void back_up(Slot& slot, const Path& path, const float* values);
  void value_leaf(Slot& slot, const Leaf& leaf, const float* values, const float* logits) const;
  static void mix_noise(Slot& slot);
  static void forget_leaves_of(Slot& slot);
  void begin_anew(Slot& slot) const;
  void keep_below(Slot& slot, std::int32_t child) const;
  Answer open_root(Slot& slot) const;
  Answer choose_in(Slot& slot, double temperature, std::int64_t& action) const;
  Answer play_in(Slot& slot, std::int64_t action, float* rewards, End& end) const;

  Shared shared_;
  TreeOptions options_;
  int players_ = 0;
  Rounds rounds_;
  std::vector<Slot> slots_;
};

} // namespace boardwright::python
