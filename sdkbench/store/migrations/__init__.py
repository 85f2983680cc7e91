"""Numbered steps from an empty database to today's tables; a published step never changes."""

from sdkbench.store.migrations.runner import Migration, known_version, migrate, stored_version
from sdkbench.store.migrations.step_0001 import STATEMENTS as STEP_0001

MIGRATIONS = (Migration(1, STEP_0001),)

__all__ = ["MIGRATIONS", "Migration", "known_version", "migrate", "stored_version"]
