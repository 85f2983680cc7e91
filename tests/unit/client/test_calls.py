"""What the clients send, and what they make of answers."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sdkbench.client import RequestRefused, ServiceUnavailable, calls, is_genuine
from sdkbench.client.calls import EventReader, Reply
from sdkbench.client.wire import Health, InvalidPart, ProblemDetails
from sdkbench.errors import ArgumentError
from sdkbench.serve.judging.archives import read_archive
from sdkbench.serve.judging.limits import ServiceLimits
from tests.support.projects import write


def test_exactly_one_thing_is_judged() -> None:
    nothing: dict[str, Any] = {
        "files": None,
        "answer": None,
        "folder": None,
        "truncated": False,
        "model": "",
        "webhook": None,
    }
    for wrong in (nothing, nothing | {"answer": "x", "files": {"a": "b"}}):
        with pytest.raises(ArgumentError, match="exactly one of files, answer and archive"):
            calls.request_of("a", **wrong)
    with pytest.raises(ArgumentError, match="name a sample"):
        calls.request_of(None, **(nothing | {"answer": "x"}))
    assert calls.request_of("a", **(nothing | {"files": {"a": b"\xff"}})).files


def test_a_folder_is_sent_as_the_service_reads_it(tmp_path: Path) -> None:
    root = write(tmp_path, {"app.py": "x", "pkg/a.py": "y", "node_modules/a.js": "z"})
    (root / "link.py").symlink_to("app.py")
    read = read_archive(calls.packed_folder(root), ServiceLimits())
    assert {name: file.data for name, file in read.items()} == {
        "app.py": b"x",
        "link.py": b"x",
        "pkg/a.py": b"y",
    }


def test_refusals_and_faults_are_told_apart() -> None:
    problem = ProblemDetails(
        title="Unprocessable",
        status=422,
        detail="No.",
        errors=(InvalidPart(pointer="/a", detail="b"),),
    )
    body = problem.model_dump_json().encode()
    with pytest.raises(RequestRefused, match=r"Unprocessable: No\. /a: b") as caught:
        calls.read(Reply(422, body, None), Health)
    assert caught.value.problem == problem
    with pytest.raises(ServiceUnavailable):
        calls.read(Reply(503, body, None), Health)
    with pytest.raises(ServiceUnavailable, match="no judging service"):
        calls.read(Reply(200, b"<html>", None), Health)
    with pytest.raises(RequestRefused, match="No judging service: <html>"):
        calls.read(Reply(404, b"<html>", None), Health)


@pytest.mark.parametrize(
    ("after", "seconds"), [("2", 2.0), (None, 1.0), ("soon", 1.0), ("100000", 30.0), ("-5", 0.1)]
)
def test_how_long_to_wait(after: str | None, seconds: float) -> None:
    assert calls.pause_after(Reply(429, b"", after)) == seconds


def test_events() -> None:
    reader = EventReader()
    lines = [
        ": hello",
        "",
        "id: 1",
        "event: answered",
        "data: {",
        "data: }",
        "",
        "event: complete",
        "",
    ]
    events = [event for line in lines if (event := reader.feed(line))]
    assert events == [("answered", "{\n}")]


def test_signatures_of_webhooks() -> None:
    body = json.dumps({"id": "j"}).encode()
    signed = calls.signature(calls.token_digest("secret"), "123", body)
    headers = {"x-sdkbench-signature": signed, "X-SDKBench-Timestamp": "123"}
    assert is_genuine("secret", headers, body)
    assert not is_genuine("other", headers, body)
    assert not is_genuine("secret", headers, body + b" ")
    assert not is_genuine("secret", headers | {"X-SDKBench-Timestamp": "124"}, body)
    assert not is_genuine("secret", {}, body)


def test_types_can_be_read_without_the_extra() -> None:
    program = (
        "import sys; sys.modules['httpx'] = None\n"
        "import sdkbench.client as client\n"
        "from sdkbench.errors import MissingTool\n"
        "print(client.Judgement.__name__)\n"
        "try: client.Client\n"
        "except MissingTool as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [
        "Judgement",
        "The client needs the extra `client`: pip install 'sdkbench[client]'.",
    ]
