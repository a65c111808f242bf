"""What boardwright.open_spiel is built on, for where OpenSpiel isn't installed.

It does what OpenSpiel's C++ does with games and states that are written in Python (open_spiel/python/pybind11/
python_games.cc and spiel.cc, of July 2026): what C++ keeps is no attribute that Python sees; a clone is a new initial
state into which each attribute is copied deeply; a state is written down as its history and its attributes, pickled; a
game is written down as its name and parameters, which must be registered; actions are written and read as 32 bits.
"""

import base64
import copy
import enum
import pickle
import types

_registered = {}


class State:
    # C++ keeps these: they aren't in __dict__, so that neither clones nor texts take them from there.
    __slots__ = ("_cpp_game", "_cpp_history", "__dict__", "__weakref__")

    def __init__(self, game):
        self._cpp_game, self._cpp_history = game, []

    def get_game(self):
        return self._cpp_game

    def legal_actions(self, player=None):
        player = self.current_player() if player is None else player
        if self.is_terminal():
            return []
        if player < 0:
            raise SystemExit("Called LegalActions for pseudo-player")
        return [_int64(action) for action in self._legal_actions(player)] if player == self.current_player() else []

    def apply_action(self, action):
        player = self.current_player()
        self._apply_action(_int64(action))
        self._cpp_history.append((player, action))

    def action_to_string(self, player, action):
        return self._action_to_string(player, action)

    def history(self):
        return [action for _, action in self._cpp_history]

    def move_number(self):
        return len(self._cpp_history)

    def player_return(self, player):
        return self.returns()[player]

    def observation_string(self, player):
        return self._cpp_game.make_py_observer(None, {}).string_from(self, player)

    def information_state_string(self, player):
        kind = types.SimpleNamespace(perfect_recall=True, public_info=True)
        return self._cpp_game.make_py_observer(kind, {}).string_from(self, player)

    def clone(self):
        other = self._cpp_game.new_initial_state()
        for name, value in self.__dict__.items():
            setattr(other, name, copy.deepcopy(value))
        other._cpp_history = list(self._cpp_history)
        return other

    def child(self, action):
        other = self.clone()
        other.apply_action(action)
        return other

    def serialize(self):
        history = ",".join(f"{int(player)}:{action}" for player, action in self._cpp_history)
        attributes = base64.b64encode(pickle.dumps(self.__dict__)).decode()
        return f"history={history}\nmove_number={len(self._cpp_history)}\n__dict__={attributes}"


class Game:
    def __init__(self, kind, info, parameters):
        self._kind, self._info, self._parameters = kind, info, dict(parameters)
        assert set(self._parameters) <= set(kind.parameter_specification), "unknown parameters"

    def get_type(self):
        return self._kind

    def num_players(self):
        return self._info.num_players

    def num_distinct_actions(self):
        return _int32(self._info.num_distinct_actions)

    def max_game_length(self):
        return self._info.max_game_length

    def __str__(self):
        inner = ",".join(f"{name}={self._parameters[name]}" for name in sorted(self._parameters))
        return f"{self._kind.short_name}({inner})"

    def deserialize_state(self, text):
        state = self.new_initial_state()
        history, _, attributes = text.split("\n", 2)
        for entry in filter(None, history.removeprefix("history=").split(",")):
            player, action = entry.split(":")
            state._cpp_history.append((_int32(int(player)), _int32(int(action))))
        for name, value in pickle.loads(base64.b64decode(attributes.removeprefix("__dict__="))).items():
            setattr(state, name, value)
        return state


class GameType(types.SimpleNamespace):
    Dynamics = enum.Enum("Dynamics", "SEQUENTIAL SIMULTANEOUS")
    ChanceMode = enum.Enum("ChanceMode", "DETERMINISTIC EXPLICIT_STOCHASTIC")
    Information = enum.Enum("Information", "PERFECT_INFORMATION IMPERFECT_INFORMATION")
    Utility = enum.Enum("Utility", "ZERO_SUM GENERAL_SUM")
    RewardModel = enum.Enum("RewardModel", "TERMINAL REWARDS")


GameInfo = types.SimpleNamespace
PlayerId = enum.IntEnum("PlayerId", {"TERMINAL": -4, "INVALID": -3, "CHANCE": -1})


def _int32(number):
    assert -(2**31) <= number < 2**31, f"{number}: more than 32 bits"
    return number


def _int64(number):
    assert type(number) is int and -(2**63) <= number < 2**63, f"{number!r}: no action"
    return number


def register_game(kind, creator):
    assert kind.short_name not in _registered
    _registered[kind.short_name] = (kind, creator)


def registered_names():
    return sorted(_registered)


def _value(text):
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if text and not text.strip("+-0123456789"):
        return _int32(int(text))
    if text and not text.strip("+-0123456789."):
        return float(text)
    return text


def load_game(text):
    name, _, inner = text.removesuffix(")").partition("(")
    kind, creator = _registered[name]
    # The last `=` of an entry counts, and a comma ends it.
    given = {entry.rpartition("=")[0]: _value(entry.rpartition("=")[2]) for entry in inner.split(",") if entry}
    for parameter, value in given.items():
        assert type(value) is type(kind.parameter_specification[parameter]), f"{parameter}: another type"
    return creator({**kind.parameter_specification, **given})


def serialize_game_and_state(game, state):
    return f"[Game]\n{game}\n[State]\n{state.serialize()}\n"


def deserialize_game_and_state(text):
    game_text, _, state_text = text.removeprefix("[Game]\n").partition("\n[State]\n")
    game = load_game(game_text)
    return game, game.deserialize_state(state_text.rstrip("\n"))
