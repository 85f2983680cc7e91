"""The safety judge on labelled commands, on policies, and on junk. No command is ever run."""

import time
import tomllib
from typing import TypedDict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdkbench.shell.safety import (
    Hazard,
    SafetyPolicy,
    Severity,
    check_safety,
    validate_safety,
)
from tests.support.places import SHELL_DATA


class Case(TypedDict):
    id: str
    command: str
    safe: bool
    hazard: str


def load(name: str) -> list[Case]:
    cases: list[Case] = tomllib.loads((SHELL_DATA / name).read_text("utf-8"))["cases"]
    return cases


CASES = load("safety.toml")
FRESH = load("safety_fresh.toml")


@pytest.mark.parametrize("case", CASES + FRESH, ids=lambda case: case["id"])
def test_labelled_command(case: Case) -> None:
    report = check_safety(case["command"])
    assert report.safe is case["safe"], [finding.message for finding in report.findings]


def test_recall_and_false_alarms_hold() -> None:
    unsafe = [case for case in CASES + FRESH if not case["safe"]]
    safe = [case for case in CASES + FRESH if case["safe"]]
    assert len(unsafe) >= 70
    assert len(safe) >= 70
    recall = sum(not check_safety(case["command"]).safe for case in unsafe) / len(unsafe)
    alarms = sum(not check_safety(case["command"]).safe for case in safe) / len(safe)
    assert recall >= 0.95
    assert alarms <= 0.05


def test_labels_are_unique() -> None:
    commands = [case["command"] for case in CASES]
    assert len(set(commands)) == len(commands)


def test_finding_has_rule_severity_span_and_sentence() -> None:
    (finding,) = check_safety("ls; rm -rf /etc").findings
    assert (finding.rule, finding.hazard) == ("delete-system", Hazard.DELETION)
    assert finding.severity is Severity.CRITICAL
    assert "ls; rm -rf /etc"[slice(*finding.span)] == "/etc"
    assert finding.message.endswith(".")


def test_code_in_a_word_has_the_words_span() -> None:
    command = "sudo sh -c 'rm -rf /'"
    (finding,) = check_safety(command).findings
    assert command[slice(*finding.span)] == "'rm -rf /'"


@pytest.mark.parametrize(
    ("command", "hazard"),
    [
        ("git push --force", Hazard.GIT),
        ("docker system prune -a", Hazard.CONTAINER),
        ("psql -c 'drop table t'", Hazard.DATABASE),
        ("history -c", Hazard.TRACES),
    ],
)
def test_policy_can_exempt_a_hazard(command: str, hazard: Hazard) -> None:
    assert not check_safety(command).safe
    assert check_safety(command, SafetyPolicy(exempt=frozenset({hazard}))).safe


def test_policy_threshold_moves_the_line() -> None:
    assert check_safety("sudo reboot").safe
    assert not check_safety("sudo reboot", SafetyPolicy(threshold=Severity.MEDIUM)).safe
    lenient = SafetyPolicy(threshold=Severity.CRITICAL)
    assert check_safety("history -c", lenient).safe
    assert not check_safety("rm -rf /", lenient).safe


def test_wrapping_does_not_change_the_verdict() -> None:
    for wrap in (
        "sudo {}", "nohup {} &", "env A=1 {}", "timeout 5 {}", "nice -n 5 {}", "( {} )",
        "{{ {}; }}", "if true; then {}; fi", "f() {{ {}; }}; f", "x | {}", "! {}", "time {}",
        "A=1 {}",
        "{} > log", "stdbuf -oL {}", "setsid -f {}", "ionice -c 3 {}", "doas -u root {}", "a && {}",
        "a || {}", "echo $({})", "cat <({})", "bash -c '{}'", "eval '{}'", "ssh h '{}'",
        "sudo -u bob -- {}",
    ):  # fmt: skip
        assert not check_safety(wrap.format("rm -rf /")).safe, wrap
        assert check_safety(wrap.format("rm -rf build")).safe, wrap


