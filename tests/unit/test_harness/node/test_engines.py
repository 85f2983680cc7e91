"""Ranges of Node versions, as package.json has them."""

import pytest

from sdkbench.test_harness.node.engines import admits


@pytest.mark.parametrize(
    ("wanted", "version"),
    [
        (">=18", "v20.20.2"),
        ("^18 || ^20.9 || >=22", "v20.20.2"),
        ("18.x || 20.x", "20.0.0"),
        ("20", "20.20.2"),
        (">= 0.10", "20.20.2"),
        (">=18 <21", "20.20.2"),
        ("18 - 20", "20.20.2"),
        ("~20.20.1", "20.20.2"),
        ("*", "20.20.2"),
        ("", "20.20.2"),
        ("lts/*", "20.20.2"),
        ("https://example.com", "20.20.2"),
        (">=22 " * 100, "20.20.2"),
        ("^0.10.3", "0.10.4"),
        ("<=20", "20.20.2"),
        (">19.9", "20.0.0"),
    ],
)
def test_a_range_admits(wanted: str, version: str) -> None:
    assert admits(wanted, version)


@pytest.mark.parametrize(
    ("wanted", "version"),
    [
        (">=22", "v20.20.2"),
        ("^22 || ^24 || >=26", "v20.20.2"),
        ("^18 || ^20.21 || >=22", "v20.20.2"),
        ("18.x", "20.0.0"),
        (">=18 <20", "20.0.0"),
        ("16 - 18", "20.20.2"),
        ("~20.19", "20.20.2"),
        ("^0.10.3", "0.11.0"),
        (">20", "20.20.2"),
        ("=20.20.1", "20.20.2"),
    ],
)
def test_a_range_refuses(wanted: str, version: str) -> None:
    assert not admits(wanted, version)
