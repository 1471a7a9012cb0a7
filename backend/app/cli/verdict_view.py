"""A verdict in words, in the language of the question: result, reasons and next steps."""

import re
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from app.ai_router.types import Lang
from app.cli.language import _, has_word, in_language, word
from app.cli.output import View, indented, local_time, printable
from app.verdicts.answers.attributes import TEXT_LIMITS

RULES = "offline:rules"
# Green is for a model that reads, and for rules that find nothing open.
_STYLES = {"high": "bold", "medium": "bold yellow", "low": "bold red"}
_MODEL_STYLES = _STYLES | {"high": "bold green"}
_OUTCOME_STYLES = {
    "matches": "bold green",
    "mismatch": "bold red",
    "undecided": "bold",
    "rightly_refused": "bold",
    "falsely_refused": "bold red",
}
# Where nothing is held against the answer.
_WITHOUT_FINDINGS = frozenset({"undecided", "rightly_refused"})
# Of servers that store no outcome, and of the steps of a cascade.
_BY_CONFIDENCE = {"high": "matches", "medium": "undecided", "low": "mismatch"}
# As rules write an issue: the sentence of the answer, then what speaks against it.
_ISSUE = re.compile(r"“(.*)” – (.*)", re.DOTALL)


def show_verdict(out: Console, view: View, lang: Lang) -> None:
    """Prints the reply of `GET /qa-evaluations/{id}`, whatever its status."""
    with in_language(lang):
        if understood := view.get("standalone_question"):
            out.print(indented(Text(f"{_('Understood as')}: {printable(understood)}", "dim")))
        for line in _lines(view):
            out.print(indented(line))
        if view["refinement"]:
            # Rarely needed, and imports the rules that rewrite queries.
            from app.cli.refine import summary_of

            out.print(indented(summary_of(view, lang)))


def not_stored(lang: Lang) -> str:
    with in_language(lang):
        return _("The answer could not be stored, so there is no verdict")


def _lines(view: View) -> Iterator[Text]:
    status = view["status"]
    if status == "succeeded":
        yield from _verdict(view)
    elif status == "failed":
        yield Text(f"✘ {_('Judging failed')}: {printable(view['error'] or '')}", "bold red")
    else:
        reason = view["reason"]
        when = local_time(view.get("next_attempt_at"))
        why = f": {word(reason, when=when)}" if reason else ""
        state = "skipped" if status == "skipped" else "pending"
        yield Text(f"○ {word(state)} ({status}){why}", "yellow")


def _verdict(view: View) -> Iterator[Text]:
    evaluation, judge, outcome = view["qa_evaluation"], view["judged_by"], outcome_of(view)
    if headline := _headline(view):
        yield headline
    if judge != "model":
        yield Text(f"! {word(f'{judge}_limits')}", "dim")
    if view["degraded"]:
        yield Text(f"! {_('The judge model was unavailable; rules judged instead')}", "yellow")
    elif view.get("fallback_because"):
        yield Text(
            f"! {_('Judged by another model')} ({printable(view['fallback_because'])})", "yellow"
        )
    if evaluation is not None:
        yield from _guarantee(evaluation.get("guarantee"))
        yield from _unjudged(evaluation.get("extent"))
        if evaluation["summary"]:
            yield Text(printable(evaluation["summary"]))
        yield from _sources(evaluation["source_coverage"])
        if outcome in {"mismatch", "falsely_refused"}:
            yield from _contrasts(view)
        elif outcome is None:
            yield from _issues(evaluation["grounding_issues"], judge)
            yield from _doubts(evaluation["flags"])
    if view["quality"] is not None and outcome not in _WITHOUT_FINDINGS:
        yield from _checklist(view["quality"])
    yield from _criteria(view.get("criteria") or [])
    yield from _cascade(view.get("cascade") or [])
    yield _footer(view)


def _criteria(scores: Sequence[View]) -> Iterator[Text]:
    if scores:
        yield Text(f"{_('Own criteria')}: {' · '.join(map(_criterion, scores))}")


def _criterion(score: View) -> str:
    value, label = score["value"], score["label"]
    if value is None:
        said = _("no score")
    elif label is None and score["source"] == "rules":
        said = _("met") if value else _("not met")
    else:
        said = f"{value:.0%}" if label is None else printable(label)
    return f"{score['name']} {said}"


