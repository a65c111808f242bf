"""Rules as a game of OpenSpiel: boardwright.open_spiel.game(boardwright.load("hex", size=5)).

Needs the package open_spiel (pyspiel). Whatever takes a pyspiel.Game takes it: its algorithms in Python, its bots.
"""

import numpy as np
import pyspiel

_MAX_LENGTH = 2000


def game(rules, *, max_plies=_MAX_LENGTH):
    """A pyspiel.Game of these rules. A game that isn't over after `max_plies` is a draw for OpenSpiel."""
    return Game(rules, max_plies)


class Game(pyspiel.Game):
    def __init__(self, rules, max_plies):
        players = rules.num_players()
        kind = pyspiel.GameType(
            short_name="boardwright_" + "".join(c if c.isalnum() else "_" for c in rules.name.lower()),
            long_name=rules.name,
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
            information=pyspiel.GameType.Information.PERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.ZERO_SUM if players > 1 else pyspiel.GameType.Utility.GENERAL_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=players,
            min_num_players=players,
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification={},
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=min(rules.num_distinct_actions(), 2**31 - 1),
            max_chance_outcomes=0,
            num_players=players,
            min_utility=-float(max(players - 1, 1)),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=max_plies,
        )
        super().__init__(kind, info, {})
        self.rules = rules
        self.max_plies = max_plies

    def new_initial_state(self):
        return State(self, self.rules)

    def make_py_observer(self, iig_obs_type=None, params=None):
        return Observer(self.rules)


class State(pyspiel.State):
    def __init__(self, game, rules):
        super().__init__(game)
        self._game = game
        self._state = rules.new_initial_state()

    def current_player(self):
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self._state.current_player()

    def _legal_actions(self, player):
        return self._state.legal_actions(player)

    def _apply_action(self, action):
        self._state.apply_action(action)

    def _action_to_string(self, player, action):
        return self._state.action_to_string(player, action)

    def is_terminal(self):
        return self._state.is_terminal() or self._state.move_number() >= self._game.max_plies

    def returns(self):
        return self._state.returns()

    def __str__(self):
        return str(self._state)

    def __deepcopy__(self, memo):
        copy = self._game.new_initial_state()
        for action in self.history():
            copy.apply_action(action)
        return copy


class Observer:
    def __init__(self, rules):
        self.tensor = np.zeros(int(np.prod(rules.observation_shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(rules.observation_shape)}

    def set_from(self, state, player):
        self.tensor[:] = state._state.observation(player).ravel()

    def string_from(self, state, player):
        return state._state.observation_string(player)