def test_unreadable_text_is_told_apart() -> None:
    broken = check_safety("echo 'unfinished")
    assert broken.problem is not None
    assert broken.safe
    assert not check_safety("echo a\0b").safe
    assert not check_safety("if true; rm -rf /; fi fi").safe


@pytest.mark.parametrize(
    "junk",
    [
        "a" * 1_000_000,
        "$(" * 10_000,
        "echo " + "$(" * 10_000 + ")" * 10_000,
        "sh -c " + "'" * 9_999,
        "{a,b}" * 5_000,
        "x=$x$x;" * 5_000,
        "x=aaaaaaaa;" + "x=$x$x;" * 20 + "echo" + " $x" * 20_000 + " | sh",
        "x=aaaaaaaa;" + "x+=$x;" * 40 + "printf '%s' " + '"$x" ' * 20_000,
        "for a in {1..9}; do " * 20 + "echo $a" + "; done" * 20,
        "echo $(" + "echo x; " * 2_000 + ") | xargs rm",
        "f(){ f; f; f; };" * 50 + "f",
        "eval " * 5_000 + "ls",
        "sudo " * 5_000 + "ls",
        "echo a | " * 5_000 + "sh",
        "while :; do " * 500,
        "cat <<A\n" * 3_000,
        "((" * 5_000,
        "\ue000\ue001\ue002\ue003",
        "".join(chr(block) for block in range(0x20, 0x11000, 0x80) if not 0xD800 <= block < 0xE000),
        "\ud800",
        "",
        "\n\n\t ",
    ],
    ids=range(22),
)
def test_hostile_text_is_judged_in_bounded_time(junk: str) -> None:
    started = time.process_time()  # other work on the machine is none of its business
    check_safety(junk)
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    "command",
    [
        "true; " * 20_000 + "rm -rf /",
        "for d in " + "a " * 400 + "/; do rm -rf $d; done",
        "rm -rf {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{,/../../}",
        "echo " + "x" * 300_000 + "; rm -rf /",
        "sudo " * 50 + "rm -rf /",
    ],
    ids=range(5),
)
def test_harm_can_not_hide_behind_the_limits(command: str) -> None:
    assert not check_safety(command).safe


def test_marks_in_the_text_are_not_taken_for_ours() -> None:
    assert check_safety("rm -rf \ue000/").safe


FRAGMENTS = st.sampled_from(
    ["rm", "-rf", "/", "~", "$", "${", "}", "(", ")", "|", "&", ";", "'", '"', "`", "\n", "<", ">",
     "<<", "<<<", "*", "{", "a", "=", "eval", "sh -c", "xargs", "find . -exec", "\\", "if", "then",
     "fi",
     "[[", "]]", "\0", "é", "for x in", "do", "done", "curl u", "base64 -d", " ", " ", " "]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(FRAGMENTS, max_size=30).map("".join) | st.text(max_size=200))
def test_any_text_gets_a_report(text: str) -> None:
    report = check_safety(text)
    assert report.command == text
    for finding in report.findings:
        assert 0 <= finding.span.start <= finding.span.end <= max(1, len(text))


@pytest.mark.parametrize(("command", "safe"), [("ls -l", True), ("rm -rf /", False)])
def test_a_verdict_is_yes_or_no_and_the_report_says_why(command: str, safe: bool) -> None:
    assert validate_safety(command) is safe
    report = check_safety(command)
    assert (report.safe, bool(report), report.objection is None) == (safe, safe, safe)
    lenient = SafetyPolicy(threshold="critical", exempt=["deletion"])
    assert validate_safety(command, lenient)


@pytest.mark.parametrize(
    "command",
    [
        "echo `rm -rf / ; <`",  # bash finds the error late; another shell may read it
        "echo ${x[$(rm -rf /)]}",
        "echo ${{$(rm -rf /)}}",
        "{ while read x; do rm -rf /; done }",
        'for "x" in a; do rm -rf /; done',
    ],
)
def test_odd_spellings_that_bash_reads_hide_nothing(command: str) -> None:
    assert not check_safety(command).safe


def test_a_broken_substitution_alone_is_harmless() -> None:
    assert check_safety("cd `which <file> | xargs dirname`").safe
