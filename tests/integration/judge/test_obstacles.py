"""`detect --sample` says why a test can't be judged apart, and what would help."""

import pytest

from sdkbench.core import Integrity
from sdkbench.judge.reference import Reference
from sdkbench.judge.subject import Options
from sdkbench.test_harness import Harness
from tests.support.projects import Files, MakeSample

READING: dict[str, tuple[Files, Files, str]] = {
    "node": (
        {"app.mjs": "export const name = 'store'\n", "package.json": "{}"},
        {
            "app.test.mjs": "import { test } from 'node:test'\nimport assert from 'node:assert'\n"
            "import { readFileSync } from 'node:fs'\n"
            "const text = readFileSync(new URL('../expected/app.mjs', import.meta.url), 'utf8')\n"
            "test('name', () => assert.match(text, /store/))\n"
        },
        "the text of a source file can't pass between tests and solution",
    ),
    "python": (
        {"app.py": "NAME = 'store'\n"},
        {
            "test_app.py": "from pathlib import Path\n\n\ndef test_name():\n"
            "    folder = Path(__file__).parents[1] / 'expected'\n"
            "    assert 'store' in (folder / 'app.py').read_text()\n"
        },
        "it seems to read files of the solution (app.py), whose text is not there",
    ),
}


@pytest.mark.parametrize("language", READING)
def test_a_test_that_reads_the_solution_is_told_so(
    make_sample: MakeSample, harness: Harness, language: str
) -> None:
    reference, tests, said = READING[language]
    sample = make_sample(reference, tests)
    level = Reference(sample, harness, Options(integrity=Integrity.APART)).level()
    assert any(said in why for why in level.obstacles.values()), level.obstacles


def test_another_failure_is_told_in_its_own_words(
    make_sample: MakeSample, harness: Harness
) -> None:
    tests = "import pickle\n\nfrom expected.app import Box\n\n\ndef test_box():\n"
    tests += "    assert pickle.loads(pickle.dumps(Box())).full\n"
    sample = make_sample({"app.py": "class Box:\n    full = True\n"}, {"test_app.py": tests})
    level = Reference(sample, harness, Options(integrity=Integrity.APART)).level()
    why = level.obstacles["tests/test_app.py::test_box"]
    assert "seems to read" not in why
    assert why
