"""Reports on JSON and CSV files. Written for duckdb 0.9 with pandas; has to run on duckdb 2.0.0
(installed alone: neither pandas nor numpy nor pyarrow).

The JSON files are one array, or an object a line, of objects with the fields name (text), tags (a
list of texts, or null) and scores (a list of numbers, or null). No file changes. Paths may hold any
characters.
"""

import duckdb


def names(path, at_least):
    """The names of those that have a score of at_least or more, sorted by code points."""
    con = duckdb.connect()
    rel = con.from_query(
        "SELECT name FROM read_json_auto('%s') WHERE len(list_filter(scores, x -> x >= %s)) > 0"
        % (path, at_least)
    )
    frame = rel.order("name").df()
    con.close()
    return frame["name"].tolist()


def shorten(path, length):
    """name → its tags, cut to `length` characters and without repetitions, in the order of their
    first occurrence; the names are in the file's order. Null tags are an empty list."""
    con = duckdb.connect()
    frame = con.execute(
        "SELECT name, list_transform(coalesce(tags, []), t -> t[1:%d]) AS tags"
        " FROM read_json_auto('%s')" % (length, path)
    ).fetchdf()
    con.close()
    return {row["name"]: list(dict.fromkeys(row["tags"])) for _, row in frame.iterrows()}


def totals(path):
    """For each name in order: the name, the sum of its scores (None without any) and 100 times its
    share in the sum of all, rounded down to an int (None, too)."""
    con = duckdb.connect()
    con.execute(
        "CREATE TABLE t AS SELECT name, list_aggr(scores, 'sum') AS total"
        " FROM read_json_auto('%s')" % path
    )
    everything = con.execute("SELECT sum(total) FROM t").df().iloc[0, 0]
    frame = con.execute(
        "SELECT name, total, CAST(floor(100 * total / everything) AS INT) AS share"
        " FROM t, (SELECT %r AS everything) ORDER BY name" % everything
    ).df()
    con.close()
    return [tuple(None if v != v else v for v in row) for row in frame.values.tolist()]


def report(path, target):
    """Write name, number of tags (0 for null) and best score (empty for none) of the JSON file as
    CSV with a header of these words: name, tags, best. Sorted by name. Returns the number of rows.
    """
    con = duckdb.connect()
    data = con.execute("SELECT * FROM read_json_auto('%s')" % path).df()
    data["tags"] = data["tags"].apply(lambda tags: 0 if tags is None else len(tags))
    con.register("data", data)
    rel = con.from_query(
        "SELECT name, tags, list_aggr(scores, 'max') AS best FROM data ORDER BY name"
    )
    rel.write_csv(str(target))
    con.close()
    return len(data)
