"""serve_viewer: the viewer on a port of this machine, until it is told to stop."""

import re
import secrets
import socket
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import uvicorn

from sdkbench.errors import InputError
from sdkbench.serve.guard import LOOPBACK_NAMES, Access
from sdkbench.serve.viewer import Viewer
from sdkbench.serve.watching import Watcher

if TYPE_CHECKING:
    from sdkbench.store.reading import StoreReader

CLOSING_SECONDS = 3
TOKEN = r"[A-Za-z0-9_-]{12,}"  # as a cookie and an address can hold it


def serve_viewer(
    store: "StoreReader",
    *,
    host: str,
    port: int,
    token: str | None,
    samples_dir: Path | None,
    on_start: Callable[[str], None],
) -> None:
    """Returns on SIGTERM, raises KeyboardInterrupt on SIGINT; `on_start` is told the address.

    A host that others can reach needs a token: one is made where none is given. InputError where
    the port can't be had, or the token would be guessed.
    """
    if token is not None and not re.fullmatch(TOKEN, token):
        raise InputError("A token has 12 or more letters, digits, hyphens and underscores.")
    listening = listen(host, port)
    with listening:
        number = listening.getsockname()[1]
        access = _access(host, number, token)
        viewer = Viewer(Watcher(store, samples_dir))
        server = _Server(viewer, uvicorn.Config(
            viewer.app(access),
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="off",
            timeout_graceful_shutdown=CLOSING_SECONDS,
        ))  # fmt: skip
        on_start(address_of(host, number, access.token))
        server.run(sockets=[listening])


class _Server(uvicorn.Server):
    """Ends the streams of events when it is told to stop: it waits for open connections."""

    def __init__(self, viewer: Viewer, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._viewer = viewer

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._viewer.stopping.set()
        super().handle_exit(sig, frame)


def listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise InputError(
            f"Port {port} of {host} can't be had: {error.strerror or error}. "
            "Name another with --port; 0 takes any that is free."
        ) from error


def _access(host: str, port: int, token: str | None) -> Access:
    cookie = f"sdkbench_view_{port}"  # cookies know no ports: two viewers have one each
    if host in LOOPBACK_NAMES:
        return Access(LOOPBACK_NAMES, token=token, cookie=cookie)
    names = LOOPBACK_NAMES | {host.lower(), socket.gethostname().lower()}
    made = token or secrets.token_urlsafe(24)
    return Access(frozenset(names), any_address=True, token=made, cookie=cookie)


def address_of(host: str, port: int, token: str | None = None) -> str:
    everywhere = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}  # noqa: S104
    name = everywhere.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{name}:{port}/" + (f"?{urlencode({'token': token})}" if token else "")
