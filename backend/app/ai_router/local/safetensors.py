"""Tensors of a .safetensors file, mapped into memory and not copied.

The format: 8 bytes with the length of the header (little-endian), the header as JSON, which gives
dtype, shape and place of each tensor, then their bytes.
"""

import math
from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from app.platform.errors import ConfigurationError

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
