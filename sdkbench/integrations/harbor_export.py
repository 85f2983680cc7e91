"""Samples as Harbor tasks: the agent works on the starter, and our judge is the verifier.

The verifier has a container of its own, with the sample and SDKBench in it; the agent's container
holds neither. What the agent leaves in its working folder is carried over and judged there.
"""

import json
import shlex
import shutil
from pathlib import Path
from typing import NamedTuple

from sdkbench import __version__
from sdkbench.core import tree
from sdkbench.datasets import Sample
from sdkbench.errors import SampleError
from sdkbench.generation import build_prompt
from sdkbench.generation.prompt import AGENT_TEMPLATE
from sdkbench.integrations.answers import AGENT_MINUTES
from sdkbench.test_harness import TestRunnerRegistry
from sdkbench.test_harness.models import Language

ORGANISATION = "sdkbench"
WORKDIR = "/app"  # of the agent
AGENT_USER = 1000  # not root
VERIFIER_SECONDS = 1800.0  # it installs, proves the reference once, and judges
BUILD_SECONDS = 1200.0


class Images(NamedTuple):
    """`packages` are Debian's, beside what every verifier needs."""

    agent: str
    verifier: str
    packages: tuple[str, ...] = ()


DEBIAN_NODE = Images("node:20-bookworm", "node:20-bookworm")
IMAGES = {
    Language.PYTHON: Images("python:3.11-bookworm", "python:3.11-bookworm"),
    Language.TYPESCRIPT: DEBIAN_NODE,
    Language.JAVASCRIPT: DEBIAN_NODE,
    Language.GO: Images("golang:1.24-bookworm", "golang:1.24-bookworm"),
    Language.RUST: Images("rust:1-bookworm", "rust:1-bookworm"),
    Language.JAVA: Images(
        "maven:3.9-eclipse-temurin-17", "debian:bookworm", ("maven", "openjdk-17-jdk-headless")
    ),
}
VERIFIER_PACKAGES = ("bubblewrap", "python3", "python3-venv")

REWARD = (Path(__file__).parent / "harbor_reward.py").read_text("utf-8")


def export_task(sample: Sample, into: Path, wheel: Path | None = None) -> Path:
    """The task's new folder, `into/<sample id>`. `wheel` is the SDKBench that verifiers install;
    without it the released version of the same number is named.

    Raises SampleError for a language that has no image here.
    """
    runner = TestRunnerRegistry.get_runner(sample.reference_dir)
    images = IMAGES.get(runner.get_language()) if runner else None
    if images is None:
        raise SampleError(
            f"{sample.id} is in a language for which there is no container image here: "
            f"{runner.get_language() if runner else 'none that a runner recognises'}."
        )
    task = into / sample.id
    task.mkdir(parents=True)
    prompt = build_prompt(sample, template=AGENT_TEMPLATE, minutes=AGENT_MINUTES)
    _write(task / "instruction.md", f"{prompt.system}\n\n{prompt.text.strip()}\n")
    _write(task / "task.toml", _settings(sample))
    _copy(sample.starter_dir, task / "environment" / "starter")
    _write(
        task / "environment" / "Dockerfile",
        f"FROM {images.agent}\n"
        f"RUN id {AGENT_USER} || useradd --create-home --uid {AGENT_USER} agent\n"
        f"WORKDIR {WORKDIR}\n"
        f"COPY --chown={AGENT_USER}:{AGENT_USER} starter/ {WORKDIR}/\n"
        f"RUN chown {AGENT_USER}:{AGENT_USER} {WORKDIR}\n",
    )
    _copy(sample.reference_dir, task / "solution" / "reference", leave_out="metadata.json")
    _script(
        task / "solution" / "solve.sh",
        f'cp -R "$(dirname "$0")/reference/." {WORKDIR}/\n',
    )
    _verifier(sample, images, task / "tests", wheel)
    return task


def _verifier(sample: Sample, images: Images, tests: Path, wheel: Path | None) -> None:
    place = Path("sample") / sample.sdk / sample.id
    _copy(sample.root, tests / place, leave_out="variants")
    for shared in sample.shared:
        target = tests / "sample" / sample.sdk / shared.name
        if shared.is_dir():
            _copy(shared, target)
        else:
            shutil.copy2(shared, target)
    package = f"sdkbench=={__version__}"
    if wheel is not None:
        shutil.copy2(wheel, tests / wheel.name)
        package = f"/tests/{wheel.name}"
    packages = " ".join((*VERIFIER_PACKAGES, *images.packages))
    _write(
        tests / "Dockerfile",
        f"FROM {images.verifier}\n"
        f"RUN apt-get update && apt-get install -y --no-install-recommends {packages} "
        "&& rm -rf /var/lib/apt/lists/*\n"
        f"WORKDIR {WORKDIR}\n"
        "COPY . /tests/\n"
        "RUN python3 -m venv /opt/sdkbench && /opt/sdkbench/bin/pip install --no-cache-dir "
        f"{shlex.quote(package)}\n",
    )
    _write(tests / "reward.py", REWARD)
    _script(
        tests / "test.sh",
        "mkdir -p /logs/verifier\n"
        f"/opt/sdkbench/bin/sdkbench fcorr --solution {WORKDIR} "
        f"--for-sample /tests/{place.as_posix()} --integrity apart --json "
        "> /logs/verifier/verdict.json || true\n"
        "/opt/sdkbench/bin/python /tests/reward.py\n",
    )


def _settings(sample: Sample) -> str:
    """JSON's texts, numbers and lists are TOML's, too."""
    metadata = sample.ground_truth.metadata
    tables: dict[str, dict[str, object]] = {
        "task": {
            "name": f"{ORGANISATION}/{sample.id}",
            "description": metadata.task_name or sample.id,
            "keywords": [sample.sdk],
        },
        "metadata": {
            "sdk": sample.sdk,
            "sdk_version": metadata.sdk_version or "",
            "task_type": str(metadata.task_type),
            "difficulty": str(metadata.difficulty or ""),
            "sdkbench": __version__,
        },
        "verifier": {"timeout_sec": VERIFIER_SECONDS, "environment_mode": "separate"},
        "agent": {"timeout_sec": AGENT_MINUTES * 60.0, "user": AGENT_USER},
        "environment": {"build_timeout_sec": BUILD_SECONDS, "cpus": 2, "memory_mb": 4096},
    }
    lines = ['schema_version = "1.4"', f"artifacts = [{json.dumps(WORKDIR)}]"]
    for name, table in tables.items():
        lines += [
            "",
            f"[{name}]",
            *(f"{key} = {json.dumps(value)}" for key, value in table.items()),
        ]
    return "\n".join(lines) + "\n"


def _copy(source: Path, target: Path, leave_out: str | None = None) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for path in tree.files(source):
        relative = path.relative_to(source)
        if relative.parts[0] != leave_out:
            (target / relative).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target / relative)


def _script(path: Path, text: str) -> None:
    _write(path, f"#!/bin/bash\nset -eu\n{text}")
    path.chmod(0o755)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
