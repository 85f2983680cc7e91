from sqlalchemy import create_engine, func, or_, select
from sqlalchemy.orm import Session, aliased
from sqlalchemy.pool import NullPool

from .models import Customer, Line, Order, Product


def session_of(path):
    return Session(create_engine(f"sqlite:///{path}", poolclass=NullPool))


def find_customers(path, text):
    typed = text.lower().replace("!", "!!").replace("%", "!%").replace("_", "!_")
    wanted = func.lower(Customer.name).like(f"%{typed}%", escape="!")
    with session_of(path) as session:
        return list(session.scalars(select(Customer.name).filter(wanted).order_by(Customer.name)))


def spending(path):
    valid = Order.cancelled.is_(False)
    orders = (
        select(func.count())
        .select_from(Order)
        .where(valid, Order.customer_id == Customer.id)
        .correlate(Customer)
        .scalar_subquery()
    )
    cents = (
        select(func.ifnull(func.sum(Line.price * Line.quantity), 0))
        .join(Order, Order.id == Line.order_id)
        .where(valid, Order.customer_id == Customer.id)
        .correlate(Customer)
        .scalar_subquery()
    )
    query = select(Customer.name, orders, cents)
    with session_of(path) as session:
        found = session.execute(query.order_by(cents.desc(), Customer.name, Customer.id))
        return [(name, count, total) for name, count, total in found]


def best_sellers(path, top):
    sales = (
        select(Product.category, Product.id, Product.name, func.sum(Line.quantity).label("sold"))
        .join_from(Line, Order)
        .join(Product, Product.id == Line.product_id)
        .where(Order.cancelled.is_not(True))
        .group_by(Product.category, Product.id, Product.name)
        .cte()
    )
    other = aliased(sales)
    more = (
        select(func.count() + 1)
        .select_from(other)
        .where(other.c.category == sales.c.category, other.c.sold > sales.c.sold)
        .correlate(sales)
        .scalar_subquery()
    )
    query = select(sales.c.category, more.label("place"), sales.c.name, sales.c.sold)
    with session_of(path) as session:
        found = session.execute(query.order_by(sales.c.category, "place", sales.c.name))
        return [tuple(row) for row in found if row.place <= top]


def page_of_orders(path, size, after=None):
    query = select(Order.day, Order.id, Customer.name).where(
        Order.cancelled.is_(False), Customer.id == Order.customer_id
    )
    if after:
        day, number = after
        query = query.where(or_(Order.day < day, (Order.day == day) & (Order.id < number)))
    query = query.order_by(Order.day.desc(), Order.id.desc()).limit(size)
    with session_of(path) as session:
        return [tuple(row) for row in session.execute(query)]
