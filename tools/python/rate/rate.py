"""How fast batches are, compared with the same games in C++ of the same build: a row for each game.

    ninja -C build/python boardwright_python_rate
    PYTHONPATH=build/python/tools/python python3 tools/python/rate/rate.py build/python/tools/python/boardwright_python_rate
"""

import argparse
import json
import statistics
import subprocess
import time

import boardwright

WARM_UP = 200


def batch_rate(name, games, steps):
    """Steps a second of CPU, in one thread."""
    batch = boardwright.load(name).batch(games, seed=1)
    for _ in range(WARM_UP):  # as many as the other side has
        batch.step(batch.sample())
    begun = time.process_time()
    for _ in range(steps):
        batch.step(batch.sample())
    return games * steps / (time.process_time() - begun)


def cpp_rate(program, name, games, steps):
    told = subprocess.run([program, name, str(games), str(steps)], capture_output=True, text=True, check=True)
    return json.loads(told.stdout)["steps_per_second"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="boardwright_python_rate")
    parser.add_argument("--games", type=int, default=256, help="how many go on together (256)")
    parser.add_argument("--steps", type=int, default=200, help="of each game (200)")
    parser.add_argument("--rounds", type=int, default=5, help="of which the medians are told (5)")
    parser.add_argument("names", nargs="*", default=["breakthrough", "chess", "hex", "eximo"])
    options = parser.parse_args()
    print(f"{'':16}{'Python':>12}{'C++':>12}{'share':>8}")
    for name in options.names:
        # By turns: machines differ more from minute to minute than the two do.
        rates = [
            (batch_rate(name, options.games, options.steps), cpp_rate(options.program, name, options.games, options.steps))
            for _ in range(options.rounds)
        ]
        python, cpp = (statistics.median(rate) for rate in zip(*rates))
        share = statistics.median(one / other for one, other in rates)
        print(f"{name:16}{python:12,.0f}{cpp:12,.0f}{share:8.2f}")


if __name__ == "__main__":
    main()
