"""Real evaluations by Inspect AI, with scripted answers of its mock model."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from sdkbench.datasets import Sample
from sdkbench.errors import InputError
from sdkbench.integrations import answers
from tests.support.places import CACHE
from tests.support.processes import sandboxes_killed
from tests.support.projects import MakeSample

inspect_ai = pytest.importorskip("inspect_ai", reason="needs sdkbench[inspect]")
from inspect_ai.log import EvalLog, EvalSample  # noqa: E402
from inspect_ai.model import ModelOutput, ModelUsage, get_model  # noqa: E402

from sdkbench.integrations import inspect_tasks  # noqa: E402

# What Inspect and its own dependencies warn of is theirs.
pytestmark = pytest.mark.filterwarnings("ignore")

RIGHT = "def double(n):\n    return 2 * n\n"
WRONG = "def double(n):\n    return n\n"
HOSTILE = "import os\nos._exit(0)\n"
TESTS = {"test_app.py": "from expected import app\ndef test_two(): assert app.double(2) == 4\n"}

Evaluate = Callable[..., list[EvalSample]]


def said(text: str) -> ModelOutput:
    output = ModelOutput.from_content("mockllm/model", text)
    output.usage = ModelUsage()  # else the mock model wants to count tokens, by a download
    return output


def fenced(code: str) -> str:
    return f"Here it is:\n\n```python app.py\n{code}```\n"


@pytest.fixture
def sample(make_sample: MakeSample) -> Sample:
    return make_sample({"app.py": RIGHT}, TESTS)


@pytest.fixture
def evaluate(sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Evaluate:
    monkeypatch.setenv("SDKBENCH_CACHE", str(CACHE))
    answers.shared_judge.cache_clear()
    where = str(sample.root.parent.parent)

    def run(outputs: Iterable[ModelOutput], epochs: int = 1, **options: object) -> list[EvalSample]:
        task = inspect_tasks.sdk_task(sdk="demo", samples_dir=where, **options)  # type: ignore[arg-type]
        model = get_model("mockllm/model", custom_outputs=list(outputs))
        [log] = inspect_ai.eval(
            task, model=model, log_dir=str(tmp_path / "logs"), display="none", epochs=epochs
        )
        assert isinstance(log, EvalLog)
        assert log.samples is not None
        return log.samples

    return run


def test_right_wrong_and_hostile_answers(evaluate: Evaluate) -> None:
    samples = evaluate([said(fenced(code)) for code in (RIGHT, WRONG, HOSTILE)], epochs=3)
    scores = [each.scores["fcorr"] for each in samples if each.scores]
    by_answer = {score.answer: score for score in scores}
    assert [by_answer[fenced(code)].value for code in (RIGHT, WRONG, HOSTILE)] == [1.0, 0.0, 0.0]
    right = by_answer[fenced(RIGHT)].metadata
    assert right is not None
    assert (right["outcome"], right["assurance"]) == ("passed", "apart")
    wrong = by_answer[fenced(WRONG)]
    assert wrong.explanation
    assert "4" in wrong.explanation


def test_an_answer_without_a_file_is_the_starter(evaluate: Evaluate) -> None:
    [only] = evaluate([said("I can't do that.")])
    assert only.scores
    assert only.scores["fcorr"].value == 0.0


@pytest.mark.parametrize("integrity", ["checked", "apart"])
def test_a_killed_sandbox_is_an_error_of_the_sample_and_no_zero(
    evaluate: Evaluate, integrity: str
) -> None:
    [judged] = evaluate([said(fenced(RIGHT))], integrity=integrity)
    assert judged.scores
    endless = f"import time\ntime.sleep(200)\n{RIGHT}"  # only what kills it can end it in time
    with sandboxes_killed() as killed:
        [only] = evaluate([said(fenced(endless))], integrity=integrity)
    assert killed
    assert not only.scores
    assert only.error is not None
    assert "sandbox" in only.error.message


def test_an_agent_works_in_a_copy_of_the_starter(evaluate: Evaluate) -> None:
    write = f"cat > app.py <<'END'\n{RIGHT}END"
    act = ModelOutput.for_tool_call("mockllm/model", "bash", {"command": write})
    act.usage = ModelUsage()
    done = ModelOutput.for_tool_call("mockllm/model", "submit", {"answer": "done"})
    done.usage = ModelUsage()
    [only] = evaluate([act, done], agent=True)
    assert only.error is None, only.error
    assert only.scores
    assert only.scores["fcorr"].value == 1.0


def test_the_shell_suite(tmp_path: Path) -> None:
    task = inspect_tasks.shell_task()
    cases = {item.id: item for item in task.dataset}
    chosen = [item for item in cases.values() if item.target and item.metadata][:2]
    outputs = [said(str(chosen[0].target)), said("rm -rf /")]
    [log] = inspect_ai.eval(
        task, model=get_model("mockllm/model", custom_outputs=outputs), max_connections=1,
        sample_id=[str(item.id) for item in chosen], log_dir=str(tmp_path), display="none",
    )  # fmt: skip
    assert sorted(each.scores["csr"].value for each in log.samples) == [0.0, 1.0]
    assert json.loads(log.model_dump_json())["status"] == "success"


def test_a_level_that_there_is_not(sample: Sample) -> None:
    where = str(sample.root.parent.parent)
    with pytest.raises(InputError, match="There are: off, checked, twinned, apart"):
        inspect_tasks.sdk_task(sdk="demo", samples_dir=where, integrity="odd")
