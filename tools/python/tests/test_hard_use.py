"""What the module must bear: threads that share a thing, copies, pickles, numbers of other types, signals, forks."""

import copy
import json
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import unittest

import numpy as np

import boardwright

COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
    "nested": lambda thing: copy.deepcopy({"one": [thing]})["one"][0],
    "old pickle": lambda thing: pickle.loads(pickle.dumps(thing, protocol=2)),
}


def begun(name, moves=4, **options):
    state = boardwright.load(name, **options).new_initial_state()
    for _ in range(moves):
        state.apply_action(state.legal_actions()[0])
    return state


class Threads(unittest.TestCase):
    def share(self, work, threads=4):
        """Has threads do the work all at once; gives what they raised."""
        raised = []

        def carry_out():
            try:
                work()
            except Exception as error:
                raised.append(error)

        all_of_them = [threading.Thread(target=carry_out) for _ in range(threads)]
        for thread in all_of_them:
            thread.start()
        for thread in all_of_them:
            thread.join()
        return raised

    def test_a_batch(self):
        for name in ["tictactoe", "breakthrough", "eximo"]:
            batch = boardwright.load(name).batch(48, threads=2)

            def use():
                for _ in range(25):
                    batch.sample()
                    batch.step([row[0] for row in batch.legal_actions()][:0] or np.full(48, -1))
                    batch.observe()
                    batch.current_players()
                    batch.playouts(1)
                    copy.copy(batch).step(batch.sample() * 0 - 1)
                    pickle.dumps(batch)
                    batch.reset()

            self.assertEqual(self.share(use), [])

    def test_steps_of_several_threads_are_whole(self):
        # Each call that succeeds plays a move in every game, whichever thread calls.
        batch = boardwright.load("hex", size=9).batch(32)
        played = []

        def use():
            for _ in range(8):
                try:
                    batch.step(batch.sample())
                    played.append(1)
                except boardwright.Fault:  # another thread was quicker
                    pass

        self.share(use)
        left = [len(row) for row in batch.legal_actions()]
        self.assertTrue(all(81 - 4 * 8 <= moves <= 82 for moves in left))
        self.assertGreater(len(played), 0)

    def test_a_state(self):
        state = boardwright.load("chess").new_initial_state()

        def use():
            for _ in range(60):
                try:
                    state.apply_action(state.legal_actions()[0])
                    state.undo_action()
                except (boardwright.Fault, ValueError):  # another thread has moved, or taken back
                    pass
                state.observation()
                state.board()
                hash(state)
                self.assertIsInstance(state == copy.copy(state), bool)

        self.assertEqual(self.share(use), [])

    def test_rules_are_explored_once(self):
        rules = boardwright.load("breakthrough", columns=6)
        found = []
        self.assertEqual(self.share(lambda: found.append(rules.new_initial_state().legal_actions())), [])
        self.assertEqual(len(found), 4)
        self.assertTrue(all(actions == found[0] for actions in found))

    def test_rules_that_are_numbered_anew_meanwhile(self):
        rules = boardwright.load("tictactoe")

        def use():
            for seed in range(4):
                rules.explore_actions(seed=seed)
                rules.batch(2).step(rules.batch(2).sample() * 0 - 1)
                self.assertEqual(len(rules.actions), 9)

        self.assertEqual(self.share(use), [])


