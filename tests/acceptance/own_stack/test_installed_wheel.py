"""What people install: one wheel, however it is built, that does the main job without a clone."""

import json
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

from app.notes.samples import SAMPLE_QUESTIONS
from live_stack import user_environment

pytestmark = pytest.mark.acceptance

ROOT = Path(__file__).parents[3]
# Folders of the checkout by what they are in the wheel; the pages where they are built.
FOLDERS = {
    "backend/app": "app",
    "worker": "worker",
    "migrations": "migrations",
    "clients/python/src/searchqa_client": "searchqa_client",
    "frontend/dist": "app/pages",
}
LICENCES = {
    *("app/pages/licenses.md", "app/pages/fonts.license.txt"),
    "app/pages/searchqa-verdict.licenses.md",
}
# The headlines of rules, in the languages of the questions.
OUTCOMES = (
    *("노트와 일치", "노트와 어긋남", "규칙으로는 판단할 수 없음", "노트에 없다고 바르게 답함"),
    *("Matches the notes", "Differs from the notes", "Rules cannot tell"),
)
# Served by the installed package, without a database.
SERVED = """
import httpx, asyncio
from app.api.app import create_app
from app.platform.settings import get_settings

async def main():
    transport = httpx.ASGITransport(create_app(get_settings()))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        for path in ("/ui/", "/ui/licenses.md", "/ui/searchqa-verdict.js", "/llms-full.txt"):
            response = await client.get(path)
            assert response.status_code == 200, (path, response.status_code)

asyncio.run(main())
"""


def run(*command: str | Path, **more: object) -> str:
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, **more)
    assert ran.returncode == 0, ran.stderr or ran.stdout
    return ran.stdout


def built(root: Path, folder: Path) -> Path:
    run(
        *(sys.executable, "-m", "hatchling", "build", "--target", "wheel"),
        *("--directory", folder),
        cwd=root,
        env={**os.environ, "SOURCE_DATE_EPOCH": "1780000000"},
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(ROOT, tmp_path_factory.mktemp("wheel"))


def test_a_wheel_built_elsewhere_is_the_same(wheel, tmp_path):
    """Of copies with other times and modes, in a folder of another name."""
    copy = tmp_path / "copy"
    for name in ("backend", "worker", "migrations", "clients/python", "docs", "frontend/dist"):
        if (ROOT / name).is_dir():
            leave = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, copy / name, copy_function=shutil.copyfile, ignore=leave)
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", "NOTICE"):
        shutil.copyfile(ROOT / name, copy / name)

    assert built(copy, tmp_path / "dist").read_bytes() == wheel.read_bytes()


def test_the_wheel_has_every_file_of_its_folders_and_the_licences(wheel):
    expected = {
        f"{inside}/{file.relative_to(ROOT / outside)}"
        for outside, inside in FOLDERS.items()
        for file in (ROOT / outside).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    expected |= {f"app/docs/{page.name}" for page in (ROOT / "docs").glob("*.md")}
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (info,) = {name.partition("/")[0] for name in names if ".dist-info/" in name}
        for licence in ("LICENSE", "NOTICE"):
            read = archive.read(f"{info}/licenses/{licence}")
            assert read == (ROOT / licence).read_bytes()
    assert {name for name in names if not name.startswith(info)} == expected
    if "app/pages/index.html" in names:
        assert names >= LICENCES


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with the wheel and what the SBOM says that it needs: links to
    what is installed here, since tests have no network."""
    folder = tmp_path_factory.mktemp("installed")
    run(sys.executable, ROOT / ".ci" / "sbom.py", folder / "sbom.json")
    venv.create(folder / "venv", with_pip=False)
    (site,) = (folder / "venv").glob("lib/python*/site-packages")
    for part in json.loads((folder / "sbom.json").read_text())["components"]:
        if part.get("scope") != "required" or not part["purl"].startswith("pkg:pypi/"):
            continue
        try:
            needed = distribution(part["name"])
        except PackageNotFoundError:
            continue  # of another system
        for top in {file.parts[0] for file in needed.files or ()} - {"..", "__pycache__"}:
            if not (site / top).is_symlink():
                (site / top).symlink_to(needed.locate_file(top))
    programs = folder / "venv" / "bin"
    uv = Path(sys.executable).with_name("uv")
    run(uv, *("pip", "install", "--offline", "--no-deps", "--python"), programs / "python", wheel)
    return programs


def test_the_demo_of_an_installation_ends_well_and_can_be_repeated(installed, new_folder):
    folder = new_folder()
    folder.mkdir()
    for number in ("first", "second"):
        out = run(installed / "searchqa", "demo", env=user_environment(folder / "data"), cwd=folder)
        for _, question in SAMPLE_QUESTIONS:
            output = out.partition(question)[2].partition("▶")[0]
            judged = any(f"◇ {outcome}" in output for outcome in OUTCOMES)
            assert judged or "평가하지 않음 (skipped)" in output, f"{number}: {question}: {output}"
        assert out.count("◇ ") >= len(SAMPLE_QUESTIONS) - 1
        assert "SELECT e.status" in out
        for named in ("daily-quality", "confidence-mix"):
            output = out.partition(f"searchqa analytics {named}\n")[2]
            assert output.split()[0] == "day"


def test_an_installation_serves_its_pages_and_documentation(installed, tmp_path):
    if not (ROOT / "frontend" / "dist" / "index.html").is_file():
        pytest.skip("the pages are not built (make ui)")
    run(installed / "python", "-c", SERVED, cwd=tmp_path)
