"""The environment of a project that is judged on its own tests: what it and they need, and how the
project itself will be installed over that.
"""

import platform
import re
from typing import NamedTuple

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import canonicalize_name

from sdkbench.core import Project
from sdkbench.environments import Environment, Provision
from sdkbench.environments.installation import provide
from sdkbench.errors import MissingTool
from sdkbench.sandbox import Limits
from sdkbench.test_harness.models import DependencyInstallResult
from sdkbench.test_harness.python import build_system, manifest, siblings, test_requirements
from sdkbench.test_harness.python import project as python_project
from sdkbench.test_harness.python.build_system import BuildSystem, Metadata
from sdkbench.test_harness.python.environment import PythonRecipe, PythonRequest
from sdkbench.test_harness.python.test_requirements import Wanted
from sdkbench.test_harness.runner import Harness

MAX_ROUNDS = 3  # with a backend that asks for more each time
MAX_ATTEMPTS = 4  # to do without what the tests ask for and can't be had
NAME = re.compile(r"[a-z0-9][a-z0-9._-]*", re.IGNORECASE)
NO_WHEEL = re.compile(r"no (?:usable|matching)?\s*wheels?", re.IGNORECASE)
# Signs that a requirements.txt is for development.
DEVELOPMENT = frozenset(
    {"pytest", "tox", "nox", "sphinx", "twine", "coverage", "flake8", "black", "mypy", "ruff",
     "pylint", "pre-commit", "wheel", "build"}
)  # fmt: skip
ADVICE = "Pass --allow-build to have packages built from source."
PACKAGED = frozenset({"pyproject.toml", "setup.cfg", "setup.py"})  # what a backend reads itself


class Installation(NamedTuple):
    """How the project itself is installed: in the sandbox of its tests, when they run."""

    system: BuildSystem
    environment: Environment  # of the build


class OwnProject(NamedTuple):
    result: DependencyInstallResult
    recipe: PythonRecipe | None = None
    environment: Environment | None = None
    installation: Installation | None = None
    build_error: str = ""  # why there is none, where the project is meant to be installed
    without_wheel: tuple[str, ...] = ()  # what the tests want, and would have to be built
    notes: tuple[str, ...] = ()


class Plan(NamedTuple):
    """What to install: the project's needs, and what its tests want, as far as it can be had."""

    name: str = ""  # of the distribution, which is not to come from the index
    requires_python: str = ""
    needed: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    added: tuple[str, ...] = ()  # by us, and why
    left_out: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


class _Asked(NamedTuple):
    """What became of asking the project's build backend."""

    installation: Installation | None = None
    metadata: str = ""
    error: str = ""


def provide_own(project: Project, harness: Harness, limits: Limits) -> OwnProject:
    """Raises MissingTool where the project asks for another Python than there is, or for a package
    that would have to be built, which nobody has allowed.
    """
    asked = _ask(project, harness, limits)
    plan = plan_for(project, asked.metadata)
    _check_python(plan)
    if plan.refused:
        return OwnProject(DependencyInstallResult.refused(plan.refused), build_error=asked.error)
    notes = [*plan.left_out]
    wanted = plan.wanted
    without_wheel: list[str] = []
    for _ in range(MAX_ATTEMPTS):
        recipe = _recipe(plan, wanted, project, harness)
        provision = provide(recipe, install=harness.install)
        if provision.environment is not None:
            break
        failure = provision.failure or ""
        culprits = _named_in(failure, wanted)
        has_no_wheel = NO_WHEEL.search(failure) and not project.permissions.build_from_source
        if not culprits and has_no_wheel:
            raise MissingTool(
                f"The project needs a package that must be built. {ADVICE}\n{failure}"
            )
        if not culprits:
            break
        without_wheel += culprits if has_no_wheel else ()
        notes.append(_without(culprits, provision))
        wanted = tuple(line for line in wanted if line not in culprits)
    return OwnProject(
        DependencyInstallResult.of(provision, plan.added),
        recipe,
        provision.environment,
        asked.installation,
        asked.error,
        tuple(without_wheel),
        tuple(notes),
    )


