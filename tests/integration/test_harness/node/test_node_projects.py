"""JavaScript and TypeScript projects of odd shapes, and what strangers put into package.json."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sdkbench.core import Fault, Outcome
from sdkbench.datasets import Sample
from sdkbench.environments import Cache
from sdkbench.environments.installation import provide
from sdkbench.errors import EnvironmentFault
from sdkbench.sandbox import Sandbox
from sdkbench.test_harness import Harness
from sdkbench.test_harness.node.environment import NodeRecipe, NodeRequest
from tests.support.node.packages import TEST, package
from tests.support.projects import Files, Judge, MakeSample

Project = Callable[[Files], Path]

BAD_PACKAGES = {
    "not JSON": ("{", "not JSON"),
    "an array": ("[]", "must hold a JSON object, not an array"),
    "50 MB": (" " * 50_000_000 + "{}", "larger than 2 MiB"),
    "dependencies of the wrong kind": ('{"dependencies": []}', "must be an object"),
    "a package that does not exist": (
        package(dependencies={"no-such-package-of-this-name-93": "1.0.0"}),
        "could not be found",
    ),
    "a version that does not exist": (package(dependencies={"left-pad": "99.0.0"}), "left-pad@99"),
    "a git URL": (package(dependencies={"evil": "git+https://example.invalid/x.git"}), "registry"),
    "a GitHub short cut": (package(dependencies={"evil": "someone/evil"}), "not of the registry"),
    "a path": (package(dependencies={"evil": "file:../../etc"}), "not of the registry"),
}


@pytest.mark.parametrize("case", BAD_PACKAGES)
def test_a_bad_package_json_is_an_install_failure_with_its_reason(judge: Judge, case: str) -> None:
    text, reason = BAD_PACKAGES[case]
    result = judge({"package.json": text, "tests/a.test.mjs": TEST})
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.INSTALL)
    assert reason in (result.error or "")


def test_lifecycle_scripts_do_not_run_and_the_test_script_has_no_say(judge: Judge) -> None:
    scripts = {
        "preinstall": "touch /tmp/ran",
        "postinstall": "rm -rf ~",
        "pretest": "exit 1",
        "test": "echo '5 passing'",
    }
    failing = "import { test } from 'node:test'\ntest('fails', () => { throw new Error('no') })\n"
    files = {"package.json": package(scripts=scripts), "tests/a.test.js": failing}
    result = judge(files)
    assert (result.outcome, result.tests_total, result.tests_passed) == (Outcome.FAILED, 1, 0)


def test_a_node_modules_of_its_own_is_ignored_and_circular_links_are_harmless(
    judge: Judge, tmp_path: Path
) -> None:
    folder = tmp_path / "solution"
    (folder / "src").mkdir(parents=True)
    (folder / "loop").symlink_to(folder)
    (folder / "src" / "round").symlink_to(folder / "src")
    result = judge(
        {
            "package.json": package(),
            "node_modules/planted/index.js": "export default 1\n",
            "tests/a.test.js": "import planted from 'planted'\n" + TEST,
        }
    )
    assert result.outcome is Outcome.FAILED
    assert "planted" in (result.error or "")
    assert any("node_modules/ is ignored" in note for note in result.notes)


def test_a_project_without_package_json_is_judged(judge: Judge) -> None:
    assert judge({"tests/a.test.mjs": TEST}).outcome is Outcome.PASSED


def test_build_scripts_run_before_the_tests_which_see_what_they_made(judge: Judge) -> None:
    test = "import made from '../dist/made.js'\n" + TEST
    script = "mkdir -p dist && echo 'export default 1' > dist/made.js"
    files = {"package.json": package(scripts={"build": script}), "tests/a.test.js": test}
    assert judge(files).outcome is Outcome.PASSED
    broken = judge({**files, "package.json": package(scripts={"build": "echo oh dear; exit 3"})})
    assert (broken.outcome, broken.fault) == (Outcome.FAILED, Fault.BUILD)
    assert "oh dear" in (broken.error or "")


def test_a_type_error_is_a_build_failure_with_its_place(judge: Judge) -> None:
    result = judge(
        {
            "package.json": package(),
            "tsconfig.json": '{"compilerOptions": {"strict": true, "noEmit": true}}',
            "src/app.ts": "export const n: number = 'text'\n",
            "tests/a.test.mjs": TEST,
        }
    )
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.BUILD)
    assert "src/app.ts(1,14): error TS2322" in (result.error or "")


def test_a_syntax_error_in_plain_javascript_is_a_build_failure(judge: Judge) -> None:
    files = {"package.json": package(), "src/app.js": "let = = 1\n", "tests/a.test.js": TEST}
    result = judge(files)
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.BUILD)


def test_workspaces_and_path_aliases_resolve(judge: Judge) -> None:
    result = judge(
        {
            "package.json": package(private=True, workspaces=["packages/*"]),
            "packages/core/package.json": json.dumps(
                {"name": "@me/core", "version": "1.0.0", "type": "module", "main": "index.js"}
            ),
            "packages/core/index.js": "export const one = 1\n",
            "tsconfig.json": '{\n  // comments are fine here\n  "compilerOptions": {"paths": '
            '{"@/*": ["./src/*"]}, "module": "esnext", "moduleResolution": "bundler",},\n}',
            "src/two.ts": "export const two = 2\n",
            "tests/a.test.ts": "import { expect, test } from 'vitest'\n"
            "import { one } from '@me/core'\nimport { two } from '@/two'\n"
            "test('adds', () => expect(one + two).toBe(3))\n",
        }
    )
    assert result.outcome is Outcome.PASSED, result.error


def test_jsx_renders_in_jest_and_vitest(judge: Judge) -> None:
    for imports in ("@jest/globals", "vitest"):
        result = judge(
            {
                "package.json": json.dumps(
                    {"name": "x", "dependencies": {"react": "19.2.3", "react-dom": "19.2.3"}}
                ),
                "src/App.jsx": "export default function App() { return <b>hello</b> }\n",
                "tests/a.test.jsx": f"import {{ expect, test }} from '{imports}'\n"
                "import { render, screen } from '@testing-library/react'\n"
                "import App from '../src/App.jsx'\n"
                "test('shows', () => {\n  render(<App />)\n"
                "  expect(screen.getByText('hello')).toBeTruthy()\n})\n",
            }
        )
        assert result.outcome is Outcome.PASSED, result.error


@pytest.fixture
def public_sample(make_sample: MakeSample) -> Sample:
    """As public datasets have them: text read from ../expected, and no jest declared."""
    return make_sample(
        {
            "package.json": json.dumps({"name": "app", "dependencies": {"react": "19.2.3"}}),
            "app/layout.tsx": "type Props = { children: unknown }\n"
            "export default function Layout({ children }: Props) {\n"
            "  return <html><body>{children as never}</body></html>\n}\n",
        },
        {
            "layout.test.ts": "import { describe, expect, it } from '@jest/globals'\n"
            "import { readFileSync } from 'fs'\nimport { join } from 'path'\n"
            "const text = readFileSync(join(__dirname, '../expected/app/layout.tsx'), 'utf8')\n"
            "describe('layout', () => {\n"
            "  it('is a component', () => expect(text).toMatch('<html>'))\n})\n"
        },
    )


def test_public_samples_load_unchanged(judge: Judge, public_sample: Sample) -> None:
    layout = "export default function L({ children }) { return <html>{children}</html> }\n"
    right = judge({"app/layout.tsx": layout}, public_sample)
    assert (right.outcome, right.framework, right.language) == (
        Outcome.PASSED, "jest", "typescript",
    )  # fmt: skip
    wrong = judge({"app/layout.tsx": "export default () => null\n"}, public_sample)
    assert wrong.outcome is Outcome.FAILED


TRICKS: dict[str, Files] = {
    "a jest configuration": {"jest.config.js": "module.exports = { testMatch: ['**/mine.js'] }\n"},
    "a jest section": {"package.json": '{"name": "x", "jest": {"passWithNoTests": true}}'},
    "a reporter": {"jest.config.json": '{"reporters": ["./r.js"]}', "r.js": "process.exit(0)\n"},
    "tests of its own": {"layout.test.ts": "test('mine', () => {})\n"},
    "a babel configuration": {"babel.config.js": "process.exit(0)\n"},
    "an swc configuration": {".swcrc": "{ not even JSON"},
}


@pytest.mark.parametrize(
    "tricks", [[*TRICKS], *(pytest.param([trick], marks=pytest.mark.nightly) for trick in TRICKS)],
    ids="+".join,
)  # fmt: skip
def test_a_solutions_own_configuration_has_no_say(
    judge: Judge, public_sample: Sample, tricks: list[str]
) -> None:
    files = {name: text for trick in tricks for name, text in TRICKS[trick].items()}
    wrong = judge({"app/layout.tsx": "export default 1\n", **files}, public_sample)
    assert wrong.outcome is Outcome.FAILED
    layout = "export default function L({ children }) { return <html>{children}</html> }\n"
    right = judge({"app/layout.tsx": layout, **files}, public_sample)
    assert right.outcome is Outcome.PASSED, right.error


IS_NUMBER_6 = (
    "sha512-Wu1VHeILBK8KAWJUAiSZQX94GmOE45Rg6/538fKwiloUu21KncEkYGPq"
    "ob2oSZ5mUT73vLGrHQjKw3KMPwfDzg=="
)


@pytest.mark.parametrize("lock", ["package-lock.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock"])
def test_the_projects_lock_file_decides_versions(judge: Judge, lock: str) -> None:
    """is-number is asked for loosely and locked to an old version."""
    npm = ["npm", "config", "get", "registry"]
    registry = subprocess.run(npm, capture_output=True, text=True, check=True).stdout.strip()
    texts = {
        "package-lock.json": json.dumps(
            {
                "name": "x", "lockfileVersion": 3, "requires": True,
                "packages": {
                    "": {"name": "x", "dependencies": {"is-number": "*"}},
                    "node_modules/is-number": {
                        "version": "6.0.0",
                        "integrity": IS_NUMBER_6,
                    },
                },
            }
        ),
        "yarn.lock": '# yarn lockfile v1\n\n\nis-number@*:\n  version "6.0.0"\n'
        f'  resolved "{registry}is-number/-/is-number-6.0.0.tgz"\n  integrity {IS_NUMBER_6}\n',
        "pnpm-lock.yaml": "lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n"
        "      is-number:\n        specifier: '*'\n        version: 6.0.0\n\npackages:\n\n"
        f"  is-number@6.0.0:\n    resolution: {{integrity: {IS_NUMBER_6}}}\n"
        "\nsnapshots:\n\n  is-number@6.0.0: {}\n",
        "bun.lock": '{\n  "lockfileVersion": 1,\n  "workspaces": {\n    "": {\n      "name": "x",\n'
        '      "dependencies": {\n        "is-number": "*",\n      },\n    },\n  },\n'
        '  "packages": {\n'
        f'    "is-number": ["is-number@6.0.0", "", {{}}, "{IS_NUMBER_6}"],\n'
        "  }\n}\n",
    }  # fmt: skip
    test = (
        "import { test } from 'node:test'\nimport assert from 'node:assert'\n"
        "import { createRequire } from 'node:module'\n"
        "const found = createRequire(import.meta.url)('is-number/package.json').version\n"
        "test('is locked', () => assert.equal(found, '6.0.0'))\n"
    )
    files = {"package.json": package(dependencies={"is-number": "*"}), "a.test.js": test}
    result = judge({**files, lock: texts[lock]})
    assert result.outcome is Outcome.PASSED, result.error


def test_a_registry_that_cannot_be_reached_is_our_error(
    harness: Harness, sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = NodeRequest(dependencies={"is-number": "7.0.0"}, overrides={})
    provide(NodeRecipe(request, harness.cache, sandbox))  # bun itself is there now
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9/")
    with pytest.raises(EnvironmentFault, match=r"not reachable|Cannot fetch bun"):
        provide(NodeRecipe(request, Cache(tmp_path / "cache"), sandbox))
    monkeypatch.undo()


def test_what_a_build_leaves_beside_the_tests_is_removed(
    judge: Judge, make_sample: MakeSample
) -> None:
    sample = make_sample(
        {"package.json": package(), "app.js": "export const f = () => 3\n"},
        {
            "a.test.js": "import { expect, test } from 'vitest'\n"
            "import { f } from '../expected/app.js'\n"
            "test('is three', () => expect(f()).toBe(3))\n"
        },
    )
    plant = "export default [{ test: { include: [] }, plugins: [{ name: 'x', transform: (c) => "
    plant += "c.replace('toBe(3)', 'toBe(0)') }] }]"
    wrong = {
        "package.json": package(scripts={"build": "cp evil.mjs ../vitest.workspace.mjs"}),
        "app.js": "export const f = () => 0\n",
        "evil.mjs": plant,
    }
    result = judge(wrong, sample)
    assert (result.outcome, result.tests_total) == (Outcome.FAILED, 1)


@pytest.mark.parametrize(
    ("files", "outcome"),
    [
        ({"env/index.js": "export const one = 1\n"}, Outcome.PASSED),
        ({"tsconfig.json": "/* " * 60_000}, Outcome.FAILED),
        ({"broken.ts": "this is not ((( typescript\n"}, Outcome.FAILED),
    ],
    ids=["a folder called env", "a tsconfig that never ends", "a file that does not parse"],
)
def test_odd_projects_are_recognised_correctly(
    judge: Judge, files: Files, outcome: Outcome
) -> None:
    test = "import { test } from 'node:test'\n"
    test += "test('loads', async () => { await import('../env/index.js').catch(() => {}) })\n"
    result = judge({"package.json": package(), "tests/a.test.js": test, **files})
    assert result.outcome is outcome, result.error


def test_assets_aliases_and_decorators_of_an_own_jest_project_work(judge: Judge) -> None:
    result = judge(
        {
            "package.json": json.dumps({"name": "x", "scripts": {"prebuild": "true"}}),
            "tsconfig.json": '{"compilerOptions": {"paths": {"@lib": ["./src/lib.ts"]}, '
            '"experimentalDecorators": true, "module": "commonjs", "esModuleInterop": true}}',
            "src/lib.ts": "import './style.css'\nfunction mark(t: object, k: string) {}\n"
            "export class A { @mark name = 'a' }\n",
            "src/style.css": "body {}\n",
            "src/css.d.ts": "declare module '*.css'\n",
            "tests/a.test.ts": "import { expect, test } from '@jest/globals'\n"
            "import { A } from '@lib'\ntest('is a', () => expect(new A().name).toBe('a'))\n",
        }
    )
    assert result.outcome is Outcome.PASSED, result.error


def test_optional_native_packages_are_installed_whatever_was_downloaded_before(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    """A compiler whose native half was left out would not run; downloads of other packages must
    not lead the installer to think that it has all it needs."""
    cache = Cache(tmp_path / "cache")
    provide(NodeRecipe(NodeRequest({"is-number": "7.0.0"}, {}), cache, sandbox))
    found = provide(NodeRecipe(NodeRequest({"esbuild": "0.27.2"}, {}), cache, sandbox))
    assert found.environment
    assert any(name.startswith("@esbuild/") for name in found.environment.packages)
