"""SourceText: from the positions of `ast` to places in a text."""

import ast
import re
from collections.abc import Iterator

LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")


class SourceText:
    """A parsed module's text; `ast` counts lines, and bytes within them."""

    def __init__(self, text: str, module: ast.Module) -> None:
        self.text = text
        self._lines = [match.group() for match in LINE.finditer(text)]
        self._starts = [match.start() for match in LINE.finditer(text)]
        self.strings = sorted(set(_plain_strings(module)))

    def place(self, line: int, column: int) -> int:
        before = self._lines[line - 1].encode()[:column]
        return self._starts[line - 1] + len(before.decode(errors="replace"))

    def start(self, node: ast.expr) -> int:
        return self.place(node.lineno, node.col_offset)

    def end(self, node: ast.expr) -> int:
        assert node.end_lineno is not None and node.end_col_offset is not None  # noqa: S101, PT018 - parsed
        return self.place(node.end_lineno, node.end_col_offset)

    def segment(self, node: ast.expr) -> str:
        return self.text[self.start(node) : self.end(node)]

    def line_of(self, place: int) -> int:
        return next(n for n, start in reversed(list(enumerate(self._starts, 1))) if start <= place)


def _plain_strings(module: ast.Module) -> Iterator[str]:
    """What the module's own strings look like: another of them is a likely thing to expect."""
    for node in ast.walk(module):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and re.fullmatch(r"[\w@.:/+-]{1,24}", node.value)
        ):
            yield node.value
