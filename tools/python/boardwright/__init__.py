"""Board games from rule files, for programs that learn them.

>>> import boardwright
>>> rules = boardwright.load("breakthrough", columns=5, rows=5)
>>> state = rules.new_initial_state()
>>> state.apply_action(state.legal_actions()[0])
>>> batch = rules.batch(64, threads=2, seed=1)
>>> rewards, terminated, truncated = batch.step(batch.sample())

A rule file is data: nothing is built for a new game. The language is in dsl/README.md of the repository.
"""

import copy as _copy
import json as _json
import operator as _operator
import os as _os

import numpy as _numpy

from . import _core, _picture
from ._core import Fault, Rules, __version__, games

__all__ = [
    "Batch",
    "CHANCE",
    "Fault",
    "Player",
    "Rules",
    "RulesError",
    "State",
    "TERMINAL",
    "TreeSearch",
    "games",
    "load",
    "loads",
]

TERMINAL = -4
"""What State.current_player() is when the game is over, as in OpenSpiel."""
CHANCE = -1
"""What State.current_player() is where nature is to move, as in OpenSpiel."""

_ACTIONS_VERSION = 1
_STATE_VERSION = 1
_MOST_ACTION = 2**63 - 1


class RulesError(ValueError):
    """Rules that can't be played. Its text is what `boardwright check` prints.

    diagnostics: a list of dicts with severity, code, message, expected, help, file, line, column.
    """

    def __init__(self, text, diagnostics):
        super().__init__(text)
        self.diagnostics = diagnostics

    def __reduce__(self):
        return type(self), (str(self), self.diagnostics)


def _value(value):
    if isinstance(value, (bool, _numpy.bool_)):
        return "true" if value else "false"
    return str(value)


def _action(action):
    """A number of an action: what Python and NumPy take for a whole number, and neither a truth nor 3.0."""
    if isinstance(action, (bool, _numpy.bool_)):
        raise TypeError("an action is a whole number, not a truth")
    try:
        number = _operator.index(action)
    except TypeError:
        raise TypeError(f"an action is a whole number, not {action!r}") from None
    if not -_MOST_ACTION <= number <= _MOST_ACTION:
        raise Fault(f"action {number} isn't legal")
    return number


def _actions_of(actions):
    """The same for an action of each game: an array of int64."""
    array = _numpy.asarray(actions)
    if array.size == 0:
        return array.astype(_numpy.int64)
    if array.dtype.kind not in "iu":
        raise TypeError(f"actions are whole numbers, not {array.dtype}")
    if array.dtype.kind == "u" and int(array.max()) > _MOST_ACTION:
        raise Fault(f"action {array.max()} isn't legal")
    return _numpy.ascontiguousarray(array, dtype=_numpy.int64)


def _are_bytes(dtype, usual):
    """Whether an array of uint8 is asked for, and not of the usual type."""
    wanted = _numpy.dtype(dtype)
    if wanted not in (_numpy.dtype(usual), _numpy.dtype(_numpy.uint8)):
        raise ValueError(f"dtype: {_numpy.dtype(usual)} or uint8")
    return wanted == _numpy.uint8


def _count(moves):
    number = _operator.index(moves)
    if not 0 <= number < 2**31:
        raise ValueError("moves: a number of moves")
    return number


def _player(player, players):
    number = _operator.index(player)
    if not 0 <= number < players:
        raise ValueError(f"there is no player {number}")
    return number


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
    return _rules(_os.fsdecode(reference), None, options)


def loads(text, *, name="rules.yaml", **options):
    """Rules from the text of a rule file; `name` is what messages call it."""
    return _rules(name, text, options)


