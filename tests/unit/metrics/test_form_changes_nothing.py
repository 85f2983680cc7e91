"""Other names, another layout, another order: the same code, so the same figures."""

import ast
import builtins
from collections.abc import Iterator, Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdkbench.core import Solution
from sdkbench.datasets import Sample, bundled_samples, load_sdk
from sdkbench.metrics.code.evaluator import sample_code
from sdkbench.metrics.code.facts import CodeFacts
from sdkbench.metrics.reading import read_against
from tests.support.nightly import samples_of_the_day

SAMPLES = load_sdk(bundled_samples(), "all")
IN_PYTHON = [sample for sample in SAMPLES if any(sample.reference_dir.rglob("*.py"))]
BRACES = {".ts", ".tsx", ".js", ".mjs", ".go", ".rs", ".java"}
IN_BRACES = [s for s in SAMPLES if any(p.suffix in BRACES for p in s.reference_dir.rglob("*"))]
WORDS = st.from_regex(r"[a-z]{3,9}_[a-z]{3,9}", fullmatch=True)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
MOST_POINTS = 1


def scores(texts: Mapping[str, str], sample: Sample) -> list[float | None]:
    code = sample_code(sample.ground_truth)
    return [result.score for result in read_against(CodeFacts(dict(texts)), code)]


def assert_alike(texts: Mapping[str, str], changed: Mapping[str, str], sample: Sample) -> None:
    for before, after in zip(scores(texts, sample), scores(changed, sample), strict=True):
        assert (before is None) == (after is None)
        assert abs((before or 0) - (after or 0)) <= MOST_POINTS


def code_of(sample: Sample) -> dict[str, str]:
    files = Solution(sample.reference_dir).files
    return {path: text for path, text in files.items() if path != "metadata.json"}


def local_names(module: ast.Module) -> list[str]:
    """Variables of functions that nothing else in the module shares a name with."""
    taken = set(dir(builtins))
    local: set[str] = set()
    for node in ast.walk(module):
        match node:
            case ast.Name(ctx=ast.Store(), id=name):
                local.add(name)
            case ast.arg(arg=name) | ast.keyword(arg=str(name)) | ast.Attribute(attr=name):
                taken.add(name)
            case ast.alias(name=name, asname=other):
                taken |= {name.partition(".")[0], other or name}
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                taken.add(node.name)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                taken |= set(names)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                taken.add(name)
            case ast.Constant(value=str(text)):
                taken.add(text)
    outer = (s for owner in classes_and(module) for s in owner.body if not isinstance(s, SCOPES))
    taken |= {n.id for s in outer for n in ast.walk(s) if isinstance(n, ast.Name)}
    return sorted(local - taken)


def classes_and(module: ast.Module) -> Iterator[ast.Module | ast.ClassDef]:
    yield module
    yield from (node for node in ast.walk(module) if isinstance(node, ast.ClassDef))


class Renamed(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(id=self.names.get(node.id, node.id), ctx=node.ctx)


def in_another_order(body: Sequence[ast.stmt], data: st.DataObject) -> list[ast.stmt]:
    """Plain functions change places among themselves: those that nothing needs while loading."""
    movable = [
        place
        for place, statement in enumerate(body)
        if isinstance(statement, ast.FunctionDef) and not statement.decorator_list
    ]
    moved = dict(zip(movable, data.draw(st.permutations(movable)), strict=True))
    return [body[moved.get(place, place)] for place in range(len(body))]


@pytest.mark.parametrize("sample", samples_of_the_day(IN_PYTHON))
@settings(max_examples=4)
@given(data=st.data())
def test_names_layout_and_order_in_python(sample: Sample, data: st.DataObject) -> None:
    texts = code_of(sample)
    changed = dict(texts)
    for path in [path for path in texts if path.endswith(".py")]:
        module = ast.parse(texts[path])
        chosen = data.draw(st.sets(st.sampled_from(local_names(module) or ["_"])))
        names = {name: f"{data.draw(WORDS)}_{i}" for i, name in enumerate(sorted(chosen))}
        module = Renamed(names).visit(module)
        module.body = in_another_order(module.body, data)
        # Without comments, with other quotes, brackets and line ends.
        changed[path] = ast.unparse(ast.fix_missing_locations(module))
    assert_alike(texts, changed, sample)


@pytest.mark.parametrize("sample", samples_of_the_day(IN_BRACES))
@settings(max_examples=4)
@given(remark=WORDS, blank=st.integers(0, 3))
def test_layout_and_remarks_elsewhere(sample: Sample, remark: str, blank: int) -> None:
    texts = code_of(sample)
    changed = {
        path: text if "`" in text or not path.endswith(tuple(BRACES)) else ""
        for path, text in texts.items()
    }
    for path in [path for path, text in changed.items() if not text]:
        for line in texts[path].splitlines():
            ends = line.rstrip().endswith((";", "{", "}"))
            changed[path] += line + (f"  // {remark}" if ends else "") + "\n" * (1 + blank * ends)
    assert_alike(texts, changed, sample)
