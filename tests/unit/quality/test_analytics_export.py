"""Exports of analytics that need a package of their own."""

import io
import sys

import pytest

from app.platform.errors import InvalidRequest
from app.quality.analytics.service import ExportFormat, open_writer


def test_parquet_without_its_extra_is_refused_in_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InvalidRequest, match=r"install the extra searchqa\[parquet\]") as refused:
        open_writer(ExportFormat.PARQUET, [], io.BytesIO())
    assert (refused.value.status, refused.value.code) == (422, "parquet-not-installed")
