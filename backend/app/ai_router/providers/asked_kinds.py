"""What kind of thing a question asks for, and whether a sentence gives one."""

import re
from collections.abc import Callable
from collections.abc import Set as AbstractSet

# A question stands at the end of what is written.
MAX_ASKED_CHARS = 500
# Whether a sentence (its text, its proper nouns) gives what is asked for.
Given = Callable[[str, AbstractSet[str]], bool]

_NUMBER = (
    r"(?:(?<![\d,.])\d[\d,.]*\s?[천만억조]*\s?여?\s?|(?<![가-힣])[한두세네]\s?"
    r"|(?:다섯|여섯|일곱|여덟|아홉|열|스무|몇|반|여러)\s?)"
)
_DAYS = "하루|이틀|사흘|나흘|닷새|엿새|이레|여드레|아흐레|열흘|보름|반나절|일주일|당일"
_SPAN = rf"{_NUMBER}(?:초|분|시간|일|주|개월|달|년|박|학기)|{_DAYS}"
_WHEN = (
    rf"{_SPAN}|(?<!\d)\d+\s*[시월]|[월화수목금토일]요일|아침|점심|오전|오후|저녁|새벽|밤|낮|정오|자정|[전첫]날|주말"
    r"|[봄름을울](?:에|이|까지|부터)|[연월년주][초말]|설|추석|매[일주월년]|작년|올해|내년|지난|이번|당시"
    r"|때|뒤|후에|전에|이후|이전|동안|면 "
)
_COUNT = (
    r"(?:(?<![\d,.])\d[\d,.]*|\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen"
    r"|twenty|thirty|forty|fifty|sixty|half|once|twice|no|none|several|hundred|dozen)\b)"
)
_EN_SPAN = (
    rf"{_COUNT}[\s-]*(?:[^\W\d]{{1,20}} )?(?:second|minute|hour|day|night|week|fortnight|month"
    r"|quarter|year|decade)s?\b|\b(?:overnight|fortnight|days?)\b|\d:\d\d"
)
_DATES = (
    "january|february|march|april|may|june|july|august|september|october|november|december"
    "|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|easter|christmas"
)
_EN_WHEN = (
    rf"{_EN_SPAN}|\b(?:{_DATES}|spring|summer|autumn|winter|week\w+|daily|monthly|yearly|quarterly"
    r"|noon|midnight|dark|morning|afternoon|evening|night|today|tomorrow|yesterday|before|after"
    r"|until|when|once|while|during|since|every|within|ago|by)\b|\d ?(?:am|pm|st|nd|rd|th)\b"
    r"|\b(?:1\d|20)\d\d\b"
)
PRICE_OF_NOTHING = r"(?:비용?|료|금액?|값)[은는이가도]? 없|\bno (?:extra )?(?:fee|charge|cost)s?\b"
_MONEY = (
    r"(?<![\d,.])\d[\d,.]*\s?[천만억조]*\s?(?:원|달러|엔|유로|위안|파운드|%|퍼센트)"
    r"|무료|공짜|전액|받지 않|[$£€₩]\s?\d"
    r"|\d\s?(?:dollar|pound|euro|won|usd|krw|%)|\bfree\b"
    rf"|{PRICE_OF_NOTHING}"
)
KOREAN_CAUSES = (
    "(?:문제|사정|사유|부족|영향|여파|지연|사고|부상|고장|파업|태풍|폭우|폭설|반대|오류|악화)"
    "(?:으)?로 "
)
_GROUNDS = (
    r"때문|(?<!에)서(?=[ ,.])|[어아워]\s|라[ ,]|므로|니까|위해|위하|덕|탓|이유|원인|려고"
    rf"|{KOREAN_CAUSES}"
    r"|기에|도록|느라|라며|다며|\b(?:because|since|so|due|in order|as|result|reason|cause[sd]?"
    r"|therefore|thanks|helps?|allows?|to avoid|after|for|if|unless|until)\b"
)
_SIZES = (
    "혈당|혈압|수치|온도|거리|높이|길이|무게|농도|비율|확률|점수|속도|용량|크기|지름|인구|나이"
    "|면적|기간|수"
)
_PRICE_WORDS = "비용|가격|금액|요금|예산|월세|단가|돈"
_PRICES = rf"[가-힣](?:비|료|금|값|급)|{_PRICE_WORDS}"
_PRICED = (
    rf"얼마에|^(?!.{{0,60}}(?:{_SIZES})[은는이가]? ).{{0,60}}얼마(?:야|예요|에요|인가|입니까|지|였)"
    rf"|(?:{_PRICES})(?:[은는이가을를도의]|\s).{{0,60}}얼마|(?:{_PRICE_WORDS})[은는]\s*\?"
)
_OFTEN = r"\b(?:every|each|per|\w+ly|once|twice|times|always|never|an? (?:day|week|month|year))\b"
_SIZE = r"\d\s?(?:(?:[mck]?m|[mk]?g|m?l|ft|lb)\b|[°%]|square|met|mile|feet|inch|acre|gram|lit|ton)"


