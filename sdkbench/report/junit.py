"""A run's attempts as JUnit XML, the format that CI servers show: a suite for each SDK or dataset
and model, a test case for each attempt, and a suite of what a gate asked for.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from sdkbench.core import Outcome
from sdkbench.report.gate import GateCheck
from sdkbench.store import Attempt

LONGEST_TEXT = 20_000  # of one failure; the store has the rest
LONGEST_MESSAGE = 500
# What XML 1.0 can't hold, not even escaped.
ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(run_id: str, attempts: Iterable[Attempt], checks: Sequence[GateCheck] = ()) -> bytes:
    """UTF-8. *error* is an error, *invalid* a failure of that type, *not_executed* skipped."""
    suites: dict[tuple[str, str, str], list[Element]] = defaultdict(list)
    for attempt in attempts:
        suites[attempt.suite, attempt.sdk, attempt.model].append(_case(attempt))
    root = Element("testsuites", name=_legal(f"sdkbench {run_id}"))
    for (_, sdk, model), cases in sorted(suites.items()):
        name = f"{sdk}/{model}" if model else sdk
        _add_suite(root, name, sorted(cases, key=lambda case: case.attrib["name"]))
    if checks:
        _add_suite(root, "sdkbench gate", [_check(check) for check in checks])
    for count in ("tests", "failures", "errors", "skipped"):
        root.set(count, str(sum(int(suite.attrib[count]) for suite in root)))
    indent(root)
    text: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _case(attempt: Attempt) -> Element:
    name = attempt.sample + (f" (trial {attempt.trial})" if attempt.trial else "")
    case = Element(
        "testcase",
        name=_legal(name),
        classname=_legal(f"{attempt.sdk}.{attempt.model}" if attempt.model else attempt.sdk),
        time=f"{attempt.duration_seconds:.3f}",
    )
    message = _legal(" ".join((attempt.error or attempt.outcome).split())[:LONGEST_MESSAGE])
    fault = _legal(attempt.fault or attempt.outcome)
    match attempt.outcome:
        case Outcome.FAILED:
            SubElement(case, "failure", type=fault, message=message).text = _details(attempt)
        case Outcome.INVALID:
            SubElement(case, "failure", type="invalid", message=message).text = _details(attempt)
        case Outcome.ERROR:
            SubElement(case, "error", type=fault, message=message).text = _details(attempt)
        case Outcome.NOT_EXECUTED:
            SubElement(case, "skipped", message=message)
    return case


def _check(check: GateCheck) -> Element:
    case = Element("testcase", name=check.name, classname="gate", time="0")
    if not check.met:
        failure = SubElement(case, "failure", type="gate", message=_legal(check.message))
        failure.text = _legal("\n".join((check.message, *check.details))[:LONGEST_TEXT])
    return case


def _details(attempt: Attempt) -> str:
    """The whole reason, and each test that did not pass."""
    lines = [attempt.error or ""]
    lines += [
        f"{test.status} {test.test_id}: {test.message}".rstrip(": ")
        for test in attempt.tests
        if test.status != "passed"
    ]
    return _legal("\n".join(lines)[:LONGEST_TEXT])


def _add_suite(root: Element, name: str, cases: Sequence[Element]) -> None:
    suite = SubElement(
        root,
        "testsuite",
        name=_legal(name),
        tests=str(len(cases)),
        failures=str(sum(case.find("failure") is not None for case in cases)),
        errors=str(sum(case.find("error") is not None for case in cases)),
        skipped=str(sum(case.find("skipped") is not None for case in cases)),
        time=f"{sum(float(case.attrib['time']) for case in cases):.3f}",
    )
    suite.extend(cases)


def _legal(text: str) -> str:
    """What no XML file can hold is replaced, not dropped: that something was there is seen."""
    return ILLEGAL.sub("\ufffd", text)