class State:
    """A game under way, with the names of methods that OpenSpiel's states have.

    Actions are numbers that mean the same in every state of the rules (see Rules.actions). Two states are equal when
    they are of the same rules, in the same position, and have come to it by the same moves. A copy, by clone() or the
    module `copy`, is a game of its own; states can be pickled. Threads that use one state take turns.
    """

    __slots__ = ("rules", "_state", "_position")

    def __init__(self, rules, state, position=None):
        self.rules = rules
        self._state = state
        self._position = position

    def current_player(self):
        """Who is to move, from 0; CHANCE where nature is, TERMINAL when the game is over."""
        if self._state.is_over():
            return TERMINAL
        return CHANCE if self._state.is_chance() else self._state.to_move()

    def legal_actions(self, player=None):
        """What the player can do, in increasing order: nothing where it isn't his turn."""
        if player is not None and _operator.index(player) != self.current_player():
            return []
        return sorted(self._state.legal())

    def legal_actions_mask(self, player=None):
        """1 for each legal action, in an array of num_distinct_actions()."""
        mask = _numpy.zeros(self.rules._mask_size(), dtype=_numpy.int8)
        mask[self.legal_actions(player)] = 1
        return mask

    def apply_action(self, action):
        """Plays a legal action; Fault for any other, and nothing has happened. TypeError for 3.0 or True."""
        self._state.apply(_action(action))

    def undo_action(self, player=None, action=None):
        """Takes the last action back. ValueError if there is none."""
        if not self._state.undo():
            raise ValueError("no action to take back")

    def is_terminal(self):
        """Whether the game is over."""
        return self._state.is_over()

    def returns(self):
        """For each player 1 if he has won, a negative number if another has, 0 for a draw or a game under way."""
        return self._state.returns().tolist()

    def rewards(self):
        """Those of the last action: the returns, since all of them come at the end."""
        return self.returns()

    def player_return(self, player):
        """What returns() has of one player."""
        return self.returns()[_player(player, self.num_players())]

    def player_reward(self, player):
        """What rewards() has of one player."""
        return self.rewards()[_player(player, self.num_players())]

    def clone(self):
        """A game of its own in the same position, with the same past."""
        return State(self.rules, self._state.copy(), self._position)

    def __copy__(self):
        return self.clone()

    def __deepcopy__(self, memo):
        return State(_copy.deepcopy(self.rules, memo), self._state.copy(), self._position)

    def __reduce__(self):
        return _restored_state, (self.rules, self.serialize())

    def child(self, action):
        """A clone that has played the action."""
        child = self.clone()
        child.apply_action(action)
        return child

    def history(self):
        """The actions that have been played."""
        return self._state.history()

    def history_str(self):
        """The actions that have been played, as people write them."""
        return " ".join(self._state.texts())

    def move_number(self):
        """How many moves have been played; those that a position was begun with count too."""
        return self._state.length()

    def num_players(self):
        """How many players the game has, out or not."""
        return len(self.rules.players)

    def num_distinct_actions(self):
        """See Rules.num_distinct_actions."""
        return self.rules.num_distinct_actions()

    def get_game(self):
        """The rules."""
        return self.rules

    def is_chance_node(self):
        """Whether nature is to move: what is legal then are the outcomes of a roll."""
        return not self._state.is_over() and self._state.is_chance()

    def is_simultaneous_node(self):
        """Never: players move one after the other."""
        return False

    def chance_outcomes(self):
        """Pairs of an action and its probability, in increasing order of actions. ValueError where it isn't nature's
        move."""
        if not self.is_chance_node():
            raise ValueError("it isn't nature's move")
        weights = self._state.weights()
        total = sum(weights)
        return [(action, weight / total) for action, weight in sorted(zip(self._state.legal(), weights))]

    def action_to_string(self, player_or_action, action=None):
        """How a legal action is written, such as "e2-e4": action_to_string(action), or with the player before."""
        return self._state.text(_action(player_or_action if action is None else action))

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
        return self._state.parts(_action(action))

    def legal_parts(self):
        """The parts of a move that can be chosen next, in increasing order; none where the game is over. See
        Rules.num_parts."""
        return self._state.legal_parts()

    def legal_parts_mask(self):
        """1 for each of them, in an array of Rules.num_parts()."""
        mask = _numpy.zeros(self.rules.num_parts(), dtype=_numpy.int8)
        mask[self.legal_parts()] = 1
        return mask

    def apply_part(self, part):
        """Chooses a part. True: the move was whole then, and has been played. Fault for what isn't legal, and nothing
        has happened."""
        number = _action(part)
        if not 0 <= number < self.rules.num_parts():
            raise Fault(f"part {number} isn't legal")
        return self._state.choose_part(number)

    def chosen_parts(self):
        """What has been chosen of a move, with what couldn't be otherwise."""
        return self._state.chosen_parts()

    def forget_parts(self):
        """The move is begun anew."""
        self._state.forget_parts()

    def action_cells(self, action):
        """Where an action begins and ends, as indices into Rules.cells; -1 where there is no such cell."""
        return self._state.from_to(_action(action))

    def board(self):
        """For each of Rules.cells its pieces from bottom to top, as (owner, kind); -1 is nobody."""
        return self._state.board()

    def draw(self):
        """The board as letters and dots, in lines, as `boardwright show` draws it: all of it, whoever sees it."""
        return self._state.draw()

    def fen(self):
        """The position in a line; None where a FEN can't tell it."""
        return self._state.fen()

    def repetitions(self):
        """How often this position has come about before."""
        return self._state.repetitions()

    def __hash__(self):
        return self._state.hash()

    def __eq__(self, other):
        if not isinstance(other, State):
            return NotImplemented
        return self.rules == other.rules and self._state.same_game(other._state)

    def _observer(self, player):
        return self._state.to_move() if player is None else player

    def observation_tensor(self, player=None):
        """Rules.planes as numbers, as the player sees them (the one to move if none is named): a flat list."""
        return self._state.observe(self._observer(player)).ravel().tolist()

    def observation(self, player=None):
        """The same as an array of Rules.observation_shape."""
        return self._state.observe(self._observer(player))

    def observation_string(self, player=None):
        """The position in a line; the history where none can tell it. Where something is hidden, what the player
        sees of it: two positions that he can't tell apart have the same text."""
        if self.rules.hides:
            return self._state.seen(self._observer(player))
        return self._state.fen() or self.history_str()

    def information_state_string(self, player=None):
        """The history; where something is hidden, what the player has seen and read of it, a line for each move."""
        if self.rules.hides:
            return self._state.known(self._observer(player))
        return self.history_str()

    def information_state_tensor(self, player=None, *, moves=None):
        """The same as observation_tensor, where every player sees everything. Where something is hidden,
        information_state() as a flat list, for games of up to so many moves."""
        if not self.rules.hides:
            return self.observation_tensor(player)
        if moves is None:
            raise ValueError("moves: how many a game has at the most; all that a player has seen has room for so many")
        return self.information_state(player, moves=moves).ravel().tolist()

    def information_state(self, player=None, *, moves):
        """All that a player has seen and read since the game began, in games of up to so many moves: an array of
        Rules.information_state_shape(moves), a row for the beginning and one for each move.

        A row has 1 where it tells something; 1 for who moved (from the player himself on; nature is the last); how he
        reads the move, eight bits for each letter, the lowest first; and Rules.planes behind it, as he sees them. It is
        the same for two games exactly where he can't tell them apart. Fault where there are more moves, or one of more
        letters than any that was explored.
        """
        return self._state.known_rows(self._observer(player), _count(moves))

    def svg(self, player=None, *, captions=True):
        """The board as a picture, as `boardwright show --svg` draws it: all of it, or as one player sees it. Without
        captions it is the board alone."""
        return self._state.svg(self.rules, player, captions)

    def rgb_array(self, player=None, *, width=480):
        """The same as an array of (height, width, 3), uint8. It is drawn by the Python package cairosvg or the program
        rsvg-convert (Debian: python3-cairosvg, librsvg2-bin); RuntimeError where there is neither."""
        return _picture.rgb_array(self.svg(player), width)

    def serialize(self):
        """A text (JSON) that Rules.deserialize_state reads: where the game began, and its moves."""
        content = {
            "boardwright state": _STATE_VERSION,
            "game": self.rules.name,
            "rules": self.rules.fingerprint,
            "position": self._position,
            "moves": self._state.kept(),
        }
        return _json.dumps(content)

    def __str__(self):
        return self._state.fen() or self.history_str()

    def __repr__(self):
        return f"<boardwright.State of {self.rules.name!r} after {self.move_number()} moves>"


