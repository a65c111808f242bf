"""Work on a cluster of Dask has the same bytes; also where a worker is killed."""

import importlib.util
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import time
import unittest

try:
    import distributed
except ImportError:
    distributed = None

PROGRAM = os.environ.get("BOARDWRIGHT", "boardwright")


def _has_program():
    try:
        return subprocess.run([PROGRAM, "--version"], capture_output=True).returncode == 0
    except OSError:
        return False


def _module():
    """The module by itself: it needs nothing of the rest of the package, which may not be built."""
    path = pathlib.Path(__file__).resolve().parent.parent / "boardwright" / "dask.py"
    spec = importlib.util.spec_from_file_location("boardwright_dask", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@unittest.skipUnless(distributed, "Dask distributed is not installed")
@unittest.skipUnless(_has_program(), "BOARDWRIGHT doesn't name the program")
class Dask(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.module = _module()
        cls.folder = tempfile.TemporaryDirectory()
        cls.cluster = distributed.LocalCluster(
            n_workers=4, threads_per_worker=1, processes=True, dashboard_address=None, local_directory=cls.folder.name
        )
        cls.client = distributed.Client(cls.cluster)

    @classmethod
    def tearDownClass(cls):
        cls.client.close()
        cls.cluster.close()
        cls.folder.cleanup()

    def units(self, name):
        return os.path.join(self.folder.name, name)

    def alone(self, arguments):
        return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=True).stdout

    def test_a_sweep_has_the_same_bytes(self):
        sweep = ["sweep", "breakthrough", "--set", "columns=3,4", "--set", "rows=5", "--games", "8"]
        sweep += ["--strengths", "random,varied:1", "--until", "20%", "--csv"]
        answer = self.module.run(self.client, sweep, units=self.units("sweep"), program=PROGRAM)
        self.assertEqual(answer, self.alone(sweep))

    def test_playouts_have_the_same_bytes(self):
        games = ["playouts", "breakthrough", "--count", "40000", "--json"]
        answer = self.module.run(self.client, games, units=self.units("games"), program=PROGRAM)
        alone = self.alone([*games, "--units", self.units("alone")])
        self.assertEqual(answer, alone)

    def test_a_worker_that_is_killed_costs_its_pieces_only(self):
        work = ["evaluate", "breakthrough", "--set", "columns=5", "--set", "rows=5", "--games", "8"]
        work += ["--strengths", "varied:5,varied:6", "--json"]
        killed = []

        def kill():
            while not os.path.isdir(self.units("killed")) or not any(
                name.endswith(".unit.json") for name in os.listdir(self.units("killed"))
            ):
                time.sleep(0.01)
            pid = next(iter(self.client.run(os.getpid).values()))
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)

        killer = threading.Thread(target=kill, daemon=True)
        killer.start()
        answer = self.module.run(self.client, work, units=self.units("killed"), program=PROGRAM)
        killer.join(60)
        self.assertTrue(killed)
        self.assertEqual(answer, self.alone(work))

    def test_a_command_that_is_wrong_is_told(self):
        with self.assertRaisesRegex(RuntimeError, "no rule file or game named"):
            self.module.run(self.client, ["evaluate", "nosuchgame"], units=self.units("wrong"), program=PROGRAM)


if __name__ == "__main__":
    unittest.main()
