"""Published schemas are those of the types that are printed."""

import json
import re
from pathlib import Path

import pytest
from jsonschema import ValidationError

from sdkbench.core import Outcome
from sdkbench.datasets import bundled_corpus, load_corpus
from sdkbench.judge.selftest import Tried
from sdkbench.report import json_text, selftest_report, single_json
from sdkbench.report.schemas import OUTPUTS, schema_files
from sdkbench.test_harness import FCorrResult
from sdkbench.test_harness.models import Language
from tests.support.places import ROOT
from tests.support.schemas import FOLDER, require_valid

JSON_FLAG = re.compile(r"JsonOption\b")


def test_the_published_files_are_current() -> None:
    written = {path.name: path.read_text("utf-8") for path in FOLDER.iterdir()}
    assert written == schema_files(), "Run: python -m scripts.write_schemas"


def test_every_command_with_json_has_a_schema() -> None:
    """A module of `cli` that offers --json is named in the list of outputs."""
    named = " ".join(output.command for output in OUTPUTS.values())
    offering = {
        path.stem
        for path in (ROOT / "sdkbench" / "cli").glob("*.py")
        if JSON_FLAG.search(path.read_text("utf-8")) and path.stem != "options"
    }
    words = {"shell_eval": "shell eval", "import_results": "run --json"}
    assert {stem for stem in offering if words.get(stem, stem) not in named} == set()


def test_a_schema_refuses_another_document() -> None:
    for name in OUTPUTS:
        with pytest.raises(ValidationError):
            require_valid(name, '"a text"')
    with pytest.raises(ValidationError):
        require_valid("fcorr", json.dumps({"score": 101, "outcome": "passed"}))


def test_languages_of_plugins_keep_to_the_schema() -> None:
    result = FCorrResult(score=100, outcome=Outcome.PASSED, language=Language("perl"))
    assert require_valid("fcorr", single_json(result))["language"] == "perl"


def test_a_selftest_keeps_to_its_schema() -> None:
    entries = load_corpus(bundled_corpus(), ("pytest",))[:3]
    result = FCorrResult(score=0, outcome=Outcome.INVALID, error="forged")
    tried = [Tried(entry, result, cold) for entry in entries for cold in (None, result)]
    report = require_valid("selftest", json_text(selftest_report(tried)))
    assert len(report["entries"]) == 6
    assert report["entries"][1]["outcome_cold"] == "invalid"
    assert report["frameworks"][0]["framework"] == "pytest"


def test_what_is_not_utf_8_can_be_printed() -> None:
    result = FCorrResult(score=0, outcome=Outcome.FAILED, error="\udcff")
    assert json.loads(json_text(result))["error"] == "\udcff"
    assert json.loads(json_text([result]))[0]["score"] == 0


def test_links_to_schemas_lead_somewhere() -> None:
    for page in (ROOT / "docs").rglob("*.md"):
        for link in re.findall(r"\]\(([^)#]*schemas/[^)#]*)\)", page.read_text("utf-8")):
            assert (page.parent / Path(link)).exists(), f"{page.name}: {link}"
