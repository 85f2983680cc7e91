"""Stores in SQLite and in PostgreSQL."""

from tests.support.store.places import postgres, store_url

__all__ = ["postgres", "store_url"]
