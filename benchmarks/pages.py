"""How fast the pages open in a browser, over 30,000 evaluations.

Starts `searchqa up`, fills its database by the SQL of million_verdicts.py, over the 30 days that
the pages show, and opens each page several times in Chromium, each time in a browser of its own
with an empty cache. Prints medians as a table, with the least and the greatest. "ready" is when the
heading is there and nothing on the page is loading any more; both times are milliseconds since the
navigation. With --arriving, each page stays open for a minute in which so many verdicts are stored,
while its buttons are pressed: "INP" is the longest time from such a press to the next frame, "busy"
the share of the minute that the page's thread worked.

    python benchmarks/pages.py
    python benchmarks/pages.py --evaluations 3400 --days 22 --sizes "1440 px" --arriving 50
    python benchmarks/pages.py --keep /tmp/pages --rounds 3 --only quality --waterfall

Needs built pages (`make ui`) and Chromium. SEARCHQA_UI_DIR names other pages to compare with.
"""

import argparse
import asyncio
import datetime as dt
import os
import signal
import sys
import tempfile
import time
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from statistics import median
from typing import Any

import psycopg
from figures import Spread
from machine import load
from million_verdicts import generate
from playwright.async_api import Browser, async_playwright
from report import table
from sqlalchemy.ext.asyncio import AsyncSession
from starts import SEARCHQA, START_TIMEOUT_SECONDS

from app.cli.stack import in_workspace
from app.operations.embedded.data_dir import StackInfo, running_stack
from app.workspaces.service import create_login_code
from app.workspaces.tokens import DEFAULT_WORKSPACE

SIZES = {"1440 px": {"width": 1440, "height": 900}, "375 px": {"width": 375, "height": 812}}
# How long nothing may load until a page counts as ready, in milliseconds.
QUIET = 400
WATCH = """
  window.measured = { lcp: 0, ready: null }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) measured.lcp = entry.startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  const look = () => {
    const loading = !document.querySelector('h1') || document.querySelector('[data-loading]')
    measured.ready = loading ? null : (measured.ready ?? performance.now())
    requestAnimationFrame(look)
  }
  look()
"""
INTERACTIONS = """
  measured.inp = 0
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) measured.inp = Math.max(measured.inp, duration)
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })
"""
# Behind the last place of a page Tab leaves it: nothing is drawn then, and that press counts until
# whatever is drawn next, which is the next press.
STAY = """
  const last = Object.assign(document.createElement('span'), { tabIndex: 0 })
  last.onfocus = () => document.querySelector('a').focus()
  document.body.append(last)
"""
SOURCE = {"title": "배양기", "content": "배양기는 37도로 맞춘다."}
# The pages' policy lets nothing be evaluated later on, so that this waits by itself.
UNTIL_READY = f"""
  new Promise((resolve) => {{
    const look = () => {{
      const {{ lcp, ready }} = measured
      if (ready !== null && performance.now() - ready > {QUIET}) resolve({{ lcp, ready }})
      else requestAnimationFrame(look)
    }}
    look()
  }})
"""
FETCHED = """
  ['navigation', 'resource'].flatMap((type) =>
    performance.getEntriesByType(type).map((entry) => ({
      name: entry.name.replace(location.origin, ''),
      began: entry.startTime,
      waited: entry.responseStart,
      ended: entry.responseEnd,
      bytes: entry.encodedBodySize,
    })),
  )
"""
LATEST = "SELECT id FROM qa_evaluations WHERE status = 'succeeded' ORDER BY id DESC LIMIT 1"


@dataclass(frozen=True)
class Load:
    """One page, opened once. lcp, ready: milliseconds since the navigation."""

    lcp: float
    ready: float
    fetched: Sequence[dict[str, Any]]

    @property
    def kilobytes(self) -> float:
        """Of what was fetched, as it was sent."""
        return sum(float(each["bytes"]) for each in self.fetched) / 1000


