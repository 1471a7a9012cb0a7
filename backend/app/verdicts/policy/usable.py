"""Which judges a policy of this server may name."""

from app.judges.judge_names import RULES_MODEL, check_judge
from app.platform.errors import ConfigurationError, InvalidRequest
from app.platform.settings import Settings


def unusable(field: str, model: str, settings: Settings) -> InvalidRequest | None:
    """What is wrong with a judge in this field, None where nothing is."""
    if model == RULES_MODEL and field in {"judge_model", "cascade"}:
        return None
    try:
        if check_judge(model, settings).provider != "offline":
            return None
        reason = (
            "offline:rules cannot fail, so nothing comes after it; leave it out and set"
            " judge_fallback to rules."
            if model == RULES_MODEL
            else f"{model} answers, it does not judge; use offline:rules."
        )
    except ConfigurationError as error:
        reason = str(error)
    return InvalidRequest(
        f"{field}: {reason}",
        ko=f"{field}: 이 서버에서 쓸 수 없는 모델입니다. {reason}",
        code="unusable-model",
    )
