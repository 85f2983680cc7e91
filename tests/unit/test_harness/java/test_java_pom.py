"""What is read of a stranger's pom.xml, and what is refused."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdkbench.test_harness.java.environment import generated_pom
from sdkbench.test_harness.java.manifest import Coordinates, Dependency, Pom, read_pom


def pom(tmp_path: Path, inner: str, **modules: str) -> Pom:
    head = "<groupId>g</groupId><artifactId>a</artifactId><version>1.2</version>"
    (tmp_path / "pom.xml").write_text(f'<project xmlns="x">{head}{inner}</project>')
    for name, text in modules.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "pom.xml").write_text(f"<project>{text}</project>")
    found = read_pom(tmp_path)
    assert found is not None
    return found


def dependency(artifact: str, version: str = "1", more: str = "", group: str = "org.x") -> str:
    return (
        f"<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId>"
        f"<version>{version}</version>{more}</dependency>"
    )


def test_no_manifest_is_none(tmp_path: Path) -> None:
    assert read_pom(tmp_path) is None


def test_dependencies_with_properties_scopes_and_exclusions(tmp_path: Path) -> None:
    more = (
        "<scope>test</scope><exclusions><exclusion><groupId>e</groupId>"
        "<artifactId>*</artifactId></exclusion></exclusions>"
    )
    found = pom(
        tmp_path,
        "<properties><v>3.${minor}</v><minor>4</minor></properties><dependencies>"
        + dependency("b", "${v}")
        + dependency("c", "${project.version}", more)
        + "</dependencies>",
    )
    assert found.dependencies == (
        Dependency(Coordinates("org.x", "b"), "3.4"),
        Dependency(Coordinates("org.x", "c"), "1.2", "test", exclusions=(Coordinates("e", "*"),)),
    )
    assert found.refused == ()


def test_a_parent_of_the_repository_only_manages_versions(tmp_path: Path) -> None:
    parent = "<groupId>p</groupId><artifactId>parent</artifactId><version>9</version>"
    found = pom(tmp_path, f"<parent>{parent}</parent>")
    assert found.managed == (Dependency(Coordinates("p", "parent"), "9", "import", "pom"),)


def test_modules_are_read_with_their_parent_and_are_no_dependencies(tmp_path: Path) -> None:
    above = "<parent><groupId>g</groupId><artifactId>a</artifactId><version>1.2</version></parent>"
    found = pom(
        tmp_path,
        "<properties><v>7</v></properties><modules><module>one</module><module>two</module>"
        "<module>../elsewhere</module></modules>",
        one=f"{above}<artifactId>one</artifactId>",
        two=f"{above}<artifactId>two</artifactId><dependencies>"
        + dependency("one", "${project.version}", group="g")
        + dependency("b", "${v}")
        + "</dependencies>",
    )
    assert found.files == ("pom.xml", "one/pom.xml", "two/pom.xml")
    assert [str(d.name) for d in found.dependencies] == ["org.x:b"]
    assert found.managed == ()


@pytest.mark.parametrize(
    ("inner", "release"),
    [
        ("", None),
        ("<properties><maven.compiler.release>17</maven.compiler.release></properties>", 17),
        ("<properties><maven.compiler.source>1.8</maven.compiler.source></properties>", 8),
        ("<properties><java.version>x</java.version></properties>", None),
        (
            (
                "<build><plugins><plugin><artifactId>maven-compiler-plugin</artifactId>"
                "<configuration><release>21</release></configuration></plugin></plugins></build>"
            ),
            21,
        ),
    ],
)
def test_the_release_that_the_compiler_is_asked_for(
    tmp_path: Path, inner: str, release: int | None
) -> None:
    assert pom(tmp_path, inner).release == release


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<project>", "cannot be read"),
        ("", "cannot be read"),
        ("<settings/>", "must hold a <project>"),
        ('<!DOCTYPE p [<!ENTITY a "b">]><project>&a;</project>', "entities"),
        (" " * 3_000_000, "larger than 2 MiB"),
        (
            (
                f"<project><dependencies>{dependency('b', '1', '<scope>system</scope>')}"
                "</dependencies></project>"
            ),
            "not of the registry",
        ),
        (
            f"<project><dependencies>{dependency('../../b')}</dependencies></project>",
            "not named as the registry names things",
        ),
        (
            f"<project><dependencies>{dependency('b', 'http://x/')}</dependencies></project>",
            "is not a version",
        ),
    ],
)
def test_what_is_refused_says_why(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "pom.xml").write_text(text)
    found = read_pom(tmp_path)
    assert found is not None
    assert reason in "; ".join(found.refused)


def test_properties_that_feed_on_themselves_end(tmp_path: Path) -> None:
    inner = "<properties><v>${v}${v}${w}</v><w>${v}${v}</w></properties><dependencies>"
    found = pom(tmp_path, inner + dependency("b", "${v}") + "</dependencies>")
    assert found.dependencies[0].version == ""


@given(st.text(max_size=40), st.text(max_size=40))
def test_our_own_manifest_holds_any_text(group: str, version: str) -> None:
    text = generated_pom((Dependency(Coordinates(group, "a"), version),), ())
    assert text.startswith("<project>")
    assert text.endswith("</project>")