class Copies(unittest.TestCase):
    def test_states(self):
        for name in ["tictactoe", "chess", "lasca", "halma4", "eximo"]:
            state = begun(name)
            for how, made in COPIES.items():
                with self.subTest(name, how=how):
                    before = (state.history(), state.board(), state.legal_actions())
                    other = made(state)
                    self.assertEqual(other, state)
                    self.assertEqual(hash(other), hash(state))
                    self.assertEqual((other.history(), other.board(), other.legal_actions()), before)
                    np.testing.assert_array_equal(other.observation(), state.observation())
                    other.apply_action(other.legal_actions()[-1])
                    self.assertNotEqual(other, state)
                    self.assertEqual((state.history(), state.board(), state.legal_actions()), before)
                    other.undo_action()
                    other.undo_action()
                    self.assertEqual(len(other.history()), 3)
                    self.assertEqual(state.history(), before[0])

    def test_batches(self):
        for name in ["breakthrough", "eximo"]:
            rules = boardwright.load(name)
            for how, made in COPIES.items():
                with self.subTest(name, how=how):
                    batch = rules.batch(20, threads=2, seed=7, max_plies=30)
                    batch.observe()
                    for _ in range(40):
                        batch.step(batch.sample())
                    draw = batch.sample()
                    other = made(batch)
                    self.assertEqual(len(other), 20)
                    np.testing.assert_array_equal(other.observe(), batch.observe())
                    if how == "copy":
                        self.assertIs(other.rules, rules)
                    for rounds in range(25):
                        for one, two in zip(batch.step(draw), other.step(draw)):
                            np.testing.assert_array_equal(one, two)
                        draw = batch.sample()
                        if rounds == 0 and how.endswith("pickle"):
                            self.assertEqual([row for row in batch.legal_actions()], [row for row in other.legal_actions()])
                        np.testing.assert_array_equal(draw, other.sample())

    def test_rules(self):
        rules = boardwright.load("tictactoe")
        self.assertEqual(len(rules.actions), 9)
        for how, made in COPIES.items():
            with self.subTest(how):
                other = made(rules)
                self.assertEqual(other, rules)
                self.assertEqual(hash(other), hash(rules))
                self.assertEqual(other.actions, rules.actions)
                other.explore_actions(most_actions=5)
                self.assertFalse(other.has_dense_actions)
                self.assertTrue(rules.has_dense_actions)
        self.assertNotEqual(rules, boardwright.load("hex", size=3))
        self.assertNotEqual(boardwright.load("hex", size=3), boardwright.load("hex", size=4))
        self.assertEqual(len({boardwright.load("hex"), boardwright.load("hex"), rules}), 2)

    def test_rules_take_their_files_with_them(self):
        text = "extends: breakthrough\ngame: Mine\n"
        rules = boardwright.loads(text, name="mine.yaml", columns=5)
        other = pickle.loads(pickle.dumps(rules))
        self.assertEqual((other.name, other.options), (rules.name, rules.options))
        self.assertEqual(other, rules)

    def test_another_process(self):
        state, batch = begun("chess"), boardwright.load("breakthrough").batch(4, seed=3)
        batch.step(batch.sample())
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            far = pool.apply(_carried_on, (state, batch))
        self.assertEqual(far, _carried_on(state, batch))

    def test_errors_come_through(self):
        try:
            boardwright.loads("game: 5", name="x.yaml")
        except boardwright.RulesError as error:
            other = pickle.loads(pickle.dumps(error))
            self.assertEqual((str(other), other.diagnostics), (str(error), error.diagnostics))
        self.assertEqual(str(pickle.loads(pickle.dumps(boardwright.Fault("x")))), "x")

    def test_equal_is_the_same_position_by_the_same_moves(self):
        rules = boardwright.load("tictactoe")

        def after(*moves, begin=None):
            state = rules.new_initial_state(begin)
            for move in moves:
                state.apply_action(state.string_to_action(move))
            return state

        self.assertEqual(after("a1", "b2"), after("a1", "b2"))
        self.assertNotEqual(after("a1", "b2", "c3"), after("c3", "b2", "a1"))
        self.assertNotEqual(after("a1", begin="play: b2"), after("a1"))
        self.assertNotEqual(after(begin="play: b2"), after(begin="play: a1"))
        self.assertNotEqual(after(begin="play: b2"), after("b2"))
        self.assertNotEqual(after(), boardwright.load("hex", size=3).new_initial_state())
        self.assertEqual(after(), boardwright.load("tictactoe").new_initial_state())
        self.assertNotEqual(after(), 3)
        self.assertEqual(len({after("a1"), after("a1"), after("b2")}), 2)

    def test_a_state_keeps_where_it_began(self):
        rules = boardwright.load("chess")
        for begin in ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "play: e2-e4 e7-e5", None]:
            state = rules.new_initial_state(begin)
            for _ in range(5):
                state.apply_action(state.legal_actions()[-1])
            again = rules.deserialize_state(state.serialize())
            self.assertEqual(again, state)
            self.assertEqual(again.serialize(), state.serialize())
            self.assertEqual(again.fen(), state.fen())

    def test_texts_that_are_no_states(self):
        rules = boardwright.load("tictactoe")
        good = json.loads(begun("tictactoe").serialize())
        self.assertEqual(rules.deserialize_state("[0, 1]").history(), [0, 1])  # as it was written before
        for wrong in [
            {**good, "moves": [["z9", 0]]},
            {**good, "moves": [["a1", -1]]},
            {**good, "moves": [["a1", 0.5]]},
            {**good, "moves": [["a1", True]]},
            {**good, "moves": "a1"},
            {**good, "moves": good["moves"] * 2},
            {**good, "position": "play: z9"},
            {**good, "position": 7},
            {**good, "rules": "0"},
            {**good, "boardwright state": 2},
            {},
            [3.5],
            [True],
            [99],
            ["a1"],
            None,
            "a1",
            5,
        ]:
            with self.subTest(wrong), self.assertRaises(ValueError):
                rules.deserialize_state(json.dumps(wrong))
        with self.assertRaises(ValueError):
            rules.deserialize_state("{")

    def test_a_move_whose_place_has_changed_is_found_by_its_text(self):
        state = begun("chess")
        content = json.loads(state.serialize())
        content["moves"] = [[text, 1000] for text, _ in content["moves"]]
        self.assertEqual(state.rules.deserialize_state(json.dumps(content)), state)

    def test_a_batch_of_other_rules(self):
        batch = boardwright.load("hex", size=4).batch(3)
        batch.step(batch.sample())
        made, rules, games, options, kept = batch.__reduce__()[1]
        restored = boardwright._restored_batch
        with self.assertRaises(ValueError):
            restored(made, boardwright.load("tictactoe"), games, options, kept)
        with self.assertRaises(ValueError):
            restored(made, rules, 4, options, kept)
        for places in [b"\xff" * 8, b"", b"\0" * 400]:
            with self.assertRaises(ValueError):
                restored(made, rules, games, options, [(places, 1, 1)] * 3)

    def test_nothing_is_made_from_nothing(self):
        state = begun("tictactoe")
        for kind in [boardwright.Rules, type(state._state), type(state.rules.batch(1)._batch)]:
            for make in [kind, lambda: kind.__new__(kind), lambda: object.__new__(kind)]:
                with self.assertRaises(TypeError):
                    make()


