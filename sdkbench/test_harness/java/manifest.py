"""pom.xml as a stranger wrote it: coordinates are kept; plugins, profiles, repositories are not."""

import re
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

from sdkbench.core.tree import is_below

MAX_BYTES = 2 * 1024 * 1024
MAX_MODULES = 100
MAX_EXPANSION = 10_000  # characters of a value once its properties are filled in
WORD = re.compile(r"^[\w.-]+$", re.ASCII)
VERSION = re.compile(r"^[\w.+\[\](), -]+$", re.ASCII)
RELEASE = re.compile(r"^[0-9]{1,4}$")
PROPERTY = re.compile(r"\$\{([^${}]+)\}")
RELEASES = ("maven.compiler.release", "maven.compiler.target", "maven.compiler.source",
            "java.version")  # fmt: skip
COMPILER = "maven-compiler-plugin"


class Coordinates(NamedTuple):
    group: str
    artifact: str

    def __str__(self) -> str:
        return f"{self.group}:{self.artifact}"


class Dependency(NamedTuple):
    """A dependency, or what manages one; an empty version is managed elsewhere."""

    name: Coordinates
    version: str = ""
    scope: str = "compile"
    type: str = "jar"
    classifier: str = ""
    exclusions: tuple[Coordinates, ...] = ()


class Pom(NamedTuple):
    """What matters of a manifest and its modules. `refused` says what is not installed, and why."""

    dependencies: tuple[Dependency, ...] = ()
    managed: tuple[Dependency, ...] = ()  # a parent of the repository is imported here
    release: int | None = None  # the Java version that the compiler is asked for
    parameters: bool = False  # whether classes keep the names of parameters
    inherits: bool = False  # from a parent in the repository, which may bring anything
    files: tuple[str, ...] = ()  # the manifests, below the folder
    refused: tuple[str, ...] = ()


def read_pom(folder: Path) -> Pom | None:
    """The manifest in `folder` with its modules, or None where there is none."""
    if not (folder / "pom.xml").is_file():
        return None
    reader = _Reader(folder)
    reader.read(Path())
    return reader.pom()


