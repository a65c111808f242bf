"""What tree search and players promise. Run by ctest where BOARDWRIGHT_PYTHON is on."""

import contextlib
import copy
import importlib.util
import io
import os
import pathlib
import pickle
import tempfile
import threading
import unittest

import numpy as np
from rule_texts import DICE

import boardwright

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"

# Whoever puts his second piece on one of two cells wins; three players, who see one another.
THREE = """game: Three
players: [Red, Green, Blue]
board: { squares: 3 by 2 }
pieces: { man: r g b }
turn: choose c in empty, drop man on c, if count(own) = 2 and c in b2 | c2 then win
end: [draw when no move]
"""


class Network:
    """A fixed one of random weights: a value and a logit for each action."""

    def __init__(self, rules, seed=1):
        random = np.random.default_rng(seed)
        inputs, self.players = int(np.prod(rules.observation_shape)), rules.num_players()
        self.weights = random.normal(0, inputs**-0.5, (inputs, rules.num_distinct_actions() + self.players))

    def __call__(self, planes):
        out = planes.reshape(len(planes), -1).astype(np.float64) @ self.weights
        return np.tanh(out[:, : self.players]), 2 * out[:, self.players :]


class Reference:
    """The same search, written again and slowly: one leaf after the other."""

    def __init__(self, state, network, exploration, first_play):
        self.state, self.network = state, network
        self.exploration, self.first_play = exploration, first_play
        self.visits, self.sum, self.edges = 0, 0.0, None

    def simulate(self):
        """The value for each player."""
        players = self.state.num_players()
        if self.state.is_terminal():
            self.visits += 1
            return np.array(self.state.returns())
        mover = self.state.current_player()
        if self.edges is None:
            values, logits = self.network(self.state.observation()[None])
            legal = [a for a in self.state._state.legal()]
            logits = logits[0][legal].astype(np.float32)
            chances = np.exp(logits - logits.max())
            self.edges = {a: [p, 0, 0.0, None] for a, p in zip(legal, chances / chances.sum())}
            result = np.zeros(players)
            for seat in range(players):
                result[(mover + seat) % players] = np.float32(values[0][seat])
        else:
            edge, child = self.best()
            result = child.simulate()
            edge[1] += 1
            edge[2] += result[mover]
        self.visits += 1
        self.sum += result[mover]
        return result

    def best(self):
        root = self.exploration * max(self.visits, 1) ** 0.5
        first = (self.sum / self.visits if self.visits else 0) - self.first_play
        score = lambda e: (e[2] / e[1] if e[1] else first) + root * float(e[0]) / (1 + e[1])  # noqa: E731
        action = max(self.edges, key=lambda a: score(self.edges[a]))
        edge = self.edges[action]
        if edge[3] is None:
            edge[3] = Reference(self.state.child(action), self.network, self.exploration, self.first_play)
        return edge, edge[3]


def zero(planes):
    return np.zeros(len(planes))


