"""The manifest we resolve from: ours, with the dependencies of the solution and of its tests."""

from xml.etree import ElementTree as ET

from sdkbench.test_harness.java.manifest import Dependency

PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1"


def generated_pom(dependencies: tuple[Dependency, ...], managed: tuple[Dependency, ...]) -> str:
    project = ET.Element("project")
    _texts(
        project,
        modelVersion="4.0.0",
        groupId="workspace",
        artifactId="workspace",
        version="0",
    )
    management = ET.SubElement(project, "dependencyManagement")
    _add(ET.SubElement(management, "dependencies"), managed)
    _add(ET.SubElement(project, "dependencies"), dependencies)
    return ET.tostring(project, encoding="unicode")


def _add(parent: ET.Element, dependencies: tuple[Dependency, ...]) -> None:
    for wanted in dependencies:
        entry = ET.SubElement(parent, "dependency")
        _texts(
            entry,
            groupId=wanted.name.group,
            artifactId=wanted.name.artifact,
            version=wanted.version,
            scope=wanted.scope,
            type=wanted.type,
            classifier=wanted.classifier,
        )
        if wanted.exclusions:
            exclusions = ET.SubElement(entry, "exclusions")
            for group, artifact in wanted.exclusions:
                _texts(ET.SubElement(exclusions, "exclusion"), groupId=group, artifactId=artifact)


def _texts(parent: ET.Element, **values: str) -> None:
    for name, value in values.items():
        if value:
            ET.SubElement(parent, name).text = value
