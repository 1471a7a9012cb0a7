"""Rewrites a search query so that it finds what the previous answer lacked."""

import asyncio
import logging
import re
import secrets
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from app.ai_router.prompts.answers import rewrite_messages
from app.ai_router.types import ChatRequest, ChatRouter, Lang, Message
from app.answering.profile import Slots
from app.judges.published.refinement import EvaluationResult
from app.judges.rules.vocabulary import ASKING, FRAMING
from app.platform.db.statements import storable
from app.platform.errors import MalformedOutput, ProviderError
from app.text.language import detect_language
from app.text.morphemes import morphemes_of_many

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

    def __init__(self, router: ChatRouter | None, *, fence_key: bytes | None = None) -> None:
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
            messages = rewrite_messages(
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
        self, router: ChatRouter, messages: Sequence[Message], original: str, matter: Sequence[str]
    ) -> str | None:
        """The model's query, None when it gave none that can be used."""
        try:
            reply = await router.chat(ChatRequest(messages, TEMPERATURE, MAX_TOKENS))
            text = query_of(reply.content, original)
            await asyncio.to_thread(check_matter, text, matter)
        except ProviderError as error:
            # The kind and not the error, which may quote what readers wrote.
            logger.warning("Rewriting a query failed (%s); keywords are added", error.kind)
            return None
        return text


def check_matter(text: str, matter: Sequence[str]) -> None:
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


MAX_QUERY_CHARS = 600
# A query in the language of the question may quote terms of another, but not only those.
MIN_OWN_LETTERS = 0.2

# What follows is talk. Labels are taken off one by one, so a text of nothing else is not free.
MAX_REPLY_CHARS = 8_000
_FENCED = re.compile(r"```[\w-]*[ \t]*\n(.*?)```", re.DOTALL)
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n")
# A label names what follows it; words before a colon that do not are part of the query.
_LABEL = re.compile(
    r"[*_#>\s]*"
    r"(?:(?:[^\n:：]{0,20}(?:재작성|[다고][시쳐] ?쓴|다시 ?작성|수정|개선)[^\n:：]{0,6})?"
    r"(?:새로?운? ?|최종 ?)?(?:검색 ?)?(?:질의|질문|쿼리|검색어)문?"
    r"(?:입니다|[은는](?: 다음과 같습니다)?)?"
    r"|재작성|출력|답변?"
    r"|(?:[^\n:：]{0,30}\b(?:rewritten|reworded|revised|improved|reformulated)\b[^\n:：]{0,10})?"
    r"(?:new |final )?(?:search )?(?:query|question)(?: is)?"
    r"|rewritten|output|answer)"
    r"[*_\s]*[:：][*_\s]*",
    re.IGNORECASE,
)
_LIST_MARK = re.compile(r"(?:[-*+•·]|\(?\d{1,2}[.)])[ \t]+")
_QUOTES = {
    '"': '"',
    "'": "'",
    "`": "`",
    "“": "”",
    "‘": "’",
    "「": "」",
    "『": "』",
    "«": "»",
    "**": "**",
}


def query_of(reply: str, original: str) -> str:
    """The query on one line, without labels ("재작성된 질의:", "Rewritten query:"), quotation
    marks, code fences and list marks. What follows after a blank line is talk and left out.

    Raises MalformedOutput when nothing is left, when it is longer than MAX_QUERY_CHARS and
    twice the original, and when it is not in the original's language.
    """
    text = storable(reply[:MAX_REPLY_CHARS]).strip()
    fenced = _FENCED.search(text)
    text = _bare(fenced.group(1) if fenced else text)
    paragraph = _PARAGRAPH_END.split(text, maxsplit=1)[0]
    lines = (_LIST_MARK.sub("", line.strip(), count=1) for line in paragraph.splitlines())
    query = _bare(" ".join(" ".join(lines).split()))
    if not any(char.isalnum() for char in query):
        raise MalformedOutput("the rewritten query is empty", body_excerpt=reply)
    if len(query) > max(MAX_QUERY_CHARS, 2 * len(original)):
        raise MalformedOutput("the rewritten query is too long", body_excerpt=reply)
    if not _same_language(query, original):
        raise MalformedOutput("the rewritten query is in another language", body_excerpt=reply)
    return query


def _bare(text: str) -> str:
    """The text without labels, list marks and quotation marks around the whole of it."""
    before = None
    while before != text:
        before, text = text, text.strip()
        for matched in (_LABEL.match, _LIST_MARK.match):
            if match := matched(text):
                text = text[match.end() :]
        for opening, closing in _QUOTES.items():
            inner = text[len(opening) : -len(closing)]
            whole = text.startswith(opening) and text.endswith(closing)
            if whole and inner and opening not in inner and closing not in inner:
                text = inner
    return text


def _same_language(query: str, original: str) -> bool:
    letters = [char for char in query if char.isalpha()]
    if not letters or not any(char.isalpha() for char in original):
        return True
    script = "HANGUL" if detect_language(original) == "ko" else "LATIN"
    own = sum(unicodedata.name(char, "").startswith(script) for char in letters)
    return own >= MIN_OWN_LETTERS * len(letters)
