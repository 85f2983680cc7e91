"""Files to begin with: a folder for an SDK's samples, and a sample with a guide in its comments.

The templates hold a small task of their own, whole: once the lines of the guide are gone, such a
sample is proven. Its author changes it step by step into another.
"""

import re
import tomllib
from pathlib import Path
from typing import NamedTuple

from sdkbench import __version__
from sdkbench.datasets.sample import SDK_FILE
from sdkbench.errors import InputError

TEMPLATES = Path(__file__).parent / "templates"
ENDING = ".txt"  # of templates: no tool must take them for sources of ours
NAME = re.compile(r"[a-z][a-z0-9_]*")
VERSION = re.compile(r"\d+(?:\.\d+)+[\w.+-]*")
GUIDE = "GUIDE: "  # every line that an author has to remove


class Kit(NamedTuple):
    """What a language's sample is written with."""

    framework: str
    entry: str
    function: str
    refusal: str


KITS = {
    "python": Kit("python", "app.py", "shorten", "a ValueError"),
    "typescript": Kit("typescript", "src/shorten.ts", "shorten", "a RangeError"),
    "javascript": Kit("nodejs", "src/shorten.js", "shorten", "a RangeError"),
    "go": Kit("go", "texts.go", "Shorten", "ErrLimit"),
    "rust": Kit("cargo", "src/lib.rs", "shorten", "a LimitError"),
    "java": Kit(
        "java", "src/main/java/texts/Texts.java", "shorten", "an IllegalArgumentException"
    ),
}  # fmt: skip


class Sdk(NamedTuple):
    """An SDK that samples are written for; `package` is what its registry calls it."""

    name: str
    language: str
    package: str
    version: str

    def check(self) -> None:
        """Raises InputError for what cannot be."""
        _check_name("SDK", self.name)
        if self.language not in KITS:
            known = ", ".join(KITS)
            raise InputError(f"There is no template for {self.language!r}. There are: {known}.")
        if not VERSION.fullmatch(self.version):
            raise InputError(f"{self.version!r} is no exact version. Name one: 1.2.3.")
        if self.language == "java" and self.package.count(":") != 1:
            raise InputError(
                f"{self.package!r} names no package of Java. Write group:artifact, as in "
                "com.squareup.okhttp3:okhttp."
            )

    def words(self) -> dict[str, str]:
        group, _, artifact = self.package.rpartition(":")
        return {
            "sdk": self.name,
            "slug": self.name.replace("_", "-"),
            "language": self.language,
            "package": self.package,
            "dependency": artifact,
            "version": self.version,
            "group": group,
            "artifact": artifact,
            **KITS[self.language]._asdict(),
        }


def new_sdk(samples_dir: Path, sdk: Sdk) -> list[Path]:
    """The files that were written. Raises InputError where the folder is there already."""
    sdk.check()
    folder = samples_dir / sdk.name
    if folder.exists():
        raise InputError(f"{folder} is there already. `sdkbench new sample` adds a sample to it.")
    templates = TEMPLATES / sdk.language / "sdk"
    shared = [path.name.removesuffix(ENDING) for path in sorted(templates.glob("*"))]
    words = sdk.words() | {"folder": str(folder), "shared": ", ".join(shared) or "none yet"}
    common = TEMPLATES / "common"
    written = [
        _write(common / f"{name}{ENDING}", folder / name, words) for name in (SDK_FILE, "README.md")
    ]
    return written + _write_all(templates, folder, words)


def new_sample(samples_dir: Path, sdk_name: str, sample: str) -> list[Path]:
    """The files that were written. Raises InputError where there is no such SDK, or the sample."""
    sdk = read_sdk(samples_dir, sdk_name)
    _check_name("sample", sample)
    folder = samples_dir / sdk_name / sample
    if folder.exists():
        raise InputError(f"{folder} is there already. Choose another name.")
    words = sdk.words() | {"sample": sample}
    metadata = TEMPLATES / "common" / f"metadata.json{ENDING}"
    written = [_write(metadata, folder / "expected" / "metadata.json", words)]
    return written + _write_all(TEMPLATES / sdk.language / "sample", folder, words)


def new_project(folder: Path, sdk: Sdk) -> list[Path]:
    """A folder for samples of one's own: configuration, a CI workflow, an SDK and a first sample
    that is proven as it stands. Raises InputError, and writes nothing, where any of it is there.
    """
    sdk.check()
    templates = TEMPLATES / "project"
    samples = folder / "samples"
    targets = [folder / _plain_name(path, templates) for path in _templates(templates)]
    there = [path for path in (*targets, samples / sdk.name) if path.exists()]
    if there:
        raise InputError(f"{there[0]} is there already. Name another folder, or remove it.")
    sample = f"{sdk.name}_first_001"
    written = [*new_sdk(samples, sdk), *new_sample(samples, sdk.name, sample)]
    for path in written:
        path.write_text(without_guide(path.read_text(encoding="utf-8")), encoding="utf-8")
    words = sdk.words() | {"sample": sample, "sdkbench_version": __version__}
    return _write_all(templates, folder, words) + written


def read_sdk(samples_dir: Path, name: str) -> Sdk:
    path = samples_dir / name / SDK_FILE
    if not path.is_file():
        raise InputError(
            f"{path} is not there, so nothing is known of {name!r}. Make the SDK's folder first: "
            f"sdkbench new sdk {name} --language … --version …"
        )
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
        sdk = Sdk(name, str(told["language"]), str(told["package"]), str(told["version"]))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError) as error:
        raise InputError(
            f"{path} cannot be read ({error}). It says language, package and version."
        ) from error
    sdk.check()
    return sdk


def _check_name(what: str, name: str) -> None:
    if not NAME.fullmatch(name):
        raise InputError(
            f"{name!r} is no name for the {what}: use small letters, digits and underscores, a "
            "letter first."
        )


def _write_all(templates: Path, folder: Path, words: dict[str, str]) -> list[Path]:
    return [
        _write(path, folder / _plain_name(path, templates), words) for path in _templates(templates)
    ]


def _templates(folder: Path) -> list[Path]:
    return sorted(folder.rglob(f"*{ENDING}"))


def _plain_name(template: Path, templates: Path) -> str:
    return template.relative_to(templates).as_posix().removesuffix(ENDING)


def _write(template: Path, target: Path, words: dict[str, str]) -> Path:
    text = template.read_text(encoding="utf-8")
    for name, value in words.items():
        text = text.replace("{{" + name + "}}", value)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    return target


def without_guide(text: str) -> str:
    """A file as it is once the guide's lines are removed."""
    return "".join(line for line in text.splitlines(keepends=True) if GUIDE not in line)
