"""Requests are repeated, files are completed and checked, and a mirror reports what failed."""

import hashlib

import httpx
import pytest
from expected import app, download, wire

URL = "https://files.example/pub"
BODY = b"eleven byte"


def sha(data):
    return hashlib.sha256(data).hexdigest()


@pytest.fixture
def slept():
    return []


@pytest.fixture
def transport(answer):
    return wire.Wire(answer)


@pytest.fixture
def client(transport, slept):
    with app.client(transport, slept.append) as made:
        yield made


def test_passing_failures_are_tried_again(server, client, slept):
    server.answers = [server.reply(503), "ConnectError", server.reply(429), server.reply(200, b"x")]
    assert client.get(URL).content == b"x"
    assert slept == [1, 2, 4]
    assert server.lines() == [f"GET {URL}"] * 4


def test_the_last_answer_comes_out(server, client, slept):
    server.answers = [server.reply(502), server.reply(504), server.reply(502), server.reply(504)]
    assert client.get(URL).status_code == 504
    assert slept == [1, 2, 4]


def test_the_last_error_comes_out(server, client):
    server.answers = [server.reply(503), "ReadError", "ReadError", "ReadTimeout", server.reply(200)]
    with pytest.raises(httpx.ReadTimeout):
        client.get(URL)
    assert len(server.asked) == 4


def test_the_wait_is_at_most_eight_seconds(server, transport, slept):
    server.answers = ["ConnectError"] * 5 + [server.reply(200)]
    with app.client(transport, slept.append, attempts=6) as many:
        assert many.get(URL).status_code == 200
    assert slept == [1, 2, 4, 8, 8]


def test_one_attempt_is_one_request(server, transport, slept):
    server.answers = [server.reply(503), server.reply(200)]
    with app.client(transport, slept.append, attempts=1) as once:
        assert once.get(URL).status_code == 503
    assert slept == []


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("7", 7), ("0", 0), ("60", 60), ("3600", 60), ("soon", 1), ("-1", 1), ("1.5", 1)],
)
def test_the_server_says_how_long_to_wait(server, client, slept, header, seconds):
    server.answers = [server.reply(503, b"busy", {"retry-after": header}), server.reply(204)]
    assert client.get(URL).status_code == 204
    assert slept == [seconds]


@pytest.mark.parametrize("status", [200, 400, 404, 500, 501])
def test_other_answers_come_out_at_once(server, client, slept, status):
    server.answers = [server.reply(status), server.reply(200)]
    assert client.get(URL).status_code == status
    assert slept == []


@pytest.mark.parametrize(
    ("method", "times"),
    [("GET", 2), ("HEAD", 2), ("PUT", 2), ("DELETE", 2), ("POST", 1), ("PATCH", 1)],
)
def test_what_may_be_tried_again(server, client, method, times):
    server.answers = [server.reply(503), server.reply(200)]
    client.request(method, URL)
    assert len(server.asked) == times


def test_a_key_makes_any_request_repeatable(server, client):
    server.answers = ["ReadTimeout", server.reply(201)]
    sent = client.post(URL, content=b"once", headers={"Idempotency-Key": "k1"})
    assert sent.status_code == 201
    assert [asked.body for asked in server.asked] == [b"once", b"once"]


def test_a_file_is_downloaded(server, client, tmp_path):
    server.answers = [server.reply(200, BODY)]
    target = tmp_path / "a.bin"
    target.write_bytes(b"old")
    assert download.download(client, f"{URL}/a.bin", target, sha(BODY)) == 11
    assert target.read_bytes() == BODY
    assert [path.name for path in tmp_path.iterdir()] == ["a.bin"]
    assert "range" not in server.asked[0].headers


@pytest.mark.parametrize(
    ("status", "sent", "count"),
    [(206, BODY[6:], 5), (200, BODY, 11)], ids=["rest", "whole"],
)
def test_a_download_goes_on(server, client, tmp_path, status, sent, count):
    (tmp_path / "a.bin.part").write_bytes(BODY[:6])
    server.answers = [server.reply(status, sent)]
    target = tmp_path / "a.bin"
    assert download.download(client, f"{URL}/a.bin", target, sha(BODY)) == count
    assert server.asked[0].headers["range"] == "bytes=6-"
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a.bin", BODY)]


