"""The sets of parameters that pytest runs a test with: their ids, and what else they could expect.

An id may tell the values. It then tells the other value too, as pytest would have it.
"""

import ast
import builtins
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from sdkbench.test_harness.python.edits import Edit, Scope
from sdkbench.test_harness.python.tables import Names, called

PLAIN_ID = re.compile(r"[ -\[\]-~]*")  # what pytest leaves as it is: ASCII, no backslash
NAMES_AND_VALUES = 2


class Row(NamedTuple):
    """`label` is its id; `automatic` where pytest makes that of the values."""

    label: str
    automatic: bool
    cells: list[ast.expr]


class RowEdit(NamedTuple):
    edit: Edit
    label: str  # the row's id after the edit


class Parameters(NamedTuple):
    names: list[str]
    rows: list[Row]

    def by_label(
        self, scope: Scope, edits: Callable[[Scope], Sequence[Edit]]
    ) -> dict[str, list[RowEdit]]:
        """The edits of each row, by its id; nothing unless every row has some.

        `edits` finds those of a test whose parameters have one row's values.
        """
        taken = {row.label for row in self.rows}
        by_row: dict[str, list[RowEdit]] = {}
        for place, row in enumerate(self.rows):
            given = dict(zip(self.names, row.cells, strict=True))
            names = Names(scope.names.module, scope.names.function, given)
            listed = []
            # Two of each: a row has seldom more than one value to alter.
            own = scope._replace(names=names)
            for edit in dict.fromkeys([*edits(own), *edits(own)]):
                column = _column_of(edit, row, scope)
                label = None
                if column is not None:
                    label = self._label_after(edit, row, column, place, scope)
                if label is not None and (label == row.label or label not in taken):
                    taken.add(label)
                    listed.append(RowEdit(edit, label))
            by_row[row.label] = listed
        return by_row if len(by_row) == len(self.rows) and all(by_row.values()) else {}

    def _label_after(
        self, edit: Edit, row: Row, column: int, place: int, scope: Scope
    ) -> str | None:
        if not row.automatic:
            return row.label
        cell = row.cells[column]
        start, segment = scope.source.start(cell), scope.source.segment(cell)
        text = segment[: edit.start - start] + edit.replacement + segment[edit.end - start :]
        cells = [*row.cells]
        cells[column] = ast.parse(text.strip(), mode="eval").body
        if edit.also:  # pytest calls a class by its name, as it does a text
            cells[column] = ast.Constant(edit.replacement)
        return _label(self.names, cells, place)


def parameters_of(scope: Scope) -> Parameters | None:
    """Those of a test's only `parametrize`; None where their ids can't be told by reading."""
    marks = [d for d in scope.names.function.decorator_list if isinstance(d, ast.Call)]
    marks = [mark for mark in marks if called(mark) == "parametrize"]
    if len(marks) != 1 or len(marks[0].args) != NAMES_AND_VALUES:
        return None
    [mark] = marks
    if not {keyword.arg for keyword in mark.keywords} <= {"ids"}:
        return None
    names = _strings(mark.args[0])
    values = scope.names.rows(mark.args[1])
    labels: list[str | None] = [None] * len(values)
    if mark.keywords:
        labels = [*_strings(mark.keywords[0].value)]
    rows = [
        _row(names, value, label, place)
        for place, (value, label) in enumerate(zip(values, labels, strict=False))
    ]
    known = [row for row in rows if row is not None]
    unique = len({row.label for row in known}) == len(values) == len(labels)
    return Parameters(names, known) if names and known and unique else None


def _row(names: list[str], value: ast.expr, label: str | None, place: int) -> Row | None:
    cells = [value]
    if isinstance(value, ast.Call) and called(value) == "param":
        cells = value.args
        ids = [k.value for k in value.keywords if k.arg == "id"]
        label = next((text for one in ids for text in _strings(one, whole=True)), label)
    elif len(names) > 1:
        cells = value.elts if isinstance(value, ast.Tuple | ast.List) else []
    if len(cells) != len(names):
        return None
    automatic = label is None
    label = _label(names, cells, place) if label is None else label
    return Row(label, automatic, cells) if label is not None else None


def _label(names: list[str], cells: list[ast.expr], place: int) -> str | None:
    parts = [_part(name, cell, place) for name, cell in zip(names, cells, strict=True)]
    known = [part for part in parts if part is not None]
    return "-".join(known) if len(known) == len(parts) else None


def _part(name: str, cell: ast.expr, place: int) -> str | None:
    """What pytest writes for a value; None where reading does not tell."""
    if isinstance(cell, ast.List | ast.Tuple | ast.Dict | ast.Set):
        return f"{name}{place}"
    if isinstance(cell, ast.Name):
        return cell.id if isinstance(getattr(builtins, cell.id, None), type) else None
    try:
        value = ast.literal_eval(cell)
    except ValueError:
        return None
    if isinstance(value, str):
        return value if PLAIN_ID.fullmatch(value) else None
    return str(value) if value is None or isinstance(value, int | float) else None


def _column_of(edit: Edit, row: Row, scope: Scope) -> int | None:
    """Which of the row's values an edit is in; None for edits of the test itself."""
    for column, cell in enumerate(row.cells):
        if scope.source.start(cell) <= edit.start and edit.end <= scope.source.end(cell):
            return column
    return None


def _strings(expression: ast.expr, *, whole: bool = False) -> list[str]:
    """Names as parametrize takes them: "a, b", or a list of texts."""
    if isinstance(expression, ast.Constant) and isinstance(expression.value, str):
        if whole:
            return [expression.value]
        return [name.strip() for name in expression.value.split(",") if name.strip()]
    elements = expression.elts if isinstance(expression, ast.List | ast.Tuple) else []
    texts = [e.value for e in elements if isinstance(e, ast.Constant)]
    return [text for text in texts if isinstance(text, str)]
