"""Starts one program of this folder: `python PATH/inside go.boot MESSAGE_FD`.

The folder becomes the package `sdkbench_inside`, whatever its path, so that programs import what
they share by relative names and nothing here stands on the search path of judged code.
"""

import importlib
import importlib.util
import os
import sys

PACKAGE = "sdkbench_inside"


def main() -> None:
    here = os.path.dirname(os.path.abspath(__file__))
    if sys.path and os.path.abspath(sys.path[0]) == here:
        del sys.path[0]
    spec = importlib.util.spec_from_file_location(
        PACKAGE, os.path.join(here, "__init__.py"), submodule_search_locations=[here]
    )
    assert spec is not None  # noqa: S101 - a Python file always has one
    sys.modules[PACKAGE] = importlib.util.module_from_spec(spec)
    program = importlib.import_module(f"{PACKAGE}.{sys.argv.pop(1)}")
    sys.exit(program.main())


if __name__ == "__main__":
    main()
