"""Runs with attempts as models would make them, on the bundled samples and shell cases; and one
with everything in it that a page must show as text.
"""

import hashlib
import random
from collections.abc import Iterator
from typing import NamedTuple

from sdkbench.core import Assurance, Fault, Outcome
from sdkbench.datasets import Sample, load_sdk
from sdkbench.shell import TestCase, TestDataset
from sdkbench.shell.results import FailureReason, IncorrectDetail, blank
from sdkbench.shell.results import TestResult as ShellResult
from sdkbench.store import Artefact, Attempt, RunState, Suite, TestRow
from sdkbench.store.artefacts import solution_artefacts
from sdkbench.store.database import Store
from sdkbench.test_harness import FCorrResult, Finding, Language, TestFailure, TestStatus
from sdkbench.test_harness import TestResult as SdkTests
from sdkbench.test_harness.models import DependencyInstallResult, SandboxReport
from tests.support.places import CORE, SAMPLES

MODELS = {"aurora-large": 0.86, "aurora-small": 0.64, "basalt-2": 0.71, "cinder-coder": 0.48}
LANGUAGES = {".py": "python", ".ts": "typescript", ".go": "go", ".rs": "rust", ".java": "java"}
WORDS = (
    "the", "table", "vector", "token", "client", "request", "answer", "key", "value", "column",
    "limit", "error", "close", "open",
)  # fmt: skip
BATCH = 50
# So that what is invented stays the same, whatever samples are added: all of Clerk's, and these.
LANCEDB = ("data_001", "data_002", "init_001", "init_002", "pipeline_001", "search_001")
ON = {*(f"lancedb_{name}" for name in LANCEDB)} | {
    "bbolt_notes_001", "golang_jwt_tokens_001", "hono_notes_001", "jackson_events_001",
    "jose_tokens_001", "jsonwebtoken_sessions_001", "octokit_issues_001", "okhttp_catalog_001",
    "redb_stock_001", "stripe_webhook_001", "typer_ledger_001",
}  # fmt: skip


class Kept(NamedTuple):
    attempt: Attempt
    artefacts: tuple[Artefact, ...]


def fill(store: Store, attempts: int, *, label: str = "Example run", seed: int = 7) -> str:
    """A finished run of so many attempts; its id."""
    run = store.start_run(
        label=label, planned=attempts, settings={"timeout": 300.0, "integrity": "apart"}
    )
    made = invented(attempts, seed=seed)
    batch: list[Kept] = []
    for kept in made:
        batch.append(kept)
        if len(batch) == BATCH:
            store.save_attempts(run.id, batch)
            batch = []
    store.save_attempts(run.id, batch)
    store.end_run(run.id, RunState.FINISHED)
    return run.id


