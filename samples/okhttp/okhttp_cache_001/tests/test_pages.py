"""A server of the tests counts what it is asked, and says how long its pages last."""

import subprocess
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

PORT = 8472
BASE = f"http://127.0.0.1:{PORT}"
DAY = "Tue, 05 Mar 2024 10:00:00 GMT"
HEADERS = {
    "/fresh": {"Cache-Control": "max-age=7200"},
    "/etag": {"Cache-Control": "max-age=0", "ETag": '"v1"'},
    "/dated": {"Cache-Control": "max-age=0", "Last-Modified": DAY},
    "/changes": {"Cache-Control": "max-age=0", "ETag": '"v#"'},
    "/checked": {"Cache-Control": "no-cache", "ETag": '"v1"'},
    "/language": {"Cache-Control": "max-age=7200", "Vary": "Accept-Language"},
    "/static/secret": {"Cache-Control": "no-store"},
    "/falters": {"Cache-Control": "max-age=0", "ETag": '"v1"'},
    "/breaks": {"Cache-Control": "max-age=0", "ETag": '"v1"'},
    "/falters/fresh": {"Cache-Control": "max-age=7200"},
    "/falters/checked": {"Cache-Control": "no-cache"},
}
asked: list[tuple[str, str | None, str | None, str | None]] = []
counts: Counter[str] = Counter()


