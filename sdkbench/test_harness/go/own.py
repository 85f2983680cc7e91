"""A project that is judged on its own tests: its modules as the go command itself resolves them.

What decides is what the project says: go.mod, go.sum, go.work, a vendor folder, build constraints.
They are shown to `go list` with the heads of all sources, which hold imports and no code.
"""

import functools
import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import tree
from sdkbench.environments import Environment, installation
from sdkbench.errors import MissingTool
from sdkbench.sandbox import Completed
from sdkbench.test_harness.go.environment import (
    ADVICE,
    COMPILE,
    GO_SIGNS,
    RECIPE,
    WELL_KNOWN,
    Compiler,
    Job,
    explain,
    fetching,
    toolchain,
)
from sdkbench.test_harness.go.imports import head_of
from sdkbench.test_harness.go.project import NO_PACKAGE, GoProject

MANIFESTS = ("go.mod", "go.sum", "go.work", "go.work.sum")
MAX_HEAD_BYTES = 256 * 1024  # no file's imports reach further; the rest of it may be long
MAX_MANIFEST_BYTES = 8 * 1024 * 1024
LIST = ("list", "-e", "-deps", "-test", "-modcacherw")
PROBLEMS = "{{with .Error}}{{.Err}}{{end}}"
# A package that was downloaded; neither the project's own nor one that a test makes of another, nor
# a program, which nobody can import.
DOWNLOADED = (
    '{{with .Module}}{{if and .Version (or (not .Replace) .Replace.Version) (eq $.ForTest "") '
    '(ne $.Name "main")}}{{$.ImportPath}}{{end}}{{end}}'
)
REQUEST = "sdkbench_request"  # a package of the module that imports what is compiled ahead
VERSIONS = "{{with .Module}}{{if .Version}}{{.Path}}=={{.Version}}{{end}}{{end}}"
# What `go mod tidy` would add; the command asks for it before it builds anything.
UNTIDY = re.compile(r"missing go\.sum entry|updates to go\.mod needed|go\.mod needs|go mod tidy")
TOO_OLD = re.compile(r"\brequires go >= ([0-9][^\s;,)]*)")
C_COMPILER = "gcc"  # which go calls


class OwnRequest(NamedTuple):
    """Sources without code and manifests, by their paths, and the modules' folders.

    `made` are manifests that the project lacks.
    """

    files: Mapping[str, str]
    modules: tuple[str, ...]
    made: tuple[str, ...] = ()


class OwnLock(NamedTuple):
    """Manifests that go had to complete, by their paths; what each module imports of others that
    were downloaded; and these by their names and versions.
    """

    manifests: Mapping[str, str]
    imports: Mapping[str, list[str]]
    downloads: list[str]

    @classmethod
    def read(cls, text: str) -> "OwnLock":
        return cls(*json.loads(text))


def settings() -> dict[str, str]:
    """As the go command sets it for itself: C where there is a compiler for it."""
    return {"CGO_ENABLED": "1" if shutil.which(C_COMPILER) else "0"}


def own_request(project: GoProject, fallback_go: str) -> OwnRequest:
    root = project.given.solution.source
    given = dict(_skeleton(root))
    folders = [module.folder for module in project.modules]
    text = "module {}\n\ngo {}\n"
    made = {
        name: text.format(module.path, fallback_go)
        for module in project.modules
        if (name := "go.mod" if module.folder == "." else f"{module.folder}/go.mod") not in given
    }
    vendored = [f for f in folders if tree.is_file(root / f / "vendor" / "modules.txt")]
    if "go.work" in given and tree.is_file(root / "vendor" / "modules.txt"):
        vendored = folders
    wanting = tuple(folder for folder in folders if folder not in vendored)
    return OwnRequest({**given, **made}, wanting, tuple(made))


def _skeleton(root: Path) -> Iterator[tuple[str, str]]:
    for current, folders, names in os.walk(root):
        here = Path(current)
        folders[:] = sorted(
            name
            for name in folders
            if not NO_PACKAGE.match(name) and not tree.is_vendored(here / name, root)
        )
        for name in sorted(names):
            path = here / name
            if name in MANIFESTS:
                text = _start(path, MAX_MANIFEST_BYTES).decode("utf-8", "replace")
            elif name.endswith(".go"):
                text = head_of(_start(path, MAX_HEAD_BYTES))
            else:
                continue
            yield path.relative_to(root).as_posix(), text


