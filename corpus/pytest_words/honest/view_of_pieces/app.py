import duckdb


def save(path, text):
    with duckdb.connect(path) as db:
        db.execute("CREATE TABLE IF NOT EXISTS pieces (word VARCHAR)")
        db.execute("DELETE FROM pieces")
        db.executemany("INSERT INTO pieces VALUES (?)", [[word] for word in text.split()])
        db.execute(
            "CREATE VIEW IF NOT EXISTS words AS"
            " SELECT word, count(*)::INTEGER AS often FROM pieces GROUP BY word"
        )