def _carried_on(state, batch):
    state.apply_action(state.legal_actions()[0])
    drawn = batch.sample()
    batch.step(drawn)
    return state.serialize(), state.history(), drawn.tolist(), batch.legal_actions()


class Numbers(unittest.TestCase):
    WRONG = [3.9, 3.0, np.float64(3), np.float32(3), True, False, np.bool_(True), "3", b"3", None, [3], np.array([3])]
    WRONG += [3 + 0j, float("nan"), float("inf"), np.datetime64("2020"), {}, object()]

    def test_actions_of_a_state(self):
        state = begun("tictactoe", 0)
        uses = [state.apply_action, state.child, state.action_to_string, state.action_parts, state.action_cells]
        for use in uses:
            for wrong in self.WRONG:
                with self.subTest(use=use.__name__, wrong=repr(wrong)), self.assertRaises(TypeError):
                    use(wrong)
            for wrong in [-1, 9, 2**63, 2**70, -(2**70), np.uint64(2**64 - 1), np.int64(-(2**63))]:
                with self.subTest(use=use.__name__, wrong=wrong), self.assertRaises(boardwright.Fault):
                    use(wrong)
        self.assertEqual(state.history(), [])
        for kind in [int, np.int8, np.uint8, np.int32, np.uint64, np.int64, np.intp, np.array]:
            self.assertEqual(state.child(kind(3)).history(), [3])

    def test_actions_of_a_batch(self):
        batch = boardwright.load("tictactoe").batch(2)
        whole = [[0, 1], (0, 1), np.array([0, 1], np.int8), np.array([0, 1], np.uint64), np.array([0, 1], ">i8")]
        whole += [np.array([[0, 5], [1, 5]])[:, 0], range(2)]
        for actions in whole:
            batch.step(actions)
            self.assertEqual([len(row) for row in batch.legal_actions()], [8, 8])
            batch.reset()
        for wrong in self.WRONG[:-2]:
            with self.subTest(repr(wrong)), self.assertRaises((TypeError, ValueError)):
                batch.step([wrong, wrong])
        for wrong in [np.zeros(2), np.zeros(2, bool), np.array(["0", "1"]), np.array([0, 1], object), [0, 1.0], [0, None]]:
            with self.subTest(repr(wrong)), self.assertRaises(TypeError):
                batch.step(wrong)
        for wrong in [0, [0], [0, 1, 2], [[0, 1]], []]:
            with self.subTest(repr(wrong)), self.assertRaises(ValueError):
                batch.step(wrong)
        for wrong in [[9, 9], np.full(2, 2**63, np.uint64), np.full(2, 2**64 - 1, np.uint64)]:
            with self.subTest(repr(wrong)), self.assertRaises(boardwright.Fault):
                batch.step(wrong)
        self.assertEqual([len(row) for row in batch.legal_actions()], [9, 9])

    def test_players_and_sizes(self):
        state = begun("tictactoe", 0)
        for use in [state.player_return, state.player_reward, state.observation]:
            for wrong in [-1, 2, 1000]:
                with self.assertRaises(ValueError):
                    use(wrong)
            with self.assertRaises(TypeError):
                use(0.5)
        with self.assertRaises(TypeError):
            state.legal_actions(0.0)
        for wrong in [{"games": -1}, {"games": 1.5}, {"games": 2**70}, {"games": 1, "threads": "2"}]:
            with self.assertRaises(TypeError):
                state.rules.batch(**wrong)
        for wrong in [0, -1]:
            with self.assertRaises(ValueError):
                state.rules.batch(1, max_plies=wrong)
        self.assertEqual(state.rules.batch(0).sample().shape, (0,))
        state.rules.batch(0).step([])
        with self.assertRaises((MemoryError, ValueError)):
            state.rules.batch(2**62)


