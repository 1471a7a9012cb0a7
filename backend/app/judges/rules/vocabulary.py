"""Words the rules know: framing, negation, refusal, opposites, units."""

import re
from functools import cache, lru_cache

from app.judges.rules.numbers import NATIVE_PATTERN
from app.judges.rules.synonyms import same_word, words_of
from app.text.language import Bilingual

# Stems (as app.text.morphemes gives them) of words that present an answer and claim nothing.
_FRAMING_STEMS = """
abov accord addit also answer appear base both brief celsius conclus contain context describ detail
determin discuss document final first follow get give given help hope howev includ indic inform
known like list mention note one other overal passag per pleas provid question refer regard relat
second specif state suggest summar summari sure therefor thing unabl use way yes
가능 같다 경우 관련 관하다 나오다 내용 노트 다음 답변 대하다 데 동안 드리다 따르다 문서 언급 위하다
섭씨 의하다 이다 님 정보 제공 진행 질문 통하다 확인
"""
FRAMING = frozenset(_FRAMING_STEMS.split())

# Words of a question that say what kind of answer is wanted; answers rarely repeat them.
_ASKING_STEMS = """
tell explain describ mani much show know name kind mean long old far often high tall hot big
happen step order procedur process
알다 알리다 알려주다 말하다 설명 누구 언제 어디 무엇 무슨 얼마 몇 번 이유 방법 어떻다
어떤 궁금 답 요약 순서 절차 단계 과정 방식
주다 이름 사람 곳 날 때
"""
ASKING = frozenset(_ASKING_STEMS.split())

_NEGATION = Bilingual(
    r"않|없|아니(?!요|오|면)|아닙|아닌|아님|(?<![가-힣])(?:안|못) "
    r"|못하|모르|말(?:아|고|라)|불가|금지"
    r"|불(?:만족|완전|충분|필요|친절|공정|규칙|균형|명확|안정|확실|투명|합리|참)"
    r"|비(?:공개|공식|정상|현실|효율|위생|협조|정기)|미(?:완성|확인|발표|포함|지정|결정|제출|참석)"
    r"|\b(?:not|no|never|none|neither|nor|without|cannot|hardly)\b|n['’]t\b"
)


# "Not forbidden" and "없지 않다" deny nothing.
DOUBLY_NEGATED = re.compile(
    r"(?:\bnot|n['’]t) (?:\w+ )?(?:forbidden|prohibited|banned)\b"
    r"|(?:금지|불가)[가-힣]{0,3}(?: [가-힣]{1,3})? ?(?:않|아니|아닙|아닌|없)|없지(?:는|도)? 않",
    re.IGNORECASE,
)


@lru_cache(maxsize=4_096)
def is_negated(text: str) -> bool:
    return _NEGATION.search(DOUBLY_NEGATED.sub(" ", text)) is not None


# The month May is no hedge.
_HEDGE = Bilingual(
    r"예정|계획|방침|목표|전망|예상|기대|추정|추측|가능성|것으로 (?:[보본봤봅]|예측)|것 같"
    r"|수 있(?:다고|을)|수도 있|지도 모"
    r"|아마|검토|제안|논의|확실(?:하지|치)|미정|할 듯|잠정|겠다고|바란다|바랍니다"
    r"|(?<!\d )(?-i:\bmay\b)(?! \d)|\bplan(?:ned|ning)\b|\bplans? (?:to|on)\b"
    r"|\b(?:might|could|expect(?:s|ed)?|likely|propos\w+|consider\w*|hopes?"
    r"|hoping|tentativ\w+|probably|possibly|perhaps|would|aims?|draft|suspect\w*|appears?|seems?)\b"
)
_CONDITION = Bilingual(
    r"(?:[가-힣]면|경우에?(?:만|는)?|(?<!회에 )(?<!번에 )한해|한하여|조건|때만|에만|없이는)[ ,은는]"
    r"|\b(?:if|unless|provided|subject to|only when|as long as|except)\b"
)


_CHANGED = Bilingual(
    r"변경|개정|수정|정정|바뀌|바뀐|바꾸|바꿨|바꾼|미[루룬뤘뤄]|옮[기긴겼]|연기|없앴|없앤|폐지|대체|이제는|지금은|새로"
    r"|\b(?:revis\w+|updat\w+|correct\w+|chang\w+|replac\w+|supersed\w+|no longer|is gone|moved"
    r"|postponed|from now on|new)\b"
)


