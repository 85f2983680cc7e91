"""decide(examination, expectation): every way in which a run can fall short, by name.

Checks are made in the order below; the first that finds something names the outcome.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from sdkbench.core import Assurance, Fault, Outcome
from sdkbench.sandbox import StoppedBy
from sdkbench.test_harness.evidence import CaseReport, Evidence, Examination
from sdkbench.test_harness.models import (
    BuildResult,
    DependencyInstallResult,
    Finding,
    TestStatus,
    Value,
)


class Expectation(Value):
    """`must_pass` pass on the reference; `may_skip` are skipped or expected to fail there.

    `unstable` sometimes pass there and sometimes don't: they say nothing, and never count.
    """

    must_pass: tuple[str, ...]
    may_skip: tuple[str, ...] = ()
    unstable: tuple[str, ...] = ()
    environment: str | None = None  # the key of the one that the reference ran in

    def without(self, ids: Collection[str]) -> "Expectation":
        return Expectation(
            must_pass=tuple(i for i in self.must_pass if i not in ids),
            may_skip=tuple(i for i in self.may_skip if i not in ids),
        )

    @property
    def known(self) -> frozenset[str]:
        return frozenset((*self.must_pass, *self.may_skip, *self.unstable))


def expectation_from(runs: Sequence[Evidence]) -> Expectation:
    """The ids of the reference's runs; a test that passes in some and not in all is unstable."""
    clean = [{r.id for r in run.reports if r.is_clean} for run in runs]
    every = frozenset[str]().union(*({r.id for r in run.reports} for run in runs))
    always, sometimes = frozenset.intersection(*map(frozenset, clean)), frozenset().union(*clean)
    return Expectation(
        must_pass=tuple(sorted(always)),
        may_skip=tuple(sorted(every - sometimes)),
        unstable=tuple(sorted(sometimes - always)),
    )


SHOWN = 5  # names listed in a sentence before "and N more"


class Verdict(Value):
    outcome: Outcome
    assurance: Assurance
    fault: Fault | None = None
    reason: str | None = None
    findings: tuple[Finding, ...] = ()


class _Ruling(NamedTuple):
    """A check that found something: what it means, and the finding itself."""

    outcome: Outcome
    fault: Fault
    finding: Finding


def decide_installation(installed: DependencyInstallResult, assurance: Assurance) -> Verdict:
    """For a solution whose dependencies give no environment."""
    reason = f"The dependencies cannot be installed: {installed.error}"
    return Verdict(outcome=Outcome.FAILED, assurance=assurance, fault=Fault.INSTALL, reason=reason)


def decide(
    examination: Examination,
    expectation: Expectation | None,
    *,
    aside: Collection[str] = (),
    assurance: Assurance = Assurance.CHECKED,
) -> Verdict:
    """*passed* only if every expected id was cleanly passed exactly once, the end of the run is
    on record and the exit code agrees; without an expectation, if at least one test passed and
    none failed. The tests `aside` have no say, nor have those that are unstable. `assurance` is
    what the evidence is worth; without an expectation, or with doubts about it, it is plain.
    A build that failed, or was all that was asked for, is decided without tests.
    """
    evidence, build = examination.evidence, examination.build
    if evidence is None:
        return _decide_build(build, assurance)
    if expectation is None or evidence.doubts:
        assurance = Assurance.PLAIN
    ignored = {*aside, *(expectation.unstable if expectation else ())}
    counted = evidence.without(ignored)
    asked = expectation and expectation.without(ignored)
    checked = [check(evidence, expectation) for check in _OF_THE_RUN]
    checked += [check(counted, asked) for check in _OF_TESTS]
    rulings = [ruling for ruling in checked if ruling is not None]
    if not rulings:
        return Verdict(outcome=Outcome.PASSED, assurance=assurance)
    first = rulings[0]
    broken = first.outcome is Outcome.FAILED and not build.success
    return Verdict(
        outcome=first.outcome,
        assurance=assurance,
        fault=Fault.BUILD if broken else first.fault,
        reason=first.finding.message,
        findings=tuple(r.finding for r in rulings),
    )


