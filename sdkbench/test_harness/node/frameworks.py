"""The signs by which JavaScript's test frameworks are known: configurations, packages, words."""

import re

from sdkbench.test_harness.models import TestFramework

CONFIGS = {
    TestFramework.VITEST: re.compile(
        r"^(vitest|vite)\.(config|workspace|projects)\.([cm]?[jt]s|json)$"
    ),
    TestFramework.JEST: re.compile(r"^jest\.config\.([cm]?[jt]s|json)$"),
    TestFramework.MOCHA: re.compile(r"^\.mocharc\.([cm]?js|json|jsonc|ya?ml)$"),
}
PACKAGE_OF = {framework: framework.value for framework in CONFIGS}
# The tests' own words, the surest sign first.
SIGNS = (
    (TestFramework.VITEST, re.compile(r"""['"]vitest['"]""")),
    (TestFramework.JEST, re.compile(r"""['"]@jest/globals['"]|@jest-environment""")),
    (TestFramework.NODE_TEST, re.compile(r"""['"]node:test['"]""")),
    (TestFramework.MOCHA, re.compile(r"""['"]mocha['"]""")),
    (TestFramework.VITEST, re.compile(r"\bvi\.(fn|mock|spyOn)\(")),
    (TestFramework.JEST, re.compile(r"\bjest\.(fn|mock|spyOn)\(")),
    (TestFramework.MOCHA, re.compile(r"""['"]chai['"]""")),
)
IMPORT_SIGNS = 4  # so many of these are imports, which leave no doubt
BARE_TESTS = re.compile(r"^\s*(describe|it|test|suite)(\.\w+)?\(", re.MULTILINE)
# Packages of frameworks that are not supported → what their users call them. `bun:test` is Bun's.
UNSUPPORTED_PACKAGES = {
    "ava": "ava", "uvu": "uvu", "tap": "tap", "tape": "tape", "jasmine": "jasmine",
    "qunit": "QUnit", "@hapi/lab": "lab", "bun:test": "Bun", "@playwright/test": "Playwright",
    "cypress": "Cypress", "brittle": "brittle", "poku": "poku", "zora": "zora",
    "ospec": "ospec", "@japa/runner": "Japa", "karma": "Karma", "@rstest/core": "Rstest",
    "riteway": "riteway", "baretest": "baretest", "@web/test-runner": "Web Test Runner",
    "nightwatch": "Nightwatch", "testcafe": "TestCafe",
}  # fmt: skip
UNSUPPORTED_IMPORT = re.compile(
    r"""(?:from\s+|import\s+|import\s*\(\s*|require\s*\(\s*)['"]("""
    + "|".join(map(re.escape, UNSUPPORTED_PACKAGES))
    + r""")['"/]"""
)
DENO = re.compile(r"""\bDeno\.test\(|['"]jsr:@std/(testing|assert)""")
