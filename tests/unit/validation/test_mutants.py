"""Mutants of references: which mistakes are made where, in every language."""

import json
from pathlib import Path

import pytest

from sdkbench.datasets import load_sample
from sdkbench.validation.mutants import Mutant, mutants_of
from sdkbench.validation.operators import edits_at
from sdkbench.validation.syntax import parsed
from tests.support.projects import write


def mutants(tmp_path: Path, name: str, text: str, starter: str = "") -> list[Mutant]:
    root = tmp_path / "demo" / "demo_001"
    write(root, {f"expected/{name}": text, f"input/{name}": starter, "tests/test_x.py": ""})
    metadata = {"sample_id": "demo_001", "sdk": "demo", "task_type": 1}
    (root / "expected" / "metadata.json").write_text(json.dumps(metadata))
    return mutants_of(load_sample(root))


def changes(found: list[Mutant]) -> set[tuple[str, str]]:
    return {(mutant.operator, mutant.after) for mutant in found}


PYTHON = '''
def find(rows, limit):
    """Not a word of this."""
    if limit < 3 and rows:
        logger.info("looking for %s", limit)
        raise ValueError("too few")
    table.add(rows)
    return query(rows).limit(limit, strict=True)
'''


def test_python_mistakes(tmp_path: Path) -> None:
    assert changes(mutants(tmp_path, "app.py", PYTHON)) == {
        ("comparison", "if limit <= 3 and rows:"),
        ("connective", "if limit < 3 or rows:"),
        ("off by one", "if limit < 4 and rows:"),
        ("negated condition", "if not (limit < 3 and rows):"),
        ("dropped statement", "pass"),
        ("dropped call", "return query(rows)"),
        ("dropped option", "return query(rows).limit(limit)"),
        ("boolean", "return query(rows).limit(limit, strict=False)"),
        ("return value", "return None"),
    }


ASIDE = """
from typing import Literal, TypeVar

__all__ = ["find"]
T = TypeVar("T")
Kind = Literal["near", "far"]

@app.command("find")
def find(limit: int = typer.Option(10, help="as many as")) -> None:
    wait(seconds=5000)

if __name__ == "__main__":
    app("now")
"""


def test_what_nobody_tests_is_left_alone(tmp_path: Path) -> None:
    found = mutants(tmp_path, "app.py", ASIDE)
    assert {(mutant.operator, mutant.line) for mutant in found} == {
        ("text", 8),
        ("off by one", 9),
        ("dropped statement", 10),
        ("dropped option", 10),
    }


TYPESCRIPT = """
import { auth } from 'sdk'
type Kind = 'a' | 'b'
export async function load(id: string): Promise<Kind | undefined> {
  const user = await auth(id)
  if (user.name === 'ada') await save(user, { retries: 3 })
  console.log('saved')
  return user.kind
}
"""


def test_typescript_mistakes(tmp_path: Path) -> None:
    assert changes(mutants(tmp_path, "src/app.ts", TYPESCRIPT)) == {
        ("dropped await", "const user = auth(id)"),
        ("comparison", "if (user.name !== 'ada') await save(user, { retries: 3 })"),
        ("text", "if (user.name === 'ada_') await save(user, { retries: 3 })"),
        ("dropped await", "if (user.name === 'ada') save(user, { retries: 3 })"),
        ("dropped statement", "if (user.name === 'ada') ;"),
        ("off by one", "if (user.name === 'ada') await save(user, { retries: 4 })"),
        ("dropped option", "if (user.name === 'ada') await save(user, {  })"),
        ("return value", "return undefined"),
    }


def test_elements_of_a_page_are_left_out(tmp_path: Path) -> None:
    text = 'export const Page = () => <main className="x"><Link href="/a">A</Link></main>\n'
    assert changes(mutants(tmp_path, "app/page.tsx", text)) == {
        ("dropped element", "export const Page = () => <></>"),
        ("dropped element", 'export const Page = () => <main className="x"><></></main>'),
        ("text", 'export const Page = () => <main className="x"><Link href="/a_">A</Link></main>'),
    }


