"""The examples of README.md, one after the other, as somebody would type them."""

import pathlib
import re
import unittest

import numpy as np

README = pathlib.Path(__file__).resolve().parent.parent / "README.md"


class Pages(unittest.TestCase):
    def test_the_examples_of_the_readme(self):
        blocks = re.findall(r"^```python\n(.*?)^```", README.read_text(), re.S | re.M)
        blocks = [block for block in blocks if "distributed" not in block]  # a cluster is needed
        self.assertGreaterEqual(len(blocks), 3)
        names = {}
        # What the page takes for granted: a network.
        names["network"] = lambda planes: (np.zeros(len(planes)), np.zeros((len(planes), actions())))
        actions = lambda: names["rules"].num_distinct_actions()  # noqa: E731
        for block in blocks:
            with self.subTest(block.splitlines()[0]):
                exec(compile(block, str(README), "exec"), names)
        self.assertEqual(names["played"].shape, (256,))
        self.assertEqual(names["search"].state(0).move_number(), 1)


if __name__ == "__main__":
    unittest.main()
