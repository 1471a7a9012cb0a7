"""What `searchqa ask` says of the asker and of the question's matter."""

import uuid

import pytest
import typer

from app.cli.ask import attributes_of, classification_of, conversation_id, slots_of


def test_slots_have_korean_and_english_names_and_may_repeat():
    given = ["나이=60", "sex=남성", "질환=2형 당뇨병", "conditions = 고혈압", "약물=메트포르민"]
    assert slots_of(given) == {
        "age": 60,
        "sex": "남성",
        "conditions": ["2형 당뇨병", "고혈압"],
        "medications": ["메트포르민"],
    }
    assert slots_of([]) is None


@pytest.mark.parametrize(
    "slot", ["나이", "키=170", "age=", "age=old", "age=151", "sex=a\nb", "=60"]
)
def test_an_invalid_slot_is_refused(slot):
    with pytest.raises(typer.BadParameter):
        slots_of([slot])


def test_a_slot_with_one_value_is_given_once():
    with pytest.raises(typer.BadParameter, match="given twice"):
        slots_of(["age=60", "나이=61"])


@pytest.mark.parametrize(
    ("given", "classification"),
    [
        (None, None),
        ("재활용폐기물", {"major_category": "재활용폐기물"}),
        (
            "재활용폐기물 / 플라스틱",
            {"major_category": "재활용폐기물", "minor_category": "플라스틱"},
        ),
    ],
)
def test_a_classification_has_one_or_two_levels(given, classification):
    assert classification_of(given) == classification


@pytest.mark.parametrize("given", ["", "/", "a/", "/b"])
def test_half_a_classification_is_refused(given):
    with pytest.raises(typer.BadParameter):
        classification_of(given)


def test_attributes_are_read_by_their_names():
    written = ["app_version=1.4.2", "tag=a", "tag=b", "tenant=x=y"]
    assert attributes_of(written) == {
        "app_version": "1.4.2",
        "tags": ["a", "b"],
        "attributes": {"tenant": "x=y"},
    }
    with pytest.raises(typer.BadParameter, match="NAME=VALUE"):
        attributes_of(["tag="])


def test_a_conversation_goes_by_its_id_or_by_a_name():
    given = str(uuid.uuid4())
    assert conversation_id(given.upper()) == given
    assert conversation_id("매장") == conversation_id("매장") != conversation_id("수영장")
    assert uuid.UUID(conversation_id("매장")).version == 5
