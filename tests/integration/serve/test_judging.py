"""The judging service, in a process of its own: verdicts, refusals, and what it survives."""

import asyncio
import base64
import gzip
import io
import json
import signal
import socket
import tarfile
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from sdkbench.client import AsyncClient, Client, JudgementRequest, RequestRefused, is_genuine
from sdkbench.client.wire import PROBLEM_TYPE
from sdkbench.serve.judging.tokens import TokenFile
from sdkbench.store import open_store
from tests.support.judging_service import (
    RIGHT,
    SAMPLE,
    WRONG,
    ServiceProcess,
    answer,
    service,
    write_samples,
)

PROJECT = {
    "shop.py": "def total(prices):\n    return sum(prices)\n",
    "tests/test_shop.py": "from shop import total\ndef test_sum(): assert total([1, 2]) == 3\n",
}


WORDS = ["--max-body", "1", "--max-unpacked", "2", "--timeout", "20"]


class Service:
    """One for the whole file, with where it keeps things."""

    def __init__(self, folder: Path, process: ServiceProcess) -> None:
        self.folder = folder
        self.process = process
        self.url = process.url

    def post(
        self, body: object = None, path: str = "/v1/judgements", **options: Any
    ) -> httpx.Response:
        if body is not None:
            options["json"] = body
        return httpx.post(self.url + path, timeout=60, **options)

    def judgements(self) -> int:
        with open_store(self.folder / ".sdkbench" / "store.db", write=False) as store:
            return sum(run.planned or 0 for run in store.runs()) + len(
                list(store.attempts("service"))
            )


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("service")
    samples = write_samples(folder / "samples")
    with service(folder, samples, WORDS) as process:
        yield Service(folder, process)


@pytest.fixture
def client(served: Service) -> Iterator[Client]:
    with Client(served.url) as opened:
        yield opened


def test_verdicts_on_files_answers_and_folders(client: Client, tmp_path: Path) -> None:
    right = client.judge(SAMPLE, files={"app.py": RIGHT}, model="me")
    assert (right.outcome, right.score, right.sample, right.model) == (
        "passed",
        100.0,
        SAMPLE,
        "me",
    )
    assert right.result is not None
    assert (right.result.tests_passed, str(right.result.assurance)) == (1, "apart")
    wrong = client.judge("demo_double_001", answer=answer(WRONG))
    assert (wrong.outcome, wrong.score) == ("failed", 0.0)
    assert wrong.result is not None
    assert wrong.result.failed_tests
    (tmp_path / "app.py").write_text(RIGHT)
    whole = client.judge(SAMPLE, folder=tmp_path)
    assert whole.outcome == "passed"


def test_a_project_on_its_own_tests(client: Client, tmp_path: Path) -> None:
    for name, text in PROJECT.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    judged = client.judge(folder=tmp_path)
    assert (judged.outcome, judged.sample) == ("passed", None)
    assert judged.result is not None
    assert str(judged.result.assurance) == "plain"


def test_hostile_solutions_do_not_pass(client: Client) -> None:
    for code in ("import os\nos._exit(0)\n", "import sys\nsys.exit(0)\n"):
        judged = client.judge(SAMPLE, files={"app.py": code, "conftest.py": "x = 1\n"})
        assert judged.outcome in {"failed", "invalid"}, code
        assert any("conftest.py" in note for note in judged.notes)


def test_the_same_solution_is_one_attempt(client: Client, served: Service) -> None:
    files = {"app.py": f"# the same\n{RIGHT}"}
    first = client.judge(SAMPLE, files=files)
    second = client.submit(SAMPLE, files=files)
    assert second.answered
    assert (second.key, second.result) == (first.key, first.result)
    assert second.id != first.id
    as_archive = io.BytesIO()
    with tarfile.open(fileobj=as_archive, mode="w:gz") as archive:
        member = tarfile.TarInfo("app.py")
        member.size = len(files["app.py"])
        archive.addfile(member, io.BytesIO(files["app.py"].encode()))
    sent = httpx.post(
        f"{served.url}/v1/judgements?sample={SAMPLE}",
        content=as_archive.getvalue(),
        headers={"content-type": "application/gzip"},
    )
    assert (sent.status_code, sent.json()["key"]) == (200, first.key)