def invented(attempts: int, *, seed: int = 7) -> Iterator[Kept]:
    """Three of four on samples, the others on shell cases; trial after trial of each model."""
    chance = random.Random(seed)
    every = load_sdk(SAMPLES, "all")
    samples = [each for each in every if each.sdk == "clerk" or each.id in ON]
    files = {sample.id: tuple(solution_artefacts(sample.reference_dir)) for sample in samples}
    cases = TestDataset.from_toml(CORE).test_cases
    made = 0
    trial = 0
    while True:
        for number, sample in enumerate(samples):
            for model, skill in MODELS.items():
                if made == attempts:
                    return
                made += 1
                passes = chance.random() < skill - 0.25 * (number % 4 == 0)
                yield _sdk(chance, sample, files[sample.id], model, trial, passes=passes)
        for case in cases[trial * 4 % 200 :][: len(samples) // 3]:
            for model, skill in MODELS.items():
                if made == attempts:
                    return
                made += 1
                yield _shell(chance, case, model, trial, passes=chance.random() < skill)
        trial += 1


def _key(*parts: object) -> str:
    return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()


def prose(chance: random.Random, words: int) -> str:
    return " ".join(
        chance.choice(WORDS) if chance.random() < 0.8 else f"{chance.getrandbits(24):x}"
        for _ in range(words)
    )


def _sdk(
    chance: random.Random,
    sample: Sample,
    reference: tuple[Artefact, ...],
    model: str,
    trial: int,
    *,
    passes: bool,
) -> Kept:
    outcome = Outcome.PASSED if passes else _other(chance)
    names = [f"tests/test_app.py::test_{word}_{n}" for n, word in enumerate(WORDS[:9])]
    failing = [] if passes else names[: chance.randint(1, 6)]
    cases = {n: TestStatus.FAILED if n in failing else TestStatus.PASSED for n in names}
    failures = [
        TestFailure(
            test_name=name,
            error_message=f"AssertionError: {prose(chance, 12)}",
            file_path="tests/test_app.py",
            line_number=chance.randint(5, 200),
            stack_trace=f">       assert client.{name[-5:]}() == 1\nE   {prose(chance, 60)}",
        )
        for name in failing
    ]
    fault = None if passes else _fault(outcome)
    error = None if passes else f"{len(failing)} tests of {len(names)} failed: {prose(chance, 8)}"
    suffixes = {file.name[file.name.rfind(".") :] for file in reference if "." in file.name}
    language = next((name for end, name in LANGUAGES.items() if end in suffixes), "javascript")
    result = FCorrResult(
        score=100.0 if passes else 0.0,
        outcome=outcome,
        assurance=Assurance.APART if language == "python" else Assurance.TWINNED,
        sample_id=sample.id,
        language=Language(language),
        error=error,
        fault=fault,
        findings=[] if passes else [Finding(name="failing_tests", message=error or "")],
        test_results=SdkTests(
            success=passes, total=9, passed=9 - len(failing), failed=len(failing),
            failures=failures, cases=cases,
        ),
        install_results=DependencyInstallResult(success=True, packages_installed=21),
        sandbox=SandboxReport(level="bubblewrap"),
        duration=chance.lognormvariate(0.5, 0.7),
    )  # fmt: skip
    tokens = chance.randint(600, 4000)
    attempt = Attempt(
        key=_key("sdk", sample.id, model, trial),
        suite=Suite.SDK,
        sdk=sample.sdk,
        sample=sample.id,
        task_type=str(sample.ground_truth.metadata.task_type),
        model=model,
        trial=trial,
        outcome=outcome,
        fault=fault,
        error=error,
        score=result.score,
        assurance=result.assurance,
        duration_seconds=result.duration,
        input_tokens=tokens,
        output_tokens=tokens // 2,
        cost_usd=tokens * (2e-6 if model.endswith("small") else 8e-6),
        result=result.model_dump(mode="json", exclude={"test_results": {"output"}}),
        tests=tuple(
            TestRow(test_id=n, status=s, message="AssertionError" if n in failing else "")
            for n, s in cases.items()
        ),
    )
    changed = tuple(_altered(chance, file) for file in reference)
    answer = Artefact(kind="answer", name="answer.txt", data=prose(chance, 400).encode())
    output = Artefact(kind="output", name="test_results", data=prose(chance, 300).encode())
    return Kept(attempt, (*changed, answer, output))


def _altered(chance: random.Random, file: Artefact) -> Artefact:
    """Some lines are the model's own."""
    if not file.name.endswith((".py", ".ts", ".tsx", ".js", ".go", ".rs", ".java")):
        return file
    lines = file.data.decode("utf-8", "replace").splitlines()
    own = [f"{line}  # {prose(chance, 3)}" if chance.random() < 0.15 else line for line in lines]
    return file.model_copy(update={"data": "\n".join(own).encode()})


def _other(chance: random.Random) -> Outcome:
    kinds = (Outcome.FAILED, Outcome.INVALID, Outcome.ERROR)
    return chance.choices(kinds, weights=(90, 4, 6))[0]


def _fault(outcome: Outcome) -> Fault:
    known = {Outcome.FAILED: Fault.TEST, Outcome.INVALID: Fault.TAMPERING}
    return known.get(outcome, Fault.NETWORK)


def _shell(chance: random.Random, case: TestCase, model: str, trial: int, *, passes: bool) -> Kept:
    common = blank(case, model)
    expected = str(common["expected"]) or "true"
    result = ShellResult.model_validate(
        common
        | {
            "actual": expected if passes else f"{expected} --{chance.choice(WORDS)}",
            "passed": passes,
            "reason": FailureReason.passing()
            if passes
            else FailureReason.incorrect(IncorrectDetail.DIFFERENT, prose(chance, 6)),
            "safe": common["expected_safe"] if chance.random() < 0.9 else True,
            "posix": common["expected_posix"],
        }
    )
    attempt = Attempt(
        key=_key("shell", result.test_id, model, trial),
        suite=Suite.SHELL,
        sdk="core",
        sample=result.test_id,
        task_type=result.category,
        model=model,
        trial=trial,
        outcome=Outcome.PASSED if passes else Outcome.FAILED,
        fault=None if passes else result.reason.kind,
        error=result.reason.message or None,
        score=100.0 if passes else 0.0,
        duration_seconds=0.01,
        input_tokens=120,
        output_tokens=20,
        cost_usd=0.0004,
        result=result.model_dump(mode="json"),
    )
    return Kept(attempt, ())


HOSTILE_NAME = "<script>document.title='owned'</script>"
HOSTILE_TEXT = (
    "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
)
ANSI = "\x1b[31mred\x1b[0m \x1b[2Jcleared \x07bell"
RIGHT_TO_LEFT = "שלום עולם \u202eoverride\u202c العربية"


def hostile() -> Kept:
    """Names, texts and files that would act if they were not shown as text."""
    failure = TestFailure(
        test_name=HOSTILE_NAME,
        error_message=HOSTILE_TEXT,
        stack_trace=f"{ANSI}\n{RIGHT_TO_LEFT}\na\0b",
        output=HOSTILE_TEXT,
    )
    result = FCorrResult(
        score=0.0,
        outcome=Outcome.FAILED,
        language=Language("python"),
        error=f"{HOSTILE_TEXT} {ANSI} {RIGHT_TO_LEFT}",
        fault=Fault.TEST,
        findings=[Finding(name=HOSTILE_NAME, message=HOSTILE_TEXT)],
        notes=[HOSTILE_TEXT],
        test_results=SdkTests(success=False, total=1, failed=1, failures=[failure]),
        sandbox=SandboxReport(level="bubblewrap", unapplied=[HOSTILE_TEXT]),
    )
    attempt = Attempt(
        key=_key("hostile"),
        suite=Suite.SDK,
        sdk=HOSTILE_NAME,
        sample=f"{HOSTILE_NAME} {RIGHT_TO_LEFT}",
        task_type=HOSTILE_TEXT,
        model=f"{HOSTILE_NAME}\"'`=&",
        outcome=Outcome.FAILED,
        fault=HOSTILE_NAME,
        error=result.error,
        score=0.0,
        result=result.model_dump(mode="json"),
        tests=(TestRow(test_id=HOSTILE_NAME, status="failed", message=HOSTILE_TEXT),),
    )
    files = (
        Artefact(kind="solution", name="<b>app.py", data=f"# {HOSTILE_TEXT}\0\n".encode()),
        Artefact(kind="solution", name="right.py", data=f"x = '{RIGHT_TO_LEFT}'\n".encode()),
        Artefact(kind="solution", name="image.bin", data=bytes(range(256)) * 20 + bytes(4000)),
        Artefact(kind="output", name="test_results", data=f"{ANSI}\n".encode() * 250_000),
        Artefact(kind="answer", name="answer.txt", data=f"{HOSTILE_TEXT}\n\xff\0".encode()),
    )
    return Kept(attempt, files)
