"""docs/how-to/write-a-sample.md, followed word for word, ends with a proven sample."""

import os
import re
import shlex
import shutil
from pathlib import Path

import pytest

from sdkbench.datasets.scaffold import Sdk
from tests.support.places import CACHE, ROOT
from tests.support.program import run_program
from tests.support.proven_sample import scaffolded
from tests.support.toolchains import needs

PAGE = ROOT / "docs" / "how-to" / "write-a-sample.md"
# A file is told by its path, a command by the language of its block.
STEP = re.compile(r"^(?:`(samples/[^`]+)`:\n\n)?```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ENVIRONMENT = {**os.environ, "SDKBENCH_CACHE": str(CACHE)}


def follow(command: str, folder: Path) -> str:
    program, *words = shlex.split(command)
    if program == "rm":
        assert words[0] == "-r"
        shutil.rmtree(folder / words[1])
        return ""
    assert program == "sdkbench"
    done = run_program(*words, cwd=folder, environment=ENVIRONMENT)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_page_leads_to_a_proven_sample(tmp_path: Path) -> None:
    said = ""
    for path, language, text in STEP.findall(PAGE.read_text(encoding="utf-8")):
        if path:
            target = tmp_path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        elif language == "sh":
            for command in text.splitlines():
                said = follow(command, tmp_path)
    assert "1 of 1 samples are proven" in said


SDKS = {
    "typescript": ("stripe", "23.1.0"),
    "javascript": ("jose", "6.2.17"),
    "go": ("go.etcd.io/bbolt", "1.4.0"),
    "rust": ("redb", "2.6.3"),
    "java": ("com.fasterxml.jackson.core:jackson-databind", "2.18.2"),
}
TOOLS = {"go": "go", "rust": "rust", "java": "java"}


@pytest.mark.nightly
@pytest.mark.parametrize(
    "language",
    [pytest.param(name, marks=[needs(name)] if name in TOOLS else []) for name in SDKS],
)
def test_the_scaffold_of_every_language_is_proven_once_its_guide_is_gone(
    language: str, tmp_path: Path
) -> None:
    package, version = SDKS[language]
    sdk = Sdk(f"my_{language}", language, package, version)
    root = scaffolded(tmp_path / "samples", sdk, f"my_{language}_001")
    assert "1 of 1 samples are proven" in follow(f"sdkbench validate {root}", tmp_path)
