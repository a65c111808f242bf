"""What boardwright.gymnasium promises: by the real Gymnasium, or else by as much of it as is asked."""

import importlib.util
import sys
import unittest
import warnings

import numpy as np

REAL = importlib.util.find_spec("gymnasium") is not None
if not REAL:
    import gymnasium_stand_in

    sys.modules["gymnasium"] = gymnasium_stand_in

import gymnasium  # noqa: E402
from rule_texts import DICE  # noqa: E402

import boardwright  # noqa: E402
import boardwright.gymnasium  # noqa: E402


def play_out(env, seed, choose=None):
    """A game: its observations, and what step() gave at last."""
    random = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    seen, answer = [observation], None
    while info["action_mask"].any():
        legal = np.flatnonzero(info["action_mask"])
        answer = env.step(int(random.choice(legal)) if choose is None else choose(env))
        seen.append(answer[0])
        info = answer[4]
    return seen, answer


class Environments(unittest.TestCase):
    @unittest.skipUnless(REAL, "Gymnasium isn't installed")
    def test_its_own_checks(self):
        from gymnasium.utils.env_checker import check_env

        for name, options in [
            ("tictactoe", {}),
            ("pegsolitaire", {}),
            ("hex", {"player": 1, "opponent": "random"}),
            ("pig", {"player": None, "opponent": "random"}),
            ("kuhn", {"player": 1}),
            ("eximo", {"opponent": "random"}),  # part by part
        ]:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                # The numbers of planes have no bounds that would be worth telling.
                warnings.filterwarnings("ignore", ".*(?:Box observation space|not suited|render).*")
                check_env(boardwright.gymnasium.env(boardwright.load(name), **options), skip_render_check=True)
        env = gymnasium.make(boardwright.gymnasium.ID, game="hex", options={"size": 5}, opponent="random")
        observation, info = env.reset(seed=3)
        self.assertTrue(env.observation_space.contains(observation))
        env.step(env.action_space.sample(info["action_mask"]))

    def test_a_game_against_a_player(self):
        rules = boardwright.load("breakthrough", columns=5, rows=5)
        env = boardwright.gymnasium.env(rules, player=1, opponent="level:2", nodes=50)
        ranks, files, planes = env.observation_space.shape
        self.assertEqual((planes, ranks, files), rules.observation_shape)
        for seed in range(3):
            seen, (_, reward, terminated, truncated, info) = play_out(env, seed)
            self.assertTrue(all(env.observation_space.contains(o) for o in seen))
            self.assertTrue(terminated and not truncated)
            self.assertIn(reward, (-1.0, 1.0))
            self.assertEqual(reward, env.state.returns()[1])
            self.assertEqual(info["player"], 1)
            self.assertEqual(env.state.current_player(), boardwright.TERMINAL)
            with self.assertRaises(RuntimeError):
                env.step(0)

    def test_the_same_seed_is_the_same_game(self):
        rules = boardwright.load("breakthrough", columns=5, rows=5)
        told = []
        for _ in range(2):
            env = boardwright.gymnasium.env(rules, player=None, opponent="random")
            told.append([play_out(env, seed)[0] for seed in (1, 2, 3)])
        for one, other in zip(*told):
            self.assertEqual(len(one), len(other))
            self.assertTrue(all((a == b).all() for a, b in zip(one, other)))

    def test_a_seat_by_lot_and_a_position_to_begin_with(self):
        env = boardwright.gymnasium.env(boardwright.load("tictactoe"), player=None, opponent="random")
        self.assertEqual({env.reset(seed=seed)[1]["player"] for seed in range(20)}, {0, 1})
        _, info = env.reset(options={"position": "play: a1 b1 a2 b2", "player": 0})
        state = env.state
        _, reward, terminated, _, _ = env.step(state.string_to_action("a3"))
        self.assertEqual((reward, terminated), (1.0, True))
        _, info = env.reset(options={"position": "play: a1 b1 a2 b2", "player": 1})
        self.assertEqual(env.state.move_number(), 5)  # the other one has moved
        for wrong in ({"player": 2}, {"position": "nonsense of a position"}):
            with self.assertRaises(ValueError):
                env.reset(options=wrong)

    def test_alone(self):
        env = boardwright.gymnasium.env(boardwright.load("pegsolitaire"))
        _, (_, reward, terminated, _, _) = play_out(env, 1)
        self.assertTrue(terminated)
        self.assertEqual(reward, env.state.returns()[0])

    def test_illegal_actions(self):
        env = boardwright.gymnasium.env(boardwright.load("tictactoe"), opponent="random")
        _, info = env.reset(seed=1)
        for wrong in (1.5, True, "a1"):
            with self.assertRaises(TypeError):
                env.step(wrong)
        self.assertEqual(env.state.move_number(), 0)
        _, reward, terminated, _, info = env.step(env.action_space.n - 1)
        self.assertEqual((reward, terminated), (-1.0, True))
        self.assertFalse(info["action_mask"].any() or env.action_masks().any())

    def test_a_long_game_is_truncated(self):
        env = boardwright.gymnasium.env(boardwright.load("breakthrough"), opponent="random", max_plies=4)
        seen, (_, reward, terminated, truncated, _) = play_out(env, 1)
        self.assertEqual((len(seen), reward, terminated, truncated), (3, 0.0, False, True))

    def test_moves_part_by_part(self):
        rules = boardwright.load("eximo")
        env = boardwright.gymnasium.env(rules, player=1, opponent="random", max_plies=20)
        self.assertEqual(env.action_space.n, rules.num_parts())
        seen, (_, _, terminated, truncated, _) = play_out(env, 1)
        self.assertTrue(terminated or truncated)
        self.assertTrue(all(env.observation_space.contains(o) for o in seen))
        begun = [o["chosen"] for o in seen if o["chosen"].max() >= 0]
        self.assertGreater(len(begun), 0)
        self.assertGreater(len(seen), 11)  # a move takes more than one step, and the other one's none
        env.reset(seed=1)
        _, reward, terminated, _, _ = env.step(int(np.flatnonzero(~env.action_masks())[0]))
        self.assertEqual((reward, terminated), (-1.0, True))
        small = boardwright.gymnasium.env(boardwright.load("tictactoe"), opponent="random", by_parts=True)
        play_out(small, 1)
        self.assertTrue(small.state.is_terminal())

    def test_nature_moves_by_itself(self):
        env = boardwright.gymnasium.env(boardwright.loads(DICE), opponent="random")
        for seed in range(5):
            env.reset(seed=seed)
            self.assertEqual(env.state.current_player(), 0)
            play_out(env, seed)
            self.assertTrue(env.state.is_terminal())

    def test_a_hidden_game_shows_what_the_player_sees(self):
        env = boardwright.gymnasium.env(boardwright.load("kuhn"), player=1, opponent="random", render_mode="ansi")
        env.reset(seed=2)
        self.assertEqual(env.render(), env.state.observation_string(1))

    def test_pictures_and_what_is_refused(self):
        rules = boardwright.load("tictactoe")
        env = boardwright.gymnasium.env(rules, opponent="random", render_mode="ansi")
        env.reset(seed=1)
        self.assertIn("a b c", env.render())
        for wrong in ({"player": 2}, {"opponent": "wizard"}, {"render_mode": "smell"}):
            with self.assertRaises(ValueError):
                boardwright.gymnasium.env(rules, **wrong)
        with self.assertRaises(ValueError):
            boardwright.gymnasium.env(boardwright.load("eximo"), by_parts=False)
        made = gymnasium.make(boardwright.gymnasium.ID, game="hex", options={"size": 4}, opponent="random")
        self.assertEqual(made.reset(seed=1)[0].shape[:2], (4, 4))


if __name__ == "__main__":
    unittest.main()
