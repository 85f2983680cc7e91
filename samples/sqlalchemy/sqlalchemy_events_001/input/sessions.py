"""Sessions that keep a record and remove nothing for good (SQLAlchemy 2.1.8 is installed).

This is the only file to write: models.py and desk.py are complete. Others write further models with Audited
and Soft, and further code like that of desk.py; all of it has to come under the same rules by itself.
"""

from pathlib import Path

from sqlalchemy.orm import Session


class NotOnRecord(Exception):
    """A statement would change audited rows without leaving a record."""


def opened(path: Path, who: str) -> Session:
    """A new session on the SQLite file `path`, for a person; file and tables are created where missing.
    When the session is closed, no connection is left. Several may be open at once, for other persons.

    1. Whenever a row of an Audited model is inserted, updated or deleted by the session, a Change is
       stored in the same transaction: who, the action, the name of the table, the row's id, and `fields`.
       For an insert they are {column: [None, value]}, for a deletion {column: [value, None]}, of all
       columns but id that are not null; for an update {column: [old, new]} of those whose value in the
       file changes, also where the session had not loaded the old one. An update that changes nothing is
       not on record. One flush is recorded in any order.

    2. Deleting a Soft object sets its `deleted` instead, which is an update like any other. What goes
       along with it by a cascade goes by its own rules.

    3. What is selected by the ORM (objects, columns, joins, counts, get(), what a relationship loads) leaves
       out rows of Soft models that are deleted, unless the statement has the execution option deleted=True.
       An object that is deleted while the session has it stays usable.

    4. INSERT, UPDATE and DELETE statements of an Audited model that the session is to execute are not: they
       raise NotOnRecord. Those of other models are executed.
    """
    raise NotImplementedError
