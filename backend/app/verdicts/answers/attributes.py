"""What an application says of an answer: release, environment, user, session, tags, own keys."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Annotated, Self, TypeAlias, TypeGuard

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.types import StringConstraints

from app.platform.db.statements import storable
from app.text.redaction import Redactor

Scalar: TypeAlias = str | int | float | bool

MAX_TEXT_CHARS = 200
MAX_ENVIRONMENT_CHARS = 100
MAX_TAGS = 20
MAX_TAG_CHARS = 100
MAX_KEYS = 20
MAX_KEY_CHARS = 50
# The most characters of each text, by field.
TEXT_LIMITS: Mapping[str, int] = {
    "app_version": MAX_TEXT_CHARS,
    "environment": MAX_ENVIRONMENT_CHARS,
    "user_ref": MAX_TEXT_CHARS,
    "session_id": MAX_TEXT_CHARS,
}
KEY_PATTERN = r"^[^\s=\x00]+$"
KEY_AND_VALUE_PATTERN = r"^[^=\x00]+=[^\x00]*$"
# Of PostgreSQL's bigint.
_MAX_NUMBER = 2**63 - 1


def _is_value(value: object) -> TypeGuard[Scalar]:
    if isinstance(value, str):
        return len(value) <= MAX_TEXT_CHARS and "\x00" not in value
    return isinstance(value, int | float) and isfinite(value) and abs(value) <= _MAX_NUMBER


def _checked_value(value: object) -> object:
    if not _is_value(value):
        raise ValueError(
            f"must be a number, true, false, or text of at most {MAX_TEXT_CHARS} characters"
            " without NUL"
        )
    return value


def _unique(tags: list[str]) -> list[str]:
    return list(dict.fromkeys(tags))


def _text(max_length: int) -> StringConstraints:
    return StringConstraints(
        strip_whitespace=True, min_length=1, max_length=max_length, pattern=r"^[^\x00]+$"
    )


Text = Annotated[str, _text(MAX_TEXT_CHARS)]
Environment = Annotated[str, _text(MAX_ENVIRONMENT_CHARS)]
Tag = Annotated[str, _text(MAX_TAG_CHARS)]
Key = Annotated[str, StringConstraints(max_length=MAX_KEY_CHARS, pattern=KEY_PATTERN)]
# Without a branch for each type, so that a mistake is said once.
Value = Annotated[Scalar, BeforeValidator(_checked_value)]


@dataclass(frozen=True, slots=True)
class Attributes:
    """app_version: the release that answered; environment: where it runs. user_ref: who asked,
    as the application names them; it is stored as a keyed hash unless the policy says otherwise.
    session_id: of the dialogue. custom: at most MAX_KEYS keys of the application's own."""

    app_version: str | None = None
    environment: str | None = None
    user_ref: str | None = None
    session_id: str | None = None
    tags: Sequence[str] = ()
    custom: Mapping[str, Scalar] = field(default_factory=dict)

    @classmethod
    def fitted(
        cls,
        texts: Mapping[str, object],
        tags: Iterable[object] = (),
        custom: Mapping[str, object] | None = None,
    ) -> Self:
        """Of what cannot be refused, such as spans: texts are cut to the limits, and further tags
        and keys and what is no value are left out. texts: by the names of the fields."""
        known = {name: _cut(texts.get(name), limit) for name, limit in TEXT_LIMITS.items()}
        kept = dict.fromkeys(cut for tag in tags if (cut := _cut(tag, MAX_TAG_CHARS)))
        own: dict[str, Scalar] = {}
        for name, given in (custom or {}).items():
            key = "_".join(storable(name).replace("=", " ").split())[:MAX_KEY_CHARS]
            value = storable(given)[:MAX_TEXT_CHARS] if isinstance(given, str) else given
            if key and len(own) < MAX_KEYS and _is_value(value):
                own[key] = value
        return cls(**known, tags=tuple(kept)[:MAX_TAGS], custom=own)

    def joined(self, other: "Attributes") -> Self:
        """These, and of `other` what is not there, within the limits."""
        # For their order, and then for their values.
        own = {**self.custom, **other.custom, **self.custom}
        texts = {name: getattr(self, name) or getattr(other, name) for name in TEXT_LIMITS}
        return replace(
            self,
            **texts,
            tags=tuple(dict.fromkeys((*self.tags, *other.tags)))[:MAX_TAGS],
            custom=dict([*own.items()][:MAX_KEYS]),
        )

    def redacted(self, redactor: Redactor) -> Self:
        """Tags and own keys; what names release, user and session is looked up as it was sent."""
        own = redactor.values(self.custom)
        return replace(self, tags=tuple(map(redactor.redact, self.tags)), custom=own)


NO_ATTRIBUTES = Attributes()


def _cut(value: object, limit: int) -> str | None:
    if not isinstance(value, str | int | float):
        return None
    return storable(str(value)).strip()[:limit].strip() or None


class AttributesCreate(BaseModel):
    """app_version: the release that answered; environment: where it runs, such as production.
    user_ref: who asked, stored as a keyed hash unless the policy says `plain`, and e-mail
    addresses always. session_id: of the dialogue. attributes: keys of your own with a text, a
    number or a boolean each."""

    model_config = ConfigDict(extra="forbid")

    app_version: Text | None = None
    environment: Environment | None = None
    user_ref: Text | None = None
    session_id: Text | None = None
    tags: Annotated[list[Tag], Field(max_length=MAX_TAGS), AfterValidator(_unique)] = []
    attributes: Annotated[dict[Key, Value], Field(max_length=MAX_KEYS)] = {}

    def given(self) -> Attributes:
        texts = {name: getattr(self, name) for name in TEXT_LIMITS}
        return Attributes(**texts, tags=tuple(self.tags), custom=self.attributes)
