"""From text to chunks and vectors."""

import math
import zlib

DIMENSION = 64


def embed(text: str) -> list[float]:
    """Hash the words of `text` into a unit vector; all zeros if it has no words."""
    counts = [0.0] * DIMENSION
    for word in text.lower().split():
        counts[zlib.crc32(word.encode()) % DIMENSION] += 1.0
    length = math.sqrt(sum(count * count for count in counts))
    return [count / length for count in counts] if length else counts


def chunk(text: str, size: int = 12, overlap: int = 4) -> list[str]:
    """Cut text into overlapping windows of words."""
    if size < 1 or overlap < 0 or overlap >= size:
        raise ValueError("need 0 <= overlap < size")
    words = text.split()
    chunks: list[str] = []
    start = 0
    while start < len(words):
        chunks.append(" ".join(words[start : start + size]))
        if start + size >= len(words):
            break
        start += size - overlap
    return chunks
