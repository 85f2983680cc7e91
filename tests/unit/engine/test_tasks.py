"""Keys of attempts: another one for all that may change a verdict, the same for all the rest."""

from pathlib import Path
from typing import NamedTuple

import pytest

from sdkbench.backends import Answer
from sdkbench.backends.known import KnownAnswers
from sdkbench.core import Integrity, ScoreMode
from sdkbench.datasets import load_sample
from sdkbench.engine import tasks
from sdkbench.engine.judging import JudgeSetup
from sdkbench.engine.models import OpenedModel, Suites, load_shell_set, plan_models
from sdkbench.engine.settings import RunSettings
from sdkbench.engine.tasks import sdk_tasks, shell_tasks
from sdkbench.generation import Generator, Settings, open_generator
from sdkbench.judge.subject import Options
from sdkbench.sandbox import Cancellation, Level
from sdkbench.shell import EvaluationSettings, TestCase, TestDataset
from tests.support.run_samples import SDK, sample_id, write_dataset, write_samples

ENVIRONMENT = {"OPENAI_API_KEY": "k" * 20}
MODEL = "openai:m@http://127.0.0.1:9/v1"
ASKING = EvaluationSettings()


class Keys(NamedTuple):
    attempt: str
    generation: str | None


class Bed(NamedTuple):
    root: Path

    @property
    def sample(self) -> Path:
        return self.root / SDK / sample_id(0)

    def of(self, spec: str = MODEL, trial: int = 0, **changes: object) -> Keys:
        """Of the first sample, with other options where `changes` names them."""
        level = Level(str(changes.pop("level", Level.BUBBLEWRAP)))
        asked = {k: changes.pop(k) for k in ("max_tokens", "docs") if k in changes}
        settings = Settings(environment=ENVIRONMENT)._replace(**asked)  # type: ignore[arg-type]
        options = Options()._replace(**changes)  # type: ignore[arg-type]
        sample = load_sample(self.sample)
        generator: Generator = open_generator(spec, settings, samples=[sample])
        found = list(sdk_tasks(generator, [sample], trial + 1, options, level))[trial].origin
        return Keys(found.key, found.generation_key)


@pytest.fixture
def bed(tmp_path: Path) -> Bed:
    return Bed(write_samples(tmp_path / "samples", 1))


@pytest.mark.parametrize(
    "path", ["tests/test_app.py", "tests/data/new.json", "expected/app.py", "../conftest.py"]
)
def test_other_tests_are_another_attempt_with_the_same_answer(bed: Bed, path: str) -> None:
    before = bed.of()
    (bed.sample / path).parent.mkdir(exist_ok=True)
    with (bed.sample / path).open("a") as file:
        file.write("# more\n")
    after = bed.of()
    assert after.attempt != before.attempt
    assert after.generation == before.generation


def test_another_starter_is_another_question(bed: Bed) -> None:
    before = bed.of()
    (bed.sample / "input" / "app.py").write_text("def answer(x): ...\n")
    after = bed.of()
    assert before.attempt != after.attempt
    assert before.generation != after.generation


@pytest.mark.parametrize(
    "changes",
    [
        {"mode": ScoreMode.WEIGHTED},
        {"integrity": Integrity.TWINNED},
        {"timeout": 5.0},
        {"level": Level.PLAIN},
    ],
)
def test_other_settings_are_another_attempt_with_the_same_answer(
    bed: Bed, changes: dict[str, object]
) -> None:
    before, after = bed.of(), bed.of(**changes)  # type: ignore[arg-type]
    assert before.attempt != after.attempt
    assert before.generation == after.generation


@pytest.mark.parametrize(
    "changes", [{"trial": 1}, {"spec": MODEL.replace(":m@", ":n@")}, {"max_tokens": 7},
                {"docs": "Call it twice."}],
)  # fmt: skip
def test_another_question_is_another_attempt(bed: Bed, changes: dict[str, object]) -> None:
    before, after = bed.of(), bed.of(**changes)  # type: ignore[arg-type]
    assert before.attempt != after.attempt
    assert before.generation != after.generation


