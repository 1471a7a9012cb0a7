"""Words a search again so that it finds what the answer before lacked."""

import asyncio
import logging
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from app.ai_router.prompts.query_rewrite import (
    PREVIOUS_ANSWER_CHARS,
    PROMPT_VERSION,
    build_messages,
)
from app.ai_router.types import ChatRequest, ChatRouter, Lang, Message
from app.answering.refine import rewritten
from app.answering.refine.profile import Slots
from app.judges.published.refinement import EvaluationResult
from app.judges.rules.vocabulary import ASKING, FRAMING
from app.platform.errors import MalformedOutput, ProviderError
from app.text.morphemes import morphemes_of_many

__all__ = [
    "PREVIOUS_ANSWER_CHARS",
    "PROMPT_VERSION",
    "QueryRewriter",
    "RewriteMethod",
    "RewrittenQuery",
]

logger = logging.getLogger(__name__)

# Higher than a judge's, since a second attempt should find other words.
TEMPERATURE = 0.5
MAX_TOKENS = 256
MAX_KEYWORDS = 24
# Rules cannot decide which of the words they find matter, and each that does not draws the search
# away: with 24 of them it found less than with 8 (docs/refine.md).
MAX_GUESSED_KEYWORDS = 8
_WORD = re.compile(r"\w\w+(?:[.,'’-]\w+)*")

RewriteMethod = Literal["llm", "profile", "keywords"]


@dataclass(frozen=True, slots=True)
class RewrittenQuery:
    """`method`: a model wrote it, only the profile was added, or keywords were added."""

    text: str
    method: RewriteMethod


class QueryRewriter:
    """Rewrites queries with the model behind `router`, or by adding keywords where there is none.

    fence_key: as in QualityEvaluator.
    """

    def __init__(
        self,
        router: ChatRouter | None,
        *,
        fence_key: bytes | None = None,
    ) -> None:
        # The offline models neither judge by a prompt nor write queries.
        self._router = router if router and router.model.provider != "offline" else None
        self._fence_key = fence_key or secrets.token_bytes(32)

    async def rewrite(
        self,
        original_query: str,
        quality_feedback: EvaluationResult | None,
        previous_answer: str,
        profile_summary: str | None = None,
        slot_out: Slots | None = None,
        iteration_count: int = 1,
        lang: Lang = "ko",
    ) -> RewrittenQuery:
        """The new query; never empty as long as the original is not.

        Without feedback only the profile is added. Without a model, after an error of it, and
        after a reply that is no query, the keywords of the missing information are added.
        Raises no ProviderError.
        """
        about = _profile_words(profile_summary, slot_out)
        if quality_feedback is None or not any(quality_feedback.feedback.values()):
            return RewrittenQuery(_joined(original_query, about), "profile")
        if self._router is not None:
            messages = build_messages(
                original_query,
                previous_answer,
                quality_feedback.missing_info,
                quality_feedback.improvement_suggestions,
                profile_summary,
                slot_out.named(lang) if slot_out else {},
                iteration_count,
                lang,
                self._fence_key,
            )
            matter = [original_query, *quality_feedback.missing_info]
            if text := await self._written(self._router, messages, original_query, matter):
                return RewrittenQuery(text, "llm")
        most = MAX_GUESSED_KEYWORDS if quality_feedback.heuristic else MAX_KEYWORDS
        words = await asyncio.to_thread(
            keywords, original_query, quality_feedback.missing_info, most
        )
        return RewrittenQuery(_joined(original_query, [*words, *about]), "keywords")

    async def _written(
        self,
        router: ChatRouter,
        messages: Sequence[Message],
        original: str,
        matter: Sequence[str],
    ) -> str | None:
        """The model's query, None when it gave none that can be used."""
        try:
            reply = await router.chat(ChatRequest(messages, TEMPERATURE, MAX_TOKENS))
            text = rewritten.query_of(reply.content, original)
            await asyncio.to_thread(_check_matter, text, matter)
        except ProviderError as error:
            # The kind and not the error, which may quote what readers wrote.
            logger.warning("Rewriting a query failed (%s); keywords are added", error.kind)
            return None
        return text


def _check_matter(text: str, matter: Sequence[str]) -> None:
    """Raises MalformedOutput for a text without one word of the matter, such as an apology."""
    found, *known = morphemes_of_many([text, *matter])
    terms = {term for each in known for term in each}
    if terms and terms.isdisjoint(found):
        raise MalformedOutput("the rewritten query has no word of the question")


def keywords(
    original_query: str, missing_info: Sequence[str], most: int = MAX_KEYWORDS
) -> list[str]:
    """The words of the missing information that say something the query does not say yet, as
    they are written, at most `most`. Every item gets its turn, so that a long one leaves room
    for the rest. Single characters are left out. Blocks for some milliseconds."""
    asked, *found = morphemes_of_many([original_query, *missing_info])
    seen = {*asked, *FRAMING, *ASKING}
    queues: list[list[str]] = []
    for item, terms in zip(missing_info, found, strict=True):
        queues.append([])
        # Whole words, because a compound that is taken apart no longer finds its document; and
        # by the terms of the whole item, because a word alone may be analysed as another one.
        for word in _WORD.findall(item):
            new = {term for term in terms if term not in seen and _holds(word, term)}
            if new:
                queues[-1].append(word)
                seen |= new
    queues = [queue for queue in queues if queue]
    share = max(1, most // max(1, len(queues)))
    first = [word for queue in queues for word in queue[:share]]
    rest = [word for queue in queues for word in queue[share:]]
    return [*first, *rest][:most]


def _holds(word: str, term: str) -> bool:
    """Whether the term comes from this word. Stems of verbs are terms with 다 behind them."""
    written = word.lower().replace(",", "")
    return term in written or (term.endswith("다") and term[:-1] in written)


def _profile_words(profile_summary: str | None, slots: Slots | None) -> list[str]:
    """Profile and slots as words to search for, each named once."""
    words = " ".join((profile_summary or "").split())
    known = [value for value in (slots.values() if slots else []) if value not in words]
    return [part for part in (words, *known) if part]


def _joined(query: str, words: Sequence[str]) -> str:
    return " ".join([query.strip(), *words])
