"""Reads an uploaded file of notes by its name's ending."""

from typing import BinaryIO

from app.search.importers import ImportedNote


async def read_upload(name: str, file: BinaryIO) -> list[ImportedNote]:
    raise NotImplementedError