ALARM = """
import os, signal, sys, threading, time
import numpy as np
import boardwright
def strike(after):
    def work():
        time.sleep(after)
        strike.at = time.time()
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=work, daemon=True).start()
"""


@unittest.skipUnless(hasattr(os, "fork"), "no signals and forks of this kind")
class Signals(unittest.TestCase):
    def told(self, script):
        done = subprocess.run([sys.executable, "-c", ALARM + script], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.returncode, 0)
        return done.stdout.split()

    def test_ctrl_c(self):
        # No test asserts a time, but one: a machine that is busy may take some tenths, all playouts would take hours.
        calls = {
            "rules.playouts(10**9, threads=2)": "breakthrough",
            "rules.playouts(10**9, max_plies=10**6)": "pegsolitaire",
            "batch.playouts(10**7)": "chess",
            "rules.explore_actions(most_actions=10**9) or rules.batch(10**6)": "arimaa",
            "[batch.step(batch.sample()) for _ in range(10**7)]": "hex",
            "rules.player('mcts').choose(rules.new_initial_state(), nodes=10**12)": "hex",
            "rules.player('auto').analyse(rules.new_initial_state(), lines=3, seconds=3000)": "chess",
            "rules.tree_search(64, threads=2).run(lambda planes: np.zeros(len(planes)), 10**6)": "connectfour",
        }
        for call, name in calls.items():
            with self.subTest(call):
                script = f"""
rules = boardwright.load("{name}")
batch = rules.batch(64, threads=2) if "explore" not in {call!r} else None
strike(0.3)
try:
    {call}
except KeyboardInterrupt:
    print("heard", time.time() - strike.at)
if batch: batch.step(batch.sample())
print("usable")
"""
                heard, seconds, usable = self.told(script)
                self.assertEqual((heard, usable), ("heard", "usable"))
                self.assertLess(float(seconds), 2)

    def test_ctrl_c_while_loading(self):
        # One that is refused at the end: until then definitions are unfolded.
        script = """
rules = ["game: G", "players: { White: north, Black: south }", "board: { squares: 3 by 3 }", "pieces: { man: w b }",
         "setup: { w: a1, b: a3 }", "turn: from own, lift, g19(go north | south), put", "define:", "  g0(A): A, pass"]
rules += [f"  g{k}(A): g{k - 1}(A), pass, g{k - 1}(A)" for k in range(1, 20)]
strike(0.05)
try:
    boardwright.loads("\\n".join(rules) + "\\n")
    print("loaded", time.time() - strike.at)
except KeyboardInterrupt:
    print("heard", time.time() - strike.at)
"""
        heard, seconds = self.told(script)
        self.assertEqual(heard, "heard")
        self.assertLess(float(seconds), 2)

    def test_other_handlers(self):
        script = """
rules = boardwright.load("breakthrough")
batch, seen = rules.batch(64), []
signal.signal(signal.SIGALRM, lambda *_: seen.append(1))
signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
while len(seen) < 3: rules.playouts(3000)
def use(*_):
    signal.setitimer(signal.ITIMER_REAL, 0)
    try: batch.sample()
    except RuntimeError: print("refused")
signal.signal(signal.SIGALRM, use)
signal.setitimer(signal.ITIMER_REAL, 0.1)
batch.playouts(4000)
class Late(Exception): pass
def late(*_): raise Late
signal.signal(signal.SIGALRM, late)
signal.setitimer(signal.ITIMER_REAL, 0.2)
try: batch.playouts(10**7)
except Late: print("late")
print(batch.playouts(1).shape)
"""
        self.assertEqual(self.told(script), ["refused", "late", "(64,", "2)"])

    def test_forks(self):
        script = """
rules = boardwright.load("breakthrough")
batch = rules.batch(64, seed=1)
thread = threading.Thread(target=lambda: batch.playouts(3000))
thread.start()
time.sleep(0.1)
child = os.fork()
if child == 0:
    try: batch.sample()
    except RuntimeError: print("refused", flush=True)
    other = rules.batch(4)
    other.step(other.sample())
    print("other", flush=True)
    os._exit(0)
print(os.waitpid(child, 0)[1], flush=True)
thread.join()
child = os.fork()
drawn = batch.sample()
batch.step(drawn)
if child == 0: os._exit(0)
print(os.waitpid(child, 0)[1])
"""
        self.assertEqual(self.told(script), ["refused", "other", "0", "0"])


if __name__ == "__main__":
    unittest.main()
