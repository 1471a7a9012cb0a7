"""Files that commands write."""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from app.platform.errors import SetupError

Format = TypeVar("Format")


def format_of(file: Path, formats: Mapping[str, Format], otherwise: str = "") -> Format:
    """The format for the file's extension. Raises SetupError."""
    if file.suffix.lower() not in formats:
        raise SetupError(
            f"The format of {file.name} is unknown; end it with one of {', '.join(formats)}"
            f"{otherwise}."
        )
    return formats[file.suffix.lower()]


def save(chunks: Iterable[bytes], file: Path | None) -> None:
    """Writes the file, or leaves it as it was; to standard output without one. Raises
    SetupError."""
    if file is None:
        sys.stdout.buffer.writelines(chunks)
        sys.stdout.buffer.flush()
        return
    part = file.with_name(f"{file.name}.part")
    try:
        with part.open("wb") as opened:
            opened.writelines(chunks)
        part.replace(file)
    except OSError as error:
        raise SetupError(f"{file} cannot be written: {error.strerror}.") from None
    finally:
        part.unlink(missing_ok=True)
