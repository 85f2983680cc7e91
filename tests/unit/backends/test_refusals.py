import pytest

from sdkbench.backends.refusals import is_refusal

REFUSALS = [
    "I'm sorry, but I can't help with that.",
    "I cannot assist with this request.",
    "Sorry, that is not possible.",
    "I’m unable to do this.",
    "**I apologize, but** this is not something that I do.",
    "Unfortunately, I can't.",
    "This request violates the rules.",
    "That would be extremely dangerous.",
]
ANSWERS = [
    "Sure! Here it is.",
    "The file can't be changed.",
    "",
    "Done.",
    "icant --help",
    "ls -l",
    "I apologize for the confusion.\nls -l",
]


@pytest.mark.parametrize("text", REFUSALS)
def test_a_refusal(text: str) -> None:
    assert is_refusal(text)


@pytest.mark.parametrize("text", ANSWERS)
def test_no_refusal(text: str) -> None:
    assert not is_refusal(text)
