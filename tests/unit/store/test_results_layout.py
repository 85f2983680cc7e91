import json
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdkbench.core import Outcome
from sdkbench.errors import InputError
from sdkbench.store import Artefact, RunState, open_store
from sdkbench.store.results_layout import export_results, folder_name, import_results, name_of
from tests.support.projects import ProjectFactory
from tests.support.store.builder import FILES, attempt, key

PUBLIC = {
    "clerk/some-model/solutions/task_001/app/[[...x]]/page.tsx": "export default 1\n",
    "clerk/some-model/solutions/task_001/package.json": "{}\n",
    "clerk/some-model/solutions/task_001/llm_response.md": "Here you are.\n",
    "clerk/some-model/solutions/task_001/metrics/f_corr.json": '{"score": 100}\n',
    "clerk/some-model/solutions/task_001/generation_metadata.json": json.dumps(
        {"model": "some-model", "tokens_used": 12, "cost": 0.0, "files_generated": ["app.py"]}
    ),
    "clerk/other/solutions/task_001/metrics/util.py": "x = 1\n",
    "some-model/summary.json": "{}",
}
# Any name but those no file system holds as one component.
NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)


def files(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_any_name_is_one_component_and_comes_back(name: str) -> None:
    folder = folder_name(name)
    assert folder not in {"", ".", ".."}
    assert not set("/\\\0") & set(folder)
    assert name_of(folder) == name


@pytest.mark.parametrize("folder", ["gpt-4", "a%2", "100%", "a%41b", "model (new)"])
def test_an_unknown_folder_name_is_kept_as_it_is(folder: str) -> None:
    assert name_of(folder) == folder


def test_a_public_folder_is_imported_unjudged(project: ProjectFactory, tmp_path: Path) -> None:
    root = project(PUBLIC)
    with open_store(tmp_path / "store.db") as store:
        imported = import_results(store, root)
        assert (imported.attempts, imported.left_out) == (2, ())
        assert imported.run.state is RunState.FINISHED
        other, first = store.attempts(imported.run.id)
        assert (first.sdk, first.model, first.sample) == ("clerk", "some-model", "task_001")
        assert (first.outcome, first.score, first.cost_usd) == (Outcome.NOT_EXECUTED, 0.0, None)
        kinds = {each.name: each.kind for each in store.artefacts(imported.run.id, first.key)}
        assert kinds == {
            "app/[[...x]]/page.tsx": "solution",
            "package.json": "solution",
            "llm_response.md": "generation",
            "metrics/f_corr.json": "metrics",
            "generation_metadata.json": "generation",
        }
        assert store.artefacts(imported.run.id, other.key)[0].kind == "solution"
        assert store.finished_keys() == frozenset()


def test_what_was_imported_is_exported_byte_for_byte(
    project: ProjectFactory, tmp_path: Path
) -> None:
    root = project(PUBLIC)
    with open_store(tmp_path / "store.db") as store:
        run = import_results(store, root).run
        exported = export_results(store, run.id, tmp_path / "out")
    assert (exported.solutions, exported.left_out) == (2, ())
    written = files(tmp_path / "out")
    made = written.pop("clerk/other/solutions/task_001/generation_metadata.json")
    assert json.loads(made)["files_generated"] == ["metrics/util.py"]
    expected = files(root)
    del expected["some-model/summary.json"]
    assert written == expected


@settings(max_examples=25)
@given(st.dictionaries(NAMES, st.binary(max_size=50), min_size=1, max_size=4), NAMES, NAMES)
def test_solutions_survive_export_and_import(
    contents: dict[str, bytes], model: str, sample: str
) -> None:
    solution = [
        Artefact(kind="solution", name=f"src/{folder_name(name)}", data=data)
        for name, data in contents.items()
    ]
    solution.append(Artefact(kind="solution", name="llm_response.md", data=b"part of it"))
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder, "s.db")) as store:
        run = store.start_run()
        made = attempt(1, model=model, sample=sample)
        store.save_attempt(run.id, made, solution)
        assert export_results(store, run.id, Path(folder, "out")).solutions == 1
        again = import_results(store, Path(folder, "out")).run
        (back,) = store.attempts(again.id)
        assert (back.model, back.sample, back.sdk) == (made.model, made.sample, made.sdk)
        found = store.artefacts(again.id, back.key, "solution")
        assert {e.name: e.data for e in found} == {e.name: e.data for e in solution}


def test_a_judged_solution_is_exported_with_its_verdict(tmp_path: Path) -> None:
    with open_store(tmp_path / "store.db") as store:
        run = store.start_run()
        own = Artefact(kind="solution", name="generation_metadata.json", data=b"mine")
        answer = Artefact(kind="answer", name="answer", data=b"Here.")
        store.save_attempt(run.id, attempt(1), [*FILES, own, answer])
        store.save_attempt(run.id, attempt(2))
        store.save_attempt(run.id, attempt(3, trial=1), FILES)
        exported = export_results(store, run.id, tmp_path / "out")
    assert exported.solutions == 1
    assert len(exported.left_out) == 2
    place = tmp_path / "out" / "demo" / "model-a" / "solutions" / "demo_001"
    assert (place / "app.py").read_bytes() == FILES[0].data
    assert (place / "llm_response.md").read_bytes() == b"Here."
    assert json.loads((place / "metrics" / "f_corr.json").read_text())["number"] == 1
    assert json.loads((place / "generation_metadata.json").read_text())["tokens_used"] == 100


