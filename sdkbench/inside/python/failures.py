"""Why a test failed, in the words that help: the place in the project, the cause of the cause."""

import os
import sys
from typing import Any, NamedTuple

MAX_LINKS = 4  # of a chain of exceptions
MAX_CAUSE = 1000  # characters of one of them
DOCTEST = frozenset({"DocTestFailure", "MultipleDoctestFailures", "UnexpectedException"})


class Explained(NamedTuple):
    message: str = ""
    path: str | None = None
    line: int | None = None


class Places:
    """Folders of this run, and how they are shown: nobody else has them."""

    def __init__(self, workspace: str) -> None:
        self.workspace = workspace + os.sep
        library = os.path.dirname(os.__file__)
        packages = [path for path in sys.path if path.endswith("site-packages")]
        names = dict.fromkeys(packages, "site-packages/")
        names[library] = f"{os.path.basename(library)}/"
        self._shown = {self.workspace: ""}
        for path, name in names.items():
            # pytest shows what is outside of the workspace by the way that leads there.
            self._shown[os.path.relpath(path, workspace) + os.sep] = name
            self._shown[path + os.sep] = name

    def shown(self, text: str) -> str:
        for path, name in self._shown.items():
            text = text.replace(path, name)
        return text

    def hold(self, path: str) -> bool:
        return path.startswith(self.workspace)


def explained(error: BaseException, message: str, places: Places) -> Explained:
    """`message` is pytest's own, which may say more of an assertion than the exception does."""
    if type(error).__name__ == "CollectError" and error.__cause__ is not None:
        error, message = error.__cause__, ""
    if type(error).__name__ in DOCTEST:
        return of_doctest(error)
    path, line = place(error, places)
    if not message and type(error).__name__ not in {"CollectError", "FixtureLookupError"}:
        message = told(error)
    if not isinstance(error, AssertionError):
        # The first line of an assertion says what is wrong; that of others, who is speaking.
        message = " ".join(message.split())
    return Explained(with_causes(message, error), path, line)


def told(error: BaseException) -> str:
    """Judged code may have written the class: whatever it raises here is no reason to stop."""
    try:
        text = str(error)
    except Exception:  # noqa: BLE001
        text = "(it cannot be shown)"
    return f"{type(error).__name__}: {text}".removesuffix(": ")


def place(error: BaseException, places: Places) -> tuple[str | None, int | None]:
    """The deepest line of the project on the way to the error, or the one that is no Python."""
    if isinstance(error, SyntaxError) and error.filename and places.hold(error.filename):
        return error.filename, error.lineno
    path, line = None, None
    trace = error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if places.hold(name):
            path, line = name, trace.tb_lineno
        trace = trace.tb_next
    return path, line


def with_causes(message: str, error: BaseException) -> str:
    """The message, and in its first line what it came from: that is where the reason is."""
    parts: list[str] = []
    seen = {id(error)}
    while len(parts) < MAX_LINKS:
        word, cause = origin(error)
        if cause is None or id(cause) in seen:
            break
        seen.add(id(cause))
        error = cause
        parts.append(f"{word} {' '.join(told(cause).split())[:MAX_CAUSE]}")
    if not parts or not message:
        return message
    first, newline, rest = message.partition("\n")
    return f"{first} ({', '.join(parts)}){newline}{rest}"


def origin(error: BaseException) -> tuple[str, BaseException | None]:
    if error.__cause__ is not None:
        return "caused by", error.__cause__
    group = getattr(error, "exceptions", None)
    if isinstance(error, BaseExceptionGroup) and group:
        return "caused by", group[0]
    if error.__suppress_context__:
        return "", None
    return "while handling", error.__context__


def of_doctest(error: Any) -> Explained:
    first = error.failures[0] if hasattr(error, "failures") else error
    example, test = first.example, first.test
    source = example.source.strip()
    if hasattr(first, "exc_info"):
        outcome = f"raised {told(first.exc_info[1])}"
    else:
        outcome = f"gave {first.got.strip() or 'nothing'}, not {example.want.strip() or 'nothing'}"
    line = None if test.lineno is None else test.lineno + example.lineno + 1
    return Explained(f"{source} {outcome}", test.filename, line)
