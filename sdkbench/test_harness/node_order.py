"""What the boot script is told to do with a JavaScript or TypeScript project."""

from typing import Any

from sdkbench.core import Project
from sdkbench.sandbox.command import WORKSPACE
from sdkbench.test_harness import node_project as reading
from sdkbench.test_harness.models import TestFramework

BUILD_SCRIPTS = ("build", "compile", "tsc")
MAX_CHECKED_FILES = 200  # a syntax check of more plain files than this costs more than it tells
ENVIRONMENT = {
    "CI": "true",
    "NO_COLOR": "1",
    "NEXT_TELEMETRY_DISABLED": "1",
    "NEXT_IGNORE_INCORRECT_LOCKFILE": "1",
    "DO_NOT_TRACK": "1",
}
CHECK_ALL = 'for f; do node --check "$f" || exit 1; done'


def environment(found: reading.Reading) -> dict[str, str]:
    options = ["--enable-source-maps"]
    if found.framework is TestFramework.JEST and found.package.is_module:
        options.append("--experimental-vm-modules")
    return ENVIRONMENT | {"NODE_OPTIONS": " ".join(options)}


def order(
    project: Project,
    found: reading.Reading,
    *,
    run_build: bool,
    run_tests: bool,
    quick_tsc: str | None = None,
) -> dict[str, Any]:
    steps, leaves_nothing = build_steps(project, found, quick_tsc) if run_build else ([], True)
    config = found.trusted_config
    return {
        "build_steps": steps,
        "build_beside_tests": leaves_nothing,
        "run_tests": run_tests,
        "framework": found.framework.value,
        "files": [f"{WORKSPACE}/{placed.target}" for placed in found.test_files],
        "patterns": [_escaped(placed.target) for placed in found.test_files],
        "include": [placed.target for placed in found.test_files],
        "config": f"{WORKSPACE}/{config}" if config else _package_config(project, found),
        "jsdom": found.jsdom,
        "aliases": _absolute_aliases(project),
        "jest_config": jest_config(project, found),
        "mocha_options": {},
        "test_env": _test_environment(project, found),
        "coverage": None,
        "coverage_report": None,
    }


def build_script(found: reading.Reading) -> str | None:
    scripts = found.package.scripts if found.has_manifest else {}
    return next((scripts[name] for name in BUILD_SCRIPTS if scripts.get(name)), None)


def build_steps(
    project: Project, found: reading.Reading, quick_tsc: str | None = None
) -> tuple[list[dict[str, Any]], bool]:
    """The steps, and whether they leave nothing behind that tests could need."""
    folder = f"{WORKSPACE}/{project.solution.target}"
    bins = f"{folder}/node_modules/.bin:{WORKSPACE}/node_modules/.bin:"
    script = build_script(found)
    if script:
        words = ["sh", "-c", f'PATH="{bins}$PATH"; export PATH; {script}']
        return [{"argv": words, "cwd": folder, "env": {}}], False
    if found.has_tsconfig:
        tsc = f"{WORKSPACE}/node_modules/typescript/bin/tsc"
        # Declarations of packages, some of them brought along by us, are not the author's.
        flags = ["--noEmit", "--skipLibCheck", "--pretty", "false", "-p", folder]
        first = ["node", quick_tsc, *flags] if quick_tsc else None
        return [{"argv": ["node", tsc, *flags], "cwd": folder, "env": {}, "first": first}], True
    files = _plain_files(project, found)
    if files:
        words = ["sh", "-c", CHECK_ALL, "sh", *files]
        return [{"argv": words, "cwd": folder, "env": {}}], True
    return [], True


def _plain_files(project: Project, found: reading.Reading) -> list[str]:
    """Files that Node itself can check; .js may hold JSX where React is about."""
    endings = (".mjs", ".cjs") if "react" in found.package.all_dependencies else (
        ".mjs", ".cjs", ".js",
    )  # fmt: skip
    root = project.solution.source
    files = [p for p in reading.sources(root) if p.suffix in endings]
    shown = [
        f"{WORKSPACE}/{project.solution.target}/{p.relative_to(root).as_posix()}" for p in files
    ]
    return shown[:MAX_CHECKED_FILES]


def jest_config(project: Project, found: reading.Reading) -> dict[str, Any]:
    """Ours, where neither the sample nor an own project brings one."""
    esm = found.package.is_module
    mapper = {
        f"^{_escaped(prefix)}/(.*)$": f"{folder}/$1"
        for prefix, folder in _absolute_aliases(project).items()
    }
    if found.typed:
        mapper["^(\\.{1,2}/.*)\\.js$"] = "$1"  # TypeScript's way to name a .ts file from ESM
    return {
        "rootDir": WORKSPACE,
        "testEnvironment": "jsdom" if found.jsdom else "node",
        "transform": {
            "^.+\\.[cm]?ts$": [
                "@swc/jest",
                _swc(esm, {"syntax": "typescript", "decorators": True}),
            ],
            "^.+\\.tsx$": ["@swc/jest", _swc(esm, {"syntax": "typescript", "tsx": True})],
            "^.+\\.([cm]?js|jsx)$": ["@swc/jest", _swc(esm, {"syntax": "ecmascript", "jsx": True})],
        },
        "moduleNameMapper": mapper,
        "extensionsToTreatAsEsm": [".ts", ".tsx", ".jsx"] if esm else [],
        "testPathIgnorePatterns": ["/node_modules/"],
    }


def _swc(esm: bool, parser: dict[str, Any]) -> dict[str, Any]:
    return {
        "jsc": {
            "target": "es2022",
            "parser": parser,
            "transform": {"react": {"runtime": "automatic"}, "hidden": {"jest": True}},
        },
        "module": {"type": "es6" if esm else "commonjs"},
        "sourceMaps": "inline",
        "swcrc": False,  # a solution's .swcrc has no say
    }


def _package_config(project: Project, found: reading.Reading) -> str | None:
    """Jest's configuration may also stand in package.json: the sample's, or an own project's."""
    if found.framework is not TestFramework.JEST:
        return None
    if project.has_own_tests:
        return f"{WORKSPACE}/package.json" if found.package.jest else None
    return f"{WORKSPACE}/package.json" if found.tests_package.jest else None


def _test_environment(project: Project, found: reading.Reading) -> dict[str, str]:
    """For the children that run the tests, where the framework itself runs TypeScript as it is."""
    if found.framework not in {TestFramework.MOCHA, TestFramework.NODE_TEST}:
        return {}
    # A rejection nobody handles is an error, also in mocha's workers.
    options = "--enable-source-maps --unhandled-rejections=strict"
    if not found.typed:
        return {"NODE_OPTIONS": options}
    env = {"NODE_OPTIONS": f"{options} --import tsx"}
    if found.has_tsconfig:
        env["TSX_TSCONFIG_PATH"] = f"{WORKSPACE}/{project.solution.target}/tsconfig.json"
    return env


def _absolute_aliases(project: Project) -> dict[str, str]:
    return {prefix: f"{WORKSPACE}/{folder}" for prefix, folder in reading.aliases(project).items()}


def _escaped(text: str) -> str:
    return "".join(f"\\{c}" if c in r".*+?^${}()|[]\/" and c != "/" else c for c in text)
