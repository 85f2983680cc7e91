"""A server of the tests is asked by the solution, which runs elsewhere."""

import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

PORT = 8471
BASE = f"http://127.0.0.1:{PORT}"
asked: list[tuple[str, str | None, str | None]] = []
slow = threading.Event()


class Pages(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        asked.append((self.path, self.headers["User-Agent"], self.headers["Accept"]))
        status, body, location = 200, b"", None
        if self.path == "/never":
            slow.wait(8)
        elif self.path == "/breaks":
            self.close_connection = True
            self.connection.shutdown(2)
            return
        elif self.path.startswith("/moved"):
            status, location, body = 302, {"/moved": "/new?a=b", "/moved/far": "../x"}[self.path], b"gone"
        elif self.path == "/status":
            status, body = 404, b"no such page"
        elif self.path == "/lines":
            body = b"one\ntwo\r\nthree"
        else:
            body = f"page {self.path} \u00e9".encode()
        self.send_response(status)
        if location is not None:
            self.send_header("Location", location)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words: object) -> None:
        pass


@pytest.fixture(scope="module", autouse=True)
def server() -> Iterator[None]:
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Pages)
    server.daemon_threads = True
    server.handle_error = lambda *words: None  # type: ignore[method-assign]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield
    slow.set()
    server.shutdown()
    server.server_close()


def fetch(*paths: str, milliseconds: int = 30000) -> list[str]:
    asked.clear()
    done = subprocess.run(
        ["solution", BASE, str(milliseconds), "fetcher/1.0"],
        input="".join(f"{path}\n" for path in paths).encode(),
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.decode().splitlines()


def test_pages_are_told_with_their_status() -> None:
    assert fetch("/a", "/status", "/a?x=1&y=%20z") == [
        "200 page /a \u00e9",
        "404 no such page",
        "200 page /a?x=1&y=%20z \u00e9",
    ]
    assert asked == [
        (path, "fetcher/1.0", "text/plain") for path in ("/a", "/status", "/a?x=1&y=%20z")
    ]


def test_line_ends_become_blanks() -> None:
    assert fetch("/lines") == ["200 one two three"]


def test_redirections_are_told_and_not_followed() -> None:
    assert fetch("/moved", "/moved/far") == [f"moved 302 {BASE}/new?a=b", f"moved 302 {BASE}/x"]
    assert [path for path, _, _ in asked] == ["/moved", "/moved/far"]


def test_only_paths_are_asked_for() -> None:
    assert fetch("a", "@example.com/", "", "/b") == ["refused"] * 3 + ["200 page /b \u00e9"]
    assert [path for path, _, _ in asked] == ["/b"]


def test_what_breaks_or_takes_too_long_is_told_and_the_rest_goes_on() -> None:
    assert fetch("/breaks", "/never", "/a", milliseconds=3000) == [
        "failed",
        "timeout",
        "200 page /a \u00e9",
    ]
