from threading import Event, Thread

import duckdb

KINDS = [
    ("syntax", ("ParserException", "SyntaxException")),
    ("refused", ("PermissionException",)),
    ("unknown", ("CatalogException", "BinderException")),
    ("data", ("ConversionException", "OutOfRangeException", "DataError")),
    ("too slow", ("InterruptException",)),
]


def connect(path):
    db = duckdb.connect(str(path), read_only=True)
    db.execute("SET enable_external_access = false")
    db.execute("SET lock_configuration = true")
    return db


def wrong(kind, message):
    return {"error": kind, "message": message.strip().partition("\n")[0]}


def kind_of(error):
    classes = {each.__name__ for each in type(error).__mro__}
    for kind, names in KINDS:
        if classes.intersection(names):
            return kind
    return "failed"


def watch(db, done, seconds):
    if not done.wait(seconds):
        db.interrupt()


def ask(path, sql, values=(), limit=100, seconds=10.0):
    db = connect(path)
    done = Event()
    watcher = Thread(target=watch, args=(db, done, seconds), daemon=True)
    try:
        statements = db.extract_statements(sql)
        if [s.type.name for s in statements] != ["SELECT"]:
            return wrong("refused", "one SELECT statement, please")
        wanted = statements[0].named_parameters
        if isinstance(values, dict):
            fits = wanted == values.keys()
        else:
            fits = wanted == {str(place + 1) for place, _ in enumerate(values)}
        if not fits:
            return wrong("values", f"wanted: {sorted(wanted)}")
        watcher.start()
        cursor = db.execute(statements[0], values)
        names = [each[0] for each in cursor.description]
        rows = []
        while (row := cursor.fetchone()) is not None:
            if len(rows) == limit:
                return {"columns": names, "rows": rows, "more": True}
            rows.append(row)
        return {"columns": names, "rows": rows, "more": False}
    except duckdb.Error as error:
        return wrong(kind_of(error), str(error))
    finally:
        done.set()
        if watcher.ident:
            watcher.join()
        db.close()


def describe(path):
    with connect(path) as db:
        rows = db.execute(
            "SELECT table_name, list((column_name, data_type) ORDER BY ordinal_position)"
            " FROM information_schema.columns WHERE table_schema = 'main'"
            " GROUP BY table_name ORDER BY table_name"
        ).fetchall()
    return {name: [tuple(column) for column in columns] for name, columns in rows}
