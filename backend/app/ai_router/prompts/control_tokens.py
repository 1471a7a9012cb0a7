"""Control tokens of chat templates, in text that is material and not a message.

A tokenizer that reads them in a note as what they stand for would let the note end its turn and
begin one of the system's.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

# All characters that normalise (NFKC) to the brackets.
ANGLES, SQUARES = "<﹤＜", "[［"
# Most brackets of notes and of JSON have something behind them that no token begins with.
_BEGINS = re.compile(r"[^가-힣\d\s{}\[\]\"'(),.:-]")
_LONGEST_TOKEN = 48
# <|im_start|> and its like (ChatML, Llama 3, Phi, Command R, DeepSeek), [|user|] (EXAONE),
# <start_of_turn> (Gemma), [INST] and <<SYS>> (Mistral, Llama 2), <think>, and what begins and ends
# a text.
_TOKEN = re.compile(
    r"<(?=\||[/\w]{1,40}\|>|<?/?SYS>"
    r"|/?(?:s|bos|eos|pad|unk|mask|sep|sop|eop|eod|eoh|eoa|BOS_TOKEN|EOS_TOKEN|start_of_\w+"
    r"|end_of_\w+|think|tools?|tool_\w+|unused\d+|reserved_\w+|TOKENS_UNUSED_\w+)>)"
    r"|\[(?=\||/?(?:INST|SYSTEM_PROMPT|MODEL_SETTINGS|AVAILABLE_TOOLS|TOOL_\w+|CALL_ID|ARGS"
    r"|THINK|gMASK)\])"
)
# Characters of no width that count as letters, and Cyrillic and Greek letters that look Latin.
_LOOK_ALIKES = dict.fromkeys("\u115f\u1160\u3164\uffa0", " ") | dict(
    zip(
        "аеорсухіјѕһԁԛԝтАВЕКМНОРСТХІЈЅοενικρτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
        "aeopcyxijshdqwtABEKMHOPCTXIJSoevikptuxABEZHIKMNOPTYX",
        strict=True,
    )
)


def token_starts(text: str) -> list[int]:
    """Where the brackets stand that begin a control token, also one in full-width letters."""
    # Most texts have few, and to read all of a note so would take longer than to write it as JSON.
    return sorted(
        at
        for bracket in ANGLES + SQUARES
        for at in _places(text, bracket)
        if _BEGINS.match(text, at + 1) and _TOKEN.match(as_read(text[at : at + _LONGEST_TOKEN]))
    )


def _places(text: str, char: str) -> Iterator[int]:
    at = text.find(char)
    while at >= 0:
        yield at
        at = text.find(char, at + 1)


def as_read(text: str) -> str:
    """The text as a model may read it, character by character: compatibility forms and
    look-alikes of Latin letters as those letters."""
    return text if text.isascii() else "".join(map(_plain, text))


@lru_cache(maxsize=4096)
def _plain(char: str) -> str:
    """The plain form of a character, when that is one character too."""
    folded = unicodedata.normalize("NFKC", char)
    plain = folded if len(folded) == 1 else char
    return _LOOK_ALIKES.get(plain, plain)
