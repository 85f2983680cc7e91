"""Samples and shell cases to run, stores in SQLite and in PostgreSQL, a Ray cluster."""

from tests.support.ray_judging import (
    judge,
    nodes,
    ray_imported,
    sample,
    solution,
    started_nodes,
)
from tests.support.run_samples import place
from tests.support.store_places import postgres, store_url

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
