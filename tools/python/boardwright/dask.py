"""Work of `boardwright evaluate`, `sweep`, `match` and `playouts` on a cluster of Dask (needs `distributed`).

>>> from distributed import Client
>>> import boardwright.dask
>>> client = Client("scheduler:8786")
>>> print(boardwright.dask.run(client, ["sweep", "breakthrough", "--set", "columns=4..7"], units="done"))

The command cuts its work into pieces; Dask's workers do them, each by the program itself, and write their results
into the folder of units. All workers must see the program and the folder at the same paths. The answer has the same
bytes as that of the command alone, whoever did the work, and however often somebody was killed.
"""

import os as _os
import subprocess as _subprocess
import tempfile as _tempfile

__all__ = ["run"]

_TRIES = 3  # rounds in which nothing is done, before it is given up


def _ask(program, arguments, units, listing):
    """What the command answers, and the pieces that are to be done first: none of them if that is the answer."""
    command = [program, *arguments, "--units", units, "--on", f"list:{listing}"]
    done = _subprocess.run(command, capture_output=True, text=True, stdin=_subprocess.DEVNULL)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip() or f"{program} ended with status {done.returncode}")
    with open(listing, encoding="utf-8") as lines:
        return done.stdout, lines.read().splitlines()


def _worker():
    """What a worker does. Made anew, so that Dask sends it whole: workers need no `boardwright`."""

    def carry_out(line):
        import subprocess

        done = subprocess.run(line, shell=True, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        return "" if done.returncode == 0 else done.stderr[-1000:] or f"status {done.returncode}"

    return carry_out


def run(client, arguments, *, units, program="boardwright"):
    """The answer of a command whose work the client's cluster does, as text.

    arguments: those of the command line, such as ["evaluate", "hex", "--json"]. units: the folder of results, which is
    made if it isn't there; what it has isn't done again. RuntimeError where the command or its pieces fail.
    """
    units = _os.path.abspath(units)
    _os.makedirs(units, exist_ok=True)
    arguments = [str(argument) for argument in arguments]
    left, tries, wrong = None, 0, ""
    with _tempfile.TemporaryDirectory() as folder:
        while True:
            answer, lines = _ask(program, arguments, units, _os.path.join(folder, "list"))
            if not lines:
                return answer
            tries = tries + 1 if lines == left else 0
            if tries == _TRIES:
                raise RuntimeError(f"{len(lines)} pieces of work can't be done: {wrong}")
            left = lines
            # A worker that is killed has its pieces done by another one; what is missing then comes again.
            for future in client.map(_worker(), lines, pure=False, retries=_TRIES):
                try:
                    wrong = future.result() or wrong
                except Exception as error:  # of Dask: too many workers were killed at it
                    wrong = str(error)