def test_an_idempotency_key_is_one_judgement(client: Client) -> None:
    files = {"app.py": f"# idempotent\n{RIGHT}"}
    first = client.submit(SAMPLE, files=files, idempotency_key="key-1")
    assert client.submit(SAMPLE, files=files, idempotency_key="key-1").id == first.id
    with pytest.raises(RequestRefused, match="used for another request") as caught:
        client.submit(SAMPLE, files={"app.py": WRONG}, idempotency_key="key-1")
    assert caught.value.problem.status == 422


def test_a_batch_and_its_events(client: Client) -> None:
    requests = [
        JudgementRequest(sample=SAMPLE, files={"app.py": f"# batch {number}\n{code}"})
        for number, code in enumerate((RIGHT, WRONG, RIGHT))
    ]
    batch = client.submit_batch(requests)
    assert len(batch.judgements) == 3
    seen = {each.id: str(each.outcome) for each in client.answers(batch.id)}
    assert [seen[each.id] for each in batch.judgements] == ["passed", "failed", "passed"]
    assert client.batch(batch.id).complete
    assert len(list(client.answers(batch.id))) == 3  # also when it has ended


def test_the_async_client(served: Service) -> None:
    async def work() -> None:
        async with AsyncClient(served.url) as client:
            codes = [f"# async {number}\n{RIGHT}" for number in range(3)]
            judged = await asyncio.gather(
                *(client.judge(SAMPLE, files={"app.py": code}) for code in codes)
            )
            assert {str(each.outcome) for each in judged} == {"passed"}
            batch = await client.submit_batch(
                [JudgementRequest(sample=SAMPLE, answer=answer(WRONG))]
            )
            assert [str(each.outcome) async for each in client.answers(batch.id)] == ["failed"]
            assert (await client.health()).state == "ok"
            assert [each.name for each in await client.samples()] == [SAMPLE]

    asyncio.run(work())


def test_what_a_model_is_given_is_there_and_nothing_more(client: Client) -> None:
    task = client.sample(SAMPLE)
    assert "Double it." in task.prompt
    assert list(task.starter) == ["app.py"]
    assert "2 * n" not in task.model_dump_json()
    with pytest.raises(RequestRefused) as caught:
        client.sample("demo/other")
    assert caught.value.problem.status == 404


def test_metrics_and_the_page_of_the_api(served: Service, client: Client) -> None:
    client.judge(SAMPLE, files={"app.py": RIGHT})
    text = httpx.get(f"{served.url}/metrics").text
    names = {family.name: family for family in text_string_to_metric_families(text)}
    assert sum(sample.value for sample in names["sdkbench_judgements_answered"].samples) >= 1
    document = httpx.get(f"{served.url}/openapi.json").json()
    assert "requestBody" in document["paths"]["/v1/judgements"]["post"]
    page = httpx.get(f"{served.url}/")
    assert page.headers["content-type"].startswith("text/html")
    for path in document["paths"]:
        assert path.replace("&", "&amp;") in page.text
    assert "http://" not in page.text.replace("http://127", "")


def packed(name: str, kind: bytes = tarfile.REGTYPE, data: bytes = b"x") -> str:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        member = tarfile.TarInfo(name)
        member.type, member.linkname = kind, "/etc/passwd"
        member.size = len(data) if kind == tarfile.REGTYPE else 0
        archive.addfile(member, io.BytesIO(data))
    return base64.b64encode(buffer.getvalue()).decode()


