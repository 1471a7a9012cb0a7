"""The language of what the commands print: --lang, else SEARCHQA_LANG, else the system's.

English texts stand in the code, Korean ones in `locales/ko/LC_MESSAGES/searchqa.po`, from which
`make catalog` compiles the .mo. Every command imports this module, so it imports the settings and
reads the catalog only where they are needed."""

import locale
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from gettext import GNUTranslations
from pathlib import Path
from typing import Annotated, Any

import typer

from app.platform.errors import SetupError
from app.text.language import Lang

OPTION = "--lang"
CATALOG = Path(__file__).parent / "locales" / "ko" / "LC_MESSAGES" / "searchqa.mo"
_given: list[Lang] = []


def _(message: str, **values: object) -> str:
    """The message in the chosen language, with its values filled in."""
    text = _korean().gettext(message) if message and language() == "ko" else message
    return text.format(**values) if values else text


def N_(message: str) -> str:  # noqa: N802  # gettext's name
    """Marks a message for the catalog that is translated later."""
    return message


def in_help_language(message: str) -> str:
    """The message in the language of help, which must not wait for the settings to be imported: a
    .env file does not count."""
    lang = _given[-1] if _given else os.environ.get("SEARCHQA_LANG") or _system_language()
    return _korean().gettext(message) if lang == "ko" else message


@cache
def _korean() -> GNUTranslations:
    with CATALOG.open("rb") as file:
        return GNUTranslations(file)


def chosen_language() -> Lang | None:
    """What --lang or SEARCHQA_LANG says; None while the settings have a mistake."""
    if _given:
        return _given[-1]
    from app.platform.settings import get_settings

    try:
        return get_settings().cli.lang
    except SetupError:
        return None


def language() -> Lang:
    """The language of messages and tables."""
    return chosen_language() or _system_language()


def _system_language() -> Lang:
    return "ko" if (locale.getlocale()[0] or "").startswith("ko") else "en"


def choose_language(lang: Lang | None) -> None:
    """What --lang of this command says; None leaves it to SEARCHQA_LANG and the system."""
    _given[:] = [lang] if lang else []


@contextmanager
def in_language(lang: Lang) -> Iterator[None]:
    """Texts are in this language meanwhile, such as those on a question in it."""
    _given.append(lang)
    try:
        yield
    finally:
        _given.pop()


def add_option(command: Any) -> None:
    """Gives --lang to a command of Typer and to all below it, but for those with their own."""
    if not any(OPTION in each.opts for each in command.params):
        command.params.append(_option())
    for below in getattr(command, "commands", {}).values():
        add_option(below)


def _option() -> Any:
    """The parameter as Typer makes it, which no function has to accept."""

    def made(lang: LangOption = None) -> None:
        """Never called."""

    app = typer.Typer(add_completion=False)
    app.command()(made)
    (option,) = (each for each in typer.main.get_command(app).params if OPTION in each.opts)
    option.expose_value = False
    return option


def _on_option(value: Lang | None) -> Lang | None:
    if value is not None:
        choose_language(value)
    return value


LangOption = Annotated[
    Lang | None,
    typer.Option(
        OPTION,
        is_eager=True,
        callback=_on_option,
        help="Language of messages and tables; SEARCHQA_LANG, else the system's, by default.",
    ),
]

