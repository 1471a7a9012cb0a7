"""What a dataset run measures."""

import enum


class EvaluationType(enum.StrEnum):
    """retrieval_only: what the search finds. full_rag: also the answer made from it, judged."""

    RETRIEVAL_ONLY = "retrieval_only"
    FULL_RAG = "full_rag"


class Retrieval(enum.StrEnum):
    """Which search of a run is measured.

    text: full text over chunks. hybrid: full text and vectors over chunks, by reciprocal rank.
    evidence: the search that /ai/chat answers from, by category, by context or by single words; it
    ranks notes, so at most one chunk of each is found.
    """

    TEXT = "text"
    HYBRID = "hybrid"
    EVIDENCE = "evidence"
