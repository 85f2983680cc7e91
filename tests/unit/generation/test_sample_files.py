"""The files of every bundled sample, written as an answer in each style, come back the same."""

from collections.abc import Callable, Mapping

import pytest

from sdkbench.datasets import Sample, bundled_samples, load_sdk
from sdkbench.generation.answers import read_answer
from sdkbench.generation.files import starter_texts
from tests.support.answer_styles import STYLES, diff
from tests.support.nightly import samples_of_the_day

SAMPLES = load_sdk(bundled_samples(), "all")
# A diff against nothing can't be told from one against the starter.
WHOLE = [style for style in STYLES if style is not diff]


@pytest.mark.parametrize("sample", samples_of_the_day(SAMPLES))
@pytest.mark.parametrize("style", WHOLE, ids=[style.__name__ for style in WHOLE])
def test_a_reference_comes_back(style: Callable[[Mapping[str, str]], str], sample: Sample) -> None:
    files = starter_texts(sample.reference_dir)
    del files["metadata.json"]
    files = {path: text for path, text in files.items() if text.endswith("\n")}
    assert files
    proposed = read_answer(style(files), starter_texts(sample.starter_dir))
    assert proposed.files == files
    assert proposed.left_out == ()
