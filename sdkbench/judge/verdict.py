"""decide(examination, expectation): every way in which a run can fall short, by name.

Checks are made in the order below; the first that finds something names the outcome.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence

from sdkbench.core import Assurance, Fault, Outcome
from sdkbench.sandbox import StoppedBy
from sdkbench.test_harness.evidence import Evidence, Examination
from sdkbench.test_harness.models import (
    BuildResult,
    DependencyInstallResult,
    Finding,
    TestStatus,
    Value,
)

MAX_REASON = 8192  # characters; a solution may have written most of it
MAX_LINE = 500  # characters of a message in a sentence; the whole of it is in the evidence
CHANNEL_FINDING = "channel"
SHOWN = 5  # names listed in a sentence before "and N more"


class Expectation(Value):
    """`must_pass` pass on the reference; `may_skip` are skipped or expected to fail there.

    `unstable` sometimes pass there and sometimes don't: they say nothing, and never count.
    """

    must_pass: tuple[str, ...]
    may_skip: tuple[str, ...] = ()
    unstable: tuple[str, ...] = ()
    environment: str | None = None  # the key of the one that the reference ran in
    # Why the reference's own build step fails, where its tests pass all the same: nobody is asked
    # for more than the reference shows.
    build_failure: str | None = None

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


class Verdict(Value):
    outcome: Outcome
    assurance: Assurance
    fault: Fault | None = None
    reason: str | None = None
    findings: tuple[Finding, ...] = ()


def decide_installation(installed: DependencyInstallResult, assurance: Assurance) -> Verdict:
    """For a solution whose dependencies give no environment."""
    reason = f"The dependencies cannot be installed: {_bounded(installed.error or '')}"
    return Verdict(outcome=Outcome.FAILED, assurance=assurance, fault=Fault.INSTALL, reason=reason)


def decide(
    examination: Examination,
    expectation: Expectation | None,
    *,
    aside: Collection[str] = (),
    assurance: Assurance = Assurance.CHECKED,
    own_tests: bool = False,
) -> Verdict:
    """*passed* only if every expected id was cleanly passed exactly once, the end of the run is
    on record and the exit code agrees; without an expectation, if at least one test passed and
    none failed. The tests `aside` have no say, nor have those that are unstable. `assurance` is
    what the evidence is worth; without an expectation, or with doubts about it, it is plain.
    A build that failed, or was all that was asked for, is decided without tests, whatever those of
    other parts of a project show. With `own_tests`
    a project is judged on its own: whatever is odd about them, nobody gains by it, and nothing is
    called tampering.
    """
    evidence, build = examination.evidence, examination.build
    if own_tests and build.missing_tool:
        return _decide_missing_tool(build.missing_tool, evidence)
    if evidence is None or (own_tests and not build.success):
        return _decide_build(build, Assurance.PLAIN if own_tests else assurance)
    if expectation is None or evidence.doubts:
        assurance = Assurance.PLAIN
    ignored = {*aside, *(expectation.unstable if expectation else ())}
    counted = evidence.without(ignored)
    asked = expectation and expectation.without(ignored)
    checked = [(name, fault, check(evidence, expectation)) for name, fault, check in _OF_THE_RUN]
    checked += [(name, fault, check(counted, asked)) for name, fault, check in _OF_TESTS]
    findings = [
        (fault, Finding(name=name, message=_bounded(message)))
        for name, fault, message in checked
        if message
    ]
    if not findings:
        return Verdict(outcome=Outcome.PASSED, assurance=assurance)
    fault, first = findings[0]
    tampered = fault is Fault.TAMPERING and not own_tests
    unreadable = first.name == CHANNEL_FINDING
    if own_tests and fault is Fault.TAMPERING:
        fault = Fault.TEST
    return Verdict(
        outcome=Outcome.INVALID if tampered or unreadable else Outcome.FAILED,
        assurance=assurance,
        fault=fault if tampered or build.success else Fault.BUILD,
        reason=first.message,
        findings=tuple(finding for _, finding in findings),
    )


def _decide_build(build: BuildResult, assurance: Assurance) -> Verdict:
    if build.success:
        reason = "The tests were not run."
        return Verdict(outcome=Outcome.NOT_EXECUTED, assurance=assurance, reason=reason)
    more = f" (and {len(build.errors) - 1} more)" if len(build.errors) > 1 else ""
    first = _bounded(build.errors[0] if build.errors else "no message")
    reason = f"The build failed: {first}{more}"
    return Verdict(outcome=Outcome.FAILED, assurance=assurance, fault=Fault.BUILD, reason=reason)


def _decide_missing_tool(tool: str, evidence: Evidence | None) -> Verdict:
    """The machine's fault; what the tests show without the build is told."""
    told = ""
    if evidence is not None and evidence.reports:
        counts = evidence.summary()
        told = f" Without it, {counts.passed} of {counts.total} tests passed."
    reason = f"The build needs {tool}, which is not here.{told}"
    fault = Fault.MISSING_TOOL
    return Verdict(outcome=Outcome.ERROR, assurance=Assurance.PLAIN, fault=fault, reason=reason)


