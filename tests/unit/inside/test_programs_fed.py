"""Which programs read what they run from their standard input."""

import pytest

from sdkbench.inside.python.apart.code_run import _reads_program


@pytest.mark.parametrize(
    ("words", "reads"),
    [
        (["python3"], True),
        (["/usr/bin/python3.12", "-"], True),
        (["sh", "-s"], True),
        ("node", True),
        (["bash", "/dev/stdin"], True),
        (["python3", "script.py"], False),
        (["python3", "-c", "print(1)"], False),
        (["sort", "-"], False),
        ([], False),
    ],
)
def test_an_interpreter_without_a_program(words: object, reads: bool) -> None:
    assert _reads_program(None, words) is reads
