"""The ids of operations, which generated clients call their functions by."""

import re

from api_client import openapi_paths


def test_operations_have_names_that_people_can_read():
    operations = (each for methods in openapi_paths().values() for each in methods.values())
    ids = [operation["operationId"] for operation in operations]
    assert len(ids) > 60
    assert len(set(ids)) == len(ids)
    assert [id_ for id_ in ids if not re.fullmatch(r"[a-z]+(_[a-z]+){0,3}", id_)] == []
