import csv
import io
import json
import os
import sys
from datetime import datetime
from typing import Optional

import typer

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
NAME = "ledger.json"


class Refusal(Exception):
    pass


def cents(text):
    whole, point, part = text.partition(".")
    ok = whole.isascii() and whole.isdigit() and len(whole) <= 15
    if point:
        ok = ok and part.isascii() and part.isdigit() and len(part) <= 2
    value = int(whole) * 100 + int(part.ljust(2, "0") or 0) if ok else 0
    if not value:
        raise Refusal(f"bad amount {text!r}")
    return value


def money(value):
    return f"{value // 100}.{value % 100:02}"


def check_date(text):
    try:
        parsed = datetime.strptime(text, "%Y-%m-%d")
    except ValueError:
        raise Refusal(f"bad date {text!r}") from None
    if parsed.strftime("%Y-%m-%d") != text:
        raise Refusal(f"bad date {text!r}")
    return text


def row(date, amount, category, note):
    if not category.strip() or set(category + note) & set("\t\n\r"):
        raise Refusal("bad category or note")
    return [check_date(date), cents(amount), category, note]


def read():
    if not os.path.exists(NAME):
        return {"last": 0, "rows": {}}
    try:
        with open(NAME, encoding="utf-8") as stream:
            book = json.load(stream)
        if not isinstance(book["last"], int) or not isinstance(book["rows"], dict):
            raise TypeError("not a ledger")
        return book
    except (ValueError, TypeError, KeyError, OSError) as error:
        raise Refusal(f"{NAME}: {error}") from error


def write(book):
    with open(NAME, "w", encoding="utf-8") as stream:
        json.dump(book, stream, ensure_ascii=False)


def append(book, fields):
    book["last"] += 1
    book["rows"][str(book["last"])] = fields
    return book["last"]


@app.command()
def add(amount: str, category: str, date: str = typer.Option(...), note: str = ""):
    book = read()
    number = append(book, row(date, amount, category, note))
    write(book)
    print(number)


@app.command(name="list")
def show(category: Optional[str] = None):
    rows = [(r[0], int(k), r) for k, r in read()["rows"].items()]
    for date, number, (_, amount, kind, note) in sorted(rows, key=lambda r: r[:2]):
        if category in (None, kind):
            print(number, date, money(amount), kind, note, sep="\t")


@app.command()
def total(month: Optional[str] = None):
    if month is not None:
        check_date(f"{month}-01")
    sums = {}
    for date, amount, kind, _ in read()["rows"].values():
        if month is None or date[:7] == month:
            sums[kind] = sums.get(kind, 0) + amount
    for kind, amount in sorted(sums.items()):
        print(f"{kind}\t{money(amount)}")
    print(f"total\t{money(sum(sums.values()))}")


@app.command(name="import")
def take():
    book = read()
    reader = csv.reader(io.StringIO(sys.stdin.read()))
    if next(reader, None) != ["date", "amount", "category", "note"]:
        raise Refusal("line 1: wrong columns")
    count = 0
    for fields in reader:
        try:
            if len(fields) != 4:
                raise Refusal("wrong number of fields")
            append(book, row(*fields))
        except Refusal as error:
            raise Refusal(f"line {reader.line_num}: {error}") from None
        count += 1
    write(book)
    print(count)


@app.command()
def remove(number: int):
    book = read()
    if book["rows"].pop(str(number), None) is None:
        raise Refusal(f"no expense {number}")
    write(book)


try:
    app()
except Refusal as refusal:
    print(refusal, file=sys.stderr)
    sys.exit(1)
