"""What `import boardwright` promises. Run by ctest where BOARDWRIGHT_PYTHON is on."""

import contextlib
import importlib.util
import io
import json
import os
import pathlib
import random
import tempfile
import unittest

import numpy as np

import boardwright

# Different in size, players, stacks, hands, and what a move is made of.
GAMES = ["breakthrough", "chess", "hex", "eximo"]
# Bundled games of every family: numbers of actions have no collision in them.
MANY = GAMES + """tictactoe gomoku connectfour reversi abalone arimaa onitama ploy khet duell crazyhouse alicechess
    xiangqi havannah tak twixt lasca bashni fanorona internationaldraughts antigrid tempo scalus baghchal foxandgeese
    hanoi pegsolitaire halma4 kamisado dodgem gipf dao hive blokus nim clobber""".split()
MANY = [name for name in MANY if name in boardwright.games()]

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"

INVENTED = """
boardwright: 2
game: Steps
board: 4x4
players: [White, Black]
pieces: { man: m M }
"""


class RulesOfThem(unittest.TestCase):
    def test_options_and_errors(self):
        rules = boardwright.load("breakthrough", columns=5, rows=6)
        self.assertEqual(rules.options["columns"], "5")
        self.assertEqual(len(rules.cells), 30)
        self.assertEqual(rules.num_players(), 2)
        with self.assertRaises(boardwright.RulesError) as caught:
            boardwright.loads(INVENTED, name="steps.yaml")
        self.assertIn("steps.yaml", str(caught.exception))
        first = caught.exception.diagnostics[0]
        self.assertEqual(first["severity"], "error")
        self.assertTrue(first["code"])
        with self.assertRaises(boardwright.RulesError):
            boardwright.load("breakthrough", columns="many")

    def test_playouts_do_not_depend_on_threads(self):
        rules = boardwright.load("breakthrough")
        one, two = rules.playouts(500, seed=3), rules.playouts(500, seed=3, threads=2)
        one.pop("cpu_seconds"), two.pop("cpu_seconds")
        self.assertEqual(one, two)
        self.assertEqual(one["playouts"], 500)


