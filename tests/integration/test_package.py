"""The wheel, built from what the image is built from, installed away from the repository."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.places import CACHE, ROOT
from tests.unit.test_container_files import COPIED

# uv finds packages where the system says, as the setup has it.
SYSTEM = {"UV_SYSTEM_CERTS": "1", "UV_NATIVE_TLS": "1"}


def run(words: list[str], cwd: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    """Nothing of this checkout is in its environment."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "VIRTUAL_ENV", "SDKBENCH"))
    }
    environment = {**kept, **SYSTEM, "HOME": str(cwd), **variables}
    return subprocess.run(
        words, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a fresh environment with the wheel and the extra `serve` in it."""
    folder = tmp_path_factory.mktemp("package")
    source = folder / "source"
    for name in (name for words in COPIED for name in words.split()):
        kind = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
        (source / name).parent.mkdir(exist_ok=True)
        kind(ROOT / name, source / name)
    uv = str(Path(sys.executable).with_name("uv"))
    own = {"UV_CACHE_DIR": os.environ.get("UV_CACHE_DIR", str(Path.home() / ".cache" / "uv"))}
    built = run([uv, "build", "--wheel", "--out-dir", str(folder)], source, **own)
    assert built.returncode == 0, built.stderr
    (wheel,) = folder.glob("*.whl")
    shutil.rmtree(source)
    venv = folder / "venv"
    made = run([uv, "venv", "--python", sys.executable, str(venv)], folder, **own)
    assert made.returncode == 0, made.stderr
    python = str(venv / "bin" / "python")
    done = run([uv, "pip", "install", "--python", python, f"{wheel}[serve]"], folder, **own)
    assert done.returncode == 0, done.stderr
    return venv / "bin"


@pytest.mark.nightly
def test_the_wheel_judges_a_bundled_sample_elsewhere(installed: Path, tmp_path: Path) -> None:
    program = str(installed / "sdkbench")
    where = run(
        [str(installed / "python"), "-c", "import sdkbench; print(sdkbench.__file__)"], tmp_path
    )
    assert str(ROOT) not in where.stdout
    words = [program, "fcorr", "--sdk", "typer", "--integrity", "checked", "--json"]
    judged = run(words, tmp_path, SDKBENCH_CACHE=str(CACHE))
    assert judged.returncode == 0, judged.stderr
    report = json.loads(judged.stdout)
    assert report["summary"]["passed"] == report["summary"]["total"] > 0
    shell = run(
        [program, "shell", "eval", "core", "--backend", "reference", "--limit", "3"], tmp_path
    )
    assert shell.returncode == 0, shell.stderr
    attacked = run([program, "selftest", "--help"], tmp_path)
    assert attacked.returncode == 0
    corpus = (
        "from sdkbench.datasets import bundled_corpus; print(len(list(bundled_corpus().iterdir())))"
    )
    counted = run([str(installed / "python"), "-c", corpus], tmp_path)
    assert int(counted.stdout) > 3, counted.stderr


@pytest.mark.nightly
def test_completion_is_installed(installed: Path, tmp_path: Path) -> None:
    program = str(installed / "sdkbench")
    # Which shell it is for is seen by whose child the program is.
    done = run(["bash", "-c", f"{program} --install-completion; exit $?"], tmp_path)
    assert done.returncode == 0, done.stderr
    scripts = [path for path in tmp_path.rglob("*") if path.is_file() and "sdkbench" in path.name]
    assert any("_SDKBENCH_COMPLETE" in path.read_text() for path in scripts)
    asked = run(
        [program], tmp_path, _SDKBENCH_COMPLETE="complete_bash", COMP_WORDS="sdkbench serve to",
        COMP_CWORD="2",
    )  # fmt: skip
    assert asked.stdout.split() == ["tokens"]
