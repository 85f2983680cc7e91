"""Samples and shell cases to run, and stores in SQLite and in PostgreSQL."""

from tests.support.run_samples import place
from tests.support.store_places import postgres, store_url

__all__ = ["place", "postgres", "store_url"]
