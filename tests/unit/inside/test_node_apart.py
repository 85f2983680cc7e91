"""The wire between tests and solution, in JavaScript: its tests are written in it, too."""

import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "node_apart"
NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="Node.js is not installed")
@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.test.cjs")), ids=lambda path: path.name)
def test_of_the_wire_passes(file: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [NODE or "", "--test", "--test-reporter=spec", str(file)],
        capture_output=True, text=True, check=False, timeout=120,
        env={"PATH": "/usr/bin:/bin", "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:]
