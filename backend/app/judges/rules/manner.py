"""In what manner a sentence speaks: hedged, general, advising, adding; as a guess or a plan."""

import re
from functools import lru_cache

# Of English sentences.
_PATTERNS = {
    "silent": (
        r"\bnot (?:mention|provid|specif|explicit|stat|clear|possib|enough)\w*|\bno (?:mention"
        r"|information|specific)\b|\bunable\b|\bcannot\b|\b(?:ca|do|does)n['’]t\b"
    ),
    "contrast": r"\b(?:however|although|though|but|while|whereas)\b",
    "general": (
        r"\b(?:typically|generally|usually|often|commonly|normally|tend|likely|may|might|could"
        r"|can)\b"
    ),
    "advice": (
        r"\b(?:recommend\w*|consult\w*|important|should|essential|crucial|note that|keep in mind"
        r"|advis\w+|always|best)\b"
    ),
    "conclusion": r"\b(?:overall|in conclusion|in summary|therefore|thus|in short|hence)\b",
    "adding": (
        r"\b(?:additionally|also|furthermore|moreover|in addition|including|such as|for example)\b"
    ),
    "reason": (
        r"\b(?:because|since|due to|as a result|helps?|making|ensur\w+|allow\w*|provid\w+)\b"
    ),
    "framed": r"\b(?:based on|according to|passages?|context)\b",
}
_MANNERS = {name: re.compile(pattern) for name, pattern in _PATTERNS.items()}
MANNERS = frozenset(_PATTERNS)
MOST = 3


def manner(sentence: str) -> dict[str, float]:
    """How often, at most MOST times, an English sentence hedges, adds, concludes and so on."""
    lowered = sentence.lower()
    return {name: float(min(MOST, len(one.findall(lowered)))) for name, one in _MANNERS.items()}


# Of Korean sentences.
_MOODS = {
    "guess": r"추측|추정|것으로 보|것 같|가능성|듯|아마",
    "plan": r"예정|계획|방침|기로 (?:했|하)|[할될을갈올볼줄낼] 것|겠",
    "wish": r"싶|바라|바랍|원한|원하|좋겠",
    "question": r"\?|[인는은한던]가[. ]|[을할될일볼갈]까[. ]",
    "condition": r"다면|라면|으면|[하되]면|경우에",
    "more": r"(?<![가-힣])더 |보다 |가장|제일|(?<![가-힣])덜 ",
    "only": r"만(?=[ 이을은의에])|뿐|밖에|오직",
    "all": r"모두|모든|전부|항상|언제나|누구나",
    "some": r"일부|몇몇|거의|가끔|때때로",
    "past": r"[았었였했됐갔왔났졌]",
    "order": r"처음|첫|두 ?번째|마지막|이전|이후|기 전|[뒤후]에",
}
_MOOD = [(name, re.compile(pattern)) for name, pattern in _MOODS.items()]


@lru_cache(maxsize=4_096)
def moods(sentence: str) -> frozenset[str]:
    """As what a Korean sentence says it: as a guess, plan or wish, of all or some, of the past."""
    return frozenset(name for name, one in _MOOD if one.search(sentence))
