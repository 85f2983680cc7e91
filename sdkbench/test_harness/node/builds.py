"""A solution's own build script, run once; tests then start from what it made."""

import functools
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Literal, NamedTuple

from sdkbench.core import Placement, Project
from sdkbench.errors import HarnessFault
from sdkbench.sandbox import Completed
from sdkbench.test_harness import protocol
from sdkbench.test_harness.protocol import Record, Records


class Packed(Record):
    """Whether what the build made is in the archive."""

    kind: Literal["packed"]
    ok: bool


class Built(NamedTuple):
    """How the build went, and the solution's folder after it as a tar file."""

    completed: Completed
    records: Records
    archive: Path

    def kept(self) -> bool:
        """Whether it went well, and what it made is there; HarnessFault if that is lost."""
        if not any(not built.errors for built in self.records.of(protocol.Built)):
            return False
        if not any(packed.ok for packed in self.records.of(Packed)):
            raise HarnessFault(
                f"What the build made could not be kept: {self.completed.ending()}. "
                f"{self.completed.output}"
            )
        return True

    def instead_of(self, project: Project) -> Project:
        """The project with what was built in place of the bare solution."""
        solution = Placement(source=self.archive, target=project.solution.target, packed=True)
        return project.model_copy(update={"solution": solution})


class Builds:
    """Shared by all runners of one solution; the files go when the last of them does."""

    def __init__(self) -> None:
        self.made: Built | None = None

    @functools.cached_property
    def archive(self) -> Path:
        folder = tempfile.mkdtemp(prefix="sdkbench-built-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        return Path(folder) / "solution.tar"