class Batch:
    """Many games that go on together, in threads, without the interpreter's lock.

    games: how many; threads; seed: of sample(), game i has a stream of its own, so that threads change nothing;
    max_plies: a game that isn't over by then is cut off; auto_reset: a game that has ended begins anew at once;
    rolls: nature's moves are made by the batch, so that only players are asked (they count as plies).

    `out` of a method is an array that its answer is written into: NumPy's, or one of another library that hands its
    memory out by DLPack (`__dlpack__`), such as a tensor of PyTorch on the processor.

    Threads that use one batch take turns: each call is whole. A copy, by copy() or the module `copy`, goes on by itself
    with the same games and the same draws to come; batches can be pickled. What Ctrl-C ends, in the main thread, ends
    within a tenth of a second; some games have then been carried on by the call, and others not.
    """

    def __init__(self, rules, games, *, threads=1, seed=1, max_plies=2000, auto_reset=True, rolls=False):
        self.rules = rules
        self.games = games
        self._options = (threads, seed, max_plies, auto_reset, rolls)
        self._batch = _core._new_batch(rules, games, *self._options)

    def _with(self, rules, batch):
        other = object.__new__(type(self))
        other.rules, other.games, other._options, other._batch = rules, self.games, self._options, batch
        return other

    def copy(self):
        """A batch of its own, with the same games and the same draws to come."""
        return self._with(self.rules, self._batch.copy())

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self._with(_copy.deepcopy(self.rules, memo), self._batch.copy())

    def __reduce__(self):
        return _restored_batch, (type(self), self.rules, self.games, self._options, self._batch.keep())

    def __len__(self):
        return self.games

    def reset(self):
        """All games begin anew."""
        self._batch.reset()

    def step(self, actions):
        """Plays an action of each game (below 0: none) and gives (rewards, terminated, truncated).

        rewards: float32 of (games, players), as State.returns; the others bool of (games,). Fault if an action isn't
        legal: nothing happens in that game, and the others have gone on. TypeError for numbers that aren't whole.
        """
        rewards, ends = self._batch.step(_actions_of(actions))
        return rewards, ends == 1, ends == 2

    def sample(self):
        """A legal action of each game, evenly chosen, where nature is to move by its weight: int64 of (games,); -1 where
        the game is over."""
        return self._batch.sample()

    def parts_mask(self, out=None, *, dtype=bool):
        """Which parts of a move can be chosen next: bool or uint8 of (games, Rules.num_parts()), into `out` if it is
        given."""
        return self._batch.parts_mask(out, _are_bytes(dtype, bool))

    def step_parts(self, parts):
        """Chooses a part in each game (below 0: none) and gives (rewards, terminated, truncated, played).

        played: bool of (games,), where the move was whole then; the others as of step(). Fault for what isn't legal:
        nothing happens in that game, and the others have gone on. Pickled batches forget moves that aren't whole.
        """
        rewards, ends, played = self._batch.step_parts(_actions_of(parts))
        return rewards, ends == 1, ends == 2, played

    def chosen_parts(self):
        """What has been chosen of the moves, with what couldn't be otherwise: a list of lists."""
        return self._batch.chosen_parts()

    def mask(self, out=None, *, dtype=bool):
        """Which actions are legal: bool or uint8 of (games, num_distinct_actions), into `out` if it is given."""
        return self._batch.mask(out, _are_bytes(dtype, bool))

    def legal_actions(self):
        """The legal actions of each game: a list of lists, in the order of the rules."""
        return self._batch.legal()

    def observe(self, out=None, *, dtype="float32"):
        """Rules.planes as the player to move sees them: float32 or uint8 of (games, planes, ranks, files), into `out`
        if it is given. Fault where uint8 has no room for a number: below 0, above 255."""
        return self._batch.observe(out, _are_bytes(dtype, _numpy.float32))

    def current_players(self):
        """Who is to move: int32 of (games,); -1 where the game is over."""
        return self._batch.current_players()

    def playouts(self, count, *, seed=1):
        """So many random games from where each game is: what each player has of them, on average.

        float32 of (games, players), as State.returns; games that are cut off count as 0. The games stay as they are.
        """
        return self._batch.rollouts(count, seed)


