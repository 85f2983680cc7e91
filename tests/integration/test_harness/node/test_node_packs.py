"""Packs make a start quicker, and nothing else: no verdict changes, no judged run can write one."""

import hashlib
from pathlib import Path

import pytest

from sdkbench.core import Outcome
from sdkbench.datasets import Sample, load_sdk
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.subject import Options, Subject
from sdkbench.test_harness import FCorrResult, Harness
from sdkbench.test_harness.node import pack, session
from tests.support.places import CACHE, CORPUS
from tests.support.projects import Files, Judge, write

# Writes to every pack that it finds among its mounts, then answers as the reference does.
VANDAL = """
import { appendFileSync, chmodSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
let seen = 0
for (const line of readFileSync('/proc/self/mountinfo', 'utf8').split('\\n')) {
  const folder = line.split(' ')[4] ?? ''
  if (!folder.includes('/node-pack/')) continue
  seen += 1
  for (const name of readdirSync(folder)) {
    for (const spoil of [chmodSync, appendFileSync, writeFileSync]) {
      try { (spoil as any)(`${folder}/${name}`, spoil === chmodSync ? 0o777 : 'x') } catch {}
    }
  }
  try { writeFileSync(`${folder}/new.json`, 'x') } catch {}
}
if (!seen) throw new Error('no pack is mounted')
"""
TSCONFIG = '{"compilerOptions": {"strict": true, "noEmit": true}, "include": ["src"]}'


def task(framework: str) -> Sample:
    return load_sdk(CORPUS / framework, "sample")[0]


def verdict(result: FCorrResult) -> tuple[Outcome, list[str], int]:
    return result.outcome, sorted(result.failed_tests), result.tests_total


def packs() -> dict[str, str]:
    return {
        path.relative_to(CACHE).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (CACHE / pack.LANGUAGE).glob("environments/*/*")
    }


@pytest.mark.parametrize("framework", ["jest", "vitest", "mocha", "node_test"])
@pytest.mark.parametrize("folder", ["expected", "input"])
def test_verdicts_are_the_same_without_packs(
    framework: str, folder: str, harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample = task(framework)
    subject = Subject(sample.reference_dir.parent / folder, sample)
    with_packs = verdict(judge_attempt(subject, Options(), harness))
    for module in (pack, session):
        monkeypatch.setattr(module, "loaded_with", lambda _: {})
    assert verdict(judge_attempt(subject, Options(), harness)) == with_packs
    assert with_packs[0] is (Outcome.PASSED if folder == "expected" else Outcome.FAILED)


def test_a_judged_run_cannot_change_what_the_next_one_reads(
    harness: Harness, tmp_path: Path
) -> None:
    sample = task("jest")
    reference = Subject(sample.reference_dir, sample)
    assert judge_attempt(reference, Options(), harness).outcome is Outcome.PASSED
    before = packs()
    files = {
        path.relative_to(sample.reference_dir).as_posix(): path.read_text()
        for path in sample.reference_dir.rglob("*")
        if path.is_file()
    }
    vandal = write(tmp_path / "vandal", files | {
        "src/duration.ts": "// @ts-nocheck\n" + VANDAL + files["src/duration.ts"],
    })  # fmt: skip
    assert judge_attempt(Subject(vandal, sample), Options(), harness).outcome is Outcome.PASSED
    assert before
    assert packs() | before == packs()  # other tests may have added some meanwhile
    assert judge_attempt(reference, Options(), harness).outcome is Outcome.PASSED


@pytest.mark.parametrize(("place", "builds"), [("src", False), ("scripts", False), (None, True)])
def test_every_source_must_parse_whether_or_not_the_type_check_reads_it(
    place: str | None, *, builds: bool, judge: Judge
) -> None:
    files: Files = {
        "package.json": '{"name": "x", "type": "module"}',
        "tsconfig.json": TSCONFIG,
        "src/app.ts": "export const one = 1\n",
        "scripts/tool.ts": "export const two: number = 'not checked'\n",
        "tests/app.test.js": "import { test } from 'node:test'\ntest('is', () => {})\n",
    }
    if place:
        files[f"{place}/broken.ts"] = "export const = 1\n"
    result = judge(files)
    assert result.build_results is not None
    assert result.build_results.success is builds, result.build_results
