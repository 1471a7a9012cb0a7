"""What a dataset run measures."""

import enum


class EvaluationType(enum.StrEnum):
    """retrieval_only: what the search finds. full_rag: also the answer made from it, judged."""

    RETRIEVAL_ONLY = "retrieval_only"
    FULL_RAG = "full_rag"
