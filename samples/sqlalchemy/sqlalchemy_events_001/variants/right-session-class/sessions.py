from sqlalchemy import create_engine, event, inspect
from sqlalchemy.orm import Session, with_loader_criteria

from .models import Audited, Base, Change, Soft


class NotOnRecord(Exception):
    pass


# Old values are loaded when they are replaced.
def keep_old_values():
    for mapper in Base.registry.mappers:
        if issubclass(mapper.class_, Audited):
            for column in mapper.column_attrs:
                getattr(mapper.class_, column.key).impl.active_history = True


class Recording(Session):
    def __init__(self, path, who):
        self.own_engine = create_engine(f"sqlite:///{path}")
        Base.metadata.create_all(self.own_engine)
        keep_old_values()
        super().__init__(bind=self.own_engine)
        self.who = who
        self.pending = []
        event.listen(self, "before_flush", self.mark)
        event.listen(self, "after_flush", self.note)
        event.listen(self, "do_orm_execute", self.filter)

    def close(self):
        super().close()
        self.own_engine.dispose()

    def mark(self, session, context, instances):
        for instance in session.deleted:
            if isinstance(instance, Soft):
                session.add(instance)
                instance.deleted = True

    def note(self, session, context):
        rows = []
        for state in context.states:
            instance = state.obj()
            if not isinstance(instance, Audited):
                continue
            is_delete, _ = context.states[state]
            action = "update"
            if is_delete:
                action = "delete"
            elif instance in session.new:
                action = "insert"
            fields = {}
            for column in inspect(type(instance)).column_attrs:
                if column.key == "id":
                    continue
                history = state.attrs[column.key].history
                new = getattr(instance, column.key)
                if action == "delete":
                    old = history.deleted[0] if history.deleted else new
                    if old is not None:
                        fields[column.key] = [old, None]
                elif action == "insert":
                    if new is not None:
                        fields[column.key] = [None, new]
                elif history.has_changes():
                    fields[column.key] = [history.deleted[0] if history.deleted else None, new]
            if fields:
                rows.append({
                    "who": self.who, "action": action, "table": instance.__tablename__,
                    "key": instance.id, "fields": fields,
                })
        if rows:
            session.connection().execute(Change.__table__.insert(), rows)

    def filter(self, state):
        if state.is_select:
            if not state.execution_options.get("deleted", False):
                for mapper in Base.registry.mappers:
                    model = mapper.class_
                    if issubclass(model, Soft):
                        state.statement = state.statement.options(
                            with_loader_criteria(
                                model, model.deleted == False, include_aliases=True  # noqa: E712
                            )
                        )
        elif state.bind_mapper and issubclass(state.bind_mapper.class_, Audited):
            raise NotOnRecord(str(state.statement))


def opened(path, who):
    return Recording(path, who)
