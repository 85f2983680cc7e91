"""The note as LanceDB stores it."""

from datetime import datetime

from lancedb.pydantic import LanceModel, Vector

DIMENSION = 8


class Note(LanceModel):
    """One row of the notes table."""

    id: str
    body: str
    created_at: datetime
    vector: Vector(DIMENSION)  # type: ignore[valid-type]
