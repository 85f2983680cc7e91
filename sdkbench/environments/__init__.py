"""Dependency sets: made once, kept by content, shared read-only by any number of attempts."""

from sdkbench.environments.cache import (
    Cache,
    CacheEvent,
    Entry,
    Environment,
    InstallBegan,
    InstallEnded,
    Provision,
    bytes_below,
    default_root,
)
from sdkbench.environments.transfer import Transferred, export_cache, import_cache
