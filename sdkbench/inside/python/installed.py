"""Runs inside the sandbox, before the tests of a project that can be installed: has its own build
backend make an editable wheel, installs it, and becomes the program that tests.

Started under the project's build requirements. What cannot be built is reported; its tests run all
the same, as they would for somebody who did not install it.
"""

import json
import os
import subprocess
import sys
import tempfile

from ..channel import given_order
from . import own_environment
from .backend import WheelOrder
from .boot import InstallOrder, PythonOrder

INSIDE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MAX_OUTPUT = 16 * 1024


def main() -> None:
    order: PythonOrder = given_order()
    how = order["install"]
    assert how is not None  # noqa: S101 - this program is started for nothing else
    folder = os.path.join(os.path.expanduser("~"), ".venv")
    shared = own_environment.Shared(
        python=how["python"], programs=how["programs"], packages=how["packages"]
    )
    python = own_environment.make(folder, shared)
    error = install(order["workspace"], how, folder)
    # Without the project's own word on it, its sources are where they mostly are.
    last = order["path_last"] if error else order["siblings"]
    told = order | {"install_error": error, "path_last": last}
    os.environ["VIRTUAL_ENV"] = folder
    os.environ["PATH"] = os.pathsep.join([os.path.join(folder, "bin"), os.environ["PATH"]])
    os.set_inheritable(int(order["channel_fd"]), True)
    words = [python, INSIDE, "python.boot", str(message_of(told))]
    sys.stdout.flush()
    os.execv(python, words)


def install(workspace: str, how: InstallOrder, folder: str) -> str:
    """Why the project could not be installed; nothing where it could."""
    with tempfile.TemporaryDirectory() as into:
        made = make_wheel(workspace, how, into)
        wheels = [name for name in os.listdir(into) if name.endswith(".whl")]
        if made.returncode != 0 or len(wheels) != 1:
            output = made.stdout.decode("utf-8", "replace").strip()
            return output[-MAX_OUTPUT:] or f"the build ended with status {made.returncode}"
        try:
            own_environment.install(os.path.join(into, wheels[0]), folder, workspace)
        except (OSError, ValueError, RuntimeError) as error:  # no wheel, or one that does not fit
            return f"{wheels[0]} cannot be installed: {error}"
    return ""


def make_wheel(
    workspace: str, how: InstallOrder, into: str
) -> "subprocess.CompletedProcess[bytes]":
    order = WheelOrder(
        workspace=workspace,
        backend=how["backend"],
        backend_path=how["backend_path"],
        tag=how["tag"],
        into=into,
    )
    message = message_of(order)
    words = [sys.executable, "-s", "-P", INSIDE, "python.backend", str(message)]
    try:
        return subprocess.run(
            words,
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=[message],
            env={**os.environ, **how["variables"]},
        )
    finally:
        os.close(message)


def message_of(order: object) -> int:
    """A descriptor from which a program started by us reads its order."""
    message = os.memfd_create("order", 0)
    os.write(message, json.dumps(order).encode())
    os.lseek(message, 0, os.SEEK_SET)
    return message
