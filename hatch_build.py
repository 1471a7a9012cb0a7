"""Puts the pages into a wheel, where they are built, and the documentation."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Pages(BuildHookInterface):
    """As `app/pages` and `app/docs`, where the API looks for them first. An image copies its own
    pages."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "standard":
            return
        for page in Path(self.root, "docs").glob("*.md"):
            build_data["force_include"][str(page)] = f"app/docs/{page.name}"
        built = Path(self.root, "frontend", "dist")
        if (built / "index.html").is_file():
            build_data["force_include"][str(built)] = "app/pages"
