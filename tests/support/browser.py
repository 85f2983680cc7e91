"""Headless Chromium of this system, by Playwright; no browser is downloaded."""

import contextlib
import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium_path() -> str:
    """Skips the test where there is none."""
    for name in NAMES:
        path = shutil.which(name)
        if path:
            return path
    pytest.skip("no Chromium here (Debian: apt-get install chromium)")


@contextlib.contextmanager
def open_browser() -> Iterator[Browser]:
    path = chromium_path()
    # Chromium's own sandbox does not start for root.
    words = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=words)
        yield browser
        browser.close()


@contextlib.contextmanager
def open_page(browser: Browser, address: str, width: int = 1200) -> Iterator[Page]:
    """A page of its own; whatever its script complains of fails the test."""
    context = browser.new_context(viewport={"width": width, "height": 800}, reduced_motion="reduce")
    context.set_default_timeout(20_000)
    complaints: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda message: complaints.append(message.text) if message.type == "error" else None,
    )
    page.goto(address)
    page.wait_for_selector("html[data-ready]")
    yield page
    assert complaints == []
    context.close()