def _decide_build(build: BuildResult, assurance: Assurance) -> Verdict:
    if build.success:
        reason = "The tests were not run."
        return Verdict(outcome=Outcome.NOT_EXECUTED, assurance=assurance, reason=reason)
    more = f" (and {len(build.errors) - 1} more)" if len(build.errors) > 1 else ""
    reason = f"The build failed: {build.errors[0] if build.errors else 'no message'}{more}"
    return Verdict(outcome=Outcome.FAILED, assurance=assurance, fault=Fault.BUILD, reason=reason)


def _stopped(evidence: Evidence, _: Expectation | None) -> _Ruling | None:
    process = evidence.process
    if process.stopped_by is None:
        return None
    fault = Fault.TIMEOUT if process.stopped_by is StoppedBy.WALL else Fault.RESOURCE_LIMIT
    where = f" while {evidence.running} was running" if evidence.running else ""
    after = f" after {process.duration_seconds:.0f} s" if fault is Fault.TIMEOUT else ""
    return _failed(fault, "limit", f"Stopped at the {process.stopped_by} limit{after}{where}.")


def _channel_faults(evidence: Evidence, _: Expectation | None) -> _Ruling | None:
    if not evidence.faults:
        return None
    return _invalid("channel", f"The test record was tampered with: {'; '.join(evidence.faults)}.")


def _collection(evidence: Evidence, _: Expectation | None) -> _Ruling | None:
    errors = evidence.collection_errors
    if not errors:
        return None
    first = _first_line(errors[0].error_message)
    many = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    if evidence.load_errors:
        return _failed(Fault.TEST, "collection", f"The tests could not be loaded: {first}{many}.")
    return _failed(Fault.TEST, "outside_tests", f"An error outside of any test: {first}{many}.")


def _unfinished(evidence: Evidence, _: Expectation | None) -> _Ruling | None:
    if evidence.ended:
        return None
    where = f" while {evidence.running} was running" if evidence.running else ""
    return _failed(
        Fault.TEST,
        "unfinished",
        f"The test run ended early{where}: {evidence.process.ending()}.",
    )


def _repeated(evidence: Evidence, _: Expectation | None) -> _Ruling | None:
    counts = Counter(report.id for report in evidence.reports)
    repeated = sorted(name for name, count in counts.items() if count > 1)
    if not repeated:
        return None
    return _invalid("repeated_ids", f"Reported more than once: {_listed(repeated)}.")


def _unknown(evidence: Evidence, expectation: Expectation | None) -> _Ruling | None:
    """Tests of files that the sample doesn't have. One more of a known file is none of them: a
    test may be there once for each thing that the solution offers.
    """
    if expectation is None:
        return None
    files = {_file(name) for name in expectation.known}
    unknown = sorted({r.id for r in evidence.reports if _file(r.id) not in files})
    if not unknown:
        return None
    return _invalid("unknown_ids", f"Reported, but no test of the sample: {_listed(unknown)}.")


def _console_disagrees(evidence: Evidence, _: Expectation | None) -> _Ruling | None:
    """The framework's own last line, where it prints one, must agree with the channel."""
    console = evidence.console
    if console is None or not evidence.ended:
        return None
    bad = sum(r.is_bad for r in evidence.reports)
    bad += len(evidence.collection_errors)
    good = sum(r.status is TestStatus.PASSED for r in evidence.reports)
    if bool(bad) == bool(console.bad) and (bad or good == console.passed):
        return None
    return _invalid(
        "console",
        f"The channel reported {good} passed and {bad} failed tests, "
        f"but the framework's own summary says {console.passed} and {console.bad}.",
    )


