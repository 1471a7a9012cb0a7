"""What detectors have in common, and which kind a folder holds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from app.ai_router.local.model_folder import ModelFolder, open_folder
from app.judges.local.draft import Draft
from app.platform.errors import ConfigurationError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Names of the label that says "the notes bear this", and of its contraries.
_BORNE = frozenset({"entailment", "consistent", "supported", "factual", "grounded"})
_NOT_BORNE = frozenset(
    {"hallucinated", "hallucination", "hallucinations", "unsupported", "inconsistent", "ungrounded"}
)
_UNNAMED = ("label_0", "label_1")

Kind = Literal["tokens", "pairs", "hhem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """How well the notes bear `answer[start:end]`: 0 to 1. claim: its number among the claims of
    the draft, None for a span that a detector marked by itself."""

    start: int
    end: int
    support: float
    claim: int | None = None


class Detector(Protocol):
    def detect(self, drafts: Sequence[Draft]) -> list[list[Finding]]:
        """For each answer what it claims, in order. Blocks. Raises ProviderError."""
        ...


@dataclass(frozen=True, slots=True)
class DetectorFolder:
    """kind: `tokens` marks unsupported tokens; `pairs` says of two texts whether the first bears
    the second; `hhem` does so with a prompt. supported: the index of the label that says yes, None
    where the model gives one score. labels: how many there are."""

    folder: ModelFolder
    kind: Kind
    labels: int
    supported: int | None

    def support(self, logits: "NDArray[np.float32]") -> "NDArray[np.float32]":
        """P(supported) for each row of logits."""
        import numpy as np

        if logits.shape[-1] != self.labels:
            raise ConfigurationError(
                f"{self.folder.onnx} gives {logits.shape[-1]} scores where config.json names"
                f" {self.labels} labels; the two are of different models."
            )
        if self.supported is None:
            return np.asarray(1 / (1 + np.exp(-logits[..., 0])), np.float32)
        odds = np.exp(logits - logits.max(axis=-1, keepdims=True))
        return np.asarray(odds[..., self.supported] / odds.sum(axis=-1), np.float32)


def detector_folder(path: str) -> DetectorFolder:
    """The folder, if its files are there and of a kind that can judge. The model is not loaded.
    Raises ConfigurationError."""
    folder = open_folder(path)
    config, labels = folder.config, folder.config.labels
    if config.architecture.startswith("HHEM") or config.model_type.startswith("HHEM"):
        found = DetectorFolder(folder, "hhem", 2, 1)
    elif config.architecture.endswith("ForTokenClassification"):
        # LettuceDetect's models name no labels; 1 is what was trained as hallucinated.
        labels = labels or _UNNAMED
        found = DetectorFolder(folder, "tokens", len(labels), _supported(labels, folder, 0))
    elif config.architecture.endswith("ForSequenceClassification"):
        if len(labels) == 1:
            found = DetectorFolder(folder, "pairs", 1, None)
        else:
            found = DetectorFolder(folder, "pairs", len(labels), _supported(labels, folder, None))
    else:
        raise ConfigurationError(
            f"{folder.path} holds a {config.architecture or config.model_type or 'model'} that"
            " cannot judge; name a token classifier, a cross-encoder of NLI, or HHEM."
        )
    _ = folder.onnx
    return found


def _supported(labels: Sequence[str], folder: ModelFolder, unnamed: int | None) -> int:
    """The label that says yes. unnamed: which it is of two without names."""
    named = [index for index, label in enumerate(labels) if label in _BORNE]
    if len(named) == 1:
        return named[0]
    contraries = [index for index, label in enumerate(labels) if label in _NOT_BORNE]
    if len(labels) == 2 and len(contraries) == 1:
        return 1 - contraries[0]
    if unnamed is not None and tuple(labels) == _UNNAMED:
        return unnamed
    raise ConfigurationError(
        f"{folder.path} names its labels {', '.join(labels) or 'nowhere'}, none of which says that"
        " a text is supported; if it is a detector all the same, name them in id2label of"
        " config.json, as in entailment, neutral and contradiction."
    )
