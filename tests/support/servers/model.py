"""A real HTTP server on loopback that plays every part a model's server may play.

The first part of the path names the play: `/hang/v1/chat/completions`. Each connection has a thread
of its own; `stop` releases those that hang.
"""

import contextlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

TEXT = "ls -la"
USAGE = {"prompt_tokens": 7, "completion_tokens": 3, "input_tokens": 7, "output_tokens": 3}
JSON = "application/json"
HUGE = 1_500_000  # twice in one body, once for each API
HTML = b"<!DOCTYPE html><html><body>502 Bad Gateway</body></html>"


class Play(NamedTuple):
    status: int = 200
    body: bytes = b""
    kind: str = JSON
    headers: tuple[tuple[str, str], ...] = ()
    sent: int | None = None  # the connection ends after so many bytes


def completion(content: object = TEXT, **message: object) -> dict[str, Any]:
    choice = {"message": {"content": content, **message}, "finish_reason": "stop"}
    return {"choices": [choice], "usage": USAGE}


def message(*blocks: object, stop: str | None = "end_turn") -> dict[str, Any]:
    return {"content": list(blocks), "stop_reason": stop, "usage": USAGE}


def both(content: str = TEXT, **more: object) -> bytes:
    """One body that reads as an answer of either API."""
    blocks = message({"type": "text", "text": content})
    return json.dumps({**completion(content), **blocks, **more}).encode()


def error(text: str) -> bytes:
    return json.dumps({"error": {"message": text, "type": "x"}}).encode()


PLAYS = {
    "ok": Play(body=both()),
    "empty-text": Play(body=both("")),
    "odd-usage": Play(
        body=both(
            usage={
                "prompt_tokens": "many",
                "completion_tokens": 10**20,
                "input_tokens": -1,
                "output_tokens": 2**53 + 1,
                "cost": 10**400,
            }
        )
    ),
    "no-key": Play(401, error("Incorrect API key provided: sk-secret-1234567890")),
    "forbidden": Play(403, error("not in your plan")),
    "no-model": Play(404, error("The model `m` does not exist")),
    "rate": Play(429, error("slow down"), headers=(("Retry-After", "7"),)),
    "rate-odd": Play(429, error("slow down"), headers=(("Retry-After", "x" * 999),)),
    "bad-request": Play(400, error("max_tokens is too large")),
    "broken": Play(500, error("out of memory with sk-secret-1234567890")),
    "busy": Play(529, error("overloaded"), headers=(("Retry-After", "9"),)),
    "broken-html": Play(502, HTML, "text/html"),
    "broken-deep": Play(500, b"[" * 200_000),
    "html": Play(body=HTML, kind="text/html"),
    "garbage": Play(body=b'{"choices": [{"mess\xff'),
    "deep": Play(body=b"[" * 200_000),
    "wrong-shape": Play(body=b'{"choices": {"a": 1}, "content": "ls"}'),
    "list": Play(body=b"[1, 2]"),
    "empty-choices": Play(body=b'{"choices": [], "content": []}'),
    "empty-body": Play(),
    "null": Play(body=json.dumps(completion(None) | message(stop="max_tokens")).encode()),
    "null-content": Play(
        body=json.dumps(completion(None) | message({"type": "thinking", "thinking": "…"})).encode()
    ),
    "refusal": Play(body=json.dumps(completion(None, refusal="I won't.")).encode()),
    "huge": Play(body=both("x" * HUGE)),
    "10-mb": Play(body=both("x" * (10 << 20))),
    "10-mb-500": Play(500, error("x" * (10 << 20))),
    "gzip": Play(body=both(), headers=(("Content-Encoding", "gzip"),)),
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "ModelServer"

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        request = json.loads(self.rfile.read(length))
        play = self.path.split("/")[1]
        self.server.seen.append((dict(self.headers), request))
        # The client may go away at any moment: that is what most of these plays are for.
        with contextlib.suppress(OSError):
            if play in PLAYS:
                self._answer(PLAYS[play])
            else:
                getattr(self, f"play_{play.replace('-', '_')}")()

    def _answer(self, play: Play) -> None:
        self.send_response(play.status)
        self.send_header("Content-Type", play.kind)
        self.send_header("Content-Length", str(len(play.body)))
        for name, value in play.headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(play.body[: play.sent])
        self.close_connection = self.close_connection or play.sent is not None

    def _start(self, *, length: int | None) -> None:
        self.send_response(200)
        self.send_header("Content-Type", JSON)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def play_script(self) -> None:
        """The next of what the test has put there; the last one again and again."""
        plays = self.server.script
        self._answer(plays.pop(0) if len(plays) > 1 else plays[0])

    def play_half(self) -> None:
        self._start(length=len(both()))
        self.wfile.write(both()[:40])

    def play_half_unframed(self) -> None:
        self._start(length=None)
        self.wfile.write(both()[:40])

    def play_hang(self) -> None:
        self.close_connection = True
        self.server.released.wait()

    def play_hang_in_body(self) -> None:
        self._start(length=1000)
        self.server.released.wait()

    def play_drip(self) -> None:
        self._start(length=1_000_000)
        while not self.server.released.wait(0.05):
            self.wfile.write(b" ")

    def play_endless(self) -> None:
        self._start(length=None)
        while not self.server.released.is_set():
            self.wfile.write(b" " * 65536)
            self.server.sent += 65536

    def play_no_http(self) -> None:
        self.wfile.write(b"SSH-2.0-OpenSSH_9.2\r\n\r\n")
        self.close_connection = True

    def play_hang_up(self) -> None:
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        pass


class ModelServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # five, as is usual, refuses some of many at once

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that leaves in the middle is what is tested here."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.released = threading.Event()
        self.seen: list[tuple[dict[str, str], dict[str, Any]]] = []
        self.sent = 0
        self.script: list[Play] = []

    def spec(self, backend: str, play: str) -> str:
        root = f"http://127.0.0.1:{self.server_port}/{play}"
        return f"{backend}:m@{root}/v1" if backend == "openai" else f"{backend}:m@{root}"


@contextlib.contextmanager
def running() -> Iterator[ModelServer]:
    server = ModelServer()
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield server
    finally:
        server.released.set()
        server.shutdown()
        server.server_close()
        thread.join()
