"""Known solutions of a sample, judged: the reference and right ones pass, the others fail."""

import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import Outcome
from sdkbench.datasets import Variant
from sdkbench.sandbox import Level
from sdkbench.validation.trials import Conditions, Trial, Trials, Wanted
from sdkbench.validation.values import Check, CheckName, Gap

RUNS = 5  # of the reference: a test that fails one time in three is found with 87 %
FEWEST_RIGHT, FEWEST_WRONG = 1, 2
# What a failing test says where there is no network, or no right to write: path or host in front.
NETWORK = re.compile(
    r"(?i)name or service not known|temporary failure in name resolution|nodename nor servname"
    r"|ENOTFOUND|EAI_AGAIN|getaddrinfo|network is unreachable|ENETUNREACH|no address associated"
    r"|UnknownHostException|failed to lookup address|dial tcp: lookup|no such host"
    r"|NameResolutionError|max retries exceeded|nxdomain|could not resolve"
)
WRITING = re.compile(
    r"(?i)read-only file system|EROFS|\bEACCES\b|permission denied|ReadOnlyFileSystemException"
    r"|AccessDeniedException"
)
SHOWN = 4
PARTS = re.compile(r"::| > ")  # between a test's file, its groups and its name


class Judged(NamedTuple):
    """`trials` by variant."""

    check: Check
    trials: Sequence[Trial]


def check_reference(trials: Trials, home: str) -> Judged:
    """Five runs, and none of them unlike another."""
    reference = trials.sample.reference_dir
    wanted = [Wanted(reference, Conditions(run=run, alone=True)) for run in range(RUNS)]
    runs = trials.judged("reference", wanted)
    gaps = [*_unsteady(runs, f"{home}/tests")]
    if not gaps and any(run.outcome is not Outcome.PASSED for run in runs):
        worst = next(run for run in runs if run.outcome is not Outcome.PASSED)
        gaps.append(
            Gap(
                path=f"{home}/expected",
                what=f"the reference does not pass: {worst.reason}",
                todo="mend the reference or the tests",
            )
        )
    isolated = trials.harness.sandbox.level is Level.BUBBLEWRAP
    not_tried = () if isolated else ("without a network: the sandbox here does not isolate",)
    check = Check(name=CheckName.REFERENCE, gaps=tuple(gaps), not_tried=not_tried)
    return Judged(check, runs)


def _unsteady(runs: Sequence[Trial], tests: str) -> Iterator[Gap]:
    failing = {test: message for run in runs for test, message in run.failed.items()}
    for test, message in sorted(failing.items()):
        times = sum(test in run.failed for run in runs)
        path = placed(test, tests)
        if times < len(runs):
            yield Gap(
                path=path,
                what=f"flaky: {test} failed in {times} of {len(runs)} runs of the reference: "
                f"{message}",
                todo="take out what changes from run to run: chance, time, order of sets, ports",
            )
        else:
            yield Gap(
                path=path,
                what=f"the reference fails {test}: {message}",
                todo=_advice(message),
            )
    for test in sorted({test for run in runs for test in run.skipped}):
        yield Gap(
            path=placed(test, tests),
            what=f"{test} is skipped, so it shows nothing",
            todo="make it run in the sandbox, which has no network and no other services",
        )


def _advice(message: str) -> str:
    if NETWORK.search(message):
        return "it needs the network, which solutions are judged without: start a server of its own"
    if WRITING.search(message):
        return "it writes outside of its folders: use the temporary folder (tmp_path, t.TempDir, …)"
    return "mend the reference or the test"


def placed(test: str, tests: str) -> str:
    """The file that a test's id names, below the sample; or the folder of tests."""
    path = PARTS.split(test)[0]
    home = tests.removesuffix("/tests")
    return f"{home}/{path}" if path.startswith("tests/") else tests


def check_starter(trials: Trials, home: str) -> Judged:
    starter = trials.sample.starter_dir
    if not starter.is_dir() or not any(starter.iterdir()):
        gap = Gap(
            path=f"{home}/input",
            what="there is no starter",
            todo="add what a model begins from: signatures with comments, and the manifest",
        )
        return Judged(Check(name=CheckName.STARTER, gaps=(gap,)), ())
    [trial] = trials.judged("starter", [Wanted(starter)])
    gaps: tuple[Gap, ...] = ()
    if trial.outcome is not Outcome.FAILED:
        what = "the starter passes: there is nothing to do"
        if trial.outcome is not Outcome.PASSED:
            what = f"the starter ends in {trial.outcome}: {trial.reason}"
        todo = "take the solution out of it, and keep what must be there for the tests to fail"
        gaps = (Gap(path=f"{home}/input", what=what, todo=todo),)
    return Judged(Check(name=CheckName.STARTER, gaps=gaps), (trial,))