def _cascade(steps: Sequence[View]) -> Iterator[Text]:
    if not steps:
        return
    yield Text(f"{_('Judges asked in turn')}:")
    for number, step in enumerate(steps, start=1):
        judge = _("rules") if step["judge_model"] == RULES else step["judge_model"]
        if step["error"]:
            said = f"{_('no verdict')} ({printable(step['error'])})"
        else:
            said = f"{word(step['confidence'])} {step['correctness']:.0%}"
            if step["judge_model"] == RULES:
                said = word(f"rules_{_BY_CONFIDENCE[step['confidence']]}")
        state = _state_of(step)
        cost = "" if step["cost_usd"] is None else f" · ${step['cost_usd']:.6f}"
        yield Text(f"  {number}. {printable(judge)}: {said} · {word(state)}{cost}")


def _state_of(step: View) -> str:
    if step["decided"]:
        return "cascade_decided"
    return "cascade_checked" if step["checked"] else "cascade_passed_on"


def _headline(view: View) -> Text | None:
    line, outcome = Text(), outcome_of(view)
    if (evaluation := view["qa_evaluation"]) is not None:
        confidence, voice = evaluation["confidence"], voice_of(view)
        if outcome:
            mark = "●" if voice == "model" else "◇"
            line.append(f"{mark} {word(f'{voice}_{outcome}')}", _OUTCOME_STYLES[outcome])
        elif voice == "model":
            line.append(f"● {word(confidence)}", _MODEL_STYLES[confidence])
        else:
            line.append(f"◇ {word(f'{voice}_{confidence}')}", _STYLES[confidence])
        if not outcome:
            line.append_text(_scores(evaluation))
    if view["quality"] is not None and outcome not in _WITHOUT_FINDINGS:
        # Beside a verdict of rules it goes without saying who ticked.
        name = "checklist" if view["judged_by"] == "rules" else _checklist_name(view["quality"])
        short = _checklist_in_short(view["quality"], word(name))
        line.append(f"{' · ' if line else ''}{short}")
    return line or None


def _scores(evaluation: View) -> Text:
    line = Text()
    for name in ("correctness", "utility"):
        line.append(f" · {word(name)} {evaluation[name]:.0%}")
    if (probability := evaluation.get("probability")) is not None:
        line.append(f" · {_('chance to be right')} {probability:.0%}")
    return line


def outcome_of(view: View) -> str | None:
    """What rules conclude, and every judge of a refusal, of a verdict or a row of the list; None of
    others, or without one."""
    found = view.get("qa_evaluation", view)
    if not found or not found["confidence"]:
        return None
    refused = found.get("outcome") in {"rightly_refused", "falsely_refused"}
    if view["judged_by"] != "rules" and not refused:
        return None
    return str(found.get("outcome") or _BY_CONFIDENCE[found["confidence"]])


def voice_of(view: View) -> str:
    """model, local, rules, or degraded: rules in place of a model that failed."""
    return "degraded" if view["degraded"] else str(view["judged_by"])


def _checklist_name(quality: View) -> str:
    return "checklist_by_rules" if quality["source"] == "rules" else "checklist"


def _checklist_in_short(quality: View, name: str) -> str:
    items = quality["items"]
    met = sum(item["passed"] for item in items)
    return f"{name} {met}/{len(items)} {word('passed' if quality['passed'] else 'not_passed')}"


def _guarantee(guarantee: View | None) -> Iterator[Text]:
    if guarantee:
        sentence = word(
            f"guarantee_{guarantee['state']}",
            precision=f"{100 * guarantee['precision']:g}",
            confidence=f"{100 * guarantee['confidence']:g}",
            threshold=f"{guarantee['threshold']:.3f}",
            labels=guarantee["labels"],
            date=local_time(guarantee["calibrated_at"])[:10],
        )
        yield Text(f"{'✔' if guarantee['state'] == 'holds' else '·'} {sentence}")


def _unjudged(extent: View | None) -> Iterator[Text]:
    for name, chars in (("answer", "answer_chars"), ("notes", "note_chars")):
        if extent and extent[f"judged_{chars}"] < extent[chars]:
            cut = word(f"unjudged_{name}", whole=extent[chars], judged=extent[f"judged_{chars}"])
            yield Text(f"! {cut}", "yellow")


def _sources(sources: Sequence[View]) -> Iterator[Text]:
    for source in sources:
        if source["cited"]:
            line = Text.assemble(("✔ ", "green"), _name(source))
            line.append(f" — {_('cited')}: {printable(source['relevant_claim'])}".rstrip(": "))
            yield line
    others = [_name(source) for source in sources if not source["cited"]]
    if others:
        yield Text(f"· {_('not cited')}: {', '.join(others)}", "dim")


def _name(source: View) -> str:
    title = printable(source["note_title"] or "")
    return f"[{_('Note')} {source['note_index']}] {title}".rstrip()


