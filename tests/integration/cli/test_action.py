"""The scripts of the GitHub action, run by bash as a runner would; the files keep to the schemas
of their services.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from junitparser import JUnitXml

from tests.support.places import ROOT
from tests.support.run_samples import SDK, Place

ACTION = ROOT / "action.yml"
PAGE = ROOT / "docs" / "how-to" / "gate-in-ci.md"


def script(name: str) -> str:
    steps: list[dict[str, Any]] = yaml.safe_load(ACTION.read_text("utf-8"))["runs"]["steps"]
    return str(next(step["run"] for step in steps if step.get("name") == name))


def step(place: Place, name: str, **inputs: str) -> "subprocess.CompletedProcess[str]":
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    files = {
        "GITHUB_OUTPUT": str(place.root / "output"),
        "GITHUB_STEP_SUMMARY": str(place.root / "summary"),
    }
    return subprocess.run(
        ["/bin/bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script(name)],
        cwd=place.root, env=place.environment(PATH=programs, **files, **inputs), text=True,
        capture_output=True, check=False, timeout=120,
    )  # fmt: skip


def test_a_run_is_gated_summed_up_and_kept(place: Place) -> None:
    words = f"--sdk {SDK} --integrity checked --model starter --label 'two words; $(touch x)'"
    done = step(place, "Run", WORDS=words, RUN="mine")
    assert done.returncode == 0, done.stderr
    assert place.runs()[0].label == "two words; $(touch x)"
    assert not (place.root / "x").exists()
    gate = {"RUN": "mine", "BASELINE": "", "OUTPUT": "out"}
    done = step(place, "Gate", WORDS="--fail-under 50", **gate)
    assert done.returncode == 0, done.stderr
    assert (place.root / "output").read_text() == "met=false\n"
    assert "Gate **not met**" in (place.root / "summary").read_text()
    assert JUnitXml.fromfile(str(place.root / "out" / "junit.xml")).failures == 3
    gate["BASELINE"] = "out/baseline.jsonl"
    (place.root / "out" / "attempts.jsonl").rename(place.root / gate["BASELINE"])
    done = step(place, "Gate", WORDS="", **gate)
    assert done.returncode == 0, done.stderr
    assert (place.root / "output").read_text().endswith("met=true\n")
    assert (place.root / "out" / "attempts.jsonl").is_file()
    assert step(place, "Gate", WORDS="--nope", **gate).returncode == 2
    assert step(place, "Run", WORDS="--sdk nope", RUN="latest").returncode == 2
    assert step(place, "Stop where the gate is not met").returncode == 1


def examples() -> dict[str, str]:
    """The two files on the page, by their service."""
    github, gitlab = PAGE.read_text("utf-8").split("## GitHub")[1].split("## GitLab")
    first, second = (part.split("```yaml\n")[1].split("```")[0] for part in (github, gitlab))
    return {"github-workflows": f"on: push\n{first}", "gitlab-ci": second}


@pytest.mark.parametrize("schema", ["github-actions", "github-workflows", "gitlab-ci"])
def test_files_keep_to_the_schema_of_their_service(schema: str, tmp_path: Path) -> None:
    path = ACTION
    if schema in examples():
        path = tmp_path / "example.yml"
        path.write_text(examples()[schema])
    words = ["--builtin-schema", f"vendor.{schema}", str(path)]
    if schema == "gitlab-ci":
        words += ["--data-transform", "gitlab-ci"]
    done = subprocess.run(
        [Path(sys.executable).parent / "check-jsonschema", *words],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_inputs_that_the_example_gives_exist() -> None:
    workflow = yaml.safe_load(examples()["github-workflows"])
    given = workflow["jobs"]["bench"]["steps"][-1]["with"]
    assert set(given) <= set(yaml.safe_load(ACTION.read_text("utf-8"))["inputs"])