class Pages(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        tags = (self.headers["If-None-Match"], self.headers["If-Modified-Since"])
        asked.append((self.path, self.headers["Accept-Language"], *tags))
        counts[path] += 1
        if path == "/dead" or (path == "/breaks" and counts[path] > 1):
            self.close_connection = True
            self.connection.shutdown(2)
            return
        headers = HEADERS.get(path, {})
        headers = {name: value.replace("#", str(counts[path])) for name, value in headers.items()}
        status, body = 200, f"{self.path} {counts[path]} \u00e9".encode()
        if path == "/error" or (path.startswith("/falters") and counts[path] > 1):
            status, headers = (500 if counts[path] < 3 else 503), {}
        elif path.endswith("gone"):
            status = 404
        elif tags in {(headers.get("ETag", "-"), None), (None, headers.get("Last-Modified", "-"))}:
            status, body = 304, b""
        self.send_response_only(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        if status != 304:
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
    server.shutdown()
    server.server_close()


@pytest.fixture(autouse=True)
def anew() -> None:
    counts.clear()


def pages(folder: Path, *commands: str, language: str = "de") -> list[str]:
    asked.clear()
    done = subprocess.run(
        ["solution", BASE, language],
        cwd=folder,
        input="".join(f"{command}\n" for command in commands).encode(),
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.decode().splitlines()


def test_a_fresh_copy_is_told_and_nobody_is_asked(tmp_path: Path) -> None:
    assert pages(tmp_path, "get /fresh", "get /fresh", "get /fresh?a=b") == [
        "200 server /fresh 1 \u00e9",
        "200 copy /fresh 1 \u00e9",
        "200 server /fresh?a=b 2 \u00e9",
    ]
    assert [path for path, *_ in asked] == ["/fresh", "/fresh?a=b"]


def test_copies_are_there_for_the_next_run(tmp_path: Path) -> None:
    pages(tmp_path, "get /fresh", "get /etag")
    assert pages(tmp_path, "get /fresh", "get /etag") == [
        "200 copy /fresh 1 \u00e9",
        "200 same /etag 1 \u00e9",
    ]
    assert asked == [("/etag", "de", '"v1"', None)]


def test_the_server_is_asked_whether_a_copy_is_still_right(tmp_path: Path) -> None:
    twice = [
        f"get {path}" for path in ("/etag", "/dated", "/checked", "/changes") for _ in range(2)
    ]
    assert pages(tmp_path, *twice) == [
        "200 server /etag 1 \u00e9",
        "200 same /etag 1 \u00e9",
        "200 server /dated 1 \u00e9",
        "200 same /dated 1 \u00e9",
        "200 server /checked 1 \u00e9",
        "200 same /checked 1 \u00e9",
        "200 server /changes 1 \u00e9",
        "200 server /changes 2 \u00e9",
    ]
    assert asked[1::2] == [
        ("/etag", "de", '"v1"', None),
        ("/dated", "de", None, DAY),
        ("/checked", "de", '"v1"', None),
        ("/changes", "de", '"v1"', None),
    ]


def test_pages_that_say_nothing_are_asked_for_each_time(tmp_path: Path) -> None:
    assert pages(
        tmp_path, "get /plain", "get /plain", "get /gone", "get /statics/a", "get /statics/a"
    ) == [
        "200 server /plain 1 \u00e9",
        "200 server /plain 2 \u00e9",
        "404 server /gone 1 \u00e9",
        "200 server /statics/a 1 \u00e9",
        "200 server /statics/a 2 \u00e9",
    ]


def test_static_pages_last_for_an_hour_unless_they_say_something_else(tmp_path: Path) -> None:
    paths = [
        "/static/a?b",
        "/static/a?b",
        "/static/secret",
        "/static/secret",
        "/static/gone",
        "/static/gone",
    ]
    assert pages(tmp_path, *(f"get {path}" for path in paths), "kept /static/secret") == [
        "200 server /static/a?b 1 \u00e9",
        "200 copy /static/a?b 1 \u00e9",
        "200 server /static/secret 1 \u00e9",
        "200 server /static/secret 2 \u00e9",
        "404 server /static/gone 1 \u00e9",
        "404 copy /static/gone 1 \u00e9",
        "none",
    ]


def test_a_copy_is_of_one_language(tmp_path: Path) -> None:
    assert pages(tmp_path, "get /language", "get /language", "get /fresh") == [
        "200 server /language 1 \u00e9",
        "200 copy /language 1 \u00e9",
        "200 server /fresh 1 \u00e9",
    ]
    assert pages(tmp_path, "get /language", "get /fresh", language="en-GB") == [
        "200 server /language 2 \u00e9",
        "200 copy /fresh 1 \u00e9",
    ]
    assert asked == [("/language", "en-GB", None, None)]


def test_reloading_looks_at_no_copy_and_makes_one(tmp_path: Path) -> None:
    commands = [
        "reload /fresh",
        "get /fresh",
        "reload /fresh",
        "get /fresh",
        "get /etag",
        "reload /etag",
    ]
    assert pages(tmp_path, *commands) == [
        "200 server /fresh 1 \u00e9",
        "200 copy /fresh 1 \u00e9",
        "200 server /fresh 2 \u00e9",
        "200 copy /fresh 2 \u00e9",
        "200 server /etag 1 \u00e9",
        "200 server /etag 2 \u00e9",
    ]
    assert asked[-1] == ("/etag", "de", None, None)


def test_kept_copies_are_told_without_a_request(tmp_path: Path) -> None:
    kept = ["kept /fresh", "kept /etag", "kept /plain", "kept /checked", "kept /never"]
    gets = ["get /fresh", "get /etag", "get /plain", "get /checked"]
    assert pages(tmp_path, kept[0], *gets, *kept) == [
        "none",
        "200 server /fresh 1 \u00e9",
        "200 server /etag 1 \u00e9",
        "200 server /plain 1 \u00e9",
        "200 server /checked 1 \u00e9",
        "200 copy /fresh 1 \u00e9",
        "200 copy /etag 1 \u00e9",
        "200 copy /plain 1 \u00e9",
        "none",
        "none",
    ]
    assert len(asked) == 4


def test_an_old_copy_is_better_than_no_answer(tmp_path: Path) -> None:
    falters = ["get /falters", "get /falters", "get /falters"]
    assert pages(tmp_path, *falters, "get /breaks", "get /breaks", "kept /falters") == [
        "200 server /falters 1 \u00e9",
        "200 old /falters 1 \u00e9",
        "200 old /falters 1 \u00e9",
        "200 server /breaks 1 \u00e9",
        "200 old /breaks 1 \u00e9",
        "200 copy /falters 1 \u00e9",
    ]


def test_without_a_copy_the_trouble_is_told(tmp_path: Path) -> None:
    errors = ["get /error", "get /dead", "reload /error", "reload /dead", "kept /error"]
    assert pages(tmp_path, *errors, "get /error") == [
        "500 server /error 1 \u00e9",
        "failed",
        "500 server /error 2 \u00e9",
        "failed",
        "none",
        "503 server /error 3 \u00e9",
    ]


def test_only_pages_that_are_asked_for_without_a_reload_fall_back(tmp_path: Path) -> None:
    names = ["/falters/fresh", "/falters/checked", "/falters"]
    gets = [f"get {name}" for name in names]
    reloads = ["reload /falters/fresh", "get /falters/checked", "reload /falters"]
    assert pages(tmp_path, *gets, *reloads, "get /falters/fresh")[3:] == [
        "500 server /falters/fresh 2 \u00e9",
        "500 server /falters/checked 2 \u00e9",
        "500 server /falters 2 \u00e9",
        "200 copy /falters/fresh 1 \u00e9",
    ]


def test_a_dropped_copy_is_gone_and_others_stay(tmp_path: Path) -> None:
    gets = ["get /fresh", "get /fresh?a", "get /etag"]
    drops = [
        "drop /fresh",
        "drop /fresh",
        "drop /never",
        "kept /fresh",
        "kept /fresh?a",
        "get /fresh",
    ]
    assert pages(tmp_path, *gets, *drops)[3:] == [
        "dropped",
        "none",
        "none",
        "none",
        "200 copy /fresh?a 2 \u00e9",
        "200 server /fresh 3 \u00e9",
    ]
    assert pages(tmp_path, "drop /etag", "get /etag") == ["dropped", "200 server /etag 2 \u00e9"]