def test_a_complete_part_needs_no_more(server, client, tmp_path):
    (tmp_path / "a.bin.part").write_bytes(BODY)
    server.answers = [server.reply(416, b"no more")]
    assert download.download(client, f"{URL}/a.bin", tmp_path / "a.bin", sha(BODY)) == 0
    assert (tmp_path / "a.bin").read_bytes() == BODY


def test_an_empty_part_is_no_beginning(server, client, tmp_path):
    (tmp_path / "a.bin.part").write_bytes(b"")
    server.answers = [server.reply(200, BODY)]
    assert download.download(client, f"{URL}/a.bin", tmp_path / "a.bin", sha(BODY)) == 11
    assert "range" not in server.asked[0].headers


def test_a_damaged_file_is_removed(server, client, tmp_path):
    (tmp_path / "a.bin").write_bytes(b"old")
    (tmp_path / "a.bin.part").write_bytes(b"other ")
    server.answers = [server.reply(206, BODY[6:])]
    with pytest.raises(download.Damaged):
        download.download(client, f"{URL}/a.bin", tmp_path / "a.bin", sha(BODY))
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a.bin", b"old")]


@pytest.mark.parametrize("status", [404, 416, 500])
def test_an_error_leaves_all_as_it_was(server, client, tmp_path, status):
    (tmp_path / "a.bin").write_bytes(b"old")
    server.answers = [server.reply(status, b"error page")]
    part = tmp_path / "a.bin.part"
    with pytest.raises(httpx.HTTPStatusError):
        download.download(client, f"{URL}/a.bin", tmp_path / "a.bin", sha(BODY))
    assert (tmp_path / "a.bin").read_bytes() == b"old"
    assert (part.read_bytes() if part.exists() else b"") == b""


def test_a_mirror_fetches_what_is_new(server, transport, slept, tmp_path):
    folder = tmp_path / "deep" / "mirror"
    folder.mkdir(parents=True)
    (folder / "kept").write_bytes(b"same")
    (folder / "changed").write_bytes(b"before")
    (folder / "own").write_bytes(b"mine")
    index = [{"name": name, "sha256": sha(data)} for name, data in
             (("new", b"1"), ("kept", b"same"), ("changed", b"after"))]
    server.answers = [
        server.reply(503), server.reply(200, index), server.reply(200, b"1"),
        server.reply(200, b"after"),
    ]
    assert app.mirror(URL, folder, transport, slept.append) == {
        "fetched": ["new", "changed"], "kept": ["kept"], "failed": {},
    }
    assert slept == [1]
    assert server.urls()[1:] == [f"{URL}/index.json", f"{URL}/new", f"{URL}/changed"]
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
        "new": b"1", "kept": b"same", "changed": b"after", "own": b"mine",
    }


def test_failed_files_do_not_hinder_others(server, transport, slept, tmp_path):
    index = [{"name": name, "sha256": sha(BODY)} for name in ("gone", "odd", "away", "good")]
    server.answers = [
        server.reply(200, index), server.reply(404), server.reply(200, b"odd"),
        "ConnectError", "ConnectError", "ConnectError", "ConnectError", server.reply(200, BODY),
    ]
    assert app.mirror(URL, tmp_path / "new", transport, slept.append) == {
        "fetched": ["good"], "kept": [],
        "failed": {"gone": "status 404", "odd": "damaged", "away": "unreachable"},
    }
    stored = [path.name for path in (tmp_path / "new").iterdir() if path.suffix != ".part"]
    assert stored == ["good"]


def test_a_name_is_one_plain_file_name(server, transport, slept, tmp_path):
    names = ["", ".", "..", "../up", "/etc/x", "a\\b"]
    server.answers = [server.reply(200, [{"name": name, "sha256": sha(b"")} for name in names])]
    done = app.mirror(URL, tmp_path, transport, slept.append)
    assert done == {"fetched": [], "kept": [], "failed": {name: "bad name" for name in names}}
    assert len(server.asked) == 1


def test_without_a_list_nothing_is_done(server, transport, slept, tmp_path):
    server.answers = [server.reply(404)]
    with pytest.raises(httpx.HTTPStatusError):
        app.mirror(URL, tmp_path, transport, slept.append)
