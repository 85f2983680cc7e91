"""A list of parcels in a JSON file, as a command line. Written for click 8.1; has to run on typer 0.29.0,
which no longer brings click along, and nothing else is installed.

The command line stays as it is: commands, options with all their short and other names, defaults,
variables of the environment, what is printed on standard output, and exit codes. 0 means that all is well,
1 is for what this program refuses, with the line "Error: REASON" on standard error, and for an answer
of no; 2 is for wrong usage, in words that typer may choose. Whenever it is 1 or 2, the file stays as it was.
-V and --version print "parcels 1.4".
"""

import json
from pathlib import Path

import click
from click.testing import CliRunner


class Weight(click.ParamType):
    """Grams, written as 250g or 1.5kg."""

    name = "weight"

    def convert(self, value, param, ctx):
        for unit, factor in (("kg", 1000), ("g", 1)):
            if value.endswith(unit) and value[: -len(unit)].replace(".", "", 1).isdecimal():
                return round(float(value[: -len(unit)]) * factor)
        self.fail("%s is no weight" % value, param, ctx)


class Store:
    def __init__(self, path):
        self.path = Path(path)
        self.parcels = json.loads(self.path.read_text()) if self.path.exists() else {}

    def save(self):
        self.path.write_text(json.dumps(self.parcels))


@click.group(invoke_without_command=True, context_settings={"auto_envvar_prefix": "PARCELS"})
@click.option("--file", "path", default="parcels.json", type=click.Path(dir_okay=False))
@click.option("-v", "--verbose", count=True)
@click.version_option("1.4", "-V", "--version", message="parcels %(version)s")
@click.pass_context
def cli(ctx, path, verbose):
    """A list of parcels."""
    ctx.obj = Store(path)
    if verbose > 1:
        click.echo("file: %s" % path, err=True)
    if ctx.invoked_subcommand is None:
        click.echo("%d parcels" % len(ctx.obj.parcels))


@cli.command()
@click.argument("names", nargs=-1, required=True)
@click.option("-w", "--weight", type=Weight(), default="1kg")
@click.option("--size", nargs=2, type=click.IntRange(1, 200), default=(10, 20))
@click.option("--kind", type=click.Choice(["Letter", "Box"], case_sensitive=False), default="Letter")
@click.option("-t", "--tag", "tags", multiple=True)
@click.option("--fragile/--sturdy", default=None)
@click.pass_obj
def add(store, names, weight, size, kind, tags, fragile):
    """Add parcels of these names."""
    for name in names:
        if name in store.parcels:
            raise click.ClickException("there is a parcel %s" % name)
        store.parcels[name] = {
            "weight": weight, "size": list(size), "kind": kind, "tags": list(tags), "fragile": fragile
        }
    store.save()


@cli.command("list")
@click.option("--heavier", type=Weight(), help="Only parcels that weigh more.")
@click.option("--tag", help="Only parcels with this tag.")
@click.option("--long", "-l", is_flag=True)
@click.pass_obj
def listing(store, heavier, tag, long):
    """List parcels in the order of their names."""
    for name, parcel in sorted(store.parcels.items()):
        if heavier is not None and parcel["weight"] <= heavier:
            continue
        if tag is not None and tag not in parcel["tags"]:
            continue
        if long:
            said = {None: "", True: " fragile", False: " sturdy"}[parcel["fragile"]]
            size = "%dx%d" % tuple(parcel["size"])
            click.echo("%s %s %s %dg%s" % (name, parcel["kind"], size, parcel["weight"], said))
        else:
            click.echo(name)


@cli.command()
@click.argument("name")
@click.option("--yes", is_flag=True)
@click.pass_context
def remove(ctx, name, yes):
    """Remove a parcel, after a question unless --yes is given."""
    if ctx.obj.parcels.pop(name, None) is None:
        raise click.ClickException("there is no parcel %s" % name)
    if not yes:
        click.confirm("Remove %s?" % name, abort=True)
    ctx.obj.save()


@cli.command()
@click.argument("name")
@click.option("--to", prompt="New name")
@click.pass_obj
def rename(store, name, to):
    """Give a parcel another name, which is asked for unless --to is given."""
    if name not in store.parcels or to in store.parcels:
        raise click.ClickException("%s cannot become %s" % (name, to))
    store.parcels[to] = store.parcels.pop(name)
    store.save()


cli.add_command(listing, "ls")


def run(arguments, typed=""):
    """Run the program with these arguments and a text as what is typed; returns its exit code and what it
    wrote on standard output and on standard error."""
    result = CliRunner(mix_stderr=False).invoke(cli, arguments, input=typed)
    return result.exit_code, result.stdout, result.stderr
