"""Targets: what a sample's ground truth says that code must have; and what its reference shows,
where the ground truth is silent.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from sdkbench.core import GroundTruth, Outcome, Solution
from sdkbench.datasets import Sample, load_variants
from sdkbench.errors import InputError, SampleError
from sdkbench.metrics.code.facts import UNKNOWN, Call, CodeFacts
from sdkbench.metrics.code.manifests import dependencies_of

REFERENCE_ONLY = frozenset({"metadata.json"})
ENVIRONMENT_FILES = re.compile(r"(^|/)\.env(\.\w+)*$")
VARIABLE = re.compile(r"^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=", re.MULTILINE)
IMPORT_STATED = re.compile(r"^(?:import|from)\s+([\w.@/-]+)")


class WantedImport(NamedTuple):
    module: str
    name: str = ""

    def __str__(self) -> str:
        return f"{self.name} from {self.module}" if self.name else self.module


class WantedPoint(NamedTuple):
    """A use of the SDK; `path` where it has a place."""

    name: str
    path: str = ""

    def __str__(self) -> str:
        return f"{self.name} in {self.path}" if self.path else self.name


@dataclass
class Targets:
    """`None` and empty mean: nothing is said of it. `derived` names what the reference told."""

    files: tuple[str, ...] = ()
    imports: tuple[WantedImport, ...] = ()
    patterns: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()
    points: tuple[WantedPoint, ...] = ()
    derived: list[str] = field(default_factory=list)


class Model(NamedTuple):
    """A right solution: the reference, or a right variant of it."""

    name: str
    facts: CodeFacts


class SampleCode:
    """The right solutions of a sample, its targets, and which modules are the SDK's."""

    def __init__(self, ground_truth: GroundTruth, *, without: str = "") -> None:
        """`without`: a variant that is not to be held against itself."""
        self.ground_truth = ground_truth
        self.reference = _facts(ground_truth.metadata_path.parent)
        variants = (model for model in _variants(ground_truth) if model.name != without)
        self.models = (Model("reference", self.reference), *variants)
        self.modules = sdk_modules(ground_truth.metadata.sdk, self.reference)
        self.methods = frozenset(
            call.name for model in self.models for call in model.facts.calls if self._certain(call)
        )
        self.starter = _starter(ground_truth.sample_dir)
        self.targets = _complete(_stated(ground_truth), self)

    def key(self, call: Call) -> str | None:
        """The name under which a call of the SDK is known, whatever way led to it."""
        if self._certain(call):
            return call.name if call.name != "default" else call.path[0]
        if call.path[0] == UNKNOWN and call.name in self.methods:
            return call.name
        return None

    def sdk_calls(self, facts: CodeFacts) -> list[tuple[str, Call]]:
        return [(key, call) for call in facts.calls if (key := self.key(call))]

    def added(self, facts: CodeFacts) -> list[tuple[str, Call]]:
        """Uses of the SDK that the starter has not; all of them where it has the same."""
        calls = self.sdk_calls(facts)
        given = {key for key, _ in self.sdk_calls(self.starter)} if self.starter else set()
        return [(key, call) for key, call in calls if key not in given] or calls

    def common(self) -> frozenset[str]:
        """Uses of the SDK in which all right solutions agree; the reference's where in none."""
        keys = [{key for key, _ in self.added(model.facts)} for model in self.models]
        return frozenset(set.intersection(*keys) or keys[0])

    def _certain(self, call: Call) -> bool:
        return is_of(call.path[0], self.modules)


def is_of(module: str, modules: Iterable[str]) -> bool:
    """Whether `module` is one of `modules` or lies below one."""
    return any(module == each or module.startswith((f"{each}.", f"{each}/")) for each in modules)


def sdk_modules(sdk: str, reference: CodeFacts) -> frozenset[str]:
    """Modules that the reference imports and that bear the SDK's name; else all from outside."""
    plain = _letters(sdk)
    imported = {each.module for each in reference.imports}
    named = {module for module in imported if plain in _letters(module)}
    if named:
        return frozenset(named)
    stems = {PurePosixPath(file.path).stem for file in reference.files}
    return frozenset(
        module
        for module in imported
        if not module.startswith((".", "@/", "crate", "super", "std"))
        and module.partition(".")[0] not in stems
    )


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _facts(folder: Path) -> CodeFacts:
    files = Solution(folder).files
    return CodeFacts({p: text for p, text in files.items() if p not in REFERENCE_ONLY})


def _starter(sample: Path) -> CodeFacts | None:
    try:
        return _facts(sample / "input")
    except InputError:
        return None  # a task may begin with nothing


def _variants(ground_truth: GroundTruth) -> Iterator[Model]:
    try:
        variants = load_variants(Sample(ground_truth.sample_dir, ground_truth))
    except SampleError:
        return  # what is wrong with them is for `validate` to say
    for variant in variants:
        if variant.outcome is Outcome.PASSED:
            yield Model(variant.name, CodeFacts(variant.solution.texts()))


