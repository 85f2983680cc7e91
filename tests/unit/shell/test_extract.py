"""From an answer to its command: each rule, each outcome, and junk."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdkbench.shell.extract import MAX_ANSWER, ExtractionOutcome, Rule, extract

FOUND = [
    ("ls -la", "ls -la", ()),
    ("  ls -la\n", "ls -la", ()),
    ("ls -la\r\n", "ls -la", ()),
    ("```bash\nls -la\n```", "ls -la", (Rule.FENCE,)),
    ("```\nls -la", "ls -la", (Rule.FENCE,)),
    ("~~~sh\nls\n~~~", "ls", (Rule.FENCE,)),
    ("```ls -l```", "ls -l", (Rule.FENCE,)),
    ("Here it is:\n\n```sh\nfind . -name x\n```\nIt finds x.", "find . -name x", (Rule.FENCE,)),
    ("```console\n$ tar xzf a.tgz\n```", "tar xzf a.tgz", (Rule.FENCE, Rule.PROMPT)),
    ("$ ls -la", "ls -la", (Rule.PROMPT,)),
    ("user@host:~$ ls -la\ntotal 0", "ls -la", (Rule.PROMPT,)),
    ("$ make \\\n> all", "make \\\nall", (Rule.PROMPT,)),
    ("Here is the command: ls -la", "ls -la", (Rule.INTRODUCTION,)),
    ("Command: du -sh *", "du -sh *", (Rule.INTRODUCTION,)),
    ("You can use `ls -la` to list files.", "ls -la", (Rule.INLINE,)),
    ("The `rm` command: `rm -rf build`", "rm -rf build", (Rule.INLINE,)),
    ("`ls -la`", "ls -la", (Rule.QUOTES,)),
    ('"ls -la"', "ls -la", (Rule.QUOTES,)),
    ('{"command": "ls -la"}', "ls -la", (Rule.JSON,)),
    ('```json\n{"command": "ls -la"}\n```', "ls -la", (Rule.JSON,)),
    ("<think>maybe dir?</think>\nls", "ls", (Rule.THINKING,)),
    ("ls -la\n\nThis lists all files in long format.", "ls -la", (Rule.TALK,)),
    ("Sure! Here's how:\n\n    ls -la\n\nExplanation:\n- `-l`: long", "ls -la", (Rule.TALK,)),
    ("I can't do that, but this is safe:\n```\nls\n```", "ls", (Rule.FENCE,)),
]

UNTOUCHED = [
    'echo "Here is the command: foo"',
    'git commit -m "Note: this is a message."',
    "echo I am sorry that it failed.",
    "cat <<E > f\nThis is a line of text here.\nE",
    'for f in *; do\n  echo "$f"\ndone',
    "ls\n# then this part\npwd",
    "echo `date`",
    "sudo apt update && \\\nsudo apt upgrade",
    "echo $ x",
]

REFUSALS = [
    "I'm sorry, but I can't help with that.",
    "I can\N{RIGHT SINGLE QUOTATION MARK}t help with deleting everything.",
    "I cannot provide a command that destroys data.",
    "Sorry, that would be dangerous.",
    "This is dangerous, so I will not do it.",
    "As an AI, I must decline.",
]


@pytest.mark.parametrize(("answer", "command", "stripped"), FOUND)
def test_the_command_is_found(answer: str, command: str, stripped: tuple[Rule, ...]) -> None:
    result = extract(answer)
    assert (result.outcome, result.command, result.stripped) == (
        ExtractionOutcome.FOUND,
        command,
        stripped,
    )


@pytest.mark.parametrize("answer", UNTOUCHED)
def test_a_bare_command_is_left_alone(answer: str) -> None:
    result = extract(answer)
    assert (result.outcome, result.command, result.stripped) == (
        ExtractionOutcome.FOUND,
        answer,
        (),
    )


@pytest.mark.parametrize("answer", REFUSALS)
def test_a_refusal_is_its_own_outcome(answer: str) -> None:
    assert extract(answer).outcome == ExtractionOutcome.REFUSAL


@pytest.mark.parametrize("answer", ["", "  \n", "```\n\n```", "# nothing", '{"command": ""}'])
def test_an_empty_answer_is_its_own_outcome(answer: str) -> None:
    assert extract(answer).outcome == ExtractionOutcome.EMPTY


@pytest.mark.parametrize(
    "answer", ['ls "a', "```python\nprint(1)\n```", "a\0b", "<html>(500)</html>"]
)
def test_an_unparsable_answer_is_its_own_outcome(answer: str) -> None:
    assert extract(answer).outcome == ExtractionOutcome.UNPARSABLE


def test_other_candidates_are_kept() -> None:
    result = extract("```bash\nls\n```\n\nor\n\n```bash\ndir\n```")
    assert (result.command, result.others) == ("ls", ("dir",))


def test_a_runaway_answer_is_cut() -> None:
    result = extract("```\nls\n```\n" + "blah " * MAX_ANSWER)
    assert (result.outcome, result.command) == (ExtractionOutcome.FOUND, "ls")
    assert Rule.CUT in result.stripped


@given(st.text(max_size=300))
def test_junk_never_raises(answer: str) -> None:
    assert extract(answer).outcome in ExtractionOutcome


@given(
    st.lists(
        st.sampled_from(["```", "`", "\n", "$ ", "ls", "Here is: ", '"', "{", "}", " ", "I can't"]),
        max_size=30,
    )
)
def test_junk_of_answer_pieces_never_raises(pieces: list[str]) -> None:
    result = extract("".join(pieces))
    assert result.parsed is None or result.parsed.text == result.command
