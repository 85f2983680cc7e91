"""Dependency sets: made once, kept by content, shared read-only by any number of attempts."""

from sdkbench.environments.cache import Cache, Entry, Environment, Provision, default_root
