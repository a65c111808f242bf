"""The action space of every bundled game: random moves part by part, and positions gone through in all ways.

Run by ctest where BOARDWRIGHT_PYTHON is on, with a few positions of some games. By hand, for all of them:

    PYTHONPATH=build/release/tools/python python3 tools/python/tests/test_all_games.py --actions 100000 --positions 1000

A move of a position is reached by exactly one sequence of parts, and every sequence is a move. Games are told a line
each; the exit status is 1 if something was found.
"""

import argparse
import sys
import time
import unittest

import numpy as np

import boardwright

MOST_MOVES = 5000  # of a position that is gone through


def sequences(state):
    """How often each action is reached, by going all ways through its parts; and what of the parts is wrong."""
    reached, wrong = {}, []
    ways = [(state.clone(), ())]
    while ways:
        way, chosen = ways.pop()
        parts = way.legal_parts()
        if sorted(set(parts)) != parts or (len(parts) < 2 and (chosen or len(state.legal_actions()) > 1)):
            wrong.append(f"parts {parts} behind {chosen}")
        for part in parts:
            child = way.clone()
            if child.apply_part(part):
                action = child.history()[-1]
                reached[action] = reached.get(action, 0) + 1
            else:
                ways.append((child, (*chosen, part)))
    return reached, wrong


class Checked:
    """What was seen of a game."""

    def __init__(self, rules, seed):
        self.rules, self.seed = rules, seed
        self.actions = self.positions = self.skipped = self.most = 0
        self.faults = []

    def play(self, actions, seconds):
        """Random moves of a batch, each chosen part by part."""
        random, end = np.random.default_rng(self.seed), time.monotonic() + seconds
        batch = self.rules.batch(max(1, min(64, actions // 50)), threads=1, seed=self.seed, max_plies=300)
        while self.actions < actions and time.monotonic() < end:
            mask = batch.parts_mask()
            if not mask.any(axis=1).all():
                self.faults.append(f"a position that isn't over has no parts, after {self.actions} actions")
                return
            # One of each row, all alike: the largest of random numbers.
            parts = np.where(mask, random.random(mask.shape), -1.0).argmax(axis=1)
            self.actions += int(batch.step_parts(parts)[3].sum())

    def go_through(self, positions, seconds):
        """Positions of random games, each with its moves and all ways to come to one."""
        random, end = np.random.default_rng(self.seed), time.monotonic() + seconds
        state, plies = self.rules.new_initial_state(), 0
        while self.positions < positions and time.monotonic() < end:
            if state.is_terminal() or plies > 300:
                state, plies = self.rules.new_initial_state(), 0
                continue
            try:
                legal = state.legal_actions()
            except boardwright.Fault:  # too many to be listed: parts alone are asked for
                legal = []
            self.most = max(self.most, len(legal))
            if not 0 < len(legal) <= MOST_MOVES:
                self.skipped += 1
                if self.skipped > positions:
                    return
            else:
                reached, wrong = sequences(state)
                self.positions += 1
                if reached != {action: 1 for action in legal}:
                    twice = [action for action, times in reached.items() if times > 1]
                    wrong.append(f"{len(legal)} moves, {len(reached)} reached, {len(twice)} more than once")
                if wrong:
                    self.faults.append(f"{wrong[0]}: {state.serialize()}")
                    return
            if legal:
                state.apply_action(int(random.choice(legal)))
            else:
                while not state.apply_part(int(random.choice(state.legal_parts()))):
                    pass
            plies += 1


def check(name, actions, positions, seed=1, seconds=1e9):
    checked = Checked(boardwright.load(name), seed)
    try:
        checked.play(actions, seconds)
        checked.go_through(positions, seconds)
    except boardwright.Fault as fault:
        checked.faults.append(f"fault: {fault}")
    return checked


class AllGames(unittest.TestCase):
    def test_some_moves_of_some_games(self):
        for name in boardwright.games()[::12]:
            with self.subTest(name):
                checked = check(name, actions=100, positions=2, seconds=5)
                self.assertEqual(checked.faults, [])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--actions", type=int, default=100_000, help="random moves of each game")
    parser.add_argument("--positions", type=int, default=1000, help="that are gone through, of each game")
    parser.add_argument("--seconds", type=float, default=1e9, help="for the moves of a game, and for its positions")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("games", nargs="*", help="all bundled ones, if none is named")
    asked = parser.parse_args()
    found = 0
    for name in asked.games or boardwright.games():
        begin = time.process_time()
        checked = check(name, asked.actions, asked.positions, asked.seed, asked.seconds)
        print(
            f"{name}: {checked.actions} actions, {checked.positions} positions, {checked.skipped} with more than "
            f"{MOST_MOVES} moves, at most {checked.most} moves, {checked.rules.num_parts()} parts, "
            f"{time.process_time() - begin:.1f} s",
            flush=True,
        )
        for fault in checked.faults:
            print(f"  {fault}", flush=True)
        found += len(checked.faults)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
