"""What figures are added up from: rows of single judgements, or sums of whole hours and days.

Each kind is a file of SQL beside this module, whose rows are single judgements, calls, … and a
table of the same columns, whose rows are their sums by hour or day and by `keys`. A query that adds
figures up therefore gives the same of either, and of both together. `at` is when the answer was
finished, or when the hour or day (UTC) began.
"""

from dataclasses import dataclass
from importlib import resources
from typing import Literal

from app.platform.db.statements import fill_in, strip_comments

Bucket = Literal["hour", "day"]
_FOLDER = resources.files("app.quality.analytics") / "figures"


@dataclass(frozen=True, slots=True)
class Figures:
    """`keys` are grouped by; of the other columns the rollup keeps the sums, the least and the
    greatest values. `numeric_sums` are of integers of 64 bits whose sums may be longer."""

    name: str
    bucket: Bucket
    keys: tuple[str, ...]
    sums: tuple[str, ...]
    numeric_sums: tuple[str, ...] = ()
    least: tuple[str, ...] = ()
    greatest: tuple[str, ...] = ()

    @property
    def view(self) -> str:
        """Of the rollup, in the schema `analytics`."""
        return f"{'hourly' if self.bucket == 'hour' else 'daily'}_{self.name}"

    @property
    def table(self) -> str:
        return f"qa_{self.view}"

    @property
    def columns(self) -> tuple[str, ...]:
        return "at", *self.keys, *self.sums, *self.numeric_sums, *self.least, *self.greatest

    def rows(self, **fragments: str) -> str:
        """The SQL of the single rows, with columns of the names of `columns`."""
        return fill_in(
            strip_comments((_FOLDER / f"{self.name}.sql").read_text("utf-8")), **fragments
        )

    def summed(self, rows: str) -> str:
        """`rows` as one row for each bucket and combination of keys."""
        sums = (
            *(f"sum({name}) AS {name}" for name in (*self.sums, *self.numeric_sums)),
            *(f"min({name}) AS {name}" for name in self.least),
            *(f"max({name}) AS {name}" for name in self.greatest),
        )
        return (
            f"SELECT date_trunc('{self.bucket}', at, 'UTC') AS at, {', '.join(self.keys)},"
            f" {', '.join(sums)}\nFROM (\n{rows}\n) f\n"
            f"GROUP BY {', '.join(str(n + 1) for n in range(len(self.keys) + 1))}"
        )


FIGURES = (
    Figures(
        "verdicts",
        "hour",
        keys=(
            *("judge_key", "judge_model", "made_by", "prompt_version", "is_current", "is_skipped"),
            *("reason", "lang", "feature", "answer_model", "search_method"),
        ),
        sums=(
            *("answers", "judged", "scored", "degraded", "skipped", "failed", "pending"),
            *("correctness", "with_utility", "utility"),
            *("high", "medium", "low"),
            *("with_claims", "claims_supported", "claims_partly", "claims_unsupported"),
            *("undegraded", "from_cache", "attempts", "tries", "crashes"),
        ),
        numeric_sums=("correctness_squares", "utility_squares"),
        least=("first_requested_at",),
    ),
    Figures(
        "calls",
        "hour",
        keys=("judge_model",),
        sums=(
            *("calls", "errors", "malformed", "prompt_tokens", "completion_tokens"),
            *("cached_tokens", "cost_usd", "unpriced", "batched", "batched_cost_usd"),
        ),
    ),
    Figures(
        "issues",
        "hour",
        keys=("judge_model", "kind"),
        sums=("issues", "answers"),
        greatest=("example",),
    ),
    Figures(
        "pairs",
        "hour",
        keys=("judge_model", "first_key", "second_key"),
        sums=("pairs", "first_correctness", "second_correctness"),
        numeric_sums=("difference_squares",),
    ),
    Figures(
        "note_uses",
        "day",
        keys=("judge_model", "note_id", "foreign_title"),
        sums=("given", "cited", "ignored", "misquoted"),
        greatest=("title",),
    ),
    Figures(
        "note_citations",
        "day",
        keys=("judge_model", "note_id", "foreign_title"),
        sums=("cited", "scored", "correctness", "ungrounded", "misquoted"),
        greatest=("title",),
    ),
)