def _timeout(evidence: Evidence, _: Expectation | None) -> str | None:
    if evidence.process.stopped_by is not StoppedBy.WALL:
        return None
    after = f" after {evidence.process.duration_seconds:.0f} s"
    return f"Stopped at the {evidence.process.stopped_by} limit{after}{_while_running(evidence)}."


def _other_limit(evidence: Evidence, _: Expectation | None) -> str | None:
    limit = evidence.process.stopped_by
    if limit is None or limit is StoppedBy.WALL:
        return None
    return f"Stopped at the {limit} limit{_while_running(evidence)}."


def _channel_faults(evidence: Evidence, _: Expectation | None) -> str | None:
    if not evidence.faults:
        return None
    return (
        f"The test record is not as our reporters write it: {'; '.join(evidence.faults[:SHOWN])}."
    )


def _not_loaded(evidence: Evidence, _: Expectation | None) -> str | None:
    if not evidence.load_errors:
        return None
    return f"The tests could not be loaded: {_errors(evidence)}."


def _outside_tests(evidence: Evidence, _: Expectation | None) -> str | None:
    if not evidence.collection_errors or evidence.load_errors:
        return None
    return f"An error outside of any test: {_errors(evidence)}."


def _unfinished(evidence: Evidence, _: Expectation | None) -> str | None:
    if evidence.ended:
        return None
    return f"The test run ended early{_while_running(evidence)}: {evidence.process.ending()}."


def _repeated(evidence: Evidence, _: Expectation | None) -> str | None:
    counts = Counter(report.id for report in evidence.reports)
    repeated = sorted(name for name, count in counts.items() if count > 1)
    return f"Reported more than once: {_listed(repeated)}." if repeated else None


def _unknown(evidence: Evidence, expectation: Expectation | None) -> str | None:
    """Tests of files that the sample doesn't have. One more of a known file is none of them: a
    test may be there once for each thing that the solution offers.
    """
    if expectation is None:
        return None
    files = {_file(name) for name in expectation.known}
    unknown = sorted({r.id for r in evidence.reports if _file(r.id) not in files})
    return f"Reported, but no test of the sample: {_listed(unknown)}." if unknown else None


def _console_disagrees(evidence: Evidence, _: Expectation | None) -> str | None:
    """The framework's own last line, where it prints one, must agree with the channel.

    Code may print such lines too, of its own timings, say. One that agrees is the framework's.
    """
    if not evidence.console or not evidence.ended:
        return None
    bad = sum(r.is_bad for r in evidence.reports) + len(evidence.collection_errors)
    good = sum(r.status is TestStatus.PASSED for r in evidence.reports)
    for console in evidence.console:
        if bool(bad) == bool(console.bad) and (bad or good == console.passed):
            return None
    told = " or ".join(f"{c.passed} and {c.bad}" for c in evidence.console[:SHOWN])
    return (
        f"The channel reported {good} passed and {bad} failed tests, "
        f"but the framework's own summary says {told}."
    )


def _failing(evidence: Evidence, _: Expectation | None) -> str | None:
    bad = [r for r in evidence.reports if r.is_bad]
    if not bad:
        return None
    message = _first_line(bad[0].failure.error_message) if bad[0].failure else bad[0].status
    noun = "test" if len(bad) == 1 else "tests"
    short = bad[0].id.rpartition("::")[2] or bad[0].id
    return f"{len(bad)} {noun} of {len(evidence.reports)} failed: {short}: {message}"


