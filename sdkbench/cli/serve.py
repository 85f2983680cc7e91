"""`sdkbench serve`: the judge as a service over HTTP; `serve tokens`: who may ask it."""

import logging
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from sdkbench.cli.options import (
    PrivateTestsOption,
    SamplesDirOption,
    StoreOption,
    WarmOption,
)
from sdkbench.cli.run import (
    AddressOption,
    EngineOption,
    IntegrityOption,
    ModeOption,
    SandboxOption,
    TimeoutOption,
    WorkersOption,
    settings_among,
)
from sdkbench.cli.run_config import run_settings
from sdkbench.errors import MissingTool
from sdkbench.store import open_store

DEFAULT_PORT = 8643
DEFAULT_TOKENS = Path(".sdkbench") / "tokens.json"
MIB = 1 << 20

app = typer.Typer(
    help="Judge solutions over HTTP.", invoke_without_command=True, rich_markup_mode=None
)
tokens_app = typer.Typer(help="Who may ask, and until when.", no_args_is_help=True)
app.add_typer(tokens_app, name="tokens")

TokensOption = Annotated[Path, typer.Option("--tokens", help="The file of tokens.", metavar="FILE")]


@app.callback()
def serve(
    context: typer.Context,
    host: Annotated[
        str,
        typer.Option(help="The address to listen on; any but this machine's own needs tokens."),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes any that is free.")] = (
        DEFAULT_PORT
    ),
    tokens: TokensOption = DEFAULT_TOKENS,
    store: StoreOption = None,
    sdk: Annotated[
        list[str] | None, typer.Option(help="Only samples of this SDK. Repeat for more.")
    ] = None,
    samples_dir: SamplesDirOption = None,
    private_tests: PrivateTestsOption = None,
    workers: WorkersOption = None,
    mode: ModeOption = None,
    integrity: IntegrityOption = None,
    timeout: TimeoutOption = None,
    warm: WarmOption = None,
    sandbox: SandboxOption = None,
    engine: EngineOption = None,
    address: AddressOption = None,
    run_id: Annotated[
        str | None, typer.Option(help="The run that all is kept in. Default: service.")
    ] = None,
    queue: Annotated[
        int, typer.Option(min=1, help="Judgements that may wait; then callers come again.")
    ] = 1000,
    max_body: Annotated[int, typer.Option(min=1, metavar="MIB", help="Of one request.")] = 20,
    max_unpacked: Annotated[
        int, typer.Option(min=1, max=256, metavar="MIB", help="Of one archive, unpacked.")
    ] = 64,
    drain: Annotated[
        float, typer.Option(min=0, metavar="SECONDS", help="For what is being judged at the end.")
    ] = 30.0,
    webhooks_to: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HOST", help="Call webhooks there, too; * for anywhere. Repeat for more."
        ),
    ] = None,
) -> None:
    """Judge solutions over HTTP, until told to end: nothing that was accepted is lost."""
    if context.invoked_subcommand is not None:
        return
    try:
        from sdkbench.serve.judging import running  # noqa: PLC0415 - an extra
        from sdkbench.serve.judging.limits import ServiceLimits  # noqa: PLC0415
        from sdkbench.serve.judging.webhooks import WebhookPolicy  # noqa: PLC0415
    except ImportError as error:
        raise MissingTool(
            "The service needs the extra `serve`: pip install 'sdkbench[serve]'."
        ) from error

    settings = run_settings(None, settings_among(locals()))
    limits = ServiceLimits(
        waiting=queue,
        body_bytes=max_body * MIB,
        unpacked_bytes=max_unpacked * MIB,
        drain_seconds=drain,
    )
    policy = WebhookPolicy(frozenset(host.lower() for host in webhooks_to or ()))
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")

    def on_start(address: str, level: str) -> None:
        typer.echo(f"{address}  sandbox: {level}  (Ctrl-C ends)", err=True)

    with open_store(store) as opened:
        running.serve_judging(
            opened,
            settings,
            running.Place(host, port, tokens),
            limits=limits,
            webhooks=policy,
            on_start=on_start,
        )


@tokens_app.command("add")
def add(
    name: Annotated[str, typer.Argument(help="Whose it is: letters, digits, dots, hyphens.")],
    expires: Annotated[str, typer.Option(help="30d, 12h, 8w, a date, or never.")] = "90d",
    waiting: Annotated[
        int | None, typer.Option(min=1, help="Judgements that may wait at a time.")
    ] = None,
    per_minute: Annotated[
        int | None, typer.Option(min=1, help="Judgements that may be asked for in a minute.")
    ] = None,
    tokens: TokensOption = DEFAULT_TOKENS,
) -> None:
    """Make a token, and print it: it is shown once, and only its digest is kept."""
    from sdkbench.serve.judging.tokens import TokenFile, expiry  # noqa: PLC0415 - as in `serve`

    until = expiry(expires, datetime.now(UTC))
    secret = TokenFile(tokens).add(name, expires_at=until, waiting=waiting, per_minute=per_minute)
    typer.echo(secret)


@tokens_app.command("list")
def listed(tokens: TokensOption = DEFAULT_TOKENS) -> None:
    """Names, limits and when each expires."""
    from sdkbench.serve.judging.tokens import TokenFile  # noqa: PLC0415

    now = datetime.now(UTC)
    for token in TokenFile(tokens).tokens():
        until = "never expires" if token.expires_at is None else f"until {token.expires_at:%F %R}"
        limits = [f"{token.waiting} waiting"] if token.waiting else []
        limits += [f"{token.per_minute} a minute"] if token.per_minute else []
        state = "expired, " if token.expired(now) else ""
        typer.echo(", ".join([f"{token.name}: {state}{until}", *limits]))


@tokens_app.command("remove")
def remove(
    name: Annotated[str, typer.Argument(help="Whose it is.")],
    tokens: TokensOption = DEFAULT_TOKENS,
) -> None:
    """Refuse a token from now on, also in services that run."""
    from sdkbench.serve.judging.tokens import TokenFile  # noqa: PLC0415

    TokenFile(tokens).remove(name)