@lru_cache(maxsize=4_096)
def says_changed(text: str) -> bool:
    """Whether a text says that something is no longer as it was."""
    return _CHANGED.search(text) is not None


@lru_cache(maxsize=4_096)
def is_hedged(text: str) -> bool:
    """Whether a sentence says that something is planned, expected or perhaps so."""
    return _HEDGE.search(text) is not None


def condition_of(text: str) -> re.Match[str] | None:
    """What binds a sentence to a condition: its place, None where it has none."""
    return _CONDITION.search(text)


@lru_cache(maxsize=4_096)
def is_conditional(text: str) -> bool:
    """Whether a sentence holds under a condition."""
    return condition_of(text) is not None


# Each of these is one search. As one pattern with `.*` between them they would be looked for
# again from every "no" of a text.
_SOURCE = re.compile(
    r"(?:노트|메모|문서|자료|정보|내용|기록|근거|언급|레시피|안내|공지|(?<!대)답)(?:들?[이가은는도을를]|에서?[는도]?|만으로는?|"
    r"안에서?[는도]?|상으로는?)? "
    r"|(?:기록된|적힌|적어 ?[두둔]신?|적혀 있는|메모해 ?[두둔]신?|나온|나와 있는)"
    r" ?(?:것|게|내용|바)[이은도]? ?"
)
_ENDS_NEGATED = re.compile(
    r"(?:없습니다|없어요|없음|없네요|없다|않습니다|않았습니다|않아요|않다|않음|않네요|않는다|않았다"
    r"|없었습니다|못했습니다|못했어요|못했다|어렵습니다|어려워요)[.!。]*$"
)
_UNKNOWN = re.compile(r"(?:찾을|확인할|답할|답변할|알) 수 없(?:습니다|어요|음|다|었습니다)[.!。]*$")
_NOTES = Bilingual(r"\b(?:notes?|passages?|context|documents?|texts?|information)\b")
_NOT = Bilingual(r"\b(?:not|no|\w+n['’]t|nothing|insufficient)\b")
_UNABLE = Bilingual(r"\b(?:no|not|nothing|none|unable|cannot|\w+n['’]t)\b")
_MATTER = Bilingual(r"\b(?:notes?|passages?|context|documents?|information|mention(?:ed)?)\b")
_CITING = Bilingual(
    r"(?:에 (?:따르면|의하면)|[을를] 보면)"
    r"|\b(?:according to|(?:say|says|state|states) (?:that )?no)\b"
)
# What a refusal may say beside the words of the question.
_NEW_TERMS, _NEW_SHARE = 1.5, 0.25
# Words of no note are more often a way to say so.
OF_NO_NOTE = 0.4
_TURN = Bilingual(
    r"(?<!죄송하)(?<!미안하)(?<!아쉽)(?<!안타깝)지만|는데|으나"
    r"|(?<!sorry, )(?<!sorry )(?<!afraid )\b(?:but|although|though|however|still)\b"
)


def is_refusal(
    sentence: str,
    terms: frozenset[str] = frozenset(),
    question: str = "",
    noted: frozenset[str] = frozenset(),
) -> bool:
    """Whether a sentence says that the notes do not say, nothing after a "but", and nothing of
    its own. terms: its content words, noted: those of the notes. Nearly all that the sentence says
    must be the question's, above all of what the notes say; without a question it may name what
    no note has."""
    text = sentence.strip().strip("*_ ")
    if not _tells_nothing(text) or _TURN.search(text) or _CITING.search(text):
        return False
    asked = question.lower()
    new = {
        term
        for term in terms - FRAMING - ASKING - _OF_REFUSALS
        if not any(word[:5] in asked for word in words_of(term))
    }
    ours = len(new & noted) + (OF_NO_NOTE * len(new - noted) if question else 0)
    return ours <= max(_NEW_TERMS, _NEW_SHARE * len(terms))


_ADVICE = Bilingual(
    r"(?:확인|문의|검색|참고|추가|질문|연락)[^.!?]{0,12}(?:세요|십시오|바랍니다|바라요|주시겠)"
    r"|^\W*(?:please|try|consider)\b"
    r"|\byou (?:may|might|could|can) (?:want to|ask|check|contact|add)\b"
)


