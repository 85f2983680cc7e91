"""Every file taken out of the recorded answers parses, by the parser of its language."""

import json
import tomllib
from pathlib import Path

from sdkbench.core import Placement
from sdkbench.generation.answers import read_answer
from sdkbench.generation.answers.languages import family_of_path
from sdkbench.sandbox import Command, Mount
from sdkbench.sandbox.command import WORKSPACE
from sdkbench.test_harness import Harness
from sdkbench.test_harness.node.environment import PARSER, node_program, tool
from sdkbench.test_harness.programs import tool_mounts
from tests.support.recorded_answers import recorded

PARSE = """
const ts = require(process.argv[2]), fs = require("fs"), path = require("path");
for (const name of fs.readdirSync(process.argv[3], { recursive: true })) {
  if (!/\\.[cm]?[jt]sx?$/.test(name)) continue;
  const text = fs.readFileSync(path.join(process.argv[3], name), "utf8");
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  for (const problem of file.parseDiagnostics)
    console.log(name + ": " + ts.flattenDiagnosticMessageText(problem.messageText, " "));
}
console.log("read");
"""


def extracted(root: Path) -> list[Path]:
    paths = []
    for case in recorded():
        for name, text in read_answer(case.text, case.starter).files.items():
            path = root / case.name / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text or "")
            paths.append(path)
    return paths


def test_every_extracted_file_parses(harness: Harness, tmp_path: Path) -> None:
    root = tmp_path / "files"
    paths = extracted(root)
    families = {family_of_path(str(path)) for path in paths}
    assert {"python", "script", "json", "markdown"} <= families
    for path in paths:
        if path.suffix == ".py":
            compile(path.read_text(), str(path), "exec")
        elif path.suffix == ".json":
            json.loads(path.read_text())
        elif path.suffix == ".toml":
            tomllib.loads(path.read_text())
    parser = tool(PARSER, harness)
    typescript = parser.path / "node_modules" / "typescript" / "lib" / "typescript.js"
    program = tmp_path / "parse.cjs"
    program.write_text(PARSE)
    with harness.cache.in_use(parser):
        done = harness.sandbox.run(
            Command(
                argv=(node_program(), str(program), str(typescript), f"{WORKSPACE}/files"),
                placements=(Placement(source=root, target="files"),),
                mounts=(*tool_mounts("node"), Mount(path=parser.path), Mount(path=program)),
            )
        )
    assert (done.stdout, done.stderr, done.exit_code) == ("read\n", "", 0)
