"""Samples and shell cases to run, stores in SQLite and in PostgreSQL, a Ray cluster."""

from tests.support.ray.judging import (
    judge,
    nodes,
    ray_imported,
    sample,
    solution,
    started_nodes,
)
from tests.support.run_samples import place
from tests.support.store.places import postgres, store_url

__all__ = [
    "judge",
    "nodes",
    "place",
    "postgres",
    "ray_imported",
    "sample",
    "solution",
    "started_nodes",
    "store_url",
]