def check_variants(
    trials: Trials, variants: Sequence[Variant], known: frozenset[str], home: str
) -> tuple[Judged, Judged]:
    """Right and wrong ones; `known` are the ids of the tests."""
    with tempfile.TemporaryDirectory(prefix="sdkbench-variants-") as name:
        folders = [v.solution.lay_out(Path(name) / v.name) for v in variants]
        judged = trials.judged("variants", [Wanted(folder) for folder in folders])
    pairs = list(zip(variants, judged, strict=True))
    right = [(v, trial) for v, trial in pairs if v.outcome is Outcome.PASSED]
    wrong = [(v, trial) for v, trial in pairs if v.outcome is Outcome.FAILED]
    right_gaps = [*_too_few(len(right), FEWEST_RIGHT, "right", home)]
    for variant, trial in right:
        if trial.outcome is not Outcome.PASSED:
            right_gaps.append(_refused(variant, trial, home))
    wrong_gaps = [*_too_few(len(wrong), FEWEST_WRONG, "wrong", home)]
    for variant, trial in wrong:
        wrong_gaps += _missed(variant, trial, known, home)
    return (
        Judged(Check(name=CheckName.RIGHT, gaps=tuple(right_gaps)), [t for _, t in right]),
        Judged(Check(name=CheckName.WRONG, gaps=tuple(wrong_gaps)), [t for _, t in wrong]),
    )


def _too_few(count: int, fewest: int, kind: str, home: str) -> Iterator[Gap]:
    if count < fewest:
        yield Gap(
            path=f"{home}/variants",
            what=f"{count} {kind} variants, and {fewest} are needed",
            todo=f"add variants/{kind}-<name>/ with what differs from expected/, and describe it "
            "in variants/variants.toml",
        )


def _refused(variant: Variant, trial: Trial, home: str) -> Gap:
    return Gap(
        path=f"{home}/variants/{variant.name}",
        what=f"this right solution ends in {trial.outcome}: {trial.reason}",
        todo="if it is right, the tests ask for more than the description does: mend them",
    )


def _missed(variant: Variant, trial: Trial, known: frozenset[str], home: str) -> Iterator[Gap]:
    """What is wrong about how the tests took a wrong solution."""
    path, listed = f"{home}/variants/{variant.name}", f"{home}/variants/variants.toml"
    if trial.outcome is not Outcome.FAILED:
        yield Gap(
            path=path,
            what=f"this wrong solution ends in {trial.outcome}: {variant.about}",
            todo="add a test that this mistake fails",
        )
        return
    if not trial.is_built:
        yield Gap(
            path=path,
            what=f"this wrong solution doesn't build, so no test has seen it: {trial.reason}",
            todo="make a mistake that a compiler lets through",
        )
        return
    # A test that never came to its end has not passed either.
    unpassed = known - {*trial.passed, *trial.skipped}
    if not variant.caught_by:
        names = ", ".join(f'"{name_of(test)}"' for test in sorted(unpassed)[:SHOWN])
        yield Gap(
            path=listed,
            what=f"[{variant.name}] does not say which tests catch it",
            todo=f"add caught_by with those that name the mistake. They fail: {names}",
        )
    for name in variant.caught_by:
        tests = {test for test in known if names_test(name, test)}
        if not tests:
            yield Gap(
                path=listed,
                what=f"[{variant.name}] is to be caught by {name!r}, and no test is called so",
                todo="correct caught_by: the end of a test's id, without parameters",
            )
        elif not tests & unpassed:
            failing = ", ".join(sorted(map(name_of, unpassed))[:SHOWN])
            yield Gap(
                path=listed,
                what=f"[{variant.name}] is not caught by {name!r}, which passes; {failing} fails",
                todo="correct caught_by, or make that test notice the mistake",
            )


def name_of(test: str) -> str:
    """A test's own name: without its file and its parameters."""
    return re.sub(r"(?:\(.*\))?(?:\[.*\])?$", "", PARTS.split(test)[-1])


def names_test(name: str, test: str) -> bool:
    return name in {test, name_of(test), PARTS.split(test)[-1]}
