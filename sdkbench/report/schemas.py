"""Every machine output of the program, by the name of its published JSON Schema."""

from typing import NamedTuple

from sdkbench.client.wire import Batch, Judgement, JudgementRequest, ProblemDetails
from sdkbench.judge.reference import SampleLevel
from sdkbench.report.attempts import ExportedAttempt
from sdkbench.report.code_metrics import MeasuredSolution
from sdkbench.report.command import CommandDifference, CommandReport
from sdkbench.report.comparison import RunComparison
from sdkbench.report.f_corr import SuiteReport
from sdkbench.report.gate import GateReport
from sdkbench.report.json_text import schema_text
from sdkbench.report.machine import CacheReport, MachineReport
from sdkbench.report.runs import ListedRun, RunFigures
from sdkbench.report.selftest import SelftestReport
from sdkbench.report.shell import ShellReport
from sdkbench.shell import TestResult as ShellResult
from sdkbench.store import Attempt
from sdkbench.test_harness import FCorrResult, RunnerDetectionResult
from sdkbench.validation.values import SampleProof


class Output(NamedTuple):
    """What `command` prints is of type `kind`."""

    command: str
    kind: object


OUTPUTS = {
    "cache-ls": Output("sdkbench cache ls --json", CacheReport),
    "compare": Output("sdkbench compare A B --json", RunComparison),
    "detect": Output("sdkbench detect DIR --json", list[RunnerDetectionResult]),
    "detect-sample": Output("sdkbench detect --sample DIR --json", list[SampleLevel]),
    "doctor": Output("sdkbench doctor --json", MachineReport),
    "export-line": Output("a line of sdkbench export RUN --format jsonl", ExportedAttempt),
    "fcorr": Output("sdkbench fcorr --solution DIR --json", FCorrResult),
    "fcorr-sdk": Output("sdkbench fcorr --sdk NAME --json", SuiteReport),
    "gate": Output("sdkbench gate RUN --json", GateReport),
    "judgement": Output("GET /v1/judgements/ID of sdkbench serve", Judgement),
    "judgement-batch": Output("GET /v1/batches/ID of sdkbench serve", Batch),
    "judgement-request": Output(
        "the body of POST /v1/judgements, to sdkbench serve", JudgementRequest
    ),
    "metrics": Output("sdkbench metrics --solution DIR --json", MeasuredSolution),
    "metrics-sdk": Output("sdkbench metrics --sdk NAME --json", list[MeasuredSolution]),
    "problem": Output("every 4xx and 5xx of sdkbench serve", ProblemDetails),
    "runs": Output("sdkbench runs --json", list[ListedRun]),
    "selftest": Output("sdkbench selftest --json", SelftestReport),
    "shell-check": Output("sdkbench shell check CMD --json", CommandReport),
    "shell-diff": Output("sdkbench shell diff A B --json", CommandDifference),
    "shell-report": Output("sdkbench shell eval --json", ShellReport),
    "shell-result": Output("a line of sdkbench shell eval --save FILE", ShellResult),
    "show": Output("sdkbench show RUN --json, run --json", RunFigures),
    "show-sample": Output("sdkbench show RUN SAMPLE --json", list[Attempt]),
    "validate": Output("sdkbench validate --json", list[SampleProof]),
}


def schema_files() -> dict[str, str]:
    """What docs/reference/schemas holds: each file's text by its name."""
    texts = {
        f"{name}.schema.json": schema_text(name, output.kind) for name, output in OUTPUTS.items()
    }
    return {"README.md": _index(), **texts}


def _index() -> str:
    rows = "\n".join(
        f"| [{name}.schema.json]({name}.schema.json) | `{output.command}` |"
        for name, output in OUTPUTS.items()
    )
    return (
        "# JSON Schemas of machine outputs\n\n"
        "They describe what this version prints, and are written by\n"
        "`python -m scripts.write_schemas` from the types that it prints (JSON Schema 2020-12).\n\n"
        "| schema | what it describes |\n|---|---|\n"
        f"{rows}\n"
    )
