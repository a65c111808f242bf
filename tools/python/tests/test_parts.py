"""Moves that are chosen part by part. Run by ctest where BOARDWRIGHT_PYTHON is on."""

import copy
import os
import pickle
import unittest

import numpy as np

import boardwright

# Of few and of many choices; with boards of one word and of several; where moves end that others go on from.
GAMES = """eximo chess internationaldraughts intermedium amazons tzaar yinsh quoridor shogi hex blokus pig
    backgammon kuhn tictactoe pegsolitaire scalus""".split()
POSITIONS = int(os.environ.get("BOARDWRIGHT_POSITIONS", 3))
MOST_MOVES = 2500  # all of them are reached, each from the start

# Choices that no cell has the number of, and moves that end where others go on.
WIDE = """game: Wide
players: [White, Black]
board: { squares: 2 by 2 }
pieces: { man: w b }
turn: choose n in 60 .. 70, ((choose m in 4000 .. 4003, say m) or nothing), say n, drop man on empty
end: [draw when no move, draw when ply > 2]
"""


def sequences(state):
    """How often each action is reached, by going all ways through its parts."""
    reached = {}
    ways = [state.clone()]
    while ways:
        way = ways.pop()
        for part in way.legal_parts():
            child = way.clone()
            if child.apply_part(part):
                action = child.history()[-1]
                reached[action] = reached.get(action, 0) + 1
            else:
                ways.append(child)
    return reached


class Parts(unittest.TestCase):
    def check_positions(self, rules, random, positions):
        state, checked = rules.new_initial_state(), 0
        for _ in range(positions * 12):
            if state.is_terminal():
                state = rules.new_initial_state()
            legal = state.legal_actions()
            if len(legal) <= MOST_MOVES and checked < positions and random.random() < 0.3:
                self.assertEqual(sequences(state), {action: 1 for action in legal})
                checked += 1
            self.assertFalse(state.chosen_parts() and state.forget_parts())
            parts = state.legal_parts()
            while not state.apply_part(int(random.choice(parts))):
                parts = state.legal_parts()
                self.assertGreater(len(parts), 1)  # what can't be otherwise is no choice
                self.assertEqual(parts, sorted(set(parts)))
            self.assertIn(state.history()[-1], legal)
        return checked

    def test_each_move_is_reached_in_exactly_one_way(self):
        random = np.random.default_rng(1)
        for name in GAMES:
            with self.subTest(name):
                checked = self.check_positions(boardwright.load(name), random, POSITIONS)
                self.assertGreater(checked, 0)

    def test_choices_of_other_numbers(self):
        rules = boardwright.loads(WIDE)
        state = rules.new_initial_state()
        self.assertEqual(rules.num_parts(), 66)
        self.assertEqual(sequences(state), {action: 1 for action in state.legal_actions()})
        self.assertLess(max(state.legal_parts()), rules.num_parts())
        self.assertGreater(self.check_positions(rules, np.random.default_rng(2), 5), 0)

    def test_parts_of_a_state(self):
        rules = boardwright.load("tictactoe")
        state = rules.new_initial_state("play: a1 b1 a2 b2")
        mask = state.legal_parts_mask()
        self.assertEqual(mask.shape, (rules.num_parts(),))
        self.assertEqual(np.flatnonzero(mask).tolist(), state.legal_parts())
        for wrong in (-1, rules.num_parts(), int(np.flatnonzero(mask == 0)[0])):
            with self.assertRaises(boardwright.Fault):
                state.apply_part(wrong)
        with self.assertRaises(TypeError):
            state.apply_part(1.0)
        self.assertTrue(state.apply_part(state.legal_parts()[0]))
        state.undo_action()
        over = rules.new_initial_state("play: a1 b1 a2 b2 a3")
        self.assertEqual(over.legal_parts(), [])
        with self.assertRaises(boardwright.Fault):
            over.apply_part(0)
        last = rules.new_initial_state("play: a1 b1 c1 b2 a2 a3 b3 c2")
        self.assertEqual(last.legal_parts(), [rules.num_parts() - 1])  # one move alone
        self.assertTrue(last.apply_part(rules.num_parts() - 1))

    def test_a_move_that_is_not_whole(self):
        rules = boardwright.load("chess")
        state = rules.new_initial_state()
        first = state.legal_parts()
        self.assertFalse(state.apply_part(first[0]))
        self.assertEqual(state.chosen_parts()[0], first[0])
        self.assertNotEqual(state.legal_parts(), first)
        other = copy.deepcopy(state)
        self.assertEqual(other.chosen_parts(), state.chosen_parts())
        state.forget_parts()
        self.assertEqual(state.legal_parts(), first)
        while not other.apply_part(other.legal_parts()[0]):
            self.assertGreater(len(other.chosen_parts()), 1)
        self.assertEqual(other.chosen_parts(), [])
        state.apply_part(first[0])
        state.apply_action(state.legal_actions()[0])  # a whole move begins the next one anew
        self.assertEqual(state.chosen_parts(), [])

    def test_batches(self):
        rules = boardwright.load("eximo")
        told = []
        for threads in (1, 2):
            random, batch = np.random.default_rng(4), rules.batch(40, threads=threads, max_plies=30)
            states = [rules.new_initial_state() for _ in range(40)]
            moves = 0
            for step in range(120):
                mask = batch.parts_mask()
                self.assertEqual(mask.shape, (40, rules.num_parts()))
                if step < 20:
                    for row, state in zip(mask, states):
                        self.assertEqual(np.flatnonzero(row).tolist(), state.legal_parts())
                    chosen = [state.chosen_parts() for state in states]
                    self.assertEqual(batch.chosen_parts(), chosen)
                parts = np.array([random.choice(np.flatnonzero(row)) for row in mask])
                rewards, terminated, truncated, played = batch.step_parts(parts)
                moves += int(played.sum())
                self.assertFalse(((terminated | truncated) & ~played).any())
                if step < 20:
                    self.assertEqual([state.apply_part(int(p)) for p, state in zip(parts, states)], played.tolist())
            told.append((moves, batch.observe(), rewards))
        self.assertEqual(told[0][0], told[1][0])
        self.assertTrue((told[0][1] == told[1][1]).all())
        self.assertLess(told[0][0], 40 * 120)
        copied = batch.copy()
        self.assertEqual(copied.chosen_parts(), batch.chosen_parts())
        again = pickle.loads(pickle.dumps(batch))  # without moves that aren't whole
        self.assertTrue((again.observe() == batch.observe()).all())
        before = batch.chosen_parts()
        with self.assertRaises(boardwright.Fault):
            batch.step_parts([rules.num_parts()] + [-1] * 39)
        self.assertEqual(batch.chosen_parts(), before)
        with self.assertRaises(ValueError):
            batch.step_parts([0])


if __name__ == "__main__":
    unittest.main()
