"""Questions in their dialogue: the turns before, and the question so that it stands alone."""

import asyncio
import logging
import secrets
from collections.abc import Sequence
from dataclasses import replace

from psycopg import Error as DatabaseError

from app.ai_router.prompts.answers import standalone_messages
from app.ai_router.types import ChatRequest, ChatRouter, Lang
from app.answering.context import Question
from app.answering.conversations import conversation_turns
from app.answering.refine.query_rewriter import check_matter, query_of
from app.platform.db.pool import Pool, transaction_in_workspace
from app.platform.errors import ProviderError
from app.platform.ids import new_id
from app.platform.metrics import Timings
from app.text.standalone import MAX_REWRITTEN_CHARS, may_need_turns, stand_alone
from app.text.turns import Turn, recent_turns
from app.verdicts.answers.queries import session_turns

logger = logging.getLogger(__name__)

TEMPERATURE = 0.0
MAX_TOKENS = 200
# A reader waits for both before the search.
HISTORY_SECONDS, REWRITE_SECONDS = 1.0, 4.0


async def in_dialogue(
    pool: Pool, router: ChatRouter, question: Question, timings: Timings
) -> Question:
    """With its turns and, where it needs them, as it stands alone. Only questions to notes have
    turns: what else is sent is a text of its own."""
    if not question.from_notes:
        return replace(question, history=())
    given = question.history
    turns = await _earlier_turns(pool, question) if given is None else recent_turns(given)
    if not turns:
        return replace(question, history=())
    with timings.measure("reword"):
        alone = await reword(router, question.content, turns, question.lang)
    return replace(question, history=turns, standalone=alone)


async def _earlier_turns(pool: Pool, question: Question) -> Sequence[Turn]:
    """Of its conversation, else of its session; none where PostgreSQL is away."""
    conversation, session_id = question.conversation, question.attributes.session_id
    if conversation is None and session_id is None:
        return ()
    try:
        async with (
            asyncio.timeout(HISTORY_SECONDS),
            transaction_in_workspace(pool, question.workspace_id) as connection,
        ):
            if conversation is not None:
                return await conversation_turns(connection, conversation)
            return await session_turns(connection, question.workspace_id, session_id, new_id())
    except (DatabaseError, TimeoutError, OSError):
        logger.exception("The turns before a question could not be read; it is answered alone")
        return ()


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
    messages = standalone_messages(question, turns, lang, secrets.token_bytes(32))
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