def _failing(evidence: Evidence, _: Expectation | None) -> _Ruling | None:
    bad = [r for r in evidence.reports if r.is_bad]
    if not bad:
        return None
    message = _first_line(bad[0].failure.error_message) if bad[0].failure else bad[0].status
    noun = "test" if len(bad) == 1 else "tests"
    return _failed(
        Fault.TEST,
        "failing_tests",
        f"{len(bad)} {noun} of {len(evidence.reports)} failed: {_short(bad[0])}: {message}",
    )


def _missing(evidence: Evidence, expectation: Expectation | None) -> _Ruling | None:
    if expectation is None:
        return None
    missing = sorted(set(expectation.must_pass) - {report.id for report in evidence.reports})
    if not missing:
        return None
    return _failed(Fault.TEST, "missing_ids", f"Expected but never reported: {_listed(missing)}.")


def _not_cleanly_passed(evidence: Evidence, expectation: Expectation | None) -> _Ruling | None:
    """Skips and expected failures where the reference simply passes."""
    if expectation is None:
        return None
    must_pass = set(expectation.must_pass)
    dodged = sorted(
        r.id
        for r in evidence.reports
        if r.id in must_pass and (r.status is TestStatus.SKIPPED or r.expected_failure)
    )
    if not dodged:
        return None
    return _failed(Fault.TEST, "skipped", f"Skipped where the reference passes: {_listed(dodged)}.")


def _nothing_passed(evidence: Evidence, expectation: Expectation | None) -> _Ruling | None:
    if expectation is not None and not expectation.must_pass:
        return None  # all of its tests are aside
    if any(r.is_clean for r in evidence.reports):
        return None
    if not evidence.reports:
        return _failed(Fault.NO_TESTS, "no_tests", "No tests were found, so nothing was shown.")
    return _failed(
        Fault.NO_TESTS, "nothing_passed", f"None of the {len(evidence.reports)} tests passed."
    )


def _exit_disagrees(evidence: Evidence, _: Expectation | None) -> _Ruling | None:
    """The framework's status, the process's exit code and the reports must agree."""
    if not evidence.ended or evidence.process.stopped_by is not None:
        return None
    if evidence.process.exit_code != evidence.framework_exit:
        return _invalid(
            "exit_code",
            f"The framework ended with status {evidence.framework_exit}, "
            f"the process with {evidence.process.ending()}.",
        )
    if not evidence.reports and not evidence.collection_errors:
        return None  # frameworks exit differently when there are no tests, and none calls it a pass
    bad = any(r.is_bad for r in evidence.reports)
    clean = not bad and not evidence.collection_errors and bool(evidence.reports)
    if clean != (evidence.framework_exit == 0):
        return _invalid(
            "exit_code",
            f"The reports {'are clean' if clean else 'show failures'}, "
            f"but the framework ended with status {evidence.framework_exit}.",
        )
    return None


_Check = Callable[[Evidence, Expectation | None], _Ruling | None]
_OF_THE_RUN: tuple[_Check, ...] = (
    _channel_faults,
    _stopped,
    _repeated,
    _unknown,
    _exit_disagrees,
    _console_disagrees,
    _collection,
    _unfinished,
)
_OF_TESTS: tuple[_Check, ...] = (
    _failing,
    _not_cleanly_passed,
    _missing,
    _nothing_passed,
)


def _failed(fault: Fault, name: str, message: str) -> _Ruling:
    return _Ruling(outcome=Outcome.FAILED, fault=fault, finding=Finding(name=name, message=message))


def _invalid(name: str, message: str) -> _Ruling:
    finding = Finding(name=name, message=message)
    return _Ruling(outcome=Outcome.INVALID, fault=Fault.TAMPERING, finding=finding)


def _file(test_id: str) -> str:
    return test_id.partition("::")[0].partition(" > ")[0]


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def _short(report: CaseReport) -> str:
    return report.id.rpartition("::")[2] or report.id


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "no message")
