"""The SQL of judging again, for SQLAlchemy unless it says otherwise."""

from sqlalchemy import text

from app.verdicts.lifecycle.queries import load

REJUDGE = text(load("rejudge", rows=":rows"))
WITHDRAW = text(load("withdraw"))
# For psycopg.
REJUDGE_CHECKED = load("rejudge", rows="%(rows)s").encode()
RECHECK = load("recheck").encode()
