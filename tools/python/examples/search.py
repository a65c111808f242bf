"""Learns Hex on five by five cells from nothing but its rules: by tree search in many games at once, with NumPy alone.

A small network gives each position a value and each action a preference; the search looks ahead with it, and the network
learns to say at once what the search found, and how games ended (D. Silver and others, Nature 550, 2017). A minute or
two of one processor.
"""

import sys

import numpy as np

import boardwright


class Network:
    """One hidden layer, trained by Adam (D. Kingma and J. Ba, ICLR 2015)."""

    def __init__(self, rules, hidden=192, seed=1):
        random = np.random.default_rng(seed)
        inputs, self.actions = int(np.prod(rules.observation_shape)), rules.num_distinct_actions()
        self.weights = [
            random.normal(0, inputs**-0.5, (inputs, hidden)),
            np.zeros(hidden),
            random.normal(0, 0.01, (hidden, self.actions + 1)),  # the last one is the value
            np.zeros(self.actions + 1),
        ]
        self.mean = [np.zeros_like(w) for w in self.weights]
        self.square = [np.zeros_like(w) for w in self.weights]
        self.steps = 0

    def forward(self, planes):
        flat = planes.reshape(len(planes), -1)
        hidden = np.maximum(flat @ self.weights[0] + self.weights[1], 0)
        out = hidden @ self.weights[2] + self.weights[3]
        return flat, hidden, out[:, :-1], np.tanh(out[:, -1])

    def __call__(self, planes):
        """What the search asks: a value for the player to move, and a logit for each action."""
        _, _, logits, value = self.forward(planes)
        return value, logits

    def learn(self, planes, policy, result, rate=2e-3):
        flat, hidden, logits, value = self.forward(planes)
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        out = np.empty((len(planes), self.actions + 1))
        out[:, :-1] = chances - policy
        out[:, -1] = 2 * (value - result) * (1 - value**2)
        out /= len(planes)
        back = (out @ self.weights[2].T) * (hidden > 0)
        slopes = [flat.T @ back, back.sum(axis=0), hidden.T @ out, out.sum(axis=0)]
        self.steps += 1
        for weight, slope, mean, square in zip(self.weights, slopes, self.mean, self.square):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            corrected = mean / (1 - 0.9**self.steps), square / (1 - 0.999**self.steps)
            weight -= rate * corrected[0] / (np.sqrt(corrected[1]) + 1e-8)


def self_play(rules, network, seed, games=64, simulations=40):
    """Games of the search against itself: positions, what the search found there, how the game ended for the mover."""
    search = rules.tree_search(games, threads=2, seed=seed, auto_reset=False)
    seen, movers, results = [], [], np.zeros((games, rules.num_players()), dtype=np.float32)
    while (players := search.current_players()).max() >= 0:
        search.add_noise(0.5)
        search.run(network, simulations)
        playing = np.flatnonzero(players >= 0)
        seen.append((search.observe()[playing], search.policy()[playing]))
        movers.append((playing, players[playing]))
        results += search.play(search.choose(temperature=1 if len(seen) < 8 else 0))[0]
    planes, policy = (np.concatenate(part) for part in zip(*seen))
    return planes, policy, np.concatenate([results[game, player] for game, player in movers])


def against(rules, network, opponent, games=20, simulations=40):
    """The share of the points against one of the program's players; the search begins in one half of the games."""
    points = 0
    for game in range(games):
        search = rules.tree_search(1, seed=game, auto_reset=False)
        while (player := search.current_players()[0]) >= 0:
            if player == game % 2:
                search.run(network, simulations)
                action = search.choose(temperature=0.3)
            else:
                action = [opponent.choose(search.state(0), nodes=200)]
            rewards, _, _ = search.play(action)
        points += (rewards[0, game % 2] + 1) / 2
    return points / games


def main(rounds=20):
    rules = boardwright.load("hex", size=5, swap=False)
    network, random = Network(rules), np.random.default_rng(1)
    opponent = rules.player("level:1", seed=1)
    print(f"{rules.name}: {len(rules.planes)} planes, {len(rules.actions)} actions")
    before = against(rules, network, opponent)
    print(f"before: {before:.0%} against {opponent.description}")
    kept = []
    for number in range(1, rounds + 1):
        kept = [*kept, self_play(rules, network, seed=number)][-5:]
        planes, policy, results = (np.concatenate(part) for part in zip(*kept))
        for _ in range(4):
            for rows in np.array_split(random.permutation(len(planes)), len(planes) // 64):
                network.learn(planes[rows], policy[rows], results[rows])
        if number % 10 == 0:
            print(f"{number} rounds: {against(rules, network, opponent):.0%}")
    return before, against(rules, network, opponent)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
