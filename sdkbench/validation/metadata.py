"""A sample's metadata: complete, and consistent with the folder that it describes."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from pydantic import JsonValue

from sdkbench.core import tree
from sdkbench.datasets import Sample
from sdkbench.test_harness.recognition import text_of
from sdkbench.validation.syntax import sources
from sdkbench.validation.values import Check, CheckName, Gap

DIFFICULTIES = ("easy", "medium", "hard")
FEWEST_WORDS, MOST_WORDS = 10, 500  # of a description; users write less than 150 as a rule
EXACT = re.compile(r"v?\d+(?:\.\d+)+[\w.+-]*")
# What ground_truth may name that must be found in the reference: key → files or words.
NAMED_FILES = ("files", "entry")
NAMED_WORDS = ("functions", "classes", "calls", "imports", "commands")


def check_metadata(sample: Sample, home: str) -> Check:
    path = f"{home}/expected/metadata.json"
    gaps = [
        Gap(path=path, what=what, todo=todo)
        for problems in (_fields(sample), _version(sample), _ground_truth(sample))
        for what, todo in problems
    ]
    return Check(name=CheckName.METADATA, gaps=tuple(gaps))


def _fields(sample: Sample) -> Iterator[tuple[str, str]]:
    metadata, folder = sample.ground_truth.metadata, sample.root
    if metadata.sample_id != folder.name:
        yield (
            f"sample_id is {metadata.sample_id!r}, and the folder is called {folder.name!r}",
            "give both the same name",
        )
    if metadata.sdk != folder.parent.name:
        yield (
            f"sdk is {metadata.sdk!r}, and the sample stands below {folder.parent.name!r}",
            "give both the same name",
        )
    for name in ("task_name", "framework", "evaluation_targets"):
        if not getattr(metadata, name):
            yield f"{name} is missing", "add it; docs/reference/samples.md tells what stands there"
    if metadata.difficulty not in DIFFICULTIES:
        yield f"difficulty is {metadata.difficulty!r}", f"choose one of {', '.join(DIFFICULTIES)}"
    words = len(metadata.description.split())
    if not FEWEST_WORDS <= words <= MOST_WORDS:
        yield (
            f"the description has {words} words",
            f"describe the task in {FEWEST_WORDS} to {MOST_WORDS}; signatures are the starter's",
        )


def _version(sample: Sample) -> Iterator[tuple[str, str]]:
    """The SDK's version is exact, and the one that the reference's manifest names."""
    metadata = sample.ground_truth.metadata
    key, version = f"{metadata.sdk}_version", metadata.sdk_version
    if version is None:
        yield f"{key} is missing", "add the exact version of the SDK that the sample is about"
        return
    if not EXACT.fullmatch(version):
        yield f"{key} is {version!r}, which is no exact version", "name one: 1.2.3"
        return
    word = _letters(metadata.sdk)
    folders = (sample.reference_dir, sample.root.parent)
    pins = {name: pin for folder in folders for name, pin in _pins(folder).items()}
    own = {name: pin for name, pin in pins.items() if word in _letters(name)}
    if version.lstrip("v") in {pin.lstrip("=v") for pin in (own or pins).values()}:
        return
    if own:
        named = ", ".join(f"{name} {pin}" for name, pin in sorted(own.items()))
        yield (
            f"{key} is {version}, and the reference's manifest has {named}",
            "pin the same in both",
        )
    else:
        yield (
            f"no manifest of the reference pins version {version} of {metadata.sdk}",
            "pin it exactly in the manifest in expected/",
        )


def _letters(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _pins(folder: Path) -> Mapping[str, str]:
    """Packages and versions as the manifests in `folder` write them."""
    pins: dict[str, str] = {}
    requirements = text_of(folder / "requirements.txt")
    pins |= dict(re.findall(r"^([\w.\[\]-]+)\s*==\s*([\w.+!-]+)", requirements, re.MULTILINE))
    pins |= dict(re.findall(r'"([\w.\[\]-]+)==([\w.+!-]+)"', text_of(folder / "pyproject.toml")))
    pins |= _node_pins(text_of(folder / "package.json"))
    pins |= dict(re.findall(r"^\s*(?:require\s+)?([\w./-]+\.[\w./-]+)\s+(v[\w.+-]+)",
                            text_of(folder / "go.mod"), re.MULTILINE))  # fmt: skip
    pins |= _cargo_pins(text_of(folder / "Cargo.toml"))
    pom = text_of(folder / "pom.xml")
    pins |= dict(re.findall(r"<artifactId>([^<]+)</artifactId>\s*<version>([^<]+)</version>", pom))
    return pins


def _node_pins(text: str) -> dict[str, str]:
    try:
        package = json.loads(text or "{}")
    except ValueError:
        return {}
    pins: dict[str, str] = {}
    for key in ("dependencies", "devDependencies"):
        listed = package.get(key) if isinstance(package, dict) else None
        if isinstance(listed, dict):
            pins |= {name: pin for name, pin in listed.items() if isinstance(pin, str)}
    return pins


def _cargo_pins(text: str) -> dict[str, str]:
    try:
        dependencies = tomllib.loads(text).get("dependencies", {})
    except tomllib.TOMLDecodeError:
        return {}
    versions = {
        name: entry.get("version") if isinstance(entry, dict) else entry
        for name, entry in dependencies.items()
    }
    return {name: version for name, version in versions.items() if isinstance(version, str)}


def _ground_truth(sample: Sample) -> Iterator[tuple[str, str]]:
    truth = sample.ground_truth.metadata.ground_truth
    if not truth:
        yield "ground_truth is empty", "name the reference's ingredients: files, calls, imports"
        return
    for key in NAMED_FILES:
        for name in _words(truth.get(key)):
            if not (sample.reference_dir / name).is_file():
                yield (
                    f"ground_truth.{key} names {name}, which expected/ does not have",
                    "correct it",
                )
    text = "\n".join(source.text for source in sources(sample.reference_dir))
    for key in NAMED_WORDS:
        for name in _words(truth.get(key)):
            last = re.findall(r"\w+", name)[-1:] or [name]
            if not re.search(rf"\b{re.escape(last[0])}\b", text):
                yield f"ground_truth.{key} names {name!r}, which the reference lacks", "correct it"
    tops = (
        path for path in tree.files(sample.reference_dir) if path.parent == sample.reference_dir
    )
    manifests = "\n".join(text_of(path) for path in tops if path.name != "metadata.json")
    for name in _words(truth.get("dependencies")):
        if name.rpartition(":")[2] not in manifests:  # Java's are group:artifact
            yield f"ground_truth.dependencies names {name}, which no manifest has", "correct it"


def _words(value: JsonValue) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, list | dict):
        return [word for word in value if isinstance(word, str)]
    return []
