"""A Maven project without its code: what Maven looks at before it compiles anything.

Profiles are active where a file or a folder is there, plugins read settings beside the manifests,
Surefire looks for classes by their names. So all folders and files but sources are there, with
what is in small settings, and tests become empty classes of the same names.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from sdkbench.core import tree
from sdkbench.test_harness.recognition import text_of

MAX_FILE_BYTES = 64 * 1024
MAX_BYTES = 4 * 1024 * 1024
# What plugins read: settings, and sources that code is generated from.
KEPT = frozenset({
    ".xml", ".properties", ".yml", ".yaml", ".toml", ".cfg", ".conf", ".config", ".header", ".txt",
    ".bnd", ".proto", ".g4", ".jj", ".jjt", ".xsd", ".wsdl", ".avsc", ".thrift", ".fbs", ".options",
})  # fmt: skip
PACKAGE = re.compile(r"^[ \t]*package\s+([\w.]+)", re.MULTILINE)
MODULE = re.compile(r"\bmodule\s+([\w.]+)\s*\{")
# An empty class, by the language's suffix.
CLASSES = {
    ".java": "public class {name} {{}}\n",
    ".kt": "class {name}\n",
    ".groovy": "class {name} {{}}\n",
    ".scala": "class {name}\n",
}
TESTS = re.compile(
    r"(?:^|/)[\w-]*test[\w-]*/|(?:^|/)[^/]*(?:Test|Tests|TestCase|IT|Spec)\.\w+$", re.IGNORECASE
)
WARM_UP = "sdkbenchwarmup"  # a package with one class, so that there is something to compile


def skeleton(root: Path) -> dict[str, str]:
    """Texts by paths; a path that ends with a slash is a folder."""
    files: dict[str, str] = {}
    budget = MAX_BYTES
    for path in tree.files(root):
        name = path.relative_to(root).as_posix()
        files[f"{Path(name).parent.as_posix()}/"] = ""
        if path.suffix in CLASSES:
            files |= _of_source(path, name)
        elif path.name == "pom.xml" or name.startswith(".mvn/"):
            files[name] = text_of(path)
        elif path.suffix in KEPT and path.stat().st_size <= min(budget, MAX_FILE_BYTES):
            files[name] = text_of(path)
            budget -= len(files[name])
        else:
            files[name] = ""
    return files


def _of_source(path: Path, name: str) -> dict[str, str]:
    text = text_of(path)
    package = PACKAGE.search(text)
    if path.stem == "module-info":
        module = MODULE.search(text)
        return {name: f"module {module[1]} {{}}\n"} if module else {}
    if not path.stem.isidentifier():
        return {}
    if TESTS.search(f"/{name}"):
        return {name: _stub(path.suffix, package[1] if package else "", path.stem)}
    inner = package[1].replace(".", "/") if package else ""
    home = Path(name).parent.as_posix()
    if not inner or not f"/{home}".endswith(f"/{inner}"):
        return {}
    top = home[: -len(inner)]
    return {f"{top}{WARM_UP}/WarmUp{path.suffix}": _stub(path.suffix, WARM_UP, "WarmUp")}


def _stub(suffix: str, package: str, name: str) -> str:
    end = ";" if suffix == ".java" else ""
    head = f"package {package}{end}\n" if package else ""
    return head + CLASSES[suffix].format(name=name)


def sources_of_tests(root: Path) -> Iterator[Path]:
    """Sources that hold tests, by their places or names."""
    for path in tree.files(root):
        if path.suffix in CLASSES and TESTS.search(f"/{path.relative_to(root).as_posix()}"):
            yield path
