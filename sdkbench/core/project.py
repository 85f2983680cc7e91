"""Project: what a runner is given, with the parts we trust kept apart from those we don't."""

from collections.abc import Sequence
from pathlib import Path

from sdkbench.core import checkout
from sdkbench.core.ground_truth import Permissions
from sdkbench.core.outcome import Value


class Placement(Value):
    """`source` on the host appears at `target` below the workspace.

    A read-only placement cannot be changed from inside; a copied one is a fresh, private copy.
    `bulky` marks a read-only one that is too big to copy where nothing can be mounted. `packed`:
    `source` is a tar file, and what it holds is laid out inside the sandbox only.
    """

    source: Path
    target: str
    read_only: bool = False
    bulky: bool = False
    packed: bool = False


class Project(Value):
    """A solution with the tests that judge it, laid out as they will see each other.

    `solution` and `trusted` are placed at names of their own. With `trusted` empty the folder is
    judged on its own tests and its own test configuration counts.
    """

    solution: Placement
    trusted: tuple[Placement, ...] = ()  # the sample's tests and shared files
    tests: tuple[str, ...] = ()  # what to run, below the workspace; empty: whatever is found
    # Where to look for requirements when the solution names none: the starter, the reference.
    manifest_fallbacks: tuple[Path, ...] = ()
    permissions: Permissions = Permissions()
    tag: str | None = None  # of the newest version that a checkout's history names; "": of none

    @property
    def has_own_tests(self) -> bool:
        return not self.trusted

    @property
    def placements(self) -> tuple[Placement, ...]:
        return (self.solution, *self.trusted)

    def filled_in(self, words: Sequence[str], workspace: str) -> list[str]:
        """A command line whose `{solution}` is the solution's folder below `workspace`."""
        folder = f"{workspace}/{self.solution.target}"
        return [word.replace("{solution}", folder) for word in words]

    @property
    def test_sources(self) -> tuple[Path, ...]:
        """Folders and files on the host that hold the tests."""
        if self.has_own_tests:
            root = self.solution.source
            return tuple(root / test for test in self.tests) or (root,)
        return tuple(p.source for p in self.trusted)

    @classmethod
    def of_folder(
        cls, folder: Path, test_dir: str | None = None, *, copy_of: Path | None = None
    ) -> "Project":
        """A folder judged on its own tests. `copy_of`: where it is copied from, history and all."""
        return cls(
            solution=Placement(source=folder, target="."),
            tests=(test_dir,) if test_dir else (),
            tag=checkout.newest_tag(copy_of or folder),
        )
