"""Under other conditions the same tests must still pass: another order, time zone and day."""

import platform
from collections.abc import Iterator, Sequence
from pathlib import Path

from sdkbench.core import Outcome
from sdkbench.test_harness.models import Language, TestFramework
from sdkbench.validation.solutions import placed
from sdkbench.validation.trials import Conditions, Trial, Trials, Wanted
from sdkbench.validation.values import Check, CheckName, Gap

SEEDS = (0, 1)  # 0 stands for backwards, where the framework can be told
ALONE = frozenset({TestFramework.GO_TEST, TestFramework.CARGO_TEST})  # one process a test
NO_ORDER = {TestFramework.NODE_TEST: "another order: node:test has no option for it"}
ZONE = {"TZ": "Pacific/Chatham"}  # three quarters of an hour off, and a day ahead of others
DAYS = 1000  # ahead: past the next leap day, in another month
FAKETIME = "faketime/libfaketime.so.1"
NO_FAKED_TIME = {Language.GO: "programs in Go ask the kernel itself for the time"}


def check_order(trials: Trials, first: Trial, home: str) -> Check:
    """`first` is a run of the reference as usual."""
    framework = first.framework
    if framework in ALONE:
        return Check(name=CheckName.ORDER)  # nothing that another test left could be there
    if framework in NO_ORDER:
        return Check(name=CheckName.ORDER, not_tried=(NO_ORDER[framework],))
    wanted = [Conditions(alone=True, shuffle_seed=seed) for seed in SEEDS]
    runs = _runs(trials, "another order", wanted)
    gaps = _gaps(
        runs,
        home,
        "in another order",
        "let each test set up what it needs, and leave nothing behind",
    )
    return Check(name=CheckName.ORDER, gaps=tuple(gaps))


def check_clock(trials: Trials, first: Trial, home: str) -> Check:
    [zone] = _runs(trials, "another time zone", [Conditions(alone=True, variables=ZONE)])
    todo = "give the times to the solution, and compare with what is computed from them"
    gaps = [*_gaps([zone], home, f"in another time zone ({ZONE['TZ']})", todo)]
    not_tried: tuple[str, ...] = ()
    library, reason = faketime(first.language)
    if library is None:
        not_tried = (f"another day: {reason}",)
    else:
        variables = {
            "LD_PRELOAD": str(library),
            "FAKETIME": f"+{DAYS}d",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
        [day] = _runs(trials, "another day", [Conditions(alone=True, variables=variables)])
        if day.outcome is Outcome.PASSED or day.failed:
            gaps += _gaps([day], home, f"on another day ({DAYS} days ahead)", todo)
        else:  # not even the framework came to its end
            not_tried = (f"another day: libfaketime does not work there: {day.reason}",)
    return Check(name=CheckName.CLOCK, gaps=tuple(gaps), not_tried=not_tried)


def faketime(language: Language | None) -> tuple[Path | None, str]:
    """The library that shows programs another day; or why there is none."""
    if language in NO_FAKED_TIME:
        return None, NO_FAKED_TIME[language]
    for folder in (f"/usr/lib/{platform.machine()}-linux-gnu", "/usr/lib64", "/usr/lib"):
        if (library := Path(folder, FAKETIME)).is_file():
            return library, ""
    return None, "libfaketime is not installed (Debian: apt-get install faketime)"


def _runs(trials: Trials, what: str, wanted: Sequence[Conditions]) -> list[Trial]:
    reference = trials.sample.reference_dir
    return trials.judged(what, [Wanted(reference, conditions) for conditions in wanted])


def _gaps(runs: Sequence[Trial], home: str, how: str, todo: str) -> Iterator[Gap]:
    failing = {test: message for run in runs for test, message in run.failed.items()}
    for test, message in sorted(failing.items()):
        what = f"{test} fails {how}: {message}"
        yield Gap(path=placed(test, f"{home}/tests"), what=what, todo=todo)
    for run in runs if not failing else ():
        if run.outcome is not Outcome.PASSED:
            what = f"the reference does not pass {how}: {run.reason}"
            yield Gap(path=f"{home}/tests", what=what, todo=todo)
            return
