"""Texts for readers in both languages, from YAML files beside the modules that show them."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml


@cache
def texts_beside(module: str) -> Mapping[str, Any]:
    """module: the `__file__` of the module whose name the YAML file has."""
    texts: Mapping[str, Any] = yaml.safe_load(Path(module).with_suffix(".yaml").read_bytes())
    return texts
