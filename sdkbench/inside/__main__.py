"""Starts one program: `python PATH/inside go.boot MESSAGE_FD`, or a plugin's by its file.

The folder becomes the package `sdkbench.inside`, whatever its path; nothing else of sdkbench is
there. So programs import what they share by name, and nothing here stands on the search path of
judged code.
"""

import importlib
import importlib.util
import os
import sys
import types

PARENT = "sdkbench"
PACKAGE = f"{PARENT}.inside"


def load(name: str, path: str, folder: str | None = None) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(
        name, path, submodule_search_locations=[folder] if folder else None
    )
    assert spec is not None and spec.loader is not None  # noqa: S101, PT018 - a Python file
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def main() -> None:
    here = os.path.dirname(os.path.abspath(__file__))
    if sys.path and os.path.abspath(sys.path[0]) == here:
        del sys.path[0]
    sys.modules[PARENT] = types.ModuleType(PARENT)
    load(PACKAGE, os.path.join(here, "__init__.py"), here)
    name = sys.argv.pop(1)
    if name.endswith(".py"):
        program = load(f"{PARENT}.plugin_program", name)
    else:
        program = importlib.import_module(f"{PACKAGE}.{name}")
    sys.exit(program.main())


if __name__ == "__main__":
    main()
