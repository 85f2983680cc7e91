"""AttemptDetails: one attempt in full, as far as a page can show it, for whoever opens it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from pydantic import JsonValue, ValidationError

from sdkbench import __version__
from sdkbench.core import Value
from sdkbench.report.code_metrics import stored_metrics
from sdkbench.report.pages.diffs import FileDiff, file_diff
from sdkbench.report.pages.samples import SampleLibrary
from sdkbench.report.pages.shell_overview import stored_result
from sdkbench.report.pages.visible import cut, decoded, one_line, visible
from sdkbench.sandbox.command import GIB, MIB, Limits
from sdkbench.store import Artefact, Attempt, Run, Stored, Suite
from sdkbench.store.artefacts import SOLUTION
from sdkbench.test_harness import FCorrResult, TestFailure

if TYPE_CHECKING:
    from sdkbench.store.reading import StoreReader

STAGES = {
    "install_results": "Output of the installation",
    "build_results": "Output of the build",
    "test_results": "Output of the tests",
}
TEST_ID_CHARACTERS = 500
MOST_REMARKS = 100  # findings, notes, refused files
FEW, MANY = 300, 2_500  # attempts of a report: how much is kept of each goes by these
# Failures first: somebody looks for those.
STATUS_ORDER = {"failed": 0, "error": 1, "skipped": 2, "passed": 3}


class Room(NamedTuple):
    """How much of an attempt is kept: characters of a text, lines of a diff, files, tests."""

    text: int
    lines: int
    files: int
    tests: int

    @classmethod
    def for_attempts(cls, attempts: int) -> "Room":
        """Less of each where there are many: a report of 2,000 stays below 10 MB."""
        if attempts <= FEW:
            return cls(text=60_000, lines=2_000, files=200, tests=2_000)
        if attempts <= MANY:
            return cls(text=12_000, lines=400, files=50, tests=400)
        return cls(text=3_000, lines=150, files=20, tests=100)


VIEWER_ROOM = Room(text=400_000, lines=5_000, files=500, tests=10_000)


class Fact(NamedTuple):
    name: str
    value: str


class TestView(Value):
    """`place` is file and line of the failure."""

    __test__ = False

    id: str
    status: str
    message: str = ""
    place: str = ""
    trace: str = ""
    output: str = ""


class FindingView(Value):
    name: str
    message: str


class MetricView(Value):
    """A figure that was read from code, as text, with its parts and what was found where."""

    name: str
    score: str
    parts: str
    findings: tuple[str, ...]


class TextView(Value):
    title: str
    text: str


class ShellView(Value):
    prompt: str
    expected: str
    actual: str | None
    verdict: str
    matched: str
    safety: tuple[str, ...]
    posix: tuple[str, ...]
    expected_safe: bool
    safe: bool | None
    expected_posix: bool
    posix_compliant: bool | None


class AttemptDetails(Value):
    reason: str
    description: str
    findings: tuple[FindingView, ...]
    metrics: tuple[MetricView, ...]
    notes: tuple[str, ...]
    tests: tuple[TestView, ...]
    tests_left_out: int
    files: tuple[FileDiff, ...]
    files_left_out: int
    same_files: tuple[str, ...]
    same_left_out: int
    has_starter: bool
    texts: tuple[TextView, ...]
    shell: ShellView | None
    facts: tuple[Fact, ...]


def attempt_details(
    store: "StoreReader", run: Run, key: str, library: SampleLibrary, room: Room
) -> AttemptDetails:
    """StoreError where the run has no attempt of that key."""
    return details_of(store.stored(run.id, key), run, library, room)


def details_of(stored: Stored, run: Run, library: SampleLibrary, room: Room) -> AttemptDetails:
    attempt, artefacts = stored
    is_sdk = attempt.suite is Suite.SDK
    result = _result(attempt) if is_sdk else None
    starter = library.starter(attempt.sdk, attempt.sample) if is_sdk else None
    files = {each.name: each.data for each in artefacts if each.kind == SOLUTION}
    changed, same = _compared(files, starter)
    tests = _tests(attempt, result, room)
    description = library.facts(attempt.sdk, attempt.sample).description if is_sdk else ""
    return AttemptDetails(
        reason=cut(attempt.error or "", room.text),
        description=cut(description, room.text),
        findings=tuple(_findings(result)),
        metrics=tuple(_metrics(attempt)),
        notes=tuple(_notes(attempt, result)),
        tests=tests[: room.tests],
        tests_left_out=max(len(tests) - room.tests, 0),
        files=tuple(
            file_diff(
                name,
                (starter or {}).get(name),
                files.get(name),
                room.lines,
                has_starter=starter is not None,
            )
            for name in changed[: room.files]
        ),
        files_left_out=max(len(changed) - room.files, 0),
        same_files=tuple(visible(name) for name in same[: room.files]),
        same_left_out=max(len(same) - room.files, 0),
        has_starter=starter is not None,
        texts=tuple(_texts(artefacts, result, room)),
        shell=None if is_sdk else _shell(attempt),
        facts=tuple(_facts(attempt, result, run)),
    )


def _result(attempt: Attempt) -> FCorrResult | None:
    """None where nothing was judged, or by a version whose results we can't read."""
    try:
        return FCorrResult.model_validate(attempt.result)
    except ValidationError:
        return None