class States(unittest.TestCase):
    def test_a_point_that_is_shared(self):
        text = """game: Choice
players: [White, Black]
board: { squares: 3 by 3 }
pieces: { man: w b }
setup: { w: a1, b: c3 }
turn: pass
end: ["share 1/4 to White, 3/4 to Black when ply = 1"]
"""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "choice.yaml")
            with open(path, "w") as file:
                file.write(text)
            rules = boardwright.load(path)
        state = rules.new_initial_state()
        state.apply_action(state.legal_actions()[0])
        self.assertEqual(state.returns(), [-0.5, 0.5])
        self.assertEqual(rules.playouts(10, seed=1)["shared"], [([0.25, 0.75], 10)])

    def test_a_game(self):
        rules = boardwright.load("tictactoe")
        state = rules.new_initial_state()
        self.assertEqual(state.current_player(), 0)
        self.assertEqual(len(state.legal_actions()), 9)
        self.assertEqual(state.legal_actions(1), [])
        for text in ["a1", "a2", "b1", "b2"]:
            state.apply_action(state.string_to_action(text))
        before = state.clone()
        action = state.string_to_action("c1")
        self.assertEqual(state.action_to_string(action), "c1")
        self.assertEqual(rules.cells[state.action_cells(action)[1]], "c1")
        state.apply_action(action)
        self.assertTrue(state.is_terminal())
        self.assertEqual(state.current_player(), boardwright.TERMINAL)
        self.assertEqual(state.returns(), [1, -1])
        self.assertEqual(state.history_str(), "a1 a2 b1 b2 c1")
        self.assertEqual(state.history(), before.history() + [action])
        self.assertEqual(rules.deserialize_state(state.serialize()), state)
        state.undo_action()
        self.assertEqual(state, before)
        np.testing.assert_array_equal(state.observation(), before.observation())
        self.assertFalse(state.is_chance_node())
        with self.assertRaises(boardwright.Fault):
            state.apply_action(10**6)
        with self.assertRaises(ValueError):
            state.string_to_action("z9")

    def test_chance(self):
        rules = boardwright.load("backgammon")
        self.assertTrue(rules.has_chance)
        state = rules.new_initial_state()
        self.assertTrue(state.is_chance_node())
        self.assertEqual(state.current_player(), boardwright.CHANCE)
        outcomes = state.chance_outcomes()
        self.assertEqual([action for action, _ in outcomes], state.legal_actions())
        self.assertAlmostEqual(sum(chance for _, chance in outcomes), 1)
        state.apply_action(outcomes[0][0])
        self.assertFalse(state.is_chance_node())
        self.assertEqual(state.current_player(), 0)
        with self.assertRaises(ValueError):
            state.chance_outcomes()
        restored = rules.deserialize_state(state.serialize())
        self.assertEqual(restored, state)
        self.assertFalse(boardwright.load("tictactoe").has_chance)

    def test_what_is_hidden(self):
        rules = boardwright.load("kuhn")
        self.assertTrue(rules.hides)
        self.assertFalse(boardwright.load("tictactoe").hides)

        def state_with(*moves):
            state = rules.new_initial_state()
            for move in moves:
                state.apply_action(state.string_to_action(move))
            return state

        low, high = state_with("<(2)>", "<(1)>", "bet"), state_with("<(2)>", "<(3)>", "bet")
        self.assertEqual(low.observation_string(0), high.observation_string(0))
        self.assertEqual(low.information_state_string(0), high.information_state_string(0))
        self.assertTrue(np.array_equal(low.observation(0), high.observation(0)))
        self.assertNotEqual(low.observation_string(1), high.observation_string(1))
        self.assertNotEqual(low.information_state_string(1), high.information_state_string(1))
        self.assertFalse(np.array_equal(low.observation(1), high.observation(1)))
        self.assertIn("card(Second) = 3", high.information_state_string(1))
        self.assertIn("First: bet", high.information_state_string(1))
        self.assertNotIn("= 2", high.information_state_string(1))
        with self.assertRaises(ValueError):
            high.information_state_tensor(0)
        fog = boardwright.load("darkhex")
        self.assertIn("dark", fog.planes)
        dark = fog.planes.index("dark")
        state = fog.new_initial_state()
        state.apply_action(state.string_to_action("<b2>"))
        self.assertEqual(state.observation(0)[dark].sum(), 24)
        self.assertEqual(state.observation(1)[dark].sum(), 25)

    def test_a_position(self):
        rules = boardwright.load("tictactoe")
        self.assertEqual(len(rules.new_initial_state("play: a1 b2").legal_actions()), 7)
        with self.assertRaises(ValueError):
            rules.new_initial_state("play: a1 a1")


class Planes(unittest.TestCase):
    def test_names_and_what_they_show(self):
        rules = boardwright.load("tictactoe")
        state = rules.new_initial_state("play: b2")
        self.assertEqual(rules.observation_shape, (len(rules.planes), 3, 3))
        planes = dict(zip(rules.planes, state.observation()))
        others = [plane for name, plane in planes.items() if name.startswith("other/")]
        self.assertEqual(sum(others)[1, 1], 1)
        self.assertEqual(sum(plane.sum() for name, plane in planes.items() if name.startswith("own/")), 0)
        self.assertEqual(planes["board"].sum(), 9)
        state.apply_action(state.string_to_action("a3"))
        self.assertEqual(dict(zip(rules.planes, state.observation()))["last"].tolist(), [[0, 0, 0], [0, 0, 0], [1, 0, 0]])

    def test_hands_stacks_values_and_state(self):
        names = {name: boardwright.load(name).planes for name in ["crazyhouse", "lasca", "ploy", "chess"]}
        self.assertIn("hand/own/pawn", names["crazyhouse"])
        self.assertIn("height", names["lasca"])
        self.assertTrue(any(name.startswith("under/other/") for name in names["lasca"]))
        self.assertTrue(any(name.startswith("value/") for name in names["ploy"]))
        self.assertTrue(any(name.startswith("state/") for name in names["chess"]))
        for name, planes in names.items():
            self.assertEqual(len(set(planes)), len(planes), name)


