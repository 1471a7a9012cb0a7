"""An ONNX model with its tokenizer, run over many inputs with few threads."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from app.ai_router.local.model_folder import ModelFolder
from app.platform.errors import ConfigurationError, PermanentProviderError

Floats = NDArray[np.float32]

# What one run of the model may hold, padding included. Attention takes memory by the square of the
# length, 0.8 GB for one input of 4,096 tokens and twelve heads.
_BATCH_TOKENS = 8192
_BATCH_SQUARES = 4096**2
_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})


@dataclass(frozen=True, slots=True)
class Tokens:
    """One input: ids of tokens, and to which of two texts each belongs."""

    ids: Sequence[int]
    type_ids: Sequence[int]

    @classmethod
    def from_encoding(cls, encoding: Encoding) -> "Tokens":
        return cls(encoding.ids, encoding.type_ids)


class OnnxModel:
    """Blocks while it loads and runs. threads: how many cores one run may use."""

    def __init__(self, folder: ModelFolder, *, threads: int) -> None:
        self.folder = folder
        self.max_tokens = folder.max_tokens
        self.tokenizer = load_tokenizer(folder)
        # Only what would not fit is cut off; callers make their texts fit.
        self.tokenizer.enable_truncation(folder.max_tokens)
        self._session = _load(folder, threads)
        self._pad = folder.config.pad_token_id or 0
        self._inputs = [each.name for each in self._session.get_inputs()]
        self.outputs: list[str] = [each.name for each in self._session.get_outputs()]
        unknown = sorted(set(self._inputs) - _INPUTS)
        if unknown:
            raise ConfigurationError(
                f"{folder.onnx} wants {', '.join(unknown)}, which text encoders do not;"
                " it is a model of another kind."
            )

    def run(self, inputs: Sequence[Tokens], output: str | None = None) -> list[Floats]:
        """The output (the first by default) for each input, in order: one row for a model of whole
        texts, a row for each token for a model of tokens."""
        results: list[Floats] = [np.empty(0, np.float32)] * len(inputs)
        for batch in _batches([len(each.ids) for each in inputs]):
            found = self._run_batch([inputs[index] for index in batch], output)
            for index, row in zip(batch, found, strict=True):
                results[index] = row[: len(inputs[index].ids)] if row.ndim > 1 else row
        return results

    def _run_batch(self, batch: Sequence[Tokens], output: str | None) -> Floats:
        shape = (len(batch), max(len(each.ids) for each in batch))
        ids = np.full(shape, self._pad, np.int64)
        mask, types = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        for row, each in enumerate(batch):
            ids[row, : len(each.ids)] = each.ids
            types[row, : len(each.ids)] = each.type_ids
            mask[row, : len(each.ids)] = 1
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
        feed = {name: given[name] for name in self._inputs}
        try:
            found = self._session.run([output or self.outputs[0]], feed)[0]
        except Exception as error:  # onnxruntime's errors have no common base of their own
            raise PermanentProviderError(f"{self.folder.path} failed on an input.") from error
        return np.asarray(found, np.float32)


def load_tokenizer(folder: ModelFolder) -> Tokenizer:
    """Special tokens within a text are read as text: notes and answers are written by strangers.
    Raises ConfigurationError."""
    try:
        tokenizer = Tokenizer.from_file(str(folder.tokenizer))
    except Exception as error:  # tokenizers raises bare Exception
        raise ConfigurationError(
            f"{folder.tokenizer} is no tokenizer that can be read; download it again."
        ) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.encode_special_tokens = True
    return tokenizer


def _load(folder: ModelFolder, threads: int) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Threads that wait for work by spinning take the cores of everybody else.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    path = str(folder.onnx)
    try:
        return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors have no common base of their own
        raise ConfigurationError(
            f"{path} cannot be loaded; it is damaged, or a file beside it is missing."
        ) from error


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Indexes of inputs that run together, of like length."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda one: -lengths[one]):
        longest = lengths[batch[0]] if batch else 0
        if (len(batch) + 1) * longest > min(_BATCH_TOKENS, _BATCH_SQUARES / max(1, longest)):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch
