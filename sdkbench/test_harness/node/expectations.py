"""Mutations of JavaScript and TypeScript tests, found with TypeScript's own parser."""

from pydantic import TypeAdapter, ValidationError

from sdkbench.core import Project
from sdkbench.errors import HarnessFault
from sdkbench.sandbox import Command, Limits, Mount
from sdkbench.sandbox.command import MIB, WORKSPACE
from sdkbench.test_harness.mutations import Mutation
from sdkbench.test_harness.node.environment import PARSER, tool
from sdkbench.test_harness.node.package_managers import node_program
from sdkbench.test_harness.node.project import NodeProject
from sdkbench.test_harness.programs import tool_mounts
from sdkbench.test_harness.runner import Harness
from sdkbench.test_harness.session import INSIDE

PROGRAM = INSIDE / "node" / "mutations" / "main.mjs"
MAX_OUTPUT_BYTES = 64 * MIB
_MUTATIONS = TypeAdapter(tuple[Mutation, ...])


def mutations(
    project: Project, node: NodeProject, harness: Harness, limits: Limits
) -> tuple[Mutation, ...]:
    """Those of the sample's test files; none for a project that is judged on its own tests.

    Only trusted files are there when they are read. Raises HarnessFault if they can't be.
    """
    if project.has_own_tests or not node.test_files:
        return ()
    parser = tool(PARSER, harness)
    typescript = parser.path / "node_modules" / "typescript" / "lib" / "typescript.js"
    files = [placed.target for placed in node.test_files]
    words = (node_program(), str(PROGRAM), str(typescript), node.framework.value, WORKSPACE)
    with harness.cache.in_use(parser):
        done = harness.sandbox.run(
            Command(
                argv=(*words, *files),
                placements=project.trusted,
                mounts=(*tool_mounts("node"), Mount(path=parser.path), Mount(path=INSIDE)),
                limits=limits.model_copy(update={"output_bytes": MAX_OUTPUT_BYTES}),
            )
        )
    if not done.ok or done.truncated:
        raise HarnessFault(f"The tests could not be read: {done.ending()}.\n{done.output}")
    try:
        return _MUTATIONS.validate_json(done.stdout)
    except ValidationError as error:
        raise HarnessFault(
            f"The program that finds mutations of tests wrote something else: {error}"
        ) from error
