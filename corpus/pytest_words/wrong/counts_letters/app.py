import duckdb


def save(path, text):
    with duckdb.connect(path) as db:
        db.execute("CREATE OR REPLACE TABLE words (word VARCHAR PRIMARY KEY, often INTEGER)")
        db.executemany("INSERT INTO words VALUES (?, ?)", [[w, len(w)] for w in set(text.split())])
