"""judging_code: a fingerprint of our own code that decides on solutions of one sample.

The folders of languages that a sample holds no source of are left out: what is known of a sample in
Python stays known when the code for Java changes.
"""

from collections.abc import Iterable
from pathlib import Path

from sdkbench.core import fingerprints, tree

ROOMS = ("sandbox", "inside", "test_harness", "judge")
# A language is a folder of this name in `inside` and in `test_harness`.
ENDINGS = {
    "python": frozenset({".py"}),
    "node": frozenset({".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".json"}),
    "go": frozenset({".go"}),
    "rust": frozenset({".rs"}),
    "java": frozenset({".java"}),
}
# Every sample has one of this name, whatever it is written in.
METADATA = "metadata.json"


def judging_code(places: Iterable[Path]) -> str:
    """`places` are all files and folders of a sample that its tests may run."""
    endings = {
        file.suffix
        for place in places
        for file in (tree.files(place) if place.is_dir() else (place,))
        if file.name != METADATA
    }
    absent = {name for name, known in ENDINGS.items() if not known & endings}
    return fingerprints.of_rooms(*ROOMS, without=frozenset(absent))