def is_advice(sentence: str) -> bool:
    """Whether a sentence tells where else to ask."""
    return _ADVICE.search(sentence) is not None


def _tells_nothing(text: str) -> bool:
    return _refuses_in_korean(text) or any(
        _in_order(line, _NOTES, _NOT) or _in_order(line, _UNABLE, _MATTER)
        for line in text.split("\n")
    )


def _refuses_in_korean(text: str) -> bool:
    if text.isascii():
        return False
    ending = _ENDS_NEGATED.search(text)
    if ending is None:
        return _UNKNOWN.search(text) is not None
    clause = 1 + max(text.rfind(mark, 0, ending.start()) for mark in ".!?")
    in_clause = _SOURCE.search(text, clause, ending.start()) is not None
    return in_clause or _UNKNOWN.search(text) is not None


def _in_order(line: str, first: Bilingual, second: Bilingual) -> bool:
    found = first.search(line)
    return found is not None and second.search(line, found.end()) is not None


_OF_REFUSALS = frozenset(
    [
        "없다",
        "메모",
        "알리다",
        "나오다",
        "보이다",
        "기재",
        "죄송",
        "미안",
        "아쉽다",
        "안타깝다",
        "sorri",
        "afraid",
        "unfortun",
        "찾다",
        "적히다",
        "기록",
        "자료",
        "근거",
        "관련",
        "않다",
        "못하다",
        "어렵다",
        "수",
        "부분",
        "따로",
        "사항",
        "구체",
        "명시",
        "포함",
        "확인",
        "판단",
        "충분",
        "find",
        "found",
        "answer",
        "mention",
        "say",
        "tell",
        "appear",
        "state",
        "given",
        "list",
        "anywher",
        "specif",
        "explicit",
        "relev",
        "insuffici",
        "provid",
        "avail",
        "contain",
        "specif",
        "noth",
        "ani",
        "cannot",
        "determin",
        "exact",
        "direct",
        "enough",
    ]
)

_OPPOSITES = (
    "늘다 줄다|늘어나다 줄어들다|증가 감소|상승 하락|높다 낮다|높이다 낮추다|많다 적다|크다 작다"
    "|빠르다 느리다|좋다 나쁘다|쉽다 어렵다|편하다 불편|편리 불편|유료 무료|처음 마지막|성공 실패"
    "|넓다 좁다|길다 짧다|가깝다 멀다|있다 없다|찬성 반대|이전 이후|전 후|최고 최저|최대 최소"
    "|시작 종료|시작 끝나다|깨끗 더럽다|춥다 덥다|차갑다 뜨겁다|허용 금지|가능 불가능|이기다 지다"
    "|비싸다 싸다|비싸다 저렴|켜다 끄다|열다 닫다|무겁다 가볍다|두껍다 얇다|강하다 약하다|안전 위험"
    "|승인 거절|오전 오후|맑다 흐리다|위 아래|앞 뒤|안 밖|내부 외부|올라가다 내려가다|올리다 내리다"
    "|오르다 내리다|먼저 나중|먼저 늦다|이르다 늦다|빠르다 늦다|넣다 빼다|채우다 비우다|젖다 마르다"
    "|동쪽 서쪽|남쪽 북쪽|왼쪽 오른쪽|수입 수출|사다 팔다|얻다 잃다|필수 선택|젊다 늙다|밝다 어둡다"
    "|초과 미만|이상 이하|늘리다 줄이다|참석 불참|합격 불합격|찬성 거부|포함 제외|붙이다 떼다"
    "|남다 빠지다|새롭다 낡다|함께 따로|섞다 나누다|찌다 빠지다|과거 미래|우수 열등|다행 아쉽다"
    "|출발 도착|출발 복귀|출근 퇴근|입실 퇴실|입장 퇴장|입금 출금|가입 탈퇴|식전 식후"
    "|편안 불편|아침 저녁|아침 점심|점심 저녁|평일 주말|여름 겨울|봄 가을"
    "|왕복 편도|정상 비정상|실내 실외|실내 야외|포함 별도|앞 뒤"
    "|increas decreas|befor after|high low|higher lower|more less|more fewer|larg small|alway never"
    "|safe danger|maximum minimum|hot cold|warm cool|first last|short long|rais lower|open close"
    "|older newer|older younger|abov below|over under|up down|left right|near far|heavi light"
    "|wet dri|begin end|start end|upper lower|insid outsid|import export|buy sell|earli late"
    "|earlier later|gain loss|north south|east west|stay remov|remain remov|join leav|more fewer"
    "|tight loos|tight open|full empti|best worst|better wors|most least|greater smaller"
    "|bigger smaller|longer shorter|easi difficult|easi hard|strong weak|thick thin|deep shallow"
    "|positiv negat|legal illeg|same differ|public privat|minimum maximum|day night|won lost"
    "|allow prohibit|includ exclud|appear disappear|approv reject|attach remov|add remov"
    "|allow forbid|enabl disabl|success failur|cheap expens|fast slow|accept reject|win lose"
    "|morn even|morn afternoon|afternoon even|weekday weekend|summer winter|spring autumn"
    "|indoor outdoor|onlin offlin|front rear|front back|includ extra"
)


