"""Why an attempt failed: one of a few words of ours, and the sentence for people."""

import enum
from collections.abc import Mapping

from app.text.language import Lang


class FailureCode(enum.StrEnum):
    ADDRESS_NOT_ALLOWED = "address_not_allowed"
    NAME_NOT_RESOLVED = "name_not_resolved"
    TIMED_OUT = "timed_out"
    CONNECTION_FAILED = "connection_failed"
    TLS_FAILED = "tls_failed"
    REDIRECTED = "redirected"
    REFUSED = "refused"
    GONE = "gone"
    NOT_ACCEPTED = "not_accepted"
    NOT_WRITTEN = "not_written"
    WORKER_DIED = "worker_died"
    INTERNAL_ERROR = "internal_error"


_SENTENCES: Mapping[FailureCode, Mapping[Lang, str]] = {
    FailureCode.ADDRESS_NOT_ALLOWED: {
        "en": "The name leads to an address that is not public, and nothing was sent.",
        "ko": "이름이 공개되지 않은 주소를 가리켜 보내지 않았습니다.",
    },
    FailureCode.NAME_NOT_RESOLVED: {
        "en": "The name of the receiver has no address; check the URL.",
        "ko": "받는 서버의 이름을 찾을 수 없습니다. URL을 확인하세요.",
    },
    FailureCode.TIMED_OUT: {
        "en": "The receiver did not answer in time.",
        "ko": "받는 서버가 제시간에 응답하지 않았습니다.",
    },
    FailureCode.CONNECTION_FAILED: {
        "en": "The connection to the receiver failed or broke off.",
        "ko": "받는 서버에 연결하지 못했거나 연결이 끊겼습니다.",
    },
    FailureCode.TLS_FAILED: {
        "en": "The certificate of the receiver is not valid for its name.",
        "ko": "받는 서버의 인증서가 이름과 맞지 않거나 올바르지 않습니다.",
    },
    FailureCode.REDIRECTED: {
        "en": "The receiver redirects elsewhere; redirects are not followed, so set the final URL.",
        "ko": "받는 서버가 다른 주소로 보냅니다. 리디렉션은 따르지 않으니 최종 URL을 쓰세요.",
    },
    FailureCode.REFUSED: {
        "en": "The receiver answered with an error.",
        "ko": "받는 서버가 오류로 응답했습니다.",
    },
    FailureCode.GONE: {
        "en": "The receiver answered 410 Gone and wants nothing more.",
        "ko": "받는 서버가 410(Gone)으로 더 받지 않겠다고 응답했습니다.",
    },
    FailureCode.NOT_ACCEPTED: {
        "en": "The receiver answered 200, and said in the reply that it did not take the message.",
        "ko": "받는 서버가 200으로 응답했지만, 내용을 보면 메시지를 받지 않았습니다.",
    },
    FailureCode.NOT_WRITTEN: {
        "en": "The event cannot be written in this format; the worker's log says why.",
        "ko": "이벤트를 이 형식으로 쓸 수 없습니다. 이유는 워커 로그에 있습니다.",
    },
    FailureCode.WORKER_DIED: {
        "en": "Workers died or hung each time they sent it.",
        "ko": "보낼 때마다 워커가 죽거나 멈췄습니다.",
    },
    FailureCode.INTERNAL_ERROR: {
        "en": "SearchQA itself failed to send it; the worker's log says why.",
        "ko": "SearchQA의 오류로 보내지 못했습니다. 이유는 워커 로그에 있습니다.",
    },
}


def failure_in_words(code: str | None, lang: Lang) -> str | None:
    """The sentence for a stored code; None where there was no failure."""
    return None if code is None else _SENTENCES[FailureCode(code)][lang]
