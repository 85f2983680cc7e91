"""RunSource: the attempts of a run, from the store or from a file of JSON lines."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from sdkbench.core import tree
from sdkbench.errors import InputError
from sdkbench.report.attempts import ExportedAttempt
from sdkbench.store import LATEST, Attempt, Run, RunState, open_store


class RunSource(NamedTuple):
    """`name` is the run's id; `run` is None where a file tells of attempts only. `attempts` may be
    called again and again.
    """

    name: str
    run: Run | None
    attempts: Callable[[], Iterator[Attempt]]
    stored: int

    @property
    def unfinished(self) -> str | None:
        """A sentence on a run that is under way or was stopped; None for one that is whole."""
        run = self.run
        if run is None or (run.state is RunState.FINISHED and not self._fewer(run)):
            return None
        state = "is under way or was killed" if run.state is RunState.RUNNING else "was stopped"
        if run.state is RunState.FINISHED:
            state = "is not whole"
        planned = "" if run.planned is None else f" of {run.planned}"
        return f"Run {self.name} {state}: {self.stored}{planned} attempts are stored."

    def _fewer(self, run: Run) -> bool:
        return run.planned is not None and self.stored < run.planned


@contextmanager
def open_sources(names: Sequence[str], store: str | None) -> Iterator[list[RunSource]]:
    """Each name is a run's id, the beginning of one, `latest`, or a file that `export` wrote. The
    store is opened only where one is needed, and stays as it is.

    Raises InputError where there is no such run, no attempt in it, or no such file.
    """
    with ExitStack() as stack:
        opened = None
        sources: list[RunSource] = []
        for name in names:
            path = Path(name)
            if name != LATEST and path.is_file():
                sources.append(_file_source(path))
                continue
            if opened is None:
                opened = stack.enter_context(open_store(store, write=False))
            run = opened.find_run(name)
            counts = opened.outcome_counts().get(run.id)
            if not counts:
                raise InputError(f"Run {run.id} has no attempts: nothing can be said of it yet.")
            read = _reader(opened.attempts, run.id)
            sources.append(RunSource(run.id, run, read, counts.total()))
        yield sources


def _reader(
    attempts: Callable[[str], Iterator[Attempt]], run_id: str
) -> Callable[[], Iterator[Attempt]]:
    return lambda: attempts(run_id)


def _file_source(path: Path) -> RunSource:
    """Read through once, so that what is wrong with it is said before anything else."""
    stored = Counter(attempt.run_id for attempt in read_jsonl(path))
    if not stored:
        raise InputError(f"{tree.shown(path)} holds no attempts.")
    if len(stored) > 1:
        named = ", ".join(sorted(stored)[:3])
        raise InputError(f"{tree.shown(path)} holds attempts of several runs: {named}.")
    return RunSource(next(iter(stored)), None, lambda: read_jsonl(path), stored.total())


def read_jsonl(path: Path) -> Iterator[ExportedAttempt]:
    """What `write_jsonl` wrote; empty lines are passed over.

    InputError names the line that is something else.
    """
    try:
        with path.open(encoding="utf-8") as stream:
            for number, line in enumerate(stream, 1):
                if line.strip():
                    yield _attempt(line, f"{tree.shown(path)}, line {number}")
    except UnicodeDecodeError as error:
        raise InputError(f"{tree.shown(path)} is not UTF-8: no file of attempts.") from error
    except OSError as error:
        raise InputError(f"{tree.shown(path)} can't be read: {error.strerror}.") from error


def _attempt(line: str, place: str) -> ExportedAttempt:
    try:
        return ExportedAttempt.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(
            f"{place}: no attempt as `sdkbench export` writes it "
            f"({f'{where}: ' if where else ''}{first['msg']})."
        ) from error
