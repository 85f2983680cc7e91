"""Chunks of a document. Given: keep it."""


def split(text: str) -> list[str]:
    """Cut `text` at blank lines; each chunk's words are joined by single blanks."""
    paragraphs = (" ".join(part.split()) for part in text.split("\n\n"))
    return [paragraph for paragraph in paragraphs if paragraph]
