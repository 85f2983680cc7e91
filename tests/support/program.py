"""`sdkbench` in a process of its own, forked from one that has imported it already.

Importing takes longer than most commands do. Tests that start the program by its name, to send it
signals or to see it start, do so by themselves.
"""

import atexit
import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

FORKING = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload(["sdkbench.cli.app", "sdkbench.engine.run", "tests.support.program"])


def run_program(
    *words: object, cwd: Path, environment: Mapping[str, str] | None = None, seconds: float = 300
) -> "subprocess.CompletedProcess[str]":
    """What `subprocess.run` would return for `sdkbench WORDS…`."""
    argv = ["sdkbench", *map(str, words)]
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder, "out"), Path(folder, "err")
        process = FORKING.Process(
            target=_program, args=(argv, cwd, dict(environment or os.environ), out, err)
        )
        process.start()
        process.join(seconds)
        if process.is_alive():
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(argv, seconds)
        code = process.exitcode
        process.close()
        assert code is not None
        return subprocess.CompletedProcess(argv, code, out.read_text(), err.read_text())


def _program(argv: list[str], cwd: Path, environment: dict[str, str], out: Path, err: Path) -> None:
    for path, descriptor in ((out, 1), (err, 2)):
        opened = os.open(path, os.O_WRONLY | os.O_CREAT)
        os.dup2(opened, descriptor)
        os.close(opened)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None  # as it was before the first question: TMPDIR may be another
    sys.argv = argv
    from sdkbench.cli.app import main  # noqa: PLC0415 - imported before the fork

    try:
        main()
    finally:
        atexit._run_exitfuncs()  # what ends a forked process does not call them
