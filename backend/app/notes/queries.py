"""The SQL of searching notes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.notes.hits import ChunkHit, SearchHit
from app.notes.keys import Place
from app.platform.db.statements import load_sql

_SCORED = load_sql(__package__, "scored")
_BEST_NOTES = text(f"""
{_SCORED}, best AS (
    SELECT DISTINCT ON (note_id) note_id, id, content, score
    FROM scores
    ORDER BY note_id, score DESC, id
), first AS MATERIALIZED (
    SELECT * FROM best ORDER BY score DESC, note_id LIMIT :limit
)
SELECT note.id AS note_id, note.title, note.content_text, note.category, note.tags,
       first.id AS chunk_id, first.score, first.content
FROM first JOIN notes AS note ON note.id = first.note_id
ORDER BY first.score DESC, note.id
""")
_BEST_CHUNKS = text(f"""
{_SCORED}, first AS MATERIALIZED (
    SELECT * FROM scores ORDER BY score DESC, id LIMIT :limit
)
SELECT first.id AS chunk_id, first.note_id, note.title, first.content, first.score
FROM first JOIN notes AS note ON note.id = first.note_id
ORDER BY first.score DESC, first.id
""")


async def best_notes(session: AsyncSession, **parameters: Any) -> list[SearchHit]:
    """The best chunk of each note."""
    found = await session.execute(_BEST_NOTES, parameters)
    return [SearchHit.of(row) for row in found.mappings()]


async def best_chunks(session: AsyncSession, **parameters: Any) -> list[ChunkHit]:
    """Several of one note may be among them."""
    found = await session.execute(_BEST_CHUNKS, parameters)
    return [ChunkHit.of(row) for row in found.mappings()]


_TERM_SAMPLE = text(load_sql(__package__, "term_sample"))
# A sample says how frequent a term is that this many of its chunks hold.
_FEW = 16
# Of the smallest sample, two to three hundred chunks, about one in six.
_COMMON = 40


@dataclass(frozen=True, slots=True)
class TermSample:
    """How frequent keys are in a place of `size` chunks, which of them are too common to be looked
    up in a sample, and how many chunks of the sample have which of the others, by their places in
    the list. Each chunk of the sample stands for `share` chunks."""

    size: float
    mean_length: float
    share: int
    frequencies: Sequence[float]
    common: Sequence[bool]
    chunks: Mapping[frozenset[int], int]


async def term_sample(session: AsyncSession, place: Place, keys: Sequence[str]) -> TermSample:
    """keys: those of the terms."""
    given = {
        "workspace_id": place.workspace_id,
        "notebook_id": place.notebook_id,
        "keys": keys,
        "samples": place.limits,
        "few": _FEW,
        "common": _COMMON,
    }
    rows = (await session.execute(_TERM_SAMPLE, given)).all()
    first = rows[0]
    held = {frozenset(number - 1 for number in row.held): row.chunks for row in rows if row.held}
    return TermSample(
        first.size,
        first.mean_length or 1.0,
        4**first.sample,
        [float(found) for found in first.frequencies],
        first.common,
        held,
    )


# Notes that are read for one question.
_MOST_READ = 2_000
_IS_LARGE = text("""
SELECT (SELECT count(*) FROM (
    SELECT FROM notes
    WHERE workspace_id = :workspace_id
      AND category = :category AND octet_length(category) <= 1000
      AND (CAST(:subcategory AS text) IS NULL OR subcategory = :subcategory)
    LIMIT :most + 1
) AS note) > :most AND (CAST(:notebook_id AS uuid) IS NULL OR (SELECT count(*) FROM (
    SELECT FROM notes WHERE notebook_id = :notebook_id LIMIT :most + 1
) AS note) > :most)
""")
_NOTES_OF_CATEGORY = text(load_sql(__package__, "notes_of_category"))
_NOTES_WITH_WORD = text(load_sql(__package__, "notes_with_word"))


@dataclass(frozen=True, slots=True)
class Category:
    """A category of notes; a subcategory of it unless that is None."""

    name: str
    subcategory: str | None


async def is_large(session: AsyncSession, place: Place, category: Category) -> bool:
    """Whether both the category and the notebook, where there is one, have too many notes to read
    them all for one question."""
    given = {
        "workspace_id": place.workspace_id,
        "notebook_id": place.notebook_id,
        "category": category.name,
        "subcategory": category.subcategory,
        "most": _MOST_READ,
    }
    return bool(await session.scalar(_IS_LARGE, given))


async def notes_of_category(
    session: AsyncSession,
    place: Place,
    category: Category,
    words: Sequence[str],
    limit: int,
    *,
    among: str | None = None,
) -> list[SearchHit]:
    """Whole notes of the category; those that hold most of the words first. among: a query over the
    keys of chunks, without which all of them are read."""
    given = {
        "workspace_id": place.workspace_id,
        "notebook_id": place.notebook_id,
        "category": category.name,
        "subcategory": category.subcategory,
        "words": words,
        "wanted": among,
        "limit": limit,
    }
    found = await session.execute(_NOTES_OF_CATEGORY, given)
    return [SearchHit.of(row) for row in found.mappings()]


async def notes_with_word(
    session: AsyncSession, place: Place, word: str, limit: int
) -> list[SearchHit]:
    """Whole notes that hold the word, also as a part of another (of more than 4,000 chunks only as
    the beginning of one); those with the word in their title come first."""
    given = {
        "workspace_id": place.workspace_id,
        "notebook_id": place.notebook_id,
        "word": word,
        "beginning": place.within(place.beginning(word.lower())),
        "limit": limit,
    }
    found = await session.execute(_NOTES_WITH_WORD, given)
    return [SearchHit.of(row) for row in found.mappings()]
