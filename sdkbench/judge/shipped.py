"""Proofs of the bundled samples' references that come with the package: a first run need not make
them again. A proof is known by the content of sample and judge, and counts only where the
reference's packages and toolchain are the very ones that it was made with.
"""

import functools
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from sdkbench.datasets.sample import bundled

FILE = "proofs.jsonl"


class Proof(NamedTuple):
    """`records` are those of the cache, by kind."""

    sample_id: str
    key: str
    records: Mapping[str, str]


def shipped_proof(key: str) -> Proof | None:
    return _read(bundled("bundled_proofs", "proofs") / FILE).get(key)


@functools.cache
def _read(path: Path) -> Mapping[str, Proof]:
    """Nothing where the file is missing or damaged: then references are run, as for any sample."""
    proofs = {}
    try:
        for line in path.read_text(encoding="utf-8").splitlines():
            said = json.loads(line)
            proofs[said["key"]] = Proof(said["sample_id"], said["key"], said["records"])
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return proofs


def write_proofs(path: Path, proofs: Iterable[Proof]) -> None:
    lines = [json.dumps(proof._asdict()) for proof in sorted(proofs)]
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
