"""The made parts of the client: how they are made, and that they load nothing else."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

CI = Path(__file__).parents[3] / ".ci"


@pytest.fixture(scope="module")
def client_models() -> ModuleType:
    spec = importlib.util.spec_from_file_location("client_models", CI / "client_models.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_schema_that_is_not_understood_is_refused(client_models):
    with pytest.raises(ValueError, match="no Python type"):
        client_models._type({"type": "tuple"}, taken=False)
    with pytest.raises(ValueError, match="cannot be an attribute"):
        client_models._class("A", {"properties": {"from": {"type": "string"}}}, taken=False)


@pytest.mark.parametrize(
    ("schema", "given", "taken"),
    [
        ({"$ref": "#/components/schemas/A"}, "A", "A"),
        ({"type": "string", "format": "uuid"}, "uuid.UUID", "uuid.UUID | str"),
        ({"type": "string", "enum": ["a"]}, "Literal['a'] | str", "Literal['a'] | str"),
        ({"anyOf": [{"type": "null"}, {"type": "integer"}]}, "int | None", "int | None"),
        ({"type": "array", "items": {"type": "number"}}, "list[float]", "list[float]"),
        (
            {"type": "object", "additionalProperties": {"type": "string"}},
            "dict[str, str]",
            "dict[str, str]",
        ),
    ],
)
def test_types(client_models, schema, given, taken):
    assert client_models._type(schema, taken=False) == given
    assert client_models._type(schema, taken=True) == taken
