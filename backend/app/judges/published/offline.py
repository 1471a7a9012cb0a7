"""Verdicts of the rules on lines of JSON, without server and network, for the client's pytest
plugin: `python -I -m app.judges.published.offline`."""

import json
import sys
from typing import Any

from app.judges.answer import AnswerToJudge
from app.judges.phases.groundedness import evaluate_groundedness
from app.judges.phases.reading import Reading
from app.judges.rules.judge import RULES_VERSION, judge
from app.text.language import detect_language, lang_of


def judge_line(given: dict[str, Any]) -> dict[str, Any]:
    """given: question, answer, notes ([title, content] of each) and lang, null where it is to be
    detected. The reply has the names of the API; outcome is null without notes. Blocks."""
    lang = lang_of(given["lang"]) if given["lang"] else detect_language(given["question"])
    titles, contents = zip(*given["notes"], strict=True) if given["notes"] else ((), ())
    asked = given["question"], given["answer"]
    subject = AnswerToJudge.from_texts(*asked, contents, titles, lang=lang)
    if not subject.has_notes:
        return {"outcome": None}
    reading = Reading(subject)
    verdict = judge(subject, reading.material)
    claims = evaluate_groundedness(reading).claims
    return {
        "outcome": verdict.outcome,
        "correctness": verdict.correctness,
        "utility": verdict.utility,
        "summary": verdict.summary,
        "judge": RULES_VERSION,
        "claims": [
            {
                "claim": each.text,
                "verdict": each.verdict,
                "note_index": each.note_index,
                "reasoning": each.reasoning,
            }
            for each in claims
        ],
    }


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(judge_line(json.loads(line))), flush=True)  # noqa: T201  # the reply
