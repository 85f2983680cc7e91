"""What an agent left in its folder → a solution folder."""

from collections.abc import Sequence
from pathlib import Path

from sdkbench.core import tree
from sdkbench.generation.files import File, Laid, lay_over
from sdkbench.generation.generated import Refusal
from sdkbench.generation.path_rules import why_refused
from sdkbench.sandbox import OutputFile


def take_leavings(starter: Path, leavings: Sequence[OutputFile], into: Path) -> Laid:
    """Exactly what was left, but for links, tests, metadata and vendored folders.

    A file that may not be written is the starter's again, if the starter has it.
    """
    before = _contents(starter)
    files: dict[str, File | None] = {}
    refusals = []
    for left in leavings:
        path = tree.shown(left.path)
        if left.data is None:
            refusals.append(Refusal(path=path, reason="a link or a special file"))
        elif before.get(path) != left.data:
            files[path] = File(left.data, left.executable)
    kept = {tree.shown(left.path) for left in leavings if left.data is not None}
    # Tests that the starter has are not the agent's to remove either.
    files |= dict.fromkeys(path for path in before if path not in kept and not why_refused(path))
    laid = lay_over(starter, dict(sorted(files.items(), key=_removals_first)), into)
    return laid._replace(refusals=(*refusals, *laid.refusals))


def _removals_first(item: tuple[str, File | None]) -> tuple[bool, str]:
    """A folder may have taken the place of a file."""
    return item[1] is not None, item[0]


def _contents(starter: Path) -> dict[str, bytes]:
    if not starter.is_dir():
        return {}
    return {
        tree.shown(path.relative_to(starter)): path.read_bytes() for path in tree.files(starter)
    }