def _issues(issues: Sequence[str], judge: str) -> Iterator[Text]:
    if not issues and judge == "model":
        yield Text(f"✔ {_('No grounding issues')}", "green")
        return
    if not issues:
        yield Text(f"· {_('The local model found no grounding issues')}")
        return
    yield Text(f"✘ {_('Grounding issues')}:", "red")
    for issue in issues:
        yield Text(f"  - {printable(issue)}", "red")


def _contrasts(view: View) -> Iterator[Text]:
    """Each sentence that rules hold against the answer, and what the note says instead."""
    evaluation = view["qa_evaluation"]
    claims = ((view.get("feedback") or {}).get("groundedness") or {}).get("claims", ())
    for issue in evaluation["grounding_issues"]:
        parts = _ISSUE.fullmatch(issue)
        said, why = parts.groups() if parts else (issue, "")
        label = f"{_('Answer')}: " if parts else ""
        yield Text(f"✘ {label}{printable(said)}", "red")
        quotes = [(c["note_index"], c["quote"]) for c in claims if c["claim"] in said]
        quotes += [
            (source["note_index"], source.get("quote"))
            for source in evaluation["source_coverage"]
            if source["relevant_claim"] == said
        ]
        if noted := next(((index, quote) for index, quote in quotes if quote), None):
            yield Text(f"  {_('Note')} {noted[0]}: {printable(noted[1])}")
        if why:
            yield Text(f"  {printable(why)}", "dim")


def _doubts(flags: Sequence[str]) -> Iterator[Text]:
    if flags:
        doubts = dict.fromkeys(_doubt(flag) for flag in flags)
        yield Text(f"! {_('Doubts about this verdict')}: {'; '.join(doubts)}", "yellow")


def _doubt(flag: str) -> str:
    name, colon, detail = flag.partition(":")
    code = f"{name}_{detail}" if colon else name
    return word(code) if has_word(code) else word(name, detail=detail)


def _checklist(quality: View) -> Iterator[Text]:
    yield Text(f"{_checklist_in_short(quality, word(_checklist_name(quality)))}:")
    good = "green" if quality["source"] == "judge" else ""
    for item in quality["items"]:
        mark, style = ("✔", good) if item["passed"] else ("✘", "red")
        # The reason for a pass rarely adds to the item itself; JSON has it.
        why = "" if item["passed"] or not item["reason"] else f" ({printable(item['reason'])})"
        yield Text.assemble((f"  {mark} ", style), f"{printable(item['item'])}{why}")


def _footer(view: View) -> Text:
    judge = f"{view['provider']}:{view['model']}" if view["provider"] else view["judge_model"]
    code = f"{view['judged_by']}_judge"
    named = word(code, judge=printable(judge)) if has_word(code) else printable(judge)
    parts = [f"{_('Judged by')} {named}"]
    if view["judge_ms"] is not None:
        parts.append(f"{view['judge_ms']:,.0f} ms")
    if view.get("from_cache"):
        parts.append(_("stored reply to an identical request"))
    if view["cost_usd"] is not None:
        parts.append(f"${view['cost_usd']:.6f}")
    if view["attempt"] > 1:
        parts.append(f"attempt {view['attempt']}")
    return Text(" · ".join([*parts, view["id"]]), "dim")


_CLAIM_STYLES = {
    "supported": ("✔", "green"),
    "partly": ("◐", "yellow"),
    "unsupported": ("✘", "red"),
}


def show_explanation(out: Console, view: View, lang: Lang) -> None:
    """Prints search and phases of the reply of `GET /qa-evaluations/{id}`."""
    with in_language(lang):
        lines = [*_attributes(view), *_turns(view), *_search(view["search"])]
        if view["feedback"] is not None:
            lines += _feedback(view["feedback"], view["answer"], outcome_of(view))
        for line in lines:
            out.print(indented(line))


def _attributes(view: View) -> Iterator[Text]:
    """As `--where` and `--attribute` take them."""
    given = [(name, view[name]) for name in TEXT_LIMITS if view.get(name) is not None]
    given += [("tag", tag) for tag in view.get("tags", ())]
    given += view.get("attributes", {}).items()
    if given:
        yield Text(printable(" ".join(f"{name}={value}" for name, value in given)), "dim")


def _turns(view: View) -> Iterator[Text]:
    if history := view.get("history"):
        asked = " → ".join(printable(turn["question"]) for turn in history)
        yield Text(f"{_('Earlier turns')}: {asked}", "dim")


