"""The model that needs no network and no key: it quotes instead of writing."""

import re
from collections.abc import AsyncGenerator
from decimal import Decimal
from time import perf_counter

from app.ai_router.prompts.quoting import quoted
from app.ai_router.providers import extractive
from app.ai_router.types import EXTRACTIVE, OFFLINE, ChatResponse, Grounding, Lang, ProviderRequest
from app.platform.errors import ConfigurationError
from app.platform.processes.pool import QUICK_LIMITS, quick_lane
from app.text.language import detect_language, note_mark

MAX_SENTENCE_CHARS = 400
_MARK = re.compile(r"(?<!\s)\s*\[(?:노트|[Nn]otes?)\s*\d+\]")
_PIECE = re.compile(r"\S+\s*|\s+")

_NOT_IN_NOTES: dict[Lang, str] = {
    "ko": "제공된 노트에서는 이 질문의 답을 찾을 수 없습니다.",
    "en": "The notes do not answer this question.",
}
_NEEDS_MODEL: dict[Lang, str] = {
    "ko": "언어 모델이 설정되어 있지 않아 새 글을 쓸 수 없습니다."
    " SEARCHQA_ANSWER_MODEL에 모델을 설정하면 쓸 수 있습니다.",
    "en": "No language model is set up, so nothing new can be written here."
    " Set SEARCHQA_ANSWER_MODEL to a model for that.",
}
_KEY_SENTENCES: dict[Lang, str] = {
    "ko": "대신 주신 글의 핵심 문장을 골랐습니다:",
    "en": "Instead, these are the key sentences of your text:",
}


class OfflineProvider:
    """`offline:extractive`: the sentences of `request.grounding` that answer the question best,
    each with the mark of its note, or a plain word that the notes do not answer. Without
    notes: key sentences of the text that the last message quotes, and a word that writing
    needs a model."""

    name = OFFLINE

    async def chat(self, request: ProviderRequest) -> ChatResponse:
        start = perf_counter()
        content = await quick_lane().run(QUICK_LIMITS, compose, _checked(request))
        return ChatResponse(
            content=content,
            provider=OFFLINE,
            model=request.model,
            cost_usd=Decimal(0),
            latency_ms=(perf_counter() - start) * 1000,
        )

    async def stream(self, request: ProviderRequest) -> AsyncGenerator[str | ChatResponse, None]:
        response = await self.chat(request)
        for piece in _PIECE.finditer(response.content):
            yield piece[0]
        yield response

    async def aclose(self) -> None:
        """Nothing to close."""


def _checked(request: ProviderRequest) -> ProviderRequest:
    if request.model != EXTRACTIVE:
        raise ConfigurationError(
            f"{OFFLINE}:{request.model} does not write answers; use {OFFLINE}:{EXTRACTIVE}."
        )
    return request


def compose(request: ProviderRequest) -> str:
    """The answer. Blocks for some milliseconds."""
    grounding = request.grounding
    said = request.messages[-1].content if request.messages else ""
    given = "\n".join(quoted("text", said))
    if grounding and (grounding.note_contents or not given):
        return _answer(grounding)
    text = given or said
    return _summary(text, grounding.lang if grounding else detect_language(text))


def _answer(grounding: Grounding) -> str:
    selection = extractive.answer(
        grounding.question, grounding.note_titles, grounding.note_contents
    )
    if not (selection.answers and selection.sentences):
        return _NOT_IN_NOTES[grounding.lang]
    return "\n".join(
        f"{_shorten(sentence.text)} {note_mark(sentence.note, grounding.lang)}"
        for sentence in selection.sentences
    )


def _summary(text: str, lang: Lang) -> str:
    sentences = [f"- {_shorten(sentence)}" for sentence in extractive.summarise(text)]
    key_sentences = ["", _KEY_SENTENCES[lang], *sentences] if sentences else []
    return "\n".join([_NEEDS_MODEL[lang], *key_sentences])


def _shorten(sentence: str) -> str:
    """A sentence without marks of its own, which would cite notes that it does not come from,
    on one line of at most MAX_SENTENCE_CHARS."""
    plain = " ".join(_MARK.sub("", sentence).split())
    return plain if len(plain) <= MAX_SENTENCE_CHARS else plain[: MAX_SENTENCE_CHARS - 1] + "…"
