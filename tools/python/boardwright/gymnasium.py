"""Rules as an environment of Gymnasium: a game for one player, or one seat of a game against the program's players.

>>> import boardwright, boardwright.gymnasium
>>> env = boardwright.gymnasium.env(boardwright.load("hex", size=5), opponent="level:3")
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))

To import it registers `boardwright/Game-v0`, so that gymnasium.make("boardwright/Game-v0", game="hex", options={"size": 5})
works, too. Needs the package gymnasium.
"""

import gymnasium
import numpy as np

import boardwright

__all__ = ["Environment", "env", "make"]

ID = "boardwright/Game-v0"
MOST_CHOSEN = 32
"""So many parts of a move an observation tells, the last ones: more than nearly all moves have."""


def env(rules, **options):
    """An environment of these rules: see Environment."""
    return Environment(rules, **options)


def make(game, options=None, **others):
    """The same by the name of a bundled game, or of a file: what gymnasium.make calls."""
    return Environment(boardwright.load(game, **(options or {})), **others)


class Environment(gymnasium.Env):
    """Observations are Rules.planes, planes last, as the player sees them; `info` has `action_mask`, of int8, and
    `player`, his number. action_masks() gives the mask as truths.

    player: which seat is played; None: it is drawn by lot at each reset. opponent: who has the other seats, as
    Rules.player takes it, `nodes` or `seconds` for each of his moves; nodes repeat themselves. max_plies: a game that
    isn't over by then is truncated. What nature rolls, and all else that is drawn, follows the seed of reset().

    by_parts: moves are chosen part by part (Rules.num_parts), a step each; None: where they are too many for a number
    each. Observations are dicts then: `observation`, and `chosen`, the last parts that were chosen, -1 before them.

    The reward comes at the end: 1 for a win, 0 for a draw, below 0 for a loss, as State.returns. An illegal action ends
    the game, and loses 1; a number that isn't whole is a TypeError, and nothing has happened.
    reset(options={"position": …, "player": …}) begins with a position, or in another seat.
    """

    metadata = {"render_modes": ["ansi", "human", "rgb_array"], "render_fps": 4}

    def __init__(
        self,
        rules,
        *,
        player=0,
        opponent="level:1",
        nodes=500,
        seconds=None,
        max_plies=2000,
        by_parts=None,
        render_mode=None,
    ):
        self.by_parts = not rules.has_dense_actions if by_parts is None else bool(by_parts)
        if not (self.by_parts or rules.has_dense_actions):
            raise ValueError("these rules have too many actions for a number each: by_parts")
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"render_mode: one of {self.metadata['render_modes']}")
        self.rules = rules
        self.seat = None if player is None else boardwright._player(player, rules.num_players())
        self.opponent = opponent
        self.limits = {"seconds": seconds} if seconds is not None else {"nodes": nodes}
        self.max_plies = max_plies
        self.render_mode = render_mode
        self.player = self.seat or 0
        self.state = None
        self._over = True
        self._opponents = None
        if rules.num_players() > 1:
            rules.player(opponent)  # says at once where there is none
        planes, ranks, files = rules.observation_shape
        limits = np.iinfo(np.int32)
        spaces = gymnasium.spaces
        self.observation_space = spaces.Box(limits.min, limits.max, (ranks, files, planes), np.float32)
        self._actions = rules.num_parts() if self.by_parts else rules.num_distinct_actions()
        self.action_space = spaces.Discrete(self._actions)
        if self.by_parts:
            chosen = spaces.Box(-1, self._actions - 1, (MOST_CHOSEN,), np.int32)
            self.observation_space = spaces.Dict({"observation": self.observation_space, "chosen": chosen})

    def reset(self, *, seed=None, options=None):
        """Begins anew; the others move until it is the player's turn."""
        super().reset(seed=seed)
        options = options or {}
        state = self.rules.new_initial_state(options.get("position"))
        players = self.rules.num_players()
        if (wanted := options.get("player", self.seat)) is None:
            self.player = int(self.np_random.integers(players))
        else:
            self.player = boardwright._player(wanted, players)
        if seed is not None or self._opponents is None:
            self._opponents = [
                None if players == 1 else self.rules.player(self.opponent, seed=int(self.np_random.integers(2**31)))
                for _ in range(players)
            ]
        self.state, self._over = state, False
        self._go_on()
        self._over = self.state.is_terminal() or self.state.move_number() >= self.max_plies
        return self._observation(), self._info()

    def step(self, action):
        """Plays the player's action, and what the others answer."""
        if self._over:
            raise RuntimeError("the game is over: reset() begins another one")
        action = boardwright._action(action)
        if action not in self._legal():
            self._over = True
            return self._observation(), -1.0, True, False, self._info()
        if self.by_parts:
            self.state.apply_part(action)
        else:
            self.state.apply_action(action)
        self._go_on()  # nothing happens before a move is whole
        terminated = self.state.is_terminal()
        truncated = not terminated and self.state.move_number() >= self.max_plies
        self._over = terminated or truncated
        if self.render_mode == "human":
            self.render()
        return self._observation(), float(self.state.returns()[self.player]), terminated, truncated, self._info()

    def action_masks(self):
        """Which actions are legal now: none where the game is over."""
        mask = np.zeros(self._actions, dtype=bool)
        if not self._over:
            mask[self._legal()] = True
        return mask

    def render(self):
        """The position as text, as the player sees it; "human" prints it; "rgb_array" is a picture, State.rgb_array."""
        if self.render_mode == "rgb_array":
            return self.state.rgb_array(self.player if self.rules.hides else None)
        hides = self.rules.hides
        text = self.state.observation_string(self.player) if hides else self.state.draw()
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def _go_on(self):
        """Nature and the others, until it is the player's turn, or there is none any more."""
        while self.state.move_number() < self.max_plies:
            mover = self.state.current_player()
            if mover in (self.player, boardwright.TERMINAL):
                return
            if mover == boardwright.CHANCE:
                actions, chances = zip(*self.state.chance_outcomes())
                self.state.apply_action(actions[self.np_random.choice(len(actions), p=chances)])
            else:
                self.state.apply_action(self._opponents[mover].choose(self.state, **self.limits))

    def _legal(self):
        return self.state.legal_parts() if self.by_parts else self.state.legal_actions(self.player)

    def _observation(self):
        planes = np.ascontiguousarray(np.moveaxis(self.state.observation(self.player), 0, -1))
        if not self.by_parts:
            return planes
        parts = self.state.chosen_parts()[-MOST_CHOSEN:]
        chosen = np.full(MOST_CHOSEN, -1, dtype=np.int32)
        chosen[MOST_CHOSEN - len(parts) :] = parts
        return {"observation": planes, "chosen": chosen}

    def _info(self):
        return {"action_mask": self.action_masks().astype(np.int8), "player": self.player}


if ID not in gymnasium.registry:
    gymnasium.register(id=ID, entry_point="boardwright.gymnasium:make")