def _compared(
    files: Mapping[str, bytes], starter: Mapping[str, bytes] | None
) -> tuple[list[str], list[str]]:
    """Names of files unlike the starter's, and of those that are the same."""
    if not files:
        return [], []
    before = starter or {}
    names = sorted(before.keys() | files.keys())
    same = [name for name in names if before.get(name) == files.get(name)]
    known = set(same)
    return [name for name in names if name not in known], same


def _tests(attempt: Attempt, result: FCorrResult | None, room: Room) -> tuple[TestView, ...]:
    failures = result.test_results.failures if result and result.test_results else []
    known = {failure.test_name: failure for failure in failures}
    views = [
        _test(test.test_id, test.status, test.message, known.get(test.test_id), room)
        for test in attempt.tests
    ]
    listed = {test.test_id for test in attempt.tests}
    views += [
        _test(failure.test_name, "failed", failure.error_message, failure, room)
        for failure in failures
        if failure.test_name not in listed
    ]
    return tuple(sorted(views, key=lambda view: STATUS_ORDER.get(view.status, 0)))


def _test(
    test_id: str, status: str, message: str, failure: TestFailure | None, room: Room
) -> TestView:
    place = ""
    if failure and failure.file_path:
        line = f":{failure.line_number}" if failure.line_number else ""
        place = visible(f"{failure.file_path}{line}")
    return TestView(
        id=one_line(test_id, TEST_ID_CHARACTERS),
        status=visible(status),
        message=cut(message, room.text // 4),
        place=place,
        trace=cut(failure.stack_trace or "", room.text // 4) if failure else "",
        output=cut(failure.output, room.text // 4) if failure else "",
    )


def _findings(result: FCorrResult | None) -> Iterator[FindingView]:
    for finding in result.findings[:MOST_REMARKS] if result else ():
        yield FindingView(name=visible(finding.name), message=cut(finding.message, 2_000))


def _metrics(attempt: Attempt) -> Iterator[MetricView]:
    for result in stored_metrics(attempt):
        parts = [f"{p.name} {p.score:.0f}" for p in result.parts if p.score is not None]
        yield MetricView(
            name=visible(result.metric),
            score="–" if result.score is None else f"{result.score:.0f}",
            parts=visible(", ".join(parts)),
            findings=tuple(cut(str(f), 2_000) for f in result.all_findings()[:MOST_REMARKS]),
        )


def _notes(attempt: Attempt, result: FCorrResult | None) -> Iterator[str]:
    for note in result.notes[:MOST_REMARKS] if result else ():
        yield cut(note, 2_000)
    if result and result.excluded_tests:
        yield cut(f"Not stable on the reference, so left out: {result.excluded_tests}", 2_000)
    generation = attempt.result.get("generation")
    refusals = generation.get("refusals") if isinstance(generation, dict) else None
    for refusal in refusals[:MOST_REMARKS] if isinstance(refusals, list) else ():
        if isinstance(refusal, dict):
            yield cut(f"Not taken: {refusal.get('path')}: {refusal.get('reason')}", 2_000)


def _texts(
    artefacts: Iterable[Artefact], result: FCorrResult | None, room: Room
) -> Iterator[TextView]:
    errors = result.build_results.errors if result and result.build_results else []
    if errors:
        yield TextView(title="Build errors", text=cut("\n".join(errors), room.text))
    for each in artefacts:
        if each.kind == SOLUTION:
            continue
        text = decoded(each.data)
        title = STAGES.get(each.name) or visible(f"{each.kind}: {each.name}")
        if each.kind == "answer":
            title = "The model's answer"
        shown = f"(binary, {len(each.data):,} bytes)" if text is None else cut(text, room.text)
        yield TextView(title=title, text=shown)


def _shell(attempt: Attempt) -> ShellView | None:
    result = stored_result(attempt)
    if result is None:
        return None
    return ShellView(
        prompt=cut(result.prompt, 4_000),
        expected=cut(result.expected, 4_000),
        actual=None if result.actual is None else cut(result.actual, 4_000),
        verdict=" ".join(
            word
            for word in (result.verdict, result.decided_by and f"by {result.decided_by}")
            if word
        ),
        matched=cut(result.matched or "", 4_000),
        safety=tuple(visible(each) for each in result.safety_findings),
        posix=tuple(visible(each) for each in result.posix_findings),
        expected_safe=result.expected_safe,
        safe=result.safe,
        expected_posix=result.expected_posix,
        posix_compliant=result.posix,
    )


def _facts(attempt: Attempt, result: FCorrResult | None, run: Run) -> Iterator[Fact]:
    """Environment and limits, and what the attempt took; only what is known."""
    pairs: list[tuple[str, object]] = [
        ("Score", f"{attempt.score:g} ({attempt.mode})"),
        ("Judged in", f"{attempt.duration_seconds:.2f} s"),
        ("Ended", f"{attempt.ended_at:%Y-%m-%d %H:%M:%S} UTC"),
    ]
    if attempt.suite is Suite.SDK:
        pairs.append(("Assurance", attempt.assurance))
    if result:
        pairs += _environment(attempt, result)
    if attempt.suite is Suite.SDK:
        pairs += [
            ("Time limit", _seconds(run.settings.get("timeout"))),
            ("Other limits", _other_limits(run)),
            ("Integrity asked for", run.settings.get("integrity")),
        ]
    pairs += [
        ("Input tokens", None if attempt.input_tokens is None else f"{attempt.input_tokens:,}"),
        ("Output tokens", None if attempt.output_tokens is None else f"{attempt.output_tokens:,}"),
        ("Cost", None if attempt.cost_usd is None else f"${attempt.cost_usd:.4f}"),
        ("Taken over from run", attempt.reused_from),
        ("SDKBench", run.harness),
        ("Attempt key", attempt.key),
    ]
    for name, value in pairs:
        if value not in {None, ""}:
            yield Fact(name, one_line(str(value), 2_000))


def _environment(attempt: Attempt, result: FCorrResult) -> list[tuple[str, object]]:
    installed, sandbox = result.install_results, result.sandbox
    pairs: list[tuple[str, object]] = [
        ("Language", result.language),
        ("Test framework", result.framework),
        ("Sandbox", sandbox.level if sandbox else None),
    ]
    if sandbox:
        if sandbox.held_by:
            held = ", ".join(f"{name} by a {by}" for name, by in sandbox.held_by.items())
            pairs.append(("Limits of all processes", held))
        pairs.append(("Limits nothing held", ", ".join(sandbox.unapplied) or "none"))
    if installed:
        made = "made in this run" if installed.built else "kept from before"
        packages = installed.packages_installed
        pairs += [
            ("Environment", f"{packages} packages, {made}" if packages is not None else made),
            ("Added by the runner", "; ".join(installed.completed_with)),
        ]
    pairs.append(("Environment key", attempt.environment_key))
    if result.history:
        unstable = [test for test, seen in result.history.items() if len(set(seen)) > 1]
        pairs.append(("Unstable tests", ", ".join(unstable) or "none"))
    return pairs


def _other_limits(run: Run) -> str | None:
    """They are the same for every attempt of a version; those of another one are not known."""
    if run.harness != __version__:
        return None
    limits = Limits()
    return (
        f"{limits.memory_bytes // GIB} GiB of memory, {limits.processes:,} processes and threads, "
        f"{limits.file_bytes // GIB} GiB a file, {limits.output_bytes // MIB} MiB of output kept"
    )


def _seconds(value: JsonValue) -> str | None:
    return f"{value:g} s" if isinstance(value, int | float) else None
