"""Alembic's entry point. Runs on the connection it is given, else on DATABASE_URL."""

from alembic import context
from sqlalchemy import TEXT, Connection, create_engine
from sqlalchemy.dialects.postgresql.base import ischema_names
from sqlalchemy.pool import NullPool

import app.ai_router.models
import app.answering.models
import app.experiments.models
import app.integrations.traces.models
import app.integrations.webhooks.models
import app.judges.models
import app.notes.models
import app.operations.system.models
import app.platform.jobs.models
import app.quality.analytics.models
import app.quality.failures.models
import app.quality.review.models
import app.verdicts.answers.models
import app.verdicts.batches.models
import app.verdicts.models
import app.workspaces.models  # noqa: F401  importing the models fills the metadata
from app.notes.models import Vector
from app.platform.db.base import Base
from app.platform.db.session import sqlalchemy_url
from app.platform.errors import SetupError
from app.platform.settings import get_settings
from app.verdicts.models.evaluations import Xid8
from migrations.vectors import STORE_VECTORS

# SQLAlchemy does not know these types when it reads the schema back.
ischema_names["xid8"] = Xid8
ischema_names["vector"] = Vector


def _types_differ(*compared: object) -> bool | None:
    """False where a server without pgvector has a text in the place of a vector."""
    *_, inspected, ours = compared
    return False if isinstance(ours, Vector) and isinstance(inspected, TEXT) else None


def run(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        compare_type=_types_differ,
        compare_server_default=True,
        # Else the locks of the first one were held until the last has ended.
        transaction_per_migration=True,
    )
    with context.begin_transaction():
        context.run_migrations()
        connection.exec_driver_sql(STORE_VECTORS)


given = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    database_url = get_settings().database.url
    if not database_url:
        raise SetupError("Set DATABASE_URL to the database that Alembic should look at.")
    with create_engine(sqlalchemy_url(database_url), poolclass=NullPool).connect() as connection:
        run(connection)
