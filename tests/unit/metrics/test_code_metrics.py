"""I-ACC, C-COMP, IPA, SEM-SIM and the overall score, on samples of our own and small ones."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from sdkbench.core import GroundTruth, Outcome, Solution
from sdkbench.datasets import Sample, bundled_samples, load_sdk, load_variants
from sdkbench.errors import InputError
from sdkbench.metrics.c_comp import CCompEvaluator, configuration
from sdkbench.metrics.code.evaluator import sample_code
from sdkbench.metrics.code.facts import CodeFacts
from sdkbench.metrics.code.models import MetricResult, Part
from sdkbench.metrics.i_acc import IAccEvaluator, initialisation
from sdkbench.metrics.ipa import IpaEvaluator, integration
from sdkbench.metrics.overall import WEIGHTS, grade, overall
from sdkbench.metrics.reading import read_metrics
from sdkbench.metrics.sem_sim import SemSimEvaluator, similarity
from tests.support.nightly import samples_of_the_day
from tests.support.projects import write

SAMPLES = load_sdk(bundled_samples(), "all")
REFERENCE = """import os
import lancedb
from lancedb.table import Table

URI = os.environ["DB_URI"]


def _open() -> Table:
    return lancedb.connect(URI, read_only=True).open_table("rows")


def find(text: str) -> list[dict]:
    if not text:
        raise ValueError("empty")
    try:
        return _open().search(text).limit(3).to_list()
    except OSError:
        return []
