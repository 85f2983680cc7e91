"""The attack corpus: entries are laid out over what they share; a broken corpus says why."""

import json
from pathlib import Path

import pytest

from sdkbench.datasets import Kind, bundled_corpus, load_corpus
from sdkbench.datasets.layers import Layers
from sdkbench.errors import InputError, SampleError
from tests.support.places import CORPUS
from tests.support.projects import ProjectFactory, contents

METADATA = json.dumps({"sample_id": "task", "sdk": "demo", "task_type": 1})
DESCRIBED = """
[pytest.base]
trick = "Wrong; trick.py is to get it through."

[pytest.attacks.skips]
about = "Skips."
base = ["trick"]

[pytest.honest.plain]
about = "Right."
"""
FILES = {
    "corpus.toml": DESCRIBED,
    "pytest/sample/task/expected/metadata.json": METADATA,
    "pytest/sample/task/tests/test_app.py": "",
    "pytest/base/trick/app.py": "import trick\n",
    "pytest/base/trick/deep/note.txt": "note\n",
    "pytest/attacks/skips/trick.py": "skip()\n",
    "pytest/honest/plain/app.py": "right\n",
}


def test_an_entry_is_its_base_with_its_own_files_on_top(
    project: ProjectFactory, tmp_path: Path
) -> None:
    own = {"pytest/attacks/skips/deep/note.txt": "other\n"}
    attack, honest = load_corpus(project(FILES | own))
    assert (attack.framework, attack.kind, attack.name) == ("pytest", Kind.ATTACK, "skips")
    assert attack.about == "Skips."
    assert contents(attack.solution.lay_out(tmp_path / "attack")) == {
        "app.py": "import trick\n", "deep/note.txt": "other\n", "trick.py": "skip()\n"
    }  # fmt: skip
    assert contents(honest.solution.lay_out(tmp_path / "honest")) == {"app.py": "right\n"}


def test_files_of_the_base_can_be_removed(project: ProjectFactory, tmp_path: Path) -> None:
    removed = DESCRIBED.replace('trick"]', 'trick"]\nremoved = ["deep/note.txt"]')
    [attack, _] = load_corpus(project(FILES | {"corpus.toml": removed}))
    laid_out = attack.solution.lay_out(tmp_path / "attack")
    assert sorted(path.name for path in laid_out.rglob("*")) == ["app.py", "trick.py"]


def test_modes_and_links_are_kept_and_no_link_is_written_through(tmp_path: Path) -> None:
    shared, own = tmp_path / "shared", tmp_path / "own"
    for folder in (shared, own):
        folder.mkdir()
    (tmp_path / "outside").write_text("untouched")
    (shared / "run.sh").write_text("")
    (shared / "run.sh").chmod(0o755)
    (shared / "text").symlink_to(tmp_path / "outside")
    (shared / "file").write_text("")
    (own / "text").write_text("own")
    (own / "file").symlink_to("run.sh")
    laid_out = Layers((shared,), own).lay_out(tmp_path / "solution")
    assert (laid_out / "run.sh").stat().st_mode & 0o777 == 0o755
    assert (laid_out / "text").read_text() == "own"
    assert (laid_out / "file").readlink() == Path("run.sh")
    assert (tmp_path / "outside").read_text() == "untouched"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"pytest/attacks/silent/app.py": ""}, "silent is not described in corpus.toml"),
        ({"pytest/base/other/app.py": ""}, "Add the base 'other' there"),
        ({"mocha/attacks/one/app.js": ""}, "Add the framework 'mocha' there"),
        ({"corpus.toml": DESCRIBED + '[pytest.wrong.lost]\nabout = "x"'}, "no folder .*wrong/lost"),
        ({"corpus.toml": DESCRIBED + '[mocha.wrong.lost]\nabout = "x"'}, "no folder .*mocha"),
        ({"corpus.toml": DESCRIBED.replace('["trick"]', '["trik"]')}, "'trik'.*There are: trick"),
        ({"corpus.toml": DESCRIBED.replace('"Skips."', '""')}, "pytest.attacks.skips.about"),
        ({"corpus.toml": DESCRIBED.replace("base =", "basis =")}, "wrong at .*skips.basis"),
        ({"corpus.toml": DESCRIBED + "removed = ['app.py']"}, "plain is to be without .*app.py"),
        ({"corpus.toml": DESCRIBED + "removed = ['../x']"}, "starts from nothing of that name"),
        ({"corpus.toml": "[pytest"}, "cannot be read"),
    ],
)  # fmt: skip
def test_a_broken_corpus_is_refused_with_a_reason(
    project: ProjectFactory, changed: dict[str, str], message: str
) -> None:
    with pytest.raises(SampleError, match=message):
        load_corpus(project(FILES | changed))


def test_what_is_no_corpus_is_refused(project: ProjectFactory, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no attack corpus: it has no corpus\.toml"):
        load_corpus(tmp_path)
    with pytest.raises(InputError, match=r"No attacks on 'cobol'.*There are: pytest"):
        load_corpus(project(FILES), ("cobol",))


def test_the_bundled_corpus_has_no_copies_beside_its_base() -> None:
    assert bundled_corpus() == CORPUS
    for entry in load_corpus(CORPUS):
        bases, own, _ = entry.solution
        shared = {name: text for base in bases for name, text in _bytes(base).items()}
        assert _bytes(own)
        assert not shared.items() & _bytes(own).items(), entry.name


def _bytes(root: Path) -> dict[str, bytes]:
    files = (path for path in root.rglob("*") if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}
