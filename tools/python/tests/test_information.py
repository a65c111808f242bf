"""What players know, as numbers; arrays of other libraries and types; dice in batches; pictures as arrays."""

import copy
import importlib.util
import os
import pickle
import random
import shutil
import struct
import sys
import unittest
import unittest.mock
import zlib

import numpy as np
from rule_texts import DICE

import boardwright
from boardwright import _picture

# Games that hide something, with options that make positions come about again and again.
HIDDEN = [
    ("kuhn", {}),
    ("leduc", {}),
    ("liars_dice", {"faces": 3}),
    ("goofspiel", {"cards": 3}),
    ("phantom_tictactoe", {}),
    ("darkhex", {"size": 3}),
    ("darkchess", {}),
    ("banqi", {}),
    ("battleship", {}),
    ("kriegspiel", {}),
]
# Only the second player is told what was chosen; there is nothing else to be seen.
WHISPER = """game: Whisper
players: [One, Two]
board: { squares: 1 by 1 }
pieces: { pot: neutral o }
setup: { o: a1 }
state: { word: { private: 0 }, said: 0 }
turn: |
  if word = 0 then secretly (choose n in 1 .. 3, say n, set word = n)
  else (choose n in 1 .. 3, say n, set said = n, if n = enemy.word then win else lose)
"""


def draw(state, choose):
    if state.is_chance_node():
        actions, chances = zip(*state.chance_outcomes())
        return choose.choices(actions, chances)[0]
    return choose.choice(state.legal_actions())


def games_of(rules, count, most_moves, seed=1):
    """The states of random games, up to so many moves."""
    choose = random.Random(seed)
    for _ in range(count):
        state = rules.new_initial_state()
        yield state
        while not state.is_terminal() and state.move_number() < most_moves:
            state.apply_action(draw(state, choose))
            yield state


class OneToOne:
    """That two descriptions of the same things tell the same things apart."""

    def __init__(self, test):
        self.test, self.forth, self.back = test, {}, {}

    def see(self, one, other):
        self.test.assertEqual(self.forth.setdefault(one, other), other)
        self.test.assertEqual(self.back.setdefault(other, one), one)


class Knowledge(unittest.TestCase):
    def test_what_is_seen_has_the_same_numbers_where_it_has_the_same_text(self):
        for name, options in HIDDEN:
            with self.subTest(name):
                rules = boardwright.load(name, **options)
                seen = [OneToOne(self) for _ in rules.players]
                for state in games_of(rules, 60, 24):
                    for player, pairs in enumerate(seen):
                        pairs.see(state.observation_string(player), state.observation(player).tobytes())

    def test_what_is_known_has_the_same_numbers_where_it_has_the_same_text(self):
        moves = 12
        for name, options in HIDDEN:
            with self.subTest(name):
                rules = boardwright.load(name, **options)
                known = [OneToOne(self) for _ in rules.players]
                for state in games_of(rules, 120, moves):
                    for player, pairs in enumerate(known):
                        rows = state.information_state(player, moves=moves)
                        self.assertEqual(rows.shape, rules.information_state_shape(moves))
                        self.assertEqual(int(rows[:, 0].sum()), len(state.history()) + 1)
                        pairs.see(state.information_state_string(player), rows.tobytes())

    def test_rows_tell_who_moved_how_it_is_read_and_what_is_seen(self):
        rules = boardwright.load("kuhn")
        state = rules.new_initial_state()
        for text in ["<(2)>", "<(3)>", "bet"]:
            state.apply_action(state.string_to_action(text))
        planes = int(np.prod(rules.observation_shape))
        for player in range(2):
            rows = state.information_state(player, moves=4)
            movers = rows[:, 1:4]  # himself, the other one, nature
            np.testing.assert_array_equal(movers[:5].argmax(axis=1)[1:4], [2, 2, player])
            np.testing.assert_array_equal(movers.sum(axis=1), [0, 1, 1, 1, 0])
            letters = np.packbits(rows[:, 4:-planes].astype(np.uint8), axis=1, bitorder="little")
            read = [bytes(line).rstrip(b"\0").decode() for line in letters]
            self.assertEqual(read[3], "bet")
            self.assertEqual(read[1 + player], ["(2)", "(3)"][player])
            self.assertNotIn(["(3)", "(2)"][player], read[1:3])
            np.testing.assert_array_equal(rows[3, -planes:], state.observation(player).ravel())
            self.assertFalse(rows[4].any())

    def test_secrets_without_other_sights_are_kept(self):
        rules = boardwright.loads(WHISPER)
        self.assertTrue(rules.hides)
        other = []
        for text in ["1", "3"]:
            state = rules.new_initial_state()
            state.apply_action(state.string_to_action(text))
            other.append([state.observation(1), state.information_state(1, moves=2)])
            self.assertEqual(state.information_state(0, moves=2).shape, rules.information_state_shape(2))
        for one, two in zip(*other):
            np.testing.assert_array_equal(one, two)

    def test_how_many_moves_there_is_room_for(self):
        rules = boardwright.load("kuhn")
        state = rules.new_initial_state()
        state.apply_action(state.legal_actions()[0])
        self.assertEqual(len(state.information_state_tensor(0, moves=1)), np.prod(rules.information_state_shape(1)))
        with self.assertRaisesRegex(boardwright.Fault, "more than 0 moves"):
            state.information_state_tensor(0, moves=0)
        for wrong in (-1, 2**31):
            with self.assertRaises(ValueError):
                state.information_state(0, moves=wrong)
        with self.assertRaises(ValueError):
            state.information_state_tensor(0)
        with self.assertRaises(ValueError):
            state.information_state(2, moves=1)
        open_game = boardwright.load("tictactoe").new_initial_state()
        self.assertEqual(open_game.information_state_tensor(), open_game.observation_tensor())