# (question, sentence): the first pattern that the question has decides.
_KOREAN_KINDS = (
    (r"며칠(?:에(?!\s*한)|날|인지|이었|부터)", rf"(?<!\d)\d+\s*일|[월화수목금토일]요일|{_DAYS}"),
    (r"며칠|얼마나? ?(?:동안|오래|걸리|뒤|후|전|만에)", _SPAN),
    (r"몇\s*시(?!간)", rf"{_NUMBER}시|\d:\d\d|정오|자정"),
    (r"얼마나 자주", rf"마다|매[일주월년번]|{_NUMBER}(?:번|회|차례)|가끔|자주|격[일주월]"),
    (_PRICED, _MONEY),
    (rf"얼마|(?:{_SIZES})[은는]\s*\?", rf"{_NUMBER}|전액|절반|무료"),
    (r"언제|날짜|무슨 요일|시기는|연도는", _WHEN),
    (r"왜(?=[ ?]|$)|어째서|이유[는가]?(?: ?무엇|\?| ?뭐|$)|까닭", _GROUNDS),
)
_ENGLISH_KINDS = (
    (r"\bwh(?:at|ich) time\b", r"\d[:.]\d\d|\d\s?(?:am|pm)\b|o['’]clock|noon|midnight"),
    (r"\bhow (?:long|soon|quickly|fast|late|old|far \w+|much (?:notice|time))\b", _EN_SPAN),
    (r"\bhow (?:often|frequently)\b", _OFTEN),
    (r"\bhow much (?:is|are|was|were|does|do|did|will|would)\b", _MONEY),
    (
        r"\bwh(?:at|ich) .{0,60}\b(?:price|cost|fee|rent|salary|wage|charge|payment|budget)s?\b",
        _MONEY,
    ),
    (r"\bhow (?:tall|high|hot|cold|big|far|heavy|deep|wide|large|thick)\b", _SIZE),
    (r"\bhow much\b", _COUNT),
    (r"^\W*(?:and |so |but )?when\b|\bwh(?:at|ich) (?:year|month|date|day)\b", _EN_WHEN),
    (r"\bwhy\b", _GROUNDS),
)
_KOREAN, _ENGLISH = (
    [(re.compile(asking), re.compile(giving, re.IGNORECASE)) for asking, giving in kinds]
    for kinds in (_KOREAN_KINDS, _ENGLISH_KINDS)
)
_COUNTED = re.compile(
    r"\bhow (?:many|much(?! (?:is|are|was|were|do|does|did|will|would|can|notice|time|of)\b))"
    r" ([a-z-]{3,})"
)
_OF_UNIT = re.compile(r"몇\s*(?!시(?!간))([가-힣a-z%]+)")
# What may stand for one another after a number, and after "몇".
_UNITS = (
    "초 분 시간 일 주 개월 달 년 박 해 학기|번 회 차례|명 사람 인|살 세"
    "|개 가지 종 곳 점 건 곡 편 단계 잔|미터 m|킬로 km kg|그램 g|도 ℃ °|퍼센트 프로 %|리터 l"
)
_GROUP_OF = {unit: group.split() for group in _UNITS.split("|") for unit in group.split()}
_A_NUMBER, _A_DAY = re.compile(rf"{_NUMBER}\s*"), re.compile(_DAYS)
_A_COUNT, _WORD = re.compile(_COUNT, re.IGNORECASE), re.compile(r"\w+")
# Words, and characters at the most, after a number in which what it counts is looked for.
NEAR, NEAR_CHARS = 4, 80
_WHO = re.compile(
    r"누구|누가|[담책][당임]자[는가]|\bwho(?:se|m)?\b|\bwhat(?:'s| is| was) .{0,60}\bname\b"
)
_PERSON = re.compile(
    r"(?<![가-힣])[김이박최정강조윤장임한오서신권황안송류유전홍고문양손배백허남심노곽성차주우구민도]"
    r"[가-힣]{2}(?=[이가은는을를에과와의,. ]|$)"
    r"|[가-힣]{1,4}(?:[장님씨팀원사수생]|[가-힣][자부처인관리진회과실측직])"
    r"(?=[이가은는을를에께와과의도만,. ]|$)|누나|언니|오빠|동생|엄마|아빠|아버지|어머니|본인|친구"
    r"|(?<![A-Za-z])[A-Z][A-Za-z]{1,40}(?=[가-힣])|(?<=[^.!?] )[A-Z][\w’'-]+"
    r"|^[A-Z]\w+(?= (?:is|was|has|had|will|and)\b)"
)
_ROLE = re.compile(
    r"\b(?:his|her|my|our|their) (?:wife|husband|mother|father|sister|brother|son|daughter)\b"
    r"|\b(?:your|the|site|our) (?:\w+ )?(?:manager|supervisor|team|owner|department|chair)\b"
    r"|\b(?:\w{1,20}ed|paid|made|done|kept|held|run|led|sent|given|written) by (?:the|an?)"
    r" \w{1,20}",
    re.IGNORECASE,
)
_NO_NAME = re.compile(_DATES, re.IGNORECASE)


