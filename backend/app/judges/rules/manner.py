"""In what manner a sentence speaks: hedged, general, advising, adding; and as what it says it."""

import re
from functools import lru_cache

_PATTERNS = {
    "silent": (
        r"\bnot (?:mention|provid|specif|explicit|stat|clear|possib|enough)\w*|\bno (?:mention"
        r"|information|specific)\b|\bunable\b|\bcannot\b|\b(?:ca|do|does)n['’]t\b|수 없|않습니다"
    ),
    "contrast": r"\b(?:however|although|though|but|while|whereas)\b|지만|반면|그러나|하지만",
    "general": (
        r"\b(?:typically|generally|usually|often|commonly|normally|tend|likely|may|might|could"
        r"|can)\b|보통|대개|일반적|흔히|주로"
    ),
    "advice": (
        r"\b(?:recommend\w*|consult\w*|important|should|essential|crucial|note that|keep in mind"
        r"|advis\w+|always|best)\b|권장|중요|바람직|좋습니다"
    ),
    "conclusion": (
        r"\b(?:overall|in conclusion|in summary|therefore|thus|in short|hence)\b"
        r"|따라서|결론|요약하면|그러므로"
    ),
    "adding": (
        r"\b(?:additionally|also|furthermore|moreover|in addition|including|such as|for example)\b"
        r"|또한|게다가|예를 들"
    ),
    "reason": (
        r"\b(?:because|since|due to|as a result|helps?|making|ensur\w+|allow\w*|provid\w+)\b"
        r"|때문|므로|덕분"
    ),
    "framed": r"\b(?:based on|according to|passages?|context)\b|노트|문서에",
}
_MANNERS = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _PATTERNS.items()}
_LISTED = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s")
MANNERS = frozenset({*_PATTERNS, "listed", "heading"})
MOST = 3


def manner(sentence: str) -> dict[str, float]:
    """How often, at most MOST times, a sentence hedges, adds, concludes and so on."""
    row = {name: float(min(MOST, len(one.findall(sentence)))) for name, one in _MANNERS.items()}
    row["listed"] = float(_LISTED.match(sentence) is not None)
    row["heading"] = float(sentence.rstrip(" *").endswith(":"))
    return row


_MOODS = {
    "guess": r"추측|추정|것으로 보|것 같|가능성|듯|아마|\b(?:perhaps|probably|may|might|seems?)\b",
    "plan": r"예정|계획|방침|기로 (?:했|하)|[할될을갈올볼줄낼] 것|겠|\b(?:plans?|planned|intends?)\b",
    "wish": r"싶|바라|바랍|원한|원하|좋겠|\b(?:wish\w*|hopes?|wants?)\b",
    "question": r"\?|[인는은한던]가[. ]|[을할될일볼갈]까[. ]",
    "condition": r"다면|라면|으면|[하되]면|경우에|\b(?:if|unless)\b",
    "more": r"(?<![가-힣])더 |보다 |가장|제일|(?<![가-힣])덜 |\b(?:more|most|less|least|than)\b",
    "only": r"만(?=[ 이을은의에])|뿐|밖에|오직|\bonly\b",
    "all": r"모두|모든|전부|항상|언제나|누구나|\b(?:all|every|always)\b",
    "some": r"일부|몇몇|거의|가끔|때때로|\b(?:some|several|almost|sometimes)\b",
    "past": r"[았었였했됐갔왔났졌]|\b(?:was|were|had|did)\b",
    "order": r"처음|첫|두 ?번째|마지막|이전|이후|기 전|[뒤후]에|\b(?:first|last|before|after)\b",
}
_MOOD = [(name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _MOODS.items()]


@lru_cache(maxsize=4_096)
def moods(sentence: str) -> frozenset[str]:
    """As what a sentence says it: as a guess, plan or wish, of all or some, of the past."""
    return frozenset(name for name, one in _MOOD if one.search(sentence))
