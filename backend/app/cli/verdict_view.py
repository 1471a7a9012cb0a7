"""A verdict in words, in the language of the question."""

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console
from rich.text import Text

from app.ai_router.types import Lang
from app.cli.output import View, indented, local_time, printable
from app.cli.words import words_of

RULES = "offline:rules"
# Green is for a model that reads.
_STYLES = {"high": "bold", "medium": "bold yellow", "low": "bold red"}
_MODEL_STYLES = _STYLES | {"high": "bold green"}


def show_verdict(out: Console, view: View, lang: Lang) -> None:
    """Prints the reply of `GET /qa-evaluations/{id}`, whatever its status."""
    for line in _lines(view, words_of("verdict", lang)):
        out.print(indented(line))
    if view["refinement"]:
        # Seldom needed, and it takes the rules that rewrite queries with it.
        from app.cli.refinement_view import summary_of

        out.print(indented(summary_of(view, lang)))


def not_stored(lang: Lang) -> str:
    return words_of("verdict", lang)["not_stored"]


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
    evaluation, judge = view["qa_evaluation"], view["judged_by"]
    if headline := _headline(view, words):
        yield headline
    if judge != "model":
        yield Text(f"! {words[f'{judge}_limits']}", "dim")
    if view["degraded"]:
        yield Text(f"! {words['degraded']}", "yellow")
    elif view.get("fallback_because"):
        yield Text(f"! {words['instead']} ({printable(view['fallback_because'])})", "yellow")
    if evaluation is not None:
        yield from _guarantee(evaluation.get("guarantee"), words)
        yield from _unjudged(evaluation.get("extent"), words)
        if evaluation["summary"]:
            yield Text(printable(evaluation["summary"]))
        yield from _sources(evaluation["source_coverage"], words)
        yield from _issues(evaluation["grounding_issues"], judge, words)
        yield from _doubts(evaluation["flags"], words)
    if view["quality"] is not None:
        yield from _checklist(view["quality"], words)
    yield from _cascade(view.get("cascade") or [], words)
    yield _footer(view, words)


def _cascade(steps: Sequence[View], words: Mapping[str, str]) -> Iterator[Text]:
    """A line for each judge of a cascade that was asked."""
    if not steps:
        return
    yield Text(f"{words['cascade_steps']}:")
    for number, step in enumerate(steps, start=1):
        judge = words["rules_name"] if step["judge_model"] == RULES else step["judge_model"]
        if step["error"]:
            said = f"{words['cascade_failed']} ({printable(step['error'])})"
        else:
            said = f"{words[step['confidence']]} {step['correctness']:.0%}"
        state = _state_of(step)
        cost = "" if step["cost_usd"] is None else f" · ${step['cost_usd']:.6f}"
        yield Text(f"  {number}. {printable(judge)}: {said} · {words[state]}{cost}")


def _state_of(step: View) -> str:
    if step["decided"]:
        return "cascade_decided"
    return "cascade_checked" if step["checked"] else "cascade_passed_on"


def _headline(view: View, words: Mapping[str, str]) -> Text | None:
    """What was found and by whom, the scores, and the checklist in short."""
    line = Text()
    if (evaluation := view["qa_evaluation"]) is not None:
        confidence, voice = evaluation["confidence"], voice_of(view)
        if voice == "model":
            line.append(f"● {words[confidence]}", _MODEL_STYLES[confidence])
        else:
            line.append(f"◇ {words[f'{voice}_{confidence}']}", _STYLES[confidence])
        for name in ("correctness", "utility"):
            line.append(f" · {words[name]} {evaluation[name]:.0%}")
        if (probability := evaluation.get("probability")) is not None:
            line.append(f" · {words['probability']} {probability:.0%}")
    if view["quality"] is not None:
        # Beside a verdict of rules it goes without saying who ticked.
        name = "checklist" if view["judged_by"] == "rules" else _checklist_name(view["quality"])
        short = _checklist_in_short(view["quality"], words[name], words)
        line.append(f"{' · ' if line else ''}{short}")
    return line or None


def voice_of(view: View) -> str:
    """model, local, rules, or degraded: rules in place of a model that failed."""
    return "degraded" if view["degraded"] else str(view["judged_by"])


def _checklist_name(quality: View) -> str:
    return "checklist_by_rules" if quality["source"] == "rules" else "checklist"


def _checklist_in_short(quality: View, name: str, words: Mapping[str, str]) -> str:
    items = quality["items"]
    met = sum(item["passed"] for item in items)
    return f"{name} {met}/{len(items)} {words['passed' if quality['passed'] else 'not_passed']}"


def _guarantee(guarantee: View | None, words: Mapping[str, str]) -> Iterator[Text]:
    if guarantee:
        told = words[f"guarantee_{guarantee['state']}"].format(
            precision=f"{100 * guarantee['precision']:g}",
            confidence=f"{100 * guarantee['confidence']:g}",
            threshold=f"{guarantee['threshold']:.3f}",
            labels=guarantee["labels"],
            date=local_time(guarantee["calibrated_at"])[:10],
        )
        yield Text(f"{'✔' if guarantee['state'] == 'holds' else '·'} {told}")


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


def _issues(issues: Sequence[str], judge: str, words: Mapping[str, str]) -> Iterator[Text]:
    if not issues and judge == "model":
        yield Text(f"✔ {words['no_issues']}", "green")
        return
    if not issues:
        yield Text(f"· {words[f'{judge}_no_issues']}")
        return
    yield Text(f"✘ {words['issues']}:", "red")
    for issue in issues:
        yield Text(f"  - {printable(issue)}", "red")


def _doubts(flags: Sequence[str], words: Mapping[str, str]) -> Iterator[Text]:
    if flags:
        doubts = dict.fromkeys(_doubt(flag, words) for flag in flags)
        yield Text(f"! {words['doubts']}: {'; '.join(doubts)}", "yellow")


def _doubt(flag: str, words: Mapping[str, str]) -> str:
    name, _, detail = flag.partition(":")
    text = words.get(f"{name}_{detail}") or words.get(name, flag)
    return text.format(detail)


def _checklist(quality: View, words: Mapping[str, str]) -> Iterator[Text]:
    yield Text(f"{_checklist_in_short(quality, words[_checklist_name(quality)], words)}:")
    good = "green" if quality["source"] == "judge" else ""
    for item in quality["items"]:
        mark, style = ("✔", good) if item["passed"] else ("✘", "red")
        # The reason for a pass rarely adds to the item itself; JSON has it.
        why = "" if item["passed"] or not item["reason"] else f" ({printable(item['reason'])})"
        yield Text.assemble((f"  {mark} ", style), f"{printable(item['item'])}{why}")


def _footer(view: View, words: Mapping[str, str]) -> Text:
    judge = f"{view['provider']}:{view['model']}" if view["provider"] else view["judge_model"]
    named = words.get(f"{view['judged_by']}_judge", "{}").format(printable(judge))
    parts = [f"{words['judged_by']} {named}"]
    if view["judge_ms"] is not None:
        parts.append(f"{view['judge_ms']:,.0f} ms")
    if view.get("from_cache"):
        parts.append(words["from_cache"])
    if view["cost_usd"] is not None:
        parts.append(f"${view['cost_usd']:.6f}")
    if view["attempt"] > 1:
        parts.append(f"attempt {view['attempt']}")
    return Text(" · ".join([*parts, view["id"]]), "dim")
