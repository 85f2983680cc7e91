"""A judging service in a process of its own, on a sample that needs no packages."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.support.projects import write

RIGHT = "def double(n):\n    return 2 * n\n"
WRONG = "def double(n):\n    return n\n"
SAMPLE = "demo/demo_double_001"
START_SECONDS = 120.0


def write_samples(root: Path) -> Path:
    """A folder of samples with one of a few lines."""
    sample = root / SAMPLE
    write(sample / "input", {"app.py": "def double(n):\n    raise NotImplementedError\n"})
    metadata = {
        "sample_id": "demo_double_001", "sdk": "demo", "task_type": 1, "description": "Double it.",
    }  # fmt: skip
    write(sample / "expected", {"app.py": RIGHT, "metadata.json": json.dumps(metadata)})
    test = "from expected import app\n\n\ndef test_two():\n    assert app.double(2) == 4\n"
    write(sample / "tests", {"test_app.py": test})
    return root


def answer(code: str) -> str:
    """As a model would give it."""
    return f"Here it is:\n\n```python app.py\n{code}```\n"


class ServiceProcess:
    """`sdkbench serve` in `folder`, where its store and tokens are; `words` are more options."""

    def __init__(
        self, folder: Path, samples: Path, words: Sequence[str] = (), port: int = 0
    ) -> None:
        self._log = folder / "service.log"
        before = self._log.stat().st_size if self._log.exists() else 0
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [
                    sys.executable, "-m", "sdkbench", "serve", "--port", str(port),
                    "--samples-dir", str(samples), *words,
                ],
                cwd=folder, stdout=log, stderr=log, env=environment,
            )  # fmt: skip
        self.url = self._announced(before)
        self.port = int(self.url.rpartition(":")[2])

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def log(self) -> str:
        return self._log.read_text()

    def status(self, name: str) -> int:
        """A number of /proc/PID/status, in its unit there."""
        text = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii")
        found = re.search(rf"^{name}:\s+(\d+)", text, re.MULTILINE)
        assert found is not None
        return int(found[1])

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.pid}/fd"))  # noqa: PTH208 - as the kernel has it

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def end(self, number: int = signal.SIGTERM, seconds: float = 60) -> int:
        """Its exit code, or minus its signal."""
        self._process.send_signal(number)
        return self._process.wait(seconds)

    def _announced(self, before: int) -> str:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            text = self._log.read_bytes()[before:].decode()
            found = re.search(r"^(http://[^/\s]+)/  sandbox", text, re.MULTILINE)
            if found is not None:
                return found[1]
            if self._process.poll() is not None:
                break
            time.sleep(0.05)
        self._process.kill()
        self._process.wait()
        raise AssertionError(f"the service did not start: {self.log}")


@contextlib.contextmanager
def service(
    folder: Path, samples: Path, words: Sequence[str] = (), port: int = 0
) -> Iterator[ServiceProcess]:
    running = ServiceProcess(folder, samples, words, port)
    try:
        yield running
    finally:
        running.kill()
