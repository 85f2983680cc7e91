"""Documents are listed, read, created, saved and deleted; every answer has its end."""

import httpx
import pytest
from expected import app, wire

URL = "https://docs.example/v1"
ERRORS = {"errors": [{"field": "title", "message": "too long"}, {"field": "", "message": "odd"}]}


@pytest.fixture
def documents(answer):
    with app.Documents(URL, wire.Wire(answer)) as client:
        yield client


def test_all_documents_are_listed(server, documents):
    server.answers = [server.reply(200, ["b", "a", "c"])]
    assert documents.list() == ["b", "a", "c"]
    assert [line.rstrip("?") for line in server.lines()] == [f"GET {URL}/documents"]


def test_every_tag_is_sent(server, documents):
    server.answers = [server.reply(200, [])]
    assert documents.list("new", "R&D") == []
    assert server.lines() == [f"GET {URL}/documents?tag=new&tag=R%26D"]


def test_a_document_comes_with_its_etag(server, documents):
    server.answers = [server.reply(200, {"text": "käse"}, {"etag": 'W/"7"'})]
    assert documents.get("notes") == ({"text": "käse"}, 'W/"7"')
    assert server.lines() == [f"GET {URL}/documents/notes"]


def test_a_missing_document_is_none(server, documents):
    assert documents.get("notes") is None


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("a/b", "a%2Fb"), ("what?", "what%3F"), ("100%", "100%25"), ("x#1", "x%231"),
        ("two words", "two%20words"), ("a%2Fb", "a%252Fb"),
    ],
    ids=["slash", "question", "percent", "hash", "blank", "encoded"],
)
def test_a_name_is_one_segment(server, documents, name, path):
    server.routes["*"] = lambda asked: server.reply(204)
    assert documents.delete(name) is True
    assert server.lines() == [f"DELETE {URL}/documents/{path}"]


def test_a_document_is_created(server, documents):
    server.answers = [server.reply(201, None, {"etag": '"1"'})]
    assert documents.create("a/b", {"text": "x"}) == '"1"'
    (asked,) = server.asked
    assert (asked.method, asked.url) == ("POST", f"{URL}/documents")
    assert asked.json() == {"name": "a/b", "content": {"text": "x"}}
    assert asked.headers["content-type"] == "application/json"


def test_a_taken_name_is_told(server, documents):
    server.answers = [server.reply(409, {})]
    with pytest.raises(app.Changed):
        documents.create("a", {})


def test_a_document_is_saved_over_its_version(server, documents):
    server.answers = [server.reply(200, {}, {"etag": '"8"'})]
    assert documents.save("a b", ["x"], '"7"') == '"8"'
    (asked,) = server.asked
    assert (asked.method, asked.url) == ("PUT", f"{URL}/documents/a%20b")
    assert asked.headers["if-match"] == '"7"'
    assert asked.json() == ["x"]


def test_a_version_of_somebody_else_is_not_overwritten(server, documents):
    server.answers = [server.reply(412)]
    with pytest.raises(app.Changed):
        documents.save("a", {}, '"7"')
    assert len(server.asked) == 1


def test_what_is_not_there_is_not_saved(server, documents):
    with pytest.raises(LookupError):
        documents.save("a", {}, '"7"')


def test_a_refusal_names_all_fields(server, documents):
    server.answers = [server.reply(422, ERRORS), server.reply(422, ERRORS)]
    with pytest.raises(app.Refused) as created:
        documents.create("a", {})
    with pytest.raises(app.Refused) as saved:
        documents.save("a", {}, '"7"')
    assert str(created.value) == "title: too long; : odd"
    assert str(saved.value) == "title: too long; : odd"


def test_deleting_tells_whether_it_was_there(server, documents):
    server.answers = [server.reply(204), server.reply(404)]
    assert documents.delete("a") is True
    assert documents.delete("a") is False


def call(documents, name):
    match name:
        case "list":
            documents.list()
        case "get":
            documents.get("a")
        case "create":
            documents.create("a", {})
        case "save":
            documents.save("a", {}, '"7"')
        case "delete":
            documents.delete("a")


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("list", 500), ("list", 404), ("get", 403), ("get", 412), ("create", 404), ("create", 412),
        ("save", 409), ("save", 503), ("delete", 401), ("delete", 409), ("get", 422),
        ("delete", 302),
    ],
)
def test_every_other_status_is_unexpected(server, documents, name, status):
    server.answers = [server.reply(status, {"errors": []})]
    with pytest.raises(httpx.HTTPStatusError):
        call(documents, name)


def test_a_closed_client_asks_no_more(server, answer):
    with app.Documents(URL, wire.Wire(answer)) as client:
        pass
    with pytest.raises(RuntimeError):
        client.get("a")
    assert server.asked == []
