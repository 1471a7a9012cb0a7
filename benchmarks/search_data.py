"""A million chunks out of a small corpus, with the words of a large one.

Sentences of the corpus are mixed into new chunks: most of a chunk's are of one article, so that
words occur together as they do in text. With copies alone no word would be rare, while the
vocabulary of a language grows with about the square root of the text (Heaps). So each note belongs
to one of many worlds, and a word that is rare in the corpus is another word in another world: the
rarer, the more words it becomes. A question is asked in one world. The vector of a chunk is the sum
of its sentences' vectors, in every world.
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

import numpy as np
import psycopg
from numpy.typing import NDArray
from text_vectors import TextVectors, Vectors

from app.notes import keys
from app.platform.ids import new_id
from app.text.morphemes import search_terms_of_many
from app.text.sentences import split_sentences

CHUNKS_OF_NOTE = 4
MODEL = "openai:made-from-text"
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
_COPY_VECTORS = (
    "COPY note_embeddings (chunk_id, workspace_id, notebook_id, model, dimensions, embedding)"
    " FROM STDIN (FORMAT binary)"
)


class Place(NamedTuple):
    """A notebook that is filled, with so many chunks."""

    workspace_id: uuid.UUID
    notebook_id: uuid.UUID
    chunks: int


@dataclass(frozen=True)
class Sentence:
    """number: among all sentences of the corpus, titles included."""

    text: str
    terms: Sequence[str]
    number: int


@dataclass(frozen=True)
class Article:
    title: Sentence
    sentences: Sequence[Sentence]


class Chunk(NamedTuple):
    """parts: the numbers of its sentences."""

    title: str
    content: str
    terms: list[str]
    parts: list[int]


class Corpus:
    """FOLDER/corpus.jsonl, taken apart and analysed once."""

    def __init__(self, folder: Path, *, worlds: int = _WORLDS) -> None:
        self.worlds = worlds
        self.articles = list(_articles(folder / "corpus.jsonl"))
        self._all = [each for article in self.articles for each in article.sentences]
        everything = (
            each for article in self.articles for each in (article.title, *article.sentences)
        )
        self.texts = [each.text for each in everything]
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
            parts = [each.number for each in sentences]
            yield Chunk(article.title.text, content, self.in_world(terms, world), parts)


def _articles(path: Path) -> Iterator[Article]:
    with path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    texts = [[row["title"], *(span.text for span in split_sentences(row["text"]))] for row in rows]
    analysed = enumerate(search_terms_of_many([text for each in texts for text in each]))
    for each in texts:
        found = ((text, *next(analysed)) for text in each)
        title, *sentences = (Sentence(text, terms, number) for text, number, terms in found)
        yield Article(title, sentences)


def questions(folder: Path, count: int, seed: int = 1) -> list[str]:
    with (folder / "queries.jsonl").open(encoding="utf-8") as lines:
        asked = [json.loads(line)["question"] for line in lines]
    return random.Random(seed).sample(asked, count)  # noqa: S311


def fill(
    connection: psycopg.Connection, corpus: Corpus, vectors: TextVectors, places: Sequence[Place]
) -> None:
    """Notes, chunks and vectors of all places, as an import and the job write them, by COPY.

    Without the checks of foreign keys, which the rows satisfy: needs a superuser."""
    connection.execute("SET session_replication_role = replica")
    source = random.Random(2)  # noqa: S311
    noise = np.random.default_rng(1)
    sentences = vectors.latent(corpus.texts)
    notes = (note for place in places for note in _notes(corpus, source, place))
    while batch := list(islice(notes, _CHUNKS_OF_COPY // CHUNKS_OF_NOTE)):
        chunks = [chunk for _, of_note in batch for chunk in of_note]
        placed = vectors.of_parts(sentences, [parts for *_, parts in chunks], noise)
        with connection.transaction(), connection.cursor() as cursor:
            with cursor.copy(_COPY_NOTES) as copy:
                for note, _ in batch:
                    copy.write_row(note)
            with cursor.copy(_COPY_CHUNKS) as copy:
                for ids, row, _ in chunks:
                    copy.write_row((*ids, *row))
            with cursor.copy(_COPY_VECTORS) as copy:
                copy.write(b"PGCOPY\n\xff\r\n\0" + bytes(8))
                copy.write(_vector_rows([ids for ids, _, _ in chunks], placed).tobytes())
                copy.write(b"\xff\xff")


_Row = tuple[object, ...]
# Of the chunk, its workspace and its notebook.
_Ids = tuple[uuid.UUID, uuid.UUID, uuid.UUID]


def _notes(
    corpus: Corpus, source: random.Random, place: Place
) -> Iterator[tuple[_Row, list[tuple[_Ids, _Row, list[int]]]]]:
    """Rows of notes, each with those of its chunks: their ids, the rest, and the numbers of their
    sentences."""
    for number in range(place.chunks // CHUNKS_OF_NOTE):
        note_id, world = new_id(), source.randrange(_WORLDS)
        chunks = list(islice(corpus.chunks(source, world), CHUNKS_OF_NOTE))
        where = (place.workspace_id, place.notebook_id)
        content = "\n\n".join(chunk.content for chunk in chunks)
        yield (
            (note_id, *where, str(number), chunks[0].title, content, "", "ko", "{}"),
            [
                (
                    (new_id(), *where),
                    (
                        *(note_id, position, chunk.content),
                        *(keys.tsvector(chunk.terms), len(chunk.terms)),
                    ),
                    chunk.parts,
                )
                for position, chunk in enumerate(chunks)
            ],
        )


def _vector_rows(ids: Sequence[_Ids], vectors: Vectors) -> NDArray[np.void]:
    """As PostgreSQL's binary COPY reads them: each field behind its length."""
    dimensions = vectors.shape[1]
    named = [("chunk", "V16"), ("workspace", "V16"), ("notebook", "V16")]
    named += [("model", f"S{len(MODEL)}"), ("dimensions", ">i4")]
    fields: list[tuple[str, object]] = [("count", ">i2")]
    for name, kind in named:
        fields += [(f"{name} size", ">i4"), (name, kind)]
    fields += [("size", ">i4"), ("numbers", ">i2"), ("unused", ">i2")]
    fields += [("vector", (">f4", dimensions))]
    rows = np.zeros(len(vectors), np.dtype(fields))
    rows["count"] = len(named) + 1
    for name, kind in named:
        rows[f"{name} size"] = np.dtype(kind).itemsize
    for name, column in zip(
        ("chunk", "workspace", "notebook"), zip(*ids, strict=True), strict=True
    ):
        rows[name] = np.frombuffer(b"".join(each.bytes for each in column), "V16")
    rows["model"], rows["dimensions"], rows["numbers"] = MODEL.encode(), dimensions, dimensions
    rows["size"], rows["vector"] = 4 + 4 * dimensions, vectors
    return rows
