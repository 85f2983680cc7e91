"""Variants of a sample: other solutions, right and wrong, that prove its tests.

<sample>/variants/variants.toml      what is special about each
<sample>/variants/right-<name>/      passes; built differently from the reference
<sample>/variants/wrong-<name>/      fails, for the mistake that its description names
A variant's folder holds only what differs from the reference. Judged code and models never see it.
"""

from pathlib import Path
from typing import NamedTuple

from pydantic import Field, TypeAdapter

from sdkbench.core import Outcome, Value
from sdkbench.datasets.layers import Layers, read_description, require_same
from sdkbench.datasets.sample import Sample
from sdkbench.errors import SampleError

DESCRIPTION = "variants.toml"
OUTCOMES = {"right": Outcome.PASSED, "wrong": Outcome.FAILED}


class Variant(NamedTuple):
    name: str
    about: str
    sample: Sample
    solution: Layers

    @property
    def outcome(self) -> Outcome:
        """What a judge must say of it."""
        return OUTCOMES[self.name.partition("-")[0]]


class _Described(Value):
    about: str = Field(min_length=1)
    removed: tuple[str, ...] = ()


_VARIANTS = TypeAdapter(dict[str, _Described])


def load_variants(sample: Sample) -> list[Variant]:
    """The sample's variants by name, none if it has no such folder; SampleError for broken ones."""
    root = sample.root / "variants"
    if not root.is_dir():
        return []
    described = read_description(root / DESCRIPTION, _VARIANTS)
    require_same("variant", set(described), root, f"variants/{DESCRIPTION}")
    return [_variant(sample, root / name, entry) for name, entry in sorted(described.items())]


def _variant(sample: Sample, own: Path, entry: _Described) -> Variant:
    if own.name.partition("-")[0] not in OUTCOMES:
        raise SampleError(
            f"{own} is neither right nor wrong by its name. Call it right-… if it must pass, "
            "wrong-… if it must fail."
        )
    # What is known of the reference is no part of any solution.
    solution = Layers((sample.reference_dir,), own, ("metadata.json", *entry.removed))
    solution.check()
    return Variant(own.name, entry.about, sample, solution)