class Actions(unittest.TestCase):
    def test_no_collisions(self):
        for name in MANY:
            with self.subTest(name):
                rules = boardwright.load(name)
                meant = {}
                choose = random.Random(1)
                for _ in range(3):
                    state = rules.new_initial_state()
                    for _ in range(60):
                        actions = state._state.legal()
                        if not actions or len(actions) > 3000:
                            break
                        self.assertEqual(len(set(actions)), len(actions))
                        self.assertTrue(all(0 <= action < rules.num_distinct_actions() for action in actions))
                        for action in choose.sample(actions, min(3, len(actions))):
                            # Every number is made of the same choices, wherever it comes.
                            parts = tuple(state.action_parts(action))
                            self.assertEqual(meant.setdefault(action, parts), parts)
                        state.apply_action(choose.choice(actions))

    def test_the_same_each_time(self):
        first, second = boardwright.load("breakthrough"), boardwright.load("breakthrough")
        self.assertTrue(first.has_dense_actions and first.actions_closed)
        self.assertEqual(first.actions, second.actions)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "actions.json")
            rules = boardwright.load("breakthrough")
            rules.save_actions(path)
            with open(path, encoding="utf-8") as file:
                content = json.load(file)
            self.assertEqual(content["rules"], rules.fingerprint)
            again = boardwright.load("breakthrough")
            again.load_actions(path)
            self.assertEqual(again.actions, rules.actions)
            self.assertEqual(again.new_initial_state().legal_actions(), rules.new_initial_state().legal_actions())
            with self.assertRaises(ValueError):
                boardwright.load("breakthrough", columns=5).load_actions(path)

    def test_moves_that_no_exploration_has_shown_get_numbers_at_the_end(self):
        rules = boardwright.load("tictactoe")
        known = rules._actions()["actions"]
        rules._set_actions(known[:5], True, True)
        actions = rules.new_initial_state().legal_actions()
        self.assertEqual(len(set(actions)), 9)
        self.assertLess(max(actions), rules.num_distinct_actions())

    def test_rules_with_very_many(self):
        rules = boardwright.load("eximo")
        self.assertFalse(rules.has_dense_actions)
        with self.assertRaises(ValueError):
            rules.batch(2).mask()
        self.assertEqual(len(rules.batch(2).legal_actions()), 2)


