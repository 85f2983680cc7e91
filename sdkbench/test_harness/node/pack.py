"""Packs: trusted CommonJS packages that start in less time, made once for each environment.

A pack holds what inside/node/pack.cjs recorded in a run of ours: sources, V8's compiled code, and
where each `require` led. It is kept in the cache beside the environment, and mounted read-only.
"""

import hashlib
import json
import tempfile
from pathlib import Path

from sdkbench.core import Placement
from sdkbench.environments import Environment, installation
from sdkbench.sandbox import Command, Limits, Mount
from sdkbench.sandbox.command import WORKSPACE
from sdkbench.test_harness.node.environment import SCRATCH, node_program, toolchain
from sdkbench.test_harness.programs import tool_mounts
from sdkbench.test_harness.runner import Harness
from sdkbench.test_harness.session import INSIDE

LANGUAGE = "node-pack"
PROGRAMS = INSIDE / "node"
LOADER = PROGRAMS / "pack.cjs"
INDEX = "index.json"
NOTHING: dict[str, dict[str, str]] = {"files": {}, "resolutions": {}, "functions": {}}
WARM_UP = "warm_up.test.js"
LIMITS = Limits(wall_seconds=300)


def loaded_with(pack: Environment) -> dict[str, str]:
    """What a process must be told that is started with `--require LOADER`."""
    return {"SDKBENCH_PACK": str(pack.path)}


def typescript_pack(parser: Environment, harness: Harness) -> Environment:
    """TypeScript as our syntax check uses it, recorded while it reads programs of ours."""
    library = parser.path / "node_modules/typescript/lib/typescript.js"
    words = (str(PROGRAMS / "syntax_check.mjs"), str(library), str(PROGRAMS))
    return _kept(harness, parser, words, (Mount(path=parser.path),), at=str(parser.path))


def jest_pack(environment: Environment, harness: Harness, *, jsdom: bool) -> Environment:
    """Jest with its environment, recorded while it runs a test of ours."""
    kind = "jsdom" if jsdom else "node"
    modules = environment.path / "node_modules"
    with tempfile.TemporaryDirectory(prefix="sdkbench-warm-up-") as name:
        test = Path(name) / WARM_UP
        test.write_text("test('warm-up', () => expect({ a: [1] }).toEqual({ a: [1] }))\n", "utf-8")
        placements = (
            Placement(source=modules, target="node_modules", read_only=True, bulky=True),
            Placement(source=test, target=WARM_UP),
        )
        words = (str(PROGRAMS / "jest_warm_up.mjs"), WORKSPACE, WARM_UP, kind)
        return _kept(harness, environment, words, (), placements, at=kind)


def _kept(
    harness: Harness,
    packed: Environment,
    words: tuple[str, ...],
    mounts: tuple[Mount, ...],
    placements: tuple[Placement, ...] = (),
    *,
    at: str,
) -> Environment:
    def build(folder: Path) -> tuple[str, ...]:
        done = harness.sandbox.run(
            Command(
                argv=(node_program(), "--require", str(LOADER), *words),
                env={"CI": "true", "SDKBENCH_PACK_NEW": str(folder)},
                placements=placements,
                mounts=(*tool_mounts("node"), *mounts, Mount(path=INSIDE),
                        Mount(path=folder, writable=True)),
                scratch=tuple(f"node_modules/{name}" for name in SCRATCH) if placements else (),
                limits=LIMITS,
            )
        )  # fmt: skip
        if not done.ok or not (folder / INDEX).is_file():
            # Without a pack all works as well, only slower.
            (folder / INDEX).write_text(json.dumps(NOTHING), encoding="utf-8")
            (folder / "pack.bin").write_bytes(b"")
        return packed.packages

    # Another pack when what is recorded may be another: the loader, the program, and its parts.
    programs = sorted({LOADER, *PROGRAMS.glob("*.mjs"), *PROGRAMS.glob("reporters/*")})
    content = hashlib.sha256(b"\0".join(path.read_bytes() for path in programs)).hexdigest()
    contents = (toolchain(harness.sandbox), packed.key, at, content)
    with harness.cache.in_use(packed):
        return installation.kept(harness.cache, LANGUAGE, contents, build)
