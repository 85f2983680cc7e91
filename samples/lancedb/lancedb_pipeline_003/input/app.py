"""Backups of LanceDB databases in Parquet files.

A backup is a folder with a file NAME.parquet for each table, and `manifest.json`, which holds
{"tables": {NAME: {"rows": number of rows, "columns": [column names], "sha256": of the file, in hex
digits}}}. Parquet files keep the exact Arrow types, those of vectors and empty tables included.

Installed: the packages of requirements.txt and what they bring along (numpy, pydantic). pandas,
polars and pylance are not. This file is imported as part of a package: import further modules of
your own relatively (`from .store import ...`).
"""

from collections.abc import Iterable
from pathlib import Path

MANIFEST = "manifest.json"


def save(path: str | Path, backup: str | Path) -> dict[str, int]:
    """Back all tables of the database folder `path` up; returns their numbers of rows.

    There may be dozens of tables, and none. `backup` is created where missing. The manifest is
    written last. Raises LookupError if `path` is no folder (nothing is created), and ValueError if
    `backup` has a manifest already (nothing is written).
    """
    raise NotImplementedError


def check(backup: str | Path) -> list[str]:
    """What is wrong with a backup, sorted; an empty list if nothing is.

    `missing NAME` if the manifest names a table whose file is not there, and `damaged NAME` if the
    file has another SHA-256 than the manifest says. Raises LookupError if there is no manifest.
    """
    raise NotImplementedError


def restore(
    backup: str | Path, path: str | Path, tables: Iterable[str] | None = None
) -> dict[str, int]:
    """Make the tables of a backup in the database folder `path`, which is created where missing.

    `tables` chooses some of them; None means all. Returns their numbers of rows. Everything is
    looked at before the first table is made. Of the following, the first that holds is raised, and
    then the database stays as it is, and `path` is not created:

    - LookupError: there is no manifest, or `tables` names one that it does not have;
    - RuntimeError: a chosen table's file is missing or damaged (others do not matter); the message
      holds what `check` says of it;
    - ValueError: a chosen table exists in the database already.
    """
    raise NotImplementedError
