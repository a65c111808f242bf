"""How fast the module is, compared with the program and with C++, of the same build: a row for each game.

    ninja -C build/release boardwright boardwright_python boardwright_python_rate
    PYTHONPATH=build/release/tools/python python3 tools/python/rate/rate.py build/release
"""

import argparse
import json
import pathlib
import random
import statistics
import subprocess
import time

import boardwright

GAMES = "breakthrough chess connectfour eximo go hex xiangqi havannah".split()
WARM_UP = 200  # steps of each game, as main.cpp has them: they take the memory that later ones use again
SECONDS = 0.4  # of CPU, for each figure of a round
MOST_PLIES = 2000


def told(*command):
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def games_for(rules, seconds):
    """How many random games take so long."""
    games = 64
    while True:
        spent = rules.playouts(games)["cpu_seconds"]
        if spent > seconds / 8 or games > 10**7:
            return max(64, int(games * seconds / max(spent, 1e-6)))
        games *= 4


def program_playouts(folder, name, games, threads):
    """Plies a second of CPU: random games of `boardwright playouts`."""
    result = told(f"{folder}/tools/boardwright", "playouts", name, "--count", f"{games}", "--threads", f"{threads}", "--json")
    return result["plies"] / result["cpu_seconds"]


def module_playouts(rules, games, threads):
    """The same, of Rules.playouts."""
    result = rules.playouts(games, threads=threads)
    return result["plies"] / result["cpu_seconds"]


def batch_playouts(batch, games, plies_of_game):
    """The same, of Batch.playouts from the set-up: all that the call takes."""
    each = max(1, games // len(batch))
    begun = time.process_time()
    batch.playouts(each)
    return each * len(batch) * plies_of_game / (time.process_time() - begun)


def batch_steps(rules, games, threads, steps):
    """Steps a second of CPU: batch.step(batch.sample())."""
    batch = rules.batch(games, threads=threads, seed=1, max_plies=MOST_PLIES)
    for _ in range(WARM_UP):
        batch.step(batch.sample())
    begun = time.process_time()
    for _ in range(steps):
        batch.step(batch.sample())
    return games * steps / (time.process_time() - begun)


def single_steps(rules, seconds):
    """The same for one game at a time: State.legal_actions and apply_action, from Python."""
    state, steps, choose = rules.new_initial_state(), 0, random.Random(1)
    begun = time.process_time()
    while steps % 100 != 0 or time.process_time() - begun < seconds:
        actions = state.legal_actions()
        if not actions or state.move_number() >= MOST_PLIES:
            state = rules.new_initial_state()
            continue
        state.apply_action(actions[int(choose.random() * len(actions))])
        steps += 1
    return steps / (time.process_time() - begun)


def row(folder, name, options):
    rules = boardwright.load(name)
    rules.num_distinct_actions()
    games = games_for(rules, SECONDS)
    played = rules.playouts(1000)
    batch = rules.batch(options.games)
    cpp = [f"{folder}/tools/python/boardwright_python_rate", name, f"{options.games}"]
    steps = max(10, int(told(*cpp, "20")["steps_per_second"] * SECONDS / options.games))
    rounds = []
    for _ in range(options.rounds):  # by turns: machines differ more from minute to minute than the figures do
        program = program_playouts(folder, name, games, 1)
        in_cpp = told(*cpp, f"{steps}")["steps_per_second"]
        in_batch = batch_steps(rules, options.games, 1, steps)
        rounds.append(
            {
                "random": program,
                "module": module_playouts(rules, games, 1) / program,
                "two": module_playouts(rules, games, 2) / program_playouts(folder, name, games, 2),
                "from": batch_playouts(batch, games, played["plies"] / played["playouts"]) / program,
                "cpp": in_cpp,
                "batch": in_batch / in_cpp,
                "batch two": batch_steps(rules, options.games, 2, steps) / in_cpp,
                "one": single_steps(rules, SECONDS) / in_batch,
            }
        )
    return {key: statistics.median(round_[key] for round_ in rounds) for key in rounds[0]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="of the build")
    parser.add_argument("--games", type=int, default=256, help="how many go on together in a batch (256)")
    parser.add_argument("--rounds", type=int, default=5, help="of which the medians are told (5)")
    parser.add_argument("names", nargs="*", default=GAMES)
    options = parser.parse_args()
    print("| game | program, plies a second | `rules.playouts` | two threads | `batch.playouts` |", end="")
    print(" C++, steps a second | `batch` | two threads | one state |\n|---|---|---|---|---|---|---|---|---|")
    for name in options.names:
        found = row(options.folder, name, options)
        print(f"| {name} | {found['random']:,.0f} | {found['module']:.2f} | {found['two']:.2f} | {found['from']:.2f} |", end="")
        print(f" {found['cpp']:,.0f} | {found['batch']:.2f} | {found['batch two']:.2f} | {found['one']:.2f} |", flush=True)


if __name__ == "__main__":
    main()
