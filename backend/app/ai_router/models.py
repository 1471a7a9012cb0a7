"""The table of what model servers refuse."""

import datetime as dt

from sqlalchemy import ARRAY, Text, func
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.db.base import Base


class RefusedPartsRow(Base):
    """Optional parts of requests that the server at an address refuses for a model. Rows are
    ignored once `refused_at` is older than KEPT_SECONDS of `providers.forms`."""

    __tablename__ = "refused_parts"

    server: Mapped[str] = mapped_column(Text, primary_key=True)
    model: Mapped[str] = mapped_column(Text, primary_key=True)
    parts: Mapped[list[str]] = mapped_column(ARRAY(Text))
    refused_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())
