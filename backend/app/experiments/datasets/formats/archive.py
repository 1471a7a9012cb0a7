"""Datasets of several files as one ZIP archive."""

import io
import zipfile
from collections.abc import Mapping

from app.platform.errors import InvalidRequest

MAX_FILES = 100
MAX_BYTES = 500_000_000
# The time of every member, so that equal datasets are equal archives.
_EPOCH = (1980, 1, 1, 0, 0, 0)


def pack(files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def unpack(data: bytes) -> dict[str, bytes]:
    """The files by name, without a folder that holds all of them. Nothing is written to disk.

    Raises InvalidRequest for what is no archive, is encrypted or is too large once unpacked.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [each for each in archive.infolist() if not each.is_dir()]
            if len(members) > MAX_FILES or sum(each.file_size for each in members) > MAX_BYTES:
                raise InvalidRequest(
                    f"The archive holds more than {MAX_FILES} files or {MAX_BYTES:,} bytes;"
                    " import a part of it.",
                    ko=f"압축을 풀면 파일 {MAX_FILES}개 또는 {MAX_BYTES:,}바이트를 넘습니다."
                    " 나누어 가져오세요.",
                )
            # zipfile never gives more bytes than file_size.
            files = {each.filename: archive.read(each) for each in members}
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, OSError) as error:
        raise InvalidRequest(
            "The file is no ZIP archive that can be read; pack it again without a password.",
            ko="읽을 수 있는 ZIP 파일이 아닙니다. 암호 없이 다시 압축하세요.",
        ) from error
    folders = {name.partition("/")[0] for name in files if "/" in name}
    if len(folders) == 1 and all(name.startswith(f"{next(iter(folders))}/") for name in files):
        return {name.partition("/")[2]: content for name, content in files.items()}
    return files