def _restored_rules(origin, fingerprint, numbers):
    rules = _core._rules_from(*origin)
    if rules.fingerprint != fingerprint:
        raise ValueError(f"{origin[0]}: by this version of boardwright these are other rules")
    if numbers is not None:
        rules._set_actions(*numbers)
    return rules


def _restored_state(rules, text):
    return rules.deserialize_state(text)


def _restored_batch(kind, rules, games, options, kept):
    threads, seed, max_plies, auto_reset, rolls = options
    batch = kind(rules, games, threads=threads, seed=seed, max_plies=max_plies, auto_reset=auto_reset, rolls=rolls)
    try:
        batch._batch.restore(kept)
    except Fault as error:
        raise ValueError(f"this batch is of another version of boardwright, or of other rules: {error}") from None
    return batch


def _reduced_rules(self):
    known = self._known_actions()
    numbers = known and (known["actions"], known["dense"], known["closed"])
    return _restored_rules, (self._origin(), self.fingerprint, numbers)


def _own_numbers(self):
    """The numbers of the actions, unless everybody who explores these rules comes to the same."""
    if self._numbers_are_common():
        return None
    known = self._known_actions()
    return known["actions"], known["dense"], known["closed"]


def _new_initial_state(self, position=None):
    """A game from the set-up, or from a position as `--position` takes it: a FEN, YAML, `play: e2-e4 e7-e5`."""
    return State(self, _core._new_state(self, position), position)


