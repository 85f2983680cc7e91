"""A project's own tests, once they have run: what of its build counts against it."""

from typing import NamedTuple

from sdkbench.core import Project
from sdkbench.errors import MissingTool
from sdkbench.sandbox import Completed
from sdkbench.test_harness.evidence import Evidence, Examination, examined
from sdkbench.test_harness.python import build_system, pytest_config
from sdkbench.test_harness.python import project as python_project
from sdkbench.test_harness.python.own_project import ADVICE, OwnProject
from sdkbench.test_harness.python.records import ProjectState, to_evidence
from sdkbench.test_harness.recognition import displayed_path
from sdkbench.test_harness.session import Records

SHOWN_LINES = 12  # of a failed build


class Circumstances(NamedTuple):
    own: OwnProject
    run_tests: bool


def examined_own(
    project: Project, completed: Completed, records: Records, given: Circumstances
) -> Examination:
    """Tests that do not need the build count all the same: it fails only those that suffer from it.

    Raises MissingTool where they suffer from a build that lacks a program of this machine, or for
    want of a package that nobody has allowed to build.
    """
    examination = examined(project, completed, records, to_evidence, run_tests=given.run_tests)
    if examination.evidence is not None and not examination.evidence.reports:
        tried = examination.evidence.model_copy(update={"tried": _tried(project)})
        examination = examination.model_copy(update={"evidence": tried})
    state = next(records.of(ProjectState), None)
    if state is None:
        return _with_notes(examination, given.own.notes)
    output = _build_error(given.own, state)
    shown = _last_lines(_without_places(output, given.own))
    failure = f"the project itself cannot be installed: {shown}" if output else ""
    notes = (*given.own.notes, *([failure] if failure else []))
    evidence = examination.evidence
    suffers = not _is_clean(evidence) if evidence is not None else not given.run_tests
    tool = build_system.missing_tool(output)
    if failure and suffers and tool:
        raise MissingTool(f"The project's build needs {tool}, which is not installed. {failure}")
    if given.own.without_wheel and suffers and evidence is not None and _lacks_modules(evidence):
        raise MissingTool(
            f"The tests need {', '.join(given.own.without_wheel)}, which must be built. {ADVICE}"
        )
    errors = list(examination.build.errors)
    errors += _broken_files(state, evidence) if evidence is not None else []
    if errors:
        examination = examination.model_copy(update={"evidence": None})
    errors += [failure] if failure and suffers else []
    build = examination.build.model_copy(update={"success": not errors, "errors": errors})
    return _with_notes(examination.model_copy(update={"build": build}), notes)


def _build_error(own: OwnProject, state: ProjectState) -> str:
    """What the backend said; nothing where the project is not meant to be installed."""
    meant = own.installation is not None and own.installation.system.is_declared
    return own.build_error or (state.install_error if meant else "")


def _without_places(output: str, own: OwnProject) -> str:
    """Where packages lie on this machine says nothing to anybody."""
    environments = (own.environment, own.installation.environment if own.installation else None)
    for environment in filter(None, environments):
        output = output.replace(f"{environment.path}/", "")
    return output


def _last_lines(output: str) -> str:
    lines = [line.rstrip() for line in output.splitlines() if line.strip()]
    return "\n".join(lines[-SHOWN_LINES:])


def _tried(project: Project) -> tuple[str, ...]:
    """The files that tests were looked for in, or else how they would have to be called."""
    files = python_project.test_files(project)
    if files:
        return tuple(displayed_path(path, project) for path in files)
    settings = pytest_config.read(project.solution.source)
    names = settings.python_files if settings else pytest_config.PYTHON_FILES
    places = project.tests or (settings.test_paths if settings else ()) or ("the whole folder",)
    return (f"{', '.join(places)}, where no file is called {' or '.join(names)}",)


def _lacks_modules(evidence: Evidence) -> bool:
    return any("No module named" in failure.error_message for failure in evidence.failures)


def _is_clean(evidence: Evidence) -> bool:
    clean = any(report.is_clean for report in evidence.reports)
    return clean and not evidence.failures and not any(r.is_bad for r in evidence.reports)


def _broken_files(state: ProjectState, evidence: Evidence) -> list[str]:
    """Files that are no Python, and that a test file could not be loaded for."""
    places = {failure.file_path for failure in evidence.load_errors}
    return [error for error in state.uncompiled if error.partition(":")[0] in places]


def _with_notes(examination: Examination, notes: tuple[str, ...]) -> Examination:
    process = examination.process
    told = process.model_copy(update={"notes": (*process.notes, *notes)})
    return examination.model_copy(update={"process": told})