def test_other_judges_are_another_attempt_with_the_same_answer(
    bed: Bed, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = bed.of()
    with monkeypatch.context() as patch:
        patch.setattr(tasks, "sdk_judges", lambda: "other code")
        after = bed.of()
    assert before.attempt != after.attempt
    assert before.generation == after.generation


def test_a_solution_at_hand_is_asked_of_nobody(bed: Bed, tmp_path: Path) -> None:
    folder = tmp_path / "mine" / sample_id(0)
    folder.mkdir(parents=True)
    (folder / "app.py").write_text("x = 1\n")
    spec = f"replay:{folder.parent}"
    before = bed.of(spec)
    assert before.generation is None
    assert bed.of(spec) == before
    (folder / "app.py").write_text("x = 2\n")
    assert bed.of(spec).attempt != before.attempt


def test_samples_that_moved_are_the_same(bed: Bed, tmp_path: Path) -> None:
    assert Bed(bed.root.rename(tmp_path / "elsewhere")).of() == Bed(tmp_path / "elsewhere").of()


def test_what_can_t_change_a_verdict_is_in_no_key(bed: Bed, tmp_path: Path) -> None:
    sample = load_sample(bed.sample)
    backend = KnownAnswers("known", {})
    judging = JudgeSetup(
        Options(), Level.PLAIN, lambda: pytest.fail("not to be opened"), Cancellation()
    )

    def planned(settings: RunSettings) -> frozenset[str]:
        model = OpenedModel("known", "known", open_generator("starter"), (backend,))
        sets = (load_shell_set(write_dataset(tmp_path / "tiny.toml"), None),)
        return plan_models([model], Suites((sample,), sets), settings, judging).keys()

    plain = planned(RunSettings())
    changes: list[dict[str, object]] = [
        {"workers": 7}, {"max_requests": 1}, {"label": "other"}, {"run_id": "mine"},
        {"store": "x.db"}, {"request_seconds": 1.0}, {"skip_generation": True}, {"resume": False},
        {"run_fcorr": False},
    ]  # fmt: skip
    for change in changes:
        assert planned(RunSettings.model_validate(change)) == plain
    assert len(plain) == 5


class Unknown:
    name = "asked"

    async def generate(self, prompt: str, **_more: object) -> Answer:
        raise NotImplementedError(prompt)

    async def close(self) -> None:
        pass


def shell(
    changes: dict[str, object] | None = None,
    *,
    answer: str | None = None,
    trial: int = 0,
    settings: EvaluationSettings = ASKING,
    posix: str = "",
) -> Keys:
    case = TestCase.model_validate(
        {
            "id": "one", "prompt": "List.", "expected_command": "ls", "category": "correctness",
            "safe": True, "posix_compliant": True,
        }
        | (changes or {})
    )  # fmt: skip
    data: dict[str, object] = {"version": "1", "name": "tiny", "test_cases": (case,)}
    dataset = TestDataset.model_validate(data | ({"posix": posix} if posix else {}))
    known = None if answer is None else KnownAnswers("asked", {case.prompt: answer})
    made = shell_tasks("asked", known or Unknown(), dataset, [case], trial + 1, settings)
    origin = list(made)[trial].origin
    return Keys(origin.key, origin.generation_key)


def test_keys_of_shell_cases_follow_case_question_and_settings() -> None:
    before = shell()
    assert shell() == before
    same_question = [
        shell({"expected_command": "ls -a"}),
        shell({"accepted_commands": ["ls ."]}),
        shell(settings=EvaluationSettings(timeout_seconds=1)),
    ]
    other_question = [
        shell({"prompt": "List all."}),
        shell(trial=1),
        shell(settings=EvaluationSettings(max_tokens=5)),
    ]
    assert {each.generation for each in same_question} == {before.generation}
    keys = [each.attempt for each in [before, *same_question, *other_question]]
    assert len(set(keys)) == len(keys)
    assert len({each.generation for each in [before, *other_question]}) == 4
    assert shell(settings=EvaluationSettings(concurrency=99)) == before


def test_another_answer_at_hand_is_another_attempt() -> None:
    asked, one, other = shell(), shell(answer="ls"), shell(answer="ls -a")
    assert len({asked.attempt, one.attempt, other.attempt}) == 3
    assert (one.generation, other.generation) == (None, None)
    assert shell(answer="ls") == one
