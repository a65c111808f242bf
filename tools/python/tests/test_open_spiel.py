"""The adapter for OpenSpiel. Where `pyspiel` isn't installed, with a stand-in that has what the adapter is built on."""

import copy
import enum
import importlib
import random
import sys
import types
import unittest

import numpy as np

import boardwright


def stand_in():
    """A module with the names of pyspiel that the adapter uses. Its State keeps the history and clones as that does."""

    class State:
        def __init__(self, game):
            self._owner, self._played = game, []

        def get_game(self):
            return self._owner

        def legal_actions(self, player=None):
            return [] if self.is_terminal() else self._legal_actions(self.current_player() if player is None else player)

        def apply_action(self, action):
            self._apply_action(action)
            self._played.append(action)

        def action_to_string(self, player, action):
            return self._action_to_string(player, action)

        def history(self):
            return list(self._played)

        def player_return(self, player):
            return self.returns()[player]

        def clone(self):
            return copy.deepcopy(self)

    class Game:
        def __init__(self, kind, info, parameters):
            self._kind, self._info = kind, info

        def get_type(self):
            return self._kind

        def num_players(self):
            return self._info.num_players

        def num_distinct_actions(self):
            return self._info.num_distinct_actions

        def max_game_length(self):
            return self._info.max_game_length

    class GameType(types.SimpleNamespace):
        Dynamics = enum.Enum("Dynamics", "SEQUENTIAL SIMULTANEOUS")
        ChanceMode = enum.Enum("ChanceMode", "DETERMINISTIC EXPLICIT_STOCHASTIC")
        Information = enum.Enum("Information", "PERFECT_INFORMATION IMPERFECT_INFORMATION")
        Utility = enum.Enum("Utility", "ZERO_SUM GENERAL_SUM")
        RewardModel = enum.Enum("RewardModel", "TERMINAL REWARDS")

    module = types.ModuleType("pyspiel")
    module.State, module.Game, module.GameType = State, Game, GameType
    module.GameInfo = types.SimpleNamespace
    module.PlayerId = types.SimpleNamespace(TERMINAL=-4)
    return module


def value_of(state, player):
    """What the player has of the state if nobody errs: as the search of an agent goes through states."""
    if state.is_terminal():
        return state.player_return(player)
    values = []
    for action in state.legal_actions():
        child = state.clone()
        child.apply_action(action)
        values.append(value_of(child, player))
    return max(values) if state.current_player() == player else min(values)


class OpenSpiel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        try:
            import pyspiel
        except ImportError:
            pyspiel = sys.modules["pyspiel"] = stand_in()
            cls.addClassCleanup(sys.modules.pop, "pyspiel")
        cls.pyspiel = pyspiel
        cls.module = importlib.reload(importlib.import_module("boardwright.open_spiel"))

    def test_games_are_those_of_the_rules(self):
        for name in ["tictactoe", "breakthrough", "chess", "halma4"]:
            with self.subTest(name):
                rules = boardwright.load(name)
                game = self.module.game(rules, max_plies=60)
                self.assertEqual(game.num_players(), rules.num_players())
                self.assertEqual(game.max_game_length(), 60)
                state, own = game.new_initial_state(), rules.new_initial_state()
                observer = game.make_py_observer()
                choose = random.Random(1)
                while not state.is_terminal():
                    self.assertEqual(state.current_player(), own.current_player())
                    self.assertEqual(state.legal_actions(), own.legal_actions())
                    self.assertTrue(all(0 <= action < game.num_distinct_actions() for action in state.legal_actions()))
                    observer.set_from(state, own.current_player())
                    np.testing.assert_array_equal(observer.dict["observation"], own.observation())
                    action = choose.choice(state.legal_actions())
                    self.assertEqual(state.action_to_string(state.current_player(), action), own.action_to_string(action))
                    state.apply_action(action)
                    own.apply_action(action)
                self.assertTrue(own.is_terminal() or own.move_number() == 60)
                self.assertEqual(state.current_player(), self.pyspiel.PlayerId.TERMINAL)
                self.assertEqual(list(state.returns()), own.returns())
                self.assertEqual(state.history(), own.history())
                self.assertEqual(state.legal_actions(), [])

    def test_a_search_goes_through_copies(self):
        rules = boardwright.load("tictactoe")
        state = self.module.game(rules).new_initial_state()
        for text in ["b2", "a1", "c3"]:
            state.apply_action(state._state.string_to_action(text))
        before = str(state)
        self.assertEqual(value_of(state, 0), 0)
        self.assertEqual(str(state), before)
        state.apply_action(state._state.string_to_action("a2"))  # leaves a3 undefended: two ways to win
        self.assertEqual(value_of(state, 0), 1)

    def test_the_type_says_what_the_rules_are(self):
        kind = self.module.game(boardwright.load("tictactoe")).get_type()
        GameType = self.pyspiel.GameType
        self.assertEqual(kind.short_name, "boardwright_tic_tac_toe")
        self.assertEqual(kind.dynamics, GameType.Dynamics.SEQUENTIAL)
        self.assertEqual(kind.utility, GameType.Utility.ZERO_SUM)
        alone = self.module.game(boardwright.load("pegsolitaire")).get_type()
        self.assertEqual(alone.utility, GameType.Utility.GENERAL_SUM)


if __name__ == "__main__":
    unittest.main()
