import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdkbench.test_harness.python import requirements
from sdkbench.test_harness.python.requirements import Parsed, parse
from tests.support.projects import ProjectFactory


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("requirements")


def parsed(root: Path, name: str = "requirements.txt") -> Parsed:
    return parse(root / name, root)


def test_plain_lines_are_kept_in_order(project: ProjectFactory) -> None:
    root = project(
        {"requirements.txt": "requests==2.32.0\n\nhttpx[http2]>=0.27 ; python_version>'3'"}
    )
    assert parsed(root) == Parsed(("requests==2.32.0", "httpx[http2]>=0.27 ; python_version>'3'"))


def test_comments_are_dropped_but_fragments_are_not(project: ProjectFactory) -> None:
    text = "# header\nrequests # why\nhttpx#not-a-comment\n   # indented\n"
    assert parsed(project({"requirements.txt": text})).requirements == (
        "requests",
        "httpx#not-a-comment",
    )


def test_continued_lines_are_one_requirement(project: ProjectFactory) -> None:
    root = project({"requirements.txt": "requests \\\n  >=2 \\\n  ,<3\nhttpx\n"})
    lines = parsed(root).requirements
    assert [line.replace(" ", "") for line in lines] == ["requests>=2,<3", "httpx"]


def test_a_refusal_names_the_first_line_of_a_continuation(project: ProjectFactory) -> None:
    root = project({"requirements.txt": "httpx\n--index-url \\\n  https://evil.example/simple\n"})
    (sentence,) = parsed(root).refused
    assert "requirements.txt line 2" in sentence
    assert "--index-url" in sentence


def test_a_continuation_at_the_end_of_the_file_is_kept(project: ProjectFactory) -> None:
    assert parsed(project({"requirements.txt": "requests \\"})).requirements == ("requests",)


@pytest.mark.parametrize("newline", ["\r\n", "\n", "\r"])
def test_every_newline_convention_is_read(project: ProjectFactory, newline: str) -> None:
    root = project({"requirements.txt": f"requests{newline}httpx{newline}"})
    assert parsed(root).requirements == ("requests", "httpx")


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + b"requests==2.0\n",
        "\ufeffrequests==2.0\n".encode("utf-16-le"),
        "\ufeffrequests==2.0\n".encode("utf-16-be"),
    ],
    ids=["utf-8 with a mark", "utf-16-le", "utf-16-be"],
)
def test_byte_order_marks_are_understood(project: ProjectFactory, data: bytes) -> None:
    assert parsed(project({"requirements.txt": data})).requirements == ("requests==2.0",)


@pytest.mark.parametrize(
    "data",
    [b"requests\0\n", b"\xff\xff\xff", b"requests\n\xe9", b"\xff\xfe\x00"],
    ids=["nul", "no encoding", "latin-1", "half a utf-16 character"],
)
def test_what_is_not_text_is_refused(project: ProjectFactory, data: bytes) -> None:
    found = parsed(project({"requirements.txt": data}))
    assert found.requirements == ()
    assert found.refused == ("requirements.txt is not text, or larger than 1 MiB",)