def _stated(ground_truth: GroundTruth) -> Targets:
    """As public datasets write it down, in either of two places."""
    metadata = ground_truth.metadata
    said = metadata.ground_truth.get("ingredients")
    ingredients = said if isinstance(said, dict) else {}
    wanted = metadata.evaluation_targets
    i_acc, c_comp, ipa = (_mapping(wanted.get(name)) for name in ("i_acc", "c_comp", "ipa"))
    first = _mapping(ingredients.get("initialization"))
    configured = _mapping(ingredients.get("configuration"))
    files = _texts(i_acc.get("correct_file")) or _texts(i_acc.get("correct_files"))
    pattern = _texts(i_acc.get("correct_pattern")) or _texts(first.get("pattern"))
    middleware = configured.get("middleware_config", c_comp.get("required_middleware_config"))
    return Targets(
        files=files or _texts(first.get("location")),
        imports=tuple(
            _import(text)
            for text in _texts(i_acc.get("correct_imports")) or _texts(first.get("imports"))
        ),
        patterns=tuple(word for text in pattern if (word := _called(text))),
        variables=_texts(configured.get("env_vars")),
        properties=_texts(configured.get("provider_props")),
        options=_texts(middleware),
        points=_points(ingredients, ipa),
    )


def _points(ingredients: Mapping[str, Any], ipa: Mapping[str, Any]) -> tuple[WantedPoint, ...]:
    listed = ingredients.get("integration_points")
    points = []
    for each in listed if isinstance(listed, list) else []:
        place = _mapping(each)
        name = str(place.get("hook") or place.get("type") or "")
        points.append(WantedPoint(_called(name), str(place.get("location") or "")))
    for name in (*_texts(ipa.get("expected_hooks")), *_texts(ipa.get("integration_points"))):
        if not any(point.name == _called(name) for point in points):
            points.append(WantedPoint(_called(name)))
    return tuple(dict.fromkeys(points))


def _complete(targets: Targets, sample: "SampleCode") -> Targets:
    """What the ground truth doesn't say, as the reference shows it.

    A word that names nothing in the reference (a "route_protection") can't be looked for in code:
    it is taken for a description, and what the reference does stands in its place.
    """
    reference = sample.reference
    calls = sample.sdk_calls(reference)
    _complete_initialisation(targets, sample, calls)
    targets.variables = targets.variables or tuple(sorted(variables_of(reference)))
    given = dependencies_of(sample.starter.texts) if sample.starter else set()
    targets.dependencies = tuple(sorted(dependencies_of(reference.texts) - given))
    if not targets.properties and not targets.options:
        keys = [call.keys for key, call in calls if key in targets.patterns]
        targets.options = tuple(sorted(frozenset().union(*keys)))
    points = [located for point in targets.points for located in _located(point, calls)]
    if not points:
        targets.derived.append("integration points")
        points = [WantedPoint(key) for key in sorted(sample.common())]
    targets.points = tuple(dict.fromkeys(points))
    return targets


def _complete_initialisation(
    targets: Targets, sample: "SampleCode", calls: Sequence[tuple[str, Call]]
) -> None:
    keys = {key for key, _ in calls}
    targets.patterns = tuple(name for name in targets.patterns if name in keys)
    if not targets.patterns and calls:
        targets.derived.append("pattern")
        candidates = [each for each in calls if each[0] in sample.common()] or calls
        targets.patterns = (min(candidates, key=lambda each: _certainty(each[1]))[0],)
    if not {*targets.files} <= {file.path for file in sample.reference.files} or not targets.files:
        targets.derived.append("file")
        places = [call.place.path for key, call in calls if key in targets.patterns]
        others = [
            call.place.path
            for model in sample.models[1:]
            for key, call in sample.sdk_calls(model.facts)
            if key in targets.patterns
        ]
        targets.files = tuple(dict.fromkeys([*places[:1], *others]))
    if not targets.imports:
        targets.derived.append("imports")
        wanted = {
            WantedImport(each.module, each.name)
            for each in sample.reference.imports
            if is_of(each.module, sample.modules)
        }
        targets.imports = tuple(sorted(wanted))


def _located(point: WantedPoint, calls: Sequence[tuple[str, Call]]) -> list[WantedPoint]:
    """The point itself where the reference has it; else what the reference does at its place."""
    there = [key for key, call in calls if point.path in {"", call.place.path}]
    if point.name in there:
        return [point]
    return [WantedPoint(key, point.path) for key in dict.fromkeys(there)] if point.path else []


def _certainty(call: Call) -> tuple[bool, int]:
    return call.path[0] == UNKNOWN, len(call.path)


def variables_of(facts: CodeFacts) -> set[str]:
    """Environment variables that the code reads, or that a sample file of them names."""
    named = {read.name for read in facts.environment}
    for path, text in facts.texts.items():
        if ENVIRONMENT_FILES.search(path):
            named.update(VARIABLE.findall(text))
    return named


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(v for v in value if isinstance(v, str)) if isinstance(value, list) else ()


def _import(text: str) -> WantedImport:
    """`Name from module`, `import module`, `from module`, or a module alone."""
    stated = IMPORT_STATED.match(text)
    if stated:
        return WantedImport(stated[1])
    name, middle, module = text.partition(" from ")
    return WantedImport(module.strip(), name.strip()) if middle else WantedImport(text.strip())


def _called(text: str) -> str:
    """The name of what is called: `lancedb.connect`, `auth()`, "ClerkProvider wrapper"."""
    word = text.strip().partition(" ")[0]
    return word.removesuffix("()").rpartition(".")[2]
