"""The reasons for a verdict in words: search, phases, claims and next steps."""

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console
from rich.text import Text

from app.ai_router.types import Lang
from app.cli.output import View, indented, printable
from app.cli.words import words_of

_CLAIM_STYLES = {
    "supported": ("✔", "green"),
    "partly": ("◐", "yellow"),
    "unsupported": ("✘", "red"),
}


def show_explanation(out: Console, view: View, lang: Lang) -> None:
    """Prints search and phases of the reply of `GET /qa-evaluations/{id}`."""
    words = words_of("explanation", lang)
    lines = [*_search(view["search"], words)]
    if view["feedback"] is not None:
        lines += _feedback(view["feedback"], view["answer"], words)
    for line in lines:
        out.print(indented(line))


def _search(search: View, words: Mapping[str, str]) -> Iterator[Text]:
    events = " → ".join(search["events"])
    method = search["method"] or words["none"]
    if search["matched_keyword"]:
        method += f" ({words['keyword']}: {printable(search['matched_keyword'])})"
    found = words["found" if search["found"] else "not_found"]
    yield Text(f"{words['search']}: {method} · {found}", "bold")
    if events:
        yield Text(f"  {printable(events)}", "dim")
    if (rules := search["disposal_rules"]) is not None:
        category = f" ({printable(rules['category'])})" if rules["category"] else ""
        yield Text(f"  {words['rules']}: {printable(rules['key'])}{category}")
    for evidence in search["evidence"]:
        note = f"[{words['note']} {evidence['note_index']}] " if evidence["note_index"] else ""
        tags = f" ({words['tags']}: {', '.join(evidence['matched_tags'])})"
        yield Text(
            f"  · {note}{words[evidence['relevance']]}, {evidence['method']}:"
            f" “{printable(evidence['quoted_text'])}”" + (tags if evidence["matched_tags"] else "")
        )


def _feedback(feedback: View, answer: str, words: Mapping[str, str]) -> Iterator[Text]:
    verdict = "needs_improvement" if feedback["needs_improvement"] else "fine"
    overall = _percent(feedback["overall_score"], words)
    judged = "" if feedback["overall_score"] is None else f", {words[verdict]}"
    yield Text(f"{words['phases']}: {words['overall']} {overall}{judged}", "bold")
    if (citation := feedback["citation"]) is not None:
        yield from _citations(citation, answer, words)
    if (completeness := feedback["completeness"]) is not None:
        yield _phase("completeness", completeness["completeness"], completeness, words)
        missing = [n["text"] for n in completeness["nuggets"] if n["support"] == "not"]
        if missing:
            yield Text(f"    {words['missing']}: {printable(', '.join(missing))}", "yellow")
    if (groundedness := feedback["groundedness"]) is not None:
        yield _phase("groundedness", groundedness["groundedness"], groundedness, words)
        yield from _claims(groundedness["claims"], words)
    if (steps := feedback["next_steps"]) is not None:
        yield from _next_steps(steps, words)


def _citations(citation: View, answer: str, words: Mapping[str, str]) -> Iterator[Text]:
    line = _phase("citation", citation["context_relevance"], citation, words)
    if citation["citation_relevance"] is not None:
        relevance = _percent(citation["citation_relevance"], words)
        line.append(f" · {words['citation_relevance']} {relevance}")
    yield line
    unknown = citation["unknown_notes"]
    for number in unknown:
        yield Text(f"    ✘ [{words['note']} {number}] {words['unknown_note']}", "red")
    for cited in citation["citations"]:
        if cited["supported"] is False and cited["note_index"] not in unknown:
            sentence = printable(answer[cited["start"] : cited["end"]])
            note = f"[{words['note']} {cited['note_index']}]"
            yield Text(f"    ✘ {note} {words['not_borne']}: “{sentence}”", "red")


def _phase(name: str, value: float | None, phase: View, words: Mapping[str, str]) -> Text:
    source = words["by_model" if phase["source"] == "judge" else "by_rules"]
    if phase["fallback"]:
        source = f"{words['instead']}: {printable(phase['fallback'])}"
    return Text(f"  {words[name]} {_percent(value, words)} ({source})")


def _claims(claims: Sequence[View], words: Mapping[str, str]) -> Iterator[Text]:
    for claim in claims:
        mark, style = _CLAIM_STYLES[claim["verdict"]]
        line = Text.assemble((f"    {mark} ", style), printable(claim["claim"]))
        if claim["quote"]:
            lost = f" ({words['quote_not_found']})" if claim["quote_found"] is False else ""
            note = f"[{words['note']} {claim['note_index']}] " if claim["note_index"] else ""
            line.append(f" ← {note}“{printable(claim['quote'])}”{lost}", "dim")
        yield line


def _next_steps(steps: View, words: Mapping[str, str]) -> Iterator[Text]:
    yield Text(f"  {words['next_steps']} ({words['urgency']}: {words[steps['urgency']]})")
    for name, texts in (("do", steps["action_items"]), ("ask", steps["suggested_queries"])):
        for text in texts:
            yield Text(f"    → {words[name]}: {printable(text)}")


def _percent(value: float | None, words: Mapping[str, str]) -> str:
    return words["nothing"] if value is None else f"{value:.0%}"