def test_a_file_past_the_size_limit_is_refused(project: ProjectFactory) -> None:
    line = b"requests\n"
    fits = line * (requirements.MAX_BYTES // len(line))
    root = project({"fits.txt": fits[: 9 * 10] + b"#" * 10, "big.txt": fits + b"#" * len(line)})
    assert parsed(root, "fits.txt").requirements == ("requests",) * 10
    assert parsed(root, "big.txt").requirements == ()
    assert "larger than 1 MiB" in parsed(root, "big.txt").refused[0]


def test_hashes_are_dropped_from_a_requirement(project: ProjectFactory) -> None:
    text = "requests==2.0 \\\n    --hash=sha256:aa \\\n    --hash=sha256:bb\n"
    (line,) = parsed(project({"requirements.txt": text})).requirements
    assert line.strip() == "requests==2.0"


@pytest.mark.parametrize("word", ["-r", "--requirement", "--requirement="])
def test_included_requirements_are_read(project: ProjectFactory, word: str) -> None:
    gap = "" if word.endswith("=") else " "
    root = project(
        {"requirements.txt": f"{word}{gap}more/base.txt\nhttpx", "more/base.txt": "requests"}
    )
    assert parsed(root).requirements == ("requests", "httpx")


def test_includes_are_relative_to_the_file_that_names_them(project: ProjectFactory) -> None:
    root = project(
        {
            "requirements.txt": "-r a/b.txt",
            "a/b.txt": "-r ../c.txt\n-r d.txt",
            "c.txt": "c",
            "a/d.txt": "d",
        }
    )
    assert parsed(root).requirements == ("c", "d")


@pytest.mark.parametrize("word", ["-c", "--constraint"])
def test_constraints_are_kept_apart(project: ProjectFactory, word: str) -> None:
    root = project({"requirements.txt": f"requests\n{word} pins.txt", "pins.txt": "urllib3<2"})
    assert parsed(root) == Parsed(("requests",), ("urllib3<2",))


def test_constraints_refuse_what_requirements_refuse(project: ProjectFactory) -> None:
    root = project(
        {"requirements.txt": "-c pins.txt", "pins.txt": "x @ https://evil.example/x.whl"}
    )
    found = parsed(root)
    assert found.constraints == ()
    assert "pins.txt line 1" in found.refused[0]


@pytest.mark.parametrize(
    "value",
    ["../outside.txt", "/etc/hostname", "missing.txt", ".", "", "sub", "https://e.example/r.txt"],
)
def test_an_include_from_outside_the_project_is_refused(
    project: ProjectFactory, tmp_path: Path, value: str
) -> None:
    (tmp_path / "outside.txt").write_text("planted")
    root = project({"requirements.txt": f"-r {value}\n", "sub/x": ""})
    found = parsed(root)
    assert found.requirements == ()
    assert "is not a file inside the project" in found.refused[0]


def test_an_include_through_a_link_out_of_the_project_is_refused(
    project: ProjectFactory, tmp_path: Path
) -> None:
    (tmp_path / "outside.txt").write_text("planted")
    root = project({"requirements.txt": "-r link.txt"})
    (root / "link.txt").symlink_to(tmp_path / "outside.txt")
    assert parsed(root).requirements == ()
    assert len(parsed(root).refused) == 1


def test_an_include_that_is_a_link_to_itself_is_refused(project: ProjectFactory) -> None:
    root = project({"requirements.txt": "-r loop.txt\nrequests"})
    (root / "loop.txt").symlink_to("loop.txt")
    assert parsed(root).requirements == ("requests",)
    assert len(parsed(root).refused) == 1


def test_an_include_with_an_endless_name_is_refused(project: ProjectFactory) -> None:
    root = project({"requirements.txt": f"-r {'a' * 5000}\nrequests"})
    assert parsed(root).requirements == ("requests",)
    assert len(parsed(root).refused) == 1


def test_a_loop_of_includes_ends(project: ProjectFactory) -> None:
    root = project(
        {"requirements.txt": "requests\n-r b.txt", "b.txt": "httpx\n-r requirements.txt"}
    )
    assert set(parsed(root).requirements) == {"requests", "httpx"}


MANY = 4
INCLUDES = {
    "itself": {"requirements.txt": "-r requirements.txt\n" * MANY + "requests"},
    "each other": {
        "requirements.txt": "-r b.txt\n" * MANY + "requests",
        "b.txt": "-r requirements.txt\n" * MANY + "httpx",
    },
    "a chain": {
        "requirements.txt": "-r a.txt\n" * MANY,
        "a.txt": "-r b.txt\n" * MANY,
        "b.txt": "-r c.txt\n" * MANY,
        "c.txt": "-r d.txt\n" * MANY,
        "d.txt": "requests",
    },
}


@pytest.mark.parametrize("kind", INCLUDES)
def test_repeated_includes_do_not_multiply(project: ProjectFactory, kind: str) -> None:
    found = parsed(project(INCLUDES[kind]))
    assert "requests" in found.requirements
    assert len(found.requirements) < 50
    assert len(found.refused) < 50


@pytest.mark.parametrize(
    "line", [".", "-e .", "-e ./", "--editable .", ".[test]", "-e .[dev,test]"]
)
def test_the_project_itself_is_noted(project: ProjectFactory, line: str) -> None:
    found = parsed(project({"requirements.txt": line}))
    assert found == Parsed(includes_project=True, project_extras=found.project_extras)
    assert [extra for extra in ("dev", "test") if extra in line] == list(found.project_extras)


@pytest.mark.parametrize(
    "line",
    [
        "./wheels/x.whl",
        "-e ../other",
        "-e ./sub",
        "/opt/x",
        "~/x",
        "x-1.0-py3-none-any.whl",
        "x-1.0.tar.gz",
        "-e git+https://git.example/x",
    ],
)
def test_local_paths_and_editables_are_refused(project: ProjectFactory, line: str) -> None:
    found = parsed(project({"requirements.txt": f"{line}\nrequests"}))
    assert found.requirements == ("requests",)
    assert not found.includes_project
    assert "requirements.txt line 1" in found.refused[0]


@pytest.mark.parametrize(
    "line",
    [
        "https://evil.example/x.whl",
        "x @ https://evil.example/x.whl",
        "x@git+https://git.example/x",
        "git+ssh://git@git.example/x.git",
        "x @ file:///tmp/x",
        "X @ HTTPS://EVIL.EXAMPLE/x",
    ],
)
def test_urls_are_refused(project: ProjectFactory, line: str) -> None:
    found = parsed(project({"requirements.txt": line}))
    assert found.requirements == ()
    assert "only packages of the index are allowed" in found.refused[0]


@pytest.mark.parametrize("option", requirements.REFUSED_OPTIONS)
@pytest.mark.parametrize("gap", [" ", "="])
def test_options_that_change_the_source_are_refused(
    project: ProjectFactory, option: str, gap: str
) -> None:
    found = parsed(project({"requirements.txt": f"{option}{gap}value\nrequests"}))
    assert found.requirements == ("requests",)
    assert option in found.refused[0]


@pytest.mark.parametrize("option", requirements.HARMLESS_OPTIONS)
def test_harmless_options_are_passed_over(project: ProjectFactory, option: str) -> None:
    found = parsed(project({"requirements.txt": f"{option} x\nrequests"}))
    assert found == Parsed(("requests",))


def test_an_unknown_option_is_refused_by_name(project: ProjectFactory) -> None:
    found = parsed(project({"requirements.txt": "--surprise=1"}))
    assert found.refused == ("requirements.txt line 1: unknown option --surprise",)


@given(data=st.binary(max_size=200))
def test_random_bytes_never_raise(scratch: Path, data: bytes) -> None:
    path = scratch / "requirements.txt"
    path.write_bytes(data)
    found = parse(path, scratch)
    assert all(line.strip() for line in found.requirements)


LINES = st.sampled_from(
    [
        "requests",
        "-r requirements.txt",
        "-c x",
        "-e .",
        "-",
        "--",
        "=",
        "@",
        "\\",
        "#",
        "-r",
        "-i",
        "[",
        "..",
    ]
)


@given(lines=st.lists(LINES, max_size=4))
def test_odd_lines_give_no_option_as_a_requirement(scratch: Path, lines: list[str]) -> None:
    path = scratch / "requirements.txt"
    path.write_text("\n".join(lines))
    assert not [line for line in parse(path, scratch).requirements if line.startswith("-")]


def test_an_unreadable_file_is_refused(
    project: ProjectFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project({"requirements.txt": "requests"})

    def refuse(_: Path) -> bytes:
        raise PermissionError(13, os.strerror(13))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert parsed(root).requirements == ()
    assert len(parsed(root).refused) == 1