"""
STATED = {
    "ingredients": {
        "initialization": {
            "location": "app.py",
            "pattern": "lancedb.connect",
            "imports": ["import lancedb"],
        },
        "configuration": {"env_vars": ["DB_URI"]},
        "integration_points": [{"location": "app.py", "type": "search"}],
    }
}

Make = Callable[..., GroundTruth]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def made(reference: str = REFERENCE, **metadata: object) -> GroundTruth:
        said = {"sample_id": "lancedb_x_001", "sdk": "lancedb", "task_type": 1, **metadata}
        files = {
            "expected/app.py": reference,
            "expected/requirements.txt": "lancedb==0.33.0\n",
            "expected/metadata.json": json.dumps(said),
            "input/app.py": "def find(text):\n    raise NotImplementedError\n",
            "tests/test_app.py": "",
        }
        write(tmp_path / "lancedb" / "lancedb_x_001", files)
        return GroundTruth(tmp_path / "lancedb" / "lancedb_x_001" / "expected" / "metadata.json")

    return made


def solution(tmp_path: Path, **files: str) -> Solution:
    write(tmp_path / "solution", {name.replace("__", "."): text for name, text in files.items()})
    return Solution(tmp_path / "solution")


def three_scores(texts: dict[str, str], sample: Sample) -> list[float]:
    facts = CodeFacts({p: t for p, t in texts.items() if p != "metadata.json"})
    read = sample_code(sample.ground_truth)
    measures = (initialisation, configuration, integration)
    return [figure for m in measures if (figure := m(facts, read).score) is not None]


@pytest.mark.parametrize("sample", samples_of_the_day(SAMPLES))
def test_every_reference_has_all(sample: Sample) -> None:
    for result in read_metrics(Solution(sample.reference_dir), sample.ground_truth):
        assert result.score in {100, None}, [str(finding) for finding in result.all_findings()]


def test_starters_have_less_than_half_on_the_mean() -> None:
    """One alone may have more: a client that is given ready, or old code that is to be moved."""
    means = []
    for sample in SAMPLES:
        starter = three_scores(Solution(sample.starter_dir).files, sample)
        means.append(sum(starter) / len(starter))
    assert sum(means) / len(means) < 50


def test_right_variants_have_nine_tenths_on_the_mean() -> None:
    means = []
    for sample in SAMPLES:
        for variant in load_variants(sample):
            if variant.outcome is Outcome.PASSED:
                figures = three_scores(variant.solution.texts(), sample)
                means.append(sum(figures) / len(figures))
    assert len(means) > 20
    assert sum(means) / len(means) >= 90


IDENTIFIER = re.compile(r"(?<![\w.\"'@/])(text|_open|find)(?![\w\"'])")


@pytest.mark.parametrize(
    "change",
    [
        lambda text: IDENTIFIER.sub(r"other_\1", text),
        lambda text: text.replace("import lancedb\n", "import lancedb as db\n").replace(
            "lancedb.connect", "db.connect"
        ),
        lambda text: text.replace("import lancedb\n", "from lancedb import connect as c\n").replace(
            "lancedb.connect", "c"
        ),
        lambda text: text.replace("(", "(\n    # a remark\n    ").replace("\n\n", "\n\n\n\n"),
        lambda text: '"""Words."""\n' + text.replace("    if not", '    """Words."""\n    if not'),
        lambda text: (
            text.partition("\n\n\ndef _open")[0]
            + "\n\n\ndef find"
            + text.partition("def find")[2]
            + "\n\ndef _open"
            + text.partition("def _open")[2].partition("def find")[0]
        ),
    ],
    ids=["names", "alias", "imported name", "layout", "words", "order"],
)
def test_names_layout_words_and_order_change_nothing(
    make: Make, tmp_path: Path, change: Callable[[str], str]
) -> None:
    truth = make(ground_truth=STATED)
    changed = change(REFERENCE)
    assert changed != REFERENCE
    before = solution(tmp_path, app__py=REFERENCE, requirements__txt="lancedb\n")
    after = [r.score for r in read_metrics(before, truth)]
    files = {"app.py": changed, "requirements.txt": "lancedb\n"}
    facts, sample = CodeFacts(files), sample_code(truth)
    for measure, was in zip(
        (initialisation, configuration, integration, similarity), after, strict=True
    ):
        now = measure(facts, sample).score
        assert was == 100
        assert now is not None
        assert abs(now - was) <= 1, measure.__name__


def test_what_is_elsewhere_is_named_with_its_place(make: Make, tmp_path: Path) -> None:
    given = solution(tmp_path, db__py=REFERENCE, requirements__txt="lancedb\n")
    result = IAccEvaluator(given, make(ground_truth=STATED)).evaluate()
    assert result.score == 80
    [finding] = result.all_findings()
    assert str(finding) == "db.py:9: lancedb.connect is called here; expected in app.py"


def test_what_is_missing_is_named(make: Make, tmp_path: Path) -> None:
    truth = make(ground_truth=STATED)
    given = solution(tmp_path, app__py="import lancedb\nlancedb.drop()\n")
    found = {
        cls.__name__: [str(f) for f in cls(given, truth).evaluate().all_findings()]
        for cls in (IAccEvaluator, CCompEvaluator, IpaEvaluator)
    }
    assert "connect is never used" in found["IAccEvaluator"]
    assert "DB_URI is missing" in found["CCompEvaluator"]
    assert found["IpaEvaluator"] == [
        "search in app.py is missing", "app.py:2: lancedb.drop: no right solution calls it",
    ]  # fmt: skip


def test_what_the_author_does_not_state_is_the_references(make: Make) -> None:
    targets = sample_code(make()).targets
    assert targets.patterns == ("connect",)
    assert targets.files == ("app.py",)
    assert targets.variables == ("DB_URI",)
    assert targets.dependencies == ("lancedb",)
    assert {point.name for point in targets.points} >= {"connect", "open_table", "search"}
    assert {*targets.derived} == {"pattern", "file", "imports", "integration points"}


@pytest.mark.parametrize(
    "odd",
    [
        {"ingredients": []},
        {"ingredients": {"initialization": "connect", "configuration": 3, "integration_points": 1}},
        {"ingredients": {"initialization": {"location": 5, "pattern": None, "imports": "lancedb"}}},
        {"ingredients": {"integration_points": ["a", None, {"type": 3}]}},
    ],
)
def test_odd_ground_truth_is_no_crash(make: Make, odd: object) -> None:
    truth = make(ground_truth=odd, evaluation_targets={"i_acc": 3, "ipa": {"expected_hooks": 2}})
    for result in read_metrics(Solution(truth.metadata_path.parent), truth):
        assert result.score in {100, None}


def test_a_word_that_names_no_code_is_what_the_reference_does_there(make: Make) -> None:
    stated = {"ingredients": {"integration_points": [{"location": "app.py", "type": "safety"}]}}
    points = sample_code(make(ground_truth=stated)).targets.points
    assert ("search", "app.py") in points
    assert not any(point.name == "safety" for point in points)


def test_code_that_does_not_parse_is_scored_on_what_does(make: Make, tmp_path: Path) -> None:
    truth = make(ground_truth=STATED)
    given = solution(tmp_path, app__py=REFERENCE + "\ndef broken(:\n")
    result = IAccEvaluator(given, truth).evaluate()
    assert result.score == 100
    assert any("can't be read" in str(finding) for finding in result.findings)


def test_parts_that_say_nothing_leave_their_weight_to_others() -> None:
    parts = (
        Part(name="a", weight=50, score=None),
        Part(name="b", weight=30, score=100),
        Part(name="c", weight=20, score=0),
    )
    assert MetricResult(metric="C-COMP", parts=parts).score == 60
    assert MetricResult(metric="C-COMP", parts=parts[:1]).score is None


@pytest.mark.parametrize("name", WEIGHTS)
def test_weights_add_up(name: str) -> None:
    assert sum(WEIGHTS[name].values()) == 100
    assert overall(dict.fromkeys(WEIGHTS[name], 80.0), name).score == 80


def test_without_f_corr_balanced_weighs_the_others_alike() -> None:
    figures = {"I-ACC": 100.0, "C-COMP": 0.0, "IPA": 0.0, "CQ": 0.0, "SEM-SIM": 0.0, "F-CORR": None}
    result = overall(figures, "balanced")
    assert result.score == 20
    assert "F-CORR" not in result.counted


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        ("odd", "No weights are called 'odd'"),
        ({"IPA": 50.0}, "not to 50"),
        ({"IPA": 150.0, "CQ": -50.0}, "0 or more"),
        ({"XYZ": 100.0}, "no metric 'XYZ'"),
    ],
)
def test_weights_that_can_not_be_meant(wanted: str | dict[str, float], says: str) -> None:
    with pytest.raises(InputError, match=says):
        overall({}, wanted)


def test_grades() -> None:
    assert [grade(s) for s in (100, 90, 89.9, 80, 70, 60, 59.9)] == list("AABBCDF")


def test_the_evaluators_of_the_four(make: Make) -> None:
    truth = make(ground_truth=STATED)
    given = Solution(truth.metadata_path.parent)
    evaluators = [
        IAccEvaluator(given, truth), CCompEvaluator(given, truth), IpaEvaluator(given, truth),
        SemSimEvaluator(given, truth),
    ]  # fmt: skip
    assert [each.evaluate() for each in evaluators] == list(read_metrics(given, truth))
