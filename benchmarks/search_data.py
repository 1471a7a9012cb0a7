"""A million chunks out of a small corpus, with the words of a large one.

Sentences of the corpus are mixed into new chunks: most of a chunk's are of one article, so that
words occur together as they do in text. With copies alone no word would be rare, while the
vocabulary of a language grows with about the square root of the text (Heaps). So each note belongs
to one of many worlds, and a word that is rare in the corpus is another word in another world: the
rarer, the more words it becomes. A question is asked in one world.
"""

import json
import random
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import psycopg

from app.db.ids import new_id
from app.search import lexemes
from app.text.morphemes import search_terms_of_many
from app.text.sentences import split_sentences

CHUNKS_OF_NOTE = 4
_OWN_SENTENCES = (2, 4)
_OTHER_SENTENCES = (1, 3)
_WORLDS = 200
# In how many sentences a word is, and how many words it becomes at most.
_COMMON_FROM = 30
_CHUNKS_OF_COPY = 10_000
_COPY_NOTES = (
    "COPY notes (id, workspace_id, notebook_id, source_key, title, content_text, content_hash,"
    " lang, tags) FROM STDIN"
)
_COPY_CHUNKS = (
    "COPY note_chunks (id, workspace_id, notebook_id, note_id, position, content, terms, length)"
    " FROM STDIN"
)


class Place(NamedTuple):
    """A notebook that is filled, with so many chunks."""

    workspace_id: uuid.UUID
    notebook_id: uuid.UUID
    chunks: int


@dataclass(frozen=True)
class Sentence:
    text: str
    terms: Sequence[str]


@dataclass(frozen=True)
class Article:
    title: Sentence
    sentences: Sequence[Sentence]


class Chunk(NamedTuple):
    title: str
    content: str
    terms: list[str]


class Corpus:
    """FOLDER/corpus.jsonl, taken apart and analysed once."""

    def __init__(self, folder: Path, *, worlds: int = _WORLDS) -> None:
        self.worlds = worlds
        self.articles = list(_articles(folder / "corpus.jsonl"))
        self._all = [each for article in self.articles for each in article.sentences]
        self._sentences_with = Counter(
            term for sentence in self._all for term in set(sentence.terms)
        )

    def in_world(self, terms: Sequence[str], world: int) -> list[str]:
        """What the terms are called in that world."""
        named = []
        for term in terms:
            sentences = self._sentences_with.get(term, _COMMON_FROM)
            variants = max(1, round(self.worlds / sentences**1.5)) if self.worlds > 1 else 1
            variant = world % variants if sentences < _COMMON_FROM else 0
            named.append(f"{term}~{variant}" if variant else term)
        return named

    def chunks(self, source: random.Random, world: int) -> Iterator[Chunk]:
        """Chunks of one note, without end."""
        while True:
            article = source.choice(self.articles)
            own = min(len(article.sentences), source.randint(*_OWN_SENTENCES))
            sentences = source.sample(article.sentences, own)
            sentences += source.sample(self._all, source.randint(*_OTHER_SENTENCES))
            terms = [*article.title.terms, *(term for each in sentences for term in each.terms)]
            content = " ".join(each.text for each in sentences)
            yield Chunk(article.title.text, content, self.in_world(terms, world))


def _articles(path: Path) -> Iterator[Article]:
    with path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    texts = [[row["title"], *(span.text for span in split_sentences(row["text"]))] for row in rows]
    analysed = iter(search_terms_of_many([text for each in texts for text in each]))
    for each in texts:
        title, *sentences = (Sentence(text, next(analysed)) for text in each)
        yield Article(title, sentences)


def questions(folder: Path, count: int, seed: int = 1) -> list[str]:
    with (folder / "queries.jsonl").open(encoding="utf-8") as lines:
        asked = [json.loads(line)["question"] for line in lines]
    return random.Random(seed).sample(asked, count)  # noqa: S311


def fill(connection: psycopg.Connection, corpus: Corpus, places: Sequence[Place]) -> None:
    """Chunks of all places, as an import writes them, by COPY."""
    source = random.Random(2)  # noqa: S311
    rows = (row for place in places for row in _notes(corpus, source, place))
    while batch := list(islice(rows, _CHUNKS_OF_COPY // CHUNKS_OF_NOTE)):
        with connection.transaction(), connection.cursor() as cursor:
            with cursor.copy(_COPY_NOTES) as copy:
                for note, _ in batch:
                    copy.write_row(note)
            with cursor.copy(_COPY_CHUNKS) as copy:
                for _, chunks in batch:
                    for chunk in chunks:
                        copy.write_row(chunk)


_Row = tuple[object, ...]


def _notes(
    corpus: Corpus, source: random.Random, place: Place
) -> Iterator[tuple[_Row, list[_Row]]]:
    """Rows of notes, each with those of its chunks."""
    for number in range(place.chunks // CHUNKS_OF_NOTE):
        note_id, world = new_id(), source.randrange(_WORLDS)
        chunks = list(islice(corpus.chunks(source, world), CHUNKS_OF_NOTE))
        where = (place.workspace_id, place.notebook_id)
        content = "\n\n".join(chunk.content for chunk in chunks)
        yield (
            (note_id, *where, str(number), chunks[0].title, content, "", "ko", "{}"),
            [
                (
                    *(new_id(), *where, note_id, position, chunk.content),
                    *(lexemes.tsvector(chunk.terms), len(chunk.terms)),
                )
                for position, chunk in enumerate(chunks)
            ],
        )
