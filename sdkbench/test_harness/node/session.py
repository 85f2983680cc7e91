"""What the boot script is told to do with a JavaScript or TypeScript project."""

import re
from pathlib import Path
from typing import Any, NamedTuple

from sdkbench.core import Project
from sdkbench.sandbox.command import WORKSPACE
from sdkbench.test_harness.models import TestFramework
from sdkbench.test_harness.node import needs as node_needs
from sdkbench.test_harness.node import project as reading
from sdkbench.test_harness.session import INSIDE

BUILD_SCRIPTS = ("build", "compile", "tsc")
ENVIRONMENT = {
    "CI": "true",
    "NO_COLOR": "1",
    "NEXT_TELEMETRY_DISABLED": "1",
    "NEXT_IGNORE_INCORRECT_LOCKFILE": "1",
    "DO_NOT_TRACK": "1",
}
ASSETS = r"\.(css|scss|sass|less|styl|svg|png|jpe?g|gif|webp|avif|ico|woff2?|ttf|eot)$"
ALIAS = re.compile(r"[\w@~#$][\w@~#$./-]*")  # no relative path, no pattern, no scheme
STUB = INSIDE / "node" / "asset_stub.cjs"
SYNTAX_CHECK = INSIDE / "node" / "syntax_check.mjs"


def environment(found: reading.Reading) -> dict[str, str]:
    options = ["--enable-source-maps"]
    if found.framework is TestFramework.JEST and found.esm:
        options.append("--experimental-vm-modules")
    return ENVIRONMENT | {"NODE_OPTIONS": " ".join(options)}


class Compilers(NamedTuple):
    """TypeScript as a program: one that parses, and a native one for a quick first opinion."""

    parser: Path
    native: Path | None = None


def order(
    project: Project,
    found: reading.Reading,
    *,
    compilers: Compilers | None,
    run_tests: bool,
) -> dict[str, Any]:
    """`compilers` is None where nothing is to be built."""
    steps = build_steps(project, found, compilers) if compilers else []
    config = found.trusted_config
    return {
        "build_steps": steps,
        "run_tests": run_tests,
        "framework": found.framework.value,
        "files": [f"{WORKSPACE}/{placed.target}" for placed in found.test_files],
        "patterns": [_escaped(placed.target) for placed in found.test_files],
        "include": [placed.target for placed in found.test_files],
        "config": f"{WORKSPACE}/{config}" if config else _package_config(project, found),
        "jsdom": found.jsdom,
        "aliases": _absolute_aliases(project, found),
        "jest_config": jest_config(project, found),
        "esbuild_options": _esbuild_options(found),
        "own": project.has_own_tests,
        "test_env": _test_environment(project, found),
        "coverage": None,
        "coverage_report": None,
    }


def build_script(found: reading.Reading) -> str | None:
    """The solution's own build, with what npm would run before and after it."""
    scripts = found.package.scripts if found.has_manifest else {}
    name = next((name for name in BUILD_SCRIPTS if scripts.get(name)), None)
    if name is None:
        return None
    parts = [scripts.get(f"pre{name}"), scripts[name], scripts.get(f"post{name}")]
    return " && ".join(f"( {part} )" for part in parts if part)


def build_steps(
    project: Project, found: reading.Reading, compilers: Compilers
) -> list[dict[str, Any]]:
    """Every source must parse, whatever the solution's own build looks at."""
    folder = f"{WORKSPACE}/{project.solution.target}"
    syntax = ["node", str(SYNTAX_CHECK), str(compilers.parser / "lib/typescript.js"), folder]
    steps: list[dict[str, Any]] = [{"argv": syntax, "cwd": folder, "env": {}}]
    script = build_script(found)
    if script:
        bins = f"{folder}/node_modules/.bin:{WORKSPACE}/node_modules/.bin:"
        words = ["sh", "-c", f'PATH="{bins}$PATH"; export PATH; {script}']
        return [*steps, {"argv": words, "cwd": folder, "env": {}}]
    if found.has_tsconfig:
        tsc = f"{WORKSPACE}/node_modules/typescript/bin/tsc"
        # Declarations of packages, some of them brought along by us, are not the author's.
        flags = ["--noEmit", "--skipLibCheck", "--pretty", "false", "-p", folder]
        first = ["node", str(compilers.native / "bin/tsc"), *flags] if compilers.native else None
        words = ["node", tsc, *flags]
        steps.append({"argv": words, "cwd": folder, "env": {}, "first": first})
    return steps


