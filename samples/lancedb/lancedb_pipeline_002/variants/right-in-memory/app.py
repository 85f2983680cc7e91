"""Recent stories are read once for a batch and compared with numpy."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from lancedb.expr import col, lit

from .embedding import embed
from .store import batches, stories

THRESHOLD = 0.25
WINDOW = 86_400


def _unit(vector: list[float]) -> Any:
    array = np.asarray(vector, dtype=np.float64)
    return array / np.linalg.norm(array)


def _usable(table: Any, messages: list[Mapping[str, Any]]) -> None:
    ids = [message["id"] for message in messages]
    if len(set(ids)) != len(ids):
        raise ValueError("an id is repeated")
    if set(ids) & set(table.to_arrow()["id"].to_pylist()):
        raise ValueError("an id is taken")
    if any(message["text"].strip() == "" for message in messages):
        raise ValueError("a message is empty")


def ingest(
    path: str | Path,
    batch: str,
    messages: Iterable[Mapping[str, Any]],
    *,
    threshold: float = THRESHOLD,
    window: int = WINDOW,
) -> dict[str, Any]:
    """Work on a list of stories, then write new ones and changes apart."""
    log = batches(path)
    kept: list[str] = []
    merged: dict[str, str] = {}
    if log.search().where(col("batch") == lit(batch)).to_list():
        return {"kept": kept, "merged": merged, "skipped": True}
    queue = sorted(messages, key=lambda message: message["id"])
    queue.sort(key=lambda message: message["at"])
    table = stories(path)
    _usable(table, queue)
    known = table.to_arrow().to_pylist()
    changed = set()
    for message in queue:
        own = _unit(embed(message["text"]))
        best = None
        for story in known:
            if message["at"] - story["last"] > window:
                continue
            distance = 1 - float(own @ _unit(story["vector"]))
            if distance <= threshold + 1e-9 and (best is None or distance < best[0]):
                best = (distance, story)
        if best is None:
            fresh = {key: message[key] for key in ("id", "text")}
            fresh |= {"first": message["at"], "last": message["at"], "copies": 0}
            known.append(fresh | {"vector": embed(message["text"])})
            kept.append(message["id"])
            continue
        story = best[1]
        story["copies"] = story["copies"] + 1
        if message["at"] > story["last"]:
            story["last"] = message["at"]
        merged[message["id"]] = story["id"]
        changed.add(story["id"])
    for story in known:
        if story["id"] in kept:
            table.add([story])
        elif story["id"] in changed:
            values = {"copies": story["copies"], "last": story["last"]}
            table.update(where=col("id") == lit(story["id"]), values=values)
    log.add([{"batch": batch, "kept": len(kept), "merged": len(merged)}])
    return {"kept": kept, "merged": merged, "skipped": False}


def top(path: str | Path, since: int = 0, limit: int = 5) -> list[dict[str, Any]]:
    """Sort here."""
    rows = stories(path).search().where(col("last") >= lit(since)).limit(None).to_list()
    rows.sort(key=lambda row: (-row["copies"], row["id"]))
    return [{key: row[key] for key in ("id", "text", "copies")} for row in rows[:limit]]
