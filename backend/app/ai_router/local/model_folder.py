"""A folder with a model as model hubs publish it: what it is, and whether it is complete."""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, Field, ValidationError

from app.platform.errors import ConfigurationError

LOCAL = "local"
# A quantized file stands in for the whole one where only that was downloaded.
ONNX_FILES = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")
TABLE_FILE = "model.safetensors"

# Longer inputs cost memory by the square of their length, and detectors were trained up to this.
MAX_TOKENS = 4096
# Where neither the model nor its tokenizer names a limit, as in T5.
_USUAL_TOKENS = 512
_FEWEST_TOKENS = 32
# These count positions from the padding's id on.
_POSITIONS_AFTER_PAD = frozenset({"roberta", "xlm-roberta", "camembert"})
_LFS_POINTER = b"version https://git-lfs"


class ModelConfig(BaseModel):
    """config.json, as far as it is needed."""

    architectures: list[str] | None = None
    model_type: str = ""
    id2label: dict[int, str] | None = None
    max_position_embeddings: int | None = None
    pad_token_id: int | None = None
    normalize: bool | None = None

    @property
    def architecture(self) -> str:
        return self.architectures[0] if self.architectures else ""

    @property
    def labels(self) -> tuple[str, ...]:
        """In the order of the model's output, in lower case; () when the file names none."""
        return tuple(name.lower() for _, name in sorted((self.id2label or {}).items()))


class _TokenizerConfig(BaseModel):
    model_max_length: float | None = None


class Pooling(BaseModel):
    """How a sentence encoder makes one vector of those of its tokens; by their mean as a rule."""

    cls: bool = Field(default=False, alias="pooling_mode_cls_token")


Read = TypeVar("Read", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """max_tokens: the longest input, with its special tokens."""

    path: Path
    config: ModelConfig
    max_tokens: int

    @property
    def tokenizer(self) -> Path:
        return self.file("tokenizer.json")

    @property
    def onnx(self) -> Path:
        return self.file(*ONNX_FILES)

    def has(self, *names: str) -> bool:
        return any((self.path / name).is_file() for name in names)

    def file(self, *names: str) -> Path:
        """The first of these files that is there. Raises ConfigurationError."""
        for name in names:
            found = self.path / name
            if found.is_file():
                return _checked(found)
        raise ConfigurationError(f"{self.path} has no {' or '.join(names)}; {_COMPLETE}")

    def pooling(self) -> Pooling:
        """As sentence-transformers store it beside the model."""
        return _read(self.path / "1_Pooling/config.json", Pooling)


_COMPLETE = (
    "the folder of a local model holds config.json, tokenizer.json and model.onnx (or, for static"
    f" embeddings, {TABLE_FILE}); docs/local-judges.md says how to get them."
)


def open_folder(written: str) -> ModelFolder:
    """Reads what the folder says of its model, not the model. Raises ConfigurationError."""
    missing = [name for name in ("onnxruntime", "tokenizers") if find_spec(name) is None]
    if missing:
        raise ConfigurationError(
            f"Local models need {' and '.join(missing)}; install searchqa[local]."
        )
    path = Path(written).expanduser()
    if not path.is_dir():
        raise ConfigurationError(f"There is no folder {path}; {_COMPLETE}")
    if not (path / "config.json").is_file():
        raise ConfigurationError(f"{path} has no config.json; {_COMPLETE}")
    config = _read(path / "config.json", ModelConfig)
    stated = _read(path / "tokenizer_config.json", _TokenizerConfig).model_max_length
    folder = ModelFolder(path, config, _max_tokens(config, stated))
    _checked(folder.tokenizer)
    return folder


def embedding_folder(path: str) -> ModelFolder:
    """The folder, if it has a model that makes vectors. Nothing is loaded. Raises
    ConfigurationError."""
    folder = open_folder(path)
    if "For" in folder.config.architecture:
        raise ConfigurationError(
            f"{folder.path} holds a {folder.config.architecture}, which makes no vectors;"
            " name a sentence encoder or a model2vec table."
        )
    folder.file(*ONNX_FILES, TABLE_FILE)
    return folder


def _max_tokens(config: ModelConfig, stated: float | None) -> int:
    limits = [MAX_TOKENS]
    positions = config.max_position_embeddings
    if positions and positions > 0:
        if config.model_type in _POSITIONS_AFTER_PAD:
            positions -= (config.pad_token_id or 0) + 1
        limits.append(positions)
    if stated and stated <= MAX_TOKENS:
        limits.append(int(stated))
    return max(_FEWEST_TOKENS, min(limits) if len(limits) > 1 or stated else _USUAL_TOKENS)


def _read(path: Path, model: type[Read]) -> Read:
    """The file, or what holds when there is none. Raises ConfigurationError for a bad one."""
    try:
        return model.model_validate_json(path.read_bytes() if path.is_file() else b"{}")
    except (ValidationError, OSError) as error:
        raise ConfigurationError(
            f"{path} cannot be read as a model's configuration; download it again."
        ) from error


def _checked(path: Path) -> Path:
    with path.open("rb") as file:
        beginning = file.read(len(_LFS_POINTER))
    if not beginning:
        raise ConfigurationError(f"{path} is empty; download it again.")
    if beginning == _LFS_POINTER:
        raise ConfigurationError(
            f"{path} is a pointer of Git LFS, not the file itself; run `git lfs pull` beside it."
        )
    return path
