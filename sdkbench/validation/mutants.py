"""Mutants of a sample's reference: which ones are tried, and what became of them."""

import difflib
import hashlib
import itertools
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import Outcome
from sdkbench.datasets import Sample
from sdkbench.errors import SampleError
from sdkbench.judge.reference import Reference
from sdkbench.judge.subject import Options
from sdkbench.test_harness.mutations import exact_text
from sdkbench.validation.explanations import Explanations
from sdkbench.validation.operators import Edit, edits_at, is_aside
from sdkbench.validation.syntax import Source, parsed, sources
from sdkbench.validation.trials import Conditions, Trial, Trials, Wanted
from sdkbench.validation.values import MutationScore, Survivor

MOST = 40  # of one sample; each costs a run of its tests
# Settings of tools: what a mistake in them does is not what a sample's tests are about.
SETTINGS = (".config.", ".d.ts", "setup.py", "build.rs")


class Mutant(NamedTuple):
    """The reference with one small mistake. `before` and `after` are the line's text."""

    path: str  # below the reference
    line: int
    operator: str
    before: str
    after: str
    text: str  # the whole file

    def lay_out(self, reference: Path, into: Path) -> Path:
        shutil.copytree(reference, into, symlinks=True)
        target = into / self.path
        target.unlink()  # a link there must not be written through
        target.write_text(self.text, encoding="utf-8", newline="")
        return into


def mutants_of(sample: Sample, most: int = MOST) -> list[Mutant]:
    """At most `most` of those that can be made, over as many lines as there are.

    The same for the same sources: which ones is decided by what they are, not by chance.
    """
    by_line: dict[tuple[str, int], list[Mutant]] = {}
    for source in sources(sample.reference_dir):
        if not any(part in source.path for part in SETTINGS):
            for mutant in _mutants(source, _own_lines(sample, source)):
                by_line.setdefault((mutant.path, mutant.line), []).append(mutant)
    lines = [sorted(listed, key=_rank) for listed in by_line.values()]
    lines.sort(key=lambda listed: _rank(listed[0]))
    rounds = itertools.chain.from_iterable(itertools.zip_longest(*lines))
    chosen = itertools.islice((mutant for mutant in rounds if mutant is not None), most)
    return sorted(chosen, key=lambda mutant: (mutant.path, mutant.line, mutant.operator))


def _rank(mutant: Mutant) -> str:
    told = f"{mutant.path}\0{mutant.before}\0{mutant.operator}\0{mutant.after}"
    return hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()


def _own_lines(sample: Sample, source: Source) -> set[int]:
    """The lines that the starter does not have already: those are what the task is about."""
    given = sample.starter_dir / source.path
    before = exact_text(given).splitlines() if given.is_file() else []
    after = source.text.splitlines()
    own: set[int] = set()
    for tag, _, _, start, end in difflib.SequenceMatcher(None, before, after).get_opcodes():
        if tag in {"replace", "insert"}:
            own.update(range(start + 1, end + 1))
    return own


def _mutants(source: Source, own: set[int]) -> Iterator[Mutant]:
    waiting = [source.tree.root]
    while waiting:
        node = waiting.pop()
        if is_aside(node, source):
            continue
        waiting += reversed(node.named_children)
        for edit in edits_at(node, source):
            removed = source.tree.source[edit.start : edit.end]
            blanks = len(removed) - len(removed.lstrip())  # of a chain over several lines
            line = source.tree.line(edit.start + blanks)
            if line in own and (mutant := _mutant(source, edit, line)) is not None:
                yield mutant


def _mutant(source: Source, edit: Edit, line: int) -> Mutant | None:
    """None where the result is no valid source, or the same."""
    before = source.tree.source
    after = before[: edit.start] + edit.after.encode() + before[edit.end :]
    text = after.decode()
    if after == before or parsed(text, source.path).tree.root.has_error:
        return None
    lines, others = source.text.splitlines(), text.splitlines()
    shown = others[line - 1].strip() if len(lines) == len(others) else ""
    if not shown:
        shown = f"without {' '.join(before[edit.start : edit.end].decode().split())}"
    return Mutant(source.path, line, edit.operator, lines[line - 1].strip(), shown, text)


class Tried(NamedTuple):
    mutants: Sequence[Mutant]
    trials: Sequence[Trial]

    def score(self, explanations: Explanations) -> MutationScore:
        pairs = list(zip(self.mutants, self.trials, strict=True))
        unjudged = [trial for _, trial in pairs if trial.outcome is Outcome.ERROR]
        unbuilt = [trial for _, trial in pairs if not trial.is_built]
        lived = [mutant for mutant, trial in pairs if trial.outcome is Outcome.PASSED]
        return MutationScore(
            killed=len(pairs) - len(unjudged) - len(unbuilt) - len(lived),
            survivors=tuple(_survivor(mutant, explanations) for mutant in lived),
            unbuildable=len(unbuilt),
            unjudged=len(unjudged),
        )


def _survivor(mutant: Mutant, explanations: Explanations) -> Survivor:
    return Survivor(
        path=mutant.path,
        line=mutant.line,
        operator=mutant.operator,
        before=mutant.before,
        after=mutant.after,
        reason=explanations.of_survivor(mutant.path, mutant.line, mutant.before, mutant.operator),
    )


def try_mutants(trials: Trials, most: int = MOST) -> Tried:
    """Each mutant judged by the tests; the build is asked only where no test noticed anything.

    That is quicker, and says of those that build what the tests themselves say.
    """
    mutants = mutants_of(trials.sample, most)
    first = Conditions(run_build=not _runs_unbuilt(trials))
    with tempfile.TemporaryDirectory(prefix="sdkbench-mutants-") as name:
        root = Path(name)
        folders = [
            mutant.lay_out(trials.sample.reference_dir, root / str(number))
            for number, mutant in enumerate(mutants)
        ]
        tried = trials.judged("mutants", [Wanted(folder, first) for folder in folders])
        lived = [n for n, trial in enumerate(tried) if trial.outcome is Outcome.PASSED]
        if not first.run_build:
            built = trials.judged("mutants", [Wanted(folders[n]) for n in lived])
            for number, trial in zip(lived, built, strict=True):
                tried[number] = trial
    return Tried(mutants, tried)


def _runs_unbuilt(trials: Trials) -> bool:
    """Whether the tests can run without the build step before them."""
    if trials.sample.ground_truth.metadata.black_box is not None:
        return False
    try:
        _ = Reference(trials.sample, trials.harness, Options(run_build=False)).expectation
    except SampleError:
        return False
    return True
