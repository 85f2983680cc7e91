"""Seven small Perl projects, by what becomes of them when they are judged on their own tests."""

LIBRARY = "package Sum;\nuse strict;\nsub add { return $_[0] + $_[1] }\n1;\n"


def _tests(*lines: str) -> str:
    return "\n".join(["use strict;", "use warnings;", "use Test::More;", "use Sum;", *lines, ""])


PROJECTS: dict[str, dict[str, str]] = {
    "pass": {
        "lib/Sum.pm": LIBRARY,
        "t/sum.t": _tests("is(Sum::add(1, 2), 3, 'adds');", "ok(1);", "done_testing;"),
    },
    "fail": {
        "lib/Sum.pm": LIBRARY,
        "t/sum.t": _tests("is(Sum::add(1, 2), 4, 'adds');", "ok(1, 'works');", "done_testing;"),
    },
    "skip": {
        "lib/Sum.pm": LIBRARY,
        "t/all.t": _tests("plan skip_all => 'not here';"),
        "t/one.t": _tests("SKIP: { skip 'no network', 1; ok(0, 'asks') }", "done_testing;"),
    },
    "compile_error": {
        "lib/Sum.pm": "package Sum;\nuse strict;\nsub add { return $_[0] + ; }\n1;\n",
        "t/sum.t": _tests("is(Sum::add(1, 2), 3, 'adds');", "done_testing;"),
    },
    "panic": {
        "lib/Sum.pm": "package Sum;\nuse strict;\nsub add { die qq(no sum today\\n) }\n1;\n",
        "t/sum.t": _tests("ok(1, 'starts');", "is(Sum::add(1, 2), 3, 'adds');", "done_testing;"),
    },
    "endless": {
        "lib/Sum.pm": "package Sum;\nuse strict;\nsub add { 1 while 1 }\n1;\n",
        "t/sum.t": _tests("is(Sum::add(1, 2), 3, 'adds');", "done_testing;"),
    },
    "zero_tests": {"lib/Sum.pm": LIBRARY, "t/sum.t": _tests("done_testing;")},
}
