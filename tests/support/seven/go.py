"""Seven small Go projects, one for each thing that can become of a test run."""

MOD = "module example.com/double\n\ngo 1.21\n"
SOURCE = "package double\n\nfunc Double(n int) int { return 2 * n }\n"


def written_tests(*bodies: str) -> str:
    functions = [
        f"func Test{number}(t *testing.T) {{\n\t{body}\n}}\n"
        for number, body in enumerate(bodies, 1)
    ]
    return 'package double\n\nimport "testing"\n\n' + "\n".join(functions)


GOOD = 'if got := Double(2); got != 4 { t.Errorf("got %d, want 4", got) }'
BAD = 'if got := Double(2); got != 5 { t.Errorf("got %d, want 5", got) }'
NIL = "var gone *int\n\t_ = *gone"

SEVEN: dict[str, dict[str, str]] = {
    "pass": {"go.mod": MOD, "double.go": SOURCE, "double_test.go": written_tests(GOOD, GOOD)},
    "fail": {"go.mod": MOD, "double.go": SOURCE, "double_test.go": written_tests(GOOD, BAD)},
    "skip": {
        "go.mod": MOD,
        "double.go": SOURCE,
        "double_test.go": written_tests('t.Skip("not today")'),
    },
    "compile_error": {
        "go.mod": MOD,
        "double.go": SOURCE.replace("2 * n", "2 * m"),
        "double_test.go": written_tests(GOOD),
    },
    "panic": {"go.mod": MOD, "double.go": SOURCE, "double_test.go": written_tests(GOOD, NIL)},
    "endless": {
        "go.mod": MOD,
        "double.go": SOURCE,
        "double_test.go": written_tests(GOOD, "for {\n\t}"),
    },
    "zero_tests": {"go.mod": MOD, "double.go": SOURCE},
}