def _search(search: View) -> Iterator[Text]:
    events = " → ".join(search["events"])
    method = search["method"] or _("no search")
    if search["matched_keyword"]:
        method += f" ({_('word')}: {printable(search['matched_keyword'])})"
    found = word("found" if search["found"] else "not_found")
    yield Text(f"{_('Search')}: {method} · {found}", "bold")
    if events:
        yield Text(f"  {printable(events)}", "dim")
    if (rules := search["disposal_rules"]) is not None:
        category = f" ({printable(rules['category'])})" if rules["category"] else ""
        yield Text(f"  {_('Best note')}: {printable(rules['key'])}{category}")
    for evidence in search["evidence"]:
        note = f"[{_('note')} {evidence['note_index']}] " if evidence["note_index"] else ""
        relevance = word(f"evidence_{evidence['relevance']}")
        tags = f" ({_('tags')}: {', '.join(evidence['matched_tags'])})"
        yield Text(
            f"  · {note}{relevance}, {evidence['method']}:"
            f" “{printable(evidence['quoted_text'])}”" + (tags if evidence["matched_tags"] else "")
        )


def _feedback(feedback: View, answer: str, outcome: str | None) -> Iterator[Text]:
    """outcome: of rules, whose scores say little. Where they hold nothing against the answer they
    do not call it in need of improvement either, as in the pages."""
    scored = outcome is None
    is_doubted = outcome not in _WITHOUT_FINDINGS | {"matches"}
    needs = feedback["needs_improvement"] if is_doubted else None
    judged = [] if needs is None else [word("needs_improvement" if needs else "fine")]
    overall = [f"{_('overall')} {_percent(feedback['overall_score'])}"] if scored else []
    yield Text(": ".join([_("Phases"), ", ".join(overall + judged)]).rstrip(": "), "bold")
    if (citation := feedback["citation"]) is not None:
        yield from _citations(citation, answer, scored=scored)
    if (completeness := feedback["completeness"]) is not None:
        yield _phase("completeness", completeness["completeness"], completeness, scored=scored)
        missing = [n["text"] for n in completeness["nuggets"] if n["support"] == "not"]
        if missing:
            yield Text(f"    {_('missing information')}: {printable(', '.join(missing))}", "yellow")
    if (groundedness := feedback["groundedness"]) is not None:
        yield _phase("groundedness", groundedness["groundedness"], groundedness, scored=scored)
        yield from _claims(groundedness["claims"])
    if (steps := feedback["next_steps"]) is not None:
        yield from _next_steps(steps)


def _citations(citation: View, answer: str, *, scored: bool) -> Iterator[Text]:
    line = _phase("citation", citation["context_relevance"], citation, scored=scored)
    if scored and citation["citation_relevance"] is not None:
        relevance = _percent(citation["citation_relevance"])
        line.append(f" · {_('relevance of cited notes')} {relevance}")
    yield line
    unknown = citation["unknown_notes"]
    for number in unknown:
        yield Text(f"    ✘ [{_('note')} {number}] {_('cites a note that does not exist')}", "red")
    for cited in citation["citations"]:
        if cited["supported"] is False and cited["note_index"] not in unknown:
            sentence = printable(answer[cited["start"] : cited["end"]])
            note = f"[{_('note')} {cited['note_index']}]"
            yield Text(f"    ✘ {note} {_('the note does not support')}: “{sentence}”", "red")


def _phase(name: str, value: float | None, phase: View, *, scored: bool) -> Text:
    source = word("by_model" if phase["source"] == "judge" else "by_rules")
    if phase["fallback"]:
        source = f"{_('rules instead of the model')}: {printable(phase['fallback'])}"
    figure = f" {_percent(value)}" if scored or value is None else ""
    return Text(f"  {word(name)}{figure} ({source})")


def _claims(claims: Sequence[View]) -> Iterator[Text]:
    for claim in claims:
        mark, style = _CLAIM_STYLES[claim["verdict"]]
        fault = f" ({word(claim['fault'])})" if claim.get("fault") else ""
        line = Text.assemble((f"    {mark} ", style), printable(claim["claim"]) + fault)
        if claim["quote"]:
            lost = (
                f" ({_('the quote is not in the note')})" if claim["quote_found"] is False else ""
            )
            note = f"[{_('note')} {claim['note_index']}] " if claim["note_index"] else ""
            line.append(f" ← {note}“{printable(claim['quote'])}”{lost}", "dim")
        yield line


def _next_steps(steps: View) -> Iterator[Text]:
    urgency = word(f"evidence_{steps['urgency']}")
    yield Text(f"  {_('4 next steps')} ({_('urgency')}: {urgency})")
    for name, texts in (("do", steps["action_items"]), ("ask", steps["suggested_queries"])):
        for text in texts:
            yield Text(f"    → {word(name)}: {printable(text)}")


def _percent(value: float | None) -> str:
    return _("nothing to check") if value is None else f"{value:.0%}"
