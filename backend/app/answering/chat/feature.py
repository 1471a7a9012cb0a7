"""Ways to answer. Commands offer them too: this imports nothing that is slow to import."""

import enum


class Feature(enum.StrEnum):
    """`search_qa` answers from notes; `insight` explains a text or, in search mode, notes;
    `writing` drafts."""

    SEARCH_QA = "search_qa"
    INSIGHT = "insight"
    WRITING = "writing"
