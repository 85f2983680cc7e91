"""The report as a file: self-contained, bounded, and one attempt's details in each place."""

import base64
import io
import json
import re
import zlib
from pathlib import Path

import pytest

from sdkbench.report.pages import drawing
from sdkbench.report.pages.blocks import BlockWriter
from sdkbench.report.pages.details import Room, details_of
from sdkbench.report.pages.html import FULL, packed_details, write_report
from sdkbench.report.pages.samples import SampleLibrary
from sdkbench.store import Artefact, open_store
from tests.support.store.builder import FILES, attempt
from tests.support.store.invented import HOSTILE_NAME, fill, hostile, invented


def inflate(text: str) -> str:
    return zlib.decompress(base64.b64decode(text)).decode()


def blocks_of(document: str) -> dict[str, str]:
    found = re.findall(r'<script type="application/octet-stream" id="([\w-]+)">([^<]*)<', document)
    return {name: inflate(packed) for name, packed in found}


def report_of(path: Path, attempts: int) -> str:
    stream = io.StringIO()
    with open_store(path / "store.db") as store:
        write_report(stream, store, [store.find_run(fill(store, attempts))])
    return stream.getvalue()


def test_every_attempt_is_found_by_its_place(tmp_path: Path) -> None:
    blocks = blocks_of(report_of(tmp_path, 30))
    packed = json.loads(blocks["rows"])
    assert len(packed["rows"]) == len(packed["refs"]) == 30
    for number, place in packed["refs"]:
        details = json.loads(blocks[f"block-{number}"].split("\0")[place])
        assert details["facts"]
        for part in (*details["files"], *details["texts"]):
            if part.get("ref"):
                assert blocks[f"block-{part['ref'][0]}"].split("\0")[part["ref"][1]]


def test_nothing_is_loaded_from_anywhere(tmp_path: Path) -> None:
    document = report_of(tmp_path, 10)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', document)
    assert policy is not None
    assert "default-src &#39;none&#39;" in policy[1]
    assert "unsafe" not in policy[1]
    assert re.findall(r'(?:src|href)="(?!#)[^"]*"', document.split("<!--data-->")[0]) == []
    assert " style=" not in document


def test_text_kept_twice_is_written_once() -> None:
    written: list[str] = []
    blocks = BlockWriter(written.append, 10**6)
    first, again = blocks.add("same"), blocks.add("same")
    assert first == again == (0, 0)
    assert blocks.add("x" * 400_000) == (0, 1)  # and that block is full
    assert blocks.add("other") == (1, 0)
    blocks.flush()
    assert len(written) == 2


def test_a_full_report_keeps_tests_and_says_what_it_leaves_out(tmp_path: Path) -> None:
    blocks = BlockWriter(lambda _: None, 0)
    with open_store(tmp_path / "store.db") as store:
        run = store.start_run()
        store.save_attempt(run.id, attempt(1), FILES)
        stored = store.stored(run.id, attempt(1).key)
    details = details_of(stored, run, SampleLibrary(tmp_path), Room.for_attempts(1))
    document = json.loads(packed_details(details, blocks))
    assert [test["message"] for test in document["tests"]] == ["assert 1 == 2", ""]
    assert document["files"][0]["note"] == FULL


def test_a_page_without_charts_says_how_to_get_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "_converter", lambda: None)
    document = report_of(tmp_path, 12)
    assert "<svg" not in document
    assert "pip install &#39;sdkbench[report]&#39;" in document


def test_charts_hold_nothing_but_a_picture() -> None:
    spec: drawing.Spec = {
        "data": {"values": [{"name": HOSTILE_NAME}]},
        "mark": "text",
        "encoding": {"text": {"field": "name"}, "description": {"field": "name"}},
    }
    picture = drawing.draw(spec)
    assert "<script" not in picture
    assert "&lt;script&gt;" in picture
    with pytest.raises(ValueError, match="script"):
        drawing._only_picture('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')


def test_hostile_names_stay_out_of_the_markup(tmp_path: Path) -> None:
    stream = io.StringIO()
    with open_store(tmp_path / "store.db") as store:
        run = store.start_run(label=HOSTILE_NAME)
        store.save_attempts(run.id, [hostile(), *invented(2)])
        write_report(stream, store, [run])
    assert "<script>document" not in stream.getvalue()
    assert "&lt;script&gt;document" in stream.getvalue()
    assert "\0" not in stream.getvalue()


def test_five_megabytes_of_output_are_cut(tmp_path: Path) -> None:
    loud = Artefact(kind="output", name="test_results", data=b"noise \x1b[1m!\n" * 500_000)
    with open_store(tmp_path / "store.db") as store:
        run = store.start_run()
        store.save_attempt(run.id, attempt(1), [loud])
        stored = store.stored(run.id, attempt(1).key)
    details = details_of(stored, run, SampleLibrary(tmp_path), Room.for_attempts(1))
    (text,) = details.texts
    assert len(text.text) < 70_000
    assert "characters left out here" in text.text


def test_names_in_the_store_lead_to_no_other_folder(tmp_path: Path) -> None:
    (tmp_path / "samples" / "x").mkdir(parents=True)
    (tmp_path / "secret" / "expected").mkdir(parents=True)
    library = SampleLibrary(tmp_path / "samples")
    assert library.starter("..", "secret") is None
    assert library.starter("x", "../../secret") is None
    assert library.starter("/", "etc") is None
