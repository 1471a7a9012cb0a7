"""What the words of a domain pack say of a text."""

from collections.abc import Iterator

from app.text.folding import folded
from app.text.packs.models import DomainPack


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
