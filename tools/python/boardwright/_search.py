"""Tree search whose leaves somebody else values, and the program's own players."""

import os as _os

import numpy as _numpy

from . import State, _actions_of, _core, _player

__all__ = ["Player", "TreeSearch"]


class TreeSearch:
    """Tree search in many games at once, by PUCT; a network values what it comes to.

    >>> search = rules.tree_search(64, threads=2, seed=1)
    >>> search.run(network, 200)              # network(planes) gives (values, logits)
    >>> search.play(search.choose(temperature=1))

    or, step by step, so that one array has the leaves of all games:

    >>> while len(planes := search.leaves(200)):
    ...     search.give(*network(planes))

    games: how many; threads, which change nothing; seed: of what is drawn, game i has a stream of its own; leaves: of a
    game, in one array: meanwhile a way that leads to one counts as lost (virtual_loss times), so that the next is another;
    exploration: what logits count beside what was found; first_play: so much worse than its position a move is taken to
    be before it was tried; considered: so many moves of a root are tried, and half of them dropped again and again, by
    logits with Gumbel's noise (I. Danihelka and others, ICLR 2022), `gumbel` times as strong: policy() is what such a
    search comes to, choose() its choice, add_noise isn't needed, and nothing is kept by play(); 0: none of this; max_plies: a game, or a line, that isn't over by then is cut off, and counts as nothing;
    auto_reset: a game that has ended begins anew at once; most_edges: moves in the tree of a game, of forty bytes each:
    Fault where it has more.

    Where nature moves an outcome is drawn by its weight, and nothing is valued. Games that hide something are refused:
    ValueError, for a tree of positions would look at what is hidden. Threads that use one search take turns.
    """

    def __init__(
        self,
        rules,
        games=1,
        *,
        threads=1,
        seed=1,
        leaves=8,
        exploration=1.25,
        first_play=0.25,
        virtual_loss=1.0,
        considered=0,
        gumbel=1.0,
        max_plies=2000,
        auto_reset=True,
        most_edges=2**24,
    ):
        self.rules = rules
        self.games = games
        self._improves = considered > 0
        self._positions = [None] * games  # what the games began with
        self._search = _core._new_search(
            rules,
            games,
            threads,
            seed,
            leaves,
            exploration,
            first_play,
            virtual_loss,
            considered,
            gumbel,
            max_plies,
            auto_reset,
            most_edges,
        )
        self.leaf_games = self.leaf_players = _numpy.zeros(0, dtype=_numpy.int32)

    def __len__(self):
        return self.games

    def leaves(self, simulations):
        """Positions to be valued, of all games whose root has fewer visits than that: float32 of (leaves, planes, ranks,
        files), none where all have enough. leaf_games tells which game each is of, leaf_players who is to move there.

        Leaves that were asked for before, and never valued, are forgotten.
        """
        planes, self.leaf_games, self.leaf_players = self._search.collect(simulations)
        return planes

    def leaf_actions(self):
        """The legal actions of the leaves, one behind the other, and where those of each begin: (actions, begins), with
        one begin more than there are leaves."""
        return self._search.leaf_actions()

    def leaf_mask(self):
        """Which actions are legal: bool of (leaves, num_distinct_actions)."""
        actions, begins = self.leaf_actions()
        mask = _numpy.zeros((len(begins) - 1, self._search.num_actions()), dtype=bool)
        mask[_numpy.repeat(_numpy.arange(len(begins) - 1), _numpy.diff(begins)), actions] = True
        return mask

    def give(self, values, logits=None):
        """What the leaves are worth, from -1 to 1.

        values: of (leaves,) for who is to move, where there are one or two players; or of (leaves, players), from who is
        to move on, in turn order. logits: logits, of (leaves, num_distinct_actions), or one for each
        action that leaf_actions() lists; what isn't legal is left out, and what is left sums up to 1. None: all alike.
        """
        self._search.give(values, logits)

    def run(self, evaluate, simulations):
        """Searches until each root has so many visits; evaluate(planes) gives what give() takes."""
        while len(planes := self.leaves(simulations)):
            answer = evaluate(planes)
            self.give(*answer) if isinstance(answer, tuple) else self.give(answer)

    def visits(self):
        """How often each action of the roots was visited: uint32 of (games, num_distinct_actions)."""
        return self._search.visits()

    def policy(self):
        """What a network learns to say: float32 of (games, num_distinct_actions). The visits as shares; with `considered`
        logits, improved by what was found. 0 where nothing was visited."""
        if self._improves:
            return self._search.improved()
        visits = self.visits().astype(_numpy.float32)
        return visits / _numpy.maximum(visits.sum(axis=1, keepdims=True), 1)

    def values(self):
        """What was found of each root, for who is to move: float32 of (games,)."""
        return self._search.values()

    def roots(self):
        """For each game (actions, visits, values, priors), arrays that go together; for games without dense
        actions, too."""
        return self._search.roots()

    def observe(self):
        """Rules.planes of the roots as the player to move sees them: float32 of (games, planes, ranks, files)."""
        return self._search.observe()

    def current_players(self):
        """Who is to move: int32 of (games,); -1 where the game is over."""
        return self._search.current_players()

    def add_noise(self, alpha, share=0.25):
        """Until it is played on, each root's priors are mixed with as many numbers by Dirichlet's distribution."""
        self._search.add_noise(alpha, share)

    def choose(self, temperature=0.0):
        """An action of each game: int64 of (games,), -1 where it is over. By visits to the power of 1 / temperature, at 0
        the most visited one; where nature moves by its weight."""
        return self._search.choose(temperature)

    def play(self, actions):
        """Plays an action of each game (below 0: none) and gives (rewards, terminated, truncated), as Batch.step does.
        What was found below it is kept."""
        rewards, ends = self._search.play(_actions_of(actions))
        return rewards, ends == 1, ends == 2

    def reset(self):
        """All games begin anew, each where it began."""
        self._search.reset()

    def set_state(self, game, state):
        """A game goes on from a state, which stays as it is; there it begins anew, too."""
        if state.rules is not self.rules:
            raise ValueError("a state of other rules")
        number = _player(game, self.games)
        self._search.begin_with(number, state._state)
        self._positions[number] = state._position

    def state(self, game):
        """A State that is as a game is."""
        number = _player(game, self.games)
        return State(self.rules, self._search.state(number, self.rules), self._positions[number])

    def __reduce__(self):
        raise TypeError("a tree search can't be copied or pickled; its states can")


