"""Reads domain packs from YAML, and says where a mistake is."""

from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from pathlib import Path

import yaml
from pydantic import ValidationError

from app.text.language import Lang
from app.text.packs.models import DomainPack

MAX_FILE_BYTES = 1_000_000
_SHIPPED = resources.files("app.text.packs") / "shipped"

Location = Sequence[int | str]


class PackError(ValueError):
    """A domain pack that cannot be used; says in one sentence what to change."""


def shipped_packs() -> list[str]:
    """Names of the packs that come with the product."""
    files = (entry.name for entry in _SHIPPED.iterdir())
    return sorted(name.removesuffix(".yaml") for name in files if name.endswith(".yaml"))


@lru_cache(maxsize=16)
def load_pack(name: str) -> DomainPack:
    """A shipped pack by its name, or a file by its path (something with a dot or a slash).

    Raises PackError that names the file, the line and what is wrong there.
    """
    if "/" in name or "." in name:
        path = Path(name)
        return read_pack(_text_of(path), str(path))
    if name not in shipped_packs():
        raise PackError(
            f"There is no domain pack {name!r}; shipped are {', '.join(shipped_packs())}. Name one"
            " of them in SEARCHQA_DOMAIN_PACK, or the path of a YAML file."
        )
    file = _SHIPPED / f"{name}.yaml"
    return read_pack(file.read_text(encoding="utf-8"), f"{name}.yaml")


def read_pack(text: str, file: str) -> DomainPack:
    """The pack that `text` describes; `file` is what an error calls it. Raises PackError."""
    try:
        # Aliases could make a few lines unfold to gigabytes, and no pack needs them.
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, yaml.SafeLoader)):
            raise PackError(f"{file} uses YAML aliases (*name); write the values out.")
        node = yaml.compose(text, yaml.SafeLoader)
        data = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"line {mark.line + 1}" if mark else "its beginning"
        raise PackError(f"{file}, {where}: {error.problem}; mend the YAML there.") from None
    except yaml.YAMLError as error:
        raise PackError(f"{file} is not YAML: {error}.") from None
    try:
        return DomainPack.model_validate(data)
    except ValidationError as error:
        problems = [
            f"{file}, line {_line(node, each['loc'])}, {_path(each['loc'])}: {each['msg']}"
            for each in error.errors(include_url=False)[:5]
        ]
        raise PackError("; ".join(problems) + ".") from None


def get_instruction_for_tag(pack: DomainPack, tag: str, lang: Lang) -> str | None:
    """What to do in the situation that the tag names; None for a tag without instruction, or
    one that the pack does not know."""
    for known in pack.tags:
        if known.name == tag:
            return known.instruction.in_lang(lang) if known.instruction else None
    return None


def _text_of(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise PackError(f"{path} is larger than {MAX_FILE_BYTES:,} bytes; no pack needs that.")
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise PackError(
            f"The domain pack {path} cannot be read ({error.strerror}); check SEARCHQA_DOMAIN_PACK."
        ) from None
    except UnicodeDecodeError:
        raise PackError(f"{path} is not UTF-8; save it as UTF-8.") from None


def _line(node: yaml.Node | None, location: Location) -> int:
    """The line of what is named, or of the closest thing around it that there is."""
    line = 1
    for step in location:
        if node is None:
            break
        line = node.start_mark.line + 1
        node = _child(node, step)
    return node.start_mark.line + 1 if node is not None else line


def _child(node: yaml.Node, step: int | str) -> yaml.Node | None:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == step:
                return value if isinstance(value, yaml.Node) else None
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        child = node.value[step]
        return child if isinstance(child, yaml.Node) else None
    return None


def _path(location: Location) -> str:
    return ".".join(map(str, location)) or "the pack"
