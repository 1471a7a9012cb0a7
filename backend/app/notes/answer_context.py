"""What a domain adds to the notes of an answer: where each passage is from, and what to do."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from app.ai_router.prompts.quoting import one_line
from app.text.evidence import Evidence
from app.text.language import Lang
from app.text.marks import note_mark
from app.text.packs.loader import get_instruction_for_tag
from app.text.packs.models import DomainPack

_SOURCES: Mapping[Lang, str] = {"ko": "참조 출처", "en": "Sources"}
_RELEVANCE: Mapping[Lang, str] = {"ko": "신뢰도", "en": "relevance"}
_TIPS: Mapping[Lang, str] = {"ko": "상황별 팁", "en": "In this situation"}


def build_answer_context(
    disposal_rules: Mapping[str, Any] | None,
    evidence: Sequence[Evidence],
    pack: DomainPack,
    lang: Lang = "ko",
) -> str:
    """The best note, the passages with their relevance, and the pack's instruction for each tag
    that matched; parts that are empty are left out. Without any it is empty."""
    parts = []
    if disposal_rules:
        data = json.dumps(disposal_rules, ensure_ascii=False)
        parts.append(f"## {pack.title.in_lang(lang)}\n{data}")
    # A passage of more lines could write headings and questions of its own between the notes.
    cited = [
        f"- {_mark(each, lang)} ({_RELEVANCE[lang]}: {each.relevance}):"
        f" {one_line(each.quoted_text)}"
        for each in evidence
        if each.quoted_text.strip()
    ]
    if cited:
        parts.append(f"## {_SOURCES[lang]}\n" + "\n".join(cited))
    if tips := tips_for(evidence, pack, lang):
        parts.append(f"## {_TIPS[lang]}\n" + "\n".join(tips))
    return "\n\n".join(parts)


def _mark(evidence: Evidence, lang: Lang) -> str:
    """What the answer is to write when it uses the passage."""
    if evidence.note_index:
        return note_mark(evidence.note_index, lang)
    return f"[{evidence.chunk_id}]"


def tips_for(evidence: Sequence[Evidence], pack: DomainPack, lang: Lang = "ko") -> list[str]:
    """`- tag: instruction` for each matched tag that has one, in the order of the evidence."""
    tags = dict.fromkeys(tag for each in evidence for tag in each.matched_tags)
    instructions = {tag: get_instruction_for_tag(pack, tag, lang) for tag in tags}
    return [f"- {tag}: {instruction}" for tag, instruction in instructions.items() if instruction]
