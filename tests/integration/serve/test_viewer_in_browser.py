"""`sdkbench view` in Chromium: pages, attempts that appear as a run goes on, and who may look."""

import contextlib
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from sdkbench.store import RunState, open_store
from tests.support.browser import open_browser, open_page
from tests.support.store.invented import fill, hostile, invented

ROW = ".attempts tbody tr"


@contextlib.contextmanager
def viewing(store: Path, *words: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address that a viewer of its own prints; it ends as by Ctrl-C."""
    argv = [sys.executable, "-m", "sdkbench", "view", "--store", str(store), "--port", "0", *words]
    with subprocess.Popen(argv, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            yield process.stderr.readline().split()[0], process
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 130
            assert process.stderr.read() == ""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("viewer") / "store.db"
    with open_store(path) as opened:
        fill(opened, 60, label="first")
        fill(opened, 60, label="second", seed=8)
    return path


@pytest.fixture(scope="module")
def address(store: Path) -> Iterator[str]:
    with viewing(store) as (told, _):
        yield told


def status_of(address: str, **headers: str) -> int:
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as answer:  # noqa: S310
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_from_the_list_to_a_comparison_an_attempt_and_a_history(
    browser: Browser, address: str
) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(address)
    for box in page.locator("input[name=compare]").all():
        box.check()
    page.click("[data-compare]")
    page.wait_for_selector("html[data-ready]")
    assert page.locator(".board tbody tr").count() == 8
    assert page.locator("#changes tbody tr").count() > 0
    page.locator(f"{ROW} a").first.click()
    page.wait_for_selector("dialog[open] .facts")
    assert "Environment" in page.locator("dialog").inner_text()
    page.goto(f"{address}models")
    page.locator("tbody a").first.click()
    assert page.locator("tbody tr").count() >= 2
    assert page.locator("svg.chart-wide").count() == 1
    context.close()


def test_attempts_appear_while_a_run_goes_on(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with open_store(path) as store:
        run = store.start_run(label="going on", planned=12)
        made = list(invented(12))
        store.save_attempts(run.id, made[:4])
        with viewing(path) as (address, _), open_page(browser, f"{address}runs/{run.id}") as page:
            assert page.locator(ROW).count() == 4
            assert "4 of 12" in page.locator(".hero").inner_text()
            page.fill("input[name=q]", "a")
            store.save_attempts(run.id, [hostile(), *made[4:]])
            expect(page.locator(ROW)).to_have_count(13, timeout=20_000)
            assert page.locator("input[name=q]").input_value() == "a"
            store.end_run(run.id, RunState.FINISHED)
            expect(page.locator(".hero .state")).to_have_text("finished", timeout=20_000)
            assert "owned" not in page.title()


def test_an_attempt_has_an_address(address: str, store: Path) -> None:
    with open_store(store, write=False) as opened:
        run = opened.find_run("latest")
        attempt = next(opened.attempts(run.id))
    assert status_of(f"{address}runs/{run.id}/attempts/{attempt.key}") == 200
    assert status_of(f"{address}runs/{run.id}/attempts/{'0' * 64}") == 404
    assert status_of(f"{address}runs/nothing") == 404
    assert status_of(f"{address}api/rows") == 404


def test_other_names_and_changes_are_refused(address: str) -> None:
    assert status_of(address) == 200
    assert status_of(address, Host="evil.example") == 421
    with pytest.raises(urllib.error.HTTPError, match="405"):
        urllib.request.urlopen(address, data=b"x")  # noqa: S310


def test_another_host_needs_the_token(browser: Browser, store: Path) -> None:
    with viewing(store, "--host", "0.0.0.0") as (told, _):
        port = told.partition("?")[0].rstrip("/").rpartition(":")[2]
        bare = f"http://127.0.0.1:{port}/"
        token = told.partition("token=")[2]
        assert len(token) > 20
        assert status_of(bare) == 401
        assert status_of(f"{bare}?token={token[:-1]}") == 401
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"{bare}?token={token}")
        assert page.url == bare
        assert page.locator(".runs tbody tr").count() == 2
        (cookie,) = context.cookies()
        assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
        context.close()


def test_a_port_that_is_taken_is_said_in_a_sentence(address: str, store: Path) -> None:
    port = address.rstrip("/").rpartition(":")[2]
    words = ["-m", "sdkbench", "view", "--store", str(store), "--port", port]
    ended = subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, check=False, timeout=60
    )
    assert ended.returncode == 2
    assert "can't be had" in ended.stderr
