"""What a dataset run measures, and how many are compared at once."""

import enum

# Runs beside the one that is their baseline.
MAX_OTHERS = 6


class EvaluationType(enum.StrEnum):
    """retrieval_only: what the search finds. full_rag: also the answer made from it, judged."""

    RETRIEVAL_ONLY = "retrieval_only"
    FULL_RAG = "full_rag"


class Retrieval(enum.StrEnum):
    """Which search of a run is measured.

    text: full text over chunks. vector: by meaning, over chunks. hybrid: both, by reciprocal rank.
    evidence: the search that /ai/chat answers from, by category, by context or by single words; it
    ranks notes, so at most one chunk of each is found.
    """

    TEXT = "text"
    VECTOR = "vector"
    HYBRID = "hybrid"
    EVIDENCE = "evidence"

    @property
    def needs_vectors(self) -> bool:
        return self in {Retrieval.VECTOR, Retrieval.HYBRID}