@cache
def _opposites() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for pair in _OPPOSITES.split("|"):
        left, right = map(same_word, pair.split())
        found[left] = found.get(left, _NONE) | {right}
        found[right] = found.get(right, _NONE) | {left}
    return found


def opposites(term: str) -> frozenset[str]:
    return _opposites().get(term, _NONE)


_NONE = frozenset[str]()


_ABSOLUTE = Bilingual(
    # "지만" joins clauses and "다만" begins one; after a number it is ten thousand, and what is
    # counted is no more than its number.
    rf"모든|모두(?! ?(?:\d|{NATIVE_PATTERN}) ?)|전부|항상|언제나|절대|오직|유일|전혀|가장|매일|매번"
    r"|(?<![지다\d십백천])만(?= |이|을|은|의)|뿐"
    r"|더 |보다"
    r"|어디든|누구나|무엇이든|날마다|정확히"
    r"|\b(?:always|never|only|exactly|precisely|entirely|completely|everything|everyone|anywhere|anyone)\b"
)


COMPARING = frozenset({"더", "보다"})


def absolutes(text: str) -> set[str]:
    """Words that widen or narrow a claim ("all", "only") or compare ("더", "가장")."""
    return {word[0].strip() for word in _ABSOLUTE.finditer(text.lower())}


# With one of these before it a noun means something else: 부회장, 불만족, 비공개.
_PREFIXES = "부불비미무"


def stands_in(term: str, text: str) -> bool:
    """Whether a word stands in a text, and not only as the rest of its contrary."""
    count = text.count(term)
    return count > 0 and count > sum(text.count(prefix + term) for prefix in _PREFIXES)


_UNITS = (
    "도 ℃ °C C degrees degree|분 min mins minute minutes|초 s sec secs second seconds"
    "|시간 h hr hrs hour hours|시|일 day days|주 week weeks|개월 month months|월|년 year years"
    "|mg|g gram grams 그램|kg 킬로그램|µg μg ug|ml mL 밀리리터|l L 리터 liter liters litre litres"
    "|µl μl uL µL μL|% 퍼센트 percent|원|달러 dollars dollar USD|명|개|회|번|배"
    "|mm 밀리미터|cm 센티미터|m 미터 meter meters|km 킬로미터"
)
_CANONICAL = {
    name.lower(): group.split()[0] for group in _UNITS.split("|") for name in group.split()
}
_MEASURE = re.compile(
    r"(영하 ?|(?<![\w.,])[-−])?(?<![\w.,])(\d[\d,]*(?:\.\d+)?)\s?("
    + "|".join(re.escape(name) for name in sorted(_CANONICAL, key=len, reverse=True))
    + r")(?![a-z])"
)


def measures(text: str) -> set[tuple[str, str]]:
    """(number, unit) pairs: "72 °C" and "72도" are both ("72", "도"), "-20 °C" and "영하 20도"
    both ("-20", "도"). Upper and lower case are alike."""
    return {
        (("-" if sign else "") + number.replace(",", "").rstrip("."), _CANONICAL[unit])
        for sign, number, unit in _MEASURE.findall(text.lower())
    }
