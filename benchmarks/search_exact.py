"""The exact BM25 answers to many questions at once, by counting every chunk of a workspace."""

import uuid
from collections.abc import Mapping, Sequence

import numpy as np
import psycopg

from app.search.fulltext import K1, B

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
_HEADER_BYTES, _TRAILER_BYTES = 19, 2
_ROW = np.dtype(
    [("fields", ">i2"), *((f"{name}{part}", ">i4") for name in "ctf" for part in ("size", ""))]
)


class Exact:
    """Scores of chunks as FullTextSearchEngine defines them."""

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