_WORDS = {
    "budget_held": N_("the remaining budget is reserved for other answers for a moment"),
    "budget_spent": N_("today's budget is spent; judging resumes after {when}"),
    "budget_unpriced": N_(
        "the judge has no known price and waits while a budget is set (SEARCHQA_MODEL_PRICES)"
    ),
    "cancelled": N_("rejudging was cancelled"),
    "cascade": N_("the next judge of the cascade takes over"),
    "cascade_checked": N_("sure, checked by the last"),
    "cascade_decided": N_("decides"),
    "cascade_passed_on": N_("left to the next judge"),
    "checklist": N_("Checklist"),
    "checklist_by_rules": N_("Rules checklist"),
    "checklist_ended": N_("rule-based checklist stopped at its limit: processing {detail}"),
    "claim_not_judged": N_("the judge did not check a sentence that contains figures"),
    "claims_limit_reached": N_("too many claims; some were not judged"),
    "confidence_lowered": N_("confidence lowered: the findings contradict each other"),
    "confidence_lowered_below_guarantee": N_(
        "confidence lowered: correctness is below the threshold of the guarantee"
    ),
    "confidence_lowered_checklist_not_passed": N_("confidence lowered: checklist not passed"),
    "confidence_lowered_grounding_issue": N_("confidence lowered: a grounding issue"),
    "confidence_lowered_needs_improvement": N_("confidence lowered: the answer needs improvement"),
    "confidence_lowered_prompt_unproven": N_(
        "confidence lowered: this prompt of the workspace has no guarantee yet"
    ),
    "confidence_lowered_unsupported_claim": N_("confidence lowered: a claim is unsupported"),
    "correctness": N_("correctness"),
    "degraded_matches": N_("Model failed · rules: matches the notes"),
    "degraded_mismatch": N_("Model failed · rules: differs from the notes"),
    "degraded_rightly_refused": N_("Model failed · rules: rightly says it is not in the notes"),
    "degraded_undecided": N_("Model failed · rules cannot tell"),
    "disabled": N_("judging is disabled"),
    "fallback": N_("another judge takes over"),
    "filtered_feature": N_("the policy excludes this feature (`searchqa policy show`)"),
    "filtered_language": N_("the policy excludes this language (`searchqa policy show`)"),
    "filtered_length": N_("the policy excludes answers of this length (`searchqa policy show`)"),
    "filtered_notebook": N_("the policy excludes this notebook (`searchqa policy show`)"),
    "for_batch": N_(
        "waits for a batch of the judge's provider (`searchqa api GET /judge-batches`)"
    ),
    "guarantee_below": N_(
        "No guarantee for this answer: it holds from a correctness of {threshold} on"
    ),
    "guarantee_holds": N_(
        "Of 100 such answers people find at least {precision} right (with {confidence} %"
        " confidence, from {labels} labels of {date})"
    ),
    "guarantee_lapsed": N_(
        "The guarantee has lapsed: it was for another judge or an earlier version of this one"
    ),
    "high": N_("High confidence"),
    "in_batch": N_("in a batch of the judge's provider (`searchqa api GET /judge-batches`)"),
    "judge_paused": N_("the judge is paused (`searchqa api GET /judges/paused`)"),
    "local_high": N_("Local model: supported"),
    "local_judge": N_("local model ({judge})"),
    "local_limits": N_(
        "A local model only estimates, sentence by sentence, how likely the notes support the"
        " answer; it does not reason about the text"
    ),
    "local_low": N_("Local model: weakly supported"),
    "local_medium": N_("Local model: check some parts"),
    "low": N_("Low confidence"),
    "medium": N_("Medium confidence"),
    "no_context": N_("no note matched the question"),
    "not_passed": N_("not passed"),
    "not_search_qa": N_("not answered from notes"),
    "nothing_claimed": N_("the judge found no claim to check"),
    "passed": N_("passed"),
    "pending": N_("No verdict yet"),
    "phases_ended": N_("rule-based phases stopped at their limit: processing {detail}"),
    "quote_in_other_note": N_("the judge took a quote from a different note than the one it named"),
    "quote_not_found": N_(
        "the judge gave a quote that is not in the notes, or none long enough to be evidence"
    ),
    "rules_fallback": N_("the judge keeps failing; rules judge instead"),
    "rules_judge": N_("rules ({judge})"),
    "rules_limits": N_(
        "Rules compare figures, names, negation and citations with the notes but do not understand"
        " meaning, so a match does not prove an answer right"
    ),
    "rules_matches": N_("Matches the notes"),
    "rules_mismatch": N_("Differs from the notes"),
    "rules_rightly_refused": N_("Rightly says it is not in the notes"),
    "rules_undecided": N_("Rules cannot tell"),
    "sampled_out": N_("not in the sample"),
    "score_contradicts_issues": N_("the score and the list of issues contradict each other"),
    "skipped": N_("Not judged"),
    "unjudged_answer": N_(
        "Only the first {judged:,} of the answer's {whole:,} characters were judged"
    ),
    "unjudged_notes": N_(
        "Only {judged:,} of the notes' {whole:,} characters were used for judging"
    ),
    "utility": N_("utility"),
    "citation": N_("1 citation"),
    "completeness": N_("2 completeness"),
    "groundedness": N_("3 groundedness"),
    "by_model": N_("by model"),
    "by_rules": N_("by rules"),
    "found": N_("notes found"),
    "not_found": N_("no notes"),
    "needs_improvement": N_("needs improvement"),
    "fine": N_("needs no improvement"),
    "do": N_("do"),
    "ask": N_("ask"),
    "evidence_high": N_("high"),
    "evidence_medium": N_("medium"),
    "evidence_low": N_("low"),
    "refined_automatic": N_("Improved automatically"),
    "refined_asked": N_("Improved on request"),
    "refined_enough": N_("These notes suffice."),
    "refined_search": N_("Another search is needed."),
    "refined_ground_truth": N_("relevance from a dataset"),
    "refined_words": N_("relevance estimated from words"),
    "refined_keywords": N_("with added keywords"),
    "refined_llm": N_("by the model"),
    "refined_profile": N_("with what is known of the asker"),
    "refined_no_better": N_("No answer is better than the first."),
    "refined_only": N_("The first answer is kept."),
    "refined_unknown": N_("Which answer is better is unknown."),
    "refined_precision": N_("precision {first:.2f} → {last:.2f}"),
    "refined_recall": N_("recall {first:.2f} → {last:.2f}"),
}


def word(code: str, **values: object) -> str:
    """The text of a code; the code itself where it has none."""
    return _(_WORDS.get(code, code), **values)


def has_word(code: str) -> bool:
    return code in _WORDS
