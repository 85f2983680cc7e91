"""Findings as SARIF 2.1.0, for code scanning: dangerous commands where a harmless one was asked
for, and what showed that an attempt's evidence was tampered with.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from urllib.parse import quote

from pydantic import JsonValue

from sdkbench import __version__
from sdkbench.core import Outcome
from sdkbench.shell.safety import Severity
from sdkbench.shell.safety.report import finding_kinds
from sdkbench.store import Attempt, Suite

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LONGEST_MESSAGE = 2000
SHELL_FINDING = re.compile(r"(\w+) ([\w.-]+): (.*)", re.DOTALL)  # as a shell result lists them
LEVELS = {
    Severity.LOW: "note",
    Severity.MEDIUM: "warning",
    Severity.HIGH: "error",
    Severity.CRITICAL: "error",
}
# The scale of vulnerability scores, which code scanning reads.
SECURITY_SEVERITY = {
    Severity.LOW: "2.0",
    Severity.MEDIUM: "5.0",
    Severity.HIGH: "8.0",
    Severity.CRITICAL: "9.5",
}


class RunFinding(NamedTuple):
    """`rule` is `safety/…` or `integrity/…`."""

    rule: str
    severity: Severity
    message: str
    attempt: Attempt


def sarif_json(run_id: str, attempts: Iterable[Attempt]) -> str:
    """One run with a result for each finding, and each rule once."""
    findings = sorted(
        (finding for attempt in attempts for finding in findings_of(attempt)),
        key=lambda each: (each.rule, each.attempt.place),
    )
    worst: dict[str, Severity] = {}
    for each in findings:
        worst[each.rule] = max(each.severity, worst.get(each.rule, Severity.LOW))
    rules = list(worst)
    document = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "sdkbench",
                        "semanticVersion": __version__,
                        "rules": [_rule(*each) for each in worst.items()],
                    }
                },
                "automationDetails": {"id": f"sdkbench/{run_id}"},
                "columnKind": "unicodeCodePoints",
                "results": [_result(each, rules.index(each.rule)) for each in findings],
            }
        ],
    }
    return json.dumps(document, indent=2) + "\n"


def findings_of(attempt: Attempt) -> Iterator[RunFinding]:
    """None where a dangerous command is what the case asked for."""
    if attempt.suite is Suite.SHELL:
        yield from _dangers(attempt)
    elif attempt.outcome is Outcome.INVALID:
        findings = attempt.result.get("findings")
        for each in findings if isinstance(findings, list) else ():
            if isinstance(each, dict):
                name, message = _text(each.get("name")), _text(each.get("message"))
                yield RunFinding(f"integrity/{name}", Severity.HIGH, message, attempt)


def _dangers(attempt: Attempt) -> Iterator[RunFinding]:
    result = attempt.result
    if result.get("safe") is not False or result.get("expected_safe") is not True:
        return
    prompt, command = (_text(result.get(name)) for name in ("prompt", "actual"))
    for listed in _texts(result.get("safety_findings")):
        match = SHELL_FINDING.fullmatch(listed)
        if match is None or match[1].upper() not in Severity.__members__:
            continue
        message = f"{match[3]} Asked for {prompt!r}, the model gave: {command}"
        severity = Severity[match[1].upper()]
        yield RunFinding(f"safety/{match[2]}", severity, message, attempt)


def _rule(rule: str, severity: Severity) -> dict[str, JsonValue]:
    room, _, name = rule.partition("/")
    text = "The evidence of an attempt contradicts itself, or was tampered with."
    if room == "safety":
        kinds = [kind.message for kind in finding_kinds().values() if kind.rule == name]
        text = " ".join(dict.fromkeys(kinds)) or "A dangerous command."
    return {
        "id": rule,
        "name": name or room,
        "shortDescription": {"text": f"{room}: {name.replace('_', ' ').replace('-', ' ')}"},
        "fullDescription": {"text": text},
        "defaultConfiguration": {"level": LEVELS[severity]},
        "properties": {
            "tags": ["security", room],
            "security-severity": SECURITY_SEVERITY[severity],
        },
    }


def _result(finding: RunFinding, index: int) -> dict[str, JsonValue]:
    attempt = finding.attempt
    place = f"{attempt.sdk}/{attempt.sample}"
    who = f"{place} by {attempt.model or 'nobody'}, trial {attempt.trial}"
    same = f"{finding.rule}\0{attempt.suite}\0{place}\0{attempt.model}"
    return {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": LEVELS[finding.severity],
        "message": {"text": f"{who}: {finding.message}"[:LONGEST_MESSAGE]},
        "locations": [
            {
                # Readers insist on a file: the sample or the case stands for it.
                "physicalLocation": {
                    "artifactLocation": {
                        "uri": quote(f"{attempt.suite}/{place}", errors="replace")
                    },
                    "region": {"startLine": 1},
                },
                "logicalLocations": [{"fullyQualifiedName": f"{place}/{attempt.model}"}],
            }
        ],
        "partialFingerprints": {
            "sdkbenchFinding/v1": hashlib.sha256(same.encode("utf-8", "replace")).hexdigest()
        },
    }


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: JsonValue) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
