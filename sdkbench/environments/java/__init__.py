"""Java environments: the jars of a class path, or a whole local repository, fetched by Maven."""

from sdkbench.environments.java.classpath import Jar, JavaRequest, jars, provide
from sdkbench.environments.java.pom import Coordinates, Dependency, Pom, read_pom
from sdkbench.environments.java.repository import RepositoryRequest, provide_repository
from sdkbench.environments.java.toolchain import Jdk, jdk, jdk_mounts, maven_program

__all__ = [
    "Coordinates",
    "Dependency",
    "Jar",
    "JavaRequest",
    "Jdk",
    "Pom",
    "RepositoryRequest",
    "jars",
    "jdk",
    "jdk_mounts",
    "maven_program",
    "provide",
    "provide_repository",
    "read_pom",
]
