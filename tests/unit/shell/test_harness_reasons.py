"""Which reason a wrong answer fails for, one by one; and the order of reasons."""

import asyncio
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdkbench.backends import Answer
from sdkbench.shell import EvaluationResult, Selection, Verdict, run_evaluation
from sdkbench.shell.dataset import PosixScope
from sdkbench.shell.judging import CaseJudge, conclude
from sdkbench.shell.safety import DEFAULT_POLICY
from tests.support.places import CORE, SHELL_DATA
from tests.support.shell_builder import TOOLS, Scripted, case, dataset

WRONG = SHELL_DATA / "replay_wrong.jsonl"
ROWS = [json.loads(line) for line in WRONG.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def replayed() -> EvaluationResult:
    select = Selection(ids=frozenset(row["id"] for row in ROWS))
    return asyncio.run(run_evaluation(CORE, f"replay:{WRONG}", select=select, tools=TOOLS))


def test_there_are_wrong_answers_of_every_kind() -> None:
    assert len(ROWS) >= 25
    details = {row.get("detail") for row in ROWS}
    assert details == {"different", "unknown", "empty", "unparsable", "refusal", None}


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_a_wrong_answer_fails_for_its_reason(
    row: dict[str, object], replayed: EvaluationResult
) -> None:
    result = next(r for r in replayed.results if r.test_id == row["id"])
    assert not result.passed
    assert result.reason.kind == row["reason"]
    assert result.reason.detail == row.get("detail")
    assert result.reason.expected == row.get("expected")
    assert result.reason.message


def test_an_answer_that_is_not_there_is_a_backend_error() -> None:
    select = Selection(ids=frozenset({"git-stash"}))
    result = asyncio.run(run_evaluation(CORE, f"replay:{WRONG}", select=select, tools=TOOLS))
    assert result.results[0].reason.kind == "backend_error"
    assert "holds no answer" in result.results[0].reason.message


def test_correctness_comes_first_then_safety_then_posix() -> None:
    path = SHELL_DATA / "mislabelled.toml"
    right = asyncio.run(run_evaluation(path, "reference", tools=TOOLS))
    assert [(r.reason.kind, r.reason.expected, r.reason.actual) for r in right.results] == [
        ("safety_mismatch", False, True),
        ("safety_mismatch", True, False),
        ("safety_mismatch", True, False),
        ("posix_mismatch", False, True),
    ]
    assert right.results[2].posix is False  # judged all the same
    assert right.summary.safety.accuracy.count == 1


def test_the_core_dataset_is_right_by_its_own_reference() -> None:
    result = asyncio.run(run_evaluation(CORE, "reference", tools=TOOLS))
    assert [(r.test_id, r.reason) for r in result.results if not r.passed] == []
    assert result.summary.csr.share == 1.0


def verdict(answer: str, *rights: str) -> Verdict | None:
    judged = CaseJudge(case(0, rights[0], accepted_commands=rights[1:]), DEFAULT_POLICY).judge(
        Answer(text=answer)
    )
    return judged.match.verdict if judged.match else None


def test_what_surely_differs_from_one_right_command_is_different() -> None:
    assert verdict("head -n 50 f", "head -n 5 f") is Verdict.DIFFERENT
    assert verdict("head -n 50 f", "head -n 5 f", "sed 5q f") is Verdict.DIFFERENT
    assert verdict("awk 'NR <= 5' f", "head -n 5 f", "sed 5q f") is Verdict.UNKNOWN


def test_right_commands_that_surely_differ_are_answers_of_their_own() -> None:
    rights = ("ls -l f", "ls -la f")
    assert verdict("ls -l f", *rights) is Verdict.EQUAL
    assert verdict("ls -a -l f", *rights) is Verdict.EQUAL
    assert verdict("stat f", *rights) is Verdict.UNKNOWN


JUNK = st.one_of(
    st.text(max_size=300),
    st.binary(max_size=200).map(lambda data: data.decode("utf-8", "surrogateescape")),
    st.lists(
        st.sampled_from(
            ["$(", "`", '"', "'", "<<E", "\n", ";", "|", "&&", "(", ")", "{", "}", "rm", " -rf /",
             "[[", "]]", "case x in", "esac", "\\", "\0", "$'", "#", "```", "I'm sorry", " "]
        ),
        max_size=40,
    ).map("".join),
)  # fmt: skip


@given(JUNK)
def test_any_answer_is_judged(text: str) -> None:
    judge = CaseJudge(case(0, "ls -l"), DEFAULT_POLICY)
    answer = Answer.model_construct(text=text.encode("utf-8", "replace").decode(), truncated=False)
    judged = judge.judge(answer.model_copy(update={"input_tokens": None, "output_tokens": None}))
    result = conclude(judged, None, PosixScope.SHELL, "junk")
    assert result.model_dump_json()
    assert result.passed is False


@settings(max_examples=8)
@given(st.lists(JUNK, min_size=1, max_size=25))
def test_a_run_of_junk_ends_with_a_result_for_each_case(texts: list[str]) -> None:
    async def reply(prompt: str) -> Answer:
        text = texts[int(prompt.rsplit(maxsplit=1)[-1])]
        return Answer.model_construct(text=text, input_tokens=None, output_tokens=None)

    data = dataset(*(case(number, "ls -l") for number in range(len(texts))))
    result = asyncio.run(run_evaluation(data, Scripted(reply), tools=TOOLS))
    assert len(result.results) == len(texts)
    assert {r.reason.kind for r in result.results} <= {"incorrect_command", "pass"}
    assert result.model_dump_json()
