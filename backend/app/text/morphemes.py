"""Content morphemes: what two texts must share to be about the same thing.

Latin words and numbers are found by one regular expression in every text, so that "DNA",
"DNA를" and an all-English note meet in the same terms; Kiwi (250 MB) is loaded only
once some text has Hangul.
"""

import re
import threading
import unicodedata
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from kiwipiepy import Kiwi, Token

# Kiwi's time grows with the square of a text's length: longer ones are analysed in parts.
MAX_ANALYSED_CHARS = 2_000

_HANGUL = re.compile(r"[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3]")
_HANJA = re.compile(r"[\u4e00-\u9fff]+")
# A number with its thousands and decimals, or a word that begins with a letter: "5mL" is
# 5 and ml, "H2O" is one word.
_LATIN_OR_NUMBER = re.compile(
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
    r"|[^\W\d_\u1100-\u11ff\u3131-\u318e\u4e00-\u9fff\uac00-\ud7a3]"
    r"(?:[^\W_\u1100-\u11ff\u3131-\u318e\u4e00-\u9fff\uac00-\ud7a3]|[’'](?=[a-z]))*"
)

# Sejong part-of-speech tags: common, proper, bound and unknown nouns, numerals, roots; stems;
# and what may stand in a compound beside nouns: affixes, Latin letters, numbers, Hanja.
_NOUN_TAGS = frozenset({"NNG", "NNP", "NNB", "NR", "XR", "UN"})
_STEM_TAGS = frozenset({"VV", "VA"})
_COMPOUND_TAGS = _NOUN_TAGS | {"XPN", "XSN", "SL", "SN", "SH"}
_EMPTY_KOREAN = frozenset({"하다", "되다", "있다", "것", "거", "수", "등", "때문"})
_ENGLISH_FUNCTION_WORDS = """
a about all also am an and any are as at be been being but by can could did do does for from had
has have he her here his how i if in into is it its may me might must my no nor not of on or our
shall she should so some such than that the their them then there these they this those to us was
we were what when where which while who whom whose why will with would you your
"""
_EMPTY_ENGLISH = frozenset(_ENGLISH_FUNCTION_WORDS.split())


class _Analyser:
    """Kiwi, loaded once for the process on first use."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kiwi: Kiwi | None = None
        self._threads: int | None = None

    def get(self) -> "Kiwi":
        with self._lock:
            if self._kiwi is None:
                from kiwipiepy import Kiwi

                with warnings.catch_warnings():
                    # It warns that 0 meant something else before version 0.21.
                    warnings.simplefilter("ignore", DeprecationWarning)
                    # The extra dictionaries double the memory and find no more notes; a name that
                    # is taken apart is taken apart in the question too.
                    kiwi = Kiwi(
                        num_workers=self._threads,
                        load_default_dict=False,
                        load_multi_dict=False,
                        load_typo_dict=False,
                    )
                kiwi.tokenize("")
                self._kiwi = kiwi
            return self._kiwi

    def get_without_threads(self) -> "Kiwi":
        self._threads = 0
        return self.get()

    def tokens(self, texts: Sequence[str]) -> "Iterator[list[Token]]":
        kiwi = self.get()
        if self._threads == 0 or len(texts) == 1:
            return iter([kiwi.tokenize(text) for text in texts])
        return iter(kiwi.tokenize(texts))


_analyser = _Analyser()


def warm_up() -> None:
    """Loads the Korean model now (0.6 s, 250 MB) rather than at the first text."""
    _analyser.get()


def warm_up_to_fork() -> None:
    """`warm_up` for a process that forks: Kiwi's threads would be missing in the children."""
    _analyser.get_without_threads()
    _english()


def korean_analyser() -> "Kiwi":
    """Kiwi itself, for what needs tags of words or joins morphemes; loaded at the first call."""
    return _analyser.get()


def morphemes(text: str) -> list[str]:
    """The content morphemes of a text, in order and with repetitions.

    Korean nouns and roots as they are, verb and adjective stems with 다, other words
    lower-cased and stemmed as English, numbers as plain decimals (1,000 is "1000", 72.50 is
    "72.5"). Particles, endings and words without content are left out.
    """
    return morphemes_of_many([text])[0]


def morphemes_of_many(texts: Sequence[str]) -> list[list[str]]:
    """`morphemes` of each text; Kiwi analyses several at once on all cores."""
    return [_merge(text, tokens) for text, tokens in _analysed(texts)]


def search_terms_of_many(texts: Sequence[str]) -> list[list[str]]:
    """`morphemes` of each text, and after them each compound written without a space as one term.

    Kiwi may take an unknown compound apart differently in a note and in a question; as a whole
    it is the same in both, and rarer than its parts.
    """
    return [[*_merge(text, tokens), *_compounds(text, tokens)] for text, tokens in _analysed(texts)]


class Analysed(NamedTuple):
    """A text in NFKC with Kiwi's tokens of it (none where it has no Hangul) and its content
    morphemes, each with its place."""

    text: str
    tokens: "Sequence[Token]"
    morphemes: Sequence[tuple[int, str]]


def analysed_of_many(texts: Sequence[str]) -> list[Analysed]:
    """What `morphemes_of_many` finds, with places and tags."""
    return [Analysed(text, tokens, _placed(text, tokens)) for text, tokens in _analysed(texts)]


