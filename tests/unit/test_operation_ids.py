"""The ids of operations, which generated clients call their functions by."""

import re

from app.api.app import create_app


def test_operations_have_names_that_people_can_read():
    paths = create_app().openapi()["paths"]
    ids = [
        operation["operationId"]
        for operations in paths.values()
        for operation in operations.values()
    ]

    assert len(ids) > 60
    assert len(set(ids)) == len(ids)
    assert [id_ for id_ in ids if not re.fullmatch(r"[a-z]+(_[a-z]+){0,3}", id_)] == []
