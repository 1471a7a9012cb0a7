"""Results of a bench, as its summary reads them from the database."""

from typing import Any


def result(position: int, judge: str, *, wrong: bool, score: float | None, **more: Any) -> Any:
    """What a judge said of an answer that people called wrong, or did not; None: it failed."""
    nothing = dict.fromkeys(
        (
            *("grade", "cell", "human_spans", "spans", "prompt_tokens", "completion_tokens"),
            *("cost_usd", "made_by"),
        )
    )
    error = None if score is not None else "configuration: no key"
    judged = {"position": position, "judge": judge, "hallucinated": wrong, "score": score}
    return nothing | judged | {"error": error, "latency_ms": 10.0 * position} | more
