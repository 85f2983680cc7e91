"""What a Go test printed, read for the message, the file and the line of its failure."""

import pytest

from sdkbench.test_harness.go.failures import FailureText, failure_in

PANIC = """\
=== RUN   TestX
--- FAIL: TestX (0.00s)
panic: runtime error: index out of range [3] with length 0 [recovered, repanicked]

goroutine 7 [running]:
testing.tRunner.func1.2({0x50c1e0, 0xc00001a120})
\t/usr/local/go/src/testing/testing.go:1872 +0x237
example.com/app.At(...)
\texpected/app.go:9
example.com/app/tests.TestX(0xc000003880)
\ttests/app_test.go:12 +0x1d
"""

LOGGED = """\
=== RUN   TestX
    app_test.go:12: got 3, want 4
        in all
    app_test.go:15: and more
--- FAIL: TestX (0.00s)
"""

TESTIFY = """\
=== RUN   TestX
    app_test.go:12:{space}
        \tError Trace:\tapp_test.go:12
        \t            \t/usr/local/go/src/runtime/asm_amd64.s:1771
        \tError:      \tNot equal:{space}
        \t            \texpected: 1
        \t            \tactual  : 2
        \tTest:       \tTestX
        \tMessages:   \tafter the third
--- FAIL: TestX (0.00s)
""".replace("{space}", " ")

EXAMPLE = "=== RUN   ExampleX\n--- FAIL: ExampleX (0.00s)\ngot:\na\nb\nc\nwant:\na\nb\nd\n"


@pytest.mark.parametrize(
    ("text", "failure"),
    [
        (
            LOGGED,
            FailureText("got 3, want 4\nin all", "app_test.go", 12),
        ),
        (PANIC, FailureText("panic: runtime error: index out of range [3] with length 0",
                     "expected/app.go", 9)),
        (TESTIFY, FailureText("Not equal:\nexpected: 1\nactual  : 2\nafter the third",
                     "app_test.go", 12)),
        (EXAMPLE, FailureText("got:\na\nb\nc\nwant:\na\nb\nd")),
        ("fatal error: all goroutines are asleep - deadlock!\n",
         FailureText("fatal error: all goroutines are asleep - deadlock!")),
        ("=== RUN   TestX\nhalf a line", FailureText("half a line")),
        ("=== RUN   TestX\n--- PASS: TestX (0.00s)\nPASS\n",
         FailureText("it did not report that it passed")),
        ("", FailureText("it did not report that it passed")),
        ("=== RUN   TestX\n--- FAIL: TestX (0.00s)\n",
         FailureText("it or a part of it failed, and did not say why")),
    ],
)  # fmt: skip
def test_a_failure_is_recognised_in_the_output(text: str, failure: FailureText) -> None:
    assert failure_in(text) == failure