def jest_config(project: Project, found: reading.Reading) -> dict[str, Any]:
    """Ours, where neither the sample nor an own project brings one."""
    esm = found.esm
    mapper = {
        f"^{_escaped(name)}(.*)$" if name.endswith("/") else f"^{_escaped(name)}$": (
            f"{target}$1" if name.endswith("/") else target
        )
        for name, target in _absolute_aliases(project, found).items()
    }
    mapper[ASSETS] = str(STUB)
    if found.typed:
        mapper["^(\\.{1,2}/.*)\\.js$"] = "$1"  # TypeScript's way to name a .ts file from ESM
    return {
        "rootDir": WORKSPACE,
        "testEnvironment": "jsdom" if found.jsdom else "node",
        "transform": {
            "^.+\\.[cm]?ts$": [
                "@swc/jest",
                _swc(found, {"syntax": "typescript", "decorators": True}),
            ],
            "^.+\\.tsx$": ["@swc/jest", _swc(found, {"syntax": "typescript", "tsx": True})],
            "^.+\\.([cm]?js|jsx)$": [
                "@swc/jest",
                _swc(found, {"syntax": "ecmascript", "jsx": True}),
            ],
        },
        "moduleNameMapper": mapper,
        "extensionsToTreatAsEsm": [".ts", ".tsx", ".jsx"] if esm else [],
        "testPathIgnorePatterns": ["/node_modules/"],
    }


def _swc(found: reading.Reading, parser: dict[str, Any]) -> dict[str, Any]:
    legacy = bool(found.compiler_options.get("experimentalDecorators"))
    metadata = bool(found.compiler_options.get("emitDecoratorMetadata"))
    return {
        "jsc": {
            "target": "es2022",
            "parser": {**parser, "decorators": True},
            "transform": {
                "react": {"runtime": "automatic"},
                "hidden": {"jest": True},
                "legacyDecorator": legacy,
                "decoratorMetadata": legacy and metadata,
            },
        },
        "module": {"type": "es6" if found.esm else "commonjs"},
        "sourceMaps": "inline",
        "swcrc": False,  # a solution's .swcrc has no say
    }


def _esbuild_options(found: reading.Reading) -> dict[str, Any]:
    """What of tsconfig changes the meaning of code; the rest is the type check's business."""
    kept = ("experimentalDecorators", "emitDecoratorMetadata", "useDefineForClassFields",
            "jsxImportSource")  # fmt: skip
    options = {
        name: found.compiler_options[name] for name in kept if name in found.compiler_options
    }
    return {"compilerOptions": options}


def _package_config(project: Project, found: reading.Reading) -> str | None:
    """Jest's configuration may also stand in package.json: the sample's, or an own project's."""
    if found.framework is not TestFramework.JEST:
        return None
    if project.has_own_tests:
        return f"{WORKSPACE}/package.json" if found.package.jest else None
    for placement in project.trusted if found.tests_package.jest else ():
        if placement.target == "package.json":
            return f"{WORKSPACE}/package.json"
        if (placement.source / "package.json").is_file():
            return f"{WORKSPACE}/{placement.target}/package.json"
    return None


def _test_environment(project: Project, found: reading.Reading) -> dict[str, str]:
    """For the children that run the tests, where the framework itself runs TypeScript as it is."""
    if found.framework not in {TestFramework.MOCHA, TestFramework.NODE_TEST}:
        return {}
    # A rejection nobody handles is an error, also in mocha's workers.
    options = "--enable-source-maps --unhandled-rejections=strict"
    if not found.typed:
        return {"NODE_OPTIONS": options}
    # By its file: a child that the tests start in another folder must find it too.
    loader = f"file://{WORKSPACE}/node_modules/tsx/dist/loader.mjs"
    env = {"NODE_OPTIONS": f"{options} --import {loader}"}
    if found.has_tsconfig:
        env["TSX_TSCONFIG_PATH"] = f"{WORKSPACE}/{project.solution.target}/tsconfig.json"
    return env


def _absolute_aliases(project: Project, found: reading.Reading) -> dict[str, str]:
    """Where tsconfig's aliases lead. A solution's may not stand in for what its tests import."""
    return {
        prefix: f"{WORKSPACE}/{folder}"
        for prefix, folder in reading.aliases(project).items()
        if project.has_own_tests or _is_free(prefix, found)
    }


def _is_free(alias: str, found: reading.Reading) -> bool:
    words = alias.rstrip("/").split("/")
    package = "/".join(words[: 2 if alias.startswith("@") and words[0] != "@" else 1])
    taken = {*found.imports, *node_needs.TOOLS, *reading.PACKAGE_OF.values()}
    return bool(ALIAS.fullmatch(alias)) and package not in taken


def _escaped(text: str) -> str:
    return "".join(f"\\{c}" if c in r".*+?^${}()|[]\/" and c != "/" else c for c in text)
