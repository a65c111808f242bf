"""The adapter for OpenSpiel. Where `pyspiel` isn't installed, with a stand-in that does what OpenSpiel does."""

import copy
import importlib
import os
import pickle
import random
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import boardwright


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
            pyspiel = sys.modules["pyspiel"] = importlib.import_module("pyspiel_stand_in")
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

    def test_clones_are_games_of_their_own(self):
        for name in ["tictactoe", "breakthrough", "lasca", "halma4", "pegsolitaire"]:
            with self.subTest(name):
                state = self.module.game(boardwright.load(name)).new_initial_state()
                for _ in range(3):
                    state.apply_action(state.legal_actions()[-1])
                before = (str(state), state.history(), state.legal_actions())
                clones = [state.clone(), copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
                clones.append(copy.deepcopy({"nested": [state]})["nested"][0])
                for clone in clones:
                    self.assertEqual((str(clone), clone.history(), clone.legal_actions()), before)
                    self.assertEqual(clone._state, state._state)
                    clone.apply_action(clone.legal_actions()[0])
                    self.assertEqual((str(state), state.history(), state.legal_actions()), before)
                child = state.child(state.legal_actions()[0])
                self.assertEqual(len(child.history()), len(state.history()) + 1)

    def test_games_and_states_are_written_down(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mine.yaml")
            with open(path, "w") as file:
                file.write("extends: breakthrough\ngame: Mine\n")
            games = [self.module.game(boardwright.load(path), max_plies=30)]
        games.append(self.module.game(boardwright.load("hex", size=4)))
        games.append(self.pyspiel.load_game("boardwright(game=hex,options=size:4;swap:false,max_plies=12)"))
        self.assertEqual(games[2].rules.options["size"], "4")
        for game in games:  # of the first, the file is no longer there
            again = self.pyspiel.load_game(str(game))
            self.assertEqual((again.rules, again.max_plies), (game.rules, game.max_plies))
            self.assertEqual(pickle.loads(pickle.dumps(game)).rules, game.rules)
            self.assertIs(copy.deepcopy(game), game)
            state = game.new_initial_state()
            while not state.is_terminal() and len(state.history()) < 7:
                state.apply_action(state.legal_actions()[2])
            text = self.pyspiel.serialize_game_and_state(game, state)
            _, read = self.pyspiel.deserialize_game_and_state(text)
            self.assertEqual((str(read), read.history()), (str(state), state.history()))
            self.assertEqual(read._state, state._state)

    def test_a_state_is_read_by_another_process(self):
        if self.pyspiel.__name__ != "pyspiel_stand_in":
            script, path = "", sys.path
        else:
            script, path = "import sys, pyspiel_stand_in; sys.modules['pyspiel'] = pyspiel_stand_in; ", sys.path
        state = self.module.game(boardwright.load("tictactoe")).new_initial_state("play: b2")
        state.apply_action(state.legal_actions()[0])
        script += "import pickle; print(pickle.load(sys.stdin.buffer).information_state_string(0))"
        with tempfile.TemporaryFile() as file:
            pickle.dump(state, file)
            file.seek(0)
            environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path)}
            told = subprocess.run(
                [sys.executable, "-c", "import sys; " + script], stdin=file, capture_output=True, text=True, env=environment
            )
        self.assertEqual(told.stderr, "")
        self.assertEqual(told.stdout.strip(), state.information_state_string(0))

    def test_too_many_actions(self):
        with self.assertRaises(ValueError):
            self.module.game(boardwright.load("eximo"))

    def test_the_type_says_what_the_rules_are(self):
        kind = self.module.game(boardwright.load("tictactoe")).get_type()
        GameType = self.pyspiel.GameType
        self.assertEqual(kind.short_name, "boardwright")
        self.assertEqual(kind.long_name, "Tic-tac-toe")
        self.assertEqual(kind.dynamics, GameType.Dynamics.SEQUENTIAL)
        self.assertEqual(kind.utility, GameType.Utility.ZERO_SUM)
        alone = self.module.game(boardwright.load("pegsolitaire")).get_type()
        self.assertEqual(alone.utility, GameType.Utility.GENERAL_SUM)


if __name__ == "__main__":
    unittest.main()
