"""Text of judged code, made fit for a terminal."""


def harmless(text: str) -> str:
    """Without the characters by which judged code could speak to the terminal."""
    return "".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in text)
