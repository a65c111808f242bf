"""As much of Gymnasium as boardwright.gymnasium asks, for machines where it can't be installed."""

import importlib
import types

import numpy as np

registry = {}


class Env:
    def reset(self, *, seed=None, options=None):
        if seed is not None or not hasattr(self, "np_random"):
            self.np_random = np.random.default_rng(seed)

    def close(self):
        pass


class Box:
    def __init__(self, low, high, shape, dtype):
        self.low, self.high, self.shape, self.dtype = low, high, shape, dtype

    def contains(self, x):
        return x.shape == self.shape and x.dtype == self.dtype and (x >= self.low).all() and (x <= self.high).all()


class Discrete:
    def __init__(self, n):
        self.n = n
        self.random = np.random.default_rng(1)

    def sample(self, mask=None):
        return self.random.choice(self.n if mask is None else np.flatnonzero(mask))


class Dict:
    def __init__(self, spaces):
        self.spaces = spaces

    def contains(self, x):
        return x.keys() == self.spaces.keys() and all(space.contains(x[name]) for name, space in self.spaces.items())


spaces = types.SimpleNamespace(Box=Box, Dict=Dict, Discrete=Discrete)


def register(id, entry_point):
    registry[id] = entry_point


def make(id, **options):
    module, name = registry[id].split(":")
    return getattr(importlib.import_module(module), name)(**options)