def _pairs(moves):
    """Moves as serialize() has them: [text, place] each."""
    if not isinstance(moves, list):
        raise ValueError("`moves` isn't a list")
    for move in moves:
        is_pair = isinstance(move, list) and len(move) == 2
        if not (is_pair and isinstance(move[0], str) and type(move[1]) is int and 0 <= move[1] < 2**32):
            raise ValueError(f"{move!r} is no move")
    return moves


def _deserialize_state(self, text):
    """The state that State.serialize() has told. ValueError where it is of other rules, or can't be read."""
    content = _json.loads(text)
    if isinstance(content, list):  # the action numbers, which is what older versions wrote
        content, old = {"boardwright state": _STATE_VERSION, "rules": self.fingerprint, "moves": []}, content
    else:
        old = []
    if not isinstance(content, dict) or content.get("boardwright state") != _STATE_VERSION:
        raise ValueError(f"not a state of version {_STATE_VERSION}")
    if content.get("rules") != self.fingerprint:
        raise ValueError(f"a state of other rules ({content.get('game')}, {content.get('rules')})")
    position = content.get("position")
    if not (position is None or isinstance(position, str)):
        raise ValueError("`position` is no text")
    state = self.new_initial_state(position)
    try:
        for move in _pairs(content.get("moves")):
            state._state.replay(*move)
        for action in old:
            state.apply_action(action)
    except (Fault, TypeError) as error:
        raise ValueError(str(error)) from None
    return state


def _batch(self, games, *, threads=1, seed=1, max_plies=2000, auto_reset=True, rolls=False):
    """So many games that go on together: see Batch."""
    return Batch(self, games, threads=threads, seed=seed, max_plies=max_plies, auto_reset=auto_reset, rolls=rolls)


