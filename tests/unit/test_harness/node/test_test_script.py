"""Which calls of test frameworks stand in the scripts of a package.json."""

import pytest

from sdkbench.test_harness.node.test_script import chosen, read_scripts, script_parts

CALLS = {
    "mocha": ["mocha"],
    "c8 --99 mocha -R spec --require ./a.js 'test/**/*.js'": [
        "mocha --require ./a.js 'test/**/*.js'"
    ],
    "cross-env A=1 B='x y' jest --coverage --watch unit": ["A=1 B='x y' | jest unit"],
    "NODE_OPTIONS=--experimental-vm-modules npx jest": [
        "NODE_OPTIONS=--experimental-vm-modules | jest"
    ],
    "node --experimental-vm-modules node_modules/jest/bin/jest.js --ci": [
        "node --experimental-vm-modules node_modules/jest/bin/jest.js --ci"
    ],
    "pnpm lint && pnpm vitest run --reporter=dot": ["vitest run"],
    "vitest --coverage.enabled --coverage.provider=v8": ["vitest"],
    "vitest bench": [],
    "node --import tsx --test --test-reporter spec test/*.ts": [
        "node --import tsx --test test/*.ts"
    ],
    "tsx --test": ["tsx --test"],
    "node bin/fix.js mocha test/unit": ["mocha test/unit"],
    "eslint . && (mocha a.js; mocha b.js)": ["mocha a.js", "mocha b.js"],
    "jest a && jest && jest b": ["jest"],
    "mocha > out.txt 2>&1": ["mocha"],
    "npm run unit -- --bail": ["jest --bail"],
    "npm-run-all lint check:*": ["mocha checks"],
    "yarn unit": ["jest"],
    "pnpm run /^check:/": ["mocha checks"],
    'pnpm run "/^check:.*/"': ["mocha checks"],
    "node --expose-gc ./node_modules/vitest/dist/cli-wrapper.js --run": [
        "node --expose-gc ./node_modules/vitest/dist/cli-wrapper.js"
    ],
    "npm run loop": [],
    "eslint test/mocha": [],
    "echo 'Error: no test specified' && exit 1": [],
    "'": [],
}
SCRIPTS = {"unit": "jest", "check:it": "mocha checks", "lint": "eslint .", "loop": "npm run loop"}


@pytest.mark.parametrize("script", CALLS)
def test_calls_are_found_without_what_only_tells_or_measures(script: str) -> None:
    found = read_scripts({**SCRIPTS, "test": script})
    commands = chosen(found.commands) if found.commands else ()
    calls = [" | ".join(filter(None, (" ".join(c.env), " ".join(c.words)))) for c in commands]
    assert calls == CALLS[script]
    assert found.unsupported == ()


@pytest.mark.parametrize(
    ("script", "names"),
    [
        ("xo && ava && tsd", ("ava",)),
        ("c8 tap run", ("tap",)),
        ("bun test", ("Bun",)),
        ("bun run unit", ()),
        ("deno task build", ()),
        ("npx playwright test", ("Playwright",)),
        ("npx playwright install && jest", ()),
        ("mocha && karma start", ("Karma",)),
    ],
)
def test_calls_that_nobody_here_can_run_are_named(script: str, names: tuple[str, ...]) -> None:
    assert read_scripts({**SCRIPTS, "test": script}).unsupported == names


@pytest.mark.parametrize(
    ("script", "parts"),
    [
        ("jake test", ["jake test"]),
        ("tool test && npm run size", ["tool test", "npm run size"]),
        ("tool 'a && b' && other", ["tool 'a && b'", "other"]),
        ("tool || other && third", ["tool || other && third"]),
        ("cd lib && tool", ["cd lib && tool"]),
        ("tool &&", ["tool &&"]),
        ("(tool && other)", ["(tool && other)"]),
    ],
)
def test_a_script_is_taken_apart_where_the_shell_would_do_the_same(
    script: str, parts: list[str]
) -> None:
    assert list(script_parts(script)) == parts