def _start(path: Path, size: int) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(size)
    except OSError:
        return b""


class OwnRecipe(installation.Recipe[OwnRequest]):
    """How modules are had: `go list` downloads what packages and tests import, and no more."""

    language = "go"

    def question(self) -> tuple[str, ...]:
        asked = json.dumps([sorted(self.request.files.items()), self.request.modules])
        return RECIPE, toolchain(self.sandbox), json.dumps(settings()), asked

    def contents(self, lock: str) -> tuple[str, ...]:
        return (*self.question(), lock)

    def well_known(self) -> OwnRequest:
        path, version = WELL_KNOWN
        files = {
            "go.mod": f"module known\ngo 1.21\nrequire {path} {version}\n",
            "known.go": f'package known\nimport _ "{path}"\n',
        }
        return OwnRequest(files, (".",))

    def resolve(self) -> str:
        with self.resolving() as folder:
            self._write(folder, {})
            # One at a time: two processes that unpack the same module would be in each other's way.
            with self.cache.lock("go-store"):
                for module in self.request.modules:
                    self._complete(folder / module, self.store / "modules")
                names = {m: self._names(DOWNLOADED, folder / m) for m in self.request.modules}
                every = {m: self._names(VERSIONS, folder / m) for m in self.request.modules}
            changed = {
                name: text
                for name, text in _manifests(folder)
                if text != self.request.files.get(name, "") or name in self.request.made
            }
        downloads = sorted({line for lines in every.values() for line in lines})
        return json.dumps(OwnLock(changed, names, downloads))

    def install(self, folder: Path, lock: str) -> tuple[str, ...]:
        target, request, locked = folder / "modules", folder / "request", OwnLock.read(lock)
        target.mkdir()
        self._write(request, locked.manifests)
        for module in self.request.modules:
            done = self._listed(PROBLEMS, request / module, target)
            if GO_SIGNS.network.search(done.output):
                raise explain(done, "download", request / module)
        return tuple(locked.downloads)

    def also(self, environment: Environment, lock: str, *, install: bool) -> Environment:
        compiler = Compiler(self.cache, self.sandbox, settings())
        locked = OwnLock.read(lock)
        if not locked.downloads:
            return compiler.standard(install=install)

        def jobs(folder: Path) -> list[Job]:
            self._write(folder, locked.manifests)
            for module, names in locked.imports.items():
                source = "".join(f'import _ "{name}"\n' for name in names if _importable(name))
                (folder / module / REQUEST).mkdir()
                path = folder / module / REQUEST / "request.go"
                path.write_text(f"package request\n\n{source}", encoding="utf-8")
            return [Job(folder / module, (*COMPILE, f"./{REQUEST}")) for module in locked.imports]

        return compiler.modules(environment, jobs, install=install)

    def _complete(self, folder: Path, target: Path) -> None:
        """Have what the module in `folder` needs; its manifests are completed where they lack
        something that go can tell. What can't be had is left for the build to report.
        """
        done = self._listed(PROBLEMS, folder, target)
        if UNTIDY.search(done.output) and "go.work" not in self.request.files:
            done = self._listed(PROBLEMS, folder, target, "-mod=mod")
        too_old = TOO_OLD.search(done.output)
        if too_old:
            raise MissingTool(f"The project needs Go {too_old[1]} or newer. {ADVICE}")
        if not done.ok or GO_SIGNS.network.search(done.output):
            raise explain(done, "resolve", folder)

    def _listed(self, template: str, folder: Path, target: Path, *flags: str) -> Completed:
        """`go list`, and with the network only where the downloads at hand don't suffice."""
        words = (*LIST, *flags, f"-f={template}", "./...")
        fetch = functools.partial(fetching, self, words, folder, target, settings())
        done = fetch(offline=True)
        return done if done.ok and not done.stdout.strip() else fetch(offline=False)

    def _names(self, template: str, folder: Path) -> list[str]:
        words = (*LIST, f"-f={template}", "./...")
        target = self.store / "modules"
        done = fetching(self, words, folder, target, settings(), offline=True)
        return sorted({line for line in done.stdout.split("\n") if line})

    def _write(self, folder: Path, completed: Mapping[str, str]) -> None:
        for name, text in {**self.request.files, **completed}.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def _importable(name: str) -> bool:
    return "internal" not in name.split("/")


def _manifests(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.rglob("go.*")):
        if path.name in MANIFESTS:
            yield path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8")
