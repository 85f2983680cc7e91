"""Seven small TypeScript projects with vitest, one for each thing that can become of a test run."""

import json

PACKAGE = json.dumps(
    {"name": "app", "type": "module", "devDependencies": {"typescript": "5.9.3", "vitest": "3.2.7"}}
)
CONFIG = '{"compilerOptions": {"strict": true, "module": "preserve", "skipLibCheck": true}}\n'
APP = "export function double(n: number): number {\n  return 2 * n;\n}\n"
IMPORTS = 'import { expect, test } from "vitest";\nimport { double } from "../src/app";\n\n'
TEST = f'{IMPORTS}test("doubles", () => {{\n  expect(double(2)).toBe(4);\n}});\n'


def _project(app: str = APP, test: str = TEST) -> dict[str, str]:
    return {
        "package.json": PACKAGE,
        "tsconfig.json": CONFIG,
        "src/app.ts": app,
        "tests/app.test.ts": test,
    }


SEVEN: dict[str, dict[str, str]] = {
    "pass": _project(),
    "fail": _project(test=TEST.replace("toBe(4)", "toBe(5)")),
    "skip": _project(test=TEST.replace("test(", "test.skip(")),
    "compile_error": _project(APP.replace("2 * n", '"not a number"')),
    "panic": _project(APP.replace("return 2 * n", "throw new Error(String(n))")),
    "endless": _project(APP.replace("return", "while (n > 0) {}\n  return")),
    # A test file without tests is one that vitest cannot load.
    "zero_tests": {name: text for name, text in _project().items() if "test" not in name},
}
