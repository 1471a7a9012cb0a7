"""The request that asks SearchQA itself."""

from __future__ import annotations

from collections.abc import Iterable

from searchqa_client.attributes import current_attributes
from searchqa_client.models import ChatOptions
from searchqa_client.note import AnyNote, plain_notes
from searchqa_client.requests import Request, post

# A model may think for long before the answer begins.
_ANSWER_SECONDS = 180.0


def ask_request(
    path: str,
    question: str,
    notes: Iterable[AnyNote] | None,
    feature: str,
    lang: str | None,
    options: ChatOptions,
) -> Request:
    """notes: instead of a search; None searches. Raises TypeError for what is no note."""
    given: dict[str, object] = current_attributes()
    given |= {name: each for name, each in options.items() if each is not None}
    if notes is not None:
        plain = plain_notes(notes)
        given["context_notes"] = [content for _, content in plain]
        given["note_titles"] = [title for title, _ in plain]
    body = {"content": question, "feature": feature, "options": given}
    return post(
        path, body | ({"lang": lang} if lang else {}), repeatable=False, timeout=_ANSWER_SECONDS
    )