def _analysed(texts: Sequence[str]) -> "list[tuple[str, list[Token]]]":
    clean = [_clean(text) for text in texts]
    parts = [_parts(text) if _HANGUL.search(text) else [] for text in clean]
    korean = [
        text[start:end] for text, places in zip(clean, parts, strict=True) for start, end in places
    ]
    if not korean:
        return [(text, []) for text in clean]
    tokens = _analyser.tokens(korean)
    return [(text, _joined(places, tokens)) for text, places in zip(clean, parts, strict=True)]


def _parts(text: str) -> list[tuple[int, int]]:
    """Places of the parts of a text that Kiwi is given, which end at a blank where there is one."""
    parts = []
    start = 0
    while len(text) - start > MAX_ANALYSED_CHARS:
        most = start + MAX_ANALYSED_CHARS
        blank = max(text.rfind(" ", start + 1, most), text.rfind("\n", start + 1, most))
        end = blank if blank > 0 else most
        parts.append((start, end))
        start = end
    return [*parts, (start, len(text))]


class _Moved(NamedTuple):
    """A token of a part of a text, by its place in the whole."""

    form: str
    tag: str
    start: int
    end: int
    len: int


def _joined(places: Sequence[tuple[int, int]], tokens: "Iterator[list[Token]]") -> "list[Token]":
    if len(places) == 1:
        return next(tokens)
    return [
        _Moved(token.form, token.tag, start + token.start, start + token.end, token.len)
        for start, _ in places
        for token in next(tokens)
    ]


def _clean(text: str) -> str:
    if text.isascii():
        return text
    # Lone surrogates come from broken JSON escapes, and Kiwi refuses them.
    return unicodedata.normalize("NFKC", text).encode("utf-8", "replace").decode()


def _merge(text: str, tokens: "Sequence[Token]") -> list[str]:
    return [term for _, term in _placed(text, tokens)]


def _placed(text: str, tokens: "Sequence[Token]") -> list[tuple[int, str]]:
    found = list(_latin_and_numbers(text))
    if text.isascii():
        return found
    return sorted([*_korean(tokens), *found, *_hanja(text)], key=itemgetter(0))


def _korean(tokens: "Sequence[Token]") -> Iterator[tuple[int, str]]:
    for token in tokens:
        tag = token.tag.split("-")[0]
        if tag in _NOUN_TAGS:
            term = token.form
        elif tag in _STEM_TAGS:
            term = f"{token.form}다"
        else:
            continue
        if term not in _EMPTY_KOREAN and _HANGUL.search(term):
            yield token.start, term


def _compounds(text: str, tokens: "Sequence[Token]") -> Iterator[str]:
    run: list[Token] = []
    for token in [*tokens, None]:
        joins = token is not None and token.tag.split("-")[0] in _COMPOUND_TAGS
        if joins and (not run or run[-1].end == token.start):
            run.append(token)
            continue
        if len(run) > 1:
            yield text[run[0].start : run[-1].end].lower()
        run = [token] if joins else []


def _latin_and_numbers(text: str) -> Iterator[tuple[int, str]]:
    for match in _LATIN_OR_NUMBER.finditer(text):
        if term := _latin_term(match[0]):
            yield match.start(), term


@lru_cache(maxsize=50_000)
def _latin_term(written: str) -> str:
    """The term of a number or a word in Latin letters, "" of one without content."""
    if written[0].isdecimal():
        return _plain_decimal(written)
    word, apostrophe, ending = written.lower().replace("’", "'").partition("'")
    negation = apostrophe and word.endswith("n") and ending == "t"
    return "" if negation or word in _EMPTY_ENGLISH else _stem(word)


def _hanja(text: str) -> Iterator[tuple[int, str]]:
    return ((match.start(), match[0]) for match in _HANJA.finditer(text))


def _plain_decimal(number: str) -> str:
    whole, _, fraction = number.replace(",", "").partition(".")
    whole, fraction = whole.lstrip("0") or "0", fraction.rstrip("0")
    return f"{whole}.{fraction}" if fraction else whole


_stemmer_lock = threading.Lock()


@lru_cache(maxsize=1)
def _english() -> Callable[[str], str]:
    # With it come the stemmers of thirty other languages.
    import snowballstemmer

    stem: Callable[[str], str] = snowballstemmer.stemmer("english").stemWord
    return stem


def _stem(word: str) -> str:
    # The stemmer keeps the word it works on in itself.
    with _stemmer_lock:
        return _english()(word)


# Some twenty megabytes at the most usual lengths.
SENTENCES_KEPT = 4_096
MAX_KEPT = 1_000

T = TypeVar("T")


class SentenceCache(Generic[T]):
    """Caches what `analyse` makes of texts, for the `size` most recently used: the same notes come
    back in the next answer, phase or round. May be used from several threads at once."""

    def __init__(
        self, analyse: Callable[[Sequence[str]], Sequence[T]], size: int = SENTENCES_KEPT
    ) -> None:
        self._analyse = analyse
        self._size = size
        self._kept: OrderedDict[str, T] = OrderedDict()
        self._lock = threading.Lock()

    def of_many(self, texts: Sequence[str]) -> list[T]:
        """The analysis of each text."""
        with self._lock:
            known = {text: self._kept[text] for text in texts if text in self._kept}
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        known.update(zip(missing, self._analyse(missing), strict=True))
        self._keep(known)
        return [known[text] for text in texts]

    def _keep(self, known: dict[str, T]) -> None:
        with self._lock:
            for text, analysis in known.items():
                if len(text) <= MAX_KEPT:
                    self._kept[text] = analysis
                    self._kept.move_to_end(text)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)
