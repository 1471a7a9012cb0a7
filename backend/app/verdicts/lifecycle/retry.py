"""Which failures are worth another try, when, and why a judge is paused."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Self

from app.ai_router.backoff import MAX_RETRY_AFTER_SECONDS, Backoff
from app.ai_router.types import Lang
from app.platform.errors import (
    ConfigurationError,
    MalformedOutput,
    ProviderError,
    Throttled,
    TransientProviderError,
)
from app.platform.settings import Settings
from app.verdicts.lifecycle.outcome import Failure, JudgeFailure, Pause, Retry

NOT_CONFIGURED, UNUSABLE_FOLDER, UNKNOWN = "not_configured", "unusable_folder", "unknown"
# What opens the circuit breaker.
RATE_LIMITED, UNUSABLE_REPLIES, UNAVAILABLE = "rate_limited", "unusable_replies", "unavailable"
# And what ends trying: so many answers in a row without a reply that could be used.
UNSUITABLE, UNSUITABLE_ANSWERS = "unsuitable", 20

# What is stored of a pause is one of these words: every workspace reads it, and a server may write
# a piece of the key, or of a note, into its message.
PAUSE_REASONS: Mapping[str, Mapping[Lang, str]] = {
    "invalid_api_key": {
        "en": "The server of the judge refuses the key; set the right one.",
        "ko": "평가 모델 서버가 API 키를 거부했습니다. 올바른 키를 설정하세요.",
    },
    "insufficient_quota": {
        "en": "The account of the judge has no quota left; check its billing.",
        "ko": "평가 모델 계정의 사용 한도가 남아 있지 않습니다. 결제 상태를 확인하세요.",
    },
    "permission_denied": {
        "en": "The key may not use this model; check the account's rights.",
        "ko": "이 키로는 이 모델을 쓸 수 없습니다. 계정의 권한을 확인하세요.",
    },
    "model_not_found": {
        "en": "The server does not know this model or address; check both in the settings.",
        "ko": "서버에 이 모델이나 주소가 없습니다. 설정에서 둘 다 확인하세요.",
    },
    "wrong_address": {
        "en": "The server does not serve the judge at this address; check it in the settings.",
        "ko": "이 주소에서는 평가 모델을 쓸 수 없습니다. 설정의 주소를 확인하세요.",
    },
    "bad_request": {
        "en": "The server does not understand the request; check the model's name and the address.",
        "ko": "서버가 요청을 이해하지 못했습니다. 모델 이름과 주소를 확인하세요.",
    },
    RATE_LIMITED: {
        "en": "The server of the judge refuses requests because there are too many.",
        "ko": "요청이 너무 많아 평가 모델 서버가 거부하고 있습니다.",
    },
    UNUSABLE_REPLIES: {
        "en": "The replies of the judge cannot be used; try another model or prompt.",
        "ko": "평가 모델의 응답을 쓸 수 없습니다. 다른 모델이나 프롬프트를 써 보세요.",
    },
    UNSUITABLE: {
        "en": f"Of its last {UNSUITABLE_ANSWERS} answers the judge gave a usable reply to 0: the"
        " model is not suitable; choose another one.",
        "ko": f"최근 답변 {UNSUITABLE_ANSWERS}개 중 쓸 수 있는 응답이 0개였습니다. 평가에 알맞지"
        " 않은 모델이니 다른 모델을 쓰세요.",
    },
    UNAVAILABLE: {
        "en": "The server of the judge does not answer, or answers with errors.",
        "ko": "평가 모델 서버가 응답하지 않거나 오류를 돌려주고 있습니다.",
    },
    NOT_CONFIGURED: {
        "en": "The judge is not configured on the worker; check its name, key and address there.",
        "ko": "워커에 평가 모델이 설정되어 있지 않습니다. 이름과 키, 주소를 확인하세요.",
    },
    UNUSABLE_FOLDER: {
        "en": "The worker cannot use the model in the judge's folder; `searchqa doctor` says why.",
        "ko": "워커가 평가 모델 폴더를 쓸 수 없습니다. `searchqa doctor`로 이유를 확인하세요.",
    },
    UNKNOWN: {
        "en": "The judge cannot work; the worker's log says more.",
        "ko": "평가 모델을 쓸 수 없습니다. 자세한 내용은 워커 로그에 있습니다.",
    },
}


def pause_reason(error: ProviderError) -> str:
    """The word for what is wrong with a judge. Without a reply of a server it is our settings."""
    if error.cause in PAUSE_REASONS and error.cause != UNKNOWN:
        return error.cause
    if isinstance(error, MalformedOutput):
        return UNUSABLE_REPLIES
    if isinstance(error, TransientProviderError):
        return RATE_LIMITED if error.status == HTTPStatus.TOO_MANY_REQUESTS else UNAVAILABLE
    return UNKNOWN if error.status else NOT_CONFIGURED


def reason_in_words(reason: str, lang: Lang) -> str:
    """The sentence for a stored reason; what is none of ours is not shown."""
    return PAUSE_REASONS.get(reason, PAUSE_REASONS[UNKNOWN])[lang]


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """What a failure leads to, by the number of attempts, with waits of `backoff` between."""

    max_attempts: int
    backoff: Backoff

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        return cls(settings.judge.max_attempts, Backoff.from_settings(settings))

    def decide(
        self,
        error: ProviderError,
        tries: int,
        *,
        judge_works: bool = False,
        no_calls_left: bool = False,
    ) -> Retry | Failure | Pause:
        """tries: how many attempts have failed before this one. judge_works: it has served
        others lately, so a bad request is the request's own fault. no_calls_left: the answer has
        used up the calls that it may take."""
        last = no_calls_left or tries + 1 >= self.max_attempts
        if isinstance(error, ConfigurationError):
            # A bad request may be the fault of the model's name or of this very answer.
            doubtful = error.status == HTTPStatus.BAD_REQUEST
            if not (doubtful and (last or judge_works)):
                return Pause(pause_reason(error), tried=doubtful)
        if last or not isinstance(error, TransientProviderError):
            return Failure(describe(error))
        return Retry(describe(error), self.backoff.delay(tries, error.retry_after))


def judge_failure(error: ProviderError) -> JudgeFailure | None:
    """What the error counts against the judge; None where the request may be to blame, or the
    configuration has to be fixed."""
    if not isinstance(error, TransientProviderError) or isinstance(error, Throttled):
        return None
    return JudgeFailure(pause_reason(error), min(error.retry_after or 0, MAX_RETRY_AFTER_SECONDS))


def describe(error: ProviderError) -> str:
    """One line for the row: kind and message, which names the HTTP status. The reply's body stays
    in judge_calls, because it may quote the notes."""
    return f"{error.kind}: {error}"
