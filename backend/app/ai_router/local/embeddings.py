"""Embeddings without a server: static tables of word vectors, and sentence encoders in ONNX.

A static table (model2vec) gives a text the mean of the vectors of its tokens. An encoder gives it
the mean over its tokens, or the first token's vector where the model says so."""

import asyncio
import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Protocol

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from app.ai_router.local.model_folder import (
    LOCAL,
    ONNX_FILES,
    TABLE_FILE,
    ModelFolder,
    embedding_folder,
)
from app.ai_router.local.onnx_model import Floats, OnnxModel, Tokens, load_tokenizer
from app.platform.errors import ConfigurationError, PermanentProviderError, TransientProviderError

_MAX_HEADER_BYTES = 100_000_000
_DTYPES: dict[str, np.dtype[np.generic]] = {
    "F64": np.dtype("<f8"),
    "F32": np.dtype("<f4"),
    "F16": np.dtype("<f2"),
    "I64": np.dtype("<i8"),
    "I32": np.dtype("<i4"),
    "I8": np.dtype("i1"),
}

_Length = Annotated[int, Field(ge=0)]


class _Tensor(BaseModel):
    dtype: str
    shape: list[_Length]
    data_offsets: tuple[_Length, _Length]


_HEADER = TypeAdapter(dict[str, _Tensor | dict[str, str]])


def read_tensors(path: Path) -> dict[str, NDArray[np.generic]]:
    """By name; those of a dtype that numpy lacks are left out. Raises ConfigurationError."""
    size = path.stat().st_size
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if length > min(size, _MAX_HEADER_BYTES):
                raise ConfigurationError(f"{path} is no safetensors file.")
            header = _HEADER.validate_json(file.read(length))
    except (ValidationError, OSError) as error:
        raise ConfigurationError(f"{path} is no safetensors file.") from error
    found: dict[str, NDArray[np.generic]] = {}
    for name, tensor in header.items():
        # The entry `__metadata__` is a plain mapping.
        if isinstance(tensor, _Tensor) and tensor.dtype in _DTYPES:
            found[name] = _mapped(path, tensor, 8 + length, size)
    return found


def _mapped(path: Path, tensor: _Tensor, base: int, size: int) -> NDArray[np.generic]:
    dtype, (start, end) = _DTYPES[tensor.dtype], tensor.data_offsets
    if end - start != math.prod(tensor.shape) * dtype.itemsize or base + end > size:
        raise ConfigurationError(f"{path} is cut short or damaged; download it again.")
    if start == end:
        return np.empty(tensor.shape, dtype)
    return np.memmap(path, dtype, "r", base + start, tuple(tensor.shape))


# model2vec reads no further either.
_STATIC_TOKENS = 512
_WHOLE_TEXT = "sentence_embedding"


class _Encoder(Protocol):
    def encode(self, texts: Sequence[str]) -> list[Floats]: ...


class LocalEmbeddings:
    """Models of folders, each loaded when it is first asked for, in a thread of its own."""

    def __init__(self, *, threads: int) -> None:
        self.name = LOCAL
        self._threads = threads
        self._models: dict[str, _Encoder] = {}
        self._executor = ThreadPoolExecutor(1, "local-embeddings")

    async def embed(
        self, model: str, texts: Sequence[str], *, deadline: float
    ) -> list[list[float]]:
        """A vector of length 1 for each text. Raises ProviderError; a text without any known token
        makes it a PermanentProviderError for all."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(deadline):
                return await loop.run_in_executor(self._executor, self._embed, model, texts)
        except TimeoutError:
            raise TransientProviderError(
                f"{LOCAL}:{model} made no vectors within {deadline:g} seconds."
            ) from None

    async def aclose(self) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _embed(self, model: str, texts: Sequence[str]) -> list[list[float]]:
        encoder = self._models.get(model)
        if encoder is None:
            encoder = self._models[model] = load_encoder(model, threads=self._threads)
        return [_normalised(vector) for vector in encoder.encode(texts)]


def load_encoder(path: str, *, threads: int) -> _Encoder:
    """Raises ConfigurationError."""
    folder = embedding_folder(path)
    # A folder of model2vec may hold its table as ONNX too, with inputs of its own.
    static = folder.config.model_type == "model2vec" or not folder.has(*ONNX_FILES)
    return StaticTable(folder) if static else SentenceEncoder(folder, threads=threads)


class StaticTable:
    """A model2vec table. Newer ones keep fewer rows than tokens (`mapping`) and the weight of each
    token apart (`weights`)."""

    def __init__(self, folder: ModelFolder) -> None:
        self._tokenizer = load_tokenizer(folder)
        path = folder.file(TABLE_FILE)
        tensors = read_tensors(path)
        table = tensors.get("embeddings")
        if table is None or table.ndim != 2:
            raise ConfigurationError(f"{path} holds no table of embeddings, as model2vec makes it.")
        self._table = table
        self._mapping = tensors.get("mapping")
        self._weights = tensors.get("weights")
        by_token = next(one for one in (self._mapping, self._weights, table) if one is not None)
        if self._tokenizer.get_vocab_size() > len(by_token):
            raise ConfigurationError(
                f"{path} has fewer vectors than {folder.tokenizer.name} has tokens;"
                " the two are of different models."
            )
        unknown = getattr(self._tokenizer.model, "unk_token", None)
        self._unknown = self._tokenizer.token_to_id(unknown) if unknown else None

    def encode(self, texts: Sequence[str]) -> list[Floats]:
        encodings = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [self._vector(encoding.ids) for encoding in encodings]

    def _vector(self, ids: Sequence[int]) -> Floats:
        known = [token for token in ids if token != self._unknown][:_STATIC_TOKENS]
        if not known:
            return np.zeros(self._table.shape[1], np.float32)
        rows = known if self._mapping is None else self._mapping[known]
        vectors = np.asarray(self._table[rows], np.float32)
        if self._weights is not None:
            vectors = vectors * np.asarray(self._weights[known], np.float32)[:, None]
        return np.asarray(vectors.mean(axis=0), np.float32)


class SentenceEncoder:
    """An encoder in ONNX, as sentence-transformers publish it."""

    def __init__(self, folder: ModelFolder, *, threads: int) -> None:
        self._model = OnnxModel(folder, threads=threads)
        self._first_token = folder.pooling().cls
        named = (_WHOLE_TEXT, "last_hidden_state", "token_embeddings")
        outputs = self._model.outputs
        self._output = next((name for name in named if name in outputs), outputs[0])

    def encode(self, texts: Sequence[str]) -> list[Floats]:
        encodings = self._model.tokenizer.encode_batch(list(texts))
        found = self._model.run([Tokens.from_encoding(each) for each in encodings], self._output)
        return [self._pooled(each) for each in found]

    def _pooled(self, found: Floats) -> Floats:
        if found.ndim == 1:
            return found
        return np.asarray(found[0] if self._first_token else found.mean(axis=0), np.float32)


def _normalised(vector: Floats) -> list[float]:
    length = float(np.linalg.norm(vector))
    if not 0 < length < float("inf"):
        raise PermanentProviderError("A text holds no token that the local model knows.")
    return [float(number) for number in vector / length]
