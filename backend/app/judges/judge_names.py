"""Which judge a `provider:model` names, and whether this server may use it."""

from functools import lru_cache

from app.ai_router.local.model_folder import LOCAL
from app.ai_router.router import BATCH_PROVIDERS, Providers
from app.ai_router.types import ModelName
from app.platform.errors import ConfigurationError
from app.platform.settings import Settings

RULES_MODEL = "offline:rules"
# Stands behind the name of an evaluator that the judge's model does.
BY_MODEL = ":model"
_LOCAL_PREFIX = f"{LOCAL}:"


def is_detector(judge_model: str) -> bool:
    """Whether it is a model in a folder, `local:FOLDER`."""
    return judge_model.startswith(_LOCAL_PREFIX)


@lru_cache(maxsize=256)
def takes_prompts(judge_model: str) -> bool:
    """Whether it is a model on a server, which is sent prompts; rules and detectors compute in the
    process that judges."""
    return judge_model != RULES_MODEL and not is_detector(judge_model)


def takes_batches(judge_model: str) -> bool:
    """Whether the protocol of its provider has batches; a server may lack them all the same."""
    return ModelName.parse(judge_model).provider in BATCH_PROVIDERS


def prompted_judge(judge_model: str) -> str:
    """Who scores runs and refinements, which a detector cannot: the rules in its place."""
    return RULES_MODEL if is_detector(judge_model) else judge_model


def check_judge(judge_model: str, settings: Settings) -> ModelName:
    """The parsed name, if all that the judge needs is configured. No network, and no model is
    loaded. Raises ConfigurationError with one sentence on what to do."""
    if not is_detector(judge_model):
        return Providers(settings).check(judge_model)
    from app.judges.local.detector import detector_folder

    detector_folder(allowed_folder(judge_model, settings))
    return ModelName.parse(judge_model)


def allowed_folder(judge_model: str, settings: Settings) -> str:
    """The folder of `local:FOLDER`. Policies and requests name judges too, and must not have the
    server read any folder: ConfigurationError for one that its settings do not name."""
    folder = judge_model.removeprefix(_LOCAL_PREFIX)
    if judge_model != settings.judge.model and folder not in settings.judge.local_folders:
        raise ConfigurationError(
            f"{judge_model} is not a judge of this server; its operator can add the folder to"
            " SEARCHQA_LOCAL_JUDGES."
        )
    return folder