def test_tokens_and_cost_go_out_and_come_in(tmp_path: Path) -> None:
    with open_store(tmp_path / "store.db") as store:
        run = store.start_run()
        made = attempt(1, input_tokens=100, output_tokens=7, cost_usd=0.25)
        store.save_attempt(run.id, made, FILES)
        export_results(store, run.id, tmp_path / "out")
        again = import_results(store, tmp_path / "out").run
        (back,) = store.attempts(again.id)
    assert (back.input_tokens, back.output_tokens, back.cost_usd) == (100, 7, 0.25)


@pytest.mark.parametrize(
    "told",
    [
        {"files_generated": [{"path": "app.py"}, ["app.py"], None]},
        {"input_tokens": -1, "output_tokens": 1e9, "cost": "much"},
        {"input_tokens": 10**400, "cost": 10**400, "usage": {"input_tokens": "many", "cost": -1}},
    ],
)
def test_odd_metadata_keeps_no_solution_out(
    project: ProjectFactory, tmp_path: Path, told: dict[str, object]
) -> None:
    place = "a/m/solutions/s"
    root = project({f"{place}/app.py": "1", f"{place}/generation_metadata.json": json.dumps(told)})
    with open_store(tmp_path / "store.db") as store:
        imported = import_results(store, root)
        assert imported.left_out == ()
        (found,) = store.attempts(imported.run.id)
    assert (found.input_tokens, found.output_tokens, found.cost_usd) == (None, None, None)
    # This is what the row gets when the solution is judged.
    nothing = {"input_tokens": None, "output_tokens": None, "cost": None}
    assert found.result["generation"] == told | {"usage": nothing}


def test_an_export_never_writes_over_what_is_there(tmp_path: Path) -> None:
    place = tmp_path / "out" / "demo" / "model-a" / "solutions" / "demo_002"
    place.mkdir(parents=True)
    with open_store(tmp_path / "store.db") as store:
        run = store.start_run()
        for number in (1, 2):
            store.save_attempt(run.id, attempt(number), FILES)
        with pytest.raises(InputError, match="exists already"):
            export_results(store, run.id, tmp_path / "out")
    assert files(tmp_path / "out") == {}


def test_a_second_solution_of_the_same_place_is_reported(tmp_path: Path) -> None:
    with open_store(tmp_path / "store.db") as store:
        run = store.start_run()
        store.save_attempt(run.id, attempt(1), FILES)
        store.save_attempt(run.id, attempt(1, key=key(99)), FILES)
        exported = export_results(store, run.id, tmp_path / "out")
    assert exported.solutions == 1
    assert len(exported.left_out) == 1


def test_what_can_t_be_stored_whole_is_left_out_and_reported(
    project: ProjectFactory, tmp_path: Path
) -> None:
    root = project({"a/m/solutions/good/app.py": "1", "a/m/solutions/none/llm_response.md": "1"})
    (root / "a/m/solutions/empty").mkdir()
    bad = root / "a/m/solutions/odd"
    bad.mkdir()
    (bad / os.fsdecode(b"caf\xe9.py")).write_text("1")
    (root / "a/m/solutions/out").symlink_to("/etc")
    with open_store(tmp_path / "store.db") as store:
        imported = import_results(store, root)
        assert imported.attempts == 1
        assert sorted(sentence.partition(":")[0] for sentence in imported.left_out) == [
            "a/m/solutions/empty",
            "a/m/solutions/none",
            "a/m/solutions/odd",
        ]


def test_a_folder_without_solutions_makes_no_run(project: ProjectFactory, tmp_path: Path) -> None:
    with open_store(tmp_path / "store.db") as store:
        with pytest.raises(InputError, match="no solutions"):
            import_results(store, project({"README.md": "x"}))
        assert store.runs() == []


def test_a_prompt_is_no_file_of_the_solution(project: ProjectFactory, tmp_path: Path) -> None:
    """Unless it is listed, or no answer stands beside it."""
    root = project(
        {
            "a/m/solutions/beside/app.py": "1",
            "a/m/solutions/beside/prompt.md": "Do it.",
            "a/m/solutions/beside/llm_response.md": "Done.",
            "a/m/solutions/own/app.py": "1",
            "a/m/solutions/own/prompt.md": "Mine.",
        }
    )
    with open_store(tmp_path / "store.db") as store:
        imported = import_results(store, root)
        kinds = {
            attempt.sample: {
                each.name: each.kind for each in store.artefacts(imported.run.id, attempt.key)
            }["prompt.md"]
            for attempt in store.attempts(imported.run.id)
        }
    assert kinds == {"beside": "generation", "own": "solution"}
