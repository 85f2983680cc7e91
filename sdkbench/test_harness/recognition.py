"""Files of a project as runners read them, and how sure a runner is that a folder is its own."""

import dataclasses
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import Project
from sdkbench.test_harness.models import Language, RunnerDetectionResult, TestFramework

MAX_READ_BYTES = 2 * 1024 * 1024  # no source that somebody wrote is larger
# Tests say most about who can run them; a manifest may be there for a second language's sake.
TESTS, MANIFEST, CONFIG, SOURCES = 0.5, 0.3, 0.1, 0.1
SHOWN_FILES = 5


class Placed(NamedTuple):
    """A file on the host and where it will stand below the workspace."""

    source: Path
    target: str

    @classmethod
    def below(cls, root: Path, paths: Iterable[Path], target: str = "") -> "tuple[Placed, ...]":
        """These files of `root`, which will stand at `target`."""
        return tuple(cls(path, Path(target, path.relative_to(root)).as_posix()) for path in paths)


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReadProject:
    """A project as a runner has read it; `given` is what it was read from."""

    given: Project
    has_manifest: bool
    sources: tuple[Placed, ...]  # of the solution
    test_files: tuple[Placed, ...]
    refused: tuple[str, ...]  # a sentence for each thing that is not installed or built

    @property
    def tried(self) -> tuple[str, ...]:
        """Where tests are looked for, for a reader who has none."""
        return tuple(placed.target for placed in self.test_files or self.sources)


class Unsupported(NamedTuple):
    """A test framework that a project uses and its language's runner cannot run."""

    framework: str  # as its users call it
    sign: str  # where the project says so, to follow "says"

    def sentence(self, supported: Sequence[str]) -> str:
        return (
            f"The tests are written for {self.framework}, as {self.sign} says, and no runner "
            f"supports it. Supported here: {', '.join(supported)}. Install a runner plugin, or "
            "write one: docs/how-to/add-a-runner.md shows how."
        )


def bytes_of(path: Path) -> bytes:
    """The file, or nothing where it can't be read or is too big to be source."""
    try:
        return b"" if path.stat().st_size > MAX_READ_BYTES else path.read_bytes()
    except OSError:
        return b""


def text_of(path: Path) -> str:
    """The same as text, with the ends of lines as Python has them."""
    return io.TextIOWrapper(io.BytesIO(bytes_of(path)), "utf-8", "replace").read()


def recognised(
    language: Language,
    framework: TestFramework,
    *,
    manifests: Sequence[str] = (),
    configs: Sequence[str] = (),
    tests: Sequence[str] = (),
    sources: Sequence[str] = (),
    unsupported: str | None = None,
) -> RunnerDetectionResult:
    """What these files, by the names to show, say together. No file at all: not detected; nor is
    a project whose framework is `unsupported`, however sure its language is.
    """
    confidence = (
        TESTS * bool(tests)
        + MANIFEST * bool(manifests)
        + CONFIG * bool(configs)
        + SOURCES * bool(sources)
    )
    if not confidence:
        return RunnerDetectionResult(detected=False)
    return RunnerDetectionResult(
        detected=unsupported is None,
        language=language,
        framework=framework,
        confidence=round(confidence, 2),
        markers_found=[*manifests, *configs, *(tests[:SHOWN_FILES] or sources[:1])],
        unsupported=unsupported,
    )


def present(root: Path, names: Sequence[str]) -> list[str]:
    """Those of `names` that are files in `root`."""
    return [name for name in names if (root / name).is_file()]


def displayed_path(path: Path, project: Project) -> str:
    """Where a file of the project stands in the workspace, as people read it."""
    for placement in project.placements:
        if path.is_relative_to(placement.source):
            return (Path(placement.target) / path.relative_to(placement.source)).as_posix()
    return path.name
