"""A report as a reader meets it: opened from disk in Chromium, without any server."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from sdkbench.report.pages.html import write_report
from sdkbench.store import open_store
from tests.support.browser import open_browser, open_page
from tests.support.store.invented import HOSTILE_NAME, fill, hostile, invented

ATTEMPTS = 160
ROW = ".attempts tbody tr"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("report")
    with open_store(folder / "store.db") as store:
        run = store.find_run(fill(store, ATTEMPTS))
        with (folder / "report.html").open("w", encoding="utf-8") as stream:
            write_report(stream, store, [run])
    return (folder / "report.html").as_uri()


@pytest.fixture
def page(browser: Browser, report: str) -> Iterator[Page]:
    with open_page(browser, report) as opened:
        yield opened


def outcomes(page: Page) -> set[str]:
    return set(page.locator(f"{ROW} td:first-child").all_inner_texts())


def test_the_leaderboard_is_there_without_a_script(browser: Browser, report: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report)
    assert page.locator(".board tbody tr").count() == 8
    assert "aurora-large" in page.locator("#leaderboard").inner_text()
    assert page.locator("svg.chart").count() > 5
    context.close()


def test_attempts_are_sorted_by_their_headers(page: Page) -> None:
    header = page.locator("th", has=page.locator("[data-column=seconds]"))
    page.click("[data-column=seconds]")
    page.click("[data-column=seconds]")
    assert header.get_attribute("aria-sort") == "descending"
    place = page.locator(".attempts thead th").all_inner_texts().index("Seconds") + 1
    shown = [float(text) for text in page.locator(f"{ROW} td:nth-child({place})").all_inner_texts()]
    assert shown == sorted(shown, reverse=True)
    assert "sort=-seconds" in page.url


def test_a_table_of_figures_is_sorted_too(page: Page) -> None:
    board = page.locator("#leaderboard table").first
    board.locator("thead button", has_text="Model").click()
    names = board.locator("tbody th").all_inner_texts()
    assert names == sorted(names)
    assert board.locator("th", has_text="Model").first.get_attribute("aria-sort") == "ascending"


def test_filters_and_search_are_in_the_address(browser: Browser, page: Page) -> None:
    page.locator(".more summary").click()
    page.select_option("select[name=outcome]", "=failed")
    assert outcomes(page) == {"failed"}
    page.fill("input[name=q]", "basalt lancedb")
    assert page.locator(ROW).count() > 0
    assert all(
        "lancedb" in text for text in page.locator(f"{ROW} td:nth-child(2)").all_inner_texts()
    )
    with open_page(browser, page.url) as again:
        assert again.locator(".status").inner_text() == page.locator(".status").inner_text()
        assert again.locator("input[name=q]").input_value() == "basalt lancedb"


def test_an_attempt_opens_by_a_link_and_has_everything(browser: Browser, page: Page) -> None:
    page.evaluate("location.hash = '#suite=sdk&outcome=failed'")
    page.locator(f"{ROW} a").first.click()
    page.wait_for_selector("dialog[open] .facts")
    words = page.locator("dialog").inner_text()
    for part in ("Tests", "Files, against the starter", "Integrity findings", "Sandbox", "300 s"):
        assert part in words
    assert page.locator("dialog .diff .plus").count() > 0
    assert page.locator("dialog .diff [class^=tk-]").count() > 0
    page.locator("dialog summary", has_text="Output of the tests").click()
    assert len(page.locator("dialog details[open] pre").last.inner_text()) > 100
    with open_page(browser, page.url) as again:
        again.wait_for_selector("dialog[open] .facts")
        title = again.locator("#attempt-title").inner_text()
        assert title == page.locator("#attempt-title").inner_text()


def test_an_attempt_that_is_not_there_is_said(browser: Browser, report: str) -> None:
    with open_page(browser, f"{report}#attempt=0000000000000000") as page:
        assert "no such attempt" in page.locator("dialog[open]").inner_text()


def test_everything_goes_by_keyboard(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type("jose_")
    assert all("jose" in text for text in page.locator(f"{ROW} td:nth-child(2)").all_inner_texts())
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('.attempts tbody') !== null"):
            break
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open] .facts")
    first = page.url
    page.keyboard.press("j")
    expect(page).not_to_have_url(first)
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog:not([open])", state="hidden")
    assert "attempt=" not in page.url
    assert page.evaluate("document.activeElement.closest('.attempts') !== null")


def test_the_heat_map_opens_what_it_shows(page: Page) -> None:
    cell = page.locator(".heatmap tbody td a").first
    assert "passed" in (cell.get_attribute("aria-label") or "")
    cell.click()
    expect(page).to_have_url(re.compile("#.*(attempt|q)="))


def test_colours_can_be_switched_and_last(page: Page) -> None:
    def paper() -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    light = paper()
    page.click("[data-theme-switch]")
    page.click("[data-theme-switch]")
    assert paper() != light
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert paper() != light


def test_a_phone_shows_it_without_scrolling_sideways(browser: Browser, report: str) -> None:
    with open_page(browser, report, width=360) as page:
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        page.locator(f"{ROW} a").first.click()
        page.wait_for_selector("dialog[open] .facts")
        assert page.evaluate("document.querySelector('dialog').scrollWidth") <= 360


def test_hostile_content_is_text(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "hostile.html"
    with open_store(tmp_path / "store.db") as store:
        run = store.start_run(label=f"</title>{HOSTILE_NAME}")
        store.save_attempts(run.id, [hostile(), *invented(3)])
        with path.open("w", encoding="utf-8") as stream:
            write_report(stream, store, [run])
    assert path.stat().st_size < 1_000_000  # of 5 MB of output
    with open_page(browser, path.as_uri()) as page:
        page.fill("input[name=q]", "onerror")
        page.locator(f"{ROW} a").click()
        page.wait_for_selector("dialog[open] .facts")
        page.locator("dialog details").evaluate_all("all => all.forEach(each => each.open = true)")
        expect(page.locator("dialog")).to_contain_text("characters left out here")
        words = page.locator("dialog").inner_text()
        for part in (
            HOSTILE_NAME,
            "<img src=x onerror=",
            "red ⟨ESC⟩[2Jcleared ⟨BEL⟩bell",
            "⟨U+202E⟩",
            "⟨NUL⟩",
        ):
            assert part in words
        assert "binary" in words
        assert page.locator("img, main script, dialog script").count() == 0
        assert "owned" not in page.title().replace(HOSTILE_NAME, "")
