"""The embedding function, on the general base class."""

from typing import Any

from lancedb.embeddings import EmbeddingFunction, register


@register("hashed-words")
class Hashed(EmbeddingFunction):
    """Counts words in boxes."""

    size: int = 32

    def ndims(self) -> int:
        """Boxes."""
        return self.size

    def compute_source_embeddings(self, texts: Any, *args: Any, **kwargs: Any) -> list[list[float]]:
        """Embed notes."""
        from .app import words_to_vector

        return [words_to_vector(text, self.size) for text in self.sanitize_input(texts)]

    def compute_query_embeddings(self, query: str, *args: Any, **kwargs: Any) -> list[list[float]]:
        """Embed a query."""
        return self.compute_source_embeddings(query)