def _missing(evidence: Evidence, expectation: Expectation | None) -> str | None:
    must_pass = expectation.must_pass if expectation else ()
    missing = sorted({*must_pass} - {report.id for report in evidence.reports})
    return f"Expected but never reported: {_listed(missing)}." if missing else None


def _not_cleanly_passed(evidence: Evidence, expectation: Expectation | None) -> str | None:
    """Skips and expected failures where the reference simply passes."""
    must_pass = {*expectation.must_pass} if expectation else set()
    dodged = sorted(
        r.id
        for r in evidence.reports
        if r.id in must_pass and (r.status is TestStatus.SKIPPED or r.expected_failure)
    )
    return f"Skipped where the reference passes: {_listed(dodged)}." if dodged else None


def _no_tests(evidence: Evidence, expectation: Expectation | None) -> str | None:
    if evidence.reports or _all_aside(expectation):
        return None
    tried = f" Looked into: {_listed([*evidence.tried])}." if evidence.tried else ""
    return f"No tests were found, so nothing was shown.{tried}"


def _nothing_passed(evidence: Evidence, expectation: Expectation | None) -> str | None:
    clean = any(r.is_clean for r in evidence.reports)
    if not evidence.reports or clean or _all_aside(expectation):
        return None
    return f"None of the {len(evidence.reports)} tests passed."


def _exit_disagrees(evidence: Evidence, _: Expectation | None) -> str | None:
    """The framework's status, the process's exit code and the reports must agree."""
    if not evidence.ended or evidence.process.stopped_by is not None:
        return None
    if evidence.process.exit_code != evidence.framework_exit:
        return (
            f"The framework ended with status {evidence.framework_exit}, "
            f"the process with {evidence.process.ending()}."
        )
    if not evidence.reports and not evidence.collection_errors:
        return None  # frameworks exit differently when there are no tests, and none calls it a pass
    bad = any(r.is_bad for r in evidence.reports)
    clean = not bad and not evidence.collection_errors and bool(evidence.reports)
    if clean == (evidence.framework_exit == 0):
        return None
    return (
        f"The reports {'are clean' if clean else 'show failures'}, "
        f"but the framework ended with status {evidence.framework_exit}."
    )


# The name of each finding, whose fault it is, and the check that writes its sentence.
_Check = tuple[str, Fault, Callable[[Evidence, Expectation | None], str | None]]
_OF_THE_RUN: tuple[_Check, ...] = (
    (CHANNEL_FINDING, Fault.TAMPERING, _channel_faults),
    ("limit", Fault.TIMEOUT, _timeout),
    ("limit", Fault.RESOURCE_LIMIT, _other_limit),
    ("repeated_ids", Fault.TAMPERING, _repeated),
    ("unknown_ids", Fault.TAMPERING, _unknown),
    ("exit_code", Fault.TAMPERING, _exit_disagrees),
    ("console", Fault.TAMPERING, _console_disagrees),
    ("collection", Fault.TEST, _not_loaded),
    ("outside_tests", Fault.TEST, _outside_tests),
    ("unfinished", Fault.TEST, _unfinished),
)
_OF_TESTS: tuple[_Check, ...] = (
    ("failing_tests", Fault.TEST, _failing),
    ("skipped", Fault.TEST, _not_cleanly_passed),
    ("missing_ids", Fault.TEST, _missing),
    ("no_tests", Fault.NO_TESTS, _no_tests),
    ("nothing_passed", Fault.NO_TESTS, _nothing_passed),
)


def _while_running(evidence: Evidence) -> str:
    return f" while {evidence.running} was running" if evidence.running else ""


def _errors(evidence: Evidence) -> str:
    errors = evidence.collection_errors
    many = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return _first_line(errors[0].error_message).removesuffix(".") + many


def _all_aside(expectation: Expectation | None) -> bool:
    return expectation is not None and not expectation.must_pass


def _file(test_id: str) -> str:
    return test_id.partition("::")[0].partition(" > ")[0]


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def _bounded(text: str) -> str:
    return text if len(text) <= MAX_REASON else f"{text[:MAX_REASON]}…"


def _first_line(text: str) -> str:
    line = next((line.strip() for line in text.splitlines() if line.strip()), "no message")
    return line if len(line) <= MAX_LINE else f"{line[:MAX_LINE]}…"
