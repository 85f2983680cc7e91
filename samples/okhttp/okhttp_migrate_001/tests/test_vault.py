"""A server of the tests keeps texts, and looks closely at what it is asked."""

import base64
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

PORT = 8473
BASE = f"http://127.0.0.1:{PORT}"
USER, PASSWORD = "anna", "k\u0142\u00f3dka"
DATES = {
    "new": "Fri, 07 Jun 2024 08:09:10 GMT",
    "old": "Sunday, 06-Nov-94 08:49:37 GMT",
    "oldest": "Sun Nov  6 08:49:37 1994",
    "odd": "yesterday",
}
asked: list[tuple[str, str, str | None, str | None]] = []
kept: dict[str, tuple[str | None, bytes]] = {}
together = threading.Barrier(3)


class Vault(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status: int, body: bytes | None = b"", **headers: str) -> None:
        self.send_response_only(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if body is not None:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if body is not None and self.command != "HEAD":
            self.wfile.write(body)

    def do_ANY(self) -> None:
        told = self.rfile.read(int(self.headers["Content-Length"] or 0))
        authorization, since = self.headers["Authorization"], self.headers["If-Modified-Since"]
        asked.append((self.command, self.path, authorization, since))
        name = self.path.rpartition("/")[2]
        if name.startswith("broken"):
            self.close_connection = True
            self.connection.shutdown(2)
        elif name.startswith("secret") and authorization != basic(PASSWORD):
            self.answer(401, WWW_Authenticate='Basic realm="vault"')
        elif name == "full":
            self.answer(507)
        elif name.startswith("together"):
            together.wait(20)
            self.answer(200, name.encode())
        elif name.startswith("endless"):
            self.close_connection = True
            self.answer(200, None)
        elif self.command == "PUT":
            kept[self.path] = (self.headers["Content-Type"], told)
            self.answer(204, None)
        elif name == "agent":
            self.answer(200, self.headers["User-Agent"].encode())
        elif since is not None and name == "same":
            self.answer(304, None)
        elif self.path in kept or name in DATES:
            changed = {"Last_Modified": DATES[name]} if name in DATES else {}
            text = kept.get(self.path, (None, b"a text"))[1]
            self.answer(200, text, Content_Type="text/plain; charset=utf-8", **changed)
        else:
            self.answer(404, b"no such file")

    do_GET = do_HEAD = do_PUT = do_ANY

    def log_message(self, *words: object) -> None:
        pass


def basic(password: str) -> str:
    return f"Basic {base64.b64encode(f'{USER}:{password}'.encode()).decode()}"


@pytest.fixture(scope="module", autouse=True)
def server() -> Iterator[None]:
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Vault)
    server.daemon_threads = True
    server.handle_error = lambda *words: None  # type: ignore[method-assign]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield
    server.shutdown()
    server.server_close()


def vault(*commands: str, password: str = PASSWORD) -> list[str]:
    asked.clear()
    kept.clear()
    done = subprocess.run(
        ["solution", BASE, USER, password],
        input="".join(f"{command}\n" for command in commands).encode(),
        capture_output=True,
        timeout=50,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.decode().splitlines()


def test_texts_are_saved_and_loaded() -> None:
    assert vault("save a one  \u00e9 text", "load a -", "save a two", "load a -", "load b -") == [
        "saved",
        "- one  \u00e9 text",
        "saved",
        "- two",
        "refused 404",
    ]
    assert kept == {"/files/a": ("text/plain; charset=utf-8", b"two")}
    assert [(method, path) for method, path, _, _ in asked[:2]] == [
        ("PUT", "/files/a"),
        ("GET", "/files/a"),
    ]


def test_a_name_is_one_segment_of_the_path() -> None:
    names = ["x/y", "x?y#z", "%2e", "\u00e9"]
    assert vault(*(f"save {name} t" for name in names)) == ["saved"] * 4
    assert [path for _, path, _, _ in asked] == [
        "/files/x%2Fy",
        "/files/x%3Fy%23z",
        "/files/%252e",
        "/files/%C3%A9",
    ]


def test_all_forms_of_dates_are_understood() -> None:
    assert vault(*(f"load {name} -" for name in DATES)) == [
        "1717747750 a text",
        "784111777 a text",
        "784111777 a text",
        "- a text",
    ]
    assert [since for *_, since in asked] == [None] * 4


def test_the_server_is_told_since_when() -> None:
    assert vault("load same 784111777", "load new 1717747750", "load new 0") == [
        "unchanged",
        "1717747750 a text",
        "1717747750 a text",
    ]
    assert [since for *_, since in asked] == [
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Fri, 07 Jun 2024 08:09:10 GMT",
        "Thu, 01 Jan 1970 00:00:00 GMT",
    ]


def test_the_server_knows_which_okhttp_asks() -> None:
    assert vault("load agent -") == ["- vault/2 okhttp/5.1.0"]


def test_a_password_is_sent_when_it_is_asked_for() -> None:
    commands = ["load new -", "save secret t", "load secret2 -", "sizes secret"]
    assert vault(*commands) == ["1717747750 a text", "saved", "refused 404", "secret=1"]
    assert [authorization for _, _, authorization, _ in asked] == [
        None,
        *[None, basic(PASSWORD)] * 3,
    ]


def test_a_wrong_password_is_sent_once() -> None:
    assert vault("load secret -", "save secret t", password="x") == ["refused 401"] * 2
    assert [authorization for _, _, authorization, _ in asked] == [None, basic("x")] * 2


def test_trouble_is_told_and_the_rest_goes_on() -> None:
    commands = ["save full t", "save broken t", "load broken -", "load full -", "save a t"]
    assert vault(*commands) == ["refused 507", "failed", "failed", "refused 507", "saved"]


def test_sizes_are_asked_for_at_the_same_time_and_told_in_order() -> None:
    assert vault("sizes together together-2 together-33") == [
        "together=8 together-2=10 together-33=11"
    ]
    assert sorted(method for method, *_ in asked) == ["HEAD"] * 3


def test_sizes_that_nobody_tells_hold_nothing_up() -> None:
    names = "broken new broken2 none endless old full"
    assert vault(f"sizes {names}", "sizes none", "load old -") == [
        "broken=? new=6 broken2=? none=? endless=? old=6 full=?",
        "none=?",
        "784111777 a text",
    ]
