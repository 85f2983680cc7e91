"""Fold near-duplicate messages into stories; see store.py for the tables.

Installed: the packages of requirements.txt and what they bring along (numpy, pydantic). pandas,
polars and pylance are not. This file is imported as part of a package: import further modules of
your own relatively (`from .store import ...`).
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

THRESHOLD = 0.25
WINDOW = 86_400


def ingest(
    path: str | Path,
    batch: str,
    messages: Iterable[Mapping[str, Any]],
    *,
    threshold: float = THRESHOLD,
    window: int = WINDOW,
) -> dict[str, Any]:
    """Take a batch of messages (id, text, at in seconds) in, by the order of `at`, then of id.

    Each message is compared with the stories that are there when its turn comes, those of earlier
    messages of this batch included, but only with recent ones: their `last` is at most `window`
    seconds before the message's `at`. Distance is the cosine distance between the embedded message
    and the story's vector. If the nearest of them is at most `threshold` away, the message is a
    copy of it: `copies` grows by one, `last` becomes the message's `at` if that is later; text,
    vector and `first` stay. Otherwise the message is a story of its own, with first and last its
    `at` and copies 0. Which of equally near stories gets the copy does not matter.

    Returns {"kept": [ids of new stories, in that order], "merged": {id of a copy: id of its story},
    "skipped": False}, and notes the batch with the numbers of both in `batches`. A batch of that
    name that was noted before changes nothing; then both are empty and `skipped` is True.

    ValueError if a message has no words, or an id that another one of this batch or a stored story
    has; then nothing is written. Any text may stand in ids and names of batches.
    """
    raise NotImplementedError


def top(path: str | Path, since: int = 0, limit: int = 5) -> list[dict[str, Any]]:
    """The stories with the most copies, among those whose `last` is `since` or later.

    Dicts of exactly id, text and copies; most copies first, and by id among equals.
    """
    raise NotImplementedError
