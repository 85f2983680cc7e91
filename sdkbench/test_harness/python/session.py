"""What pytest_decks is told: several runs in one sandbox, and what they all import."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sdkbench.core import Project
from sdkbench.sandbox import Limits
from sdkbench.sandbox.bubblewrap import SCRATCH_ROOTS
from sdkbench.sandbox.command import STAGE
from sdkbench.sandbox.levels import staged
from sdkbench.test_harness.python import project as reading


def decks_order(
    projects: Sequence[Project], order: dict[str, Any], limits: Limits, *, run_build: bool
) -> dict[str, Any]:
    """`order` is what every run is told; only the first compiles: the solution is the same."""
    decks = [
        {
            "placements": staged(number, project.placements),
            "order": {"compile": run_build and number == 0},
        }
        for number, project in enumerate(projects)
    ]
    return order | {
        # What an altered test fails with is of no interest; what fails as it is, is run again.
        "extra_words": [*order["extra_words"], "--tb=no"],
        "decks": decks,
        "preload": shared_imports(projects[0]),
        "stage": STAGE,
        "scratch": list(SCRATCH_ROOTS),
        "disk_bytes": limits.disk_bytes,
        "wall_seconds": limits.wall_seconds,
        "output_stop_bytes": limits.output_stop_bytes,
        "channel_bytes": limits.channel_bytes,
    }


def shared_imports(project: Project) -> list[str]:
    """Modules that the tests, the starter or the reference import, and that are none of their own.

    Not those that only the solution imports: judged code has no say in what the parent loads.
    """
    texts = [reading.source_of(path) for path in reading.python_files(project.test_sources)]
    for folder in project.manifest_fallbacks:
        texts += [reading.source_of(path) for path in reading.python_files([folder])]
    own = {placement.target.partition(".")[0] for placement in project.placements}
    for root in [*project.test_sources, *project.manifest_fallbacks, project.solution.source]:
        own |= {path.stem for path in _entries(root)}
    found = {name.partition(".")[0] for name in reading.imported_modules(texts)} | {"pytest"}
    return sorted(found - own - {*sys.builtin_module_names, "__future__", "__main__"})


def _entries(root: Path) -> list[Path]:
    return list(root.iterdir()) if root.is_dir() else [root]