BOMB = base64.b64encode(gzip.compress(bytes(64 << 20))).decode()
GOOD = {"sample": SAMPLE, "files": {"app.py": RIGHT}}
BAD: dict[str, tuple[int, dict[str, Any]]] = {
    "no JSON": (400, {"content": b"{", "headers": {"content-type": "application/json"}}),
    "a key twice": (
        400,
        {
            "content": b'{"sample": "a", "sample": "b", "answer": ""}',
            "headers": {"content-type": "application/json"},
        },
    ),
    "another type": (415, {"content": b"x", "headers": {"content-type": "text/plain"}}),
    "no type": (415, {"content": b"x"}),
    "unknown sample": (422, {"json": {"sample": "demo/none", "answer": "x"}}),
    "a sample by a path": (422, {"json": {"sample": "../demo/demo_double_001", "answer": "x"}}),
    "unknown field": (422, {"json": GOOD | {"colour": "red"}}),
    "traversal": (422, {"json": {"sample": SAMPLE, "files": {"../../evil.py": "x"}}}),
    "absolute": (422, {"json": {"sample": SAMPLE, "files": {"/tmp/evil.py": "x"}}}),
    "traversal in an archive": (422, {"json": {"archive": packed("../../evil.py")}}),
    "a link in an archive": (422, {"json": {"archive": packed("evil", tarfile.SYMTYPE)}}),
    "a bomb": (413, {"json": {"archive": BOMB}}),
    "too large": (
        413,
        {"content": bytes(2 << 20), "headers": {"content-type": "application/json"}},
    ),
    "too large, in chunks": (
        413,
        {"content": iter([bytes(1 << 19)] * 4), "headers": {"content-type": "application/json"}},
    ),
    "a strange webhook": (422, {"json": GOOD | {"webhook": "http://169.254.169.254/"}}),
    "half a character": (422, {"content": b'{"sample": "a", "files": {"a": "\\ud800"}}',
                               "headers": {"content-type": "application/json"}}),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_requests_are_problems_and_leave_nothing(served: Service, name: str) -> None:
    status, options = BAD[name]
    before = served.judgements()
    response = served.post(**options)
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == PROBLEM_TYPE
    problem = response.json()
    assert problem["status"] == status
    assert problem["type"].startswith("urn:sdkbench:problem:")
    assert problem["detail"]
    assert served.judgements() == before


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/v1/judgements/j_nobody", 404), ("/v1/batches/b_nobody", 404), ("/v1/nothing", 404),
        ("/v1/judgements/j_nobody/events", 404), ("/v1/judgements", 405), ("/%00", 404),
        ("/v1/judgements/x?wait=-1", 422), ("/v1/judgements/x?wait=many", 422),
        (f"/v1/judgements/{'x' * 500}", 422), ("/v1/judgements/x?wait=1e999", 422),
    ],
)  # fmt: skip
def test_addresses_that_are_not_there(served: Service, path: str, status: int) -> None:
    response = httpx.get(served.url + path)
    assert (response.status_code, response.headers["content-type"]) == (status, PROBLEM_TYPE)


def test_pages_of_others_can_not_use_it(served: Service) -> None:
    response = served.post(GOOD, headers={"host": "evil.example"})
    assert (response.status_code, response.headers["content-type"]) == (421, PROBLEM_TYPE)


def raw(served: Service, data: bytes, *, wait: float = 10.0) -> bytes:
    """What comes back before the connection is closed."""
    with socket.create_connection(("127.0.0.1", served.process.port), timeout=wait) as connection:
        connection.sendall(data)
        received = b""
        while chunk := connection.recv(65536):
            received += chunk
        return received


def test_what_is_no_http_is_a_problem(served: Service) -> None:
    for data in (
        b"hello\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/1.1\r\nno header\r\n\r\n",
    ):
        received = raw(served, data)
        assert received.startswith(b"HTTP/1.1 400")
        assert PROBLEM_TYPE.encode() in received