class OtherLibrary:
    """An array that shows nothing of itself but its memory, as DLPack has it."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return (1, 0)


class Arrays(unittest.TestCase):
    def setUp(self):
        self.rules = boardwright.load("breakthrough", columns=5, rows=5)
        self.batch = self.rules.batch(7, seed=3)
        for _ in range(9):
            self.batch.step(self.batch.sample())

    def test_bytes_are_the_same_numbers(self):
        planes, small = self.batch.observe(), self.batch.observe(dtype=np.uint8)
        self.assertEqual(small.dtype, np.uint8)
        np.testing.assert_array_equal(small, planes)
        self.assertEqual(self.batch.mask(dtype="uint8").dtype, np.uint8)
        np.testing.assert_array_equal(self.batch.mask(dtype="uint8"), self.batch.mask())
        np.testing.assert_array_equal(self.batch.parts_mask(dtype="uint8"), self.batch.parts_mask())
        for wrong in (np.int8, np.float64, bool):
            with self.assertRaises(ValueError):
                self.batch.observe(dtype=wrong)

    def test_what_bytes_have_no_room_for_is_a_fault(self):
        count = boardwright.loads(
            "game: Count\nplayers: [One, Two]\nboard: { squares: 1 by 1 }\npieces: { man: a b }\nsetup: { a: a1 }\n"
            "state: { sum: 250 }\nturn: (say \"up\", set sum = sum + 5) or (say \"down\", set sum = sum - 251)\n"
            "end: [draw when ply > 9]\n"
        )
        batch = count.batch(1, seed=1)
        up, down = sorted(batch.legal_actions()[0])
        if count.actions[up] != "up":
            up, down = down, up
        batch.step([up])
        self.assertEqual(batch.observe(dtype=np.uint8).max(), 255)
        for action in (up, down):
            other = count.batch(1)
            if action == up:
                other.step([up])
            other.step([action])
            with self.assertRaisesRegex(boardwright.Fault, "state/sum"):
                other.observe(dtype=np.uint8)

    def test_memory_of_another_library_is_written_into(self):
        planes = self.batch.observe()
        for dtype in (np.float32, np.uint8):
            array = np.zeros(planes.shape, dtype)
            out = OtherLibrary(array)
            self.assertIs(self.batch.observe(out, dtype=dtype), out)
            np.testing.assert_array_equal(array, planes)
        mask = np.zeros((7, self.rules.num_distinct_actions()), np.uint8)
        self.batch.mask(OtherLibrary(mask), dtype=np.uint8)
        np.testing.assert_array_equal(mask, self.batch.mask())

    def test_what_comes_out_is_handed_on_without_a_copy(self):
        for answer in (self.batch.observe(), self.batch.observe(dtype=np.uint8), self.batch.mask(dtype=np.uint8)):
            again = np.from_dlpack(answer)
            self.assertTrue(np.shares_memory(again, answer))

    def test_memory_of_another_shape_or_type_is_refused(self):
        shape = self.batch.observe().shape
        for array in (
            np.zeros(shape, np.float64),
            np.zeros(shape, np.uint8),
            np.zeros(shape[1:], np.float32),
            np.zeros(shape[::-1], np.float32),
            np.zeros((*shape[:-1], 2 * shape[-1]), np.float32)[..., ::2],
        ):
            with self.assertRaises(ValueError):
                self.batch.observe(OtherLibrary(array))
            self.assertFalse(array.any())
        with self.assertRaises(ValueError):
            self.batch.observe(out="no array")


class Dice(unittest.TestCase):
    def test_only_players_are_asked(self):
        for rules in (boardwright.loads(DICE), boardwright.load("pig", goal=20), boardwright.load("backgammon")):
            with self.subTest(rules.name):
                batch = rules.batch(12, seed=5, rolls=True, max_plies=300)
                random = np.random.default_rng(1)
                ended = 0
                for _ in range(120):
                    movers = batch.current_players()
                    self.assertTrue((movers >= 0).all())
                    rewards, over, cut = batch.step([random.choice(legal) for legal in batch.legal_actions()])
                    ended += int((over | cut).sum())
                    np.testing.assert_allclose(rewards.sum(axis=1), 0)
                    self.assertFalse(rewards[~over].any())
                self.assertGreater(ended, 0)

    def test_rolls_come_by_their_weight_and_the_seed(self):
        rules = boardwright.loads(DICE)
        games = 3000
        batch = rules.batch(games, seed=2, rolls=True)
        totals = batch.observe()[:, rules.planes.index("state/total"), 0, 0]
        for roll, share in ((1, 1 / 6), (2, 2 / 6), (3, 3 / 6)):
            self.assertAlmostEqual((totals == roll).mean(), share, delta=0.04)
        again = rules.batch(games, seed=2, rolls=True, threads=2)
        np.testing.assert_array_equal(again.observe(), batch.observe())
        other = rules.batch(games, seed=3, rolls=True)
        self.assertTrue((other.observe() != batch.observe()).any())

    def test_copies_and_pickles_go_on_alike(self):
        rules = boardwright.load("pig", goal=30)
        batch = rules.batch(9, seed=4, rolls=True)
        for _ in range(7):
            batch.step(batch.sample())
        others = [batch.copy(), copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
        for _ in range(20):
            actions = batch.sample()
            batch.step(actions)
            for other in others:
                np.testing.assert_array_equal(other.sample(), actions)
                other.step(actions)
                np.testing.assert_array_equal(other.observe(), batch.observe())

    def test_where_nothing_is_rolled_it_changes_nothing(self):
        rules = boardwright.load("tictactoe")
        one, other = (rules.batch(5, seed=1, rolls=rolls) for rolls in (False, True))
        for _ in range(12):
            actions = one.sample()
            np.testing.assert_array_equal(other.sample(), actions)
            for a, b in zip(one.step(actions), other.step(actions)):
                np.testing.assert_array_equal(a, b)


def png(pixels, how):
    """A PNG whose lines are all told in one way."""
    height, width, channels = pixels.shape
    lines = pixels.reshape(height, -1).astype(int)
    out = bytearray()
    for y in range(height):
        out.append(how)
        for i in range(width * channels):
            left = lines[y, i - channels] if i >= channels else 0
            over = lines[y - 1, i] if y else 0
            corner = lines[y - 1, i - channels] if y and i >= channels else 0
            guess = left + over - corner
            nearest = min((left, over, corner), key=lambda near: abs(guess - near))
            out.append((lines[y, i] - [0, left, over, (left + over) // 2, nearest][how]) % 256)

    def part(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    colours = {1: 0, 2: 4, 3: 2, 4: 6}[channels]
    header = struct.pack(">IIBBBBB", width, height, 8, colours, 0, 0, 0)
    packed = zlib.compress(bytes(out))
    half = len(packed) // 2
    parts = part(b"IHDR", header) + part(b"IDAT", packed[:half]) + part(b"IDAT", packed[half:]) + part(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


CAN_DRAW = importlib.util.find_spec("cairosvg") is not None or shutil.which("rsvg-convert") is not None


class Pictures(unittest.TestCase):
    def test_each_way_to_tell_lines_of_pixels(self):
        random = np.random.default_rng(1)
        for channels in (1, 2, 3, 4):
            pixels = random.integers(0, 256, (5, 7, channels), dtype=np.uint8)
            for how in range(5):
                np.testing.assert_array_equal(_picture._pixels_of(png(pixels, how)), pixels)

    def test_what_is_seen_through_is_white_below(self):
        pixels = np.array([[[10, 20, 30, 255], [10, 20, 30, 0], [100, 0, 0, 51]]], np.uint8)
        with unittest.mock.patch.object(_picture, "_png_of", lambda svg, width: png(pixels, 0)):
            np.testing.assert_array_equal(
                _picture.rgb_array("", 3), [[[10, 20, 30], [255, 255, 255], [224, 204, 204]]]
            )
        grey = np.array([[[7], [255]]], np.uint8)
        with unittest.mock.patch.object(_picture, "_png_of", lambda svg, width: png(grey, 0)):
            np.testing.assert_array_equal(_picture.rgb_array("", 2), [[[7, 7, 7], [255, 255, 255]]])

    def test_other_kinds_of_pictures_are_refused(self):
        with self.assertRaises(RuntimeError):
            _picture._pixels_of(b"GIF89a")
        good = bytearray(png(np.zeros((1, 1, 3), np.uint8), 0))
        good[24] = 16  # bits of a number
        with self.assertRaises(RuntimeError):
            _picture._pixels_of(bytes(good))
        for width in (0, 8193):
            with self.assertRaises(ValueError):
                _picture.rgb_array("<svg/>", width)

    def test_it_is_told_what_is_missing(self):
        with unittest.mock.patch.dict(sys.modules, {"cairosvg": None}):
            with unittest.mock.patch.dict(os.environ, {"PATH": ""}):
                with self.assertRaisesRegex(RuntimeError, "cairosvg or the program rsvg-convert"):
                    boardwright.load("tictactoe").new_initial_state().rgb_array()

    def test_pictures_are_text_and_show_what_a_player_sees(self):
        state = boardwright.load("phantom_tictactoe").new_initial_state()
        state.apply_action(state.legal_actions()[0])
        self.assertTrue(state.svg().startswith("<svg"))
        self.assertEqual(state.svg(), state.clone().svg())
        self.assertNotEqual(state.svg(0), state.svg(1))
        self.assertLess(len(state.svg(captions=False)), len(state.svg()))
        with self.assertRaises(ValueError):
            state.svg(2)

    @unittest.skipUnless(CAN_DRAW, "neither cairosvg nor rsvg-convert is installed")
    def test_pictures_are_arrays(self):
        state = boardwright.load("tictactoe").new_initial_state()
        empty = state.rgb_array(width=120)
        self.assertEqual((empty.dtype, empty.shape[1:]), (np.uint8, (120, 3)))
        state.apply_action(state.string_to_action("b2"))
        self.assertTrue((state.rgb_array(width=120) != empty).any())


if __name__ == "__main__":
    unittest.main()
