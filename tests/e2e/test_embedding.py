"""`<searchqa-verdict>` on a page of another origin, that of `examples/browser`."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from browsing import AXE, DESK, PHONE, TIMEOUT_MS
from playwright.async_api import Browser, Page, Route, expect

from cases import TIMEOUT_SECONDS
from live_stack import LiveStack

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="session")]

WORKSPACE = "embedding"
EXAMPLE = Path(__file__).parents[2] / "examples" / "browser" / "server.py"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def origin(stack: LiveStack, other_port: int) -> AsyncIterator[str]:
    """The example, as somebody starts it."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, EXAMPLE, "--port", str(other_port), "--searchqa", stack.info.api_url),
        env={**os.environ, "SEARCHQA_TOKEN": await stack.token(WORKSPACE)},
        stdout=asyncio.subprocess.PIPE,
    )
    said = (await asyncio.wait_for(process.stdout.readline(), TIMEOUT_SECONDS)).decode()
    assert f"SEARCHQA_CORS_ORIGINS=http://127.0.0.1:{other_port}" in said
    yield f"http://127.0.0.1:{other_port}"
    process.terminate()
    await process.wait()


@asynccontextmanager
async def a_page(browser: Browser, **options: Any) -> AsyncIterator[Page]:
    """In which nothing is refused or thrown that the test does not bring about."""
    context = await browser.new_context(**{"viewport": DESK, "locale": "ko-KR"} | options)
    context.set_default_timeout(TIMEOUT_MS)
    page = await context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda said: complaints.append(said.text) if "Security Policy" in said.text else None,
    )
    try:
        yield page
    finally:
        await context.close()
    assert complaints == []


async def opened(page: Page, origin: str) -> None:
    """Once both verdicts are there."""
    await page.goto(origin)
    korean, english = (page.locator(f"article[lang={lang}]") for lang in ("ko", "en"))
    await expect(korean.get_by_role("status")).to_have_text("노트와 일치 규칙 평가")
    await expect(english.get_by_role("status")).to_have_text("Contradicted by the notes by rules")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
async def test_a_verdict_comes_to_another_origin(browser, origin, pictures, scheme, size):
    async with a_page(browser, color_scheme=scheme, viewport=size) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        await opened(page, origin)
        details = page.locator("article[lang=en] searchqa-verdict summary")
        await details.focus()
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("heading", name="Claims")).to_be_visible()
        barriers = await page.evaluate(AXE.read_text(encoding="utf-8") + ";axe.run(document)")
        assert [each["id"] for each in barriers["violations"]] == []
        wide = await page.evaluate("() => document.documentElement.scrollWidth > innerWidth")
        assert not wide
        card = await page.locator("searchqa-verdict").first.evaluate(
            "(element) => getComputedStyle(element).backgroundColor"
        )
        assert card == {"light": "rgb(255, 255, 255)", "dark": "rgb(21, 30, 46)"}[scheme]
        assert not any("sqr_" in url for url in asked)
        await page.screenshot(path=pictures / f"embedding-{scheme}-{size['width']}.png")


async def test_the_theme_is_the_pages_choice(browser, origin):
    async with a_page(browser, color_scheme="dark") as page:
        await opened(page, origin)
        badge = page.locator("searchqa-verdict").first
        await badge.evaluate("(element) => element.setAttribute('theme', 'light')")
        await expect(badge).to_have_css("background-color", "rgb(255, 255, 255)")


async def test_where_streams_are_cut_it_polls(browser, origin):
    async with a_page(browser) as page:
        cut = 0

        async def cut_off(route: Route) -> None:
            nonlocal cut
            cut += 1
            await route.abort()

        await page.route("**/qa-evaluations/*/events", cut_off)
        # The first look of each finds the verdict pending, however fast it is.
        waiting: set[str] = set()

        async def not_yet(route: Route) -> None:
            if route.request.method == "OPTIONS" or route.request.url in waiting:
                await route.continue_()
                return
            waiting.add(route.request.url)
            response = await route.fetch()
            body = await response.json() | {"status": "running", "qa_evaluation": None}
            headers = {**response.headers, "retry-after": "0"}
            headers.pop("etag")
            await route.fulfill(response=response, headers=headers, json=body)

        await page.route("**/qa-evaluations/*", not_yet)
        await opened(page, origin)
        assert len(waiting) == 2
        assert cut >= 1


async def test_an_expired_token_is_renewed_or_said_to_be_expired(browser, stack, origin):
    async with a_page(browser) as page:
        await opened(page, origin)
        verdict = page.locator("article[lang=ko] searchqa-verdict")
        status = verdict.get_by_role("status")
        await stack.rows(
            "UPDATE api_tokens SET expires_at = now() WHERE kind = 'reader' RETURNING id"
        )
        evaluation_id = await verdict.get_attribute("evaluation-id")
        again = "(element) => { element.replaceWith(element = element.cloneNode()); }"
        await verdict.evaluate(again)
        await expect(status).to_contain_text("이 평가를 볼 수 있는 시간이 지났습니다")

        await verdict.evaluate(
            "(element, id) => { element.tokenProvider = async () => (await (await"
            " fetch(`/reader-token/${id}`, { method: 'POST' })).json()).token }",
            evaluation_id,
        )
        await expect(status).to_have_text("노트와 일치 규칙 평가")


async def test_a_page_of_an_origin_that_is_not_named_gets_nothing(browser, stack, origin):
    async with a_page(browser) as page:
        async with page.expect_event("requestfailed") as failed:
            await page.goto(origin.replace("127.0.0.1", "localhost"))
        assert (await failed.value).url == f"{stack.info.api_url}/ui/searchqa-verdict.js"
        assert await page.evaluate("() => customElements.get('searchqa-verdict') === undefined")