class Trees(unittest.TestCase):
    def compare(self, rules, simulations, seed):
        network = Network(rules, seed)
        search = rules.tree_search(2, leaves=1, exploration=1.5, first_play=0.1)
        state = rules.new_initial_state()
        for _ in range(3):
            search.set_state(0, state)
            search.run(network, simulations)
            reference = Reference(state, network, 1.5, 0.1)
            for _ in range(simulations):
                reference.simulate()
            actions, visits, values, _ = search.roots()[0]
            expected = [reference.edges[action][1] for action in actions]
            self.assertEqual(visits.tolist(), expected)
            self.assertAlmostEqual(search.values()[0], reference.sum / reference.visits, places=4)
            best = int(actions[visits.argmax()])
            edge = reference.edges[best]
            self.assertAlmostEqual(float(values[visits.argmax()]), edge[2] / edge[1], places=4)
            state.apply_action(best)

    def test_it_visits_what_a_plain_search_visits(self):
        self.compare(boardwright.load("breakthrough", columns=5, rows=5), 150, 1)
        self.compare(boardwright.load("tictactoe"), 300, 2)
        self.compare(boardwright.loads(THREE), 200, 3)

    def test_it_finds_what_wins(self):
        rules = boardwright.load("tictactoe")
        search = rules.tree_search(2)
        state = rules.new_initial_state("play: a1 b1 a2 b2")
        search.set_state(1, state)
        search.run(zero, 200)
        self.assertEqual(state.action_to_string(search.choose()[1]), "a3")
        self.assertGreater(search.values()[1], 0.8)
        self.assertEqual(search.policy()[1].argmax(), search.choose()[1])
        self.assertAlmostEqual(float(search.policy()[0].sum()), 1, places=5)
        self.assertEqual(search.state(1), state)
        self.assertEqual(search.state(0), rules.new_initial_state())

    def test_few_moves_are_considered_and_halved(self):
        rules = boardwright.load("breakthrough", columns=5, rows=5)
        network = Network(rules)
        for considered, simulations in [(4, 8), (4, 30), (8, 24), (1, 5), (100, 40), (3, 11)]:
            count = min(considered, 13)  # moves that there are
            left, tried, schedule = count, 0, []
            while len(schedule) < simulations:
                for _ in range(max(1, simulations // (max(1, int(np.ceil(np.log2(count)))) * left))):
                    schedule += [tried] * left
                    tried += 1
                left = min(left, max(2, left // 2))
            schedule = schedule[:simulations]
            # Who is tried for the k-th time: so many have been tried more than k times.
            expected = sorted((schedule.count(k) for k in range(max(schedule) + 1)), reverse=True)
            for leaves in (1, 4):
                search = rules.tree_search(20, considered=considered, leaves=leaves, seed=considered)
                search.run(network, simulations + 1)
                for row in search.visits():
                    more_than = [int((row > k).sum()) for k in range(max(schedule) + 1)]
                    self.assertEqual(sorted(more_than, reverse=True), expected)
                policy = search.policy()
                self.assertTrue(np.allclose(policy.sum(axis=1), 1, atol=1e-4))
                chosen = search.choose()
                for row, action in zip(search.visits(), chosen):
                    self.assertEqual(row[action], row.max())
        self.assertGreater(len(set(chosen.tolist())), 1)  # noise makes them differ
        quiet = rules.tree_search(20, considered=8, gumbel=0)
        quiet.run(network, 25)
        self.assertEqual(len(set(quiet.choose().tolist())), 1)
        rewards, _, _ = quiet.play(quiet.choose())
        self.assertEqual(int(quiet.visits().sum()), 0)
        wins = boardwright.load("tictactoe").tree_search(10, considered=9)
        state = wins.rules.new_initial_state("play: a1 b1 a2 b2")
        for game in range(10):
            wins.set_state(game, state)
        wins.run(zero, 30)
        self.assertEqual({state.action_to_string(int(a)) for a in wins.choose()}, {"a3"})
        self.assertEqual({int(row.argmax()) for row in wins.policy()}, {state.string_to_action("a3")})
        for wrong in (-1.0, np.nan):
            with self.assertRaises(ValueError):
                rules.tree_search(gumbel=wrong)

    def test_a_puzzle_of_one_player(self):
        rules = boardwright.load("pegsolitaire")
        search = rules.tree_search(3, max_plies=40)
        while search.current_players().max() >= 0:
            search.run(zero, 20)
            _, terminated, truncated = search.play(search.choose())
            if terminated.any():
                break
        self.assertTrue(terminated.any() or truncated.any())

    def test_threads_change_nothing(self):
        rules = boardwright.load("breakthrough", columns=5, rows=5)
        network, told = Network(rules), []
        for threads in (1, 3):
            search = rules.tree_search(20, threads=threads, seed=5)
            for _ in range(4):
                search.add_noise(0.5)
                search.run(network, 30)
                visits = search.visits()
                search.play(search.choose(temperature=1))
            told.append(visits)
        self.assertTrue((told[0] == told[1]).all())
        self.assertGreater(len(np.unique(told[0], axis=0)), 10)  # noise makes them differ

    def test_rolls_are_the_same_however_often_the_work_is_interrupted(self):
        rules, told = boardwright.load("backgammon"), []
        for _ in range(2):  # each round takes longer than the lock is kept at once, so that it is broken off and goes on
            search = rules.tree_search(200, leaves=32, seed=5)
            search.run(zero, 100)
            told.append([(actions.tolist(), visits.tolist()) for actions, visits, *_ in search.roots()])
        self.assertEqual(told[0], told[1])

    def test_leaves_come_in_one_array_and_differ(self):
        rules = boardwright.load("breakthrough", columns=5, rows=5)
        search = rules.tree_search(6, leaves=4)
        self.assertEqual(len(search.leaves(50)), 6)  # the roots
        self.assertEqual(search.leaf_games.tolist(), list(range(6)))
        search.give(np.zeros(6))
        planes = search.leaves(50)
        self.assertEqual(planes.shape, (24, *rules.observation_shape))
        self.assertEqual(len({p.tobytes() for p in planes[:4]}), 4)
        self.assertEqual(search.leaf_players.tolist(), [1] * 24)
        mask = search.leaf_mask()
        self.assertEqual(mask.shape, (24, rules.num_distinct_actions()))
        actions, begins = search.leaf_actions()
        self.assertEqual(np.flatnonzero(mask[5]).tolist(), sorted(actions[begins[5] : begins[6]]))
        search.give(np.zeros(24), np.zeros(len(actions)))
        state = search.state(0)
        state.apply_action(int(search.roots()[0][0][0]))
        self.assertTrue(any((state.observation() == p).all() for p in planes[:4]))
        self.assertEqual(int(search.visits()[0].sum()), 4)  # one less than visits of the root
        search.run(zero, 50)
        self.assertEqual(search.visits().sum(axis=1).tolist(), [49] * 6)

    def test_what_is_given_must_fit(self):
        rules = boardwright.load("tictactoe")
        search = rules.tree_search(3)
        search.leaves(10)
        for values, logits in [
            (np.zeros(2), None),
            (np.zeros((3, 3)), None),
            (np.full(3, np.nan), None),
            (np.zeros(3), np.zeros(4)),
            (np.zeros(3), np.zeros((3, 2))),
            (np.zeros(3), np.full((3, rules.num_distinct_actions()), np.nan)),
            (np.zeros(3), np.full((3, rules.num_distinct_actions()), np.inf)),
        ]:
            with self.assertRaises(ValueError):
                search.give(values, logits)
        search.give(np.zeros((3, 2)), np.full((3, rules.num_distinct_actions()), -np.inf))  # none: all alike
        self.assertAlmostEqual(float(search.roots()[0][3].sum()), 1, places=5)
        search.leaves(10)
        search.leaves(10)  # those before are forgotten
        with self.assertRaises(ValueError):
            search.give(np.zeros(48))
        search.give(np.zeros(24))
        with self.assertRaises(ValueError):
            search.give(np.zeros(24))  # there are none any more
        three = boardwright.loads(THREE).tree_search()
        three.leaves(1)
        with self.assertRaises(ValueError):  # one number doesn't tell of three
            three.give(np.zeros(1))
        for bad in ({"games": 0}, {"leaves": 0}, {"max_plies": 0}, {"exploration": -1.0}, {"virtual_loss": np.inf}):
            with self.assertRaises(ValueError):
                rules.tree_search(**bad)
        for alpha, share in ((0, 0.5), (1, 2), (np.nan, 0.5)):
            with self.assertRaises(ValueError):
                search.add_noise(alpha, share)
        with self.assertRaises(ValueError):
            search.choose(-1)
        with self.assertRaises(ValueError):
            search.state(3)

    def test_games_go_on_and_what_was_found_is_kept(self):
        rules = boardwright.load("tictactoe")
        search = rules.tree_search(2, auto_reset=False)
        states = [rules.new_initial_state() for _ in range(2)]
        while not all(state.is_terminal() for state in states):
            search.run(zero, 60)
            actions = search.choose()
            kept = [int(search.visits()[i, a]) for i, a in enumerate(actions)]
            rewards, terminated, truncated = search.play(actions)
            for i, state in enumerate(states):
                if actions[i] < 0:
                    continue
                state.apply_action(int(actions[i]))
                self.assertEqual(search.state(i), state)
                self.assertEqual(rewards[i].tolist(), state.returns())
                self.assertEqual(bool(terminated[i]), state.is_terminal())
                if not terminated[i]:
                    self.assertEqual(search.visits()[i].sum() + 1, kept[i])
                    self.assertTrue((search.observe()[i] == state.observation()).all())
            self.assertFalse(truncated.any())
        self.assertEqual(search.choose().tolist(), [-1, -1])
        self.assertEqual(len(search.leaves(100)), 0)
        self.assertEqual(search.current_players().tolist(), [-1, -1])
        with self.assertRaises(boardwright.Fault):
            search.play([0, -1])
        search.reset()
        self.assertEqual(search.state(0), rules.new_initial_state())
        copied = pickle.loads(pickle.dumps(search.state(1)))
        self.assertEqual(copied, search.state(1))

    def test_an_ended_game_begins_anew_and_a_long_one_is_cut_off(self):
        rules = boardwright.load("breakthrough")
        search = rules.tree_search(2, max_plies=3)
        for ply in range(3):
            search.run(zero, 10)
            rewards, terminated, truncated = search.play(search.choose())
            self.assertEqual(truncated.tolist(), [ply == 2] * 2)
            self.assertFalse(terminated.any() or rewards.any())
        self.assertEqual(search.state(0).move_number(), 0)

    def test_illegal_actions(self):
        search = boardwright.load("tictactoe").tree_search(2)
        for actions, error in (([0], ValueError), ([0.5, 1.0], TypeError), ([99, 0], boardwright.Fault)):
            with self.assertRaises(error):
                search.play(actions)
        self.assertEqual([search.state(i).move_number() for i in range(2)], [0, 1])  # the others have gone on

    def test_nature_is_drawn(self):
        rules = boardwright.loads(DICE)
        search = rules.tree_search(600, seed=3)
        self.assertEqual(len(search.leaves(10)), 0)  # nobody thinks about a roll
        rolls = search.choose()
        names = [rules.new_initial_state().action_to_string(int(a)) for a in rolls]
        self.assertGreater(names.count("(3)"), 230)
        self.assertLess(names.count("(1)"), 170)
        search.play(rolls)
        search.run(zero, 40)
        self.assertEqual(search.visits().sum(axis=1).tolist(), [39] * 600)
        # Whoever moves now wins with the roll that follows, or before.
        sure = rules.tree_search(1)
        sure.set_state(0, rules.new_initial_state('{ to_move: White, state: { total: 8 }, play: "(1)" }'))
        sure.run(zero, 10)
        self.assertGreater(sure.values()[0], 0.7)

    def test_what_is_hidden_is_refused(self):
        with self.assertRaisesRegex(ValueError, "hidden"):
            boardwright.load("kuhn").tree_search()

    def test_the_room_of_a_tree(self):
        rules = boardwright.load("tictactoe")
        rules.tree_search(most_edges=9 + 8).run(zero, 2)
        with self.assertRaisesRegex(boardwright.Fault, "most_edges"):
            rules.tree_search(most_edges=9 + 7).run(zero, 2)
        rules.tree_search(most_edges=2**31 - 1)
        for wrong in (0, 2**31):
            with self.assertRaises(ValueError):
                rules.tree_search(most_edges=wrong)

    def test_games_without_dense_actions(self):
        rules = boardwright.load("eximo")
        self.assertFalse(rules.has_dense_actions)
        search = rules.tree_search(2)

        def evaluate(planes):
            actions, begins = search.leaf_actions()
            self.assertEqual(len(begins), len(planes) + 1)
            return np.zeros(len(planes)), np.arange(len(actions)) % 3

        search.run(evaluate, 30)
        actions, visits, _, _ = search.roots()[0]
        self.assertEqual(int(visits.sum()), 29)
        search.play([int(actions[visits.argmax()]), -1])
        with self.assertRaises(ValueError):
            search.visits()
        with self.assertRaises(ValueError):
            search.leaf_mask()

    def test_states_of_other_rules_and_copies(self):
        rules = boardwright.load("tictactoe")
        search = rules.tree_search()
        with self.assertRaises(ValueError):
            search.set_state(0, boardwright.load("breakthrough").new_initial_state())
        with self.assertRaises(TypeError):
            pickle.dumps(search)
        with self.assertRaises(TypeError):
            copy.copy(search)

    def test_threads_of_the_caller_take_turns(self):
        rules = boardwright.load("breakthrough", columns=5, rows=5)
        search = rules.tree_search(16)

        def use():
            for _ in range(30):
                with contextlib.suppress(ValueError):  # another one's leaves
                    search.give(zero(search.leaves(1000)))

        threads = [threading.Thread(target=use) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertGreater(search.visits().sum(), 0)

    def test_the_example(self):
        spec = importlib.util.spec_from_file_location("search_example", EXAMPLES / "search.py")
        example = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(example)
        with contextlib.redirect_stdout(io.StringIO()):
            before, after = example.main(rounds=6)
        self.assertGreater(after, before)


class Players(unittest.TestCase):
    def test_it_plays_and_tells_what_it_thinks(self):
        rules = boardwright.load("tictactoe")
        state = rules.new_initial_state("play: a1 b1 a2 b2")
        player = rules.player("auto", seed=2)
        self.assertEqual(state.action_to_string(player.choose(state, nodes=500)), "a3")
        lines = player.analyse(state, lines=3, nodes=3000)
        self.assertEqual(len(lines), 3)
        self.assertEqual(lines[0]["proof"], "win")
        self.assertEqual(lines[0]["value"], 1)
        self.assertEqual(lines[0]["line"], ["a3"])
        self.assertEqual(len({line["action"] for line in lines}), 3)
        self.assertGreaterEqual(lines[0]["value"], lines[1]["value"])
        self.assertEqual(state.history(), [])
        self.assertIn("auto", repr(player))

    def test_a_level_beats_chance(self):
        rules = boardwright.load("breakthrough", columns=5, rows=5)
        random = np.random.default_rng(1)
        player, won = rules.player("level:3", seed=1), 0
        for game in range(6):
            state = rules.new_initial_state()
            while not state.is_terminal():
                own = state.current_player() == game % 2
                action = player.choose(state, nodes=300) if own else random.choice(state.legal_actions())
                state.apply_action(action)
            won += state.returns()[game % 2] > 0
        self.assertGreaterEqual(won, 5)

    def test_all_sorts_of_games(self):
        for name in ("pig", "kuhn", "pegsolitaire", "eximo"):
            with self.subTest(name):
                rules = boardwright.load(name)
                state, player = rules.new_initial_state(), rules.player("auto")
                for _ in range(6):
                    if not state.is_terminal():
                        state.apply_action(player.choose(state, nodes=50))
        three = boardwright.loads(THREE)
        state, players = three.new_initial_state(), [three.player("mcts", seed=seed) for seed in range(3)]
        while not state.is_terminal():
            state.apply_action(players[state.current_player()].choose(state, nodes=50))

    def test_what_is_asked_wrongly(self):
        rules = boardwright.load("tictactoe")
        state = rules.new_initial_state()
        for description in ("wizard", "level:11", "", "ugi:true"):
            with self.assertRaises(ValueError):
                rules.player(description)
        with self.assertRaises(ValueError):
            rules.player("auto", weights="nowhere.weights.yaml")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "other.weights.yaml")
            with open(path, "w") as file:
                file.write("weights: Other\nrules: 0123456789abcdef\nfeatures:\n  piece/man: 0.41\n")
            with self.assertRaises(ValueError):
                rules.player("auto", weights=path)
        player = rules.player("auto")
        for wrong in ({"seconds": 0}, {"seconds": -1}, {"seconds": float("nan")}, {"nodes": 0}):
            with self.assertRaises(ValueError):
                player.choose(state, **wrong)
        for lines in (0, 257):
            with self.assertRaises(ValueError):
                player.analyse(state, lines=lines, nodes=10)
        self.assertEqual(len(player.analyse(state, lines=256, nodes=10)), 9)
        with self.assertRaises(ValueError):
            player.choose(boardwright.load("breakthrough").new_initial_state())
        over = rules.new_initial_state("play: a1 b1 a2 b2 a3")
        with self.assertRaises(ValueError):
            player.choose(over, nodes=10)
        self.assertEqual(player.analyse(over, nodes=10), [])
        with self.assertRaises(TypeError):
            pickle.dumps(player)


if __name__ == "__main__":
    unittest.main()
