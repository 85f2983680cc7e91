"""A Go project as it is read: its modules, what they import, what is refused."""

import dataclasses
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import tree_sitter_go
from tree_sitter import Language, Node

from sdkbench.core import Placement, Project, tree
from sdkbench.test_harness.go.environment import GoRequest
from sdkbench.test_harness.go.imports import imports_in, is_left_out
from sdkbench.test_harness.go.manifest import MODULE_PATH, GoMod, read_go_mod, read_go_work
from sdkbench.test_harness.mutations import SourceTree, code_of, field, named, walk
from sdkbench.test_harness.recognition import Placed, ReadProject, bytes_of

GO = Language(tree_sitter_go.language())
TEST_NAME = re.compile(r"^Test(?![a-z])\w*$")  # as go test reads names
TESTS = "tests"  # where a sample's tests stand in the workspace
DEFAULT_MODULE = "project"  # of a folder without go.mod, if nothing tells its path
# What `go mod init` goes by.
IMPORT_COMMENT = re.compile(
    rb'^package[ \t]+\w+[ \t]*//[ \t]*import[ \t]+"([^"\n]+)"', re.MULTILINE
)
TEST_FROM_OUTSIDE = re.compile(rb"^package[ \t]+(\w+)_test\b", re.MULTILINE)
# As the go command reads names: these are no packages of the module.
NO_PACKAGE = re.compile(r"^(?:vendor|testdata|[._].*)$")
OTHER_SYSTEM = re.compile(
    r"_(?:windows|darwin|freebsd|netbsd|openbsd|plan9|solaris|aix|js|wasip1|android|ios|illumos"
    r"|dragonfly)(?:_\w+)?(?:_test)?\.go$"
)
# By these a program can change itself, or read what it isn't given.
UNSAFE = frozenset({"C", "plugin", "syscall", "unsafe", "golang.org/x/sys/unix"})
RESTARTS = re.compile(rb"\bos\.Args\[\s*0|\bos\.Executable\b|/proc/self/exe")
HEAP_DUMP = re.compile(rb"\bWriteHeapDump\b")  # of runtime/debug, which has harmless functions too
MACHINE_CODE = (".s", ".S", ".sx", ".syso")  # the same, and no import tells of it


class GoTest(NamedTuple):
    """`func TestX(t *testing.T)`, as a node of the tree."""

    name: str
    parameter: str  # its name, empty where it has none
    type: str
    node: Node


def parse(source: bytes) -> SourceTree:
    return SourceTree(source, GO)


def imports(tree: SourceTree) -> dict[str, str]:
    """Import path → the name it is given here, empty where it keeps its own."""
    if is_left_out(tree.source):
        return {}
    declarations = [n for n in tree.root.children if n.type == "import_declaration"]
    return {
        code_of(field(spec, "path"))[1:-1]: code_of(field(spec, "name"))
        for declaration in declarations
        for spec in walk(declaration)
        if spec.type == "import_spec"
    }


def package_clause(tree: SourceTree) -> Node | None:
    clause = next((c for c in tree.root.children if c.type == "package_clause"), None)
    return next(iter(named(clause)), None)


def test_functions(tree: SourceTree) -> list[GoTest]:
    """The functions that go test would run, in the order of the file."""
    testing = imports(tree).get("testing")
    if testing is None:
        return []
    wanted = "*T" if testing == "." else f"*{testing or 'testing'}.T"
    functions = []
    for node in tree.root.children:
        name = code_of(field(node, "name"))
        if node.type != "function_declaration" or not TEST_NAME.match(name) or name == "TestMain":
            continue
        parameters = named(field(node, "parameters"))
        if len(parameters) != 1 or field(node, "type_parameters"):
            continue
        kind = code_of(field(parameters[0], "type"))
        if kind.replace(" ", "") == wanted and field(node, "body"):
            functions.append(GoTest(name, code_of(field(parameters[0], "name")), kind, node))
    return functions


def statements(block: Node | None) -> list[Node]:
    """The statements of a block, whichever way the grammar wraps them."""
    return [
        inner
        for child in named(block)
        for inner in (statements(child) if child.type == "statement_list" else [child])
    ]


class Module(NamedTuple):
    """A go.mod's folder, below the solution, and what its sources import."""

    folder: str
    manifest: GoMod
    imports: frozenset[str]

    @property
    def path(self) -> str:
        return self.manifest.module


@dataclasses.dataclass(frozen=True, kw_only=True)
class GoProject(ReadProject):
    modules: tuple[Module, ...]  # those that are built and tested
    test_imports: frozenset[str]  # of a sample's tests
    trusted: GoMod  # what the sample's tests may need besides: tests/go.mod, or the reference's


def read(project: Project) -> GoProject:
    return _read_own(project) if project.has_own_tests else _read_sample(project)


