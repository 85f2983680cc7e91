"""A small proven sample in Python, as `sdkbench new sample` writes it, for tests that spoil it."""

from pathlib import Path

from sdkbench.datasets.scaffold import Sdk, new_sample, new_sdk, without_guide

# pytest needs it anyway: nothing more is installed.
TINY = Sdk("tiny", "python", "iniconfig", "2.1.0")
TESTS = "tests/test_app.py"


def scaffolded(samples: Path, sdk: Sdk = TINY, sample: str = "tiny_lines_001") -> Path:
    """The sample's folder; the guide's lines are gone."""
    written = [*new_sdk(samples, sdk), *new_sample(samples, sdk.name, sample)]
    for path in written:
        path.write_text(without_guide(path.read_text(encoding="utf-8")), encoding="utf-8")
    return samples / sdk.name / sample


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{path} has no {old!r}"
    path.write_text(text.replace(old, new), encoding="utf-8")


def append(path: Path, text: str) -> None:
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")
