"""All chunks that may be read are fetched once; passages are made in Python."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lancedb.expr import col, lit

from .chunks import split
from .embedding import embed
from .store import open_chunks

PER_DOC = 2


def put(path: str | Path, doc: str, text: str, labels: Sequence[str]) -> int:
    """Merge by document and number."""
    if len(labels) == 0:
        raise ValueError("no labels")
    table = open_chunks(path)
    parts = split(text)
    if not parts:
        table.delete(col("doc") == lit(doc))
        return 0
    rows = []
    for number, part in enumerate(parts):
        row = {"doc": doc, "number": number, "text": part, "labels": [*labels]}
        rows.append(row | {"vector": embed(part)})
    (
        table.merge_insert(["doc", "number"])
        .when_matched_update_all()
        .when_not_matched_insert_all()
        .when_not_matched_by_source_delete(col("doc") == lit(doc))
        .execute(rows)
    )
    return len(parts)


def drop(path: str | Path, doc: str) -> int:
    """Count before and after."""
    table = open_chunks(path)
    before = table.count_rows()
    table.delete(col("doc") == lit(doc))
    return before - table.count_rows()


def context(
    path: str | Path,
    question: str,
    labels: Sequence[str],
    *,
    hits: int = 4,
    budget: int = 120,
) -> list[dict[str, Any]]:
    """Rank in LanceDB, choose and join here."""
    if hits <= 0:
        raise ValueError(hits)
    if question.strip() == "":
        return []
    table = open_chunks(path)
    ranked = table.search(embed(question)).metric("cosine").limit(10_000).to_arrow().to_pylist()
    ranked = [row for row in ranked if set(row["labels"]) & set(labels)]
    texts = {(row["doc"], row["number"]): row["text"] for row in ranked}
    count: dict[str, int] = {}
    groups: list[tuple[str, set[int]]] = []
    taken = 0
    for row in ranked:
        doc, number = row["doc"], row["number"]
        if taken == hits:
            break
        if count.get(doc, 0) == PER_DOC:
            continue
        count[doc] = count.get(doc, 0) + 1
        taken += 1
        own = {n for n in (number - 1, number, number + 1) if (doc, n) in texts}
        touching = {n + step for n in own for step in (-1, 0, 1)}
        for other, numbers in groups:
            if other == doc and numbers & touching:
                numbers |= own
                break
        else:
            groups.append((doc, own))
    passages = []
    for doc, numbers in groups:
        text = "\n".join(texts[doc, number] for number in sorted(numbers))
        if len(text.split()) <= budget:
            budget -= len(text.split())
            passages.append({"doc": doc, "first": min(numbers), "last": max(numbers), "text": text})
    return passages
