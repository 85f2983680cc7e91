"""A PostgreSQL server of our own for the tests: private, on loopback, gone afterwards."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

READY_SECONDS = 30
USER = "postgres"


def programs() -> Path | None:
    """The folder of the real `postgres`: Debian's wrappers in the PATH want a cluster of theirs."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    if found:
        return found[-1].parent
    named = shutil.which("postgres")
    return Path(named).resolve().parent if named else None


def reason_to_skip() -> str | None:
    if programs() is None:
        return "PostgreSQL is not installed (Debian: apt-get install postgresql)"
    if os.geteuid() == 0 and _account() is None:
        return f"PostgreSQL does not run as root, and there is no user {USER!r}"
    return None


def _account() -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(USER)
    except KeyError:
        return None


@contextmanager
def server() -> Iterator[str]:
    """The URL of a fresh server, without a database's name."""
    tools = programs()
    assert tools is not None
    account = _account() if os.geteuid() == 0 else None
    user, group = (account.pw_uid, account.pw_gid) if account else (None, None)
    folder = Path(tempfile.mkdtemp(prefix="sdkbench-postgres-"))
    if account:
        os.chown(folder, account.pw_uid, account.pw_gid)
    data, port = folder / "data", _free_port()
    try:
        subprocess.run(
            [str(tools / "initdb"), "-A", "trust", "-N", "-U", USER, "--locale=C", "-D", str(data)],
            check=True, capture_output=True, cwd=folder, user=user, group=group,
        )  # fmt: skip
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                [str(tools / "postgres"), "-D", str(data), "-k", str(folder), "-p", str(port), "-F",
                 "-c", "listen_addresses=127.0.0.1"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder,
                user=user, group=group,
            )  # fmt: skip
        try:
            _wait(tools, port, process)
            yield f"postgresql://{USER}@127.0.0.1:{port}"
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=READY_SECONDS)
    finally:
        shutil.rmtree(folder)


def _wait(tools: Path, port: int, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + READY_SECONDS
    asking = [str(tools / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port), "-U", USER]
    while subprocess.run(asking, check=False).returncode != 0:
        assert process.poll() is None, "the server ended"
        assert time.monotonic() < deadline, "the server did not get ready"
        time.sleep(0.05)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
