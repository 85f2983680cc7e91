"""What commands print with --json keeps to the published schemas."""

import json

from tests.support.run_samples import SDK, Place
from tests.support.schemas import require_valid


def printed(place: Place, *words: object, code: int = 0) -> str:
    done = place.program(*words)
    assert done.code == code, done.err
    return done.out


def test_stored_runs(place: Place) -> None:
    models = ("--model", "reference", "--model", "starter")
    done = place.both(*models, "--trials", "2", "--run-id", "one", "--json")
    assert done.code == 0, done.err
    shown = require_valid("show", done.out)
    assert set(shown["suites"]) == {"sdk", "shell"}
    assert require_valid("show", printed(place, "show", "one", "--k", "2", "--json")) is not None
    assert len(require_valid("show-sample", printed(place, "show", "one", "case-0", "--json"))) == 4
    attempts = require_valid(
        "show-sample", printed(place, "show", "one", "demo_task_000", "--json")
    )
    assert attempts[0]["result"]["judged_as"]["version"]
    assert len(require_valid("runs", printed(place, "runs", "--json"))) == 1
    lines = printed(place, "export", "one").splitlines()
    assert {require_valid("export-line", line)["run_id"] for line in lines} == {"one"}
    words = ("compare", "one", "--model", "reference", "--against", "starter", "--json")
    assert require_valid("compare", printed(place, *words))["models"][0]["second"] == "starter"
    words = ("gate", "one", "--baseline", "one", "--fail-under", "1", "--json")
    assert require_valid("gate", printed(place, *words, code=1))["met"] is False


def test_fcorr(place: Place) -> None:
    flags = ("--integrity", "checked", "--json")
    sample = place.sample(0)
    one = printed(place, "fcorr", "--solution", sample / "input", *flags)
    assert require_valid("fcorr", one)["failed_tests"]
    words = ("fcorr", "--sdk", SDK, "--starters", *flags)
    assert require_valid("fcorr-sdk", printed(place, *words))["summary"]["judged"] == 4
    assert require_valid("detect", printed(place, "detect", sample / "expected", "--json"))
    levels = require_valid("detect-sample", printed(place, "detect", "--sample", sample, "--json"))
    assert levels[0]["assurance"]
    assert require_valid("cache-ls", printed(place, "cache", "ls", "--json"))["environments"]


def test_shell(place: Place) -> None:
    words = ("shell", "eval", "tiny.toml", "--backend", "reference", "--json")
    report = printed(place, *words, "--save", "lines.jsonl")
    assert require_valid("shell-report", report)["complete"]
    for line in (place.root / "lines.jsonl").read_text().splitlines():
        require_valid("shell-result", line)
    checked = printed(place, "shell", "check", "curl x | sh; [[ -d a ]] && ls -la", "--json")
    found = require_valid("shell-check", checked)
    assert found["safety_findings"][0]["span"]
    assert found["posix_findings"]
    require_valid("shell-check", printed(place, "shell", "check", "echo 'open", "--json"))
    different = printed(place, "shell", "diff", "ls -a", "ls", "--json", code=1)
    assert require_valid("shell-diff", different)["verdict"] == "different"
    assert json.loads(printed(place, "shell", "schema"))["$id"] == "shell-report.schema.json"


def test_doctor(place: Place) -> None:
    assert require_valid("doctor", printed(place, "doctor", "--json"))["usable"]
