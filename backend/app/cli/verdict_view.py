"""A verdict in words, in the language of the question."""

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console
from rich.text import Text

from app.ai_router.types import Lang
from app.cli.output import View, in_language, indented, local_time, printable

_STYLES = {"high": "bold green", "medium": "bold yellow", "low": "bold red"}

# Korean and English.
_WORDS: Mapping[str, tuple[str, str]] = {
    "high": ("높은 신뢰도", "High confidence"),
    "medium": ("보통 신뢰도", "Medium confidence"),
    "low": ("낮은 신뢰도", "Low confidence"),
    "correctness": ("정확성", "correctness"),
    "utility": ("유용성", "utility"),
    "note": ("노트", "Note"),
    "cited": ("인용됨", "cited"),
    "not_cited": ("미인용", "not cited"),
    "issues": ("근거 이슈", "Grounding issues"),
    "no_issues": ("근거 문제 없음", "No grounding issues"),
    "doubts": ("평가 자체의 의문", "Doubts about this verdict"),
    "score_contradicts_issues": (
        "점수와 근거 이슈가 서로 맞지 않음",
        "the score and the list of issues contradict each other",
    ),
    "confidence_lowered": (
        "뒷받침되지 않는 내용이 있어 신뢰도를 낮춤",
        "confidence lowered because a claim is unsupported",
    ),
    "quote_not_found": (
        "평가 모델의 인용문이 노트에 없거나 근거가 되지 못함: 노트 {}",
        "the judge's quote is missing from note {}, or too short to be evidence",
    ),
    "claims_limit_reached": (
        "주장이 많아 일부는 평가하지 못함",
        "too many claims; some were not judged",
    ),
    "unjudged_answer": (
        "답변이 길어 전체 {:,}자 가운데 앞부분 {:,}자까지만 평가했습니다",
        "Only the first {1:,} of the answer's {0:,} characters were judged",
    ),
    "unjudged_notes": (
        "노트가 길어 전체 {:,}자 가운데 {:,}자만 보고 평가했습니다",
        "Only {1:,} of the notes' {0:,} characters were used for judging",
    ),
    "phases_ended": (
        "규칙 단계 평가가 한도를 넘어 중단됨: {}",
        "the rules for the phases were stopped at their limit: processing {}",
    ),
    "checklist_ended": (
        "규칙 체크리스트가 한도를 넘어 중단됨: {}",
        "the rules for the checklist were stopped at their limit: processing {}",
    ),
    "checklist": ("체크리스트", "Checklist"),
    "passed": ("통과", "passed"),
    "not_passed": ("미달", "not passed"),
    "degraded": (
        "평가 모델을 쓸 수 없어 규칙 평가로 대신했습니다",
        "The judge model was unavailable; rules judged instead",
    ),
    "failed": ("평가 실패", "Judging failed"),
    "skipped": ("평가하지 않음", "Not judged"),
    "pending": ("평가가 아직 끝나지 않았습니다", "No verdict yet"),
    "judged_by": ("평가", "Judged by"),
    "disabled": ("평가가 꺼져 있습니다", "judging is disabled"),
    "sampled_out": ("표본에 들지 않았습니다", "not in the sample"),
    "no_context": ("질문에 맞는 노트가 없었습니다", "no note matched the question"),
    "not_search_qa": ("노트로 답한 것이 아닙니다", "not answered from notes"),
    "cancelled": ("다시 평가하기가 취소되었습니다", "rejudging was cancelled"),
    "filtered_feature": (
        "이 기능의 답변은 평가하지 않습니다 (`searchqa policy show`)",
        "the policy excludes this feature (`searchqa policy show`)",
    ),
    "filtered_language": (
        "이 언어의 답변은 평가하지 않습니다 (`searchqa policy show`)",
        "the policy excludes this language (`searchqa policy show`)",
    ),
    "filtered_length": (
        "답변 길이가 평가 범위 밖입니다 (`searchqa policy show`)",
        "the policy excludes answers of this length (`searchqa policy show`)",
    ),
    "filtered_notebook": (
        "이 노트북의 답변은 평가하지 않습니다 (`searchqa policy show`)",
        "the policy excludes this notebook (`searchqa policy show`)",
    ),
    "budget_spent": (
        "오늘 예산을 다 써서 {} 이후에 평가합니다",
        "today's budget is spent; judging resumes after {}",
    ),
    "budget_held": (
        "남은 예산을 다른 평가가 쓰고 있어 잠시 기다립니다",
        "the remaining budget is reserved for other answers for a moment",
    ),
    "budget_unpriced": (
        "평가 모델의 가격을 몰라 예산이 있는 동안 기다립니다 (SEARCHQA_MODEL_PRICES)",
        "the judge has no known price and waits while a budget is set (SEARCHQA_MODEL_PRICES)",
    ),
    "fallback": ("다른 평가 모델이 이어받습니다", "another judge takes over"),
    "rules_fallback": (
        "평가 모델이 계속 실패해 규칙 평가로 대신합니다",
        "the judge keeps failing; rules judge instead",
    ),
    "instead": ("다른 모델이 대신 평가", "Judged by another model"),
    "judge_paused": (
        "평가 모델이 멈춰 있습니다 (`searchqa judges list`)",
        "the judge is paused (`searchqa judges list`)",
    ),
    "not_stored": (
        "답변을 저장하지 못해 평가가 없습니다",
        "The answer could not be stored, so there is no verdict",
    ),
}


def show_verdict(out: Console, view: View, lang: Lang) -> None:
    """Prints the reply of `GET /qa-evaluations/{id}`, whatever its status."""
    for line in _lines(view, in_language(_WORDS, lang)):
        out.print(indented(line))


def not_stored(lang: Lang) -> str:
    return in_language(_WORDS, lang)["not_stored"]


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
            cut = words[f"unjudged_{name}"].format(extent[chars], extent[f"judged_{chars}"])
            yield Text(f"! {cut}", "yellow")


def _sources(sources: Sequence[View], words: Mapping[str, str]) -> Iterator[Text]:
    """A line for each cited note, and one for all others."""
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
        doubts = []
        for flag in flags:
            name, _, detail = flag.partition(":")
            doubts.append(words.get(name, flag).format(detail))
        yield Text(f"! {words['doubts']}: {'; '.join(doubts)}", "yellow")


def _checklist(quality: View, words: Mapping[str, str]) -> Iterator[Text]:
    items = quality["items"]
    passed = sum(item["passed"] for item in items)
    outcome = words["passed" if quality["passed"] else "not_passed"]
    yield Text(f"{words['checklist']} {passed}/{len(items)}, {outcome}:")
    for item in items:
        mark, style = ("✔", "green") if item["passed"] else ("✘", "red")
        # The reason for a pass rarely adds to the item itself; JSON has it.
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
