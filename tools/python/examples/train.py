"""Invents a game, and trains a small network to play it, with NumPy alone: a minute or so.

The network sees Rules.planes and gives a value for the player to move and a weight for each action. It plays both
sides of many games at once; what it did in games that were won becomes likelier (REINFORCE with a learnt baseline;
R. Williams, Machine Learning 8, 1992).
"""

import sys

import numpy as np

import boardwright

RULES = """
boardwright: 2
game: Sidestep
players: { White: north, Black: south }
board: { squares: 5 by 6 }
pieces: { man: w b }
setup: { w: rank(1 .. 2), b: rank(5 .. 6) }
# Men walk diagonally, and take straight ahead.
turn: from own, (step(ahead & diagonal, empty) or step(forward, ~own)), if here in last_row then win
end:
  - lose when no move
"""


class Network:
    """One hidden layer, trained by Adam (D. Kingma and J. Ba, ICLR 2015)."""

    def __init__(self, inputs, actions, hidden=96, seed=1):
        random = np.random.default_rng(seed)
        self.weights = [
            random.normal(0, inputs**-0.5, (inputs, hidden)),
            np.zeros(hidden),
            np.zeros((hidden, actions + 1)),  # the last one is the value
            np.zeros(actions + 1),
        ]
        self.mean = [np.zeros_like(w) for w in self.weights]
        self.square = [np.zeros_like(w) for w in self.weights]
        self.steps = 0

    def forward(self, planes, mask):
        flat = planes.reshape(len(planes), -1)
        hidden = np.maximum(flat @ self.weights[0] + self.weights[1], 0)
        out = hidden @ self.weights[2] + self.weights[3]
        logits = np.where(mask, out[:, :-1], -1e9)
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        return flat, hidden, chances / chances.sum(axis=1, keepdims=True), np.tanh(out[:, -1])

    def learn(self, planes, mask, actions, results, rate=2e-3):
        flat, hidden, chances, value = self.forward(planes, mask)
        rows, advantage = np.arange(len(actions)), results - value
        out = np.zeros((len(actions), chances.shape[1] + 1))
        out[:, :-1] = chances * advantage[:, None]
        out[rows, actions] -= advantage
        out[:, -1] = -2 * advantage * (1 - value**2)
        out /= len(actions)
        back = (out @ self.weights[2].T) * (hidden > 0)
        slopes = [flat.T @ back, back.sum(axis=0), hidden.T @ out, out.sum(axis=0)]
        self.steps += 1
        for weight, slope, mean, square in zip(self.weights, slopes, self.mean, self.square):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            corrected = mean / (1 - 0.9**self.steps), square / (1 - 0.999**self.steps)
            weight -= rate * corrected[0] / (np.sqrt(corrected[1]) + 1e-8)


def choose(chances, random):
    """An action of each row, by its chance."""
    return (chances.cumsum(axis=1) > random.random((len(chances), 1))).argmax(axis=1)


def self_play(rules, network, random, games=256):
    """Games of the network against itself: what it saw and did, and how that ended for who did it."""
    batch = rules.batch(games, threads=2, auto_reset=False, max_plies=200)
    seen, results, movers = [], np.zeros((games, rules.num_players())), []
    while (players := batch.current_players()).max() >= 0 and len(seen) < 200:
        planes, mask = batch.observe(), batch.mask()
        playing = np.flatnonzero(players >= 0)
        actions = np.full(games, -1)
        actions[playing] = choose(network.forward(planes[playing], mask[playing])[2], random)
        seen.append((planes[playing], mask[playing], actions[playing]))
        movers.append((playing, players[playing]))
        results += batch.step(actions)[0]
    ended = np.concatenate([results[game, player] for game, player in movers])
    return (*(np.concatenate(part) for part in zip(*seen)), ended)


def against_random(rules, network, random, games=400):
    """The share of the points against random moves; it moves first in one half of the games."""
    points = 0
    for seat in (0, 1):
        batch = rules.batch(games // 2, auto_reset=False, max_plies=200, seed=seat + 7)
        results = np.zeros((games // 2, rules.num_players()))
        for _ in range(200):
            players = batch.current_players()
            if players.max() < 0:
                break
            actions, own = batch.sample(), players == seat
            if own.any():
                chances = network.forward(batch.observe(), batch.mask())[2]
                actions[own] = chances[own].argmax(axis=1)
            results += batch.step(actions)[0]
        points += ((results[:, seat] + 1) / 2).sum()
    return points / games


def main(rounds=60):
    rules = boardwright.loads(RULES, name="sidestep.yaml")
    random = np.random.default_rng(1)
    network = Network(int(np.prod(rules.observation_shape)), rules.num_distinct_actions())
    print(f"{rules.name}: {len(rules.planes)} planes, {len(rules.actions)} actions")
    print(f"before: {against_random(rules, network, random):.1%} against random moves")
    for number in range(1, rounds + 1):
        network.learn(*self_play(rules, network, random))
        if number % 20 == 0:
            print(f"{number} rounds: {against_random(rules, network, random):.1%}")
    return against_random(rules, network, random)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
