"""Board games from rule files, for programs that learn them.

>>> import boardwright
>>> rules = boardwright.load("breakthrough", columns=5, rows=5)
>>> state = rules.new_initial_state()
>>> state.apply_action(state.legal_actions()[0])
>>> batch = rules.batch(64, threads=2, seed=1)
>>> rewards, terminated, truncated = batch.step(batch.sample())

A rule file is data: nothing is built for a new game. The language is in dsl/README.md of the repository.
"""

import json as _json

import numpy as _numpy

from . import _core
from ._core import Fault, Rules, __version__, games

__all__ = ["Batch", "Fault", "Rules", "RulesError", "State", "TERMINAL", "games", "load", "loads"]

TERMINAL = -4
"""What State.current_player() is when the game is over, as in OpenSpiel."""

_ACTIONS_VERSION = 1


class RulesError(ValueError):
    """Rules that can't be played. Its text is what `boardwright check` prints.

    diagnostics: a list of dicts with severity, code, message, expected, help, file, line, column.
    """

    def __init__(self, text, diagnostics):
        super().__init__(text)
        self.diagnostics = diagnostics


def _value(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _rules(reference, text, options):
    settings = [(name, _value(value)) for name, value in options.items()]
    rules, said, diagnostics = _core._load(reference, text, settings)
    if rules is None:
        raise RulesError(said, diagnostics)
    return rules


def load(reference, **options):
    """The rules of a bundled game (see games()), or of a file (a path with `/` or `.yaml`).

    Options of the rules are given by name: load("hex", size=9).
    """
    return _rules(str(reference), None, options)


def loads(text, *, name="rules.yaml", **options):
    """Rules from the text of a rule file; `name` is what messages call it."""
    return _rules(name, text, options)


class State:
    """A game under way, with the names of methods that OpenSpiel's states have.

    Actions are numbers that mean the same in every state of the rules (see Rules.actions).
    """

    __slots__ = ("rules", "_state")

    def __init__(self, rules, state):
        self.rules = rules
        self._state = state

    def current_player(self):
        """Who is to move, from 0; TERMINAL when the game is over."""
        return TERMINAL if self._state.is_over() else self._state.to_move()

    def legal_actions(self, player=None):
        """What the player can do, in increasing order: nothing where it isn't his turn."""
        if player is not None and player != self.current_player():
            return []
        return sorted(self._state.legal())

    def legal_actions_mask(self, player=None):
        """1 for each legal action, in an array of num_distinct_actions()."""
        mask = _numpy.zeros(self.rules._mask_size(), dtype=_numpy.int8)
        mask[self.legal_actions(player)] = 1
        return mask

    def apply_action(self, action):
        """Plays a legal action; Fault for any other, and nothing has happened."""
        self._state.apply(int(action))

    def undo_action(self, player=None, action=None):
        """Takes the last action back. ValueError if there is none."""
        if not self._state.undo():
            raise ValueError("no action to take back")

    def is_terminal(self):
        return self._state.is_over()

    def returns(self):
        """For each player 1 if he has won, a negative number if another has, 0 for a draw or a game under way."""
        return self._state.returns().tolist()

    def rewards(self):
        """Those of the last action: the returns, since all of them come at the end."""
        return self.returns()

    def player_return(self, player):
        return self.returns()[player]

    def player_reward(self, player):
        return self.rewards()[player]

    def clone(self):
        return State(self.rules, self._state.copy())

    def child(self, action):
        child = self.clone()
        child.apply_action(action)
        return child

    def history(self):
        """The actions that have been played."""
        return self._state.history()

    def history_str(self):
        """As people write them."""
        return " ".join(self._state.texts())

    def move_number(self):
        return self._state.length()

    def num_players(self):
        return len(self.rules.players)

    def num_distinct_actions(self):
        return self.rules.num_distinct_actions()

    def get_game(self):
        return self.rules

    def is_chance_node(self):
        """Never: the language has no dice."""
        return False

    def is_simultaneous_node(self):
        return False

    def chance_outcomes(self):
        raise ValueError("there are no chance nodes: the language has no dice")

    def action_to_string(self, player_or_action, action=None):
        """How a legal action is written, such as "e2-e4": action_to_string(action), or with the player before."""
        return self._state.text(int(player_or_action if action is None else action))

    def string_to_action(self, player_or_text, text=None):
        """The legal action that is written so. ValueError if there is none."""
        wanted = player_or_text if text is None else text
        action = self._state.find(wanted)
        if action is None:
            raise ValueError(f"{wanted!r} is no legal move")
        return action

    def action_parts(self, action):
        """The choices that make an action: cells, directions, alternatives, in the order of the rules, as numbers.

        Moves of one position differ in them. Cells are numbered by the engine, not as in Rules.cells.
        """
        return self._state.parts(int(action))

    def action_cells(self, action):
        """Where an action begins and ends, as indices into Rules.cells; -1 where there is no such cell."""
        return self._state.from_to(int(action))

    def board(self):
        """For each of Rules.cells its pieces from bottom to top, as (owner, kind); -1 is nobody."""
        return self._state.board()

    def fen(self):
        """The position in a line; None where a FEN can't tell it."""
        return self._state.fen()

    def repetitions(self):
        """How often this position has come about before."""
        return self._state.repetitions()

    def __hash__(self):
        return self._state.key()

    def __eq__(self, other):
        return isinstance(other, State) and self.rules is other.rules and self.history() == other.history()

    def _observer(self, player):
        return self._state.to_move() if player is None else player

    def observation_tensor(self, player=None):
        """Rules.planes as numbers, as the player sees them (the one to move if none is named): a flat list."""
        return self._state.observe(self._observer(player)).ravel().tolist()

    def observation(self, player=None):
        """The same as an array of Rules.observation_shape."""
        return self._state.observe(self._observer(player))

    def observation_string(self, player=None):
        return self._state.fen() or self.history_str()

    def information_state_string(self, player=None):
        """The history: every player sees everything."""
        return self.history_str()

    def information_state_tensor(self, player=None):
        """The same as observation_tensor: every player sees everything."""
        return self.observation_tensor(player)

    def serialize(self):
        """A text that Rules.deserialize_state reads."""
        return _json.dumps(self.history())

    def __str__(self):
        return self.observation_string()

    def __repr__(self):
        return f"<boardwright.State of {self.rules.name!r} after {self.move_number()} moves>"


class Batch:
    """Many games that go on together, in threads, without the interpreter's lock.

    games: how many; threads; seed: of sample(), game i has a stream of its own, so that threads change nothing;
    max_plies: a game that isn't over by then is cut off; auto_reset: a game that has ended begins anew at once.
    """

    def __init__(self, rules, games, *, threads=1, seed=1, max_plies=2000, auto_reset=True):
        self.rules = rules
        self.games = games
        self._batch = _core._Batch(rules, games, threads, seed, max_plies, auto_reset)

    def __len__(self):
        return self.games

    def reset(self):
        """All games begin anew."""
        self._batch.reset()

    def step(self, actions):
        """Plays an action of each game (below 0: none) and gives (rewards, terminated, truncated).

        rewards: float32 of (games, players), as State.returns; the others bool of (games,). Fault if an action isn't
        legal: nothing happens in that game, and the others have gone on.
        """
        rewards, ends = self._batch.step(actions)
        return rewards, ends == 1, ends == 2

    def sample(self):
        """A legal action of each game, evenly chosen: int64 of (games,); -1 where the game is over."""
        return self._batch.sample()

    def mask(self, out=None):
        """Which actions are legal: bool of (games, num_distinct_actions), into `out` if it is given."""
        return self._batch.mask(out)

    def legal_actions(self):
        """The legal actions of each game: a list of lists, in the order of the rules."""
        return self._batch.legal()

    def observe(self, out=None):
        """Rules.planes as the player to move sees them: float32 of (games, planes, ranks, files)."""
        return self._batch.observe(out)

    def current_players(self):
        """Who is to move: int32 of (games,); -1 where the game is over."""
        return self._batch.current_players()

    def playouts(self, count, *, seed=1):
        """So many random games from where each game is: what each player has of them, on average.

        float32 of (games, players), as State.returns; games that are cut off count as 0. The games stay as they are.
        """
        return self._batch.rollouts(count, seed)


def _new_initial_state(self, position=None):
    """A game from the set-up, or from a position as `--position` takes it: a FEN, YAML, `play: e2-e4 e7-e5`."""
    return State(self, self._new_state(position))


def _deserialize_state(self, text):
    state = self.new_initial_state()
    for action in _json.loads(text):
        state.apply_action(action)
    return state


def _batch(self, games, *, threads=1, seed=1, max_plies=2000, auto_reset=True):
    """See Batch."""
    return Batch(self, games, threads=threads, seed=seed, max_plies=max_plies, auto_reset=auto_reset)


def _playouts(self, count, *, seed=1, threads=1, max_plies=2000):
    """Random games from the set-up: how they ended, as `boardwright playouts` counts them. Threads change nothing."""
    return self._playouts(count, seed, threads, max_plies)


def _num_distinct_actions(self):
    """Actions are below this: with room for some that no exploration has shown."""
    return self._num_actions()


def _mask_size(self):
    if not self._dense():
        raise ValueError("these rules have too many actions for a mask: use legal_actions()")
    return self._num_actions()


def _explore(self, *, seed=1, most_actions=16384):
    """Numbers the actions anew: dense if random games show no more than so many, else a hash of the choices that make a move.

    Done at the first need with these defaults. The same rules give the same numbers on every machine.
    """
    self._explore(seed, most_actions)


def _save_actions(self, path):
    """Writes the numbers of the actions into a file (JSON), with those that were met since."""
    known = self._actions()
    content = {
        "boardwright actions": _ACTIONS_VERSION,
        "game": self.name,
        "rules": self.fingerprint,
        "options": dict(self.options),
        "dense": known["dense"],
        "closed": known["closed"],
        "actions": [[text, list(parts)] for text, parts in known["actions"]],
    }
    with open(path, "w", encoding="utf-8") as file:
        file.write("{\n")
        entries = [f"  {_json.dumps(key)}: {_json.dumps(value)}" for key, value in content.items() if key != "actions"]
        actions = ",\n".join("    " + _json.dumps(action) for action in content["actions"])
        file.write(",\n".join(entries) + ',\n  "actions": [\n' + actions + "\n  ]\n}\n")


def _object_in(file):
    content = _json.load(file)
    return content if isinstance(content, dict) else {}


def _load_actions(self, path):
    """Takes the numbers from a file. ValueError if it is of other rules, or of another version."""
    with open(path, encoding="utf-8") as file:
        content = _object_in(file)
    if content.get("boardwright actions") != _ACTIONS_VERSION:
        raise ValueError(f"{path}: not a file of actions of version {_ACTIONS_VERSION}")
    if content["rules"] != self.fingerprint:
        raise ValueError(f"{path}: actions of other rules ({content['game']}, {content['rules']})")
    actions = [(text, parts) for text, parts in content["actions"]]
    self._set_actions(actions, content["dense"], content["closed"])


def _actions(self):
    """The known actions by number: how each was written where it was first seen. Empty where they aren't dense."""
    return [text for text, _ in self._actions()["actions"]]


def _extend():
    rules = _core.Rules
    rules.new_initial_state = _new_initial_state
    rules.deserialize_state = _deserialize_state
    rules.batch = _batch
    rules.playouts = _playouts
    rules.num_distinct_actions = _num_distinct_actions
    rules.num_players = lambda self: len(self.players)
    rules.explore_actions = _explore
    rules.save_actions = _save_actions
    rules.load_actions = _load_actions
    rules.actions = property(_actions)
    rules.has_dense_actions = property(lambda self: self._dense())
    rules.actions_closed = property(lambda self: self._actions()["closed"])
    rules.observation_shape = property(lambda self: self._shape)
    rules.observation_tensor_shape = lambda self: list(self._shape)
    rules._mask_size = _mask_size
    rules.__repr__ = lambda self: f"<boardwright.Rules {self.name!r}>"


_extend()