@pytest.mark.parametrize("requests", [1000, pytest.param(10_000, marks=pytest.mark.nightly)])
def test_broken_uploads_and_thousands_of_bad_requests_leave_no_trace(
    served: Service, client: Client, requests: int
) -> None:
    head = b"POST /v1/judgements HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    client.health()
    before = served.judgements()
    descriptors, memory = served.process.descriptors(), served.process.status("VmRSS")

    async def bad(number: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", served.process.port)
        kinds = (
            head + b"content-length: 100000\r\n\r\n{",  # and goes away
            head + b"content-length: 1\r\n\r\n{",
            head + b"transfer-encoding: chunked\r\n\r\nzz\r\n",
            b"GET /v1/judgements/" + b"x" * 300 + b" HTTP/1.1\r\nhost: localhost\r\n\r\n",
        )
        writer.write(kinds[number % len(kinds)])
        await writer.drain()
        if number % len(kinds):
            await reader.readuntil(b"\r\n\r\n")
        writer.close()

    async def work() -> None:
        numbers = iter(range(requests))

        async def some() -> None:
            for number in numbers:
                await bad(number)

        async with asyncio.TaskGroup() as group:
            for _ in range(20):
                group.create_task(some())

    asyncio.run(work())
    assert client.health().state == "ok"
    assert served.judgements() == before
    deadline = time.monotonic() + 20
    while served.process.descriptors() > descriptors + 5 and time.monotonic() < deadline:
        time.sleep(0.1)
    assert served.process.descriptors() <= descriptors + 5
    assert served.process.status("VmRSS") - memory < 64_000  # kB
    assert "Traceback" not in served.process.log


def test_slow_clients_stand_in_nobodys_way(served: Service, client: Client) -> None:
    head = b"POST /v1/judgements HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n"
    slow = []
    for _ in range(50):
        connection = socket.create_connection(("127.0.0.1", served.process.port))
        connection.sendall(head)
        slow.append(connection)
    assert client.judge(SAMPLE, files={"app.py": f"# among slow ones\n{RIGHT}"}).outcome == "passed"
    for connection in slow:
        connection.close()


class Receiver(ThreadingHTTPServer):
    """Refuses the first call, takes the next."""

    def __init__(self) -> None:
        self.calls: list[tuple[dict[str, str], bytes]] = []
        super().__init__(("127.0.0.1", 0), _Taking)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def wait(self, number: int, seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        while len(self.calls) < number and time.monotonic() < deadline:
            time.sleep(0.05)
        assert len(self.calls) >= number


class _Taking(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        server = self.server
        assert isinstance(server, Receiver)
        body = self.rfile.read(int(self.headers["content-length"]))
        server.calls.append((dict(self.headers), body))
        self.send_response(503 if len(server.calls) == 1 else 204)
        self.end_headers()

    def log_request(self, *_what: object) -> None:
        pass


def test_a_webhook_is_tried_again(served: Service, client: Client) -> None:
    with Receiver() as receiver:
        port = receiver.server_address[1]
        asked = client.submit(
            SAMPLE, files={"app.py": f"# hook\n{RIGHT}"}, webhook=f"http://127.0.0.1:{port}/done"
        )
        receiver.wait(2)
        receiver.shutdown()
        first, second = (json.loads(body) for _, body in receiver.calls)
        assert first == second
        assert (first["id"], first["outcome"]) == (asked.id, "passed")
    with open_store(served.folder / ".sdkbench" / "store.db", write=False) as store:
        deadline = time.monotonic() + 20
        while store.waiting_webhooks("service") and time.monotonic() < deadline:
            time.sleep(0.05)
        record = store.judgement(asked.id)
        assert record is not None
        assert record.webhook_state == "delivered"


def test_tokens_their_limits_and_their_ends(tmp_path: Path) -> None:
    samples = write_samples(tmp_path / "samples")
    file = TokenFile(tmp_path / "tokens.json")
    now = datetime.now(UTC)
    mine = file.add("me", expires_at=None)
    small = file.add("small", expires_at=None, waiting=1, per_minute=3)
    old = file.add("old", expires_at=now + timedelta(milliseconds=1))
    with service(tmp_path, samples, ["--tokens", str(file.path), "--workers", "1"]) as process:
        url = process.url

        def post(token: str | None, body: object) -> httpx.Response:
            headers = {"authorization": f"Bearer {token}"} if token else {}
            return httpx.post(f"{url}/v1/judgements", json=body, headers=headers, timeout=60)

        for token, words in ((None, "Authorization"), ("wrong", "not known"), (old, "expired at")):
            refused = post(token, GOOD)
            assert refused.status_code == 401
            assert refused.headers["www-authenticate"] == "Bearer"
            assert refused.headers["content-type"] == PROBLEM_TYPE
            assert words in refused.json()["detail"]
        assert httpx.get(f"{url}/healthz").status_code == 200
        assert httpx.get(f"{url}/metrics").status_code == 401

        with Receiver() as receiver, Client(url, token=mine) as client:
            port = receiver.server_address[1]
            judged = client.submit(
                SAMPLE, files={"app.py": RIGHT}, webhook=f"http://127.0.0.1:{port}/"
            )
            receiver.wait(1)
            receiver.shutdown()
            assert is_genuine(mine, *receiver.calls[0])
            assert not is_genuine(small, *receiver.calls[0])
            assert client.wait(judged.id).outcome == "passed"
        with Client(url, token=small) as other, pytest.raises(RequestRefused) as caught:
            other.judgement(judged.id)
        assert caught.value.problem.status == 404  # another's

        slow = {"sample": SAMPLE, "files": {"app.py": "import time\ntime.sleep(5)\n"}}
        assert post(small, slow).status_code == 202
        full = post(small, {"sample": SAMPLE, "answer": answer(WRONG)})
        assert (full.status_code, full.json()["type"][-10:]) == (429, "token-full")
        assert int(full.headers["retry-after"]) >= 1
        post(small, GOOD)
        assert post(small, GOOD).json()["type"].endswith(":rate")

        file.remove("me")
        assert post(mine, GOOD).status_code == 401
        file.path.write_text("{")
        assert post(small, GOOD).status_code == 503  # nobody is let in
        assert process.end() == 0


def test_a_full_queue_a_drain_and_a_second_start(tmp_path: Path) -> None:
    samples = write_samples(tmp_path / "samples")
    slow = "import time\ntime.sleep(2)\n"
    words = ["--queue", "4", "--workers", "1", "--drain", "60"]
    with service(tmp_path, samples, words) as process, Client(process.url) as client:
        assert client.judge(SAMPLE, files={"app.py": RIGHT}).outcome == "passed"
        asked = [
            client.submit(SAMPLE, files={"app.py": f"{slow}# {number}\n{RIGHT}"})
            for number in range(4)
        ]
        full = httpx.post(f"{process.url}/v1/judgements", json=GOOD | {"model": "other"})
        assert (full.status_code, full.json()["type"]) == (429, "urn:sdkbench:problem:queue-full")
        assert int(full.headers["retry-after"]) >= 1
        deadline = time.monotonic() + 60
        while client.health().judging == 0 and time.monotonic() < deadline:
            time.sleep(0.02)
        under_way = [each for each in asked if client.judgement(each.id).state == "judging"]
        assert process.end(signal.SIGTERM) == 0
    with open_store(tmp_path / ".sdkbench" / "store.db", write=False) as store:
        ended = [
            record for each in asked if (record := store.judgement(each.id)) and record.answered_at
        ]
        assert {each.id for each in under_way} <= {each.id for each in ended}
        assert len(store.open_judgements("service")) == 4 - len(ended) > 0
    with service(tmp_path, samples, words) as process, Client(process.url) as client:
        assert {str(client.wait(each.id).outcome) for each in asked} == {"passed"}
        refused = pytest.raises(AssertionError, match="serves run 'service' of this store already")
        with refused, service(tmp_path, samples, words):
            pass


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_others_need_tokens(tmp_path: Path, host: str) -> None:
    samples = write_samples(tmp_path / "samples")
    with (
        pytest.raises(AssertionError, match="has no token"),
        service(tmp_path, samples, ["--host", host]),
    ):
        pass