def plan_for(project: Project, metadata_text: str = "") -> Plan:
    """`metadata_text` is the backend's word; without it, what can be read in the manifests."""
    root = project.solution.source
    declared = manifest.declared_requirements(root)
    extras = test_requirements.static_extras(root)
    known = build_system.metadata_from(metadata_text, ()).extras or tuple(extras)
    tests = test_requirements.read(root, known)
    refused, left_out = declared.refused, tests.left_out
    if metadata_text:
        metadata = build_system.metadata_from(metadata_text, ())
        whole = build_system.metadata_from(metadata_text, tests.extras).requirements
        own_extras = tuple(line for line in whole if line not in metadata.requirements)
        declared, tests = manifest.Declared(declared.source), _with_development(tests, declared)
        left_out, refused = tests.left_out, ()
    else:
        metadata = Metadata()
        own_extras = tuple(
            line for name in tests.extras for line in extras.get(canonicalize_name(name), ())
        )
    needed = (*declared.requirements, *metadata.requirements)
    wanted = (*own_extras, *tests.requirements)
    own = siblings.read(root)
    needed = own.expanded((*needed, *(own.folders if own.are_all_wanted else ())))
    wanted = own.expanded(wanted)
    added = python_project.completion(project, (*needed, *wanted), bool(tests))
    return Plan(
        name=metadata.name,
        requires_python=metadata.requires_python,
        needed=(*needed, *(requirement for requirement, _ in added)),
        wanted=wanted,
        constraints=(*declared.constraints, *tests.constraints),
        added=tuple(f"{requirement} ({why})" for requirement, why in added),
        left_out=left_out,
        refused=refused,
    )


def _with_development(tests: Wanted, declared: manifest.Declared) -> Wanted:
    """What stands in the requirements.txt of a project that is installed by a backend is for those
    who develop it, if not for the tests alone: it counts where nothing is made for the tests.
    """
    names = {_name(line) for line in declared.requirements}
    if declared.source in PACKAGED or (tests and names & DEVELOPMENT):
        return tests
    return tests._replace(
        requirements=(*tests.requirements, *declared.requirements),
        constraints=(*tests.constraints, *declared.constraints),
        left_out=(*tests.left_out, *declared.refused),
    )


def _recipe(
    plan: Plan, wanted: tuple[str, ...], project: Project, harness: Harness
) -> PythonRecipe:
    request = PythonRequest(
        (*plan.needed, *wanted),
        plan.constraints,
        project.permissions.build_from_source,
        (plan.name,) if plan.name else (),
    )
    return PythonRecipe(request, harness.cache, harness.sandbox)


def _named_in(failure: str, lines: tuple[str, ...]) -> tuple[str, ...]:
    """The lines whose package the installer's complaint names."""
    names = {canonicalize_name(word) for word in NAME.findall(failure)}
    named = tuple(line for line in lines if _name(line) in names)
    return tuple(line for line in named if _name(line) != "pytest") or named


def _name(line: str) -> str:
    match = NAME.match(line.strip())
    return canonicalize_name(match[0]) if match else line


def _without(culprits: tuple[str, ...], provision: Provision) -> str:
    reason = " ".join((provision.failure or "").split())
    return f"the tests run without {', '.join(culprits)}, which cannot be installed: {reason}"


def _check_python(plan: Plan) -> None:
    try:
        fits = SpecifierSet(plan.requires_python).contains(
            platform.python_version(), prereleases=True
        )
    except InvalidSpecifier:
        return
    if not fits:
        raise MissingTool(
            f"{plan.name} needs Python {plan.requires_python}, and SDKBench runs on "
            f"{platform.python_version()} here. Install SDKBench under such a Python."
        )


def _ask(project: Project, harness: Harness, limits: Limits) -> _Asked:
    """The backend gets its requirements, then those that only it knows of."""
    system = build_system.read(project.solution.source)
    if system is None:
        return _Asked()
    more: tuple[str, ...] = ()
    output, metadata = "", ""
    for _ in range(MAX_ROUNDS):
        request = PythonRequest((*system.requires, *more))
        recipe = PythonRecipe(request, harness.cache, harness.sandbox)
        provision = provide(recipe, install=harness.install)
        if provision.environment is None:
            return _failed(system, provision.failure or "")
        if metadata:
            return _Asked(Installation(system, provision.environment), metadata)
        with harness.cache.in_use(provision.environment):
            completed, described = build_system.describe(
                project, system, provision.environment, harness.sandbox, limits
            )
        output = completed.output or completed.ending()
        if described is None:
            break
        metadata = described.metadata
        lacking = build_system.lacking(described.requires, provision.environment)
        if metadata and not lacking:
            return _Asked(Installation(system, provision.environment), metadata)
        more = (*more, *lacking)
    return _failed(system, output)


def _failed(system: BuildSystem, output: str) -> _Asked:
    return _Asked(error=output if system.is_declared else "")
