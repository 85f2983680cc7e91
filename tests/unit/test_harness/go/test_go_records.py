"""What a Go test printed, read for the message, the file and the line of its failure."""

import pytest

from sdkbench.test_harness.go.session import FailureText, failure_in

PANIC = """\
=== RUN   TestX
--- FAIL: TestX (0.00s)
panic: runtime error: index out of range [3] with length 0 [recovered, repanicked]

goroutine 7 [running]:
testing.tRunner.func1.2({0x50c1e0, 0xc00001a120})
\t/usr/local/go/src/testing/testing.go:1872 +0x237
example.com/app.At(...)
\t/tmp/sdkbench-go/solution/app.go:9
example.com/app/tests.TestX(0xc000003880)
\t/tmp/sdkbench-go/tests/app_test.go:12 +0x1d
"""

LOGGED = """\
=== RUN   TestX
    app_test.go:12: got 3, want 4
        in all
    app_test.go:15: and more
--- FAIL: TestX (0.00s)
"""


@pytest.mark.parametrize(
    ("text", "failure"),
    [
        (
            LOGGED,
            FailureText("got 3, want 4\nin all", "app_test.go", 12),
        ),
        (PANIC, FailureText("panic: runtime error: index out of range [3] with length 0",
                     "app_test.go", 12)),
        ("fatal error: all goroutines are asleep - deadlock!\n",
         FailureText("fatal error: all goroutines are asleep - deadlock!")),
        ("=== RUN   TestX\nhalf a line", FailureText("half a line")),
        ("=== RUN   TestX\n--- PASS: TestX (0.00s)\nPASS\n",
         FailureText("it did not report that it passed")),
        ("", FailureText("it did not report that it passed")),
    ],
)  # fmt: skip
def test_a_failure_is_recognised_in_the_output(text: str, failure: FailureText) -> None:
    assert failure_in(text) == failure
