"""Rewords follow-up questions so that they stand alone, by the model that answers or by rules."""

import asyncio
import logging
import secrets
from collections.abc import Sequence

from app.ai_router.prompts.standalone import build_messages
from app.ai_router.types import ChatRequest, ChatRouter, Lang
from app.answering.refine.query_rewriter import check_matter, query_of
from app.platform.errors import ProviderError
from app.text.standalone import MAX_REWRITTEN_CHARS, may_need_turns, stand_alone
from app.text.turns import Turn

logger = logging.getLogger(__name__)

TEMPERATURE = 0.0
MAX_TOKENS = 200
# A reader waits for it before the search.
REWRITE_SECONDS = 4.0


async def reword(
    router: ChatRouter, question: str, turns: Sequence[Turn], lang: Lang
) -> str | None:
    """The question as it stands alone; None where it does already. A model is asked where the
    question may need the turns, and rules take the place of one that fails or takes longer than
    REWRITE_SECONDS. Raises no ProviderError."""
    by_rules = stand_alone(question, turns)
    offline = router.model.provider == "offline"
    if offline or not turns or not (by_rules or may_need_turns(question)):
        return by_rules
    messages = build_messages(question, turns, lang, secrets.token_bytes(32))
    try:
        async with asyncio.timeout(REWRITE_SECONDS):
            reply = await router.chat(ChatRequest(messages, TEMPERATURE, MAX_TOKENS))
        written = query_of(reply.content, question)[:MAX_REWRITTEN_CHARS]
        await asyncio.to_thread(check_matter, written, [question, *(one.question for one in turns)])
    except (ProviderError, TimeoutError) as error:
        # The kind and not the error, which may quote what readers wrote.
        logger.warning("Rewording a question failed (%s); rules do it", type(error).__name__)
        return by_rules
    return written if written != question else None