class Batches(unittest.TestCase):
    def test_steps_are_those_of_single_games(self):
        steps = int(os.environ.get("BOARDWRIGHT_STEPS", "4000"))
        for name in GAMES:
            with self.subTest(name):
                self.follow(boardwright.load(name), steps // len(GAMES) // 32)

    def follow(self, rules, rounds):
        batch = rules.batch(32, threads=2, seed=5, max_plies=150)
        states = [rules.new_initial_state() for _ in range(32)]
        for at in range(rounds):
            legal = batch.legal_actions()
            self.assertEqual([sorted(row) for row in legal], [state.legal_actions() for state in states])
            self.assertEqual(batch.current_players().tolist(), [state.current_player() for state in states])
            if rules.has_dense_actions:
                mask = batch.mask()
                self.assertEqual([np.flatnonzero(row).tolist() for row in mask], [sorted(row) for row in legal])
            if at % 5 == 0 or at > rounds // 2:
                np.testing.assert_array_equal(batch.observe(), np.stack([state.observation() for state in states]))
            actions = batch.sample()
            rewards, terminated, truncated = batch.step(actions)
            for i, state in enumerate(states):
                state.apply_action(actions[i])
                self.assertEqual(rewards[i].tolist(), state.returns())
                self.assertEqual(terminated[i], state.is_terminal())
                self.assertEqual(truncated[i], not state.is_terminal() and state.move_number() >= 150)
                if terminated[i] or truncated[i]:
                    states[i] = rules.new_initial_state()

    def test_threads_change_nothing(self):
        rules = boardwright.load("breakthrough")
        one, two = rules.batch(64, threads=1, seed=2), rules.batch(64, threads=2, seed=2)
        for _ in range(80):
            np.testing.assert_array_equal(one.sample(), actions := two.sample())
            for a, b in zip(one.step(actions), two.step(actions)):
                np.testing.assert_array_equal(a, b)

    def test_a_draw_that_nobody_asked_for_costs_no_random_number(self):
        # In Hex the number of moves depends on the ply alone, so the same random number takes the same place.
        rules = boardwright.load("hex", size=4, swap=False)
        drawn, other = rules.batch(20, seed=4), rules.batch(20, seed=4)
        first = drawn.sample()
        np.testing.assert_array_equal(first, other.sample())
        drawn.step(first)
        other.step([next(action for action in row if action != of) for row, of in zip(other.legal_actions(), first)])
        for batch in (drawn, other):
            batch.step([row[0] for row in batch.legal_actions()])
        places = [
            [row.index(action) for row, action in zip(batch.legal_actions(), batch.sample())]
            for batch in (drawn, other)
        ]
        self.assertEqual(*places)

    def test_an_illegal_action_stops_no_other_game(self):
        batch = boardwright.load("tictactoe").batch(3)
        actions = batch.sample()
        actions[1] = 10**6
        with self.assertRaises(boardwright.Fault):
            batch.step(actions)
        self.assertEqual([len(row) for row in batch.legal_actions()], [8, 9, 8])
        with self.assertRaises(ValueError):
            batch.step(actions[:2])

    def test_without_auto_reset(self):
        batch = boardwright.load("tictactoe").batch(20, auto_reset=False)
        for _ in range(9):
            batch.step(batch.sample())
        self.assertTrue((batch.current_players() == -1).all())
        self.assertTrue((batch.sample() == -1).all())
        batch.reset()
        self.assertTrue((batch.current_players() == 0).all())

    def test_playouts(self):
        batch = boardwright.load("tictactoe").batch(20, threads=2)
        means = batch.playouts(200)
        self.assertEqual(means.shape, (20, 2))
        np.testing.assert_allclose(means.sum(axis=1), 0, atol=1e-5)
        self.assertTrue((means[:, 0] > 0).all())


class Examples(unittest.TestCase):
    def test_the_network_of_the_example_learns(self):
        spec = importlib.util.spec_from_file_location("train", EXAMPLES / "train.py")
        train = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(train)
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertGreater(train.main(20), 0.8)

    def test_the_cells_of_the_notebook_run(self):
        cells = json.loads((EXAMPLES / "train.ipynb").read_text(encoding="utf-8"))["cells"]
        names = {}
        with contextlib.redirect_stdout(io.StringIO()):
            for cell in cells:
                if cell["cell_type"] == "code":
                    exec("".join(cell["source"]).replace("range(1, 61)", "range(1, 6)"), names)
        self.assertTrue(names["state"].is_terminal())


class Documented(unittest.TestCase):
    def public(self):
        yield "boardwright", boardwright
        for name in boardwright.__all__:
            thing = getattr(boardwright, name)
            if isinstance(thing, int):
                continue
            yield name, thing
            if not isinstance(thing, type) or issubclass(thing, Exception):
                continue
            for member, value in vars(thing).items():
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    yield f"{name}.{member}", value

    def test_every_public_name_has_a_docstring(self):
        self.assertEqual([name for name, thing in self.public() if not (thing.__doc__ or "").strip()], [])

    def test_every_public_name_has_types(self):
        folder = pathlib.Path(boardwright.__file__).parent
        stubs = (folder / "__init__.pyi").read_text(encoding="utf-8")
        for name, thing in self.public():
            last = name.rpartition(".")[2]
            if name != "boardwright":
                self.assertRegex(stubs, rf"\b(def|class) {last}\b", name)


def missing(package):
    return importlib.util.find_spec(package) is None


class Adapters(unittest.TestCase):
    @unittest.skipIf(missing("pettingzoo") or missing("gymnasium"), "PettingZoo isn't installed")
    def test_pettingzoo(self):
        import boardwright.pettingzoo
        from pettingzoo.test import api_test

        for name in ["tictactoe", "chess"]:
            api_test(boardwright.pettingzoo.env(boardwright.load(name), max_plies=200), num_cycles=300)


if __name__ == "__main__":
    unittest.main()
