"""Domain packs as they are written, and the categories and tags that their words give a text.

A pack is data, written by people who know a domain. Unknown fields are refused, so that a
misspelt one is not silently without effect."""

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from app.text.language import Lang, folded

Word = Annotated[str, Field(min_length=1, max_length=200)]


class PackModel(BaseModel):
    """Base of all parts of a pack: closed and immutable."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


class LocalText(PackModel):
    """A text in both languages."""

    ko: Word
    en: Word

    def in_lang(self, lang: Lang) -> str:
        return self.ko if lang == "ko" else self.en


def _both(value: Any) -> Any:
    return {"ko": value, "en": value} if isinstance(value, str) else value


Text = Annotated[LocalText, BeforeValidator(_both)]
"""`{ko: …, en: …}`, or one text that stands for both."""


class Category(PackModel):
    """A major category with its subcategories and the words that point to it."""

    name: Word
    subcategories: tuple[Word, ...] = ()
    keywords: tuple[Word, ...] = ()


class Tag(PackModel):
    """A situation (“contaminated”), the words that point to it, and what to do then."""

    name: Word
    keywords: tuple[Word, ...] = ()
    instruction: Text | None = None


class Nugget(PackModel):
    """A piece of information that a complete answer gives; any keyword shows that it is there."""

    name: Word
    keywords: tuple[Word, ...] = Field(min_length=1)


class TagAction(PackModel):
    """What to do next when a chunk with this tag was found."""

    tag: Word
    action: Text


class Suggestion(PackModel):
    """A question to offer next, when the question holds one of `question_contains` and the
    answer none of `answer_lacks`. An empty list is no condition."""

    query: Text
    question_contains: tuple[Word, ...] = ()
    answer_lacks: tuple[Word, ...] = ()


class UrgencyRules(PackModel):
    """high: one of these words stands in the question; medium: one of these tags matched."""

    high_keywords: tuple[Word, ...] = ()
    medium_tags: tuple[Word, ...] = ()


class NextStepRules(PackModel):
    actions: tuple[TagAction, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    urgency: UrgencyRules = UrgencyRules()

    @property
    def has_any(self) -> bool:
        """Whether they can offer anything."""
        return bool(self.actions or self.suggestions)


class DomainPack(PackModel):
    """A domain. `keywords` are the words that the keyword search looks for in a question."""

    name: Word
    lang: Lang
    title: Text
    categories: tuple[Category, ...] = ()
    tags: tuple[Tag, ...] = ()
    nuggets: tuple[Nugget, ...] = ()
    keywords: tuple[Word, ...] = ()
    next_steps: NextStepRules = NextStepRules()

    @property
    def has_domain(self) -> bool:
        """Whether it says anything of what the notes speak of; the generic pack does not."""
        return bool(self.categories or self.tags or self.nuggets or self.keywords)

    @model_validator(mode="after")
    def _names_are_unique(self) -> "DomainPack":
        for kind, parts in (
            ("categories", self.categories),
            ("tags", self.tags),
            ("nuggets", self.nuggets),
        ):
            names = [part.name for part in parts]
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise ValueError(f"{kind} names {', '.join(twice)} twice")
        return self

    @model_validator(mode="after")
    def _rules_name_known_tags(self) -> "DomainPack":
        known = {tag.name for tag in self.tags}
        named = {
            *(rule.tag for rule in self.next_steps.actions),
            *self.next_steps.urgency.medium_tags,
        }
        if unknown := sorted(named - known):
            raise ValueError(f"next_steps names tags that the pack lacks: {', '.join(unknown)}")
        return self


def category_of(pack: DomainPack, message: str) -> dict[str, str] | None:
    """`major_category`: the one whose longest keyword stands in the message, the first one on a
    tie; `minor_category`: its subcategory that the keywords are a part of, if they point to one.
    None if no keyword stands there."""
    text = folded(message)
    found = [
        (word, category)
        for category in pack.categories
        for word in map(folded, category.keywords)
        if word in text
    ]
    if not found:
        return None
    _, best = max(found, key=lambda each: len(each[0]))
    words = [word for word, category in found if category is best]
    named = [name for name in best.subcategories if any(word in folded(name) for word in words)]
    minor = {"minor_category": named[0]} if len(named) == 1 else {}
    return {"major_category": best.name, **minor}


def tags_of(pack: DomainPack, text: str) -> Iterator[str]:
    """The situations that the text speaks of."""
    text = folded(text)
    for tag in pack.tags:
        if any(folded(word) in text for word in tag.keywords):
            yield tag.name
