import csv
import datetime
import re
import sys
from decimal import Decimal

import click

from expected.store import Store


def entry(number, date, amount, category, note):
    try:
        if not re.fullmatch(r"\d{4}-\d\d-\d\d", date, re.ASCII):
            raise ValueError(f"{date!r} is no date")
        datetime.date.fromisoformat(date)
        if not re.fullmatch(r"\d{1,15}(\.\d{1,2})?", amount, re.ASCII) or not Decimal(amount):
            raise ValueError(f"{amount!r} is no amount")
        if not category.strip() or re.search(r"[\t\r\n]", category + note):
            raise ValueError("category or note")
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    return dict(id=number, date=date, amount=amount, category=category, note=note)


@click.group()
def cli():
    pass


@cli.command()
@click.argument("amount")
@click.argument("category")
@click.option("--date", required=True)
@click.option("--note", default="")
def add(amount, category, date, note):
    store = Store()
    made = entry(store.highest + 1, date, amount, category, note)
    store.append([made])
    click.echo(made["id"])


@cli.command("list")
@click.option("--category")
def listing(category):
    for e in sorted(Store().entries.values(), key=lambda e: (e["date"], e["id"])):
        if category is None or e["category"] == category:
            amount = format(Decimal(e["amount"]), ".2f")
            click.echo(f"{e['id']}\t{e['date']}\t{amount}\t{e['category']}\t{e['note']}")


@cli.command()
@click.option("--month")
def total(month):
    if month is not None and not re.fullmatch(r"\d{4}-(0[1-9]|1[012])", month, re.ASCII):
        raise click.ClickException("no such month")
    sums = Store().sums(month or "")
    for category in sorted(sums):
        click.echo(f"{category}\t{sums[category]:.2f}")
    click.echo(f"total\t{sum(sums.values(), Decimal()):.2f}")


@cli.command("import")
def importing():
    store = Store()
    rows = csv.reader(sys.stdin)
    if next(rows, None) != "date amount category note".split():
        raise click.ClickException("line 1 must name the columns")
    made = []
    for row in rows:
        try:
            if len(row) != 4:
                raise click.ClickException("four fields are needed")
            made.append(entry(store.highest + len(made) + 1, *row))
        except click.ClickException as error:
            raise click.ClickException(f"line {rows.line_num}: {error.message}") from error
    store.append(made)
    click.echo(len(made))


@cli.command()
@click.argument("number", type=int)
def remove(number):
    store = Store()
    if number not in store.entries:
        raise click.ClickException(f"no expense {number}")
    store.append([{"gone": number}])
