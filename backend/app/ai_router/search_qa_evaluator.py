"""The evaluator under the path that its first users import; it lives in `app.judges`."""

from app.judges.search_qa.evaluator import SearchQAEvaluator
from app.judges.search_qa.verdict import SearchQAEvaluation, SourceCoverage

__all__ = ["SearchQAEvaluation", "SearchQAEvaluator", "SourceCoverage"]