def _read_sample(project: Project) -> GoProject:
    root = project.solution.source
    manifest = read_go_mod(root)
    others = (read_go_mod(folder) for folder in project.manifest_fallbacks)
    fallbacks = [other for other in others if other is not None]
    own = manifest or next(iter(fallbacks), GoMod())
    # The tests import the solution by the path that the reference gives it.
    path = fallbacks[-1].module if fallbacks else own.module
    refused = list(own.refused)
    refused += [
        f"go.mod: {r.line()!r} is refused; modules come from the registry only"
        for r in own.replaces
    ]
    if manifest is not None and path and manifest.module != path:
        refused.append(f"go.mod: the module must be {path!r}, not {manifest.module!r}")
    files = trusted_files(project)
    refused += [f"{name} is refused: a solution is Go source alone" for name in _machine_code(root)]
    module = Module(".", own._replace(module=path or DEFAULT_MODULE), imports_below(root))
    return GoProject(
        given=project,
        modules=(module,),
        test_imports=_imported(placed.source for placed in files),
        trusted=_trusted(project),
        has_manifest=manifest is not None,
        sources=Placed.below(root, go_files(root)),
        test_files=_tests(files),
        refused=tuple(refused),
    )


def request(project: GoProject, fallback_go: str) -> GoRequest:
    """What to download for a sample: what is declared, as far as sources import it."""
    modules = project.modules
    paths = [module.path for module in modules]
    used = frozenset().union(*(module.imports for module in modules))
    declared = {pair for module in modules for pair in module.manifest.requires}
    needed = {name for name in project.test_imports if _is_external(name, paths)}
    declared |= {
        (path, version)
        for path, version in project.trusted.requires
        if any(_is_within(name, path) for name in needed)
    }
    declared = {(path, version) for path, version in declared if path not in paths}
    wanted = {name for name in used | needed if _is_external(name, paths)}
    provided = {n for n in wanted if any(_is_within(n, path) for path, _ in declared)}
    replaces = [r.line() for m in modules for r in m.manifest.replaces if not r.is_local]
    return GoRequest(
        go=_newest([m.manifest.go for m in modules if m.manifest.go]) or fallback_go,
        requires=tuple(sorted(declared)),
        imports=tuple(sorted(provided)),
        replaces=tuple(sorted(set(replaces))),
        excludes=tuple(sorted({pair for m in modules for pair in m.manifest.excludes})),
    )


def _tests(files: Iterable[Placed]) -> tuple[Placed, ...]:
    return tuple(placed for placed in files if placed.target.endswith("_test.go"))


def trusted_files(project: Project) -> list[Placed]:
    """The Go files in a sample's tests/; what the SDK's samples share is data, not source."""
    return [
        placed
        for placement in project.trusted
        if placement.target == TESTS and placement.source.is_dir()
        for placed in Placed.below(placement.source, go_files(placement.source), TESTS)
    ]


def tests_start_themselves(project: Project) -> bool:
    """Whether a sample's tests start their own program once more, as tests of programs do."""
    return any(RESTARTS.search(bytes_of(placed.source)) for placed in trusted_files(project))


def doubts(project: GoProject) -> tuple[str, ...]:
    """By what a solution could change the program that tests it: ways around Go's own safety, and
    modules of its own choice; or run it to try what passes. What the reference needs too is no
    reason to doubt.
    """
    given = project.given
    if given.has_own_tests or not given.manifest_fallbacks:
        return ()
    reference, solution = given.manifest_fallbacks[-1], project.modules[0]
    used = solution.imports - imports_below(reference) - project.test_imports
    manifest = read_go_mod(reference) or GoMod()
    known = [solution.path, *(path for path, _ in manifest.requires)]
    unknown = [name for name in sorted(used) if _is_external(name, known)]
    dumps = any(HEAP_DUMP.search(bytes_of(path)) for path, _ in project.sources)
    restarts = ["the tests start their own program, and so could the solution"]
    return (
        *(
            f"the solution imports {name}, by which it could forge its own verdict"
            for name in [*sorted(used & UNSAFE), *unknown]
        ),
        *(["the solution dumps its memory, where it could find the secret"] if dumps else ()),
        *(restarts if tests_start_themselves(given) else ()),
    )


def visible(project: Project) -> tuple[Placement, ...]:
    """What may stand in the workspace: all but the sources of a sample's tests, which only the
    boot program is given. Files that tests read (testdata/ and the like) stay.
    """
    kept = [project.solution]
    for placement in project.trusted:
        root = placement.source
        if placement.target != TESTS or not root.is_dir():
            kept.append(placement)
            continue
        for path in tree.files(root):
            if path.suffix != ".go":
                target = f"{TESTS}/{path.relative_to(root).as_posix()}"
                kept.append(placement.model_copy(update={"source": path, "target": target}))
    return tuple(kept)