@asynccontextmanager
async def stack(folder: Path) -> AsyncIterator[StackInfo]:
    """`searchqa up` in the folder, until the block ends."""
    data_dir = folder / "data"
    with (folder / "up.log").open("w") as log:
        process = await asyncio.create_subprocess_exec(
            *(SEARCHQA, "up", "--port", "0", "--no-flower", "--data-dir", str(data_dir)),
            cwd=folder,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:
        async with asyncio.timeout(START_TIMEOUT_SECONDS):
            while (info := running_stack(data_dir)) is None:
                if process.returncode is not None:
                    raise SystemExit(f"`searchqa up` ended; see {folder / 'up.log'}.")
                await asyncio.sleep(0.05)
        yield info
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        await process.wait()


async def _id(_: AsyncSession, workspace: uuid.UUID) -> uuid.UUID:
    return workspace


def fill(info: StackInfo, evaluations: int, days: int) -> None:
    """Evaluations up to today in the default workspace, unless it has some."""
    workspace = in_workspace(info.database_url, DEFAULT_WORKSPACE, _id)
    with psycopg.connect(info.database_url) as connection:
        if connection.execute("SELECT FROM qa_evaluations LIMIT 1").rowcount:
            return
    superuser = info.database_url.replace("//searchqa@", "//postgres@", 1)
    generate(superuser, workspace, evaluations, days, until=dt.datetime.now(dt.UTC).date())


def pages(info: StackInfo) -> dict[str, str]:
    """By the name in the table, their paths below /ui."""
    with psycopg.connect(info.database_url) as connection:
        ((evaluation,),) = connection.execute(LATEST).fetchall()
    names = ["notes", "quality", "releases", "failures", "evaluations", "label", "datasets", "runs"]
    names += ["benches", "playground", "settings", "system"]
    return {
        "workbench": "/",
        **{name: f"/{name}" for name in names},
        "evaluation": f"/evaluations/{evaluation}",
    }


def login_link(info: StackInfo) -> str:
    code = in_workspace(info.database_url, DEFAULT_WORKSPACE, create_login_code)
    return f"{info.api_url}/login?code={code}"


async def open_once(
    browser: Browser, info: StackInfo, cookies: Any, path: str, size: dict[str, int]
) -> Load:
    """In a browser of its own, that is logged in and knows no file yet."""
    context = await browser.new_context(
        viewport=size,  # type: ignore[arg-type]
        locale="ko-KR",
        timezone_id="Asia/Seoul",
        storage_state={"cookies": cookies, "origins": []},
    )
    try:
        page = await context.new_page()
        await page.add_init_script(WATCH)
        await page.goto(f"{info.api_url}/ui{path}")
        async with asyncio.timeout(START_TIMEOUT_SECONDS):
            measured = await page.evaluate(UNTIL_READY)
        return Load(measured["lcp"], measured["ready"], await page.evaluate(FETCHED))
    finally:
        await context.close()


async def press_while_arriving(
    browser: Browser, info: StackInfo, cookies: Any, path: str, count: int
) -> tuple[float, float]:
    """INP in milliseconds and the share of the time that the page's thread worked, while `count`
    verdicts arrive in a minute."""
    context = await browser.new_context(
        viewport=SIZES["1440 px"],  # type: ignore[arg-type]
        storage_state={"cookies": cookies, "origins": []},
    )
    try:
        page = await context.new_page()
        await page.add_init_script(WATCH + INTERACTIONS)
        await page.goto(f"{info.api_url}/ui{path}")
        await page.evaluate(UNTIL_READY)
        await page.evaluate(f"() => {{{STAY}}}")
        devtools = await context.new_cdp_session(page)
        await devtools.send("Performance.enable")

        async def worked() -> float:
            found = await devtools.send("Performance.getMetrics")
            return next(float(m["value"]) for m in found["metrics"] if m["name"] == "TaskDuration")

        before, start = await worked(), time.monotonic()
        origin = {"Origin": info.api_url}
        for number in range(count):
            body = {"question": f"{number}?", "answer": "37도입니다. [노트 1]", "sources": [SOURCE]}
            url = f"{info.api_url}/qa-evaluations"
            response = await context.request.post(url, data=body, headers=origin)
            if not response.ok:
                raise SystemExit(f"An answer was refused: {await response.text()}")
            await page.keyboard.press("Tab")
            await asyncio.sleep(max(0, start + 60 * (number + 1) / count - time.monotonic()))
        busy = (await worked() - before) / (time.monotonic() - start)
        return await page.evaluate("measured.inp"), busy
    finally:
        await context.close()


async def cookies_of(browser: Browser, info: StackInfo) -> Any:
    context = await browser.new_context()
    link = await asyncio.to_thread(login_link, info)
    response = await context.request.get(link)
    if not response.ok:
        raise SystemExit(f"The login failed: {response.status}.")
    cookies = await context.cookies()
    await context.close()
    return cookies


async def measure(browser: Browser, info: StackInfo, options: argparse.Namespace) -> None:
    cookies = await cookies_of(browser, info)
    rows, arriving = [], []
    for name, path in pages(info).items():
        if options.only and name not in options.only:
            continue
        for width in options.sizes:
            # The first one is not counted: the server has just started.
            loads = [
                await open_once(browser, info, cookies, path, SIZES[width])
                for _ in range(options.rounds + 1)
            ][1:]
            rows.append(
                [
                    *(name, width),
                    Spread.from_values([each.lcp for each in loads]).text(),
                    Spread.from_values([each.ready for each in loads]).text(),
                    f"{median(len(each.fetched) for each in loads):g}",
                    f"{median(each.kilobytes for each in loads):.0f}",
                ]
            )
            if options.waterfall:
                show_waterfall(name, loads[-1])
        if options.arriving:
            inp, busy = await press_while_arriving(browser, info, cookies, path, options.arriving)
            arriving.append([name, f"{inp:.0f}", f"{busy:.1%}"])
    head = ("page", "width", "LCP, ms", "ready, ms", "requests", "kB")
    print(table(head, rows), flush=True)
    if arriving:
        print(table(("page", "INP, ms", "busy"), arriving), flush=True)


def show_waterfall(name: str, load: Load) -> None:
    """What was fetched, in the order in which it was asked for."""
    print(f"\n{name}: LCP {load.lcp:.0f} ms, ready {load.ready:.0f} ms")
    for each in load.fetched:
        print(
            f"  {each['began']:6.0f} {each['waited']:6.0f} {each['ended']:6.0f}"
            f" {each['bytes'] / 1000:8.1f} kB  {each['name'][:100]}"
        )


async def main(options: argparse.Namespace) -> None:
    chromium = which("chromium") or which("chromium-browser") or which("google-chrome")
    if chromium is None:
        raise SystemExit("There is no Chromium on the PATH (Debian: apt-get install chromium).")
    with tempfile.TemporaryDirectory(prefix="sqa-") as made:
        folder = options.keep or Path(made)
        folder.mkdir(exist_ok=True)
        async with stack(folder) as info, async_playwright() as playwright:
            await asyncio.to_thread(fill, info, options.evaluations, options.days)
            browser = await playwright.chromium.launch(
                executable_path=chromium, args=["--no-sandbox", "--disable-background-networking"]
            )
            print(f"load of the machine: {load():.1f}, {os.cpu_count()} cores", file=sys.stderr)
            await measure(browser, info, options)
            await browser.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--evaluations", type=int, default=30_000)
    parser.add_argument("--days", type=int, default=30, help="over which they are spread")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", nargs="*", help="names of pages; all if left out")
    parser.add_argument("--sizes", nargs="*", choices=SIZES, default=list(SIZES))
    parser.add_argument(
        "--arriving", type=int, metavar="N", help="verdicts a minute, while INP is measured"
    )
    parser.add_argument("--waterfall", action="store_true", help="print what each page fetched")
    parser.add_argument(
        "--keep", type=Path, help="a folder for the data, used again if it is there"
    )
    asyncio.run(main(parser.parse_args()))