class Player:
    """One of the program's players: "level:1" to "level:10", "auto", "alphabeta", "mcts", "random" and others.

    >>> player = rules.player("level:7", seed=3)
    >>> state.apply_action(player.choose(state, seconds=0.1))

    weights: a file that `boardwright train` has written; None: what comes with the program, if anything. It thinks for a
    second where neither seconds nor nodes are told. In games that hide something it knows what its player may know.
    """

    def __init__(self, rules, description="auto", *, seed=1, threads=1, weights=None):
        self.rules = rules
        self.description = description
        path = None if weights is None else _os.fsdecode(weights)
        self._player = _core._new_player(rules, description, seed, threads, path)

    def choose(self, state, *, seconds=None, nodes=None):
        """The action that it would play. ValueError where the game is over."""
        lines = self.analyse(state, seconds=seconds, nodes=nodes)
        if not lines:
            raise ValueError("the game is over: there is nothing to choose")
        return lines[0]["action"]

    def analyse(self, state, *, lines=1, seconds=None, nodes=None):
        """What the best moves are worth, the best first; none where the game is over.

        Each is a dict: action; value, the share of the point to be expected for who is to move, from 0 to 1; proof,
        "win", "draw", "loss" or None; depth; nodes; line, the moves that are expected, as they are written.
        """
        if state.rules is not self.rules and state.rules != self.rules:
            raise ValueError("a state of other rules")
        return self._player.think(state._state, lines, seconds, nodes)

    def __reduce__(self):
        raise TypeError("a player can't be copied or pickled")

    def __repr__(self):
        return f"<boardwright.Player {self.description!r} of {self.rules.name!r}>"
