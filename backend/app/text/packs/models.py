"""What a domain pack says: categories, situation tags, nuggets and next-step rules.

A pack is data, written by people who know a domain. Unknown fields are refused, so that a
misspelt one is not silently without effect.
"""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from app.text.language import Lang

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
    def knows_a_domain(self) -> bool:
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