GO = """package notes

func Count(text string, most int) (int, error) {
	if most < 1 {
		return 0, fmt.Errorf("most is %d", most)
	}
	store.Close()
	return len(text) + 1, nil
}
"""


def test_go_mistakes(tmp_path: Path) -> None:
    assert changes(mutants(tmp_path, "notes.go", GO)) == {
        ("comparison", "if most <= 1 {"),
        ("off by one", "if most < 2 {"),
        ("negated condition", "if !(most < 1) {"),
        ("off by one", 'return 1, fmt.Errorf("most is %d", most)'),
        ("return value", "return 0, nil"),
        ("dropped statement", "{}"),
        ("arithmetic", "return len(text) - 1, nil"),
        ("off by one", "return len(text) + 2, nil"),
    }


RUST = """
pub fn level(stock: &Stock, name: &str) -> Option<u64> {
    if name.is_empty() {
        return None;
    }
    stock.touch(name)?;
    Some(stock.count(name) * 2)
}
"""


def test_rust_mistakes(tmp_path: Path) -> None:
    assert changes(mutants(tmp_path, "src/lib.rs", RUST)) == {
        ("negated condition", "if !(name.is_empty()) {"),
        ("dropped statement", "();"),
        ("return value", "None"),
        ("arithmetic", "Some(stock.count(name) / 2)"),
        ("off by one", "Some(stock.count(name) * 3)"),
    }


JAVA = """
package shop;

public final class Shop {
    @Deprecated(since = "1")
    public String name(int number) {
        if (number >= 2) {
            list.add("item");
        }
        return builder.with(number).build();
    }
}
"""


def test_java_mistakes(tmp_path: Path) -> None:
    assert changes(mutants(tmp_path, "src/Shop.java", JAVA)) == {
        ("comparison", "if (number > 2) {"),
        ("off by one", "if (number >= 3) {"),
        ("negated condition", "if (!(number >= 2)) {"),
        ("dropped statement", ";"),
        ("text", 'list.add("item_");'),
        ("dropped call", "return builder.with(number);"),
        ("return value", "return null;"),
    }


def test_a_step_of_a_chain_is_told_where_it_stands(tmp_path: Path) -> None:
    text = "rows = (\n    table.search()\n    .where(a)\n    .limit(b)\n)\n"
    found = mutants(tmp_path, "app.py", text)
    assert [(m.line, m.before, m.after) for m in found if m.operator == "dropped call"] == [
        (3, ".where(a)", "without .where(a)"),
        (4, ".limit(b)", "without .limit(b)"),
    ]


def test_lines_that_the_starter_has_are_left_alone(tmp_path: Path) -> None:
    given = "LIMIT = 10\n\n\ndef double(n):\n"
    found = mutants(
        tmp_path, "app.py", f"{given}    return n * 2\n", f"{given}    raise NotImplementedError\n"
    )
    assert {mutant.line for mutant in found} == {5}


def test_the_same_ones_are_chosen_each_time_over_as_many_lines_as_can_be(tmp_path: Path) -> None:
    text = "".join(f"def f{n}(a):\n    return a + {n} if a < {n} else a - {n}\n" for n in range(60))
    found = mutants(tmp_path, "app.py", text)
    assert len(found) == 40
    assert len({mutant.line for mutant in found}) == 40
    again = tmp_path / "again"
    again.mkdir()
    assert [m[:5] for m in mutants(again, "app.py", text)] == [m[:5] for m in found]


def test_sources_in_other_encodings_make_no_trouble(tmp_path: Path) -> None:
    root = tmp_path / "demo" / "demo_001"
    write(root, {"expected/app.py": b"x = '\xff'\n", "tests/test_x.py": ""})
    metadata = {"sample_id": "demo_001", "sdk": "demo", "task_type": 1}
    (root / "expected" / "metadata.json").write_text(json.dumps(metadata))
    assert mutants_of(load_sample(root)) == []


@pytest.mark.parametrize("name", ["a.py", "a.ts", "a.go", "a.rs", "a.java", "a.js"])
def test_what_is_no_source_has_no_edits(name: str) -> None:
    source = parsed("}}} ((( nothing \x00 of this", name)
    assert list(edits_at(source.tree.root, source)) == []
