"""The SQL of rows that wait for a batch of their provider or are in one, for SQLAlchemy unless it
says otherwise."""

from sqlalchemy import text

from app.verdicts.lifecycle.queries import load

# A condition on the row `e`, with id and attempt of the row `r`: it is in a batch as that attempt.
PARKED = load("parked")

LEASES = text(load("parked_leases", parked=PARKED))
LOCK = text(load("lock_parked", parked=PARKED))
RELEASE = text(load("release_parked", parked=PARKED))
PUT_BACK = text(load("put_back", parked=PARKED))
SAVE_REPLIES = text(load("save_replies", rows="CAST(:rows AS jsonb)"))
# For psycopg.
GROUPS = load("batch_groups").encode()
PARK = load("park").encode()