def requirement(question: str) -> Given | None:
    """What a sentence must give to answer the question; None where no such thing is asked."""
    asked = question.lower()[-MAX_ASKED_CHARS:]
    korean = re.search(r"[가-힣]", asked) is not None
    if counted := _unit_given(asked) if korean else _count_given(asked):
        return lambda text, names: counted(text)
    table = _KOREAN if korean else _ENGLISH
    wanted = next((give for ask, give in table if ask.search(asked)), None)
    if wanted is not None:
        return lambda text, names: wanted.search(text) is not None
    if _WHO.search(asked):
        return lambda text, names: _names_somebody(text, names, asked)
    return None


def _unit_given(asked: str) -> Callable[[str], bool] | None:
    """For "몇 명" whether a sentence has a number of 명, 사람 or 인."""
    found = _OF_UNIT.search(asked)
    if found is None:
        return None
    known = [unit for unit in _GROUP_OF if found[1].startswith(unit)]
    units = tuple(_GROUP_OF[max(known, key=len)] if known else found[1][:1])
    return lambda text: (
        any(text.lower().startswith(units, match.end()) for match in _A_NUMBER.finditer(text))
        or ("일" in units and _A_DAY.search(text) is not None)
    )


def _count_given(asked: str) -> Callable[[str], bool] | None:
    """For "how many eggs" whether a sentence has a number shortly before eggs."""
    found = _COUNTED.search(asked)
    if found is None:
        return None
    noun = found[1].removesuffix("s").removesuffix("ie")
    stem = noun[: max(3, len(noun) - 1)]
    return lambda text: any(
        word.startswith(stem)
        for match in _A_COUNT.finditer(text)
        for word in _WORD.findall(text[match.end() : match.end() + NEAR_CHARS].lower())[:NEAR]
    )


def _names_somebody(text: str, names: AbstractSet[str], asked: str) -> bool:
    """Whether a sentence names a person, or a role, that the question does not."""
    found = [*names, *(match[0] for match in _PERSON.finditer(text))]
    if "name" not in asked:
        found += [match[0] for match in _ROLE.finditer(text)]
    return any(
        name.split()[-1].lower() not in asked
        for name in found
        if name != "I" and not _NO_NAME.fullmatch(name)
    )
