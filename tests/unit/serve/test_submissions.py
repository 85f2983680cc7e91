"""What is sent to be judged: read strictly, or refused with what to do."""

import base64
import json

import pytest

from sdkbench.serve.judging.limits import ServiceLimits
from sdkbench.serve.judging.problems import RequestProblem
from sdkbench.serve.judging.submissions import Submission, read_batch, read_submission
from tests.unit.serve.test_archives import FILES, tar

LIMITS = ServiceLimits(files=20)
JSON = "application/json"


def read(value: object, key: str | None = None) -> Submission:
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    return read_submission(body, JSON, {}, key, LIMITS)


def refused(value: object, key: str | None = None) -> RequestProblem:
    with pytest.raises(RequestProblem) as caught:
        read(value, key)
    return caught.value


def test_files_answers_and_archives() -> None:
    raw = base64.b64encode(b"\x00\xff").decode()
    files = read({"sample": "a/b", "files": {"x/./a.py": "1", "b.bin": {"base64": raw}}}).files
    assert files is not None
    assert {name: file.data for name, file in files.items()} == {
        "x/a.py": b"1",
        "b.bin": b"\x00\xff",
    }
    assert read({"sample": "a", "answer": "text", "truncated": True}).truncated
    packed = tar(FILES)
    project = read({"archive": base64.b64encode(packed).decode()}).project
    assert project is not None
    assert list(project) == list(FILES)
    whole = read_submission(packed, "application/x-tar", {"sample": "a/b"}, "key", LIMITS)
    assert (whole.project, whole.sample, whole.idempotency_key) == (project, "a/b", "key")


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"nothing", b"\xff\xfe", b"[" * 100_000, b'{"sample": NaN}', b"{} {}",
        b'{"sample": "a", "sample": "b", "answer": "x"}', b"1" * 5000, b'"\\ud800"',
    ],
)  # fmt: skip
def test_what_is_not_json(body: bytes) -> None:
    problem = refused(body)
    assert problem.status in {400, 422}
    if body != b'"\\ud800"':
        assert problem.detail.startswith("The body is not JSON: ")


@pytest.mark.parametrize(
    "value",
    [
        [], None, {}, {"sample": "a"}, {"answer": "x"}, {"sample": 1, "answer": "x"},
        {"sample": "a", "answer": "x", "files": {"a": "b"}}, {"sample": "a", "answer": 7},
        {"sample": "a", "answer": "x", "colour": "red"}, {"sample": "a", "files": {"a": 1}},
        {"sample": "", "answer": "x"}, {"sample": "a" * 300, "answer": "x"},
        {"sample": "a", "files": {}}, {"sample": "a", "answer": "x", "idempotency_key": "k"},
    ],
)  # fmt: skip
def test_json_of_another_shape(value: object) -> None:
    assert refused(value).status == 422


@pytest.mark.parametrize("path", ["../a", "/a", "a/../../b", "C:/a", "a\\b", "", "a/", "\x00"])
def test_files_in_other_places(path: str) -> None:
    problem = refused({"sample": "a", "files": {path: "x"}})
    assert (problem.status, problem.name) == (422, "path")


def test_two_names_of_one_file() -> None:
    assert "same file" in refused({"sample": "a", "files": {"a": "1", "./a": "2"}}).parts[0].detail


@pytest.mark.parametrize(
    "value",
    [
        {"sample": "a", "files": {"a": "\ud800"}},
        {"sample": "a", "files": {"\ud800": "a"}},
        {"sample": "a", "answer": "x", "model": "\udfff"},
    ],
)
def test_halves_of_characters(value: object) -> None:
    assert refused(value).name in {"text", "request"}


def test_bytes_that_are_no_base64() -> None:
    assert refused({"sample": "a", "files": {"a": {"base64": "***"}}}).name == "base64"
    assert refused({"archive": "\u00e9"}).name == "base64"


@pytest.mark.parametrize("key", ["", "x" * 201, "with space", "\u00e9"])
def test_idempotency_keys(key: str) -> None:
    assert refused({"sample": "a", "answer": "x"}, key).status == 422


def test_media_types() -> None:
    with pytest.raises(RequestProblem) as caught:
        read_submission(b"{}", "text/plain", {}, None, LIMITS)
    assert caught.value.status == 415


def test_too_many_files() -> None:
    files = {str(number): "" for number in range(LIMITS.files + 1)}
    assert refused({"sample": "a", "files": files}).status == 413


def test_the_same_request_has_the_same_digest() -> None:
    first = read({"sample": "a", "answer": "x"}, "one")
    assert first.digest == read({"answer": "x", "sample": "a"}, "two").digest
    assert first.digest != read({"sample": "a", "answer": "y"}, "one").digest


def test_a_batch_names_each_that_is_wrong() -> None:
    good = {"sample": "a", "answer": "x"}
    bad = {"sample": "a", "files": {"../a": "x"}}
    body = json.dumps({"judgements": [good, bad, bad]}).encode()
    with pytest.raises(RequestProblem) as caught:
        read_batch(body, JSON, LIMITS)
    assert [part.pointer for part in caught.value.parts] == [
        "/judgements/1/files/..~1a",
        "/judgements/2/files/..~1a",
    ]
    keyed = good | {"idempotency_key": "k"}
    with pytest.raises(RequestProblem, match="same idempotency key"):
        read_batch(json.dumps({"judgements": [keyed, keyed]}).encode(), JSON, LIMITS)
    assert len(read_batch(json.dumps({"judgements": [good] * 3}).encode(), JSON, LIMITS)) == 3
