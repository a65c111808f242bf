"""Rules as a game of OpenSpiel: boardwright.open_spiel.game(boardwright.load("hex", size=5)).

Needs the package open_spiel (pyspiel). Whatever takes a pyspiel.Game takes it: its algorithms in Python and C++, its
bots. Importing this registers the game `boardwright`, so that OpenSpiel can load it by a string, too:
pyspiel.load_game("boardwright(game=hex,options=size:5)"). Rules with too many actions for numbers 0, 1, … can't be one:
OpenSpiel takes an action to be less than num_distinct_actions(), and to fit into 32 bits where it is written down.
"""

import base64 as _base64
import json as _json
import zlib as _zlib

import numpy as np
import pyspiel

import boardwright

_MAX_LENGTH = 2000
_NAME = "boardwright"
# `rules` are packed rules, of which all files are a part; else `game` is a name or a path, and `options` are written
# `size:5;swap:false`, without the signs that mean something in OpenSpiel's strings.
_PARAMETERS = {"game": "tictactoe", "options": "", "rules": "", "max_plies": _MAX_LENGTH, "information_moves": 0}
_MOST_PLAYERS = 32
# Before what is packed, so that OpenSpiel takes no such text for a number.
_PACKED = "z"


def game(rules, *, max_plies=_MAX_LENGTH, information_moves=0):
    """A pyspiel.Game of these rules. A game that isn't over after `max_plies` is a draw for OpenSpiel.

    information_moves: for how many moves information_state_tensor has room (boardwright.State.information_state); 0:
    there is no such tensor.
    """
    return Game({"max_plies": max_plies, "information_moves": information_moves}, rules=rules)


def _pack(rules):
    """Rules as a text of letters, digits, `-` and `_`."""
    content = [rules._origin(), rules.fingerprint, rules._own_numbers()]
    packed = _base64.urlsafe_b64encode(_zlib.compress(_json.dumps(content).encode())).decode()
    return _PACKED + packed.rstrip("=")


def _unpack(text):
    data = text[len(_PACKED) :]
    content = _zlib.decompress(_base64.urlsafe_b64decode(data + "=" * (-len(data) % 4)))
    origin, fingerprint, numbers = _json.loads(content)
    return boardwright._restored_rules(origin, fingerprint, numbers)


def _load(name, options):
    given = dict(part.split(":", 1) for part in options.split(";") if part)
    return boardwright.load(name, **given)


def _type_of(players=None, name="Boardwright", rolls=False, hides=False, remembers=False):
    """Of a game, or of all that can be loaded by the name."""
    alone = players == 1 or players is None
    chance, seen = pyspiel.GameType.ChanceMode, pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=_NAME,
        long_name=name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if rolls else chance.DETERMINISTIC,
        information=seen.IMPERFECT_INFORMATION if hides else seen.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM if alone else pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players or _MOST_PLAYERS,
        min_num_players=players or 1,
        provides_information_state_string=True,
        provides_information_state_tensor=remembers,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_PARAMETERS,
    )


def _info_of(rules, max_plies):
    players = rules.num_players()
    return pyspiel.GameInfo(
        num_distinct_actions=rules.num_distinct_actions(),
        max_chance_outcomes=rules.num_distinct_actions() if rules.has_chance else 0,
        num_players=players,
        min_utility=-float(max(players - 1, 1)),
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=max_plies,
    )


class Game(pyspiel.Game):
    """Rules as OpenSpiel has them. Nothing of it changes, so that a copy is the game itself."""

    def __init__(self, params=None, *, rules=None):
        params = {**_PARAMETERS, **(params or {})}
        if rules is None:
            rules = _unpack(params["rules"]) if params["rules"] else _load(params["game"], params["options"])
        elif not params["rules"]:
            params.update(game="", rules=_pack(rules))
        if not rules.has_dense_actions:
            raise ValueError(f"{rules.name}: too many actions for OpenSpiel; explore_actions() can allow more")
        self.information_moves = params["information_moves"]
        kind = _type_of(rules.num_players(), rules.name, rules.has_chance, rules.hides, self.information_moves > 0)
        super().__init__(kind, _info_of(rules, params["max_plies"]), params)
        self.rules = rules
        self.max_plies = params["max_plies"]

    def new_initial_state(self, position=None):
        """A state at the beginning, or in a position as Rules.new_initial_state takes it."""
        return State(self, position)

    def make_py_observer(self, iig_obs_type=None, params=None):
        """What looks at states: as all see them, or by their history where everything is to be remembered."""
        remembers = iig_obs_type is not None and iig_obs_type.perfect_recall
        return Observer(self.rules, remembers, self.information_moves)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return _game_again, (self.rules, self.max_plies, self.information_moves)


class State(pyspiel.State):
    """A game under way.

    OpenSpiel clones a state by copying each attribute deeply into a new one, and writes it down by pickling them: so
    there are only such attributes as can be copied and pickled, and the game isn't one of them.
    """

    def __init__(self, game, position=None):
        super().__init__(game)
        self._max_plies = game.max_plies
        self._state = game.rules.new_initial_state(position)

    def current_player(self):
        """Who is to move, nature too."""
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if self._state.is_chance_node() else self._state.current_player()

    def chance_outcomes(self):
        """As boardwright.State.chance_outcomes."""
        return self._state.chance_outcomes()

    def _legal_actions(self, player):
        return self._state.legal_actions(player)

    def _apply_action(self, action):
        self._state.apply_action(action)

    def _action_to_string(self, player, action):
        return self._state.action_to_string(player, action)

    def is_terminal(self):
        """Whether the game is over, or has as many moves as the game allows."""
        return self._state.is_terminal() or self._state.move_number() >= self._max_plies

    def returns(self):
        """As boardwright.State.returns."""
        return self._state.returns()

    def __str__(self):
        return str(self._state)

    def __copy__(self):
        return self.clone()

    def __deepcopy__(self, memo):
        return self.clone()

    def __reduce__(self):
        return _state_again, (self.get_game(), self._state._position, self.history())


def _game_again(rules, max_plies, information_moves):
    return game(rules, max_plies=max_plies, information_moves=information_moves)


def _state_again(game, position, actions):
    state = game.new_initial_state(position) if position else game.new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


class Observer:
    """What OpenSpiel asks for tensors and texts of a state."""

    def __init__(self, rules, remembers=False, information_moves=0):
        self._remembers = remembers
        self._moves = information_moves if remembers else 0
        shape = rules.information_state_shape(self._moves) if self._moves else rules.observation_shape
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"information_state" if self._moves else "observation": self.tensor.reshape(shape)}

    def set_from(self, state, player):
        """Fills the tensor with what the player sees, or with all that he has seen."""
        of = state._state
        seen = of.information_state(player, moves=self._moves) if self._moves else of.observation(player)
        self.tensor[:] = seen.ravel()

    def string_from(self, state, player):
        """The same as text."""
        of = state._state
        return of.information_state_string(player) if self._remembers else of.observation_string(player)


if _NAME not in pyspiel.registered_names():
    pyspiel.register_game(_type_of(), Game)
