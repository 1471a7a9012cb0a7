"""A verdict as a person reads it, in the language of the question."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from app.ai_router.types import Lang
from app.cli.output import indented, local_time, printable

View = Mapping[str, Any]

_STYLES = {"high": "bold green", "medium": "bold yellow", "low": "bold red"}

_WORDS: Mapping[Lang, Mapping[str, str]] = {
    "ko": {
        "high": "높은 신뢰도",
        "medium": "보통 신뢰도",
        "low": "낮은 신뢰도",
        "correctness": "정확성",
        "utility": "유용성",
        "note": "노트",
        "cited": "인용됨",
        "not_cited": "미인용",
        "issues": "근거 이슈",
        "no_issues": "근거 문제 없음",
        "doubts": "평가 자체의 의문",
        "score_contradicts_issues": "점수와 근거 이슈가 서로 맞지 않음",
        "confidence_lowered": "뒷받침되지 않는 내용이 있어 신뢰도를 낮춤",
        "quote_not_found": "평가 모델의 인용문이 노트에 없거나 근거가 되지 못함: 노트 {}",
        "claims_limit_reached": "주장이 많아 일부는 평가하지 못함",
        "unjudged_answer": "답변이 길어 전체 {:,}자 가운데 앞부분 {:,}자까지만 평가했습니다",
        "unjudged_notes": "노트가 길어 전체 {:,}자 가운데 {:,}자만 보고 평가했습니다",
        "phases_ended": "규칙 단계 평가가 한도를 넘어 중단됨: {}",
        "checklist_ended": "규칙 체크리스트가 한도를 넘어 중단됨: {}",
        "checklist": "체크리스트",
        "passed": "통과",
        "not_passed": "미달",
        "degraded": "평가 모델을 쓸 수 없어 규칙으로 대신 평가했습니다",
        "failed": "평가 실패",
        "skipped": "평가하지 않음",
        "pending": "평가가 아직 끝나지 않았습니다",
        "judged_by": "평가",
        "disabled": "평가가 꺼져 있습니다",
        "sampled_out": "표본에 들지 않았습니다",
        "no_context": "질문에 맞는 노트가 없었습니다",
        "not_search_qa": "노트로 답한 것이 아닙니다",
        "cancelled": "다시 평가하기가 취소되었습니다",
        "filtered_feature": "이 기능의 답변은 평가하지 않습니다 (`searchqa policy show`)",
        "filtered_language": "이 언어의 답변은 평가하지 않습니다 (`searchqa policy show`)",
        "filtered_length": "답변 길이가 평가 범위 밖입니다 (`searchqa policy show`)",
        "filtered_notebook": "이 노트북의 답변은 평가하지 않습니다 (`searchqa policy show`)",
        "budget_spent": "오늘 예산을 다 써서 {} 이후에 평가합니다",
        "budget_held": "남은 예산을 다른 평가가 쓰고 있어 잠시 기다립니다",
        "budget_unpriced": "평가 모델의 가격을 몰라 예산이 있는 동안 기다립니다"
        " (SEARCHQA_MODEL_PRICES)",
        "fallback": "다른 평가 모델이 이어받습니다",
        "rules_fallback": "평가 모델이 계속 실패해 규칙으로 평가합니다",
        "instead": "다른 모델이 대신 평가",
        "judge_paused": "평가 모델이 멈춰 있습니다 (`searchqa judges list`)",
        "not_stored": "답변을 저장하지 못해 평가가 없습니다",
    },
    "en": {
        "high": "High confidence",
        "medium": "Medium confidence",
        "low": "Low confidence",
        "correctness": "correctness",
        "utility": "utility",
        "note": "Note",
        "cited": "cited",
        "not_cited": "not cited",
        "issues": "Grounding issues",
        "no_issues": "No grounding issues",
        "doubts": "Doubts about this verdict",
        "score_contradicts_issues": "the score and the list of issues contradict each other",
        "confidence_lowered": "confidence lowered because a claim is not supported",
        "quote_not_found": "the judge's quote is not in note {}, or too little to be evidence",
        "claims_limit_reached": "there were more claims than could be judged",
        "unjudged_answer": "Of the answer's {:,} characters only the first {:,} were judged",
        "unjudged_notes": "Of the notes' {:,} characters only {:,} were used to judge",
        "phases_ended": "the phases by rules were cut off: processing {}",
        "checklist_ended": "the checklist by rules was cut off: processing {}",
        "checklist": "Checklist",
        "passed": "passed",
        "not_passed": "not passed",
        "degraded": "The judge model was not available; rules judged in its place",
        "failed": "Judging failed",
        "skipped": "Not judged",
        "pending": "The verdict is not there yet",
        "judged_by": "Judged by",
        "disabled": "judging is switched off",
        "sampled_out": "it was not in the sample",
        "no_context": "no note matched the question",
        "not_search_qa": "it was not answered from notes",
        "cancelled": "judging it again was cancelled",
        "filtered_feature": "answers of this feature are left out (`searchqa policy show`)",
        "filtered_language": "answers in this language are left out (`searchqa policy show`)",
        "filtered_length": "its length is left out (`searchqa policy show`)",
        "filtered_notebook": "answers from this notebook are left out (`searchqa policy show`)",
        "budget_spent": "today's budget is spent; it is judged after {}",
        "budget_held": "what is left of the budget is held by other answers for a moment",
        "budget_unpriced": "the judge has no known price, so it waits while there is a budget"
        " (SEARCHQA_MODEL_PRICES)",
        "fallback": "another judge takes over",
        "rules_fallback": "the judge keeps failing; rules judge in its place",
        "instead": "Another model stood in",
        "judge_paused": "the judge is paused (`searchqa judges list`)",
        "not_stored": "The answer could not be stored, so there is no verdict",
    },
}


def show_verdict(out: Console, view: View, lang: Lang) -> None:
    """Prints an evaluation as `GET /qa-evaluations/{id}` gives it, whatever became of it."""
    for line in _lines(view, _WORDS[lang]):
        out.print(indented(line))


def not_stored(lang: Lang) -> str:
    return _WORDS[lang]["not_stored"]


def _lines(view: View, words: Mapping[str, str]) -> Iterator[Text]:
    status = view["status"]
    if status == "succeeded":
        yield from _verdict(view, words)
    elif status == "failed":
        yield Text(f"✘ {words['failed']}: {printable(view['error'] or '')}", "bold red")
    else:
        reason = view["reason"]
        when = local_time(view.get("next_attempt_at"))
        why = f": {words.get(reason, reason).format(when)}" if reason else ""
        state = "skipped" if status == "skipped" else "pending"
        yield Text(f"○ {words[state]} ({status}){why}", "yellow")


def _verdict(view: View, words: Mapping[str, str]) -> Iterator[Text]:
    evaluation = view["qa_evaluation"]
    if evaluation is not None:
        yield _headline(evaluation, words)
    if view["degraded"]:
        yield Text(f"! {words['degraded']}", "yellow")
    elif view.get("fallback_because"):
        yield Text(f"! {words['instead']} ({printable(view['fallback_because'])})", "yellow")
    if evaluation is not None:
        yield from _unjudged(evaluation.get("extent"), words)
        if evaluation["summary"]:
            yield Text(printable(evaluation["summary"]))
        yield from _sources(evaluation["source_coverage"], words)
        yield from _issues(evaluation["grounding_issues"], words)
        yield from _doubts(evaluation["flags"], words)
    if view["quality"] is not None:
        yield from _checklist(view["quality"], words)
    yield _footer(view, words)


def _headline(evaluation: View, words: Mapping[str, str]) -> Text:
    confidence = evaluation["confidence"]
    scores = " · ".join(
        f"{words[name]} {evaluation[name]:.0%}" for name in ("correctness", "utility")
    )
    return Text.assemble((f"● {words[confidence]}", _STYLES[confidence]), f" · {scores}")


def _unjudged(extent: View | None, words: Mapping[str, str]) -> Iterator[Text]:
    for name, chars in (("answer", "answer_chars"), ("notes", "note_chars")):
        if extent and extent[f"judged_{chars}"] < extent[chars]:
            told = words[f"unjudged_{name}"].format(extent[chars], extent[f"judged_{chars}"])
            yield Text(f"! {told}", "yellow")


def _sources(sources: Sequence[View], words: Mapping[str, str]) -> Iterator[Text]:
    """A line for each note that was cited, and one for all others."""
    for source in sources:
        if source["cited"]:
            line = Text.assemble(("✔ ", "green"), _name(source, words))
            line.append(f" — {words['cited']}: {printable(source['relevant_claim'])}".rstrip(": "))
            yield line
    others = [_name(source, words) for source in sources if not source["cited"]]
    if others:
        yield Text(f"· {words['not_cited']}: {', '.join(others)}", "dim")


def _name(source: View, words: Mapping[str, str]) -> str:
    title = printable(source["note_title"] or "")
    return f"[{words['note']} {source['note_index']}] {title}".rstrip()


def _issues(issues: Sequence[str], words: Mapping[str, str]) -> Iterator[Text]:
    if not issues:
        yield Text(f"✔ {words['no_issues']}", "green")
        return
    yield Text(f"✘ {words['issues']}:", "red")
    for issue in issues:
        yield Text(f"  - {printable(issue)}", "red")


def _doubts(flags: Sequence[str], words: Mapping[str, str]) -> Iterator[Text]:
    if flags:
        told = []
        for flag in flags:
            name, _, detail = flag.partition(":")
            told.append(words.get(name, flag).format(detail))
        yield Text(f"! {words['doubts']}: {'; '.join(told)}", "yellow")


def _checklist(quality: View, words: Mapping[str, str]) -> Iterator[Text]:
    items = quality["items"]
    passed = sum(item["passed"] for item in items)
    outcome = words["passed" if quality["passed"] else "not_passed"]
    yield Text(f"{words['checklist']} {passed}/{len(items)}, {outcome}:")
    for item in items:
        mark, style = ("✔", "green") if item["passed"] else ("✘", "red")
        # Why something passed is seldom more than the item itself; JSON has it.
        why = "" if item["passed"] or not item["reason"] else f" ({printable(item['reason'])})"
        yield Text.assemble((f"  {mark} ", style), f"{printable(item['item'])}{why}")


def _footer(view: View, words: Mapping[str, str]) -> Text:
    judge = f"{view['provider']}:{view['model']}" if view["provider"] else view["judge_model"]
    parts = [f"{words['judged_by']} {judge}"]
    if view["judge_ms"] is not None:
        parts.append(f"{view['judge_ms']:,.0f} ms")
    if view["cost_usd"] is not None:
        parts.append(f"${view['cost_usd']:.6f}")
    if view["attempt"] > 1:
        parts.append(f"attempt {view['attempt']}")
    return Text(" · ".join([*parts, view["id"]]), "dim")
