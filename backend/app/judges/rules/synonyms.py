"""Common words for the same thing, each group as one term.

A word with several senses stands in the group of its usual one, or in none.
"""

from functools import cache

from app.text.morphemes import morphemes_of_many

# As app.text.morphemes gives Korean terms; the first of a group stands for all of it.
_KOREAN = """
사다 구매 구입|팔다 판매|바꾸다 교체 변경 갈다|시작 개시|끝나다 종료 마치다 끝내다 완료
고르다 선택 선정 뽑다 채택 채용 고용|방문 들르다 찾아가다|전달 건네다|고장 망가지다
내다 제출 납부 지불 치르다|갚다 상환|쓰다 사용 이용|열다 개최|닫다 폐쇄|먹다 섭취 복용 드시다
음식 음식물|받다 수령|보내다 발송 부치다|도착 닿다|출발 떠나다|돌아오다 복귀 귀가
늘다 늘어나다 증가|줄다 줄어들다 감소|오르다 상승 올라가다|내리다 하락 내려가다
낮추다 인하|모자라다 부족|발견 찾아내다|분실 잃어버리다|씻다 세척|정하다 결정
고치다 수리 수선|가격 값 비용 요금 금액|직원 사원 임직원|아이 어린이|선생님 교사|무료 공짜
매일 날마다|매달 다달이 매월|매년 해마다|바로 즉시 곧바로|함께 같이|자동 저절로|자리 좌석
자동차 차량|비밀번호 암호|휴대폰 휴대전화 핸드폰|이메일 메일|맡다 담당|만들다 제작 제조
짓다 건설 건축 건립|배우다 학습 익히다|이기다 승리|지다 패배|태어나다 출생
죽다 사망 숨지다 돌아가시다
걸리다 소요|참석 참가 참여|넘다 초과|빼다 제외|더하다 추가 덧붙이다|지우다 삭제
나누다 분리|시행 실시|없애다 폐지|멈추다 중단 정지 중지|돌려주다 반납 반환
빌리다 대여 빌려주다|타다 탑승|찍다 촬영|배송 배달|부서지다 깨지다 파손|키우다 기르다
부르다 호출|살다 거주|자다 취침 주무시다|자르다 절단|막다 차단|모으다 수집|옮기다 이동
가져오다 챙기다|부탁 요청|보관 간직|알아보다 조사|늦다 지각|휴가 연차
가득 꽉|먼저 우선|전부 모두|밥 식사|아프다 통증 편찮다
비 우천|남다 잔여|노력 힘쓰다 애쓰다|손님 게스트|묻다 문의 물어보다 여쭈다|이유 까닭
계약 임대차|만료 만기|거절 거부|허락 허가|계속 지속|어렵다 힘들다 곤란|취소 철회|준비 마련
그만두다 사임 퇴사 사직|이어받다 물려받다 승계 계승|미루다 연기 늦추다|합치다 통합|돕다 지원 도움
물건 물품|짐 소지품|결함 하자|다르다 상이|동일 똑같다 그대로|가지다 소지 지니다 보유|해지 해약
"""
_ENGLISH = """
buy purchase|begin start commence|end finish|big large|small little
car vehicle automobile|doctor physician|child kid|fix repair mend|allow permit|forbid prohibit ban
choose select pick|ask request|get receive obtain|quick fast rapid
roughly approximately|salary wage
holiday vacation|film movie|phone telephone|rubbish trash garbage
close shut|happen occur|keep retain|yearly annually|refund reimburse|employee staff|build construct
decrease reduce|increase raise|hurt injure|sick ill|lawyer attorney|need require|make create
show display|replace swap|try attempt|check inspect|wait await
pupil student|important crucial essential
purpose aim|area region|price cost|cancel terminate|people person
ensure guarantee|speed pace|rent hire lease|help assist aid|company firm|error mistake
shop store|enough sufficient|faulty defective|permission consent approval|colleague coworker
client customer|illness sickness disease|agreement contract|install fit|leave depart|viscous sticky
"""


@cache
def _groups() -> dict[str, tuple[str, ...]]:
    """The words of each group by its first."""
    korean = [group.split() for group in _KOREAN.strip().replace("\n", "|").split("|")]
    english = [
        [term for terms in morphemes_of_many(group.split()) for term in terms]
        for group in _ENGLISH.strip().replace("\n", "|").split("|")
    ]
    return {group[0]: tuple(group) for group in (*korean, *english)}


@cache
def _first_of() -> dict[str, str]:
    return {word: first for first, group in _groups().items() for word in group}


def same_word(term: str) -> str:
    """The word that stands for a term and its synonyms: the term itself where it has none."""
    return _first_of().get(term, term)


def words_of(term: str) -> tuple[str, ...]:
    """A term, or all for which it stands."""
    return _groups().get(term, (term,))