def _information_state_shape(self, moves):
    """The shape of State.information_state in games of up to so many moves: its rows, and what a row has."""
    return self._known_shape(_count(moves))


def _tree_search(self, games=1, **options):
    """Tree search in so many games at once: see TreeSearch."""
    return TreeSearch(self, games, **options)


def _own_player(self, description="auto", *, seed=1, threads=1, weights=None):
    """One of the program's players: see Player."""
    return Player(self, description, seed=seed, threads=threads, weights=weights)


def _playouts(self, count, *, seed=1, threads=1, max_plies=2000):
    """Random games from the set-up: how they ended, as `boardwright playouts` counts them. Threads change nothing."""
    return self._playouts(count, seed, threads, max_plies)


def _num_distinct_actions(self):
    """Actions are below this: with room for some that no exploration has shown."""
    return self._num_actions()


def _own_num_parts(self):
    """Parts of moves are below this: a move is chosen part by part, for rules that have too many actions for a mask.

    A part is a cell by the engine's numbering, a direction, an alternative, as the rules come to them; the last number
    but one begins a larger choice, in digits; the last one ends a move that could go on. What can't be otherwise is
    chosen by itself. Each move is reached in exactly one way. Of all rules, whether or not their actions are dense.
    """
    return self._num_parts()


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


def _num_players(self):
    """How many players the game has."""
    return len(self.players)


def _has_dense_actions(self):
    """Whether actions are numbered 0, 1, …, so that there are masks; else a number is a hash of 63 bits."""
    return self._dense()


def _actions_closed(self):
    """Whether many random games in a row showed no action that hadn't a number."""
    return self._actions()["closed"]


def _observation_shape(self):
    """Of State.observation(): planes, ranks, files."""
    return self._shape


def _observation_tensor_shape(self):
    """The same as a list, by OpenSpiel's name."""
    return list(self._shape)


from ._search import Player, TreeSearch  # noqa: E402  (it needs what is above)

_RULES_DOC = """Rules of a game, from load() or loads(). Nothing of them changes but the numbers of actions.

Rules of the same fingerprint are equal. A copy, by the module `copy`, takes other numbers of actions when it is told
to, and the first one doesn't. Rules can be pickled, with all files that they came from, and with the numbers.
"""


def _extend():
    rules = _core.Rules
    rules.__doc__ = _RULES_DOC
    rules.new_initial_state = _new_initial_state
    rules.deserialize_state = _deserialize_state
    rules.batch = _batch
    rules.information_state_shape = _information_state_shape
    rules.playouts = _playouts
    rules.tree_search = _tree_search
    rules.player = _own_player
    rules.num_distinct_actions = _num_distinct_actions
    rules.num_players = _num_players
    rules.num_parts = _own_num_parts
    rules.explore_actions = _explore
    rules.save_actions = _save_actions
    rules.load_actions = _load_actions
    rules._own_numbers = _own_numbers
    rules.actions = property(_actions)
    rules.has_dense_actions = property(_has_dense_actions)
    rules.actions_closed = property(_actions_closed)
    rules.observation_shape = property(_observation_shape)
    rules.observation_tensor_shape = _observation_tensor_shape
    rules._mask_size = _mask_size
    rules.__repr__ = lambda self: f"<boardwright.Rules {self.name!r}>"
    rules.__eq__ = lambda self, other: (
        self.fingerprint == other.fingerprint if isinstance(other, Rules) else NotImplemented
    )
    rules.__hash__ = lambda self: hash(self.fingerprint)
    rules.__copy__ = lambda self: self._copy()
    rules.__deepcopy__ = lambda self, memo: self._copy()
    rules.__reduce__ = _reduced_rules
    for name, value in vars(rules).items():  # named as they are called, in tracebacks and help()
        function = value.fget if isinstance(value, property) else value
        if getattr(function, "__module__", None) == __name__:
            function.__name__, function.__qualname__ = name, f"Rules.{name}"


_extend()
