"""The pages under /ui/, as the API serves them."""

import gzip
import runpy
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from app.api.app import create_app
from verdict_world import settings

ROOT = Path(__file__).parents[3]
INDEX = "<!doctype html><title>SearchQA</title>" + "노트" * 1000
POLICY = {
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
}


@pytest.fixture
def built(tmp_path: Path) -> Path:
    pages = tmp_path / "dist"
    (pages / "assets").mkdir(parents=True)
    (pages / ".vite").mkdir()
    (pages / "index.html").write_text(INDEX)
    (pages / "icon.svg").write_text("<svg/>")
    (pages / "assets" / "index-a1b2.js").write_text("start()")
    (pages / ".vite" / "manifest.json").write_text("{}")
    (tmp_path / "secret.txt").write_text("secret")
    return pages


@pytest.fixture
async def browser(built: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with open_browser(built) as client:
        yield client


def open_browser(pages: Path) -> httpx.AsyncClient:
    """Has no token, and the app no database: the pages need neither."""
    transport = httpx.ASGITransport(create_app(settings(ui_dir=pages)))
    return httpx.AsyncClient(transport=transport, base_url="http://test")


def move(pages: Path, to: Path) -> None:
    pages.rename(to)


def test_a_wheel_has_the_documentation_and_the_pages_where_they_are_built(tmp_path):
    """But not one that stands for a checkout, whose pages are made anew."""
    hook = runpy.run_path(str(ROOT / "hatch_build.py"))["Pages"]
    pages = tmp_path / "frontend" / "dist"
    guide = tmp_path / "docs" / "guide.md"
    (guide.parent / "decisions").mkdir(parents=True)
    guide.write_text("# Guide")
    found = []
    for version in ("standard", "editable", "standard"):
        data = {"force_include": {}}
        hook(str(tmp_path), {}, *[None] * 4).initialize(version, data)
        found.append(data["force_include"])
        pages.mkdir(parents=True, exist_ok=True)
        (pages / "index.html").write_text(INDEX)

    docs = {str(guide): "app/docs/guide.md"}
    assert found == [docs, {}, docs | {str(pages): "app/pages"}]


@pytest.mark.parametrize("path", ["/ui/", "/ui/notes/7?x=1", "/ui/runs/a.b", "/ui/index.html"])
async def test_every_address_of_a_page_is_the_start_page(browser, path):
    response = await browser.get(path)

    assert (response.status_code, response.text) == (200, INDEX)
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert response.headers["Cache-Control"] == "no-cache"
    assert response.headers["Content-Encoding"] == "gzip"
    assert set(response.headers["Content-Security-Policy"].split("; ")) == POLICY
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["X-Frame-Options"] == "DENY"


async def test_hashed_files_are_kept_and_the_others_are_asked_for_again(browser):
    hashed = await browser.get("/ui/assets/index-a1b2.js")
    icon = await browser.get("/ui/icon.svg")
    again = await browser.get("/ui/", headers={"If-None-Match": "*"})

    assert hashed.text == "start()"
    assert hashed.headers["Content-Type"].startswith("text/javascript")
    assert hashed.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert (icon.text, icon.headers["Cache-Control"]) == ("<svg/>", "no-cache")
    assert (again.status_code, again.headers["Cache-Control"]) == (304, "no-cache")


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, br;q=0", "gzip"),
        ("GZIP;q=0.5", "gzip"),
        ("identity", None),
        ("br;q=0.000, gzip; q=0", None),
    ],
)
async def test_what_the_build_has_compressed_is_sent_as_it_is(browser, built, accepted, encoding):
    script = built / "assets" / "index-a1b2.js"
    sent = {None: script, "br": Path(f"{script}.br"), "gzip": Path(f"{script}.gz")}
    sent["br"].write_bytes(b"of brotli")
    sent["gzip"].write_bytes(gzip.compress(b"start()"))
    headers = {"Accept-Encoding": accepted}

    async with browser.stream("GET", "/ui/assets/index-a1b2.js", headers=headers) as response:
        body = b"".join([part async for part in response.aiter_raw()])

    assert body == sent[encoding].read_bytes()
    assert response.headers.get("Content-Encoding") == encoding
    assert response.headers["Content-Type"].startswith("text/javascript")
    assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    if encoding:
        assert "Accept-Encoding" in response.headers["Vary"]
    etag = {"If-None-Match": response.headers["ETag"], **headers}
    assert (await browser.get("/ui/assets/index-a1b2.js", headers=etag)).status_code == 304


async def test_a_file_of_an_older_build_is_not_found(browser):
    response = await browser.get("/ui/assets/index-old.js")

    assert response.status_code == 404
    assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "path",
    [
        "/ui/../secret.txt",
        "/ui/%2e%2e/secret.txt",
        "/ui/..%2fsecret.txt",
        "/ui/assets/..%2f..%2fsecret.txt",
        "/ui/assets/%2e%2e/%2e%2e/secret.txt",
        "/ui//{}/secret.txt",
        "/ui/%00",
        "/ui/" + "a" * 5000,
        "/ui/.vite/manifest.json",
        "/ui/.env",
    ],
)
async def test_nothing_else_can_be_read(browser, built, path):
    response = await browser.get(path.format(built.parent))

    assert response.text == INDEX or response.status_code in {401, 404}
    assert "secret" not in response.text


async def test_a_link_out_of_the_folder_is_not_followed(browser, built):
    (built / "assets" / "out.txt").symlink_to(built.parent / "secret.txt")

    assert (await browser.get("/ui/assets/out.txt")).status_code == 404


async def test_other_methods_are_refused(browser):
    head = await browser.head("/ui/")
    post = await browser.post("/ui/")

    assert (head.status_code, head.content) == (200, b"")
    assert post.status_code == 405


async def test_the_address_of_the_server_leads_to_the_pages(browser):
    for path in ("/", "/ui"):
        response = await browser.get(path)
        assert response.status_code == 307
        assert response.headers["Location"].removeprefix("http://test") == "/ui/"


async def test_without_a_build_it_says_how_to_make_one_and_finds_it_then(tmp_path, built):
    missing = tmp_path / "later"
    async with open_browser(missing) as browser:
        for path in ("/ui/", "/ui/notes"):
            response = await browser.get(path)
            assert response.status_code == 503
            assert "make ui" in response.text
            assert "화면이 아직 빌드되지 않았습니다" in response.text
            assert "not built yet" in response.text
        move(built, missing)
        assert (await browser.get("/ui/")).text == INDEX