def go_files(root: Path) -> list[Path]:
    return [path for path in tree.files(root) if path.suffix == ".go"]


def imports_below(root: Path) -> frozenset[str]:
    """What the packages of the module at `root` import; other modules below it are not its own."""
    return _imported(_sources(root))


def _imported(paths: Iterable[Path]) -> frozenset[str]:
    return frozenset(name for path in paths for name in imports_in(bytes_of(path)))


def _sources(root: Path) -> Iterator[Path]:
    for current, folders, names in os.walk(root):
        here = Path(current)
        folders[:] = sorted(
            name
            for name in folders
            if not NO_PACKAGE.match(name)
            and not (here / name / "go.mod").is_file()
            and not tree.is_vendored(here / name, root)
        )
        for name in sorted(names):
            if name.endswith(".go") and not OTHER_SYSTEM.search(name):
                yield here / name


def _read_own(project: Project) -> GoProject:
    root = project.solution.source
    used = read_go_work(root)
    folders = [root / name for name in used or ()]
    # Below a module at the root, `go test ./...` looks into no other.
    folders = [root] if any(os.path.normpath(name) == "." for name in used or ()) else folders
    if used is None:
        nested = sorted(path.parent for path in tree.files(root) if path.name == "go.mod")
        outer = [folder for folder in nested if not _is_vendored(folder, root)]
        folders = [root] if (root / "go.mod").is_file() or not outer else outer
    outside = [folder for folder in folders if not tree.is_below(folder, root)]
    modules = [_module(folder, root) for folder in folders if folder not in outside]
    # What else is wrong with a manifest, go itself will say.
    refused = [f"go.work uses {folder.name}, which is not in the project" for folder in outside]
    refused += [
        f"go.mod: {replaced.line()!r} is refused; it leads out of the project"
        for module in modules
        for replaced in module.manifest.replaces
        if replaced.is_local and not tree.is_below(root / module.folder / replaced.new, root)
    ]
    return GoProject(
        given=project,
        modules=tuple(modules),
        test_imports=frozenset(),
        trusted=GoMod(),
        has_manifest=any(tree.is_file(folder / "go.mod") for folder in folders),
        sources=(sources := Placed.below(root, go_files(root))),
        test_files=_tests(sources),
        refused=tuple(refused),
    )


def _module(folder: Path, root: Path) -> Module:
    manifest = read_go_mod(folder) or GoMod(module=_path_told_in(folder))
    name = Path(os.path.relpath(folder.resolve(), root.resolve())).as_posix()
    return Module(name, manifest, imports_below(folder))


def _path_told_in(folder: Path) -> str:
    """The path of a module without go.mod: as its package says itself, else as the package's tests
    from outside import it.
    """
    sources = [bytes_of(path) for path in sorted(folder.glob("*.go")) if tree.is_file(path)]
    told = [
        match[1].decode("utf-8", "replace")
        for match in map(IMPORT_COMMENT.search, sources)
        if match
    ]
    for source in sources:
        tested = TEST_FROM_OUTSIDE.search(source)
        package = tested[1].decode() if tested else ""
        told += [name for name in sorted(imports_in(source)) if _is_package(name, package)]
    return next(filter(MODULE_PATH.match, told), DEFAULT_MODULE)


def _is_package(name: str, package: str) -> bool:
    """Whether what is imported as `name`, which is not of the standard library, is `package`."""
    return _is_external(name, ()) and name.rpartition("/")[2] == package


def _trusted(project: Project) -> GoMod:
    for placement in project.trusted:
        manifest = read_go_mod(placement.source) if placement.source.is_dir() else None
        if manifest is not None:
            return manifest
    reference = project.manifest_fallbacks[-1:]
    return (read_go_mod(reference[0]) if reference else None) or GoMod()


def _machine_code(root: Path) -> list[str]:
    return [
        path.relative_to(root).as_posix()
        for path in tree.files(root)
        if path.suffix in MACHINE_CODE and path.name != path.suffix
    ]


def _is_external(name: str, own: Iterable[str]) -> bool:
    """Whether an import is neither of the standard library nor of the project's own modules."""
    return "." in name.split("/", maxsplit=1)[0] and not any(_is_within(name, path) for path in own)


def _is_within(name: str, module: str) -> bool:
    return name == module or name.startswith(f"{module}/")


def _is_vendored(folder: Path, root: Path) -> bool:
    return any(NO_PACKAGE.match(part) for part in folder.relative_to(root).parts)


def _newest(versions: list[str]) -> str:
    return max(versions, key=lambda v: [int(n) for n in re.findall(r"\d+", v)], default="")
