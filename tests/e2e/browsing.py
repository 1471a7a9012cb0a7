"""A reader's browser window, and what is asked of every page in it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from playwright.async_api import Browser, BrowserContext, Page, expect

from app.workspaces.service import ANYBODY
from live_stack import LiveStack

AXE = Path(__file__).parents[2] / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
PHONE = {"width": 375, "height": 812}
TABLET = {"width": 768, "height": 1024}
DESK = {"width": 1440, "height": 900}
# Of a picture.
MAX_BYTES = 250_000
# Rules of axe: all that are on by default, and that the name of a control has the words on it. In
# the second theme of a page only what colours decide can differ.
# To describe what passed, and to find a selector of each element, would take three quarters of the
# time; neither is looked at.
TERSE: dict[str, Any] = {"resultTypes": ["violations"], "selectors": False}
ALL = TERSE | {"rules": {"label-content-name-mismatch": {"enabled": True}}}
OF_COLOURS = TERSE | {"runOnly": ["color-contrast", "link-in-text-block"]}
Theme = Literal["light", "dark"]
CHECKED: dict[Theme, dict[str, Any]] = {"dark": OF_COLOURS, "light": ALL}
# Milliseconds until something that should appear counts as missing.
TIMEOUT_MS = 20_000
expect.set_options(timeout=TIMEOUT_MS)


@dataclass
class Window:
    """One window, logged in as a reader. `complaints` are errors that the page did not expect:
    exceptions, and what the browser refused because of its security policy."""

    page: Page
    url: str
    complaints: list[str] = field(default_factory=list)

    async def open(self, path: str = "/") -> None:
        """A page by its path below /ui, once its heading is there."""
        await self.page.goto(f"{self.url}/ui{path}")
        await self.page.get_by_role("heading", level=1).wait_for()

    async def loaded(self) -> None:
        """Once nothing on the page is waited for, neither code nor data."""
        await expect(self.page.locator("[data-loading]")).to_have_count(0)

    async def in_theme(self, theme: Theme) -> None:
        """As on a system that is set so, for a reader who has not chosen; nothing moves."""
        await self.page.emulate_media(color_scheme=theme, reduced_motion="reduce")

    async def take(self, folder: Path, name: str) -> None:
        """Pictures of what it shows, in the light and in the dark, each small enough for a page of
        documentation."""
        await self.page.evaluate("() => { document.activeElement?.blur(); scrollTo(0, 0) }")
        files: dict[Theme, str] = {"dark": f"{name}-dark.png", "light": f"{name}.png"}
        for theme, file in files.items():
            await self.in_theme(theme)
            picture = await self.page.screenshot(path=folder / file, animations="disabled")
            assert 10_000 < len(picture) <= MAX_BYTES

    async def barriers(self) -> list[str]:
        """What axe finds on the page as it is, in either theme."""
        if not await self.page.evaluate("() => 'axe' in window"):
            await self.page.evaluate(AXE.read_text(encoding="utf-8"))
        found = []
        for theme, rules in CHECKED.items():
            await self.in_theme(theme)
            violations = await self.page.evaluate(
                "async (rules) => (await axe.run(document, rules)).violations", rules
            )
            found += [
                f"{theme}: {violation['id']}: {node['html'][:200]}"
                for violation in violations
                for node in violation["nodes"]
            ]
        return found

    async def scrolls_sideways(self) -> bool:
        return await self.page.evaluate(
            "() => document.documentElement.scrollWidth > window.innerWidth"
        )


def _watch(window: Window) -> None:
    def on_error(error: object) -> None:
        window.complaints.append(f"exception: {error}")

    def on_console(message: Any) -> None:
        if message.type == "error" and "Content Security Policy" in message.text:
            window.complaints.append(message.text)

    window.page.on("pageerror", on_error)
    window.page.on("console", on_console)


async def in_language(window: Window, language: str) -> None:
    """The page in `ko` or `en`, by its switch."""
    name = {"ko": "한국어", "en": "English"}[language]
    await window.page.get_by_role("banner").get_by_role("button", name=name, exact=True).click()
    await expect(window.page.locator(f"html[lang={language}]")).to_be_attached()


async def login(
    context: BrowserContext, stack: LiveStack, workspace: str, name: str = ANYBODY
) -> None:
    """By a link like those that `searchqa login` prints. The browser asks for it and keeps the
    cookie, without a page of its own."""
    response = await context.request.get(await stack.login_link(workspace, name))
    assert response.ok, await response.text()


@asynccontextmanager
async def context_of(
    browser: Browser,
    stack: LiveStack,
    workspace: str,
    size: dict[str, int] = DESK,
    name: str = ANYBODY,
) -> AsyncIterator[BrowserContext]:
    """A browser of its own, logged in to the workspace. Its languages are Korean, then English."""
    context = await browser.new_context(viewport=size, locale="ko-KR")  # type: ignore[arg-type]
    context.set_default_timeout(TIMEOUT_MS)
    try:
        await login(context, stack, workspace, name)
        yield context
    finally:
        await context.close()


async def new_window(context: BrowserContext, stack: LiveStack) -> Window:
    window = Window(await context.new_page(), stack.info.api_url)
    _watch(window)
    return window


@asynccontextmanager
async def a_window(
    browser: Browser, stack: LiveStack, workspace: str, size: dict[str, int] = DESK
) -> AsyncIterator[Window]:
    """The only window of a browser of its own; nothing may have gone wrong in it."""
    async with context_of(browser, stack, workspace, size) as context:
        window = await new_window(context, stack)
        yield window
        assert window.complaints == []
