import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from sdkbench.test_harness.python.requirements import Unsupported, requirement, specifier

NUMBERS = st.lists(st.integers(0, 2000), min_size=1, max_size=4)
SUFFIXES = st.sampled_from(
    ["", "a1", "b2", "rc3", ".dev4", ".post5", "-beta", "-alpha.1", "rc1.dev2"]
)
VERSIONS = st.builds(
    lambda numbers, suffix: ".".join(map(str, numbers)) + suffix, NUMBERS, SUFFIXES
)


@given(version=VERSIONS, sign=st.sampled_from(["^", "~", "^ ", "~ ", "", ">=", "==", "~=", "<="]))
def test_a_converted_specifier_is_valid_and_contains_its_base(version: str, sign: str) -> None:
    if sign == "~=" and "." not in version.partition("-")[0]:
        version = f"1.{version}"  # PEP 440 wants two numbers there
    converted = SpecifierSet(specifier(sign + version))
    assert len(converted) >= 1
    assert converted.contains(version, prereleases=True)


@given(numbers=NUMBERS)
def test_a_caret_keeps_the_leftmost_number_that_is_not_zero(numbers: list[int]) -> None:
    converted = SpecifierSet(specifier("^" + ".".join(map(str, numbers))))
    three = numbers[:3]
    index = next((i for i, n in enumerate(three) if n), len(three) - 1)
    above = [*three[:index], three[index] + 1]
    assert not converted.contains(".".join(map(str, above)))
    assert converted.contains(".".join(map(str, [*numbers, 0, 1])))


@pytest.mark.parametrize(
    ("notation", "converted"),
    [
        ("^1.2.3", ">=1.2.3,<2"),
        ("^1", ">=1,<2"),
        ("^0.2.3", ">=0.2.3,<0.3"),
        ("^0.0.3", ">=0.0.3,<0.0.4"),
        ("^0.0", ">=0.0,<0.1"),
        ("^0", ">=0,<1"),
        ("~1.2.3", ">=1.2.3,<1.3"),
        ("~1.2", ">=1.2,<1.3"),
        ("~1", ">=1,<2"),
        ("~=1.2", "~=1.2"),
        ("1.2.3", "==1.2.3"),
        ("1.2.*", "==1.2.*"),
        ("*", ""),
        ("", ""),
        (">= 1.0, < 2.0", ">=1.0,<2.0"),
        ("^1.2,!=1.3", ">=1.2,<2,!=1.3"),
    ],
)
def test_notations_convert_as_documented(notation: str, converted: str) -> None:
    assert SpecifierSet(specifier(notation)) == SpecifierSet(converted)


def test_constraints_parted_by_a_space_are_both_kept() -> None:
    assert SpecifierSet(specifier(">=1.0 <2.0")) == SpecifierSet(">=1.0,<2.0")


@pytest.mark.parametrize(
    "notation", ["^1 || ^2", "1.0 or 2.0", "^", "^x", "~", "^latest", "^" + "9" * 5000]
)
def test_what_has_no_pep_440_form_is_unsupported(notation: str) -> None:
    with pytest.raises(Unsupported, match=r"."):
        specifier(notation)


def test_a_table_becomes_a_requirement_with_extras_and_markers() -> None:
    spec = {"version": "^2.1", "extras": ["http2", "cli"], "markers": "python_version < '3.13'"}
    line = requirement("httpx", spec)
    assert line is not None
    parsed = Requirement(line)
    assert (parsed.name, parsed.extras) == ("httpx", {"http2", "cli"})
    assert parsed.specifier == SpecifierSet(">=2.1,<3")
    assert str(parsed.marker) == 'python_version < "3.13"'


def test_a_table_without_a_version_takes_any() -> None:
    assert requirement("httpx", {}) == "httpx"


def test_an_optional_entry_is_no_requirement() -> None:
    assert requirement("httpx", {"version": "*", "optional": True}) is None


def test_entries_for_several_markers_give_a_line_each() -> None:
    spec = [
        {"version": "1.0", "markers": "python_version < '3.12'"},
        {"version": "2.0", "markers": "python_version >= '3.12'"},
    ]
    lines = (requirement("numpy", spec) or "").splitlines()
    assert [str(Requirement(line).specifier) for line in lines] == ["==1.0", "==2.0"]


@pytest.mark.parametrize("word", ["git", "hg", "svn", "path", "file", "url", "source", "index"])
def test_code_from_elsewhere_is_unsupported(word: str) -> None:
    with pytest.raises(Unsupported, match=f"httpx: {word} dependencies are refused"):
        requirement("httpx", {word: "value", "version": "1.0"})


def test_code_from_elsewhere_is_unsupported_even_where_optional() -> None:
    with pytest.raises(Unsupported, match="git"):
        requirement("httpx", {"git": "https://git.example/x", "optional": True})


@pytest.mark.parametrize("spec", [5, None, True, 1.5])
def test_an_entry_of_another_type_is_unsupported(spec: object) -> None:
    with pytest.raises(Unsupported, match="expected a version or a table"):
        requirement("httpx", spec)


@pytest.mark.parametrize("extras", [5, True, {"a": 1}])
def test_extras_of_another_type_are_unsupported(extras: object) -> None:
    with pytest.raises(Unsupported, match="extras"):
        requirement("httpx", {"version": "1.0", "extras": extras})
