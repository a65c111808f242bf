"""Rules as an environment of PettingZoo (AEC): boardwright.pettingzoo.env(boardwright.load("hex", size=5)).

Needs the packages pettingzoo and gymnasium. Rules with too many actions for a mask can't be one.
"""

import copy as _copy

import gymnasium
import numpy as np
from pettingzoo import AECEnv

import boardwright


def env(rules, *, max_plies=2000, render_mode=None):
    """An environment of these rules; agents are called as the players are."""
    return Environment(rules, max_plies=max_plies, render_mode=render_mode)


class Environment(AECEnv):
    """Observations are dicts: `observation`, planes last, as the agent sees them; `action_mask`, of int8.

    An illegal action ends the game: who plays it loses 1; a number that isn't whole is a TypeError, and nothing has
    happened. Copies are games of their own, and environments can be pickled.
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "name": "boardwright_v0", "is_parallelizable": False}

    def __init__(self, rules, *, max_plies=2000, render_mode=None):
        super().__init__()
        if not rules.has_dense_actions:
            raise ValueError("these rules have too many actions for a mask")
        self.rules = rules
        self.max_plies = max_plies
        self.render_mode = render_mode
        self._random = None  # of what is rolled
        self.possible_agents = list(rules.players)
        self.agents = list(self.possible_agents)
        planes, ranks, files = rules.observation_shape
        actions = rules.num_distinct_actions()
        limits = np.iinfo(np.int32)
        self._observation_space = gymnasium.spaces.Dict(
            {
                "observation": gymnasium.spaces.Box(limits.min, limits.max, (ranks, files, planes), np.float32),
                "action_mask": gymnasium.spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self._action_space = gymnasium.spaces.Discrete(actions)
        self._action_spaces = {agent: gymnasium.spaces.Discrete(actions) for agent in self.possible_agents}

    def __copy__(self):
        return _copy.deepcopy(self, {id(self.rules): self.rules})

    def observation_space(self, agent):
        """Of every agent."""
        return self._observation_space

    def action_space(self, agent):
        """Rules.num_distinct_actions of them."""
        return self._action_spaces[agent]

    def reset(self, seed=None, options=None):
        """Begins anew; `seed` is that of what is rolled."""
        self.state_ = self.rules.new_initial_state()
        if seed is not None or self._random is None:
            self._random = np.random.default_rng(seed)
        self._roll()
        self.agents = list(self.possible_agents)
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = dict(self.rewards)
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = dict(self.terminations)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[max(self.state_.current_player(), 0)]

    def observe(self, agent):
        """What the agent sees, and what it may do: nothing where it isn't its turn."""
        player = self.possible_agents.index(agent)
        mask = np.zeros(self._action_space.n, dtype=np.int8)
        mask[self.state_.legal_actions(player)] = 1
        planes = np.ascontiguousarray(np.moveaxis(self.state_.observation(player), 0, -1))
        return {"observation": planes, "action_mask": mask}

    def step(self, action):
        """Plays the action of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        action = None if action is None else boardwright._action(action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if action is None or action not in self.state_.legal_actions():
            self.rewards[agent] = -1.0
            self.terminations = {other: True for other in self.agents}
        else:
            self.state_.apply_action(action)
            self._roll()
            self._judge()
        self._accumulate_rewards()
        if self.render_mode == "ansi":
            self.render()

    def _roll(self):
        """Nature moves: agents see what comes of it."""
        while self.state_.is_chance_node():
            actions, chances = zip(*self.state_.chance_outcomes())
            self.state_.apply_action(actions[self._random.choice(len(actions), p=chances)])

    def _judge(self):
        if self.state_.is_terminal():
            self.rewards = dict(zip(self.possible_agents, self.state_.returns()))
            self.terminations = {agent: True for agent in self.agents}
            self.agent_selection = self._after(self.agent_selection)
            return
        if self.state_.move_number() >= self.max_plies:
            self.truncations = {agent: True for agent in self.agents}
        self.agent_selection = self.possible_agents[self.state_.current_player()]

    def _after(self, agent):
        return self.agents[(self.agents.index(agent) + 1) % len(self.agents)]

    def render(self):
        """The position as text; "rgb_array": all of it as a picture, State.rgb_array."""
        if self.render_mode == "rgb_array":
            return self.state_.rgb_array()
        return str(self.state_)

    def close(self):
        """There is nothing to close."""
