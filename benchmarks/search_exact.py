"""The exact answers to many questions at once, by looking at every chunk of a workspace."""

import uuid
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import psycopg
from text_vectors import Vectors

from app.notes.fulltext import K1, B

# A chunk is its place by id, a term its place among those that are asked for.
_CHUNKS = "SELECT length FROM note_chunks WHERE workspace_id = %s ORDER BY id"
_IDS = "SELECT id FROM note_chunks WHERE workspace_id = %s ORDER BY id"
_FOUND = """
COPY (
    WITH asked AS MATERIALIZED (
        SELECT term, number::int FROM unnest(%s::text[]) WITH ORDINALITY AS given (term, number)
    ), chunks AS (
        SELECT (row_number() OVER (ORDER BY id))::int AS chunk, terms
        FROM note_chunks WHERE workspace_id = %s
    )
    SELECT chunk, number, cardinality(positions)
    FROM chunks CROSS JOIN LATERAL unnest(terms) AS found JOIN asked ON term = lexeme
) TO STDOUT (FORMAT binary)
"""
_VECTORS = """
COPY (SELECT chunk_id, embedding FROM note_embeddings WHERE workspace_id = %s)
TO STDOUT (FORMAT binary)
"""
_BATCH = 20_000
_HEADER_BYTES, _TRAILER_BYTES = 19, 2
_ROW = np.dtype(
    [("fields", ">i2"), *((f"{name}{part}", ">i4") for name in "ctf" for part in ("size", ""))]
)


class Exact:
    """Scores of chunks as app.notes.fulltext defines them."""

    def __init__(
        self, connection: psycopg.Connection, workspace_id: uuid.UUID, terms: Sequence[str]
    ) -> None:
        asked = sorted(set(terms))
        self._number: Mapping[str, int] = {term: at for at, term in enumerate(asked, start=1)}
        self.ids = [id_ for (id_,) in connection.execute(_IDS, [workspace_id])]
        lengths = np.array(
            [length for (length,) in connection.execute(_CHUNKS, [workspace_id])], np.float64
        )
        self._norm = K1 * (1 - B + B * lengths / lengths.mean())
        with connection.cursor().copy(_FOUND, [asked, workspace_id]) as copy:
            found = b"".join(copy)
        rows = np.frombuffer(found[_HEADER_BYTES:-_TRAILER_BYTES], _ROW)
        order = np.argsort(rows["t"], kind="stable")
        self._chunk = rows["c"][order].astype(np.int32) - 1
        self._frequency = rows["f"][order].astype(np.float32)
        self._start = np.searchsorted(rows["t"][order], np.arange(1, len(asked) + 2))

    def documents(self, term: str) -> int:
        """How many chunks hold the term."""
        number = self._number[term]
        return int(self._start[number] - self._start[number - 1])

    def scores(self, terms: Sequence[str]) -> np.ndarray:
        """Of each chunk, in the order of `ids`."""
        total = np.zeros(len(self.ids))
        for term in set(terms):
            number = self._number[term]
            held = slice(self._start[number - 1], self._start[number])
            count = self.documents(term)
            idf = np.log(1 + (len(self.ids) - count + 0.5) / (count + 0.5))
            frequency, chunk = self._frequency[held], self._chunk[held]
            total[chunk] += idf * frequency * (K1 + 1) / (frequency + self._norm[chunk])
        return total


def nearest(
    connection: psycopg.Connection, workspace_id: uuid.UUID, questions: Vectors, count: int
) -> list[set[str]]:
    """The chunks whose vectors are nearest to each question."""
    fields = [("fields", ">i2"), ("chunk size", ">i4"), ("chunk", "V16"), ("size", ">i4")]
    row = np.dtype([*fields, ("unused", ">i4"), ("vector", (">f4", questions.shape[1]))])
    alike = np.zeros((len(questions), 0), np.float32)
    chunks = np.zeros((len(questions), 0), "V16")
    with connection.cursor().copy(_VECTORS, [workspace_id]) as copy:
        for batch in _batches(copy, row):
            new = questions @ batch["vector"].astype(np.float32).T
            alike = np.hstack([alike, new])
            chunks = np.hstack([chunks, np.broadcast_to(batch["chunk"], new.shape)])
            best = np.argpartition(-alike, count - 1, axis=1)[:, :count]
            alike = np.take_along_axis(alike, best, 1)
            chunks = np.take_along_axis(chunks, best, 1)
    return [{str(uuid.UUID(bytes=each.tobytes())) for each in found} for found in chunks]


def _batches(copy: psycopg.Copy, row: np.dtype) -> Iterator[np.ndarray]:
    held = bytearray()
    for data in copy:
        held += data
        if len(held) >= _BATCH * row.itemsize + _HEADER_BYTES:
            whole = (len(held) - _HEADER_BYTES) // row.itemsize * row.itemsize
            yield np.frombuffer(bytes(held[_HEADER_BYTES : _HEADER_BYTES + whole]), row)
            # What is left stands behind room for a header again.
            del held[_HEADER_BYTES : _HEADER_BYTES + whole]
    yield np.frombuffer(bytes(held[_HEADER_BYTES:-_TRAILER_BYTES]), row)
