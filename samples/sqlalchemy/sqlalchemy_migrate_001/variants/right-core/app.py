import sqlalchemy as sa
from sqlalchemy.pool import NullPool

metadata = sa.MetaData()
tickets = sa.Table(
    "tickets",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("title", sa.String, nullable=False),
    sa.Column("state", sa.String, nullable=False),
)
labels_table = sa.Table(
    "labels",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.String, nullable=False, unique=True),
)
links = sa.Table(
    "ticket_labels",
    metadata,
    sa.Column("ticket_id", sa.ForeignKey("tickets.id"), primary_key=True),
    sa.Column("label_id", sa.ForeignKey("labels.id"), primary_key=True),
)
notes = sa.Table(
    "notes",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("ticket_id", sa.ForeignKey("tickets.id"), nullable=False),
    sa.Column("text", sa.String, nullable=False),
)


def begin(path):
    engine = sa.create_engine(f"sqlite:///{path}", poolclass=NullPool)
    metadata.create_all(engine)
    return engine.begin()


def shown(connection, query):
    found = []
    names = sa.select(labels_table.c.name).join(links, links.c.label_id == labels_table.c.id)
    for row in connection.execute(query).mappings().all():
        own = names.where(links.c.ticket_id == row["id"]).order_by(labels_table.c.name)
        found.append({**row, "labels": list(connection.scalars(own))})
    return found


def add(path, title, labels=()):
    with begin(path) as connection:
        inserted = connection.execute(sa.insert(tickets).values(title=title, state="open"))
        (number,) = inserted.inserted_primary_key
        for name in set(labels):
            known = sa.select(labels_table.c.id).where(labels_table.c.name == name)
            label = connection.scalar(known)
            if label is None:
                made = connection.execute(sa.insert(labels_table).values(name=name))
                label = made.inserted_primary_key[0]
            connection.execute(sa.insert(links).values(ticket_id=number, label_id=label))
        return number


def get(path, number):
    with begin(path) as connection:
        found = shown(connection, sa.select(tickets).where(tickets.c.id == number))
    return found[0] if found else None


def newest(path, limit):
    with begin(path) as connection:
        return shown(connection, sa.select(tickets).order_by(sa.desc("id")).limit(limit))


def with_label(name):
    query = sa.select(links.c.ticket_id).join_from(links, labels_table)
    return tickets.c.id.in_(query.where(labels_table.c.name == name))


def labelled(path, name):
    with begin(path) as connection:
        return shown(connection, sa.select(tickets).where(with_label(name)).order_by("id"))


def close(path, label):
    wanted = sa.and_(tickets.c.state == "open", with_label(label))
    with begin(path) as connection:
        return connection.execute(tickets.update().where(wanted).values(state="closed")).rowcount


def note(path, number, text):
    if get(path, number) is None:
        raise KeyError(number)
    with begin(path) as connection:
        connection.execute(sa.insert(notes), [{"ticket_id": number, "text": text}])


def notes_of(path, number):
    query = sa.select(notes).where(notes.c.ticket_id == number).order_by(notes.c.id)
    with begin(path) as connection:
        return [row.text for row in connection.execute(query)]


def states(path):
    query = sa.text("SELECT state, count(*) AS n FROM tickets GROUP BY state")
    with begin(path) as connection:
        return {row.state: row.n for row in connection.execute(query)}