class _Reader:
    """Walks from a pom.xml to its modules, whose properties are added to their parent's."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._properties: dict[str, str] = {}
        self._found: dict[Coordinates, Dependency] = {}
        self._managed: dict[Coordinates, Dependency] = {}
        self._own: set[Coordinates] = set()
        self._inherits = False
        self._release = ""
        self._parameters = ""
        self._files: list[str] = []
        self._refused: list[str] = []

    def read(self, where: Path) -> None:
        path = self._root / where / "pom.xml"
        name = (where / "pom.xml").as_posix()
        if name in self._files or len(self._files) >= MAX_MODULES:
            return
        self._files.append(name)
        try:
            tree = _parse(path)
        except (OSError, ValueError, LookupError, ET.ParseError) as error:
            self._refused.append(f"{name} cannot be read: {error}")
            return
        self._identity(tree)
        for entry in _children(tree, "properties"):
            self._properties[entry.tag] = (entry.text or "").strip()[:MAX_EXPANSION]
        for entry in _children(tree, "dependencyManagement", "dependencies"):
            self._keep(entry, self._managed, name)
        for entry in _children(tree, "dependencies"):
            self._keep(entry, self._found, name)
        for section in (("build", "plugins"), ("build", "pluginManagement", "plugins")):
            for entry in _children(tree, *section):
                self._plugin(entry)
        for entry in _children(tree, "modules"):
            inner = Path(*(part for part in (where / (entry.text or "").strip()).parts))
            if is_below(self._root / inner, self._root):
                self.read(inner)

    def pom(self) -> Pom:
        release = self._release or next(
            (self._properties[name] for name in RELEASES if name in self._properties), ""
        )
        number = self._fill(release).removeprefix("1.")
        parameters = self._parameters or self._properties.get("maven.compiler.parameters", "")
        return Pom(
            dependencies=tuple(d for d in self._found.values() if d.name not in self._own),
            managed=tuple(d for d in self._managed.values() if d.name not in self._own),
            release=int(number) if RELEASE.match(number) else None,
            parameters=self._fill(parameters) == "true",
            inherits=self._inherits,
            files=tuple(self._files),
            refused=tuple(self._refused),
        )

    def _identity(self, tree: ET.Element) -> None:
        parent = tree.find("parent")
        values = {
            name: _text(tree, name) or (_text(parent, name) if parent is not None else "")
            for name in ("groupId", "version")
        } | {"artifactId": _text(tree, "artifactId")}
        for name, value in values.items():
            self._properties[f"project.{name}"] = self._properties[f"pom.{name}"] = value
        self._own.add(Coordinates(self._fill(values["groupId"]), values["artifactId"]))
        if parent is None:
            return
        above = Coordinates(_text(parent, "groupId"), _text(parent, "artifactId"))
        self._properties["project.parent.version"] = _text(parent, "version")
        if above not in self._own:
            self._inherits = True
            # Its plugins have no say; the versions it manages do.
            version = self._fill(_text(parent, "version"))
            self._managed[above] = Dependency(above, version, "import", "pom")

    def _keep(self, entry: ET.Element, into: dict[Coordinates, Dependency], where: str) -> None:
        name = Coordinates(*(self._fill(_text(entry, part)) for part in ("groupId", "artifactId")))
        version = self._fill(_text(entry, "version"))
        if "${" in version:
            version = ""  # a property of a parent in the repository, which manages the version
        wanted = Dependency(
            name,
            version,
            self._fill(_text(entry, "scope")) or "compile",
            self._fill(_text(entry, "type")) or "jar",
            self._fill(_text(entry, "classifier")),
            tuple(
                Coordinates(_text(one, "groupId"), _text(one, "artifactId"))
                for one in _children(entry, "exclusions")
            ),
        )
        problem = _problem(wanted)
        if problem:
            self._refused.append(f"{where}: {name}: {problem}")
        else:
            into.setdefault(name, wanted)

    def _plugin(self, entry: ET.Element) -> None:
        name = _text(entry, "artifactId")
        configuration = entry.find("configuration")
        if name == COMPILER and configuration is not None:
            asked = [_text(configuration, word) for word in ("release", "target", "source")]
            self._release = self._release or next(filter(None, asked), "")
            self._parameters = self._parameters or _text(configuration, "parameters")

    def _fill(self, text: str) -> str:
        """`text` with its properties filled in; those nobody set stay as they are."""
        for _ in range(5):
            if len(text) > MAX_EXPANSION:
                return ""
            text = PROPERTY.sub(lambda m: self._properties.get(m[1].strip(), m[0]), text)
        return text.strip() if len(text) <= MAX_EXPANSION else ""


class _NoEntities(ET.TreeBuilder):
    """Whatever a text is encoded in, what it defines for itself is refused before it is used."""

    def doctype(self, name: str, public: str | None, system: str | None) -> None:
        del name, public, system
        raise ValueError("it defines entities, and a manifest needs none")


def _parse(path: Path) -> ET.Element:
    if path.stat().st_size > MAX_BYTES:
        raise ValueError(f"it is larger than {MAX_BYTES // 2**20} MiB")
    parser = ET.XMLParser(target=_NoEntities())  # noqa: S314 - no entities, bounded
    tree: ET.Element = ET.fromstring(path.read_bytes(), parser)  # noqa: S314
    for element in tree.iter():
        element.tag = str(element.tag).rpartition("}")[2]
    if tree.tag != "project":
        raise ValueError(f"it must hold a <project>, not <{tree.tag}>")
    return tree


def _problem(wanted: Dependency) -> str | None:
    """Why this is not installed, if it isn't."""
    if wanted.scope == "system":
        return "a file of the system is not of the registry"
    plain = (*wanted.name, wanted.scope, wanted.type, wanted.classifier or "-")
    if not all(WORD.match(word) for word in plain):
        return "it is not named as the registry names things"
    if wanted.version and not VERSION.match(wanted.version):
        return f"{wanted.version!r} is not a version"
    return None


def _children(tree: ET.Element, *path: str) -> list[ET.Element]:
    element = tree.find("/".join(path))
    return [] if element is None else list(element)


def _text(tree: ET.Element, name: str) -> str:
    return (tree.findtext(name) or "").strip()
