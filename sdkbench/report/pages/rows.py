"""AttemptRow: what tables, filters and figures need of an attempt, and no more. Thousands of them
fit into memory, and into a page.
"""

from typing import NamedTuple

from pydantic import JsonValue

from sdkbench.core import Outcome
from sdkbench.report.pages.samples import SampleFacts
from sdkbench.report.pages.visible import one_line, visible
from sdkbench.store import Attempt, Suite

REASON_CHARACTERS = 220
NAME_CHARACTERS = 200
LINK_DIGITS = 16  # of a key: enough to be the only one of a run


class AttemptRow(NamedTuple):
    """Texts are made visible already. `id` is what links name: the beginning of the key, and the
    run where a page shows several.
    """

    id: str
    run: str
    key: str
    suite: Suite
    sdk: str
    sample: str
    task: str
    difficulty: str
    language: str
    framework: str
    model: str
    trial: int
    outcome: Outcome
    fault: str
    assurance: str
    score: float
    seconds: float
    input_tokens: int | None
    output_tokens: int | None
    cost: float | None
    tests_passed: int
    tests_total: int
    reason: str

    @property
    def place(self) -> str:
        """The sample, by a name that is unique over SDKs and suites."""
        return f"{self.suite}/{self.sdk}/{self.sample}"


def attempt_row(
    attempt: Attempt, run_id: str, facts: SampleFacts, *, several_runs: bool
) -> AttemptRow:
    result = attempt.result
    link = attempt.key[:LINK_DIGITS]
    shell = attempt.suite is Suite.SHELL
    return AttemptRow(
        id=f"{link}@{run_id}" if several_runs else link,
        run=run_id,
        key=attempt.key,
        suite=attempt.suite,
        sdk=_name(attempt.sdk),
        sample=_name(attempt.sample),
        task=_name(attempt.task_type),
        difficulty=_name(text_of(result.get("difficulty")) or facts.difficulty),
        language="shell" if shell else _name(text_of(result.get("language"))),
        framework="" if shell else _name(text_of(result.get("framework"))),
        model=_name(attempt.model or "(no model)"),
        trial=attempt.trial,
        outcome=attempt.outcome,
        fault=_name(attempt.fault or ""),
        # Nothing of a shell command is run in our name: there is no verdict to forge.
        assurance="" if shell else attempt.assurance,
        score=round(attempt.score, 2),
        seconds=round(attempt.duration_seconds, 3),
        input_tokens=attempt.input_tokens,
        output_tokens=attempt.output_tokens,
        cost=attempt.cost_usd,
        tests_passed=sum(test.status == "passed" for test in attempt.tests),
        tests_total=len(attempt.tests),
        reason=one_line(attempt.error or "", REASON_CHARACTERS),
    )


def text_of(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""


def _name(text: str) -> str:
    return one_line(text, NAME_CHARACTERS) if len(text) > NAME_CHARACTERS else visible(text)


# What the page's table and filters get, in this order; the script knows them by name.
PAGE_COLUMNS = (
    "id", "run", "suite", "sdk", "sample", "task", "difficulty", "language", "model", "trial",
    "outcome", "fault", "assurance", "score", "seconds", "input_tokens", "output_tokens", "cost",
    "tests_passed", "tests_total", "reason",
)  # fmt: skip


def page_row(row: AttemptRow) -> list[JsonValue]:
    return [getattr(row, column) for column in PAGE_COLUMNS]
