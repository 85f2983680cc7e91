"""A test script in which no framework is called that can be read: what came of running it.

It runs as it is, and whatever framework it starts reports to us. One that starts none that we know,
a task runner which stops before that say, tells nothing about the project's tests: they run as
their framework alone would run them, and that they cannot be loaded so is no fault of the project.
"""

from typing import Literal

from sdkbench.errors import MissingTool, NoRunner
from sdkbench.test_harness.evidence import Examination
from sdkbench.test_harness.missing_tools import missing_tool
from sdkbench.test_harness.models import TestFramework
from sdkbench.test_harness.node import engines
from sdkbench.test_harness.node.project import NodeProject
from sdkbench.test_harness.session import Record, Records

MAX_SHOWN = 200  # characters of a test script, in a sentence
MAX_LINES = 6  # of what it wrote last
WAY_OUT = (
    "Call the framework in the test script, or install a runner plugin: "
    "docs/how-to/add-a-runner.md shows how to write one."
)


class Script(Record):
    """How the project's test script ended, and the frameworks that told of tests in it."""

    kind: Literal["script"]
    frameworks: tuple[str, ...]
    ending: str  # "" where it went well
    output: str


def framework_in(records: Records) -> TestFramework | None:
    """The framework that the script has started, the first of several."""
    script = next(records.of(Script), None)
    return TestFramework(script.frameworks[0]) if script and script.frameworks else None


def notes_on(
    node: NodeProject, tested: Examination, records: Records, version: str
) -> tuple[str, ...]:
    """What to say of tests that ran without the script. Raises NoRunner, or MissingTool where it
    lacks a program or another Node than this `version`, if they could not even be loaded so.
    """
    script = next(records.of(Script), None)
    if script is None or script.frameworks:
        return ()
    evidence = tested.evidence
    if evidence is not None and evidence.reports and not evidence.load_errors:
        alone = f"{node.framework.value} ran the tests, without what that script may do besides"
        told = f"the test script `{_shown(node)}` starts no test framework that SDKBench knows"
        return (f"{told}: {alone}",)
    tool = missing_tool(script.output)
    if tool:
        raise MissingTool(
            f"The test script `{_shown(node)}` needs {tool}, which this machine lacks. Install it "
            "and run again."
        )
    last = "\n".join(script.output.splitlines()[-MAX_LINES:])
    engines.refuse_other(node.package.node_range, version, last or script.ending)
    ending = f"{script.ending}: {last}\n" if script.ending else "ended without one. "
    raise NoRunner(
        f"The test script `{_shown(node)}` starts no test framework that a runner supports "
        f"(jest, vitest, mocha, node:test); it {ending}{WAY_OUT}"
    )


def _shown(node: NodeProject) -> str:
    return " ".join(node.unread_script.split())[:MAX_SHOWN]
