"""Long texts in windows of whole sentences."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tokenizers import Tokenizer

from app.text.sentences import split_sentences


class Window(NamedTuple):
    """`text[start:end]`, and how many tokens it takes."""

    start: int
    end: int
    tokens: int


def windows(text: str, tokenizer: Tokenizer, budget: int, *, overlap: bool) -> list[Window]:
    """Windows of at most `budget` tokens that hold all sentences of the text, in order.

    A sentence that is too long is cut between two words. overlap: a window begins with the last
    sentence of the one before, so that what two neighbours say together stands in one of them.
    """
    units = list(_units(text, tokenizer, budget))
    found: list[Window] = []
    first = 0
    while first < len(units):
        last, size = first + 1, units[first].tokens
        while last < len(units) and size + units[last].tokens <= budget:
            size += units[last].tokens
            last += 1
        found.append(Window(units[first].start, units[last - 1].end, size))
        if last == len(units):
            break
        again = overlap and last - first > 1
        fits = units[last - 1].tokens + units[last].tokens <= budget
        first = last - 1 if again and fits else last
    return found


def count_tokens(texts: Sequence[str], tokenizer: Tokenizer) -> list[int]:
    """Without special tokens."""
    encodings = tokenizer.encode_batch(list(texts), add_special_tokens=False)
    return [len(encoding.ids) for encoding in encodings]


def _units(text: str, tokenizer: Tokenizer, budget: int) -> Iterator[Window]:
    """Sentences, or parts of them: hardly a character is more than two tokens."""
    places = [
        place
        for sentence in split_sentences(text)
        for place in _parts(text, sentence.start, sentence.end, max(1, budget // 2))
    ]
    counts = count_tokens([text[start:end] for start, end in places], tokenizer)
    for (start, end), tokens in zip(places, counts, strict=True):
        yield Window(start, end, min(tokens, budget))


def _parts(text: str, start: int, end: int, longest: int) -> Iterator[tuple[int, int]]:
    while end - start > longest:
        space = text.rfind(" ", start + 1, start + longest)
        cut = space if space > start else start + longest
        yield start, cut
        start = cut
    yield start, end
