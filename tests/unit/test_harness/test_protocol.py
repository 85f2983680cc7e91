"""Both sides of the sandbox describe orders and records by the same fields."""

from typing import Any, NotRequired, get_args, get_origin, get_type_hints

import pytest
from pydantic import BaseModel, TypeAdapter

from sdkbench.inside import protocol as inside
from sdkbench.inside.go import build as go_inside
from sdkbench.inside.java import compile as java_compile
from sdkbench.inside.java import maven as java_maven
from sdkbench.inside.java import tests as java_tests
from sdkbench.inside.python import backend, boot, reporter
from sdkbench.inside.python import zygote as zygote_inside
from sdkbench.inside.python.apart import solution_side
from sdkbench.inside.rust import build as rust_build
from sdkbench.inside.rust import tests as rust_tests
from sdkbench.inside.sandbox import namespaces
from sdkbench.sandbox import zygote
from sdkbench.test_harness import apart
from sdkbench.test_harness import session as outside
from sdkbench.test_harness.go import session as go
from sdkbench.test_harness.java import session as java
from sdkbench.test_harness.python import build_system, records, session, warm
from sdkbench.test_harness.rust import session as rust

SHARED: tuple[type[BaseModel], ...] = (outside.Order, *outside.SHARED)
PAIRS: list[tuple[type[BaseModel], Any]] = [
    *((kind, getattr(inside, kind.__name__)) for kind in SHARED),
    (records.Phase, reporter.Phase),
    (apart.Crossing, inside.Crossing),
    (records.ProjectState, boot.ProjectState),
    (build_system.BackendOrder, backend.BackendOrder),
    (build_system.Described, backend.Described),
    (session.InstallOrder, boot.InstallOrder),
    (session.ApartOrder, boot.ApartOrder),
    (session.SolutionOrder, solution_side.SolutionOrder),
    (session.PythonOrder, boot.PythonOrder),
    (zygote.PlacementOrder, namespaces.PlacementOrder),
    (zygote.FileSystemOrder, namespaces.FileSystemOrder),
    (warm.PythonRun, zygote_inside.PythonRun),
    (go.GoModule, go_inside.GoModule),
    (go.GoCase, go_inside.GoCase),
    (go.GoPackage, go_inside.GoPackage),
    (go.GoSample, go_inside.GoSample),
    (go.GoOrder, go_inside.GoOrder),
    (rust.RustBuildOrder, rust_build.RustBuildOrder),
    (rust.BuiltProgram, rust_build.BuiltProgram),
    (rust.Programs, rust_build.Programs),
    (rust.RustTestProgram, rust_tests.RustTestProgram),
    (rust.RustTestOrder, rust_tests.RustTestOrder),
    (java.JavaStage, java_compile.JavaStage),
    (java.CompileOrder, java_compile.CompileOrder),
    (java.Classes, java_compile.Classes),
    (java.LaunchOrder, java_tests.LaunchOrder),
    (java.MavenOrder, java_maven.MavenOrder),
]
SIGNED = {"nonce", "number"}  # what the channel adds to each record


def schema(hint: Any) -> object:
    """What JSON fits; lists and tuples are the same thing there, and so are nested records."""
    if get_origin(hint) is NotRequired:
        hint = get_args(hint)[0]
    if hint in NESTED:
        return ("one", NESTED[hint])
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in {list, tuple} and arguments[0] in NESTED:
        return ("many", NESTED[arguments[0]])
    if any(argument in NESTED for argument in arguments):
        return ("one of", {NESTED.get(argument, argument) for argument in arguments})
    found = TypeAdapter(hint).json_schema()
    found.pop("$defs", None)
    return found


NESTED: dict[object, str] = {side: pair[0].__name__ for pair in PAIRS for side in pair}


@pytest.mark.parametrize(("model", "typed"), PAIRS, ids=lambda side: side.__name__)
def test_both_sides_agree_field_by_field(model: type[BaseModel], typed: Any) -> None:
    ours = {name: field.annotation for name, field in model.model_fields.items()}
    if issubclass(model, outside.Record):
        assert ours.keys() >= SIGNED
        ours = {name: hint for name, hint in ours.items() if name not in SIGNED}
    theirs = get_type_hints(typed)
    assert ours.keys() == theirs.keys()
    if issubclass(model, outside.Record):
        required = {n for n in ours if model.model_fields[n].is_required()}
        assert required == typed.__required_keys__
    for name, hint in ours.items():
        if name != "stopped_by":  # an enumeration outside, its text inside
            assert schema(hint) == schema(theirs[name]), name
